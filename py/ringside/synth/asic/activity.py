# SPDX-License-Identifier: Apache-2.0
"""How often every net of every part toggles while the design encrypts.

The RTL runs in Verilator, driven by the library as usual. A probe bound to each instance of a part hands over its ports in every
cycle, and the part's netlist (sim/gates.cpp) is simulated beside it with those inputs; its outputs are compared.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cycles.operation import parameters, run_operation
from ...designs import Design
from ...devices.simulated import SimulatedDevice
from ...errors import DeviceError
from ...native.files import staged_file
from ...native.library import lib as native
from ...objects.ckks.context import Context
from ...progress import Progress, repeated
from ...sim.core import Core, Memory, sources
from ...sim.program import native_design
from ...sim.sources import CORE_HARNESS
from ...sim.verilate import SimulationError, build, cache_directory, compiler, run_tool, source_tree
from ..parts import Part
from .gates import Gates

TOP = "rs_core"
CLOCK = "clk_i"
SAY_SECONDS = 20.0
_PORTS = re.compile(r"^  wire (?:width (\d+) )?(?:\S+ )*?(input|output) (\d+) \\?(\S+)$", re.MULTILINE)
_PROBE = """
module rs_probe #(parameter int Width = 1) (input logic clk_i, input logic [Width-1:0] data_i);
  import "DPI-C" function int rs_probe_open(input string path, input int width);
  import "DPI-C" function void rs_probe_put(input int id, input bit [{most}-1:0] data);
  int id;
  initial id = rs_probe_open($sformatf("%m"), Width);
  always @(posedge clk_i) rs_probe_put(id, {most}'(data_i));
endmodule
"""


@dataclass(frozen=True)
class Activity:
    """cycles: counted ones. toggles: of the nets of an instance's gates, by path; accesses: reads and writes of memories, by path.

    mismatches: bits of outputs of netlists that were not what the RTL had, by path; compared: bits that were looked at.
    """

    cycles: int
    job_cycles: int
    toggles: Mapping[str, NDArray[np.uint64]]
    accesses: Mapping[str, tuple[int, int]]
    mismatches: Mapping[str, int]
    compared: int


class _Tap(ctypes.Structure):
    _fields_ = [("probe", ctypes.c_int32), ("bit", ctypes.c_int32), ("net", ctypes.c_int32)]


def ports(part: Part) -> list[tuple[str, int]]:
    """Names and bits, in order, without the clock."""
    text = part.text[part.text.index(f"module \\{part.module}\n") :]
    found = sorted((int(number), name, int(width or 1)) for width, _, number, name in _PORTS.findall(text))
    return [(name, width) for _, name, width in found if name != CLOCK]


def bindings(parts: Sequence[Part], clock: Callable[[Part], str] = lambda part: CLOCK) -> str:
    """SystemVerilog: a probe in every instance of the parts' modules. Ports stand lowest first. clock: what the RTL calls a part's."""
    most = max(sum(width for _, width in ports(part)) for part in parts)
    lines = [_PROBE.format(most=most)]
    for module in sorted({part.module for part in parts}):
        part = next(part for part in parts if part.module == module)
        data = "{" + ", ".join(name for name, _ in reversed(ports(part))) + "}"
        lines.append(
            f"bind {module} rs_probe #(.Width($bits({data}))) u_rs_probe (.clk_i({clock(part)}), .data_i({data}));"
        )
    return "\n".join([*lines, ""])


@cache
def _kernel() -> Any:
    """sim/gates.cpp, compiled once. Models find its symbols, those of the first one in a process."""
    source = source_tree() / "sim" / "gates.cpp"
    key = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    library = cache_directory() / f"gates-{key}.so"
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        with staged_file(library) as new:
            run_tool([compiler(), "-O2", "-std=gnu++17", "-shared", "-fPIC", source, "-o", new])
    kernel: Any = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
    kernel.rs_gates_probe_path.restype = ctypes.c_char_p
    for name in ("cycles", "watched", "mismatches"):
        getattr(kernel, f"rs_gates_{name}").restype = ctypes.c_uint64
    return kernel


def record(
    design: Design,
    parts: Mapping[str, Part],
    gates: Mapping[str, Gates],
    op: str,
    n: int,
    limbs: int,
    bits: int,
    macros: Sequence[str],
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
) -> Activity:
    """parts, gates: by key; a part without gates is a memory, whose accesses are counted. say: called from time to time with how far it is.

    macros: those that the parts were elaborated with. Without them the RTL can have other memories than the netlists.

    DeviceError: the design cannot do the operation, its result is not the library's, or it cannot be simulated.
    """
    different = list(parts.values())
    params = parameters(op, n, limbs, bits)
    try:
        kernel = _kernel()
        with tempfile.TemporaryDirectory() as folder:
            probes_file = Path(folder) / "rs_probe.sv"
            probes_file.write_text(bindings(different), encoding="utf-8")
            model = build(
                TOP,
                [*sources(), probes_file],
                design.parameters,
                harness=CORE_HARNESS,
                assertions=False,
                macros=macros,
                progress=progress,
            )
        kernel.rs_gates_clear()
        size = int(native.rs_device_memory_bytes(native_design(design), params._native, 3, 1))
        core = Core(
            model,
            # registers start with zeros, like those of the netlists
            Memory(size=-(-size >> 20) << 20, seed=0),
            failed=native.RS_ERR_DEVICE_ABSENT,
            timeout=native.RS_ERR_DEVICE_BUSY,
        )
    except (SimulationError, OSError) as error:  # a tool that is not there is an OSError
        raise DeviceError("SIMULATION", f"The simulation of {design.name} cannot be built: {error}") from error
    probes = _Probes(kernel, different)
    indices = {path: probes.add(path, parts[key], gates.get(key)) for key in parts for path in parts[key].paths}
    core.reset()  # again, now with the netlists beside it
    device = SimulatedDevice(design, core)
    context = Context(params)
    kernel.rs_gates_count(1)
    tell = say or (lambda text: None)
    try:
        with repeated(SAY_SECONDS, lambda: tell(f"{int(kernel.rs_gates_cycles()):,} cycles")):
            run_operation(device, context, op, limbs)
    finally:
        kernel.rs_gates_count(0)
    job_cycles = device.runs[-1].cycles
    toggles, mismatches, accesses = {}, {}, {}
    for key, part in parts.items():
        for path in part.paths:
            index = indices[path]
            if key in gates:
                counts = np.zeros(gates[key].nets, np.uint64)
                kernel.rs_gates_toggles(index, ctypes.c_void_p(counts.ctypes.data))
                toggles[path] = counts
                mismatches[path] = int(kernel.rs_gates_mismatches(index))
            else:
                accesses[path] = (int(kernel.rs_gates_watched(index)), int(kernel.rs_gates_watched(index + 1)))
    cycles = int(kernel.rs_gates_cycles())
    device.close()
    kernel.rs_gates_clear()
    return Activity(cycles, job_cycles, toggles, accesses, mismatches, probes.compared * cycles)


class Taps:
    """Bits of probes: every path of the parts has one, with this number."""

    def __init__(self, number: Mapping[str, int], parts: Iterable[Part]) -> None:
        self._number = number
        self.widths: dict[str, int] = {}  # by path
        self._ports: dict[str, dict[str, int]] = {}  # path -> port -> its lowest bit
        for part in parts:
            for path in part.paths:
                at, self._ports[path] = 0, {}
                for name, width in ports(part):
                    self._ports[path][name] = at
                    at += width
                self.widths[path] = at

    def one(self, path: str, port: str, bit: int, net: int) -> _Tap:
        return _Tap(self._number[path], self._ports[path][port] + bit, net)

    def of(self, path: str, found: Sequence[tuple[str, str, int, int]]) -> ctypes.Array[_Tap]:
        """found: inputs or outputs of Gates."""
        made = [
            self.one(f"{path}.{child}" if child else path, port, bit, net)
            for child, port, bit, net in found
            if port != CLOCK
        ]
        return (_Tap * len(made))(*made)

    def accesses(self, path: str, enable: str, write: str) -> list[tuple[_Tap, _Tap]]:
        """Taps of a memory, by the names of its ports: what is there when it is read, and when it is written."""
        return [(self.one(path, enable, 0, 1), self.one(path, write, 0, value)) for value in (0, 1)]


class _Probes:
    """The probes of a model that is running, and what is connected to them."""

    def __init__(self, kernel: Any, parts: Sequence[Part]) -> None:
        self._kernel = kernel
        self.compared = 0
        number: dict[str, int] = {}
        for index in range(kernel.rs_gates_probe_count()):
            path = kernel.rs_gates_probe_path(index).decode().removesuffix(".u_rs_probe")
            number[path[path.index(TOP) :]] = index
        self._taps = Taps(number, parts)
        for path, width in self._taps.widths.items():
            if path not in number or kernel.rs_gates_probe_width(number[path]) != width:
                raise DeviceError("SIMULATION", f"The ports of {path} are not those of its netlist.")

    def add(self, path: str, part: Part, gates: Gates | None) -> int:
        """Index of the netlist, or of the first of a memory's two counters."""
        if gates is None:
            reads, _ = (self._kernel.rs_gates_watch(*pair) for pair in self._taps.accesses(path, "req_i", "we_i"))
            return int(reads)
        ins, outs = (self._taps.of(path, found) for found in (gates.inputs, gates.outputs))
        in_count, out_count = len(ins), len(outs)
        self.compared += out_count
        arrays = [np.ascontiguousarray(array) for array in gates.arrays]
        table, counts, inputs, outputs, delays, flop_d, flop_q, flop_gate, enable, held, clock = (
            ctypes.c_void_p(array.ctypes.data) for array in arrays
        )
        return int(
            self._kernel.rs_gates_add(
                gates.nets,
                len(arrays[0]),
                table,
                counts,
                inputs,
                outputs,
                delays,
                len(arrays[5]),
                flop_d,
                flop_q,
                flop_gate,
                len(arrays[8]),
                enable,
                held,
                clock,
                in_count,
                ins,
                out_count,
                outs,
            )
        )
