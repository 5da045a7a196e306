# SPDX-License-Identifier: Apache-2.0
"""Our designs alone: area, clock, time and energy of an encryption, products of these, and which designs no other one beats."""

from .. import designs
from ..figures.command import ASIC_TARGET
from . import scope
from .layout import Bars, Grid, Ours, Page, PageItem, Pareto, Point, Section
from .measurement import Measurement, Status, derive
from .published import OWN, TableCell

KEY = OWN
OP, N = "encrypt-pk-direct", 4096
TEXT = (
    f"Standard cells of {ASIC_TARGET} (180 nm, typical corner), before layout. Every design at its own largest clock by static timing. "
    f"Memories are sized for the largest N of a design, and modelled (CACTI). Designs with a streaming unit, which are for FPGAs, and those for small "
    f"rings are left out. {scope.CELLS}"
)


def names_of() -> list[str]:
    """All that are made of standard cells, also a design of one's own that is put into the folder. Those that stream are for FPGAs; those that
    transform slices alone encrypt nothing."""
    found = {name: designs.load(name) for name in designs.names()}
    return [name for name, design in found.items() if not design.stream_lanes and design.slices == 1]


def page(ours: Ours) -> Page:
    names = names_of()
    mapped = [name for name in names if ours.asic(name, "kge").status is not Status.by_command]
    sections = [_cost(ours, mapped), _encryption(ours, mapped), _transform(ours, mapped)]
    rest = [name for name in names if name not in mapped]
    return Page(KEY, "Our designs", "Our designs", TEXT, [*sections, *([_cycles(ours, rest)] if rest else [])])


def _held(names: list[str]) -> str:
    """What areas are areas of, because memories are a large part."""
    most = max(designs.load(name).log_n_max for name in names)
    less = [(name, designs.load(name).log_n_max) for name in names if designs.load(name).log_n_max < most]
    others = ", ".join(f"those of {name} only {1 << log_n}" for name, log_n in less)
    held = f"Memories hold polynomials of {1 << most} words{f', {others}' if others else ''}."
    return f"{held} {_without_sampler(names)}".rstrip()


def _without_sampler(names: list[str]) -> str:
    without = ", ".join(name for name in names if not designs.load(name).slots)
    return f"Without a sampler, errors come from outside: {without}." if without else ""


def _cost(ours: Ours, names: list[str]) -> Section:
    rows: list[list[TableCell]] = []
    for name in names:
        design = designs.load(name)
        kge = ours.asic(name, "kge")
        cells, memories = (
            derive("mm²", "µm² / 10^6", lambda area: area / 1e6, ours.asic(name, figure))
            for figure in ("area_um2", "memory_um2")
        )
        fmax = ours.asic(name, "fmax_mhz")
        rows.append([name, str(design.lanes), str(1 << design.log_n_max), kge, cells, memories, ours.area(name), fmax])
    columns = [
        "design", "lanes", "largest N", "logic [kGE]", "logic [mm²]", "memories [mm²]", "total [mm²]", "Fmax [MHz]",
    ]  # fmt: skip
    return Section("Area and clock", [Grid("area", "Area and clock", columns, rows)])


def _at_fmax(ours: Ours, name: str, cycles: Measurement) -> Measurement:
    fmax = ours.asic(name, "fmax_mhz")
    return derive("µs", "cycles / Fmax", lambda count, clock: count / clock, cycles, fmax)


def _product(unit: str, what: str, one: Measurement, time: Measurement) -> Measurement:
    """time: µs; unit: with ms."""
    return derive(unit, f"{what} × time", lambda value, micros: value * micros / 1e3, one, time)


def _encryption(ours: Ours, names: list[str]) -> Section:
    rows: list[list[TableCell]] = []
    times, energies, adps, edps = [], [], [], []
    for name in names:
        cycles = ours.cycles(name, OP, N)
        time, area = _at_fmax(ours, name, cycles), ours.area(name)
        energy, power = ours.energy(name, "energy_uj"), ours.energy(name, "power_mw")
        logic = _product("kGE ms", "logic", ours.asic(name, "kge"), time)
        adp, edp = _product("mm² ms", "area", area, time), _product("µJ ms", "energy", energy, time)
        rows.append([name, cycles, time, power, energy, logic, adp, edp])
        times.append(Point(name, area, time))
        energies.append(Point(name, area, energy))
        adps.append(adp)
        edps.append(edp)
    columns = ["design", "cycles", "time [µs]", "power [mW]", "energy [µJ]", "logic × time [kGE ms]"]
    what = f"public-key encryption, N = {N}"
    return Section(
        f"Encryption by a public key, N = {N}, one limb of 30 bits",
        [
            Grid("encryption", "At Fmax", [*columns, "ADP: area × time [mm² ms]", "EDP: energy × time [µJ ms]"], rows),
            Pareto("pareto-time", f"Time and area: {what}", "area", "time", "mm²", "µs", times, _held(names)),
            Pareto("pareto-energy", f"Energy and area: {what}", "area", "energy", "mm²", "µJ", energies, _held(names)),
            Bars("adp", "Area-delay product", "mm² ms", names, [("ADP", adps)]),
            Bars("edp", "Energy-delay product", "µJ ms", names, [("EDP", edps)]),
        ],
        "From doorbell to interrupt, with sampling (not for race) and transfers, without encoding. Energy and power are of the same operation "
        "in gates, with the writes of its registers.",
    )


def _transform(ours: Ours, names: list[str]) -> Section:
    rows: list[list[TableCell]] = []
    points = []
    for name in names:
        cycles = ours.transform(name, N)
        time, area = _at_fmax(ours, name, cycles), ours.area(name)
        logic = _product("kGE ms", "logic", ours.asic(name, "kge"), time)
        rows.append([name, cycles, time, logic, _product("mm² ms", "area", area, time)])
        points.append(Point(name, area, time))
    columns = ["design", "cycles", "time [µs]", "logic × time [kGE ms]", "ADP: area × time [mm² ms]"]
    items: list[PageItem] = [
        Grid("transform", "At Fmax", columns, rows),
        Pareto(
            "pareto-transform", f"Time and area: transform, N = {N}", "area", "time", "mm²", "µs", points, _held(names)
        ),
    ]
    text = "From its start to its last write; the area is that of the whole design, which does much more."
    return Section(f"Transform alone, N = {N}", items, text)


def _cycles(ours: Ours, names: list[str]) -> Section:
    """Cycles of designs that nobody has mapped."""
    rows: list[list[TableCell]] = []
    for name in names:
        design = designs.load(name)
        sizes = [str(design.lanes), str(design.word_bits), str(1 << design.log_n_max)]
        rows.append([name, *sizes, ours.cycles(name, OP, N), ours.transform(name, N)])
    columns = ["design", "lanes", "bits of a word", "largest N", "encryption [cycles]", "transform [cycles]"]
    return Section(
        "Designs that are not mapped",
        [Grid("cycles", f"Cycles alone, N = {N}", columns, rows, _without_sampler(names))],
        f"Nobody has recorded their cells. Beyond {scope.MAPPED_BITS} bits of lanes mapping takes hours.",
    )
