# SPDX-License-Identifier: Apache-2.0
"""One module per paper: which of our figures stand beside which of its."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..layout import Ours, Page, Section, as_printed
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


def page(paper: Paper, ours: Ours) -> Page:
    """Asks `ours` for every number that the page shows."""
    sections = [*SECTIONS[paper.key](paper, ours), as_printed(paper)]
    return Page(paper.key, paper.short, paper.title, f"{paper.title}. {paper.reference}.", sections)
