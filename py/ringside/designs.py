# SPDX-License-Identifier: Apache-2.0
"""Named hardware designs: one TOML file each, the only place where a design's parameters live.

A design is looked up by name among the files that come with the package, or given as the path of a TOML file.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ParameterError

FOLDER = Path(__file__).with_name("designs")  # copied there from designs/ by the build
LANES_MAX = 256
REDUCTIONS = ("wlm", "barrett")


@dataclass(frozen=True)
class Design:
    """Parameters of one accelerator.

    lanes: butterflies per cycle, a power of two. word_bits: width of a residue, 16 to 64.
    reduction: "wlm" or "barrett". log_n_max: log2 of the largest N.
    """

    name: str
    source: str
    lanes: int
    word_bits: int
    reduction: str
    log_n_max: int

    @property
    def log_n_min(self) -> int:
        """log2 of the smallest N: the library's 2^10, and 16 words per lane (rs_ntt_engine)."""
        return max(10, self.lanes.bit_length() - 1 + 4)


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
        known = ", ".join(names())
        raise ParameterError(
            "DESIGN", f"There is no design {design!r}.", f"Known designs: {known}; or a .toml file."
        ) from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError("DESIGN", f"Cannot read the design {path}: {error}.") from error
    return _parse(path, tables)


def _parse(path: Path, tables: dict[str, Any]) -> Design:
    fields: dict[str, Any] = {}
    for table, keys in (("design", {"name": str, "source": str}), ("core", _CORE)):
        found = tables.pop(table, {})
        for key, kind in keys.items():
            value = found.pop(key, None)
            if type(value) is not kind:
                raise _bad(path, f"[{table}] {key} must be given as {_NAMES[kind]}, got {value!r}")
            fields[key] = value
        if found:
            raise _bad(path, f"[{table}] has unknown keys: {', '.join(found)}")
    if tables:
        raise _bad(path, f"unknown tables: {', '.join(tables)}")
    design = Design(**fields)
    if design.lanes < 1 or design.lanes > LANES_MAX or design.lanes & (design.lanes - 1):
        raise _bad(path, f"lanes must be a power of two up to {LANES_MAX}, got {design.lanes}")
    if not 16 <= design.word_bits <= 64:
        raise _bad(path, f"word_bits must be 16 to 64, got {design.word_bits}")
    if design.reduction not in REDUCTIONS:
        raise _bad(path, f"reduction must be one of {', '.join(REDUCTIONS)}, got {design.reduction!r}")
    if not design.log_n_min <= design.log_n_max <= 17:
        raise _bad(
            path, f"log_n_max must be {design.log_n_min} to 17 with {design.lanes} lanes, got {design.log_n_max}"
        )
    return design


_CORE: dict[str, type] = {"lanes": int, "word_bits": int, "reduction": str, "log_n_max": int}
_NAMES = {int: "a whole number", str: "a text"}


def _bad(path: Path, what: str) -> ParameterError:
    return ParameterError("DESIGN", f"Design {path.name}: {what}.")
