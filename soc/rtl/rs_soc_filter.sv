// SPDX-License-Identifier: Apache-2.0
// rs_soc_filter: lets a core go straight to RAM where the processor's caches cannot hold the line, and through its coherent port elsewhere.
// Model:   soc/tb/test_rs_soc_filter.py
// Params:  Base, Bytes: of the RAM whose lines have marks, a power of two, at a multiple of itself; other lines count as changed. SlotBits: low
//          bits of the core's IDs, which tell those apart that are under way. CpuIdBits: of the processor's IDs. PortReads: 1 if
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
    parameter int unsigned        SlotBits  = 3,
    parameter int unsigned        CpuIdBits = 4,
    parameter int unsigned        PortReads = 1
) (
    input logic clk_i,
    input logic rst_ni,

    // the processor at RAM: its reads pass when ready is 1 and hold_o is 0
    input rs_soc_pkg::axi_req_t cpu_req_i,
    input rs_soc_pkg::axi_rsp_t cpu_rsp_i,
    output logic hold_o,
    // the core
    input rs_soc_pkg::axi_req_t s_i,
    output rs_soc_pkg::axi_rsp_t s_o,
    // the coherent port
    output rs_soc_pkg::axi_req_t p_o,
    input rs_soc_pkg::axi_rsp_t p_i,
    // RAM
    output rs_soc_pkg::axi_req_t d_o,
    input rs_soc_pkg::axi_rsp_t d_i
);
  localparam int unsigned IdBits = rs_soc_pkg::IdBits;
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

  assign c_outside  = cpu_req_i.ar.addr[31:Window] != Base[31:Window];
  assign ar_outside = s_i.ar.addr[31:Window] != Base[31:Window];
  assign aw_outside = s_i.aw.addr[31:Window] != Base[31:Window];
  assign clearing   = !cleared_q[RowAddrBits];
  assign c_line     = cpu_req_i.ar.addr[31:6];
  assign set        = cpu_req_i.ar_valid && cpu_rsp_i.ar_ready && !hold_o;  // the processor reads

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
  logic [CpuIdBits-1:0] back_slot, over_slot;
  logic back_end;
  assign {back_slot, over_slot} = {cpu_req_i.aw.id[CpuIdBits-1:0], cpu_rsp_i.b_id[CpuIdBits-1:0]};

  for (genvar i = 0; i < int'(Backs); i++) begin : gen_back
    logic said, over;
    assign said = cpu_req_i.aw_valid && cpu_rsp_i.aw_ready && back_slot == CpuIdBits'(i);
    assign over = cpu_rsp_i.b_valid && cpu_req_i.b_ready && over_slot == CpuIdBits'(i);
    assign back_read[i] = set && c_line == back_lines_q[i];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) back_busy_q[i] <= 1'b0;
      else back_busy_q[i] <= said || (back_busy_q[i] && !over);
      if (said && !back_busy_q[i]) begin
        back_lines_q[i] <= cpu_req_i.aw.addr[31:6];
        back_again_q[i] <= set && c_line == cpu_req_i.aw.addr[31:6];
      end else begin
        back_again_q[i] <= back_again_q[i] || said || back_read[i];
      end
    end
  end
  assign back_end = cpu_rsp_i.b_valid && cpu_req_i.b_ready && back_busy_q[over_slot] && !back_again_q[over_slot] &&
      !back_read[over_slot] && back_lines_q[over_slot][31:Window] == Base[31:Window];

  // ---- reads: looked up, then asked for on either side -----------------------------------------------------------------------
  logic r_valid_q, r_fresh_q, r_cached_q, r_cached, r_pass;
  line_t r_line_q;
  logic [IdBits-1:0] r_id_q;

  assign s_o.ar_ready = !clearing && !r_valid_q;
  assign r_cached = r_cached_q || (r_fresh_q && changed_row_q[r_line_q[6+:6]]);
  assign {p_o.ar, d_o.ar} = {2{r_id_q, r_line_q, 6'd0, 8'd7}};
  assign p_o.ar_valid = r_valid_q && r_cached;
  assign d_o.ar_valid = r_valid_q && !r_cached;
  assign r_pass = r_cached ? p_i.ar_ready : d_i.ar_ready;

  // One that is asked for on a side stays there: a read of the processor at the same time or later is one that this need not wait for.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) r_valid_q <= 1'b0;
    else r_valid_q <= r_valid_q ? !r_pass : s_i.ar_valid && s_o.ar_ready;
    r_fresh_q <= s_i.ar_valid && s_o.ar_ready;
    if (s_i.ar_valid && s_o.ar_ready) begin
      r_line_q   <= s_i.ar.addr[31:6];
      r_id_q     <= s_i.ar.id;
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

  assign r_said = p_o.ar_valid && p_i.ar_ready;
  assign r_slot = p_o.ar.id[SlotBits-1:0];
  assign r_end = p_i.r_valid && p_o.r_ready && p_i.r_last;
  assign r_end_slot = p_i.r_id[SlotBits-1:0];
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
    if (!clean_q) clean_line_q <= r_clean ? r_lines_q[r_end_slot] : back_lines_q[over_slot];
  end

  // answers: those of the coherent port first; what is offered stays
  logic r_held_q, r_side_q, r_side;
  assign r_side = r_held_q ? r_side_q : !p_i.r_valid;
  assign {s_o.r_valid, s_o.r_id, s_o.r_data, s_o.r_resp, s_o.r_last} = r_side ? {
    d_i.r_valid, d_i.r_id, d_i.r_data, d_i.r_resp, d_i.r_last
  } : {
    p_i.r_valid, p_i.r_id, p_i.r_data, p_i.r_resp, p_i.r_last
  };
  assign d_o.r_ready = r_side && s_i.r_ready;
  assign p_o.r_ready = !r_side && s_i.r_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) r_held_q <= 1'b0;
    else r_held_q <= s_o.r_valid && !s_i.r_ready;
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

  assign look = (s_i.ar_valid && s_o.ar_ready) || (s_i.aw_valid && s_o.aw_ready);
  assign look_line = s_i.ar_valid && s_o.ar_ready ? s_i.ar.addr[31:6] : s_i.aw.addr[31:6];
  assign s_o.aw_ready = !clearing && !w_valid_q && !(s_i.ar_valid && s_o.ar_ready);
  assign w_cached = w_cached_q || (w_fresh_q && held_row_q[w_line_q[6+:6]]);
  assign w_read = cpu_req_i.ar_valid && c_line == w_line_q;  // the processor's read goes first
  assign w_slot = w_id_q[SlotBits-1:0];
  assign w_to_port = w_valid_q && w_cached && !p_valid_q && !(side_q && busy_q != '0);
  assign w_to_ram = w_valid_q && !w_cached && !w_read && !d_valid_q && !(!side_q && busy_q != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q <= 1'b0;
      p_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
    end else begin
      w_valid_q <= w_valid_q ? !(w_to_port || w_to_ram) : s_i.aw_valid && s_o.aw_ready;
      p_valid_q <= p_valid_q ? !p_i.aw_ready : w_to_port;
      d_valid_q <= d_valid_q ? !d_i.aw_ready : w_to_ram;
    end
    w_fresh_q <= s_i.aw_valid && s_o.aw_ready;
    if (s_i.aw_valid && s_o.aw_ready) begin
      w_line_q   <= s_i.aw.addr[31:6];
      w_id_q     <= s_i.aw.id;
      w_cached_q <= aw_outside || (set && c_line == s_i.aw.addr[31:6]);
    end else begin
      w_cached_q <= w_cached || (set && c_line == w_line_q);
    end
    if (w_to_port) {p_line_q, p_id_q} <= {w_line_q, w_id_q};
    if (w_to_ram) {d_line_q, d_id_q} <= {w_line_q, w_id_q};
    if (w_to_port || w_to_ram) side_q <= w_to_ram;
  end

  assign {p_o.aw_valid, p_o.aw} = {p_valid_q, p_id_q, p_line_q, 6'd0, 8'd7};
  assign {d_o.aw_valid, d_o.aw} = {d_valid_q, d_id_q, d_line_q, 6'd0, 8'd7};

  // data: not before a side has taken their address
  assign said = (p_o.aw_valid && p_i.aw_ready) || (d_o.aw_valid && d_i.aw_ready);
  assign data_open = bursts_q != '0;
  assign p_o.w_valid = s_i.w_valid && data_open && !side_q;
  assign d_o.w_valid = s_i.w_valid && data_open && side_q;
  assign s_o.w_ready = data_open && (side_q ? d_i.w_ready : p_i.w_ready);
  assign {p_o.w_data, p_o.w_strb, p_o.w_last} = {s_i.w_data, s_i.w_strb, s_i.w_last};
  assign {d_o.w_data, d_o.w_strb, d_o.w_last} = {s_i.w_data, s_i.w_strb, s_i.w_last};
  assign data_end = s_i.w_valid && s_o.w_ready && s_i.w_last;

  // answers; one of the coherent port leaves a mark to remove, as soon as no other is written
  assign b_slot = s_o.b_id[SlotBits-1:0];
  assign {s_o.b_id, s_o.b_resp} = side_q ? {d_i.b_id, d_i.b_resp} : {p_i.b_id, p_i.b_resp};
  assign s_o.b_valid = side_q ? d_i.b_valid : p_i.b_valid && !unmark_q;
  assign p_o.b_ready = !side_q && s_i.b_ready && !unmark_q;
  assign d_o.b_ready = side_q && s_i.b_ready;
  assign answered = s_o.b_valid && s_i.b_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unmark_q <= 1'b0;
    else if (unmark_q) unmark_q <= set && c_line != unmark_line_q;
    else unmark_q <= answered && !side_q && !again_q[b_slot] && !match[b_slot] && lines_q[b_slot][31:Window] == Base[31:Window];
    if (!unmark_q) unmark_line_q <= lines_q[b_slot];
  end

  for (genvar i = 0; i < int'(Slots); i++) begin : gen_slot
    assign match[i] = busy_q[i] && cpu_req_i.ar_valid && lines_q[i] == c_line;
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
      assert (!(side_q ? d_i.b_valid : p_i.b_valid) || busy_q[b_slot])
      else $error("%m: an answer to nothing");
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{cpu_req_i, cpu_rsp_i, s_i, look_line, w_line};
endmodule
