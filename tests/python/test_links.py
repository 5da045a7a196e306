# SPDX-License-Identifier: Apache-2.0
"""The check of links in Markdown pages: good ones pass, and each kind of dead one is found."""

from pathlib import Path
from types import ModuleType

import pytest

from tree_scripts import script

OTHER = "# Title\n\n## A [link](https://nowhere.invalid) in `code`, twice\n## A link in code, twice\n\n```\n# not a heading\n```\n"


@pytest.fixture(scope="module")
def links() -> ModuleType:
    return script("checks.links")


def found(links: ModuleType, text: str, name: str = "docs/page.md") -> list[str]:
    root = Path("/tree")
    pages = {root / name: text, root / "docs" / "other.md": OTHER}
    seen: list[str] = links.findings(root, [*pages, root / "hw" / "a.sv"], pages)
    return seen


@pytest.mark.parametrize(
    "text",
    [
        "[page](other.md), [folder](../hw), [file](../hw/a.sv), [here](#here)\n\n# Here",
        "[heading](other.md#title), [another](other.md#a-link-in-code-twice), [its copy](other.md#a-link-in-code-twice-1)",
        "[elsewhere](https://nowhere.invalid/x.md) [mail](mailto:a@b.c)",
        "`[not](a_link.md)`\n\n```\n[nor](this.md)\n```\n<!-- [nor](that.md) -->",
        "`hw/a.sv`, `hw/`, `hw/*/b.sv`, `src/of_somebody_else.c`",
    ],
)
def test_what_is_there_passes(links: ModuleType, text: str) -> None:
    assert found(links, text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[x](nowhere.md)", "docs/page.md:1: `nowhere.md` leads to no file of the tree"),
        ("\n\n[x](../../outside.md)", "docs/page.md:3: `../../outside.md` leads to no file of the tree"),
        ("[`x`](other.md#titel)", "docs/page.md:1: `other.md#titel` leads to no heading of docs/other.md"),
        (
            "[x](other.md#not-a-heading)",
            "docs/page.md:1: `other.md#not-a-heading` leads to no heading of docs/other.md",
        ),
        ("```\n\n```\n![x](#here)", "docs/page.md:4: `#here` leads to no heading of docs/page.md"),
        ("text `hw/b.sv`", "docs/page.md:1: `hw/b.sv` is not in the tree"),
    ],
)
def test_what_is_dead_is_found(links: ModuleType, text: str, words: str) -> None:
    assert found(links, text) == [words]


def test_the_changelog_may_name_what_is_no_more(links: ModuleType) -> None:
    assert found(links, "`hw/b.sv` is gone", "CHANGELOG.md") == []
    assert len(found(links, "[x](hw/b.sv)", "CHANGELOG.md")) == 1
