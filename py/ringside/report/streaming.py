# SPDX-License-Identifier: Apache-2.0
"""How much of a streaming engine works, and what its links carry, from the cycles that a frame takes."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Of a public-key encryption with special prime, `limbs` without that prime: 3 transforms of each limb and 3 of the special prime, pk u of all
    limbs, v / p of the data limbs. Twiddles are not counted: a table would have them."""
    n = 1 << log_n
    transforms = 3 * (limbs + 1) * (n // 2) * log_n
    return transforms + (4 * limbs + 2) * n


def utilisation(build: Stream, log_n: int, limbs: int, cycles: int) -> float:
    """The share of multipliers and cycles that such products fill. cycles: of a frame, measured."""
    return products(log_n, limbs) / (build.multipliers * cycles)


def link_bytes(build: Stream, log_n: int, limbs: int, cycles: int) -> tuple[float, float]:
    """Read and written per cycle: messages and public keys, those of the special prime too; ciphertexts."""
    polynomial = build.word_bytes << log_n
    return (3 * limbs + 2) * polynomial / cycles, 2 * limbs * polynomial / cycles
