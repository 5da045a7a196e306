# SPDX-License-Identifier: Apache-2.0
"""Commands of other packages: what they declare as entry points of the group `ringside.commands`, a Typer or a function under a name.

They are looked for only when the first word is none of our commands, and loaded only when one of them is called, so that they cost ours nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .app import command_line
from .common.output import warn

GROUP = "ringside.commands"
PANEL = "Commands of other packages"


def command_of(arguments: Sequence[str]) -> Any:
    """The whole command line, with the commands of others if these words may mean one."""
    whole = command_line()
    word = next((argument for argument in arguments if not argument.startswith("-")), None)
    if word in whole.commands:
        return whole
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name not in whole.commands:  # ours, or another one's: the first stays
            whole.commands.add(entry.name, PANEL, _about(entry), partial(_load, entry))
    return whole


def _about(entry: EntryPoint) -> str:
    """The summary of the package that has it: its own help would have to be loaded."""
    found = None if entry.dist is None else entry.dist.metadata
    return "" if found is None else f"{found['Summary'].rstrip('.')} ({found['Name']})."


def _load(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:  # a fault of theirs is no fault of ours
        warn(f"the command {entry.name} of another package cannot be loaded: {error}")
        raise KeyError(entry.name) from error
