# SPDX-License-Identifier: Apache-2.0
"""Figures of the README and of docs/ are what their commands find today: those of a command that takes less than a minute are measured again."""

from pathlib import Path

import pytest

from ringside.figures import answers
from ringside.figures.ledger import shipped
from ringside.figures.markers import printed
from ringside.figures.questions import Frames, Query, Simulation

ROOT = Path(__file__).resolve().parents[2]
# runs of the SoC with three limbs take minutes, the gates of a design five
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHORT = dict.fromkeys(
    question
    for page in PAGES
    for question in printed(page.read_text(encoding="utf-8"))
    if isinstance(question, Simulation | Frames)
)
# `make nightly` measures them all: models of whole cores with 32 lanes take half a minute each


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [pytest.param(one, marks=pytest.mark.soak, id=one.command) for one in SHORT],
)
def test_a_command_finds_what_a_page_says(question: Query) -> None:
    row = shipped().find(question)
    assert row is not None
    assert dict(answers.measure(question).figures) == dict(row.figures)


def test_the_pages_have_figures_of_every_kind() -> None:
    assert {type(one) for one in SHORT} == {Simulation, Frames}
    assert len(SHORT) >= 4
