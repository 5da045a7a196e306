# SPDX-License-Identifier: Apache-2.0
"""A design of the accelerator `rs_core` (docs/core.md), as the one table of its fields.

Each row makes the key of the TOML file, the member of the value, the parameter of the RTL, the limits that files and exploration check, and a line of
docs/designs.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Annotated, Any, get_type_hints

import numpy as np

from .limits import Limit, OneOf, Power, Within, smallest_log_n, words_per_cycle

SUPPORTED, RESEARCH = "supported", "research"
WHOLE_ROUNDS = 64  # slices of Keccak's state per cycle
LOG_N_MIN, LOG_N_MAX = 10, 17  # the smallest one where a design does not say it


@dataclass(frozen=True)
class FieldRow:
    """A row of the table.

    place: [table] and key of the TOML file. rtl: parameter of rs_core. limit: None for a text or a switch. about: a line for docs/designs.md.
    default: a function of the values before it, where it is no constant. part: the field that says that the part is there: without it this field is 1
    if it is not given, and nobody checks it. least: rs_core's own value, where a file has to give one. silent: rs_core does not get its own value.
    """

    place: str
    rtl: str
    limit: Limit | None
    about: str
    default: Callable[[dict[str, Any]], Any] | None = None
    part: str = ""
    least: Any = None
    silent: bool = False

    @property
    def table(self) -> str:
        return self.place.partition(".")[0]

    def number(self, value: Any) -> int:
        """A choice is passed as its place: Verilator takes an enumeration's number."""
        return (
            self.limit.values.index(value) if isinstance(value, str) and isinstance(self.limit, OneOf) else int(value)
        )

    @property
    def key(self) -> str:
        return self.place.partition(".")[2]


def _least_log_n(fields: Any) -> Any:
    return np.maximum(np.where(fields.expand, 9, 8), smallest_log_n(fields.lanes))  # EXPAND makes blocks of 512 words


def _usual_log_n(found: dict[str, Any]) -> int:
    """10, or 16 words per lane"""
    return max(LOG_N_MIN, int(smallest_log_n(found["lanes"])))


def _with_lanes(fields: Any) -> str:
    return f" with {fields.lanes} lanes{' and [expand]' if fields.expand else ''}"


def _with_bus(fields: Any) -> str:
    return f" (words per cycle, with bus_bits = {fields.bus_bits} and {fields.lanes} lanes)"


