// SPDX-License-Identifier: Apache-2.0
// rs_lift_unit: the LIFT unit: LIFT makes residues of a slot, ROUND replaces a slot by the rounding of a modulus that is dropped. With
//          Encode also: LIFTW makes residues of a slot and fixed-point words, CENTRE words of residues, with factor 0,
//          centred, or with `alt` as they are. With Onto: LIFTON adds a group to LIFT's residues.
// Model:   lib/src/backend/plan.c rs_plan_lift, rs_plan_add; lib/src/ckks/encrypt.c rs_pk_remainder; docs/core.md
//          LIFTW: lib/src/ckks/encode_fixed.c rs_lift_fixed; CENTRE: lib/src/encoding/fixed.c rs_fixed_scale
// Params:  W, LogNMax, ChunkWords V: a power of two below 2^LogNMax; Onto; Encode; for that alone Lanes, V is 2 to 4 Lanes then, and
//          FixedWords F: words of LIFTW and CENTRE per cycle, a power of two up to V; 0: V
// Bounds:  log2(V) <= log_n_i <= LogNMax; q_i odd and above 64; values of the slot as rs_lift_small and rs_round_bit want them.
//          LIFTW, CENTRE: log_n_i >= 2 + log2(Lanes), 3 with one lane; as in rs_fixed_word
// Timing:  LIFT a chunk per cycle, or per word of the stream, LIFTON likewise and ROUND in two cycles (a slot has one port) if chunk_ready_i,
//          each and a latency; a function of the instruction, log_n_i, stream_valid_i and chunk_ready_i alone. LIFTW and CENTRE a chunk
//          in V / F cycles if chunk_ready_i: from start_i, not counted, to done_o N / F + V / F + 9 and + 7 cycles, V / F less if V = 4 Lanes > 4
//
// The slot is read ahead: a row waits in value_sec_q, and the memory is read for the next one in every cycle, again and again while
// the first waits for the stream, since it does not hold what it read. LIFTON asks for the group's chunk when the row leaves value_sec_q.
//
// Rows come in bit-reversed order: the stream is a polynomial in natural order, so its chunks are (rs_dma_load).
//
// LIFTW and CENTRE have no stream. They read and write chunks in the order of positions, but for those of words: there re and im of the
// same points follow each other, and rs_turn_words makes two chunks of residues of them, or them of two. No other buffer is needed.
// The slot is read when its chunk has left rs_turn_words: only the requests can wait, what follows them cannot. A chunk that is wider than F
// words shifts through rs_fixed_word, and is put together behind it.
//
//   LIFT:   slot -> rs_lift_lane (+ stream) -> chunk          ROUND:   slot, chunk -> rs_round_bit -> slot
//   LIFTON: slot -> rs_lift_lane (+ stream), chunk -> rs_lift_onto -> chunk
//   LIFTW:  chunk -> rs_turn_words -> rs_fixed_word, slot -> rs_lift_lane -> chunk
//   CENTRE: chunk -> rs_turn_words -> rs_fixed_word -> chunk

