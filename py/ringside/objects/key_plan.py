# SPDX-License-Identifier: Apache-2.0
"""Which rotation keys a program needs: few keys whose sums are its rotations, at the level where it rotates.

A server of stock SEAL takes keys of a lower level through a second context, whose primes are the first ones of the chain and the same special
prime: an id of ciphertexts is a hash of the primes that are left, so they move between the contexts as they are.

Costs are those of SEAL's key switching, a digit for each prime (SEAL: Evaluator::switch_key_inplace, KSwitchKeys::save).
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Self

import numpy as np

from ..errors import InputError, ParameterError
from .common.params import Parameters

CONJUGATION = 0
SWITCHES = 4  # how many key switches a rotation may take, unless the caller says otherwise
_STARTS = (4, 8, 16, 32, 64)  # bases of digits that a search begins with
_SEARCHED = 80  # keys from which some are taken away one by one
_COMPONENT_BYTES = 186  # what a component has in SEAL's file, beside its words
_KIND = "ringside key plan 1"

Rotations = Mapping[int, int]  # steps -> how often a run rotates by them
Paths = dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class Costs:
    """A set at a level. Work is counted in transforms of N points; a product of N words is 2 / log2 N of one."""

    n: int
    limbs: int

    @property
    def key_bytes(self) -> int:
        """Bytes of a seeded key in SEAL's file, uncompressed."""
        return self.limbs * (8 * (self.limbs + 1) * self.n + _COMPONENT_BYTES)

    @property
    def switch(self) -> float:
        """Work of a rotation by one key: digits, products, the special prime divided out."""
        k = self.limbs
        return k * (k + 2) + 4 * k * (k + 1) / math.log2(self.n)


@dataclass(frozen=True)
class Candidate:
    """One choice of keys. transforms: a server's work for a run. longest: key switches of the longest rotation."""

    name: str
    keys: tuple[int, ...]
    paths: Paths
    bytes: int
    transforms: float
    longest: int


