# SPDX-License-Identifier: Apache-2.0
"""Reference of the Python package: one page a public module, with every name of its `__all__`; autodoc reads the docstrings."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from . import rst

FOLDER = "reference/python"
# `tables` needs pyarrow, `sim` Verilator only when it builds something
MODULES = ("ringside", "ringside.pqc", "ringside.tables", "ringside.tenseal", "ringside.designs", "ringside.sim")
# what public functions take or give, and users do not import
TYPES = [
    (f"ringside.{module}", name)
    for module, names in (
        ("objects.common.tables", "Tables"),
        ("devices.device", "AnyDevice Run Total Counting"),
        ("devices.calls", "Encryption Decryption Plaintexts Rows FixedRows Slots"),
        ("devices.accelerator", "Accelerator"),
        ("native.streams", "WireOptions"),
        ("formats.lattigo", "LattigoParameters"),
        ("formats.openfhe", "OpenFheParameters"),
        ("tables.part", "TablePart"),
        ("sim.sources", "Harness"),
    )
    for name in names.split()
]
HIDDEN_BASES = "object,Exception,BaseException,RuntimeError,TypeError,dict,tuple,Enum,str,int"


def public(name: str) -> dict[str, Any]:
    """Names of a module's `__all__` with what they are, but for those that `ringside` itself has."""
    module = importlib.import_module(name)
    names = {word: getattr(module, word) for word in module.__all__}
    if name != MODULES[0]:
        top = importlib.import_module(MODULES[0])
        names = {word: what for word, what in names.items() if getattr(top, word, None) is not what}
    return names


def places() -> dict[str, str]:
    """Every public name and where its entry is: `Context` is ringside.Context."""
    inner = {word: f"{module}.{word}" for module, word in TYPES}
    return inner | {word: f"{module}.{word}" for module in reversed(MODULES) for word in public(module)}


def exporting(package: Path) -> set[str]:
    """Packages that say what is public, as the sources have it."""
    found = set()
    for path in package.rglob("__init__.py"):
        if re.search(r"^__all__", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.add(".".join(path.parent.relative_to(package.parent).parts))
    return found


def link(word: str) -> str | None:
    known = _known()
    bare = word.removesuffix("()").removeprefix("ringside.").removeprefix("rs.")
    if bare in known and inspect.isclass(known[bare][1]):
        return f":py:class:`~{known[bare][0]}`"
    return None


_cache: dict[str, tuple[str, Any]] = {}


def _known() -> dict[str, tuple[str, Any]]:
    if not _cache:
        for module in reversed(MODULES):
            _cache.update({word: (f"{module}.{word}", what) for word, what in public(module).items()})
    return _cache


def is_code(paragraph: str) -> bool:
    """English is not Python."""
    try:
        body = ast.parse(paragraph).body
    except SyntaxError:
        return False
    return not all(isinstance(one, ast.Expr) and not isinstance(one.value, ast.Call) for one in body)


def docstring(text: str) -> Iterator[str]:
    """A docstring: paragraphs, code that stands between them, and what is set in."""
    paragraphs = re.split(r"\n[ \t]*\n", inspect.cleandoc(text))
    for is_python, found in groupby(paragraphs, is_code):
        if is_python:
            yield from [".. code-block:: python", "", *rst.inset("\n\n".join(found).splitlines()), ""]
        else:
            yield from rst.prose("\n\n".join(found).splitlines(), link)


def code_of(text: str) -> str:
    """The code of a docstring, which a test runs."""
    return "\n\n".join(part for part in re.split(r"\n[ \t]*\n", inspect.cleandoc(text)) if is_code(part))


def _value(what: Any) -> Iterator[str]:
    """A constant: each of its members with what it says."""
    if isinstance(what, dict):
        yield from (f"* ``{key}``: {rst.inline(str(value))}" for key, value in what.items())
    elif isinstance(what, (tuple, list)):
        yield ", ".join(f"``{one}``" for one in what)
    else:
        yield f"``{what}``" if isinstance(what, (str, int, float)) else f"A ``{type(what).__name__}``."
    yield ""


def _directive(module: str, name: str, what: Any) -> Iterator[str]:
    if inspect.isclass(what):
        yield f".. autoclass:: {module}.{name}"
        yield from ("   :members:", "   :undoc-members:", f"   :inherited-members: {HIDDEN_BASES}", "")
    elif callable(what):
        yield f".. autofunction:: {module}.{name}"
        yield ""
    else:
        yield f".. py:data:: {name}"
        yield f"   :module: {module}"
        yield ""
        yield from rst.inset(_value(what))


def pages() -> Iterator[tuple[str, str]]:
    for module in MODULES:
        yield f"{FOLDER}/{module}.rst", rst.page(_page(importlib.import_module(module)))
    text = [
        *rst.heading("Python package"),
        (
            "One page for each public module, with every name that it exports. Arrays are NumPy's; sizes are in bytes, times in seconds, clocks in MHz, "
            "unless an entry says otherwise. Every error is a :py:class:`ringside.RingsideError` with a code, a sentence and a hint "
            "(:doc:`the guide </docs/guide>` has a table of them)."
        ),
        "",
        *rst.contents([*MODULES, "types"]),
    ]
    yield f"{FOLDER}/index.rst", rst.page(text)
    types = [*rst.heading("Other types"), "Public functions take or give these. Users need not import them.", ""]
    for module, name in TYPES:
        types += _directive(module, name, getattr(importlib.import_module(module), name))
    yield f"{FOLDER}/types.rst", rst.page(types)


def _page(module: ModuleType) -> Iterator[str]:
    name = module.__name__
    yield from rst.heading(name)
    yield from docstring(module.__doc__ or "")
    yield f".. py:module:: {name}"
    yield ""
    for word, what in public(name).items():
        yield from _directive(name, word, what)
