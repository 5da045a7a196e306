# SPDX-License-Identifier: Apache-2.0
"""What the report leaves to a command, by a rule; all else is recorded, and one line counts what is not."""

import html
import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from invented import Invented
from ringside import designs
from ringside.figures.command import asic, cycles, line, soc_run, synth
from ringside.figures.ledger import NAME, Books, Ledger, shipped
from ringside.report import charts, own, scope
from ringside.report.layout import Bars, Grid, Pareto, Point
from ringside.report.measurement import Kind, Measurement, Status, missing
from ringside.report.provider import NotMeasuredError, Recorded
from ringside.report.run import Report, files, make

LARGE = max(own.names_of(), key=lambda name: scope.lane_bits(designs.load(name)))


class Shipped(Recorded):
    """The ledger that comes with the package, and nothing else. lost: an answer that it does not have; more: one that it has not."""

    def __init__(self, place: Path, lost: str = "", more: str = "") -> None:
        super().__init__(Books(shipped(), Ledger(place / NAME)))
        self.lost, self.more = lost, more

    def answer(self, command: str) -> Mapping[str, Any]:
        if command == self.lost:
            raise NotMeasuredError("lost")
        return Invented(lambda path: 5.0) if command.startswith(self.more or "-") else super().answer(command)

    def recorded(self, command: str) -> str:
        return "0.9.0, 2026-01-31"  # whether it is old takes longer, and is lint's


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return make([], Shipped(tmp_path_factory.mktemp("books")), command="ringside report")


def cells(report: Report) -> Iterator[tuple[str, Measurement]]:
    for page, paper in report.as_dict()["papers"].items():
        for table in paper["tables"].values():
            for cell in table:
                known = {name: cell[name] for name in cell if name not in ("row", "column")}
                yield page, Measurement(**known)


def outside(report: Report) -> list[str]:
    """Commands that are not recorded, and that the rule does not leave out."""
    return sorted({cell.command for _, cell in cells(report) if cell.status is Status.not_measured})


def test_nothing_is_missing_but_what_the_rule_leaves_out(recorded: Report) -> None:
    """Where this fails: `ringside figures refresh --only COMMAND`, or a rule that says why not."""
    assert outside(recorded) == []
    for _, cell in cells(recorded):
        if cell.status is Status.by_command:
            assert cell.phrase, cell
            assert "ringside " in cell.command, cell
        assert cell.status is not Status.failed


def leaves(found: Any) -> Iterator[float]:
    """All numbers of an answer."""
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    if isinstance(found, int | float):
        yield float(found)
    for part in parts:
        yield from leaves(part)


def test_a_measured_number_stands_in_the_answer_of_its_command(recorded: Report) -> None:
    """The report computes none of them; what it computes is marked as modelled."""
    answers = {row.command: set(leaves(dict(row.answer))) for row in shipped()}
    found = [cell for _, cell in cells(recorded) if cell.kind is Kind.measured and cell.value is not None]
    assert len(found) > 400
    for cell in found:
        assert cell.value in answers[cell.command] or ("soc profile" in cell.command and cell.value == 0), cell


def test_what_is_recorded_later_is_asked_for_and_not_recorded_yet(recorded: Report) -> None:
    """A line of an answer that is there, or that no page asks for, goes."""
    assert {one["command"] for one in recorded.unrecorded if one["why"] == scope.NOT_RECORDED} == scope.LATER


def test_an_answer_that_is_lost_is_missing(tmp_path: Path) -> None:
    lost = asic("rise-1")
    report = make(["designs"], Shipped(tmp_path, lost), command="ringside report")
    assert lost in outside(report)
    assert lost in [one["command"] for one in report.unrecorded]


def test_one_line_says_how_many_figures_nobody_recorded(recorded: Report) -> None:
    written = dict(islice(files(recorded), 2))  # without pictures
    page, data = html.unescape(written["index.html"].decode()), json.loads(written["report.json"])
    listed = data["unrecorded"]
    assert listed == recorded.unrecorded
    assert len({one["command"] for one in listed}) == len(listed) > 0
    assert all(one["why"] and " ; " not in one["command"] for one in listed)
    assert re.findall(r"Figures nobody recorded: (\d+), listed in report\.json", page) == [str(len(listed))]
    # no cell, picture or tile speaks of missing figures but this line
    assert "not measured yet" not in page
    assert not re.search(r"<td[^>]*>not built yet", page)
    assert all(count[Status.not_measured] == 0 for count in data["counts"].values())
    assert sum(count[Status.by_command] for count in data["counts"].values()) >= len(listed) / 2


def test_a_complete_report_has_no_such_line(tmp_path: Path) -> None:
    report = make(["designs"], Shipped(tmp_path, more="ringside"), command="ringside report")
    assert list(report.unrecorded) == []
    assert "nobody recorded" not in next(iter(files(report)))[1].decode()


