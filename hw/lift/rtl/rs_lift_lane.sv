// SPDX-License-Identifier: Apache-2.0
// rs_lift_lane: a small value, times a constant if it is ternary, as a residue, plus a residue.
// Model:   lib/src/backend/plan.c rs_plan_lift, rs_plan_add
// Params:  W: width of residues; ValueBits: width of values; Copy: q of the correction from a register here, as many lanes share q_i
// Bounds:  as in rs_lift_small; addend_sec_i < q (formal/test_rs_lift_formal.py); Copy: q_i is there a cycle before the correction
// Timing:  value_sec_i one cycle before addend_sec_i; 1 + rs_pkg::AddSubLatency cycles from the value, no stall; zeros wash out
//          what was there

module rs_lift_lane #(
    parameter int unsigned W = 32,
    parameter int unsigned ValueBits = 6,
    parameter bit Copy = 1'b0
) (
    input  logic                        clk_i,
    input  logic                        en_i,          // otherwise nothing is clocked
    input  logic        [        W-1:0] q_i,
    input  logic        [        W-1:0] factor_i,
    input  logic                        scale_i,
    input  logic signed [ValueBits-1:0] value_sec_i,
    input  logic        [        W-1:0] addend_sec_i,
    output logic        [        W-1:0] residue_sec_o
);
  logic [W-1:0] lifted_sec, lifted_sec_q;
  logic [W-1:0] q;  // modulus of the correction

  rs_lift_small #(
      .W(W),
      .ValueBits(ValueBits)
  ) u_lift (
      .q_i,
      .factor_i,
      .scale_i,
      .value_sec_i,
      .residue_sec_o(lifted_sec)
  );

  always_ff @(posedge clk_i) if (en_i) lifted_sec_q <= lifted_sec;

  if (Copy) begin : gen_copy
    logic [W-1:0] q_q;
    always_ff @(posedge clk_i) if (en_i) q_q <= q_i;
    assign q = q_q;
  end else begin : gen_original
    assign q = q_i;
  end

  rs_addsub_mod #(
      .W(W)
  ) u_add (
      .clk_i,
      .en_i,
      .q_i(q),
      .a_i(lifted_sec_q),
      .b_i(addend_sec_i),
      .r_o(residue_sec_o)
  );
endmodule
