// SPDX-License-Identifier: Apache-2.0
// rs_load_slots: numbers in memory -> words of fixed point in a group, in the order of slots.
// Model:   lib/tests/model_core.c load_slots; docs/core.md, "Fixed point"
// Params:  W, LogNMin, LogNMax, Lanes, BusBits
// Bounds:  numbers_i: count <= N/2, format <= 5, stable from start_i to done_o, log_n_i from two cycles before start_i on. Beats come
//          at the earliest two cycles after start_i, and stay until beat_ready_o
// Timing:  a number per cycle; N/2 cycles of slots with real parts alone, N of pairs, or with one lane. A write comes 6 cycles after
//          its number. Nothing depends on what the numbers are
//
// Slots behind the last one in memory are zeros. A slot without an imaginary part is one write, where both parts are in one row.

module rs_load_slots #(
    parameter int unsigned W       = 32,
    parameter int unsigned LogNMin = 10,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes   = 4,
    parameter int unsigned BusBits = 128
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
    output logic                               word_real_o,   // no word of the imaginary part comes: it is zero
    output logic                 [LogNMax-1:0] word_pos_o,
    output logic                 [      W-1:0] word_sec_o,
    output logic                               over_sec_o,    // with word_valid_o: a number that no word holds
    output logic                               done_o         // a pulse: all words were there
);
  localparam bit Solo = Lanes == 1;
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
  logic [ByteBits-1:0] at_q, size;  // its place in a beat; bytes of a number, less one
  logic both, needs, step, last_of_beat;
  logic [63:0] word_sec, number_sec, number_sec_q;
  logic [31:0] half_sec;
  logic [15:0] pair_sec;
  logic [7:0] byte_sec;
  logic negate_q;
  step_t [Stages-1:0] steps_q;

  assign size = ByteBits'(rs_dma_pkg::last_byte(numbers_i.format));
  assign both = Solo || (numbers_i.pairs && some_q);
  assign needs = some_q && (!im_q || numbers_i.pairs);
  assign step = run_q && (beat_valid_i || !needs);
  assign last_of_beat = (at_q | size) == '1;
  assign beat_ready_o = !some_q || (needs && last_of_beat);

  always_comb begin
    word_sec = beat_i[32'(at_q>>3)*64+:64];
    half_sec = word_sec[32'(at_q[2])*32+:32];
    pair_sec = half_sec[32'(at_q[1])*16+:16];
    byte_sec = pair_sec[32'(at_q[0])*8+:8];
    case (numbers_i.format)
      3'd0: number_sec = {{56{byte_sec[7]}}, byte_sec};
      3'd1: number_sec = {56'd0, byte_sec};
      3'd2: number_sec = {{48{pair_sec[15]}}, pair_sec};
      3'd3: number_sec = {48'd0, pair_sec};
      3'd4: number_sec = {{32{half_sec[31]}}, half_sec};
      default: number_sec = word_sec;
    endcase
  end

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
      if (needs) at_q <= at_q + size + 1'b1;
    end
    number_sec_q <= step && needs ? number_sec : '0;
    negate_q     <= im_q && odd_q;
  end

  // ---- numbers to words ----------------------------------------------------------------------------------------------------------
  rs_slot_number #(
      .In (64),
      .Out(W)
  ) u_number (
      .clk_i,
      .en_i        (1'b1),
      .shift_i     (numbers_i.shift),
      .beyond_i    (~64'd0 << (W - 1)),
      .signed_i    (1'b1),
      .lowest_i    (1'b0),
      .number_sec_i(number_sec_q),
      .negate_i    (negate_q),
      .number_sec_o(word_sec_o),
      .over_sec_o
  );

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
