# SPDX-License-Identifier: Apache-2.0
"""A design's resources: every different part mapped once, results kept in the cache, and their sum."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..designs import REDUCTIONS, Design
from ..errors import DeviceError
from ..sim.core import sources
from ..sim.verilate import Progress, SimulationError, cache_directory
from . import yosys
from .parts import Part, elaborate, split
from .yosys import Resources, YosysError


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
class Report:
    """blocks: depth first, the top first of all. lane: one of the design's word width, per reduction. synthesised: parts that were not in the cache."""

    design: str
    blocks: list[Block]
    lane: dict[str, Resources]
    parts: int
    synthesised: int

    @property
    def total(self) -> Resources:
        return self.blocks[0].total


Top = tuple[str, Mapping[str, Any]]  # module, parameters


def synthesise(design: Design, progress: Progress | None = None) -> Report:
    """progress(done, total) counts parts that are not in the cache. DeviceError: there is no Yosys or no source tree, or it failed."""
    core = dict(design.parameters) | {"Reduction": _enum(design.reduction)}
    lanes: list[Top] = [("rs_lane", {"W": design.word_bits, "Reduction": _enum(name)}) for name in REDUCTIONS]
    blocks, parts, synthesised = measure([("rs_core", core), *lanes], progress)
    lane = {name: found[0].total for name, found in zip(REDUCTIONS, blocks[1:], strict=True)}
    return Report(design.name, blocks[0], lane, parts, synthesised)


def measure(
    tops: Sequence[Top], progress: Progress | None = None, *, cache: Path | None = None
) -> tuple[list[list[Block]], int, int]:
    """The blocks of each top; how many different parts they have, and how many of them were not in the cache."""
    if yosys.version() is None:
        raise DeviceError("SYNTHESIS", "Synthesis needs Yosys.", "pip install pyosys==0.70")
    try:
        files = sources()
        parts: dict[str, Part] = {}
        roots = []
        for module, parameters in tops:
            root, found = split(elaborate(module, files, parameters), module)
            roots.append(root)
            parts |= found
        place = cache or cache_directory().parent / "synth"
        of_part, synthesised = _results(parts.values(), place, progress)
    except SimulationError as error:
        raise DeviceError("SYNTHESIS", f"Synthesis needs the hardware's sources: {error}.") from error
    except YosysError as error:
        first = re.search(r"error: .*", str(error), re.IGNORECASE)
        raise DeviceError("SYNTHESIS", f"Yosys stopped: {first[0] if first else error}") from error
    return [list(_blocks(root, parts, of_part)) for root in roots], len(of_part), synthesised


def _enum(reduction: str) -> str:
    return f"rs_pkg::RS_{reduction.upper()}"  # Yosys takes an enum's name


# ---- one part -------------------------------------------------------------------------------------------------------
def _results(parts: Iterable[Part], cache: Path, progress: Progress | None) -> tuple[dict[str, Resources], int]:
    """Of every part, by its key; and how many had to be synthesised."""
    different = {part.key: part for part in parts}
    done = {key: kept for key in different if (kept := _kept(cache / f"{key}.json")) is not None}
    # the largest first, so that none is left alone at the end
    missing = sorted((key for key in different if key not in done), key=lambda key: -len(different[key].text))
    cache.mkdir(parents=True, exist_ok=True)
    if progress is not None:
        progress(0, len(missing))
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        running = {pool.submit(_synthesise, different[key], cache / f"{key}.json"): key for key in missing}
        for number, future in enumerate(as_completed(running), 1):
            done[running[future]] = future.result()
            if progress is not None:
                progress(number, len(missing))
    finally:
        pool.shutdown(cancel_futures=True)
    return done, len(missing)


def _kept(file: Path) -> Resources | None:
    try:
        return Resources(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _synthesise(part: Part, file: Path) -> Resources:
    with tempfile.TemporaryDirectory() as place:
        rtlil = Path(place) / "part.il"
        rtlil.write_text(part.text, encoding="utf-8")
        found = yosys.mapped([f"read_rtlil {rtlil}"], options=f"-top {part.module}", memory_bits=part.memory_bits)
    new = file.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(asdict(found)), encoding="utf-8")
    new.replace(file)
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
