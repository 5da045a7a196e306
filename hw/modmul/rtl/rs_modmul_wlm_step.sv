// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_step: y = x 2^-w mod q, not reduced, for q = qh 2^w + 1.
// Bounds:  with m = -x mod 2^w, x + m q is divisible by 2^w, and (x + m q) / 2^w = floor(x / 2^w) + (m != 0) + m qh,
//          because the low words of x and m add up to 0 or to 2^w. y < x / 2^w + q; WidthOut must hold that.
// Params:  W, WordBits (w), WidthIn, WidthOut
// Timing:  rs_pkg::wlm_step_latency(W, WordBits)
module rs_modmul_wlm_step #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter int unsigned WidthIn  = 2 * W,
    parameter int unsigned WidthOut = 2 * W - WordBits + 1
) (
    input  logic                  clk_i,
    input  logic [W-WordBits-1:0] qh_i,
    input  logic [   WidthIn-1:0] x_i,
    output logic [  WidthOut-1:0] y_o
);

  localparam int unsigned Wait = rs_pkg::mul_latency(WordBits, W - WordBits);
  localparam int unsigned WidthHigh = WidthIn - WordBits;

  if (WidthOut < W || WidthOut < WidthHigh) begin : gen_illegal
    $fatal(1, "%m: W %0d, WordBits %0d, WidthIn %0d, WidthOut %0d", W, WordBits, WidthIn, WidthOut);
  end

  logic [WordBits-1:0] low, m;
  logic [W-1:0] multiple;
  logic [WidthHigh-1:0] high;
  logic carry;
  logic [WidthOut:0] sum;
  logic [WidthOut-1:0] y_q;

  assign low = x_i[WordBits-1:0];
  assign m   = -low;

  rs_mul #(
      .WidthA(WordBits),
      .WidthB(W - WordBits)
  ) u_multiple (
      .clk_i,
      .a_i(m),
      .b_i(qh_i),
      .p_o(multiple)
  );

  rs_delay #(
      .Width (WidthHigh + 1),
      .Cycles(Wait)
  ) u_high (
      .clk_i,
      .data_i({x_i[WidthIn-1:WordBits], low != '0}),
      .data_o({high, carry})
  );

  // carry twice in the lowest place: a carry into one adder
  assign sum = {WidthOut'(high), carry} + {WidthOut'(multiple), carry};
  always_ff @(posedge clk_i) y_q <= sum[WidthOut:1];
  assign y_o = y_q;

  logic unused;
  assign unused = sum[0];

endmodule
