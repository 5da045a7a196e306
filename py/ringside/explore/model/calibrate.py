# SPDX-License-Identifier: Apache-2.0
"""The models' numbers from mapped designs: those of calibration.json, and every memory that a space can ask for."""

import json
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from ... import designs
from ...designs import Design
from ...designs.rules import problems
from ...errors import DeviceError, ParameterError
from ...figures import ledger, netlist
from ...figures.command import parse
from ...figures.content import rtl
from ...progress import Progress, Say
from ...sim.core import sources
from ...sim.timing import program_times, row_of
from ...sim.verilate import SimulationError, reported, source_tree
from ...synth import resources, yosys
from ...synth.asic import flow
from ...synth.asic import technology as standard_cells
from ...synth.asic.technology import Technology
from ...synth.parts import elaborate, split
from ...synth.yosys import XC7, YosysError
from ..space.points import enumerate_all
from ..space.reader import Space, Workload
from . import fit
from .area import GATES
from .constants import Models
from .programs import program_of
from .silicon import SiliconModel, energy_terms, gate_terms, memory_microjoules
from .units import XOF, XOF_KEY, memories, view

LIST = Path(__file__).with_name("calibration.json")  # designs as a base and what is changed of it
FIELDS = ("lut", "ff", "dsp", "bram18")
PROCESS = "osu018"  # the library of gates, as docs/asic.md has them
# Nothing is fitted to their recorded gates. docs/explore.md says how far off the first one is; the model of gates has no SPONGE and no PACK.
KEPT_APART = ("ringside-lean", "bliss", "newhope")
BLOCK, STREAM_BLOCK = 136, 512  # bytes of SHAKE256 per permutation, words of a block of the public stream
LIMB_BITS = 8  # bits of the number of limbs of an expansion (rs_xof_pkg)
DESIGN_IN_MEMORIES = 20  # how many memories are mapped in the time of a design
AGAIN = "Run `ringside explore calibrate`, which maps what has changed."

__all__ = ["calibrate", "carried_over", "is_old", "listed"]


def listed() -> list[Design]:
    """ParameterError: a design of the list cannot be."""
    found = []
    for row in json.loads(LIST.read_text(encoding="utf-8")):
        design = replace(designs.load(row["base"]), name=row["name"], **row.get("changed", {}))
        for problem in problems(design):
            raise ParameterError("CALIBRATION", f"{LIST.name}: {design.name}: {problem}.")
        found.append(design)
    return found


def _kge_of_modules(design: Design, technology: Technology) -> dict[str, float]:
    """kGE of all instances of each module, memories left out. DeviceError: there is no Yosys, or it failed."""
    try:
        _, parts = split(elaborate(flow.TOP, sources(), design.parameters, flow.MACROS), flow.TOP)
        costs = flow.map_parts(parts, technology)
    except (SimulationError, YosysError) as error:
        raise DeviceError("SYNTHESIS", f"The gates of {design.name} cannot be told: {error}") from error
    found: dict[str, float] = {}
    for key, cost in costs.items():
        area = cost.area_um2 * len(parts[key].paths)
        found[parts[key].module] = found.get(parts[key].module, 0.0) + area / technology.library.nand2.area / 1e3
    return found


def calibrate(spaces: Sequence[Space], say: Say, progress: Progress, limit: int | None = None) -> Models:
    """Maps what is not in the cache, which takes a minute or two for each design. limit: of designs. DeviceError: there is no Yosys, or it failed."""
    mapped = []
    chosen = listed()[:limit]
    wanted = _wanted(chosen, spaces)
    parts = DESIGN_IN_MEMORIES * len(chosen) + len(wanted)
    technology = standard_cells.find(PROCESS)
    asics = _recorded(energy=False)
    for number, design in enumerate(chosen):
        say(f"mapping {design.name}")
        progress(DESIGN_IN_MEMORIES * number, parts)
        gates = _kge_of_modules(design, technology) if design.name in asics else None
        blocks, _, _ = resources.measure([("rs_core", design.parameters)], None, XC7)
        rows = [{"module": b.module, "instances": b.instances, "own": asdict(b.own)} for b in blocks[0]]
        mapped.append(fit.mapped_design(asdict(design), rows, gates))
    say(f"mapping {len(wanted)} memories")
    sizes = _memories(wanted, lambda number: progress(parts - len(wanted) + number, parts))
    say("mapping what streams Keccak's words")
    alone = fit.Alone(
        {XOF: streams_alone(_streams(chosen, spaces))},
        {"rs_lane": lanes_alone({design.word_bits for design in chosen}, technology)},
    )
    say("fitting")
    area = fit.fit(mapped, sizes, alone)
    left_out = fit.held_out(mapped, sizes, alone)
    errors = {name: _errors([row[name][2] for row in left_out if name in row]) for name in (*FIELDS, GATES)}
    silicon, more = silicon_of(area)
    say("netlists, by which these numbers outlive changes of the RTL's words")
    return Models(area, silicon, made_of() | {"netlists": netlists(chosen, progress)}, errors | more, left_out)


