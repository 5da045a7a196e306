# SPDX-License-Identifier: Apache-2.0
"""Published figures and the report: data as they were, numbers as the provider says, what is missing as missing."""

import csv
import errno
import hashlib
import html
import io
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from asserting import contents, raiser, raises, some, written
from chromium import chromium, errors_of
from cli_runner import CommandLine
from invented import Invented
from recipes import fenced
from ringside.cli import recorded as cli_recorded
from ringside.cli.recorded import measured
from ringside.drawing import PAPER, Box, Dot, Label, Line
from ringside.errors import DeviceError, FileError, ParameterError
from ringside.figures import content as sources
from ringside.figures.command import ASIC_TARGET, asic, cycles, parse, soc_run, synth
from ringside.figures.command import line as command_line
from ringside.figures.ledger import OWN, REFUSED, Books, Ledger, Row, shipped
from ringside.native import files as native_files
from ringside.report import charts, own, published, scope
from ringside.report.layout import Bars, Grid, Pareto, Point
from ringside.report.measurement import Kind, Measurement, Status, derive, missing
from ringside.report.provider import NotBuiltError, NotMeasuredError, Questions, Recorded
from ringside.report.run import Report, files, make, write

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "ringside report"
NTT = cycles("rise-32", "ntt", 4096)
PAGES = [*published.names(), "designs"]


def invented(command: str, path: str) -> float:
    """A number that belongs to this figure and no other."""
    return 1000 + int.from_bytes(hashlib.sha256(f"{command}{path}".encode()).digest()[:4], "little") / 128


RECORDED = "0.9.0, 2026-01-31"
Answers = Mapping[str, Mapping[str, Any] | Exception]


class Fake:
    """Answers everything, except for what `special` says: an answer, or what to raise."""

    def __init__(self, special: Answers | None = None) -> None:
        self.special = special or {}
        self.asked: list[str] = []
        self.told: set[tuple[str, float]] = set()

    def answer(self, command: str) -> Mapping[str, Any]:
        self.asked.append(command)
        found = self.special.get(command) or Invented(partial(self._told, command))
        if isinstance(found, Exception):
            raise found
        return found

    def _told(self, command: str, path: str) -> float:
        found = invented(command, path)
        self.told.add((command, found))
        return found

    def recorded(self, command: str) -> str:
        return RECORDED


class Cells(HTMLParser):
    """The cells with a command: (command, exact value or "", text)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self._open: tuple[str, str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "td" and "data-command" in given:
            self._open = given["data-command"] or "", given.get("data-value") or ""

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self.found.append((*self._open, data))
            self._open = None


def report_of(special: Answers | None = None, *papers: str) -> dict[str, bytes]:
    return dict(files(make(papers, Fake(special), command=COMMAND)))


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def line_of(written: Mapping[str, bytes], table: str, row: str, column: str) -> dict[str, str]:
    """The one line of a table in this column whose row begins so."""
    lines = rows(written[f"{table}.csv"])
    (found,) = (line for line in lines if line["row"].startswith(row) and line["column"] == column)
    return found


def numbers_of(written: Mapping[str, bytes], table: str, row: str) -> dict[str, str]:
    """column -> value of a table's row."""
    found = {line["column"]: line["value"] for line in rows(written[f"{table}.csv"]) if line["row"] == row}
    assert found
    return found


@pytest.fixture(scope="module")
def everything() -> Report:
    return make([], Fake(), command=COMMAND)


@pytest.fixture(scope="module")
def content(everything: Report) -> dict[str, bytes]:
    return dict(files(everything))


# ---- what papers print ----------------------------------------------------------------------------------------------
@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "papers" / "published", tmp_path / "published"))


def test_published_files_are_the_ones_that_were_checked(copy: Path) -> None:
    published.verify(ROOT / "papers" / "published")
    published.verify()
    file = copy / "rise.toml"
    text = file.read_text()
    file.write_text(text.replace("cycles = 1918", "cycles = 1919"))
    raises(FileError, r"have changed: rise\.toml", published.verify, copy)
    file.write_text(text)
    published.verify(copy)
    (copy / "other.toml").touch()
    raises(FileError, r"other\.toml", published.verify, copy)
    (copy / "other.toml").unlink()
    (copy / "lee2023.toml").unlink()
    raises(FileError, r"lee2023\.toml", published.verify, copy)


def test_every_published_number_says_where_it_stands() -> None:
    names = published.names()
    assert names == ["rise", "aloha-he", "doroz2015", "lee2023", "nejatollahi", "standards"]
    for name in names:
        paper = published.load(name)
        numbers = [cell for table in paper.tables.values() for row in table.rows for cell in row.values()]
        numbers += [value for _, value in paper.facts.values()]
        found = [cell for cell in numbers if isinstance(cell, Measurement)]
        assert len(found) >= 14
        for cell in found:
            assert cell.kind is Kind.published
            assert re.match(
                rf"{re.escape(paper.short)}, (abstract|documents?|table|figure|section|slide|the authors' sources)",
                cell.source,
            )
            assert cell.command == f"papers/published/{name}.toml"
        assert all(value.unit for _, value in paper.facts.values())
        assert all(value.status is Status.absent for _, value in paper.lost)


def test_table_1_of_rise() -> None:
    table = published.load("rise").tables["ntt"]
    printed = [(row["n"], row["cycles"]) for row in table.select(design="RISE")]
    assert [
        (n.value, cycles.value) for n, cycles in printed if not isinstance(n, str) and not isinstance(cycles, str)
    ] == [(256, 103), (512, 215), (1024, 447), (4096, 1918), (16384, 34814)]
    assert table.value("sram", design="RISE", n=4096).unit == "KB"
    raises(KeyError, None, table.value, "cycles", design="RISE")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cycles = 103, ", ""),
        ("cycles = 103", 'cycles = 103, cylces = "x"'),
        ("value = 32", "value = true"),
        ("[[fact]]", "[[fcat]]"),
        ("[paper]", "[paper"),
    ],
)
def test_a_malformed_file_is_an_error(copy: Path, old: str, new: str) -> None:
    file = copy / "rise.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    raises(ParameterError, r"rise\.toml", published.load, "rise", copy)


