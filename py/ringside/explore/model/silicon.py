# SPDX-License-Identifier: Apache-2.0
"""Gates, clock and energy as an ASIC, from what the FPGA's parts and the model of cycles say: fitted to designs that were mapped, timed and simulated as gates.

kGE is a sum of LUTs, flip-flops, multipliers and lanes. Energy is what all gates take in every cycle and what lanes take where they work, with a fitted
number each, and what memories take, with none: their energies per access are those of docs/asic.md, their accesses are counted from the units' active cycles.
The clock is that of the slowest class of parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...synth.asic.sram import cacti, scaled
from .units import SLOT_BITS, view

SCALE = 1e-6
NODE, VOLTS = 180, 1.8  # node and voltage of the library that the models are fitted to (technology.py)
PORTS_OF_A_BUTTERFLY = 4  # two words read and two written; sums and products of words read and write as many


@dataclass(frozen=True)
class SiliconModel:
    """gates: kGE of a thousand LUTs, flip-flops and of multipliers, of whole designs; energy: of `energy_terms`; clocks: MHz by `word_bits encode`."""

    gates: list[float]
    energy: list[float]
    clocks: dict[str, float]

    def microjoules(
        self, fields: Mapping[str, Any], kge: Any, cycles: Any, active: Mapping[str, Any], modulus_bits: int
    ) -> Any:
        """active: cycles in which units work."""
        logic = _sum(self.energy, energy_terms(fields, kge, cycles, active, modulus_bits))
        return logic + memory_microjoules(fields, active)

    def measured(self, lut_more: Any, ff_more: Any) -> Any:
        """kGE more of a design that has so many LUTs and flip-flops more than the model said."""
        return (self.gates[0] * lut_more + self.gates[1] * ff_more) / 1e3

    def idle_microjoules(self, kge_cycles: Any) -> Any:
        """What all gates take; kge_cycles: kGE times cycles."""
        return SCALE * self.energy[0] * kge_cycles

    def mhz(self, fields: Mapping[str, Any]) -> Any:
        """NaN where no design of the class was timed."""
        v = view(fields)
        found = np.full(np.broadcast_shapes(*(np.shape(x) for x in v.values())), np.nan, np.float32)
        for key, value in self.clocks.items():
            word, encode = map(float, key.split())
            found[np.broadcast_to((v["word_bits"] == word) & (v["encode"] == encode), found.shape)] = value  # fmt: skip
        return found


def _sum(coefficients: Sequence[float], terms: Sequence[Any]) -> Any:
    return sum((c * term for c, term in zip(coefficients, terms, strict=True)), np.float32(0))


def gate_terms(fields: Mapping[str, Any], area: Mapping[str, Any]) -> list[Any]:
    v = view(fields)
    words = v["reducers"] + v["multiplies"] * v["expand_words"]
    multipliers = v["lanes"] * (1 + v["on_the_fly"]) + words
    return [area["lut"] / 1e3, area["ff"] / 1e3, multipliers * v["word_bits"] ** 2 / 1e3]


def energy_terms(
    fields: Mapping[str, Any], kge: Any, cycles: Any, active: Mapping[str, Any], modulus_bits: int
) -> list[Any]:
    """Of gates. A lane's multiplier has rows of `word_bits`, of which those of the operand's bits change: a word of 54 bits with a modulus of 30 rests for the most part."""
    v = view(fields)
    return [SCALE * kge * cycles, SCALE * v["lanes"] * v["word_bits"] * modulus_bits * active["COMPUTE"]]


def memory_microjoules(fields: Mapping[str, Any], active: Mapping[str, Any]) -> Any:
    """Of polynomials, twiddles and slots, each with one port (docs/asic.md). Twiddles on the fly and the program take less than the rest of this is wrong by."""
    v = view(fields)
    ring, lanes, chunk = 2.0 ** v["log_n_max"], v["lanes"], v["chunk"]
    bank, table, slot = (
        _accesses(width, depth)
        for width, depth in (
            (v["word_bits"], ring / (PORTS_OF_A_BUTTERFLY * lanes)),
            (v["word_bits"], ring / lanes),
            (SLOT_BITS * chunk, ring / chunk),
        )
    )
    mean = (bank[0] + bank[1]) / 2
    words = PORTS_OF_A_BUTTERFLY * lanes * active["COMPUTE"] * mean + v["expand_words"] * active["EXPAND"] * bank[1]
    words = words + chunk * (active["STORE"] * bank[0] + (active["LOAD"] + active["LIFT"]) * bank[1])
    twiddles = (1 - v["on_the_fly"]) * lanes * active["COMPUTE"] * table[0]
    return SCALE * (words + twiddles + active["LIFT"] * (slot[0] + slot[1]))


def _accesses(width: Any, depth: Any) -> tuple[Any, Any]:
    """pJ of a read and of a write."""
    shape = np.broadcast_shapes(np.shape(width), np.shape(depth))
    pairs = np.stack([np.broadcast_to(width, shape).ravel(), np.broadcast_to(depth, shape).ravel()])
    different, where = np.unique(pairs, axis=1, return_inverse=True)
    found = [scaled(cacti(int(w), int(d)), NODE, VOLTS) for w, d in different.T]
    where = where.reshape(shape)
    read, write = (np.array([getattr(one, name) for one in found], np.float32) for name in ("read_pj", "write_pj"))
    return read[where], write[where]
