// SPDX-License-Identifier: Apache-2.0
// rs_reduce_word: any word of 64 bits modulo q, q < 2^W.
// Model:   lib/src/arith/modarith.h rs_reduce (bit-exact)
// Params:  W: 16 to 64
// Bounds:  with ratio64 = floor(2^64 / q) and e = floor(x ratio64 / 2^64), x - e q is in [0, 2q). Row r of the product, 17 bits of x,
//          leaves out what of ratio64 lies below bit Cut of the product: less than 2^(17 + Cut) in each of four rows, 2^64 in all. So
//          the estimate is e or e - 1, and x less its multiple of q in [0, 3q): W + 2 bits of estimate, multiple and x are enough.
// Timing:  Latency, a word per cycle, no stall

module rs_reduce_word #(
    parameter int unsigned W = 60,
    localparam int unsigned Latency = rs_pkg::reduce_latency(W)
) (
    input  logic         clk_i,
    input  logic [ 63:0] word_i,
    input  logic [W-1:0] q_i,        // this and the next stable while words are under way, and the cycle before
    input  logic [ 63:0] ratio64_i,
    output logic [W-1:0] residue_o
);
  localparam int unsigned TileA = rs_pkg::MulTileA;
  localparam int unsigned Rows = 4;
  localparam int unsigned Cut = 64 - TileA - $clog2(Rows);
  localparam int unsigned Bits = 64 + W + 2 - Cut;  // bits of the product from Cut on

  if (W < 16 || W > 64) begin : gen_illegal
    $fatal(1, "%m: W must be 16 to 64");
  end
  if (rs_pkg::ceil_div(64, TileA) != Rows) begin : gen_illegal_tile
    $fatal(1, "%m: 64 bits must be %0d rows", Rows);
  end

  logic [W-1:0] q_q;
  always_ff @(posedge clk_i) q_q <= q_i;

  // ---- estimate of the quotient: rows and two sums ---------------------------------------------------------------------------------------
  logic [Bits-1:0] row[Rows];
  logic [Bits-1:0] low_q, high_q, sum_q;

  for (genvar r = 0; r < Rows; r++) begin : gen_rows
    localparam int unsigned Lsb = r * TileA;
    localparam int unsigned Width = 64 - Lsb < TileA ? 64 - Lsb : TileA;
    localparam int unsigned Drop = Lsb < Cut ? Cut - Lsb : 0;
    localparam int unsigned From = Lsb + Drop - Cut;
    localparam int unsigned Used = Bits - From < Width + 64 - Drop ? Bits - From : Width + 64 - Drop;
    logic [Width-1:0] factor;
    logic [ Used-1:0] product;
    // a row of fewer tiles is faster
    rs_delay #(
        .Width (Width),
        .Cycles(rs_pkg::row_latency(64) - rs_pkg::row_latency(64 - Drop))
    ) u_factor (
        .clk_i,
        .data_i(word_i[Lsb+:Width]),
        .data_o(factor)
    );
    rs_mul_row #(
        .WidthA(Width),
        .WidthB(64 - Drop),
        .WidthP(Used)
    ) u_row (
        .clk_i,
        .en_i(1'b1),
        .a_i(factor),
        .b_i(ratio64_i[63:Drop]),
        .p_o(product),
        .first_o()
    );
    assign row[r] = Bits'(product) << From;
  end

  always_ff @(posedge clk_i) begin
    low_q  <= row[0] + row[1];
    high_q <= row[2] + row[3];
    sum_q  <= low_q + high_q;
  end

  // ---- its multiple, the difference, two corrections --------------------------------------------------------------------------------
  logic [W+1:0] multiple, word_late, difference_q;
  logic [W:0] twice, twice_q;
  logic [W-1:0] residue;

  rs_mul #(
      .WidthA(W + 2),
      .WidthB(W),
      .WidthP(W + 2)
  ) u_multiple (
      .clk_i,
      .a_i  (sum_q[64-Cut+:W+2]),
      .b_i  (q_q),
      .p_o  (multiple),
      .low_o()
  );

  rs_delay #(
      .Width (W + 2),
      .Cycles(Latency - 3)
  ) u_word (
      .clk_i,
      .data_i((W + 2)'(word_i)),
      .data_o(word_late)
  );

  rs_csub #(
      .W(W + 1)
  ) u_twice (
      .x_i(difference_q),
      .q_i({q_q, 1'b0}),
      .r_o(twice)
  );

  rs_csub #(
      .W(W)
  ) u_once (
      .x_i(twice_q),
      .q_i(q_q),
      .r_o(residue)
  );

  always_ff @(posedge clk_i) begin
    difference_q <= word_late - multiple;
    twice_q <= twice;
    residue_o <= residue;
  end

  logic unused_bits;
  assign unused_bits = ^{ratio64_i, sum_q[63-Cut:0]};
endmodule