def lanes_alone(widths: Iterable[int], technology: Technology) -> dict[str, float]:
    """kGE of lanes that do not encode, by their key in the tables."""
    return {f"{word_bits} 0": flow.unit("rs_lane", word_bits, technology).kge for word_bits in sorted(widths)}


XofShape = tuple[int, ...]  # values of XOF_KEY, and log_n_max


def streams_alone(shapes: Iterable[XofShape]) -> dict[str, list[float]]:
    """LUTs, flip-flops and DSPs of rs_xof by its key in the tables. DeviceError."""
    found = {}
    for *shape, log_n_max in shapes:
        slices, private, public, shared, cores, words = shape
        parameters = {"Slices": slices, "HasPrivate": private, "HasPublic": public, "Shared": shared, "KeccakCores": cores, "PublicWords": words}  # fmt: skip
        parameters |= dict(zip(("PrivateBits", "PublicBits"), number_bits(log_n_max), strict=True))
        with resources.reported():
            size = resources.alone(XOF, sources(), parameters, XC7)
        found[" ".join(map(str, shape))] = [float(size.lut), float(size.ff), float(size.dsp)]
    return found


def number_bits(log_n_max: int) -> tuple[int, int]:
    """Bits of a block's number in the private and in the public stream (rs_xof_pkg)."""
    blocks = 6 * 2**log_n_max // BLOCK + 3
    return (blocks - 1).bit_length() + 1, log_n_max - STREAM_BLOCK.bit_length() + 1 + LIMB_BITS + 2


def _streams(chosen: Iterable[Design], spaces: Iterable[Space]) -> list[XofShape]:
    """All shapes of rs_xof in these, each with the largest ring of those that have it: numbers of blocks make a few LUTs of difference."""
    found: dict[tuple[int, ...], int] = {}
    tables = [{name: np.array([value]) for name, value in asdict(design).items()} for design in chosen]
    for space in spaces:
        points = enumerate_all(space)
        tables.append({name: np.asarray(points.column(name)) for name in asdict(space.base)})
    for fields in tables:
        v = view(fields)
        core = ~np.asarray(fields["fields"], bool) & (np.asarray(fields["stream_lanes"]) == 0) & (v["streams"] > 0)
        columns = np.broadcast_arrays(*(v[name] for name in (*XOF_KEY, "log_n_max")), core)
        rows = np.stack([column.ravel() for column in columns])
        for *shape, log_n_max in np.unique(rows[:-1, rows[-1] > 0], axis=1).T.astype(int).tolist():
            found[tuple(shape)] = max(found.get(tuple(shape), 0), log_n_max)
    return [(*shape, log_n_max) for shape, log_n_max in sorted(found.items())]


def netlists(chosen: Sequence[Design], progress: Progress) -> dict[str, str]:
    """The logic of each design as a hash (figures/netlist.py). DeviceError: it cannot be known."""
    found = {}
    with reported("The designs' netlists cannot be told", "SYNTHESIS"):
        for number, design in enumerate(chosen):
            progress(number, len(chosen))
            found[design.name] = netlist.of(design)
    return found


def is_old(models: Models) -> bool:
    """Whether the RTL's words are others than those that the models were made of; False where that cannot be told."""
    try:
        return rtl(streams=False) != models.made_of.get("rtl")
    except SimulationError:
        return False


def carried_over(models: Models, say: Say, progress: Progress) -> Models:
    """The same numbers with today's commit and hash of the RTL, if each mapped design is the same logic today (decision 25).

    DeviceError: one is not, or nobody knows what it was.
    """
    before = models.made_of.get("netlists") or {}
    rows = {row["design"] for row in models.rows}
    chosen = [design for design in listed() if design.name in rows]
    unknown = sorted(rows - before.keys())
    if unknown:
        raise DeviceError("CALIBRATION", f"Nobody knows what {', '.join(unknown)} was when it was mapped.", AGAIN)
    say(f"comparing the netlists of {len(chosen)} designs")
    today = netlists(chosen, progress)
    changed = sorted(name for name, found in today.items() if found != before[name])
    if changed:
        raise DeviceError("CALIBRATION", f"Other logic than that which was mapped: {', '.join(changed)}.", AGAIN)
    return replace(models, made_of=models.made_of | made_of() | {"netlists": today})


def made_of() -> dict[str, Any]:
    found = {"yosys": yosys.version() or "", "rtl": rtl(streams=False)}
    git = ["git", "-C", str(source_tree()), "rev-parse", "--short=12", "HEAD"]
    try:
        found["commit"] = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        found["commit"] = ""
    return found


def _errors(values: Iterable[float]) -> dict[str, float]:
    errors = np.abs(np.array(list(values) or [np.nan]))
    return {"designs": len(errors), "mean": round(float(errors.mean()), 2), "most": round(float(errors.max()), 2)}


