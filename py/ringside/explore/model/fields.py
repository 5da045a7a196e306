# SPDX-License-Identifier: Apache-2.0
"""Cycles of SPONGE and PACK, the units of a core with fields (hw/fields/README.md): from start to done, of one instruction with the bus for itself.

Constants are those of single instructions on `pqc-4` and variants of it, for one and two rounds a cycle, two and four words, buses of 128 and 256 bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .columns import LINE, Columns, up

WIDTHS = (1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20)  # bits of a field, by rs_field_pkg::Width
RATES = (168, 136, 136, 104, 72)  # bytes of a block, by `hash`
LANE = 8  # bytes
LANES_OF_DIGEST = 4
ROUNDS = 24
LOADD, STORED, HASH, SKIP = 14, 10, 8, 2
DRAW, DRAW_LONG = 2, 4  # around the seed, of 32 or 64 bytes more
ROWS = 4  # words of a row of DRAW
# polynomials of 256 coefficients, by `draw`: of one, and of each one more in a row, for one and for two rounds a cycle; means, where words are rejected
DRAWN = {
    0: (113, 85, 86, 70),  # 12 bits below 3329
    1: (142, 120, 87, 71),  # 23 bits below 8380417
    8: (97, 69, 85, 69),  # binomial, eta = 2
    9: (97, 71, 85, 71),  # eta = 3
    11: (98, 77, 86, 72),  # ExpandS, eta = 2
    12: (103, 76, 91, 75),  # eta = 4
    13: (133, 120, 85, 72),  # masks of 18 bits
    14: (141, 120, 88, 72),  # masks of 20 bits
}
LOADF, STOREF, STOREF_WIDE, STOREF_PART, NORM = 10, 13, 14, 4, 14


class NoTimeError(Exception):
    """An instruction that was never timed."""


def number(words: Iterable[str], field: str) -> int:
    """Of a field that is written as its name and its number, 0 where it is not."""
    return next((int(w[len(field) :]) for w in words if w.startswith(field) and w[len(field) :].isdigit()), 0)


def sponge(name: str, words: frozenset[str], c: Columns) -> Any:
    """HASH, LOADD, STORED, DRAW."""
    beats = LINE // c.bus
    if name == "LOADD":
        return c.latency + LOADD
    if name == "STORED":
        return c.latency + STORED + 2 * beats
    if name == "DRAW":
        return _draw(words, c)
    size, rate, halves = number(words, "bytes"), RATES[number(words, "hash")], number(words, "halves") + 1
    appended = LANES_OF_DIGEST if "append" in words else 0
    beat = LANE * c.field_rounds
    total = size + LANE * appended
    blocks = total // rate + 1
    permutation = ROUNDS // c.field_rounds
    first = np.where(total < rate, up(size + 1 - min(appended, 1), beat) + appended + min(appended, 1), up(rate, beat))
    in_between = np.maximum(permutation, up(rate, beat) + 1)
    digest = LANES_OF_DIGEST * halves
    further = (LANE * digest - 1) // rate * np.maximum(permutation - rate // LANE, 1)
    skipped = SKIP if "skip" in words else 0
    return c.latency + HASH + permutation + first + (blocks - 1) * in_between + digest + further + skipped


def _draw(words: frozenset[str], c: Columns) -> Any:
    kind = number(words, "draw")
    if kind not in DRAWN:
        raise NoTimeError(f"DRAW of kind {kind} has no model of its time")
    one, row, one_of_two, row_of_two = DRAWN[kind]
    two = c.field_rounds == 2
    rows = c.n // ROWS
    several = c.n / 256
    first, further = np.where(two, one_of_two, one), np.where(two, row_of_two, row)
    long = DRAW_LONG if "long_seed" in words else 0
    return (
        np.rint(several * first + number(words, "draws") * several * further).astype(np.int32)
        + rows
        + DRAW
        + LANES_OF_DIGEST
        + long
    )


def pack(name: str, words: frozenset[str], c: Columns) -> Any:
    """LOADF, STOREF, NORM."""
    polys = number(words, "polys") + 1
    rows = c.n // c.field_words
    if name == "NORM":
        return polys * rows + NORM
    if name == "LOADF":
        bits = WIDTHS[number(words, "field_width")]
        return c.latency + LOADF + polys * np.maximum(rows, c.n * bits // 64) + rows
    bits = WIDTHS[number(words, "field_width_out")]
    by_bits = c.n * bits // 64
    part = STOREF_PART if polys * c.n * bits // 8 % LINE else 0
    return (
        c.latency + np.where(by_bits > rows, STOREF_WIDE, STOREF) + rows + polys * np.maximum(rows + 1, by_bits) + part
    )
