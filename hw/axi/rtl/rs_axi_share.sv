// SPDX-License-Identifier: Apache-2.0
// rs_axi_share: two AXI4 masters on one port; a bit of an ID says whose it is.
// Model:   hw/axi/tb/test_rs_axi_share.py
// Params:  BusBits; Writes: bursts of both that are announced and not written;
//          IdBit: the bit of an ID, so that more masters can share a port by several of these modules, each with its own;
//          Reads: of so many reads that both want, a power of two, the first master gets one
// Bounds:  each master follows AXI4 and has no IDs with IdBit. Data of a burst may come as soon as its address is on offer; a master
//          must be able to wait with its data until those of bursts that went on offer before are through
// Timing:  addresses through a register, with turns; data and answers at once
//
// W has no ID: the data go in the order in which addresses were put on offer at the port (a list of masters). The data of a burst may go before its
// address is taken, so a slave may take either first.
module rs_axi_share #(
    parameter int unsigned BusBits = 512,
    parameter int unsigned Writes  = 16,
    parameter int unsigned Reads   = 2,
    parameter int unsigned IdBit   = rs_axi_pkg::IdBits - 1
) (
    input logic clk_i,
    input logic rst_ni,

    // the masters
    input rs_axi_pkg::read_req_t [1:0] s_read_i,
    output rs_axi_pkg::read_rsp_t [1:0] s_read_o,
    input rs_axi_pkg::write_req_t [1:0] s_write_i,
    output rs_axi_pkg::write_rsp_t [1:0] s_write_o,
    input logic [1:0][BusBits-1:0] s_wdata_i,

    // the port; data of reads go to both masters as they come
    output rs_axi_pkg::read_req_t m_read_o,
    input rs_axi_pkg::read_rsp_t m_read_i,
    output rs_axi_pkg::write_req_t m_write_o,
    input rs_axi_pkg::write_rsp_t m_write_i,
    output logic [BusBits-1:0] m_wdata_o
);
  localparam int unsigned ListBits = $clog2(Writes);
  localparam int unsigned OpenBits = $clog2(Writes + 1);

  if (Reads < 2 || 2 ** $clog2(Reads) != Reads) begin : gen_illegal
    $fatal(1, "%m: Reads %0d is not a power of two above 1", Reads);
  end

  localparam int unsigned IdBits = rs_axi_pkg::IdBits;
  localparam logic [IdBits-1:0] Second = IdBits'(1 << IdBit);

  function automatic rs_axi_pkg::burst_t named(input rs_axi_pkg::burst_t burst, input logic owner);
    named = burst;
    if (owner) named.id |= Second;
  endfunction

  logic [1:0] ar_valid, ar_readies, r_readies, aw_valid, aw_readies, w_valid, w_last, b_readies;
  for (genvar i = 0; i < 2; i++) begin : gen_master
    assign {ar_valid[i], r_readies[i]} = {s_read_i[i].ar_valid, s_read_i[i].r_ready};
    assign {aw_valid[i], w_valid[i], w_last[i], b_readies[i]} = {
      s_write_i[i].aw_valid, s_write_i[i].w_valid, s_write_i[i].w_last, s_write_i[i].b_ready
    };
  end

  // ---- reads
  logic ar_q, ar_take, ar_owner, r_owner;
  logic [$clog2(Reads)-1:0] ar_turn_q;  // 0: the first master's
  rs_axi_pkg::burst_t ar_burst_q;
  assign ar_take    = (!ar_q || m_read_i.ar_ready) && ar_valid != '0;
  assign ar_owner   = ar_valid == 2'b11 ? ar_turn_q != '0 : ar_valid[1];
  assign ar_readies = {ar_owner, !ar_owner} & {2{!ar_q || m_read_i.ar_ready}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_q      <= 1'b0;
      ar_turn_q <= '0;
    end else begin
      ar_q <= ar_take || (ar_q && !m_read_i.ar_ready);
      // who reads alone gives the next turn to the other
      if (ar_take) ar_turn_q <= ar_owner ? (ar_valid[0] ? ar_turn_q + 1'b1 : '0) : ($clog2(Reads))'(1);
    end
    if (ar_take) ar_burst_q <= named(s_read_i[ar_owner].ar, ar_owner);
  end

  assign r_owner  = m_read_i.r_id[IdBit];
  assign m_read_o = '{ar_valid: ar_q, ar: ar_burst_q, r_ready: r_readies[r_owner]};
  for (genvar i = 0; i < 2; i++) begin : gen_read
    assign s_read_o[i] = '{
            ar_ready: ar_readies[i],
            r_valid: m_read_i.r_valid && r_owner == 1'(i),
            r_id: m_read_i.r_id & ~Second,
            r_resp: m_read_i.r_resp,
            r_last: m_read_i.r_last
        };
  end

  // ---- writes
  logic aw_q, aw_turn_q, aw_room, aw_take, aw_owner;
  rs_axi_pkg::burst_t aw_burst_q;
  logic [Writes-1:0] list_q;  // owners of the bursts that are announced, by place
  logic [ListBits-1:0] put_q, get_q;
  logic [OpenBits-1:0] open_q;  // how many are announced
  logic w_owner, w_goes, w_ends, b_owner;
  assign aw_room    = (!aw_q || m_write_i.aw_ready) && open_q != OpenBits'(Writes);
  assign aw_take    = aw_room && aw_valid != '0;
  assign aw_owner   = aw_valid == 2'b11 ? aw_turn_q : aw_valid[1];
  assign aw_readies = {aw_owner, !aw_owner} & {2{aw_room}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q      <= 1'b0;
      aw_turn_q <= 1'b0;
      put_q     <= '0;
      get_q     <= '0;
      open_q    <= '0;
    end else begin
      aw_q <= aw_take || (aw_q && !m_write_i.aw_ready);
      if (aw_take) begin
        aw_turn_q <= !aw_owner;
        put_q     <= put_q == ListBits'(Writes - 1) ? '0 : put_q + 1'b1;
      end
      if (w_ends) get_q <= get_q == ListBits'(Writes - 1) ? '0 : get_q + 1'b1;
      open_q <= open_q + OpenBits'(aw_take) - OpenBits'(w_ends);
    end
    if (aw_take) begin
      aw_burst_q    <= named(s_write_i[aw_owner].aw, aw_owner);
      list_q[put_q] <= aw_owner;
    end
  end

  assign w_owner = list_q[get_q];
  assign w_goes = open_q != '0 && w_valid[w_owner];
  assign w_ends = w_goes && m_write_i.w_ready && w_last[w_owner];
  assign b_owner = m_write_i.b_id[IdBit];
  assign m_write_o = '{aw_valid: aw_q, aw: aw_burst_q, w_valid: w_goes, w_last: w_last[w_owner], b_ready: b_readies[b_owner]};
  assign m_wdata_o = s_wdata_i[w_owner];
  for (genvar i = 0; i < 2; i++) begin : gen_write
    assign s_write_o[i] = '{
            aw_ready: aw_readies[i],
            w_ready: open_q != '0 && m_write_i.w_ready && w_owner == 1'(i),
            b_valid: m_write_i.b_valid && b_owner == 1'(i),
            b_id: m_write_i.b_id & ~Second,
            b_resp: m_write_i.b_resp
        };
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      for (int i = 0; i < 2; i++) begin
        assert (!ar_valid[i] || !s_read_i[i].ar.id[IdBit])
        else $error("%m: master %0d reads with ID %0d", i, s_read_i[i].ar.id);
        assert (!aw_valid[i] || !s_write_i[i].aw.id[IdBit])
        else $error("%m: master %0d writes with ID %0d", i, s_write_i[i].aw.id);
      end
    end
  end
`endif
endmodule
