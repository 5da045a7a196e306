# SPDX-License-Identifier: Apache-2.0
"""Where our numbers come from: questions, the package's own functions that answer them, answers kept on disk by content.

A figure of a question becomes a Measurement in the Ledger, whatever happens: there is no such design, it was not measured, it failed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from subprocess import SubprocessError
from typing import ClassVar, Protocol

from ..engines import designs
from ..engines.registry import engine_of
from ..errors import RingsideError
from ..native.files import write_bytes
from ..progress import Progress
from ..sim.options import ALONE, Simulated
from .measurement import Kind, Measurement, Status, missing

Figures = Mapping[str, float]

ASIC_TARGET = "osu018"  # 180 nm: what a package installs; the papers' designs are in other technologies
RECORDED = "docs/stream-runs"  # of the source tree
BEFORE_LAYOUT = "Before layout: no wires, no clock tree; one typical corner."


# ---- questions ------------------------------------------------------------------------------------------------------
class Question:
    """UNITS: of its figures. MODELLED: those that are not measured. CAVEATS: what to know about a figure."""

    UNITS: ClassVar[Mapping[str, str]] = {}
    MODELLED: ClassVar[frozenset[str]] = frozenset()
    CAVEATS: ClassVar[Mapping[str, str]] = {}


@dataclass(frozen=True)
class Simulation(Question):
    """An operation on a design's RTL. compute: cycles from the first start to the last end of the lanes' work."""

    UNITS: ClassVar = {"cycles": "cycles", "compute": "cycles"}
    design: str
    op: str
    n: int
    limbs: int = 1
    bits: int = 30

    @property
    def command(self) -> str:
        return (
            f"ringside cycles {self.design} --op {self.op} --n {self.n} --limbs {self.limbs} --bits {self.bits} --json"
        )

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}"


@dataclass(frozen=True)
class Batch(Question):
    """Public-key encryption of many frames by a design with a streaming unit, all limbs of a named set. cycles: of each further frame.

    What was recorded in docs/stream-runs: nothing is simulated for it, as the largest sets take hours.
    """

    UNITS: ClassVar = {
        "cycles": "cycles",
        "utilisation": "",
        "read_bytes": "bytes/cycle",
        "written_bytes": "bytes/cycle",
    }
    CAVEATS: ClassVar = dict.fromkeys(UNITS, "A recorded run may be of earlier sources.")
    OP: ClassVar[str] = "encrypt-pk"
    design: str
    params: str
    frames: int = 16

    @property
    def file(self) -> str:
        return f"{self.design}-{self.params}-{self.frames}.json"

    @property
    def command(self) -> str:
        return f"ringside cycles {self.design} --op {self.OP} --params {self.params} --frames {self.frames} --json"

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}, {self.frames} frames of {self.params} in a program"


@dataclass(frozen=True)
class Decryptions(Batch):
    """Decryption of many frames to residues, by the lanes of such a design; recorded likewise."""

    UNITS: ClassVar = {"cycles": "cycles"}
    OP: ClassVar[str] = "decrypt"

    @property
    def file(self) -> str:
        return f"{self.design}-decrypt-{self.params}-{self.frames}.json"


@dataclass(frozen=True)
class Frames(Question):
    """Several frames in one call, with encode or decode: the first one alone, and one more of the call."""

    UNITS: ClassVar = {"first": "cycles", "further": "cycles"}
    COUNT: ClassVar[int] = 4
    design: str
    op: str
    n: int
    limbs: int = 1
    bits: int = 30

    @property
    def command(self) -> str:
        return (
            f"ringside cycles {self.design} --op {self.op} --n {self.n} --limbs {self.limbs} --bits {self.bits} "
            f"--frames {self.COUNT} --json"
        )

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}, {self.COUNT} frames"


@dataclass(frozen=True)
class Synthesis(Question):
    """Cells of a design on an FPGA, mapped and not placed. device: an UltraScale+, with its large memories; none: the 7 series.

    part: one module of it alone, with those in it.
    """

    UNITS: ClassVar = {
        "lut": "LUT",
        "ff": "FF",
        "dsp": "DSP",
        "bram36": "BRAM36",
        "bram18": "BRAM18",
        "uram": "URAM",
        "memory_bits": "bits",
    }
    design: str
    device: str = ""
    part: str = ""

    @property
    def command(self) -> str:
        target = f"--target xcup --device {self.device}" if self.device else "--quick"
        return f"ringside synth {self.design} {target} --json"

    @property
    def source(self) -> str:
        what = f"{self.part} in {self.design}" if self.part else self.design
        return f"synthesis of {what} with Yosys, {f'UltraScale+, {self.device}' if self.device else '7-series'}, mapped"


@dataclass(frozen=True)
class Asic(Question):
    """Area and clock of a design in standard cells. kge, cells_um2: without memories."""

    UNITS: ClassVar = {"kge": "kGE", "cells_um2": "µm²", "memory_um2": "µm²", "fmax_mhz": "MHz"}
    MODELLED: ClassVar = frozenset({"memory_um2"})
    CAVEATS: ClassVar = {
        "kge": BEFORE_LAYOUT,
        "cells_um2": BEFORE_LAYOUT,
        "memory_um2": "CACTI at 45 nm, scaled: macros one can have are 1.3 to 1.7 times as large.",
        "fmax_mhz": BEFORE_LAYOUT,
    }
    design: str

    @property
    def command(self) -> str:
        return f"ringside synth {self.design} --target {ASIC_TARGET} --no-energy --json"

    @property
    def source(self) -> str:
        return f"{self.design} mapped to {ASIC_TARGET} with Yosys, static timing of OpenSTA"


@dataclass(frozen=True)
class Energy(Question):
    """Of a public-key encryption, N = 4096, one limb of 30 bits, by a design in standard cells at its largest clock."""

    UNITS: ClassVar = {"energy_uj": "µJ", "power_mw": "mW"}
    CAVEATS: ClassVar = dict.fromkeys(
        UNITS, "Gates of the netlists simulated beside the RTL; no wires, modelled memories; cells' tables ±15 %."
    )
    design: str

    @property
    def command(self) -> str:
        return f"ringside synth {self.design} --target {ASIC_TARGET} --json"

    @property
    def source(self) -> str:
        return f"toggles of {self.design}'s gates in {ASIC_TARGET} during an encryption, N = 4096, one limb"


@dataclass(frozen=True)
class Bench(Question):
    """The library or SEAL on this machine's processor, one core; operation as in build/bench.json, who: "ringside" or "seal-hexl"."""

    UNITS: ClassVar = {"rate": "1/s"}
    params: str
    operation: str
    who: str

    @property
    def command(self) -> str:
        return "make bench"

    @property
    def source(self) -> str:
        return (
            f"{'Ringside' if self.who == 'ringside' else 'SEAL with HEXL'} on one core of this machine, {self.params}"
        )


