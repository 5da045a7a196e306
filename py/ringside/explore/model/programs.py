# SPDX-License-Identifier: Apache-2.0
"""The programs that the driver runs on designs. Many designs have the same one: what is not in a design's registers cannot change it."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...cycles import rings, schemes, slices
from ...cycles.operation import compute, of_scheme, parameters, takes_batches
from ...designs import Design
from ...devices.silent import SilentCore
from ...errors import DeviceError
from ...objects.common.params import Parameters
from ...objects.keydir import AnyContext, context_for
from ...operations import CLIENT, KECCAK, RING, TABLE, find
from ...sim.asm import assemble
from ..space.reader import Workload

# fields that the registers of a design tell the driver (sim.program.native_design); of some, only whether they are 0
REGISTERS = ("lanes", "word_bits", "log_n_min", "log_n_max", "bank_groups", "contexts", "slots", "bus_bits", "expand", "stream_factor", "encode", "slices", "stream_lanes", "twiddles", "program_depth", "keccak_cores", "reducers", "fields")  # fmt: skip

ProgramPart = tuple[bytes, float]  # a program's words, and how often its cycles count


def given(workload: Workload) -> Parameters:
    """ParameterError: there are no such moduli."""
    if workload.moduli:
        return Parameters.from_moduli(workload.n, workload.moduli, security=0, **of_scheme(workload.op))
    return parameters(workload.op, workload.n, workload.limbs, workload.bits)


@lru_cache(maxsize=8)
def _context(workload: Workload) -> tuple[Parameters, AnyContext]:
    params = given(workload)
    return params, context_for(params)


def _bytes(words: Sequence[int]) -> bytes:
    return np.array(words, np.uint64).tobytes()


def programs_of(design: Design, workload: Workload) -> tuple[ProgramPart, ...]:
    """All programs of the operation, each with its share. DeviceError: the design cannot do it; ParameterError."""
    if find(workload.op).scheme not in (*CLIENT, RING):
        return _scheme(design, workload.op)
    if workload.op in rings.PROGRAMS:
        rings.check_design(design, workload.op)
        texts = [rings.text_of(program, design, 0) for program in rings.PROGRAMS[workload.op]]
        return tuple((_bytes(assemble(text)), 1.0) for text in texts)
    if workload.slices:
        slices.check(design, workload.log_n, workload.slices)
        slices.ring_of(design, workload.log_n)
        text = slices.program_text(design, workload.op, workload.log_n, workload.slices, 0)
        return ((_bytes(assemble(text)), 1.0),)
    return ((program_of(design, workload), 1.0),)


def _scheme(design: Design, op: str) -> tuple[ProgramPart, ...]:
    """Of a signature one round, as `ringside cycles` counts; of Keccak a permutation, from two messages."""
    schemes.check(design, op)
    if TABLE[op].scheme == KECCAK:
        texts = [assemble(schemes.hash_text(schemes.RATE * blocks - 1)) for blocks in (1, schemes.BLOCKS)]
        share = 1 / (schemes.BLOCKS - 1)
        return tuple((_bytes(text), sign * share) for text, sign in zip(texts, (-1, 1), strict=True))
    found = _scheme_programs(design, op)
    if op.endswith("-sign"):
        found = found[schemes.SIGN_SET_UP : schemes.SIGN_SET_UP + schemes.ROUND_PROGRAMS]
    if op.endswith(
        "-verify"
    ):  # the program that asks for a challenge runs once more where it was too late, as on a core that computes nothing
        found = [words for words, last in zip(found, [(), *found], strict=False) if words != last]
    return tuple((_bytes(words), 1.0) for words in found)


def _scheme_programs(design: Design, op: str) -> list[tuple[int, ...]]:
    with SilentCore(design) as device:
        return schemes.silent_programs(device, op)


def program_of(design: Design, workload: Workload) -> bytes:
    """The last program of an operation of a context: all of its frames, where the design takes several in one. DeviceError, ParameterError: as above."""
    op = workload.op
    if op.startswith(("encode-", "decrypt-decode")) and not design.encode:
        raise DeviceError("DESIGN", f"{design.name} does not encode.")
    params, context = _context(workload)
    at_once = workload.frames > 1 and takes_batches(design, op)
    with SilentCore(design, params._native) as device:
        for _ in compute(context, op, workload.limbs, device, workload.frames if at_once else 1, at_once=at_once):
            pass
        return _bytes(device.program)


def frames_in(design: Design, workload: Workload) -> int:
    """How many frames that program is of."""
    return workload.frames if workload.frames > 1 and takes_batches(design, workload.op) else 1
