// SPDX-License-Identifier: Apache-2.0
// rs_lift_onto: a + b mod q, a from rs_lift_lane, which left it below zero.
// Model:   lib/src/backend/plan.c rs_plan_add
// Params:  W: width of residues
// Bounds:  with below_i -q <= a_sec_i < 0, else zero; b_sec_i < q_i (formal/test_rs_lift_formal.py)
// Timing:  2 cycles, no stall; zeros wash out what was there
module rs_lift_onto #(
    parameter int unsigned W = 32
) (
    input  logic         clk_i,
    input  logic         en_i,     // otherwise nothing is clocked
    input  logic [W-1:0] q_i,
    input  logic         below_i,  // the sign of a
    input  logic [W-1:0] a_sec_i,
    input  logic [W-1:0] b_sec_i,
    output logic [W-1:0] r_sec_o
);
  logic [W:0] sum_sec_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      sum_sec_q <= {below_i, a_sec_i} + {1'b0, b_sec_i};
      r_sec_o   <= sum_sec_q[W-1:0] + (q_i & {W{sum_sec_q[W]}});
    end
  end
endmodule
