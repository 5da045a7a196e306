# SPDX-License-Identifier: Apache-2.0
"""Commands of other packages: what they declare as entry points of the group `ringside.commands`, a Typer or a function under a name.

They are looked for only when a command is not one of ours, or when help is wanted, so that they cost the others nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points

import typer
from typer.main import get_command

from .common.output import warn

GROUP = "ringside.commands"
PANEL = "Commands of other packages"


def _names(app: typer.Typer) -> set[str]:
    return set(getattr(get_command(app), "commands", {}))


def add(app: typer.Typer, arguments: Sequence[str]) -> None:
    """Adds them to the application if these words may need them. One that cannot be loaded is left out with a warning."""
    own = _names(app)
    word = next((argument for argument in arguments if not argument.startswith("-")), None)
    if word in own:
        return
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name in own:
            continue
        try:
            command = entry.load()
        except Exception as error:  # a fault of theirs must not stop ours
            warn(f"the command {entry.name} of another package cannot be loaded: {error}")
            continue
        own.add(entry.name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=entry.name, rich_help_panel=PANEL)
        else:
            app.command(entry.name, rich_help_panel=PANEL)(command)
