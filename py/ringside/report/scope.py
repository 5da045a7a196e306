# SPDX-License-Identifier: Apache-2.0
"""What the report expects to be recorded, and what it leaves to a command because that takes hours: one rule, by properties of a design or a task.

An answer that is recorded is shown whatever the rule says. One that is not, and that the rule does not leave out, is a fault of the ledger
("not measured yet", which a test refuses).
"""

from __future__ import annotations

from .. import designs
from ..designs import Design
from ..errors import ParameterError
from ..figures.questions import (
    ASIC_TARGET,
    Asic,
    Batch,
    Energy,
    EvaluatorAes,
    ProcessorPower,
    Question,
    Simulation,
    SocRun,
    Synthesis,
)
from ..figures.tables import SHORT_RUNS
from ..objects.common.params import Parameters

# bits of lanes (lanes x width of a word): what is mapped to standard cells, whose gates are simulated, what is mapped for an UltraScale+
MAPPED_BITS, GATED_BITS, ULTRA_SCALE_BITS = 216, 128, 216
STREAMED_N = 16384  # N of batches by a streaming unit
CELLS = (
    f"Cells are mapped for designs of up to {MAPPED_BITS} bits of lanes (lanes × bits of a word), gates simulated for up to {GATED_BITS}; figures of larger "
    f"ones stand here where somebody has recorded them. `ringside synth NAME --target {ASIC_TARGET}` makes the others, in hours."
)
# answers of minutes to half an hour that the ledger does not have yet: `ringside figures refresh --only COMMAND` records one, and its line goes
LATER = frozenset(
    {
        "ringside soc profile ml-dsa-65-sign --runs 10",
        "ringside synth aloha-he-32k --target osu018 --no-energy",
        "ringside synth rise-16 --target xc7",
    }
)
NOT_RECORDED = "not recorded"
NOT_MAPPED = "not mapped: hours"
NOT_GATED = "gates not simulated: hours"
NOT_GATED_ROCKET = "gates not simulated: a quarter of an hour"
NOT_SIMULATED = "not simulated: hours"
LONG_RUN = "not simulated: a quarter of an hour"
NOT_RUN = "not run: half an hour"


def lane_bits(design: Design) -> int:
    """What areas and the time of mapping grow with."""
    return max(design.lanes, design.stream_lanes) * design.word_bits


def left_out(question: Question) -> str:
    """Why nobody has to record the answer, for a cell; nothing, if it is expected."""
    if question.command in LATER:
        return NOT_RECORDED
    match question:
        case Asic():
            return NOT_MAPPED * (_bits(question.design) > MAPPED_BITS)
        case Energy():
            return NOT_GATED * (_bits(question.design) > GATED_BITS)
        case Synthesis() if question.device:
            return NOT_MAPPED * (_bits(question.design) > ULTRA_SCALE_BITS)
        case Batch():
            return NOT_SIMULATED * (Parameters.named(question.params).n > STREAMED_N)
        case SocRun():
            return LONG_RUN * (question.n > SHORT_RUNS.get(question.design, question.n))
        case ProcessorPower():
            return NOT_GATED_ROCKET
        case EvaluatorAes(sbox="paper"):
            return NOT_RUN
    return ""


def _bits(name: str) -> int:
    design = _loaded(name)
    return lane_bits(design) if design else 0


def _loaded(name: str) -> Design | None:
    try:
        return designs.load(name)
    except ParameterError:
        return None


def lacks(question: Question) -> str:
    """What a design has not that the question needs, for a cell; nothing, if only the question itself tells."""
    name = getattr(question, "design", "")
    design = _loaded(name)
    if design is None:
        return f"no design {name}"
    n, bits = getattr(question, "n", 0), getattr(question, "bits", 0) if isinstance(question, Simulation) else 0
    if bits > design.word_bits:
        return f"words of {design.word_bits} bits"
    if n > 1 << design.log_n_max:
        return f"N up to {1 << design.log_n_max:,}"
    if 0 < n < 1 << design.log_n_min:
        return f"N from {1 << design.log_n_min:,}"
    return ""
