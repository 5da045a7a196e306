# SPDX-License-Identifier: Apache-2.0
"""Commands as questions: the one form of a command, its answer, and what this user has measured."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import cache
from typing import TYPE_CHECKING, Any

from .. import interrupt
from ..errors import DeviceError, ParameterError, RingsideError
from ..operations import CLIENT, TABLE, USUAL
from .common import output

if TYPE_CHECKING:
    from ..figures.ledger import Row

# what a design says when it is not made for the operation, N or word width
CANNOT = {"RS_ERR_DEGREE", "RS_ERR_DESIGN", "RS_ERR_DESIGN_DEGREE", "RS_ERR_DESIGN_MODULUS"}


@cache
def canonical(text: str) -> str:
    """A command in the form in which its answer is recorded: sizes always, other options where they are not the usual ones, in the command's order. ParameterError: its figures are not
    recorded."""
    from ..figures.command import BENCH, SIZES, always_said, line, parse

    if text == BENCH:
        return text
    try:
        words = shlex.split(text)[1:]
        verb, command, words = _command_of(words)
        given = _values(verb, command, words)
        arguments = [str(given[one.name]) for one in command.params if one.param_type_name == "argument"]
        usual = _values(verb, command, arguments)
    except KeyError:  # a command of another package, which is not here
        return parse(text).command
    except Exception as error:  # whatever the command line's own parser has against it
        raise ParameterError("FIGURE", f"{text!r} is not a command whose figures are recorded.", str(error)) from error
    always: Collection[str] = always_said(verb)
    if given.get("params") or given.get("log_size") or _of_scheme(given.get("op")):
        always = set(always) - set(SIZES)
        given = {name: value for name, value in given.items() if name not in SIZES}
    kept = {}
    for option in command.params:
        value = given.get(option.name)
        if (
            option.param_type_name == "option"
            and option.name != "json"
            and (option.name in always or value != usual[option.name])
        ):
            name, value = (f"no_{option.name}", True) if value is False else (option.name, value)
            kept[name] = getattr(value, "value", value)
    return parse(line(verb, *arguments, **kept)).command


def _of_scheme(op: Any) -> bool:
    return op in TABLE and TABLE[op].scheme not in CLIENT


def _command_of(words: list[str]) -> tuple[str, Any, list[str]]:
    """The name of a command, it, and the words behind its name."""
    from .plugins import command_of

    command, names = command_of(words), []
    while hasattr(command, "commands"):
        names.append(words[0])
        command, words = command.commands[words[0]], words[1:]
    return " ".join(names), command, words


def _values(verb: str, command: Any, words: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = command.make_context("", list(words)).params
    usual = USUAL.get(verb, {})
    return {name: usual.get(name) if value is None else value for name, value in values.items()}


def measured(command: str) -> Row:
    """The answer as of now; that a design cannot do it is one, too. RingsideError: it failed, or something is missing. A wrong result is a failure."""
    from .. import designs
    from ..figures.command import parse
    from ..figures.ledger import REFUSED, make_row
    from ..sim.options import ALONE

    asked = parse(command)
    if asked.design != ALONE and asked.design not in designs.names():
        return make_row(command, {REFUSED: f"there is no design {asked.design}"})
    try:
        return make_row(command, answer(command))
    except RingsideError as error:
        if error.code not in CANNOT:
            raise
        return make_row(command, {REFUSED: str(error)})


def answer(command: str) -> Mapping[str, Any]:
    """What it prints with --json. RingsideError: it failed."""
    from ..figures.command import BENCH
    from .plugins import command_of

    if command == BENCH:
        return _benched()
    words = [*shlex.split(command)[1:], "--json"]
    with redirect_stdout(io.StringIO()) as printed, _quiet():
        code = command_of(words)(args=words, prog_name="ringside", standalone_mode=False)
    if code == interrupt.EXIT_CODE:
        raise KeyboardInterrupt
    found: dict[str, Any] = json.loads(printed.getvalue() or "{}")
    problem = found.get(
        "error", {"code": "SIMULATION", "message": "The result is not the library's: a fault of hardware or firmware."}
    )
    if code and problem["code"] != "DOES_NOT_FIT":
        raise DeviceError(problem["code"], problem["message"])
    return found


@contextmanager
def _quiet() -> Iterator[None]:
    """Who measures many says what is done now."""
    before = output._quiet
    output.be_quiet(True)
    try:
        yield
    finally:
        output.be_quiet(before)


def _benched() -> Mapping[str, Any]:
    """Operations per second of the last `make bench` in the source tree."""
    from ..figures.ledger import PROCESSOR
    from ..sim.verilate import source_tree

    place = source_tree() / "build" / "bench.json"
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DeviceError("FIGURES", "There is no build/bench.json.", "Run `make bench`.") from None
    sets = {**found["sets"], **found.get("schemes", {}).get("sets", {})}

    def rates(operations: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: {who: {"rate": 1e9 / one["cpu_ns_median"]} for who, one in timed.items() if "cpu_ns_median" in one}
            for name, timed in operations.items()
        }

    return {name: rates(one["operations"]) for name, one in sets.items()} | {PROCESSOR: found["machine"]["processor"]}


def keep(verb: str, *arguments: str, found: Mapping[str, Any], **options: Any) -> None:
    """What a command has measured goes into this user's ledger."""
    from ..figures import ledger
    from ..figures.command import line

    ledger.own().put(ledger.make_row(canonical(line(verb, *arguments, **options)), found))
