# SPDX-License-Identifier: Apache-2.0
"""First-order probing security of a pipeline with glitches and transitions: each net, exactly, or it is open.

A probe on a net sees all flip-flops and inputs in its combinational cone, with transitions in this cycle and in the
one before. They are functions of shares, fresh bits and public bits that came some cycles ago. Three rules, none of
which loses anything:

1. A function with a free bit as a term, which stands nowhere else, says nothing: it is dropped. Fresh bits are free,
   and so is a share while the other one of its secret is not there.
2. A free bit that stands in sums with the same other terms alone takes the place of such a sum: adding them to it is
   a bijection.
3. Where no secret is left with both shares, the probe is secure.

What the rules leave falls into parts without common variables or secrets, each of which is counted for all values.
With more than `limit` bits it is open.

A net within a larger cone is not looked at itself, since the larger one sees more; nor is a net that sees one
flip-flop alone, since what comes to that one saw more a cycle before.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from masking.algebra import ONE, ZERO, Algebra, Sum, Values
from masking.netlist import Net, Netlist

LIMIT = 20  # bits whose values are counted
DEPTH = 400  # cycles that a pipeline may have
FRAMES = 100_000  # a value is a recursion through all cycles before
XOR, AND, OR, NOT = ("$_XOR_", "$_XNOR_"), ("$_AND_", "$_NAND_", "$_ANDNOT_"), ("$_OR_", "$_NOR_", "$_ORNOT_"), "$_NOT_"


@dataclass(frozen=True)
class Ports:
    """What inputs are; those that are not named are public. Of a shared one the upper half is share 1.

    shared: Boolean shares of a number below this, 0: of bits; additive: shares modulo this; fresh: uniform bits;
    residues: uniform numbers below this, side by side. schedule: the value of a public input by its age in cycles,
    which opens loops. lemma: registers whose inputs are not looked at.
    """

    shared: Mapping[str, int] = field(default_factory=dict)
    additive: Mapping[str, int] = field(default_factory=dict)
    fresh: tuple[str, ...] = ("rand_i",)
    residues: Mapping[str, int] = field(default_factory=dict)
    schedule: Mapping[str, Callable[[int], bool]] = field(default_factory=dict)
    lemma: tuple[str, ...] = ()


@dataclass
class Result:
    """probes: nets; cones: different ones that were looked at; leaks and opens: names of nets."""

    probes: int
    cones: int = 0
    counted: int = 0
    lemmas: int = 0
    leaks: list[str] = field(default_factory=list)
    opens: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        return "FAIL" if self.leaks else "OPEN" if self.opens else "PASS"


@dataclass
class Word:
    """Bits that came in one cycle and belong together: for each share its variables. below: what the number is
    below, 0: a bit."""

    below: int
    additive: bool
    shares: list[list[int]]

    def __post_init__(self) -> None:
        self.masks = [sum(1 << v for v in share) for share in self.shares]


class Check:
    def __init__(self, netlist: Netlist, ports: Ports, transitions: bool = True, limit: int = LIMIT) -> None:
        self.netlist, self.ports, self.limit = netlist, ports, limit
        self.ages = (0, 1) if transitions else (0,)
        self.algebra = Algebra()
        self.variables: list[tuple[Net, int]] = []
        # variables: fresh bits, Boolean shares, and of these share 0 of a bit, which has share 1 behind it
        self.fresh = self.boolean = self.firsts = 0
        self.bound = 0  # variables that are never free: additive shares, residues, public ones
        self.of: dict[int, Word] = {}  # by variable
        self.numbers: list[Word] = []  # those that are no single bits
        self._values: dict[tuple[Net, int], Sum] = {}
        self._cones: dict[Net, frozenset[Net]] = {}
        self.inputs = {
            net: (name, place)
            for name, nets in netlist.ports.items()
            if name not in netlist.outputs
            for place, net in enumerate(nets)
        }
        self.timed = self._timed()

    # ---- values -----------------------------------------------------------------------------------------------------
    def _timed(self) -> set[Net]:
        """Nets that depend on inputs with a schedule alone."""
        found: set[Net] = {"0", "1", "x"}
        found |= {net for net, (name, _) in self.inputs.items() if name in self.ports.schedule}
        sources: dict[Net, tuple[Net, ...]] = {net: ins for net, (_, ins) in self.netlist.gates.items()}
        sources |= {net: (source,) for net, source in self.netlist.registers.items()}
        before = 0
        while len(found) != before:
            before = len(found)
            found |= {net for net, ins in sources.items() if found.issuperset(ins)}
        return found

    def value(self, net: Net, age: int) -> Sum:
        """What the net was `age` cycles ago."""
        if isinstance(net, str):
            return ONE if net == "1" else ZERO
        key = net, age
        if key not in self._values:
            if age > DEPTH:
                raise ValueError(f"{self.netlist.names[net]}: a loop that no schedule opens")
            if net in self.netlist.registers:
                self._values[key] = self.value(self.netlist.registers[net], age + 1)
            elif net in self.netlist.gates:
                value = self._gate(*self.netlist.gates[net], age)
                bound = not self.algebra.support(value) & ~self.bound
                self._values[key] = self.algebra.wrapped(value) if bound else value
            else:
                self._values[key] = self._input(net, age)
        return self._values[key]

    def _gate(self, kind: str, ins: tuple[Net, ...], age: int) -> Sum:
        product = self.algebra.product
        if kind == "$_MUX_":
            choice = self.value(ins[2], age)
            if choice in (ZERO, ONE):
                return self.value(ins[choice == ONE], age)
            first = self.value(ins[0], age)
            return first ^ product(choice, first ^ self.value(ins[1], age))
        turned = ONE if kind in ("$_XNOR_", "$_NAND_", "$_NOR_", NOT) else ZERO
        if kind == NOT or kind == "$_BUF_":
            return turned ^ self.value(ins[0], age)
        if kind in XOR:
            return turned ^ self.value(ins[0], age) ^ self.value(ins[1], age)
        if kind not in AND + OR:
            raise ValueError(f"a gate of kind {kind}")
        # a OR b is NOT (NOT a AND NOT b)
        flips = [ONE if kind in OR else ZERO, ONE if kind in ("$_OR_", "$_NOR_", "$_ANDNOT_") else ZERO]
        result = ONE
        for net, flip in sorted(zip(ins, flips, strict=True), key=lambda pair: pair[0] not in self.timed):
            if result:  # else the other operand does not matter
                result = product(result, flip ^ self.value(net, age))
        return turned ^ result ^ (ONE if kind in OR else ZERO)

    def _input(self, net: Net, age: int) -> Sum:
        name, place = self.inputs[net]
        if name in self.ports.schedule:
            return ONE if self.ports.schedule[name](age) else ZERO
        self._make(name, place, age)
        return self._values[net, age]

    def _make(self, name: str, place: int, age: int) -> None:
        """Variables for a bit of an input and for what belongs to the same word: its other bits and shares."""
        nets, ports = self.netlist.ports[name], self.ports
        half, places, below, count = len(nets) // 2, [place], 0, 0
        if name in ports.residues:
            below, count = ports.residues[name], 1
            size = (below - 1).bit_length()
            places = list(range(place - place % size, place - place % size + size))
        elif name in ports.additive or name in ports.shared:
            below, count = ports.additive.get(name, 0) or ports.shared[name], 2
            places = list(range(2 * half)) if below else [place % half, place % half + half]
        numbers = list(range(len(self.variables), len(self.variables) + len(places)))
        for number, at in zip(numbers, places, strict=True):
            self.variables.append((nets[at], age))
            self._values[nets[at], age] = _bit(number)
            self.fresh |= (name in ports.fresh) << number
        if count:
            size = len(places) // count
            word = Word(below, name in ports.additive, [numbers[k : k + size] for k in range(0, len(places), size)])
            self.of |= dict.fromkeys(numbers, word)
            if below:
                self.numbers.append(word)
            else:
                self.firsts |= 1 << numbers[0]
            if count == 2 and not word.additive:
                self.boolean |= _union(word.masks)
        self.bound |= _union(1 << number for number in numbers) & ~self.fresh & ~self.boolean

    # ---- rules ------------------------------------------------------------------------------------------------------
    def exposed(self, seen: int) -> int:
        """Of these variables the shares of words of which both shares are among them; of those that are no numbers
        bit by bit."""
        pairs = seen & seen >> 1 & self.firsts
        found = pairs | pairs << 1
        for word in self.numbers:
            if len(word.shares) == 2 and all(seen & mask for mask in word.masks):
                found |= seen & _union(word.masks)
        return found

    def free(self, seen: int) -> int:
        """Variables that are uniform and independent of all others and of the secrets, as far as these are seen."""
        return seen & (self.fresh | self.boolean & ~self.exposed(seen))

    def _dropped(self, functions: set[Sum]) -> set[Sum]:
        """By rule 1."""
        masks = self.algebra.masks
        while True:
            once = twice = 0
            for f in functions:
                support = self.algebra.support(f)
                twice |= once & support
                once |= support
            free = self.free(once) & ~twice
            kept = {f for f in functions if not masks(f)[0] & ~masks(f)[1] & free}
            if len(kept) == len(functions):
                return kept
            functions = kept

    def _simplified(self, functions: set[Sum]) -> set[Sum] | None:
        """By rule 2, once; None: it does not apply."""
        seen = _union(self.algebra.support(f) for f in functions)
        free, common = self.free(seen), dict[int, Sum]()
        for f in self.algebra.sums(functions, free):
            for number in _members(self.algebra.masks(f)[0] & free):
                common[number] = common[number] & f if number in common else f
        for number, sum_ in common.items():
            more = sum_ - {2 * number + 1, 0}
            if more and not self.algebra.support(more) >> number & 1:
                done: dict[int, Sum] = {}
                return {self.algebra.replaced(f, number, more, done) for f in functions}
        return None

    def secure(self, functions: Iterable[Sum], result: Result) -> bool | None:
        """None: open."""
        left: set[Sum] | None = set(functions)
        while left is not None:
            now = self._dropped({f - ONE for f in left} - {ZERO})
            if not self.exposed(_union(self.algebra.support(f) for f in now)):
                return True
            left = self._simplified(now)
        result.counted += 1
        answers = [self._count(part) for part in self._parts(now)]
        return False if False in answers else None if None in answers else True

    # ---- counting ---------------------------------------------------------------------------------------------------
    def _whole(self, support: int) -> int:
        """With what belongs to the same words."""
        for number in _members(support):
            if number in self.of:
                support |= _union(self.of[number].masks)
        return support

    def _parts(self, functions: Iterable[Sum]) -> Iterator[list[Sum]]:
        """Functions that have common variables, or variables of one word."""
        parts: list[tuple[int, list[Sum]]] = []
        for f in functions:
            support, members = self._whole(self.algebra.support(f)), [f]
            for part in [part for part in parts if part[0] & support]:
                parts.remove(part)
                support, members = support | part[0], members + part[1]
            parts.append((support, members))
        for _, members in parts:
            yield members

    def _count(self, functions: list[Sum]) -> bool | None:
        """Whether what is seen, public bits included, has one distribution for all secrets."""
        support = self._whole(_union(self.algebra.support(f) for f in functions))
        if support.bit_count() > self.limit:
            return None
        numbers = list(_members(support))
        values = Values(self.algebra, numbers)
        words = {id(self.of[number]): self.of[number] for number in numbers if number in self.of}.values()
        possible = np.ones(1 << len(numbers), bool)
        secret, base = np.zeros(1 << len(numbers), np.int64), 1
        for word in words:
            shares = [values.number(map(_bit, share)) for share in word.shares]
            if word.additive or len(shares) == 1:
                for share in shares:
                    possible &= share < word.below
            if len(shares) == 1:
                continue
            number = sum(shares) % word.below if word.additive else shares[0] ^ shares[1]
            if word.below and not word.additive:
                possible &= number < word.below
            secret += base * number
            base <<= len(word.shares[0])
        public = [_bit(n) for n in numbers if n not in self.of and not self.fresh >> n & 1]
        seen = values.number([*functions, *public])
        _, observed = np.unique(seen[possible], return_inverse=True)
        _, chosen = np.unique(secret[possible], return_inverse=True)
        width = int(chosen.max()) + 1
        table = np.bincount(observed * width + chosen, minlength=(int(observed.max()) + 1) * width).reshape(-1, width)
        return bool((table == table[:, :1]).all())

    # ---- probes -----------------------------------------------------------------------------------------------------
    def cone(self, net: Net) -> frozenset[Net]:
        """The flip-flops and inputs that it comes from."""
        if net not in self._cones:
            if isinstance(net, str):
                self._cones[net] = frozenset()
            elif net in self.netlist.gates:
                self._cones[net] = frozenset().union(*map(self.cone, self.netlist.gates[net][1]))
            else:
                self._cones[net] = frozenset([net])
        return self._cones[net]

    def run(self) -> Result:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, FRAMES))
        try:
            return self._run()
        finally:
            sys.setrecursionlimit(before)

    def _run(self) -> Result:
        result = Result(len(self.netlist.gates) + len(self.netlist.registers))
        ends = defaultdict[frozenset[Net], list[str]](list)
        names = self.netlist.names
        for register, source in self.netlist.registers.items():
            if names[register].partition("[")[0].rpartition(".")[2] in self.ports.lemma:
                result.lemmas += 1
            else:
                ends[self.cone(source)].append(names[register])
        for name in self.netlist.outputs:
            for place, net in enumerate(self.netlist.ports[name]):
                ends[self.cone(net)].append(f"{name}[{place}]")
        for cone, seen_by in ends.items():
            if len(cone) == 1 and not cone & self.inputs.keys():
                continue
            result.cones += 1
            secure = self.secure((self.value(net, age) for net in cone for age in self.ages), result)
            if not secure:
                (result.opens if secure is None else result.leaks).extend(seen_by)
        return result


def _members(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def _bit(number: int) -> Sum:
    """The function that a variable is."""
    return frozenset([2 * number + 1])
