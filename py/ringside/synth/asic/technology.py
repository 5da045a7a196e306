# SPDX-License-Identifier: Apache-2.0
"""A technology that a design is mapped to: standard cells, memories and their node. One has a name, any other is given by its Liberty files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...errors import DeviceError, ParameterError
from ...hints import did_you_mean
from . import liberty, sram
from .liberty import Library
from .sram import Sram


@dataclass(frozen=True)
class Technology:
    """files: Liberty of the cells. node: nm, for memories; 0: not known, memories are those of 45 nm. macros: Liberty of memories."""

    name: str
    files: tuple[Path, ...]
    node: int = 0
    macros: tuple[Path, ...] = ()
    licence: str = ""

    @cached_property
    def library(self) -> Library:
        return liberty.read(self.files)

    @cached_property
    def digest(self) -> str:
        return liberty.digest([*self.files, *self.macros])

    @cached_property
    def _macros(self) -> list[Sram]:
        return sram.macros(self.macros)

    def memory(self, width: int, depth: int) -> Sram:
        if self.macros:
            return sram.tiled(width, depth, self._macros)
        memory = sram.cacti(width, depth)
        return sram.scaled(memory, self.node, self.library.voltage) if self.node else memory


# Debian's package qflow-tech-osu018 puts it there.
OSU018 = Technology(
    "osu018",
    (Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"),),
    180,
    licence="GPL, by the package's copyright file",
)
TARGETS = {OSU018.name: OSU018}


def find(target: str, files: Sequence[Path] = (), macros: Sequence[Path] = (), node: int = 0) -> Technology:
    """ParameterError: no such target. DeviceError: its library is not installed. FileError: a file is not Liberty."""
    if files:
        found = Technology(target or files[0].name.partition(".")[0], tuple(files), node, tuple(macros))
    elif target in TARGETS:
        named = TARGETS[target]
        found = Technology(named.name, named.files, node or named.node, tuple(macros), named.licence)
        if not named.files[0].is_file():
            raise DeviceError("LIBERTY", f"{named.files[0]} is not there.", f"apt-get install qflow-tech-{target}")
    else:
        hint = did_you_mean(target, TARGETS, f"Targets: {', '.join(TARGETS)}; or name --liberty files.")
        raise ParameterError("TARGET", f"There is no target {target!r}.", hint)
    _ = found.library.nand2, found.library.inverter, found.digest  # errors now, not after minutes
    return found
