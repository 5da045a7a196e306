# SPDX-License-Identifier: Apache-2.0
"""A named design's transform: run in RTL simulation, compared with the library, cycles counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._native import lib, words_of
from ..context import Context
from ..designs import Design
from ..errors import DeviceError, ParameterError
from ..params import Parameters
from . import ntt
from .verilate import SimulationError, Words

SEED = 1  # of the data; cycles do not depend on them


@dataclass(frozen=True)
class Measurement:
    """cycles: from the one after the start to that of the last write; bound: N/2 log2 N / lanes; ratio: of the two."""

    design: str
    lanes: int
    op: str
    n: int
    modulus: int
    cycles: int
    bound: int
    ratio: float


def twiddles(context: Context, log_n: int) -> Words:
    """psi^brv(i) modulo the first limb, i = 0 … N-1."""
    modulus, psi = context.params.moduli[0], int(lib.rs_context_root(context._pointer, 0))
    table = np.zeros(1 << log_n, np.uint64)
    power = 1
    for i in range(1 << log_n):
        table[int(f"{i:0{log_n}b}"[::-1], 2)] = power
        power = power * psi % modulus
    return table


def measure(design: Design, op: Literal["ntt", "intt"], n: int, bits: int) -> Measurement:
    """Runs one transform of random data.

    ParameterError: N above the design's or below what its lanes take, or a modulus wider than its words.
    DeviceError: the model cannot be built or run, or its result differs from the library's.
    """
    log_n = n.bit_length() - 1
    if n != 1 << log_n or not design.log_n_min <= log_n <= design.log_n_max:
        limits = f"a power of two from {1 << design.log_n_min} to {1 << design.log_n_max}"
        raise ParameterError("RS_ERR_DEGREE", f"{design.name} takes {limits} as N, got {n}.")
    if bits > design.word_bits:
        raise ParameterError(
            "RS_ERR_MODULUS_RANGE", f"{design.name} has {design.word_bits}-bit words, got {bits} bits."
        )
    context = Context(Parameters.from_bits(n, [bits], security=0))
    modulus = context.params.moduli[0]
    given = np.random.default_rng(SEED).integers(0, modulus, n, np.uint64)
    wanted = given.copy()
    (lib.rs_ntt_forward if op == "ntt" else lib.rs_ntt_inverse)(context._pointer, 0, words_of(wanted))
    try:
        reduction: ntt.Reduction = "wlm" if design.reduction == "wlm" else "barrett"
        engine = ntt.Engine(ntt.Design(design.lanes, design.log_n_max, design.word_bits, reduction))
        try:
            engine.set_modulus(modulus)
            engine.set_twiddles(twiddles(context, log_n))
            engine.load(given, transformed=op == "intt")
            cycles = engine.run(op, log_n)
            got = engine.store(log_n, transformed=op == "ntt")
        finally:
            engine.close()
    except SimulationError as error:
        raise DeviceError("SIMULATION", f"The simulation of {design.name} failed: {error}") from error
    if not np.array_equal(got, wanted):
        raise DeviceError(
            "SIMULATION", f"{design.name} computes another {op} than the library: this is a fault of the RTL."
        )
    bound = ntt.cycle_bound(log_n, design.lanes)
    return Measurement(design.name, design.lanes, op, n, modulus, cycles, bound, cycles / bound)
