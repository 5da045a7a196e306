// SPDX-License-Identifier: Apache-2.0
// rs_apb_lite: the core's registers on APB4 (ARM IHI 0024): a bridge to AXI4-Lite.
// Bounds:  PADDR is stable from setup to PREADY, as APB says; a transfer that its master gives up (PSEL falls early) is ended on AXI4-Lite, and its
//          answer dropped
// Timing:  PREADY comes with the answer of AXI4-Lite, for rs_core in the fifth cycle of a transfer, setup and access together; SLVERR is PSLVERR
module rs_apb_lite #(
    localparam int unsigned AddrBits = 12
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                psel_i,
    input  logic                penable_i,
    input  logic                pwrite_i,
    input  logic [AddrBits-1:0] paddr_i,
    input  logic [        31:0] pwdata_i,
    input  logic [         3:0] pstrb_i,
    input  logic [         2:0] pprot_i,
    output logic                pready_o,
    output logic [        31:0] prdata_o,
    output logic                pslverr_o,

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

  logic busy, done, error, given_up_q;
  logic [31:0] data;

  rs_lite_master u_master (
      .start_i(psel_i),
      .write_i(pwrite_i),
      .addr_i (paddr_i),
      .data_i (pwdata_i),
      .strb_i (pstrb_i),
      .prot_i (pprot_i),
      .busy_o (busy),
      .done_o (done),
      .error_o(error),
      .data_o (data),
      .take_i (penable_i || !psel_i || given_up_q),
      .*
  );

  always_ff @(posedge clk_i) given_up_q <= rst_ni && busy && !done && (!psel_i || given_up_q);

  assign pready_o  = done && !given_up_q;
  assign pslverr_o = error && !given_up_q;
  assign prdata_o  = pready_o ? data : '0;
endmodule
