# SPDX-License-Identifier: Apache-2.0
"""Output of `ringside synth` for FPGAs."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ...designs import Design
from ...errors import DeviceError
from ..common.output import note, print_facts, print_json, print_table, progress_bar, report_error
from ..common.places import PICTURES, output

if TYPE_CHECKING:
    from ...synth.chips import Device
    from ...synth.ecp5 import Routed
    from ...synth.resources import FpgaReport
    from ...synth.yosys import Family, Resources


def report(design: Design, target: str, device: str, *, quick: bool, json: bool, layout: Path | None = None) -> None:
    """quick: without place and route. layout: picture of the placed cells. If the design does not fit or a tool stops, what is known is printed and the exit code is 3."""
    from ...synth import chips, ecp5, yosys
    from ...synth.resources import synthesise

    family = yosys.FAMILIES[target]
    chosen = chips.find(device, family.name)
    if chosen and chosen.uram:
        family = yosys.with_ultra_ram(family)
    with progress_bar("Synthesising parts") as progress:
        found = synthesise(design, progress, family)
    excess = chips.excess(found.total, chosen) if chosen else {}
    routed, problem = None, _too_large(design, chosen, family, excess) if chosen and excess else None
    if family is yosys.ECP5 and chosen and not quick and not problem:
        try:
            with progress_bar(
                "Placing and routing, per cent", "a quarter of an hour for a core of two lanes"
            ) as progress:

                def told(what: str) -> None:
                    note(what)
                    progress(ecp5.DONE_BY[what], 100)

                routed = ecp5.place_and_route(design, chosen, told)
        except DeviceError as error:
            problem = error
    if layout is not None and chosen and not problem:
        try:
            _draw(design, chosen, layout)
        except DeviceError as error:
            problem = error
    if json:
        print_json(_as_json(found, chosen, excess, routed, problem))
    else:
        _print(design, found, chosen, routed)
    if problem:
        raise typer.Exit(report_error(problem, as_json=False))


def _draw(design: Design, device: Device, layout: Path) -> None:
    from ...synth import ecp5
    from ...synth import layout as picture

    with (
        output(layout, force=False, suffixes=PICTURES) as write,
        progress_bar("Placing, per cent", "some minutes for a core of two lanes") as progress,
    ):

        def told(what: str) -> None:
            note(what)
            progress(min(100, round(ecp5.DONE_BY[what] * 100 / ecp5.DONE_BY["routing"])), 100)

        netlist = ecp5.placed_only(design, device, told)
        title = f"{design.name} in a {device.name}, placed by nextpnr"
        drawing = picture.draw(picture.cells_of(netlist), title)
        write(drawing.content(layout))


def _too_large(design: Design, device: Device, family: Family, excess: dict[str, int]) -> DeviceError:
    missing = ", ".join(f"{count:,} {_unit(family, name)}" for name, count in excess.items())
    message = f"{design.name} does not fit in {device.name}: {missing} too many."
    return DeviceError("DOES_NOT_FIT", message, "Take a larger device, or a design with fewer lanes or a smaller N.")


def _unit(family: Family, name: str) -> str:
    return family.units.get(name, name.replace("_", " "))


def _shown(family: Family) -> list[str]:
    """The fields of Resources that the family has."""
    return [*family.counts, "memory_bits"]


def _texts(found: Resources, names: list[str]) -> list[str]:
    return [f"{getattr(found, name):,}" for name in names]


def _as_json(
    found: FpgaReport, device: Device | None, excess: dict[str, int], routed: Routed | None, problem: DeviceError | None
) -> dict[str, Any]:
    from ...synth.chips import usage

    family, total = found.family, found.total
    names = [field.name for field in fields(total) if field.name != "memory_bits"]
    figures: dict[str, Any] = {
        name: {"value": getattr(total, name), "unit": _unit(family, name), "source": family.source} for name in names
    }
    figures["memory_bits"] = {"value": total.memory_bits, "unit": "bits", "source": "RTL"}
    content: dict[str, Any] = {"design": found.design, "target": family.name, **figures}
    if problem:
        content["error"] = {"code": problem.code, "message": problem.message, "hint": problem.hint}
    if device:
        shares = {name: {"needed": needed, "there": there} for name, (needed, there) in usage(total, device).items()}
        content["device"] = {"name": device.name, "fits": not excess, "usage": shares, "excess": excess}
    if routed:
        content["routed"] = asdict(routed)
    more = {key: value for key, value in asdict(found).items() if key not in ("design", "family")}
    return content | more


def _print(design: Design, found: FpgaReport, device: Device | None, routed: Routed | None) -> None:
    from ...synth.chips import usage

    family, names = found.family, _shown(found.family)
    columns = [_unit(family, name) for name in names]
    rows = [
        ["  " * block.depth + block.module, str(block.instances), *_texts(block.total, names)] for block in found.blocks
    ]
    print_table(["block, with those in it", "instances", *columns], rows, f"{found.design}: {family.title}")
    print_table(columns, [_texts(found.lane, names)], f"One lane of {design.word_bits} bits")
    facts = [("source", family.source)]
    if device:
        shares = [
            f"{100 * needed / there:.1f} % of {there:,} {_unit(family, name)}"
            for name, (needed, there) in usage(found.total, device).items()
            if there
        ]
        facts.append((device.name + (f" ({device.board})" if device.board else ""), ", ".join(shares)))
    if routed:
        facts += _routed_facts(family, routed)
    print_facts(facts)


def _routed_facts(family: Family, routed: Routed) -> list[tuple[str, str]]:
    path = routed.critical
    used = ", ".join(f"{count:,} {_unit(family, name)}" for name, count in routed.used.items())
    return [
        ("clock", f"{routed.fmax_mhz:.1f} MHz ({routed.options})"),
        ("slowest path", f"{path.start} -> {path.end}"),
        ("", f"{len(path.cells)} cells, {path.logic_ns} ns in them, {path.routing_ns} ns in wires"),
        ("placed", f"{used}; of these the shell around the core: {routed.shell.lut:,} LUT, {routed.shell.ff:,} FF"),
        ("bitstream", str(routed.bitstream)),
        ("source", routed.source),
    ]
