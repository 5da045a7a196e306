# SPDX-License-Identifier: Apache-2.0
"""Which parameter set for a task, and what its products and rotations leave (ringside.objects.common.evaluation)."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ...errors import InputError, ParameterError
from ...native.library import lib
from ..common import evaluation
from ..common.ciphertext import ciphertext_bytes
from ..common.evaluation import Remaining
from ..common.params import CUSTOM, Parameters, named_sets
from .context import Context

_INTEGER_BITS = 10  # room that a custom set leaves above the scale, at level 0
_MODULUS_BITS_MAX = 60
_SCALE_BITS_MIN = 16  # bits of a custom set: smallest scale worth trying is above the noise
_REPEATS = 3
# Bits by which a run may miss the prediction. Much of a rotation's error is in one slot, and differs from key to key.
_MARGIN, _MARGIN_OF_ROTATIONS = 0.25, 1.0


@dataclass(frozen=True)
class Computation:
    """What is asked for: bits after the point that are left after `depth` products and `rotations`, for so many values of magnitude 1."""

    precision: float
    depth: int
    slots: int
    rotations: int = 0
    nominal: bool = False  # for a server with TenSEAL or OpenFHE

    def __post_init__(self) -> None:
        if not (math.isfinite(self.precision) and 0 < self.precision <= _MODULUS_BITS_MAX):
            raise InputError("PRECISION", f"Precision must be in (0, 60] bits, got {self.precision:g}.")
        if self.depth < 0 or self.slots < 1 or self.rotations < 0:
            raise InputError("DEPTH", "Depth and rotations must be at least 0 and slots at least 1.")

    def after(self, params: Parameters, scale: float, *, nominal: bool | None = None) -> Remaining:
        """What a set leaves, encrypted at the lowest level that has enough products."""
        how = self.nominal if nominal is None else nominal
        return params.after(self.depth, self.rotations, scale=scale, level=self.depth, nominal=how)

    def sure_bits(self, found: Remaining) -> float:
        """The precision that a run will reach."""
        return found.precision_bits - (_MARGIN_OF_ROTATIONS if self.rotations else _MARGIN)

    def is_met(self, found: Remaining) -> bool:
        return self.sure_bits(found) >= self.precision


@dataclass(frozen=True)
class Advice:
    """A set that has the wanted depth, slots and security.

    precision_bits: predicted after the products and rotations of the task, on SEAL and Lattigo, for values up to 1; fits: it reaches what was
    asked for, with a margin. nominal_precision_bits: on TenSEAL and OpenFHE, which count a dropped prime as the scale. fresh_precision_bits: before
    them, with the secret key. final_scale: that of the result. range_bits: results up to 2^range_bits fit. Bytes are uncompressed, for one
    ciphertext at the level needed. encrypt_ms: encode and encrypt, measured; None if not.
    """

    name: str
    params: Parameters
    level: int
    scale: float
    rotations: int
    precision_bits: float
    nominal_precision_bits: float
    fresh_precision_bits: float
    final_scale: float
    range_bits: float
    ciphertexts: int
    seeded_bytes: int
    full_bytes: int
    fits: bool
    encrypt_ms: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        scales = {"scale_log2": math.log2(self.scale), "final_scale_log2": math.log2(self.final_scale)}
        own = {name: value for name, value in vars(self).items() if name not in ("params", "scale", "final_scale")}
        return own | scales | self.params._security_facts()


def _encrypt_ms(params: Parameters, level: int, scale: float) -> float:
    """Shortest of a few runs."""
    context = Context(params)
    values = np.linspace(-1.0, 1.0, context.slots)
    best = math.inf
    with context.keygen() as secret:
        for _ in range(_REPEATS):
            start = time.perf_counter()
            context.encrypt(values, secret, scale=scale, level=level)
            best = min(best, time.perf_counter() - start)
    return 1000 * best


def _assess(name: str, params: Parameters, scale: float, task: Computation, measure: bool) -> Advice:
    found, seal = task.after(params, scale), task.after(params, scale, nominal=False)
    return Advice(
        name=name,
        params=params,
        level=task.depth,
        scale=scale,
        rotations=task.rotations,
        precision_bits=seal.precision_bits,
        nominal_precision_bits=task.after(params, scale, nominal=True).precision_bits,
        fresh_precision_bits=params.after(scale=scale, level=task.depth).precision_bits,
        final_scale=found.scale,
        range_bits=found.range_bits,
        ciphertexts=-(-task.slots // params.slots),
        seeded_bytes=ciphertext_bytes(params, task.depth + 1, True),
        full_bytes=ciphertext_bytes(params, task.depth + 1, False),
        fits=task.is_met(found),
        encrypt_ms=_encrypt_ms(params, task.depth, scale) if measure and found.fits else None,
    )


def _custom_at(task: Computation, log_n: int, security: int) -> tuple[Parameters, float] | None:
    """The smallest primes at this N that do the task."""
    limit = int(lib.rs_security_bits(lib.RS_SECURITY_CHECKED, log_n, security)) if security else math.inf
    can_switch = bool(task.depth or task.rotations)
    fresh = (log_n + 2) / 2  # bits of a fresh ciphertext's noise in a slot, which nothing comes below
    for scale_bits in range(max(_SCALE_BITS_MIN, math.ceil(task.precision + fresh)), _MODULUS_BITS_MAX - 1):
        first = min(_MODULUS_BITS_MAX, scale_bits + _INTEGER_BITS)
        middle = [scale_bits] * task.depth
        # rotations ask for a special prime above the first
        specials = sorted({first, min(first + 8, _MODULUS_BITS_MAX), _MODULUS_BITS_MAX}) if task.rotations else (first,)
        chains = [[first, *middle, special] for special in specials]
        if not can_switch:
            chains.append([first])  # no special prime: no rotations, but a smaller N
        chains = [bits for bits in chains if sum(bits) <= limit]
        if not chains:
            return None
        for bits in chains:
            try:
                params = Parameters.from_bits(1 << log_n, bits, security=security)
            except ParameterError:  # too few primes of a size, or just beyond the limit
                continue
            scale = _reaching(task, params, 2.0**scale_bits)
            if scale is not None:
                return params, scale
    return None


def _reaching(task: Computation, params: Parameters, scale: float) -> float | None:
    """This scale, or the one that returns to it in the end, if the task is met."""
    for one in _scales(task, params, scale):
        if task.is_met(task.after(params, one)):
            return one
    return None


def _scales(task: Computation, params: Parameters, scale: float) -> list[float]:
    """This scale, and the one that comes back to it, where a server keeps the true scale."""
    return [scale] if task.nominal else [scale, evaluation.returning_scale(params, task.depth, scale)]


def custom_set(task: Computation, security: int) -> tuple[Parameters, float] | None:
    """The smallest set of our own for the task, with its scale; None if there is none."""
    if task.depth + 2 > lib.RS_LIMBS_MAX:
        return None
    smallest = max(10, min(16, math.ceil(math.log2(2 * task.slots))))
    return next(filter(None, (_custom_at(task, log_n, security) for log_n in range(smallest, 18))), None)


def _scale_for(task: Computation, params: Parameters) -> float:
    """The set's own scale if it meets the task, else the smallest power of two that does, else the one that leaves most."""
    own = params.default_scale
    best = evaluation.best_scale(params, task.depth, task.rotations, level=task.depth, nominal=task.nominal)[0]
    powers = [2.0**bits for bits in range(_SCALE_BITS_MIN, round(math.log2(best)) + 1)]
    for scale in (own, *powers):
        if task.is_met(task.after(params, scale)):
            return scale
    return max((best, *_scales(task, params, own)), key=lambda scale: task.after(params, scale).precision_bits)


