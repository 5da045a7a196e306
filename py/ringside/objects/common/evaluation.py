# SPDX-License-Identifier: Apache-2.0
"""Scale, level and special prime: what a server's products and rotations do to a ciphertext, and which scale suits a set.

The only place with these rules. They hold for values of magnitude 1 at most, and describe the libraries as they are run by their
manuals: each product is relinearised and rescaled. SEAL and Lattigo keep the true scale after a rescaling; TenSEAL and OpenFHE (FIXEDMANUAL)
count the dropped prime as the scale itself ("nominal"), so values are off by the quotient.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Protocol, Self

from ...errors import InputError
from ...native.library import lib

SECRET_KEY = "secret-key"
PUBLIC_KEY = "public-key"
PUBLIC_KEY_DIRECT = "public-key-direct"

KINDS: dict[str, int] = {
    SECRET_KEY: lib.RS_ENCRYPT_SK,
    PUBLIC_KEY: lib.RS_ENCRYPT_PK,
    PUBLIC_KEY_DIRECT: lib.RS_ENCRYPT_PK_DIRECT,
}

ROTATION_COARSE = 2.0**-10  # error of one rotation, as a part of values of 1, that is worth a warning
ROTATION_RUINS = 2.0**-3  # and one that leaves nothing to work with
NOMINAL_COARSE = 2.0**-10  # relative error of one product where the dropped prime counts as the scale
USEFUL_BITS = 8.0  # precision that a product must leave to count
_ROUNDING = 1 / 12  # variance of rounding to integers
_FLOAT_BITS = 50.0  # no result of doubles is promised to be better
_SCALE_BITS_MIN = 8  # no smaller scale leaves anything of values of 1
_TINY = 2.0**-200  # square of a scale with which nothing is left long since


class ModulusChain(Protocol):
    """What the rules need of a parameter set."""

    @property
    def n(self) -> int: ...
    @property
    def moduli(self) -> tuple[int, ...]: ...
    @property
    def data_limbs(self) -> int: ...
    @property
    def special_prime(self) -> int | None: ...
    def modulus(self, level: int) -> int: ...
    def limbs_at(self, level: int | None) -> int: ...
    def noise_variance(self, kind: str = ..., level: int | None = ...) -> float: ...


def encryption_name(public_key: bool, special_prime: bool) -> str:
    """A kind of encryption, as noise_variance knows it."""
    if not public_key:
        return SECRET_KEY
    return PUBLIC_KEY if special_prime else PUBLIC_KEY_DIRECT


# ---- scales ---------------------------------------------------------------------------------------------------------
def product_scale(chain: ModulusChain) -> float | None:
    """2^(bits of the middle primes), which each product keeps; None for a set that is not made for products.

    The middle primes must be of one size, and the first at least two bits larger: values up to 2 then fit at level 0.
    """
    middle = {q.bit_length() for q in chain.moduli[1 : chain.data_limbs]}
    if len(middle) != 1:
        return None
    bits = middle.pop()
    return 2.0**bits if chain.moduli[0].bit_length() >= bits + 2 else None


def default_scale(chain: ModulusChain) -> float:
    """For a set without a name: product_scale, else 2^(bits of the prime that is dropped first), with room in the first prime.

    At level 0 a quarter of the first prime's bits, at least 7, is left above the scale for the values.
    """
    scale = product_scale(chain)
    if scale is not None:
        return scale
    first, last = (chain.moduli[index].bit_length() for index in (0, chain.data_limbs - 1))
    return 2.0 ** min(last, first - max(7, first // 4))


def lowest_scale(chain: ModulusChain) -> float:
    """Where the rounding of one rescaling is half as large as values of 1."""
    return 2 * _in_slots(chain, rounding_variance(chain))


def scale_trouble(chain: ModulusChain, scale: float, level: int) -> str:
    """A sentence if a ciphertext's scale is out of its range, else ''."""
    if not (math.isfinite(scale) and scale > 0):
        return f"The scale is {scale}."
    text = f"The scale 2^{math.log2(scale):.6g}"
    if 2 * scale >= chain.modulus(level):
        return f"{text} is above the modulus: values of 1 do not fit, and larger ones have wrapped around."
    if scale < lowest_scale(chain):
        return (
            f"{text} is so small that noise covers values of 1: products have divided by primes larger than the scale."
        )
    return ""


# ---- noise ----------------------------------------------------------------------------------------------------------
def _in_slots(chain: ModulusChain, variance: float) -> float:
    """Root-mean-square of a slot's real part before the division by the scale, of a variance per coefficient."""
    return math.sqrt(variance * chain.n / 2)


def rounding_variance(chain: ModulusChain) -> float:
    """The variance of a ciphertext whose two polynomials were rounded: r0 + r1 s with a ternary s."""
    return _ROUNDING * (1 + 2 * chain.n / 3)


