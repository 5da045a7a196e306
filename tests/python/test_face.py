# SPDX-License-Identifier: Apache-2.0
"""How the command line meets people: JSON of every command, summaries of what is long, time left, commands to copy."""

import ast
import contextlib
import inspect
import io
import re
import shlex
import textwrap
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import ringside as rs
from cli_runner import CommandLine, python
from ringside.cli import manual
from ringside.cli.app import command_line
from ringside.cli.common.output import Lines, report_error
from ringside.cycles import far, operation
from ringside.designs import load
from ringside.errors import FileError
from ringside.native.files import hidden_name


def last_commands(group: Any, path: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        words = f"{path} {name}".strip()
        found |= last_commands(command, words) if hasattr(command, "commands") else {words: command}
    return found


COMMANDS = last_commands(command_line())


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_gives_json(words: str) -> None:
    assert "--json" in [name for parameter in COMMANDS[words].params for name in parameter.opts]


def test_every_command_shows_how_it_is_called() -> None:
    assert [command.name for command in manual.commands() if not command.examples] == []


# ---- the package ---------------------------------------------------------------------------------------
def test_importing_the_package_costs_little() -> None:
    """0.2 s beyond NumPy's import are for what a context needs; measured as modules, which no other process disturbs."""
    code = "import sys, numpy, ringside as rs; before = set(sys.modules); rs.Context, rs.Parameters; print(*(set(sys.modules) - before))"
    loaded = set(python(code, check=True).stdout.split())
    heavy = ("rich", "typer", "PIL", "jinja2", "pyarrow", "asyncio", "multiprocessing", "unittest", "ctypes.util")
    assert {name for name in loaded if name.partition(".")[0] in heavy} == set()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("ringside.")}
    assert rooms & {"cli", "cycles", "demo", "explore", "exchange", "figures", "report", "synth", "tenseal"} == set()
    assert len(loaded) < 140


def test_the_face_of_the_package_has_all_its_names() -> None:
    assert set(rs.__all__) <= set(dir(rs))
    assert all(getattr(rs, name).__module__.startswith("ringside") for name in rs.__all__ if name != "DEVICES")
    assert rs.designs.load("rise-4").name == "rise-4"  # a room is found without an import
    with pytest.raises(AttributeError, match="no attribute 'Contxt'"):
        rs.Contxt  # type: ignore[attr-defined]  # noqa: B018


def test_the_names_that_are_loaded_late_are_those_that_type_checkers_see() -> None:
    text = Path(rs.__file__).read_text(encoding="utf-8")
    block = text.partition("if TYPE_CHECKING:\n")[2].partition("\n__all__")[0]
    seen = {
        (name.strip(), place)
        for place, names in re.findall(r"^    from \.(\S+) import (.*)$", block, re.MULTILINE)
        for name in names.split(",")
    }
    assert seen == set(rs._PLACE_OF.items())


# ---- what is long --------------------------------------------------------------------------------------
def test_a_long_program_is_told_in_a_few_lines(ringside: CommandLine, tmp_path: Path) -> None:
    words = ["program", "rise-4", "--limbs", "4"]
    short, whole = ringside(*words).out.splitlines(), ringside(*words, "--full").out.splitlines()
    assert len(short) < 25 < 60 < len(whole)
    assert short[:20] == whole[:20]
    counts = sum(int(count) for count in re.findall(r"(\d+) [A-Z]", short[-1]))
    assert counts == len(whole) == len(ringside(*words, "--json").json)
    file = tmp_path / "program.asm"
    assert ringside(*words, "--out", file).code == 0
    assert file.read_text().splitlines() == whole
    assert ringside(*words, "--out", "-").out.splitlines() == whole


def test_the_report_of_systems_is_a_page(ringside: CommandLine) -> None:
    short, whole = ringside("soc", "report").out, ringside("soc", "report", "--full").out
    assert len(short.splitlines()) < 80 < 150 < len(whole.splitlines())
    assert "--full" in short
    assert "link, 10 Mbit/s" not in short
    assert "link, 10 Mbit/s" in whole


