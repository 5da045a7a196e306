# SPDX-License-Identifier: Apache-2.0
"""Which parts a design has, and what the size of each follows from.

Three kinds of parts: memories, whose width and depth are counted, and each of which was mapped; parts of few shapes, one row of a table each, such as lanes
and what streams Keccak's words; and the units around them, sums of terms with coefficients that `ringside explore calibrate` fits to mapped designs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...designs.design import WHOLE_ROUNDS
from ...designs.limits import words_per_cycle

RAM, RAM_TWO = "rs_ram_1rw", "rs_ram_2rw"
PROGRAM_BITS, SLOT_BITS = 64, 6
DUAL_ROWS, DUAL_BITS = 1024, 18  # from here on, or up to these, a bank has two ports on an FPGA (rs_core_pkg)
CONSTANT_ROWS, SEED_ROWS = 3, 48  # rows of twiddles on the fly (rs_ntt_pkg)

# The streams of SAMPLE and EXPAND. A folded core is one, so its LUTs follow its slices; whole ones need what chooses between them. No sum of terms has
# either from the few designs that are mapped, so each shape is mapped alone.
XOF, XOF_KEY = ("rs_xof", ("keccak_slices", "sampler", "expand", "shared", "keccak_cores", "expand_words"))

View = Mapping[str, Any]


def view(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields as numbers, with those that follow. fields: of designs, as arrays or values."""
    names = ("lanes", "word_bits", "log_n_max", "bank_groups", "contexts", "slots", "sample_lanes", "keccak_cores", "ternary_bytes", "keccak_slices", "expand_words", "expand_steps", "bus_bits", "outstanding", "reducers", "program_depth", "log_n_min", "fixed_words")  # fmt: skip
    v: dict[str, Any] = {name: np.asarray(fields[name], np.float32) for name in names}
    for name in ("encode", "expand", "stream_factor"):
        v[name] = np.asarray(fields[name]).astype(np.float32)
    v["on_the_fly"] = np.equal(fields["twiddles"], "on_the_fly").astype(np.float32)
    v["shared"] = v["expand"] * np.equal(fields["keccak"], "shared")
    whole = {name: np.asarray(fields[name]).astype(np.int32) for name in ("bus_bits", "word_bits", "lanes")}
    v["chunk"] = np.asarray(words_per_cycle(SimpleNamespace(**whole)), np.float32)
    v["fixed"] = np.where(v["fixed_words"] > 0, v["fixed_words"], v["chunk"])
    v["sampler"] = (v["slots"] > 0).astype(np.float32)
    v["folded"] = v["sampler"] * (v["keccak_slices"] != WHOLE_ROUNDS)
    v["one_lane"] = (v["lanes"] == 1).astype(np.float32)
    v["stacked"] = (v["chunk"] <= 2).astype(np.float32)  # two banks in one memory (rs_core_pkg)
    v["banks"] = 1 - v["stacked"]
    rows = 2.0 ** v["log_n_max"] / (4 * v["lanes"])
    v["dual"] = v["banks"] * np.logical_or(rows >= DUAL_ROWS, v["word_bits"] <= DUAL_BITS)
    v["single"] = v["banks"] - v["dual"]
    v["sources"] = v["bank_groups"] * (1 + v["banks"])  # sources of a word that the lanes read
    cores = v["sampler"] * v["keccak_cores"] + v["expand"] * (1 - v["shared"]) * v["expand_words"]
    v["cores"] = cores * (1 - v["folded"])
    v["unfolded"] = v["sampler"] * (1 - v["folded"])
    v["shared_whole"] = v["shared"] * (1 - v["folded"])
    v["own_cores"] = v["expand"] * (1 - v["shared"])
    v["streams"] = np.maximum(v["sampler"], v["expand"])
    v["divides"] = v["expand"] * (v["expand_steps"] == 0) * v["folded"]  # words of EXPAND, some bits at a time
    v["multiplies"] = v["expand"] * (v["expand_steps"] == 0) * (1 - v["folded"])  # EXPAND reduces words by multipliers
    return v


