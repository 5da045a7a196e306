# SPDX-License-Identifier: Apache-2.0
"""Words of 64 bits that a reduction modulo q finds hard."""

import random


def words(q, count):
    """About multiples of q, the largest ones too, ones whose digits of 17 bits are all ones, random ones."""
    top = 2**64 // q
    for _ in range(count):
        multiple = random.choice((top, random.randrange(top + 1))) * q
        bits = random.choice((17, 34, 51, 64))
        yield random.choice(
            (
                min(max(multiple + random.randrange(-2, 3), 0), 2**64 - 1),
                random.getrandbits(64) | ((1 << bits) - 1),
                random.getrandbits(64),
                2**64 - 1,
            )
        )