# ---- advice --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("asked", [(12, 1, 1000), (20, 0, 512)])
def test_advice_ends_with_commands_that_work(
    ringside: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[int, int, int]
) -> None:
    monkeypatch.chdir(tmp_path)
    precision, depth, slots = map(str, asked)
    words = ["advise", "--precision", precision, "--depth", depth, "--slots", slots, "--no-measure"]
    commands = ringside(*words).out.splitlines()[-2:]
    assert [line.strip() for line in commands] == next(row for row in ringside(*words, "--json").json if row["fits"])[
        "commands"
    ]
    np.save("values.npy", np.linspace(-1, 1, asked[2]))
    for line in commands:
        ringside(*shlex.split(line)[1:]).ends(0)
    found = ringside("decrypt", "--keys", "keys", "upload.seal", "back.npy", "--truth", "values.npy", "--json").json
    assert found["measured_precision_bits"] > asked[0] - 1


def test_commands_of_advice_name_what_is_not_the_default(ringside: CommandLine) -> None:
    words = ["advise", "--precision", "12", "--depth", "1", "--slots", "1000", "--no-measure", "--json"]
    rows = ringside(*words).json
    lower = 0
    for row in rows:
        make, encrypt = row["commands"]
        named = re.search(r"--params (\S+)", make)
        params = (
            rs.Parameters.named(named[1], security=0)
            if named
            else rs.Parameters.from_bits(row["n"], row["modulus_bits"])
        )
        level, scale = re.search(r"--level (\d+)", encrypt), re.search(r"--scale 2\^(\S+)", encrypt)
        assert row["level"] == (int(level[1]) if level else params.max_level)
        assert 2.0 ** row["scale_log2"] == pytest.approx(2.0 ** float(scale[1]) if scale else params.default_scale)
        lower += level is not None
    assert 0 < lower < len(rows)


def test_what_nothing_fits_is_told(ringside: CommandLine) -> None:
    done = ringside("advise", "--precision", "60", "--depth", "3", "--slots", "4096", "--no-measure")
    assert (done.code, done.out) == (3, "")
    assert "No set reaches 60 bits" in done.err
    assert "Ask for --precision" in done.err


# ---- time left -----------------------------------------------------------------------------------------
def test_lines_turn_from_parts_to_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr("ringside.cli.common.output.LINE_SECONDS", 0.01)

    def wait_for(text: str) -> None:
        end = time.monotonic() + 600
        while text not in said.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        assert text in said.getvalue()

    with Lines("Working") as lines:
        lines(1, 4)
        wait_for("Working: 1 of 4, ")
        lines.simulated(1_000_000, 4_000_000)
        wait_for("Working: 1.0 of about 4.0 million cycles, 25 %")


class Simulating:
    """Stands for a device whose cycles go on."""

    class core:  # noqa: N801
        cycles = 100


def test_a_device_is_watched_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far, "TOLD_SECONDS", 0.01)
    seen: list[tuple[int, int]] = []
    device: Any = Simulating()
    with far.watched(lambda: 4000, lambda done, total: seen.append((done, total)), device):
        for told in ((0, 4000), (1000, 4000)):
            end = time.monotonic() + 600
            while told not in seen and time.monotonic() < end:
                time.sleep(0.01)
            Simulating.core.cycles = 1100
    assert seen[0] == (0, 4000)
    assert seen[-1] == (1000, 4000)


@pytest.mark.parametrize(
    ("name", "op", "n", "limbs", "frames", "cycles"),
    [
        # as `ringside cycles` counts them, all frames
        ("rise-32", "ntt", 4096, 1, 1, 1_477),
        ("aloha-he", "encode-encrypt-pk-direct", 8192, 3, 1, 168_244),
        ("ringside-32", "encrypt-pk-direct", 8192, 6, 1, 35_638),
    ],
)
def test_estimates_of_simulations_are_near(name: str, op: str, n: int, limbs: int, frames: int, cycles: int) -> None:
    design = load(name)
    bits = 54 if design.word_bits > 32 else 30
    found = far.expected_cycles(design, op, operation.parameters(op, n, limbs, bits), limbs, frames)
    assert found == pytest.approx(cycles, rel=0.001)


