# SPDX-License-Identifier: Apache-2.0
"""Yosys (pyosys) in processes of its own, and the cells of an FPGA that a module becomes.

Only the standard library is used: hw/common/tb/rs_yosys.py takes this file by its path, without the package.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

# Reads passes, one in a line; the process is the sandbox, because Yosys leaves it on errors.
RUNNER = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in sys.stdin:
    libyosys.run_pass(line.strip(), design)
"""


class YosysError(Exception):
    """The end of the log of a run that failed."""


def version() -> str | None:
    """The version of pyosys; None if it is not there."""
    try:
        return importlib.metadata.version("pyosys")
    except importlib.metadata.PackageNotFoundError:
        return None


def run(passes: Sequence[str]) -> str:
    """Run passes on an empty design; the log."""
    command = [sys.executable, "-c", RUNNER]
    done = subprocess.run(command, input="\n".join(passes), capture_output=True, text=True)
    log = done.stdout + done.stderr
    if done.returncode or re.search(r"^ERROR:", log, re.MULTILINE):
        raise YosysError("\n".join(log.splitlines()[-30:]))
    return log


def defined(*macros: str) -> list[str]:
    """Options of `read`, for sources that are to be synthesised."""
    return [word for macro in ("SYNTHESIS", *macros) for word in ("-D", macro)]


def read(top: str, sources: Sequence[Path], parameters: Mapping[str, Any] | None = None, *options: str) -> str:
    """The pass that reads a design; memories stay registers unless they ask for more by an attribute."""
    words = ["read_slang", "--no-implicit-memories", "--unroll-limit", "20000", "--top", top, *options]
    for name, value in (parameters or {}).items():
        words += ["-G", f"{name}={getattr(value, 'label', value)}"]
    return shlex.join([*words, *map(str, sources)])


# ---- FPGAs ----------------------------------------------------------------------------------------------------------
# Paths that are shorter are mapped for area. Without it each run spends LUTs on its own longest path, and one and the same block is
# larger alone than beside something slower (docs/decisions/figures.md, decision 23).
DELAY_PS = 5000


@dataclass(frozen=True)
class Family:
    """FPGAs of one kind.

    map: the pass that maps a whole chip to them; inside: its options for a module inside one, which has no pads. counts: for each
    field of Resources, what a cell whose whole name matches the pattern counts as. units: what the fields are called there.
    macros: the RTL's, for these FPGAs. caveat: what to know.
    """

    name: str
    title: str
    map: str
    inside: str
    counts: Mapping[str, Mapping[str, int]]
    units: Mapping[str, str]
    macros: tuple[str, ...] = ()
    caveat: str = ""

    @property
    def source(self) -> str:
        """Where its figures come from."""
        caveat = f" ({self.caveat})" if self.caveat else ""
        return f"Yosys {version()}, {self.map}; mapped for {DELAY_PS / 1000:g} ns, not placed{caveat}"

    def passes(self, top: str, *, inside: bool = True) -> list[str]:
        """Passes that map `top`, or whatever is the top already."""
        words = [self.map, *([self.inside] if inside else []), *([f"-top {top}"] if top else [])]
        return [f"scratchpad -set abc9.D {DELAY_PS}", " ".join(words)]


# LUTs that distributed memories take; SRL: shift registers, one LUT each
_XILINX_LUTS = {
    "LUT[1-6]|SRL.*": 1,
    "RAM(32|64)X1D": 2,
    "RAM(32|64)M|RAM128X1D|RAM256X1S": 4,
    "RAM(32M16|64M8|256X1D|512X1S)": 8,
}
_XILINX_UNITS = {"lut": "LUT6", "ff": "FF", "bram36": "RAMB36", "bram18": "RAMB18"}
XC7 = Family(
    name="xc7",
    title="7-series FPGA",
    map="synth_xilinx -family xc7 -flatten",
    inside="-noiopad -noclkbuf",
    counts={
        "lut": _XILINX_LUTS,
        "ff": {"FD.*": 1},
        "dsp": {"DSP48.*": 1},
        "bram36": {"RAMB36.*": 1},
        "bram18": {"RAMB18.*": 1},
    },
    units=_XILINX_UNITS | {"dsp": "DSP48E1"},
)
XCUP = Family(
    name="xcup",
    title="UltraScale+ FPGA",
    map="synth_xilinx -family xcup -flatten",
    inside=XC7.inside,
    counts={**XC7.counts, "uram": {"URAM288.*": 1}},
    units=_XILINX_UNITS | {"dsp": "DSP48E2", "uram": "URAM288"},
    macros=("RS_MUL_WIDE",),
    caveat="LUT and FF are pessimistic: Yosys leaves the registers and adders of multipliers outside of the DSP48E2",
)
# LUTs of five and more inputs are pairs with a multiplexer here: without them a Keccak core takes 10 % fewer LUTs
ECP5 = Family(
    name="ecp5",
    title="Lattice ECP5",
    map="synth_lattice -family ecp5 -nowidelut",
    inside="-noiopad",
    # a carry cell is two LUTs; a distributed memory is four, and two that write it
    counts={
        "lut": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6},
        "ff": {"TRELLIS_FF": 1},
        "dsp": {"MULT18X18D": 1},
        "bram18": {"DP16KD|PDPW16KD": 1},
    },
    units={"lut": "LUT4", "ff": "FF", "dsp": "MULT18X18D", "bram18": "DP16KD"},
    macros=("RS_MUL_TILE_B=18",),
    caveat="multipliers without their registers, which Yosys leaves outside",
)
FAMILIES = {family.name: family for family in (XC7, XCUP, ECP5)}


def with_ultra_ram(family: Family) -> Family:
    """For devices that have it: long memories are of it, not of block RAM."""
    return replace(family, macros=(*family.macros, "RS_ULTRA_RAM"))


@dataclass(frozen=True)
class Resources:
    """Cells after mapping, before placement. Shift registers and small memories count as LUTs; memory_bits are those written in RTL.

    bram18: memories of 18,432 bits, whatever the family calls them; bram36: of two of these.
    """

    lut: int = 0
    ff: int = 0
    dsp: int = 0
    bram36: int = 0
    bram18: int = 0
    uram: int = 0
    memory_bits: int = 0

    def __add__(self, other: Resources) -> Resources:
        return Resources(*(a + b for a, b in zip(self.values, other.values, strict=True)))

    def __mul__(self, times: int) -> Resources:
        return Resources(*(times * value for value in self.values))

    @property
    def values(self) -> tuple[int, ...]:
        return astuple(self)


def mapped(passes: Sequence[str], top: str = "", memory_bits: int = 0, family: Family = XC7) -> Resources:
    """Cells of the design that the passes read; they name its top, or `top` does."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "stat.json"
        run([*passes, *family.passes(top), f"tee -q -o {file} stat -json"])
        cells = json.loads(file.read_text(encoding="utf-8"))["design"]["num_cells_by_type"]
    return counted(cells, family, memory_bits)


def counted(cells: Mapping[str, int], family: Family, memory_bits: int = 0) -> Resources:
    """cells: how many of each."""
    found = {
        resource: sum(
            each * count
            for pattern, each in patterns.items()
            for name, count in cells.items()
            if re.fullmatch(pattern, name)
        )
        for resource, patterns in family.counts.items()
    }
    return Resources(**found, memory_bits=memory_bits)
