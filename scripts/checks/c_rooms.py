# SPDX-License-Identifier: Apache-2.0
"""Includes and calls of the C library and of the evaluator run one way: from room to room downwards, and between files without circles.

A room is a folder of src with all folders inside it; each public header belongs to a room too, so do the parts of golden.h: a file
includes the part of its own room. A call needs no include, so the second half reads the objects of a build: what one file leaves
undefined, another file of its room or of a room below must define.
A file is a .c and the .h of the same name together.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .rooms import circle

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "lib"
EVALUATOR = ROOT / "papers" / "evaluator"
# From the bottom to the top, with the public headers of each room.
ROOMS: dict[str, tuple[str, ...]] = {
    "base": ("base",),
    "hash": ("xof", "golden/hash"),
    "arith": ("plan", "golden/plan"),
    "encoding": ("fixed", "golden/fixed"),
    "sampling": ("rng", "golden/sample"),
    "fma": (),
    "x86": (),
    "arm": (),
    "wasm": (),
    "riscv": (),
    "backend": ("backend",),
    "machine": ("isa", "regs", "program", "timing", "device", "device_ring"),
    "params": ("params",),
    "rlwe": ("context", "keys"),
    "client": ("client",),
    "ckks": ("ckks", "golden/ckks"),
    "exact": ("exact",),
    "schemes": ("device_ckks", "golden/program"),
    "mlkem": ("mlkem", "device_mlkem"),
    "mldsa": ("mldsa", "device_mldsa"),
    "papers": ("research", "device_newhope", "fndsa"),
    "seal": ("wire",),
    "lean": ("lean",),
    "selftest": (),
    "host": ("host", "pool", "batch", "ringside", "golden"),
}
EVALUATOR_ROOMS = ("kernels", "ring", "scheme", "aes")  # above the library's base, hash, arith and host
FILES_MAX = 15  # files of one folder, README.md included
SOURCES = (".c", ".h", ".inc")
# what is named for the whole library; a file's own types have no prefix
TYPE = re.compile(r"^} (rs_\w+_t);|^typedef [^{;()]*\b(rs_\w+_t);", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"([^"]+)"|<ringside/([^>]+)>)', re.MULTILINE)

Unit = tuple[str, ...]  # ("x86", "arith", "ntt_avx2"): the path without its suffix
ORDER = tuple(ROOMS)
ROOM_OF_HEADER = {header: room for room, headers in ROOMS.items() for header in headers}


def unit_of(path: Path, source: Path) -> Unit:
    return path.relative_to(source).with_suffix("").parts


def is_above(room: str, other: str, order: tuple[str, ...] = ORDER) -> bool:
    return order.index(room) > order.index(other)


def room_of_header(name: str) -> str | None:
    """The room of a path below include/ringside; "golden/../xof.h" is xof.h."""
    return ROOM_OF_HEADER.get(os.path.normpath(name).removesuffix(".h"))


def included(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line, name and whether the header is a public one."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(0)) + 1
        yield line, match[1] or match[2], match[1] is None


def ring_text(graph: dict[Unit, set[Unit]], what: str) -> list[str]:
    ring = circle(graph)
    return [f"files {what} each other: " + " -> ".join("/".join(unit) for unit in ring)] if ring else []


def check_public(headers: Path) -> Iterator[str]:
    for path in sorted(headers.rglob("*.h")):
        room = room_of_header(path.relative_to(headers).as_posix())
        if room is None:
            yield f"{path.name}: this public header belongs to no room of scripts/checks/c_rooms.py"
            continue
        for line, name, _ in included(path):
            other = room_of_header(str(path.relative_to(headers).parent / name))
            if other and is_above(other, room):
                yield f"{path.name}:{line}: a header of {room} includes {name} of {other}, a room above it"


def check_names(lib: Path) -> Iterator[str]:
    """A type has one meaning in the whole library: two headers that define one name can never be included together."""
    defined: dict[str, str] = {}
    files = (path for place in ("include", "src") for path in (lib / place).rglob("*") if path.suffix in SOURCES)
    for path in sorted(files):
        text = path.read_text(encoding="utf-8")
        for name in [one for pair in TYPE.findall(text) for one in pair if one]:
            place = str(path.relative_to(lib))
            other = defined.setdefault(name, place)
            if other != place:
                yield f"{place}: {name} is a type of {other} too"


def check_folders(source: Path) -> Iterator[str]:
    for folder in sorted(path for path in source.rglob("*") if path.is_dir()):
        count = sum(path.is_file() for path in folder.iterdir())
        if count > FILES_MAX:
            yield f"{folder.relative_to(source)}: {count} files, more than {FILES_MAX}"
        room = folder.relative_to(source).parts[0]
        if folder.parent == source and room in ROOMS and not (folder / "README.md").is_file():
            yield f"{room}: no README.md"


def check_includes(source: Path, order: tuple[str, ...], below: Path | None = None) -> list[str]:
    """below: the sources of another library, on which all of these rooms stand."""
    found: list[str] = []
    where = "lib/src" if below is None else "papers/evaluator/src or lib/src"
    graph: dict[Unit, set[Unit]] = {}
    for path in sorted(path for path in source.rglob("*") if path.suffix in SOURCES):
        place = path.relative_to(source)
        room = place.parts[0] if len(place.parts) > 1 else ""
        if room not in order:
            found.append(f"{place}: {room or 'the top'} is not among the rooms of scripts/checks/c_rooms.py")
            continue
        for line, name, public in included(path):
            other = ""
            if public:
                other = room_of_header(name) or ""
            elif (source / name).is_file():
                other = name.split("/")[0]
                if unit_of(source / name, source) != unit_of(path, source):
                    graph.setdefault(unit_of(path, source), set()).add(unit_of(source / name, source))
            elif below is None or not (below / name).is_file():
                found.append(f'{place}:{line}: "{name}" is not the path of a file from {where}')
            if other in order and is_above(other, room, order):
                found.append(f"{place}:{line}: {room} includes {name} of {other}, a room above it")
    return found + ring_text(graph, "include")


def findings(lib: Path = LIB) -> list[str]:
    """Findings on the order of includes or the size of a folder, one line each."""
    source = lib / "src"
    found = [*check_public(lib / "include" / "ringside"), *check_names(lib), *check_folders(source)]
    return found + check_includes(source, ORDER)


def evaluator_findings(evaluator: Path = EVALUATOR) -> list[str]:
    return [*check_names(evaluator), *check_includes(evaluator / "src", EVALUATOR_ROOMS, LIB / "src")]


# ---- objects --------------------------------------------------------------------------------------------------------
def symbols(path: Path, option: str) -> set[str]:
    done = subprocess.run(["nm", "--format=posix", option, path], capture_output=True, text=True, check=True)
    names = (line.split()[0] for line in done.stdout.splitlines() if line)
    return {name for name in names if name.startswith(("rs_", "RS_", "ltv_", "LTV_"))}


def object_findings(
    objects: Path, source: Path | None = LIB / "src", order: tuple[str, ...] = ORDER, below: Path | None = None
) -> list[str]:
    """Findings on the order of calls. `objects` mirrors `source`: CMakeFiles/ringside.dir/src of a build; `below`: those of the library on
    which these stand. Objects of files that are no longer there are not looked at."""
    units: dict[Unit, Path] = {}
    for path in sorted(objects.rglob("*.o")):
        unit = (*path.relative_to(objects).parent.parts, path.name.split(".")[0])
        if source is None or source.joinpath(*unit).with_suffix(".c").is_file():
            units[unit] = path
    if not units:
        return [f"{objects}: no objects"]
    where = {name: unit for unit, path in units.items() for name in symbols(path, "--defined-only")}
    outside = {name for path in below.rglob("*.o") for name in symbols(path, "--defined-only")} if below else set()
    found = []
    graph: dict[Unit, set[Unit]] = {}
    for unit, path in units.items():
        for name in sorted(symbols(path, "--undefined-only") - outside):
            other = where.get(name)
            if other is None:
                found.append(f"{'/'.join(unit)} needs {name}, which nothing defines")
                continue
            graph.setdefault(unit, set()).add(other)
            if is_above(other[0], unit[0], order):
                found.append(f"{'/'.join(unit)} uses {name} of {'/'.join(other)}, a room above it")
    return found + ring_text(graph, "call")
