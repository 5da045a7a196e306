# SPDX-License-Identifier: Apache-2.0
"""Sources of models: lists of RTL files, hw/*/*.f, the same that Verilator, Icarus and FPGA tools read with -F; and the C++ around a model.

A line is a file, or `-F LIST` for another list; paths are relative to the list. `//` begins a comment.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..errors import FileError


@dataclass(frozen=True)
class Harness:
    """The C++ around a Verilated model, files of sim/. sources: compiled with it; headers: read by them."""

    sources: tuple[str, ...]
    headers: tuple[str, ...]

    def files(self, folder: Path) -> list[Path]:
        """All of them, those to compile first."""
        return [folder / name for name in (*self.sources, *self.headers)]


CORE_TOP = "rs_core"
CORE_HARNESS = Harness(
    ("core.cpp", "model.cpp"), ("model.h", "print.h", "core.h", "axi_memory.h", "../lib/include/ringside/regs.h")
)


def of_core(tree: Path) -> list[Path]:
    """The core's RTL in the order in which a tool has to read it, packages before what uses them. FileError."""
    return read(tree / "hw" / "core" / "core.f")


def read(path: Path) -> list[Path]:
    """The files of a list and of those that it names, each once, at its first place. FileError: one is missing, or a circle."""
    found: dict[Path, None] = {}
    _read(path, found, ())
    return list(found)


def _read(path: Path, found: dict[Path, None], above: tuple[Path, ...]) -> None:
    if path in above:
        raise FileError("FILE_LIST", f"The list {path} names itself.")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise FileError("FILE_LIST", f"Cannot read the list {path}: {error.strerror}.") from error
    for line in lines:
        words = line.partition("//")[0].split()
        if not words:
            continue
        place = _normal(path.parent / words[-1])
        if words[0] == "-F" and len(words) == 2:
            _read(place, found, (*above, path))
        elif len(words) == 1 and place.is_file():
            found[place] = None
        else:
            raise FileError("FILE_LIST", f"{path} names {line.strip()}, which is no file.")


def _normal(path: Path) -> Path:
    """Without `..`, and without following links."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] not in ("..", "/"):
            parts.pop()
        else:
            parts.append(part)
    return Path(*parts)
