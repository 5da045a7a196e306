# SPDX-License-Identifier: Apache-2.0
"""Questions -> answers, by the package's own functions: simulation, synthesis, or what `make bench` has written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import designs
from ..designs import Design
from ..errors import DeviceError, RingsideError
from ..progress import Progress, Say
from ..sim.options import ALONE, Simulated
from ..sim.verilate import SimulationError
from ..soc.build import source_tree  # an installed package has a part of it, without build/
from .ledger import PROCESSOR, REFUSED, Row, make_row
from .questions import (
    ASIC_TARGET,
    Asic,
    Batch,
    Bench,
    Decryptions,
    Energy,
    Evaluator,
    EvaluatorCore,
    Frames,
    Processor,
    ProcessorPower,
    Query,
    SchemeCycles,
    SchemeProfile,
    Simulation,
    SocRun,
    SocScheme,
    Synthesis,
    Transform,
)

if TYPE_CHECKING:
    from ..cycles.scheme_system import SchemeSystem
    from ..cycles.system import System
    from ..synth.asic import processor, processor_energy


# what a design says when it is not made for the operation, N or word width
CANNOT = {"RS_ERR_DEGREE", "RS_ERR_DESIGN", "RS_ERR_DESIGN_DEGREE", "RS_ERR_DESIGN_WIDTH", "RS_ERR_DESIGN_REDUCTION"}


class NotBuiltError(Exception):
    """There is no such design, or it cannot do what is asked."""


class NotMeasuredError(Exception):
    """It could be measured, but was not; the text says what is missing."""


def silent(_: str) -> None:
    """Says nothing."""


def measure(question: Query, progress: Progress | None = None, say: Say = silent) -> Row:
    """The answer as of now; that a design cannot do it is one, too.

    NotMeasuredError: something is missing. RingsideError: it failed. A wrong result is a failure.
    """
    try:
        return make_row(question, _figures(question, progress, say))
    except NotBuiltError as error:
        return make_row(question, {REFUSED: str(error)})
    except SimulationError as error:
        raise NotMeasuredError(str(error)) from error


def _figures(question: Query, progress: Progress | None, say: Say) -> Mapping[str, Any]:
    try:
        match question:
            case Batch():
                return _batch(question, progress)
            case Simulation() | Frames():
                return _simulated(question, progress)
            case SchemeCycles():
                return _scheme(question, progress)
            case Transform():
                return _transform(question, progress)
            case Synthesis():
                return _synthesised(question, progress)
            case Asic() | Energy():
                return _standard_cells(question, say)
            case SocRun():
                return _system(question)
            case SocScheme():
                return _scheme_system(question, progress)
            case SchemeProfile():
                return _profile(question, progress)
            case Processor():
                return _processor()
            case ProcessorPower():
                return _processor_power(question, say)
            case Bench():
                return _bench(question)
            case Evaluator() | EvaluatorCore():
                return _evaluator(question)
    except RingsideError as error:
        if error.code in CANNOT:
            raise NotBuiltError(str(error)) from error
        raise


def _design(name: str) -> Design:
    if name not in designs.names():
        raise NotBuiltError(f"there is no design {name}")
    return designs.load(name)


def _simulated(question: Simulation | Frames, progress: Progress | None) -> Mapping[str, Any]:
    from ..cycles.operation import record

    frames = question.COUNT if isinstance(question, Frames) else 1
    wanted = Simulated(_design(question.design))
    found = record(wanted, question.op, question.n, question.limbs, question.bits, progress, frames).measurement
    if isinstance(question, Frames):
        return {"first": found.cycles, "further": found.cycles_per_frame}
    return {"cycles": found.cycles, "compute": found.units["COMPUTE"].busy, "ratio": found.ratio}


def _batch(question: Batch, progress: Progress | None) -> Mapping[str, Any]:
    from ..cycles.operation import record
    from ..cycles.streaming import figures
    from ..objects.common.params import Parameters

    design, params = _design(question.design), Parameters.named(question.params)
    found = record(Simulated(design), question.OP, 0, 0, 0, progress, question.frames, params).measurement
    cycles = {"cycles": found.cycles_per_frame, "first": found.cycles, "batch": found.batch_cycles}
    if isinstance(question, Decryptions):
        return cycles
    stream = figures(design, found.n.bit_length() - 1, found.limbs, found.cycles_per_frame)
    return cycles | {name: getattr(stream, name) for name in Batch.UNITS if name not in cycles}


def _scheme(question: SchemeCycles, progress: Progress | None) -> Mapping[str, Any]:
    from ..cycles.schemes import measure as scheme

    found = scheme(Simulated(_design(question.design)), question.op, progress)
    return {"cycles": found.cycles, "set_up": found.set_up}


def _transform(question: Transform, progress: Progress | None) -> Mapping[str, Any]:
    from ..cycles.slices import measure as transform

    found = transform(Simulated(_design(question.design)), "ntt", question.log_size, question.slices, progress)
    return {"cycles": found.cycles, "busy": found.transform}


def _profile(question: SchemeProfile, progress: Progress | None) -> Mapping[str, Any]:
    from ..cycles.profile import KERNELS, profile

    design = None if question.design == ALONE else _design(question.design)
    found = profile(question.op, question.runs, design=design, divider=question.divider, progress=progress)
    if not found.bit_exact:
        raise DeviceError("SIMULATION", "The result is not the library's: a fault of hardware or firmware.")
    kernels = found.kernels
    return {
        "cycles": found.cycles,
        "instructions": found.instructions,
        **{name: kernels[name].cycles if name in kernels else 0 for name in KERNELS},
        "transforms": kernels["transform"].calls,
        "permutations": kernels["keccak"].calls,
        "core_cycles": found.core_cycles,
    }


def run_system(question: SocRun, design: Design | None, **how: Any) -> System:
    """The run itself. design: None is the processor alone; how: as for cycles.system.measure."""
    from ..cycles.system import measure as run

    values = asdict(question)
    del values["design"]
    return run(design, **values, **how)


def _system(question: SocRun) -> Mapping[str, Any]:
    found = run_system(question, None if question.design == ALONE else _design(question.design))
    if not found.bit_exact:
        raise DeviceError("SIMULATION", "The result is not the library's: a fault of hardware or firmware.")
    return asdict(found)


def run_scheme(question: SocScheme, **how: Any) -> SchemeSystem:
    """The run itself. how: as for cycles.scheme_system.measure."""
    from ..cycles.scheme_system import measure as run

    design = None if question.design == ALONE else _design(question.design)
    return run(design, question.op, calls=question.calls, latency=question.latency, **how)


def _scheme_system(question: SocScheme, progress: Progress | None) -> Mapping[str, Any]:
    found = run_scheme(question, progress=progress)
    if not found.bit_exact:
        raise DeviceError("SIMULATION", "The result is not the library's: a fault of hardware or firmware.")
    return asdict(found)


def _synthesised(question: Synthesis, progress: Progress | None) -> Mapping[str, Any]:
    from ..synth.resources import synthesise
    from ..synth.yosys import XC7, XCUP, with_ultra_ram

    family = with_ultra_ram(XCUP) if question.device else XC7
    found = synthesise(_design(question.design), progress, family)
    if not question.part:
        return asdict(found.total)
    parts = [block for block in found.blocks if block.module == question.part]
    if len(parts) != 1 or parts[0].instances != 1:
        raise NotBuiltError(f"{question.design} has no {question.part}, or several")
    return asdict(parts[0].total)


def _standard_cells(question: Asic | Energy, say: Say) -> Mapping[str, Any]:
    """Figures in cells of the default library; energy of its default operation."""
    from ..synth.asic import figures, flow, technology

    library = _library(technology.find)
    operation = figures.EnergyRun() if isinstance(question, Energy) else None
    design = _design(question.design)
    found = flow.synthesise(design, library, operation, stage=lambda text: say(f"{design.name}, {ASIC_TARGET}: {text}"))
    if isinstance(question, Energy):
        assert found.energy is not None  # asked for
        return {name: getattr(found.energy, name) for name in Energy.UNITS}
    values = {name: getattr(found, name) for name in ("kge", "memory_um2", "fmax_mhz")}
    return values | {"cells_um2": found.area_um2, "flip_flops": found.blocks[0].flip_flops}


def _library(find: Callable[[str], Any]) -> Any:
    try:
        return find(ASIC_TARGET)
    except RingsideError as error:
        raise NotMeasuredError(str(error)) from error


def _processor() -> Mapping[str, Any]:
    from ..synth.asic import processor, technology

    return of_processor(processor.synthesise(_library(technology.find)))


def of_processor(found: processor.ProcessorArea) -> Mapping[str, Any]:
    """The figures of Processor."""
    return {name: getattr(found, "area_um2" if name == "cells_um2" else name) for name in Processor.UNITS}


def _processor_power(question: ProcessorPower, say: Say) -> Mapping[str, Any]:
    from ..synth.asic import figures, processor_energy, technology

    asked = figures.EnergyRun(question.op, **question.SIZE)
    return of_processor_power(processor_energy.measured(_library(technology.find), asked, None, None, stage=say))


def of_processor_power(found: processor_energy.ProcessorEnergy) -> Mapping[str, Any]:
    """The figures of ProcessorPower."""
    return {name: getattr(found.energy, name) for name in ProcessorPower.UNITS}


def _bench(question: Bench) -> Mapping[str, Any]:
    """Figures of the last `make bench` in the source tree."""
    try:
        file = source_tree() / "build" / "bench.json"
        numbers = json.loads(file.read_text(encoding="utf-8"))
        sets = {**numbers["sets"], **numbers.get("schemes", {}).get("sets", {})}
        nanoseconds = sets[question.params]["operations"][question.operation][question.who]["cpu_ns_median"]
        return {"rate": 1e9 / nanoseconds, PROCESSOR: numbers["machine"]["processor"]}
    except FileNotFoundError:
        raise NotMeasuredError("there is no build/bench.json: run `make bench`") from None
    except KeyError as error:
        raise NotMeasuredError(f"the last `make bench` did not measure {error}") from None


def _evaluator(question: Evaluator | EvaluatorCore) -> Mapping[str, Any]:
    """Figures of the last `ringside ltv time` or `ltv cycles` in the source tree, commands of another package."""
    try:
        file = source_tree() / "build" / "ltv.json"
        known = json.loads(file.read_text(encoding="utf-8"))[question.key]
        names = [*question.UNITS, *([PROCESSOR] if isinstance(question, Evaluator) else [])]
        found: Mapping[str, Any] = {name: known[name] for name in names}
    except (FileNotFoundError, KeyError):
        raise NotMeasuredError(f"build/ltv.json does not have it: run `{question.command}`") from None
    return found
