# SPDX-License-Identifier: Apache-2.0
"""Gates, clock and energy as an ASIC, from what the FPGA's parts and the walk say: fitted to designs that were mapped, timed and simulated as gates.

kGE is a sum of LUTs, flip-flops, multipliers and lanes. Energy is what all gates take in every cycle, what lanes take where they work, and what memories
take where they are read or written. The clock is that of the slowest class of parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .units import memories, view

SCALE = 1e-6


@dataclass(frozen=True)
class SiliconModel:
    """gates: kGE of a thousand LUTs, flip-flops and of multipliers, of whole designs; clocks: MHz by `word_bits barrett encode`."""

    gates: list[float]
    energy: list[float]
    clocks: dict[str, float]

    def microjoules(self, fields: Mapping[str, Any], kge: Any, cycles: Any, active: Mapping[str, Any]) -> Any:
        return _sum(self.energy, energy_terms(fields, kge, cycles, active))

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
            word, barrett, encode = map(float, key.split())
            found[np.broadcast_to((v["word_bits"] == word) & (v["barrett"] == barrett) & (v["encode"] == encode), found.shape)] = value  # fmt: skip
        return found


def _sum(coefficients: Sequence[float], terms: Sequence[Any]) -> Any:
    return sum((c * term for c, term in zip(coefficients, terms, strict=True)), np.float32(0))


def gate_terms(fields: Mapping[str, Any], area: Mapping[str, Any]) -> list[Any]:
    v = view(fields)
    words = v["reducers"] + v["multiplies"] * v["expand_words"]
    multipliers = v["lanes"] * (1 + v["on_the_fly"]) + words
    return [area["lut"] / 1e3, area["ff"] / 1e3, multipliers * v["word_bits"] ** 2 / 1e3]


def energy_terms(fields: Mapping[str, Any], kge: Any, cycles: Any, active: Mapping[str, Any]) -> list[Any]:
    """active: cycles in which units work."""
    v = view(fields)
    bits = sum(np.asarray(m.count * m.width * np.sqrt(m.depth)) for m in memories(v)[:2])
    moves = active["COMPUTE"] + active["LOAD"] + active["STORE"] + active["LIFT"] + active["EXPAND"]
    lanes = v["lanes"] * v["word_bits"] ** 2
    return [
        SCALE * kge * cycles,
        SCALE * lanes * active["COMPUTE"],
        SCALE * bits / np.maximum(v["bank_groups"], 1) * moves / 1e3,
    ]
