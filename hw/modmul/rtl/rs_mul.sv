// SPDX-License-Identifier: Apache-2.0
// rs_mul: p = a b mod 2^WidthP, from tiles of hard multipliers with every register they have inside.
// Params:  WidthA, WidthB, WidthP <= WidthA + WidthB, TileA <= TileB (rs_pkg's for the FPGA; smaller in proofs)
// Timing:  rs_pkg::mul_latency(WidthA, WidthB, TileA, TileB)
module rs_mul #(
    parameter int unsigned WidthA = 32,
    parameter int unsigned WidthB = 32,
    parameter int unsigned WidthP = WidthA + WidthB,
    parameter int unsigned TileA  = rs_pkg::MulTileA,
    parameter int unsigned TileB  = rs_pkg::MulTileB
) (
    input  logic              clk_i,
    input  logic [WidthA-1:0] a_i,
    input  logic [WidthB-1:0] b_i,
    output logic [WidthP-1:0] p_o,
    output logic [ TileA-1:0] low_o   // low bits of p, after 2 cycles
);

  localparam int unsigned Rows = rs_pkg::ceil_div(WidthA, TileA);
  localparam int unsigned Levels = $clog2(Rows);

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned Latency = rs_pkg::mul_latency(WidthA, WidthB, TileA, TileB);  // for testbenches
  /* verilator lint_on UNUSEDPARAM */

  if (WidthP > WidthA + WidthB || WidthP < WidthA || TileA > TileB) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d, WidthB %0d, WidthP %0d, TileA %0d, TileB %0d", WidthA, WidthB, WidthP, TileA, TileB);
  end

  // Rows 2^level i .. 2^level (i + 1) - 1, added up.
  logic [WidthP-1:0] sum[Levels+1][Rows];
  logic [WidthP-1:0] first[Rows];

  for (genvar r = 0; r < Rows; r++) begin : gen_rows
    localparam int unsigned Lsb = r * TileA;
    localparam int unsigned Width = WidthA - Lsb < TileA ? WidthA - Lsb : TileA;
    localparam int unsigned Used = WidthP - Lsb < Width + WidthB ? WidthP - Lsb : Width + WidthB;
    logic [Used-1:0] row, tile;
    rs_mul_row #(
        .WidthA(Width),
        .WidthB(WidthB),
        .WidthP(Used),
        .TileB (TileB)
    ) u_row (
        .clk_i,
        .a_i(a_i[Lsb+:Width]),
        .b_i,
        .p_o(row),
        .first_o(tile)
    );
    assign sum[0][r] = WidthP'(row) << Lsb;
    assign first[r]  = WidthP'(tile);
  end

  for (genvar l = 1; l <= Levels; l++) begin : gen_levels
    localparam int unsigned Below = rs_pkg::ceil_div(Rows, 1 << (l - 1));
    for (genvar i = 0; i < Rows; i++) begin : gen_sums
      if (2 * i + 1 < Below) begin : gen_add
        always_ff @(posedge clk_i) sum[l][i] <= sum[l-1][2*i] + sum[l-1][2*i+1];
      end else if (2 * i < Below) begin : gen_pass
        always_ff @(posedge clk_i) sum[l][i] <= sum[l-1][2*i];
      end else begin : gen_none
        assign sum[l][i] = '0;
      end
    end
  end

  assign p_o   = sum[Levels][0];

  // no other tile reaches below bit TileA
  assign low_o = TileA'(first[0]);

endmodule
