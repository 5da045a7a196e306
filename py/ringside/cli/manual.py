# SPDX-License-Identifier: Apache-2.0
"""The manual page, ringside(1), and the shells' completions, made from the commands themselves (scripts/manual.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer._completion_shared import get_completion_script

from .. import __version__
from .app import command_line
from .common import help as pages
from .common.output import EXIT_CODES

NAME = "ringside"
ENVIRONMENT = {
    "RINGSIDE_BACKEND": "The code of the C library that computes, where it should not be the fastest.",
    "RINGSIDE_CACHE": "The folder of what is kept: models of hardware, firmware, mapped blocks. `ringside cache` shows it.",
    "RINGSIDE_TREE": "A clone of Ringside's repository, for commands that need its sources.",
}


def _roff(text: str) -> str:
    """Text as roff reads it: no character of it is a command."""
    lines = (" ".join(line.split()) for line in text.replace("\\", "\\e").replace("-", "\\-").splitlines())
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines if line)


def _paragraphs(text: str) -> Iterator[str]:
    prose, examples = pages.paragraphs(text)
    yield from (f".PP\n{_roff(paragraph)}" for paragraph in prose)
    yield from (f".PP\n.B {_roff(line)}" for line in examples)


def _options(command: Any) -> Iterator[str]:
    for parameter in pages.shown(command):
        if pages.is_argument(parameter):
            name = f"\\fI{_roff(pages.takes(parameter))}\\fR"
        else:
            name = ", ".join(f"\\fB{_roff(name)}\\fR" for name in pages.names(parameter))
            name += "" if pages.is_flag(parameter) else f" \\fI{_roff(pages.takes(parameter))}\\fR"
        yield f".TP\n{name}\n{_roff(pages.meaning(parameter))}"


def _usage(path: str, command: Any) -> str:
    return " ".join([path, *pages.usage_words(command)])


def _commands(path: str, group: Any) -> Iterator[tuple[str, str, Any]]:
    """Panel, whole name and command; of a group its own commands."""
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        panel = str(getattr(command, "rich_help_panel", "") or "")
        if inner is None:
            yield panel, f"{path} {name}", command
        else:
            yield from ((panel, *rest) for _, *rest in _commands(f"{path} {name}", command))


def page() -> str:
    """ringside(1)."""
    top = command_line()
    parts = [
        '.\\" SPDX-License-Identifier: Apache-2.0',
        '.\\" Made by scripts/manual.py from the commands.',
        f'.TH RINGSIDE 1 "" "ringside {__version__}" "User Commands"',
        f".SH NAME\n{NAME} \\- {_roff(top.help.rstrip('.'))}",
        f".SH SYNOPSIS\n.B {NAME}\n[OPTIONS] COMMAND [ARGUMENTS]",
        f".SH OPTIONS\n{_roff('-h, --help')} shows the help of any command.",
        *_options(top),
    ]
    last = ""
    for panel, name, command in _commands(NAME, top):
        if panel != last:
            parts.append(f".SH {panel.upper()}")
            last = panel
        parts += [f".SS {_roff(_usage(name, command))}", *_paragraphs(command.help or ""), *_options(command)]
    parts.append(".SH EXIT STATUS")
    parts += [f".TP\n.B {code}\n{_roff(meaning)}" for code, meaning in re.findall(r"(\d+) ([^·]*[^·\s])", EXIT_CODES)]
    parts.append(".SH ENVIRONMENT")
    parts += [f".TP\n.B {name}\n{_roff(meaning)}" for name, meaning in ENVIRONMENT.items()]
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
