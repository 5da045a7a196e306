# SPDX-License-Identifier: Apache-2.0
"""Figures of the README and of docs/ are what their commands find today: those of a command that takes less than a minute are measured again."""

from pathlib import Path

import pytest

from asserting import some
from ringside.cli.recorded import canonical, measured
from ringside.figures.command import FRAMES, parse
from ringside.figures.ledger import shipped
from ringside.figures.markers import printed

ROOT = Path(__file__).resolve().parents[2]
# runs of the SoC with three limbs take minutes, the gates of a design five
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PRINTED = dict.fromkeys(canonical(command) for page in PAGES for command in printed(page.read_text(encoding="utf-8")))
SHORT = [one for one in PRINTED if parse(one).verb == "cycles" and not parse(one).is_stream]
# `make nightly` measures them all: models of whole cores with 32 lanes take half a minute each


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("command", SHORT)
def test_a_command_finds_what_a_page_says(command: str) -> None:
    assert some(shipped().find(command)).agrees(measured(command))


def test_the_pages_have_figures_of_every_kind() -> None:
    assert {parse(one).number("frames", 1) for one in SHORT} == {1, FRAMES}
    assert len(SHORT) >= 4
