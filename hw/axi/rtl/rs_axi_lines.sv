// SPDX-License-Identifier: Apache-2.0
// rs_axi_lines: AXI4 bursts of one ID, cut into lines of 64 bytes with IDs of their own, that are under way together.
// Model:   hw/axi/tb/test_rs_axi_lines.py
// Params:  BusBits: of the units, 64 ... 512; PortBits: of the port, 64 ... BusBits; AddrBits; IdBits: of the units; PortIdBits: of the port;
//          Lines: under way in each direction, a power of two, 2 ... 16
// Bounds:  bursts of whole 64-byte lines, INCR (docs/core.md); IDs of answers are those that were asked with; asserted
// Timing:  a beat of the port per cycle and direction; two cycles from the first beat of a line to the units
//
// A coherent port answers one line of an ID at a time, after it has asked the caches: with one ID each line waits for the one before.
// Here each line has an ID of its own. Answers may come in any order and interleaved; the units get them in their order, under their IDs.
// Reads take turns through a buffer of Lines lines; of a line that is asked for there is always room, so RREADY and BREADY never fall.
module rs_axi_lines #(
    parameter int unsigned BusBits    = 64,
    parameter int unsigned PortBits   = BusBits,
    parameter int unsigned AddrBits   = 64,
    parameter int unsigned IdBits     = 4,
    parameter int unsigned PortIdBits = 4,
    parameter int unsigned Lines      = 8
) (
    input logic clk_i,
    input logic rst_ni,

    // the units
    input  logic                 s_arvalid,
    output logic                 s_arready,
    input  logic [   IdBits-1:0] s_arid,
    input  logic [ AddrBits-1:0] s_araddr,
    input  logic [          7:0] s_arlen,
    output logic                 s_rvalid,
    input  logic                 s_rready,
    output logic [   IdBits-1:0] s_rid,
    output logic [  BusBits-1:0] s_rdata,
    output logic [          1:0] s_rresp,
    output logic                 s_rlast,
    input  logic                 s_awvalid,
    output logic                 s_awready,
    input  logic [   IdBits-1:0] s_awid,
    input  logic [ AddrBits-1:0] s_awaddr,
    input  logic [          7:0] s_awlen,
    input  logic                 s_wvalid,
    output logic                 s_wready,
    input  logic [  BusBits-1:0] s_wdata,
    input  logic [BusBits/8-1:0] s_wstrb,
    input  logic                 s_wlast,
    output logic                 s_bvalid,
    input  logic                 s_bready,
    output logic [   IdBits-1:0] s_bid,
    output logic [          1:0] s_bresp,

    // the port
    output logic                  m_arvalid,
    input  logic                  m_arready,
    output logic [PortIdBits-1:0] m_arid,
    output logic [  AddrBits-1:0] m_araddr,
    output logic [           7:0] m_arlen,
    output logic [           2:0] m_arsize,
    output logic [           1:0] m_arburst,
    input  logic                  m_rvalid,
    output logic                  m_rready,
    input  logic [PortIdBits-1:0] m_rid,
    input  logic [  PortBits-1:0] m_rdata,
    input  logic [           1:0] m_rresp,
    input  logic                  m_rlast,
    output logic                  m_awvalid,
    input  logic                  m_awready,
    output logic [PortIdBits-1:0] m_awid,
    output logic [  AddrBits-1:0] m_awaddr,
    output logic [           7:0] m_awlen,
    output logic [           2:0] m_awsize,
    output logic [           1:0] m_awburst,
    output logic                  m_wvalid,
    input  logic                  m_wready,
    output logic [  PortBits-1:0] m_wdata,
    output logic [PortBits/8-1:0] m_wstrb,
    output logic                  m_wlast,
    input  logic                  m_bvalid,
    output logic                  m_bready,
    input  logic [PortIdBits-1:0] m_bid,
    input  logic [           1:0] m_bresp
);
  localparam int unsigned Parts = BusBits / PortBits;  // beats of the port in one of the units'
  localparam int unsigned Beats = 512 / PortBits;  // of the port in a line
  localparam int unsigned PlaceBits = $clog2(Lines * Beats);
  localparam int unsigned BeatBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned SlotBits = $clog2(Lines);
  localparam int unsigned PartBits = Parts > 1 ? $clog2(Parts) : 1;
  localparam int unsigned LineShift = $clog2(512 / BusBits);  // log2 of the units' beats in a line
  localparam logic [PartBits-1:0] LastPart = PartBits'(Parts - 1);
  localparam logic [BeatBits-1:0] LastBeat = BeatBits'(Beats - 1);

  if (BusBits != 64 && BusBits != 128 && BusBits != 256 && BusBits != 512) begin : gen_illegal_bus
    $fatal(1, "%m: BusBits must be 64, 128, 256 or 512");
  end
  if (PortBits != 64 && PortBits != 128 && PortBits != 256 && PortBits != 512) begin : gen_illegal_port
    $fatal(1, "%m: PortBits must be 64, 128, 256 or 512");
  end
  if (PortBits > BusBits || PortIdBits < SlotBits) begin : gen_illegal_width
    $fatal(1, "%m: PortBits %0d is above BusBits %0d, or PortIdBits %0d too few", PortBits, BusBits, PortIdBits);
  end
  if (Lines < 2 || Lines > 16 || 2 ** SlotBits != Lines) begin : gen_illegal_lines
    $fatal(1, "%m: Lines must be a power of two, 2 to 16");
  end

  typedef logic [SlotBits-1:0] slot_t;

  assign {m_arlen, m_arsize, m_arburst} = {8'(Beats - 1), 3'($clog2(PortBits / 8)), 2'b01};
  assign {m_awlen, m_awsize, m_awburst} = {8'(Beats - 1), 3'($clog2(PortBits / 8)), 2'b01};
  assign {m_rready, m_bready} = 2'b11;  // every answer has its place

  // ---- reads ---------------------------------------------------------------------------------------------------------------
  logic [AddrBits-1:6] r_line_q;
  logic [8:0] r_left_q;  // lines of the burst that are not asked for
  logic [IdBits-1:0] r_id_q;
  slot_t r_tail_q, r_head_q;
  logic [Lines-1:0] r_busy_q, r_last_q;
  logic [Lines-1:0][IdBits-1:0] r_ids_q;
  logic [Lines-1:0][BeatBits:0] r_count_q;  // beats that have come
  logic [PortBits+1:0] r_buffer_q[Lines*Beats];  // response and data
  logic [BeatBits-1:0] r_beat_q;
  logic [PartBits-1:0] r_part_q;
  logic [BusBits-1:0] r_word_q;
  logic [IdBits-1:0] r_word_id_q;
  logic [1:0] r_resp_q;
  logic r_valid_q, r_word_last_q;
  logic [PortBits+1:0] r_found;
  logic r_asked, r_move;
  slot_t r_slot;

  // of a beat in the buffer
  function automatic logic [PlaceBits-1:0] place(input slot_t slot, input logic [BeatBits-1:0] beat);
    return PlaceBits'(slot) * PlaceBits'(Beats) + PlaceBits'(beat);
  endfunction

  assign r_slot = m_rid[SlotBits-1:0];
  assign s_arready = r_left_q == '0;
  assign m_arvalid = r_left_q != '0 && !r_busy_q[r_tail_q];
  assign m_arid = PortIdBits'(r_tail_q);
  assign m_araddr = {r_line_q, 6'd0};
  assign r_found = r_buffer_q[place(r_head_q, r_beat_q)];
  assign r_asked = m_arvalid && m_arready;
  assign r_move = {1'b0, r_beat_q} < r_count_q[r_head_q] && (!r_valid_q || s_rready);
  assign {s_rvalid, s_rid, s_rdata, s_rresp, s_rlast} = {r_valid_q, r_word_id_q, r_word_q, r_resp_q, r_word_last_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r_left_q  <= '0;
      r_tail_q  <= '0;
      r_head_q  <= '0;
      r_busy_q  <= '0;
      r_count_q <= '0;
      r_beat_q  <= '0;
      r_part_q  <= '0;
      r_valid_q <= 1'b0;
    end else begin
      if (s_arvalid && s_arready) r_left_q <= 9'(s_arlen >> LineShift) + 1'b1;
      if (r_asked) begin
        r_left_q           <= r_left_q - 1'b1;
        r_busy_q[r_tail_q] <= 1'b1;
        r_tail_q           <= r_tail_q + 1'b1;
      end
      if (m_rvalid) r_count_q[r_slot] <= r_count_q[r_slot] + 1'b1;
      if (s_rready) r_valid_q <= 1'b0;
      if (r_move) begin
        r_beat_q  <= r_beat_q == LastBeat ? '0 : r_beat_q + 1'b1;
        r_part_q  <= r_part_q == LastPart ? '0 : r_part_q + 1'b1;
        r_valid_q <= r_part_q == LastPart;
        if (r_beat_q == LastBeat) begin
          r_busy_q[r_head_q]  <= 1'b0;
          r_count_q[r_head_q] <= '0;
          r_head_q            <= r_head_q + 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_arvalid && s_arready) begin
      r_line_q <= s_araddr[AddrBits-1:6];
      r_id_q   <= s_arid;
    end
    if (r_asked) begin
      r_line_q           <= r_line_q + 1'b1;
      r_ids_q[r_tail_q]  <= r_id_q;
      r_last_q[r_tail_q] <= r_left_q == 9'd1;
    end
    if (m_rvalid) r_buffer_q[place(r_slot, r_count_q[r_slot][BeatBits-1:0])] <= {m_rresp, m_rdata};
    if (r_move) begin
      r_word_q[PortBits*r_part_q+:PortBits] <= r_found[PortBits-1:0];
      r_resp_q <= (r_part_q == '0 ? 2'b00 : r_resp_q) | r_found[PortBits+:2];
      r_word_id_q <= r_ids_q[r_head_q];
      r_word_last_q <= r_last_q[r_head_q] && r_beat_q == LastBeat;
    end
  end

  // ---- writes --------------------------------------------------------------------------------------------------------------
  logic [AddrBits-1:6] w_line_q;
  logic [8:0] w_left_q;
  logic [IdBits-1:0] w_id_q;
  slot_t w_tail_q, w_head_q, w_slot;
  logic [Lines-1:0] w_busy_q, w_done_q, w_last_q;
  logic [Lines-1:0][IdBits-1:0] w_ids_q;
  logic [Lines-1:0][1:0] w_resps_q;
  logic [SlotBits:0] w_due_q;  // lines that are announced and not written to their end
  logic [BeatBits-1:0] w_beat_q;
  logic [BusBits-1:0] w_word_q;
  logic [BusBits/8-1:0] w_strb_q;
  logic [PartBits-1:0] w_part_q;
  logic w_full_q, w_said, w_move, w_end, w_retire;
  logic b_valid_q;
  logic [IdBits-1:0] b_id_q;
  logic [1:0] b_resp_q, w_resp_q, w_resp;

  assign w_slot = m_bid[SlotBits-1:0];
  assign s_awready = w_left_q == '0;
  assign m_awvalid = w_left_q != '0 && !w_busy_q[w_tail_q];
  assign m_awid = PortIdBits'(w_tail_q);
  assign m_awaddr = {w_line_q, 6'd0};
  assign w_said = m_awvalid && m_awready;
  assign m_wvalid = w_full_q && w_due_q != '0;
  assign m_wdata = w_word_q[PortBits*w_part_q+:PortBits];
  assign m_wstrb = w_strb_q[PortBits/8*w_part_q+:PortBits/8];
  assign m_wlast = w_beat_q == LastBeat;
  assign w_move = m_wvalid && m_wready;
  assign w_end = w_move && m_wlast;
  assign s_wready = !w_full_q || (w_move && w_part_q == LastPart);
  assign w_retire = w_done_q[w_head_q] && (!w_last_q[w_head_q] || !b_valid_q || s_bready);
  assign w_resp = w_resp_q | w_resps_q[w_head_q];
  assign {s_bvalid, s_bid, s_bresp} = {b_valid_q, b_id_q, b_resp_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_left_q  <= '0;
      w_tail_q  <= '0;
      w_head_q  <= '0;
      w_busy_q  <= '0;
      w_done_q  <= '0;
      w_due_q   <= '0;
      w_beat_q  <= '0;
      w_part_q  <= '0;
      w_full_q  <= 1'b0;
      w_resp_q  <= '0;
      b_valid_q <= 1'b0;
    end else begin
      if (s_awvalid && s_awready) w_left_q <= 9'(s_awlen >> LineShift) + 1'b1;
      if (w_said) begin
        w_left_q           <= w_left_q - 1'b1;
        w_busy_q[w_tail_q] <= 1'b1;
        w_tail_q           <= w_tail_q + 1'b1;
      end
      w_due_q <= w_due_q + (SlotBits + 1)'(w_said) - (SlotBits + 1)'(w_end);
      if (w_move) begin
        w_beat_q <= w_beat_q == LastBeat ? '0 : w_beat_q + 1'b1;
        w_part_q <= w_part_q == LastPart ? '0 : w_part_q + 1'b1;
      end
      if (s_wready) w_full_q <= s_wvalid;
      if (m_bvalid) w_done_q[w_slot] <= 1'b1;
      if (s_bready) b_valid_q <= 1'b0;
      if (w_retire) begin
        w_busy_q[w_head_q] <= 1'b0;
        w_done_q[w_head_q] <= 1'b0;
        w_head_q           <= w_head_q + 1'b1;
        w_resp_q           <= w_last_q[w_head_q] ? '0 : w_resp;
        if (w_last_q[w_head_q]) b_valid_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_awvalid && s_awready) begin
      w_line_q <= s_awaddr[AddrBits-1:6];
      w_id_q   <= s_awid;
    end
    if (w_said) begin
      w_line_q           <= w_line_q + 1'b1;
      w_ids_q[w_tail_q]  <= w_id_q;
      w_last_q[w_tail_q] <= w_left_q == 9'd1;
    end
    if (s_wready) begin
      w_word_q <= s_wdata;
      w_strb_q <= s_wstrb;
    end
    if (m_bvalid) w_resps_q[w_slot] <= m_bresp;
    if (w_retire && w_last_q[w_head_q]) begin
      b_id_q   <= w_ids_q[w_head_q];
      b_resp_q <= w_resp;
    end
  end

`ifndef SYNTHESIS
  localparam logic [7:0] LineMask = 8'(512 / BusBits - 1);
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!s_arvalid || (s_araddr[5:0] == '0 && (s_arlen & LineMask) == LineMask))
      else $error("%m: a read of other than whole lines");
      assert (!s_awvalid || (s_awaddr[5:0] == '0 && (s_awlen & LineMask) == LineMask))
      else $error("%m: a write of other than whole lines");
      assert (!m_rvalid || (r_busy_q[r_slot] && m_rlast == (r_count_q[r_slot] == (BeatBits + 1)'(Beats - 1))))
      else $error("%m: a beat that nobody asked for, or last at another place");
      assert (!m_bvalid || (w_busy_q[w_slot] && !w_done_q[w_slot]))
      else $error("%m: an answer to nothing");
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{s_araddr[5:0], s_awaddr[5:0], m_rid >> SlotBits, m_bid >> SlotBits, s_wlast, m_rlast};
endmodule
