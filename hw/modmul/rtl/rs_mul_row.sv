// SPDX-License-Identifier: Apache-2.0
// rs_mul_row: p = a b mod 2^WidthP for a of one tile's width.
// Params:  WidthA <= TileB, WidthB, WidthP <= WidthA + WidthB, TileB
// Bounds:  tile products c and c + 2 do not overlap, since WidthA + TileB <= 2 TileB: one adder for all of them
// Timing:  2 cycles, 3 with more than one tile
module rs_mul_row #(
    parameter int unsigned WidthA = 17,
    parameter int unsigned WidthB = 32,
    parameter int unsigned WidthP = WidthA + WidthB,
    parameter int unsigned TileB  = rs_pkg::MulTileB
) (
    input  logic              clk_i,
    input  logic [WidthA-1:0] a_i,
    input  logic [WidthB-1:0] b_i,
    output logic [WidthP-1:0] p_o,
    output logic [WidthP-1:0] first_o  // the first tile's product, after 2 cycles
);

  localparam int unsigned Cols = rs_pkg::ceil_div(WidthB, TileB);

  if (WidthA > TileB || WidthP > WidthA + WidthB) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d, WidthB %0d, WidthP %0d, TileB %0d", WidthA, WidthB, WidthP, TileB);
  end

  logic [WidthP-1:0] part[Cols];

  // what lies above WidthP only
  logic unused;
  assign unused = ^{a_i, b_i};

  for (genvar c = 0; c < Cols; c++) begin : gen_cols
    localparam int unsigned Lsb = c * TileB;
    if (Lsb < WidthP) begin : gen_tile
      localparam int unsigned Width = WidthB - Lsb < TileB ? WidthB - Lsb : TileB;
      // bits of b from WidthP on do not reach the result
      localparam int unsigned Used = WidthP - Lsb < Width ? WidthP - Lsb : Width;
      localparam int unsigned UsedA = WidthP - Lsb < WidthA ? WidthP - Lsb : WidthA;
      logic [UsedA+Used-1:0] product;
      rs_mul_tile #(
          .WidthA(UsedA),
          .WidthB(Used)
      ) u_tile (
          .clk_i,
          .a_i(a_i[UsedA-1:0]),
          .b_i(b_i[Lsb+:Used]),
          .p_o(product)
      );
      assign part[c] = WidthP'(product) << Lsb;
      logic unused_top;
      assign unused_top = ^product;
    end else begin : gen_beyond
      assign part[c] = '0;
    end
  end

  assign first_o = part[0];

  if (Cols == 1) begin : gen_single
    assign p_o = part[0];
  end else begin : gen_sum
    logic [WidthP-1:0] even, odd, sum_q;
    always_comb begin
      even = '0;
      odd  = '0;
      for (int c = 0; c < Cols; c += 2) even = even | part[c];
      for (int c = 1; c < Cols; c += 2) odd = odd | part[c];
    end
    always_ff @(posedge clk_i) sum_q <= even + odd;
    assign p_o = sum_q;
  end

endmodule
