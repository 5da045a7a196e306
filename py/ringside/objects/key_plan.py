# SPDX-License-Identifier: Apache-2.0
"""Which rotation keys a program needs: few keys whose sums are its rotations, at the level where it rotates.

A server of stock SEAL takes keys of a lower level through a second context, whose primes are the first ones of the chain and the same special
prime: an id of ciphertexts is a hash of the primes that are left, so they move between the contexts as they are. Lattigo takes them beside the others.

Two levels (Lee et al., eprint 2022/532): the client makes few keys over one more prime P2. The special prime P of the program's ring counts as a prime
of data there, so a row of the program's keys is a ciphertext: (0, P) modulo one prime is a row of the key for no rotation, and rotated by the client's keys
it is one of a key for that rotation.

Costs are those of SEAL's and Lattigo's key switching, of as many primes to a digit as there are special ones (SEAL: Evaluator::switch_key_inplace,
KSwitchKeys::save; Lattigo: rlwe.Evaluator.DecomposeNTT, GadgetProduct).
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal, Self

import numpy as np

from ..errors import InputError, ParameterError
from ..native.library import lib
from .common.evaluation import derived_noise, rotation_error
from .common.params import CKKS, Parameters

CONJUGATION = 0
SWITCHES = 4  # how many key switches a rotation may take, unless the caller says otherwise
_STARTS = (4, 8, 16, 32, 64)  # bases of digits that a search begins with
_SEARCHED = 80  # keys from which some are taken away one by one
_TOPS = (2, 4, 16)  # bases of the keys from which a server derives the others
_DERIVED_WORSE = 1.5  # how much worse a rotation by a derived key may be than by a direct one
_SPECIAL_BITS = 13  # bits by which the special prime exceeds the others where derived keys do no harm in most rings
_UPPER_BITS = 8  # bits by which the prime of the client's keys exceeds the special prime
_COMPONENT_BYTES = 186  # what a component has in SEAL's file, beside its words
_KIND = "ringside key plan 1"

Target = Literal["seal", "lattigo"]
Rotations = Mapping[int, int]  # steps -> how often a run rotates by them
Groups = Mapping[str, Rotations]  # those that rotate the same ciphertext; "": each its own
Paths = dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class Costs:
    """A set at a level. special: its special primes, and primes to a digit. Work is counted in transforms of N points; a product of N words is
    2 / log2 N of one."""

    n: int
    limbs: int
    special: int = 1
    target: Target = "seal"

    @property
    def rows(self) -> int:
        """Of a key: one for each digit."""
        return -(-self.limbs // self.special)

    @property
    def key_bytes(self) -> int:
        """Bytes of a key in the library's file, uncompressed; SEAL's is seeded."""
        limbs = self.limbs + self.special
        if self.target == "seal":
            return self.rows * (8 * limbs * self.n + _COMPONENT_BYTES)
        return 40 + self.rows * (16 + 2 * (16 + limbs * (8 + 8 * self.n)))

    @property
    def decompose(self) -> float:
        """Work of the digits of a ciphertext, which rotations of the same one can share (hoisting)."""
        return self.limbs * (1 + self.rows)

    @property
    def apply(self) -> float:
        """Work of a key on digits: products, the special primes divided out."""
        limbs = self.limbs + self.special
        return 4 * self.rows * limbs / math.log2(self.n) + 2 * limbs

    @property
    def switch(self) -> float:
        """Work of a rotation by one key."""
        return self.decompose + self.apply


@dataclass(frozen=True)
class Derivation:
    """Keys that a server makes. prime: the further one, of the keys that are sent. wanted: for each derived key the tops that add up to it."""

    prime: int
    tops: tuple[int, ...]
    wanted: Paths


@dataclass(frozen=True)
class Candidate:
    """One choice of keys. transforms: a server's work for a run. once: and for the keys that it derives. longest: key switches of the longest rotation."""

    name: str
    keys: tuple[int, ...]
    paths: Paths
    bytes: int
    transforms: float
    longest: int
    once: float = 0.0
    derive: Derivation | None = None

    @property
    def sent(self) -> tuple[int, ...]:
        """What the client makes."""
        return self.keys if self.derive is None else self.derive.tops


