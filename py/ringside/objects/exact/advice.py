# SPDX-License-Identifier: Apache-2.0
"""Which parameter set of BFV or BGV for a circuit (ringside.objects.exact.noise), of those that stock SEAL loads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice

from ...arguments import checks_arguments
from ...errors import InputError, ParameterError
from ...formats.rings import is_prime
from ...native.library import lib
from ..common.ciphertext import ciphertext_bytes
from ..common.params import BFV, BGV, CUSTOM, Parameters, named_sets
from .noise import Circuit, Noise, worst
from .options import SLOTS

_SPECIAL_BITS = (0, 8)  # by which the special prime is larger: relinearisation adds less noise
_PRIME_BITS_MAX = 60


@checks_arguments
@dataclass(frozen=True)
class ExactTask:
    """What is asked for. largest: the largest absolute value of a result; values: how many are encrypted."""

    scheme: str
    largest: int
    circuit: Circuit
    values: int = 1

    def __post_init__(self) -> None:
        if self.scheme not in (BFV, BGV):
            raise InputError("RS_ERR_SCHEME", f"No exact scheme {self.scheme!r}.", f"Use one of: {BFV}, {BGV}.")
        if self.values < 1 or self.largest < 1:
            raise InputError("RS_ERR_VALUE_COUNT", "Values and the largest result must be at least 1.")

    def plain_modulus(self, n: int) -> int | None:
        """The smallest t above twice the largest result, with slots a prime of their own; None: there is none below 2^60."""
        t = 2 * self.largest + 1
        if self.circuit.packing == SLOTS:
            t += -(t - 1) % (2 * n)
            while not is_prime(t):
                t += 2 * n
        return t if t < 1 << 60 else None


@dataclass(frozen=True)
class ExactAdvice:
    """A set, with what the circuit in its worst order leaves. name: of the named set that has its moduli, or "custom".

    noise: after all steps; budgets are bounds from below, and so is the exponent of a failure. fits: the bound of a failure is 2^-128 at most.
    Bytes are uncompressed, for one upload.
    """

    name: str
    params: Parameters
    noise: Noise
    ciphertexts: int
    seeded_bytes: int
    full_bytes: int

    @property
    def fits(self) -> bool:
        """Whether something is left."""
        return self.noise.budget_bits >= 0

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON, beside those of the parameters."""
        own = {name: value for name, value in vars(self).items() if name not in ("params", "noise")}
        noise = {name: getattr(self.noise, name) for name in ("packing", "budget_bits", "failure_log2")}
        return own | noise | {"steps": [asdict(step) for step in self.noise.steps], "fits": self.fits}


def _assess(name: str, params: Parameters, task: ExactTask) -> ExactAdvice:
    sizes = [ciphertext_bytes(params, params.data_limbs, seeded) for seeded in (True, False)]
    return ExactAdvice(name, params, worst(params, task.circuit), -(-task.values // params.n), *sizes)


def _smallest_at(task: ExactTask, log_n: int, security: int) -> ExactAdvice | None:
    """At this N the set of fewest limbs, then of fewest bits."""
    limit = int(lib.rs_security_bits(lib.RS_SECURITY_STANDARD_2018, log_n, security or 128))
    if (t := task.plain_modulus(1 << log_n)) is None:
        return None
    chains = [] if task.circuit.depth or task.circuit.rotations else [[0]]  # without a special prime
    chains += [[0] * limbs + [more] for limbs in range(1, limit // (log_n + 4)) for more in _SPECIAL_BITS]
    for chain in chains:

        def tried(size: int) -> ExactAdvice | None:
            bits, how = [size + more for more in chain], {"plain_modulus": t, "security": security}  # noqa: B023
            try:
                found = _assess(CUSTOM, Parameters.from_bits(1 << log_n, bits, scheme=task.scheme, **how), task)
            except ParameterError:  # too few primes of a size, t is one of them, or just beyond the limit
                return None
            return found if found.fits else None

        most = min(_PRIME_BITS_MAX - chain[-1], (limit - chain[-1]) // len(chain))
        if tried(most) is not None:
            sizes = range(log_n + 2, most + 1)
            return tried(sizes[bisect_left(sizes, True, key=lambda size: tried(size) is not None)])
    return None


def _candidates(task: ExactTask, security: int) -> Iterator[ExactAdvice]:
    for item in named_sets(task.scheme):
        if (t := task.plain_modulus(item.n)) is not None:
            with suppress(ParameterError):
                yield _assess(item.name, Parameters.named(item.name, plain_modulus=t, security=security), task)
    # SEAL's table has these N
    yield from islice(filter(None, (_smallest_at(task, log_n, security) for log_n in range(10, 16))), 1)


def advise(task: ExactTask, *, security: int = 128) -> list[ExactAdvice]:
    """Sets for a task, each with its own plain modulus: those that fit first, the smallest upload first."""
    return sorted(
        _candidates(task, security),
        key=lambda item: (not item.fits, item.ciphertexts * item.seeded_bytes, item.params.total_bits),
    )
