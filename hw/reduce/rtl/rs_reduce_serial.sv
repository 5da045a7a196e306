// SPDX-License-Identifier: Apache-2.0
// rs_reduce_serial: words of 64 bits modulo q, 17 bits of quotient per cycle: few multipliers for few words.
// Model:   lib/src/arith/modarith.h rs_reduce (bit-exact)
// Params:  W: 16 to 64
// Bounds:  2^10 < q < 2^W, no power of two: every prime of an NTT of length 512 or more is such. Let b be its length in bits. A word has
//          k = ceil((64 - b) / 17) digits of 17 bits behind its head of at most b bits, which is below 2q. Long division: with r < q and the
//          next digit d, y = r 2^17 + d and t the high part of floor(y / 2^b) m, m = floor(2^(b + 17) / q) as far as ratio64 has it.
//          The first factor is less than 2^17 and less than 2 too small for y / q, m costs less than 1, the cut less than 1: t is
//          floor(y / q) less 0 to 3, and r' = y - t q in [0, 4q), W + 2 bits
// Timing:  constants up to 90 cycles after prepare_i; then a word per k cycles, in the order in which they came, Loop k + 2 cycles each
//
//  word -> r0 -> -q? -> r -> window x m -> t -> x q -> y - t q -> -2q? -+-> -q? -> residue
//          ^                                                            |
//          +------------------------------------------------------------+   Loop words are under way, each k times round

