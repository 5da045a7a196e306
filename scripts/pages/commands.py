# SPDX-License-Identifier: Apache-2.0
"""Reference of the command line: one page a command, from the help that the commands themselves have. ringside(1) is made from the same."""

from collections import defaultdict
from collections.abc import Iterator

from ringside.cli.common.help import summary
from ringside.cli.manual import ManualCommand, commands, environment, exit_codes

from . import rst

FOLDER = "reference/commands"


def _options(command: ManualCommand) -> Iterator[str]:
    for option in command.options:
        yield f"``{option.names}``"
        yield from rst.inset([rst.inline(" ".join(option.about.split())) or "(no description)"])
        yield ""


def _page(command: ManualCommand) -> Iterator[str]:
    yield from rst.heading(command.name)
    yield f".. hw:verb:: {command.name}"
    yield ""
    yield from rst.inset([".. code-block:: text", "", f"   {command.usage}", ""])
    for paragraph in command.text:
        yield from rst.inset([rst.inline(" ".join(paragraph.split())), ""])
    if command.examples:
        yield from rst.inset([".. code-block:: text", "", *(f"   $ {line}" for line in command.examples), ""])
    yield from rst.inset(_options(command))


def _file(command: ManualCommand) -> str:
    return command.name.replace(" ", "-")


def pages() -> Iterator[tuple[str, str]]:
    panels: dict[str, list[ManualCommand]] = defaultdict(list)
    for command in commands():
        panels[command.panel].append(command)
        yield f"{FOLDER}/{_file(command)}.rst", rst.page(_page(command))
    text = [*rst.heading("Command line"), "One page for each command. ``man ringside`` has the same text.", ""]
    for panel, found in panels.items():
        text += rst.heading(panel, "-") + rst.contents((_file(command) for command in found), hidden=True)
        text += rst.entries((f":hw:verb:`{command.name}`", rst.inline(summary(command.text[0]))) for command in found)
    text += rst.heading("Exit codes", "-")
    text += [line for code, meaning in exit_codes() for line in (f"{code}", *rst.inset([rst.inline(meaning), ""]))]
    text += rst.heading("Environment", "-")
    text += [line for name, about in environment() for line in (f"``{name}``", *rst.inset([rst.inline(about), ""]))]
    yield f"{FOLDER}/index.rst", rst.page(text)
