// SPDX-License-Identifier: Apache-2.0
// rs_half_diff: r = (a - b) / 2 mod q, and the difference itself.
// Params:  W
// Bounds:  a, b < q, q odd. d = a - b is above -q and below q; d + q if d is odd, d + 2q if it is even and negative, else d: an even
//          number of 0 .. 2q - 1. The correction costs no adder that a - b mod q would not have.
//          diff_o: of any numbers of W + 1 bits, two's complement, whose difference has no more
// Timing:  one cycle, then combinational from q_i: a register has to follow
module rs_half_diff #(
    parameter int unsigned W = 32
) (
    input  logic         clk_i,
    input  logic         en_i,    // a, b count
    input  logic [W-1:0] q_i,
    input  logic [  W:0] a_i,
    input  logic [  W:0] b_i,
    output logic [  W:0] diff_o,
    output logic [W-1:0] r_o
);

  logic [W:0] diff_q;  // the top bit is the sign
  logic odd, twice;

  always_ff @(posedge clk_i) if (en_i) diff_q <= a_i - b_i;
  assign diff_o = diff_q;

  assign odd = diff_q[0];
  assign twice = diff_q[W] && !diff_q[0];
  // q / 2 and its lost half, which carries from bit 0 of d + q
  assign r_o = diff_q[W:1] + (({1'b0, q_i[W-1:1]} & {W{odd}}) | (q_i & {W{twice}})) + W'(odd);

endmodule
