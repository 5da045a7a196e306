# SPDX-License-Identifier: Apache-2.0
"""What `ringside explore calibrate` wrote: the models' numbers, with the commit they were made of and their errors on designs they had not seen."""

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...errors import ParameterError
from ...native.files import write_bytes
from .area import AreaModel
from .silicon import SiliconModel
from .units import COUNTED, FITTED

_COLUMNS = 120
SHIPPED = Path(__file__).with_name("constants.json")


@dataclass(frozen=True)
class Models:
    """made_of: commit, hash of the RTL, Yosys, and `netlists`: hashes of the designs' logic. held_out: for each quantity `designs`, `mean` and `most`, errors in percent."""

    area: AreaModel
    silicon: SiliconModel
    made_of: dict[str, Any]
    held_out: dict[str, dict[str, float]]
    rows: list[dict[str, Any]]

    def write(self, path: Path) -> None:
        write_bytes(path, (_text(asdict(self)) + "\n").encode())


def _text(found: Any, indent: str = "\n ") -> str:
    """JSON in lines of so many columns, which are filled; a list of numbers is never broken."""
    line = json.dumps(found, ensure_ascii=False)
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    if len(line) <= _COLUMNS or not any(isinstance(part, dict | list) for part in parts):
        return line
    texts = [_text(part, indent + " ") for part in parts]
    if isinstance(found, dict):
        texts = [f"{json.dumps(key)}: {text}" for key, text in zip(found, texts, strict=True)]
    lines: list[str] = []
    for text in texts:
        if lines and "\n" not in lines[-1] + text and len(indent + lines[-1] + text) < _COLUMNS:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    left, right = "{}" if isinstance(found, dict) else "[]"
    return left + ",".join(indent + one for one in lines) + indent[:-1] + right


def _check(area: AreaModel) -> None:
    """ValueError: they are of other units than these."""
    if missing := [part.module for part in COUNTED if part.module not in area.tables]:
        raise ValueError(f"{', '.join(missing)} has no table")
    for unit in FITTED:
        for resource, found in area.terms[unit.module].items():
            if len(found) != len(unit.terms):
                raise ValueError(
                    f"{unit.module} has {len(unit.terms)} terms, and {len(found)} coefficients of {resource}"
                )


@lru_cache(maxsize=4)
def load(path: Path = SHIPPED) -> Models:
    """ParameterError: it is no file of constants."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        area, silicon = AreaModel(**found["area"]), SiliconModel(**found["silicon"])
        _check(area)
        return Models(area, silicon, found["made_of"], found["held_out"], found["rows"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ParameterError("CONSTANTS", f"{path} has no constants of models: {error}.", "Run `ringside explore calibrate`.") from error  # fmt: skip
