# SPDX-License-Identifier: Apache-2.0
"""A job on a SoC: prepared by the firmware in QEMU, then run on the simulated hardware."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..sim.verilate import SimulationError
from .build import EMULATOR
from .job import DONE, PLACE, RAM, RUN, STEPS, Job, Memory, job_in, with_phase

PREPARE_SECONDS = 300
Cycles = Callable[[int], None]


@dataclass(frozen=True)
class Ran:
    """job: with its results; image: RAM after the run; cycles: all that were simulated."""

    job: Job
    image: bytes
    cycles: int
    console: str

    def at(self, address: int, size: int) -> bytes:
        return self.image[address - RAM : address - RAM + size]


def _failure(job: Job, console: str) -> SimulationError:
    what = f" in {STEPS[job.step]}" if 0 < job.step < len(STEPS) else ""
    return SimulationError(f"the firmware failed{what}: {console.strip() or 'it printed nothing'}")


def prepare(elf: Path, memory: Memory, place: Path) -> bytes:
    """RAM after the firmware's first phase: it makes what a device has long before it encrypts. SimulationError."""
    content, log, image = place / "content", place / "log", place / "prepared"
    content.write_bytes(memory.content())
    log.touch()
    machine = ["-machine", "virt", "-m", f"{memory.size // (1 << 20) + 16}M", "-bios", "none", "-display", "none"]
    loads = ["-kernel", elf, "-device", f"loader,file={content},addr={PLACE:#x},force-raw=on"]
    command = [EMULATOR, *machine, *loads, "-serial", f"file:{log}", "-qmp", "stdio"]
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
                    f"{EMULATOR} did not end the preparation: {process.communicate()[1].strip()[:500]}"
                )
            time.sleep(0.02)
        out, _ = process.communicate("\n".join(map(json.dumps, asked)) + "\n")
    console = log.read_text(encoding="utf-8", errors="replace")
    if not image.is_file():
        raise SimulationError(f"{EMULATOR} did not save its memory: {out.strip()[-500:]}")
    found = image.read_bytes()
    if "failed\n" in console:
        raise _failure(job_in(found), console)
    return found


def run(
    program: Path,
    elf: Path,
    memory: Memory,
    *,
    latency: int = 20,
    stall: int = 0,
    limit: int = 1 << 34,
    progress: Cycles | None = None,
) -> Ran:
    """A job on a SoC. latency: of RAM, in cycles; stall: in how many cycles out of 256 its channels pause; limit: of cycles.

    SimulationError: the firmware failed, did not end, or broke a rule of the bus.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        image, out = place / "image", place / "out"
        image.write_bytes(with_phase(prepare(elf, memory, place), RUN))
        options = {"image": image, "out": out, "bytes": memory.size, "address": RAM, "latency": latency}
        options |= {"stall": stall, "limit": limit}
        command = [program, *(f"{key}={value}" for key, value in options.items())]
        with (place / "console").open("w+", encoding="utf-8", errors="replace") as console:
            lines: list[str] = []
            with subprocess.Popen(
                list(map(str, command)), stdout=console, stderr=subprocess.PIPE, text=True
            ) as process:
                assert process.stderr is not None
                for line in process.stderr:
                    if progress and (match := re.fullmatch(r"cycles (\d+)\n", line)):
                        progress(int(match[1]))
                    else:
                        lines.append(line.strip())
            console.seek(0)
            printed = console.read()
        end = re.match(r"end (\d+) (\d+)", lines[0]) if lines else None
        if end is None:
            raise SimulationError(
                f"the SoC did not end: {' '.join(lines) or process.returncode}; it printed: {printed.strip() or 'nothing'}"
            )
        found = out.read_bytes()
    job = job_in(found)
    if int(end[1]) or job.phase != DONE:
        raise _failure(job, printed)
    return Ran(job, found, int(end[2]), printed)
