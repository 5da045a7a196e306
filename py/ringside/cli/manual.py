# SPDX-License-Identifier: Apache-2.0
"""The manual page, ringside(1), and the shells' completions, made from the commands themselves (scripts/manual.py)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from typer._completion_shared import get_completion_script

from .. import __version__
from .app import command_line
from .common import help as pages
from .common.output import EXIT_CODES

NAME = "ringside"
COMMON = 4  # commands that share an option's text
ENVIRONMENT = {
    "RINGSIDE_BACKEND": "The code of the C library that computes, where it should not be the fastest.",
    "RINGSIDE_CACHE": "The folder of what is kept: models of hardware, firmware, mapped blocks. `ringside cache` shows it.",
    "RINGSIDE_TREE": "A clone of Ringside's repository, for commands that need its sources.",
}


@dataclass(frozen=True)
class Option:
    """An option or an argument: its names with the word behind them, and what it means. roff: the names as roff."""

    names: str
    roff: str
    about: str


@dataclass(frozen=True)
class ManualCommand:
    """A command, as the manual page and the site's reference show it."""

    panel: str
    name: str
    usage: str
    text: tuple[str, ...]
    examples: tuple[str, ...]
    options: tuple[Option, ...]


def _roff(text: str) -> str:
    """Text as roff reads it: no character of it is a command."""
    lines = (" ".join(line.split()) for line in text.replace("\\", "\\e").replace("-", "\\-").splitlines())
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines if line)


def _options(command: Any) -> Iterator[Option]:
    for parameter in pages.shown(command):
        takes, about = pages.takes(parameter), pages.meaning(parameter)
        if pages.is_argument(parameter):
            yield Option(takes, f"\\fI{_roff(takes)}\\fR", about)
            continue
        names = pages.names(parameter)
        behind = ("", "") if pages.is_flag(parameter) else (f" {takes}", f" \\fI{_roff(takes)}\\fR")
        roff = ", ".join(f"\\fB{_roff(name)}\\fR" for name in names)
        yield Option(", ".join(names) + behind[0], roff + behind[1], about)


def _commands(path: str, group: Any, inside: str = "") -> Iterator[ManualCommand]:
    """All commands of a group, those of its groups among them: they stand in the panel of the outermost."""
    for name, command in group.commands.items():
        whole, panel = f"{path} {name}", inside or str(getattr(command, "rich_help_panel", "") or "")
        if getattr(command, "commands", None) is not None:
            yield from _commands(whole, command, panel)
            continue
        prose, examples = pages.paragraphs(command.help or "")
        usage = " ".join([whole, *pages.usage_words(command)])
        yield ManualCommand(panel, whole, usage, tuple(prose), tuple(examples), tuple(_options(command)))


def commands() -> list[ManualCommand]:
    """Every command, in the order of the help."""
    return list(_commands(NAME, command_line()))


def exit_codes() -> list[tuple[str, str]]:
    return re.findall(r"(\d+) ([^·]*[^·\s])", EXIT_CODES)


def environment() -> list[tuple[str, str]]:
    return list(ENVIRONMENT.items())


def _item(tag: str, text: str) -> str:
    """A tag, and beside it what it means."""
    return f'.IP "{tag}" 7\n{_roff(text)}'


def _roff_options(options: Iterable[Option]) -> list[str]:
    return [_item(option.roff, option.about) for option in options]


def _common(every: Iterable[ManualCommand]) -> dict[str, Option]:
    """Options that several commands have with the same text, by their names: the page describes them once. Of several texts the most frequent one."""
    counts = Counter(option for command in every for option in command.options if option.names.startswith("-"))
    frequent = [option for option, count in counts.most_common() if count >= COMMON]
    return {option.names: option for option in reversed(frequent)}


def page() -> str:
    """ringside(1)."""
    top, every = command_line(), commands()
    common = _common(every)
    parts = [
        '.\\" SPDX-License-Identifier: Apache-2.0',
        '.\\" Made by scripts/manual.py from the commands.',
        f'.TH RINGSIDE 1 "" "ringside {__version__}" "User Commands"',
        f".SH NAME\n{NAME} \\- {_roff(top.help.rstrip('.'))}",
        f".SH SYNOPSIS\n.B {NAME}\n[OPTIONS] COMMAND [ARGUMENTS]",
        f".SH OPTIONS\n{_roff('-h, --help')} shows the help of any command.",
        *_roff_options(_options(top)),
        ".SH OPTIONS OF SEVERAL COMMANDS",
        *_roff_options(sorted(common.values(), key=lambda option: option.names)),
    ]
    last = ""
    for command in every:
        if command.panel != last:
            parts.append(f".SH {command.panel.upper()}")
            last = command.panel
        parts.append(f".SS {_roff(command.usage)}")
        parts.append("\n.PP\n".join(map(_roff, command.text)))
        parts += [f".PP\n.B {_roff(line)}" for line in command.examples]
        shared = [option for option in command.options if common.get(option.names) == option]
        parts += _roff_options(option for option in command.options if option not in shared)
        if shared:
            parts.append(f".PP\nSee above: {', '.join(option.roff for option in shared)}.")
    parts.append(".SH EXIT STATUS")
    parts += [_item(f"\\fB{code}\\fR", meaning) for code, meaning in exit_codes()]
    parts.append(".SH ENVIRONMENT")
    parts += [_item(f"\\fB{name}\\fR", meaning) for name, meaning in environment()]
    return "\n".join(parts) + "\n"


def completions() -> dict[str, str]:
    """Below share/, where the shells look for them."""
    licence = "# SPDX-License-Identifier: Apache-2.0\n"
    bash, zsh, fish = (
        get_completion_script(prog_name=NAME, complete_var="_RINGSIDE_COMPLETE", shell=shell).strip() + "\n"
        for shell in ("bash", "zsh", "fish")
    )
    head, _, body = zsh.partition("\n")  # #compdef has to be the first line
    return {
        f"bash-completion/completions/{NAME}": licence + bash,
        # zsh loads the file at the first completion, and takes it for the function
        f"zsh/site-functions/_{NAME}": f'{head}\n{licence}{body}_{NAME}_completion "$@"\n',
        f"fish/vendor_completions.d/{NAME}.fish": licence + fish,
    }


def files() -> dict[str, str]:
    """All files that are installed below share/."""
    return {f"man/man1/{NAME}.1": page(), **completions()}