_LOG_N_LEAST = Within(
    _least_log_n, LOG_N_MAX, note=_with_lanes, manual="8 (with EXPAND 9), and 16 words per lane, to 17"
)
_LOG_N_MOST = Within(lambda fields: fields.log_n_min, LOG_N_MAX, note=_with_lanes, manual="`log_n_min` to 17")
_SAMPLES = Power(1, words_per_cycle, note=_with_bus, manual="powers of two, 1 to the words per cycle of bus and lanes")
_EXPAND_WORDS = Power(
    1,
    lambda fields: np.minimum(8, words_per_cycle(fields)),
    manual="1, 2, 4, 8, up to the words per cycle of bus and lanes",
)
_FIXED_WORDS = Power(
    1, words_per_cycle, zero=True, note=_with_bus, manual="0, or powers of two to the words per cycle of bus and lanes"
)
_BURST_LINES = Power(1, 4)
_REDUCERS = Power(
    1,
    lambda fields: np.minimum(words_per_cycle(fields), fields.bus_bits // 64),
    zero=True,
    note=", or 0",
    manual="0, or powers of two to the words of 64 bits per beat",
)


# fmt: off
@dataclass(frozen=True, kw_only=True)
class Design:
    """One accelerator. docs/designs.md explains its fields."""

    name: Annotated[str, FieldRow("design.name", "", None, "name; files are called by it")]
    source: Annotated[str, FieldRow("design.source", "", None, "origin of the parameters")]
    status: Annotated[str, FieldRow("design.status", "", OneOf((SUPPORTED, RESEARCH)),
        "supported: docs/coverage.md says what tests reach of it; research: no promise")] = RESEARCH
    lanes: Annotated[int, FieldRow("core.lanes", "Lanes", Power(1, 256), "butterflies per cycle", least=1)]
    word_bits: Annotated[int, FieldRow("core.word_bits", "W", Within(16, 64), "width of a residue", least=32)]
    log_n_min: Annotated[int, FieldRow("core.log_n_min", "LogNMin", _LOG_N_LEAST, "log2 of the smallest N",
        default=_usual_log_n, least=10)]
    log_n_max: Annotated[int, FieldRow("core.log_n_max", "LogNMax", _LOG_N_MOST, "log2 of the largest N", least=10)]
    bank_groups: Annotated[int, FieldRow("core.bank_groups", "Groups", Within(2, 16), "polynomials on chip", least=2)]
    contexts: Annotated[int, FieldRow("core.contexts", "Contexts", Within(1, 4), "moduli on chip at a time", least=2)]
    twiddles: Annotated[str, FieldRow("core.twiddles", "OnTheFly", OneOf(("stored", "on_the_fly")),
        "roots of the transforms: a table of N words, or made while they are used", least="stored")]
    stream_factor: Annotated[bool, FieldRow("core.stream_factor", "StreamFactor", None,
        "a secret key passes by, beside the groups, so that with two groups expansion and transform overlap")] = False
    encode: Annotated[bool, FieldRow("core.encode", "Encode", None,
        "slots in, ciphertext out: the core encodes and decodes in fixed point")] = False
    fixed_words: Annotated[int, FieldRow("core.fixed_words", "FixedWords", _FIXED_WORDS,
        "words of fixed point per cycle that become residues, and back; 0: all of a chunk", silent=True)] = 0
    slices: Annotated[int, FieldRow("core.slices", "Slices", Power(1, 64),
        "small polynomials in one group that an instruction takes at most; 1: a group is one polynomial", silent=True)] = 1
    slots: Annotated[int, FieldRow("sampler.slots", "Slots", Within(0, 6),
        "small polynomials on chip: three of a frame that streams and three of the next; 0: no sampler, errors come from outside", least=1)]
    sample_lanes: Annotated[int, FieldRow("sampler.lanes", "SampleLanes", _SAMPLES, "coefficients per cycle", part="slots", least=1)]
    keccak_cores: Annotated[int, FieldRow("sampler.keccak_cores", "KeccakCores", Within(1, 16), "Keccak cores", part="slots", least=1)]
    ternary_bytes: Annotated[int, FieldRow("sampler.ternary_bytes", "TernaryBytes",
        OneOf((1, 2, 4, 8), note=", and divide 6 per lane", manual="1, 2, 4, 8, and divide 6 per lane"),
        "bytes per cycle that become ternary coefficients", part="slots", least=1)]
    keccak_slices: Annotated[int, FieldRow("sampler.keccak_slices", "KeccakSlices", OneOf((8, 16, 32, WHOLE_ROUNDS)),
        "slices of Keccak's state per cycle; below 64 (whole rounds): one folded core for SAMPLE and EXPAND")] = WHOLE_ROUNDS
    expand: Annotated[bool, FieldRow("expand.present", "Expand", None, "EXPAND makes the uniform half of a ciphertext from its seed", least=True)]
    expand_words: Annotated[int, FieldRow("expand.words", "ExpandWords", _EXPAND_WORDS,
        "words per cycle, each with a core", part="expand")] = 1
    expand_steps: Annotated[int, FieldRow("expand.division_steps", "ExpandSteps",
        Within(3, 16, zero=True, note="; 0: multipliers", manual="0, or 3 to 16"),
        "bits of a quotient at a time, where EXPAND divides without multipliers; 0: with multipliers", part="expand")] = 0
    keccak: Annotated[str, FieldRow("expand.keccak", "KeccakShared", OneOf(("separate", "shared")),
        "Keccak cores of its own, or SAMPLE's", part="expand")] = "separate"
    bus_bits: Annotated[int, FieldRow("dma.bus_bits", "BusBits", Power(64, 512), "AXI4 data width", least=64)]
    outstanding: Annotated[int, FieldRow("dma.outstanding", "Outstanding", Within(4, 256),
        "bursts under way in each direction, at each port; those of polynomials are lines of 64 bytes, or `burst_lines` of them", least=8)]
    burst_lines: Annotated[int, FieldRow("dma.burst_lines", "BurstLines", _BURST_LINES,
        "lines of a burst of LOAD and STORE: long bursts are what a memory behind PCI Express wants", silent=True)] = 1
    short: Annotated[bool, FieldRow("dma.short", "Short", None,
        "LOAD and STORE of half a polynomial, LOAD of words of 16 bits", silent=True)] = False
    slot_words: Annotated[int, FieldRow("dma.slot_words", "SlotWords", Within(1, 2),
        "numbers of slots that LOADS takes per cycle; 2: both parts of a slot", silent=True)] = 1
    reducers: Annotated[int, FieldRow("dma.reducers", "Reducers", _REDUCERS,
        "words of a message per cycle that are reduced on chip; 0: the processor reduces them")] = 0
    program_depth: Annotated[int, FieldRow("sequencer.program_depth", "ProgramDepth", Within(64, 2048), "instructions of a program", least=512)]
    ring: Annotated[bool, FieldRow("sequencer.ring", "Ring", None,
        "programs start from a ring of descriptors in memory, without the host", silent=True)] = False
    stream_lanes: Annotated[int, FieldRow("stream.lanes", "StreamLanes", OneOf((2, 4, 8), zero=True, manual="0, 2, 4, 8"),
        "words per cycle of each polynomial in the unit that encrypts frame after frame with a public key; 0: none", silent=True)] = 0
    ports: Annotated[int, FieldRow("stream.ports", "AxiPorts", Within(1, 2),
        "AXI4 ports to the same memory; a second one takes half of the streaming unit's streams", silent=True)] = 1
    fields: Annotated[bool, FieldRow("fields.present", "Fields", None,
        "hashes and packed fields of ML-KEM, ML-DSA and NewHope: the units SPONGE and PACK", silent=True)] = False
    field_rounds: Annotated[int, FieldRow("fields.rounds_per_cycle", "FieldRounds", Within(1, 2),
        "Keccak rounds per cycle of SPONGE; with 2 it takes 8 candidates per cycle, else 4", part="fields", silent=True)] = 1
    field_words: Annotated[int, FieldRow("fields.words", "FieldWords", OneOf((2, 4), manual="2, 4"),
        "fields per cycle of PACK", part="fields", silent=True)] = 1
    field_mode: Annotated[str, FieldRow("fields.mode", "Sealed", OneOf(("open", "sealed")),
        "who is trusted with keys of ML-KEM and ML-DSA: the processor, or the core, which keeps them in slots for one program each", part="fields", silent=True)] = "open"
    clock_mhz: Annotated[int, FieldRow("target.clock_mhz", "", Within(1, 10000),
        "clock that the design aims at, for constraints; nothing is promised by it")] = 100
    # fmt: on

    @property
    def chunk(self) -> int:
        """Words that enter or leave the banks in a cycle."""
        return int(words_per_cycle(self))

    @property
    def owned(self) -> dict[str, int]:
        """The parameters of rs_core that are the design's to set: nobody else may change them."""
        return {row.rtl: row.number(getattr(self, field)) for field, row in table().items() if row.rtl}

    @property
    def parameters(self) -> dict[str, int]:
        """The parameters that rs_core gets."""
        silent = {(row.rtl, row.number(own(field))) for field, row in table().items() if row.silent}
        return {name: value for name, value in self.owned.items() if (name, value) not in silent}

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def _repr_html_(self) -> str:
        from ..notebook import facts_html  # the table of fields is also read without the package

        facts = [(row.place, f"{getattr(self, field)} ({row.about})") for field, row in table().items() if row.rtl]
        return facts_html(f"Design {self.name}", facts)


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Design, include_extras=True)


