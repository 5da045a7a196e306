# SPDX-License-Identifier: Apache-2.0
"""Help, the manual page and completions: every command and option is in them, in words for people."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from typer.main import get_command

from cli_runner import CommandLine
from ringside.cli import manual, plugins
from ringside.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
SHARE = ROOT / "py" / "share"


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


COMMANDS = dict(commands(get_command(app)))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_names_options_and_not_types(ringside: CommandLine, path: tuple[str, ...]) -> None:
    done = ringside(*path, "--help")
    assert done.code == 0, done.err
    assert f"Usage: {' '.join(['ringside', *path])} " in done.out
    assert re.findall(r"<bool|<list", done.out) == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    for parameter in COMMANDS[path].params:
        text = (parameter.help or "").rstrip()
        assert text.endswith("."), parameter.name
        assert not re.match(r"(Also|By|For|Of|Only|What|With) ", text), (
            text
        )  # it begins with what the option is or does


def test_pip_takes_no_version_of_typer_whose_help_is_broken() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (typer,) = (Requirement(line) for line in project["dependencies"] if line.startswith("typer"))
    pinned = re.search(r"^typer==(.*)$", (ROOT / "requirements" / "demo.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert pinned is not None
    assert [version for version in ("0.15.0", pinned[1], "0.29.0", "0.29.2") if version in typer.specifier] == [
        pinned[1]
    ]


def test_commands_are_in_panels(ringside: CommandLine) -> None:
    panels = re.findall(r"╭─ (.*?) ─+╮\n(.*?)╰", ringside("--help").out, re.DOTALL)
    ours = [content for title, content in panels[1:] if title != plugins.PANEL]
    shown = [re.findall(r"^│ (\w+) ", content, re.MULTILINE) for content in ours]
    assert sorted(name for names in shown for name in names) == sorted(COMMANDS[()].commands)
    assert len(shown) > 2
    assert max(map(len, shown)) < 9


def test_the_version_has_a_short_option(ringside: CommandLine) -> None:
    assert ringside("-V").out == ringside("--version").out != ""


def test_the_manual_is_that_of_the_commands() -> None:
    """If not: build/venv/bin/python scripts/manual.py"""
    installed = {
        str(path.relative_to(SHARE)): path.read_text(encoding="utf-8") for path in SHARE.rglob("*") if path.is_file()
    }
    assert installed == manual.files()


def test_the_manual_has_every_command_and_option() -> None:
    page = manual.page()
    sections = dict(re.findall(r"^\.SS (.*?) \[OPTIONS\].*?\n(.*?)(?=^\.S[SH] )", page, re.MULTILINE | re.DOTALL))
    last = {path for path, command in COMMANDS.items() if not hasattr(command, "commands")}
    assert set(sections) == {" ".join(["ringside", *path]) for path in last}
    for path in last:
        section = sections[" ".join(["ringside", *path])]
        for parameter in COMMANDS[path].params:
            for name in parameter.opts if parameter.param_type_name == "option" else ():
                assert name.replace("-", "\\-") in section
    assert not re.search(r"^[.'](?!\\\"|[A-Z]{1,2}\b)", page, re.MULTILINE)  # no text is taken for a command of roff


@pytest.mark.parametrize(
    ("words", "found"), [("ringside keyg", "keygen"), ("ringside cycles rise-4 --op encrypt-s", "encrypt-sk")]
)
def test_bash_completes(words: str, found: str) -> None:
    script = SHARE / "bash-completion" / "completions" / "ringside"
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    command = f'. "{script}"; COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _ringside_completion ringside; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", command], env={"PATH": path}, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (found, "")
