// SPDX-License-Identifier: Apache-2.0
// rs_lift_small: a small signed value as a residue modulo q, times a constant if the value is ternary.
// Params:  W: width of residues; ValueBits: width of values; Below: the residue minus q, from -q to -1, without its sign
// Bounds:  |value_sec_i| < q; 0 < factor_i < q; with scale_i the value is -1, 0 or 1 and the residue in {q - factor, 0, factor}
// Timing:  combinational; selected by masks and one addition, the same for every value

module rs_lift_small #(
    parameter int unsigned W = 60,
    parameter int unsigned ValueBits = 6,
    parameter bit Below = 1'b0
) (
    input  logic        [        W-1:0] q_i,
    input  logic        [        W-1:0] factor_i,
    input  logic                        scale_i,
    input  logic signed [ValueBits-1:0] value_sec_i,
    output logic        [        W-1:0] residue_sec_o
);
  if (ValueBits < 2 || ValueBits > W) begin : gen_illegal
    $fatal(1, "%m: ValueBits must be 2 to W");
  end

  // q for negative ones, or -q for all others, and the value; -x is ~x + 1
  logic negative_sec, carry_sec;
  logic [W-1:0] base_sec, small_sec;
  logic [W:0] sum_sec;

  assign negative_sec = value_sec_i[ValueBits-1];
  assign base_sec = Below ? ~q_i & {W{!negative_sec}} : q_i & {W{negative_sec}};
  assign carry_sec = Below ? scale_i || !negative_sec : scale_i && negative_sec;
  assign small_sec = scale_i ? (factor_i ^ {W{negative_sec}}) & {W{value_sec_i[0]}} : W'(value_sec_i);
  assign sum_sec = {base_sec, 1'b1} + {small_sec, carry_sec};  // its low bit makes the carry
  assign residue_sec_o = sum_sec[W:1];

  logic unused_bit;
  assign unused_bit = sum_sec[0];
endmodule
