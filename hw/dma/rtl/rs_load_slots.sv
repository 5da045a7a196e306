// SPDX-License-Identifier: Apache-2.0
// rs_load_slots: numbers in memory -> words of fixed point in a group, in the order of slots.
// Model:   lib/tests/model_core.c load_slots; docs/core.md, "Fixed point"
// Params:  W, LogNMin, LogNMax, Lanes, BusBits; Words: numbers per cycle, 1, or 2 with several lanes and a bus of 128 bits or more
// Bounds:  numbers_i: count <= N/2, format <= 6, stable from start_i to done_o, log_n_i from two cycles before start_i on. Beats come
//          at the earliest two cycles after start_i, and stay until beat_ready_o
// Timing:  N/2 cycles of slots with real parts alone, or with Words = 2; N of pairs, or with one lane. A write comes 6 cycles after
//          its number. Nothing depends on what the numbers are
//
// Slots behind the last one in memory are zeros. A slot whose parts are in one row is one write, if it has no imaginary part or Words is 2.

module rs_load_slots #(
    parameter int unsigned W       = 32,
    parameter int unsigned LogNMin = 10,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes   = 4,
    parameter int unsigned BusBits = 128,
    parameter int unsigned Words   = 1
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               start_i,
    input  logic                               clear_i,       // stops; zeros everywhere 7 cycles later
    input  rs_dma_pkg::numbers_t               numbers_i,
    input  logic                 [        4:0] log_n_i,
    input  logic                               beat_valid_i,
    output logic                               beat_ready_o,  // also of what is behind the last number
    input  logic                 [BusBits-1:0] beat_i,
    output logic                               word_valid_o,
    output logic                               word_real_o,   // no word of the imaginary part comes: it is other_sec_o
    output logic                 [LogNMax-1:0] word_pos_o,
    output logic                 [      W-1:0] word_sec_o,
    output logic                 [      W-1:0] other_sec_o,
    output logic                               over_sec_o,    // with word_valid_o: a number that no word holds
    output logic                               done_o         // a pulse: all words were there
);
  localparam bit Solo = Lanes == 1;
  localparam bit Pairs = Words == 2;
  localparam int unsigned ByteBits = $clog2(BusBits / 8);
  localparam int unsigned Stages = 6;  // from a number in memory to its word

  typedef struct packed {
    logic valid;
    logic real_only;
    logic im;
  } step_t;

  // ---- which number it is ------------------------------------------------------------------------------------------------------
  logic run_q, some_q;  // points are to come, also from memory
  logic im_q, odd_q;  // parts of the next number
  logic [15:0] left_q;  // slots in memory after it
  logic [ByteBits-1:0] at_q, size, taken;  // its place in a beat; bytes of a number, and of all of a cycle, less one
  logic both, needs, step, last_of_beat;
  logic [63:0] number_sec_q;
  logic is_double, negate_q, over_sec, other_over_sec;
  step_t [Stages-1:0] steps_q;

  if (Words != 1 && (Words != 2 || Solo || BusBits < 128)) begin : gen_illegal_words
    $fatal(1, "%m: Words %0d is not 1, or 2 with several lanes and a bus of 128 bits or more", Words);
  end

  // the number at a byte of the beat
  function automatic logic [63:0] number_at(input logic [BusBits-1:0] beat, input logic [ByteBits-1:0] at,
                                            input logic [2:0] format);
    logic [63:0] word;
    logic [31:0] half;
    logic [15:0] pair;
    logic [ 7:0] one;
    word = beat[32'(at>>3)*64+:64];
    half = word[32'(at[2])*32+:32];
    pair = half[32'(at[1])*16+:16];
    one  = pair[32'(at[0])*8+:8];
    case (format)
      3'd0: return {{56{one[7]}}, one};
      3'd1: return {56'd0, one};
      3'd2: return {{48{pair[15]}}, pair};
      3'd3: return {48'd0, pair};
      3'd4: return {{32{half[31]}}, half};
      default: return word;
    endcase
  endfunction

  assign size = ByteBits'(rs_dma_pkg::last_byte(numbers_i.format));
  assign taken = Pairs && numbers_i.pairs ? {size[ByteBits-2:0], 1'b1} : size;
  assign is_double = numbers_i.format == 3'd6;
  assign both = Solo || (!Pairs && numbers_i.pairs && some_q);
  assign needs = some_q && (!im_q || numbers_i.pairs);
  assign step = run_q && (beat_valid_i || !needs);
  assign last_of_beat = (at_q | taken) == '1;
  assign beat_ready_o = !some_q || (needs && last_of_beat);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || done_o) begin
      run_q   <= 1'b0;
      some_q  <= 1'b0;
      steps_q <= '0;
    end else begin
      if (start_i) begin
        run_q  <= 1'b1;
        some_q <= 1'b1;
      end else if (step && (im_q || !both) && left_q == '0) some_q <= 1'b0;
      steps_q <= {steps_q[Stages-2:0], step_t'{valid: step, real_only: !both, im: im_q}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      left_q <= numbers_i.last;
      at_q   <= '0;
      im_q   <= 1'b0;
      odd_q  <= 1'b0;
    end else if (step) begin
      im_q <= both && !im_q;
      if (im_q || !both) begin
        odd_q  <= !odd_q;
        left_q <= left_q - 1'b1;
      end
      if (needs) at_q <= at_q + taken + 1'b1;
    end
    number_sec_q <= step && needs ? number_at(beat_i, at_q, numbers_i.format) : '0;
    negate_q     <= (im_q || Pairs) && odd_q;
  end

  // ---- numbers to words ----------------------------------------------------------------------------------------------------------
  rs_slot_number #(
      .In     (64),
      .Out    (W),
      .Doubles(1'b1)
  ) u_number (
      .clk_i,
      .en_i        (1'b1),
      .shift_i     (numbers_i.shift),
      .beyond_i    (~64'd0 << (W - 1)),
      .signed_i    (1'b1),
      .lowest_i    (1'b0),
      .double_i    (is_double),
      .number_sec_i(number_sec_q),
      .negate_i    (negate_q && !Pairs),
      .number_sec_o(word_sec_o),
      .over_sec_o  (over_sec)
  );

  if (Pairs) begin : gen_pairs
    logic [63:0] other_sec_q;
    always_ff @(posedge clk_i) begin
      other_sec_q <= step && needs && numbers_i.pairs ? number_at(beat_i, at_q | (size + 1'b1), numbers_i.format) : '0;
    end
    rs_slot_number #(
        .In     (64),
        .Out    (W),
        .Doubles(1'b1)
    ) u_other (
        .clk_i,
        .en_i        (1'b1),
        .shift_i     (numbers_i.shift),
        .beyond_i    (~64'd0 << (W - 1)),
        .signed_i    (1'b1),
        .lowest_i    (1'b0),
        .double_i    (is_double),
        .number_sec_i(other_sec_q),
        .negate_i    (negate_q),
        .number_sec_o(other_sec_o),
        .over_sec_o  (other_over_sec)
    );
  end else begin : gen_single
    assign other_sec_o = '0;
    assign other_over_sec = 1'b0;
  end
  assign over_sec_o = over_sec || other_over_sec;

  // ---- where they go ---------------------------------------------------------------------------------------------------------
  logic next, last;
  logic [LogNMax-1:0] pos;
  step_t now;

  assign now  = steps_q[Stages-1];
  assign next = now.valid && (now.im || now.real_only);

  rs_slot_walk #(
      .LogNMin(LogNMin),
      .LogNMax(LogNMax),
      .Lanes  (Lanes)
  ) u_walk (
      .clk_i,
      .log_n_i,
      .start_i,
      .next_i(next),
      .pos_o (pos),
      .last_o(last)
  );

  assign word_valid_o = now.valid;
  assign word_real_o = now.valid && now.real_only;
  assign word_pos_o = pos | (LogNMax'(now.im) << rs_dma_pkg::im_bit(Lanes));
  assign done_o = next && last;
endmodule
