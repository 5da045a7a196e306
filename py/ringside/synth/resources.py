# SPDX-License-Identifier: Apache-2.0
"""A design's resources: every different part mapped once, results kept in the cache, and their sum."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..designs.design import Design
from ..errors import DeviceError
from ..hints import install
from ..native.files import write_bytes
from ..notebook import facts_html
from ..progress import Progress
from ..sim.core import sources
from ..sim.verilate import SimulationError, cache_directory
from . import yosys
from .parts import CUTS, Part, each_once, parts_of
from .yosys import XC7, Family, Resources, YosysError


@dataclass(frozen=True)
class Block:
    """A part where it stands in the hierarchy.

    depth: below the top. instances: in the whole design. own: of one, without the blocks in it. total: of all, with them.
    """

    module: str
    depth: int
    instances: int
    own: Resources
    total: Resources


@dataclass(frozen=True)
class FpgaReport:
    """blocks: depth first, the top first of all. lane: one of the design's word width. synthesised: parts that were not in the cache."""

    design: str
    family: Family
    blocks: list[Block]
    lane: Resources
    parts: int
    synthesised: int

    @property
    def total(self) -> Resources:
        return self.blocks[0].total

    def _repr_html_(self) -> str:
        facts = [(name.replace("_", " "), f"{value:,}") for name, value in asdict(self.total).items()]
        return facts_html(f"{self.design} on an FPGA", facts)


TopModule = tuple[str, Mapping[str, Any]]  # module, parameters


def synthesise(design: Design, progress: Progress | None = None, family: Family = XC7) -> FpgaReport:
    """progress(done, total) counts parts that are not in the cache. DeviceError: there is no Yosys or no source tree, or it failed."""
    tops: list[TopModule] = [("rs_core", design.parameters), ("rs_lane", {"W": design.word_bits})]
    (core, lane), parts, synthesised = measure(tops, progress, family)
    return FpgaReport(design.name, family, core, lane[0].total, parts, synthesised)


def measure(
    tops: Sequence[TopModule],
    progress: Progress | None = None,
    family: Family = XC7,
    *,
    cache: Path | None = None,
    files: Sequence[Path] = (),
    cuts: Sequence[str] = CUTS,
) -> tuple[list[list[Block]], int, int]:
    """The blocks of each top; how many different parts they have, and how many of them were not in the cache. files: the core's, or these."""
    place = cache or directory()
    with reported():
        files = files or sources()
        parts: dict[str, Part] = {}
        roots = []
        for module, parameters in tops:
            root, found = parts_of(module, files, parameters, place, family.macros, cuts)
            roots.append(root)
            parts |= found
        of_part, synthesised = _results(parts.values(), place, family, progress)
    return [list(_blocks(root, parts, of_part)) for root in roots], len(of_part), synthesised


def alone(module: str, files: Sequence[Path], parameters: Mapping[str, Any], family: Family) -> Resources:
    """A module without the parts in it."""
    root, parts = parts_of(module, files, parameters, directory(), family.macros)
    done, _ = _results([parts[root]], directory(), family, None)
    return done[parts[root].key]


def directory() -> Path:
    """Where results are kept."""
    return cache_directory().parent / "synth"


@contextmanager
def reported() -> Iterator[None]:
    """Failures inside become a DeviceError that says what is missing or what Yosys said."""
    if yosys.version() is None:
        raise DeviceError("SYNTHESIS", "Synthesis needs Yosys.", f"Run {install('synth')}.")
    try:
        yield
    except SimulationError as error:
        raise DeviceError("SYNTHESIS", f"Synthesis needs the hardware's sources: {error}.") from error
    except YosysError as error:
        first = re.search(r"error: .*", str(error), re.IGNORECASE)
        raise DeviceError("SYNTHESIS", f"Yosys stopped: {first[0] if first else error}") from error


# ---- one part -------------------------------------------------------------------------------------------------------
def _results(
    parts: Iterable[Part], cache: Path, family: Family, progress: Progress | None
) -> tuple[dict[str, Resources], int]:
    """Cells of every part, by its key; and how many had to be synthesised."""

    def file(part: Part) -> Path:
        return cache / f"{_result_key(part.key, family)}.json"

    cache.mkdir(parents=True, exist_ok=True)
    return each_once(
        parts, lambda part: _kept(file(part)), lambda part: _synthesise(part, file(part), family), progress
    )


def _result_key(part: str, family: Family) -> str:
    text = f"{yosys.version()} {family.passes('')} {family.counts} {part}"
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _kept(file: Path) -> Resources | None:
    try:
        return Resources(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _synthesise(part: Part, file: Path, family: Family) -> Resources:
    with tempfile.TemporaryDirectory() as place:
        rtlil = Path(place) / "part.il"
        rtlil.write_text(part.text, encoding="utf-8")
        found = yosys.mapped([f"read_rtlil {rtlil}"], part.module, part.memory_bits, family)
    write_bytes(file, json.dumps(asdict(found)).encode())
    return found


# ---- the sum --------------------------------------------------------------------------------------------------------
def _blocks(
    key: str, parts: Mapping[str, Part], results: Mapping[str, Resources], depth: int = 0, instances: int = 1
) -> Iterator[Block]:
    part = parts[key]
    own = results[part.key]
    inside = [
        list(_blocks(child, parts, results, depth + 1, instances * count)) for child, count in part.inside.items()
    ]
    total = sum((blocks[0].total for blocks in inside), own * instances)
    yield Block(part.module, depth, instances, own, total)
    for blocks in inside:
        yield from blocks
