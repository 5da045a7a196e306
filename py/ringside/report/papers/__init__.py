# SPDX-License-Identifier: Apache-2.0
"""One module per paper: which of our figures stand beside which of its."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..layout import Headline, Ours, Page, Section, as_printed
from ..published import Paper
from . import aloha, doroz, lee, nejatollahi, rise, standards

SECTIONS: Mapping[str, Callable[[Paper, Ours], list[Section]]] = {
    "rise": rise.sections,
    "aloha-he": aloha.sections,
    "lee2023": lee.sections,
    "doroz2015": doroz.sections,
    "nejatollahi": nejatollahi.sections,
    "standards": standards.sections,
}
# the five papers that the project began with
HEADLINES: Mapping[str, Callable[[Paper, Ours], list[Headline]]] = {
    "rise": rise.headlines,
    "aloha-he": aloha.headlines,
    "lee2023": lee.headlines,
    "doroz2015": doroz.headlines,
    "nejatollahi": nejatollahi.headlines,
}


def page(paper: Paper, ours: Ours) -> Page:
    """Asks `ours` for every number that the page shows."""
    sections = [*SECTIONS[paper.key](paper, ours), as_printed(paper)]
    headlines = HEADLINES[paper.key](paper, ours) if paper.key in HEADLINES else []
    return Page(paper.key, paper.short, paper.title, f"{paper.title}. {paper.reference}.", sections, headlines)