@dataclass(frozen=True)
class System(Question):
    """An operation on a simulated SoC, from the values to the ciphertext or back. design: none is the processor alone.

    What `ringside soc run` has kept: nothing is simulated for it. core: those of the cycles in which the core works and the processor waits.
    """

    UNITS: ClassVar = {"cycles": "cycles", "core": "cycles"}
    CAVEATS: ClassVar = {
        "cycles": "Encoding or decoding included; Rocket, RAM after 20 cycles. A recorded row may be of earlier sources."
    }
    design: str
    op: str
    n: int
    limbs: int

    @property
    def command(self) -> str:
        return f"ringside soc run {self.design} --op {self.op} --n {self.n} --limbs {self.limbs} --json"

    @property
    def source(self) -> str:
        alone = self.design == ALONE
        return "the library on Rocket, simulated" if alone else f"Rocket with {self.design}, simulated"


@dataclass(frozen=True)
class Processor(Question):
    """Area of the SoC's processor in standard cells, with its caches: what `ringside soc area` has kept."""

    UNITS: ClassVar = {"kge": "kGE", "cells_um2": "µm²", "memory_um2": "µm²"}
    MODELLED: ClassVar = frozenset({"memory_um2"})
    CAVEATS: ClassVar = {figure: Asic.CAVEATS[figure] for figure in UNITS}

    @property
    def command(self) -> str:
        return f"ringside soc area --target {ASIC_TARGET} --json"

    @property
    def source(self) -> str:
        return f"Rocket's tile mapped to {ASIC_TARGET} with Yosys"


