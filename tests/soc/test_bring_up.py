# SPDX-License-Identifier: Apache-2.0
"""The firmware that brings boards up (docs/bring-up.md), on the simulated SoC: its console takes the place of the serial line."""

import subprocess
from pathlib import Path

import pytest

from builds import board_firmware
from ringside import designs
from ringside.soc import build

DESIGN = "rise-1"
RAM, RAM_BYTES, CONSOLE = 0x8000_0000, 4 << 20, 0x1000_1000
NO_REGISTERS = 4  # faults_i of rs_soc: accesses are not answered
VALUES = {
    "CORE": 0x4000_0000,
    "UART": CONSOLE,  # what is read behind it is 0: never full
    "END": CONSOLE + 4,
    "RAM": RAM,
    "RAM_BYTES": RAM_BYTES,
    "CLOCK_HZ": 50_000_000,
    "COHERENT": 1,
    "SHARED_BYTES": 128 << 10,
    "WORK_BYTES": 512 << 10,
    "TESTS_LIBRARY": 0,  # tests/bare does it in QEMU, in a second
}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As for a board with Rocket; it lies where the boot ROM jumps to."""
    return board_firmware(tmp_path_factory.mktemp("bringup"), "rv64gc", 2, VALUES) / "bringup.bin"


def boot(image: Path, out: Path, limit: int, **faults: int) -> tuple[list[str], str]:
    """Lines of the serial line, and how the run ended."""
    options: dict[str, object] = {"image": image, "out": out, "bytes": RAM_BYTES, "address": RAM, "latency": 4}
    words = [f"{name}={value}" for name, value in (options | {"limit": limit} | faults).items()]
    done = subprocess.run([build.program(designs.load(DESIGN)), *words], capture_output=True, text=True)
    ended = [line for line in done.stderr.splitlines() if line.startswith(("end ", "stopped "))]
    return done.stdout.splitlines(), ended[0]


@pytest.mark.soak  # 22 million cycles
def test_a_board_comes_up(image: Path, tmp_path: Path) -> None:
    """Each step of docs/bring-up.md that the firmware does but the library's own, which needs no board."""
    lines, end = boot(image, tmp_path / "out", 60_000_000)
    assert end.startswith("end 0 "), lines
    assert lines[0].endswith(", bring-up")
    assert "ID 1381192259" in lines
    for step in ("registers", "memory", "open", "core", "close"):
        assert f"{step}: ok" in lines
    assert lines[-1] == "PASS"


@pytest.mark.soak  # it needs Rocket
def test_registers_that_do_not_answer_are_the_first_to_be_seen(image: Path, tmp_path: Path) -> None:
    lines, end = boot(image, tmp_path / "out", 2_000_000, faults=NO_REGISTERS)
    assert end.startswith("end 1 "), lines
    assert lines[-2:] == ["registers: RS_ERR_DEVICE_ABSENT", "FAIL"]
