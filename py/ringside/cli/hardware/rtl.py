# SPDX-License-Identifier: Apache-2.0
"""`ringside rtl`: a design as a directory for those who put it into a system."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from ... import designs
from ...errors import UsageError
from ..common import options as opt
from ..common.output import print_facts, print_json

REGISTERS_BYTES = 4096  # bytes of AXI4-Lite


def parse_address(text: str) -> int:
    """Where registers can be: a multiple of their 4 KiB."""
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 64 or value % REGISTERS_BYTES:
        raise typer.BadParameter(
            f"{text!r} is not an address such as 0x40000000: a multiple of {REGISTERS_BYTES} below 2^64"
        )
    return value


def rtl(
    design: opt.PlainDesignArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Directory to write.")],
    clock: Annotated[float | None, opt.other_clock("Clock of the constraints. Default: the design's own.")] = None,
    base: Annotated[
        int | None,
        typer.Option(
            "--base",
            metavar="ADDRESS",
            parser=parse_address,
            help="Address of the registers in your system, for the SVD file: a multiple of 4096. Default: 0.",
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace a directory that this command has not made, or that was changed, too."),
    ] = False,
    json: opt.JsonFlag = False,
) -> None:
    """Write everything that a system needs of a design into one directory, which needs nothing else of Ringside.

    It holds the SystemVerilog sources with an ordered list for each kind of tool, a Verilog-2005 wrapper for block designs, a FuseSoC
    core, IP-XACT, CMSIS-SVD, a LiteX module, C headers, constraints, a README with ports, registers and a checklist, and a self-test with known answers
    of the library. All of it follows from the design's file and the sources. A directory that this command made is replaced as a whole.

    Run the self-test first: sh DIR/sim/run.sh (Verilator 5, Perl, make, a C++ compiler). Then read DIR/README.md.

    Example: ringside rtl rise-1 -o rise-1-rtl

    Example: ringside rtl my-design.toml -o ip/ckks --clock 150 --base 0x40000000
    """
    from ...rtl import kit, lists

    wanted = designs.load(design)
    if out == Path("-"):
        raise UsageError("USAGE", "The output is a directory, so it cannot be standard output.", "Name a directory.")
    kit.check_place(out, force=force)
    made = kit.make(wanted, clock or 0, base or 0)
    kit.write(made, out, force=force)
    if json:
        print_json({"output": str(out), **made.as_dict()})
        return
    names = made.names
    test = shlex.quote(str(out / "sim" / lists.RUN))
    print_facts(
        [
            ("written", f"{out}: {len(made.files) + 1} files"),
            ("module", f"{names.block}, in {out / names.wrapper}"),
            ("self-test", ", ".join(made.jobs)),
            ("run it", f"sh {test}"),
            ("read", str(out / "README.md")),
        ]
    )
