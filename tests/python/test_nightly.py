# SPDX-License-Identifier: Apache-2.0
"""`make nightly`: pieces with kept results, which go on after a kill and cover all that `make test` leaves out."""

import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tree_scripts import anew

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
NAMES = (
    "nightly", "lint", "checks", "checks.c_rooms", "checks.comments", "checks.links", "checks.rooms", "common",
    "setup",
)  # fmt: skip


@pytest.fixture
def nightly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    with anew(*NAMES) as module:
        monkeypatch.setattr(module, "PLACE", tmp_path)
        monkeypatch.setattr(module, "BUILD", tmp_path)
        yield module


def counting(nightly: ModuleType, place: Path, name: str, code: int = 0) -> object:
    """A piece that writes a line into a file each time it runs."""
    text = f"open({str(place / name)!r}, 'a').write('run\\n'); raise SystemExit({code})"
    return nightly.Piece(name, (sys.executable, "-c", text), "about it")


def runs(place: Path, name: str) -> int:
    path = place / name
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


def test_what_passed_does_not_run_again(nightly: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good, bad = counting(nightly, tmp_path, "good"), counting(nightly, tmp_path, "bad", 3)
    assert nightly.work([good, bad], "tree 1", float("inf")) == 1
    assert "nightly: 1 failed, 0 not run" in capfd.readouterr().out
    assert nightly.work([good, bad], "tree 1", float("inf")) == 1
    assert (runs(tmp_path, "good"), runs(tmp_path, "bad")) == (1, 2)
    capfd.readouterr()
    assert nightly.work([good], "tree 1", float("inf")) == 0
    assert capfd.readouterr().out.endswith("nightly: passed\n")
    # another tree: what is known is shown as old, and runs again
    assert "an older tree" in nightly.table([good], "tree 2")[0]
    assert nightly.work([good], "tree 2", float("inf")) == 0
    assert runs(tmp_path, "good") == 2


def test_none_begins_when_the_time_is_over(
    nightly: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert nightly.work([counting(nightly, tmp_path, "one")], "tree", 0.0) == 1
    assert runs(tmp_path, "one") == 0
    assert "0 failed, 1 not run" in capfd.readouterr().out


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """The second piece is killed with its parent: the first keeps its result, the second runs again, and the third too."""
    program = f"""
import sys
sys.path.insert(0, {str(SCRIPTS)!r})
import nightly
from pathlib import Path
place = Path({str(tmp_path)!r})
nightly.PLACE = nightly.BUILD = place
count = "import os, sys, time; open(sys.argv[1], 'a').write('run\\\\n'); print(flush=True); "
hang = "time.sleep(600 if open(sys.argv[1]).read().count('run') == 1 else 0)"
def piece(name, text):
    return nightly.Piece(name, (sys.executable, "-c", text, str(place / name)), "")
sys.exit(nightly.work([piece("one", count), piece("two", count + hang), piece("three", count)], "tree", float("inf")))
"""
    first = subprocess.Popen([sys.executable, "-c", program], start_new_session=True, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert "one" in first.stdout.readline()
    while runs(tmp_path, "two") == 0:
        assert first.poll() is None
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    first.stdout.close()
    assert (tmp_path / "one.json").exists()
    assert not (tmp_path / "two.json").exists()
    again = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert again.returncode == 0, again.stdout + again.stderr
    assert [runs(tmp_path, name) for name in ("one", "two", "three")] == [1, 2, 1]


def test_every_test_is_in_a_piece(nightly: ModuleType) -> None:
    pieces = nightly.pieces()
    assert len({piece.file for piece in pieces}) == len(pieces)
    places = {ROOT / word for piece in pieces for word in piece.command if (ROOT / word).is_dir()}
    places.add(ROOT / "tests" / "bare")
    assert any(piece.name == "soak:machines" for piece in pieces)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    for root in settings["testpaths"]:
        for path in (ROOT / root).rglob("test_*.py"):
            assert any(path.is_relative_to(place) for place in places), path


def test_left_out_are_cases_that_are_alike_too() -> None:
    """Which are not marked `soak`. With RINGSIDE_SOAK=1, which nightly sets for tests that then do more, they are the same ones."""
    place = "hw/dma/tb/test_rs_dma_load.py"
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", place]
    env = {name: value for name, value in os.environ.items() if name not in ("RINGSIDE_SOAK", "RINGSIDE_FORMAL")}

    def collected(*more: str, **variables: str) -> set[str]:
        done = subprocess.run([*command, *more], cwd=ROOT, env=env | variables, capture_output=True, text=True)
        assert done.returncode in (0, 5), done.stdout + done.stderr
        return {line for line in done.stdout.splitlines() if "::" in line}

    everything = collected()
    left_out = collected("--left-out")
    assert left_out < everything
    assert any("::test_polynomials[" in name for name in left_out)
    assert left_out == collected("--left-out", RINGSIDE_SOAK="1")


def test_mutants_fit_the_product() -> None:
    """scripts/mutants.py refuses a fault whose place is no longer there, or whose tests are not; the nightly run judges the tests."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / "mutants.py", "--list"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 60
