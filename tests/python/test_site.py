# SPDX-License-Identifier: Apache-2.0
"""The site (scripts/pages): every name of the sources has an entry. `make docs` builds it, and counts again in what was built."""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from asserting import raises
from ringside.cli import manual
from ringside.native.library import lib
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]
ENTRY = re.compile(r"^ *\.\. (c:\w+|hw:\w+|auto\w+):: (.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def everything() -> ModuleType:
    pytest.importorskip("pyarrow")  # the set-up of the tests brings it
    return script("pages.everything")


@pytest.fixture(scope="module")
def pages(everything: ModuleType) -> dict[str, str]:
    return dict(everything.references(ROOT))


@pytest.fixture(scope="module")
def entries(pages: dict[str, str]) -> dict[str, set[str]]:
    """Names of all entries on the generated pages, by the beginning of their kind; those of tables come from the pages of the tree."""
    found: dict[str, set[str]] = {}
    for text in pages.values():
        for kind, signature in ENTRY.findall(text):
            found.setdefault(kind.replace("auto", "py:auto"), set()).add(signature.strip())
        data = re.findall(r"^\.\. py:data:: (.*)\n +:module: (.*)$", text, re.MULTILINE)
        found.setdefault("py:data", set()).update(f"{module}.{name}" for name, module in data)
        # further signatures of one entry
        found.setdefault("c:function", set()).update(re.findall(r"^ {16}(\S.*\))$", text, re.MULTILINE))
    return found


def names_of_functions(signatures: set[str]) -> set[str]:
    return {re.findall(r"(\w+)\(", one)[0] for one in signatures}


def test_every_function_of_c_has_an_entry(everything: ModuleType, entries: dict[str, set[str]]) -> None:
    found = names_of_functions(entries["c:function"])
    assert found >= everything.names(ROOT)["c:"]
    # what the library that is loaded exports, whatever the headers look like
    assert found >= {name for name in dir(lib) if name.startswith("rs_")}
    assert len(found) > 200


def test_every_object_of_python_has_an_entry(everything: ModuleType, entries: dict[str, set[str]]) -> None:
    found = entries["py:autoclass"] | entries["py:autofunction"] | entries["py:data"]
    assert found == everything.names(ROOT)["py:"]
    exporting = script("pages.python_objects").exporting(ROOT / "py" / "ringside")
    assert exporting == set(script("pages.python_objects").MODULES)  # a package that says what is public is a page


def test_every_command_has_an_entry(entries: dict[str, set[str]]) -> None:
    page = (ROOT / "py" / "share" / "man" / "man1" / "ringside.1").read_text(encoding="utf-8")
    shown = {line.replace("\\-", "-").partition(" [")[0] for line in re.findall(r"^\.SS (.*)$", page, re.MULTILINE)}
    assert entries["hw:verb"] == shown == {command.name for command in manual.commands()}
    assert len(shown) > 25


def test_every_module_of_rtl_has_an_entry(everything: ModuleType, entries: dict[str, set[str]]) -> None:
    assert entries["hw:module"] == everything.names(ROOT)["hw:module"]
    assert len(entries["hw:module"]) > 150


def test_headers_of_modules_are_whole(pages: dict[str, str]) -> None:
    """An import ahead of the ports ends with a ; as the header does."""
    text = "\n".join(text for name, text in pages.items() if name.startswith("reference/rtl/"))
    headers = re.findall(r"^\.\. hw:module:: (\w+)\n   :kind: (?:module|interface)\n(.*?)(?=^\.\. hw:|\Z)", text, re.DOTALL | re.MULTILINE)  # fmt: skip
    assert len(headers) > 140
    assert [name for name, header in headers if not re.search(r"\b(?:input|output|inout)\b|\(\s*\);", header)] == []
    assert [name for name, header in headers if not re.search(r"\)\s*;", header)] == []


def test_an_index_says_what_each_entry_is(pages: dict[str, str], entries: dict[str, set[str]]) -> None:
    for folder, kind in (("rtl", "module"), ("commands", "verb")):
        found = dict(re.findall(rf"^ *\* :hw:{kind}:`([\w -]+)`: (.{{8,}}\.)$", pages[f"reference/{folder}/index.rst"], re.MULTILINE))  # fmt: skip
        assert set(found) == entries[f"hw:{kind}"]


@pytest.mark.parametrize(("kind", "page"), [("register", "docs/registers.md"), ("instruction", "docs/instructions.md")])
def test_every_register_and_instruction_is_marked_on_its_page(everything: ModuleType, kind: str, page: str) -> None:
    tree = script("pages.tree_pages").Tree(ROOT, [ROOT / page], {})
    marked = re.findall(rf"\{{hw-{kind}\}}`(\w+)`", tree.page(page, tree.pages[page]))
    assert set(marked) == everything.names(ROOT)[f"hw:{kind}"]
    assert len(marked) == len(set(marked)) > 20


def documented() -> Iterator[tuple[str, Any]]:
    objects = script("pages.python_objects")
    for module in objects.MODULES:
        yield module, import_module(module)
        for name, what in objects.public(module).items():
            if not callable(what):
                continue
            yield f"{module}.{name}", what
            for member, value in vars(what).items() if isinstance(what, type) else ():
                inner = value.fget if isinstance(value, property) else getattr(what, member)
                if not member.startswith("_") and (isinstance(value, property) or callable(inner)):
                    yield f"{module}.{name}.{member}", getattr(what, member)


# their file is part of the key of every model in the cache, docstrings included
PLAIN = {f"ringside.sim.Simulator.{name}" for name in ("close", "set", "step")}


def test_every_public_object_has_a_docstring() -> None:
    assert {name for name, what in documented() if not (inspect.getdoc(what) or "").strip()} == PLAIN


def test_code_of_docstrings_runs() -> None:
    objects = script("pages.python_objects")
    codes = {name: objects.code_of(what.__doc__ or "") for name, what in documented()}
    shown = {name: code for name, code in codes.items() if code}
    assert {"ringside", "ringside.pqc"} <= set(shown)
    for name, code in shown.items():
        exec(compile(code, name, "exec"), {})


def test_the_front_page_leads_to_every_page_of_documents() -> None:
    tree = script("pages.tree_pages")
    text = (ROOT / tree.INDEX).read_text(encoding="utf-8")
    found = {target for targets in tree.sections(text).values() for target in targets}
    documents = {
        path.relative_to(ROOT / "docs")
        for place in ("*.md", "tutorials/*.md", "notebooks/*.py")
        for path in (ROOT / "docs").glob(place)
    }
    assert {str(path) for path in documents} - {"index.md", "architecture.md"} <= found | {"index.md"}


# ---- comments become pages ------------------------------------------------------------------------------------------
HEADER = """// SPDX-License-Identifier: Apache-2.0
// Things.
#ifndef RINGSIDE_THINGS_H
#define RINGSIDE_THINGS_H

typedef enum rs_kind {
    RS_KIND_A, // the first
    RS_KIND_B =
        7
        << 8 // the other
} rs_kind_t;

typedef struct rs_thing {
    uint32_t n, *more; // of both
    int (*call)(void *state); // may fail
} rs_thing_t;

// Makes one. RS_KIND_A unless `kind` is *b.
RS_API RS_MUST_CHECK rs_status_t rs_thing_make(rs_thing_t *thing,
                                               rs_kind_t kind);
RS_API void rs_thing_end(rs_thing_t *thing);

// ---- numbers ----
enum { RS_THINGS_MAX = 3 };
#endif
"""


def test_a_header_is_read() -> None:
    opening, groups = script("pages.c_headers").read(HEADER)
    assert opening == ["Things."]
    entries = [entry for group in groups for entry in group.entries]
    assert [(entry.kind, entry.name) for entry in entries] == [
        ("type", "rs_kind_t"),
        ("enum", "rs_kind"),
        ("type", "rs_thing_t"),
        ("function", "rs_thing_make"),
        ("function", "rs_thing_end"),
        ("enumerator", "RS_THINGS_MAX"),
    ]
    assert entries[1].parts == [("RS_KIND_A", ["the first"]), ("RS_KIND_B = 7 << 8", ["the other"])]
    assert [text for text, _ in entries[2].parts] == ["uint32_t n", "uint32_t *more", "int (*call)(void *state)"]
    assert entries[3].text == "rs_status_t rs_thing_make(rs_thing_t *thing, rs_kind_t kind)"
    assert groups[-2].heading == "numbers"


def test_text_of_comments_is_no_markup() -> None:
    rst = script("pages.rst")
    assert rst.inline("a * b, x_y, `code_`, |z|") == "a \\* b, x\\_y, \\ ``code_``\\ , \\|z\\|"
    assert list(rst.prose(["One.", "  c = a b", "Two."])) == ["One.", "", "::", "", "   c = a b", "", "Two.", ""]


# ---- notebooks ------------------------------------------------------------------------------------------------------
def notebooks() -> list[Path]:
    return sorted((ROOT / "docs" / "notebooks").glob("*.py"))


def _marks(path: Path) -> list[pytest.MarkDecorator]:
    # models of two designs, which `make docs` and the night build
    return [pytest.mark.soak] if "sim:" in path.read_text(encoding="utf-8") else []


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem, marks=_marks(path)) for path in notebooks()])
def test_notebooks_run(path: Path) -> None:
    module = script("pages.notebooks")
    source = path.read_text(encoding="utf-8")
    found = module.outputs(path)
    text = module.page(path.stem, source, found)
    assert any(found)
    assert text.count("```python") == sum(not cell.is_text for cell in module.cells(source))
    if "matplotlib" in source:
        assert '<svg role="img" aria-label="Plot: ' in text
    made = json.loads(module.jupyter(source))
    assert [cell["cell_type"] for cell in made["cells"]].count("code") == text.count("```python")


def test_a_notebook_that_fails_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("# %%\nprint(1)\n# %%\nassert 2 == 3\n", encoding="utf-8")
    raises(RuntimeError, r"bad\.py fails:(.|\n)*AssertionError", script("pages.notebooks").outputs, path)


def test_notebooks_are_there() -> None:
    assert len(notebooks()) >= 4


def test_the_site_says_how_it_is_called() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "pages" / "make.py", "--help"], capture_output=True, text=True, check=True
    )
    assert "--check" in done.stdout
