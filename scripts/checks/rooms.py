# SPDX-License-Identifier: Apache-2.0
"""Imports of the Python package run one way: from room to room downwards, and between modules without circles.

A room is a folder or a module at the package's top. Imports inside of functions and those for type checkers count like all others.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "py" / "ringside"
# From the bottom to the top: a room imports from itself and from rooms before it. `__init__` is the package's face.
ROOMS = (
    "interrupt", "errors", "hints", "operations", "notebook", "progress", "processors", "arguments", "drawing",
    "native", "formats", "designs", "sim", "soc", "devices", "objects", "tenseal", "exchange", "pqc", "__init__",
    "tables", "cycles", "rtl", "synth", "leak", "figures", "report", "explore", "demo", "cli", "__main__",
)  # fmt: skip

EVALUATOR = Path(__file__).resolve().parents[2] / "papers" / "evaluator" / "py" / "ringside_ltv"
EVALUATOR_ROOMS = (
    "__init__", "scheme", "files", "server", "store", "client", "hardware", "core", "outcome", "page", "demonstration",
    "timing", "cli",
)  # fmt: skip

SHARED = ("objects", "common")  # what schemes share, and so knows none of them
FILES_MAX = 15  # files of a folder

Module = tuple[str, ...]  # ("synth", "asic", "power"); a package by its folder, the top as ()


def module_of(path: Path, package: Path) -> Module:
    parts = path.relative_to(package).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def span(module: Module) -> str:
    return module[0] if module else "__init__"


def imports(path: Path, package: Path, modules: set[Module]) -> Iterator[tuple[int, Module]]:
    """Lines of a file with the modules of the package that they import."""
    own = path.relative_to(package).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
            yield from ((node.lineno, name[1:]) for name in names if name[0] == package.name and name[1:] in modules)
        elif isinstance(node, ast.ImportFrom):
            named = tuple((node.module or "").split(".")) if node.module else ()
            if node.level:
                base = own[: len(own) - node.level + 1] + named
            elif named[:1] == (package.name,):
                base = named[1:]
            else:
                continue
            for alias in node.names:
                inner = (*base, alias.name)
                target = inner if inner in modules else base
                if target in modules:
                    yield node.lineno, target


def circle(graph: dict[Module, set[Module]]) -> list[Module]:
    """Modules that import each other in a ring, the first one again at the end; empty if there are none."""
    try:
        TopologicalSorter({module: sorted(targets) for module, targets in sorted(graph.items())}).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def findings(package: Path = PACKAGE, order: tuple[str, ...] = ROOMS) -> list[str]:
    """Findings on the order of imports, one line each."""
    paths = {module_of(path, package): path for path in sorted(package.rglob("*.py"))}
    found: list[str] = []
    graph: dict[Module, set[Module]] = {}
    for module, path in paths.items():
        room = span(module)
        place = path.relative_to(package.parent)
        if room not in order:
            found.append(f"{place}: {room} is not among the rooms of scripts/checks/rooms.py")
            continue
        for line, target in imports(path, package, set(paths)):
            graph.setdefault(module, set()).add(target)
            above = span(target)
            if above in order and order.index(above) > order.index(room):
                found.append(f"{place}:{line}: {room} imports {'.'.join(target) or package.name}, a room above it")
            if module[:2] == SHARED and target[:1] == SHARED[:1] and target[1:2] not in ((), SHARED[1:]):
                found.append(f"{place}:{line}: {'.'.join(SHARED)} imports {'.'.join(target)}, which is a scheme's")
    ring = circle(graph)
    if ring:
        found.append("modules import each other: " + " -> ".join(".".join(part) or package.name for part in ring))
    return found


def classes(package: Path = PACKAGE) -> list[str]:
    """Class names that mean two things, one line each. Aliases of types count; what a module has for itself, with a `_`, does not."""
    places: dict[str, set[str]] = defaultdict(set)
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            name = ""
            if isinstance(node, ast.ClassDef):
                name = node.name
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
            if name[:1].isupper() and not name.isupper():
                places[name].add(str(path.relative_to(package)))
    return [
        f"{name} is a class of {' and of '.join(sorted(found))}" for name, found in places.items() if len(found) > 1
    ]


def crowds(package: Path = PACKAGE, most: int = FILES_MAX) -> list[str]:
    """Folders with too many files to see at a glance."""
    folders = [package, *(path for path in sorted(package.rglob("*")) if path.is_dir() and path.name != "__pycache__")]
    counts = {folder: sum(path.is_file() for path in folder.iterdir()) for folder in folders}
    return [
        f"{folder.relative_to(package.parent)}: {count} files, more than {most}"
        for folder, count in counts.items()
        if count > most
    ]
