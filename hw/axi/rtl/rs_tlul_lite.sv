// SPDX-License-Identifier: Apache-2.0
// rs_tlul_lite: the core's registers on TL-UL (TileLink 1.8, uncached, 32 bits, as OpenTitan has it): a bridge to AXI4-Lite.
// Params:  SourceBits: of a_source
// Bounds:  one access at a time. An opcode other than Get, PutFullData and PutPartialData, more than a word, an address that is no multiple
//          of its size, a mask outside of the size, or one of PutFullData or Get that leaves bytes out answer d_error, and the registers see
//          nothing. a_user and d_user (integrity) are for a wrapper
// Timing:  d_valid comes with the answer of AXI4-Lite, for rs_core in the fourth cycle after a_valid; an error in the next one
module rs_tlul_lite #(
    parameter  int unsigned SourceBits = 8,
    localparam int unsigned AddrBits   = 12
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [2:0] prot_i,  // AxPROT of all accesses: bit 1 is what SecureWrites looks at

    input  logic                  a_valid_i,
    output logic                  a_ready_o,
    input  logic [           2:0] a_opcode_i,
    input  logic [           1:0] a_size_i,
    input  logic [SourceBits-1:0] a_source_i,
    input  logic [  AddrBits-1:0] a_address_i,
    input  logic [           3:0] a_mask_i,
    input  logic [          31:0] a_data_i,
    output logic                  d_valid_o,
    input  logic                  d_ready_i,
    output logic [           2:0] d_opcode_o,
    output logic [           1:0] d_size_o,
    output logic [SourceBits-1:0] d_source_o,
    output logic [          31:0] d_data_o,
    output logic                  d_error_o,

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

  localparam logic [2:0] PutFull = 3'd0, PutPartial = 3'd1, Get = 3'd4, AccessAck = 3'd0, AccessAckData = 3'd1;

  if (SourceBits == 0) begin : gen_illegal
    $fatal(1, "%m: SourceBits has to be positive");
  end

  logic busy, done, error, legal, refused_q, get_q;
  logic [1:0] size_q;
  logic [3:0] lanes;  // that address and size name
  logic [31:0] data;
  logic [SourceBits-1:0] source_q;

  always_comb begin
    case (a_size_i)
      2'd0: lanes = 4'b0001 << a_address_i[1:0];
      2'd1: lanes = a_address_i[1] ? 4'b1100 : 4'b0011;
      default: lanes = 4'b1111;
    endcase
    legal = a_opcode_i inside {PutFull, PutPartial, Get} && a_size_i != 2'd3;
    if (a_size_i == 2'd1 && a_address_i[0]) legal = 1'b0;
    if (a_size_i == 2'd2 && a_address_i[1:0] != '0) legal = 1'b0;
    if ((a_mask_i & ~lanes) != '0 || (a_opcode_i != PutPartial && a_mask_i != lanes)) legal = 1'b0;
  end

  rs_lite_master u_master (
      .start_i(a_valid_i && a_ready_o && legal),
      .write_i(a_opcode_i != Get),
      .addr_i ({a_address_i[AddrBits-1:2], 2'b00}),
      .data_i (a_data_i),
      .strb_i (a_mask_i),
      .busy_o (busy),
      .done_o (done),
      .error_o(error),
      .data_o (data),
      .take_i (d_ready_i),
      .*
  );

  assign a_ready_o = !busy && !refused_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) refused_q <= 1'b0;
    else if (a_ready_o) refused_q <= a_valid_i && !legal;
    else if (d_ready_i) refused_q <= 1'b0;
    if (a_ready_o) {get_q, size_q, source_q} <= {a_opcode_i == Get, a_size_i, a_source_i};
  end

  assign d_valid_o = done || refused_q;
  assign d_error_o = error || refused_q;
  assign d_opcode_o = get_q ? AccessAckData : AccessAck;
  assign {d_size_o, d_source_o, d_data_o} = {size_q, source_q, data};
endmodule
