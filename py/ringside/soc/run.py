# SPDX-License-Identifier: Apache-2.0
"""A job on a SoC: prepared by the firmware in QEMU, then run on the simulated hardware."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES
from ..sim.verilate import SimulationError
from . import limits
from .build import ROCKET, SocCpu
from .job import (
    DONE,
    PLACE,
    RAM,
    RUN,
    STEPS,
    Given,
    MemoryImage,
    NativeArray,
    NativeFrame,
    NativeJob,
    frames_in,
    job_in,
    with_phase,
)

PREPARE_SECONDS = 3600


@dataclass(frozen=True)
class Waves:
    """A window of a run, as a VCD file. file: open. first: its first cycle; None: that of the core's first read of RAM. cycles: how many."""

    file: int
    first: int | None
    cycles: int

    @property
    def options(self) -> dict[str, Path | int]:
        """For sim/soc.cpp, in a process that inherits the file."""
        begin = {} if self.first is None else {"waves_from": self.first}
        return {"waves": Path(f"/dev/fd/{self.file}"), "waves_cycles": self.cycles, **begin}


@dataclass(frozen=True)
class Beside:
    """Gates of the processor. probes: what soc.build.program takes; gates, toggles: files of sim/soc_gates.cpp; first: the first cycle that counts."""

    probes: Path
    gates: Path
    toggles: Path
    first: int

    @property
    def options(self) -> dict[str, Path | int]:
        """For sim/soc_gates.cpp."""
        return {"gates": self.gates, "toggles": self.toggles, "count_from": self.first}


@dataclass(frozen=True)
class Ran:
    """job: with its results; image: RAM after the run; cycles: all that were simulated. waves: first and last cycle in their file."""

    job: NativeJob
    image: bytes
    cycles: int
    console: str
    waves: tuple[int, int] | None = None

    @property
    def frames(self) -> list[NativeFrame]:
        return frames_in(self.image, self.job)

    def at(self, array: NativeArray, size: int | None = None) -> bytes:
        """Its bytes, or so many of them."""
        place = array.address - RAM
        return self.image[place : place + (array.bytes if size is None else size)]

    def outputs(self, frame: NativeFrame) -> list[bytes]:
        """Those of a call of a scheme."""
        return [self.at(array) for array in frame.outputs if array.bytes]


class FirmwareError(SimulationError):
    """The firmware says so. ran: what it left."""

    def __init__(self, text: str, ran: Ran) -> None:
        super().__init__(text)
        self.ran = ran