@dataclass(frozen=True)
class Counted:
    """A part with a row in a table. key: what one of them depends on; count: how many.

    gate_classes: of parts whose kGE are not in the table but a sum of LUTs and flip-flops, with factors for each class.
    """

    module: str
    key: tuple[str, ...]
    count: Callable[[View], Any]
    gate_classes: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Fitted:
    """A unit. classes: what has to have been mapped before, value by value together; terms: what its size is a sum of; dsp: the term that its DSPs are a multiple of."""

    module: str
    classes: tuple[str, ...]
    terms: tuple[Callable[[View], Any], ...]
    dsp: int | None = None

    @property
    def gate_classes(self) -> tuple[str, ...]:
        """The classes whose LUTs and flip-flops have kGE of their own: those of stored twiddles have the same as those of others."""
        return tuple(name for name in self.classes if name != "on_the_fly")


COUNTED = (
    Counted("rs_lane", ("word_bits", "encode"), lambda v: v["lanes"]),
    Counted("rs_twiddle_ring", ("word_bits",), lambda v: v["on_the_fly"] * v["lanes"]),
    Counted("rs_lift_lane", ("word_bits",), lambda v: v["sampler"] * v["chunk"]),
    Counted("rs_keccak", (), lambda v: v["cores"]),
    Counted("rs_keccak_chi", (), lambda v: 25 * v["cores"]),
    Counted("rs_reduce_word", ("word_bits",), lambda v: v["reducers"] + v["multiplies"] * v["expand_words"]),
    Counted(XOF, XOF_KEY, lambda v: v["streams"], ("folded",)),
)


def _above(name: str, level: int) -> Callable[[View], Any]:
    return lambda v: (v[name] > level).astype(np.float32)


def _times(*factors: str | Callable[[View], Any]) -> Callable[[View], Any]:
    """A product of fields; 1 without any."""

    def term(v: View) -> Any:
        found: Any = np.float32(1)
        for factor in factors:
            found = found * (v[factor] if isinstance(factor, str) else factor(v))
        return found

    return term


