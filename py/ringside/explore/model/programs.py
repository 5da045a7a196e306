# SPDX-License-Identifier: Apache-2.0
"""The texts of the programs that the driver runs on designs. Many designs have the same one: what is not in a design's registers cannot change it."""

from __future__ import annotations

from functools import lru_cache

from ...cycles.operation import compute, parameters, takes_batches
from ...designs import Design
from ...errors import DeviceError, ParameterError
from ...executors.silent import SilentCore
from ...objects.ckks.context import Context
from ...objects.common.params import Parameters
from ...sim.asm import disassemble
from ...sim.program import OPERATIONS
from ..space.reader import Workload

# fields that the registers of a design tell the driver (sim.program.native_design); of some, only whether they are 0
REGISTERS = ("lanes", "word_bits", "reduction", "log_n_min", "log_n_max", "bank_groups", "contexts", "slots", "bus_bits", "expand", "stream_factor", "encode", "slices", "stream_lanes", "twiddles", "program_depth", "keccak_cores", "reducers")  # fmt: skip


def given(workload: Workload) -> Parameters:
    """ParameterError: there are no such moduli."""
    if workload.moduli:
        return Parameters.from_moduli(workload.n, workload.moduli, security=0)
    return parameters(workload.op, workload.n, workload.limbs, workload.bits)


@lru_cache(maxsize=8)
def _context(workload: Workload) -> tuple[Parameters, Context]:
    params = given(workload)
    return params, Context(params)


@lru_cache(maxsize=4096)
def _interned(words: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(disassemble(word) for word in words)


def text_of(design: Design, workload: Workload) -> tuple[str, ...]:
    """The last program of the operation: all of its frames, where the design takes several in one. DeviceError: it cannot do it; ParameterError."""
    op = workload.op
    if op.startswith(("encode-", "decrypt-decode")) and not design.encode:
        raise DeviceError("DESIGN", f"{design.name} does not encode.")
    if op not in OPERATIONS:
        raise ParameterError("OP", f"There is no operation {op!r}.")
    params, context = _context(workload)
    device = SilentCore(design, params._native)
    at_once = workload.frames > 1 and takes_batches(design, op)
    try:
        for _ in compute(context, op, workload.limbs, device, workload.frames if at_once else 1, at_once=at_once):
            pass
        return _interned(tuple(device.program))
    finally:
        device.close()


def frames_in(design: Design, workload: Workload) -> int:
    """How many frames that program is of."""
    return workload.frames if workload.frames > 1 and takes_batches(design, workload.op) else 1
