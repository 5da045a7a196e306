// SPDX-License-Identifier: Apache-2.0
// rs_axi_share: two AXI4 masters on one port; the top bit of an ID says whose it is.
// Model:   hw/axi/tb/test_rs_axi_share.py
// Params:  BusBits, AddrBits; IdBits: of the port, one more than a master uses; Writes: bursts of both that are announced and not written;
//          Reads: of so many reads that both want, a power of two, the first master gets one
// Bounds:  each master follows AXI4 and uses IDs below 2^(IdBits - 1). Data of a burst may come as soon as its address is on offer; a master
//          must be able to wait with its data until those of bursts that went on offer before are through
// Timing:  addresses through a register, with turns; data and answers at once
//
// W has no ID: the data go in the order in which addresses were put on offer at the port (a list of masters). The data of a burst may go before its
// address is taken, so a slave may take either first.
module rs_axi_share #(
    parameter int unsigned BusBits  = 512,
    parameter int unsigned AddrBits = 64,
    parameter int unsigned IdBits   = 4,
    parameter int unsigned Writes   = 16,
    parameter int unsigned Reads    = 2
) (
    input logic clk_i,
    input logic rst_ni,

    // the masters
    input  logic [        1:0]                s_arvalid,
    output logic [        1:0]                s_arready,
    input  logic [        1:0][   IdBits-1:0] s_arid,
    input  logic [        1:0][ AddrBits-1:0] s_araddr,
    input  logic [        1:0][          7:0] s_arlen,
    output logic [        1:0]                s_rvalid,
    input  logic [        1:0]                s_rready,
    output logic [        1:0][   IdBits-1:0] s_rid,
    output logic [BusBits-1:0]                s_rdata,    // for both
    output logic [        1:0]                s_rresp,
    output logic                              s_rlast,
    input  logic [        1:0]                s_awvalid,
    output logic [        1:0]                s_awready,
    input  logic [        1:0][   IdBits-1:0] s_awid,
    input  logic [        1:0][ AddrBits-1:0] s_awaddr,
    input  logic [        1:0][          7:0] s_awlen,
    input  logic [        1:0]                s_wvalid,
    output logic [        1:0]                s_wready,
    input  logic [        1:0][  BusBits-1:0] s_wdata,
    input  logic [        1:0][BusBits/8-1:0] s_wstrb,
    input  logic [        1:0]                s_wlast,
    output logic [        1:0]                s_bvalid,
    input  logic [        1:0]                s_bready,
    output logic [        1:0][   IdBits-1:0] s_bid,
    output logic [        1:0]                s_bresp,

    // the port; size and burst are those of the masters, which are alike
    output logic                 m_arvalid,
    input  logic                 m_arready,
    output logic [   IdBits-1:0] m_arid,
    output logic [ AddrBits-1:0] m_araddr,
    output logic [          7:0] m_arlen,
    input  logic                 m_rvalid,
    output logic                 m_rready,
    input  logic [   IdBits-1:0] m_rid,
    input  logic [  BusBits-1:0] m_rdata,
    input  logic [          1:0] m_rresp,
    input  logic                 m_rlast,
    output logic                 m_awvalid,
    input  logic                 m_awready,
    output logic [   IdBits-1:0] m_awid,
    output logic [ AddrBits-1:0] m_awaddr,
    output logic [          7:0] m_awlen,
    output logic                 m_wvalid,
    input  logic                 m_wready,
    output logic [  BusBits-1:0] m_wdata,
    output logic [BusBits/8-1:0] m_wstrb,
    output logic                 m_wlast,
    input  logic                 m_bvalid,
    output logic                 m_bready,
    input  logic [   IdBits-1:0] m_bid,
    input  logic [          1:0] m_bresp
);
  localparam int unsigned ListBits = $clog2(Writes);
  localparam int unsigned OpenBits = $clog2(Writes + 1);

  if (Reads < 2 || 2 ** $clog2(Reads) != Reads) begin : gen_illegal
    $fatal(1, "%m: Reads %0d is not a power of two above 1", Reads);
  end

  typedef struct packed {
    logic [IdBits-1:0] id;
    logic [AddrBits-1:0] addr;
    logic [7:0] len;
  } address_t;

  localparam logic [IdBits-1:0] Second = IdBits'(1 << (IdBits - 1));

  // ---- reads
  logic ar_q, ar_take, ar_owner;
  logic [$clog2(Reads)-1:0] ar_turn_q;  // 0: the first master's
  address_t ar_address_q;
  assign ar_take   = (!ar_q || m_arready) && s_arvalid != '0;
  assign ar_owner  = s_arvalid == 2'b11 ? ar_turn_q != '0 : s_arvalid[1];
  assign s_arready = {ar_owner, !ar_owner} & {2{!ar_q || m_arready}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_q      <= 1'b0;
      ar_turn_q <= '0;
    end else begin
      ar_q <= ar_take || (ar_q && !m_arready);
      // who reads alone gives the next turn to the other
      if (ar_take) ar_turn_q <= ar_owner ? (s_arvalid[0] ? ar_turn_q + 1'b1 : '0) : ($clog2(Reads))'(1);
    end
    if (ar_take)
      ar_address_q <= '{id: s_arid[ar_owner] | (ar_owner ? Second : '0), addr: s_araddr[ar_owner], len: s_arlen[ar_owner]};
  end

  assign m_arvalid = ar_q;
  assign {m_arid, m_araddr, m_arlen} = ar_address_q;

  assign s_rvalid = {m_rid[IdBits-1], !m_rid[IdBits-1]} & {2{m_rvalid}};
  assign m_rready = s_rready[m_rid[IdBits-1]];
  assign s_rid = {2{m_rid & ~Second}};
  assign {s_rdata, s_rresp, s_rlast} = {m_rdata, m_rresp, m_rlast};

  // ---- writes
  logic aw_q, aw_turn_q, aw_room, aw_take, aw_owner;
  address_t aw_address_q;
  logic [Writes-1:0] list_q;  // owners of the bursts that are announced, by place
  logic [ListBits-1:0] put_q, get_q;
  logic [OpenBits-1:0] open_q;  // of them
  logic w_owner, w_ends;
  assign aw_room   = (!aw_q || m_awready) && open_q != OpenBits'(Writes);
  assign aw_take   = aw_room && s_awvalid != '0;
  assign aw_owner  = s_awvalid == 2'b11 ? aw_turn_q : s_awvalid[1];
  assign s_awready = {aw_owner, !aw_owner} & {2{aw_room}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q      <= 1'b0;
      aw_turn_q <= 1'b0;
      put_q     <= '0;
      get_q     <= '0;
      open_q    <= '0;
    end else begin
      aw_q <= aw_take || (aw_q && !m_awready);
      if (aw_take) begin
        aw_turn_q <= !aw_owner;
        put_q     <= put_q == ListBits'(Writes - 1) ? '0 : put_q + 1'b1;
      end
      if (w_ends) get_q <= get_q == ListBits'(Writes - 1) ? '0 : get_q + 1'b1;
      open_q <= open_q + OpenBits'(aw_take) - OpenBits'(w_ends);
    end
    if (aw_take) begin
      aw_address_q  <= '{id: s_awid[aw_owner] | (aw_owner ? Second : '0), addr: s_awaddr[aw_owner], len: s_awlen[aw_owner]};
      list_q[put_q] <= aw_owner;
    end
  end

  assign m_awvalid = aw_q;
  assign {m_awid, m_awaddr, m_awlen} = aw_address_q;

  assign w_owner = list_q[get_q];
  assign m_wvalid = open_q != '0 && s_wvalid[w_owner];
  assign s_wready = {w_owner, !w_owner} & {2{open_q != '0 && m_wready}};
  assign {m_wdata, m_wstrb, m_wlast} = {s_wdata[w_owner], s_wstrb[w_owner], s_wlast[w_owner]};
  assign w_ends = m_wvalid && m_wready && m_wlast;

  assign s_bvalid = {m_bid[IdBits-1], !m_bid[IdBits-1]} & {2{m_bvalid}};
  assign m_bready = s_bready[m_bid[IdBits-1]];
  assign s_bid = {2{m_bid & ~Second}};
  assign s_bresp = m_bresp;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      for (int i = 0; i < 2; i++) begin
        assert (!s_arvalid[i] || !s_arid[i][IdBits-1])
        else $error("%m: master %0d reads with ID %0d", i, s_arid[i]);
        assert (!s_awvalid[i] || !s_awid[i][IdBits-1])
        else $error("%m: master %0d writes with ID %0d", i, s_awid[i]);
      end
    end
  end
`endif
endmodule
