// SPDX-License-Identifier: Apache-2.0
// rs_lite_master: one access after the other on AXI4-Lite, for a bridge from another bus to the core's registers.
// Bounds:  start_i while busy_o is ignored; AXI4-Lite of 32 bits at the other side
// Timing:  offers come from flip-flops, in the cycle after start_i; the answer passes in the cycle in which it comes and take_i is 1
module rs_lite_master #(
    localparam int unsigned AddrBits = 12
) (
    input logic clk_i,
    input logic rst_ni,

    input logic start_i,
    input logic write_i,
    input logic [AddrBits-1:0] addr_i,
    input logic [31:0] data_i,
    input logic [3:0] strb_i,
    input logic [2:0] prot_i,
    output logic busy_o,
    output logic done_o,  // the answer is here, until take_i
    output logic error_o,  // with done_o
    output logic [31:0] data_o,  // 0 but for the answer of a read
    input logic take_i,

    output logic                m_axil_awvalid,
    input  logic                m_axil_awready,
    output logic [AddrBits-1:0] m_axil_awaddr,
    output logic [         2:0] m_axil_awprot,
    output logic                m_axil_wvalid,
    input  logic                m_axil_wready,
    output logic [        31:0] m_axil_wdata,
    output logic [         3:0] m_axil_wstrb,
    input  logic                m_axil_bvalid,
    output logic                m_axil_bready,
    input  logic [         1:0] m_axil_bresp,
    output logic                m_axil_arvalid,
    input  logic                m_axil_arready,
    output logic [AddrBits-1:0] m_axil_araddr,
    output logic [         2:0] m_axil_arprot,
    input  logic                m_axil_rvalid,
    output logic                m_axil_rready,
    input  logic [        31:0] m_axil_rdata,
    input  logic [         1:0] m_axil_rresp
);

  logic busy_q, write_q, address_q, data_q;  // what is on offer
  logic [AddrBits-1:0] addr_q;
  logic [31:0] word_q;
  logic [3:0] strb_q;
  logic [2:0] prot_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {busy_q, address_q, data_q} <= '0;
    else if (!busy_q) {busy_q, address_q, data_q} <= {start_i, start_i, start_i && write_i};
    else begin
      busy_q    <= !(done_o && take_i);
      address_q <= address_q && !(write_q ? m_axil_awready : m_axil_arready);
      data_q    <= data_q && !m_axil_wready;
    end
    if (!busy_q) {write_q, addr_q, word_q, strb_q, prot_q} <= {write_i, addr_i, data_i, strb_i, prot_i};
  end

  assign busy_o = busy_q;
  assign done_o = busy_q && (write_q ? m_axil_bvalid : m_axil_rvalid);
  assign error_o = done_o && (write_q ? m_axil_bresp[1] : m_axil_rresp[1]);
  assign data_o = done_o && !write_q ? m_axil_rdata : '0;

  assign {m_axil_awvalid, m_axil_awaddr, m_axil_awprot} = {address_q && write_q, addr_q, prot_q};
  assign {m_axil_arvalid, m_axil_araddr, m_axil_arprot} = {address_q && !write_q, addr_q, prot_q};
  assign {m_axil_wvalid, m_axil_wdata, m_axil_wstrb} = {data_q, word_q, strb_q};
  assign m_axil_bready = busy_q && write_q && take_i;
  assign m_axil_rready = busy_q && !write_q && take_i;

  logic unused_bits;  // OKAY and EXOKAY, SLVERR and DECERR
  assign unused_bits = ^{m_axil_bresp[0], m_axil_rresp[0]};
endmodule
