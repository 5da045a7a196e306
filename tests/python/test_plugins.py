# SPDX-License-Identifier: Apache-2.0
"""Commands of other packages: found by their entry points, never in the way of ours."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from asserting import raiser
from cli_runner import CommandLine
from ringside.cli import plugins

MODULE = """
import typer
app = typer.Typer(no_args_is_help=True, help="Another package's.")
@app.command("hello")
def hello(name: str) -> None:
    '''Greet.'''
    print(f"hello {name}")
@app.command("bye")
def bye() -> None:
    '''Leave.'''
def alone(count: int = 2) -> None:
    '''Count.'''
    print(count)
"""
Declare = Callable[..., None]


@pytest.fixture
def declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Declare:
    """declare(name="module:object") makes these the entry points there are."""
    (tmp_path / "other_package.py").write_text(MODULE)
    (tmp_path / "broken_package.py").write_text("raise RuntimeError('out of order')")
    monkeypatch.syspath_prepend(tmp_path)

    def set_to(**given: str) -> None:
        points = [EntryPoint(name, value, plugins.GROUP) for name, value in given.items()]

        def entry_points(group: str) -> list[EntryPoint]:
            assert group == plugins.GROUP
            return points

        monkeypatch.setattr(plugins, "entry_points", entry_points)

    return set_to


def test_a_group_of_commands(declare: Declare, ringside: CommandLine) -> None:
    declare(greet="other_package:app")
    assert ringside("greet", "hello", "you").out == "hello you\n"
    help_text = ringside("--help").out
    assert plugins.PANEL in help_text
    assert "\n  greet" in help_text
    assert "hello" in ringside("greet", "--help").out


def test_a_function_is_a_command(declare: Declare, ringside: CommandLine) -> None:
    declare(count="other_package:alone")
    assert ringside("count", "--count", "3").out == "3\n"


def test_ours_cannot_be_replaced(declare: Declare, ringside: CommandLine) -> None:
    declare(params="other_package:alone", greet="other_package:app")
    assert "lee-12" in ringside("params").out
    assert ringside("params", "--count", "3").code == 2


def test_a_broken_one_is_told_when_it_is_called(declare: Declare, ringside: CommandLine) -> None:
    declare(broken="broken_package:app", greet="other_package:app")
    done = ringside("greet", "hello", "you")
    assert (done.code, done.out, done.err) == (0, "hello you\n", "")
    assert "\n  broken" in ringside("--help").out
    ringside("broken").ends(2, "the command broken of another package cannot be loaded: out of order")


def test_they_are_not_looked_for_when_the_command_is_ours(
    monkeypatch: pytest.MonkeyPatch, ringside: CommandLine
) -> None:
    monkeypatch.setattr(plugins, "entry_points", raiser(AssertionError()))
    assert ringside("params").code == 0


def test_nothing_of_a_run_stays(declare: Declare, ringside: CommandLine) -> None:
    declare(greet="other_package:app")
    assert ringside("greet", "bye").code == 0
    declare()
    assert ringside("greet", "bye").code == 2
