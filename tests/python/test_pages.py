# SPDX-License-Identifier: Apache-2.0
"""The kit of HTML pages: texts are escaped, mistakes in templates stop, and every colour is there by day and by night."""

import re
from pathlib import Path

import jinja2
import pytest

import ringside
from asserting import raises
from ringside.cycles import timeline
from ringside.drawing import COLOURS, IN_PAGE, INK, LINE, PAPER, SOFT, Box, Dot, Drawing, Label, Line, Shape, contrast
from ringside.report import kit, page
from ringside.report.layout import Grid, Page, Section
from ringside.report.measurement import Kind, Measurement, Status

PACKAGE = Path(ringside.__file__).parent
HOSTILE = """<script>alert(1)</script>"'&"""


def test_texts_are_escaped() -> None:
    failed = Measurement(None, "s", Kind.measured, HOSTILE, HOSTILE, Status.failed, HOSTILE)
    grid = Grid("g", HOSTILE, [HOSTILE], [[HOSTILE], [failed]], note=HOSTILE)
    made = Page("key", HOSTILE, HOSTILE, HOSTILE, [Section(HOSTILE, [grid], HOSTILE)])
    text = page.render([made], [failed], HOSTILE, [failed], 1)
    assert text.count("alert(1)") >= 10
    assert "<script>alert" not in text
    assert not re.search(r'"[^"<>]*<script', text)
    drawing = Drawing([Label(0, 0, HOSTILE), Box(0, 0, 1, 1, INK, HOSTILE)], 10, 10, HOSTILE)
    assert "<script>" not in drawing.in_page() + drawing.file()


def test_a_template_cannot_ask_for_what_it_was_not_given(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('{% extends "page.html" %}{% block content %}{{ missing }}{% endblock %}')
    raises(jinja2.UndefinedError, None, kit.render, tmp_path / "a.html")


def colours(*sheets: Path) -> tuple[list[set[str]], set[str]]:
    """What the style sheets define, by day and by night, and what they use."""
    text = "\n".join(path.read_text() for path in sheets)
    night = "\n".join(re.findall(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", text, re.DOTALL))
    day = re.sub(r"@media \(prefers-color-scheme: dark\) \{.*?\n\}", "", text, flags=re.DOTALL)
    defined = [set(re.findall(r"--([\w-]+):", part)) for part in (day, night)]
    return defined, set(re.findall(r"var\(--([\w-]+)\)", text))


@pytest.mark.parametrize(("sheet", "more"), [("report/report.css", set()), ("demo/demo.css", {"camera", "cloud"})])
def test_every_colour_is_defined_by_day_and_by_night(sheet: str, more: set[str]) -> None:
    (day, night), used = colours(kit.FOLDER / "kit.css", PACKAGE / sheet)
    used |= more | {name for value in IN_PAGE.values() for name in re.findall(r"--([\w-]+)", value)}
    assert used <= day
    assert day == night


def test_a_drawing_in_a_page_and_as_a_file() -> None:
    shapes: list[Box | Label | Dot | Line] = [
        Box(0, 0, 5, 5, COLOURS[0], "text", 0, COLOURS[0], 0.42, 2),
        Dot(5, 5, COLOURS[1], "text", 1, COLOURS[1], 0.72),
        Line(((0, 0), (9, 9)), COLOURS[2], 2),
        Label(1, 1, "name", bold=True),
    ]
    drawing = Drawing(shapes, 20, 10, "chart")
    file, inside = drawing.file(), drawing.in_page()
    assert 'xmlns="http://www.w3.org/2000/svg"' in file
    assert "var(" not in file
    assert 'fill="#a1bcda"' in file  # 42 % of the first colour on white
    assert "xmlns" not in inside
    assert not re.search(r'(fill|stroke)="#', inside)
    assert "color-mix(in srgb, var(--series-0) 42%, var(--panel))" in inside
    assert drawing.png(1).startswith(b"\x89PNG")


def test_a_file_has_colours_of_the_night_and_letters_to_read() -> None:
    """The picture of a timeline was white in dark pages, with white letters on pale green."""
    boxes: list[Shape] = [Box(0, 0, 99, 9, PAPER)]
    for colour in {*timeline.COLOURS.values(), timeline.OTHER}:
        boxes += [Box(0, 0, 9, 9, colour, "op"), Label(1, 1, "op", PAPER)]
    file = Drawing([*boxes, Box(1, 1, 1, 1, LINE), Label(1, 1, "name"), Label(1, 1, "x", SOFT)], 99, 9, "run").file()
    style = (kit.FOLDER / "kit.css").read_text()
    night = dict(
        re.findall(r"--(\w+): (#\w+);", style.partition("prefers-color-scheme: dark")[2].partition("print")[0])
    )
    for day, name, where in ((INK, "ink", ""), (SOFT, "soft", ""), (LINE, "line", ""), (PAPER, "panel", ":not(text)")):
        assert f'{where}[fill="{day}"] {{ fill: {night[name]} }}' in file
    assert "stroke:" not in file
    for box, letters in re.findall(r'fill="(#\w+)"><title>op</title></rect>\n<text [^>]*fill="(#\w+)"', file):
        assert contrast(box, letters) >= 3
        assert letters in (PAPER, "#000000")
        assert f'[fill="{box}"]' not in file
    assert file.count('fill="#000000"') >= 2
