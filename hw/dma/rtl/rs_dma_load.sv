// SPDX-License-Identifier: Apache-2.0
// rs_dma_load: the LOAD unit: memory -> group (LOAD, LOADS), LIFT unit (STREAM), or constants and twiddles of a modulus (CONTEXT, ROOTS), or
//              one of them (CONSTANTS, TWIDDLES).
// Model:   docs/core.md: instructions, formats in memory, faults
// Params:  W; LogNMax; Lanes (with BusBits: the chunk); BusBits, Outstanding, MaxBurstBytes;
//          Reducers: words per cycle of a STREAM with `alt`, 0: there is none (rs_reduce_stream);
//          Encode: there are LOADS (rs_load_slots), ROOTS and TWIDDLES; for LOADS LogNMin, the smallest log_n_i, and SlotWords, numbers per cycle, 1
//          or 2, which is both parts of a slot; Sliced: LOAD and CONTEXT have
//          a size of their own (log_size), of which all agree that are under way, and LOAD a slice of the group;
//          BurstLines: lines of a burst of LOAD and STREAM, 1, 2 or 4; Short: LOAD of half a polynomial and of words of 16 bits
// Bounds:  addr_i a multiple of 64, 16 BurstLines V <= 2^log_n_i, log_n_i <= LogNMax; all inputs but the handshakes stable from start_i to the next
//          start_i or done_o; q_i and ratio64_i are those of ctx_o a cycle ago. An instruction may start while up to two others are
//          under way, two cycles after the last start, if room_o, all agree in `wide` (of a context: W > 32), one at most brings a context
//          or what of it, and none has a message or is a LOADS. It may need the context that comes with one before it
// Timing:  a chunk per cycle, or a beat where that holds less; 24 cycles and the memory's latency - 1 more than that in all (5 of a
//          context, or if V is 1): all words of the last beat are of one bank. Instructions that follow each other at once take their
//          beats, and three cycles each if the memory has no latency. LOADS: SlotWords numbers per cycle (rs_load_slots)
//
// An array is in natural order; position k is its word brv(k). So a chunk is a word of each of V streams of N / V words: their lines are
// fetched in turns, rs_transpose makes chunks of them, and positions come in bit-reversed order.
// Faults come with done_o, when all that was asked of the memory is there; chunks are handed on all the same. Whether every residue
// is below q, or every number of a LOADS a word, is the only thing about data that shows, and not of secrets or errors (flags `secret`,
// `alt`). The last chunk is wiped after done_o.
//
// Three instructions may be under way (a short context between two polynomials), and done_o comes for them in order. The addresses of
// one go out when those of the one before are out, and its beats follow, while chunks of the one before still leave rs_transpose. So each
// stage says whose turn it is (instructions have the numbers 0, 1 and 2, in turns): asking, beats, the chunk in rs_unpack, columns, the
// end. A context's constants are there two cycles after its header, as are words of the first beat behind it.