# ---- numbers --------------------------------------------------------------------------------------------------------
def test_derived_numbers_are_modelled_and_as_missing_as_what_they_come_from() -> None:
    two = Measurement(2, "ms", Kind.measured, "a", "A", caveat="Careful.")
    found = derive("ms", "product", lambda x, y: x * y, two, Measurement(3, "", Kind.published, "b", "B"))
    assert (found.value, found.unit, found.kind, found.command) == (6, "ms", Kind.modelled, "a ; b")
    assert found.source == "product; from A, B"
    assert found.caveat == "Careful."
    absent = missing(Status.failed, "ms", Kind.measured, "c", "C", "broke")
    found = derive("ms", "product", lambda x, y: x * y, two, absent)
    assert (found.value, found.status, found.detail) == (None, Status.failed, "broke")
    raises(ValueError, "contradict", Measurement, 0, "ms", Kind.measured, "", "", Status.not_built)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1492, "1,492"),
        (0.004634, "0.004634"),
        (0.5, "0.5"),
        (36.5, "36.5"),
        (1.0596, "1.06"),
        (12345.67, "12,346"),
    ],
)
def test_numbers_are_written_for_people(value: float, text: str) -> None:
    assert charts.number_text(value) == text


def test_what_is_printed_is_shown_as_printed(content: dict[str, bytes]) -> None:
    page = content["index.html"].decode()
    for text in ("110.25", "59,619", "0.93", "28.16"):
        assert f">{text}<" in page
    for kind in ("measured", "modelled", "published"):  # colours are explained beside the choice of them, too
        assert f'checked> <i class="key {kind}"></i>{kind}</label>' in page


def test_page_tables_and_json_have_the_providers_numbers(everything: Report, content: dict[str, bytes]) -> None:
    fake = Fake()
    make([], fake, command=COMMAND)
    assert len(fake.asked) == len(set(fake.asked)) > 100
    measured = [cell for cell in everything.numbers if cell.kind is Kind.measured and cell.value is not None]
    assert len(measured) > 100
    for cell in measured:
        assert (cell.command, cell.value) in fake.told
    assert all(cell.command and cell.source for cell in everything.numbers)

    shown = [(command, float(value)) for command, value, _ in Cells(content["index.html"].decode()).found if value]
    assert {(cell.command, cell.value) for cell in measured} <= set(shown)
    front = [cell for page in everything.pages for line in page.headlines for cell in (line.printed, line.ours)]
    assert len(shown) == sum(cell.value is not None for cell in [*everything.numbers, *front])

    data = json.loads(content["report.json"])["papers"]
    for paper, tables in data.items():
        for key, cells in tables["tables"].items():
            lines = rows(content[f"{paper}/{key}.csv"])
            told = [
                (cell["row"], cell["column"], "" if cell["value"] is None else repr(cell["value"])) for cell in cells
            ]
            assert [(line["row"], line["column"], line["value"]) for line in lines] == told
            assert all(line["kind"] in set(Kind) and line["source"] for line in lines)


def test_a_changed_measurement_changes_the_report(content: dict[str, bytes]) -> None:
    changed = report_of({NTT: {"cycles": 5000.0, "units": {"COMPUTE": {"busy": 4321.0}}}})
    assert changed.keys() == content.keys()
    different = {name for name in content if content[name] != changed[name]}
    # the transform of 4096 points on rise-32: table I and its chart, the comparison of the units, our designs
    charts_of = ("designs/pareto-transform", "rise/ntt-chart")
    drawn = {f"{chart}.{kind}" for chart in charts_of for kind in ("csv", "svg", "png")}
    tables = {f"{table}.csv" for table in ("designs/transform", "rise/ntt", "rise/scaling")}
    assert different == drawn | tables | {"index.html", "report.json"}
    line = line_of(changed, "rise/ntt", "RISE, 4096", "rise-32")
    assert (line["value"], line["kind"], line["command"]) == ("4321.0", "measured", NTT)
    assert float(line_of(changed, "rise/ntt", "RISE, 4096", "paper / ours")["value"]) == pytest.approx(1918 / 4321)
    assert ">4,321<" in changed["index.html"].decode()
    assert ">4,321</text>" in changed["rise/ntt-chart.svg"].decode()


def test_a_missing_design_is_not_built_yet_and_never_zero() -> None:
    found = make(["aloha-he"], Fake({query: NotBuiltError("none") for query in asked_of("aloha-he")}), command=COMMAND)
    (chart,) = (item for page in found.pages for part in page.sections for item in part.items if isinstance(item, Bars))
    (column,) = (column for _, column in chart.series)
    assert [one.status for one in column[-3:]] == [Status.not_built] * 3
    picture = charts.draw(chart).file()
    assert picture.count(">not built yet</text>") == 3
    assert ">0</text>" not in picture
    written = dict(files(found))
    for name in ("latency.csv", "resources.csv", "latency-chart.csv"):
        lines = [line for line in rows(written[f"aloha-he/{name}"]) if line["kind"] != "published"]
        assert lines
        assert {(line["value"], line["status"]) for line in lines} == {("", "not built yet")}
    assert found.counts()["aloha-he"]["measured"] == found.counts()["aloha-he"]["modelled"] == 0
    ours = [cell for cell in Cells(written["index.html"].decode()).found if "ringside" in cell[0]]
    assert {(value, text) for _, value, text in ours} == {("", "not built yet")}


def asked_of(paper: str) -> list[str]:
    fake = Fake()
    make([paper], fake, command=COMMAND)
    return fake.asked


def test_a_failing_measurement_leaves_the_others(everything: Report) -> None:
    found = make([], Fake({NTT: DeviceError("SIMULATION", "<b>oops</b>")}), command=COMMAND)
    assert [(one.command, one.detail) for one in found.failures] == [(NTT, "<b>oops</b>")]
    _, content = next(files(found))
    page = content.decode()
    assert "failed: &lt;b&gt;oops&lt;/b&gt;" in page
    assert "<b>oops" not in page
    lost = [(old, new) for old, new in zip(everything.numbers, found.numbers, strict=True) if old != new]
    assert {new.status for _, new in lost} == {Status.failed}
    # in table I and among the units: itself and its ratio; of our designs itself, its time and two products
    assert len(lost) == 2 + 2 + 4
    assert everything.failures == []


