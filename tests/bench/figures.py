# SPDX-License-Identifier: Apache-2.0
"""The arithmetic: what samples come to, ratios, and whether a bar is reached. No input or output."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.plan import BARS, BYTES, MEMORY, PEAK, SPEED, Bar

MET, MISSED, ABSENT = "met", "missed", "absent"
CLOCKS = ("cpu", "wall")


@dataclass
class Samples:
    """Nanoseconds per call of one operation of one peer on one set: round after round, by clock."""

    cpu: list[list[float]] = field(default_factory=list)
    wall: list[list[float]] = field(default_factory=list)
    bytes: int = 0

    def rounds(self, clock: str = "cpu") -> list[float]:
        """Median of each round."""
        return [statistics.median(samples) for samples in getattr(self, clock)]

    def median(self, clock: str = "cpu") -> float:
        """Median of the rounds' medians: what every table shows."""
        return statistics.median(self.rounds(clock))

    def least(self, clock: str = "cpu") -> float:
        rounds: Sequence[Sequence[float]] = getattr(self, clock)
        return min(min(samples) for samples in rounds)

    def spread(self, clock: str = "cpu") -> float:
        """Half the distance between the quartiles of the rounds' medians, over the median. 0 for a single round."""
        rounds = self.rounds(clock)
        if len(rounds) < 2:
            return 0.0
        low, _, high = statistics.quantiles(rounds, n=4, method="inclusive")
        return (high - low) / 2 / self.median(clock)

    def summary(self) -> dict[str, float | int]:
        out: dict[str, float | int] = {"rounds": len(self.cpu), "samples": sum(map(len, self.cpu)), "bytes": self.bytes}
        for clock in CLOCKS:
            out[f"{clock}_ns_median"] = round(self.median(clock), 1)
            out[f"{clock}_ns_min"] = round(self.least(clock), 1)
            out[f"{clock}_spread"] = round(self.spread(clock), 4)
        return out

    def less(self, overhead: Samples) -> Samples:
        """Without what the binding alone costs, round by round; never below a hundredth of what was measured."""
        out = Samples(bytes=self.bytes)
        for clock in CLOCKS:
            pairs = zip(getattr(self, clock), overhead.rounds(clock), strict=False)
            setattr(out, clock, [[max(t - cost, t / 100) for t in samples] for samples, cost in pairs])
        return out


def ratio(ours: Samples, theirs: Samples, clock: str = "cpu") -> float:
    """How many times faster we are: the median over the rounds of (their median / our median) in that round."""
    pairs = zip(ours.rounds(clock), theirs.rounds(clock), strict=False)
    return statistics.median(them / us for us, them in pairs)


@dataclass
class Results:
    """Everything that was measured. Keys: (set, operation, peer), (set, peer); `absent` says why something is not there.

    raw: with the cost of a binding that was taken off in `times`.
    """

    times: dict[tuple[str, str, str], Samples] = field(default_factory=dict)
    raw: dict[tuple[str, str, str], Samples] = field(default_factory=dict)
    memory: dict[tuple[str, str], int] = field(default_factory=dict)
    peaks: dict[tuple[str, str], int] = field(default_factory=dict)  # Ringside's, by set and operation
    absent: dict[tuple[str, str, str], str] = field(default_factory=dict)
    peers_absent: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Mapping[str, object]] = field(default_factory=dict)

    def why_absent(self, set_: str, op: str, peer: str) -> str:
        if peer in self.peers_absent:
            return f"{peer}: {self.peers_absent[peer]}"
        return f"{peer}: {self.absent.get((set_, op, peer), 'not asked for')}"


@dataclass(frozen=True)
class Verdict:
    """got: the ratio that the bar is about. short: by what part it misses the bar, 0 if it does not. beside: see Bar."""

    bar: Bar
    set: str
    outcome: str
    got: float = 0.0
    short: float = 0.0
    beside: float | None = None
    reason: str = ""


def judge_speed(results: Results, bar: Bar, set_: str) -> Verdict:
    ours, theirs = results.times.get((set_, bar.op, bar.ours)), results.times.get((set_, bar.other_op, bar.peer))
    if ours is None:
        return Verdict(bar, set_, ABSENT, reason=results.why_absent(set_, bar.op, bar.ours))
    if theirs is None:
        return Verdict(bar, set_, ABSENT, reason=results.why_absent(set_, bar.other_op, bar.peer))
    # threads share the work: what they save is time on the wall, not of the processor
    clock = "wall" if bar.peer == bar.ours else "cpu"
    got = ratio(ours, theirs, clock)
    other = results.times.get((set_, bar.beside, bar.ours))
    beside = ratio(other, theirs, clock) if other else None
    return Verdict(bar, set_, MET if got >= bar.value else MISSED, got, max(0.0, 1 - got / bar.value), beside)


def judge_size(results: Results, bar: Bar, set_: str) -> Verdict:
    sizes = []
    for peer in (bar.ours, bar.peer):
        if bar.kind == MEMORY:
            size = results.memory.get((set_, peer), 0)
        else:
            samples = results.times.get((set_, bar.op, peer))
            size = samples.bytes if samples else 0
        if size <= 0:
            op = "session" if bar.kind == MEMORY else bar.op
            return Verdict(bar, set_, ABSENT, reason=results.why_absent(set_, op, peer))
        sizes.append(size)
    got = sizes[0] / sizes[1]
    return Verdict(bar, set_, MET if got <= bar.value else MISSED, got, max(0.0, got / bar.value - 1))


def judge_peak(results: Results, bar: Bar, set_: str) -> Verdict:
    size = results.peaks.get((set_, bar.op))
    if size is None:
        return Verdict(bar, set_, ABSENT, reason=results.why_absent(set_, bar.op, bar.ours))
    got = size / 2**20
    return Verdict(bar, set_, MET if got <= bar.value else MISSED, got, max(0.0, got / bar.value - 1))


def judge(results: Results, sets: Sequence[str], bars: Sequence[Bar] = BARS) -> list[Verdict]:
    """Every bar on every set of it that was asked for."""
    how = {SPEED: judge_speed, MEMORY: judge_size, BYTES: judge_size, PEAK: judge_peak}
    return [how[bar.kind](results, bar, set_) for bar in bars for set_ in bar.sets if set_ in sets]


def transform_work(n: int) -> tuple[int, int]:
    """The work of one NTT of N words of 8 bytes: modular multiplications, N/2 log2 N; and the bytes that have to move at least once,
    data in and out and one root with its quotient per butterfly group (N of each)."""
    return n // 2 * (n.bit_length() - 1), 32 * n