module rs_lift_unit #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned ChunkWords = 8,
    parameter  int unsigned Lanes      = 4,
    parameter  bit          Encode     = 1'b0,
    parameter  bit          Onto       = 1'b0,
    parameter  int unsigned FixedWords = 0,
    localparam int unsigned RowBits    = LogNMax - $clog2(ChunkWords)
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         start_i,
    input  logic [ 63:0] instr_i,  // held from start_i to done_o, like log_n_i; q_i and factor_i from the cycle after start_i
    input  logic         clear_i,  // stops; the pipeline is empty Rest + 1 cycles later
    output logic         done_o,   // in the cycle of the last write
    output logic [  3:0] fault_o,  // with done_o
    input  logic [  4:0] log_n_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] factor_i,

    // words of a STREAM: chunk k is that of row brv(k)
    input  logic                         stream_valid_i,
    output logic                         stream_ready_o,  // LIFT, LIFTON with `add`: taken when both
    input  logic [ChunkWords-1:0][W-1:0] stream_i,

    // group dst of LIFT, LIFTON, LIFTW, CENTRE
    output logic                         chunk_valid_o,
    output logic [   LogNMax-1:0]        chunk_pos_o,
    output logic [ChunkWords-1:0][W-1:0] chunk_data_o,

    // group a of ROUND and CENTRE, b of LIFTW and LIFTON
    output logic                         chunk_req_o,
    input  logic                         chunk_ready_i,  // the request is taken
    output logic [   LogNMax-1:0]        chunk_rpos_o,
    input  logic [ChunkWords-1:0][W-1:0] chunk_data_i,   // two cycles after a request that is taken

    // rs_slots
    output logic                       slot_req_o,
    output logic                       slot_we_o,
    output logic [           3:0]      slot_o,
    output logic [   RowBits-1:0]      slot_row_o,
    output logic [ChunkWords-1:0][5:0] slot_wdata_sec_o,
    input  logic [ChunkWords-1:0][5:0] slot_rdata_sec_i   // one cycle after a read
);
  localparam int unsigned LogChunk = $clog2(ChunkWords);
  localparam int unsigned Lag = 3, OntoLag = 2;  // from a row in value_sec_q to the write, and to LIFTON's
  localparam int unsigned WordLatency = 4;  // rs_fixed_word
  localparam int unsigned Copies = ChunkWords > 4 ? 4 : 1;  // copies of constants
  localparam int unsigned Fixed = FixedWords == 0 ? ChunkWords : FixedWords;
  localparam int unsigned Parts = ChunkWords / Fixed;  // a chunk becomes words in so many
  // from the last row to zeros everywhere
  localparam int unsigned Rest = Encode ? Lag + WordLatency + 2 * (Parts - 1) : Onto ? Lag + OntoLag : Lag;

  if (ChunkWords == 0 || (ChunkWords & (ChunkWords - 1)) != 0 || ChunkWords >= 2 ** LogNMax) begin : gen_illegal
    $fatal(1, "%m: ChunkWords must be a power of two below 2^LogNMax");
  end

  // ---- schedule: no data in here --------------------------------------------------------------------------------------------
  rs_isa_pkg::instr_t instr;
  logic round_q, scale_q, add_q;  // decoded in the cycle of start_i
  logic [3:0] slot_q;
  logic [RowBits-1:0] below_rows_q;
  logic run_q;  // there is a row to read
  logic want, read, read_q, load, step, write;
  logic have_q;  // a row in value_sec_q
  logic stall;  // which waits for the stream, or for the group
  logic [RowBits-1:0] row, row_q, next_row_q, write_row_q;  // to read, and its successor; to write
  logic [RowBits-1:0] after_next, after_write;
  logic last_q;  // row_q is the last one
  logic [Lag:1] flight_q, end_q;  // bit i: a row, the last row, left value_sec_q i cycles ago

  // LIFTON; zeros without Onto
  logic onto;
  logic onto_write, onto_done;
  logic [RowBits-1:0] onto_rrow, rrow;  // the row in value_sec_q; that is asked for
  logic onto_sum;  // a row whose sum goes on is in the lanes' second register
  logic [ChunkWords-1:0][W-1:0] onto_sec;

  // LIFTW and CENTRE; zeros without Encode
  logic words, centre;  // one of them; that
  logic words_req;  // a chunk is asked for
  logic words_last;  // the last request is taken
  logic words_read;  // the slot is read
  logic words_write, words_done;  // CENTRE writes; both are done
  logic words_moving;  // there may be something in their pipeline
  logic words_over;
  logic [RowBits-1:0] words_rrow, words_slot_row, words_wrow;
  logic [Copies-1:0][W-1:0] q, factor;  // lane i has copy i mod Copies
  logic [ChunkWords-1:0][W-1:0] turned_sec, word_sec;

  assign instr = rs_isa_pkg::instr_t'(instr_i);

  // ROUND reads and writes the slot in turn: two cycles to value_sec_q and the odd Lag from there. If it had to wait for the group, a
  // read can meet a write: the write goes first.
  assign stall = have_q && ((add_q && !stream_valid_i) || (onto && !chunk_ready_i));
  assign step = have_q && !stall;
  assign load = read_q && !stall;
  assign row = load ? next_row_q : row_q;
  assign want = run_q && !read_q && !write;
  assign read = words ? words_read : round_q ? want && chunk_ready_i : run_q && !(load && last_q);
  assign write = onto ? onto_write : flight_q[Lag];
  assign done_o = words ? words_done : onto ? onto_done : end_q[Lag];
  assign fault_o = words_over ? rs_isa_pkg::FAULT_VALUE : rs_isa_pkg::FAULT_NONE;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q    <= 1'b0;
      read_q   <= 1'b0;
      have_q   <= 1'b0;
      flight_q <= '0;
      end_q    <= '0;
    end else begin
      if (start_i) run_q <= 1'b1;
      else if (words ? words_last : load && last_q) run_q <= 1'b0;
      read_q   <= read;
      have_q   <= load || stall;
      flight_q <= {flight_q[Lag-1:1], step};
      end_q    <= {end_q[Lag-1:1], step && !run_q};
    end
  end

  rs_next_reversed #(
      .Width(RowBits)
  ) u_next (
      .ones_i (below_rows_q),
      .value_i(next_row_q),
      .next_o (after_next)
  );

  rs_next_reversed #(
      .Width(RowBits)
  ) u_next_write (
      .ones_i (below_rows_q),
      .value_i(write_row_q),
      .next_o (after_write)
  );

  always_ff @(posedge clk_i) begin
    round_q      <= instr.op == rs_isa_pkg::OP_ROUND;
    add_q        <= instr.op != rs_isa_pkg::OP_ROUND && instr_i[rs_isa_pkg::AddLsb];
    scale_q      <= instr_i[rs_isa_pkg::FactorLsb];  // CENTRE: whole, which stands there, too
    slot_q       <= instr.op == rs_isa_pkg::OP_ROUND ? instr.dst : instr.a;
    below_rows_q <= ~({RowBits{1'b1}} << (log_n_i - 5'(LogChunk)));
    if (start_i) begin
      row_q       <= '0;
      next_row_q  <= RowBits'({1'b1, RowBits'(0)} >> (5'(LogNMax) + 5'd1 - log_n_i));  // brv(1); 0 if there is one row
      last_q      <= log_n_i == 5'(LogChunk);
      write_row_q <= '0;
    end else begin
      row_q <= row;
      if (load) begin
        next_row_q <= after_next;
        last_q     <= next_row_q == below_rows_q;
      end
      if (write) write_row_q <= after_write;
    end
  end

  assign stream_ready_o = have_q && add_q && (!onto || chunk_ready_i);
  assign chunk_valid_o = words_write || (write && !round_q);
  assign chunk_pos_o = LogNMax'(words ? words_wrow : write_row_q) << LogChunk;
  assign chunk_req_o = words ? words_req : onto ? have_q : want && round_q;
  assign rrow = words ? words_rrow : onto ? onto_rrow : row_q;
  assign chunk_rpos_o = LogNMax'(rrow) << LogChunk;
  assign slot_we_o = write && round_q;
  assign slot_req_o = read || slot_we_o;
  assign slot_o = slot_q;
  assign slot_row_o = words ? words_slot_row : slot_we_o ? write_row_q : row;

  // ---- constants: a register that drives many lanes is slow, so each has one of four copies. They differ, as synthesis makes one of equal
  // registers: straight and inverted, and once more a cycle later. No row needs them before the third cycle after start_i ----
  if (Copies > 1) begin : gen_copies
    logic [W-1:0] q_q, factor_q, not_q_q, not_factor_q, late_q_q, late_factor_q, late_not_q_q, late_not_factor_q;
    always_ff @(posedge clk_i) begin
      if (run_q) begin
        {q_q, factor_q} <= {q_i, factor_i};
        {not_q_q, not_factor_q} <= ~{q_i, factor_i};
        {late_q_q, late_factor_q} <= {q_q, factor_q};
        {late_not_q_q, late_not_factor_q} <= ~{q_q, factor_q};
      end
    end
    assign q = {~late_not_q_q, late_q_q, ~not_q_q, q_q};
    assign factor = {~late_not_factor_q, late_factor_q, ~not_factor_q, factor_q};
  end else begin : gen_originals
    assign q = q_i;
    assign factor = factor_i;
  end

  // ---- data: zeros wherever nothing is under way, so that nothing stays --------------------------------------------------
  logic [ChunkWords-1:0][  5:0] value_sec_q;
  logic [ChunkWords-1:0][W-1:0] residue_sec_q;  // residues of the stream, or of the group; or words, the next ones lowest
  logic [ChunkWords-1:0][W-1:0] later_sec;  // words that come down
  logic [ChunkWords-1:0] wrap_sec, wrap_sec_q, bit_sec_q;
  logic [Rest:0] awake_q;  // something was under way: zeros follow it through all registers
  logic awake;

  assign awake = read_q || have_q || words_moving || awake_q != '0;

  always_ff @(posedge clk_i) begin
    awake_q <= {awake_q[Rest-1:0], read_q || have_q || words_moving};
    if (!stall && awake) value_sec_q <= read_q ? slot_rdata_sec_i : '0;
    if (awake) begin
      for (int unsigned i = 0; i < ChunkWords; i++) begin
        residue_sec_q[i] <= (stream_i[i] & {W{step && add_q}}) | (chunk_data_i[i] & {W{step && round_q}}) | turned_sec[i] |
            later_sec[i];
      end
      wrap_sec_q <= flight_q[1] && round_q ? wrap_sec : '0;
      bit_sec_q  <= wrap_sec_q;
    end
  end

  logic [ChunkWords-1:0][W-1:0] sum_sec;
  for (genvar i = 0; i < ChunkWords; i++) begin : gen_lane
    assign chunk_data_o[i] = onto ? onto_sec[i] : sum_sec[i] | (word_sec[i] & {W{centre}});

    rs_lift_lane #(
        .W(W),
        .Copy(Copies > 1)
    ) u_lift (
        .clk_i,
        .en_i(awake),
        .q_i(q[i%int'(Copies)]),
        .factor_i(factor[i%int'(Copies)]),
        .scale_i(scale_q),
        .valid_i(have_q),
        .value_sec_i(value_sec_q[i]),
        .addend_sec_i((residue_sec_q[i] & ~{W{words}}) | (word_sec[i] & {W{words && !centre}})),
        .below_i(onto_sum),
        .residue_sec_o(sum_sec[i])
    );

    rs_round_bit #(
        .W(W)
    ) u_round (
        .clk_i,
        .en_i(awake),
        .q_i(q[i%int'(Copies)]),
        .error_sec_i(value_sec_q[i]),
        .value_sec_i(residue_sec_q[i]),
        .wrap_sec_o(wrap_sec[i])
    );

    assign slot_wdata_sec_o[i] = {5'd0, bit_sec_q[i]};
  end

  // ---- LIFTON: a second sum ----------------------------------------------------------------------------------------------------
  if (Onto) begin : gen_onto
    logic onto_q, below_q;
    logic [OntoLag:1] flight_onto_q, end_onto_q;  // as flight_q, end_q, from the first sum on
    logic [RowBits-1:0] have_row_q;
    logic [ChunkWords-1:0][W-1:0] group_sec_q;

    assign onto = onto_q;
    assign onto_sum = onto_q && flight_q[Lag-1];
    assign onto_write = flight_onto_q[OntoLag];
    assign onto_done = end_onto_q[OntoLag];
    assign onto_rrow = have_row_q;
    always_ff @(posedge clk_i) begin
      onto_q <= instr.op == rs_isa_pkg::OP_LIFTON;
      if (load) have_row_q <= row_q;
      if (!rst_ni || clear_i) begin
        flight_onto_q <= '0;
        end_onto_q    <= '0;
      end else begin
        flight_onto_q <= {flight_onto_q[OntoLag-1:1], onto_q && flight_q[Lag]};
        end_onto_q    <= {end_onto_q[OntoLag-1:1], onto_q && end_q[Lag]};
      end
      if (awake) begin
        below_q <= onto_sum;
        if (onto_sum) group_sec_q <= chunk_data_i;  // asked for two cycles ago
        else group_sec_q <= '0;
      end
    end
    for (genvar i = 0; i < ChunkWords; i++) begin : gen_sum
      rs_lift_onto #(
          .W(W)
      ) u_sum (
          .clk_i,
          .en_i   (awake),
          .q_i    (q[i%int'(Copies)]),
          .below_i(below_q),
          .a_sec_i(sum_sec[i]),
          .b_sec_i(group_sec_q[i]),
          .r_sec_o(onto_sec[i])
      );
    end
  end else begin : gen_not_onto
    assign {onto, onto_sum, onto_write, onto_done, onto_rrow} = '0;
    assign onto_sec = '0;
  end

  // ---- LIFTW, CENTRE ----------------------------------------------------------------------------------------------------------
  if (Encode) begin : gen_words
    // Low bits of a position that are rotated between the two orders. A chunk of words has the row of a pair of chunks with one bit put
    // in: re or im, at Place. Place <= 0: the rows are the same.
    localparam int unsigned Turned = 2 + (Lanes > 1 ? $clog2(Lanes) : 1);
    localparam int Place = int'(Turned) - 1 - int'(LogChunk);
    localparam int unsigned WordLag = WordLatency + Parts;  // from turned to word_sec
    localparam int unsigned SlotLag = WordLag - 3;  // from turned to the slot's read, so that they meet in rs_lift_lane

    logic words_q, centre_q;
    logic signed [7:0] shift_q;
    logic take, turned, free;
    logic [2:1] arrive_q;  // bit i: a request was taken i cycles ago
    logic [WordLag:1] turned_q;  // bit i: a chunk left rs_turn_words i cycles ago
    logic written;
    logic [RowBits-1:0] read_count_q, slot_count_q, write_count_q;
    logic [RowBits-1:0] read_pair, write_pair;
    logic [Fixed-1:0][W-1:0] fixed_sec;
    logic [Fixed-1:0] over_sec;
    logic over, over_q;

    if (Turned >= LogNMax || ChunkWords < 2 || ChunkWords > 4 * Lanes) begin : gen_illegal_encode
      $fatal(1, "%m: Encode needs ChunkWords of 2 to 4 Lanes, and LogNMax above %0d", Turned);
    end
    if (Fixed > ChunkWords || (Fixed & (Fixed - 1)) != 0) begin : gen_illegal_fixed
      $fatal(1, "%m: FixedWords %0d is not a power of two up to ChunkWords", FixedWords);
    end

    if (Place > 0) begin : gen_pair
      assign read_pair  = {read_count_q[RowBits-1:Place+1], read_count_q[0], read_count_q[Place:1]};
      assign write_pair = {write_count_q[RowBits-1:Place+1], write_count_q[0], write_count_q[Place:1]};
    end else begin : gen_same
      assign read_pair  = read_count_q;
      assign write_pair = write_count_q;
    end

    assign words_req = run_q && free;
    assign take = words_q && words_req && chunk_ready_i;
    assign written = words_q && chunk_valid_o;
    assign words = words_q;
    assign centre = centre_q;
    assign words_last = take && read_count_q == below_rows_q;
    assign words_read = turned_q[SlotLag] && !centre_q;
    assign words_write = turned_q[WordLag] && centre_q;
    assign words_done = written && write_count_q == below_rows_q;
    assign words_moving = (words_q && run_q) || arrive_q != '0 || turned_q != '0;
    assign words_rrow = centre_q ? read_count_q : read_pair;
    assign words_slot_row = slot_count_q;
    assign words_wrow = centre_q ? write_pair : write_count_q;
    // one bit for a whole polynomial becomes public
    assign over = turned_q[WordLag:WordLatency+1] != '0 && over_sec != '0;
    assign words_over = words_q && (over || over_q);

    always_ff @(posedge clk_i) begin
      words_q  <= instr.op == rs_isa_pkg::OP_LIFTW || instr.op == rs_isa_pkg::OP_CENTRE;
      centre_q <= instr.op == rs_isa_pkg::OP_CENTRE;
      shift_q  <= instr_i[rs_isa_pkg::ShiftLsb+:rs_isa_pkg::ShiftBits];
      if (!rst_ni || clear_i) begin
        arrive_q <= '0;
        turned_q <= '0;
        over_q   <= 1'b0;
      end else begin
        arrive_q <= {arrive_q[1], take};
        turned_q <= {turned_q[WordLag-1:1], turned};
        over_q   <= !start_i && (over || over_q);
      end
      read_count_q  <= start_i ? '0 : read_count_q + RowBits'(take);
      slot_count_q  <= start_i ? '0 : slot_count_q + RowBits'(words_read);
      write_count_q <= start_i ? '0 : write_count_q + RowBits'(written);
    end

    rs_turn_words #(
        .W    (W),
        .V    (ChunkWords),
        .Lanes(Lanes),
        .Gap  (Parts)
    ) u_turn (
        .clk_i,
        .en_i       (awake),
        .back_i     (centre_q),
        .clear_i    (!rst_ni || clear_i || start_i),
        .in_valid_i (arrive_q[2]),
        .in_sec_i   (chunk_data_i & {ChunkWords * W{arrive_q[2]}}),
        .out_valid_o(turned),
        .out_sec_o  (turned_sec)
    );

    for (genvar i = 0; i < int'(Fixed); i++) begin : gen_word
      rs_fixed_word #(
          .W(W)
      ) u_word (
          .clk_i,
          .en_i      (awake),
          .q_i       (q[i%int'(Copies)]),
          .centre_i  (centre_q),
          .whole_i   (scale_q),
          .shift_i   (shift_q),
          .word_sec_i(residue_sec_q[i] & {W{words_q}}),
          .word_sec_o(fixed_sec[i]),
          .over_sec_o(over_sec[i])
      );
    end

    // words follow each other: those behind come down, and those in front wait for the last ones of their chunk
    if (Parts > 1) begin : gen_parts
      localparam int unsigned Held = ChunkWords - Fixed;
      logic [Parts-1:1] taken_q;  // bit i: a request was taken i cycles ago
      logic [Held-1:0][W-1:0] held_sec_q;

      assign free = taken_q == '0;
      assign later_sec = {{Fixed * W{1'b0}}, residue_sec_q[ChunkWords-1:Fixed] & {Held * W{words_q}}};
      assign word_sec = {fixed_sec, held_sec_q};
      always_ff @(posedge clk_i) begin
        if (start_i || clear_i) taken_q <= '0;
        else taken_q <= (Parts - 1)'({taken_q, take});
        if (awake) held_sec_q <= word_sec[ChunkWords-1:Fixed];
      end
    end else begin : gen_whole
      assign free = 1'b1;
      assign later_sec = '0;
      assign word_sec = fixed_sec;
    end
  end else begin : gen_no_words
    assign {words, centre, words_req, words_last, words_read, words_write, words_done, words_moving, words_over} = '0;
    assign {words_rrow, words_slot_row, words_wrow} = '0;
    assign turned_sec = '0;
    assign later_sec = '0;
    assign word_sec = '0;
  end

  logic unused_bits;
  assign unused_bits = ^instr;
endmodule