def nearest_spread(chain: ModulusChain) -> float:
    """Mean square of a digit's mean in the slot of the root nearest 1, in units of its prime: half a prime in each coefficient is worth N/pi there."""
    return 1 / (2 * math.sin(math.pi / (2 * chain.n))) ** 2


def _digits(chain: ModulusChain, level: int) -> float:
    """Root of the sum of squares of the level's primes: the digits of key switching are residues, which SEAL does not centre."""
    return math.sqrt(sum(q * q for q in chain.moduli[: level + 1]))


def _fresh_error(chain: ModulusChain) -> float:
    """Standard deviation of an error of encryption, without the rounding of a message."""
    return math.sqrt(chain.noise_variance(SECRET_KEY) - _ROUNDING)


def derived_noise(chain: ModulusChain, switches: int) -> float:
    """The errors of a key that so many rotations in this chain made of none (key_plan.py), in those of a fresh key: in the slot of the root nearest
    1, which counts in rotation_error and where the last rotation left its largest one."""
    level = chain.data_limbs - 1
    nearest = switching_deviation(chain, level, nearest_spread(chain))
    return math.hypot(nearest, math.sqrt(switches) * switching_deviation(chain, level)) / _fresh_error(chain)


def switching_deviation(
    chain: ModulusChain, level: int, spread: float | None = None, *, floored: bool = False, noisier: float = 1.0
) -> float:
    """Standard deviation per coefficient that key switching adds. spread: mean square of a digit in a slot, in units of its prime.

    floored: the remainder modulo the special prime is not centred, as in OpenFHE and in SEAL's BGV, which doubles the error of rounding.
    noisier: the errors of the key, in those of a fresh one.
    """
    if chain.special_prime is None:
        message = "Parameters with one modulus have no keys for products and rotations."
        hint = "Use parameters with two moduli or more: the last is the special prime."
        raise InputError("RS_ERR_NO_SPECIAL", message, hint)
    error = _fresh_error(chain) * math.sqrt(chain.n / 3 if spread is None else spread)
    products = noisier * _digits(chain, level) * error / chain.special_prime
    return math.hypot(products, (1 + floored) * math.sqrt(rounding_variance(chain)))


def _switching(chain: ModulusChain, level: int, spread: float | None = None, **how: Any) -> float:
    """The same as root-mean-square of a slot's real part."""
    return _in_slots(chain, switching_deviation(chain, level, spread, **how) ** 2)


def rotation_error(chain: ModulusChain, scale: float, level: int | None = None, noisier: float = 1.0) -> float | None:
    """About what the worst slot is off by after one rotation, on SEAL. None: the set has no special prime. noisier: see switching_deviation.

    The mean of a digit, half its prime, is a polynomial of equal coefficients: in the slot of the root nearest 1 it is worth N/pi primes, and the
    error there is a complex Gaussian's. In the other slots errors are products of two Gaussians, whose real parts are Laplace distributed: the largest of n is
    ln n / sqrt 2 deviations.
    """
    if chain.special_prime is None:
        return None
    level = chain.limbs_at(level) - 1
    nearest = math.sqrt(2) * _switching(chain, level, nearest_spread(chain), noisier=noisier)
    others = math.log(chain.n / 2) / math.sqrt(2) * _switching(chain, level, chain.n / 12, noisier=noisier)
    return math.hypot(nearest, others) / scale


@dataclass(frozen=True)
class Remaining:
    """A ciphertext after some operations, with values of magnitude 1 at most; each step makes another.

    error: root-mean-square of a slot's real part that noise explains. factor: what values are multiplied by where a library counts each
    dropped prime as the scale (nominal). fits: values were below the modulus so far.
    """

    chain: ModulusChain
    level: int
    scale: float
    error: float
    nominal: bool = False
    factor: float = 1.0
    fits: bool = True

    @classmethod
    def fresh(
        cls,
        chain: ModulusChain,
        scale: float,
        level: int | None = None,
        kind: str = SECRET_KEY,
        *,
        nominal: bool = False,
    ) -> Self:
        limbs = chain.limbs_at(level)
        error = _in_slots(chain, chain.noise_variance(kind, limbs - 1)) / scale
        return cls(chain, limbs - 1, scale, error, nominal, fits=2 * scale < chain.modulus(limbs - 1))

    @property
    def precision_bits(self) -> float:
        """Bits after the point; minus infinity if values do not fit."""
        if not self.fits:
            return -math.inf
        return min(_FLOAT_BITS, -math.log2(math.hypot(self.error, self.factor - 1)))

    @property
    def range_bits(self) -> float:
        """Values up to 2^range_bits fit the modulus of the level."""
        return math.log2(self.chain.modulus(self.level)) - math.log2(self.scale) - 1

    def product(self) -> Remaining:
        """The square, or the product with one as noisy: relinearised and rescaled. InputError at level 0."""
        chain, level = self.chain, self.level
        if level == 0:
            message = "No level is left for another product."
            raise InputError("RS_ERR_LEVEL", message, "Use parameters with more moduli.")
        dropped, squared = chain.moduli[level], max(self.scale * self.scale, _TINY)
        scale = squared / dropped
        relinearised = _switching(chain, level, floored=self.nominal) / squared
        rescaled = _in_slots(chain, rounding_variance(chain)) / scale
        error = math.hypot(2 * self.error, relinearised, rescaled)
        fits = self.fits and 2 * squared < chain.modulus(level) and 2 * scale < chain.modulus(level - 1)
        factor = self.factor * self.factor * self.scale / dropped if self.nominal else 1.0
        return replace(
            self, level=level - 1, scale=self.scale if self.nominal else scale, error=error, factor=factor, fits=fits
        )

    def rotated(self, count: int = 1) -> Remaining:
        """After so many rotations (key switches): a rotation with keys of powers of two takes several.

        The mean over keys: six tenths of the added square stand in one slot (rotation_error), where the key has one error, so
        precision differs from key to key by half a bit (standard deviation); one key of sixty is more than a bit worse.
        """
        if count == 0:
            return self
        added = _switching(self.chain, self.level, floored=self.nominal) / self.scale
        return replace(self, error=math.hypot(self.error, math.sqrt(count) * added))


