# SPDX-License-Identifier: Apache-2.0
"""The text of `--help`, laid out here and not by Typer, whose layout is another one in each of its versions.

Of Typer's parameters this reads their names, help, defaults and choices. The manual page is made from the same.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from .paint import painted

MOST_COLUMNS, LEAST_COLUMNS = 100, 40
NAMES_COLUMNS = 26  # width of the left column; a longer name has a line of its own
ONE_LIST = 10  # options that need no groups
SHORT_CHOICES = 24  # letters of choices that stand behind an option's name; more of them stand in its text
_TYPES: dict[object, str] = {int: "INTEGER", float: "NUMBER", Path: "PATH"}
_TYPE_NAMES = {"int": "INTEGER", "integer": "INTEGER", "float": "NUMBER", "path": "PATH"}


@dataclass(frozen=True)
class HelpRow:
    """A name, and what it means."""

    name: str
    text: str


@dataclass(frozen=True)
class HelpSection:
    title: str
    rows: Sequence[HelpRow]


# ---- what commands and parameters say -----------------------------------------------------------------
def paragraphs(text: str) -> tuple[list[str], list[str]]:
    """The paragraphs of a help text, and the command lines of its examples: `Example: A`, `Examples: A; B`, or a line of its own."""
    prose, examples = [], []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        line = " ".join(paragraph.split())
        if found := re.match(r"Examples?: ", line):
            examples += [one.removesuffix(";") for one in line[found.end() :].split("; ")]
        elif line.startswith("ringside "):
            examples.append(line)
        elif line:
            prose.append(line)
    return prose, examples


def summary(text: str) -> str:
    """The first sentence, for a list of commands."""
    first = paragraphs(text)[0][:1]
    return re.split(r"(?<=\.) (?=[A-Z`])", first[0])[0] if first else ""


def is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def is_flag(parameter: Any) -> bool:
    return bool(getattr(parameter, "is_flag", False))


def choices(parameter: Any) -> list[str]:
    """The words that a parameter takes, if it takes but some."""
    # Typer up to 0.28 has them in the type, later ones in a descriptor
    kind = getattr(parameter, "type", None) or getattr(parameter, "type_descriptor", None)
    known = getattr(kind, "choices", None) or getattr(getattr(kind, "func", None), "choices", None) or ()
    return [str(getattr(one, "value", one)) for one in known]


def _type_name(parameter: Any) -> str:
    descriptor = getattr(parameter, "type_descriptor", None)
    if descriptor is not None:
        kind = getattr(descriptor, "annotation", str)
        return _TYPES.get(next(iter(get_args(kind)), kind), "TEXT")
    return _TYPE_NAMES.get(str(parameter.type.name).partition(" ")[0], "TEXT")


def wanted(parameter: Any) -> str:
    """The numbers that a parameter takes, in words; nothing if it takes others, or a parser of ours reads it and says itself what is wrong."""
    descriptor = getattr(parameter, "type_descriptor", None)
    kind = {"INTEGER": "a whole number", "NUMBER": "a number"}.get(_type_name(parameter), "")
    if not kind or (descriptor is not None and descriptor.parameter_info.parser):
        return ""
    low, high = (
        getattr(getattr(parameter, "type", None), end, getattr(parameter, end, None)) for end in ("min", "max")
    )
    if low is None:
        return kind
    return f"{kind} of {low} or more" if high is None else f"{kind} from {low} to {high}"


def takes(parameter: Any) -> str:
    """The word behind an option's name, or an argument's own name."""
    if parameter.metavar:
        return str(parameter.metavar)
    if is_argument(parameter):
        return str(parameter.name).upper()
    words = choices(parameter)
    joined = "|".join(words)
    if words:
        return joined if len(joined) <= SHORT_CHOICES else str(parameter.name).rstrip("_").upper()
    kind = _type_name(parameter)
    return str(parameter.name).rstrip("_").upper() if kind == "TEXT" else kind


def names(parameter: Any) -> list[str]:
    """An option's names, short ones first."""
    return sorted((*parameter.opts, *parameter.secondary_opts), key=lambda name: name.startswith("--"))