def test_a_fault_of_the_report_is_no_failed_measurement() -> None:
    raises(ZeroDivisionError, None, make, [], Fake({NTT: ZeroDivisionError("oops")}), command=COMMAND)


def test_a_figure_that_is_not_answered_is_a_failure() -> None:
    found = make(["rise"], Fake({NTT: {"cycles": 5000.0}}), command=COMMAND)
    assert [one.detail for one in found.failures] == ["The answer has no 'units.COMPUTE.busy'."]


def test_every_number_of_ours_says_when_it_was_recorded(everything: Report, content: dict[str, bytes]) -> None:
    """In JSON, CSV and on the page; of what is made from several, all of theirs. What papers print was not recorded."""
    for cell in everything.numbers:
        measured = cell.value is not None and cell.kind is Kind.measured
        assert cell.recorded == RECORDED if measured else cell.recorded in ("", RECORDED), cell
        assert cell.kind is not Kind.published or not cell.recorded
    assert re.search(rf'<td class="measured" title="[^"]*\nrecorded: {RECORDED}', content["index.html"].decode())
    assert f"recorded: {RECORDED}" in content["rise/ntt-chart.svg"].decode()
    lines = rows(content["rise/ntt.csv"])
    assert {line["recorded"] for line in lines if line["kind"] == "measured"} == {RECORDED}
    assert {line["recorded"] for line in lines if line["kind"] == "published"} == {""}
    both = [Measurement(1, "", Kind.measured, "a", "A", recorded=text) for text in ("one", "two", "one", "")]
    assert derive("", "sum", lambda *all_of_them: sum(all_of_them), *both).recorded == "one; two"


def test_progress_counts_questions() -> None:
    seen: list[tuple[int, int]] = []
    make(["doroz2015"], Fake(), command=COMMAND, progress=lambda *step: seen.append(step))
    assert seen == [(done, 11) for done in range(12)]


# ---- the page and its pictures --------------------------------------------------------------------------------------
def test_the_page_needs_no_network_and_no_other_file(content: dict[str, bytes]) -> None:
    page = content["index.html"].decode()
    assert not re.findall(r"https?:|[\"'(]//|<link|<iframe|<img|\bsrc=|@import|url\(|fetch\(|XMLHttpRequest", page)
    assert set(re.findall(r'href="([^"]*)"', page)) == {f"#{name}" for name in [*PAGES, "about"]}
    for name in PAGES:
        assert f'id="{name}"' in page
    assert page.count("<script>") == page.count("</script>") == 1
    for name, picture in content.items():
        if name.endswith(".svg"):
            assert re.findall(r"https?:[^\"]*", picture.decode()) == ["http://www.w3.org/2000/svg"]


def test_the_front_says_what_five_papers_print_and_how_sure_the_comparison_is(
    everything: Report, content: dict[str, bytes]
) -> None:
    page = content["index.html"].decode()
    front = page.partition('class="front"')[2].partition("</table>")[0]
    assert front, "no front"
    assert page.index('class="front"') < page.index("<nav")
    lines = {one.key: one.headlines for one in everything.pages if one.headlines}
    assert set(lines) == {"rise", "aloha-he", "lee2023", "doroz2015", "nejatollahi"}
    for key, of_paper in lines.items():
        assert front.count(f'href="#{key}"') == 1
        for line in of_paper:
            assert line.what in html.unescape(front)
            assert line.ours.value is None or repr(line.ours.value) in front
            assert line.why.endswith(".")
            assert len(line.why.split()) < 30
            if line.better.value is not None:
                assert line.printed.value is not None
                assert str(line.terms) in front
    # ours is better where fewer are better, and where more are
    assert lines["rise"][0].better.value == pytest.approx(1918 / invented(NTT, "units.COMPUTE.busy"))
    rate = lines["lee2023"][0]
    assert rate.ours.value is not None
    assert rate.printed.value is not None
    assert rate.better.value == pytest.approx(rate.ours.value / rate.printed.value)
    data = json.loads(content["report.json"])["papers"]["rise"]["headlines"]
    assert [one["what"] for one in data] == [one.what for one in lines["rise"]]


def test_without_a_number_there_is_no_verdict() -> None:
    lost = report_of({NTT: NotMeasuredError("run it")}, "rise")["index.html"].decode()
    front = lost.partition('class="front"')[2].partition("</table>")[0]
    assert front.count("no comparison") == 2
    assert "near terms" not in front


def test_numbers_of_a_column_have_a_unit(content: dict[str, bytes]) -> None:
    """Those of sizes and ratios of none need no other."""
    heads = re.findall(r'<th scope="col">(.*?)</th>', content["index.html"].decode())
    assert {"rise-32 [cycles]", "both [cycles]", "area [mm²]", "LUT"} <= set(heads)
    assert not [head for head in heads if head.count("[") > 1]


def test_works_of_others_are_named(content: dict[str, bytes]) -> None:
    """A number in brackets is that of another paper's list."""
    assert re.findall(r">[^<]*\[\d{1,3}\]", content["index.html"].decode()) == []
    assert "PipeNTT, Ye et al. 2022" in content["index.html"].decode()


@pytest.mark.slow  # a browser
def test_the_page_in_a_browser(content: dict[str, bytes], tmp_path: Path) -> None:
    """At a desk and on a phone, in both schemes: nothing is wider than the window, no error, the front on one screen, all letters stand out from their ground."""
    (tmp_path / "index.html").write_bytes(content["index.html"])
    with chromium() as browser:
        for width in (1440, 390):
            for scheme in ("light", "dark"):
                shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
                errors = errors_of(shown)
                shown.goto(f"file://{tmp_path}/index.html")
                assert errors == []
                assert shown.evaluate("document.documentElement.scrollWidth") <= width
                assert shown.evaluate("document.querySelector('.wide').offsetParent !== null") == (width == 1440)
                assert shown.evaluate("document.querySelector('.narrow').offsetParent !== null") == (width == 390)
                assert min(shown.evaluate(CONTRASTS)) >= 4.5
                if width == 1440:
                    assert shown.evaluate("document.querySelector('.front').getBoundingClientRect().bottom") < 900
                shown.close()


