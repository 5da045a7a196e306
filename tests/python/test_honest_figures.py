# SPDX-License-Identifier: Apache-2.0
"""What stands beside a figure: a speed-up with first and later frames and the set-up, frames per second from a whole call, legends and units of pictures."""

import re
from pathlib import Path

from ringside.cycles import timeline
from ringside.designs.units import UNITS
from ringside.drawing import Box, Drawing, Label
from ringside.figures.command import BATCH
from ringside.figures.tables import STREAM_MHZ, stream
from ringside.report import charts
from ringside.report.layout import Bars
from ringside.report.measurement import Kind, Measurement
from ringside.sim.core import Event, ProgramRun

ROOT = Path(__file__).resolve().parents[2]
SPEED_UP = r"<!-- figure: ringside soc run none [^>]*\| cycles / ringside soc run [^>]*-->"
BESIDE = {
    "a first frame": r"<!-- figure: ringside soc run rise(?:(?!--frames|/ ringside)[^>])*\| cycles : [^>]*-->",
    "a later frame": r"<!-- figure: ringside soc run rise(?:(?!/ ringside)[^>])*--frames 2 \| cycles : [^>]*-->",
    "the set-up": r"<!-- figure: [^>]*\| setup\.cycles : [^>]*-->",
}


def lonely(page: str) -> list[str]:
    """What is missing beside the speed-ups of a page over our own software, bullet by bullet."""
    bullets = [text for text in page.split("\n* ") if re.search(SPEED_UP, text)]
    assert bullets
    return [what for text in bullets for what, pattern in BESIDE.items() if not re.search(pattern, text)]


def test_a_speed_up_says_what_it_is_of() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert lonely(page) == []
    for what, pattern in BESIDE.items():
        assert lonely(re.sub(pattern, "", page)) == [what]


def test_the_speed_of_the_readme_is_that_of_the_table() -> None:
    """`make readme` writes the table; README has the least and the largest ratio of its row."""
    table = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8").partition("<!-- bench:begin -->")[2]
    row = re.search(r"^\| encode \+ encrypt, public key \|.*$", table, re.MULTILINE)
    assert row
    ratios = sorted(float(one) for one in re.findall(r"\*\*([\d.]+)×\*\*", row[0]))
    assert len(ratios) == 5
    assert f"**{ratios[0]} to {ratios[-1]} times** as fast" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_frames_per_second_are_those_of_a_whole_call() -> None:
    """And not what one more frame adds: the first one counts too."""

    def known(command: str, path: str, absent: float | None = None) -> float:
        return {"cycles": 5000.0, "cycles_per_frame": 1000.0, "batch_cycles": 1200.0 * BATCH}[path]

    row = stream("encrypt-pk", "ringside-stream")(known).splitlines()[2]
    assert row.split(" | ")[1:] == ["5,000", "1,000", "1,200", f"{STREAM_MHZ * 1e6 / 1200:,.0f} |"]


def legend_of(drawing: Drawing) -> dict[str, str]:
    """Texts of the small squares of colour, by colour: each label stands right of its square."""
    squares = [one for one in drawing.shapes if isinstance(one, Box) and one.width == one.height and not one.title]
    labels = [one for one in drawing.shapes if isinstance(one, Label)]
    return {
        box.colour: label.text
        for box in squares
        for label in labels
        if 0 < label.x - box.x < 24 and box.y <= label.y <= box.y + box.height
    }


def test_pictures_say_what_their_colours_and_numbers_are() -> None:
    texts = ["LOAD g0", "NTT g0", "MUL g0 g1", "END"]
    events = [Event(UNITS[pc], pc, 10 * pc, 10 * pc + 9) for pc in range(3)]
    run = ProgramRun(30, dict.fromkeys(UNITS, 10), dict.fromkeys(UNITS, 9), 0, 0, 1, 1, events)
    drawn = timeline.draw(run, texts, "a run")
    assert legend_of(drawn) == {timeline.COLOURS[op]: op for op in ("LOAD", "NTT", "MUL")}
    assert any("clock cycles" in one.text for one in drawn.shapes if isinstance(one, Label))

    number = Measurement(2.0, "ms", Kind.measured, "", "")
    drawn = charts.draw(Bars("key", "times", "ms", ["one"], [("ours", [number]), ("theirs", [number])]))
    assert sorted(legend_of(drawn).values()) == ["ours", "theirs"]
    assert any(one.text == "times [ms]" for one in drawn.shapes if isinstance(one, Label))


def test_processors_are_those_that_may_be_used() -> None:
    """In containers, under taskset and in workers of pytest a process may run on fewer than the machine has."""
    asks = re.compile(r"\b(os|multiprocessing)\.cpu_count\(")
    folders = ("py", "papers/evaluator/py", "scripts", "tests", "sim", "soc", "hw", "js")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts]
    found = {path.relative_to(ROOT).as_posix() for path in files if asks.search(path.read_text(encoding="utf-8"))}
    assert found == {"py/ringside/processors.py"}  # where a system cannot tell
