# SPDX-License-Identifier: Apache-2.0
"""What a page consists of, before it is HTML, CSV or a picture; and the numbers of ours that papers ask for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..figures import command, systems
from ..figures.command import BATCH, BENCH, FRAMES
from ..sim.options import ALONE
from .measurement import REPORT, Kind, Measurement, Status, derive, missing
from .published import Paper, TableCell


@dataclass(frozen=True)
class Grid:
    """A table. rows: as many cells as columns. folded: shown when asked for."""

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    note: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Bars:
    """A bar chart: for each group one bar of every series."""

    key: str
    title: str
    unit: str
    groups: Sequence[str]
    series: Sequence[tuple[str, Sequence[Measurement]]]
    note: str = ""
    log: bool = False


@dataclass(frozen=True)
class Point:
    name: str
    x: Measurement
    y: Measurement


@dataclass(frozen=True)
class Pareto:
    """Points of which less is better, in both directions: those that no other one beats are joined. x, y: what they are."""

    key: str
    title: str
    x: str
    y: str
    x_unit: str
    y_unit: str
    points: Sequence[Point]
    note: str = ""

    @property
    def placed(self) -> list[tuple[Point, float, float]]:
        """Points that have a place on logarithmic axes."""
        both = [(point, point.x.value, point.y.value) for point in self.points]
        return [(point, x, y) for point, x, y in both if x is not None and y is not None and x > 0 and y > 0]

    @property
    def front(self) -> list[Point]:
        """Points that no other one beats, by being smaller in one direction and not larger in the other. By x."""
        placed = sorted(self.placed, key=lambda one: one[1:])

        def beaten(x: float, y: float) -> bool:
            return any((a, b) != (x, y) and a <= x and b <= y for _, a, b in placed)

        return [point for point, x, y in placed if not beaten(x, y)]


PageItem = Grid | Bars | Pareto


@dataclass(frozen=True)
class Section:
    title: str
    items: Sequence[PageItem]
    text: str = ""


class Terms(StrEnum):
    """How like the two sides of a comparison are, and so how sure it is."""

    equal = "equal terms"
    near = "near terms"
    other = "other terms"


@dataclass(frozen=True)
class Headline:
    """A comparison that stands for a paper. better: how many times ours is as good. why: what is alike, and what is not."""

    what: str
    printed: Measurement
    ours: Measurement
    better: Measurement
    terms: Terms
    why: str


@dataclass(frozen=True)
class Page:
    """A paper beside ours, or our designs alone. key: also the name of its folder; text: below its title. headlines: for the top of the report."""

    key: str
    short: str
    title: str
    text: str
    sections: Sequence[Section]
    headlines: Sequence[Headline] = ()


@dataclass(frozen=True)
class Ours:
    """Our figures: of a command's answer the one at a path. clock: MHz that cycles are turned into time with, where nothing better is known."""

    ask: Callable[..., Measurement]  # as Questions.ask
    clock: float

    def cycles(self, design: str, op: str, n: int, limbs: int = 1, bits: int = 30) -> Measurement:
        """Cycles from doorbell to interrupt, transfers included."""
        return self.ask(command.cycles(design, op, n, limbs, bits), "cycles")

    def batch(self, design: str, params: str, path: str = "cycles_per_frame", op: str = "encrypt-pk") -> Measurement:
        """Cycles of a frame among many in a program, of which a streaming unit encrypts and lanes decrypt, all limbs of a named set."""
        return self.ask(command.cycles(design, op, params=params, frames=BATCH), path)

    def frame(self, design: str, op: str, n: int, limbs: int = 1, bits: int = 30, first: bool = False) -> Measurement:
        """Cycles from slots to ciphertext or back, of the first frame of a call, or of a further one; transfers included."""
        asked = command.cycles(design, op, n, limbs, bits, frames=FRAMES)
        return self.ask(asked, "cycles" if first else "cycles_per_frame")

    def system(self, design: str, op: str, n: int, limbs: int, path: str = "cycles") -> Measurement:
        """Cycles on a SoC, of a later frame, in the core if it encodes; 30-bit primes. design: none is the processor alone."""
        return self.ask(systems.best(systems.ShownSystem(design, op, n, limbs)), path)

    def system_core(self, design: str, op: str, n: int, limbs: int) -> Measurement:
        """The core's part of them."""
        return self.system(design, op, n, limbs, "stages.core.cycles")

    def transform(self, design: str, n: int, bits: int = 30) -> Measurement:
        """The NTT alone, from its start to its last write."""
        return self.ask(command.cycles(design, "ntt", n, 1, bits), "units.COMPUTE.busy")

    def scheme_transform(self, design: str, log_size: int, path: str = "transform") -> Measurement:
        """The NTT of a scheme with polynomials of that size, modulo its prime: from its start to its last write, or "cycles" with LOAD and STORE."""
        return self.ask(command.cycles(design, "ntt", log_size=log_size), path)

    def scheme_on_core(self, design: str, op: str) -> Measurement:
        """Cycles of an operation of ML-KEM or ML-DSA on a design with fields, all programs."""
        return self.ask(command.cycles(design, op), "cycles")

    def scheme_system(self, design: str, op: str, path: str = "cycles") -> Measurement:
        """Of a second call of ML-KEM or ML-DSA on a SoC, from arguments to results. design: none is the processor alone."""
        return self.ask(command.soc_run(design, op, frames=2), path)

    def scheme(self, op: str, path: str, design: str = ALONE, runs: int = 1, divider: int = 1) -> Measurement:
        """Of an operation of a scheme on the SoC's processor; design: kernels on its core, whose clock is the processor's by `divider`."""
        return self.ask(command.soc_profile(op, design, runs, divider), path)

    def kernel(self, op: str, name: str, design: str = ALONE, runs: int = 1, divider: int = 1) -> Measurement:
        """Cycles of one of its kernels; 0, if it has none of that name."""
        return self.ask(command.soc_profile(op, design, runs, divider), f"kernels.{name}.cycles", 0)

    def time(self, cycles: Measurement, unit: str = "ms", clock: float = 0) -> Measurement:
        clock = clock or self.clock
        per_second = {"ms": 1e3, "µs": 1e6}[unit]
        return derive(unit, f"cycles at {clock:g} MHz", lambda count: count / (clock * 1e6) * per_second, cycles)

    def rate(self, cycles: Measurement, clock: float = 0) -> Measurement:
        clock = clock or self.clock
        return derive("1/s", f"{clock:g} MHz / cycles", lambda count: clock * 1e6 / count, cycles)

    def resource(self, design: str, figure: str, device: str = "", part: str = "") -> Measurement:
        """device: of the vendor's newer family, with its large memories; none: 7 series. part: a module of the design alone."""
        path = f"blocks.{part}.total.{figure}" if part else f"{figure}.value"
        return self.ask(command.synth(design, device), path)

    def bram(self, design: str, device: str = "", part: str = "") -> Measurement:
        """Blocks of 36 Kbit; two of 18 Kbit are one."""
        halves = (self.resource(design, "bram36", device, part), self.resource(design, "bram18", device, part))
        return derive("BRAM36", "BRAM36 + BRAM18 / 2", lambda full, half: full + half / 2, *halves)

    def asic(self, design: str, figure: str) -> Measurement:
        return self.ask(command.asic(design), figure)

    def energy(self, design: str, figure: str) -> Measurement:
        return self.ask(command.asic(design, energy=True), f"energy.{figure}")

    def area(self, design: str) -> Measurement:
        """Cells and memories."""
        parts = (self.asic(design, "area_um2"), self.asic(design, "memory_um2"))
        return derive("mm²", "cells + memories", lambda cells, memories: (cells + memories) / 1e6, *parts)

    def processor_area(self) -> Measurement:
        """Area of the SoC's processor, without a core; caches included."""
        asked = command.line("soc area", target=command.ASIC_TARGET)
        parts = (self.ask(asked, "area_um2"), self.ask(asked, "memory_um2"))
        return derive("mm²", "cells + caches", lambda cells, memories: (cells + memories) / 1e6, *parts)

    def processor_power(self, op: str, figure: str) -> Measurement:
        """Energy of the SoC's processor while it does that alone, N = 1024, at the clock `clock_mhz`."""
        return self.ask(command.line("soc energy", op=op, n=1024, limbs=1, bits=30), f"energy.{figure}")

    def processor(self, params: str, operation: str, who: str) -> Measurement:
        """Operations per second of a processor. who: a peer's name in build/bench.json, "ringside" or "seal-hexl"."""
        return self.ask(BENCH, f"{params}.{operation}.{who}.rate")

    def evaluator(self, sbox: str, switching: str, figure: str, *, aes: bool = False) -> Measurement:
        """LTV at full size on one core of a processor. aes: AES on its ciphertexts."""
        options = {"ring": 65535, "sbox": sbox, "key_switching": switching, "skip_aes": not aes}
        return self.ask(command.line("ltv time", **options), figure)

    def evaluator_core(self, design: str, op: str, batch: int, hybrid: bool, path: str) -> Measurement:
        """A product or a relinearisation of LTV at full size on a design."""
        options = {"op": op, "batch": batch if batch > 1 else None, "hybrid": hybrid}
        return self.ask(command.line("ltv cycles", design, **options), path)

    def evaluator_busy(self, design: str, op: str, batch: int, hybrid: bool) -> Measurement:
        """Of the time the share in which lanes work."""
        busy = self.evaluator_core(design, op, batch, hybrid, "lanes_busy")
        return derive("%", "100 × lanes_busy", lambda found: 100 * found, busy)

    @staticmethod
    def bound(n: int, lanes: int) -> Measurement:
        """Cycles of a transform, if every butterfly unit were busy in every cycle."""
        return Measurement(
            n * (n.bit_length() - 1) / 2 / lanes, "cycles", Kind.modelled, REPORT, f"N/2 log2 N / {lanes} lanes"
        )

    @staticmethod
    def lacking(unit: str, source: str, detail: str, phrase: str) -> Measurement:
        """Something that a design cannot do, or has no command for. phrase: that in a few words."""
        return missing(Status.not_built, unit, Kind.measured, REPORT, source, detail, phrase)


def ratio(ours: Measurement, theirs: Measurement) -> Measurement:
    """How much smaller ours is."""
    return derive("×", "paper / ours", lambda mine, printed: printed / mine, ours, theirs)


def share(ours: Measurement, theirs: Measurement) -> Measurement:
    """How much larger ours is."""
    return derive("×", "ours / paper", lambda mine, printed: mine / printed, ours, theirs)


def as_printed(paper: Paper) -> Section:
    """All that is published, as it stands in the paper."""
    grids = [
        Grid(
            f"printed-{table.key}",
            f"{table.title} ({table.where})",
            [column.head for column in table.columns],
            [[row[column.key] for column in table.columns] for row in table.rows],
            table.caveat,
            folded=True,
        )
        for table in paper.tables.values()
    ]
    facts: list[list[TableCell]] = [[f"{what} [{value.unit}]", value] for what, value in paper.facts.values()]
    facts += [[what, value] for what, value in paper.lost]
    if facts:
        grids.append(Grid("printed-facts", "Other figures", ["what", "value"], facts, folded=True))
    return Section("As printed", grids, paper.text)
