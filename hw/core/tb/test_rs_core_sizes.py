# SPDX-License-Identifier: Apache-2.0
"""Encode and decode on whole cores of every size: lanes 1 to 32, words of 24 to 64 bits, N up to 2^15; results bit by bit."""

from __future__ import annotations

import random

import numpy as np
import pytest
from reference_core import COMPLEX, COUNT, FORMATS, SHIFT, Modulus, Numbers, Reference, primes, roots_image
from test_rs_core import BASE, Dut, design

from ringside.sim.asm import assemble

LOG_N_MAX = 15
SIZE = 1 << 22
MESSAGE, VALUES = 2, 3  # pointer registers
BUS_BITS = {1: 64, 2: 64, 4: 128, 8: 256, 16: 512, 32: 512}  # 128 at least for words above 32 bits: a chunk has two


def shape(lanes, width):
    """The least that encodes and decodes."""
    log_n_min = max(8, lanes.bit_length() + 3)
    plain = {"expand": False, "log_n_min": log_n_min, "log_n_max": LOG_N_MAX, "program_depth": 32, "encode": True}
    shared = {"keccak": "shared", "keccak_cores": 1, "sample_lanes": 1}
    bus_bits = max(BUS_BITS[lanes], 128 if width > 32 else 64)
    return design(lanes, width, "stored", groups=4, contexts=2, slots=1, bus_bits=bus_bits, **plain, **shared)


def check(dut, seed):
    """A message of random numbers encoded, masked by an error and a product, and stored; public residues decoded and stored."""
    rng, numpy_rng = random.Random(seed), np.random.default_rng(seed)
    log_n, width, n = dut.log_n, dut.design.word_bits, 1 << dut.log_n
    bits = min(width - 2, 60)
    modulus = Modulus(log_n, primes(log_n, bits, 1)[0], 1, 1)
    wide = width > 32
    kind = "<u8" if wide else "<u4"
    dut.next = 0
    reference = Reference(dut.design, log_n, dut.memory, seed=rng.randbytes(64))

    def residues():
        values = numpy_rng.integers(0, modulus.q, n, np.uint64, endpoint=False)
        return dut.place(values.astype(kind).tobytes())

    def numbers(form, parts, shift, count):
        return form | parts - 1 << COMPLEX | (shift & 255) << SHIFT | count - 1 << COUNT

    context = dut.place(modulus.bytes(dut.design))
    reference.moduli[context] = modulus
    roots = dut.place(roots_image(dut.design, log_n, *(rng.getrandbits(width - 1) | 1 << width - 1 for _ in range(2))))
    key, data = residues(), residues()
    form, parts = rng.randrange(len(FORMATS)), rng.randint(1, 2)
    limits = np.iinfo(FORMATS[form])
    count = rng.choice((n // 2, rng.randint(1, n // 2)))
    # pairs stay in the unit disc
    message = numpy_rng.integers(limits.min, limits.max, count * parts, limits.dtype, endpoint=True)
    given = numbers(form, parts, width - 2 - limits.bits, count)
    taken = numbers(5, rng.randint(1, 2), rng.choice((0, -3)), n // 2)
    reference.pointers = {MESSAGE: dut.place(message.tobytes()), VALUES: 0}
    out, values = dut.place(bytes((8 if wide else 4) * n)), dut.place(b"\xff" * Numbers(taken).bytes)
    reference.pointers[VALUES] = values
    # sums of FFT grow with the root of N
    down = width - bits - log_n // 2 - 5
    whole = down - log_n // 2 - 1  # the shift of residues that are not centred: with N
    program = [
        ("CONTEXT", {"dst": 0, "address": context}, f"CONTEXT ctx0 [p0 + {context:#x}]"),
        ("ROOTS", {"dst": 1, "address": roots}, f"ROOTS ctx1 [p0 + {roots:#x}]"),
        ("LOADS", {"dst": 0, "pointer": MESSAGE, "numbers": given}, f"LOADS g0 p{MESSAGE} {given}"),
        ("IFFT", {"dst": 0, "ctx": 1}, "IFFT g0 ctx1"),
        ("SAMPLE", {"dst": 0, "domain": 2}, "SAMPLE s0 2"),
        ("LIFTW", {"dst": 1, "a": 0, "b": 0, "shift": bits - width & 255}, f"LIFTW g1 s0 g0 ctx0 {bits - width & 255}"),
        ("LOAD", {"dst": 2, "address": key, "wide": wide}, f"LOAD g2 ctx0 [p0 + {key:#x}] secret"),
        ("LOAD", {"dst": 3, "address": data, "wide": wide}, f"LOAD g3 ctx0 [p0 + {data:#x}]"),
        ("MUL", {"dst": 2, "a": 2, "b": 3}, "MUL g2 g2 g3 ctx0"),
        ("ADD", {"dst": 1, "a": 2}, "ADD g1 g2 ctx0"),
        ("STORE", {"a": 1, "address": out, "wide": wide}, f"STORE g1 [p0 + {out:#x}]"),
        ("CENTRE", {"dst": 0, "a": 3, "shift": down & 255}, f"CENTRE g0 g3 ctx0 {down & 255}"),
        ("SCALEW", {"dst": 0, "a": 0, "ctx": 1}, "SCALEW g0 g0 ctx1"),
        ("CENTRE", {"dst": 1, "a": 3, "shift": whole & 255, "whole": True}, f"CENTRE g1 g3 ctx0 {whole & 255} whole"),
        ("MACW", {"dst": 0, "a": 1, "ctx": 1}, "MACW g0 g1 ctx1"),
        ("FFT", {"dst": 0, "ctx": 1}, "FFT g0 ctx1"),
        ("STORES", {"a": 0, "pointer": VALUES, "numbers": taken}, f"STORES g0 p{VALUES} {taken}"),
    ]
    text = [line + " wide" * (wide and line.split()[0] in ("LOAD", "STORE")) for *_, line in program]
    before = bytes(dut.memory)
    for name, operands, _ in program:
        reference.run(name, **operands)
    after, dut.memory = dut.memory, bytearray(before)
    pointers = (BASE, 0, BASE + reference.pointers[MESSAGE], BASE + values)
    cause, pc, _ = dut.run(assemble("\n".join([*text, "END"])), pointers=pointers, seed=reference.seed)
    assert cause == "NONE", f"{cause} at {pc}"
    assert any(after[out : out + 4 * n])
    assert any(after[values : values + 4 * n])
    assert np.array_equal(np.frombuffer(bytes(after), np.uint8), dut.core.memory)


@pytest.mark.soak
@pytest.mark.parametrize("width", [24, 32, 54, 64])
@pytest.mark.parametrize("lanes", BUS_BITS)
def test_every_size(lanes, width):
    wanted = shape(lanes, width)
    for log_n in range(wanted.log_n_min, LOG_N_MAX + 1):
        with Dut(wanted, log_n, size=SIZE, latency=3) as dut:
            check(dut, seed=100 * lanes + log_n)
