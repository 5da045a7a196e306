// SPDX-License-Identifier: Apache-2.0
// rs_lift_lane: a small value, times a constant if it is ternary, as a residue, plus a residue.
// Model:   lib/src/backend/plan.c rs_plan_lift, rs_plan_add
// Params:  W: width of residues; ValueBits: width of values; Copy: q of the correction from a register here, as many lanes share q_i
// Bounds:  as in rs_lift_small; addend_sec_i < q (formal/test_rs_lift_formal.py); Copy: q_i is there a cycle before the correction
// Timing:  addend_sec_i one cycle behind value_sec_i and valid_i, below_i two, residue_sec_o three; no stall; zeros without valid_i wash
//          out what was there
//
// What begins q below a residue is from -q to q - 1 behind the sum with a residue, so its sign alone tells whether q is missing: the
// correction is one addition.

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
    input  logic                        valid_i,
    input  logic signed [ValueBits-1:0] value_sec_i,
    input  logic        [        W-1:0] addend_sec_i,
    input  logic                        below_i,       // for rs_lift_onto: the residue minus q
    output logic        [        W-1:0] residue_sec_o
);
  logic [W-1:0] lifted_sec, lifted_sec_q;  // minus q
  logic valid_q;
  logic [W:0] sum_sec_q, residue_sec;
  logic [W-1:0] change_sec;
  logic [W-1:0] q;  // modulus of the correction

  rs_lift_small #(
      .W(W),
      .ValueBits(ValueBits),
      .Below(1'b1)
  ) u_lift (
      .q_i,
      .factor_i,
      .scale_i,
      .value_sec_i,
      .residue_sec_o(lifted_sec)
  );

  if (Copy) begin : gen_copy
    logic [W-1:0] q_q;
    always_ff @(posedge clk_i) if (en_i) q_q <= q_i;
    assign q = q_q;
  end else begin : gen_original
    assign q = q_i;
  end

  // plus q where the sum is below zero, or minus q where it is not
  assign change_sec  = below_i ? ~q & {W{!sum_sec_q[W]}} : q & {W{sum_sec_q[W]}};
  assign residue_sec = {sum_sec_q[W-1:0], 1'b1} + {change_sec, below_i && !sum_sec_q[W]};  // its low bit makes the carry of -q
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      valid_q      <= valid_i;
      lifted_sec_q <= '0;
      if (valid_i) lifted_sec_q <= lifted_sec;
      sum_sec_q     <= {valid_q, lifted_sec_q} + {1'b0, addend_sec_i};
      residue_sec_o <= residue_sec[W:1];
    end
  end

  logic unused_bit;
  assign unused_bit = residue_sec[0];
endmodule
