# SPDX-License-Identifier: Apache-2.0
"""Output of `ringside synth --target`: a design as an ASIC."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ... import designs
from ..common.output import note, print_facts, print_json, print_table, progress_bar, report_error

if TYPE_CHECKING:
    from ...synth.asic.figures import AsicReport, EnergyReport, EnergyRun


def report(
    design: str,
    target: str,
    liberty: list[Path],
    sram: list[Path],
    node: int,
    clock: float | None,
    operation: dict[str, Any] | None,
    json: bool,
    gated: bool,
) -> None:
    """operation: fields of ringside.synth.asic.figures.Operation, or None for no energy. If only that fails, the rest is printed; exit code 3."""
    from ...synth.asic import figures, flow, technology

    wanted = designs.load(design)
    found_technology = technology.find(target, liberty, sram, node)
    with progress_bar(wanted.name) as progress:  # notes say what is done now
        simulated: EnergyRun | None = figures.EnergyRun(**operation) if operation else None
        problem: flow.EnergyError | None = None
        try:
            found = flow.synthesise(wanted, found_technology, simulated, clock, progress, stage=note, gated=gated)
        except flow.EnergyError as error:
            found, problem = error.report, error
    if json:
        content = {"flow": f"ASIC, {found.library}; {found.left_out}", **asdict(found)}
        if problem:
            content["error"] = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        print_json(content)
    else:
        _print(found)
    if problem:
        raise typer.Exit(report_error(problem, as_json=False))


BLOCK = ("block, with those in it", "instances", "kGE", "flip-flops", "memory bits", "memory mm²", "MHz, alone")


def block_row(block: Any) -> list[str]:
    """A block in a table with the columns BLOCK."""
    return [
        "  " * block.depth + block.module,
        str(block.instances),
        f"{block.kge:,.1f}",
        f"{block.flip_flops:,}",
        f"{block.memory_bits:,}",
        f"{block.memory_um2 / 1e6:.3f}",
        f"{block.fmax_mhz:.0f}" if block.fmax_mhz else "",
    ]


def _print(found: AsicReport) -> None:
    with_energy = found.energy is not None
    rows = [
        block_row(block) + ([f"{block.energy_uj:,.2f}"] if block.energy_uj is not None else [])
        for block in found.blocks
    ]
    title = f"{found.design}: {found.library} ({found.corner}); {found.left_out}"
    print_table([*BLOCK, *(["µJ, own"] if with_energy else [])], rows, title)
    units = [
        [
            f"{unit.module}, {unit.word_bits} bits",
            f"{unit.kge:,.1f}",
            f"{unit.area_um2:,.0f}",
            f"{unit.flip_flops:,}",
            f"{unit.fmax_mhz:.0f}",
        ]
        for unit in found.units
    ]
    print_table(["alone", "kGE", "µm²", "flip-flops", "MHz"], units)
    memory_bits = found.blocks[0].memory_bits
    sources = ", ".join(dict.fromkeys(memory.source for _, memory in found.memories))
    print_facts(
        [
            ("logic", f"{found.kge:,.1f} kGE of {found.gate} ({found.gate_um2:g} µm²): {found.area_um2 / 1e6:.3f} mm²"),
            ("memories", f"{memory_bits:,} bits: {found.memory_um2 / 1e6:.3f} mm² ({sources})"),
            *([("", f"{found.memory_um2_unscaled / 1e6:.3f} mm² before scaling")] if _is_scaled(found) else []),
            ("clock", f"{found.fmax_mhz:.1f} MHz with all parts linked: {found.slowest.start} -> {found.slowest.end}"),
            ("", f"{found.by_part_mhz:.1f} MHz if only paths within parts counted: {found.by_part}"),
            ("clock gates", _gates(found)),
            ("leakage", f"{found.leakage_mw:.4g} mW"),
            *(_energy_facts(found.energy) if found.energy else []),
            ("tools", "; ".join(f"{what}: {tool}" for what, tool in found.tools.items())),
            *([("library", found.licence)] if found.licence else []),
        ]
    )


def _gates(found: AsicReport) -> str:
    if not found.clock_gates:
        return found.clock_gate
    total = found.blocks[0].flip_flops
    return f"{found.clock_gates:,} of {found.clock_gate} for {found.gated_flip_flops:,} of {total:,} flip-flops"


def _is_scaled(found: AsicReport) -> bool:
    return any(memory.unscaled for _, memory in found.memories)


def _energy_facts(energy: EnergyReport) -> list[tuple[str, str]]:
    shares = (
        f"clock {energy.clock_uj:.1f}, nets {energy.switching_uj:.1f}, in cells {energy.internal_uj:.1f}, "
        f"memories {energy.memory_uj:.1f}, leakage {energy.leakage_uj:.3g}"
    )
    where = f": {', '.join(energy.mismatches)}" if energy.mismatches else ""
    limbs = f"{energy.limbs} limb{'s' * (energy.limbs > 1)}"
    return [
        ("operation", f"{energy.op}, N = {energy.n}, {limbs}: {energy.cycles:,} cycles"),
        (
            "energy",
            f"{energy.energy_uj:,.1f} µJ ({shares}); {energy.energy_without_glitches_uj:,.1f} µJ without glitches",
        ),
        ("power", f"{energy.power_mw:,.1f} mW at {energy.clock_mhz:.1f} MHz, {1e6 * energy.seconds:,.1f} µs"),
        (
            "netlists",
            f"{sum(energy.mismatches.values()):,} of {energy.compared:,} output bits differ from the RTL's{where}",
        ),
    ]