# Commands that take some seconds at most, whatever they are asked for, and one that goes on until somebody ends it.
SHORT = {
    *("inspect", "convert", "shrink", "params", "advise", "plan-keys", "heir", "kem sets", "sign sets", "designs", "program", "rtl", "doctor", "selftest", "cache"),
    *("figures list", "figures fill", "explore serve"),
}  # fmt: skip


def tells_time_left(function: FunctionType, seen: set[FunctionType]) -> bool:
    """Whether it, or a function of the commands that it names, opens a progress bar."""
    if function in seen or ".cli" not in function.__module__:
        return False
    seen.add(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    named |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    if "progress_bar" in named:
        return True
    here = function.__globals__
    modules = [
        *imported(tree, here["__package__"]),
        *(here[name] for name in named if isinstance(here.get(name), ModuleType)),
    ]
    places = [here, *(vars(module) for module in modules if ".cli" in module.__name__)]
    for called in (place[name] for place in places for name in named if name in place):
        inner = inspect.unwrap(called) if callable(called) else None
        if isinstance(inner, FunctionType) and tells_time_left(inner, seen):
            return True
    return False


def imported(tree: ast.Module, package: str) -> Iterator[ModuleType]:
    """Modules that a function imports, or names of, when it runs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            names = [f"{start}{'' if start.endswith('.') else '.'}{alias.name}" for alias in node.names]
            for name in [start, *names] if node.module else names:
                with contextlib.suppress(ImportError):  # the name is one of a module, not a module itself
                    yield import_module(name, package)


@pytest.mark.parametrize("words", sorted(set(COMMANDS) - SHORT))
def test_every_long_command_tells_the_time_left(words: str) -> None:
    assert tells_time_left(inspect.unwrap(COMMANDS[words].callback), set())


def test_short_commands_are_commands() -> None:
    assert set(COMMANDS) > SHORT
    silent = {words for words in SHORT if not tells_time_left(inspect.unwrap(COMMANDS[words].callback), set())}
    assert {"inspect", "params", "doctor"} <= silent  # the search finds no bar where there is none


# ---- names of files ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["out.seal", "a b.npy", ".hidden", "x.tar.gz"])
def test_no_error_shows_a_temporary_name(capfd: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    hidden = hidden_name(tmp_path / name, "new")
    assert report_error(OSError(5, "Input/output error", str(hidden)), as_json=True) == 4
    told = capfd.readouterr()
    assert hidden.name not in told.out + told.err
    assert f"ringside: {tmp_path / name}: Input/output error" in told.err
    assert report_error(FileError("IO", f"Cannot read '{hidden}'.", f"Look at {hidden.name}."), as_json=False) == 4
    assert capfd.readouterr().err == f"ringside: Cannot read '{tmp_path / name}'.\n  hint: Look at {name}.\n"


@pytest.mark.parametrize(
    "words",
    [
        "encrypt --keys {keys} {numbers} {place}/x.seal",
        "keygen --params lee-12 --out {place}/keys",
        "convert {keys} {place}/openfhe --format openfhe",
        "kem keygen {place}/key {place}/public",
        "rtl rise-1 -o {place}/rtl",
        "report -o {place}/report --paper lee",
        "explore tiny -o {place}/explored",
        "timeline rise-1 -o {place}/x.svg",
    ],
)
def test_places_that_cannot_be_written_are_named(ringside: CommandLine, keys: Path, tmp_path: Path, words: str) -> None:
    numbers = tmp_path / "numbers.npy"
    np.save(numbers, np.arange(3.0))
    place = Path("/proc/fs")  # where nobody makes a file
    done = ringside(*words.format(keys=keys, numbers=numbers, place=place).split()).ends(4)
    assert f"Cannot write {place}/{words.partition('{place}/')[2].split()[0]}: " in done.err
    assert ".new" not in done.err
