# SPDX-License-Identifier: Apache-2.0
"""Answers of commands, made up."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Invented(Mapping[str, Any]):
    """An answer that has every figure. number: which, by its path. without: a name that it does not have."""

    def __init__(self, number: Callable[[str], float], without: str = "", path: str = "") -> None:
        self.number, self.without, self.path = number, without, path

    def __getitem__(self, name: str) -> Any:
        return Invented(self.number, self.without, f"{self.path}.{name}".lstrip("."))

    def __contains__(self, name: object) -> bool:
        return name != self.without

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1

    def __float__(self) -> float:
        return self.number(self.path)
