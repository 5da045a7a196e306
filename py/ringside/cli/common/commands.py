# SPDX-License-Identifier: Apache-2.0
"""Commands and groups of commands of Typer, with help of our own (help.py)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import ParameterInfo

from . import help as pages
from .paint import is_coloured

CommandFunction = TypeVar("CommandFunction", bound=Callable[..., Any])


def _unasked(function: CommandFunction) -> CommandFunction:
    """Commands open files by themselves, and say what is wrong with one. Typer would ask before, and of outputs too, whether they can be read."""
    function.__annotations__ = get_type_hints(function, include_extras=True)  # evaluated once, and kept
    for hint in function.__annotations__.values():
        for info in getattr(hint, "__metadata__", ()):
            if isinstance(info, ParameterInfo):
                info.readable = False
    return function


class _OwnHelp:
    def format_help(self, ctx: Any, formatter: Any) -> None:
        ctx.color = is_coloured(sys.stdout)  # else Typer takes colours out again
        formatter.write(pages.page(self, ctx.command_path, ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return pages.usage_words(self)


class Command(_OwnHelp, TyperCommand):
    pass


class VerbGroup(_OwnHelp, TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.commands)


class App(typer.Typer):
    """A Typer whose commands and groups are of these kinds."""

    def __init__(self, *, cls: type[VerbGroup] = VerbGroup, **settings: Any) -> None:
        super().__init__(cls=cls, **{"add_completion": False, "pretty_exceptions_enable": False, **settings})

    def command(self, name: str | None = None, **settings: Any) -> Callable[[CommandFunction], CommandFunction]:
        decorate = super().command(name, **{"cls": Command, **settings})
        return lambda function: decorate(_unasked(function))
