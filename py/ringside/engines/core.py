# SPDX-License-Identifier: Apache-2.0
"""The engine `core` (docs/core.md): programs run on lanes, a sampler and DMA around polynomials in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ParameterError
from .engine import Design, Engine, Harness
from .schema import bad, choice, fields, power, within

IDS_MAX = 16  # lines that are under way with IDs of their own: of 4 bits
LANES_MAX = 256
LOG_N_MIN = 10  # where a design does not say what its smallest ring is
REDUCTIONS = ("barrett", "wlm")
TWIDDLES = ("stored", "on_the_fly")
TERNARY_BYTES = (1, 2, 4, 8)  # divisors of a block of 136 bytes
CLOCK_MHZ = 100  # that a design aims at which states nothing
KECCAKS = ("separate", "shared")
SLICES = (8, 16, 32, 64)  # of 64 per cycle; 64: whole rounds
EXPAND_WORDS_MAX = 8
FIXED_BITS_MIN = 24  # rs_fixed_init
SLOTS_MAX = 6  # three of a frame that streams, and three of the next one
STREAM_LANES, STREAM_SLOTS, STREAM_BUS, STREAM_PORTS = (2, 4, 8), 3, 512, 2
NO_SAMPLER = {"lanes": 1, "keccak_cores": 1, "rounds_per_cycle": 1, "ternary_bytes": 1}


@dataclass(frozen=True)
class CoreDesign(Design):
    """Parameters of one accelerator (docs/core.md).

    lanes: butterflies per cycle. word_bits: width of a residue. log_n_min, log_n_max: log2 of the smallest and the largest N. bank_groups: polynomials on
    chip. contexts: moduli at a time. slots: small polynomials; 0: no sampler, errors come from outside.
    reducers: words of a message per cycle; 0: the processor reduces them. stream_factor: a key can come as a stream, beside the groups.
    encode: slots in, ciphertext out: the core encodes and decodes in fixed point. expand_steps: bits of a quotient at a time where EXPAND divides
    without multipliers; 0: it has them.
    stream_lanes: words per cycle of each polynomial in the streaming unit, which encrypts with a public key (hw/stream); 0: there is none.
    ports: to memory; a second one is the streaming unit's alone.
    clock_mhz: what the design aims at, of constraints; nothing is promised by it.
    """

    engine = "core"
    columns = ("design", "lanes", "words", "largest N", "groups", "small polynomials", "bus", "source")
    lanes: int
    word_bits: int
    reduction: str
    log_n_min: int
    log_n_max: int
    bank_groups: int
    contexts: int
    twiddles: str
    slots: int
    sample_lanes: int
    keccak_cores: int
    sample_rounds: int
    ternary_bytes: int
    expand: bool
    expand_rounds: int
    expand_words: int
    keccak: str
    keccak_slices: int
    bus_bits: int
    outstanding: int
    program_depth: int
    clock_mhz: int = CLOCK_MHZ
    reducers: int = 0
    ids: int = 1
    stream_factor: bool = False
    encode: bool = False
    stream_lanes: int = 0
    ports: int = 1
    expand_steps: int = 0

    @property
    def chunk(self) -> int:
        """Words that enter or leave the banks in a cycle."""
        return min(self.bus_bits // (32 if self.word_bits <= 32 else 64), 4 * self.lanes)

    @property
    def parameters(self) -> dict[str, int]:
        """Those of rs_core."""
        streams = {"StreamLanes": self.stream_lanes} if self.stream_lanes else {}
        streams |= {"AxiPorts": self.ports} if self.ports > 1 else {}
        return streams | {
            "W": self.word_bits,
            "Reduction": REDUCTIONS.index(self.reduction),  # Verilator takes an enum's number
            "LogNMax": self.log_n_max,
            "Lanes": self.lanes,
            "LogNMin": self.log_n_min,
            "Groups": self.bank_groups,
            "Contexts": self.contexts,
            "OnTheFly": TWIDDLES.index(self.twiddles),
            "StreamFactor": int(self.stream_factor),
            "Encode": int(self.encode),
            "Slots": self.slots,
            "SampleLanes": self.sample_lanes,
            "KeccakCores": self.keccak_cores,
            "SampleRounds": self.sample_rounds,
            "TernaryBytes": self.ternary_bytes,
            "Expand": int(self.expand),
            "ExpandRounds": self.expand_rounds,
            "ExpandWords": self.expand_words,
            "ExpandSteps": self.expand_steps,
            "KeccakShared": KECCAKS.index(self.keccak),
            "KeccakSlices": self.keccak_slices,
            "BusBits": self.bus_bits,
            "Outstanding": self.outstanding,
            "Reducers": self.reducers,
            "AxiIds": self.ids,
            "ProgramDepth": self.program_depth,
        }

    @property
    def owned(self) -> dict[str, int]:
        """Those that are the design's to set, also where it has the module's default: nobody else may change them."""
        return {"StreamLanes": self.stream_lanes, "AxiPorts": self.ports} | self.parameters

    @property
    def row(self) -> tuple[str, ...]:
        return (
            self.name,
            str(self.lanes),
            f"{self.word_bits} {self.reduction}",
            str(1 << self.log_n_max),
            str(self.bank_groups),
            f"{self.slots} ({self.keccak_cores} Keccak)" if self.slots else "none",
            f"{self.ports} x " * (self.ports > 1) + f"{self.bus_bits} bits",
            self.source,
        )


# Where each field stands in the file: [table] key -> field
_KEYS: dict[str, dict[str, str]] = {
    "design": {"name": "name", "source": "source"},
    "core": {
        "lanes": "lanes",
        "word_bits": "word_bits",
        "reduction": "reduction",
        "log_n_min": "log_n_min",
        "log_n_max": "log_n_max",
        "bank_groups": "bank_groups",
        "contexts": "contexts",
        "twiddles": "twiddles",
        "stream_factor": "stream_factor",
        "encode": "encode",
    },
    "sampler": {
        "slots": "slots",
        "lanes": "sample_lanes",
        "keccak_cores": "keccak_cores",
        "rounds_per_cycle": "sample_rounds",
        "ternary_bytes": "ternary_bytes",
        "keccak_slices": "keccak_slices",
    },
    "expand": {
        "present": "expand",
        "rounds_per_cycle": "expand_rounds",
        "words": "expand_words",
        "division_steps": "expand_steps",
        "keccak": "keccak",
    },
    "dma": {"bus_bits": "bus_bits", "outstanding": "outstanding", "reducers": "reducers", "ids": "ids"},
    "sequencer": {"program_depth": "program_depth"},
    "stream": {"lanes": "stream_lanes", "ports": "ports"},
    "target": {"clock_mhz": "clock_mhz"},
}
# What may be left out
_DEFAULTS = {
    "expand_rounds": 1,
    "expand_words": 1,
    "expand_steps": 0,
    "keccak": "separate",
    "keccak_slices": 64,
    "reducers": 0,
    "ids": 1,
    "stream_factor": False,
    "encode": False,
    "ports": 1,
}
# and of a part that is not there
_ABSENT = {
    "sampler": ("slots", 0, NO_SAMPLER),
    "expand": ("present", False, {"rounds_per_cycle": 1}),
    "stream": ("lanes", None, {"lanes": 0, "ports": 1}),
    "target": ("clock_mhz", None, {"clock_mhz": CLOCK_MHZ}),
}


def _log_n_of(lanes: int) -> int:
    """log2 of the smallest N of so many lanes: 16 words each (docs/ntt_schedule.md)."""
    return lanes.bit_length() - 1 + 4


def parse(path: Path, tables: dict[str, Any]) -> CoreDesign:
    """A design from the tables of its file. ParameterError: a field missing, unknown or out of range."""
    core = tables.get("core")
    lanes = core.get("lanes") if isinstance(core, dict) else 1
    smallest = max(LOG_N_MIN, _log_n_of(lanes)) if type(lanes) is int else LOG_N_MIN
    design = CoreDesign(**fields(path, tables, CoreDesign, _KEYS, _ABSENT, {"log_n_min": smallest, **_DEFAULTS}))
    for problem in _problems(design):
        raise bad(path, problem)
    return design


def _problems(design: CoreDesign) -> list[str]:
    """What is out of range, in the words of the file."""

    def rounds(table: str, value: int) -> str:
        return "" if value > 0 and 24 % value == 0 else f"{table} rounds_per_cycle must divide 24, got {value}"

    at_once = f" (words per cycle, with bus_bits = {design.bus_bits} and {design.lanes} lanes)"
    least = max(9 if design.expand else 8, _log_n_of(design.lanes))  # EXPAND makes blocks of 512 words
    found = [
        power("lanes", design.lanes, 1, LANES_MAX),
        within("word_bits", design.word_bits, 16, 64),
        choice("reduction", design.reduction, REDUCTIONS),
        within(
            "log_n_min", design.log_n_min, least, 17, f" with {design.lanes} lanes" + " and [expand]" * design.expand
        ),
        within("log_n_max", design.log_n_max, design.log_n_min, 17, f" with {design.lanes} lanes"),
        within("bank_groups", design.bank_groups, 2, 16),
        within("contexts", design.contexts, 1, 4),
        choice("twiddles", design.twiddles, TWIDDLES),
        power("bus_bits", design.bus_bits, 64, 512),
        within("outstanding", design.outstanding, 4, 64),
        power("ids", design.ids, 1, IDS_MAX),
        within("program_depth", design.program_depth, 64, 2048),
        within("clock_mhz", design.clock_mhz, 1, 10000),
    ]
    if design.reducers:
        found.append(power("reducers", design.reducers, 1, min(design.chunk, design.bus_bits // 64), ", or 0"))
    if design.stream_factor and (design.lanes, design.chunk) != (1, 2):
        found.append(
            f"stream_factor needs one lane and two words of a residue per beat, got {design.lanes} and {design.chunk}"
        )
    if design.encode and (design.reduction, design.twiddles) != ("wlm", "stored"):
        found.append(
            f'encode needs reduction = "wlm" and twiddles = "stored", got "{design.reduction}" and "{design.twiddles}"'
        )
    if design.encode and (not design.slots or design.word_bits < FIXED_BITS_MIN):
        found.append(
            f"encode needs a sampler and words of at least {FIXED_BITS_MIN} bits, got slots = {design.slots} and word_bits = {design.word_bits}"
        )
    if design.encode and design.chunk < 2:
        found.append(
            f"encode needs two words of a residue per beat, got bus_bits = {design.bus_bits} with {design.word_bits}-bit words"
        )
    if design.stream_lanes:
        if design.stream_lanes not in STREAM_LANES:
            found.append(
                f"[stream] lanes must be one of {', '.join(map(str, STREAM_LANES))}, got {design.stream_lanes}"
            )
        found.append(within("[stream] ports", design.ports, 1, STREAM_PORTS))
        if design.slots < STREAM_SLOTS or design.bus_bits != STREAM_BUS:
            found.append(
                f"[stream] needs slots of at least {STREAM_SLOTS} and bus_bits = {STREAM_BUS}, got {design.slots} and {design.bus_bits}"
            )
    elif design.ports != 1:
        found.append("[stream] ports needs lanes")
    if design.slots:
        found += [
            within("slots", design.slots, 0, SLOTS_MAX),
            power("[sampler] lanes", design.sample_lanes, 1, design.chunk, at_once),
            within("keccak_cores", design.keccak_cores, 1, 16),
        ]
        found.append(rounds("[sampler]", design.sample_rounds))
        if design.ternary_bytes not in TERNARY_BYTES or 6 * design.sample_lanes % design.ternary_bytes:
            allowed = ", ".join(map(str, TERNARY_BYTES))
            found.append(f"ternary_bytes must be one of {allowed}, and divide 6 per lane, got {design.ternary_bytes}")
    if design.keccak_slices not in SLICES:
        found.append(f"keccak_slices must be one of {', '.join(map(str, SLICES))}, got {design.keccak_slices}")
    folded = design.keccak_slices != 64
    if folded and (design.keccak_cores, design.sample_rounds, design.expand_words) != (1, 1, 1):
        found.append(
            f"keccak_slices = {design.keccak_slices} needs keccak_cores = 1, rounds_per_cycle = 1 and [expand] words = 1"
        )
    if design.expand:
        found.append(rounds("[expand]", design.expand_rounds))
        found.append(power("[expand] words", design.expand_words, 1, min(EXPAND_WORDS_MAX, design.chunk)))
        found.append(choice("[expand] keccak", design.keccak, KECCAKS))
        if design.expand_steps:
            found.append(within("[expand] division_steps", design.expand_steps, 3, 16, "; 0: multipliers"))
            if design.expand_words != 1:
                found.append(f"[expand] division_steps needs words = 1, got {design.expand_words}")
        if design.keccak == "shared" and not design.slots:
            found.append('[expand] keccak = "shared" needs a sampler to share with: slots is 0')
        if design.keccak == "shared" and design.expand_words > design.keccak_cores:
            found.append(
                f'[expand] words must be at most keccak_cores with keccak = "shared", got {design.expand_words}'
            )
        if folded and design.slots and design.keccak != "shared":
            found.append(f'keccak_slices = {design.keccak_slices} needs [expand] keccak = "shared"')
    return [problem for problem in found if problem]


def expect(design: Design) -> CoreDesign:
    """The design, if its engine is this one; else ParameterError."""
    if isinstance(design, CoreDesign):
        return design
    what = f"{design.name} has the engine {design.engine!r}; only designs with the engine 'core' can do this"
    raise ParameterError("DESIGN", f"{what}.", "`ringside designs` lists the designs.")


_OPERATIONS = {
    "ntt": "RS_JOB_NTT",
    "intt": "RS_JOB_INTT",
    "encrypt-pk": "RS_JOB_ENCRYPT_PK",
    "encrypt-pk-direct": "RS_JOB_ENCRYPT_PK_DIRECT",
    "encrypt-sk": "RS_JOB_ENCRYPT_SK",
    "decrypt": "RS_JOB_DECRYPT",
    # in fixed point, of designs with `encode`
    "encode-encrypt-pk": "RS_JOB_ENCRYPT_PK",
    "encode-encrypt-pk-direct": "RS_JOB_ENCRYPT_PK_DIRECT",
    "encode-encrypt-sk": "RS_JOB_ENCRYPT_SK",
    "decrypt-decode": "RS_JOB_DECRYPT",
    # at a scale that is no power of two, such as that of a ciphertext that a server has rescaled
    "encode-encrypt-pk-rescaled": "RS_JOB_ENCRYPT_PK",
    "encode-encrypt-pk-direct-rescaled": "RS_JOB_ENCRYPT_PK_DIRECT",
    "encode-encrypt-sk-rescaled": "RS_JOB_ENCRYPT_SK",
    "decrypt-decode-rescaled": "RS_JOB_DECRYPT",
    # of two limbs, where results do not fit the first modulus
    "decrypt-decode-two": "RS_JOB_DECRYPT",
    "decrypt-decode-two-rescaled": "RS_JOB_DECRYPT",
}

ENGINE = Engine(
    name=CoreDesign.engine,
    about="programs of 64-bit instructions run on lanes, a sampler and DMA",
    top="rs_core",
    file_list="hw/core/core.f",
    harness=Harness(
        ("core.cpp", "model.cpp"), ("model.h", "print.h", "core.h", "axi_memory.h", "../lib/include/ringside/regs.h")
    ),
    operations=_OPERATIONS,
    parse=parse,
)