@pytest.mark.parametrize(
    ("command", "left_out"),
    [
        (asic("rise-4"), False),
        (asic(LARGE), True),
        (asic("rise-1", energy=True), False),
        (asic(LARGE, energy=True), True),
        (synth(LARGE), False),
        (synth("lee2023", "xcu250"), True),
        (synth("rise-4", "xcu250"), False),
        (cycles("lee2023", "encrypt-pk", params="lee-14", frames=16), False),
        (cycles("lee2023", "encrypt-pk", params="lee-15", frames=16), True),
        (cycles("lee2023", "decrypt", params="lee-16", frames=16), True),
        (line("ltv time", ring=65535, sbox="paper", key_switching="windows"), True),
        (line("ltv time", ring=65535, sbox="paper", key_switching="windows", skip_aes=True), False),
        (line("ltv time", ring=65535, sbox="3", key_switching="hybrid"), False),
        (cycles(LARGE, "ntt", 4096), False),
        (soc_run("rise-1", "decrypt", 1024), False),
        (soc_run("race", "decrypt", 4096), True),
        (line("soc energy", op="decrypt", n=1024, limbs=1, bits=30), True),
        (asic("nowhere"), False),
    ],
)
def test_the_rule(command: str, left_out: bool) -> None:
    assert bool(scope.left_out(command)) is left_out


def test_the_page_says_the_rule() -> None:
    assert str(scope.MAPPED_BITS) in own.TEXT
    assert str(scope.GATED_BITS) in own.TEXT
    assert "--target osu018" in own.TEXT


def test_what_a_design_lacks_is_said_in_a_few_words() -> None:
    assert scope.lacks(cycles("rise-32", "ntt", 256)) == "N from 1,024"
    assert scope.lacks(cycles("ringside-32", "ntt", 65536)) == "N up to 16,384"
    assert scope.lacks(cycles("rise-32", "ntt", 4096, 1, 60)) == "words of 32 bits"
    assert scope.lacks(cycles("rise-3", "ntt", 4096)) == "no design rise-3"
    assert scope.lacks(synth("rise-1")) == ""


def test_a_recorded_answer_is_shown_whatever_the_rule_says(tmp_path: Path) -> None:
    def names(report: Report) -> list[str]:
        grids = [item for part in report.pages[0].sections for item in part.items if isinstance(item, Grid)]
        (area,) = (grid for grid in grids if grid.key == "area")
        return [str(row[0]) for row in area.rows]

    assert LARGE not in names(make(["designs"], Shipped(tmp_path), command="ringside report"))
    report = make(["designs"], Shipped(tmp_path, more=asic(LARGE)), command="ringside report")
    assert LARGE in names(report)


def test_designs_that_are_not_mapped_stand_with_their_cycles(recorded: Report) -> None:
    (page,) = (one for one in recorded.pages if one.key == own.KEY)
    named: dict[str, set[str]] = {}
    for part in page.sections:
        for item in part.items:
            if isinstance(item, Grid):
                named[item.key] = {str(row[0]) for row in item.rows}
    assert named["area"] | named["cycles"] == set(own.names_of())
    assert not named["area"] & named["cycles"]
    assert all(scope.left_out(asic(name)) for name in named["cycles"])


def measurement(value: float | None) -> Measurement:
    if value is None:
        return missing(Status.by_command, "s", Kind.measured, "command", "source", phrase="not mapped: hours")
    return Measurement(value, "s", Kind.measured, "command", "source")


def test_a_chart_names_what_it_does_not_draw() -> None:
    series = [("small", [measurement(1.0), measurement(2.0)]), ("large", [measurement(None), measurement(None)])]
    bars = charts.drawn(Bars("key", "title", "s", ["a", "b"], series, "Note."))
    assert isinstance(bars, Bars)
    assert [name for name, _ in bars.series] == ["small"]
    assert bars.note == "Note. large: not mapped: hours."
    points = [Point("small", measurement(1.0), measurement(2.0)), Point("large", measurement(None), measurement(3.0))]
    pareto = charts.drawn(Pareto("key", "title", "x", "y", "s", "s", points))
    assert isinstance(pareto, Pareto)
    assert [point.name for point in pareto.points] == ["small"]
    assert pareto.note == "large: not mapped: hours."
    # a series of which something is recorded keeps its gap, and a chart of which nothing is says why
    half = Bars("key", "title", "s", ["a", "b"], [("half", [measurement(1.0), measurement(None)])])
    assert charts.drawn(half) == half
    assert charts.draw(half).file().count(">not mapped: hours</text>") == 1
    nothing = Bars("key", "title", "s", ["a"], [("large", [measurement(None)])])
    assert charts.drawn(nothing) == nothing
