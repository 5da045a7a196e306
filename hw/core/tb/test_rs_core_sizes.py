# SPDX-License-Identifier: Apache-2.0
"""Encode and decode on whole cores of every size: lanes 1 to 32, words of 24 to 64 bits, N up to 2^15; results bit by bit."""

import random

import numpy as np
import pytest
from core_model import FORMATS, Modulus, lines_of, numbers, primes, roots_image
from test_rs_core import BASE, Dut, Twin, design

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


def check(dut, twin, seed):
    """A message of random numbers encoded, masked by an error and a product, and stored; public residues decoded and stored."""
    rng, numpy_rng = random.Random(seed), np.random.default_rng(seed)
    log_n, width, n = dut.log_n, dut.design.word_bits, 1 << dut.log_n
    bits = min(width - 2, 60)
    modulus = Modulus(log_n, primes(log_n, bits, 1)[0], 1, 1)
    wide = width > 32
    kind = "<u8" if wide else "<u4"
    dut.next = 0

    def residues():
        values = numpy_rng.integers(0, modulus.q, n, np.uint64, endpoint=False)
        return dut.place(values.astype(kind).tobytes())

    context = dut.place(modulus.bytes(dut.design))
    roots = dut.place(roots_image(dut.design, log_n, *(rng.getrandbits(width - 1) | 1 << width - 1 for _ in range(2))))
    key, data = residues(), residues()
    form, parts = rng.randrange(len(FORMATS)), rng.randint(1, 2)
    limits = np.iinfo(FORMATS[form])
    count = rng.choice((n // 2, rng.randint(1, n // 2)))
    # pairs stay in the unit disc
    message = numpy_rng.integers(limits.min, limits.max, count * parts, limits.dtype, endpoint=True)
    given = numbers(form, width - 2 - limits.bits, count, parts)
    taken = numbers(5, rng.choice((0, -3)), n // 2, rng.randint(1, 2))
    place = dut.place(message.tobytes())
    out, values = dut.place(bytes((8 if wide else 4) * n)), dut.place(b"\xff" * lines_of(taken))
    # sums of FFT grow with the root of N
    down = width - bits - log_n // 2 - 5
    whole = down - log_n // 2 - 1  # the shift of residues that are not centred: with N
    program = [
        f"CONTEXT ctx0 [p0 + {context:#x}]",
        f"ROOTS ctx1 [p0 + {roots:#x}]",
        f"LOADS g0 p{MESSAGE} {given}",
        "IFFT g0 ctx1",
        "SAMPLE s0 2",
        f"LIFTW g1 s0 g0 ctx0 {bits - width & 255}",
        f"LOAD g2 ctx0 [p0 + {key:#x}] secret",
        f"LOAD g3 ctx0 [p0 + {data:#x}]",
        "MUL g2 g2 g3 ctx0",
        "ADD g1 g2 ctx0",
        f"STORE g1 [p0 + {out:#x}]",
        f"CENTRE g0 g3 ctx0 {down & 255}",
        "SCALEW g0 g0 ctx1",
        f"CENTRE g1 g3 ctx0 {whole & 255} whole",
        "MACW g0 g1 ctx1",
        "FFT g0 ctx1",
        f"STORES g0 p{VALUES} {taken}",
    ]
    program = [line + " wide" * (wide and line.split()[0] in ("LOAD", "STORE")) for line in program]
    words = assemble("\n".join([*program, "END"]))
    registers = {"pointers": (BASE, 0, BASE + place, BASE + values), "seed": rng.randbytes(64)}
    cause, pc, _ = dut.run(words, **registers)
    assert cause == "NONE", f"{cause} at {pc}"
    assert twin.run(words, **registers)[:2] == (cause, pc)
    assert not twin.core.misuse
    after = dut.core.memory
    assert after[out : out + 4 * n].any()
    assert after[values : values + 4 * n].any()
    assert np.array_equal(after, twin.core.memory)


@pytest.mark.soak
@pytest.mark.parametrize("width", [24, 32, 54, 64])
@pytest.mark.parametrize("lanes", BUS_BITS)
def test_every_size(lanes, width, port):
    wanted = shape(lanes, width)
    for log_n in range(wanted.log_n_min, LOG_N_MAX + 1):
        with Dut(wanted, log_n, size=SIZE, latency=3) as dut, Twin(port, dut) as twin:
            check(dut, twin, seed=100 * lanes + log_n)
