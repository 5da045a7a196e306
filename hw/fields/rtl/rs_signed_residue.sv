// SPDX-License-Identifier: Apache-2.0
// rs_signed_residue: a number in (-q, q) as a residue.
// Params:  W: width of residues; InBits: of the number with its sign, at most W + 1
// Bounds:  -q_i < number_sec_i < q_i
// Timing:  combinational; an addition, whatever the sign

module rs_signed_residue #(
    parameter int unsigned W      = 32,
    parameter int unsigned InBits = 22
) (
    input  logic [     W-1:0] q_i,
    input  logic [InBits-1:0] number_sec_i,
    output logic [     W-1:0] residue_sec_o
);
  if (InBits > W + 1) begin : gen_illegal
    $fatal(1, "%m: InBits must be at most W + 1");
  end

  logic negative;
  logic [W-1:0] low_sec;
  assign negative = number_sec_i[InBits-1];
  assign low_sec = W'($signed(number_sec_i));
  assign residue_sec_o = low_sec + (negative ? q_i : '0);
endmodule