module rs_dma_load #(
    parameter int unsigned W = 32,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes = 4,
    parameter int unsigned BusBits = 128,
    parameter int unsigned Outstanding = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned Reducers = 0,
    parameter bit Encode = 1'b0,
    parameter int unsigned LogNMin = LogNMax,
    parameter int unsigned SlotWords = 1,
    parameter bit Sliced = 1'b0,
    parameter int unsigned BurstLines = 1,
    parameter bit Short = 1'b0,
    localparam int unsigned V = rs_dma_pkg::chunk_words(W, Lanes, BusBits),
    localparam int unsigned HeaderBeats = 512 / BusBits
) (
    input logic clk_i,
    input logic rst_ni,
    // unit
    input logic start_i,
    input logic [63:0] instr_i,
    input logic clear_i,  // drains, then done_o as always
    input logic [63:0] addr_i,
    input logic [4:0] log_n_i,
    input logic [W-1:0] q_i,  // the modulus of ctx_o, from the next cycle on
    input logic [63:0] ratio64_i,  // likewise
    output logic [1:0] ctx_o,  // whose constants are wanted
    input logic [LogNMax:0] twiddle_words_i,  // words of a whole context; stable from the cycle before start_i on
    output logic room_o,  // from the second cycle after start_i on: another one may start
    output logic done_o,
    output logic [3:0] fault_o,  // with done_o
    // LOAD, LOADS: always taken
    output logic chunk_valid_o,
    output logic chunk_word_o,  // a word of LOADS: chunk_pos_o is its position, and only this one is written
    output logic chunk_real_o,  // and, 2 Lanes positions behind it, chunk_other_o: zero, or with SlotWords = 2 a word
    output logic [W-1:0] chunk_other_o,
    output logic [3:0] chunk_group_o,
    output logic chunk_ntt_o,
    output logic [LogNMax-1:0] chunk_pos_o,
    output logic [V-1:0][W-1:0] chunk_data_o,
    // STREAM
    output logic stream_valid_o,
    input logic stream_ready_i,
    output logic [V-1:0][W-1:0] stream_o,
    output logic stream_secret_o,  // the flag `secret` of its instruction
    // CONTEXT: beat i of the header is what comes last with header_write_o[i], then a pulse, before the first twiddle
    output logic [1:0] context_o,  // which one, from the cycle after its start_i to the next one's
    output logic roots_o,  // it has roots, from its start_i on
    output logic [1:0] part_o,  // or is a part of the twiddles (rs_twiddles), likewise
    output logic [HeaderBeats-1:0] header_write_o,
    output logic [BusBits-1:0] header_beat_o,
    output logic header_valid_o,
    output logic twiddle_valid_o,
    input logic twiddle_ready_i,
    output logic [V-1:0][W-1:0] twiddle_o,
    input logic twiddles_done_i,  // a pulse: all are stored
    // memory
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [BusBits-1:0] rdata_i
);
  localparam int unsigned LogV = $clog2(V);
  localparam int unsigned LinesBits = LogNMax - 2;

  if (Short && (BurstLines == 1 || V == 1)) begin : gen_illegal_short
    $fatal(1, "%m: Short needs bursts of two lines or more and chunks of two words or more, not %0d and %0d", BurstLines, V);
  end
  if (BurstLines > 1 && (Reducers != 0 || Sliced || V == 1)) begin : gen_illegal_lines
    $fatal(1, "%m: BurstLines %0d with Reducers, slices or chunks of one word", BurstLines);
  end

  localparam int unsigned Loads = rs_load_pkg::Loads;
  typedef rs_load_pkg::turn_t turn_t;

  logic [LogNMax-1:0] below_n;  // N - 1
  logic [  LogNMax:0] last_words;  // words of twiddles before the last chunk; -1 for none
  logic [LinesBits-1:0] twiddle_lines, slot_lines, poly_lines;
  logic [Loads-1:0] halves, narrows;  // instructions of half of the words, and of words of 16 bits
  logic wide, bare, fills;  // bare: constants alone; fills: twiddles alone
  rs_load_pkg::kind_t kind;  // the kind of the instruction that starts
  rs_load_pkg::kind_t [Loads-1:0] kind_q, kind_d;
  rs_load_pkg::kind_t column_kind_d;
  logic column_load_q, column_stream_q, column_message_q, column_secret_q;  // bits of kind_q[column_turn_q]: handshakes need them
  logic column_ends;
  // instructions: the next one to start, the last one that has; whose beats come, whose chunk is in rs_unpack,
  // whose columns come, who ends next
  turn_t new_q, last, beat_turn, chunk_turn_q, column_turn_q, end_turn_q, bad_turn_q;
  logic [Loads-1:0] open_q, coming;  // which are under way, and have beats to come
  logic open;  // one is, and not cleared
  logic begun;  // in the cycle before
  logic refuse_q, refused_q;  // a LOADS of more slots than there are points: in this cycle, since it started
  logic clear;
  logic dropped_q;
  logic message_ready, message_valid;
  logic [V-1:0][W-1:0] message;
  rs_dma_pkg::numbers_t numbers;
  logic slot_ready, slot_valid, slot_real, slots_stored_q, slots_end, value_bad_q;
  logic [LogNMax-1:0] slot_pos;
  logic [W-1:0] slot_word;
  logic bad_q, fresh_q, over, above, context_bad_q;
  logic [Loads-1:0] error, residue_q;
  logic reading;
  logic beat_valid, beat_ready, in_header, unpack_ready;
  logic [BusBits-1:0] beat;
  logic chunk_valid, chunk_ready;
  logic [V-1:0][W-1:0] chunk;
  logic [LogNMax-LogV:0] taken_q;  // words of a context, in chunks
  logic pass_q;  // they go without being taken: padding
  logic row_ready, column_valid, column_ready, take_column, last_column_q;
  logic [V-1:0][W-1:0] column;
  logic [LogNMax-LogV-1:0] pos_q, pos_next;  // the position of the column, in chunks
  logic stored_q, context_end, end_q;
  logic roots_q;  // roots_o
  logic [4:0] log_size;  // log2 of the words of LOAD, STREAM
  logic [LogNMax-1:0] base;  // the base of the column's slice

  // ---- the instructions --------------------------------------------------------------------------------------------------
  rs_load_kind #(
      .W       (W),
      .LogNMax (LogNMax),
      .Reducers(Reducers),
      .Encode  (Encode),
      .Sliced  (Sliced)
  ) u_kind (
      .clk_i,
      .start_i,
      .instr_i,
      .log_n_i        (log_size),
      .twiddle_words_i,
      .kind_o         (kind),
      .bare_o         (bare),
      .fills_o        (fills),
      .wide_o         (wide),
      .below_n_o      (below_n),
      .poly_lines_o   (poly_lines),
      .slot_lines_o   (slot_lines),
      .twiddle_lines_o(twiddle_lines),
      .last_words_o   (last_words),
      .context_o,
      .roots_o,
      .part_o
  );

  // ---- halves and words of 16 bits ---------------------------------------------------------------------------------------
  if (Short) begin : gen_short
    logic [Loads-1:0] halves_q, narrows_q;
    always_ff @(posedge clk_i) begin
      if (start_i) begin
        halves_q[new_q]  <= kind.load && instr_i[rs_isa_pkg::HalfLsb];
        narrows_q[new_q] <= kind.load && instr_i[rs_isa_pkg::NarrowLsb];
      end
    end
    assign {halves, narrows} = {halves_q, narrows_q};
  end else begin : gen_long
    assign {halves, narrows} = '0;
  end

  // ---- slices -----------------------------------------------------------------------------------------------------------
  if (Sliced) begin : gen_slices
    logic [Loads-1:0][LogNMax-1:0] base_q;
    rs_isa_pkg::instr_t instr;
    assign instr = rs_isa_pkg::instr_t'(instr_i);
    assign log_size = instr.log_size != '0 ? 5'(instr.log_size) : log_n_i;
    always_ff @(posedge clk_i) begin
      if (start_i) base_q[new_q] <= kind.load && instr.log_size != '0 ? LogNMax'(instr.slice_dst) << log_size : '0;
    end
    assign base = base_q[column_turn_q];
    logic unused_fields;
    assign unused_fields = ^instr;
  end else begin : gen_whole
    assign log_size = log_n_i;
    assign base = '0;
  end

  assign numbers = rs_dma_pkg::numbers_t'(instr_i[rs_isa_pkg::NumbersLsb+:28]);
  assign clear   = clear_i || refuse_q;

  always_comb begin
    kind_d = kind_q;
    if (start_i) kind_d[new_q] = kind;
  end
  always_ff @(posedge clk_i) kind_q <= kind_d;

  // ---- memory to chunks --------------------------------------------------------------------------------------------------
  rs_load_beats #(
      .BusBits      (BusBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits),
      .Streams      (V),
      .Encode       (Encode),
      .BurstLines   (BurstLines),
      .Short        (Short)
  ) u_beats (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i        (clear),
      .addr_i,
      .open_i         (open),
      .new_i          (new_q),
      .kind_i         (kind_q),
      .halves_i       (halves),
      .narrows_i      (narrows),
      .wide_i         (wide),
      .poly_lines_i   (poly_lines),
      .slot_lines_i   (slot_lines),
      .twiddle_lines_i(twiddle_lines),
      .room_o,
      .reading_o      (reading),
      .coming_o       (coming),
      .error_o        (error),
      .last_o         (last),
      .begun_o        (begun),
      .turn_o         (beat_turn),
      .beat_valid_o   (beat_valid),
      .beat_ready_i   (beat_ready),
      .beat_o         (beat),
      .in_header_o    (in_header),
      .header_write_o,
      .header_valid_o,
      .read_o,
      .read_i,
      .rdata_i
  );

  always_comb begin
    if (kind_q[beat_turn].message) beat_ready = message_ready;
    else if (Encode && kind_q[beat_turn].slots) beat_ready = slot_ready;
    else beat_ready = unpack_ready;
  end

  rs_unpack #(
      .W      (W),
      .BusBits(BusBits),
      .V      (V),
      .Narrow (Short)
  ) u_unpack (
      .clk_i,
      .rst_ni,
      .clear_i      (clear),
      .wipe_i       (!open),
      .wide_i       (wide),
      .narrow_i     (Short && narrows[beat_turn]),
      .beat_valid_i (beat_valid && !in_header && !kind_q[beat_turn].message && !(Encode && kind_q[beat_turn].slots)),
      .beat_ready_o (unpack_ready),
      .beat_i       (beat),
      .chunk_valid_o(chunk_valid),
      .chunk_ready_i(chunk_ready),
      .chunk_o      (chunk),
      .over_o       (over)
  );

  // ---- words of a message to rows of residues ------------------------------------------------------------------------------
  if (Reducers != 0) begin : gen_message
    rs_reduce_stream #(
        .W       (W),
        .BusBits (BusBits),
        .V       (V),
        .Reducers(Reducers)
    ) u_reduce (
        .clk_i,
        .rst_ni,
        .clear_i,
        .wipe_i      (!open),
        .q_i,
        .ratio64_i,
        .beat_valid_i(beat_valid && kind_q[beat_turn].message),
        .beat_ready_o(message_ready),
        .beat_i      (beat),
        .row_valid_o (message_valid),
        .row_ready_i (row_ready),
        .row_o       (message),
        .busy_o      ()
    );
  end else begin : gen_no_message
    assign {message_ready, message_valid} = '0;
    assign message = '0;
    logic unused_ratio;
    assign unused_ratio = ^ratio64_i;
  end

  // ---- numbers to words --------------------------------------------------------------------------------------------------
  if (Encode) begin : gen_slots
    logic beyond_word, stored;
    logic [15:0] beyond_q;  // ones that no number of a slot has

    rs_load_slots #(
        .W      (W),
        .LogNMin(LogNMin),
        .LogNMax(LogNMax),
        .Lanes  (Lanes),
        .BusBits(BusBits),
        .Words  (SlotWords)
    ) u_slots (
        .clk_i,
        .rst_ni,
        .start_i     (begun && kind_q[last].slots),
        .clear_i     (clear),
        .numbers_i   (numbers),
        .log_n_i,
        .beat_valid_i(beat_valid && kind_q[beat_turn].slots),
        .beat_ready_o(slot_ready),
        .beat_i      (beat),
        .word_valid_o(slot_valid),
        .word_real_o (slot_real),
        .word_pos_o  (slot_pos),
        .word_sec_o  (slot_word),
        .other_sec_o (chunk_other_o),
        .over_sec_o  (beyond_word),
        .done_o      (stored)
    );

    // all is written and read, what is behind the last number as well
    assign slots_end = open && slots_stored_q && !coming[column_turn_q];
    always_ff @(posedge clk_i) begin
      beyond_q       <= 16'hffff << (log_n_i - 5'd1);
      refuse_q       <= rst_ni && start_i && kind.slots && (numbers.last & beyond_q) != '0;
      slots_stored_q <= open && !slots_end && (stored || slots_stored_q);
      if (start_i) begin
        refused_q   <= 1'b0;
        value_bad_q <= 1'b0;
      end else begin
        if (refuse_q) refused_q <= 1'b1;
        if (slot_valid && beyond_word) value_bad_q <= 1'b1;
      end
    end
  end else begin : gen_no_slots
    assign {refuse_q, refused_q, slot_ready, slot_valid, slot_real, slots_stored_q, slots_end, value_bad_q} = '0;
    assign slot_pos = '0;
    assign {slot_word, chunk_other_o} = '0;
    logic unused_numbers;
    assign unused_numbers = ^{numbers, slots_stored_q, 1'(LogNMin), 1'(SlotWords)};
  end

  // ---- rows of streams to columns ----------------------------------------------------------------------------------------
  // a message is alone, so columns and rows are its
  rs_transpose #(
      .W     (W),
      .V     (V),
      .Places(16 * BurstLines),
      .Halves(Short)
  ) u_transpose (
      .clk_i,
      .rst_ni,
      .clear_i    (clear),
      .wipe_i     (!open),
      .in_valid_i (column_message_q ? message_valid : chunk_valid && !kind_q[chunk_turn_q].is_context),
      .in_ready_o (row_ready),
      .half_i     (Short && halves[chunk_turn_q]),
      .in_i       (column_message_q ? message : chunk),
      .out_valid_o(column_valid),
      .out_ready_i(column_ready),
      .out_o      (column),
      .leaves_o   (),
      .busy_o     ()
  );

  rs_next_reversed #(
      .Width(LogNMax - LogV)
  ) u_next (
      .ones_i (below_n[LogNMax-1:LogV]),
      .value_i(pos_q),
      .next_o (pos_next)
  );

  // ---- chunks to whom they belong ----------------------------------------------------------------------------------------
  // the columns of an instruction wait until a context ahead of it is stored
  assign chunk_ready = kind_q[chunk_turn_q].is_context ? pass_q || twiddle_ready_i : row_ready;
  assign column_ready = column_load_q || (column_stream_q && stream_ready_i);
  assign take_column = column_valid && column_ready;

  assign chunk_valid_o = (column_valid && column_load_q) || slot_valid;
  assign chunk_word_o = slot_valid;
  assign chunk_real_o = slot_real;
  assign chunk_group_o = kind_q[column_turn_q].dst;
  assign chunk_ntt_o = kind_q[column_turn_q].ntt;
  assign chunk_pos_o = slot_valid ? slot_pos : LogNMax'(pos_q) << LogV | base;
  assign chunk_data_o = slot_valid ? {V{slot_word}} : column;
  assign stream_valid_o = column_valid && column_stream_q;
  assign stream_o = column;
  assign stream_secret_o = column_secret_q;
  assign twiddle_valid_o = chunk_valid && kind_q[chunk_turn_q].is_context && !pass_q;
  assign twiddle_o = chunk;
  assign header_beat_o = beat;
  // a message is reduced after its last beat, too
  assign ctx_o = column_message_q ? kind_q[column_turn_q].ctx : kind_q[beat_turn].ctx;

  // ---- faults ------------------------------------------------------------------------------------------------------------
  always_comb begin
    above = 1'b0;
    for (int unsigned i = 0; i < V; i++) if (chunk[i] >= q_i) above = 1'b1;
  end

  assign done_o = open_q[end_turn_q] && (end_q || context_end || (dropped_q && !reading));
  always_comb begin
    if (error[end_turn_q]) fault_o = rs_isa_pkg::FAULT_BUS_READ;
    else if (refused_q) fault_o = rs_isa_pkg::FAULT_ILLEGAL;
    else if (kind_q[end_turn_q].is_context && context_bad_q) fault_o = rs_isa_pkg::FAULT_CONTEXT;
    else if (residue_q[end_turn_q] || (bad_q && bad_turn_q == end_turn_q)) fault_o = rs_isa_pkg::FAULT_RESIDUE;
    else if (value_bad_q) fault_o = rs_isa_pkg::FAULT_VALUE;
    else fault_o = rs_isa_pkg::FAULT_NONE;
  end

  // ---- state -------------------------------------------------------------------------------------------------------------
  assign open = open_q != '0 && !dropped_q;
  // its twiddles are stored, padding is gone, and the header has been looked at; the instruction ahead of it has ended
  assign context_end = open && open_q[column_turn_q] && kind_q[column_turn_q].is_context && !coming[column_turn_q] && !end_q &&
      (stored_q || twiddles_done_i) && !(chunk_valid && chunk_turn_q == column_turn_q) && !header_valid_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      new_q     <= '0;
      open_q    <= '0;
      dropped_q <= 1'b0;
      end_q     <= 1'b0;
    end else begin
      dropped_q <= clear ? start_i || open_q != '0 : dropped_q && open_q != '0;
      end_q     <= open && ((take_column && last_column_q) || slots_end);
      if (done_o) open_q[end_turn_q] <= 1'b0;
      if (start_i) begin
        new_q         <= rs_load_pkg::after(new_q);
        open_q[new_q] <= 1'b1;
      end
    end
  end

  assign column_ends = context_end || slots_end || (take_column && last_column_q);

  // whether columns end comes late, so that it chooses last
  always_comb begin
    if (!open) column_kind_d = kind_d[new_q];
    else column_kind_d = column_ends ? kind_d[rs_load_pkg::after(column_turn_q)] : kind_d[column_turn_q];
  end
  always_ff @(posedge clk_i) begin
    column_load_q    <= column_kind_d.load;
    column_stream_q  <= column_kind_d.stream;
    column_message_q <= column_kind_d.message;
    column_secret_q  <= column_kind_d.secret;
  end

  // when nothing is under way, it will be the next instruction's turn
  always_ff @(posedge clk_i) begin
    if (!open) begin
      chunk_turn_q  <= new_q;
      column_turn_q <= new_q;
      pos_q         <= '0;
      last_column_q <= 1'b0;
    end else begin
      if (!chunk_valid || chunk_ready) chunk_turn_q <= beat_turn;
      if (column_ends) column_turn_q <= rs_load_pkg::after(column_turn_q);
      if (take_column) begin
        pos_q         <= last_column_q ? '0 : pos_next;
        last_column_q <= !last_column_q && pos_next == below_n[LogNMax-1:LogV];
      end
    end
    if (open_q == '0) end_turn_q <= new_q;
    else if (done_o) end_turn_q <= rs_load_pkg::after(end_turn_q);
  end

  always_ff @(posedge clk_i) begin
    roots_q <= roots_o;
    if (start_i && kind.is_context) stored_q <= bare;
    else if (twiddles_done_i) stored_q <= 1'b1;
    if (in_header || (begun && kind_q[last].is_context)) begin
      taken_q <= '0;
      pass_q  <= last_words[LogNMax];
    end else if (kind_q[chunk_turn_q].is_context && chunk_valid && chunk_ready) begin
      taken_q <= taken_q + 1'b1;
      if (taken_q == {1'b0, last_words[LogNMax-1:LogV]}) pass_q <= 1'b1;
    end
    // a chunk is compared in its first cycle: the modulus may be another one after that
    fresh_q    <= !chunk_valid || chunk_ready;
    bad_q      <= chunk_valid && fresh_q && !kind_q[chunk_turn_q].is_context && !kind_q[chunk_turn_q].hidden && (above || over);
    bad_turn_q <= chunk_turn_q;
    if (bad_q) residue_q[bad_turn_q] <= 1'b1;
    if (start_i) residue_q[new_q] <= 1'b0;
    // what the multipliers cannot do: even (0 as well), 1, too wide, or not 1 mod 2^WlmWordBits; roots have 1 and nothing else
    if (header_write_o[0]) begin
      context_bad_q <= !beat[0] || (beat[63:1] != '0) == roots_q || beat[63:0] >> W != '0 || beat[rs_pkg::WlmWordBits-1:1] != '0;
    end else if (start_i && fills) begin
      context_bad_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  logic open_wide_q, open_message, open_context;
  always_comb begin
    open_message = 1'b0;
    open_context = 1'b0;
    for (int unsigned i = 0; i < Loads; i++) begin
      open_message |= open_q[i] && (kind_q[i].message || kind_q[i].slots);
      open_context |= open_q[i] && kind_q[i].is_context;
    end
  end
  always_ff @(posedge clk_i) begin
    if (start_i) open_wide_q <= W > 32 || (instr_i[rs_isa_pkg::WideLsb] && !kind.is_context);
    if (rst_ni && open_q[column_turn_q]) begin
      assert ({column_load_q, column_stream_q} == {kind_q[column_turn_q].load, kind_q[column_turn_q].stream})
      else $error("%m: columns of another kind");
      assert ({column_message_q, column_secret_q} == {kind_q[column_turn_q].message, kind_q[column_turn_q].secret})
      else $error("%m: columns of another kind");
    end
    if (rst_ni && start_i && open_q != '0) begin
      assert (!begun && !open_q[new_q] && room_o)
      else $error("%m: started too early");
      assert (open_wide_q == (W > 32 || (instr_i[rs_isa_pkg::WideLsb] && !kind.is_context)))
      else $error("%m: instructions of other widths");
      assert (!open_message && !(kind.stream && instr_i[rs_isa_pkg::SignedLsb]) && !kind.slots)
      else $error("%m: a message has to be alone");
      assert (!open_context || !kind.is_context)
      else $error("%m: two contexts");
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{instr_i, column_kind_d, below_n};
endmodule
