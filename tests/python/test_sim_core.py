# SPDX-License-Identifier: Apache-2.0
"""The harness of the simulated core: memory behind AXI, rules of the protocol, records of what ran."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asserting import raises
from ringside.sim import SimulationError, build, verilate
from ringside.sim.core import SLAVES, Core, Memory, ProgramRun
from ringside.sim.sources import CORE_HARNESS

ADDRESS, LENGTH, MODE, _, WORD, RESPONSE, BEATS, ACCESSES = range(0, 32, 4)
GO = 64  # where rs_core has CONTROL
LATE = 7 << 4  # a bit of MODE: the next access is taken after the harness has given it up
BUS = 16  # bytes, of the probe
SIZE = 1 << 16
BASE = 1 << 20


@pytest.fixture(scope="session")
def probe() -> Path:
    return build("axi_probe", [Path(__file__).with_name("axi_probe.sv")], harness=CORE_HARNESS)


@pytest.fixture
def memory() -> Memory:
    return Memory(size=SIZE, address=BASE, latency=20, wait_cycles=20_000)


@pytest.fixture
def core(probe: Path, memory: Memory) -> Iterator[Core]:
    with Core(probe, memory) as opened:
        yield opened


def burst(core: Core, address: int, beats: int, *, write: bool = False, fault: int = 0) -> ProgramRun:
    core.write(ADDRESS, address)
    core.write(LENGTH, beats - 1)
    core.write(MODE, write | fault << 4)
    core.write(GO, 1)
    return core.wait()


def test_reads_and_writes_go_to_the_memory(core: Core) -> None:
    core.memory[:] = np.arange(SIZE) % 251
    burst(core, BASE + 256, 8)
    assert core.bus_bytes == BUS
    assert core.read(BEATS) == 8
    assert core.read(WORD) == int.from_bytes(core.memory[256 + 7 * BUS :][:4].tobytes(), "little")
    before = core.memory.copy()
    burst(core, BASE + 512, 4, write=True)
    words = core.memory[512 : 512 + 4 * BUS].view(np.uint32).reshape(4, 4)
    assert (words == 0xBEA70000 + np.arange(4, dtype=np.uint32)[:, None]).all()
    before[512 : 512 + 4 * BUS] = core.memory[512 : 512 + 4 * BUS]
    assert np.array_equal(core.memory, before)


@pytest.mark.parametrize("slave", SLAVES)
def test_every_slave_takes_writes(probe: Path, slave: str) -> None:
    for stall in (0, 128):
        with Core(probe, Memory(size=SIZE, address=BASE, wait_cycles=20_000, slave=slave, stall=stall)) as core:
            burst(core, BASE + 64, 8, write=True)
            words = core.memory[64 : 64 + 8 * BUS].view(np.uint32).reshape(8, 4)
            assert (words == 0xBEA70000 + np.arange(8, dtype=np.uint32)[:, None]).all()


@pytest.mark.parametrize(
    ("limits", "cycles"),
    [
        ({}, 20 + 64),
        ({"latency": 100}, 100 + 64),
        ({"bandwidth": 4}, 20 + 64 * 4),
        ({"bandwidth": 12}, 20 + 64 * 4 // 3),
        ({"bandwidth": 64}, 20 + 64),
        ({"bandwidth": 4.5}, 20 + 64 * 16 / 4.5),
        ({"bandwidth": 4, "overhead": 120}, 20 + 64 * 4 + 30),
    ],
)
@pytest.mark.parametrize("write", [False, True])
def test_latency_and_bandwidth_are_kept(probe: Path, limits: dict[str, Any], cycles: float, write: bool) -> None:
    memory = Memory(size=SIZE, address=BASE, **{"latency": 20, **limits})
    with Core(probe, memory) as core:
        job = burst(core, BASE, 64, write=write)
    assert abs(job.cycles - cycles) <= 5
    assert (job.read_beats, job.write_beats) == ((0, 64) if write else (64, 0))
    unit, pc = ("STORE", 0x42) if write else ("LOAD", 0x17)
    assert [(event.unit, event.pc) for event in job.events] == [(unit, pc)]
    event = job.events[0]
    assert job.busy[unit] == event.end - event.start + 1
    assert job.active[unit] == 64
    assert job.cycles - job.busy[unit] <= job.idle + 1 <= 4
    assert job.overlap == 0


def test_pauses_come_and_change_nothing_else(probe: Path) -> None:
    memory = Memory(size=SIZE, address=BASE, latency=20, stall=128)
    with Core(probe, memory) as core:
        core.memory[:] = np.arange(SIZE) % 251
        job = burst(core, BASE, 64)
        assert job.cycles > 20 + 64 + 30
        assert core.read(WORD) == int.from_bytes(core.memory[63 * BUS :][:4].tobytes(), "little")
        assert burst(core, BASE, 64, write=True).cycles > 20 + 64 + 30
        assert (core.memory[: 64 * BUS].view(np.uint32) >> 16 == 0xBEA7).all()


@pytest.mark.parametrize("write", [False, True])
def test_errors_of_the_memory_are_answered(core: Core, write: bool) -> None:
    core.set_error(BASE + 4096, 64)
    burst(core, BASE + 4096 - 4 * BUS, 4, write=write)
    assert core.read(RESPONSE) == 0
    burst(core, BASE + 4096, 2, write=write)
    assert core.read(RESPONSE) == 2  # SLVERR
    assert not core.memory[4096:].any()
    for outside in (BASE + SIZE, BASE - 64, 0):
        burst(core, outside, 1, write=write)
        assert core.read(RESPONSE) == 3  # DECERR
    assert not core.memory[4096:].any()


@pytest.mark.parametrize(
    ("address", "beats", "write", "fault", "words"),
    [
        (BASE, 8, False, 1, "AR: valid fell"),
        (BASE, 8, True, 1, "AW: valid fell"),
        (BASE, 8, False, 2, "AR: a burst changed"),
        (BASE, 8, True, 2, "AW: a burst changed"),
        (BASE, 8, False, 3, "AR: a burst is not INCR"),
        (BASE, 8, True, 4, "W: last is not at the end"),
        (BASE, 8, True, 5, "W: a beat changed"),
        (BASE + 8, 8, False, 0, "AR: an address is not aligned"),
        (BASE + 4096 - 7 * BUS, 8, False, 0, "AR: a burst crosses 4 KiB"),
        (BASE + 4096 - 7 * BUS, 8, True, 0, "AW: a burst crosses 4 KiB"),
        (BASE, 8, False, 6, "register"),
    ],
)
def test_broken_rules_stop_the_model(
    probe: Path, address: int, beats: int, write: bool, fault: int, words: str
) -> None:
    memory = Memory(size=SIZE, address=BASE, latency=20, stall=255, wait_cycles=100_000)
    with Core(probe, memory) as core, pytest.raises(SimulationError, match=words):
        burst(core, address, beats, write=write, fault=fault)


def test_a_job_begins_when_its_program_is_started(core: Core) -> None:
    """Registers that are written while it runs begin no other one."""
    core.write(ADDRESS, BASE)
    core.write(LENGTH, 63)
    core.write(MODE, 0)
    core.write(GO, 1)
    for _ in range(10):
        core.write(ADDRESS, BASE)
    job = core.wait()
    assert abs(job.cycles - (20 + 64)) <= 5
    assert (job.read_beats, job.active["LOAD"], len(job.events)) == (64, 64, 1)


@pytest.mark.parametrize("write", [False, True])
def test_an_access_that_is_given_up_happens_once(core: Core, write: bool) -> None:
    """Its answer comes late and is no other one's: the next access waits for it."""
    core.write(ADDRESS, 1)
    core.write(MODE, LATE)
    access = partial(core.write, ADDRESS, 2) if write else partial(core.read, BEATS)
    raises(SimulationError, "no answer", access)
    assert core.read(0) == (2 if write else 1)
    core.write(LENGTH, 0)
    assert core.read(ACCESSES) == 5


