// SPDX-License-Identifier: Apache-2.0
// rs_mul_formal: tiles, rows and the tree add up to the product, or to its low bits.
// Params:  as rs_mul
module rs_mul_formal #(
    parameter int unsigned        WidthA   = 8,
    parameter int unsigned        WidthB   = 8,
    parameter int unsigned        WidthP   = 16,
    parameter int unsigned        TileA    = 3,
    parameter int unsigned        TileB    = 3,
    parameter rs_pkg::mul_style_e Style    = rs_pkg::MUL_CHAIN,
    parameter int unsigned        SoftBits = 4
) (
    input logic              clk_i,
    input logic [WidthA-1:0] a_i,
    input logic [WidthB-1:0] b_i
);

  logic [WidthP-1:0] p;

  rs_mul #(
      .WidthA  (WidthA),
      .WidthB  (WidthB),
      .WidthP  (WidthP),
      .TileA   (TileA),
      .TileB   (TileB),
      .Style   (Style),
      .SoftBits(SoftBits)
  ) u_dut (
      .clk_i,
      .a_i,
      .b_i,
      .p_o  (p),
      .low_o()
  );

  always_comb assert (p == WidthP'((WidthA + WidthB)'(a_i) * (WidthA + WidthB)'(b_i)));

endmodule
