# SPDX-License-Identifier: Apache-2.0
"""Which parameter set for a task."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...errors import InputError, ParameterError
from ...native.library import lib
from ..common.params import Parameters, named_sets
from .context import Context

CUSTOM = "custom"

_INTEGER_BITS = 10  # room that a custom set leaves above the scale, at level 0
_MODULUS_BITS_MAX = 60
_NOISE_BITS_GUESS = 16  # smallest scale worth trying is above the noise
_REPEATS = 3


@dataclass(frozen=True)
class Advice:
    """A set that has the wanted depth, slots and security.

    precision_bits: predicted for a fresh secret-key ciphertext at `scale`; fits: it reaches what
    was asked for. range_bits: values up to 2^range_bits fit at level 0. Bytes are uncompressed, for
    one ciphertext at the level needed. encrypt_ms: encode and encrypt, measured; None if not.
    """

    name: str
    params: Parameters
    level: int
    scale: float
    precision_bits: float
    range_bits: float
    ciphertexts: int
    seeded_bytes: int
    full_bytes: int
    fits: bool
    encrypt_ms: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "name": self.name,
            "n": self.params.n,
            "modulus_bits": [q.bit_length() for q in self.params.moduli],
            "security": self.params.security,
            "security_tables": {key: table.as_dict() for key, table in self.params.security_tables.items()},
            "seal_sec_level_type": self.params.seal_security,
            "level": self.level,
            "scale_log2": math.log2(self.scale),
            "precision_bits": self.precision_bits,
            "range_bits": self.range_bits,
            "ciphertexts": self.ciphertexts,
            "seeded_bytes": self.seeded_bytes,
            "full_bytes": self.full_bytes,
            "encrypt_ms": self.encrypt_ms,
            "fits": self.fits,
        }


def _file_bytes(context: Context, limbs: int, seeded: bool) -> int:
    """Bytes of an uncompressed file: known exactly from SEAL's layout."""
    from ...native.streams import WireOptions

    words = lib.rs_ciphertext_words(context._pointer, 2, limbs, 1 if seeded else 0)
    native = WireOptions("none").native()
    return int(lib.rs_wire_ciphertext_bytes(native, words, 1 if seeded else 0))


def _encrypt_ms(context: Context, level: int, scale: float) -> float:
    """Shortest of a few runs."""
    values = np.linspace(-1.0, 1.0, context.slots)
    best = math.inf
    with context.keygen() as secret:
        for _ in range(_REPEATS):
            start = time.perf_counter()
            context.encrypt(values, secret, scale=scale, level=level)
            best = min(best, time.perf_counter() - start)
    return 1000 * best


def _assess(
    name: str,
    params: Parameters,
    scale: float,
    precision: float,
    depth: int,
    slots: int,
    measure: bool,
) -> Advice:
    context = Context(params)
    bits = context.predicted_precision(scale=scale, level=depth)
    return Advice(
        name=name,
        params=params,
        level=depth,
        scale=scale,
        precision_bits=bits,
        range_bits=math.log2(params.moduli[0]) - math.log2(scale) - 1,
        ciphertexts=-(-slots // params.slots),
        seeded_bytes=_file_bytes(context, depth + 1, True),
        full_bytes=_file_bytes(context, depth + 1, False),
        fits=bits >= precision,
        encrypt_ms=_encrypt_ms(context, depth, scale) if measure else None,
    )


def _custom_bits(n: int, precision: float, depth: int) -> tuple[int, int]:
    """Bits of the scale and of the first prime that reach the precision after `depth` levels."""
    # Fresh noise of a secret-key ciphertext; rescaling adds rounding noise of (1 + 2N/3)/12 each.
    variance = 10.5 + 1 / 12 + ((1 + 2 * n / 3) / 12 * depth)
    scale_bits = math.ceil(precision + math.log2(variance * n / 2) / 2)
    scale_bits = max(scale_bits, _NOISE_BITS_GUESS)
    return scale_bits, min(_MODULUS_BITS_MAX, scale_bits + _INTEGER_BITS)


def custom_set(precision: float, depth: int, slots: int, security: int) -> tuple[Parameters, float] | None:
    """The smallest set of our own for the task, with its scale; None if there is none."""
    smallest = max(10, min(16, math.ceil(math.log2(2 * slots))))
    for log_n in range(smallest, 18):
        scale_bits, first_bits = _custom_bits(1 << log_n, precision, depth)
        if first_bits <= scale_bits or depth + 2 > lib.RS_LIMBS_MAX:
            return None
        chains = [[first_bits, *[scale_bits] * depth, first_bits]]
        if depth == 0:
            chains.append([first_bits])  # no special prime: no rotations, but a smaller N
        for bits in chains:
            try:
                return Parameters.from_bits(1 << log_n, bits, security=security), 2.0**scale_bits
            except ParameterError:
                continue
    return None


def _candidates(precision: float, depth: int, slots: int, security: int) -> Iterable[tuple[str, Parameters, float]]:
    for item in named_sets():
        try:
            params = Parameters.named(item.name, security=security)
        except ParameterError:
            continue
        if params.max_level >= depth:
            yield item.name, params, item.default_scale
    custom = custom_set(precision, depth, slots, security)
    if custom is not None:
        yield CUSTOM, *custom


def nearest(
    found: Iterable[Advice], precision: float, depth: int, slots: int, *, security: int = 128
) -> tuple[float, Advice] | None:
    """Where none of what advise() found reaches the precision: the largest one that it has an answer to, and that. None: there is no such set at all."""
    reached = [(math.floor(10 * item.precision_bits) / 10, item) for item in found]
    for bits in range(math.ceil(precision) - 1, 0, -1):
        custom = custom_set(bits, depth, slots, security)
        if custom is not None:
            reached.append((bits, _assess(CUSTOM, *custom, bits, depth, slots, measure=False)))
            break
    return max(reached, key=lambda pair: pair[0], default=None)


def advise(precision: float, depth: int, slots: int, *, security: int = 128, measure: bool = True) -> list[Advice]:
    """Sets for values with `precision` bits after the point, `depth` multiplications, `slots` values.

    Best first: those that reach the precision before those that do not, then by bytes to send. The
    precision predicted is that of a fresh ciphertext; what the server computes costs more.
    InputError for numbers out of range.
    """
    if not (math.isfinite(precision) and 0 < precision <= _MODULUS_BITS_MAX):
        raise InputError("PRECISION", f"Precision must be in (0, 60] bits, got {precision:g}.")
    if depth < 0 or slots < 1:
        raise InputError("DEPTH", "Depth must be at least 0 and slots at least 1.")
    advices = [
        _assess(name, params, scale, precision, depth, slots, measure)
        for name, params, scale in _candidates(precision, depth, slots, security)
    ]
    return sorted(
        advices,
        key=lambda item: (
            not item.fits,
            item.ciphertexts * item.seeded_bytes,
            -item.precision_bits,
        ),
    )
