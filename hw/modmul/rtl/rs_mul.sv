// SPDX-License-Identifier: Apache-2.0
// rs_mul: p = a b mod 2^WidthP, row by row: tiles of hard multipliers with every register they have inside, or standard cells.
// Params:  WidthA, WidthB, WidthP <= WidthA + WidthB, TileA <= TileB (rs_pkg's for the FPGA; smaller in proofs), Style, SoftBits (rs_mul_tile);
//          Pad: wait for the latency of MUL_CHAIN
// Timing:  rs_pkg::mul_latency(WidthA, WidthB, TileA, TileB); without Pad rs_pkg::mul_early less
module rs_mul #(
    parameter int unsigned        WidthA   = 32,
    parameter int unsigned        WidthB   = 32,
    parameter int unsigned        WidthP   = WidthA + WidthB,
    parameter int unsigned        TileA    = rs_pkg::MulTileA,
    parameter int unsigned        TileB    = rs_pkg::MulTileB,
    parameter rs_pkg::mul_style_e Style    = rs_pkg::MulStyle,
    parameter int unsigned        SoftBits = rs_pkg::MulSoftBits,
    parameter bit                 Pad      = 1'b1
) (
    input  logic              clk_i,
    input  logic [WidthA-1:0] a_i,
    input  logic [WidthB-1:0] b_i,
    output logic [WidthP-1:0] p_o,
    output logic [ TileA-1:0] low_o   // low bits of p, after 3 cycles
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
    localparam int unsigned First = Used < TileB ? Used : TileB;
    logic [ Used-1:0] row;
    logic [First-1:0] tile;
    rs_mul_row #(
        .WidthA(Width),
        .WidthB(WidthB),
        .WidthP(Used),
        .TileB (TileB),
        .Style (Style),
        .SoftBits(SoftBits),
        .Pad   (1'b0)
    ) u_row (
        .clk_i,
        .en_i(1'b1),
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

  rs_delay #(
      .Width (WidthP),
      .Cycles(Pad ? rs_pkg::mul_early(Style, WidthB, TileB) : 0)
  ) u_wait (
      .clk_i,
      .data_i(sum[Levels][0]),
      .data_o(p_o)
  );

  // no other tile reaches below bit TileA
  assign low_o = TileA'(first[0]);

endmodule
