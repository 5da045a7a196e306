# SPDX-License-Identifier: Apache-2.0
"""Help, the manual page and completions: every command and option is in them, in words for people."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from cli_runner import CommandLine, python
from ringside.cli import manual, plugins
from ringside.cli.app import PANELS, Verb, command_line
from ringside.cli.common import help as pages

ROOT = Path(__file__).resolve().parents[2]
SHARE = ROOT / "py" / "share"

OLDEST_TYPER = "0.26.0"


def typer_requirement() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (found,) = (Requirement(line) for line in project["dependencies"] if line.startswith("typer"))
    return ",".join(sorted(map(str, found.specifier), reverse=True))


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


COMMANDS = dict(commands(command_line()))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_names_options_and_not_types(ringside: CommandLine, path: tuple[str, ...]) -> None:
    done = ringside(*path, "--help").ends(0).shows(f"Usage: {' '.join(['ringside', *path])} ")
    assert re.findall(r"<bool|<list", done.out) == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_is_explained(path: tuple[str, ...]) -> None:
    for parameter in COMMANDS[path].params:
        text = (parameter.help or "").rstrip()
        assert text.endswith("."), parameter.name
        assert not re.match(r"(Also|By|For|Of|Only|What|With) ", text), (
            text
        )  # it begins with what the option is or does


@pytest.mark.parametrize("path", [path for path in COMMANDS if path], ids=" ".join)
def test_every_help_shows_a_command_to_copy(path: tuple[str, ...]) -> None:
    examples = pages.paragraphs(COMMANDS[path].help)[1]
    assert examples
    assert all(f"ringside {' '.join(path)} " in f"{line} " or path == ("explore", "run") for line in examples)


def test_pip_takes_versions_of_typer_that_were_tried() -> None:
    """test_every_version_of_typer_gives_the_same_help tries the ends of the range."""
    assert typer_requirement() == f">={OLDEST_TYPER},<0.30"
    pinned = re.search(r"^typer==(.*)$", (ROOT / "requirements" / "demo.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert pinned is not None
    assert pinned[1] in SpecifierSet(typer_requirement())


# wrong words, and what is said of them
SLIPS = {
    "encrypt --keys k x.npy y --compression gzip": "--compression cannot be 'gzip'. Pass none, zlib or zstd.",
    "encrypt --keys k x.npy y --threads 0": "--threads has to be a whole number from 1 to 256.",
    "encrypt --keys k x.npy y --scale abc": "--scale: 'abc' is not a positive number such as 2^40 or 1e12.",
    "encrypt --kees k": "There is no option --kees.",
    "advise --precision zz --depth 1 --slots 4": "--precision has to be a number.",
    "advise --precision 1 --depth x --slots 4": "--depth has to be a whole number.",
    "cycles rise-4 --op encrypt-pk --limbs 0": "--limbs has to be a whole number of 1 or more.",
    "cycles rise-4 --op encrypt": "--op cannot be 'encrypt'.",
    "cycles rise-4 --op ntt --clock x": "--clock: 'x' is not a clock in MHz: a number of 1 or more, such as 500.",
    "kem keygen": "KEY is missing.",
    "params lee-12 lee-13": "Too many words: lee-13.",
    "rtl": "DESIGN is missing.",
    "keygen": "--out is missing.",
}
MEANT = {"encrypt --kees k": "'--keys'", "cycles rise-4 --op encrypt": "'encrypt-pk'"}


@pytest.mark.parametrize("words", SLIPS)
def test_wrong_words_are_told_in_our_words(ringside: CommandLine, words: str) -> None:
    done = ringside(*words.split())
    message, hint = done.err.splitlines()
    assert (done.code, message) == (2, f"ringside: {SLIPS[words]}")
    assert re.findall(r"Did you mean (.*?)\?", hint) == ([MEANT[words]] if words in MEANT else [])
    assert "--help` explains it" in hint


@pytest.mark.soak  # pip brings other versions
@pytest.mark.parametrize("version", [OLDEST_TYPER, "0.29.2"])
def test_every_version_of_typer_gives_the_same_help(version: str, tmp_path: Path) -> None:
    command: list[str | Path] = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", tmp_path]
    done = subprocess.run([*command, f"typer=={version}"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"pip brings no typer {version}: {done.stderr.strip()[-200:]}")
    code = (
        "import sys, typer; from ringside.cli import main, manual; print(typer.__version__); print(manual.page(), end='')\n"
        f"for words in {list(SLIPS)}: main(words.split())"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    told = python(code, env=env, check=True)
    assert told.stdout == f"{version}\n{manual.page()}"
    assert re.findall(r"^ringside: (.*)$", told.stderr, re.MULTILINE) == list(SLIPS.values())


def test_commands_are_in_panels(ringside: CommandLine) -> None:
    blocks = [block.partition(":\n") for block in ringside("--help").out.split("\n\n")]
    panels = {title: re.findall(r"^  ([\w-]+) ", content, re.MULTILINE) for title, _, content in blocks if content}
    wanted = ["Parameters and keys", "Data", "Post-quantum", "Hardware", "Research", "Tools"]
    assert list(panels)[: len(wanted)] == wanted == list(PANELS)
    shown = [name for title, names in panels.items() if title not in ("Options", plugins.PANEL) for name in names]
    assert sorted(shown) == sorted(COMMANDS[()].commands)
    assert max(map(len, panels.values())) <= 10


def test_many_options_are_in_groups(ringside: CommandLine) -> None:
    def groups(*words: str) -> dict[str, list[str]]:
        blocks = [block.partition(":\n") for block in ringside(*words, "--help").out.strip().split("\n\n")]
        return {title: re.findall(r"^  (?:-\w, )?(-[\w-]+)", rows, re.MULTILINE) for title, _, rows in blocks if rows}

    found = groups("encrypt")
    assert [name for name in found if found[name]] == ["Options", "Files", "CSV files", "BFV and BGV", "Computing"]
    assert found["Computing"] == ["--device", "--clock", "--threads"]
    assert found["CSV files"] == ["--header", "--columns", "--separator"]
    assert found["Options"][-1] == "--help"
    assert [name for name, rows in groups("convert").items() if rows] == ["Options"]  # a few are one list
    assert "TEXT" not in ringside("synth", "--help").out


@pytest.mark.parametrize("verb", [verb for verbs in PANELS.values() for verb in verbs], ids=lambda verb: verb.name)
def test_the_list_says_what_the_help_says(verb: Verb) -> None:
    """The list of commands is written by hand, so that it loads none of them."""
    assert verb.about == pages.summary(COMMANDS[(verb.name,)].help)


def test_the_guide_lists_every_command() -> None:
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    table = text.partition("| command | what it does |\n")[2].partition("\n\n")[0]
    listed = [name for row in table.splitlines() for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]
    assert sorted(listed) == sorted(verb.name for verbs in PANELS.values() for verb in verbs)


def test_the_list_of_commands_loads_none_of_them() -> None:
    """What it costs is measured as modules: 0.35 s on an idle machine are for these."""
    code = "import sys; from ringside.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    loaded = set(python(code, check=True).stderr.split())
    assert {"typer", "ringside.cli.app"} <= loaded
    heavy = {"numpy", "cffi", "rich", "jinja2", "PIL", "pyarrow", "asyncio", "multiprocessing", "ringside.native"}
    assert heavy & loaded == set()
    assert [
        name for name in loaded if name.startswith("ringside.") and name.count(".") > 1 and ".common" not in name
    ] == [name for name in loaded if name in ("ringside.cli.app", "ringside.cli.run", "ringside.cli.plugins")]
    assert len(loaded) < 250


def test_a_group_without_a_command_tells_its_help(ringside: CommandLine) -> None:
    for words in ((), ("soc",), ("explore",)):
        done = ringside(*words)
        assert (done.code, done.out) == (2, ringside(*words, "--help").out)


@pytest.mark.parametrize(
    ("given", "coloured"), [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)]
)
def test_colours(ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, given: dict[str, str], coloured: bool) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in ringside("--help").out) == coloured
    assert ("\x1b[" in ringside("keyg").err) == coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", ringside("encrypt", "--help").out)
    monkeypatch.setenv("NO_COLOR", "1")
    assert plain == ringside("encrypt", "--help").out


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
    sections = {name.replace("\\-", "-"): section for name, section in sections.items()}
    assert set(sections) == {" ".join(["ringside", *path]) for path in last}
    for path in last:
        section = sections[" ".join(["ringside", *path])]
        for parameter in COMMANDS[path].params:
            for name in parameter.opts if parameter.param_type_name == "option" else ():
                assert name.replace("-", "\\-") in section
    common = page.partition("OPTIONS OF SEVERAL COMMANDS\n")[2].partition(".SH ")[0]
    for command in manual.commands():
        for option in command.options:  # what it means stands with the command, or once for several
            item, section = manual._item(option.roff, option.about), sections[command.name]
            assert item in section or (item in common and option.roff in section.partition("See above: ")[2])
    assert not re.search(r"^[.'](?!\\\"|[A-Z]{1,2}\b)", page, re.MULTILINE)  # no text is taken for a command of roff


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("ringside keyg", "keygen"),
        ("ringside cycles rise-4 --op encrypt-s", "encrypt-sk"),
        ("ringside build aloha-he-", "aloha-he-32k"),
        ("ringside keygen --params lee-14", "lee-14"),
    ],
)
def test_bash_completes(words: str, found: str) -> None:
    script = SHARE / "bash-completion" / "completions" / "ringside"
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    command = f'. "{script}"; COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _ringside_completion ringside; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", command], env={"PATH": path}, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (found, "")
