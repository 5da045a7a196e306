# SPDX-License-Identifier: Apache-2.0
"""The accelerator of a SoC: a design's core behind the adapters of soc/rtl, as SystemVerilog.

Ports and parameters are not written here: the ports are those of the core's source, the parameters those of the design. A port that a
SoC does not know is tied to 0 if it is an input and left open if it is an output.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..designs import Design
from ..sim.sources import CORE_TOP, of_core
from ..sim.verilate import SimulationError

LINES = 8  # under way between core and caches, in each direction
_ENUM = re.compile(r"^\s*parameter\s+(\w+::\w+)\s+(\w+)", re.MULTILINE)
_PORT = re.compile(r"^\s*(input|output)\s+logic\s+((?:\[[^\]]*\]\s*)*)(\w+)\s*[,;)/]?", re.MULTILINE)
_CHANNELS = {
    "aw": (("id", 8), ("addr", 32), ("len", 8), ("size", 3), ("burst", 2)),
    "w": (("data", 64), ("strb", 8), ("last", 1)),
    "b": (("id", 8), ("resp", 2)),
    "ar": (("id", 8), ("addr", 32), ("len", 8), ("size", 3), ("burst", 2)),
    "r": (("id", 8), ("data", 64), ("resp", 2), ("last", 1)),
}
_LITE = {
    "aw": (("addr", 12),),
    "w": (("data", 32), ("strb", 4)),
    "b": (("resp", 2),),
    "ar": (("addr", 12),),
    "r": (("data", 32), ("resp", 2)),
}
_FROM_MASTER = ("aw", "w", "ar")
Channels = dict[str, tuple[tuple[str, int], ...]]


@dataclass(frozen=True)
class Head:
    """Ports and parameters of a module. ports: (direction, name), in order; enums: parameters whose type is an enumeration, with its name."""

    ports: list[tuple[str, str]]
    enums: dict[str, str]


def head_of(source: Path, module: str) -> Head:
    """SimulationError: there is no such module, or it has no ports."""
    text = re.sub(r"//[^\n]*", "", source.read_text(encoding="utf-8"))
    head = re.search(rf"^module\s+{module}\b(.*?)\);", text, re.MULTILINE | re.DOTALL)
    ports = [(match[1], match[3]) for match in _PORT.finditer(head[1])] if head else []
    if head is None or not ports:
        raise SimulationError(f"{source} has no module {module} with ports")
    return Head(ports, {match[2]: match[1] for match in _ENUM.finditer(head[1])})


def _declared(prefix: str, channels: Channels, *, master: bool) -> list[str]:
    lines = []
    for channel, fields in channels.items():
        out = (channel in _FROM_MASTER) == master
        ways = ("output", "input ") if out else ("input ", "output")
        lines += [f"{ways[0]} logic {prefix}{channel}valid", f"{ways[1]} logic {prefix}{channel}ready"]
        lines += [f"{ways[0]} logic {_width(bits)}{prefix}{channel}{field}" for field, bits in fields]
    return lines


def _width(bits: int) -> str:
    return f"[{bits - 1}:0] " if bits > 1 else ""


def _nothing() -> str:
    zeros = "".join(
        f"  assign m_{channel}{field} = '0;\n"
        for channel, fields in _CHANNELS.items()
        if channel in _FROM_MASTER
        for field, _ in (("valid", 1), *fields)
    )
    names = [f"{c}{n}" for c, fields in _LITE.items() for n in ("valid", "ready", *(f for f, _ in fields))]
    unused = {"awaddr", "wdata", "wstrb", "araddr"}
    wires = ", ".join(f".s_{name}" for name in names if name not in unused)
    return f"""{zeros}  assign {{m_bready, m_rready, irq_o}} = 3'b110;
  rs_soc_lite_error u_error (.clk_i, .rst_ni, {wires});
"""


def _core(design: Design, source: Path, top: str) -> str:
    head = head_of(source, top)
    names = {name for _, name in head.ports}
    widths = {f"{c}{f}": bits for c, fields in _CHANNELS.items() for f, bits in fields}
    bus_bits = design.parameters["BusBits"]
    wide = {"rdata": bus_bits, "wdata": bus_bits, "wstrb": bus_bits // 8, "araddr": 64, "awaddr": 64}
    wires = [f"{c}{n}" for c, fields in _CHANNELS.items() for n in ("valid", "ready", *(f for f, _ in fields))]
    lines = [f"  logic {_width(wide.get(wire, widths.get(wire, 1)))}c_{wire};" for wire in wires]
    # what the core does not say
    lines += [f"  assign c_{wire} = '0;" for wire in ("arid", "awid") if f"m_axi_{wire}" not in names]
    given = [
        f".{name}({head.enums[name]}'({value}))" if name in head.enums else f".{name}({value})"
        for name, value in design.parameters.items()
    ]
    pins = []
    for way, name in head.ports:
        if name.startswith("m_axi_") and name.removeprefix("m_axi_") in wires:
            pin = f"c_{name.removeprefix('m_axi_')}"
        elif name.startswith("s_axil_") and not name.endswith("prot"):
            pin = f"s_{name.removeprefix('s_axil_')}"
        elif name in ("clk_i", "rst_ni", "irq_o"):
            pin = name
        else:
            pin = "'0" if way == "input" else ""
        pins.append(f".{name}({pin})")
    skipped = {"arsize", "arburst", "awsize", "awburst"}  # they are always the same
    adapter = [
        f".s_{wire}(c_{wire}{'[31:0]' if wire.endswith('addr') else ''})" for wire in wires if wire not in skipped
    ]  # addresses of the SoC have 32 bits
    adapter += [f".m_{wire}" for wire in wires]
    lines += [
        f"  {top} #({', '.join(given)}) u_core ({', '.join(pins)});",
        f"  rs_axi_lines #(.BusBits({bus_bits}), .PortBits(64), .AddrBits(32), .IdBits(8), .PortIdBits(8), .Lines({LINES})) u_lines (.clk_i, .rst_ni, {', '.join(adapter)});",
    ]
    return "\n".join(lines) + "\n"


def accelerator(design: Design | None, tree: Path) -> str:
    """The module rs_soc_accelerator. None: no core, its addresses answer with an error. SimulationError: the core has two ports to memory."""
    if design is None:
        body = _nothing()
    elif design.parameters.get("AxiPorts", 1) != 1:
        raise SimulationError(f"{design.name} has two ports to memory, and the SoC has one for a core")
    else:
        source = next(path for path in of_core(tree) if path.stem == CORE_TOP)
        body = _core(design, source, CORE_TOP)
    declared = ["input logic clk_i", "input logic rst_ni", "output logic irq_o"]
    declared += _declared("s_", _LITE, master=False) + _declared("m_", _CHANNELS, master=True)
    head = ",\n    ".join(declared)
    return f"module rs_soc_accelerator (\n    {head}\n);\n{body}endmodule\n"