@dataclass(frozen=True)
class ProcessorPower(Question):
    """Of the SoC's processor while it encodes and encrypts, or decrypts and decodes, alone, with its caches: what `ringside soc energy` has kept."""

    SIZE: ClassVar = {"n": 1024, "limbs": 1, "bits": 30}
    UNITS: ClassVar = {"power_mw": "mW", "clock_mhz": "MHz"}
    CAVEATS: ClassVar = {
        "power_mw": f"{Energy.CAVEATS['power_mw']} N = 1024, one limb; every size is taken to need as much in a cycle."
    }

    op: str

    @property
    def command(self) -> str:
        size = " ".join(f"--{name} {value}" for name, value in self.SIZE.items())
        return f"ringside soc energy --op {self.op} {size} --json"

    @property
    def source(self) -> str:
        return f"toggles of the gates of Rocket's tile in {ASIC_TARGET}, {self.op} and encoding or decoding"


Query = Simulation | Frames | Batch | Synthesis | Asic | Energy | Bench | System | Processor | ProcessorPower


class NotBuiltError(Exception):
    """There is no such design, or it cannot do what is asked."""


class NotMeasuredError(Exception):
    """It could be measured, but was not; the text says what is missing."""


class Provider(Protocol):
    def figures(self, query: Query) -> Figures:
        """All figures of query.UNITS. NotBuiltError, NotMeasuredError, or what went wrong."""


# ---- answers --------------------------------------------------------------------------------------------------------
class Ledger:
    """Asked once, it only remembers the questions; asked again after measure(), it knows the answers."""

    def __init__(self) -> None:
        self.queries: dict[Query, Figures | tuple[Status, str] | None] = {}

    def ask(self, query: Query, figure: str) -> Measurement:
        unit = query.UNITS[figure]
        kind = Kind.modelled if figure in query.MODELLED else Kind.measured
        answer = self.queries.setdefault(query, None)
        if answer is None:
            answer = Status.not_measured, ""
        if isinstance(answer, tuple):
            return missing(answer[0], unit, kind, query.command, query.source, answer[1])
        caveat = query.CAVEATS.get(figure, "")
        return Measurement(answer[figure], unit, kind, query.command, query.source, caveat=caveat)

    def measure(self, provider: Provider, progress: Progress | None = None) -> None:
        open_queries = [query for query, answer in self.queries.items() if answer is None]
        for number, query in enumerate(open_queries):
            if progress is not None:
                progress(number, len(open_queries))
            self.queries[query] = _answer(provider, query)
        if progress is not None:
            progress(len(open_queries), len(open_queries))


def _answer(provider: Provider, query: Query) -> Figures | tuple[Status, str]:
    """A measurement that fails leaves the other numbers. Any other exception is a fault of ours, and ends the report."""
    from ..sim.verilate import SimulationError
    from ..synth.asic.liberty_syntax import LibertyError
    from ..synth.yosys import YosysError

    try:
        found = provider.figures(query)
        return {figure: float(found[figure]) for figure in query.UNITS}
    except NotBuiltError as error:
        return Status.not_built, str(error)
    except NotMeasuredError as error:
        return Status.not_measured, str(error)
    except (RingsideError, SimulationError, YosysError, LibertyError, OSError, SubprocessError) as error:
        text = str(error) if isinstance(error, RingsideError) else f"{type(error).__name__}: {error}"
        return Status.failed, text


# ---- the package's own functions ------------------------------------------------------------------------------------
# what a design says when it is not made for the operation, N or word width
CANNOT = {"RS_ERR_DEGREE", "RS_ERR_DESIGN", "RS_ERR_DESIGN_DEGREE", "RS_ERR_DESIGN_WIDTH", "RS_ERR_DESIGN_REDUCTION"}
# --quick: residues through one lane that a simulation does in seconds; lanes whose synthesis is found in the cache in seconds
QUICK_WORDS, QUICK_LANES = 60_000, 4


