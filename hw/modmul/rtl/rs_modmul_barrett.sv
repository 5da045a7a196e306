// SPDX-License-Identifier: Apache-2.0
// rs_modmul_barrett: p = a b mod q for any modulus that is no power of two.
// Model:   lib/src/arith/modarith.h rs_mul_mod, whose word of 64 bits is W + 3 here
// Params:  W 4..64; Moving: q, mu, shift travel with the data (rs_modmul_taps)
// Bounds:  a, b < q, 2 < q, 2^(k-1) < q < 2^k <= 2^W; mu = floor(2^(W+1+k) / q) < 2^(W+2); shift = k - 2.
//          With t = floor(a b / 2^(k-2)) < 2^(W+2), e = floor(t mu / 2^(W+3)) is at most 1 below floor(a b / q):
//          the floor of t costs < 2^(k-2)/q < 1/2, that of mu < t / 2^(W+3) < 1/2, the last < 1. So a b - e q < 2q.
// Timing:  rs_pkg::barrett_latency(W); q, mu, shift are held while their data are in flight. Moving: shift_i belongs to the data of
//          rs_pkg::mul_latency(W, W) cycles before, mu_i to those of one cycle more, q_i[t] of rs_pkg::modmul_tap(W, RS_BARRETT, 0, t)
module rs_modmul_barrett #(
    parameter  int unsigned W          = 32,
    parameter  bit          Moving     = 1'b0,
    localparam int unsigned Taps       = Moving ? 2 : 1,
    localparam int unsigned ShiftWidth = $clog2(W - 1)
) (
    input  logic                         clk_i,
    input  logic [      Taps-1:0][W-1:0] q_i,      // Moving: of the multiple, then of the correction
    input  logic [         W+1:0]        mu_i,
    input  logic [ShiftWidth-1:0]        shift_i,
    input  logic [         W-1:0]        a_i,
    input  logic [         W-1:0]        b_i,
    output logic [         W-1:0]        p_o
);

  if (W < 4 || W > 64) begin : gen_illegal
    $fatal(1, "%m: W %0d is not in 4..64", W);
  end

  // cycles from the product's low bits to the difference
  localparam int unsigned Wait = 1 + rs_pkg::mul_latency(W + 2, W + 2) + rs_pkg::mul_latency(W, W);

  logic [2*W-1:0] product;
  logic [  W+1:0] top_q;
  logic [2*W+3:0] scaled;
  logic [  W-1:0] estimate;
  logic [W:0] multiple, low, diff_q;
  logic [W-1:0] p_d, p_q;

  rs_mul #(
      .WidthA(W),
      .WidthB(W)
  ) u_product (
      .clk_i,
      .a_i,
      .b_i,
      .p_o  (product),
      .low_o()
  );

  always_ff @(posedge clk_i) top_q <= (W + 2)'(product >> shift_i);

  rs_mul #(
      .WidthA(W + 2),
      .WidthB(W + 2)
  ) u_scaled (
      .clk_i,
      .a_i  (top_q),
      .b_i  (mu_i),
      .p_o  (scaled),
      .low_o()
  );

  // the estimate is at most a b / q < q
  assign estimate = scaled[W+3+:W];

  rs_mul #(
      .WidthA(W),
      .WidthB(W),
      .WidthP(W + 1)
  ) u_multiple (
      .clk_i,
      .a_i  (estimate),
      .b_i  (q_i[0]),
      .p_o  (multiple),
      .low_o()
  );

  rs_delay #(
      .Width (W + 1),
      .Cycles(Wait)
  ) u_low (
      .clk_i,
      .data_i(product[W:0]),
      .data_o(low)
  );

  // below 2q < 2^(W+1): the bits above need no subtraction
  always_ff @(posedge clk_i) diff_q <= low - multiple;

  rs_csub #(
      .W(W)
  ) u_csub (
      .x_i(diff_q),
      .q_i(q_i[Taps-1]),
      .r_o(p_d)
  );

  always_ff @(posedge clk_i) p_q <= p_d;
  assign p_o = p_q;

  logic unused;
  assign unused = ^{scaled[2*W+3], scaled[W+2:0]};

endmodule
