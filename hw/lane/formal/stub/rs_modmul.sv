// SPDX-License-Identifier: Apache-2.0
// rs_modmul: stand-in for the proof of the lane, a residue that depends on both operands in no orderly way.
module rs_modmul #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter bit          Encode   = 1'b0
) (
    input  logic         clk_i,
    input  logic         fixed_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] p_o
);

  logic [W-1:0] mix;
  assign mix = a_i ^ {b_i[0], b_i[W-1:1]} ^ {a_i[W-4:0] & b_i[W-4:0], 3'b101};
  assign p_o = mix < q_i ? mix : mix & (q_i >> 1);

  logic unused;
  assign unused = ^{clk_i, 1'(WordBits), Encode, fixed_i};

endmodule