class Package:
    """quick: only what is in the caches, or takes seconds. say: told what is done now, where that takes minutes."""

    def __init__(
        self, *, quick: bool = False, cache: Path | None = None, say: Callable[[str], None] | None = None
    ) -> None:
        from ..sim.verilate import cache_directory

        self.quick = quick
        self.say = say or (lambda text: None)
        self.cache = cache or cache_directory().parent / "report"
        self._sources: dict[tuple[type[Query], str], str] = {}  # by kind of question and engine
        self._said: set[str] = set()

    def figures(self, query: Query) -> Figures:
        if isinstance(query, Bench):
            return _bench(query)
        if isinstance(query, System):
            return _system(query)
        if isinstance(query, Processor):
            return _processor(query)
        if isinstance(query, ProcessorPower):
            return _processor_power(query)
        if isinstance(query, Batch):
            return _batch(query)
        if query.design not in designs.names():
            raise NotBuiltError(f"there is no design {query.design}")
        file = self.cache / f"{self._key(query)}.json"
        kept = _kept(file, query)
        if kept is not None:
            return kept
        if isinstance(query, Simulation | Frames):
            found = self._simulate(query)
        elif isinstance(query, Synthesis):
            found = self._synthesise(query)
        else:
            found = self._standard_cells(query)
        self.cache.mkdir(parents=True, exist_ok=True)
        write_bytes(file, json.dumps(dict(found)).encode())
        return found

    def _key(self, query: Simulation | Frames | Synthesis | Asic | Energy) -> str:
        """Of the question, the design's parameters and everything that turns them into an answer."""
        design = designs.load(query.design)
        held = type(query), design.engine
        if held not in self._sources:
            self._sources[held] = _hash(_files(query))
        content = [type(query).__name__, asdict(query), design.as_dict()]
        text = json.dumps(content, sort_keys=True) + self._sources[held]
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def _simulate(self, query: Simulation | Frames) -> Figures:
        from ..cycles.operation import record

        design = designs.load_core(query.design)
        frames = query.COUNT if isinstance(query, Frames) else 1
        if self.quick and query.n * query.limbs * frames > QUICK_WORDS * design.lanes:
            raise NotMeasuredError("left out by --quick: a long simulation")
        progress = self._building("the design's model is", f"{query.design}: building the simulator")
        try:
            found = record(Simulated(design), query.op, query.n, query.limbs, query.bits, progress, frames).measurement
        except RingsideError as error:
            if error.code in CANNOT:
                raise NotBuiltError(str(error)) from error
            raise
        if isinstance(query, Frames):
            return {"first": found.cycles, "further": found.cycles_per_frame}
        return {"cycles": found.cycles, "compute": found.units["COMPUTE"].busy}

    def _synthesise(self, query: Synthesis) -> Figures:
        from ..synth.resources import synthesise
        from ..synth.yosys import XC7, XCUP, with_ultra_ram

        design = designs.load_core(query.design)
        if self.quick and design.lanes > QUICK_LANES:
            raise NotMeasuredError("left out by --quick: a large design")
        progress = self._building("parts of it are", f"{query.design}, {query.device or 'xc7'}: mapping parts")
        family = with_ultra_ram(XCUP) if query.device else XC7
        found = synthesise(design, progress, family)
        if not query.part:
            return asdict(found.total)
        parts = [block for block in found.blocks if block.module == query.part]
        if len(parts) != 1 or parts[0].instances != 1:
            raise NotBuiltError(f"{query.design} has no {query.part}, or several")
        return asdict(parts[0].total)

    def _standard_cells(self, query: Asic | Energy) -> Figures:
        """Of the default library; energy of its default operation."""
        from ..synth.asic import figures, flow, technology

        if self.quick:
            raise NotMeasuredError("left out by --quick: minutes of mapping and of simulated gates")
        design = designs.load_core(query.design)
        try:
            library = technology.find(ASIC_TARGET)
        except RingsideError as error:
            raise NotMeasuredError(str(error)) from error
        operation = figures.Operation() if isinstance(query, Energy) else None
        try:
            found = flow.synthesise(
                design, library, operation, stage=lambda text: self.say(f"{query.design}, {ASIC_TARGET}: {text}")
            )
        except RingsideError as error:
            if error.code in CANNOT:
                raise NotBuiltError(str(error)) from error
            raise
        if isinstance(query, Energy):
            assert found.energy is not None  # asked for
            return {"energy_uj": found.energy.energy_uj, "power_mw": found.energy.power_mw}
        return {
            "kge": found.kge,
            "cells_um2": found.area_um2,
            "memory_um2": found.memory_um2,
            "fmax_mhz": found.fmax_mhz,
        }

    def _building(self, what: str, saying: str) -> Progress:
        """Builders call it when something is left to build: with --quick that is the end, else it is said once."""

        def progress(done: int, total: int) -> None:
            if total and self.quick:
                raise NotMeasuredError(f"left out by --quick: {what} not in the cache")
            if total and saying not in self._said:
                self._said.add(saying)
                self.say(saying)

        return progress


