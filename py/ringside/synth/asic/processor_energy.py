# SPDX-License-Identifier: Apache-2.0
"""Energy of the SoC's processor while it encrypts or decrypts alone: its gates beside Rocket's Verilog, in every cycle.

The tile's parts are those of processor.py. Each instance gets a probe, as in activity.py; the SoC's simulator (sim/soc_gates.cpp) has the
netlists in the same process and compares their outputs with Rocket's. Cycles before the frame, in which Rocket starts, are simulated
and not counted.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...cycles.system import System, measure
from ...devices.on_chip import build_soc
from ...errors import DeviceError
from ...native.files import write_bytes
from ...progress import Progress
from ...sim.verilate import SimulationError, cache_directory, content_hash, reported
from ...soc import build, rocket
from ...soc.run import Beside
from .activity import Activity, Taps, bindings
from .figures import AsicBlock, EnergyReport, EnergyRun
from .flow import KINDS, add_activity, blocks_of, energy_report, load_json, netlists
from .gates import Gates, compile_gates
from .processor import CLOCKS, NAME, TOP, Tile, mapped
from .technology import Technology

INSTANCE = ".tile_reset_domain_tile"  # the instance of the tile, in Rocket's Verilog
ENABLE, WRITE = "RW0_en", "RW0_wmode"  # signals of its memories


@dataclass(frozen=True)
class ProcessorEnergy:
    """energy.cycles: those of the frame; simulated: with those before it, in which Rocket starts. blocks: depth first, with their own energy."""

    processor: str
    technology: str
    energy: EnergyReport
    blocks: list[AsicBlock]
    simulated: int


def measured(
    technology: Technology,
    operation: EnergyRun,
    clock_mhz: float | None = None,
    simulating: Progress | None = None,
    *,
    stage: Callable[[str], None] | None = None,
) -> ProcessorEnergy:
    """One frame by software. clock_mhz: default: that of the slowest part alone. simulating: how far it is. stage: called with what is done now.

    DeviceError: a tool or Rocket's package is not there, or failed; the operation is none of the SoC's; its result is not the library's.
    """
    tell = stage or (lambda text: None)
    with reported("The processor's sources are not there", "SYNTHESIS"):
        tile = mapped(technology, None, tell)
        file = _file(technology, operation)
        found = load_json(file)
        if found is None:
            found = _simulated(tile, technology, operation, simulating, tell)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(file, json.dumps(found).encode())
    report, by_path = energy_report(found, operation, clock_mhz or tile.slowest[0], tile.memories, tile.parts)
    blocks = blocks_of(tile.root, tile.parts, tile.costs, tile.memories, technology.library.nand2.area, by_path)
    return ProcessorEnergy(f"{TOP} of {rocket.CONFIGURATION}", technology.name, report, blocks, found["simulated"])


def load(technology: Technology, operation: EnergyRun) -> ProcessorEnergy | None:
    """The result of an earlier simulation. DeviceError: as in measured."""
    try:
        known = load_json(_file(technology, operation)) is not None
    except (SimulationError, OSError):
        return None
    return measured(technology, operation) if known else None


def _file(technology: Technology, operation: EnergyRun) -> Path:
    tree, here = build.source_tree(), Path(__file__)
    own = [here.with_name(f"{name}.py") for name in ("processor", "mapping", "gates", "power", "activity")]
    sim = [tree / "sim" / name for name in ("gates.cpp", "soc_gates.cpp", "soc.cpp")]
    files = [*rocket.sources(), *build.hardware_sources(tree), *build.firmware_sources(tree), here, *own, *sim]
    key = content_hash([technology.digest, repr(operation)], files)
    return cache_directory().parent / "asic" / f"{NAME}-energy-{key}.json"


def _simulated(
    tile: Tile, technology: Technology, operation: EnergyRun, simulating: Progress | None, tell: Callable[[str], None]
) -> dict[str, Any]:
    """The activity that energy_report takes."""

    def run(beside: Beside | None) -> System:
        ran = measure(None, **asdict(operation), beside=beside, progress=simulating)
        if not ran.bit_exact:
            raise DeviceError("SIMULATION", f"The processor computes another {operation.op} than the library.")
        return ran

    tell("Simulating the processor")
    frame = run(None)
    library = technology.library
    parts = list(tile.parts.values())
    taps = Taps({path: index for index, path in enumerate(path for part in parts for path in part.paths)}, parts)
    made = netlists(tile.logic, technology)
    found: dict[str, Any] = {"paths": {}, "simulated": frame.simulated}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        probes = place / "rs_probe.sv"
        boxes = {tile.parts[key].module for key in tile.memories}
        probes.write_text(bindings(parts, lambda part: CLOCKS[part.module in boxes]), encoding="utf-8")
        build_soc(None, lambda done, total: tell(f"Building the SoC with probes: {done} of {total}"), probes=probes)
        for kind, timed in KINDS.items():
            tell(f"Simulating the processor's gates, {'with' if timed else 'without'} delays")
            gates = {key: compile_gates(netlist, library, timed=timed) for key, netlist in made.items()}
            beside = Beside(probes, place / "gates", place / "toggles", frame.simulated - frame.cycles)
            compared = _write(beside.gates, tile, gates, taps)
            run(beside)
            seen = _counted(beside.toggles.read_bytes(), tile, gates, frame.cycles, compared)
            add_activity(found, kind, seen, gates, tile.parts)
    return found


def _write(file: Path, tile: Tile, gates: Mapping[str, Gates], taps: Taps) -> int:
    """The file that sim/soc_gates.cpp reads; how many bits are compared in a cycle."""
    paths = [f"{path.replace(TOP, INSTANCE, 1)}.u_rs_probe" for path in taps.widths]
    compared = 0
    with file.open("wb") as out:

        def put(content: bytes) -> None:
            out.write(len(content).to_bytes(8, "little") + content)

        put("".join(f"{path}\n" for path in paths).encode())
        put(np.array(list(taps.widths.values()), np.int32).tobytes())
        for key, one in gates.items():
            for path in tile.parts[key].paths:
                outs = taps.of(path, one.outputs)
                compared += len(outs)
                put(np.array([one.nets], np.int32).tobytes())
                for array in one.arrays:
                    put(array.tobytes())
                put(bytes(taps.of(path, one.inputs)))
                put(bytes(outs))
        put(b"")
        watched = [
            tap
            for key in tile.memories
            for path in tile.parts[key].paths
            for pair in taps.accesses(path, ENABLE, WRITE)
            for tap in pair
        ]
        put(b"".join(map(bytes, watched)))
    return compared


def _counted(content: bytes, tile: Tile, gates: Mapping[str, Gates], frame_cycles: int, compared: int) -> Activity:
    """The counts that sim/soc_gates.cpp writes. compared: bits in a cycle."""
    where = [(path, one.nets) for key, one in gates.items() for path in tile.parts[key].paths]
    memories = [path for key in tile.memories for path in tile.parts[key].paths]
    lengths = [1, *[1] * len(where), *(nets for _, nets in where), *[2] * len(memories)]
    words = iter(np.split(np.frombuffer(content, np.uint64), np.cumsum(lengths)[:-1]))
    cycles = int(next(words)[0])
    mismatches = {path: int(next(words)[0]) for path, _ in where}
    toggles = {path: next(words) for path, _ in where}
    accesses = {path: (int(reads), int(writes)) for path, (reads, writes) in zip(memories, words, strict=True)}
    return Activity(cycles, frame_cycles, toggles, accesses, mismatches, compared * cycles)