@cache
def table() -> dict[str, FieldRow]:
    """The rows by the fields' names, in the order of the class."""
    return {field: hint.__metadata__[0] for field, hint in _hints().items()}


@cache
def types() -> dict[str, type]:
    """The fields' types by their names."""
    return {field: hint.__origin__ for field, hint in _hints().items()}


def own(field: str) -> Any:
    """The value of a field that rs_core has where nobody gives one."""
    row = table()[field]
    return getattr(Design, field) if row.least is None else row.least


# parameters of rs_core that are an integrator's to set, and no part of a design
OTHERS = (
    FieldRow("", "DrainCycles", Within(1, 2**32 - 1, manual="1 and more"), "cycles until a bus that hangs is given up", least=3072),
    FieldRow("", "SecureWrites", None, "non-secure writes answer SLVERR, non-secure reads see no program", least=False),
    FieldRow("", "ScanWipe", None, "scan_mode_i wipes before scan_ready_o lets scan shift; false: never ready", least=False),
    FieldRow("", "AxiProt", Within(0, 7), "AxPROT of every transfer; 0: data, secure, unprivileged", least=0),
    FieldRow("", "AxiCache", Within(0, 15), "AxCACHE of every transfer; 3: normal, non-cacheable, bufferable", least=3),
    FieldRow("", "AxiQos", Within(0, 15), "AxQOS of every transfer", least=0),
    FieldRow("", "AxiUser", Within(0, 255), "AxUSER of every transfer", least=0),
)
