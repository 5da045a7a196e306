# SPDX-License-Identifier: Apache-2.0
"""A design as an ASIC: its parts mapped and timed once each and kept, linked for timing, and simulated for energy."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...designs.design import Design
from ...errors import DeviceError, RingsideError
from ...hints import install
from ...native.files import write_bytes
from ...progress import Progress
from ...sim.core import sources
from ...sim.verilate import cache_directory
from .. import resources, yosys
from ..parts import Part, each_once, elaborate, split
from . import activity, clocks, mapping, power, sram, timing
from .activity import Activity
from .figures import AsicBlock, AsicReport, EnergyReport, EnergyRun, PartCost, UnitArea
from .gates import Gates, compile_gates
from .liberty import Library
from .mapping import Netlist, Sources
from .power import RunEnergy
from .sram import Sram
from .technology import Technology
from .timing import Slowest, Timing

TOP = "rs_core"
RAM = "rs_ram_1rw"
MACROS = ("RS_MUL_CELLS",)  # products of standard cells, memories with one port (rs_pkg, rs_core)
KINDS = {"glitches": True, "without": False}  # kinds of energies: whether gates have their delays
_MEMORY = re.compile(r"^  memory width (\d+) size (\d+) ", re.MULTILINE)
LEFT_OUT = "before layout: no wires, no clock tree, no test logic, ideal clock"


class EnergyError(DeviceError):
    """The gates could not be simulated. report: what is known without."""

    def __init__(self, problem: RingsideError, report: AsicReport) -> None:
        super().__init__(problem.code, problem.message, problem.hint)
        self.report = report


def synthesise(
    design: Design,
    technology: Technology,
    operation: EnergyRun | None = None,
    clock_mhz: float | None = None,
    progress: Progress | None = None,
    *,
    stage: Callable[[str], None] | None = None,
    gated: bool = True,
) -> AsicReport:
    """operation: for energy, at clock_mhz (default: the largest that the design can do). stage: called with what is done now. gated: with
    clock gates, if the library has what they take.

    DeviceError: a tool or library is not there or failed, a cell is missing, the design cannot do the operation. What was mapped until
    then is kept. EnergyError: only the operation failed. The package's cache has parts by the hash of their text, the library, and the flow.
    """
    tell = stage or (lambda text: None)
    tell("Elaborating")
    tools = _tools(technology)
    place = cache_directory().parent / "asic"
    place.mkdir(parents=True, exist_ok=True)
    with resources.reported():
        roots, parts = _parts(design)
        tell("Mapping parts")
        with Sources(technology.library) as files:
            flow = _Flow(technology, files, place, tools, gated)
            costs, synthesised = flow.all(parts, progress)
            root = roots[TOP]
            inside = _below(root, parts)
            memories = {key: _memory(parts[key], technology) for key in inside if _is_memory(parts[key])}
            tell("Timing the whole design")
            slowest = flow.linked(root, inside, parts, memories)
            fmax = min([slowest.mhz, *(1e3 / memory.cycle_ns for memory in memories.values())])
            only = {key: parts[key] for key in inside}
            energy, by_path, problem = _energy(flow, design, only, memories, operation, clock_mhz or fmax, tell)

    gate = technology.library.nand2
    blocks = blocks_of(root, parts, costs, memories, gate.area, by_path)
    alone = [key for key in inside if key in costs and costs[key].timing.internal]
    worst = min(alone, key=lambda key: costs[key].timing.internal.mhz)  # type: ignore[union-attr]
    counted = [(len(parts[key].paths), memory) for key, memory in memories.items()]
    placed = [(len(parts[key].paths), costs[key]) for key in inside if key in costs]
    area = sum(cost.area_um2 * count for count, cost in placed)
    leakage = sum(cost.leakage_mw * count for count, cost in placed)
    units = [_unit(design.word_bits, parts[key], costs[key], gate.area) for name, key in roots.items() if name != TOP]
    report = AsicReport(
        design=design.name,
        technology=technology.name,
        library=technology.library.name,
        corner=technology.library.corner,
        licence=technology.licence,
        tools=tools,
        left_out=LEFT_OUT,
        gate=gate.name,
        gate_um2=gate.area,
        kge=area / gate.area / 1e3,
        area_um2=area,
        memory_um2=sum(count * memory.area_um2 for count, memory in counted),
        memory_um2_unscaled=sum(count * (memory.unscaled or memory).area_um2 for count, memory in counted),
        leakage_mw=leakage + sum(count * memory.leakage_mw for count, memory in counted),
        clock_gate=_clock_gate(technology.library, gated),
        clock_gates=sum(count * cost.clock_gates for count, cost in placed),
        gated_flip_flops=sum(count * cost.gated_flip_flops for count, cost in placed),
        fmax_mhz=fmax,
        slowest=slowest,
        by_part_mhz=costs[worst].timing.internal.mhz,  # type: ignore[union-attr]
        by_part=parts[worst].module,
        memories=counted,
        blocks=blocks,
        units=units,
        energy=energy,
        parts=len(costs),
        synthesised=synthesised,
    )
    if problem is not None:
        raise EnergyError(problem, report) from problem
    return report


def _energy(
    flow: _Flow,
    design: Design,
    parts: Mapping[str, Part],
    memories: Mapping[str, Sram],
    operation: EnergyRun | None,
    clock_mhz: float,
    tell: Callable[[str], None],
) -> tuple[EnergyReport | None, dict[str, float], RingsideError | None]:
    """The energy of an operation, if one is wanted, that of each path, and the error if the gates could not be simulated."""
    if operation is None:
        return None, {}, None
    try:
        toggled = flow.energy(design, parts, memories, operation, tell)
        return *energy_report(toggled, operation, clock_mhz, memories, parts), None
    except RingsideError as error:
        return None, {}, error


def _clock_gate(library: Library, gated: bool) -> str:
    if not gated:
        return "none: not wanted"
    return library.clock_gate.name if library.clock_gate else "none: the library has no latch, or no AND gate, for them"


def unit(module: str, word_bits: int, technology: Technology) -> UnitArea:
    """rs_lane or rs_modmul of a width, alone."""
    key, parts = _split(module, {"W": word_bits})
    costs = map_parts(parts, technology)
    return _unit(word_bits, parts[key], costs[key], technology.library.nand2.area)


def map_parts(
    parts: Mapping[str, Part], technology: Technology, progress: Progress | None = None
) -> dict[str, PartCost]:
    """Each from the cache, or mapped and kept. DeviceError, YosysError."""
    tools = _tools(technology)
    place = cache_directory().parent / "asic"
    place.mkdir(parents=True, exist_ok=True)
    with Sources(technology.library) as files:
        return _Flow(technology, files, place, tools, gated=True).all(parts, progress)[0]


def netlists(parts: Mapping[str, Part], technology: Technology) -> dict[str, Netlist]:
    """Netlists of parts that are mapped."""
    with Sources(technology.library) as files:
        flow = _Flow(technology, files, cache_directory().parent / "asic", _tools(technology), gated=True)
        return {key: flow.netlist(part) for key, part in parts.items()}


def _tools(technology: Technology) -> dict[str, str]:
    if yosys.version() is None:
        raise DeviceError("SYNTHESIS", "Synthesis needs Yosys.", f"Run {install('synth')}.")
    sta = timing.version()
    if sta is None:
        hint = "Install Debian's package opensta, or run `make hardware` in the source tree."
        raise DeviceError("TIMING", "Timing needs OpenSTA.", hint)
    return {
        "mapping": f"Yosys {yosys.version()} and its ABC",
        "timing": sta,
        "memories": "macros' Liberty" if technology.macros else "CACTI 7",
        "energy": "toggle counts of gates",
    }


# ---- parts ----------------------------------------------------------------------------------------------------------
def _split(module: str, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Part]]:
    return split(elaborate(module, sources(), parameters, MACROS), module)


def _parts(design: Design) -> tuple[dict[str, str], dict[str, Part]]:
    """Keys of rs_core, and of a lane and a multiplier of its width; all parts by key."""
    lane = {"W": design.word_bits}
    wanted = {TOP: design.parameters, "rs_lane": lane, "rs_modmul": lane}
    roots: dict[str, str] = {}
    parts: dict[str, Part] = {}
    for module, parameters in wanted.items():
        roots[module], found = _split(module, parameters)
        # the core's come first: theirs are the paths
        parts = found | parts
    return roots, parts


def _is_memory(part: Part) -> bool:
    return part.module == RAM


def _below(root: str, parts: Mapping[str, Part]) -> list[str]:
    """The part and all in it, what is inside first."""
    found: dict[str, None] = {}

    def visit(key: str) -> None:
        if key not in found:
            for child in parts[key].inside:
                visit(child)
            found[key] = None

    visit(root)
    return list(found)


def _memory(part: Part, technology: Technology) -> Sram:
    ((width, depth),) = _MEMORY.findall(part.text)
    return technology.memory(int(width), int(depth))


# ---- one part, and the whole, kept in files -------------------------------------------------------------------------
class _Flow:
    def __init__(
        self, technology: Technology, files: Sources, place: Path, tools: Mapping[str, str], gated: bool
    ) -> None:
        self.library = technology.library
        self.technology = technology
        self.files = files
        self.place = place
        self.gated = gated
        self.salt = (
            f"{technology.digest} {sorted(tools.items())} {mapping.VERSION} {mapping.ABC} {mapping.STAGES} "
            f"{f'gated from {mapping.GATED}' if gated else 'not gated'}"
        )
        self._netlists: dict[str, Netlist] = {}

    def _file(self, *words: str) -> Path:
        return self.place / hashlib.sha256(" ".join([self.salt, *words]).encode()).hexdigest()[:24]

    def all(self, parts: Mapping[str, Part], progress: Progress | None) -> tuple[dict[str, PartCost], int]:
        """Parts by key, memories left out; and how many were not in the cache."""
        logic = [part for part in parts.values() if not _is_memory(part)]
        done, missing = each_once(logic, lambda part: _kept(self._file(part.key)), self._part, progress)
        return {name: done[part.key] for name, part in parts.items() if part.key in done}, missing

    def _part(self, part: Part) -> PartCost:
        file = self._file(part.key)
        netlist = mapping.map_part(part.module, part.text, self.files, gated=self.gated)
        cells = netlist.cells
        library = self.library
        clocking = clocks.find(netlist, library)
        # what stands around an empty box of its kind: enough for the paths of this part
        alone = mapping.verilog(replace(netlist, children=[]), part.module, library, {})
        cost = PartCost(
            cells=dict(cells),
            area_um2=sum(library.cells[name].area * count for name, count in cells.items()),
            leakage_mw=1e3 * sum(library.cells[name].leakage * count for name, count in cells.items()),
            flip_flops=sum(count for name, count in cells.items() if library.cells[name].flip_flop),
            clock_gates=len(clocking.gates),
            gated_flip_flops=clocking.gated(netlist, library),
            timing=timing.measure(self.files, alone, part.module) if cells else Timing(None, None, None),
        )
        write_bytes(file.with_suffix(".netlist"), gzip.compress(json.dumps(mapping.to_json(netlist)).encode(), 3))
        write_bytes(file, json.dumps(asdict(cost)).encode())
        return cost

    def netlist(self, part: Part) -> Netlist:
        if part.key not in self._netlists:
            file = self._file(part.key).with_suffix(".netlist")
            self._netlists[part.key] = mapping.from_json(json.loads(gzip.decompress(file.read_bytes())))
        return self._netlists[part.key]

    def linked(self, root: str, inside: list[str], parts: Mapping[str, Part], memories: Mapping[str, Sram]) -> Slowest:
        """The design's slowest path between registers and memories, borders of parts crossed."""
        file = self._file("linked", *inside, *(repr(memory) for memory in memories.values()))
        kept = load_json(file)
        if kept is not None:
            return Slowest(**kept)
        names = {key: memories[key].name if key in memories else f"{parts[key].module}_{key}" for key in inside}
        text = "".join(
            mapping.verilog(
                self.netlist(parts[key]),
                names[key],
                self.library,
                {instance: names[child] for instance, child in parts[key].children.items()},
            )
            for key in inside
            if key not in memories
        )
        used = {memory.name: memory for memory in memories.values()}
        load = 1e12 * self.library.inverter.inputs[0].capacitance
        extra = sram.liberty(list(used.values()), load) if used else ""
        found = timing.measure(self.files, text, names[root], extra).internal
        if found is None:
            raise DeviceError("TIMING", f"OpenSTA finds no path between registers in {parts[root].module}.")
        write_bytes(file, json.dumps(asdict(found)).encode())
        return found

    def energy(
        self,
        design: Design,
        parts: Mapping[str, Part],
        memories: Mapping[str, Sram],
        operation: EnergyRun,
        tell: Callable[[str], None],
    ) -> dict[str, Any]:
        """Sums over every instance: energies with glitches and without; accesses of memories; cycles; what differed."""
        text = "".join(path.read_text(encoding="utf-8") for path in sources())
        file = self._file("energy", *parts, repr(operation), hashlib.sha256(text.encode()).hexdigest())
        kept = load_json(file)
        if kept is not None:
            return kept
        found: dict[str, Any] = {"paths": {}}
        for kind, timed in KINDS.items():
            what = f"Simulating gates, {'with' if timed else 'without'} delays"
            tell(what)
            gates = {
                key: compile_gates(self.netlist(part), self.library, timed=timed)
                for key, part in parts.items()
                if key not in memories
            }
            total = f" of {found['cycles']:,}" if "cycles" in found else ""
            seen = activity.record(
                design, parts, gates, **asdict(operation), macros=MACROS, say=_after(f"{what}: ", total, tell)
            )
            add_activity(found, kind, seen, gates, parts)
        write_bytes(file, json.dumps(found).encode())
        return found


