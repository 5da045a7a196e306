# SPDX-License-Identifier: Apache-2.0
"""What an engine is: a kind of hardware, of which designs are named sets of parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from . import file_list


@dataclass(frozen=True)
class Harness:
    """The C++ around a Verilated model, files of sim/. sources: compiled with it; headers: read by them."""

    sources: tuple[str, ...]
    headers: tuple[str, ...]

    def files(self, folder: Path) -> list[Path]:
        """All of them, those to compile first."""
        return [folder / name for name in (*self.sources, *self.headers)]


@dataclass(frozen=True)
class Design(ABC):
    """One accelerator: an engine with parameters. source: where they come from."""

    engine: ClassVar[str]  # its name
    columns: ClassVar[tuple[str, ...]]  # of the table that `ringside designs` prints
    name: str
    source: str

    @property
    @abstractmethod
    def parameters(self) -> dict[str, int]:
        """Those of the engine's top module."""

    @property
    @abstractmethod
    def row(self) -> tuple[str, ...]:
        """Its line in the table."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"engine": self.engine, **asdict(self)}


@dataclass(frozen=True)
class Engine:
    """A kind of hardware.

    name: as the TOML files call it. about: one line. top: the module that is the whole engine. file_list: its RTL, hw/*/*.f
    (engines.file_list). harness: what simulates it. operations: what it computes, with the library's name of each (rs_job_kind_t).
    parse: the tables of a design file, but for the engine's name, to a design; ParameterError.
    """

    name: str
    about: str
    top: str
    file_list: str
    harness: Harness
    operations: Mapping[str, str]
    parse: Callable[[Path, dict[str, Any]], Design]

    def sources(self, tree: Path) -> list[Path]:
        """The RTL in the order in which a tool has to read it, packages before what uses them. FileError."""
        return file_list.read(tree / self.file_list)