_ONE = _times()
_PW, _VW = ("lanes", "word_bits"), ("chunk", "word_bits")
_COMPUTE = ("on_the_fly", "encode")
FITTED = (
    Fitted("rs_core", (), (_ONE, _times("encode"))),
    Fitted("rs_regs_axi", ("encode",), (_ONE, _times("sampler"), _times("unfolded"), _times("encode"), _times("expand"), _times("own_cores"), _times("encode", "sampler"))),
    Fitted("rs_sequencer", ("encode",), (_ONE, _times("bank_groups"), _times("encode"), _times("contexts"), _times("slots"))),
    Fitted("rs_contexts", (), (_ONE, _times("word_bits"), _times(_above("contexts", 1), "word_bits"), _times(_above("contexts", 1), "word_bits", "sampler"), _times(_above("contexts", 1), "word_bits", _above("reducers", 0)), _times(_above("contexts", 1), "expand"))),
    Fitted("rs_compute", _COMPUTE, (_ONE, _times(*_PW), _times(*_PW, "sources"), _times(*_PW, _above("sources", 3)), _times(*_PW, _above("sources", 4)), _times(*_PW, _above("sources", 6)), _times(*_PW, _above("sources", 8)), _times(*_PW, _above("bank_groups", 4)), _times(*_PW, "encode"), _times("word_bits"), _times("encode", "word_bits"))),
    Fitted("rs_ntt_addr", ("encode",), (_ONE, _times("lanes"), _times("encode"), _times("one_lane"), _times("encode", "one_lane"))),
    Fitted("rs_twiddles", _COMPUTE, (_ONE, _times(*_PW), _times(*_PW, _above("contexts", 1)), _times(*_PW, "on_the_fly"), _times(*_PW, "encode"), _times("contexts"), _times("on_the_fly"), _times("word_bits", "encode"))),
    Fitted("rs_ntt_reorder", (), (_times(*_PW), _times("word_bits"), _times(*_PW, "encode"), _times("one_lane", "word_bits"), _times("one_lane", "word_bits", "encode"))),
    Fitted("rs_poly_memory", ("encode",), (_ONE, _times(*_VW), _times(*_VW, "bank_groups"), _times(*_PW, "banks"), _times(*_PW, "banks", "bank_groups"), _times(*_VW, "encode"), _times(*_PW, "encode"), _times(*_VW, _above("bank_groups", 4)), _times("bank_groups"), _times("lanes", "bank_groups"), _times(*_PW, "stacked"), _times("chunk", "bank_groups"), _times("bank_groups", "encode"), _times(*_PW, "stacked", "bank_groups"))),
    Fitted("rs_bank_group", ("encode",), (_times("bank_groups"), _times("bank_groups", *_PW, "single"), _times("bank_groups", *_PW, "dual"), _times("bank_groups", *_VW), _times("bank_groups", "lanes", "banks"), _times("bank_groups", "lanes"), _times("bank_groups", "encode", *_PW), _times("bank_groups", "encode"))),
    Fitted("rs_dma_load", ("encode",), (_ONE, _times(*_VW), _times("bus_bits"), _times("reducers", "word_bits"), _times("encode"), _times("encode", *_VW), _times("encode", "word_bits"), _times(_above("reducers", 0)), _times(_above("reducers", 0), "bus_bits"), _times("outstanding"), _times(*_VW, _above("chunk", 4)), _times(*_VW, _above("chunk", 2)), _times("word_bits"), _times("encode", "bus_bits"))),
    Fitted("rs_dma_store", ("encode",), (_ONE, _times(*_VW), _times("bus_bits"), _times("encode"), _times("encode", *_VW), _times("encode", "word_bits"), _times("outstanding"), _times("encode", "bus_bits"), _times(*_VW, _above("chunk", 2)), _times(*_VW, _above("chunk", 4)), _times("word_bits"))),
    Fitted("rs_slots", (), (_times("sampler"), _times("slots", "chunk"), _times("sampler", "chunk"), _times("slots"))),
    Fitted("rs_sample_unit", ("folded",), (_times("sampler"), _times("sampler", "sample_lanes"), _times("sampler", "ternary_bytes"), _times("sampler", "sample_lanes", "ternary_bytes"), _times("folded"), _times("folded", "keccak_slices"), _times("sampler", "chunk"), _times("unfolded"), _times("unfolded", "sample_lanes"))),
    Fitted("rs_lift_unit", ("encode", "sampler"), (_times("sampler"), _times("sampler", *_VW), _times("sampler", "encode", "fixed", "word_bits"), _times("encode", "word_bits"), _times("encode"), _times("sampler", "chunk"))),
    Fitted("rs_expand_unit", ("expand",), (_times("expand"), _times("expand", "word_bits"), _times("expand", "word_bits", "expand_words"), lambda v: v["expand"] * (v["expand_steps"] > 0) * v["word_bits"], _times("divides", "word_bits"), _times("divides"), _times("expand", "expand_words")), dsp=5),
)  # fmt: skip
MODULES = tuple(unit.module for unit in (*COUNTED, *FITTED))


@dataclass(frozen=True)
class Memories:
    """Memories of one kind: how many, of which width and depth, arrays over designs; none where the count is 0."""

    kind: str
    count: Any
    width: Any
    depth: Any


def memories(v: View) -> list[Memories]:
    """Of the groups, the twiddles, the slots and the program (rs_bank_group, rs_twiddles, rs_slots, rs_fetch)."""
    ring, p, w = 2.0 ** v["log_n_max"], v["lanes"], v["word_bits"]
    stacked, dual, fly = v["stacked"], v["dual"], v["on_the_fly"]
    rows = np.ceil(np.float32(SEED_ROWS) / p) + CONSTANT_ROWS
    rows = 2.0 ** np.ceil(np.log2(rows))
    return [
        Memories(RAM_TWO, stacked * v["bank_groups"] * 2 * p, w, ring / (2 * p)),
        Memories(RAM_TWO, dual * v["bank_groups"] * 4 * p, w, ring / (4 * p)),
        Memories(RAM, v["single"] * v["bank_groups"] * 4 * p, w, ring / (4 * p)),
        Memories(RAM, (1 - fly) * v["contexts"] * p, w, ring / p),
        Memories(RAM, fly * p, w, 2 * v["contexts"] * rows),
        Memories(RAM, v["slots"], SLOT_BITS * v["chunk"], ring / v["chunk"]),
        Memories(RAM, np.float32(1) + 0 * p, PROGRAM_BITS + 0 * p, v["program_depth"]),
    ]
