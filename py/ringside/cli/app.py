# SPDX-License-Identifier: Apache-2.0
"""The commands, put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from .. import __version__
from .cache import cache
from .check import selftest
from .common.output import EXIT_CODES
from .demo import demo
from .doctor import doctor
from .figures import app as figures
from .files.decrypt import decrypt
from .files.encrypt import encrypt
from .files.inspect import convert, inspect
from .files.keygen import keygen
from .files.sets import advise, params
from .files.table import app as table
from .hardware.cycles import build, cycles, list_designs, program, timeline
from .hardware.explore import app as explore
from .hardware.rtl import rtl
from .hardware.soc import app as soc
from .hardware.synth import synth
from .pqc.kem import app as kem
from .pqc.sign import app as sign
from .report import report

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
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


# panels of the help, and sections of the manual page
_PANELS: dict[str, dict[str, Callable[..., None] | typer.Typer]] = {
    "Keys, encryption, files": {
        "keygen": keygen,
        "encrypt": encrypt,
        "decrypt": decrypt,
        "inspect": inspect,
        "convert": convert,
        "table": table,
        "params": params,
        "advise": advise,
    },
    "Post-quantum keys and signatures": {
        "kem": kem,
        "sign": sign,
    },
    "Hardware designs": {
        "designs": list_designs,
        "build": build,
        "cycles": cycles,
        "timeline": timeline,
        "program": program,
        "synth": synth,
        "rtl": rtl,
        "soc": soc,
    },
    "Demonstration, figures, upkeep": {
        "demo": demo,
        "explore": explore,
        "report": report,
        "figures": figures,
        "selftest": selftest,
        "doctor": doctor,
        "cache": cache,
    },
}

for panel, commands in _PANELS.items():
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, rich_help_panel=panel)
        else:
            app.command(name, rich_help_panel=panel)(command)
