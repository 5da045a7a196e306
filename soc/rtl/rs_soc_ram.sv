// SPDX-License-Identifier: Apache-2.0
// rs_soc_ram: two masters at one RAM, AXI4; the processor (a) goes before the core (b).
// Model:   soc/tb/test_rs_soc_filter.py
// Params:  IdBits: of the masters; RAM sees one bit more, which says whose access it is. Depth: writes whose data are not through, a power
//          of two
// Bounds:  none; what is offered to RAM stays as it is until it is taken
// Timing:  no cycle
module rs_soc_ram #(
    parameter int unsigned IdBits = 4,
    parameter int unsigned Depth  = 4
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic [ 1:0]             s_arvalid,
    output logic [ 1:0]             s_arready,
    input  logic [ 1:0][IdBits-1:0] s_arid,
    input  logic [ 1:0][      31:0] s_araddr,
    input  logic [ 1:0][       7:0] s_arlen,
    output logic [ 1:0]             s_rvalid,
    input  logic [ 1:0]             s_rready,
    output logic [ 1:0][IdBits-1:0] s_rid,
    output logic [63:0]             s_rdata,
    output logic [ 1:0]             s_rresp,
    output logic                    s_rlast,
    input  logic [ 1:0]             s_awvalid,
    output logic [ 1:0]             s_awready,
    input  logic [ 1:0][IdBits-1:0] s_awid,
    input  logic [ 1:0][      31:0] s_awaddr,
    input  logic [ 1:0][       7:0] s_awlen,
    input  logic [ 1:0]             s_wvalid,
    output logic [ 1:0]             s_wready,
    input  logic [ 1:0][      63:0] s_wdata,
    input  logic [ 1:0][       7:0] s_wstrb,
    input  logic [ 1:0]             s_wlast,
    output logic [ 1:0]             s_bvalid,
    input  logic [ 1:0]             s_bready,
    output logic [ 1:0][IdBits-1:0] s_bid,
    output logic [ 1:0]             s_bresp,

    output logic            m_arvalid,
    input  logic            m_arready,
    output logic [IdBits:0] m_arid,
    output logic [    31:0] m_araddr,
    output logic [     7:0] m_arlen,
    input  logic            m_rvalid,
    output logic            m_rready,
    input  logic [IdBits:0] m_rid,
    input  logic [    63:0] m_rdata,
    input  logic [     1:0] m_rresp,
    input  logic            m_rlast,
    output logic            m_awvalid,
    input  logic            m_awready,
    output logic [IdBits:0] m_awid,
    output logic [    31:0] m_awaddr,
    output logic [     7:0] m_awlen,
    output logic            m_wvalid,
    input  logic            m_wready,
    output logic [    63:0] m_wdata,
    output logic [     7:0] m_wstrb,
    output logic            m_wlast,
    input  logic            m_bvalid,
    output logic            m_bready,
    input  logic [IdBits:0] m_bid,
    input  logic [     1:0] m_bresp
);
  localparam int unsigned PlaceBits = $clog2(Depth);

  if (Depth < 2 || 2 ** PlaceBits != Depth) begin : gen_illegal
    $fatal(1, "%m: Depth must be a power of two from 2 on");
  end

  // ---- reads ---------------------------------------------------------------------------------------------------------------
  logic ar_held_q, ar_last_q, ar_who;
  assign ar_who = ar_held_q ? ar_last_q : !s_arvalid[0];
  assign m_arvalid = s_arvalid[ar_who];
  assign {m_arid, m_araddr, m_arlen} = {ar_who, s_arid[ar_who], s_araddr[ar_who], s_arlen[ar_who]};
  assign s_arready = {m_arready && ar_who, m_arready && !ar_who};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_held_q <= 1'b0;
    else ar_held_q <= m_arvalid && !m_arready;
    ar_last_q <= ar_who;
  end

  logic r_who;
  assign r_who = m_rid[IdBits];
  assign s_rvalid = {m_rvalid && r_who, m_rvalid && !r_who};
  assign m_rready = s_rready[r_who];
  assign s_rid = {2{m_rid[IdBits-1:0]}};
  assign {s_rdata, s_rresp, s_rlast} = {m_rdata, m_rresp, m_rlast};

  // ---- writes: data in the order of the addresses ----------------------------------------------------------------------------
  logic aw_held_q, aw_last_q, aw_who, w_who, said, through;
  logic [PlaceBits:0] due_q;
  logic [PlaceBits-1:0] head_q, tail_q;
  logic [Depth-1:0] who_q;

  assign aw_who = aw_held_q ? aw_last_q : !s_awvalid[0];
  assign m_awvalid = s_awvalid[aw_who] && !due_q[PlaceBits];
  assign {m_awid, m_awaddr, m_awlen} = {aw_who, s_awid[aw_who], s_awaddr[aw_who], s_awlen[aw_who]};
  assign said = m_awvalid && m_awready;
  assign s_awready = {said && aw_who, said && !aw_who};
  assign w_who = who_q[head_q];
  assign m_wvalid = s_wvalid[w_who] && due_q != '0;
  assign {m_wdata, m_wstrb, m_wlast} = {s_wdata[w_who], s_wstrb[w_who], s_wlast[w_who]};
  assign s_wready = {m_wready && due_q != '0 && w_who, m_wready && due_q != '0 && !w_who};
  assign through = m_wvalid && m_wready && m_wlast;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      due_q     <= '0;
      head_q    <= '0;
      tail_q    <= '0;
    end else begin
      aw_held_q <= m_awvalid && !m_awready;
      due_q     <= due_q + (PlaceBits + 1)'(said) - (PlaceBits + 1)'(through);
      head_q    <= head_q + PlaceBits'(through);
      tail_q    <= tail_q + PlaceBits'(said);
    end
    aw_last_q <= aw_who;
    if (said) who_q[tail_q] <= aw_who;
  end

  logic b_who;
  assign b_who = m_bid[IdBits];
  assign s_bvalid = {m_bvalid && b_who, m_bvalid && !b_who};
  assign m_bready = s_bready[b_who];
  assign s_bid = {2{m_bid[IdBits-1:0]}};
  assign s_bresp = m_bresp;
endmodule
