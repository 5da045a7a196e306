# SPDX-License-Identifier: Apache-2.0
"""Documents: examples run as they stand, and links lead somewhere."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tree_scripts import script

# ---- The examples of the guide and of the READMEs run as they stand -------------------------------------------------
ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ["README.md", "docs/guide.md", "docs/ckks-client.md", "docs/pqc.md", "docs/openfhe-lattigo.md", "py/README.md"]


def blocks(name: str) -> Iterator[tuple[int, str, str]]:
    """Line number, language and content of every runnable block."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line as printed, in a shell that knows its home and the way to the commands, and where this run keeps models of hardware."""
    clean = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}
    clean |= {name: value for name, value in os.environ.items() if name.startswith("RINGSIDE_")}
    return subprocess.run(["sh", "-c", line], env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True)


@pytest.mark.parametrize("name", PAGES)
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for start, language, content in blocks(name):
        if language == "python":
            exec(compile("\n" * start + content, name, "exec"), names)
            continue
        for line in re.findall(r"^\$ (.*)$", content, re.MULTILINE):
            done = shell(line)
            assert done.returncode == 0, f"{name}:{start}: {line}\n{done.stderr}"
    assert names


@pytest.mark.parametrize("name", PAGES)
def test_every_command_on_a_page_is_run(name: str) -> None:
    """A line that begins with $ is an example, in whatever block it stands."""
    run = [line for _, language, content in blocks(name) if language == "console" for line in content.splitlines()]
    shown = re.findall(r"^\$ .*$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert shown == [line for line in run if line.startswith("$ ")]


def test_the_citation_has_the_version_and_licence_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {project['version']}" in lines
    assert f"license: {project['license']}" in lines


# ---- The library's README shows lines of programs that are built and run --------------------------------------------
LIB = Path(__file__).resolve().parents[2] / "lib"


def test_the_ring_of_the_readme_is_the_example() -> None:
    blocks = re.findall(r"^```c\n(.*?)^```$", (LIB / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (shown,) = [block for block in blocks if "rs_plan_init" in block]
    example = [line.strip() for line in (LIB / "examples" / "ring.c").read_text(encoding="utf-8").splitlines()]
    places = [example.index(line) for line in shown.splitlines()]
    assert places == sorted(places)
    assert len(places) > 5


def test_the_readme_shows_every_room() -> None:
    picture = re.search(r"^```\n(.*?)^```$", (LIB / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert picture is not None
    rooms = {path.name for path in (LIB / "src").iterdir() if path.is_dir()}
    assert rooms <= set(re.findall(r"\w+", picture[1]))


# ---- The check of links in Markdown pages: good ones pass, and each kind of dead one is found -----------------------
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
