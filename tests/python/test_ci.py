# SPDX-License-Identifier: Apache-2.0
"""What CI runs: lint beside the tests, a failure of either fails it, and pytest's counts close the output."""

import importlib
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tree_scripts import module_at

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"


def pytest_beside(place: Path, outcome: str, test: str = "pass") -> tuple[int, list[str]]:
    """pytest with one test, beside a stage that says `outcome`. The exit code, and the lines of the output."""
    plugins = place / "scripts" / "plugins"
    plugins.mkdir(parents=True)
    (plugins / "ringside_stages.py").write_bytes((SCRIPTS / "plugins" / "ringside_stages.py").read_bytes())
    (place / "test_one.py").write_text(f"def test_one() -> None:\n    {test}\n", encoding="utf-8")
    reader, writer = os.pipe()
    with os.fdopen(writer, "w", encoding="utf-8") as pipe:
        pipe.write(outcome)
    given = {"PYTHONPATH": f"{plugins}{os.pathsep}{ROOT / 'tests'}", "RINGSIDE_LATER": json.dumps([reader])}
    command = [
        sys.executable, "-m", "pytest", "-p", "ringside_stages", "-p", "no:cacheprovider", "--rootdir", ".", "-c",
        os.devnull,
    ]  # fmt: skip
    try:
        how: dict[str, Any] = {"cwd": place, "env": {**os.environ, **given}, "pass_fds": (reader,), "timeout": 300}
        done = subprocess.run(command, capture_output=True, text=True, **how)
    finally:
        os.close(reader)
    return done.returncode, done.stdout.splitlines()


def stage(passed: bool) -> str:
    return json.dumps({"stage": "lint", "passed": passed, "seconds": 1.0, "note": "", "output": "what lint says"})


def test_pytest_closes_the_output_and_lint_stands_before(tmp_path: Path) -> None:
    code, lines = pytest_beside(tmp_path, stage(True))
    assert code == pytest.ExitCode.OK
    assert "1 passed" in lines[-1]
    assert "what lint says" in lines
    assert any(line.split()[:2] == ["lint", "passed"] for line in lines)


def test_judges_that_did_not_run_are_named_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "without").mkdir()
    skip = "from interop import judges\n    judges.skip_without('OpenFHE', judges.AbsentError('no Python 3.10'))"
    code, lines = pytest_beside(tmp_path / "without", stage(True), skip)
    assert code == pytest.ExitCode.OK
    assert "judges     did not run: OpenFHE: no Python 3.10 (1 tests)" in lines
    assert "judges     all ran" in pytest_beside(tmp_path, stage(True), "import pytest; pytest.skip('long')")[1]


def test_lint_that_fails_fails_the_run(tmp_path: Path) -> None:
    code, lines = pytest_beside(tmp_path, stage(False))
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "1 passed" in lines[-1]
    assert any(line.split()[:2] == ["lint", "FAILED"] for line in lines)


def test_lint_that_dies_fails_the_run(tmp_path: Path) -> None:
    code, lines = pytest_beside(tmp_path, "")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert any("ended without an answer" in line for line in lines)


def test_a_test_that_fails_fails_the_run(tmp_path: Path) -> None:
    code, lines = pytest_beside(tmp_path, stage(True), "raise ValueError")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "1 failed" in lines[-1]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """scripts/test.py."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return module_at(SCRIPTS / "test.py", "the_tests")


def test_lint_runs_beside_pytest_and_hands_over_its_outcome(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "run_lint", lambda: script.Outcome("lint", False, 2.0, "again: make lint"))
    with script.beside(True) as pipes, os.fdopen(os.dup(pipes[0]), encoding="utf-8") as reader:
        assert json.loads(reader.read()) | {"seconds": 0} == {
            "stage": "lint", "passed": False, "seconds": 0, "note": "again: make lint", "output": ""
        }  # fmt: skip
    with script.beside(False) as pipes:
        assert pipes == ()


def test_the_ci_job_asks_for_lint() -> None:
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "exec make ci" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "scripts/test.py --lint" in rules[rules.index("\nci:") :].split("\n\n")[0]


def test_ci_leaves_one_check_to_the_night(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """cppcheck of the test programs; `make lint` and `make nightly` have it, and no C file is without a check."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    lint, nightly = importlib.import_module("lint"), importlib.import_module("nightly")
    ran: list[str] = []

    def passes(name: str, *options: str) -> bool:
        """In CI old figures are counted, and fail nothing."""
        assert options == ("--accept-old",) * (name == "figures" and "--ci" in sys.argv)
        ran.append(name)
        return True

    checks = {name: partial(passes, name) for name in lint.CHECKS}
    monkeypatch.setattr(lint, "CHECKS", checks)
    monkeypatch.setattr(lint, "setup", lambda name: None)
    for words in ([], ["--ci"]):
        monkeypatch.setattr(sys, "argv", ["lint.py", *words])
        assert lint.main() == 0
    assert ran == [*checks, *(name for name in checks if name not in ("cppcheck", "cppcheck tests"))]
    (piece,) = (piece for piece in nightly.pieces() if piece.name == "lint")
    assert piece.command[1:] == (str(SCRIPTS / "lint.py"), "--anew")
    both = [*lint.c_sources(of_tests=False), *lint.c_sources(of_tests=True)]
    assert sorted(both) == sorted(path for path in lint.c_files() if path.suffix == ".c")


def test_what_passed_is_not_checked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Until a file that its verdict depends on is another; what fails is checked again, and so is everything with --anew."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(SCRIPTS))
    lint, common = importlib.import_module("lint"), importlib.import_module("common")
    monkeypatch.setattr(common, "ROOT", tmp_path)
    monkeypatch.setattr(lint, "TOOLS", ())
    one, two = tmp_path / "one", tmp_path / "two"
    for path in (one, two):
        path.write_text(path.name)
    asked: list[list[str]] = []

    def check(passed: bool = True, name: str = "check") -> bool:
        def run(parts: list[str]) -> bool:
            asked.append(parts)
            return passed

        return bool(lint.passes(name, {"a": [one], "b": [one, two]}, run))

    assert not check(passed=False)
    assert check()
    assert check()
    assert asked == [["a", "b"]] * 2
    two.write_text("another")
    assert check()
    assert asked.pop() == ["b"]
    assert check(name="another check")
    assert asked.pop() == ["a", "b"]
    monkeypatch.setattr(lint, "anew", True)
    assert check()
    assert asked.pop() == ["a", "b"]


def test_a_module_depends_on_its_parts_and_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    lint = importlib.import_module("lint")
    parts = {name: {path.stem for path in files} for name, files in lint.modules().items()}
    packages, modules = ({path.stem for path in files} for files in lint.rtl())
    assert set(parts) == modules
    assert parts["rs_csub"] == {"rs_csub", *packages}
    assert {"rs_lane", "rs_modmul_wlm_step", "rs_csub"} < parts["rs_core"] - packages
    assert all(found >= packages | {name} for name, found in parts.items())


def test_durations_are_of_files_that_there_are() -> None:
    known = json.loads((ROOT / "tests" / "durations.json").read_text(encoding="utf-8"))
    names = {path.name for place in ("hw", "lib", "soc", "tests") for path in (ROOT / place).rglob("test_*.py")}
    assert set(known) <= names