def _system(query: System) -> Figures:
    """From the last run with today's sources, or a recorded one; where the core encodes, of that."""
    from ..cycles import records
    from ..sim.verilate import SimulationError

    design = None if query.design == ALONE else designs.load_core(query.design)
    if design is not None and query.n > 1 << design.log_n_max:
        raise NotBuiltError(f"{design.name} goes up to N = {1 << design.log_n_max}")
    asked = records.Asked(design, query.op, query.n, query.limbs, 30)
    try:
        known = [
            found for _, found in records.find_all([asked], records.recorded()) if found and not found.system.overlap
        ]
    except SimulationError as error:  # there is no source tree
        raise NotMeasuredError(str(error)) from error
    if not known:
        raise NotMeasuredError(f"run `{query.command}`: a minute with N = 1024, hours with N = 16384")
    last = known[-1].system  # a later frame, if there is one
    core = last.stages.get("core")
    return {"cycles": last.cycles, "core": core.cycles if core else 0}


def _batch(query: Batch) -> Figures:
    """From what `ringside cycles --json` has printed into a file."""
    from ..sim.verilate import SimulationError
    from ..soc.build import source_tree  # an installed package has RTL, but no records

    try:
        file = source_tree() / RECORDED / query.file
        found = json.loads(file.read_text(encoding="utf-8"))
        named = found["design"], found["params"], found["frames"], found["op"]
        if named != (query.design, query.params, query.frames, query.OP):
            raise NotMeasuredError(f"{file.name} is of another run: {', '.join(map(str, named))}")
        return {"cycles": found["cycles_per_frame"], **found.get("stream", {})}
    except (SimulationError, FileNotFoundError):
        raise NotMeasuredError(f"run `{query.command}`, and put what it prints into {RECORDED}") from None


def _processor(query: Processor) -> Figures:
    from ..synth.asic import processor, technology

    try:
        found = processor.load(technology.find(ASIC_TARGET))
    except RingsideError as error:
        raise NotMeasuredError(str(error)) from error
    if found is None:
        raise NotMeasuredError(f"run `{query.command}`: ten minutes and more")
    return {figure: getattr(found, "area_um2" if figure == "cells_um2" else figure) for figure in query.UNITS}


def _processor_power(query: ProcessorPower) -> Figures:
    from ..synth.asic import figures, processor_energy, technology

    try:
        found = processor_energy.load(technology.find(ASIC_TARGET), figures.Operation(query.op, **query.SIZE))
    except RingsideError as error:
        raise NotMeasuredError(str(error)) from error
    if found is None:
        raise NotMeasuredError(f"run `{query.command}`: a quarter of an hour")
    return {figure: getattr(found.energy, figure) for figure in query.UNITS}


def _bench(query: Bench) -> Figures:
    """From the last `make bench` in the source tree."""
    from ..sim.verilate import SimulationError, source_tree

    try:
        file = source_tree() / "build" / "bench.json"
        sets = json.loads(file.read_text(encoding="utf-8"))["sets"]
        nanoseconds = sets[query.params]["operations"][query.operation][query.who]["cpu_ns_median"]
    except (SimulationError, FileNotFoundError):
        raise NotMeasuredError("there is no build/bench.json: run `make bench`") from None
    except KeyError as error:
        raise NotMeasuredError(f"the last `make bench` did not measure {error}") from None
    return {"rate": 1e9 / nanoseconds}


def _files(query: Simulation | Frames | Synthesis | Asic | Energy) -> Iterable[Path]:
    from ..sim.core import sources
    from ..sim.verilate import source_tree

    package = Path(__file__).parents[1]
    yield from sources(engine_of(designs.load(query.design)))
    if isinstance(query, Synthesis | Asic | Energy):
        yield from sorted((package / "synth").glob("*.py"))
    if isinstance(query, Synthesis):
        return
    if isinstance(query, Asic | Energy):
        from ..synth.asic.technology import TARGETS

        yield from sorted((package / "synth" / "asic").glob("*.*"))
        yield from (path for path in TARGETS[ASIC_TARGET].files if path.is_file())
    harness = source_tree() / "sim"
    driver = [package / room for room in ("sim", "executors", "cycles")]
    yield from sorted(harness.glob("*.cpp")) + sorted(harness.glob("*.h"))
    for place in driver:
        yield from sorted(place.glob("*.py"))
    yield package / "native" / "libringside.so"  # writes programs


def _hash(files: Iterable[Path]) -> str:
    from ..synth import yosys

    content = hashlib.sha256(str(yosys.version()).encode())
    for path in files:
        content.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()


def _kept(file: Path, query: Query) -> Figures | None:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {figure: float(found[figure]) for figure in query.UNITS}
    except (OSError, ValueError, KeyError, TypeError):
        return None
