# SPDX-License-Identifier: Apache-2.0
"""How long a job takes, and how long it may take before the simulation takes it for lost.

What a frame costs grows with N times its residues. Measured at RAM's usual latency (docs/soc.md): software takes up to 760 cycles of each coefficient
and residue (encrypt-pk, N = 4096), a design that leaves sampling to the processor 1,060, one with samplers up to 250 with the encoding, the core
itself up to 35 (race). Setting up costs less than a frame does.
"""

from __future__ import annotations

from ..native.library import lib
from ..sim.options import CHIP_LATENCY_CYCLES
from .job import DECRYPT, DESIGN, Given, GivenCalls

MARGIN = 4
SOFTWARE_CYCLES, DRIVER_CYCLES, CORE_CYCLES = 1000, 250, 50  # cycles for each coefficient and residue, at most
SAMPLER = 1  # RS_FEATURE_SAMPLER
FRAMES_OF_A_PROGRAM = 8  # RS_FRAMES_ENCODE
FIXED_CYCLES = 1_000_000  # start, program, and the end, which writes the cache back
# a scheme's call, at most: a signature of many rounds; by a core with the set-up
CALL_CYCLES, CORE_CALL_CYCLES = 80_000_000, 20_000_000


def _scaled(cycles: int, latency: int, stall: int) -> int:
    """Cycles as if all of the time were RAM's, in which its channels pause in `stall` cycles of 256."""
    return MARGIN * cycles * max(latency, CHIP_LATENCY_CYCLES) * 256 // (CHIP_LATENCY_CYCLES * (256 - stall))


def _words(given: Given) -> int:
    """Coefficients times residues; one more for those of the message."""
    return (1 + len(given.moduli)) << given.log_n


def core_limit(given: Given, latency: int, stall: int) -> int:
    """Cycles of a program of the core, after which the driver takes it for hung."""
    frames = given.overlap if given.layout else 1
    return _scaled(max(1, frames) * _words(given) * CORE_CYCLES, latency, stall)


def job_limit(given: Given | GivenCalls, latency: int, stall: int) -> int:
    """Cycles of a whole job."""
    if isinstance(given, GivenCalls):
        each = CORE_CALL_CYCLES if given.on_core else CALL_CYCLES
        return (len(given.calls) + 1) * each * max(1, latency // CHIP_LATENCY_CYCLES)
    samples = given.design and (given.op == DECRYPT or given.design[DESIGN.index("features")] & SAMPLER)
    each = DRIVER_CYCLES if samples else SOFTWARE_CYCLES
    return _scaled(FIXED_CYCLES + (len(given.frames) + 1) * _words(given) * each, latency, stall)


# ---- about how long ---------------------------------------------------------------------------------------------------
# Fitted to 138 runs (`ringside figures list --only "soc run"` shows some), most of which they meet within a third.
START, START_DEVICE = 280_000, 450_000  # cycles of any run
# cycles of each coefficient and residue: by software, else 540; through one lane of a core, else 90; sampled by the processor, else 290
SOFTWARE: dict[int, int] = {DECRYPT: 200}
CORE: dict[int, int] = {lib.RS_ENCRYPT_SK: 60}
SAMPLING: dict[int, int] = {DECRYPT: 0, lib.RS_ENCRYPT_SK: 450}
# made once: tables, keys and program; the program alone; for each step of a transform (N log N), roots of a core that encodes
TABLES, OPENED, ROOTS = 75, 25, 90
CALL_SET_UP, CALL = 700_000, 20_000  # a scheme's set-up and call by a core
# cycles of each step of a transform, by the processor; decoding for each residue too
ENCODE, DECODE = 12, 10


def expected(given: Given | GivenCalls, latency: int) -> int:
    """About how many cycles a whole job takes."""
    if isinstance(given, GivenCalls):
        count = len(given.calls)
        return CALL_SET_UP + count * CALL if given.on_core else START + count * given.cycles
    limbs = max((frame.limbs for frame in given.frames), default=1)
    limbs += int(given.op == lib.RS_ENCRYPT_PK)  # the special prime
    step, words = given.log_n << given.log_n, (1 + limbs) << given.log_n
    if not given.design:
        once, each = START, SOFTWARE.get(given.op, 540) * words
    else:
        design = dict(zip(DESIGN, given.design, strict=True))
        once = START_DEVICE + (OPENED if given.opened else TABLES) * words + (ROOTS * step if given.layout else 0)
        each = CORE.get(given.op, 90) * words // design["lanes"]
        each += 0 if design["features"] & SAMPLER else SAMPLING.get(given.op, 290) * words
        if not given.layout:
            each += step * (DECODE * (limbs + 1) if given.op == DECRYPT else ENCODE)
    # a core waits for RAM more than a processor with caches does: 37 % at 100 cycles
    return int(once + len(given.frames) * each) * (220 + max(0, latency - CHIP_LATENCY_CYCLES)) // 220
