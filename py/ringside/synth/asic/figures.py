# SPDX-License-Identifier: Apache-2.0
"""Figures of a design as an ASIC. Areas in um2, times in the unit of their names; figures are those before layout."""

from __future__ import annotations

from dataclasses import dataclass

from .sram import Sram
from .timing import Slowest, Timing


@dataclass(frozen=True)
class PartCost:
    """Cost of one part, without the parts in it. cells: how many of each; gated_flip_flops: behind clock gates; timing: of it alone."""

    cells: dict[str, int]
    area_um2: float
    leakage_mw: float
    flip_flops: int
    clock_gates: int
    gated_flip_flops: int
    timing: Timing


@dataclass(frozen=True)
class AsicBlock:
    """A part where it stands. own_kge: of one; kge, flip_flops, memory_um2: of all instances with the parts in them.

    fmax_mhz: between the registers of the part alone; 0: none. energy_uj: of all instances, without the parts in them.
    """

    module: str
    depth: int
    instances: int
    own_kge: float
    kge: float
    flip_flops: int
    memory_bits: int
    memory_um2: float
    fmax_mhz: float
    energy_uj: float | None


@dataclass(frozen=True)
class UnitArea:
    """A lane or multiplier alone. slowest: its path between registers."""

    module: str
    word_bits: int
    kge: float
    area_um2: float
    flip_flops: int
    fmax_mhz: float
    slowest: Slowest


@dataclass(frozen=True)
class EnergyRun:
    """The operation that is simulated for energy. bits: of a modulus."""

    op: str = "encrypt-pk-direct"
    n: int = 4096
    limbs: int = 1
    bits: int = 30


@dataclass(frozen=True)
class EnergyReport:
    """Energy and power at the clock. energy_uj, power_mw: everything, with glitches as the gates' delays make them; without: as if they had none.

    clock, switching, internal, memory and leakage add up to energy_uj. mismatches: bits of netlists' outputs that differed from
    the RTL's, by path, of those compared.
    """

    op: str
    n: int
    limbs: int
    cycles: int
    clock_mhz: float
    seconds: float
    energy_uj: float
    energy_without_glitches_uj: float
    clock_uj: float
    switching_uj: float
    internal_uj: float
    memory_uj: float
    leakage_uj: float
    power_mw: float
    dynamic_mw: float
    leakage_mw: float
    mismatches: dict[str, int]
    compared: int


@dataclass(frozen=True)
class AsicReport:
    """blocks: depth first, the top first. kge: without memories, in units of `gate`. memories: (number, each).

    clock_gate: its cells, or why there is none; clock_gates, gated_flip_flops: of the whole.
    """

    design: str
    technology: str
    library: str
    corner: str
    licence: str
    tools: dict[str, str]
    left_out: str
    gate: str
    gate_um2: float
    kge: float
    area_um2: float
    memory_um2: float
    memory_um2_unscaled: float
    leakage_mw: float
    clock_gate: str
    clock_gates: int
    gated_flip_flops: int
    fmax_mhz: float
    slowest: Slowest
    by_part_mhz: float
    by_part: str
    memories: list[tuple[int, Sram]]
    blocks: list[AsicBlock]
    units: list[UnitArea]
    energy: EnergyReport | None
    parts: int
    synthesised: int
