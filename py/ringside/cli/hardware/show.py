# SPDX-License-Identifier: Apache-2.0
"""What commands say of a measurement, whatever it was of."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from ..common.output import print_table

if TYPE_CHECKING:
    from ...cycles.system import Count

EXIT_DIFFERENT = 1


def with_time(found: Any, clock: float, **more: Any) -> dict[str, Any]:
    """A measurement for --json, and its time at a clock of so many MHz."""
    return {**asdict(found), **more, "clock_mhz": clock, "seconds": found.cycles / (clock * 1e6)}


def time_fact(cycles: float, clock: float) -> tuple[str, str]:
    return "time", f"{cycles / clock:,.1f} µs at {clock:g} MHz"


def result_fact(bit_exact: bool) -> tuple[str, str]:
    return "result", "identical to the library's" if bit_exact else "NOT the library's"


def exit_if_different(bit_exact: bool) -> None:
    if not bit_exact:
        print("ringside: the result is not the library's: a fault of hardware or firmware", file=sys.stderr)
        raise typer.Exit(EXIT_DIFFERENT)


def print_stages(stages: Mapping[str, Count], cycles: int, *last: Sequence[str]) -> None:
    """A table of what the processor's cycles were for. cycles: all of them; last: rows below."""
    rows = [
        (name, f"{count.cycles:,}", f"{count.instructions:,}" if count.instructions else "", f"{100 * count.cycles / cycles:.1f} %")
        for name, count in stages.items()
    ]  # fmt: skip
    print_table(["stage", "cycles", "instructions", "share"], [*rows, *last])
