// SPDX-License-Identifier: Apache-2.0
// rs_axi_lines: AXI4 bursts of one ID, cut into lines of 64 bytes with IDs of their own, that are under way together.
// Model:   hw/axi/tb/test_rs_axi_lines.py
// Params:  BusBits: of the units, 64 ... 512; PortBits: of the port, 64 ... BusBits; Lines: under way in each direction, a power of two, 2 ... 16
// Bounds:  bursts of whole 64-byte lines, INCR (docs/core.md); IDs of answers are those that were asked with; asserted
// Timing:  a beat of the port per cycle and direction; two cycles from the first beat of a line to the units
//
// A coherent port answers one line of an ID at a time, after it has asked the caches: with one ID each line waits for the one before.
// Here each line has an ID of its own. Answers may come in any order and interleaved; the units get them in their order, under their IDs.
// Reads take turns through a buffer of Lines lines; of a line that is asked for there is always room, so RREADY and BREADY never fall.
module rs_axi_lines #(
    parameter int unsigned BusBits  = 64,
    parameter int unsigned PortBits = BusBits,
    parameter int unsigned Lines    = 8
) (
    input logic clk_i,
    input logic rst_ni,

    // the units
    input rs_axi_pkg::read_req_t s_read_i,
    output rs_axi_pkg::read_rsp_t s_read_o,
    output logic [BusBits-1:0] s_rdata_o,
    input rs_axi_pkg::write_req_t s_write_i,
    output rs_axi_pkg::write_rsp_t s_write_o,
    input logic [BusBits-1:0] s_wdata_i,

    // the port
    output rs_axi_pkg::read_req_t m_read_o,
    input rs_axi_pkg::read_rsp_t m_read_i,
    input logic [PortBits-1:0] m_rdata_i,
    output rs_axi_pkg::write_req_t m_write_o,
    input rs_axi_pkg::write_rsp_t m_write_i,
    output logic [PortBits-1:0] m_wdata_o
);
  localparam int unsigned AddrBits = rs_axi_pkg::AddrBits;
  localparam int unsigned IdBits = rs_axi_pkg::IdBits;
  localparam int unsigned Parts = BusBits / PortBits;  // beats of the port in one of the units'
  localparam int unsigned Beats = 512 / PortBits;  // beats of the port in a line
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
  if (PortBits > BusBits) begin : gen_illegal_width
    $fatal(1, "%m: PortBits %0d is above BusBits %0d", PortBits, BusBits);
  end
  if (Lines < 2 || Lines > 16 || 2 ** SlotBits != Lines) begin : gen_illegal_lines
    $fatal(1, "%m: Lines must be a power of two, 2 to 16");
  end

  typedef logic [SlotBits-1:0] slot_t;

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
  logic r_ready, r_asks, r_asked, r_move, r_bad;
  slot_t r_slot;

  // the place of a beat in the buffer
  function automatic logic [PlaceBits-1:0] place(input slot_t slot, input logic [BeatBits-1:0] beat);
    return PlaceBits'(slot) * PlaceBits'(Beats) + PlaceBits'(beat);
  endfunction

  assign r_slot = m_read_i.r_id[SlotBits-1:0];
  // the units hear of a wrong answer as of one that is not OKAY
  assign r_bad = m_read_i.r_id >> SlotBits != '0 || m_read_i.r_last != (r_count_q[r_slot] == (BeatBits + 1)'(Beats - 1));
  assign r_ready = r_left_q == '0;  // for a burst
  assign r_asks = r_left_q != '0 && !r_busy_q[r_tail_q];
  assign r_found = r_buffer_q[place(r_head_q, r_beat_q)];
  assign r_asked = r_asks && m_read_i.ar_ready;
  assign r_move = {1'b0, r_beat_q} < r_count_q[r_head_q] && (!r_valid_q || s_read_i.r_ready);
  // every answer has its place
  assign m_read_o = '{
          ar_valid: r_asks,
          ar: '{id: IdBits'(r_tail_q), addr: {r_line_q, 6'd0}, len: 8'(Beats - 1)},
          r_ready: 1'b1
      };
  assign s_read_o = '{ar_ready: r_ready, r_valid: r_valid_q, r_id: r_word_id_q, r_resp: r_resp_q, r_last: r_word_last_q};
  assign s_rdata_o = r_word_q;

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
      if (s_read_i.ar_valid && r_ready) r_left_q <= 9'(s_read_i.ar.len >> LineShift) + 1'b1;
      if (r_asked) begin
        r_left_q           <= r_left_q - 1'b1;
        r_busy_q[r_tail_q] <= 1'b1;
        r_tail_q           <= r_tail_q + 1'b1;
      end
      if (m_read_i.r_valid) r_count_q[r_slot] <= r_count_q[r_slot] + 1'b1;
      if (s_read_i.r_ready) r_valid_q <= 1'b0;
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
    if (s_read_i.ar_valid && r_ready) begin
      r_line_q <= s_read_i.ar.addr[AddrBits-1:6];
      r_id_q   <= s_read_i.ar.id;
    end
    if (r_asked) begin
      r_line_q           <= r_line_q + 1'b1;
      r_ids_q[r_tail_q]  <= r_id_q;
      r_last_q[r_tail_q] <= r_left_q == 9'd1;
    end
    if (m_read_i.r_valid) begin
      r_buffer_q[place(r_slot, r_count_q[r_slot][BeatBits-1:0])] <= {m_read_i.r_resp | {r_bad, 1'b0}, m_rdata_i};
    end
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
  logic [SlotBits:0] w_due_q;  // lines that are or were on offer and are not written to their end
  logic w_offer, w_counted_q;  // a line goes on offer; it is there, and counted
  logic [BeatBits-1:0] w_beat_q;
  logic [ BusBits-1:0] w_word_q;
  logic [PartBits-1:0] w_part_q;
  logic w_full_q, w_ready, w_says, w_said, w_goes, w_takes, w_move, w_end, w_retire;
  logic b_valid_q;
  logic [IdBits-1:0] b_id_q;
  logic [1:0] b_resp_q, w_resp_q, w_resp;

  assign w_slot = m_write_i.b_id[SlotBits-1:0];
  assign w_ready = w_left_q == '0;  // for a burst
  assign w_says = w_left_q != '0 && !w_busy_q[w_tail_q];
  assign w_said = w_says && m_write_i.aw_ready;
  assign w_offer = w_says && !w_counted_q;
  assign w_goes = w_full_q && w_due_q != '0;
  assign w_move = w_goes && m_write_i.w_ready;
  assign w_end = w_move && w_beat_q == LastBeat;
  assign w_takes = !w_full_q || (w_move && w_part_q == LastPart);
  assign w_retire = w_done_q[w_head_q] && (!w_last_q[w_head_q] || !b_valid_q || s_write_i.b_ready);
  assign w_resp = w_resp_q | w_resps_q[w_head_q];
  assign m_write_o = '{
          aw_valid: w_says,
          aw: '{id: IdBits'(w_tail_q), addr: {w_line_q, 6'd0}, len: 8'(Beats - 1)},
          w_valid: w_goes,
          w_last: w_beat_q == LastBeat,
          b_ready: 1'b1
      };
  assign m_wdata_o = w_word_q[PortBits*w_part_q+:PortBits];
  assign s_write_o = '{aw_ready: w_ready, w_ready: w_takes, b_valid: b_valid_q, b_id: b_id_q, b_resp: b_resp_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_left_q <= '0;
      w_tail_q <= '0;
      w_head_q <= '0;
      w_busy_q <= '0;
      w_done_q <= '0;
      w_due_q <= '0;
      w_counted_q <= 1'b0;
      w_beat_q <= '0;
      w_part_q <= '0;
      w_full_q <= 1'b0;
      w_resp_q <= '0;
      b_valid_q <= 1'b0;
    end else begin
      if (s_write_i.aw_valid && w_ready) w_left_q <= 9'(s_write_i.aw.len >> LineShift) + 1'b1;
      if (w_said) begin
        w_left_q           <= w_left_q - 1'b1;
        w_busy_q[w_tail_q] <= 1'b1;
        w_tail_q           <= w_tail_q + 1'b1;
      end
      w_counted_q <= w_says && !w_said;
      w_due_q <= w_due_q + (SlotBits + 1)'(w_offer) - (SlotBits + 1)'(w_end);
      if (w_move) begin
        w_beat_q <= w_beat_q == LastBeat ? '0 : w_beat_q + 1'b1;
        w_part_q <= w_part_q == LastPart ? '0 : w_part_q + 1'b1;
      end
      if (w_takes) w_full_q <= s_write_i.w_valid;
      if (m_write_i.b_valid) w_done_q[w_slot] <= 1'b1;
      if (s_write_i.b_ready) b_valid_q <= 1'b0;
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
    if (s_write_i.aw_valid && w_ready) begin
      w_line_q <= s_write_i.aw.addr[AddrBits-1:6];
      w_id_q   <= s_write_i.aw.id;
    end
    if (w_said) begin
      w_line_q           <= w_line_q + 1'b1;
      w_ids_q[w_tail_q]  <= w_id_q;
      w_last_q[w_tail_q] <= w_left_q == 9'd1;
    end
    if (w_takes) w_word_q <= s_wdata_i;
    if (m_write_i.b_valid) w_resps_q[w_slot] <= m_write_i.b_resp | {m_write_i.b_id >> SlotBits != '0, 1'b0};
    if (w_retire && w_last_q[w_head_q]) begin
      b_id_q   <= w_ids_q[w_head_q];
      b_resp_q <= w_resp;
    end
  end

`ifndef SYNTHESIS
  localparam logic [7:0] LineMask = 8'(512 / BusBits - 1);
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!s_read_i.ar_valid || (s_read_i.ar.addr[5:0] == '0 && (s_read_i.ar.len & LineMask) == LineMask))
      else $error("%m: a read of other than whole lines");
      assert (!s_write_i.aw_valid || (s_write_i.aw.addr[5:0] == '0 && (s_write_i.aw.len & LineMask) == LineMask))
      else $error("%m: a write of other than whole lines");
      assert (!m_read_i.r_valid || r_busy_q[r_slot])
      else $error("%m: a beat that nobody asked for");
      assert (!m_write_i.b_valid || (w_busy_q[w_slot] && !w_done_q[w_slot]))
      else $error("%m: an answer to nothing");
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{s_read_i.ar.addr[5:0], s_write_i.aw.addr[5:0], s_write_i.w_last};
endmodule