def after(
    chain: ModulusChain,
    products: int,
    rotations: int = 0,
    *,
    scale: float,
    level: int | None = None,
    kind: str = SECRET_KEY,
    nominal: bool = False,
) -> Remaining:
    """After these products and rotations, in the order that costs most: each product doubles the error that it finds, and a
    rotation costs more the smaller the scale is."""

    def ending(before: int) -> Remaining:
        """All rotations behind the first `before` products."""
        found = Remaining.fresh(chain, scale, level, kind, nominal=nominal)
        for number in range(products + 1):
            found = found.rotated(rotations if number == before else 0)
            found = found.product() if number < products else found
        return found

    return min(
        (ending(before) for before in range(products + 1 if rotations else 1)), key=lambda found: found.precision_bits
    )


def products(chain: ModulusChain, scale: float, *, nominal: bool = False) -> Iterator[Remaining]:
    """After one product, two, and so on to level 0."""
    found = Remaining.fresh(chain, scale, nominal=nominal)
    while found.level > 0:
        found = found.product()
        yield found


def best_scale(
    chain: ModulusChain, products: int, rotations: int = 0, *, level: int | None = None, nominal: bool = False
) -> tuple[float, Remaining]:
    """The power of two that leaves most precision after these operations, with room for values up to 2; and what it leaves."""
    tried = [
        (2.0**bits, after(chain, products, rotations, scale=2.0**bits, level=level, nominal=nominal))
        for bits in range(_SCALE_BITS_MIN, max(_SCALE_BITS_MIN, max(q.bit_length() for q in chain.moduli)) + 1)
    ]
    roomy = [pair for pair in tried if pair[1].range_bits >= 1]
    return max(roomy or tried, key=lambda pair: pair[1].precision_bits)


def returning_scale(chain: ModulusChain, products: int, scale: float) -> float:
    """The scale that comes back to `scale` after these products from the lowest level that has them.

    A power of two drifts: its distance to the primes doubles with each product, and after some twenty it leaves the modulus.
    """
    for q in chain.moduli[1 : products + 1]:
        scale = math.sqrt(scale * q)
    return scale


# ---- what a set is good for -----------------------------------------------------------------------------------------
def depth(chain: ModulusChain, scale: float) -> int:
    """How many products one after another leave USEFUL_BITS."""
    if chain.special_prime is None:
        return 0
    return sum(1 for _ in takewhile(lambda found: found.precision_bits >= USEFUL_BITS, products(chain, scale)))


def rotates(chain: ModulusChain, scale: float) -> bool:
    """Whether one rotation is precise enough not to be warned of."""
    error = rotation_error(chain, scale)
    return error is not None and error <= ROTATION_COARSE


def nominal_error(chain: ModulusChain, scale: float) -> float:
    """Largest relative error of one product where the dropped prime counts as the scale; 0 if there is no level for one."""
    return max((abs(scale / q - 1) for q in chain.moduli[1 : chain.data_limbs]), default=0.0)


def nominal_trouble(chain: ModulusChain, scale: float) -> str:
    """A sentence if products on TenSEAL come out wrong at this scale, else ''."""
    error = nominal_error(chain, scale)
    if error <= NOMINAL_COARSE:
        return ""
    factor = scale / chain.moduli[chain.data_limbs - 1]
    how = (
        f"come out about 2^{math.log2(factor):.0f} times as large"
        if abs(math.log2(factor)) > 1
        else f"are off by up to {error:.1%}"
    )
    return f"TenSEAL takes the prime that it drops for the scale: at scale 2^{math.log2(scale):.6g} its products {how}."
