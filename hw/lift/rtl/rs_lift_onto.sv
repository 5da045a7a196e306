// SPDX-License-Identifier: Apache-2.0
// rs_lift_onto: r = a + b mod q, as rs_addsub_mod, but the choice between the sum with and without q is behind the registers: there it
//          shares LUTs with the choice of a result.
// Model:   lib/src/backend/plan.c rs_plan_add
// Params:  W: width of residues
// Bounds:  a_sec_i, b_sec_i < q_i (formal/test_rs_lift_formal.py)
// Timing:  rs_pkg::AddSubLatency cycles and the choice, no stall; zeros wash out what was there
module rs_lift_onto #(
    parameter int unsigned W = 32
) (
    input  logic         clk_i,
    input  logic         en_i,     // otherwise nothing is clocked
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_sec_i,
    input  logic [W-1:0] b_sec_i,
    output logic [W-1:0] r_sec_o
);
  logic [W:0] sum_sec_q, less_sec_q;
  logic [W-1:0] late_sec_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      sum_sec_q  <= {1'b0, a_sec_i} + {1'b0, b_sec_i};
      late_sec_q <= sum_sec_q[W-1:0];
      less_sec_q <= sum_sec_q - {1'b0, q_i};
    end
  end
  assign r_sec_o = less_sec_q[W] ? late_sec_q : less_sec_q[W-1:0];
endmodule
