# SPDX-License-Identifier: Apache-2.0
"""`ringside soc run` for ML-KEM, ML-DSA and NewHope."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ..common.output import BUILDS, print_facts, print_json, progress_bar
from ..recorded import keep
from .show import exit_if_different, print_stages, result_fact, time_fact, with_time

if TYPE_CHECKING:
    from ...cycles.scheme_system import SchemeSystem
    from ...designs import Design


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
        print_json(with_time(slowed, clock, core_divider=divider))
    else:
        _print(slowed, divider, clock)
    exit_if_different(found.bit_exact)


def _print(found: SchemeSystem, divider: int, clock: float) -> None:
    slower = f", whose clock is 1/{divider} of the processor's" if divider > 1 else ""
    print(f"{found.op}, call {found.frames}, design {found.design}{slower}, latency of RAM {found.latency}")
    print_stages(found.stages, found.cycles, ("all", f"{found.cycles:,}", f"{found.instructions:,}", ""))
    facts = [time_fact(found.cycles, clock)]
    if found.frames > 1:
        facts.append(
            ("first call", f"{found.first.cycles:,} cycles: the caches are cold, and the core has another program")
        )
    if found.programs:
        rounds = f", {found.rounds} round{'s' * (found.rounds > 1)}" if found.rounds else ""
        programs = f"{found.programs} program{'s' * (found.programs > 1)}{rounds}"
        facts.append(("core", f"{programs}; {found.register_accesses} register accesses"))
        facts.append(("set-up", f"{found.setup.cycles:,} cycles: constants and the set's programs, once"))
    print_facts([*facts, result_fact(found.bit_exact)])
