# SPDX-License-Identifier: Apache-2.0
"""Figures of streaming engines, against sums that are written out."""

import pytest

from ringside import designs
from ringside.cycles.streaming import Stream, figures, link_bytes, products, utilisation

LANES = 8  # beside it, each with a second multiplier for its twiddles
BUILD = Stream(2, 16, others=2 * LANES)


def test_multipliers() -> None:
    assert Stream(2, 16).multipliers == 48 + 2 + 8
    assert Stream(4, 16).multipliers == 96 + 4 + 16
    assert BUILD.multipliers == 74


def test_products_one_by_one() -> None:
    log_n, limbs = 4, 3
    count = 0
    for limb in range(limbs + 1):
        count += 3 * sum(1 for _ in range(log_n) for _ in range(8))  # butterflies
        count += 2 * 16  # pk u
        count += 2 * 16 * (limb < limbs)  # v / p
    assert products(log_n, limbs) == count


def test_a_frame_of_one_transform_after_the_other() -> None:
    """31 limbs of N = 2^16 at two words per cycle: the engine's own multipliers are busy but for what the special prime needs elsewhere."""
    cycles = 31 * (1 << 16) // 2
    # 48 butterflies and 8 products in each cycle, and what the lanes do of the special prime
    special = 3 * (1 << 15) * 16 + 2 * (1 << 16)
    assert utilisation(BUILD, 16, 31, cycles) == pytest.approx((56 * cycles + special) / (74 * cycles))
    assert round(utilisation(BUILD, 16, 31, cycles), 3) == 0.779
    read, write = link_bytes(BUILD, 16, 31, cycles)
    assert write == 2 * 2 * 8  # two ciphertext words for each of two coefficients per cycle
    assert read == pytest.approx(3 * 2 * 8 * (95 / 93))


def test_figures_of_a_design() -> None:
    """lee2023: 58 multipliers of the stream and 16 lanes."""
    found = figures(designs.load("lee2023"), 13, 6, 24576)
    assert (found.words, found.multipliers) == (2, 74)
    assert found.products == products(13, 6)
    assert found.utilisation == pytest.approx(products(13, 6) / (74 * 24576))
    assert found.written_words == 4  # two polynomials, two words per cycle each
    assert found.read_words == pytest.approx(6 + 2 / 3)  # three, and two of the special prime for six of data
    assert (found.read_bytes, found.written_bytes) == (8 * found.read_words, 32)


def test_figures_at_four_words_per_cycle() -> None:
    """ringside-stream: 116 multipliers of the stream and 32 lanes."""
    found = figures(designs.load("ringside-stream"), 13, 6, 12288)
    assert (found.words, found.multipliers, found.written_bytes) == (4, 148, 64)
