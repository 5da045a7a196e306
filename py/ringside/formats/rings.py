# SPDX-License-Identifier: Apache-2.0
"""How other libraries order residues and slots, given as places in SEAL's order.

Residues: all of them keep a(psi^(2 brv(j) + 1)) at place j, for a root psi of order 2N that each chooses for itself. Another root is an odd power
psi' = psi^k, so that the same evaluations stand elsewhere: at place j of the other library is what SEAL has at brv((k (2 brv(j) + 1) - 1) / 2).
No transform is needed.

Slots: SEAL's slot j is the value at zeta^(3^j), that of Lattigo and OpenFHE the value at zeta^(5^k). 5^k = 3^j or -3^j mod 2N for one j below N/2;
the value at an inverse power is the conjugate.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]


# ---- primes -------------------------------------------------------------------------------------------------------------
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # enough below 2^64 (Sorenson and Webster, 2015)


def is_prime(number: int) -> bool:
    """Miller and Rabin's test; exact below 2^64."""
    if number < 2 or any(number % p == 0 for p in _WITNESSES):
        return number in _WITNESSES
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness in _WITNESSES:
        x = pow(witness, odd, number)
        if x in (1, number - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % number
            if x == number - 1:
                break
        else:
            return False
    return True


def prime_factors(number: int) -> set[int]:
    """The primes that divide it: trial division, then Pollard's rho. At most 2^15 steps or so for what is left of a 60-bit prime less one."""
    found = set()
    for p in (2, *range(3, 1000, 2)):
        while number % p == 0:
            found.add(p)
            number //= p
    parts = [number] if number > 1 else []
    chance = random.Random(number)
    while parts:
        part = parts.pop()
        if is_prime(part):
            found.add(part)
            continue
        divisor = part
        while divisor == part:
            divisor = _rho(part, chance.randrange(1, part))
        parts += [divisor, part // divisor]
    return found


def _rho(number: int, constant: int) -> int:
    slow = fast = 2
    divisor = 1
    while divisor == 1:
        slow = (slow * slow + constant) % number
        fast = (fast * fast + constant) % number
        fast = (fast * fast + constant) % number
        divisor = math.gcd(slow - fast, number)
    return divisor


def primes_below(limit: int, step: int, taken: Sequence[int]) -> Iterator[int]:
    """Primes below `limit` and above `step` that are 1 modulo `step` and not among `taken`, the largest first."""
    candidates = range((limit - 2) // step * step + 1, step, -step)
    return (prime for prime in candidates if prime not in taken and is_prime(prime))


def spare_prime(n: int, taken: Sequence[int], *, small: bool = False) -> int:
    """The largest prime that is 1 mod 2N, has no more bits than the largest of `taken`, and is not among them. small: one that costs little security,
    and is still larger than the noise of a public key.
    """
    bits = max(0 if small else max(modulus.bit_length() for modulus in taken), n.bit_length() + 8)
    return next(primes_below(1 << bits, 2 * n, taken), 2)  # 2: is refused as a modulus


# ---- roots --------------------------------------------------------------------------------------------------------------
def smallest_root(q: int, n: int) -> int:
    """The numerically smallest root of order 2N mod q: SEAL's and OpenFHE's."""
    root = next(r for g in range(2, q) if pow(r := pow(g, (q - 1) // (2 * n), q), n, q) == q - 1)
    square, best, power = root * root % q, root, root
    for _ in range(n):
        best = min(best, power)
        power = power * square % q
    return best


def generator_root(q: int, n: int) -> int:
    """Lattigo's: g^((q - 1) / 2N), g the smallest generator above 2 (ring/subring.go, PrimitiveRoot)."""
    exponents = [(q - 1) // p for p in prime_factors(q - 1)]
    generator = next(g for g in range(3, q) if all(pow(g, exponent, q) != 1 for exponent in exponents))
    return pow(generator, (q - 1) // (2 * n), q)


def _logarithm(value: int, root: int, q: int, n: int) -> int:
    """k with root^k = value, root of order 2N, a power of two: bit by bit (Pohlig and Hellman)."""
    exponent, inverse = 0, pow(root, -1, q)
    for bit in range(n.bit_length()):
        rest = value * pow(inverse, exponent, q) % q
        if pow(rest, (2 * n) >> (bit + 1), q) != 1:
            exponent |= 1 << bit
    return exponent


# ---- orders -------------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=8)
def bit_reversal(n: int) -> Places:
    """brv(j) for j < n."""
    places = np.zeros(n, dtype=np.intp)
    for bit in range(n.bit_length() - 1):
        places |= ((np.arange(n) >> bit) & 1) << (n.bit_length() - 2 - bit)
    return places


def _at_power(n: int, power: int) -> Places:
    """Place in SEAL's order of what a library with the root psi^power keeps at place j."""
    reversal = bit_reversal(n)
    exponents = power * (2 * reversal + 1) % (2 * n)
    return reversal[(exponents - 1) // 2]


@lru_cache(maxsize=128)
def residue_places(q: int, n: int, other_root: Callable[[int, int], int]) -> Places:
    """For each place of the library that takes `other_root(q, n)`: the place of the same evaluation in SEAL's order."""
    power = _logarithm(other_root(q, n), smallest_root(q, n), q, n)
    places = _at_power(n, power)
    places.setflags(write=False)
    return places


@lru_cache(maxsize=8)
def slot_places(n: int) -> tuple[Places, NDArray[np.bool_]]:
    """For each slot in the order of 5^k: SEAL's slot, and whether its value is the conjugate."""
    seal = {}
    power = 1
    for slot in range(n // 2):
        seal[power], seal[2 * n - power] = (slot, False), (slot, True)
        power = 3 * power % (2 * n)
    found = [seal[element] for element in _powers_of_five(n)]
    return np.array([slot for slot, _ in found]), np.array([conjugate for _, conjugate in found])


@lru_cache(maxsize=8)
def integer_slot_places(t: int, n: int, other_root: Callable[[int, int], int]) -> Places:
    """For each slot of a library with integers modulo t: SEAL's slot. Row 0 of a library is at its root's powers 5^k, row 1 at -5^k; SEAL's at 3^j, -3^j."""
    power = _logarithm(other_root(t, n), smallest_root(t, n), t, n)
    seal = np.zeros(2 * n, dtype=np.intp)
    element = 1
    for slot in range(n // 2):
        seal[element], seal[2 * n - element] = slot, slot + n // 2
        element = 3 * element % (2 * n)
    row = np.array([power * element % (2 * n) for element in _powers_of_five(n)])
    places: Places = seal[np.concatenate([row, 2 * n - row])]
    return places


def _powers_of_five(n: int) -> Iterator[int]:
    power = 1
    for _ in range(n // 2):
        yield power
        power = 5 * power % (2 * n)


def rotation_element(steps: int, n: int) -> int:
    """Galois element of a rotation by `steps` slots to the left in the order of 5^k; 0 steps: complex conjugation, 2N - 1."""
    return 2 * n - 1 if steps == 0 else pow(5, steps, 2 * n)