@dataclass(frozen=True)
class KeyPlan:
    """What keygen makes, and how a server rotates with it. parms_id: of all moduli. level: where the program rotates."""

    parms_id: str
    n: int
    level: int
    target: Target
    keys: tuple[int, ...]
    paths: Paths
    derive: Derivation | None = None

    @property
    def sent(self) -> tuple[int, ...]:
        """What keygen makes."""
        return self.keys if self.derive is None else self.derive.tops

    def text(self) -> str:
        """As JSON."""
        return json.dumps({"kind": _KIND, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def of_text(cls, text: str | bytes, where: str) -> Self:
        """Reads strictly what `text` wrote: each path consists of keys, and leads to its rotation. InputError: it is none."""
        try:
            found = json.loads(text)
            given = found["derive"]
            derive = given and Derivation(given["prime"], tuple(given["tops"]), _read_paths(given["wanted"]))
            own = found["parms_id"], found["n"], found["level"], found["target"]
            plan = cls(*own, tuple(found["keys"]), _read_paths(found["paths"]), derive)
            if found == {"kind": _KIND, **json.loads(json.dumps(asdict(plan)))} and plan._leads():
                return plan
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            pass
        message = f"{where} is not a plan of keys, or was changed since."
        raise InputError("KEY_PLAN", message, "`ringside plan-keys … --out plan.json` writes one.")

    def _leads(self) -> bool:
        found, derive = [(self.keys, self.paths)], self.derive
        if derive is not None:
            found.append((derive.tops, derive.wanted))
            if (
                type(derive.prime) is not int
                or derive.prime >> lib.RS_MODULUS_BITS_MAX
                or {*self.keys} - {*derive.wanted}
            ):
                return False
        numbers = [self.n, self.level, *(one for keys, paths in found for one in keys + sum(paths.values(), ()))]
        if not all(type(one) is int and abs(one) < 1 << 17 for one in numbers) or self.n < 4 or self.level < 0:
            return False
        slots = self.n // 2
        return self.target in ("seal", "lattigo") and all(
            set(path) <= set(keys) and (path == (CONJUGATION,) if step == CONJUGATION else bool(path))
            and (sum(path) - step) % slots == 0
            for keys, paths in found for step, path in paths.items()
        )  # fmt: skip

    def check(self, params: Parameters) -> None:
        """ParameterError: it was made for other parameters."""
        is_derived = self.derive is not None and params.scheme != CKKS
        if self.parms_id != params.parms_id() or self.level > params.max_level or is_derived:
            message = "This plan of keys was made for other parameters."
            raise ParameterError("KEY_PLAN", message, "Make one for these: `ringside plan-keys --params SET …`.")

    def ring(self, params: Parameters) -> Parameters:
        """The parameters of the keys that keygen makes."""
        below = params.at_level(self.level)
        return below if self.derive is None else above(below, self.derive.prime)


def above(params: Parameters, prime: int) -> Parameters:
    """The set in which its special prime is the last one of data, and this one is special."""
    return Parameters.from_moduli(params.n, [*params.moduli, prime], security=0)


def upper_ring(params: Parameters, security: int) -> Parameters:
    """The set over one more prime whose keys derive keys for this one. ParameterError: it has none, or not this security (128 at most)."""
    if params.scheme != CKKS:
        message = f"Derived keys are for CKKS, and these are parameters of {params.scheme.upper()}."
        raise ParameterError("KEY_PLAN", message, "Leave out --two-levels.")
    special = max(params.moduli).bit_length()
    bits = min(special + _UPPER_BITS, lib.RS_MODULUS_BITS_MAX)
    if bits <= special:
        message = f"Keys from which a server derives others need a prime larger than the special one, which has {special} bits."
        raise ParameterError("KEY_PLAN", message, _instead(_SPECIAL_BITS))
    found = above(params, Parameters.from_bits(params.n, [bits], security=0).moduli[0])
    if found.security < min(security, 128):
        message = f"With the further prime of {bits} bits, N = {params.n} would have {found.total_bits} bits of moduli: not secure."
        raise ParameterError("RS_ERR_INSECURE", message, "Take fewer or smaller primes, or a larger N.")
    return found


def _instead(bits: int) -> str:
    """Primes with which derived keys do no harm, as a hint."""
    special = lib.RS_MODULUS_BITS_MAX - _UPPER_BITS
    return f"Take a special prime of at most {special} bits that has {bits} bits more than each of the others."


def _read_paths(given: Mapping[str, Sequence[int]]) -> Paths:
    return {int(step): tuple(path) for step, path in given.items()}


def centred(steps: int, slots: int) -> int:
    """The same rotation, by the fewest steps, from -slots/2 + 1 to slots/2."""
    steps %= slots
    return steps - slots if steps > slots // 2 else steps


def program_of(rotations: Iterable[tuple[int, int] | tuple[int, int, str]], slots: int) -> Groups:
    """(steps, count), or (steps, count, group) of rotations of one ciphertext, as a program. InputError: none is there, or one is out of range."""
    groups: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for steps, count, *group in rotations:
        if not -slots < steps < slots or count < 1:
            message = f"There is no rotation by {steps}, {count} times, of {slots} slots."
            raise InputError("RS_ERR_GALOIS", message, f"Steps lie between {1 - slots} and {slots - 1}, counts from 1.")
        groups["".join(group)][centred(steps, slots)] += count
    if not groups:
        raise InputError("RS_ERR_GALOIS", "There is no rotation to plan keys for.", "Give --rotations 1,2,4.")
    return groups


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
        found[steps] = tuple(reversed(path))
    return found


def _prefixes(paths: Iterable[Sequence[int]]) -> set[tuple[int, ...]]:
    """All that is computed on the way, the results among it."""
    return {tuple(path[:length]) for path in paths for length in range(1, len(path) + 1)}


class Planner:
    """The choices for a program on a set at a level. runs: of the program in the life of the keys. hoisted: the server decomposes a ciphertext once for all
    its rotations."""

    def __init__(
        self, costs: Costs, program: Groups, *, switches: int = SWITCHES, runs: int = 1000, hoisted: bool = False
    ) -> None:
        self.costs, self.program, self.switches, self._runs, self._hoisted = costs, program, switches, runs, hoisted
        self.slots = costs.n // 2
        self.worth = costs.key_bytes / (runs * costs.switch)
        self.rotations = sorted({steps for group in program.values() for steps in group})
        self._steps = [steps for steps in self.rotations if steps != CONJUGATION]

    def value(self, one: Candidate) -> float:
        """What a choice costs, in bytes."""
        return one.bytes + self.worth * (one.transforms + one.once / self._runs)

    def _work(self, paths: Paths) -> float:
        """A server's work for a run. Rotations of one ciphertext share what is the same on their way, and with hoisting its decomposition."""
        costs = self.costs
        work = costs.switch * sum(len(paths[steps]) * often for steps, often in self.program.get("", {}).items())
        for name, group in self.program.items():
            if not name:
                continue
            made: Counter[tuple[int, ...]] = Counter()
            opened: Counter[tuple[int, ...]] = Counter()
            for steps, often in group.items():
                for part in _prefixes([paths[steps]]):
                    made[part] = max(made[part], often)
                    opened[part[:-1]] = max(opened[part[:-1]], often)
            decomposed = opened if self._hoisted else made
            work += costs.apply * sum(made.values()) + costs.decompose * sum(decomposed.values())
        return work

    def _candidate(
        self, name: str, keys: Collection[int], costs: Costs | None = None, switches: int | None = None
    ) -> Candidate | None:
        """Without the keys that no rotation takes, but for `costs`: then all are made."""
        paths = self._paths(keys, switches or self.switches)
        if paths is None:
            return None
        used = {step for path in paths.values() for step in path} if costs is None else {CONJUGATION, *keys}
        total, longest = len(used) * (costs or self.costs).key_bytes, max(map(len, paths.values()))
        return Candidate(name, tuple(sorted(used)), paths, total, self._work(paths), longest)

    def _paths(self, keys: Collection[int], switches: int) -> Paths | None:
        paths = _paths(sorted(keys, key=lambda key: (abs(key), key)), self._steps, self.slots, switches)
        if paths is not None and CONJUGATION in self.rotations:
            paths[CONJUGATION] = (CONJUGATION,)
        return paths

    def derived(self, upper: Parameters) -> list[Candidate]:
        """The server derives a key for each rotation from few that the client makes over one more prime."""
        costs, direct = replace(self.costs, limbs=self.costs.limbs + 1), self.direct()
        found: dict[tuple[int, ...], Candidate] = {}
        for base in _TOPS:
            ups = [base**power for power in range(self.slots.bit_length()) if 2 * base**power <= self.slots]
            for name, tops in (
                (f"two levels, {base}", ups),
                (f"two levels, signed {base}", [*ups, *(-up for up in ups)]),
            ):
                wanted = self._paths({centred(top, self.slots) for top in tops}, self.slots)
                assert wanted is not None, "1 is among the tops"
                used = tuple(sorted({top for path in wanted.values() for top in path}))
                once = len(_prefixes(wanted.values())) * self.costs.rows * costs.switch
                derive = Derivation(upper.moduli[-1], used, wanted)
                total = len(used) * costs.key_bytes
                found.setdefault(used, replace(direct, name=name, bytes=total, once=once, derive=derive))
        return [*found.values()]

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

    def candidates(self, derived: Iterable[Candidate] = ()) -> list[Candidate]:
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
        return sorted([*distinct.values(), *derived], key=self.value)

    def _fewer(self, one: Candidate) -> Candidate:
        is_cheaper = 0 < len(one.keys) <= _SEARCHED
        while is_cheaper:
            is_cheaper = False
            for key in sorted(set(one.keys) - {CONJUGATION}, key=abs, reverse=True):
                other = self._candidate(one.name, set(one.keys) - {key, CONJUGATION}) if key in one.keys else None
                if other is not None and self.value(other) < self.value(one):
                    one, is_cheaper = other, True
        return one


def plan_of(params: Parameters, level: int, one: Candidate, target: Target = "seal") -> KeyPlan:
    return KeyPlan(params.parms_id(), params.n, level, target, one.keys, one.paths, one.derive)


def error_of(params: Parameters, level: int, one: Candidate) -> float | None:
    """What the worst slot of the longest rotation is off by. None: integers are exact. ParameterError: derived keys would be much worse than direct ones."""
    error = params.rotation_error(level=level) if params.scheme == CKKS else None
    if error is None or one.derive is None:
        return error and error * math.sqrt(one.longest)
    below = params.at_level(level)
    noisier = derived_noise(above(below, one.derive.prime), max(map(len, one.derive.wanted.values())))

    def off(noisier: float) -> float:
        return rotation_error(below, params.default_scale, noisier=noisier) or 0.0

    found = off(noisier)
    if found > _DERIVED_WORSE * error:
        message = f"A rotation by a derived key would be off by 2^{math.log2(found):.1f} in the worst slot, by a direct one by 2^{math.log2(error):.1f}."
        # a special prime of so many bits more divides both further
        bits = next(bits for bits in itertools.count(1) if off(noisier / 2**bits) <= _DERIVED_WORSE * off(0.5**bits))
        moduli = [q.bit_length() for q in below.moduli]
        raise ParameterError("KEY_PLAN", message, _instead(bits + moduli[-1] - max(moduli[:-1])))
    return found * math.sqrt(one.longest)
