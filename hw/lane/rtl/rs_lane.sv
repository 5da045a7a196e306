// SPDX-License-Identifier: Apache-2.0
// rs_lane: one butterfly, multiply, multiply-add, add or subtract per cycle; the operation may change in every cycle.
// Model:   lib/src/ntt.c (butterflies), poly.c (bit-exact). For RS_WLM, w is R times the factor.
//          GS multiplies y - x, not x - y: the inverse transform uses the forward twiddle w' = -w^-1 of the mirrored
//          block, and the sign is in the subtraction (ntt.c).
// Params:  W 16..64, Reduction, WordBits (RS_WLM only)
// Bounds:  x, y, w < q
// Timing:  rs_pkg::lane_latency(W, Reduction, WordBits) for every operation; constants are held while data are in flight
//
//   x, y --+-- y - x --+-- * w --+-- + --> a
//          |           |         |
//          +--- wait --+-- wait -+-- - --> b
module rs_lane #(
    parameter  int unsigned        W          = 32,
    parameter  rs_pkg::reduction_e Reduction  = rs_pkg::RS_BARRETT,
    parameter  int unsigned        WordBits   = rs_pkg::WlmWordBits,
    localparam int unsigned        ShiftWidth = $clog2(W - 1)
) (
    input  logic                              clk_i,
    input  logic             [         W-1:0] q_i,      // modulus
    input  logic             [         W+1:0] mu_i,     // RS_BARRETT: see rs_modmul
    input  logic             [ShiftWidth-1:0] shift_i,  // RS_BARRETT: see rs_modmul
    input  rs_pkg::lane_op_e                  op_i,
    input  logic             [         W-1:0] x_i,
    input  logic             [         W-1:0] y_i,
    input  logic             [         W-1:0] w_i,      // factor
    output logic             [         W-1:0] a_o,
    output logic             [         W-1:0] b_o       // second result of CT and GS, otherwise without meaning
);
  import rs_pkg::*;

  localparam int unsigned Product = modmul_latency(W, Reduction, WordBits);

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned Latency = lane_latency(W, Reduction, WordBits);  // for testbenches
  /* verilator lint_on UNUSEDPARAM */

  if (W < 16 || W > 64) begin : gen_illegal
    $fatal(1, "%m: W %0d is not in 16..64", W);
  end

  // ---- y - x, for GS
  logic [W-1:0] x_pre, y_pre, w_pre, diff_pre;
  logic [2:0] op_pre;

  rs_addsub_mod #(
      .W       (W),
      .Subtract(1'b1)
  ) u_pre (
      .clk_i,
      .q_i,
      .a_i(y_i),
      .b_i(x_i),
      .r_o(diff_pre)
  );

  rs_delay #(
      .Width (3 * W + 3),
      .Cycles(AddSubLatency)
  ) u_wait_pre (
      .clk_i,
      .data_i({op_i, w_i, y_i, x_i}),
      .data_o({op_pre, w_pre, y_pre, x_pre})
  );

  // ---- product; the addend and y wait for it
  logic [W-1:0] factor, addend, product, addend_mul, y_mul;
  logic [2:0] op_mul;

  always_comb begin
    unique case (op_pre)
      LANE_CT: factor = y_pre;
      LANE_GS: factor = diff_pre;
      default: factor = x_pre;
    endcase
    unique case (op_pre)
      LANE_MAC, LANE_MSUB: addend = y_pre;
      LANE_MUL: addend = '0;
      default: addend = x_pre;
    endcase
  end

  rs_modmul #(
      .W        (W),
      .Reduction(Reduction),
      .WordBits (WordBits)
  ) u_modmul (
      .clk_i,
      .q_i,
      .mu_i,
      .shift_i,
      .a_i(factor),
      .b_i(w_pre),
      .p_o(product)
  );

  rs_delay #(
      .Width (2 * W + 3),
      .Cycles(Product)
  ) u_wait_mul (
      .clk_i,
      .data_i({op_pre, y_pre, addend}),
      .data_o({op_mul, y_mul, addend_mul})
  );

  // ---- sum and difference
  logic [W-1:0] other, sum, diff, product_post;
  logic [2:0] op_post;

  always_comb begin
    unique case (op_mul)
      LANE_GS, LANE_ADD, LANE_SUB: other = y_mul;
      default: other = product;
    endcase
  end

  rs_addsub_mod #(
      .W(W)
  ) u_sum (
      .clk_i,
      .q_i,
      .a_i(addend_mul),
      .b_i(other),
      .r_o(sum)
  );

  rs_addsub_mod #(
      .W       (W),
      .Subtract(1'b1)
  ) u_diff (
      .clk_i,
      .q_i,
      .a_i(addend_mul),
      .b_i(other),
      .r_o(diff)
  );

  rs_delay #(
      .Width (W + 3),
      .Cycles(AddSubLatency)
  ) u_wait_post (
      .clk_i,
      .data_i({op_mul, product}),
      .data_o({op_post, product_post})
  );

  assign a_o = op_post == LANE_MSUB || op_post == LANE_SUB ? diff : sum;
  assign b_o = op_post == LANE_GS ? product_post : diff;

endmodule