# WCAG's ratio of the letters of every kind of cell to the panel behind them
CONTRASTS = """() => {
  const lit = text => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map(Number).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = lit(getComputedStyle(document.querySelector('.panel')).backgroundColor);
  return [...document.querySelectorAll('.panel td, .panel th, .panel b, .panel a')].slice(0, 2000).map(one => {
    const front = lit(getComputedStyle(one).color);
    return (Math.max(front, behind) + 0.05) / (Math.min(front, behind) + 0.05);
  });
}"""


def test_charts_fit_a_phone(everything: Report) -> None:
    for one in everything.pages:
        for item in (item for section in one.sections for item in section.items if not isinstance(item, Grid)):
            drawing = charts.draw(item, charts.NARROW)
            assert drawing.width == charts.NARROW
            for shape in drawing.shapes:
                if isinstance(shape, Label):
                    long = charts.LETTER * len(shape.text)
                    left = shape.x - {"start": 0, "middle": long / 2, "end": long}[shape.anchor]
                    assert left >= -3, shape
                    assert left + long <= charts.NARROW + 30, shape  # letters are narrower than LETTER, mostly
                elif isinstance(shape, Box):
                    assert shape.x + shape.width <= charts.NARROW + 1


def test_pictures(content: dict[str, bytes]) -> None:
    drawn = [name for name in content if name.endswith(".png")]
    assert len(drawn) == len([name for name in content if name.endswith(".svg")]) > 10
    for name in drawn:
        image = Image.open(io.BytesIO(content[name]))
        high = some(re.search(rf'viewBox="0 0 {charts.WIDTH} (\d+)"', content[name.replace(".png", ".svg")].decode()))
        assert image.size == (2 * charts.WIDTH, 2 * int(high[1]))
        assert len(image.convert("P").getcolors() or []) > 4


def measurement(value: float | None) -> Measurement:
    if value is None:
        return missing(Status.not_measured, "s", Kind.measured, "", "")
    return Measurement(value, "s", Kind.measured, "", "")


def bars(*values: float | None, log: bool = False) -> Bars:
    cells = [measurement(value) for value in values]
    return Bars("key", "title", "s", [str(index) for index in range(len(cells))], [("ours", cells)], log=log)


def lengths(chart: Bars) -> list[float]:
    shapes = charts.draw(chart).shapes
    return [one.width for one in shapes if isinstance(one, Box) and one.title and one.colour != PAPER]


def test_bars_are_as_long_as_their_numbers() -> None:
    one, two, four = lengths(bars(1, 2, 4))
    assert [two, four] == pytest.approx([2 * one, 4 * one])
    ten, hundred, thousand = lengths(bars(10, 100, 1000, log=True))
    assert thousand - hundred == pytest.approx(hundred - ten)
    assert lengths(bars(None, None)) == []
    assert len(lengths(bars(None, 3))) == 1
    # all on the picture, from the smallest to the largest
    for chart in (bars(1e-6, 1e9, log=True), bars(0.3), bars(0, 5, log=True), bars(7e8)):
        assert max(lengths(chart)) <= charts.WIDTH - charts.LEFT - charts.RIGHT + 0.1