@dataclass(frozen=True)
class KeyPlan:
    """What keygen makes, and how a server rotates with it. parms_id: of all moduli. level: where the program rotates."""

    parms_id: str
    n: int
    level: int
    keys: tuple[int, ...]
    paths: Paths

    def text(self) -> str:
        """As JSON."""
        return json.dumps({"kind": _KIND, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def of_text(cls, text: str | bytes, where: str) -> Self:
        """Reads strictly what `text` wrote: each path consists of keys, and leads to its rotation. InputError: it is none."""
        try:
            found = json.loads(text)
            paths = {int(step): tuple(path) for step, path in found["paths"].items()}
            plan = cls(found["parms_id"], found["n"], found["level"], tuple(found["keys"]), paths)
            if found == {"kind": _KIND, **json.loads(json.dumps(asdict(plan)))} and plan._leads():
                return plan
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            pass
        message = f"{where} is not a plan of keys, or was changed since."
        raise InputError("KEY_PLAN", message, "`ringside plan-keys … --out plan.json` writes one.")

    def _leads(self) -> bool:
        numbers = [self.n, self.level, *self.keys, *(step for path in self.paths.values() for step in path)]
        if not all(type(one) is int and abs(one) < 1 << 17 for one in numbers) or self.n < 4 or self.level < 0:
            return False
        slots = self.n // 2
        return all(
            set(path) <= set(self.keys) and (path == (CONJUGATION,) if step == CONJUGATION else bool(path))
            and (sum(path) - step) % slots == 0
            for step, path in self.paths.items()
        )  # fmt: skip

    def check(self, params: Parameters) -> None:
        """ParameterError: it was made for other parameters."""
        if self.parms_id != params.parms_id() or self.level > params.max_level:
            message = "This plan of keys was made for other parameters."
            raise ParameterError("KEY_PLAN", message, "Make one for these: `ringside plan-keys --params SET …`.")


def centred(steps: int, slots: int) -> int:
    """The same rotation, by the fewest steps, from -slots/2 + 1 to slots/2."""
    steps %= slots
    return steps - slots if steps > slots // 2 else steps


def program_of(rotations: Iterable[tuple[int, int]], slots: int) -> Rotations:
    """Pairs (steps, count) as a program. InputError: none is there, or one is out of range."""
    counts: Counter[int] = Counter()
    for steps, count in rotations:
        if not -slots < steps < slots or count < 1:
            message = f"There is no rotation by {steps}, {count} times, of {slots} slots."
            raise InputError("RS_ERR_GALOIS", message, f"Steps lie between {1 - slots} and {slots - 1}, counts from 1.")
        counts[centred(steps, slots)] += count
    if not counts:
        raise InputError("RS_ERR_GALOIS", "There is no rotation to plan keys for.", "Give --rotations 1,2,4.")
    return counts


def _digits(steps: int, base: int, slots: int) -> Iterator[int]:
    """Multiples of powers of the base that add up to the steps."""
    rest, weight = steps % slots, 1
    while rest:
        if rest % base:
            yield centred(rest % base * weight, slots)
        rest, weight = rest // base, weight * base


def _signed_digits(steps: int) -> Iterator[int]:
    """Powers of two, added or taken off, none next to another (non-adjacent form: SEAL takes it where a key is missing)."""
    sign, rest, weight = (1 if steps > 0 else -1), abs(steps), 1
    while rest:
        if rest & 1:
            digit = 2 - (rest & 3)
            yield sign * digit * weight
            rest -= digit
        rest, weight = rest >> 1, weight << 1


def _paths(keys: Sequence[int], wanted: Collection[int], slots: int, switches: int) -> Paths | None:
    """Each rotation as the fewest keys that add up to it: breadth first over all rotations. None: one takes more than `switches`."""
    last = np.full(slots, -1, np.int64)  # the key by which a rotation was first reached
    depth = np.full(slots, -1, np.int64)
    depth[0] = 0
    left = {steps % slots for steps in wanted} - {0}
    for number in range(1, switches + 1):
        if not left:
            break
        front = np.flatnonzero(depth == number - 1)
        for index, key in enumerate(keys):
            reached = (front + key) % slots
            reached = reached[depth[reached] < 0]
            depth[reached], last[reached] = number, index
        left = {steps for steps in left if depth[steps] < 0}
    if left:
        return None
    found: Paths = {}
    for steps in sorted(wanted):
        at, path = steps % slots, []
        while at:
            path.append(keys[last[at]])
            at = (at - path[-1]) % slots
        found[steps] = tuple(path)
    return found


class Planner:
    """The choices for a program on a set at a level. worth: bytes of keys that one transform of a server's run is worth."""

    def __init__(self, costs: Costs, program: Rotations, *, switches: int = SWITCHES, runs: int = 1000) -> None:
        self.costs, self.program, self.switches = costs, program, switches
        self.slots = costs.n // 2
        self.worth = costs.key_bytes / (runs * costs.switch)
        self._steps = sorted(set(program) - {CONJUGATION})

    def value(self, one: Candidate) -> float:
        """What a choice costs, in bytes."""
        return one.bytes + self.worth * one.transforms

    def _candidate(
        self, name: str, keys: Collection[int], costs: Costs | None = None, switches: int | None = None
    ) -> Candidate | None:
        """Without the keys that no rotation takes, but for `costs`: then all are made."""
        paths = _paths(
            sorted(keys, key=lambda key: (abs(key), key)), self._steps, self.slots, switches or self.switches
        )
        if paths is None:
            return None
        if CONJUGATION in self.program:
            paths[CONJUGATION] = (CONJUGATION,)
        used = {step for path in paths.values() for step in path} if costs is None else {CONJUGATION, *keys}
        costs = costs or self.costs
        count = sum(len(paths[steps]) * often for steps, often in self.program.items())
        longest = max(map(len, paths.values()))
        work = count * self.costs.switch
        return Candidate(name, tuple(sorted(used)), paths, len(used) * costs.key_bytes, work, longest)

    def usual(self, costs: Costs) -> Candidate:
        """SEAL's default: all powers of two both ways, at the highest level."""
        bits = range(self.slots.bit_length() - 1)
        powers = {centred(sign << bit, self.slots) for bit in bits for sign in (1, -1)}
        found = self._candidate("pow2", powers, costs, 2 * self.slots.bit_length())
        assert found is not None
        return found

    def direct(self) -> Candidate:
        """A key for each rotation."""
        found = self._candidate("direct", self._steps, switches=1)
        assert found is not None
        return found

    def candidates(self) -> list[Candidate]:
        """The choices for this level, the best first. Each start loses keys as long as that makes it cheaper."""
        direct = self.direct()
        starts = {
            "direct, fewer": {*self._steps},
            "signed digits": {centred(d, self.slots) for s in self._steps for d in _signed_digits(s)},
        }
        for base in _STARTS:
            starts[f"base {base}"] = {digit for steps in self._steps for digit in _digits(steps, base, self.slots)}
        found = [direct, *(self._fewer(one) for name, keys in starts.items() if (one := self._candidate(name, keys)))]
        distinct: dict[tuple[int, ...], Candidate] = {}
        for one in found:
            distinct.setdefault(one.keys, one)
        return sorted(distinct.values(), key=self.value)

    def _fewer(self, one: Candidate) -> Candidate:
        is_cheaper = 0 < len(one.keys) <= _SEARCHED
        while is_cheaper:
            is_cheaper = False
            for key in sorted(set(one.keys) - {CONJUGATION}, key=abs, reverse=True):
                other = self._candidate(one.name, set(one.keys) - {key, CONJUGATION}) if key in one.keys else None
                if other is not None and self.value(other) < self.value(one):
                    one, is_cheaper = other, True
        return one


def plan_of(params: Parameters, level: int, one: Candidate) -> KeyPlan:
    return KeyPlan(params.parms_id(), params.n, level, one.keys, one.paths)
