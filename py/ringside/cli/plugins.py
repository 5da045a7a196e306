# SPDX-License-Identifier: Apache-2.0
"""Commands of other packages: what they declare as entry points of the group `ringside.commands`, a Typer or a function under a name.

They are looked for only when the first word is none of our commands, so that they cost these nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

import typer
from typer.main import get_command

from .common.output import warn

GROUP = "ringside.commands"
PANEL = "Commands of other packages"


def command_of(app: typer.Typer, arguments: Sequence[str]) -> Any:
    """The application's command, with those of others if these words may mean one. One that cannot be loaded is left out with a warning."""
    whole: Any = get_command(app)
    word = next((argument for argument in arguments if not argument.startswith("-")), None)
    if word in whole.commands:
        return whole
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name in whole.commands:  # ours, or another one's: the first stays
            continue
        try:
            whole.add_command(_as_command(entry.name, entry.load()), entry.name)
        except Exception as error:  # a fault of theirs must not stop ours
            warn(f"the command {entry.name} of another package cannot be loaded: {error}")
    return whole


def _as_command(name: str, found: typer.Typer | Callable[..., None]) -> Any:
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False)
        found.command(name)(function)
    command: Any = get_command(found)
    command.name, command.rich_help_panel = name, PANEL
    return command
