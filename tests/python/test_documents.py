# SPDX-License-Identifier: Apache-2.0
"""Documents: examples run as they stand, and links lead somewhere."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import recipes
from asserting import raises
from bench.peers.base import tool
from bench.peers.openfhe.peer import OPENFHE_ENV, python_with_openfhe
from bench.process import AbsentError
from interop import judges
from interop.heir import compiler
from tree_scripts import script

# ---- The examples of the guide, the READMEs and the tutorials run as they stand -------------------------------------
ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "README.md", "docs/index.md", "docs/install.md", "docs/guide.md", "docs/ckks-client.md", "docs/pqc.md",
    "docs/openfhe-lattigo.md", "docs/exact.md", "py/README.md", "docs/tutorials/seal-server.md",
    "docs/tutorials/private-vote.md", "docs/tutorials/own-paper.md",
    pytest.param("docs/tutorials/own-design.md", marks=pytest.mark.soak),
    pytest.param("docs/tutorials/own-soc.md", marks=pytest.mark.soak),
]  # fmt: skip
# pages that are for a clone: the commands run in a folder that looks like one
IN_A_CLONE = [
    pytest.param("docs/tutorials/explore.md", marks=pytest.mark.soak),
    pytest.param("docs/tutorials/microcontroller.md", marks=pytest.mark.soak),
]
OPENFHE, HEIR = "docs/tutorials/openfhe-server.md", "docs/tutorials/heir.md"
TUTORIALS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.alike(3)
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    names = recipes.run(name)
    # these have commands alone
    assert names or name in ("README.md", "docs/index.md", "docs/tutorials/own-paper.md", "docs/tutorials/own-soc.md")


@pytest.mark.parametrize("name", IN_A_CLONE)
def test_examples_in_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for path in ROOT.iterdir():
        if path.name != "build" and not path.name.startswith("."):
            (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    assert recipes.run(name)


@pytest.mark.soak
def test_the_tutorial_with_openfhe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment is made by the lines that the page shows for it; here the wheels of the other tests take its place."""
    try:
        python = python_with_openfhe()
    except AbsentError as error:
        judges.skip_without("OpenFHE", error)
    monkeypatch.chdir(tmp_path)
    server = tmp_path / "server" / "bin" / "python"
    server.parent.mkdir(parents=True)
    server.write_text(f'#!/bin/sh\nPYTHONPATH={OPENFHE_ENV["PYTHONPATH"]} exec {python} "$@"\n', encoding="utf-8")
    server.chmod(0o755)
    assert recipes.run(OPENFHE)


