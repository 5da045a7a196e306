# SPDX-License-Identifier: Apache-2.0
"""The bench's flip-flops beside those of synthesis: how many there are, and why the numbers differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..designs import Design
from ..progress import Progress
from ..synth.resources import measure
from ..synth.yosys import XC7, Family
from .toggles import FlipFlops

READ = "rdata_"  # begins the name of what a memory has read


@dataclass(frozen=True)
class PlainRegisters(Family):
    """Flip-flops as the RTL has them once constants, twins and what nobody reads are gone: before any technology takes some into memories, shift
    registers and multipliers. Memories stay memories."""

    def passes(self, top: str, *, inside: bool = True) -> list[str]:
        chosen = [f"-top {top}"] if top else []
        return [
            " ".join(["synth -flatten -run begin:fine", *chosen]),
            "opt_clean",
            "simplemap t:$*dff* t:$*dffe*",
            "opt_clean",
        ]


REGISTERS = PlainRegisters("registers", "RTL", "", "", counts={"ff": {r"\$_[A-Z]*DFF[A-Z]*_.*": 1}}, units={"ff": "FF"})


@dataclass(frozen=True)
class Difference:
    bits: int
    reason: str


@dataclass(frozen=True)
class FlipFlopCount:
    """bench: bits of the model's flip-flops; synthesised: of the design before it is mapped; mapped: as `ringside synth` says. differences: what is
    taken from the first number to come to the last one."""

    bench: int
    synthesised: int
    mapped: int
    differences: Sequence[Difference]


def count(design: Design, flip_flops: Sequence[FlipFlops], progress: Progress | None = None) -> FlipFlopCount:
    """DeviceError: as synth.resources.synthesise."""
    top = [("rs_core", design.parameters)]
    (registers,), _, _ = measure(top, progress, REGISTERS)
    (mapped,), _, _ = measure(top, progress, XC7)
    bench = sum(one.bits for one in flip_flops)
    outputs = sum(one.bits for one in flip_flops if one.path.rpartition(".")[2].startswith(READ))
    made, ff = registers[0].total.ff, mapped[0].total.ff
    return FlipFlopCount(bench, made, ff, [
        Difference(outputs, "outputs of memories: in the memory"),
        Difference(bench - outputs - made, "constant, equal to another one, or read by nobody in this design"),
        Difference(made - ff, "in shift registers of LUTs and in multipliers of the FPGA"),
    ])  # fmt: skip
