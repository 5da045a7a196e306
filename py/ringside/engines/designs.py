# SPDX-License-Identifier: Apache-2.0
"""Named hardware designs: one TOML file each, the only place where a design's parameters live.

A design is looked up by name among the files that come with the package, or given as the path of a TOML file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ..errors import ParameterError
from ..hints import did_you_mean
from .core import CoreDesign, expect
from .engine import Design
from .registry import DEFAULT, ENGINES
from .schema import bad

FOLDER = Path(__file__).parents[1] / "from-tree" / "designs"  # copied there from designs/ by the build


def names() -> list[str]:
    """The named designs, by family and then by number of lanes."""

    def key(name: str) -> tuple[str, int]:
        family, _, number = name.rpartition("-")
        return (family, int(number)) if number.isdigit() else (name, 0)

    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=key)


def load(design: str) -> Design:
    """A named design or a TOML file. ParameterError: no such design, or a field missing, unknown or out of range."""
    path = Path(design) if design.endswith(".toml") else FOLDER / f"{design}.toml"
    try:
        with path.open("rb") as file:
            tables = tomllib.load(file)
    except FileNotFoundError:
        hint = did_you_mean(design, names(), f"Known designs: {', '.join(names())}; or a .toml file.")
        raise ParameterError("DESIGN", f"There is no design {design!r}.", hint) from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError("DESIGN", f"Cannot read the design {path}: {error}.") from error
    return _parse(path, tables)


def load_core(design: str) -> CoreDesign:
    """The same for what only the engine `core` can do. ParameterError: it is of another engine."""
    return expect(load(design))


def _parse(path: Path, tables: dict[str, Any]) -> Design:
    head = tables.get("design")
    name = head.pop("engine", DEFAULT) if isinstance(head, dict) else DEFAULT
    engine = ENGINES.get(name) if isinstance(name, str) else None
    if engine is None:
        raise bad(path, f"[design] engine must be one of {', '.join(ENGINES)}, got {name!r}")
    return engine.parse(path, tables)
