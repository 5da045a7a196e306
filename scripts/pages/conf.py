# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration of the site; make.py calls Sphinx."""

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docutils import nodes
from sphinx.application import Sphinx

import ringside
from pages import python_objects

SUMMARY_LETTERS = 220

project = "Ringside"
version = release = ringside.__version__
html_title = f"Ringside {release}"
project_copyright = "Ringside's authors, Apache-2.0"
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "pages.domain"]
copybutton_prompt_text = "$ "
root_doc = "index"
default_role = "code"
highlight_language = "none"  # a block without a language holds commands or a drawing, not Python
smartquotes = False  # two hyphens begin an option
nitpicky = True
# the C standard's types, and what Python, NumPy, Arrow and type checkers bring: the site refers to no page of another site
nitpick_ignore_regex = [
    ("c:identifier", r"u?int(8|16|32|64)?_t|size_t|uintptr_t"),
    (
        "py:.*",
        r"(numpy|np|collections|typing|typing_extensions|pathlib|os|types|enum|pyarrow|contextlib|threading|cffi|dask|distributed)\..*",
    ),
    (
        "py:.*",
        r"(object|str|bytes|int|float|bool|dict|list|tuple|set|None|type|memoryview|bytearray|Self|optional|ArrayLike|NDArray|DTypeLike|Ellipsis|\.\.\.)",
    ),
    (
        "py:.*",
        r"(type|dict)\[.*|Source|ringside\.native\.(handles|fixed|rng)\..*",
    ),  # what NumPy's DTypeLike stands for; StrPath or bytes; memory of the C library
]
suppress_warnings = ["config.cache"]

myst_heading_anchors = 6
myst_enable_extensions = ["attrs_inline", "colon_fence"]

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = ["static"]
html_extra_path = [str(Path(__file__).resolve().parents[2] / "build" / "docs" / "live")]  # pages of gallery.py
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sphinx = False
html_copy_source = False
html_show_search_summary = (
    False  # Sphinx fetches the pages for it, which a browser refuses to pages of files: site.js shows ours
)
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_last_updated_fmt = None
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = list(python_objects.docstring("\n".join(lines)))


def _signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returned: str | None
) -> Any:
    return signature and signature.replace("ringside.native.files.", ""), returned


def _missing(app: Sphinx, env: Any, node: Any, contnode: Any) -> Any:
    """A type's home may be an inner module: its entry is where users import it from."""
    if node.get("refdomain") != "py":
        return None
    known = python_objects.places()
    word = str(node["reftarget"]).rpartition(".")[2]
    if word not in known or known[word] == node["reftarget"]:
        return None
    domain = env.domains["py"]
    return domain.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], known[word], node, contnode)


def _navigation(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Captions say that they are headings, but not of which level."""
    for key, value in context.items():
        if key.startswith("furo_navigation") and isinstance(value, str):
            context[key] = value.replace('role="heading"', 'role="heading" aria-level="2"')


def _summaries(app: Sphinx, error: Exception | None) -> None:
    """The first paragraph of each page, for the results of the search."""
    if error is not None or app.builder.format != "html":
        return
    found = {}
    for name in sorted(app.env.found_docs):
        paragraph = next(app.env.get_doctree(name).findall(nodes.paragraph), None)
        if paragraph is not None:
            found[name] = textwrap.shorten(paragraph.astext(), SUMMARY_LETTERS, placeholder="…")
    text = f"window.SUMMARIES = {json.dumps(found, ensure_ascii=False)};\n"
    (Path(app.outdir) / "_static" / "summaries.js").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", _navigation, priority=900)  # behind the theme's own
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-process-signature", _signature)
    app.connect("missing-reference", _missing)
    app.connect("build-finished", _summaries)
