# SPDX-License-Identifier: Apache-2.0
"""`make wheel`: the wheel installs into a fresh environment, needs the C library alone, and works there."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ringside.cli import manual
from wheels import LIBRARY, ROUND_TRIP, exported, needed

ROOT = Path(__file__).resolve().parents[2]
# zlib and zstd are inside; these are parts of glibc
NEEDED = {"libc.so.6", "libpthread.so.0", "libm.so.6", "ld-linux-x86-64.so.2"}


def make(out: Path) -> Path:
    """With the compiler's options of the release stage (scripts/test.py): ccache has most objects then."""
    env = os.environ | {"CC": "gcc", "CFLAGS": "-gdwarf-4 -g1", "SKBUILD_CMAKE_DEFINE": "RS_WERROR=ON"}
    command: list[str | Path] = [sys.executable, ROOT / "scripts" / "wheel.py", "--out", out]
    made = subprocess.run(command, capture_output=True, text=True, env=env)
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = out.glob("*.whl")
    assert str(wheel) in made.stdout
    return wheel


def check_name_and_content(wheel: Path) -> None:
    assert re.fullmatch(r"ringside_he-[0-9.]+-py3-none-manylinux_2_\d+_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        libraries = [name for name in archive.namelist() if ".so" in Path(name).name]
        assert libraries == [LIBRARY]  # none was grafted in beside it
        data = archive.read(LIBRARY)
        assert b"Copyright" in archive.read("ringside/native/licences/libzstd-dev.txt")
        assert b"Copyright" in archive.read("ringside/native/licences/zlib1g-dev.txt")
        shared = {name.partition(".data/data/")[2] for name in archive.namelist()}
        assert {f"share/{name}" for name in manual.files()} <= shared
        assert {"ringside/py.typed", "ringside/native/_cdef.pyi"} <= set(archive.namelist())  # for type checkers
    assert set(needed(data)) <= NEEDED
    names = exported(data)
    assert "rs_encode" in names
    assert {name for name in names if not name.startswith("rs_")} == set()


def check_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    """Without a network: what Ringside needs is seen in the environment of these tests, by a .pth file; Ringside itself is the wheel's."""
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / "bin" / "python"
    install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run(install, check=True)
    packages = next(place.glob("lib/python3*/site-packages"))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    done = subprocess.run([python, "-I", "-c", ROUND_TRIP], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert Path(result["file"]).is_relative_to(place)
    assert result["sizes"]["zstd"] < result["sizes"]["none"] > result["sizes"]["zlib"]

    page = subprocess.run(["man", "-M", place / "share" / "man", "-w", "ringside"], capture_output=True, text=True)
    assert page.stdout.strip() == str(place / "share" / "man" / "man1" / "ringside.1")

    command = place / "bin" / "ringside"
    values = np.linspace(-1, 1, 50)
    np.save(tmp_path / "in.npy", values)
    for line in (
        "selftest",
        "keygen --params lee-12 --out keys",
        "encrypt --keys keys in.npy out.seal",
        "decrypt --keys keys out.seal back.npy --count 50",
    ):
        done = subprocess.run([command, *line.split()], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert np.abs(np.load(tmp_path / "back.npy") - values).max() < 1e-2


def check_report(place: Path, tmp_path: Path) -> None:
    """The figures are in the wheel: the report needs no simulator and no compiler (PATH is empty), and each figure with version and date."""
    command: list[str | Path] = [place / "bin" / "ringside", "report", "--output", "report", "--json"]
    env = {"HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert "missing" not in done.stderr
    report = json.loads(done.stdout)
    counts = report["counts"].values()
    assert not any(count["failed"] or count["not measured yet"] for count in counts)
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert page.count("not measured yet") == 0
    assert page.count(f"Figures nobody recorded: {len(report['unrecorded'])}, listed in report.json") == 1
    assert sum(count["measured"] for count in counts) > 150
    cells = [cell for paper in report["papers"].values() for table in paper["tables"].values() for cell in table]
    dated = [cell for cell in cells if cell["value"] is not None and cell["kind"] == "measured"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+, \d{4}-\d\d-\d\d(, [^()]+)?", cell["recorded"]) for cell in dated)


@pytest.mark.slow  # it compiles the library
def test_wheel(tmp_path: Path) -> None:
    """One test: processes that share the tests would each make a wheel."""
    wheel = make(tmp_path / "wheels")
    check_name_and_content(wheel)
    check_in_a_fresh_environment(wheel, tmp_path)
    check_report(tmp_path / "venv", tmp_path)
