# SPDX-License-Identifier: Apache-2.0
"""The words that rs_twiddles loads: hw/ntt/README.md, "Twiddle image"."""

from rs_orders import reverse


def stored_exponents(log_n: int, lanes: int) -> list[int]:
    """Exponents of psi of the table, row by row."""
    address_bits = log_n - 2 - (lanes.bit_length() - 1)
    return [
        4 * lanes * reverse(column, address_bits) + 4 * bank + reverse(t, 2)
        for t in range(4)
        for column in range(1 << address_bits)
        for bank in range(lanes)
    ]


def seed_exponents(log_n: int, lanes: int) -> list[int | None]:
    """Exponents of psi of the image for twiddles on the fly; None is a word 0."""
    n, scalars = 1 << log_n, 48
    exponents: list[int | None] = []
    for sign, offset in ((1, 0), (-1, n)):
        exponents += [offset + sign * (4 * lanes * (m // 2) + 2 * (m % 2)) for m in range(32)]
        exponents += [sign * (n >> m) for m in range(16)]
        exponents += [None] * (-scalars % lanes)
        exponents += [sign * (4 * bank + reverse(t, 2)) for t in range(3) for bank in range(lanes)]
    return exponents


def image(log_n: int, lanes: int, q: int, psi: int, radix: int = 1, on_the_fly: bool = False) -> list[int]:
    """The image of modulus q; radix is what its words are multiplied by."""
    n = 1 << log_n
    powers = [radix % q]
    for _ in range(2 * n - 1):
        powers.append(powers[-1] * psi % q)
    exponents = seed_exponents(log_n, lanes) if on_the_fly else stored_exponents(log_n, lanes)
    return [0 if e is None else powers[e % (2 * n)] for e in exponents]
