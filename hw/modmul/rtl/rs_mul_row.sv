// SPDX-License-Identifier: Apache-2.0
// rs_mul_row: p = a b mod 2^WidthP for a of one tile's width.
// Params:  WidthA <= TileB, WidthB, WidthP <= WidthA + WidthB, TileB, Style, SoftBits (rs_mul_tile); Pad: wait for the latency of MUL_CHAIN
// Bounds:  MUL_CHAIN: a b_c + (a b_(c-1 .. 0) >> c TileB) < 2^WidthA 2^TileB: a tile adds what lies above the one before, no carry leaves.
//          MUL_TILES: tile products c and c + 2 do not overlap, since WidthA + tile <= 2 tiles: one adder for all of them
// Timing:  rs_pkg::row_latency(WidthB, TileB); without Pad rs_pkg::mul_early less. first_o after 3 cycles
module rs_mul_row #(
    parameter  int unsigned        WidthA   = 17,
    parameter  int unsigned        WidthB   = 32,
    parameter  int unsigned        WidthP   = WidthA + WidthB,
    parameter  int unsigned        TileB    = rs_pkg::MulTileB,
    parameter  rs_pkg::mul_style_e Style    = rs_pkg::MulStyle,
    parameter  int unsigned        SoftBits = rs_pkg::MulSoftBits,
    parameter  bit                 Pad      = 1'b1,
    localparam int unsigned        First    = WidthP < TileB ? WidthP : TileB
) (
    input  logic              clk_i,
    input  logic              en_i,    // standard cells: otherwise nothing is clocked; hard multipliers go on
    input  logic [WidthA-1:0] a_i,
    input  logic [WidthB-1:0] b_i,
    output logic [WidthP-1:0] p_o,
    output logic [ First-1:0] first_o  // low bits of p
);

  localparam int unsigned Columns = rs_pkg::ceil_div(WidthB, TileB);
  localparam int unsigned Early = Pad ? rs_pkg::mul_early(Style, WidthB, TileB) : 0;

  if (WidthA > TileB || WidthP > WidthA + WidthB) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d, WidthB %0d, WidthP %0d, TileB %0d", WidthA, WidthB, WidthP, TileB);
  end

  // what lies above WidthP only
  logic unused;
  assign unused = ^{a_i, b_i, en_i};

  if (Style == rs_pkg::MUL_CHAIN && WidthA * TileB > SoftBits) begin : gen_chain
    for (genvar c = 0; c < Columns; c++) begin : gen_columns
      localparam int unsigned Lsb = c * TileB;
      if (Lsb < WidthP) begin : gen_tile
        localparam int unsigned Width = WidthB - Lsb < TileB ? WidthB - Lsb : TileB;
        // bits from WidthP on do not reach the result
        localparam int unsigned Above = WidthP - Lsb;
        localparam int unsigned UsedA = Above < WidthA ? Above : WidthA;
        localparam int unsigned UsedB = Above < Width ? Above : Width;
        localparam int unsigned Sum = Above < WidthA + Width ? Above : WidthA + Width;
        localparam bit Last = c == Columns - 1 || Lsb + TileB >= WidthP;
        localparam int unsigned Kept = Last || Sum < TileB ? Sum : TileB;
        logic [UsedA-1:0] a;
        logic [UsedB-1:0] b;
        logic [Sum-1:0] rest, sum;
        rs_delay #(
            .Width (UsedA + UsedB),
            .Cycles(c)
        ) u_operands (
            .clk_i,
            .data_i({a_i[UsedA-1:0], b_i[Lsb+:UsedB]}),
            .data_o({a, b})
        );
        if (c == 0) begin : gen_no_rest
          assign rest = '0;
          assign first_o = sum[First-1:0];
        end else begin : gen_rest
          assign rest = Sum'(gen_columns[c-1].gen_tile.sum >> TileB);
        end
        rs_mul_add_tile #(
            .WidthA  (UsedA),
            .WidthB  (UsedB),
            .WidthP  (Sum),
            .SoftBits(SoftBits),
            .Chained (c != 0)
        ) u_tile (
            .clk_i,
            .a_i(a),
            .b_i(b),
            .c_i(rest),
            .p_o(sum)
        );
        rs_delay #(
            .Width (Kept),
            .Cycles(Columns - 1 - c)
        ) u_wait (
            .clk_i,
            .data_i(sum[Kept-1:0]),
            .data_o(p_o[Lsb+:Kept])
        );
      end
    end
  end else begin : gen_sum
    localparam bit Stops = Style == rs_pkg::MUL_CELLS;
    logic [WidthP-1:0] sum_d, sum_q;

    if (Style == rs_pkg::MUL_CELLS && WidthA > 1) begin : gen_cells
      logic [2:0][WidthP-1:0] rows;
      rs_mul_carry_save #(
          .WidthA(WidthA),
          .WidthB(WidthB),
          .WidthP(WidthP)
      ) u_rows (
          .clk_i,
          .en_i,
          .a_i,
          .b_i,
          .row_o(rows)
      );
      assign sum_d = rows[0] + rows[1] + rows[2];
    end else begin : gen_tiles
      localparam int unsigned Hard = TileB < rs_pkg::MulHardB ? TileB : rs_pkg::MulHardB;
      localparam int unsigned Tile = Style == rs_pkg::MUL_TILES ? Hard : WidthB;  // a row of few bits is one tile of LUTs
      localparam int unsigned Tiles = rs_pkg::ceil_div(WidthB, Tile);
      logic [WidthP-1:0] part[Tiles];

      for (genvar c = 0; c < Tiles; c++) begin : gen_columns
        localparam int unsigned Lsb = c * Tile;
        if (Lsb < WidthP) begin : gen_tile
          localparam int unsigned Width = WidthB - Lsb < Tile ? WidthB - Lsb : Tile;
          localparam int unsigned Used = WidthP - Lsb < Width ? WidthP - Lsb : Width;
          localparam int unsigned UsedA = WidthP - Lsb < WidthA ? WidthP - Lsb : WidthA;
          logic [UsedA+Used-1:0] product;
          rs_mul_tile #(
              .WidthA  (UsedA),
              .WidthB  (Used),
              .SoftBits(Style == rs_pkg::MUL_TILES ? SoftBits : UsedA * Used)
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

      always_comb begin
        sum_d = '0;
        for (int parity = 0; parity < 2; parity++) begin
          automatic logic [WidthP-1:0] apart = '0;
          for (int c = parity; c < int'(Tiles); c += 2) apart = apart | part[c];
          sum_d = sum_d + apart;
        end
      end
    end

    always_ff @(posedge clk_i) if (!Stops || en_i) sum_q <= sum_d;
    assign first_o = sum_q[First-1:0];

    rs_delay #(
        .Width (WidthP),
        .Cycles(Style == rs_pkg::MUL_CHAIN ? Columns - 1 : Early)
    ) u_wait (
        .clk_i,
        .data_i(sum_q),
        .data_o(p_o)
    );
  end

endmodule