def _after(what: str, total: str, tell: Callable[[str], None]) -> Callable[[str], None]:
    return lambda done: tell(f"{what}{done}{total}")


def load_json(file: Path) -> dict[str, Any] | None:
    """The result that was kept, if it is there and whole."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _kept(file: Path) -> PartCost | None:
    found = load_json(file)
    if found is None or not file.with_suffix(".netlist").is_file():
        return None
    try:
        times = {kind: Slowest(**path) if path else None for kind, path in found.pop("timing").items()}
        return PartCost(**found, timing=Timing(**times))
    except (KeyError, TypeError, AttributeError):
        return None


# ---- sums -----------------------------------------------------------------------------------------------------------
def blocks_of(
    key: str,
    parts: Mapping[str, Part],
    costs: Mapping[str, PartCost],
    memories: Mapping[str, Sram],
    gate: float,
    energy: Mapping[str, float] | None = None,
    depth: int = 0,
    instances: int = 1,
) -> list[AsicBlock]:
    part, cost, memory = parts[key], costs.get(key), memories.get(key)
    inside = [
        blocks_of(child, parts, costs, memories, gate, energy, depth + 1, instances * count)
        for child, count in part.inside.items()
    ]
    own = cost.area_um2 / gate / 1e3 if cost else 0.0
    first = [blocks[0] for blocks in inside]
    path = cost.timing.internal if cost else None
    # sums over all instances of the part, wherever they stand: those here are a share of them
    share = instances / max(1, len(part.paths))
    block = AsicBlock(
        module=part.module,
        depth=depth,
        instances=instances,
        own_kge=own,
        kge=own * instances + sum(block.kge for block in first),
        flip_flops=(cost.flip_flops if cost else 0) * instances + sum(block.flip_flops for block in first),
        memory_bits=(part.memory_bits if memory else 0) * instances + sum(block.memory_bits for block in first),
        memory_um2=(memory.area_um2 if memory else 0.0) * instances + sum(block.memory_um2 for block in first),
        fmax_mhz=path.mhz if path else 0.0,
        energy_uj=share * sum(energy[path] for path in part.paths) if energy else None,
    )
    return [block, *(block for blocks in inside for block in blocks)]


def _unit(word_bits: int, part: Part, cost: PartCost, gate: float) -> UnitArea:
    slowest = cost.timing.internal
    if slowest is None:
        raise DeviceError("TIMING", f"OpenSTA finds no path between registers in {part.module}.")
    kge = cost.area_um2 / gate / 1e3
    return UnitArea(part.module, word_bits, kge, cost.area_um2, cost.flip_flops, slowest.mhz, slowest)


def add_activity(
    found: dict[str, Any], kind: str, seen: Activity, gates: Mapping[str, Gates], parts: Mapping[str, Part]
) -> None:
    """Adds to what energy_report takes. kind: of KINDS; gates: by key, those of its run."""
    for key in gates:
        for path in parts[key].paths:
            energy = power.energy(gates[key], seen.toggles[path], seen.cycles)
            found["paths"].setdefault(path, {})[kind] = asdict(energy)
    found |= {"cycles": seen.cycles, "accesses": seen.accesses, "compared": seen.compared}
    found["mismatches"] = {path: count for path, count in seen.mismatches.items() if count}


def energy_report(
    found: Mapping[str, Any],
    operation: EnergyRun,
    clock_mhz: float,
    memories: Mapping[str, Sram],
    parts: Mapping[str, Part],
) -> tuple[EnergyReport, dict[str, float]]:
    """found: paths (energies by path and kind), accesses, cycles, compared, mismatches. The report, and uJ by path: dynamic energy with glitches,
    accesses of memories."""
    seconds = found["cycles"] / (clock_mhz * 1e6)
    totals = {kind: RunEnergy() for kind in ("glitches", "without")}
    by_path: dict[str, float] = {}
    for path, kinds in found["paths"].items():
        for kind, values in kinds.items():
            totals[kind] += RunEnergy(**values)
        by_path[path] = 1e6 * RunEnergy(**kinds["glitches"]).dynamic
    for key, memory in memories.items():
        for path in parts[key].paths:
            reads, writes = found["accesses"][path]
            by_path[path] = 1e-6 * (reads * memory.read_pj + writes * memory.write_pj)
    memory_uj = sum(by_path[path] for key in memories for path in parts[key].paths)
    leakage = 1e3 * totals["glitches"].leakage + sum(m.leakage_mw * len(parts[k].paths) for k, m in memories.items())
    leakage_uj = 1e3 * leakage * seconds
    dynamic = 1e6 * totals["glitches"].dynamic + memory_uj
    report = EnergyReport(
        op=operation.op,
        n=operation.n,
        limbs=operation.limbs,
        cycles=found["cycles"],
        clock_mhz=clock_mhz,
        seconds=seconds,
        energy_uj=dynamic + leakage_uj,
        energy_without_glitches_uj=1e6 * totals["without"].dynamic + memory_uj + leakage_uj,
        clock_uj=1e6 * totals["glitches"].clock,
        switching_uj=1e6 * totals["glitches"].switching,
        internal_uj=1e6 * totals["glitches"].internal,
        memory_uj=memory_uj,
        leakage_uj=leakage_uj,
        power_mw=1e-3 * (dynamic + leakage_uj) / seconds,
        dynamic_mw=1e-3 * dynamic / seconds,
        leakage_mw=leakage,
        mismatches=found["mismatches"],
        compared=found["compared"],
    )
    return report, by_path
