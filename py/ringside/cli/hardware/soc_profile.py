# SPDX-License-Identifier: Apache-2.0
"""`ringside soc profile`: where the simulated processor's time goes in an operation of a scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ... import designs
from ...sim.options import ALONE, CHIP_LATENCY_CYCLES
from ..common.options import ClockOption, JsonFlag, LatencyOption
from ..common.output import BUILDS, print_facts, print_json, print_table, progress_bar
from .show import exit_if_different, result_fact, time_fact, with_time

if TYPE_CHECKING:
    from ...cycles.profile import Profile

PARTS_MOST = 1000  # parts of a build; simulations count cycles
TITLES = {
    "transform": "NTT and inverse",
    "product": "products of transforms",
    "keccak": "Keccak-f[1600]",
    "chacha20": "ChaCha20",
    "sampler": "samplers, without their hashes",
    "gaussian": "Gaussian sampler, rejection",
    "coding": "packing, hints, reconciliation",
    "rest": "the rest",
}


_Operation = Annotated[
    str,
    typer.Argument(
        metavar="OPERATION",
        help="Scheme and operation: ml-kem-768-encaps, ml-dsa-65-sign, newhope-server … (a wrong name lists all).",
    ),
]
_Runs = Annotated[
    int, typer.Option("--runs", min=1, max=1000, help="Number of runs, each with its own seeds; figures are averages.")
]
_On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="DESIGN",
        help="The core of this design does the transforms of NewHope or BLISS, and hashes of BLISS if it has [fields].",
    ),
]
_CoreDivider = Annotated[
    int,
    typer.Option(
        "--core-divider",
        min=1,
        max=1000,
        help="The core's clock is the processor's divided by this: each of its cycles counts so many times.",
    ),
]


def profile(
    operation: _Operation,
    runs: _Runs = 1,
    on: _On = "none",
    core_divider: _CoreDivider = 1,
    latency: LatencyOption = CHIP_LATENCY_CYCLES,
    clock: ClockOption = 500,
    json: JsonFlag = False,
) -> None:
    """Run an operation of a scheme on the simulated processor, and count the cycles of its kernels.

    The processor is that of `ringside soc run`, and the software is the C library's portable code. A kernel's cycles are without those of kernels
    that it calls: a sampler's without its hash. The share of a kernel is the most that an accelerator for it can save. Outputs are compared
    with the library's on this machine. Signatures are tried until one is good: give several --runs.

    With --on, these kernels are programs on a core beside the processor, and what they take is all of it: registers, memory, waiting. With
    --core-divider, the core's programs are timed once more on a simulation of the core alone, whose memory is as fast as the processor's.

    Example: ringside soc profile newhope-server --on newhope --core-divider 20
    """
    from ...cycles.profile import profile as measured

    design = None if on == ALONE else designs.load(on)
    with progress_bar("Simulating", BUILDS) as progress:

        def tell(done: int, total: int) -> None:
            (progress if total < PARTS_MOST else progress.simulated)(done, total)

        found = measured(operation, runs, design=design, divider=core_divider, latency=latency, progress=tell)
    if json:
        print_json(with_time(found, clock))
    else:
        print(
            f"{found.operation}, {found.runs} run{'s' * (found.runs > 1)}, latency of RAM {found.latency}{_where(found)}"
        )
        kernels = sorted(found.kernels.items(), key=lambda one: (one[0] == "rest", -one[1].cycles))
        rows = [
            (
                TITLES[name],
                f"{one.calls:,.0f}" if name != "rest" else "",
                f"{one.cycles:,.0f}",
                f"{one.instructions:,.0f}",
                f"{100 * one.share:.1f} %",
                "█" * round(30 * one.share),
            )
            for name, one in kernels
        ]
        rows.append(("all", "", f"{found.cycles:,.0f}", f"{found.instructions:,.0f}", "", ""))
        print_table(["kernel", "calls", "cycles", "instructions", "share", ""], rows)
        print_facts([*_of_the_core(found), time_fact(found.cycles, clock), result_fact(found.bit_exact)])
    exit_if_different(found.bit_exact)


def _where(found: Profile) -> str:
    if found.design == ALONE:
        return ""
    clock = f", whose clock is 1/{found.divider} of the processor's" if found.divider > 1 else ""
    return f", kernels on {found.design}{clock}"


def _of_the_core(found: Profile) -> list[tuple[str, str]]:
    if found.design == ALONE:
        return []
    facts = [("core", f"{found.core_runs:,.0f} programs, {found.core_cycles:,.0f} of its cycles")]
    if found.divider > 1:
        facts.append(("equal clocks", f"{found.equal_clock:,.0f} cycles"))
    return facts
