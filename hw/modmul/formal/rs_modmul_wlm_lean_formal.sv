// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_lean_formal: for every q = 1 mod 2^WordBits and all residues p R = a b mod q with p < q; Fixed: q is 1, and p is
//                            floor((a b + 2^W) / 2^(W+1)) for all words, if R is 2^(W+1).
// Params:  as rs_modmul_wlm_lean
module rs_modmul_wlm_lean_formal #(
    parameter int unsigned W         = 7,
    parameter int unsigned WordBits  = 4,
    parameter int unsigned TileA     = 3,
    parameter int unsigned TileB     = 3,
    parameter int unsigned SoftBits  = 3,
    parameter int unsigned AdderBits = 7,
    parameter bit          Fixed     = 1'b0
) (
    input logic         clk_i,
    input logic [W-1:0] q_i,
    input logic [W-1:0] a_i,
    input logic [W-1:0] b_i
);

  localparam int unsigned RBits = WordBits * rs_pkg::ceil_div(W, WordBits);
  localparam int unsigned Wide = W + RBits;

  logic [W-1:0] p;

  rs_modmul_wlm_lean #(
      .W        (W),
      .WordBits (WordBits),
      .TileA    (TileA),
      .TileB    (TileB),
      .SoftBits (SoftBits),
      .AdderBits(AdderBits)
  ) u_dut (
      .clk_i,
      .q_i,
      .a_i,
      .b_i,
      .p_o(p)
  );

  always_comb begin
    if (Fixed) begin
      assume (q_i == W'(1));
      assert (p == W'(((2 * W + 1)'(a_i) * (2 * W + 1)'(b_i) + ((2 * W + 1)'(1) << W)) >> (W + 1)));
    end else begin
      assume (q_i[WordBits-1:0] == WordBits'(1) && q_i[W-1:WordBits] != '0);
      assume (a_i < q_i && b_i < q_i);
      assert (p < q_i);
      assert ((Wide'(p) << RBits) % Wide'(q_i) == (Wide'(a_i) * Wide'(b_i)) % Wide'(q_i));
    end
  end

endmodule
