// SPDX-License-Identifier: Apache-2.0
// rs_reduce_word: any word of 64 bits modulo q, q < 2^W.
// Model:   lib/src/modarith.h rs_reduce (bit-exact)
// Params:  W: 16 to 60
// Bounds:  ratio64 = floor(2^64 / q): x - mulhi(x, ratio64) q is in [0, 2q)
// Timing:  Latency = 2 mul_latency(64, 64) + 2, a word per cycle, no stall

module rs_reduce_word #(
    parameter int unsigned W = 60,
    localparam int unsigned Latency = 2 * rs_pkg::mul_latency(64, 64) + 2
) (
    input  logic         clk_i,
    input  logic [ 63:0] word_i,
    input  logic [W-1:0] q_i,        // this and the next stable while words are under way
    input  logic [ 63:0] ratio64_i,
    output logic [W-1:0] residue_o
);
  if (W < 16 || W > 60) begin : gen_illegal
    $fatal(1, "%m: W must be 16 to 60");
  end

  logic [127:0] estimate;
  logic [ 63:0] multiple;
  logic [W:0] word_late, difference_q;
  logic [W-1:0] residue;

  rs_mul #(
      .WidthA(64),
      .WidthB(64)
  ) u_estimate (
      .clk_i,
      .a_i  (word_i),
      .b_i  (ratio64_i),
      .p_o  (estimate),
      .low_o()
  );

  rs_mul #(
      .WidthA(64),
      .WidthB(64),
      .WidthP(64)
  ) u_multiple (
      .clk_i,
      .a_i  (estimate[127:64]),
      .b_i  (64'(q_i)),
      .p_o  (multiple),
      .low_o()
  );

  rs_delay #(
      .Width (W + 1),
      .Cycles(Latency - 2)
  ) u_word (
      .clk_i,
      .data_i(word_i[W:0]),
      .data_o(word_late)
  );

  rs_csub #(
      .W(W)
  ) u_csub (
      .x_i(difference_q),
      .q_i,
      .r_o(residue)
  );

  always_ff @(posedge clk_i) begin
    difference_q <= word_late - multiple[W:0];
    residue_o <= residue;
  end

  logic unused_bits;
  assign unused_bits = ^{estimate[63:0], multiple[63:W+1]};
endmodule
