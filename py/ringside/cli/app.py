# SPDX-License-Identifier: Apache-2.0
"""The commands, put together."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from .. import __version__
from .check import selftest
from .cycles import cycles, list_designs
from .decrypt import decrypt
from .encrypt import encrypt
from .files import convert, inspect
from .keygen import keygen
from .output import EXIT_CODES
from .sets import advise, params

_EXTENSIONS = ("ringside.demo.command",)  # each has register(app)

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


for command in (keygen, encrypt, decrypt, inspect, convert, advise, params, selftest):
    app.command()(command)
app.command("designs")(list_designs)
app.command()(cycles)

for extension in _EXTENSIONS:
    try:
        module = importlib.import_module(extension)
    except ModuleNotFoundError as error:
        if error.name is None or not extension.startswith(error.name):
            raise
    else:
        module.register(app)
