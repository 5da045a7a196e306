// SPDX-License-Identifier: Apache-2.0
// rs_lane: one butterfly, multiply, multiply-add, add or subtract per cycle; the operation may change in every cycle.
// Model:   lib/src/arith/ntt.c (butterflies, the inverse one halved), lib/src/ckks/poly.c (bit-exact). For RS_WLM, w is R times the factor.
//          GS multiplies y - x, not x - y: the inverse transform uses the forward twiddle w' = -w^-1 of the mirrored
//          block, and the sign is in the subtraction (ntt.c).
// Params:  W 16..64, Reduction, WordBits (RS_WLM only)
// Bounds:  x, y, w < q; MUL, MAC, MSUB: y w < q 2^W is enough
// Timing:  rs_pkg::lane_latency(W, Reduction, WordBits) for every operation; constants are held from the cycle of the first data
//          until none are in flight
//
// GS needs both halves, and no halving: h = (x - y) / 2 costs what x - y costs (rs_half_diff), x - h is (x + y) / 2, and 0 - h w is
// (y - x) w / 2. The difference has inputs of its own, because x and y of GS come late in a cycle: through rs_ntt_reorder.
//
//   x --+-- x - y --> h     +-- h, y, late -+
//   y --+               \   |               v
//                  h, y --+-- * w --+--> x +- --> a
//   x or 0 -------------- wait -----+--> x -  --> b
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
    input  logic             [         W-1:0] gs_x_i,   // GS: x and y, for x - y; y_i has no meaning
    input  logic             [         W-1:0] gs_y_i,
    output logic             [         W-1:0] a_o,
    output logic             [         W-1:0] b_o       // second result of CT and GS, otherwise without meaning
);
  import rs_pkg::*;

  localparam int unsigned Product = modmul_latency(W, Reduction, WordBits);

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned Latency = lane_latency(W, Reduction, WordBits);  // for testbenches
  /* verilator lint_on UNUSEDPARAM */

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
    logic factor;  // a = x +- h or y, not a product
    logic minus;
  } post_t;
  logic half_q, keep_a_q, keep_b_q, keep_a, keep_b;
  post_t post_q, post;

  always_ff @(posedge clk_i) begin
    half_q <= op_i == LANE_GS;
    keep_a_q <= op_i != LANE_MUL;
    keep_b_q <= op_i == LANE_CT;
    post_q <= '{
        factor: op_i == LANE_GS || op_i == LANE_ADD || op_i == LANE_SUB,
        minus: op_i == LANE_GS || op_i == LANE_MSUB || op_i == LANE_SUB
    };
  end

  // ---- h or y, a cycle later, and into the multiplier's registers
  logic [W-1:0] x_pre, y_pre, w_pre, half, factor;

  rs_half_diff #(
      .W(W)
  ) u_half (
      .clk_i,
      .q_i(q_q),
      .a_i(gs_x_i),
      .b_i(gs_y_i),
      .r_o(half)
  );

  rs_delay #(
      .Width (3 * W),
      .Cycles(LanePreLatency)
  ) u_wait_pre (
      .clk_i,
      .data_i({w_i, y_i, x_i}),
      .data_o({w_pre, y_pre, x_pre})
  );

  assign factor = half_q ? half : y_pre;

  // ---- product; x and the factor wait for it
  logic [W-1:0] product, x_late, factor_late, addend_a_q, addend_b_q;

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
      .Width (W + 2),
      .Cycles(Product)
  ) u_wait_factor (
      .clk_i,
      .data_i({post_q, factor}),
      .data_o({post, factor_late})
  );

  rs_delay #(
      .Width (W + 2),
      .Cycles(Product - 1)
  ) u_wait_x (
      .clk_i,
      .data_i({keep_a_q, keep_b_q, x_pre}),
      .data_o({keep_a, keep_b, x_late})
  );

  always_ff @(posedge clk_i) begin
    addend_a_q <= keep_a ? x_late : '0;
    addend_b_q <= keep_b ? x_late : '0;
  end

  // ---- x plus or minus something, and x or 0 minus the product
  logic [W:0] sum_q, moved;  // the top bit is the carry, or the borrow
  logic [W-1:0] other, a_q, q_or;
  logic minus_q;

  assign other = post.factor ? factor_late : product;
  if (MulStyle == MUL_CELLS) begin : gen_inverted
    // in front of an adder, one bit for a whole word costs a tenth of a cycle
    always_ff @(posedge clk_i) q_or <= q_q ^ {W{!post.minus}};
  end else begin : gen_invert
    assign q_or = q_q ^ {W{!minus_q}};
  end
  // sum - q, or difference + q
  assign moved = sum_q + {!minus_q, q_or} + (W + 1)'(!minus_q);

  always_ff @(posedge clk_i) begin
    minus_q <= post.minus;
    sum_q   <= {1'b0, addend_a_q} + ({1'b0, other} ^ {W + 1{post.minus}}) + (W + 1)'(post.minus);
    // a sum is kept if sum - q is negative, a difference if it is not
    a_q     <= (minus_q ? sum_q[W] : !moved[W]) ? moved[W-1:0] : sum_q[W-1:0];
  end
  assign a_o = a_q;

  rs_addsub_mod #(
      .W       (W),
      .Subtract(1'b1)
  ) u_diff (
      .clk_i,
      .q_i(q_q),
      .a_i(addend_b_q),
      .b_i(product),
      .r_o(b_o)
  );

endmodule
