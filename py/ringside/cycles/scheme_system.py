# SPDX-License-Identifier: Apache-2.0
"""An operation of ML-KEM, ML-DSA or NewHope on a whole simulated SoC (soc/firmware/schemes/calls.c): by the driver on its core, or by the processor alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .. import pqc
from ..designs import Design
from ..errors import DeviceError
from ..executors.on_chip import build_soc, call_arena_bytes
from ..native.library import lib
from ..operations import BLISS, CALLS, KEMS, NEWHOPE, TABLE, find
from ..progress import Progress
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES
from ..sim.verilate import SimulationError
from ..soc import job as numbers
from ..soc.build import SCHEMES
from ..soc.job import STAGES, GivenCall, GivenCalls, MemoryImage, NativeCount
from ..soc.run import run
from .schemes import MESSAGE, SEED
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


@dataclass(frozen=True)
class SchemeCase:
    """A call for the firmware, and the library's outputs."""

    number: int
    set: int
    inputs: Sequence[bytes]
    outputs: Sequence[bytes]

    @property
    def given(self) -> GivenCall:
        return GivenCall(self.inputs, [len(one) for one in self.outputs])


def case(op: str, seeds: bytes, text: bytes, noise: Literal["chacha20", "shake256"] = "shake256") -> SchemeCase:
    """One of OPERATIONS, or of `ringside soc profile`. seeds: 96 bytes; noise: of NewHope."""
    row = TABLE[op]
    number = getattr(numbers, f"{row.scheme.rpartition('-')[0].replace('-', '') or row.scheme}_{row.what}".upper())
    seed, more = seeds[:64], seeds[64:96]
    if row.scheme in KEMS:
        kem = pqc.MLKEM(row.scheme)
        ek, dk = kem.keygen(seed)
        shared, ct = kem.encaps(ek, more)
        of_kem = {"keygen": ([seed], [ek, dk]), "encaps": ([ek, more], [ct, shared]), "decaps": ([dk, ct], [shared])}
        return SchemeCase(number, kem._set, *of_kem[row.what])
    if row.scheme == NEWHOPE:
        hope = pqc.NewHope(research=True, noise=noise)
        halves = [seed[:32], seed[32:]]
        message, secret = hope.server((seed[:32], seed[32:]))
        answer, shared = hope.client(message, more)
        of_hope = {
            "begin": (halves, [message, secret]),
            "client": ([message, more], [answer, shared]),
            "finish": ([answer, secret], [shared]),
            "server": ([*halves, answer], [message, secret, shared]),
        }
        return SchemeCase(number, int(lib.RS_NEWHOPE_PARSE_USENIX), *of_hope[row.what])
    if row.scheme == BLISS:
        bliss = pqc.Bliss(research=True)
        pk, sk = bliss.keygen(seed)
        drawn, of_set = seeds[32:96], 0
        signature = bliss.sign(sk, text, drawn)
    else:
        dsa = pqc.MLDSA(row.scheme)
        pk, sk = dsa.keygen(seed[:32])
        drawn, of_set = bytes(32), dsa._set
        signature = dsa.sign(sk, text, deterministic=True)
    of_signature = {
        "keygen": ([seed[:32]], [pk, sk]),
        "sign": ([sk, text, drawn], [signature]),
        "verify": ([pk, text, signature], []),
    }
    return SchemeCase(number, of_set, *of_signature[row.what])


def _count(found: NativeCount) -> Count:
    return Count(int(found.cycles), int(found.instructions))


def check(design: Design | None, op: str) -> None:
    """ParameterError: no such operation. DeviceError: the design has no fields."""
    find(op, OPERATIONS)
    if design is not None and not design.fields:
        raise DeviceError(
            "DESIGN", f"{design.name} cannot compute {op}.", "Take a design with [fields], such as pqc-4."
        )


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
    asked = case(op, SEED + SEED[:32], MESSAGE)
    program, firmware = build_soc(design)
    given = GivenCalls(asked.number, asked.set, [asked.given] * frames, on_core=design is not None)
    try:
        memory = MemoryImage(given, call_arena_bytes())
        ran = run(program, firmware.with_name(SCHEMES), memory, latency=latency, limit=limit, progress=progress)
    except SimulationError as error:
        raise DeviceError("SIMULATION", f"The simulation of the SoC failed: {error}") from error
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
        bit_exact=last.answer == 0 and ran.outputs(last) == list(asked.outputs),
    )
