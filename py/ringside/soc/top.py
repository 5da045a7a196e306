# SPDX-License-Identifier: Apache-2.0
"""The accelerator of a SoC: a design's core behind the adapters of soc/rtl, as SystemVerilog.

Ports and parameters are not written here: the ports are those of the core's source, the parameters those of the design. A port that a
SoC does not know is tied to 0 if it is an input and left open if it is an output.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..designs import Design
from ..sim.sources import CORE_TOP, of_core
from ..sim.verilate import SimulationError

LINES = 8  # under way between core and caches, in each direction
_PORT = re.compile(r"^\s*(input|output)\s+logic\s+((?:\[[^\]]*\]\s*)*)(\w+)\s*[,;)/]?", re.MULTILINE)
# what a core may drive and receive, with the bits of the SoC's buses (rs_soc_pkg)
_WIRES = {
    "aw": {"valid": 1, "ready": 1, "id": 8, "addr": 64, "len": 8, "size": 3, "burst": 2},
    "w": {"valid": 1, "ready": 1, "data": 0, "strb": 0, "last": 1},
    "b": {"valid": 1, "ready": 1, "id": 8, "resp": 2},
    "ar": {"valid": 1, "ready": 1, "id": 8, "addr": 64, "len": 8, "size": 3, "burst": 2},
    "r": {"valid": 1, "ready": 1, "id": 8, "data": 0, "resp": 2, "last": 1},
}
_LITE = {
    **{f"{channel}valid": f"s_i.{channel}_valid" for channel in ("aw", "w", "ar")},
    **{f"{channel}ready": f"s_o.{channel}_ready" for channel in ("aw", "w", "ar")},
    **{f"{channel}ready": f"s_i.{channel}_ready" for channel in ("b", "r")},
    **{f"{channel}{name}": f"s_o.{channel}_{name}" for channel in ("b", "r") for name in ("valid", "resp")},
    "awaddr": "s_i.aw_addr[11:0]",
    "araddr": "s_i.ar_addr[11:0]",
    "wdata": "s_i.w_data",
    "wstrb": "s_i.w_strb",
    "rdata": "s_o.r_data",
}
# the core's bursts as lines; addresses of the SoC have 32 bits, its IDs 8
_ADAPTER = """\
  rs_axi_pkg::read_req_t c_read_req, m_read_req;
  rs_axi_pkg::read_rsp_t c_read_rsp, m_read_rsp;
  rs_axi_pkg::write_req_t c_write_req, m_write_req;
  rs_axi_pkg::write_rsp_t c_write_rsp, m_write_rsp;
  assign c_read_req = {{c_arvalid, c_arid[3:0], 32'd0, c_araddr[31:0], c_arlen, c_rready}};
  assign {{c_arready, c_rvalid, c_rid[3:0], c_rresp, c_rlast}} = c_read_rsp;
  assign c_write_req = {{c_awvalid, c_awid[3:0], 32'd0, c_awaddr[31:0], c_awlen, c_wvalid, c_wlast, c_bready}};
  assign {{c_awready, c_wready, c_bvalid, c_bid[3:0], c_bresp}} = c_write_rsp;
  assign {{c_rid[7:4], c_bid[7:4]}} = '0;
  rs_axi_lines #(.BusBits({bus_bits}), .PortBits(64), .Lines({lines})) u_lines (
      .clk_i, .rst_ni, .s_read_i(c_read_req), .s_read_o(c_read_rsp), .s_rdata_o(c_rdata),
      .s_write_i(c_write_req), .s_write_o(c_write_rsp), .s_wdata_i(c_wdata),
      .m_read_o(m_read_req), .m_read_i(m_read_rsp), .m_rdata_i(m_i.r_data),
      .m_write_o(m_write_req), .m_write_i(m_write_rsp), .m_wdata_o(m_o.w_data)
  );
  assign {{m_o.ar_valid, m_o.ar.id, m_o.ar.addr, m_o.ar.len, m_o.r_ready}} =
      {{m_read_req.ar_valid, 8'(m_read_req.ar.id), m_read_req.ar.addr[31:0], m_read_req.ar.len, m_read_req.r_ready}};
  assign m_read_rsp = {{m_i.ar_ready, m_i.r_valid, m_i.r_id[3:0], m_i.r_resp, m_i.r_last}};
  assign {{m_o.aw_valid, m_o.aw.id, m_o.aw.addr, m_o.aw.len}} =
      {{m_write_req.aw_valid, 8'(m_write_req.aw.id), m_write_req.aw.addr[31:0], m_write_req.aw.len}};
  assign {{m_o.w_valid, m_o.w_strb, m_o.w_last, m_o.b_ready}} =
      {{m_write_req.w_valid, 8'hff, m_write_req.w_last, m_write_req.b_ready}};
  assign m_write_rsp = {{m_i.aw_ready, m_i.w_ready, m_i.b_valid, m_i.b_id[3:0], m_i.b_resp}};"""


def ports_of(source: Path, module: str) -> list[tuple[str, str]]:
    """(direction, name) of a module's ports, in order. SimulationError: there is no such module, or it has none."""
    text = re.sub(r"//[^\n]*", "", source.read_text(encoding="utf-8"))
    head = re.search(rf"^module\s+{module}\b(.*?)\);", text, re.MULTILINE | re.DOTALL)
    ports = [(match[1], match[3]) for match in _PORT.finditer(head[1])] if head else []
    if head is None or not ports:
        raise SimulationError(f"{source} has no module {module} with ports")
    return ports


def _width(bits: int) -> str:
    return f"[{bits - 1}:0] " if bits > 1 else ""


_NOTHING = """\
  assign m_o = '{b_ready: 1'b1, r_ready: 1'b1, default: '0};
  assign irq_o = 1'b0;
  rs_soc_lite_error u_error (.clk_i, .rst_ni, .s_i, .s_o);
"""


def _core(design: Design, source: Path, top: str) -> str:
    ports = ports_of(source, top)
    names = {name for _, name in ports}
    bus_bits = design.parameters["BusBits"]
    data = {"data": bus_bits, "strb": bus_bits // 8}
    wires = {
        f"{channel}{name}": data.get(name, bits) for channel, fields in _WIRES.items() for name, bits in fields.items()
    }
    lines = [f"  logic {_width(bits)}c_{wire};" for wire, bits in wires.items()]
    # what the core does not say
    lines += [f"  assign c_{wire} = '0;" for wire in ("arid", "awid") if f"m_axi_{wire}" not in names]
    given = [f".{name}({value})" for name, value in design.parameters.items()]
    pins = []
    for way, name in ports:
        if name.startswith("m_axi_") and name.removeprefix("m_axi_") in wires:
            pin = f"c_{name.removeprefix('m_axi_')}"
        elif name.startswith("s_axil_") and not name.endswith("prot"):
            pin = _LITE[name.removeprefix("s_axil_")]
        elif name in ("clk_i", "rst_ni", "irq_o"):
            pin = name
        else:
            pin = "'0" if way == "input" else ""
        pins.append(f".{name}({pin})")
    lines += [
        f"  {top} #({', '.join(given)}) u_core ({', '.join(pins)});",
        *_ADAPTER.format(bus_bits=bus_bits, lines=LINES).splitlines(),
    ]
    return "\n".join(lines) + "\n"


def accelerator(design: Design | None, tree: Path) -> str:
    """The module rs_soc_accelerator. None: no core, its addresses answer with an error. SimulationError: the core has two ports to memory."""
    if design is None:
        body = _NOTHING
    elif design.parameters.get("AxiPorts", 1) != 1:
        raise SimulationError(f"{design.name} has two ports to memory, and the SoC has one for a core")
    else:
        source = next(path for path in of_core(tree) if path.stem == CORE_TOP)
        body = _core(design, source, CORE_TOP)
    head = """input logic clk_i,
    input logic rst_ni,
    output logic irq_o,
    input rs_soc_pkg::lite_req_t s_i,
    output rs_soc_pkg::lite_rsp_t s_o,
    output rs_soc_pkg::axi_req_t m_o,
    input rs_soc_pkg::axi_rsp_t m_i"""
    return f"module rs_soc_accelerator (\n    {head}\n);\n{body}endmodule\n"
