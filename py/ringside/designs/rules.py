# SPDX-License-Identifier: Apache-2.0
"""Which designs can be: the limits of single fields, and rules between several.

Both take one design or NumPy arrays of fields, as an exploration has them, so that a file and an exploration are judged alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .design import WHOLE_ROUNDS, Design, FieldRow, table
from .limits import words_per_cycle

FIXED_BITS_MIN = 24  # rs_fixed_init
WLM_STEP_BITS = 11  # bits of a step of word-level Montgomery, rs_modmul_wlm
STREAM_SLOTS, STREAM_BUS = 3, 512
SLOT_PAIR_BITS = 128  # both parts of a slot, of 64 bits
FIELD_BITS_MIN, FIELD_BUS_MIN = 24, 128
SEALED_DEPTH_MAX = 256  # instructions that the vault has a copy of (rs_axi_vault)


@dataclass(frozen=True)
class Rule:
    """name: the reason that `broken` gives. concerns: designs that it is about; holds: of those; both of numbers or of arrays. says: the sentence on a
    design that breaks it."""

    name: str
    concerns: Callable[[Any], Any]
    holds: Callable[[Any], Any]
    says: Callable[[Design], str]

    def breaks(self, fields: Any) -> Any:
        return np.asarray(self.concerns(fields), bool) & np.logical_not(self.holds(fields))


def _of_field(field: str, row: FieldRow) -> Rule:
    limit = row.limit
    assert limit is not None
    return Rule(
        field,
        lambda f: np.not_equal(getattr(f, row.part), 0) if row.part else True,
        lambda f: limit.allows(getattr(f, field), f),
        lambda d: limit.problem(f"[{row.table}] {row.key}", getattr(d, field), d),
    )


def _folded(f: Any) -> Any:
    return np.not_equal(f.keccak_slices, WHOLE_ROUNDS)


def _shared(f: Any) -> Any:
    return np.logical_and(f.expand, np.equal(f.keccak, "shared"))


_FIELDS = [_of_field(field, row) for field, row in table().items() if row.limit is not None]
# Bounds that depend on other fields mean something once those are in their limits.
_FIELDS.sort(key=lambda rule: any(map(callable, vars(table()[rule.name].limit).values())))
BETWEEN = (
    Rule(
        "`stream_factor` needs one lane and two residues per beat",
        lambda f: f.stream_factor,
        lambda f: np.equal(f.lanes, 1) & np.equal(words_per_cycle(f), 2),
        lambda d: f"stream_factor needs one lane and two words of a residue per beat, got {d.lanes} and {d.chunk}",
    ),
    Rule(
        "`encode` needs stored twiddles",
        lambda f: f.encode,
        lambda f: np.equal(f.twiddles, "stored"),
        lambda d: f'encode needs twiddles = "stored", got "{d.twiddles}"',
    ),
    Rule(
        "`encode` needs a sampler and words of 24 bits or more",
        lambda f: f.encode,
        lambda f: np.greater(f.slots, 0) & np.greater_equal(f.word_bits, FIXED_BITS_MIN),
        lambda d: (
            f"encode needs a sampler and words of at least {FIXED_BITS_MIN} bits, got slots = {d.slots} and word_bits = {d.word_bits}"
        ),
    ),
    Rule(
        "`encode` needs words whose width is no multiple of 11 bits",
        lambda f: f.encode,
        lambda f: np.not_equal(np.asarray(f.word_bits) % WLM_STEP_BITS, 0),
        lambda d: (
            f"encode needs word_bits that {WLM_STEP_BITS} does not divide, got {d.word_bits}: the lanes' last step rounds by the bits it has beyond a word"
        ),
    ),
    Rule(
        "`fixed_words` and two `slot_words` need `encode`; these also two lanes and a bus of 128 bits",
        lambda f: np.not_equal(f.fixed_words, 0) | np.not_equal(f.slot_words, 1),
        lambda f: (
            np.equal(f.encode, 1)
            & (np.equal(f.slot_words, 1) | (np.greater(f.lanes, 1) & np.greater_equal(f.bus_bits, SLOT_PAIR_BITS)))
        ),
        lambda d: (
            f"fixed_words = {d.fixed_words} and slot_words = {d.slot_words} need encode, and two slot_words lanes of at least 2 and "
            f"bus_bits of at least {SLOT_PAIR_BITS}, got {d.lanes} and {d.bus_bits}"
        ),
    ),
    Rule(
        "`slices` need stored twiddles",
        lambda f: np.not_equal(f.slices, 1),
        lambda f: np.equal(f.twiddles, "stored"),
        lambda d: (
            f'slices = {d.slices} needs twiddles = "stored", got "{d.twiddles}": those on the fly would begin anew in each slice'
        ),
    ),
    Rule(
        "`encode` needs two residues per beat",
        lambda f: f.encode,
        lambda f: np.greater_equal(words_per_cycle(f), 2),
        lambda d: (
            f"encode needs two words of a residue per beat, got bus_bits = {d.bus_bits} with {d.word_bits}-bit words"
        ),
    ),
    Rule(
        "the streaming unit needs 3 slots and a bus of 512 bits",
        lambda f: np.not_equal(f.stream_lanes, 0),
        lambda f: np.greater_equal(f.slots, STREAM_SLOTS) & np.equal(f.bus_bits, STREAM_BUS),
        lambda d: (
            f"[stream] needs slots of at least {STREAM_SLOTS} and bus_bits = {STREAM_BUS}, got {d.slots} and {d.bus_bits}"
        ),
    ),
    Rule(
        "`encode` beside the streaming unit needs two lanes",
        lambda f: np.logical_and(f.encode, np.not_equal(f.stream_lanes, 0)),
        lambda f: np.greater_equal(f.lanes, 2),
        lambda d: (
            f"encode with [stream] needs lanes of at least 2, got {d.lanes}: with one a message's words are in two rows"
        ),
    ),
    Rule(
        "`burst_lines` above 1 need two residues per beat, 16 words per line and residue of a beat, and neither reducers nor slices",
        lambda f: np.not_equal(f.burst_lines, 1),
        lambda f: (
            np.greater_equal(words_per_cycle(f), 2)
            & np.less_equal(16 * np.asarray(f.burst_lines) * words_per_cycle(f), 1 << np.asarray(f.log_n_min))
            & np.equal(f.reducers, 0)
            & np.equal(f.slices, 1)
        ),
        lambda d: (
            f"burst_lines = {d.burst_lines} needs two words of a residue per beat, log_n_min of at least "
            f"{(16 * d.burst_lines * d.chunk - 1).bit_length()}, reducers = 0 and slices = 1, got {d.chunk}, {d.log_n_min}, {d.reducers} and {d.slices}"
        ),
    ),
    Rule(
        "`short` needs bursts of two lines or more",
        lambda f: f.short,
        lambda f: np.not_equal(f.burst_lines, 1),
        lambda d: f"short needs burst_lines of 2 or 4, got {d.burst_lines}",
    ),
    Rule(
        "`ring` goes with neither `fields` nor the streaming unit",
        lambda f: f.ring,
        lambda f: np.equal(f.fields, 0) & np.equal(f.stream_lanes, 0),
        lambda d: f"ring needs no [fields] and no [stream] lanes, got fields = {d.fields} and {d.stream_lanes}",
    ),
    Rule(
        "`fields` need slices, words of 24 bits or more and a bus of 128 bits or more, and no streaming unit",
        lambda f: f.fields,
        lambda f: (
            np.not_equal(f.slices, 1)
            & np.greater_equal(f.word_bits, FIELD_BITS_MIN)
            & np.greater_equal(f.bus_bits, FIELD_BUS_MIN)
            & np.equal(f.stream_lanes, 0)
        ),
        lambda d: (
            f"[fields] needs slices, word_bits of at least {FIELD_BITS_MIN}, bus_bits of at least {FIELD_BUS_MIN} and no [stream] lanes, got "
            f"slices = {d.slices}, {d.word_bits} and {d.bus_bits}"
        ),
    ),
    Rule(
        "sealed `fields` need no sampler, no `encode`, no `stream_factor` and a program of 256 instructions at most",
        lambda f: np.logical_and(f.fields, np.equal(f.field_mode, "sealed")),
        lambda f: (
            np.equal(f.slots, 0)
            & np.less_equal(f.program_depth, SEALED_DEPTH_MAX)
            & np.equal(f.encode, 0)
            & np.equal(f.stream_factor, 0)
        ),
        lambda d: (
            f'[fields] mode = "sealed" needs slots = 0, program_depth of at most {SEALED_DEPTH_MAX}, encode = false and '
            f"stream_factor = false, got {d.slots}, {d.program_depth}, {d.encode} and {d.stream_factor}"
        ),
    ),
    Rule(
        "a second port needs the streaming unit",
        lambda f: np.equal(f.stream_lanes, 0),
        lambda f: np.equal(f.ports, 1),
        lambda d: "[stream] ports needs lanes",
    ),
    Rule(
        "`ternary_bytes` divides 6 per lane of the sampler",
        lambda f: np.greater(f.slots, 0),
        lambda f: np.equal(6 * f.sample_lanes % np.maximum(f.ternary_bytes, 1), 0),
        lambda d: f"[sampler] ternary_bytes must divide 6 per lane, got {d.ternary_bytes} with {d.sample_lanes} lanes",
    ),
    Rule(
        "a folded Keccak core is the only one, with one word per cycle",
        _folded,
        lambda f: np.equal(f.keccak_cores, 1) & np.equal(f.expand_words, 1),
        lambda d: f"keccak_slices = {d.keccak_slices} needs keccak_cores = 1 and [expand] words = 1",
    ),
    Rule(
        "`division_steps` needs one word per cycle",
        lambda f: np.logical_and(f.expand, np.not_equal(f.expand_steps, 0)),
        lambda f: np.equal(f.expand_words, 1),
        lambda d: f"[expand] division_steps needs words = 1, got {d.expand_words}",
    ),
    Rule(
        "a shared Keccak core needs a sampler",
        _shared,
        lambda f: np.greater(f.slots, 0),
        lambda d: '[expand] keccak = "shared" needs a sampler to share with: slots is 0',
    ),
    Rule(
        "shared Keccak cores are one per word of EXPAND",
        _shared,
        lambda f: np.less_equal(f.expand_words, f.keccak_cores),
        lambda d: f'[expand] words must be at most keccak_cores with keccak = "shared", got {d.expand_words}',
    ),
    Rule(
        "a folded Keccak core is shared",
        lambda f: np.logical_and(f.expand, _folded(f)) & np.greater(f.slots, 0),
        _shared,
        lambda d: f'keccak_slices = {d.keccak_slices} needs [expand] keccak = "shared"',
    ),
)
RULES = (*_FIELDS, *BETWEEN)


def problems(design: Design) -> Iterator[str]:
    """Sentences on what rules the design out, in the words of its file."""
    return (rule.says(design) for rule in RULES if rule.breaks(design))


def broken(design: Design, **arrays: ArrayLike) -> NDArray[np.str_]:
    """The name of the first rule that each design breaks, empty where it can be. The designs: `design` with these arrays in place of its fields, which
    are broadcast against each other."""
    unknown = arrays.keys() - table().keys()
    if unknown:
        raise TypeError(f"A design has no {', '.join(sorted(unknown))}")
    fields = SimpleNamespace(**{**asdict(design), **{name: np.asarray(array) for name, array in arrays.items()}})
    shape = np.broadcast_shapes(*(np.shape(array) for array in arrays.values()))
    found = np.full(shape, "", f"U{max(len(rule.name) for rule in RULES)}")
    for rule in RULES:
        found[(found == "") & rule.breaks(fields)] = rule.name
    return found
