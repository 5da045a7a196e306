# SPDX-License-Identifier: Apache-2.0
"""The core on bare-metal RISC-V (lib/riscv): needs nothing but four memory functions, and computes the same bits as on the host."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from exclusive import exclusive

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "lib" / "riscv"
BUILD = ROOT / "build" / "riscv"
CROSS = "riscv64-unknown-elf-"
QEMU = "qemu-system-riscv64"
PACKAGES = {
    f"{CROSS}gcc": "gcc-riscv64-unknown-elf",
    f"{CROSS}nm": "binutils-riscv64-unknown-elf",
    QEMU: "qemu-system-misc",
}
ALLOWED = {"memcpy", "memmove", "memset", "memcmp"}
LINKER = {"_GLOBAL_OFFSET_TABLE_"}  # no function: the linker makes it
EXIT_SELFTEST = 1


def run(*command: str | Path, seconds: int = 300) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=seconds)


def output_of(*command: str | Path) -> str:
    done = run(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(name: str, *options: str) -> Path:
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    place = BUILD / name
    with exclusive(place):
        output_of("cmake", "-S", SOURCE, "-B", place, *generator, *options)
        output_of("cmake", "--build", place, "--parallel", str(os.cpu_count() or 1))
    return place


@pytest.fixture(scope="module")
def firmware() -> Path:
    missing = [tool for tool in PACKAGES if not shutil.which(tool)]
    if missing:
        names = " ".join(PACKAGES[tool] for tool in missing)
        pytest.fail(f"missing: {', '.join(missing)}; `make test` installs the packages {names}")
    return build("firmware", "--toolchain", str(SOURCE / "toolchain.cmake"))


@pytest.fixture(scope="module")
def host() -> Path:
    return build("host")


def run_firmware(image: Path) -> subprocess.CompletedProcess[str]:
    machine = ["-machine", "virt", "-m", "128M", "-bios", "none", "-no-reboot"]
    console = ["-display", "none", "-monitor", "none", "-serial", "stdio"]
    return run(QEMU, *machine, *console, "-kernel", image)


# ---- what the core needs --------------------------------------------------------------------------------------------
def symbols(nm: str, file: Path, *options: str) -> set[str]:
    lines = output_of(nm, "--format=posix", *options, file).splitlines()
    return {words[0] for words in map(str.split, lines) if len(words) > 1}


def check_needs(place: Path, prefix: str, compiler: str) -> None:
    objects = sorted((place / "CMakeFiles" / "core.dir").rglob("*.c.o*"))
    source = ROOT / "lib" / "src"
    core = [path for path in source.rglob("*.c") if path.relative_to(source).parts[0] not in ("host", "x86")]
    assert len(objects) == len(core)
    nm = f"{prefix}nm"
    needed: set[str] = set()
    defined: set[str] = set()
    for file in objects:
        needed |= symbols(nm, file, "--undefined-only")
        defined |= symbols(nm, file, "--defined-only", "--extern-only")
        # no state: nothing that can be written
        for line in output_of(f"{prefix}size", "--format=sysv", file).splitlines():
            section = line.split()
            if section and re.match(r"\.(data|bss|sdata|sbss|tdata|tbss)", section[0]):
                relocated_constant = section[0].startswith(".data.rel.ro")
                assert relocated_constant or section[1] == "0", f"{file.name}: {line}"
    arithmetic = symbols(nm, Path(output_of(compiler, "-print-libgcc-file-name").strip()))
    outside = needed - defined - ALLOWED - LINKER
    assert outside <= arithmetic, f"the core needs {sorted(outside - arithmetic)}"
    assert all(name.startswith(("rs_", "RS_")) for name in defined), defined


def test_core_needs_four_functions_on_riscv(firmware: Path) -> None:
    check_needs(firmware, CROSS, f"{CROSS}gcc")


def test_core_needs_four_functions_on_the_host(host: Path) -> None:
    check_needs(host, "", "gcc")


# ---- what it computes -----------------------------------------------------------------------------------------------
def test_same_bits_as_on_the_host(firmware: Path, host: Path) -> None:
    done = run_firmware(firmware / "firmware.elf")
    want = output_of(host / "host").splitlines()
    got = done.stdout.splitlines()
    assert got == want, done.stderr
    assert done.returncode == 0
    assert got[0] == "selftest RS_OK"
    assert got[-1] == "trace RS_OK"
    operations = {line.split()[1] for line in got}
    assert {"fft", "secret-key", "public-key", "relin-key", "galois-key", "encode"} < operations
    assert {"encrypt-sk", "encrypt-pk", "encrypt-pk-direct", "decrypt", "decode"} < operations
    hashes = [line.split()[-1] for line in got[1:-1]]
    assert len(set(hashes)) > len(hashes) * 0.9  # encodings repeat, nothing else


def test_a_wrong_answer_fails(firmware: Path, tmp_path: Path) -> None:
    """One bit of the known answers flipped in the image: the self-test must end the run with its exit code."""
    text = (ROOT / "lib" / "src" / "selftest" / "selftest_answers.inc").read_text(encoding="utf-8")
    first = bytes(int(x, 16) for x in re.findall(r"0x([0-9a-f]{2})", text)[:32])
    image = bytearray((firmware / "firmware.elf").read_bytes())
    at = image.find(first)
    assert at > 0
    image[at + 31] ^= 1
    wrong = tmp_path / "wrong.elf"
    wrong.write_bytes(image)
    done = run_firmware(wrong)
    assert done.stdout == "selftest RS_ERR_SELFTEST\n"
    assert done.returncode == EXIT_SELFTEST