@contextlib.contextmanager
def private_directory() -> Iterator[Path]:
    """A folder in memory, if the system has such a place: images hold secret keys. Its files are overwritten before they go."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        place = Path(name)
        try:
            yield place
        finally:
            for file in place.iterdir():
                with file.open("r+b") as content:
                    content.write(bytes(file.stat().st_size))


def _failure(job: NativeJob, console: str) -> str:
    what = f" in {STEPS[job.step]}" if 0 < job.step < len(STEPS) else ""
    return f"the firmware failed{what}: {console.strip() or 'it printed nothing'}"


def _endless(limit: int, console: str) -> str:
    return (
        f"the SoC has not ended after {limit:,} cycles; it printed: {console.strip() or 'nothing'}. Such a job takes less: "
        "if it may take longer here, allow more (--limit of `ringside soc run`, soc:DESIGN,limit=CYCLES of a device); if it hangs, "
        f"see where (`ringside soc run` with --waves run.vcd --waves-from {max(0, limit - 10_000)})"
    )


def prepare(elf: Path, memory: MemoryImage, place: Path, cpu: SocCpu = ROCKET) -> bytes:
    """RAM after the firmware's first phase: it makes what a device has long before it encrypts. SimulationError."""
    content, log, image = place / "content", place / "log", place / "prepared"
    content.write_bytes(memory.content())
    log.touch()
    machine = ["-machine", "virt", "-m", f"{memory.size // (1 << 20) + 16}M", "-bios", "none", "-display", "none"]
    loads = ["-kernel", elf, "-device", f"loader,file={content},addr={PLACE:#x},force-raw=on"]
    command = [cpu.emulator, *machine, *loads, "-serial", f"file:{log}", "-qmp", "stdio"]
    asked = [
        {"execute": "qmp_capabilities"},
        {"execute": "pmemsave", "arguments": {"val": RAM, "size": memory.size, "filename": str(image)}},
        {"execute": "quit"},
    ]
    with subprocess.Popen(
        list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        limit = time.monotonic() + PREPARE_SECONDS
        while not re.search(r"^(ready|failed)$", log.read_text(encoding="utf-8", errors="replace"), re.MULTILINE):
            if process.poll() is not None or time.monotonic() > limit:
                process.kill()
                raise SimulationError(
                    f"{cpu.emulator} did not end the preparation: {process.communicate()[1].strip()[:500]}"
                )
            time.sleep(0.02)
        out, _ = process.communicate("\n".join(map(json.dumps, asked)) + "\n")
    console = log.read_text(encoding="utf-8", errors="replace")
    if not image.is_file():
        raise SimulationError(f"{cpu.emulator} did not save its memory: {out.strip()[-500:]}")
    found = image.read_bytes()
    if "failed\n" in console:
        raise SimulationError(_failure(job_in(found), console))
    return found


@dataclass(frozen=True)
class SimulatedSoc:
    """What a simulation left. image: RAM; code: what the program ended with; waves: first and last cycle in their file."""

    image: bytes
    code: int
    cycles: int
    console: str
    waves: tuple[int, int] | None


def simulate(
    program: Path,
    image: bytes,
    size: int,
    options: Mapping[str, Path | int],
    *,
    limit: int,
    place: Path,
    waves: Waves | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulatedSoc:
    """Run a program on an image of RAM, of `size` bytes then. options: of sim/soc.cpp. place: a folder for files, which hold secrets. progress: the cycles so far.

    SimulationError: it did not end, or broke a rule of the bus.
    """
    given, out = place / "image", place / "out"
    given.write_bytes(image)
    words: dict[str, Path | int] = {"image": given, "out": out, "bytes": size, "address": RAM, "limit": limit}
    words |= options
    command = [program, *(f"{key}={value}" for key, value in words.items())]
    with (place / "console").open("w+", encoding="utf-8", errors="replace") as console:
        lines: list[str] = []
        window: tuple[int, int] | None = None
        with subprocess.Popen(
            list(map(str, command)),
            stdout=console,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=(waves.file,) if waves else (),
        ) as process:
            assert process.stderr is not None
            for line in process.stderr:
                if match := re.fullmatch(r"waves (\d+) (\d+)\n", line):
                    window = int(match[1]), int(match[2])
                elif (match := re.fullmatch(r"cycles (\d+)\n", line)) is None:
                    lines.append(line.strip())
                elif progress:
                    progress(int(match[1]))
        console.seek(0)
        printed = console.read()
    end = re.match(r"end (\d+) (\d+)", lines[0]) if lines else None
    if lines == [f"stopped {limit}", ""]:
        raise SimulationError(_endless(limit, printed))
    if end is None:
        raise SimulationError(
            f"the SoC did not end: {' '.join(lines) or process.returncode}; it printed: {printed.strip() or 'nothing'}"
        )
    return SimulatedSoc(out.read_bytes(), int(end[1]), int(end[2]), printed, window)


def run(
    program: Path,
    elf: Path,
    memory: MemoryImage,
    *,
    latency: int = CHIP_LATENCY_CYCLES,
    stall: int = 0,
    limit: int | None = None,
    cpu: SocCpu = ROCKET,
    faults: Mapping[str, int] | None = None,
    waves: Waves | None = None,
    beside: Beside | None = None,
    progress: Progress | None = None,
) -> Ran:
    """A job on a SoC. latency: of RAM, in cycles; stall: in how many cycles out of 256 its channels pause; limit: of cycles;
    None: what such a job takes, with a margin (limits.py). progress: cycles, and about how many there will be. faults: options of sim/soc.cpp, for tests. waves, beside: only for a program that was built for them.

    SimulationError: the firmware failed, did not end, or broke a rule of the bus.
    """
    if isinstance(memory.given, Given) and memory.given.time_limit is None:
        memory.job.time_limit = limits.core_limit(memory.given, latency, stall)
    expected = limits.expected(memory.given, latency)
    limit = limit or limits.job_limit(memory.given, latency, stall)
    options: dict[str, Path | int] = {"latency": latency, "stall": stall, **(faults or {})}
    options |= waves.options if waves else {}
    options |= beside.options if beside else {}
    with private_directory() as place:
        image = with_phase(prepare(elf, memory, place, cpu), RUN)
        tell = None if progress is None else lambda done: progress(done, expected)
        found = simulate(program, image, memory.size, options, limit=limit, place=place, waves=waves, progress=tell)
    job = job_in(found.image)
    ran = Ran(job, found.image, found.cycles, found.console, found.waves)
    if found.code or job.phase != DONE:
        raise FirmwareError(_failure(job, found.console), ran)
    return ran
