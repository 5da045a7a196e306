# SPDX-License-Identifier: Apache-2.0
"""What a server's operations leave of the noise budget in BFV and BGV, on SEAL: the only place with these rules.

A coefficient of a ciphertext's phase, of BFV times t, has to stay below q/2. Its standard deviation is followed for inputs as noisy as each other, which may
be the same ciphertext: sums add deviations, not variances. Fresh noise and rounding have tails below a Gaussian's. Products are sums of N terms almost
independent: a bit more for each on the way makes up for what is not known of theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product, repeat

from ...errors import InputError
from ..common.evaluation import PUBLIC_KEY, nearest_spread, rounding_variance, switching_deviation
from ..common.params import BFV, Parameters
from .options import PACKINGS, SLOTS

FAILURE_BITS = 128  # one of all answers under a key is wrong with a chance of 2^-128
ANSWERS_LOG2 = 32  # so many answers
ENCRYPTION, ROTATION, PLAIN_PRODUCT, SUM, PRODUCT, SWITCH = (
    "encryption", "rotation", "plain product", "sum", "product", "switch",
)  # fmt: skip
_WORTH = 0.01  # bits that a switch of the modulus has to gain
_EXPONENT_MAX = 1e6  # nobody tells a smaller chance from this one


@dataclass(frozen=True)
class Circuit:
    """What a server computes on the way to a result.

    depth: products one after another, each relinearised. rotations: so many before each of them, and at the end. Somewhere come plain_products, with
    plaintexts, and a sum of `sums` ciphertexts.
    """

    depth: int = 0
    sums: int = 1
    plain_products: int = 0
    rotations: int = 0
    packing: str = SLOTS

    def __post_init__(self) -> None:
        if not (0 <= self.depth <= 64 and 0 <= self.plain_products <= 16 and self.rotations >= 0 and self.sums >= 1):
            raise InputError("DEPTH", "Depth is 0 to 64, plain products 0 to 16, rotations 0 or more, sums 1 or more.")
        if self.packing not in PACKINGS:
            raise InputError("PACKING", f"Unknown packing {self.packing!r}.", f"Use one of: {', '.join(PACKINGS)}.")
        if self.rotations and self.packing != SLOTS:
            raise InputError("PACKING", "Rotations are those of slots.", "Leave out rotations, or the packing.")


@dataclass(frozen=True)
class NoiseStep:
    """An operation, how many times (of a sum: ciphertexts; of a switch: moduli that are dropped), and what is left after it."""

    operation: str
    count: int
    level: int
    budget_bits: float


@dataclass(frozen=True)
class Noise:
    """A ciphertext after `steps`. deviation: of a coefficient. peak: of BGV, where products square it, the deviation in the slot of the root nearest 1, as one
    of equal slots would have it: there are the means of what SEAL does not centre, digits and remainders.
    """

    params: Parameters
    packing: str
    level: int
    deviation: float = 0.0
    peak: float = 0.0
    products: int = 0
    steps: tuple[NoiseStep, ...] = ()

    @classmethod
    def fresh(cls, params: Parameters, packing: str = SLOTS) -> Noise:
        """An upload with the public key, which has more noise than one with the secret key."""
        found = cls(params, packing, params.max_level)
        deviation, message = found._t * math.sqrt(params.noise_variance(PUBLIC_KEY)), 0.0
        if packing != SLOTS:  # coefficients that are all alike
            message = found._t * math.sqrt(nearest_spread(params)) / found._slot
        return found._then(ENCRYPTION, deviation, deviation + message)

    @property
    def _t(self) -> int:
        assert self.params.plain_modulus is not None
        return self.params.plain_modulus

    @property
    def _tail(self) -> float:
        """Deviations that no coefficient of all answers is beyond, but with the chance of a failure."""
        return math.sqrt(2 * math.log(2) * (FAILURE_BITS + 1 + ANSWERS_LOG2 + self.params.log_n))

    @property
    def _slot(self) -> float:
        """The bound of a slot's value for a deviation of 1."""
        return self._tail * math.sqrt(self.params.n / 2)

    @property
    def budget_bits(self) -> float:
        """Bits that the noise may still grow, at least: SEAL's budget is not below it, but with the chance of a failure. Below 0: too little is left."""
        largest = self._tail * self.deviation + 2 * self._slot * self.peak / self.params.n
        return math.log2(self.params.modulus(self.level)) - 1 - math.log2(largest) - self.products

    @property
    def failure_log2(self) -> float:
        """Bound of the chance that one of 2^32 answers is wrong."""
        deviations = self._tail * math.exp2(min(self.budget_bits, 16))
        least = 1 + ANSWERS_LOG2 + self.params.log_n - deviations**2 / (2 * math.log(2))
        return max(-_EXPONENT_MAX, min(0.0, least))

    def covers(self, other: Noise) -> bool:
        """Whether it is noisier in every way."""
        return self.level == other.level and self.deviation >= other.deviation and self.peak >= other.peak

    def _then(self, operation: str, deviation: float, peak: float, count: int = 1, level: int | None = None) -> Noise:
        found = replace(
            self,
            level=self.level if level is None else level,
            deviation=deviation,
            peak=0.0 if self.params.scheme == BFV else peak,
            products=self.products + (operation == PRODUCT),
        )
        return replace(found, steps=(*self.steps, NoiseStep(operation, count, found.level, found.budget_bits)))

    def _rounding(self) -> tuple[float, float]:
        """Deviation and peak of two polynomials without their last modulus: of BFV rounded, of BGV cut, which is half of t off in the mean."""
        variance = rounding_variance(self.params)
        deviation = self._t * math.sqrt(variance) * (1 if self.params.scheme == BFV else 2)
        return deviation, self._t * math.sqrt(12 * variance * nearest_spread(self.params) / self.params.n)

    def _switching(self) -> tuple[float, float]:
        """Deviation and peak that switching a key adds."""
        floored, spread = self.params.scheme != BFV, nearest_spread(self.params)
        deviation, peak = (
            self._t * switching_deviation(self.params, self.level, how, floored=floored) for how in (None, spread)
        )
        return deviation, peak + self._rounding()[1]

    def after(self, operation: str, count: int = 1) -> Noise:
        """After one of rotations, products with plaintexts, a sum, or a product of ciphertexts as noisy as this one."""
        if operation == PRODUCT:
            return self._product()
        if operation == ROTATION:
            added, peak = self._switching()
            added = math.hypot(self.deviation, math.sqrt(count) * added)
            return self._then(operation, added, self.peak + count * peak, count)
        if operation == SUM:
            return self._then(operation, self.deviation * count, self.peak * count, count)
        rms, largest = math.sqrt(self.params.n / 12), self._slot / math.sqrt(6)
        if self.packing != SLOTS:  # coefficients that are all alike, in each of the plaintexts
            rms = largest = math.sqrt(nearest_spread(self.params))
        powers = (math.prod(repeat(self._t * factor, count)) for factor in (rms, largest))
        deviation, peak = (one * power for one, power in zip((self.deviation, self.peak), powers, strict=True))
        return self._then(operation, deviation, peak, count)

    def _switched(self) -> Noise:
        """Without the last modulus, as SEAL's mod_switch_to_next leaves it."""
        dropped, (deviation, peak) = self.params.moduli[self.level], self._rounding()
        deviation = math.hypot(self.deviation / dropped, deviation)
        return replace(self, level=self.level - 1, deviation=deviation, peak=self.peak / dropped + peak)

    def _product(self) -> Noise:
        """Of BGV at the level that leaves most after it."""
        if self.params.scheme == BFV:
            return self._multiplied()
        best, after = self, self._multiplied()
        while best.level and (lower := best._switched())._multiplied().budget_bits > after.budget_bits + _WORTH:
            best, after = lower, lower._multiplied()
        if dropped := self.level - best.level:
            best = self._then(SWITCH, best.deviation, best.peak, dropped, level=best.level)
        return best._multiplied()

    def _multiplied(self) -> Noise:
        norm, added = 12 * rounding_variance(self.params), self._switching()  # norm: of 1 and s together
        if self.params.scheme == BFV:
            scaled = self._t * math.sqrt((norm + norm * norm) / 12)  # the rounding of three polynomials
            deviation = math.hypot(2 * self.deviation * self._t * math.sqrt(self.params.n * norm / 12), scaled)
        else:
            # each product of two coefficients comes twice in a square
            deviation = math.sqrt(2 * self.params.n) * self.deviation * self.deviation
        return self._then(PRODUCT, math.hypot(deviation, added[0]), self._slot * self.peak * self.peak + added[1])


def worst(params: Parameters, circuit: Circuit) -> Noise:
    """After the circuit in the order that leaves least; or after a part of it, if nothing is left then."""
    states = [(circuit.plain_products, circuit.sums, Noise.fresh(params, circuit.packing))]
    for last in [*[False] * circuit.depth, True]:
        found: list[tuple[int, int, Noise]] = []
        for plain, sums, before in states:
            rotated = before.after(ROTATION, circuit.rotations) if circuit.rotations else before
            for some, summed in product(range(plain + 1), {1, sums}):
                if last and (some, summed) != (plain, sums):
                    continue
                after = rotated.after(PLAIN_PRODUCT, some) if some else rotated
                after = after.after(SUM, summed) if summed > 1 else after
                after = after if last else after.after(PRODUCT)
                if after.budget_bits < 0:
                    return after
                left = plain - some, sums // summed
                if not any(left == one[:2] and one[2].covers(after) for one in found):
                    found = [one for one in found if one[:2] != left or not after.covers(one[2])]
                    found.append((*left, after))
        states = found
    return min((noise for *_, noise in states), key=lambda noise: noise.budget_bits)
