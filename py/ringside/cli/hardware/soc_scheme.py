# SPDX-License-Identifier: Apache-2.0
"""`ringside soc run` for ML-KEM, ML-DSA and NewHope."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from ..common.output import BUILDS, print_facts, print_json, print_table, progress_bar
from ..recorded import keep

if TYPE_CHECKING:
    from ...cycles.scheme_system import SchemeSystem
    from ...designs import Design

EXIT_DIFFERENT = 1


def run_scheme(
    design: Design | None, op: str, frames: int, latency: int, limit: int | None, divider: int, clock: float, json: bool
) -> None:
    """Runs it, keeps its figures and prints them. divider: of how many of the processor's cycles one of the core's is; what is kept has one."""
    from ...cycles.scheme_system import check, measure
    from ...devices.on_chip import build_soc

    check(design, op)
    with progress_bar("Building the SoC", BUILDS) as building:
        build_soc(design, building)
    with progress_bar("Simulating", cycles=True) as progress:
        found = measure(design, op, frames=frames, latency=latency, limit=limit, progress=progress)
    if found.bit_exact:
        keep("soc run", found.design, op=op, latency=latency, frames=frames, found=asdict(found))
    slowed = found.slowed(divider)
    if json:
        more = {"core_divider": divider, "clock_mhz": clock, "seconds": slowed.cycles / (clock * 1e6)}
        print_json({**asdict(slowed), **more})
    else:
        _print(slowed, divider, clock)
    if not found.bit_exact:
        print("ringside: the result is not the library's: a fault of hardware or firmware", file=sys.stderr)
        raise typer.Exit(EXIT_DIFFERENT)


def _print(found: SchemeSystem, divider: int, clock: float) -> None:
    slower = f", whose clock is 1/{divider} of the processor's" if divider > 1 else ""
    print(f"{found.op}, call {found.frames}, design {found.design}{slower}, latency of RAM {found.latency}")
    rows = [
        (
            name,
            f"{count.cycles:,}",
            f"{count.instructions:,}" if count.instructions else "",
            f"{100 * count.cycles / found.cycles:.1f} %",
        )
        for name, count in found.stages.items()
    ]
    print_table(
        ["stage", "cycles", "instructions", "share"],
        [*rows, ("all", f"{found.cycles:,}", f"{found.instructions:,}", "")],
    )
    facts = [("time", f"{found.cycles / clock:,.1f} µs at {clock:g} MHz")]
    if found.frames > 1:
        facts.append(
            ("first call", f"{found.first.cycles:,} cycles: the caches are cold, and the core has another program")
        )
    if found.programs:
        rounds = f", {found.rounds} round{'s' * (found.rounds > 1)}" if found.rounds else ""
        programs = f"{found.programs} program{'s' * (found.programs > 1)}{rounds}"
        facts.append(("core", f"{programs}; {found.register_accesses} register accesses"))
        facts.append(("set-up", f"{found.setup.cycles:,} cycles: constants and the set's programs, once"))
    facts.append(("result", "identical to the library's" if found.bit_exact else "NOT the library's"))
    print_facts(facts)