module rs_reduce_serial #(
    parameter int unsigned W = 32
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         run_i,      // from the first give_i to the last valid_o; otherwise no data are clocked
    input  logic         clear_i,    // drops all words
    input  logic         prepare_i,  // q_i and ratio64_i are new, and stable from here on; no word is under way
    input  logic [W-1:0] q_i,
    input  logic [ 63:0] ratio64_i,
    output logic         ready_o,    // a word may come in this cycle
    input  logic         give_i,
    input  logic [ 63:0] word_i,
    input  logic         keep_i,     // two cycles after give_i: the word counts, else it is dropped
    input  logic         last_i,     // with keep_i; goes with the word
    output logic         valid_o,
    output logic         last_o,
    output logic [W-1:0] residue_o
);
  localparam int unsigned Digit = 17;
  localparam int unsigned Factor = 18;  // bits of m
  localparam int unsigned BitsBits = 7;
  // the product t q: high bits of q that are not worth a hard multiplier in LUTs
  localparam int unsigned Rest = W % rs_pkg::MulTileB;
  localparam bit Short = W > rs_pkg::MulTileB && Rest != 0 && Rest * (Rest + 2) <= 110;
  localparam bit Cells = rs_pkg::MulStyle == rs_pkg::MUL_CELLS;  // which make the whole product as fast
  localparam bit Soft = Short && !Cells;
  localparam int unsigned Hard = Short ? W - Rest : W;
  localparam int unsigned RowLatency = rs_pkg::row_latency(Hard);
  localparam int unsigned Loop = 3 + rs_pkg::row_latency(Factor) + RowLatency;

  if (W < 16 || W > 64) begin : gen_illegal
    $fatal(1, "%m: W must be 16 to 64");
  end

  typedef logic [2:0] steps_t;

  // ---- constants: the first 18 bits of ratio64 from its first 1 on, bit by bit ------------------------------------------------------------
  logic [6:0] place_q;  // bit 6: below bit 0
  logic seek_q, ready_q;
  logic [Factor-1:0] factor_q;
  logic [BitsBits-1:0] length_q;  // b
  logic bit_here;
  steps_t steps;

  assign bit_here = ratio64_i[place_q[5:0]] && !place_q[6];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || prepare_i) begin
      place_q  <= 7'd63;
      seek_q   <= 1'b1;
      ready_q  <= 1'b0;
      factor_q <= '0;
      length_q <= BitsBits'(1);
    end else if (!ready_q) begin
      place_q <= place_q - 1'b1;
      if (seek_q) begin
        length_q <= length_q + BitsBits'(!bit_here);
        seek_q   <= !bit_here && !place_q[6];
      end
      if (!seek_q || bit_here) factor_q <= {factor_q[Factor-2:0], bit_here};
      ready_q <= factor_q[Factor-2];
    end
  end
  assign steps = length_q >= 7'd47 ? 3'd1 : length_q >= 7'd30 ? 3'd2 : length_q >= 7'd13 ? 3'd3 : 3'd4;

  // ---- round the loop ------------------------------------------------------------------------------------------------------------------
  logic loops;  // a word that has digits left comes round: known ahead, since the streams' handshake hangs on it
  logic [W:0] head, back;
  logic [W:0] r0_q;
  logic [W-1:0] r1, r1_q;
  logic [63:0] x0_q, x1_q;
  logic [50:0] x_back;
  logic [54:0] rest;
  steps_t left0_q, left1_q, left_back;
  logic fresh0_q, fresh1_q, there0_q, there1_q, there1;
  logic last0_q, last1_q, last1, last_back;
  logic [Loop-2:0] there_q;  // bit i: at stage i + 2

  always_comb begin
    head = '0;
    unique case (steps)
      3'd1: head = (W + 1)'(word_i >> Digit);
      3'd2: head = (W + 1)'(word_i >> (2 * Digit));
      3'd3: head = (W + 1)'(word_i >> (3 * Digit));
      default: ;
    endcase
  end

  assign ready_o = ready_q && !loops;

  always_ff @(posedge clk_i) begin
    if (run_i) begin
      r0_q    <= loops ? back : head;
      x0_q    <= loops ? 64'(x_back) : word_i;
      left0_q <= loops ? left_back : steps;
      last0_q <= last_back;
      r1_q    <= r1;
      x1_q    <= x0_q;
      left1_q <= left0_q;
      last1_q <= last0_q;
    end
    if (!rst_ni || clear_i) begin
      {fresh0_q, fresh1_q, there0_q, there1_q} <= '0;
      there_q <= '0;
    end else begin
      fresh0_q <= !loops && give_i;
      fresh1_q <= fresh0_q;
      there0_q <= loops;
      there1_q <= there0_q;
      there_q  <= {there_q[Loop-3:0], there1};
    end
  end
  assign there1 = fresh1_q ? keep_i : there1_q;
  assign last1  = fresh1_q ? last_i : last1_q;

  rs_csub #(
      .W(W)
  ) u_once (
      .x_i(r0_q),
      .q_i(q_i),
      .r_o(r1)
  );

  // ---- stage 1: y, its window; t after a product ---------------------------------------------------------------------------------------
  logic [Digit-1:0] digit, window;
  logic [W+Digit-1:0] y;
  logic [Digit+Factor-1:0] estimate;

  always_comb begin
    unique case (left1_q)
      3'd4: digit = Digit'(x1_q[63:51]);
      3'd3: digit = x1_q[50:34];
      3'd2: digit = x1_q[33:17];
      default: digit = x1_q[16:0];
    endcase
  end
  assign y = {r1_q, digit};
  assign window = Digit'(y >> length_q);

  // beside two hard multipliers and more, LUTs are as good
  if (rs_pkg::MulStyle == rs_pkg::MUL_CHAIN && Hard > rs_pkg::MulTileB) begin : gen_booth
    rs_mul_booth #(
        .WidthA(Digit),
        .WidthB(Factor)
    ) u_estimate (
        .clk_i,
        .a_i(window),
        .b_i(factor_q),
        .p_o(estimate)
    );
  end else begin : gen_row
    rs_mul_row #(
        .WidthA(Digit),
        .WidthB(Factor)
    ) u_estimate (
        .clk_i,
        .en_i(run_i),
        .a_i(window),
        .b_i(factor_q),
        .p_o(estimate),
        .first_o()
    );
  end

  // ---- t q -----------------------------------------------------------------------------------------------------------------------------
  logic [Digit-1:0] t;
  logic [W+1:0] product, y_late, difference_q;

  assign t = estimate[Factor-1+:Digit];

  if (Soft) begin : gen_soft
    localparam int unsigned Width = Rest + 2;
    localparam int unsigned Low = W + 2 < Hard + Digit ? W + 2 : Hard + Digit;
    logic [Low-1:0] low;
    logic [Width-1:0] t_q, high, high_q, high_late;
    rs_mul_row #(
        .WidthA(Digit),
        .WidthB(Hard),
        .WidthP(Low)
    ) u_low (
        .clk_i,
        .en_i(run_i),
        .a_i(t),
        .b_i(q_i[Hard-1:0]),
        .p_o(low),
        .first_o()
    );
    always_comb begin
      high = '0;
      for (int unsigned i = 0; i < Width; i++) high = high + (t_q[i] ? Width'(q_i[W-1:Hard]) << i : '0);
    end
    always_ff @(posedge clk_i) begin
      t_q <= t[Width-1:0];
      high_q <= high;
    end
    rs_delay #(
        .Width (Width),
        .Cycles(RowLatency - 2)
    ) u_high (
        .clk_i,
        .data_i(high_q),
        .data_o(high_late)
    );
    assign product = (W + 2)'(low) + {high_late, Hard'(0)};
  end else begin : gen_hard
    logic [W+1:0] early;
    rs_mul_row #(
        .WidthA(Digit),
        .WidthB(W),
        .WidthP(W + 2),
        .Pad(!Cells)
    ) u_product (
        .clk_i,
        .en_i(run_i),
        .a_i(t),
        .b_i(q_i),
        .p_o(early),
        .first_o()
    );
    rs_delay_en #(
        .Width (W + 2),
        .Cycles(Cells ? RowLatency - rs_pkg::row_latency(1) : 0)
    ) u_early (
        .clk_i,
        .en_i  (run_i),
        .data_i(early),
        .data_o(product)
    );
  end

  // ---- what is left ----------------------------------------------------------------------------------------------------------------------
  rs_delay_en #(
      .Width (W + 2),
      .Cycles(Loop - 3)
  ) u_y (
      .clk_i,
      .en_i  (run_i),
      .data_i(y[W+1:0]),
      .data_o(y_late)
  );
  rs_delay_en #(
      .Width (51 + 1 + 3),
      .Cycles(Loop - 3)
  ) u_rest (
      .clk_i,
      .en_i  (run_i),
      .data_i({left1_q - 3'd1, last1, x1_q[50:0]}),
      .data_o(rest)
  );
  always_ff @(posedge clk_i) begin
    if (run_i) {left_back, last_back, x_back} <= rest;
    loops <= rst_ni && !clear_i && there_q[Loop-4] && rest[54:52] != '0;
  end
  rs_csub #(
      .W(W + 1)
  ) u_twice (
      .x_i(difference_q),
      .q_i({q_i, 1'b0}),
      .r_o(back)
  );

  // ---- the end: a word whose digits are used up -------------------------------------------------------------------------------------------
  logic valid_q, last_q;
  logic [W:0] final_q;
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && !clear_i && there_q[Loop-3] && left_back == '0;
    if (run_i) begin
      difference_q <= y_late - product;
      last_q <= last_back;
      final_q <= back;
    end
  end
  rs_csub #(
      .W(W)
  ) u_residue (
      .x_i(final_q),
      .q_i(q_i),
      .r_o(residue_o)
  );
  assign valid_o = valid_q;
  assign last_o  = last_q;

  logic unused_bits;
  assign unused_bits = ^{estimate, y, x1_q, there_q};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i && give_i) assert (ready_o);
    if (rst_ni && (give_i || valid_o || loops || {fresh0_q, fresh1_q, there0_q, there1_q} != '0 || there_q != '0)) assert (run_i);
    if (rst_ni && give_i) assert (length_q > 7'd10 && 32'(length_q) <= W);
  end
`endif
endmodule
