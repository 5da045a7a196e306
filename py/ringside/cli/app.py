# SPDX-License-Identifier: Apache-2.0
"""The commands, put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from .. import __version__
from .cache import cache
from .check import selftest
from .cycles import build, cycles, list_designs, program, timeline
from .decrypt import decrypt
from .demo import demo
from .encrypt import encrypt
from .figures import app as figures
from .files import convert, inspect
from .keygen import keygen
from .output import EXIT_CODES
from .report import report
from .rtl import rtl
from .sets import advise, params
from .soc import app as soc
from .synth import synth

app = typer.Typer(
    name="ringside",
    help="The client side of CKKS: keys, encryption and decryption in Microsoft SEAL's formats.",
    epilog=f"Exit codes: {EXIT_CODES}.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ringside {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show and exit."),
    ] = False,
) -> None:
    pass


_COMMANDS: tuple[Callable[..., None], ...] = (keygen, encrypt, decrypt, inspect, convert, advise, params, selftest)
_DESIGN_COMMANDS: tuple[Callable[..., None], ...] = (build, cycles, timeline, program, rtl, synth, report, demo, cache)

for command in _COMMANDS:
    app.command()(command)
app.command("designs")(list_designs)
for command in _DESIGN_COMMANDS:
    app.command()(command)
app.add_typer(soc, name="soc")
app.add_typer(figures, name="figures")
