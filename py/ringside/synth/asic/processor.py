# SPDX-License-Identifier: Apache-2.0
"""The processor of the SoC in standard cells: Rocket's tile (core, floating point, both caches) mapped by the flow that designs go through.

Caches are memories of the same model. Chisel's clock gate passes the clock on: gates of clocks are put in here. The clock is that of the slowest
part alone, because paths through caches are not timed. processor_energy.py has the energy.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from ...errors import DeviceError
from ...native.files import write_bytes
from ...progress import Progress
from ...sim.verilate import SimulationError, cache_directory, content_hash, reported
from ...soc import rocket
from .. import yosys
from ..parts import Part, elaborate, split
from ..yosys import YosysError
from .clocks import CLOCK
from .figures import AsicBlock, PartCost
from .flow import LEFT_OUT, blocks_of, map_parts
from .sram import Sram
from .technology import Technology

NAME, TOP = "rocket", "RocketTile"
# parts of the tile: they are mapped one by one. CSRFile has two clocks and stays in Rocket, where they are one.
CUTS = (
    *("Rocket", "MulDiv", "FPU", "FPUFMAPipe", "FPUFMAPipe_1", "FPToInt", "IntToFP", "FPToFP"),
    *("DivSqrtRecFN_small", "DivSqrtRecFN_small_1", "Frontend", "ICache", "BTB", "TLB_1"),
    *("DCache", "DCacheDataArray", "PTW"),
)
# Chisel's printf and stop stay out
MACROS = ("PRINTF_COND=0", "STOP_COND=0")
CLOCK_GATE = "EICG_wrapper"
_GATE = f"module {CLOCK_GATE} (output out, input en, input test_en, input in);\n  assign out = in;\nendmodule\n"
CLOCKS = {False: "clock", True: "RW0_clk"}  # the clock of a module's port; of a memory's
_CLOCK = re.compile(rf"\\(?:{'|'.join(CLOCKS.values())})(?=\s)")
_MEMORY = re.compile(r"^name (\w+) depth (\d+) width (\d+) ", re.MULTILINE)


@dataclass(frozen=True)
class ProcessorArea:
    """kge: logic without memories; blocks: depth first. slowest_mhz: of the slowest part alone, `slowest`."""

    processor: str
    technology: str
    library: str
    left_out: str
    kge: float
    area_um2: float
    memory_um2: float
    memory_bits: int
    flip_flops: int
    slowest_mhz: float
    slowest: str
    blocks: list[AsicBlock]


def _memories(folder: Path) -> dict[str, tuple[int, int]]:
    """Width and depth of the memories, by their modules."""
    text = (folder / f"{rocket.CONFIGURATION}.conf").read_text(encoding="utf-8")
    return {match[1]: (int(match[3]), int(match[2])) for match in _MEMORY.finditer(text)}


def _parts(files: list[Path], memories: list[str]) -> tuple[str, dict[str, Part]]:
    """The tile's key, and its parts; memories are boxes."""
    boxes = [word for name in memories for word in ("--blackboxed-module", name)]
    with tempfile.TemporaryDirectory() as place:
        gate = Path(place) / f"{CLOCK_GATE}.v"
        gate.write_text(_GATE, encoding="utf-8")
        sources = [gate if path.stem == CLOCK_GATE else path for path in files]
        text = elaborate(TOP, sources, {}, MACROS, cuts=CUTS, options=boxes)
    return split(_CLOCK.sub(rf"\\{CLOCK}", text), TOP)  # as the flow calls it


def _file(files: list[Path], technology: Technology) -> Path:
    here = Path(__file__)
    key = content_hash([technology.digest, yosys.version()], [*files, here, here.with_name("mapping.py")])
    return cache_directory().parent / "asic" / f"{NAME}-{key}.json"


@dataclass(frozen=True)
class Tile:
    """root: the key of the whole; parts, memories among them, and what parts cost, by key."""

    root: str
    parts: dict[str, Part]
    memories: dict[str, Sram]
    costs: dict[str, PartCost]

    @property
    def logic(self) -> dict[str, Part]:
        return {key: part for key, part in self.parts.items() if key not in self.memories}

    @property
    def slowest(self) -> tuple[float, str]:
        """MHz and name of the slowest part alone."""
        return min(
            (cost.timing.internal.mhz, self.parts[key].module)
            for key, cost in self.costs.items()
            if cost.timing.internal
        )


def mapped(technology: Technology, progress: Progress | None, tell: Callable[[str], None]) -> Tile:
    """Every part from the cache, or mapped. SimulationError: Rocket's package is missing. DeviceError."""
    files = rocket.sources()
    sizes = _memories(files[0].parent)
    try:
        tell("Elaborating")
        root, parts = _parts(files, list(sizes))
        memories = {key: technology.memory(*sizes[part.module]) for key, part in parts.items() if part.module in sizes}
        tell("Mapping parts")
        costs = map_parts({key: part for key, part in parts.items() if key not in memories}, technology, progress)
    except YosysError as error:
        raise DeviceError("SYNTHESIS", f"Yosys stopped: {error}") from error
    for key in memories:  # a box has no path of its own
        parts[key].paths = [
            f"{path}.{instance}"
            for part in parts.values()
            for path in part.paths
            for instance, child in part.children.items()
            if child == key
        ]
    return Tile(root, parts, memories, costs)


def synthesise(
    technology: Technology, progress: Progress | None = None, *, stage: Callable[[str], None] | None = None
) -> ProcessorArea:
    """Area from the cache, or mapped: some ten minutes of processor time. DeviceError: a tool or Rocket's package is not there, or failed."""
    tell = stage or (lambda text: None)
    with reported("The processor's sources are not there", "SYNTHESIS"):
        files = rocket.sources()
    kept = load(technology)
    if kept is not None:
        return kept
    tile = mapped(technology, progress, tell)
    root, parts, memories, costs = tile.root, tile.parts, tile.memories, tile.costs
    gate = technology.library.nand2
    for key, memory in memories.items():
        parts[key].memory_bits = memory.width * memory.depth
    blocks = blocks_of(root, parts, costs, memories, gate.area)
    mhz, slowest = tile.slowest
    found = ProcessorArea(
        processor=f"{TOP} of {rocket.CONFIGURATION}",
        technology=technology.name,
        library=technology.library.name,
        left_out=LEFT_OUT,
        kge=blocks[0].kge,
        area_um2=blocks[0].kge * 1e3 * gate.area,
        memory_um2=blocks[0].memory_um2,
        memory_bits=blocks[0].memory_bits,
        flip_flops=blocks[0].flip_flops,
        slowest_mhz=mhz,
        slowest=slowest,
        blocks=blocks,
    )
    file = _file(files, technology)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(file, json.dumps(asdict(found)).encode())
    return found


def load(technology: Technology) -> ProcessorArea | None:
    """The result of an earlier mapping."""
    try:
        found = json.loads(_file(rocket.sources(), technology).read_text(encoding="utf-8"))
        return ProcessorArea(blocks=[AsicBlock(**block) for block in found.pop("blocks")], **found)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, SimulationError):
        return None
