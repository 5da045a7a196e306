// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_formal: for every q = 1 mod 2^WordBits and all residues, p R = a b mod q with p < q.
// Params:  as rs_modmul_wlm
module rs_modmul_wlm_formal #(
    parameter int unsigned        W         = 8,
    parameter int unsigned        WordBits  = 3,
    parameter int unsigned        TileA     = rs_pkg::MulTileA,
    parameter int unsigned        TileB     = rs_pkg::MulTileB,
    parameter rs_pkg::mul_style_e Style     = rs_pkg::MUL_CHAIN,
    parameter int unsigned        SoftBits  = 3,
    parameter int unsigned        AdderBits = rs_pkg::MulAdderBits
) (
    input logic         clk_i,
    input logic [W-1:0] q_i,
    input logic [W-1:0] a_i,
    input logic [W-1:0] b_i
);

  localparam int unsigned RBits = WordBits * rs_pkg::ceil_div(W, WordBits);
  localparam int unsigned Wide = W + RBits;

  logic [W-1:0] p;

  rs_modmul_wlm #(
      .W        (W),
      .WordBits (WordBits),
      .TileA    (TileA),
      .TileB    (TileB),
      .Style    (Style),
      .SoftBits (SoftBits),
      .AdderBits(AdderBits)
  ) u_dut (
      .clk_i,
      .fixed_i(1'b0),
      .q_i,
      .a_i,
      .b_i,
      .p_o(p)
  );

  always_comb begin
    assume (q_i[WordBits-1:0] == WordBits'(1) && q_i[W-1:WordBits] != '0);
    assume (a_i < q_i && b_i < q_i);
    assert (p < q_i);
    assert ((Wide'(p) << RBits) % Wide'(q_i) == (Wide'(a_i) * Wide'(b_i)) % Wide'(q_i));
  end

endmodule
