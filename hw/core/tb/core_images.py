# SPDX-License-Identifier: Apache-2.0
"""What programs of the core read in memory: contexts of moduli and of roots, numbers of slots (docs/core.md)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from compute_bench import fixed_of, root_image

from ringside.cycles.slices import context_image
from ringside.designs import Design
from ringside.sim.program import native_design

FORMATS = ("<i1", "<u1", "<i2", "<u2", "<i4", "<i8")  # formats of numbers in memory
COMPLEX, SHIFT, COUNT = 3, 4, 12  # bits of the field that describe them


def radix(design: Design) -> int:
    """R of word-level Montgomery (hw/README.md)."""
    return 1 << 11 * -(-design.word_bits // 11)


def primes(log_n: int, bits: int, count: int) -> list[int]:
    """The largest of `bits` bits that are 1 mod 2N and mod 2^11."""
    step, found = max(2 << log_n, 1 << 11), []
    q = (1 << bits) - step + 1 & ~(step - 1) | 1
    while len(found) < count:
        if all(pow(a, q - 1, q) == 1 for a in (2, 3, 5, 7, 11, 13)):
            found.append(q)
        q -= step
    return found


@dataclass
class Modulus:
    """A context. psi: a root of order 2N; 0: the smallest one."""

    log_n: int
    q: int
    factor: int
    constant: int
    psi: int = 0

    def bytes(self, design: Design) -> bytes:
        return context_image(native_design(design), self.log_n, self.q, self.psi, self.constant, self.factor)


def roots_image(design: Design, log_n: int, factor: int = 0, added: int = 0) -> bytes:
    """A context of roots, and of the factors of SCALEW and MACW."""
    words = root_image(log_n, design.lanes, fixed_of(log_n, design.word_bits).roots)
    data = struct.pack("<8Q", 1, *[0] * 5, added, factor)
    data += np.array(words, np.uint64).astype(f"<u{4 if design.word_bits <= 32 else 8}").tobytes()
    return data + bytes(-len(data) % 64)


def numbers(form: int, shift: int, count: int, parts: int = 1) -> int:
    """The field of LOADS and STORES."""
    return form | parts - 1 << COMPLEX | (shift & 255) << SHIFT | count - 1 << COUNT


def lines_of(field: int) -> int:
    """Bytes that such numbers fill, whole lines."""
    return -(-((field >> COUNT) + 1) * (1 + (field >> COMPLEX & 1)) * int(FORMATS[field & 7][2]) // 64) * 64
