# SPDX-License-Identifier: Apache-2.0
"""The manual page, ringside(1), and the shells' completions, made from the commands themselves (scripts/manual.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from typer._completion_shared import get_completion_script
from typer.main import get_command

from .. import __version__
from .app import app
from .common.output import EXIT_CODES

NAME = "ringside"
ENVIRONMENT = {
    "RINGSIDE_BACKEND": "The code of the C library that computes, where it should not be the fastest.",
    "RINGSIDE_CACHE": "The folder of what is kept: models of hardware, firmware, mapped blocks. `ringside cache` shows it.",
    "RINGSIDE_TREE": "A clone of Ringside's repository, for commands that need its sources.",
}


@dataclass(frozen=True)
class Option:
    """An option or an argument: its names with the word behind them, its help, its default as a sentence. roff: the names as roff."""

    names: str
    roff: str
    about: str
    default: str


@dataclass(frozen=True)
class Command:
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


def _paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """Whether it is an example, and its words."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if found := re.match(r"Examples?: ", paragraph):
            for line in " ".join(paragraph[found.end() :].split()).split("; "):
                yield True, line.removesuffix(";")
        elif paragraph.startswith(f"{NAME} "):
            yield True, " ".join(paragraph.split())
        elif paragraph:
            yield False, paragraph


def _takes(parameter: Any) -> str:
    """The word behind an option's name, or an argument's own name."""
    if parameter.metavar:
        return str(parameter.metavar)
    if choices := getattr(parameter.type, "choices", None):
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return str(
        parameter.name if parameter.param_type_name == "argument" else parameter.type.name.partition(" ")[0]
    ).upper()


def _default(parameter: Any) -> str:
    value = getattr(parameter.default, "value", parameter.default)
    is_shown = getattr(parameter, "show_default", False) and value not in (None, False, "") and not callable(value)
    return f"Default: {value}." if is_shown else ""


def _options(command: Any) -> Iterator[Option]:
    for parameter in command.params:
        about = (getattr(parameter, "help", None) or "").strip()
        takes = _takes(parameter)
        if parameter.param_type_name == "argument":
            names, roff = takes, f"\\fI{_roff(takes)}\\fR"
        else:
            all_names = (*parameter.opts, *parameter.secondary_opts)
            names = ", ".join(all_names) + ("" if parameter.is_flag else f" {takes}")
            roff = ", ".join(f"\\fB{_roff(name)}\\fR" for name in all_names)
            roff += "" if parameter.is_flag else f" \\fI{_roff(takes)}\\fR"
        yield Option(names, roff, about, _default(parameter))


def _commands(path: str, group: Any) -> Iterator[Command]:
    """All commands of a group, those of its groups among them."""
    for name, command in group.commands.items():
        whole = f"{path} {name}"
        if getattr(command, "commands", None) is not None:
            yield from _commands(whole, command)
            continue
        panel = str(getattr(command, "rich_help_panel", "") or "")
        words = [_takes(one) for one in command.params if one.param_type_name == "argument"]
        paragraphs = list(_paragraphs(command.help or ""))
        yield Command(
            panel,
            whole,
            " ".join([whole, "[OPTIONS]", *words]),
            tuple(text for is_example, text in paragraphs if not is_example),
            tuple(text for is_example, text in paragraphs if is_example),
            tuple(_options(command)),
        )


def commands() -> list[Command]:
    """Every command, in the order of the help; those of a group stand in its panel."""
    top: Any = get_command(app)
    return [
        replace(command, panel=str(getattr(top.commands[command.name.split()[1]], "rich_help_panel", "") or ""))
        for command in _commands(NAME, top)
    ]


def exit_codes() -> list[tuple[str, str]]:
    return re.findall(r"(\d+) ([^·]*[^·\s])", EXIT_CODES)


def environment() -> list[tuple[str, str]]:
    return list(ENVIRONMENT.items())


def _roff_options(options: Iterable[Option]) -> Iterator[str]:
    for option in options:
        about = f"{option.about} {option.default}" if option.default else option.about
        yield f".TP\n{option.roff}\n{_roff(about)}"


def page() -> str:
    """ringside(1)."""
    top: Any = get_command(app)
    parts = [
        '.\\" SPDX-License-Identifier: Apache-2.0',
        '.\\" Made by scripts/manual.py from the commands.',
        f'.TH RINGSIDE 1 "" "ringside {__version__}" "User Commands"',
        f".SH NAME\n{NAME} \\- {_roff(top.help.rstrip('.'))}",
        f".SH SYNOPSIS\n.B {NAME}\n[OPTIONS] COMMAND [ARGUMENTS]",
        f".SH OPTIONS\n{_roff('-h, --help')} shows the help of any command.",
        *_roff_options(_options(top)),
    ]
    last = ""
    for command in commands():
        if command.panel != last:
            parts.append(f".SH {command.panel.upper()}")
            last = command.panel
        parts.append(f".SS {_roff(command.usage)}")
        parts += [f".PP\n{_roff(text)}" for text in command.text]
        parts += [f".PP\n.B {_roff(line)}" for line in command.examples]
        parts += _roff_options(command.options)
    parts.append(".SH EXIT STATUS")
    parts += [f".TP\n.B {code}\n{_roff(meaning)}" for code, meaning in exit_codes()]
    parts.append(".SH ENVIRONMENT")
    parts += [f".TP\n.B {name}\n{_roff(meaning)}" for name, meaning in environment()]
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
