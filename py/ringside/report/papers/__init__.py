# SPDX-License-Identifier: Apache-2.0
"""One module per paper that comes with the package: which of our figures stand beside which of its. Other papers say it in their files (beside.py)."""

from collections.abc import Callable, Mapping

from .. import beside
from ..layout import Headline, Ours, Page, Section, as_printed
from ..published import Paper
from . import aloha, doroz, lee, nejatollahi, rise, standards

SECTIONS: Mapping[str, Callable[[Paper, Ours], list[Section]]] = {
    "rise": rise.sections, "aloha-he": aloha.sections, "lee2023": lee.sections, "doroz2015": doroz.sections,
    "nejatollahi": nejatollahi.sections, "standards": standards.sections,
}  # fmt: skip
# the five papers that the project began with
HEADLINES: Mapping[str, Callable[[Paper, Ours], list[Headline]]] = {
    "rise": rise.headlines, "aloha-he": aloha.headlines, "lee2023": lee.headlines, "doroz2015": doroz.headlines,
    "nejatollahi": nejatollahi.headlines,
}  # fmt: skip


def page(paper: Paper, ours: Ours) -> Page:
    """Asks `ours` for every number that the page shows."""
    sections = [*SECTIONS.get(paper.key, beside.sections)(paper, ours), as_printed(paper)]
    headlines = HEADLINES.get(paper.key, beside.headlines)(paper, ours)
    return Page(paper.key, paper.short, paper.title, f"{paper.title}. {paper.reference}.", sections, headlines)
