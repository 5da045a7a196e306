// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_step_formal: y 2^w = x + (-x mod 2^w) q for every q = 1 mod 2^w and every x.
// Params:  W, WordBits, WidthIn
module rs_modmul_wlm_step_formal #(
    parameter int unsigned W        = 8,
    parameter int unsigned WordBits = 3,
    parameter int unsigned WidthIn  = 2 * W
) (
    input logic                  clk_i,
    input logic [W-WordBits-1:0] qh_i,
    input logic [   WidthIn-1:0] x_i
);

  localparam int unsigned WidthOut = (WidthIn - WordBits > W ? WidthIn - WordBits : W) + 1;
  localparam int unsigned Wide = WidthOut + WordBits;

  logic [WidthOut-1:0] y;
  logic [WordBits-1:0] m;

  rs_modmul_wlm_step #(
      .W       (W),
      .WordBits(WordBits),
      .WidthIn (WidthIn),
      .WidthOut(WidthOut)
  ) u_dut (
      .clk_i,
      .qh_i,
      .x_i,
      .y_o(y)
  );

  assign m = WordBits'(0) - x_i[WordBits-1:0];
  always_comb assert ({y, WordBits'(0)} == Wide'(x_i) + Wide'(m) * Wide'({qh_i, WordBits'(1)}));

endmodule