# ---- files ----------------------------------------------------------------------------------------------------------
def test_the_directory_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "report"
    write(make(["rise"], Fake(), command=COMMAND), place)
    assert (place / "rise" / "ntt.csv").is_file()
    write(make(["doroz2015"], Fake(), command="again"), place)
    assert not (place / "rise").exists()
    before = contents(place)
    assert b"again" in before["index.html"]

    def broken(report: Report) -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"half"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ringside.report.run.files", broken)
    raises(FileError, "no space", write, make(["rise"], Fake(), command=COMMAND), place)
    assert contents(place) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_the_old_directory_comes_back_if_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "report"
    write(make(["doroz2015"], Fake(), command=COMMAND), place)
    rename = Path.rename

    def broken(source: Path, target: Path) -> Path:
        if source.name.endswith(".new"):
            raise OSError(5, "Input/output error")
        return rename(source, target)

    monkeypatch.setattr(native_files, "_exchange", raiser(OSError(errno.ENOSYS, "no exchange of names here")))
    monkeypatch.setattr(Path, "rename", broken)
    raises(FileError, None, write, make(["rise"], Fake(), command=COMMAND), place)
    assert (place / "doroz2015" / "product.csv").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_changed_data_make_no_report(
    tmp_path: Path, copy: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = copy / "doroz2015.toml"
    written(file, file.read_text().replace("12720", "12721"))
    monkeypatch.setattr(published, "FOLDER", copy)
    ringside("report", "--paper", "doroz2015", "--output", tmp_path / "report").ends(4, "doroz2015.toml")
    assert not (tmp_path / "report").exists()


def test_what_is_no_report_is_not_replaced(tmp_path: Path, ringside: CommandLine) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    ringside("report", "--paper", "doroz2015", "--output", tmp_path).ends(4, "not a report")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


# ---- the package as provider ----------------------------------------------------------------------------------------
class Measuring:
    """Stands for cli.recorded.answer."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.error: Exception | None = None

    def __call__(self, command: str) -> Mapping[str, Any]:
        self.calls.append(command)
        if self.error is not None:
            raise self.error
        return FOUND


FOUND = {"cycles": 1492, "units": {"COMPUTE": {"busy": 814}}, "ratio": 1.05}


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Measuring:
    found = Measuring()
    monkeypatch.setattr(cli_recorded, "answer", found)
    return found


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Books:
    """Nothing is recorded yet. What needs tools is made up."""
    for part in ("_synthesis", "_cells"):
        monkeypatch.setattr(sources, part, lambda *_: "0123")
    return Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own" / OWN))


def again(books: Books) -> Books:
    """As another process finds them."""
    return Books(Ledger(books.shipped.path), Ledger(books.own.path))


def test_answers_are_kept_by_content(books: Books, measuring: Measuring, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(command: str = NTT) -> Mapping[str, Any]:
        return Recorded(again(books), measured).answer(command)

    assert asked() == FOUND
    # kept, also for those who do not measure
    assert Recorded(again(books)).answer(NTT) == asked()
    assert measuring.calls == [NTT]
    asked(cycles("rise-32", "ntt", 8192))
    assert len(measuring.calls) == 2
    # a file that was cut off is not lost in silence
    text = books.own.path.read_text()
    books.own.path.write_text(text[:-20])
    raises(FileError, f"{OWN}, line 2", asked)
    books.own.path.write_text(text)
    asked()
    assert len(measuring.calls) == 2
    # other sources
    for hashes in ("4567", "89ab"):
        monkeypatch.setattr(sources, "rtl", lambda hashes=hashes, **_: hashes)
        asked()
        asked()
    assert len(measuring.calls) == 4
    assert "changed" not in Recorded(again(books)).recorded(NTT)
    # other parameters of the design
    monkeypatch.setattr(sources, "_design", lambda name: "other")
    assert Recorded(again(books)).recorded(NTT).endswith("(changed since: design)")
    assert len(measuring.calls) == 4
    asked()
    assert len(measuring.calls) == 5


def test_what_came_with_the_package_is_shown(books: Books, measuring: Measuring) -> None:
    """Old or not; it is measured again only on request, and then its own place stays."""
    row = Row(NTT, {"cycles": 1.0}, sources.of(NTT) | {"rtl": "0123"}, "0.9.0", "2026-01-31")
    books.shipped.put(row)
    page = Recorded(books)
    assert page.answer(NTT) == row.answer
    assert page.recorded(NTT) == "0.9.0, 2026-01-31 (changed since: rtl)"
    assert measuring.calls == []
    page = Recorded(books, measured)
    assert page.answer(NTT)["cycles"] == 1492
    assert "changed" not in page.recorded(NTT)
    assert len(measuring.calls) == 1
    assert Ledger(books.shipped.path).find(NTT) == row


def test_nothing_is_built_unless_it_is_asked_for(books: Books, measuring: Measuring) -> None:
    for asked in (NTT, cycles("rise-1", "encrypt-pk-direct", 16384, 13), synth("rise-32"), asic("rise-1")):
        raises(NotMeasuredError, "run `ringside report --measure`", Recorded(books).answer, asked)
    assert measuring.calls == []
    assert not books.own.path.exists()


def test_what_the_package_cannot_answer(books: Books, measuring: Measuring) -> None:
    package = Recorded(books, measured)
    for asked in (cycles("rise-3", "ntt", 4096), synth("rise-3"), asic("rise-3")):
        raises(NotBuiltError, "no design rise-3", package.answer, asked)
    assert measuring.calls == []
    assert not books.own.path.exists()
    measuring.error = DeviceError("SIMULATION", "It computes another ntt than the library.")
    raises(DeviceError, None, package.answer, NTT)
    assert not books.own.path.exists()
    # that a design cannot do it is kept like an answer
    measuring.error = DeviceError("RS_ERR_DESIGN_DEGREE", "Too large.")
    for _ in range(2):
        raises(NotBuiltError, "Too large", package.answer, NTT)
    raises(NotBuiltError, "Too large", Recorded(again(books)).answer, NTT)
    assert len(measuring.calls) == 2
    assert set(some(books.own.find(NTT)).answer) == {REFUSED}


def test_areas_of_memories_are_modelled() -> None:
    questions = Questions()
    for answered in (False, True):
        paths = ("kge", "area_um2", "memory_um2", "fmax_mhz")
        kinds = {path: questions.ask(asic("rise-1"), path).kind for path in paths}
        assert [path for path, kind in kinds.items() if kind is not Kind.measured] == ["memory_um2"]
        assert ("CACTI" in questions.ask(asic("rise-1"), "memory_um2").caveat) == answered
        questions.measure(Fake())


def test_a_kernel_that_an_operation_does_not_have_takes_nothing() -> None:
    questions = Questions()
    asked = "ringside soc profile ml-kem-768-encaps"
    for _ in range(2):
        found = questions.ask(asked, "kernels.chacha20.cycles", 0), questions.ask(asked, "kernels.chacha20.cycles")
        questions.measure(Fake({asked: {"kernels": {"keccak": {"cycles": 5}}}}))
    assert (found[0].value, found[1].status) == (0, Status.failed)


# ---- our designs ----------------------------------------------------------------------------------------------------
FAMILY = [f"rise-{lanes}" for lanes in (1, 2, 4, 8, 16, 32)]
OURS: Answers = {
    asic("rise-4"): {"kge": 500.0, "area_um2": 12e6, "memory_um2": 8e6, "fmax_mhz": 200.0},
    asic("rise-4", energy=True): {"energy": {"energy_uj": 600.0, "power_mw": 4000.0}},
    cycles("rise-4", "encrypt-pk-direct", 4096): {"cycles": 30000.0},
    cycles("rise-4", "ntt", 4096): {"units": {"COMPUTE": {"busy": 6200.0}}},
}


def by_design(content: bytes) -> dict[str, dict[str, dict[str, str]]]:
    """design -> column -> line."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for line in rows(content):
        found.setdefault(line["row"].split(",")[0], {})[line["column"]] = line
    return found


def test_area_delay_of_processor_and_core() -> None:
    """The processor alone beside both together, with the processor's part of the time."""
    area = command_line("soc area", target=ASIC_TARGET)
    special: Answers = {
        **OURS,
        area: {"kge": 1.0, "area_um2": 6e6, "memory_um2": 4e6},
        command_line("soc energy", op="encrypt-pk-direct", n=1024, limbs=1, bits=30): {
            "energy": {"power_mw": 650.0, "clock_mhz": 130.0}
        },
        soc_run("none", "encrypt-pk-direct", 4096, 3): {"cycles": 8e6},
        soc_run("rise-4", "encrypt-pk-direct", 4096, 3, frames=2): {"cycles": 6e5, "stages": {"core": {"cycles": 1e5}}},
    }
    written = report_of(special, "rise")

    def lines_of(written: dict[str, bytes], table: str, system: str) -> dict[str, str]:
        return numbers_of(written, f"rise/encrypt-pk-direct-{table}", f"N = 4096, 3 × 30 bits, {system}")

    # systems beside systems: the processor's 10 mm² are in all of them
    areas = {line["row"]: float(line["value"]) for line in rows(written["rise/area.csv"])}
    assert areas["processor alone"] == 10
    assert all(value > 10 for name, value in areas.items() if name.startswith("with "))
    assert float(line_of(written, "rise/power-processor", "message to ciphertext", "power")["value"]) == 650
    # 10 mm² for 16 ms at 500 MHz; 30 mm² for 1.2 ms
    assert float(lines_of(written, "whole-adp", "none")["area × latency"]) == pytest.approx(160)
    found = lines_of(written, "whole-adp", "rise-4")
    assert float(found["area × latency"]) == pytest.approx(36)
    assert float(found["smaller than the processor's alone by"]) == pytest.approx(160 / 36)
    found = lines_of(written, "systems", "rise-4")
    assert (float(found["both"]), float(found["the processor"]), float(found["the core"])) == (6e5, 5e5, 1e5)
    assert float(found["faster than the processor alone by"]) == pytest.approx(8 / 0.6)
    lost = report_of({**special, area: NotMeasuredError("run `ringside soc area`")}, "rise")
    assert not any(lines_of(lost, "whole-adp", "none").values())


def test_streamed_encryptions_beside_the_paper() -> None:
    """Table 4 and what is made of it: a frame of a batch, at the paper's clock."""
    answer = {"cycles_per_frame": 25000.0, "stream": {"utilisation": 0.6, "read_bytes": 50.0, "written_bytes": 31.0}}
    written = report_of({cycles("lee2023", "encrypt-pk", params="lee-13", frames=16): answer}, "lee2023")
    found = {line["column"]: line["value"] for line in rows(written["lee2023/stream.csv"]) if line["row"].startswith("8192")}  # fmt: skip
    assert float(found["lee2023 [1/s]"]) == 10000
    assert float(found["ours / paper"]) == pytest.approx(10000 / 2950)
    # seven passes of 2 N + 45 log2 N + 2 cycles
    assert float(found["paper, by its own schedule [1/s]"]) == pytest.approx(250e6 / (7 * (16384 + 585 + 2)))
    assert float(found["read [bytes per cycle]"]) == 50
    assert float(line_of(written, "lee2023/encrypt", "8192", "lee2023")["value"]) == 10000
    latency = line_of(written, "lee2023/ntt", "65536", "lee2023, 64 bits [µs]")["value"]
    assert float(latency) == pytest.approx(33134 / 250)  # hw/stream/README.md
    four = cycles("ringside-stream", "encrypt-pk", params="lee-13", frames=16)
    fast = report_of({four: answer | {"cycles_per_frame": 12500.0}}, "lee2023")
    assert float(line_of(fast, "lee2023/stream-four", "8192", "ringside-stream [1/s]")["value"]) == 20000


def test_the_other_tables_of_lee() -> None:
    """Decryptions of a batch at the paper's clock; cells of the paper's device, and their share of it."""
    counts = {"lut": 172800, "ff": 0, "dsp": 1480, "bram36": 100, "bram18": 50, "uram": 128, "memory_bits": 1}
    mapped = synth("lee2023", "xcu250")
    blocks = {"blocks": [{"module": "rs_stream_ntt", "instances": 1, "total": counts}]}
    answered: Answers = {
        cycles("ringside-stream", "decrypt", params="lee-14", frames=16): {"cycles_per_frame": 25000.0},
        mapped: {**{name: {"value": count} for name, count in counts.items()}, **blocks},
    }
    written = report_of(answered, "lee2023")
    assert float(line_of(written, "lee2023/decrypt", "16384", "ringside-stream")["value"]) == 10000
    third = numbers_of(written, "lee2023/resources", "lee2023: one of three transforms")
    assert float(third["LUT"]) == 57600
    assert float(third["BRAM36"]) == pytest.approx(125 / 3)
    found = numbers_of(written, "lee2023/resources", "lee2023")
    assert [float(found[key]) for key in ("LUT", "DSP", "BRAM36", "URAM")] == [172800, 1480, 125, 128]
    (lut,) = (
        one for one in rows(written["lee2023/resources.csv"]) if (one["row"], one["column"]) == ("lee2023", "LUT")
    )
    assert "--target xcup --device xcu250" in lut["command"]
    shares = numbers_of(written, "lee2023/shares", "lee2023")
    wanted = {"LUT": 10, "DSP": 100 * 1480 / 12288, "BRAM36": 100 * 125 / 2688, "URAM": 10}
    assert {key: float(shares[key]) for key in wanted} == pytest.approx(wanted)
    assert float(line_of(written, "lee2023/shares", "paper: encryption", "DSP")["value"]) == 100


def test_area_time_and_energy_of_our_designs() -> None:
    written = report_of(OURS, "designs")
    area, encryption, transform = (
        by_design(written[f"designs/{name}.csv"]) for name in ("area", "encryption", "transform")
    )
    for table in (area, encryption, transform):
        assert list(table) == own.names_of()
        assert set(FAMILY) <= set(table)
    products = ("logic × time [kGE ms]", "ADP: area × time [mm² ms]", "EDP: energy × time [µJ ms]")
    energy = {"power [mW]": 4000, "energy [µJ]": 600}
    for table, wanted in (
        (area, {"logic [kGE]": 500, "logic [mm²]": 12, "memories [mm²]": 8, "total [mm²]": 20, "Fmax [MHz]": 200}),
        (encryption, {"cycles": 30000, "time [µs]": 150, **energy, **dict(zip(products, (75, 3, 90), strict=True))}),
        (transform, {"cycles": 6200, "time [µs]": 31, **dict(zip(products[:2], (15.5, 0.62), strict=True))}),
    ):
        line = table["rise-4"]
        assert {column: float(one["value"]) for column, one in line.items()} == pytest.approx(wanted)
        for column, one in line.items():
            assert one["unit"] == (column.partition("[")[2].rstrip("]") or column)
            assert one["command"].startswith("ringside ")
            assert one["source"]
    # what is measured, what is computed, and what one should know of it
    kinds = {column: line["kind"] for column, line in (area["rise-4"] | encryption["rise-4"]).items()}
    assert {column for column, kind in kinds.items() if kind == "measured"} == {
        *("logic [kGE]", "Fmax [MHz]", "cycles", "power [mW]", "energy [µJ]")
    }
    adp = encryption["rise-4"]["ADP: area × time [mm² ms]"]
    assert "--no-energy" in adp["command"]
    assert "ringside cycles rise-4" in adp["command"]
    assert "Before layout" in adp["caveat"]
    assert "CACTI" in adp["caveat"]
    assert "netlists" in encryption["rise-4"]["energy [µJ]"]["caveat"]


def test_without_energy_everything_else_is_there() -> None:
    broken: Answers = {asic(name, energy=True): NotMeasuredError("too long") for name in own.names_of()}
    fake = Fake({**broken, asic("rise-8", energy=True): DeviceError("POWER", "A loop.")})
    found = make(["designs"], fake, command=COMMAND)
    written = dict(files(found))
    for name, line in by_design(written["designs/encryption.csv"]).items():
        absent = {column for column, one in line.items() if one["value"] == ""}
        assert absent == {"power [mW]", "energy [µJ]", "EDP: energy × time [µJ ms]"}
        absence = "by command" if scope.left_out(asic(name, energy=True)) else "not measured yet"
        assert {line[column]["status"] for column in absent} == {"failed" if name == "rise-8" else absence}
    assert [one.detail for one in found.failures] == ["A loop."]
    page = written["index.html"].decode()
    assert "No chart: failed, gates not simulated: hours, not measured yet." in page
    assert page.count("<polyline") == 2 * 2  # for a desk and for a phone


def pareto(places: Mapping[str, tuple[float | None, float | None]]) -> Pareto:
    points = [Point(name, measurement(x), measurement(y)) for name, (x, y) in places.items()]
    return Pareto("key", "title", "area", "time", "s", "s", points)


def test_the_front_is_what_nothing_beats() -> None:
    beaten: dict[str, tuple[float | None, float | None]] = {"worse": (3, 4), "far": (9, 9), "?": (None, 0.1)}
    chart = pareto({"d": (8, 1), "a": (1, 8), "b": (2, 4), "c": (4, 2), "twin": (4, 2)} | beaten)
    assert [point.name for point in chart.front] == ["a", "b", "c", "twin", "d"]
    assert [point.name for point in pareto({"one": (5, 5)}).front] == ["one"]
    # a zero has no place on these axes
    absent = pareto({"?": (1, None), "zero": (0, 1)})
    assert absent.front == []
    assert charts.draw(absent).file().count(">?: not measured yet</text>") == 1

    shapes, height = charts.draw(chart).shapes, charts.draw(chart).height
    dots = [one for one in shapes if isinstance(one, Dot)]
    assert [dot.series for dot in dots] == [0, 0, 0, 0, 0, 1, 1]
    (line,) = (one for one in shapes if isinstance(one, Line))
    at = {name: (dot.x, dot.y) for name, dot in zip(("d", "a", "b", "c", "twin", "worse", "far"), dots, strict=True)}
    assert line.places == tuple(at[name] for name in ("a", "b", "c", "twin", "d"))
    # less is to the left and below; equal ratios are equally far
    a, b, c, d = (at[name][0] for name in "abcd")
    assert 0 < b - a == pytest.approx(c - b) == pytest.approx(d - c)
    assert at["a"][1] < at["b"][1] < at["c"][1] < at["d"][1]
    assert all(0 < dot.x < charts.WIDTH and charts.TOP < dot.y < height for dot in dots)
    assert {"a", "far", "?: not measured yet"} <= {one.text for one in shapes if isinstance(one, Label)}


def test_pareto_in_files(content: dict[str, bytes]) -> None:
    for key in ("pareto-time", "pareto-energy", "pareto-transform"):
        lines = by_design(content[f"designs/{key}.csv"])
        assert list(lines) == own.names_of()
        front = {name for name, line in lines.items() if float(line["on the front"]["value"])}
        places = {name: [float(one["value"]) for one in line.values()][:2] for name, line in lines.items()}
        for name, (x, y) in places.items():
            beaten = any(a <= x and b <= y and (a, b) != (x, y) for a, b in places.values())
            assert (name in front) == (not beaten)
        picture = content[f"designs/{key}.svg"].decode()
        assert picture.count("<circle") == len(places)
        assert picture.count('<polyline points="') == 1
        assert picture.split('<polyline points="')[1].split('"')[0].count(",") == len(front)


def test_the_smallest_ring_is_not_built_yet(books: Books) -> None:
    # refused before a model would be built
    raises(NotBuiltError, "N = 256", Recorded(books, measured).answer, cycles("rise-32", "ntt", 256))


def test_command(tmp_path: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # whole lines
    place = tmp_path / "report"
    found = ringside("report", "--paper", "doroz2015", "--clock", "250", "--output", place, "--json").ends(0).json
    assert found["clock_mhz"] == 250
    assert list(found["papers"]) == ["doroz2015"]
    # what is measured is the evaluator's, parts on the core among it, and what else is recorded of the design; everything printed is there
    counts = found["counts"]["doroz2015"]
    assert counts["failed"] == 0
    recorded = [asked for row in shipped() if (asked := parse(row.command)).verb.startswith("ltv ")]
    assert counts["measured"] >= sum(7 if asked.verb == "ltv time" else 1 for asked in recorded) > 20
    assert counts["published"] == 44
    page = (place / "index.html").read_text()
    assert f"ringside report --paper doroz2015 --clock 250 --output {place}" in page
    assert json.loads((place / "report.json").read_text())["counts"] == found["counts"]

    assert "not built yet" in ringside("report", "--paper", "doroz2015", "--output", place).out
    ringside("report", "--paper", "rice", "--output", place).ends(3, "rise, aloha-he", "designs")


def test_command_of_our_designs_alone(tmp_path: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorded, "answer", lambda self, command: Fake(OURS).answer(command))
    monkeypatch.setattr(Recorded, "recorded", lambda self, command: RECORDED)
    place = tmp_path / "report"
    ringside("report", "--paper", "designs", "--output", place).ends(0)
    assert {path.name for path in place.iterdir()} == {"index.html", "report.json", "designs"}
    drawn = {"adp", "edp", "pareto-time", "pareto-energy", "pareto-transform"}
    tables = {"area", "encryption", "transform"}
    for kind, wanted in (("png", drawn), ("svg", drawn), ("csv", drawn | tables)):
        assert {path.stem for path in place.glob(f"designs/*.{kind}")} == wanted


def test_every_table_has_as_many_cells_as_columns(everything: Report) -> None:
    for page in everything.pages:
        keys = [item.key for part in page.sections for item in part.items]
        assert len(keys) == len(set(keys))
        for item in (item for part in page.sections for item in part.items):
            if isinstance(item, Grid):
                assert {len(row) for row in item.rows} == {len(item.columns)}
            elif isinstance(item, Pareto):
                assert {(point.x.unit, point.y.unit) for point in item.points} == {(item.x_unit, item.y_unit)}
            else:
                assert {len(column) for _, column in item.series} == {len(item.groups)}
                assert {one.unit for _, column in item.series for one in column} == {item.unit}


# ---- a paper of a reader's own --------------------------------------------------------------------------------------
@pytest.fixture
def example(tmp_path: Path) -> Path:
    """That of docs/tutorials/own-paper.md, as it stands."""
    text = (ROOT / "docs" / "tutorials" / "own-paper.md").read_text(encoding="utf-8")
    return written(tmp_path / "mine.toml", fenced(text, "toml")[0])


def test_a_paper_of_ones_own_stands_beside_ours(example: Path, tmp_path: Path, ringside: CommandLine) -> None:
    done = ringside("report", "--paper", example, "--clock", "250", "-o", tmp_path / "report", "--json").ends(0)
    paper = done.json["papers"]["mine"]
    transform, cells = paper["headlines"]
    assert transform["what"] == "one transform, N = 4096: rise-32"
    assert (transform["printed"]["value"], transform["printed"]["source"]) == (3072, "Small NTT, table 2")
    assert transform["ours"]["command"] == "ringside cycles rise-32 --op ntt --n 4096 --limbs 1 --bits 30"
    assert transform["better"]["value"] == pytest.approx(3072 / transform["ours"]["value"])
    assert transform["terms"] == "near terms"
    assert cells["better"]["value"] == pytest.approx(2100 / cells["ours"]["value"])
    rows = {row["row"] for row in paper["tables"]["beside"]}
    assert rows == {"one transform, N = 4096: rise-32", "LUTs: rise-1"}
    shown = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "A Small NTT Core" in shown
    assert "Their modulus has 28 bits, ours 30." in shown


def test_their_times_stand_beside_ours(example: Path) -> None:
    text = example.read_text(encoding="utf-8").replace('column = "cycles", row = { design = "large" }', 'column = "time", row = { cycles = 3072 }')  # fmt: skip
    example.write_text(text.replace('terms = "near"', 'terms = "near"\nmore_is_better = true', 1), encoding="utf-8")
    first = make([str(example)], Recorded(Books.open()), command="", clock=250).pages[0].headlines[0]
    cycles = make([str(example)], Recorded(Books.open()), command="", clock=1).pages[0].headlines[0].ours
    assert first.ours.unit == "µs"
    assert first.ours.value is not None
    assert cycles.value is not None
    assert first.ours.value == pytest.approx(cycles.value / 250)
    assert first.better.value == pytest.approx(first.ours.value / 12.3)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('design = "large" } }', 'n = 4096 } }', "2 rows of ntt are like {'n': 4096}"),
        ('column = "cycles"', 'column = "cycels"', "ntt has no column 'cycels'"),
        ('column = "cycles"', 'column = "design"', "the column 'design' has no numbers"),
        ('table = "ntt"', 'table = "nt"', "there is no table 'nt'"),
        ('fact = "lut"', 'fact = "luts"', "there is no fact 'luts'"),
        ('figure = "transform"', 'figure = "speed"', "there is no figure 'speed' of ours"),
        ('op = "ntt", n = 4096', 'op = "ntt"', "ours needs `n`"),
        ("n = 4096 }\nterms", 'n = "4096" }\nterms', "`n` of ours must be of type int"),
        ("n = 4096 }\nterms", "n = 4096, limb = 2 }\nterms", "ours has no key 'limb'"),
        ('design = "rise-1"', 'design = "rise-q"', "There is no design 'rise-q'"),
        ('terms = "near"', 'terms = "sure"', "terms cannot be 'sure'"),
        ('terms = "near"\n', "", "`terms` is missing"),
        ('unit = "LUT"', 'unit = "ALM"', "theirs is in ALM, ours in LUT"),
        ("[[beside]]", "[[besides]]", "unknown tables: besides"),
        ('short = "Small NTT"\n', "", "the key 'short' is missing"),
    ],
)  # fmt: skip
def test_a_slip_in_a_paper_of_ones_own_is_told(example: Path, old: str, new: str, told: str) -> None:
    text = example.read_text(encoding="utf-8")
    assert old in text
    example.write_text(text.replace(old, new, 1 if "beside" not in old else -1), encoding="utf-8")
    raises(ParameterError, re.escape(told), make, [str(example)], Recorded(Books.open()), command="")


def test_names_of_papers_of_ones_own(example: Path, tmp_path: Path) -> None:
    for name in ("rise.toml", "designs.toml", "My Paper.toml"):
        with pytest.raises(ParameterError, match="cannot be the name of a paper of yours"):
            published.load(str(example.rename(tmp_path / name)))
        (tmp_path / name).rename(example)
    raises(ParameterError, r"Cannot read .*none\.toml: No such file", published.load, str(tmp_path / "none.toml"))
