# SPDX-License-Identifier: Apache-2.0
"""Yosys (pyosys) in processes of its own, and the cells of a 7-series FPGA that a module becomes.

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
from dataclasses import dataclass
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
# without pads and clock buffers: a module inside a chip
MAP = "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf"
# LUTs that a distributed memory takes
LUTS_OF_RAM = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1S": 4, "RAM512X1S": 8}


class YosysError(Exception):
    """The end of the log of a run that failed."""


def version() -> str | None:
    """Of pyosys; None if it is not there."""
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


def read(top: str, sources: Sequence[Path], parameters: Mapping[str, Any] | None = None, *options: str) -> str:
    """The pass that reads a design; memories stay registers unless they ask for more by an attribute."""
    words = ["read_slang", "--no-implicit-memories", "--unroll-limit", "20000", "--top", top, *options]
    for name, value in (parameters or {}).items():
        words += ["-G", f"{name}={getattr(value, 'label', value)}"]
    return shlex.join([*words, *map(str, sources)])


@dataclass(frozen=True)
class Resources:
    """Cells after mapping, before placement. Shift registers and small memories count as LUTs; memory_bits are those written in RTL."""

    lut: int = 0
    ff: int = 0
    dsp: int = 0
    bram36: int = 0
    bram18: int = 0
    memory_bits: int = 0

    def __add__(self, other: Resources) -> Resources:
        return Resources(*(a + b for a, b in zip(self.values, other.values, strict=True)))

    def __mul__(self, times: int) -> Resources:
        return Resources(*(times * value for value in self.values))

    @property
    def values(self) -> tuple[int, ...]:
        return (self.lut, self.ff, self.dsp, self.bram36, self.bram18, self.memory_bits)


def mapped(passes: Sequence[str], options: str = "", memory_bits: int = 0) -> Resources:
    """Of the design that the passes read."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "stat.json"
        run([*passes, f"{MAP} {options}", f"tee -q -o {file} stat -json"])
        cells = json.loads(file.read_text(encoding="utf-8"))["design"]["num_cells_by_type"]

    def total(*prefixes: str) -> int:
        return sum(count for name, count in cells.items() if name.startswith(prefixes))

    return Resources(
        lut=total("LUT", "SRL") + sum(luts * cells.get(name, 0) for name, luts in LUTS_OF_RAM.items()),
        ff=total("FD"),
        dsp=total("DSP48"),
        bram36=total("RAMB36"),
        bram18=total("RAMB18"),
        memory_bits=memory_bits,
    )