@pytest.mark.slow
def test_the_tutorial_with_heir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is built when it runs, from the modules that the judge has."""
    try:
        go = tool("go", hint="Go 1.24 or newer")
        compiler.tool("heir-opt")
    except AbsentError as error:
        judges.skip_without("HEIR", error)
    monkeypatch.chdir(tmp_path)
    server = tmp_path / "server"
    server.mkdir()
    module = (Path(judges.__file__).parent / "lattigo" / "go.mod").read_text(encoding="utf-8")
    (server / "go.mod").write_text(module.replace("module judge", "module server"), encoding="utf-8")
    shutil.copy(Path(judges.__file__).parent / "lattigo" / "go.sum", server)
    (server / "run").write_text(
        f"#!/bin/sh\nGOTOOLCHAIN=local {go} build -o built . && exec ./built\n", encoding="utf-8"
    )
    (server / "run").chmod(0o755)
    assert recipes.run(HEIR)


def _name(page: Any) -> str:
    return str(page if isinstance(page, str) else page.values[0])


RUN = [*map(_name, (*PAGES, *IN_A_CLONE)), OPENFHE, HEIR]


def test_every_tutorial_is_run() -> None:
    assert set(TUTORIALS) <= set(RUN)
    assert len(TUTORIALS) >= 8


@pytest.mark.parametrize("name", RUN)
def test_every_command_on_a_page_is_run(name: str) -> None:
    """A line that begins with $ is an example, in whatever block it stands."""
    found = [content for _, language, content in recipes.blocks(name) if language == "console"]
    run = [line for content in found for line in content.splitlines()]
    shown = re.findall(r"^\$ .*$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert shown == [line for line in run if line.startswith("$ ")]


def test_the_c_of_the_page_for_integrators_compiles(tmp_path: Path) -> None:
    """Its calls were those of an older driver."""
    text = (ROOT / "docs" / "integration.md").read_text(encoding="utf-8")
    found = recipes.fenced(text, "c")
    assert len(found) == 2
    (tmp_path / "page.c").write_text("#include <ringside/ringside.h>\n" + "".join(found), encoding="utf-8")
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"]
    done = subprocess.run([*command, f"-I{ROOT / 'lib' / 'include'}", "page.c"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_a_block_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("```toml\n# a.toml\nx = 1\n```\n\n```console\n$ cat a.toml\n$ cat b.toml\n```\n", encoding="utf-8")
    monkeypatch.setattr(recipes, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    raises(AssertionError, r"page.md:6: cat b.toml", recipes.run, "page.md")
    page.write_text("```console\n$ echo a\na\n$ printf 'b\\nc\\n'\nb\nd\n```\n", encoding="utf-8")
    raises(AssertionError, r"page.md:1: printf", recipes.run, "page.md")


# ---- What a newcomer asks is two clicks from the front page -----------------------------------------------------------
# a page, and words of the answer
QUESTIONS = {
    "How do I install it?": ("docs/install.md", "pip install ."),
    "How do I make a first ciphertext?": ("docs/tutorials/seal-server.md", "ringside encrypt"),
    "What does my server run?": ("docs/openfhe-lattigo.md", "Lattigo"),
    "Does it fit my device?": ("docs/microcontrollers.md", "KiB"),
    "What does it take of an FPGA?": ("docs/synthesis.md", "LUT"),
    "How precise are results?": ("docs/ckks-client.md", "bits"),
    "How secure is it?": ("docs/SOUNDNESS.md", "assumed"),
    "What may I do with it?": ("LICENSE", "Apache License"),
    "How do I cite it?": ("CITATION.cff", "please cite it as below"),
    "How do I contribute?": ("CONTRIBUTING.md", "make test"),
}


def clicks(start: Path, pages: dict[Path, str], most: int) -> set[Path]:
    """What links lead to from a page, in so many clicks at most."""
    found = new = {start}
    for _ in range(most):
        targets = {page: links.LINK.findall(links.VERBATIM.sub("", pages.get(page, ""))) for page in new}
        inside = {
            (page.parent / target.partition("#")[0]).resolve()
            for page, ends in targets.items()
            for target in ends
            if not re.match(r"[a-z]+:|#", target)
        }
        new = inside - found
        found = found | new
    return found


def test_a_newcomers_questions_are_answered_within_two_clicks() -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]}
    index = ROOT / "docs" / "index.md"
    within = clicks(index, pages, 2)
    for question, (page, words) in QUESTIONS.items():
        assert ROOT / page in within, question
        assert words in (ROOT / page).read_text(encoding="utf-8"), question
    assert ROOT / "docs" / "install.md" not in clicks(index, {index: "[guide](guide.md)"}, 2)


def test_the_readme_begins_with_a_command_and_its_output() -> None:
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:25])
    command, output = recipes.fenced(first, "")[0], recipes.fenced(first, "text")[0]
    assert command == "make demo\n"
    assert "largest error" in output


# ---- The library's README shows lines of programs that are built and run --------------------------------------------
LIB = ROOT / "lib"
README = (LIB / "README.md").read_text(encoding="utf-8")


def test_the_ring_of_the_readme_is_the_example() -> None:
    (shown,) = [block for block in recipes.fenced(README, "c") if "rs_plan_init" in block]
    example = [line.strip() for line in (LIB / "examples" / "ring.c").read_text(encoding="utf-8").splitlines()]
    places = [example.index(line) for line in shown.splitlines()]
    assert places == sorted(places)
    assert len(places) > 5


def test_the_readme_shows_every_folder() -> None:
    tree = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The tree\n")[2]
    shown = re.findall(r"^(\w+)/ ", tree, re.MULTILINE)
    made = {"build", "dist", "node_modules"}
    found = [path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "_"))]
    assert sorted(shown) == sorted(set(found) - made)


def test_the_readme_shows_every_room() -> None:
    picture = recipes.fenced(README, "")[0]
    rooms = {path.name for path in (LIB / "src").iterdir() if path.is_dir()}
    assert rooms <= set(re.findall(r"\w+", picture))


# ---- The check of links in Markdown pages: good ones pass, and each kind of dead one is found -----------------------
OTHER = "# Title\n\n## A [link](https://nowhere.invalid) in `code`, twice\n## A link in code, twice\n\n```\n# not a heading\n```\n"


links = script("checks.links")


def found(text: str, name: str = "docs/page.md") -> list[str]:
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
def test_what_is_there_passes(text: str) -> None:
    assert found(text) == []


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
def test_what_is_dead_is_found(text: str, words: str) -> None:
    assert found(text) == [words]


def test_the_changelog_may_name_what_is_no_more() -> None:
    assert found("`hw/b.sv` is gone", "CHANGELOG.md") == []
    assert len(found("[x](hw/b.sv)", "CHANGELOG.md")) == 1
