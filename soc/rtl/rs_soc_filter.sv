// SPDX-License-Identifier: Apache-2.0
// rs_soc_filter: lets a core go straight to RAM where the processor's caches cannot hold the line, and through its coherent port elsewhere.
// Model:   soc/tb/test_rs_soc_filter.py
// Params:  Base, Bytes: of the RAM whose lines have marks, a power of two, at a multiple of itself; other lines count as changed. IdBits: of the
//          core's accesses; the low SlotBits of them tell those apart that are under way. CpuIdBits: of the processor's. PortReads: 1 if
//          each read through the coherent port makes a read of RAM itself, 0 if none does
// Bounds:  accesses are whole lines of 64 bytes, INCR, 64 bits wide; no two of the core's reads, nor writes, are under way with the same low bits of
//          the ID. Caches read each line that they hold through the processor's read channel (c_ar*), change no line that they have written
//          back (c_aw*, c_b*) before they read it again, and are empty at reset
// Timing:  two cycles for an address, none for data. Bytes / 4096 cycles after reset, in which nothing passes
//
// A line has two marks from the processor's first read of it on: caches may hold it, and may hold it changed. The core's access goes to RAM
// (d_*): a write if there is no mark, a read if the line is not changed. Else it goes to the coherent port (p_*). After a read there, or when
// the processor has written the line back, it is not changed; after a write there it is in no cache. The marks go then, unless the processor has
// read the line again meanwhile. While a write to RAM is under way the processor's read of its line waits (hold_o). That wait ends without the
// processor's help, because writes of both kinds are never under way together: the change from one to the other waits for all answers.
module rs_soc_filter #(
    parameter logic        [31:0] Base      = 32'h8000_0000,
    parameter int unsigned        Bytes     = 2 ** 16,
    parameter int unsigned        IdBits    = 8,
    parameter int unsigned        SlotBits  = 3,
    parameter int unsigned        CpuIdBits = 4,
    parameter int unsigned        PortReads = 1
) (
    input logic clk_i,
    input logic rst_ni,

    // reads of the processor: they pass when ready is 1 and hold_o is 0
    input  logic                 c_arvalid,
    input  logic                 c_arready,
    input  logic [         31:0] c_araddr,
    output logic                 hold_o,
    // what it writes back
    input  logic                 c_awvalid,
    input  logic                 c_awready,
    input  logic [CpuIdBits-1:0] c_awid,
    input  logic [         31:0] c_awaddr,
    input  logic                 c_bvalid,
    input  logic                 c_bready,
    input  logic [CpuIdBits-1:0] c_bid,

    // the core
    input  logic              s_arvalid,
    output logic              s_arready,
    input  logic [IdBits-1:0] s_arid,
    input  logic [      31:0] s_araddr,
    output logic              s_rvalid,
    input  logic              s_rready,
    output logic [IdBits-1:0] s_rid,
    output logic [      63:0] s_rdata,
    output logic [       1:0] s_rresp,
    output logic              s_rlast,
    input  logic              s_awvalid,
    output logic              s_awready,
    input  logic [IdBits-1:0] s_awid,
    input  logic [      31:0] s_awaddr,
    input  logic              s_wvalid,
    output logic              s_wready,
    input  logic [      63:0] s_wdata,
    input  logic [       7:0] s_wstrb,
    input  logic              s_wlast,
    output logic              s_bvalid,
    input  logic              s_bready,
    output logic [IdBits-1:0] s_bid,
    output logic [       1:0] s_bresp,

    // the coherent port; lengths, sizes and kinds of bursts are always the same
    output logic              p_arvalid,
    input  logic              p_arready,
    output logic [IdBits-1:0] p_arid,
    output logic [      31:0] p_araddr,
    input  logic              p_rvalid,
    output logic              p_rready,
    input  logic [IdBits-1:0] p_rid,
    input  logic [      63:0] p_rdata,
    input  logic [       1:0] p_rresp,
    input  logic              p_rlast,
    output logic              p_awvalid,
    input  logic              p_awready,
    output logic [IdBits-1:0] p_awid,
    output logic [      31:0] p_awaddr,
    output logic              p_wvalid,
    input  logic              p_wready,
    output logic [      63:0] p_wdata,
    output logic [       7:0] p_wstrb,
    output logic              p_wlast,
    input  logic              p_bvalid,
    output logic              p_bready,
    input  logic [IdBits-1:0] p_bid,
    input  logic [       1:0] p_bresp,

    // RAM
    output logic              d_arvalid,
    input  logic              d_arready,
    output logic [IdBits-1:0] d_arid,
    output logic [      31:0] d_araddr,
    input  logic              d_rvalid,
    output logic              d_rready,
    input  logic [IdBits-1:0] d_rid,
    input  logic [      63:0] d_rdata,
    input  logic [       1:0] d_rresp,
    input  logic              d_rlast,
    output logic              d_awvalid,
    input  logic              d_awready,
    output logic [IdBits-1:0] d_awid,
    output logic [      31:0] d_awaddr,
    output logic              d_wvalid,
    input  logic              d_wready,
    output logic [      63:0] d_wdata,
    output logic [       7:0] d_wstrb,
    output logic              d_wlast,
    input  logic              d_bvalid,
    output logic              d_bready,
    input  logic [IdBits-1:0] d_bid,
    input  logic [       1:0] d_bresp
);
  localparam int unsigned RowBits = 64;  // marks in a row of memory
  localparam int unsigned Rows = Bytes / 64 / RowBits;
  localparam int unsigned RowAddrBits = $clog2(Rows);
  localparam int unsigned Slots = 2 ** SlotBits;

  if (Rows < 2 || 2 ** (RowAddrBits + 12) != Bytes || (Base & 32'(Bytes - 1)) != '0) begin : gen_illegal
    $fatal(1, "%m: Bytes %0d must be a power of two from 8192 on, Base a multiple", Bytes);
  end

  typedef logic [31:6] line_t;
  typedef logic [SlotBits-1:0] slot_t;

  // the lowest bit of an address that is Base's in all of the window
  localparam int unsigned Window = RowAddrBits + 12;

  // ---- marks ---------------------------------------------------------------------------------------------------------------
  logic [RowBits-1:0] held_row_q, changed_row_q, w_held, w_changed;  // held and changed by caches; w: which marks are written
  logic [  RowAddrBits:0] cleared_q;  // rows since reset
  logic [RowAddrBits-1:0] w_row;
  logic clearing, set, unmark_q, clean_q, look, w_bit, c_outside, ar_outside, aw_outside;
  line_t c_line, look_line, unmark_line_q, clean_line_q, w_line;

  assign c_outside  = c_araddr[31:Window] != Base[31:Window];
  assign ar_outside = s_araddr[31:Window] != Base[31:Window];
  assign aw_outside = s_awaddr[31:Window] != Base[31:Window];
  assign clearing   = !cleared_q[RowAddrBits];
  assign c_line     = c_araddr[31:6];
  assign set        = c_arvalid && c_arready && !hold_o;  // the processor reads

  always_comb begin
    w_line = set ? c_line : unmark_q ? unmark_line_q : clean_line_q;
    w_bit = set;
    w_row = w_line[6+6+:RowAddrBits];
    w_held = '0;
    w_changed = '0;
    if (clearing) begin
      w_bit = 1'b0;
      w_row = cleared_q[RowAddrBits-1:0];
      {w_held, w_changed} = '1;
    end else begin
      w_held[w_line[6+:6]] = set ? !c_outside : unmark_q;
      w_changed[w_line[6+:6]] = set ? !c_outside : unmark_q || clean_q;
    end
  end

  // memories of one bit, which have an enable each
  for (genvar i = 0; i < int'(RowBits); i++) begin : gen_mark
    logic held_q[Rows], changed_q[Rows];
    always_ff @(posedge clk_i) begin
      if (w_held[i]) held_q[w_row] <= w_bit;
      if (look) held_row_q[i] <= held_q[look_line[6+6+:RowAddrBits]];
    end
    always_ff @(posedge clk_i) begin
      if (w_changed[i]) changed_q[w_row] <= w_bit;
      if (look) changed_row_q[i] <= changed_q[look_line[6+6+:RowAddrBits]];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cleared_q <= '0;
    else if (clearing) cleared_q <= cleared_q + 1'b1;
  end

  // ---- lines that the processor writes back: an ID's second write under way is not followed -------------------------------------
  localparam int unsigned Backs = 2 ** CpuIdBits;
  logic [Backs-1:0] back_busy_q, back_again_q, back_read;
  line_t [Backs-1:0] back_lines_q;
  logic back_end;

  for (genvar i = 0; i < int'(Backs); i++) begin : gen_back
    logic said, over;
    assign said = c_awvalid && c_awready && c_awid == CpuIdBits'(i);
    assign over = c_bvalid && c_bready && c_bid == CpuIdBits'(i);
    assign back_read[i] = set && c_line == back_lines_q[i];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) back_busy_q[i] <= 1'b0;
      else back_busy_q[i] <= said || (back_busy_q[i] && !over);
      if (said && !back_busy_q[i]) begin
        back_lines_q[i] <= c_awaddr[31:6];
        back_again_q[i] <= set && c_line == c_awaddr[31:6];
      end else begin
        back_again_q[i] <= back_again_q[i] || said || back_read[i];
      end
    end
  end
  assign back_end = c_bvalid && c_bready && back_busy_q[c_bid] && !back_again_q[c_bid] && !back_read[c_bid] &&
      back_lines_q[c_bid][31:Window] == Base[31:Window];

  // ---- reads: looked up, then asked for on either side -----------------------------------------------------------------------
  logic r_valid_q, r_fresh_q, r_cached_q, r_cached, r_pass;
  line_t r_line_q;
  logic [IdBits-1:0] r_id_q;

  assign s_arready = !clearing && !r_valid_q;
  assign r_cached = r_cached_q || (r_fresh_q && changed_row_q[r_line_q[6+:6]]);
  assign {p_arid, p_araddr} = {r_id_q, r_line_q, 6'd0};
  assign {d_arid, d_araddr} = {r_id_q, r_line_q, 6'd0};
  assign p_arvalid = r_valid_q && r_cached;
  assign d_arvalid = r_valid_q && !r_cached;
  assign r_pass = r_cached ? p_arready : d_arready;

  // One that is asked for on a side stays there: a read of the processor at the same time or later is one that this need not wait for.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) r_valid_q <= 1'b0;
    else r_valid_q <= r_valid_q ? !r_pass : s_arvalid && s_arready;
    r_fresh_q <= s_arvalid && s_arready;
    if (s_arvalid && s_arready) begin
      r_line_q   <= s_araddr[31:6];
      r_id_q     <= s_arid;
      r_cached_q <= ar_outside;
    end else begin
      r_cached_q <= r_cached;
    end
  end

  // Those under way through the port. The processor's reads of the line are counted: one more than the port's own, and the mark stays. A
  // mark that cannot be removed at once stays, too.
  localparam int unsigned SeenBits = 2;
  logic [Slots-1:0] r_busy_q, r_match;
  line_t [Slots-1:0] r_lines_q;
  logic [Slots-1:0][SeenBits-1:0] r_seen_q, r_before, r_seen;
  slot_t r_slot, r_end_slot;
  logic r_said, r_end, r_clean;

  assign r_said = p_arvalid && p_arready;
  assign r_slot = p_arid[SlotBits-1:0];
  assign r_end = p_rvalid && p_rready && p_rlast;
  assign r_end_slot = p_rid[SlotBits-1:0];
  assign r_clean = r_end && r_seen[r_end_slot] <= SeenBits'(PortReads) && r_lines_q[r_end_slot][31:Window] == Base[31:Window];
  for (genvar i = 0; i < int'(Slots); i++) begin : gen_read
    assign r_match[i]  = set && c_line == (r_busy_q[i] ? r_lines_q[i] : r_line_q);
    assign r_before[i] = r_busy_q[i] ? r_seen_q[i] : '0;
    assign r_seen[i]   = r_before[i] + SeenBits'(r_match[i] && r_before[i] != '1);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) r_busy_q[i] <= 1'b0;
      else if (r_said && r_slot == slot_t'(i)) r_busy_q[i] <= 1'b1;
      else if (r_end && r_end_slot == slot_t'(i)) r_busy_q[i] <= 1'b0;
      if (!r_busy_q[i]) r_lines_q[i] <= r_line_q;
      r_seen_q[i] <= r_seen[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clean_q <= 1'b0;
    else if (clean_q) clean_q <= (set || unmark_q) && !(set && c_line == clean_line_q);
    else clean_q <= r_clean || back_end;
    if (!clean_q) clean_line_q <= r_clean ? r_lines_q[r_end_slot] : back_lines_q[c_bid];
  end

  // answers: those of the coherent port first; what is offered stays
  logic r_held_q, r_side_q, r_side;
  assign r_side = r_held_q ? r_side_q : !p_rvalid;
  assign {s_rvalid, s_rid, s_rdata, s_rresp, s_rlast} = r_side ? {
    d_rvalid, d_rid, d_rdata, d_rresp, d_rlast
  } : {
    p_rvalid, p_rid, p_rdata, p_rresp, p_rlast
  };
  assign d_rready = r_side && s_rready;
  assign p_rready = !r_side && s_rready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) r_held_q <= 1'b0;
    else r_held_q <= s_rvalid && !s_rready;
    r_side_q <= r_side;
  end

  // ---- writes --------------------------------------------------------------------------------------------------------------
  // looked up
  logic w_valid_q, w_fresh_q, w_cached_q, w_cached, w_read, w_to_port, w_to_ram;
  line_t w_line_q;
  logic [IdBits-1:0] w_id_q;
  // said to one side
  logic p_valid_q, d_valid_q, side_q;  // side_q: 1 RAM, of all writes that are under way
  line_t p_line_q, d_line_q;
  logic [IdBits-1:0] p_id_q, d_id_q;
  logic [SlotBits:0] bursts_q;  // whose data are not through
  logic [Slots-1:0] busy_q, again_q, match;
  line_t [Slots-1:0] lines_q;
  slot_t b_slot, w_slot;
  logic said, data_open, data_end, answered;

  assign look = (s_arvalid && s_arready) || (s_awvalid && s_awready);
  assign look_line = s_arvalid && s_arready ? s_araddr[31:6] : s_awaddr[31:6];
  assign s_awready = !clearing && !w_valid_q && !(s_arvalid && s_arready);
  assign w_cached = w_cached_q || (w_fresh_q && held_row_q[w_line_q[6+:6]]);
  assign w_read = c_arvalid && c_line == w_line_q;  // the processor's read goes first
  assign w_slot = w_id_q[SlotBits-1:0];
  assign w_to_port = w_valid_q && w_cached && !p_valid_q && !(side_q && busy_q != '0);
  assign w_to_ram = w_valid_q && !w_cached && !w_read && !d_valid_q && !(!side_q && busy_q != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q <= 1'b0;
      p_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
    end else begin
      w_valid_q <= w_valid_q ? !(w_to_port || w_to_ram) : s_awvalid && s_awready;
      p_valid_q <= p_valid_q ? !p_awready : w_to_port;
      d_valid_q <= d_valid_q ? !d_awready : w_to_ram;
    end
    w_fresh_q <= s_awvalid && s_awready;
    if (s_awvalid && s_awready) begin
      w_line_q   <= s_awaddr[31:6];
      w_id_q     <= s_awid;
      w_cached_q <= aw_outside || (set && c_line == s_awaddr[31:6]);
    end else begin
      w_cached_q <= w_cached || (set && c_line == w_line_q);
    end
    if (w_to_port) {p_line_q, p_id_q} <= {w_line_q, w_id_q};
    if (w_to_ram) {d_line_q, d_id_q} <= {w_line_q, w_id_q};
    if (w_to_port || w_to_ram) side_q <= w_to_ram;
  end

  assign {p_awvalid, p_awid, p_awaddr} = {p_valid_q, p_id_q, p_line_q, 6'd0};
  assign {d_awvalid, d_awid, d_awaddr} = {d_valid_q, d_id_q, d_line_q, 6'd0};

  // data: not before a side has taken their address
  assign said = (p_awvalid && p_awready) || (d_awvalid && d_awready);
  assign data_open = bursts_q != '0;
  assign p_wvalid = s_wvalid && data_open && !side_q;
  assign d_wvalid = s_wvalid && data_open && side_q;
  assign s_wready = data_open && (side_q ? d_wready : p_wready);
  assign {p_wdata, p_wstrb, p_wlast} = {s_wdata, s_wstrb, s_wlast};
  assign {d_wdata, d_wstrb, d_wlast} = {s_wdata, s_wstrb, s_wlast};
  assign data_end = s_wvalid && s_wready && s_wlast;

  // answers; one of the coherent port leaves a mark to remove, as soon as no other is written
  assign b_slot = s_bid[SlotBits-1:0];
  assign {s_bid, s_bresp} = side_q ? {d_bid, d_bresp} : {p_bid, p_bresp};
  assign s_bvalid = side_q ? d_bvalid : p_bvalid && !unmark_q;
  assign p_bready = !side_q && s_bready && !unmark_q;
  assign d_bready = side_q && s_bready;
  assign answered = s_bvalid && s_bready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unmark_q <= 1'b0;
    else if (unmark_q) unmark_q <= set && c_line != unmark_line_q;
    else unmark_q <= answered && !side_q && !again_q[b_slot] && !match[b_slot] && lines_q[b_slot][31:Window] == Base[31:Window];
    if (!unmark_q) unmark_line_q <= lines_q[b_slot];
  end

  for (genvar i = 0; i < int'(Slots); i++) begin : gen_slot
    assign match[i] = busy_q[i] && c_arvalid && lines_q[i] == c_line;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[i] <= 1'b0;
      else if ((w_to_port || w_to_ram) && w_slot == slot_t'(i)) busy_q[i] <= 1'b1;
      else if (answered && b_slot == slot_t'(i)) busy_q[i] <= 1'b0;
      if ((w_to_port || w_to_ram) && w_slot == slot_t'(i)) begin
        lines_q[i] <= w_line_q;
        again_q[i] <= set && c_line == w_line_q;
      end else if (match[i] && set) begin
        again_q[i] <= 1'b1;
      end
    end
  end

  assign hold_o = clearing || (side_q && match != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) bursts_q <= '0;
    else bursts_q <= bursts_q + (SlotBits + 1)'(said) - (SlotBits + 1)'(data_end);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(w_to_port || w_to_ram) || !busy_q[w_slot])
      else $error("%m: a second write with the ID of one that is under way");
      assert (!r_said || !r_busy_q[r_slot])
      else $error("%m: a second read with the ID of one that is under way");
      assert (!(side_q ? d_bvalid : p_bvalid) || busy_q[b_slot])
      else $error("%m: an answer to nothing");
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{c_araddr[5:0], s_araddr[5:0], s_awaddr[5:0], look_line, w_line, c_awaddr[5:0]};
endmodule
