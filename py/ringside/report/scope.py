# SPDX-License-Identifier: Apache-2.0
"""What the report expects to be recorded, and what it leaves to a command because that takes hours: one rule, by properties of a design or a task.

An answer that is recorded is shown whatever the rule says. One that is not, and that the rule does not leave out, is a fault of the ledger
("not measured yet", which a test refuses).
"""

from ..designs import Design
from ..figures.command import ASIC_TARGET, parse
from ..figures.content import loaded_design
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


def left_out(command: str) -> str:
    """Why nobody has to record the answer, for a cell; nothing, if it is expected."""
    if command in LATER:
        return NOT_RECORDED
    asked = parse(command)
    match asked.verb:
        case "synth" if asked.is_energy:
            return NOT_GATED * (_bits(asked.design) > GATED_BITS)
        case "synth" if asked.is_asic:
            return NOT_MAPPED * (_bits(asked.design) > MAPPED_BITS)
        case "synth" if "device" in asked.options:
            return NOT_MAPPED * (_bits(asked.design) > ULTRA_SCALE_BITS)
        case "cycles" if asked.is_stream:
            return NOT_SIMULATED * (Parameters.named(asked.options["params"]).n > STREAMED_N)
        case "soc run" if not asked.is_scheme:
            return LONG_RUN * (asked.number("n") > SHORT_RUNS.get(asked.design, asked.number("n")))
        case "soc energy":
            return NOT_GATED_ROCKET
        case "ltv time":
            return NOT_RUN * (asked.options["sbox"] == "paper" and "skip_aes" not in asked.options)
    return ""


def _bits(name: str) -> int:
    design = loaded_design(name)
    return lane_bits(design) if design else 0


def lacks(command: str) -> str:
    """What a design has not that the command needs, for a cell; nothing, if only the command itself tells."""
    asked = parse(command)
    design = loaded_design(asked.design)
    if design is None:
        return f"no design {asked.design}"
    n = asked.number("n")
    if asked.verb == "cycles" and asked.number("bits") > design.word_bits:
        return f"words of {design.word_bits} bits"
    if n > 1 << design.log_n_max:
        return f"N up to {1 << design.log_n_max:,}"
    if 0 < n < 1 << design.log_n_min:
        return f"N from {1 << design.log_n_min:,}"
    return ""