def meaning(parameter: Any) -> str:
    """Help, then what else is known: choices that do not stand behind the name, the default, whether it must be given."""
    parts = [(getattr(parameter, "help", None) or "").strip()]
    words = choices(parameter)
    if words and takes(parameter) != "|".join(words):
        parts.append(f"One of {', '.join(words)}.")
    value = getattr(parameter.default, "value", parameter.default)
    is_shown = getattr(parameter, "show_default", False) and not callable(value) and "Default:" not in parts[0]
    if is_shown and value not in (None, False, "", [], ()):
        # --do/--no-do: its own name says more than `True`
        parts.append(f"Default: {parameter.opts[0] if value is True else value}.")
    if parameter.required and not is_argument(parameter):
        parts.append("Required.")
    return " ".join(part for part in parts if part)


def shown(command: Any, ctx: Any = None) -> list[Any]:
    """The parameters that are for people: without `--help`, which comes at the end."""
    found = command.get_params(ctx) if ctx is not None else command.params
    return [one for one in found if not getattr(one, "hidden", False) and "--help" not in one.opts]


def usage_words(command: Any) -> list[str]:
    """What stands behind a command's name."""
    words = [
        takes(one) if one.required else f"[{takes(one).strip('[]')}]" for one in command.params if is_argument(one)
    ]
    return ["[OPTIONS]", *words, *(["COMMAND", "[ARGS]..."] if hasattr(command, "commands") else [])]


# ---- the page ------------------------------------------------------------------------------------------
def _option_row(parameter: Any) -> HelpRow:
    if is_argument(parameter):
        return HelpRow(takes(parameter), meaning(parameter))
    name = ", ".join(names(parameter))
    return HelpRow(name if is_flag(parameter) else f"{name} {takes(parameter)}", meaning(parameter))


def _commands(group: Any) -> list[HelpSection]:
    """Commands by their panels. A table of commands that are not loaded tells what each is about by itself."""
    listed = getattr(group.commands, "listed", None)
    if listed is not None:
        return [HelpSection(panel, [HelpRow(*one) for one in rows]) for panel, rows in listed().items()]
    return [HelpSection("Commands", [HelpRow(name, summary(one.help or "")) for name, one in group.commands.items()])]


def sections(command: Any, ctx: Any = None) -> list[HelpSection]:
    parameters = shown(command, ctx)
    found = [
        HelpSection("Arguments", [_option_row(one) for one in parameters if is_argument(one)]),
        *(_commands(command) if hasattr(command, "commands") else []),
        *_options([one for one in parameters if not is_argument(one)]),
    ]
    return [section for section in found if section.rows]


def _options(parameters: Sequence[Any]) -> list[HelpSection]:
    """In one list, or by their panels where they are many."""
    found: dict[str, list[HelpRow]] = {"Options": []}
    for one in parameters:
        panel = getattr(one, "rich_help_panel", None) if len(parameters) > ONE_LIST else None
        found.setdefault(panel or "Options", []).append(_option_row(one))
    found["Options"].append(HELP_ROW)
    return [HelpSection(title, rows) for title, rows in found.items()]


HELP_ROW = HelpRow("-h, --help", "Show this help.")


def _lines(row: HelpRow, width: int, columns: int) -> Iterator[str]:
    """A row in two columns; `columns` are those of the left one."""
    indent = " " * (columns + 4)
    text = textwrap.wrap(row.text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    name = f"  {painted(row.name, 'cyan')}"
    if text and len(row.name) <= columns:
        yield name + " " * (columns - len(row.name)) + text.pop(0)[columns + 2 :]
    else:
        yield name
    yield from text


def page(command: Any, path: str, ctx: Any = None) -> str:
    """All that `--help` prints for a command."""
    width = max(LEAST_COLUMNS, min(MOST_COLUMNS, shutil.get_terminal_size().columns))
    prose, examples = paragraphs(command.help or "")
    lines = [f"{painted('Usage:', 'bold')} {path} {' '.join(usage_words(command))}"]
    for paragraph in prose:
        lines += ["", *textwrap.wrap(paragraph, width, break_on_hyphens=False)]
    if examples:
        lines += ["", painted("Examples:", "bold"), *(f"  {one}" for one in examples)]
    for section in sections(command, ctx):
        columns = min(NAMES_COLUMNS, max(len(row.name) for row in section.rows))
        lines += ["", painted(f"{section.title}:", "bold")]
        for row in section.rows:
            lines += _lines(row, width, columns)
    if epilog := getattr(command, "epilog", None):
        lines += ["", *textwrap.wrap(" ".join(str(epilog).split()), width)]
    return "\n".join(lines)
