// SPDX-License-Identifier: Apache-2.0
// rs_lane: one butterfly, multiply, multiply-add, add or subtract per cycle; the operation may change in every cycle.
// Model:   lib/src/arith/ntt.c (butterflies), lib/src/ckks/poly.c (bit-exact). For RS_WLM, w is R times the factor.
//          GS multiplies y - x, not x - y: the inverse transform uses the forward twiddle w' = -w^-1 of the mirrored
//          block, and the sign is in the subtraction (ntt.c).
// Params:  W 16..64, Reduction, WordBits (RS_WLM only)
// Bounds:  x, y, w < q
// Timing:  rs_pkg::lane_latency(W, Reduction, WordBits) for every operation; constants are held from the cycle of the first data
//          until none are in flight
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

  // A copy of the constants: they come from one register for all lanes, and drive hundreds of gates in each.
  logic [W-1:0] q_q;
  logic [W+1:0] mu_q;
  logic [ShiftWidth-1:0] shift_q;
  always_ff @(posedge clk_i) begin
    q_q     <= q_i;
    mu_q    <= mu_i;
    shift_q <= shift_i;
  end

  // ---- what the operation chooses, decoded a cycle before: it drives a word's multiplexers each
  typedef struct packed {
    logic factor_y;
    logic factor_diff;
    logic addend_x;
    logic addend_y;
  } pre_t;
  typedef struct packed {
    logic b_product;
    logic a_diff;
  } post_t;
  logic [2:0] op_q;
  pre_t pre_q;
  logic other_y_q, other_y;
  post_t post_q, post_mul, post;

  always_ff @(posedge clk_i) begin
    op_q <= op_i;
    pre_q <= '{
        factor_y: op_q == LANE_CT,
        factor_diff: op_q == LANE_GS,
        addend_x: op_q != LANE_MUL && op_q != LANE_MAC && op_q != LANE_MSUB,
        addend_y: op_q == LANE_MAC || op_q == LANE_MSUB
    };
    other_y_q <= op_q == LANE_GS || op_q == LANE_ADD || op_q == LANE_SUB;
    post_q <= '{b_product: op_q == LANE_GS, a_diff: op_q == LANE_MSUB || op_q == LANE_SUB};
  end

  // ---- y - x, for GS
  logic [W-1:0] x_pre, y_pre, w_pre, diff_pre;

  rs_addsub_mod #(
      .W       (W),
      .Subtract(1'b1)
  ) u_pre (
      .clk_i,
      .q_i(q_q),
      .a_i(y_i),
      .b_i(x_i),
      .r_o(diff_pre)
  );

  rs_delay #(
      .Width (3 * W),
      .Cycles(AddSubLatency)
  ) u_wait_pre (
      .clk_i,
      .data_i({w_i, y_i, x_i}),
      .data_o({w_pre, y_pre, x_pre})
  );

  // ---- product; the addend and y wait for it
  logic [W-1:0] factor, addend, product, addend_mul, y_mul;

  assign factor = pre_q.factor_y ? y_pre : pre_q.factor_diff ? diff_pre : x_pre;
  assign addend = (pre_q.addend_x ? x_pre : '0) | (pre_q.addend_y ? y_pre : '0);

  rs_modmul #(
      .W        (W),
      .Reduction(Reduction),
      .WordBits (WordBits)
  ) u_modmul (
      .clk_i,
      .q_i(q_q),
      .mu_i(mu_q),
      .shift_i(shift_q),
      .a_i(factor),
      .b_i(w_pre),
      .p_o(product)
  );

  rs_delay #(
      .Width (2 * W + 3),
      .Cycles(Product)
  ) u_wait_mul (
      .clk_i,
      .data_i({post_q, other_y_q, y_pre, addend}),
      .data_o({post_mul, other_y, y_mul, addend_mul})
  );

  // ---- sum and difference
  logic [W-1:0] other, sum, diff, product_post;

  assign other = other_y ? y_mul : product;

  rs_addsub_mod #(
      .W(W)
  ) u_sum (
      .clk_i,
      .q_i(q_q),
      .a_i(addend_mul),
      .b_i(other),
      .r_o(sum)
  );

  rs_addsub_mod #(
      .W       (W),
      .Subtract(1'b1)
  ) u_diff (
      .clk_i,
      .q_i(q_q),
      .a_i(addend_mul),
      .b_i(other),
      .r_o(diff)
  );

  rs_delay #(
      .Width (W + 2),
      .Cycles(AddSubLatency)
  ) u_wait_post (
      .clk_i,
      .data_i({post_mul, product}),
      .data_o({post, product_post})
  );

  assign a_o = post.a_diff ? diff : sum;
  assign b_o = post.b_product ? product_post : diff;

endmodule