def test_an_interrupt_that_never_comes_ends_the_wait(core: Core) -> None:
    raises(SimulationError, "no answer", core.wait)
    assert core.cycles >= 20_000


# ---- how models are compiled ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("sizes", "groups"), [([5, 3, 2], 1), ([60, 30, 20, 10, 4, 1], 2), ([90, 90, 90], 3)])
def test_small_files_are_compiled_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: list[int], groups: int
) -> None:
    monkeypatch.setattr(verilate, "UNIT_BYTES", 100)
    files = [tmp_path / f"{number}.cpp" for number in range(len(sizes))]
    for file, size in zip(files, sizes, strict=True):
        file.write_bytes(bytes(size))
    units = verilate._units(files)
    assert sorted(file for unit in units for file in unit) == files
    totals = [sum(file.stat().st_size for file in unit) for unit in units]
    assert len(totals) == groups
    assert max(totals) - min(totals) <= 10


def test_the_level_of_optimisation_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    model = verilate.Model("axi_probe", [Path(__file__).with_name("axi_probe.sv")])
    keys = set()
    for level in ("0", "1", "2"):
        monkeypatch.setenv("RINGSIDE_SIM_LEVEL", level)
        keys.add(model.key())
    assert len(keys) == 3
    monkeypatch.setenv("RINGSIDE_SIM_LEVEL", "fast")
    raises(SimulationError, "RINGSIDE_SIM_LEVEL is 'fast': set it to", model.key)


def test_the_compiler_is_the_named_one_or_clang_or_gcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert verilate.compiler() == "g++"  # which is missing, and named so
    for name in ("clang++-14", "clang++"):
        (tmp_path / name).touch(mode=0o755)
        assert verilate.compiler() == name
    monkeypatch.setenv("CXX", "other")
    assert verilate.compiler() == "other"


@pytest.mark.parametrize("compiler", ["clang++-14", "g++"])
def test_a_copied_source_keeps_its_precompiled_header(
    compiler: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CXX", compiler)
    own, unit = tmp_path / "own.h", tmp_path / "unit.cpp"
    own.write_text("#pragma once\nextern int own;\n", encoding="utf-8")
    unit.write_text("int own = 1;\n", encoding="utf-8")
    command = [compiler, *verilate.pch_options(compiler), f"-I{tmp_path}"]
    header = verilate.precompiled(tmp_path, '#include "own.h"\n', command, [own])
    made = header.with_name("model_headers.h.gch").stat().st_mtime_ns
    os.utime(own, (0, 0))
    verilate.run_tool([*command, "-include", header, "-c", unit, "-o", tmp_path / "unit.o"])
    assert verilate.precompiled(tmp_path, '#include "own.h"\n', command, [own]) == header
    assert header.with_name("model_headers.h.gch").stat().st_mtime_ns == made
