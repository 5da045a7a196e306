# SPDX-License-Identifier: Apache-2.0
"""`make wheel ARGS=--arm64`: a Python for 64-bit Arm, in QEMU, installs the wheel and makes files that stock SEAL decrypts here.

Nobody has run it on real hardware. Debian's Python and the compiled packages for arm64 are fetched, and installed nowhere.
"""

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import tenseal
from elftools.elf.elffile import ELFFile

from builds import need
from tree_scripts import script
from wheels import LIBRARY, ROUND_TRIP, exported, needed

ROOT = Path(__file__).resolve().parents[2]
NEEDED = {"libc.so.6", "libpthread.so.0", "libm.so.6", "ld-linux-aarch64.so.1"}
LTV_LIBRARY = "ringside_ltv/libringside_ltv.so"
COMPILED = ("numpy", "cffi", "pillow", "markupsafe")  # the others are the same for every processor
VALUES = 100
BACK_END = """
import platform
from ringside.native.library import ffi, lib
print(platform.machine(), ffi.string(lib.rs_backend_name()).decode())
"""

arm64 = script("releasing.arm64")


def make(out: Path, *words: str) -> Path:
    command: list[str | Path] = [sys.executable, ROOT / "scripts" / "wheel.py", "--arm64", "--out", out, *words]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = out.glob("*.whl")
    return wheel


def check(wheel: Path, library: str, prefix: str) -> None:
    """It is for AArch64, needs glibc alone, and shows no names but ours."""
    assert re.fullmatch(r"ringside_(he|ltv)-[0-9.]+-py3-none-manylinux_2_\d+_aarch64\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        assert [name for name in archive.namelist() if ".so" in Path(name).name] == [library]
        data = archive.read(library)
    assert ELFFile(BytesIO(data)).header["e_machine"] == "EM_AARCH64"
    assert set(needed(data)) <= NEEDED
    names = exported(data)
    assert names
    assert {name for name in names if not name.startswith(prefix)} == set()


def pinned(name: str) -> str:
    lines = [line for path in (ROOT / "requirements").glob("*.txt") for line in path.read_text("utf-8").splitlines()]
    (found,) = [line for line in lines if line.startswith(f"{name}==")]
    return found


def compiled_packages(out: Path) -> list[Path]:
    """What Ringside needs, for that processor, in the versions of requirements/."""
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)]
    options = [word for name in (*platforms, "manylinux2014_aarch64") for word in ("--platform", name)]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    names = [pinned(name) for name in COMPILED]
    subprocess.run([*command, *options, "--python-version", "3.11", "--dest", out, *names], check=True)
    return sorted(out.glob("*.whl"))


class Machine:
    """Python for AArch64, with the packages in a folder; those that are the same for every processor are the ones of these tests."""

    def __init__(self, place: Path) -> None:
        self._python, self.site = arm64.python(), place / "site"
        self._shared = sysconfig.get_path("purelib")

    def run(self, *words: str | Path, cwd: Path) -> str:
        env = {"PATH": os.environ["PATH"], "HOME": str(cwd), "PYTHONPATH": f"{self.site}:{self._shared}"}
        done = subprocess.run([*self._python, *map(str, words)], capture_output=True, text=True, cwd=cwd, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def install(self, *wheels: Path) -> None:
        """By its own pip, which looks at the tags."""
        options: list[str | Path] = ["--no-index", "--no-deps", "--quiet", "--no-compile", "--target", self.site]
        self.run("-m", "pip", "install", *options, *wheels, cwd=self.site.parent)

    def ringside(self, line: str, cwd: Path) -> None:
        self.run("-m", "ringside", *line.split(), cwd=cwd)


def check_that_seal_decrypts(machine: Machine, place: Path) -> None:
    values = np.linspace(-1, 1, VALUES)
    np.save(place / "in.npy", values)
    for line in (
        "selftest",
        "keygen --params lee-12 --out keys",
        "encrypt --keys keys --public-key in.npy up.tenseal",
        "convert keys keys.tenseal --format tenseal --secret-key",
    ):
        machine.ringside(line, place)
    context = tenseal.context_from((place / "keys.tenseal").read_bytes())
    seen = tenseal.ckks_vector_from(context, (place / "up.tenseal").read_bytes()).decrypt()
    assert np.abs(np.array(seen)[:VALUES] - values).max() < 1e-2


def check_the_evaluator(machine: Machine, place: Path) -> None:
    """Keys and a job from there are evaluated and decrypted here."""
    (place / "message").write_bytes(b"to an evaluator")
    machine.ringside("ltv keygen --ring 255 --out ltv-keys", place)
    machine.ringside("ltv encrypt --keys ltv-keys --data message --out job", place)
    for line in (
        "ltv aes job --keys ltv-keys --out result.ltv --checkpoint run",
        "ltv decrypt result.ltv --keys ltv-keys --out back",
    ):
        subprocess.run([sys.executable, "-m", "ringside", *line.split()], cwd=place, check=True, capture_output=True)
    assert (place / "back").read_bytes() == b"to an evaluator"


@pytest.mark.soak  # it compiles both libraries, and QEMU is slow
def test_wheels_for_arm64(tmp_path: Path) -> None:
    need({"qemu-aarch64": "qemu-user", "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu"})
    ours, evaluator = make(tmp_path / "ours"), make(tmp_path / "ltv", "--evaluator")
    check(ours, LIBRARY, "rs_")
    check(evaluator, LTV_LIBRARY, "rs_ltv")
    machine = Machine(tmp_path)
    machine.install(ours, evaluator, *compiled_packages(tmp_path / "packages"))

    assert str(machine.site) in machine.run("-c", ROUND_TRIP, cwd=tmp_path)
    assert machine.run("-c", BACK_END, cwd=tmp_path).startswith("aarch64 neon")
    check_that_seal_decrypts(machine, tmp_path)
    check_the_evaluator(machine, tmp_path)