def _candidates(task: Computation, security: int) -> Iterable[tuple[str, Parameters, float]]:
    for item in named_sets():
        try:
            params = Parameters.named(item.name, security=security)
        except ParameterError:
            continue
        if params.max_level >= task.depth and (params.special_prime or not (task.depth or task.rotations)):
            yield item.name, params, _scale_for(task, params)
    custom = custom_set(task, security)
    if custom is not None:
        yield CUSTOM, *custom


def nearest(found: Iterable[Advice], task: Computation, *, security: int = 128) -> tuple[float, Advice] | None:
    """Where none of what advise() found reaches the precision: the largest one that it has an answer to, and that. None: there is no such set at all."""
    sure = ((task.sure_bits(task.after(item.params, item.scale)), item) for item in found)
    reached = [(math.floor(10 * bits) / 10, item) for bits, item in sure if bits > 0.1]
    for bits in range(math.ceil(task.precision) - 1, 0, -1):
        less = replace(task, precision=bits)
        custom = custom_set(less, security)
        if custom is not None:
            reached.append((bits, _assess(CUSTOM, *custom, less, measure=False)))
            break
    return max(reached, key=lambda pair: pair[0], default=None)


def advise(
    precision: float,
    depth: int,
    slots: int,
    *,
    rotations: int = 0,
    nominal: bool = False,
    security: int = 128,
    measure: bool = True,
) -> list[Advice]:
    """Sets for `slots` values up to 1 that keep `precision` bits after the point through `depth` products one after another and `rotations`.

    Best first: those that reach the precision before those that do not, then by bytes to send. nominal: on a server with TenSEAL or
    OpenFHE, which count a dropped prime as the scale. InputError for numbers out of range.
    """
    return advise_on(Computation(precision, depth, slots, rotations, nominal), security=security, measure=measure)


def advise_on(task: Computation, *, security: int = 128, measure: bool = True) -> list[Advice]:
    """The same for a task."""
    advices = [_assess(name, params, scale, task, measure) for name, params, scale in _candidates(task, security)]
    return sorted(advices, key=lambda item: (not item.fits, item.ciphertexts * item.seeded_bytes, -item.precision_bits))
