// SPDX-License-Identifier: Apache-2.0
// rs_modmul_fixed_formal: with q = 1 and fixed_i, p is floor((a b + 2^W) / 2^(W+1)) for all words.
// Params:  as rs_modmul_wlm
module rs_modmul_fixed_formal #(
    parameter int unsigned        W        = 8,
    parameter int unsigned        WordBits = 3,
    parameter rs_pkg::mul_style_e Style    = rs_pkg::MUL_CHAIN,
    parameter int unsigned        SoftBits = 3
) (
    input logic         clk_i,
    input logic [W-1:0] a_i,
    input logic [W-1:0] b_i
);

  logic [W-1:0] p;

  rs_modmul_wlm #(
      .W       (W),
      .WordBits(WordBits),
      .Style   (Style),
      .SoftBits(SoftBits),
      .Encode  (1'b1)
  ) u_dut (
      .clk_i,
      .fixed_i(1'b1),
      .q_i    (W'(1)),
      .a_i,
      .b_i,
      .p_o    (p)
  );

  always_comb assert (p == W'(((2 * W + 1)'(a_i) * (2 * W + 1)'(b_i) + ((2 * W + 1)'(1) << W)) >> (W + 1)));

endmodule
