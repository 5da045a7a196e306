# SPDX-License-Identifier: Apache-2.0
"""An operation of ML-KEM, ML-DSA or NewHope on a whole simulated SoC (soc/firmware/schemes/calls.c): by the driver on its core, or by the processor alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..designs import Design
from ..devices.on_chip import build_soc, call_arena_bytes
from ..errors import DeviceError
from ..operations import CALLS, TABLE, find
from ..progress import Progress
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES
from ..sim.verilate import reported
from ..soc.build import SCHEMES
from ..soc.job import STAGES, GivenCalls, MemoryImage, NativeCount
from ..soc.run import run
from .known import known
from .system import Count

OPERATIONS = tuple(name for name, row in TABLE.items() if row.on_chip == CALLS)
_STAGES = {"in": "inputs", "wait": "polling", "between": "between programs", "wipe": "core wiped", "out": "results"}


@dataclass(frozen=True)
class SchemeSystem:
    """cycles, instructions: of a call, from its arguments to its results, the sum of its stages. first: of the first call after the set-up; frames: calls, the last one is
    measured. setup: opening the core, constants and programs, once.

    core_cycles: of all programs of the call, from start to end; programs: how many. rounds: of a signature by the core. simulated: all cycles.
    """

    design: str
    op: str
    latency: int
    frames: int
    cycles: int
    instructions: int
    stages: dict[str, Count]
    first: Count
    setup: Count
    core_cycles: int
    programs: int
    rounds: int
    register_accesses: int
    simulated: int
    bit_exact: bool

    def slowed(self, divider: int) -> SchemeSystem:
        """With a core whose clock is the processor's divided by this: each of its cycles counts so many times, the waiting for memory among them, so no core
        at that clock takes longer. setup and first stay those of one clock."""
        if divider == 1 or "core" not in self.stages:
            return self
        slower = (divider - 1) * self.core_cycles
        core = replace(self.stages["core"], cycles=self.stages["core"].cycles + slower)
        return replace(self, cycles=self.cycles + slower, stages={**self.stages, "core": core})


def _count(found: NativeCount) -> Count:
    return Count(int(found.cycles), int(found.instructions))


def check(design: Design | None, op: str) -> None:
    """ParameterError: no such operation. DeviceError: the design has no fields."""
    find(op, OPERATIONS)
    if design is not None and not design.fields:
        message = f"{design.name} cannot compute {op}."
        raise DeviceError("DESIGN", message, "Take a design with [fields], such as pqc-4.")


def measure(
    design: Design | None,
    op: str,
    *,
    frames: int = 1,
    latency: int = CHIP_LATENCY_CYCLES,
    limit: int | None = None,
    progress: Progress | None = None,
) -> SchemeSystem:
    """One of OPERATIONS, so many times. design None: by software. It builds what is not in the cache. ParameterError, DeviceError: as of `check`; the SoC cannot be built, or the run failed."""
    check(design, op)
    wanted = known(TABLE[op])
    program, firmware = build_soc(design, link=SCHEMES)
    given = GivenCalls(wanted.op, wanted.set, [wanted.given] * frames, on_core=design is not None)
    with reported("The simulation of the SoC failed"):
        memory = MemoryImage(given, call_arena_bytes())
        ran = run(program, firmware, memory, latency=latency, limit=limit, progress=progress)
    job, last = ran.job, ran.frames[-1]
    counts = zip(STAGES, job.stages, strict=True)
    stages = {_STAGES.get(name, name): _count(count) for name, count in counts if count.cycles}
    return SchemeSystem(
        design=ALONE if design is None else design.name,
        op=op,
        latency=latency,
        frames=frames,
        cycles=sum(one.cycles for one in stages.values()),
        instructions=sum(one.instructions for one in stages.values()),
        stages=stages,
        first=_count(job.first),
        setup=_count(job.setup),
        core_cycles=int(job.core_cycles),
        programs=int(job.programs),
        rounds=int(job.rounds),
        register_accesses=int(job.accesses),
        simulated=ran.cycles,
        bit_exact=last.answer == 0 and ran.outputs(last) == list(wanted.outputs),
    )
