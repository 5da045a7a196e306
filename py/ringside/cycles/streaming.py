# SPDX-License-Identifier: Apache-2.0
"""How much of a streaming engine works, and what its links carry, from the cycles that a frame takes."""

from __future__ import annotations

from dataclasses import dataclass

from ..designs import Design

ENGINES = 3  # transforms in lock step (hw/stream/README.md, "Unit")


@dataclass(frozen=True)
class Stream:
    """A build: words per cycle, the longest transform, bytes of a residue in memory, and modular multipliers of what stands beside it."""

    words: int
    log_n_max: int
    word_bytes: int = 8
    others: int = 0

    @property
    def multipliers(self) -> int:
        """Butterflies of all stages, the generator of twiddles, products before and behind the transforms."""
        butterflies = ENGINES * self.log_n_max * self.words // 2
        return butterflies + self.words + 4 * self.words + self.others


def products(log_n: int, limbs: int) -> int:
    """Products of a public-key encryption with special prime, `limbs` without that prime: 3 transforms of each limb and 3 of the special prime, pk u of all
    limbs, v / p of the data limbs. Twiddles are not counted: a table would have them."""
    n = 1 << log_n
    transforms = 3 * (limbs + 1) * (n // 2) * log_n
    return transforms + (4 * limbs + 2) * n


def utilisation(build: Stream, log_n: int, limbs: int, cycles: float) -> float:
    """The share of multipliers and cycles that such products fill. cycles: of a frame, measured."""
    return products(log_n, limbs) / (build.multipliers * cycles)


def link_bytes(build: Stream, log_n: int, limbs: int, cycles: float) -> tuple[float, float]:
    """Read and written per cycle: messages and public keys, those of the special prime too; ciphertexts."""
    polynomial = build.word_bytes << log_n
    return (3 * limbs + 2) * polynomial / cycles, 2 * limbs * polynomial / cycles


@dataclass(frozen=True)
class StreamFigures:
    """Figures of a design's streaming unit and lanes, while frame follows frame.

    words: per cycle of each polynomial. utilisation: products / (multipliers x cycles of a frame). read, written: over the link to memory, in each
    cycle.
    """

    words: int
    multipliers: int
    products: int
    utilisation: float
    read_words: float
    written_words: float
    read_bytes: float
    written_bytes: float


def figures(design: Design, log_n: int, limbs: int, cycles: float) -> StreamFigures:
    """cycles: of a frame, measured. Lanes that make their twiddles have a second multiplier each."""
    per_lane = 2 if design.twiddles == "on_the_fly" else 1
    build = Stream(design.stream_lanes, design.log_n_max, others=per_lane * design.lanes)
    read, written = link_bytes(build, log_n, limbs, cycles)
    return StreamFigures(
        words=build.words,
        multipliers=build.multipliers,
        products=products(log_n, limbs),
        utilisation=utilisation(build, log_n, limbs, cycles),
        read_words=read / build.word_bytes,
        written_words=written / build.word_bytes,
        read_bytes=read,
        written_bytes=written,
    )