def _wanted(chosen: Sequence[Design], spaces: Sequence[Space]) -> list[str]:
    """The memories of all designs: kind, width and depth."""
    wanted: set[str] = set()
    for design in chosen:
        wanted |= _keys({name: np.asarray([value]) for name, value in asdict(design).items()})
    for space in spaces:
        points = enumerate_all(space)
        wanted |= _keys({name: points.column(name) for name in asdict(space.base)})
    return sorted(wanted)


def _memories(wanted: Sequence[str], told: Callable[[int], None]) -> dict[str, list[float]]:
    found = {}
    for number, key in enumerate(wanted):
        told(number)
        kind, width, depth = key.split()
        try:
            size = resources.alone(kind, sources(), {"Width": int(width), "Depth": int(depth)}, XC7)
        except YosysError as error:
            message = f"Yosys stopped at a memory of {width} times {depth} bits: {error}"
            raise DeviceError("SYNTHESIS", message) from error
        found[key] = [float(size.lut), float(size.bram18 + 2 * size.bram36)]
    return found


def _keys(fields: dict[str, Any]) -> set[str]:
    v = view(fields)
    shape = np.broadcast_shapes(*(np.shape(x) for x in v.values()))
    found = set()
    for memory in memories(v):
        rows = np.stack([np.broadcast_to(x, shape) for x in (memory.count > 0, memory.width, memory.depth)])
        for there, width, depth in np.unique(rows.reshape(3, -1), axis=1).T:
            if there:
                found.add(fit.memory_key(memory.kind, width, depth))
    return found


def _recorded(*, energy: bool) -> dict[str, Mapping[str, Any]]:
    """Answers on standard cells by design: of its gates' simulation, or of area and clock."""
    rows = [(parse(row.command), row.answer) for row in ledger.shipped()]
    mapped = [(asked, answer) for asked, answer in rows if asked.verb == "synth" and asked.is_asic]
    return {asked.design: answer for asked, answer in mapped if asked.is_energy is energy}


def silicon_of(area: Any) -> tuple[SiliconModel, dict[str, dict[str, float]]]:
    """Of the designs that were mapped to standard cells and simulated as gates (`ringside figures`)."""
    asic, energy = (
        {name: answer for name, answer in _recorded(energy=both).items() if name not in KEPT_APART}
        for both in (False, True)
    )
    free = replace(area, ranges={})
    loaded = {name: designs.load(name) for name in asic}
    arrays = {name: {k: np.asarray([v]) for k, v in asdict(design).items()} for name, design in loaded.items()}
    gates = [_row(gate_terms(arrays[name], free.columns(arrays[name]))) for name in asic]
    kge = [float(asic[name]["kge"]) for name in asic]
    workload = Workload("encrypt-pk-direct", 4096, 1, 30)
    both = [name for name in energy if name in asic]
    terms, of_memories = [], []
    for name in both:
        cycles, active = times_of(loaded[name], workload)
        terms.append(_row(energy_terms(arrays[name], asic[name]["kge"], cycles, active, workload.modulus_bits)))  # fmt: skip
        of_memories += _row([memory_microjoules(arrays[name], active)])
    joules = [float(energy[name]["energy"]["energy_uj"]) for name in both]
    clocks: dict[str, list[float]] = {}
    for name, design in loaded.items():
        key = f"{design.word_bits} {int(design.encode)}"
        clocks.setdefault(key, []).append(float(asic[name]["fmax_mhz"]))
    apart = [100 * (min(others) / mhz - 1) for found in clocks.values() for i, mhz in enumerate(found) if (others := found[:i] + found[i + 1 :])]  # fmt: skip
    model = SiliconModel(_relative(gates, kge).tolist(), _relative(terms, joules, of_memories).tolist(), {key: min(found) for key, found in clocks.items()})  # fmt: skip
    return model, {"energy_uj": _errors(energies_left_out(terms, joules, of_memories)), "mhz": _errors(apart)}


def times_of(design: Design, workload: Workload) -> tuple[Any, dict[str, Any]]:
    """Cycles of the driver's program, and those in which each unit works."""
    return program_times(row_of(design, workload.log_n, workload.modulus_bits), program_of(design, workload))


def _row(terms: Sequence[Any]) -> list[float]:
    return [float(np.ravel(term)[0]) for term in terms]


def _relative(terms: Sequence[Sequence[float]], values: Sequence[float], known: Sequence[float] | None = None) -> Any:
    """known: what each value has beside the terms."""
    size = np.array(values)
    return fit.nonnegative(np.array(terms) / size[:, None], 1 - np.array(known or [0.0] * len(size)) / size)


def energies_left_out(terms: Sequence[Sequence[float]], joules: Sequence[float], known: Sequence[float]) -> list[float]:
    """Errors in percent of each, by the others' coefficients."""
    found = []
    for i, value in enumerate(joules):
        others = [[*rows[:i], *rows[i + 1 :]] for rows in (terms, joules, known)]
        model = float(np.array(terms[i]) @ _relative(*others)) + known[i]
        found.append(100 * (model / value - 1))
    return found
