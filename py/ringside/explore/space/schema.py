# SPDX-License-Identifier: Apache-2.0
"""A file of a space as checked values. Every error says the line and the key, what is wrong and what would do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...designs.files import FOLDER
from ...errors import ParameterError
from ...hints import did_you_mean

FILE_MAX = 1 << 20


@dataclass(frozen=True)
class Place:
    """A file with its text, for errors."""

    path: Path
    text: str

    def bad(self, table: str, key: str, what: str, hint: str = "", number: int = 0) -> ParameterError:
        """number: of the table, where there are several of one name."""
        where = f"[{table}] {key}".strip() if table else key
        return ParameterError("SPACE", f"{self.path.name}:{self._line(table, key, number)}: {where}: {what}.", hint)

    def _line(self, table: str, key: str, number: int) -> int:
        """Where the key is, or its table, or the first line."""
        found, inside, seen = 1, not table, -1
        words = re.compile(rf"^\s*(\"{re.escape(key)}\"|'{re.escape(key)}'|{re.escape(key)})\s*=")
        for line, text in enumerate(self.text.splitlines(), 1):
            header = re.match(r"^\s*\[+\s*([^\]]+?)\s*\]+", text)
            if header and not table and header[1] == key:
                return line
            if header:
                inside = header[1] == table
                seen += inside
                inside = inside and seen == number
                found = line if inside else found
            elif inside and key and words.match(text):
                return line
        return found


SPACES = FOLDER / "spaces"  # that come with the package


def names() -> list[str]:
    return sorted(path.stem for path in SPACES.glob("*.toml"))


@dataclass(frozen=True)
class SpaceTable:
    """A table of the file; the whole file is the one without a name. number: of it, where there are several of one name."""

    place: Place
    name: str
    given: Mapping[str, Any]
    number: int = 0

    def bad(self, key: str, what: str, hint: str = "") -> ParameterError:
        return self.place.bad(self.name, key, what, hint, self.number)

    def table(self, name: str, keys: Iterable[str] | None = None) -> SpaceTable:
        """A table of the file. ParameterError: it is none, or has a key that is none of these."""
        found = SpaceTable(self.place, name, self.given.get(name, {}))
        if not isinstance(found.given, dict):
            raise self.bad(name, "must be a table")
        return found if keys is None else found.known(keys)

    def known(self, keys: Iterable[str]) -> SpaceTable:
        keys = list(keys)
        for key in self.given:
            if key not in keys:
                hint = did_you_mean(key, keys, f"Keys: {', '.join(keys)}.")
                raise self.bad(key, "there is no such key", hint)
        return self

    def need(self, *keys: str) -> None:
        for key in keys:
            if key not in self.given:
                raise self.bad(key, "is missing")

    def get(self, key: str, usual: Any = None) -> Any:
        return self.given.get(key, usual)

    def whole(self, key: str, value: Any, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self.bad(key, f"must be a whole number, {low} to {high}, got {value!r}")
        return value

    def real(self, key: str, value: Any, low: float, high: float) -> float:
        if type(value) not in (int, float) or not low <= value <= high:
            raise self.bad(key, f"must be a number, {low:g} to {high:g}, got {value!r}")
        return float(value)

    def text(self, key: str, value: Any, allowed: Iterable[str] = ()) -> str:
        allowed = list(allowed)
        if not isinstance(value, str):
            raise self.bad(key, f"must be a text, got {value!r}")
        if allowed and value not in allowed:
            hint = did_you_mean(value, allowed, f"Known: {', '.join(allowed)}.")
            raise self.bad(key, f"{value!r} is not known", hint)
        return value

    def texts(self, key: str, usual: Sequence[str], allowed: Iterable[str] = ()) -> tuple[str, ...]:
        value = self.get(key, usual)
        if not isinstance(value, list):
            raise self.bad(key, f"must be a list of texts, got {value!r}")
        return tuple(self.text(key, item, allowed) for item in value)


def load(path: Path) -> SpaceTable:
    """A file, or the name of a space that came with the package. ParameterError: it cannot be read, or is no TOML."""
    hint = f"Spaces that came with Ringside go by name: {', '.join(names())}."
    if not path.exists() and str(path) in names():
        path = SPACES / f"{path}.toml"
    try:
        if path.stat().st_size > FILE_MAX:
            raise ParameterError("SPACE", f"{path.name} is longer than {FILE_MAX} bytes.", "Is it a file of a space?")
        text = path.read_text(encoding="utf-8")
        return SpaceTable(Place(path, text), "", tomllib.loads(text))
    except FileNotFoundError:
        raise ParameterError("SPACE", f"There is no space '{path}'.", did_you_mean(path.stem, names(), hint)) from None
    except OSError as error:
        raise ParameterError("SPACE", f"Cannot read {path}: {error.strerror}.", hint) from error
    except UnicodeDecodeError as error:
        raise ParameterError("SPACE", f"{path.name} is no text: {error}.", "Save it in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise ParameterError("SPACE", f"{path.name} is no TOML: {error}.") from error
