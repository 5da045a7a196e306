# SPDX-License-Identifier: Apache-2.0
"""How long a job may take before the simulation takes it for lost.

What a frame costs grows with N times its residues. Measured at RAM's usual latency (docs/soc.md): software takes up to 760 cycles of each coefficient
and residue (encrypt-pk, N = 4096), a design that leaves sampling to the processor 1,060, one with samplers up to 250 with the encoding, the core
itself up to 35 (race). Setting up costs less than a frame does.
"""

from __future__ import annotations

from ..sim.options import CHIP_LATENCY_CYCLES
from .job import DECRYPT, DESIGN, Given

MARGIN = 4
SOFTWARE_CYCLES, DRIVER_CYCLES, CORE_CYCLES = 1000, 250, 50  # of each coefficient and residue, at most
SAMPLER = 1  # RS_FEATURE_SAMPLER
FRAMES_OF_A_PROGRAM = 8  # RS_FRAMES_ENCODE
FIXED_CYCLES = 1_000_000  # start, program, and the end, which writes the cache back


def _scaled(cycles: int, latency: int, stall: int) -> int:
    """As if all of the time were RAM's, in which its channels pause in `stall` cycles of 256."""
    return MARGIN * cycles * max(latency, CHIP_LATENCY_CYCLES) * 256 // (CHIP_LATENCY_CYCLES * (256 - stall))


def _words(given: Given) -> int:
    """Coefficients times residues; one more for those of the message."""
    return (1 + len(given.moduli)) << given.log_n


def core_limit(given: Given, latency: int, stall: int) -> int:
    """Cycles of a program of the core, after which the driver takes it for hung."""
    frames = given.overlap if given.layout else 1
    return _scaled(max(1, frames) * _words(given) * CORE_CYCLES, latency, stall)


def job_limit(given: Given, latency: int, stall: int) -> int:
    """Cycles of a whole job."""
    samples = given.design and (given.op == DECRYPT or given.design[DESIGN.index("features")] & SAMPLER)
    each = DRIVER_CYCLES if samples else SOFTWARE_CYCLES
    return _scaled(FIXED_CYCLES + (len(given.frames) + 1) * _words(given) * each, latency, stall)
