// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_step_formal: y 2^b = x - (x q^-1 mod 2^b) q for every q = 1 mod 2^w and every signed x.
// Params:  W, WordBits (w), Bits (b), WidthIn, TileB, Style, SoftBits, AdderBits: as rs_modmul_wlm_step
module rs_modmul_wlm_step_formal #(
    parameter int unsigned        W         = 8,
    parameter int unsigned        WordBits  = 3,
    parameter int unsigned        Bits      = 5,
    parameter int unsigned        WidthIn   = 2 * W + 1,
    parameter int unsigned        TileB     = rs_pkg::MulTileB,
    parameter rs_pkg::mul_style_e Style     = rs_pkg::MUL_CHAIN,
    parameter int unsigned        SoftBits  = 3,
    parameter int unsigned        AdderBits = rs_pkg::MulAdderBits
) (
    input logic                         clk_i,
    input logic        [W-WordBits-1:0] qh_i,
    input logic signed [   WidthIn-1:0] x_i,
    input logic        [      Bits-1:0] m_i
);

  localparam int unsigned WidthOut = (WidthIn - Bits > W ? WidthIn - Bits : W) + 2;
  localparam int unsigned Wide = WidthOut + Bits;
  localparam int unsigned Reach = TileB - (Bits - WordBits);
  localparam int unsigned First = WidthOut < Reach ? WidthOut : Reach;

  logic signed [WidthOut-1:0] y;
  logic [First-1:0] low;
  logic [Wide-1:0] multiple;

  rs_modmul_wlm_step #(
      .W        (W),
      .WordBits (WordBits),
      .Bits     (Bits),
      .WidthIn  (WidthIn),
      .WidthOut (WidthOut),
      .TileB    (TileB),
      .Style    (Style),
      .SoftBits (SoftBits),
      .AdderBits(AdderBits)
  ) u_dut (
      .clk_i,
      .qh_i,
      .low_i(x_i[Bits-1:0]),
      .x_i,
      .low_o(low),
      .y_o  (y)
  );

  assign multiple = Wide'(m_i) * Wide'({qh_i, WordBits'(1)});

  always_comb begin
    // q is odd: there is exactly one such m
    assume (multiple[Bits-1:0] == x_i[Bits-1:0]);
    assert ({y, Bits'(0)} == Wide'(x_i) - multiple);
    assert (low == y[First-1:0]);
  end

endmodule
