// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_step: y = (x - m q) / 2^b with m = x / q mod 2^b, for q = qh 2^w + 1 and signed x; not reduced.
// Bounds:  b <= 2w, so 1 / q = 1 - qh 2^w mod 2^b: m is x in its low w bits and, with z = x qh mod 2^(b-w), x - z above
//          them. That difference borrows exactly when m qh + floor(m / 2^w) carries into its bit b - w, and therefore
//          y = floor(x / 2^b) - floor(m qh / 2^(b-w)) - borrow. With c = floor(x / 2^b) 2^(b-w) + fill that is floor((c - m qh) / 2^(b-w))
//          for a fill of ones without a borrow and of zeros with one: m qh ends in z, and z > 0 if there is a borrow.
//          x / 2^b - q < y <= x / 2^b; WidthOut must hold that.
// Params:  W, WordBits (w), Bits (b), WidthIn, WidthOut; Wait: cycles from low_i to x_i, 0..2; TileB >= Bits (rs_pkg's for the
//          FPGA; smaller in proofs), Style, AdderBits; Near: what makes m of q comes from a register of this step, a cycle after qh_i
// Timing:  from low_i: rs_pkg::WlmStepLatency to low_o; to y_o with MUL_CHAIN a cycle more for each column behind the first
//
// MUL_CHAIN: column t adds -m qh_t to what is left of c, TileB bits further up each time. The adder holds AdderBits of it; `top`,
// what lies above, goes to the next column, less the sign of this one.
module rs_modmul_wlm_step #(
    parameter  int unsigned        W         = 32,
    parameter  int unsigned        WordBits  = rs_pkg::WlmWordBits,
    parameter  int unsigned        Bits      = 17,
    parameter  int unsigned        WidthIn   = 2 * W + 1,
    parameter  int unsigned        WidthOut  = 2 * W - Bits + 1,
    parameter  int unsigned        Wait      = 0,
    parameter  int unsigned        TileB     = rs_pkg::MulTileB,
    parameter  rs_pkg::mul_style_e Style     = rs_pkg::MulStyle,
    parameter  int unsigned        SoftBits  = rs_pkg::MulSoftBits,
    parameter  int unsigned        AdderBits = rs_pkg::MulAdderBits,
    parameter  bit                 Near      = 1'b0,
    localparam int unsigned        Above     = Bits - WordBits,
    localparam int unsigned        First     = WidthOut < TileB - Above ? WidthOut : TileB - Above
) (
    input  logic                         clk_i,
    input  logic        [W-WordBits-1:0] qh_i,
    input  logic        [      Bits-1:0] low_i,  // low bits of x, ahead of it
    input  logic signed [   WidthIn-1:0] x_i,
    output logic        [     First-1:0] low_o,  // low bits of y, ahead of it
    output logic signed [  WidthOut-1:0] y_o
);

  localparam int unsigned WidthQ = W - WordBits;
  localparam int unsigned Columns = rs_pkg::ceil_div(WidthQ, TileB);
  localparam int unsigned WidthHigh = WidthIn - Bits;
  localparam int unsigned WidthC = WidthOut + Above;

  if (Bits < WordBits || Bits > 2 * WordBits || Bits > TileB || WidthOut <= W || WidthOut < WidthHigh || Wait > 2 ||
      AdderBits < Bits + TileB + 1)
  begin : gen_illegal
    $fatal(1, "%m: W %0d, WordBits %0d, Bits %0d, WidthIn %0d, WidthOut %0d, Wait %0d", W, WordBits, Bits, WidthIn, WidthOut, Wait);
  end

  // ---- m
  logic [Bits-1:0] m;
  logic borrow;

  if (Above == 0) begin : gen_plain
    assign m = low_i;
    assign borrow = 1'b0;
  end else begin : gen_above
    logic [Above-1:0] near, z, top;
    if (Near) begin : gen_near
      // kept, or synthesis would make it one with those of the other steps
      (* keep *) logic [Above-1:0] near_q;
      always_ff @(posedge clk_i) near_q <= qh_i[Above-1:0];
      assign near = near_q;
    end else begin : gen_far
      assign near = qh_i[Above-1:0];
    end
    // a few bits: no hard multiplier, whose wires and delay would come before that of m
    always_comb begin
      z = '0;
      for (int i = 0; i < int'(Above); i++) z = z + (low_i[i] ? near << i : '0);
    end
    assign {borrow, top} = {1'b0, low_i[Bits-1:WordBits]} - {1'b0, z};
    assign m = {top, low_i[WordBits-1:0]};
  end

  // ---- c
  logic [WidthHigh-1:0] high;
  logic borrow_y;
  logic signed [WidthC-1:0] c;

  rs_delay #(
      .Width (WidthHigh),
      .Cycles(2 - Wait)
  ) u_high (
      .clk_i,
      .data_i(x_i[WidthIn-1:Bits]),
      .data_o(high)
  );

  rs_delay #(
      .Width (1),
      .Cycles(2)
  ) u_borrow (
      .clk_i,
      .data_i(borrow),
      .data_o(borrow_y)
  );

  if (Above == 0) begin : gen_no_fill
    assign c = WidthC'(signed'(high));
  end else begin : gen_fill
    assign c = WidthC'(signed'({high, {Above{!borrow_y}}}));
  end

  // ---- c - m qh
  if (Style == rs_pkg::MUL_CHAIN) begin : gen_chain
    logic signed [Bits:0] minus;
    logic [Columns-1:0][WidthC-1:0] place;  // what a column leaves, in its place
    assign minus = -signed'({1'b0, m});

    for (genvar t = 0; t < Columns; t++) begin : gen_columns
      localparam int unsigned Lsb = t * TileB;
      localparam int unsigned Width = WidthQ - Lsb < TileB ? WidthQ - Lsb : TileB;
      localparam bit Last = t == Columns - 1;
      localparam int unsigned Rest = WidthC - Lsb;  // remaining bits of c, and signed
      logic signed [Bits:0] minus_t;
      logic [Width-1:0] qh_t;
      logic signed [Rest-1:0] rest;  // before the product
      logic signed [AdderBits-1:0] addend, sum;
      logic signed [Rest-1:0] left;  // after it

      rs_delay #(
          .Width (Bits + 1 + Width),
          .Cycles(t)
      ) u_operands (
          .clk_i,
          .data_i({minus, qh_i[Lsb+:Width]}),
          .data_o({minus_t, qh_t})
      );

      if (t == 0) begin : gen_c
        assign rest = c;
      end else begin : gen_left
        assign rest = Rest'(gen_columns[t-1].left >>> TileB);
      end

      rs_mul_add_tile #(
          .WidthA  (Bits + 1),
          .SignedA (1'b1),
          .WidthB  (Width),
          .WidthP  (AdderBits),
          .SoftBits(SoftBits)
      ) u_tile (
          .clk_i,
          .a_i(minus_t),
          .b_i(qh_t),
          .c_i(addend),
          .p_o(sum)
      );

      if (Rest <= AdderBits) begin : gen_narrow
        assign addend = AdderBits'(rest);
        assign left   = Rest'(sum);
        logic unused_sign;
        assign unused_sign = ^sum;
      end else begin : gen_wide
        logic signed [Rest-AdderBits:0] top_q;
        assign addend = {1'b0, rest[AdderBits-2:0]};
        always_ff @(posedge clk_i) top_q <= rest[Rest-1:AdderBits-1];
        assign left = {top_q - (Rest - AdderBits + 1)'(sum[AdderBits-1]), sum[AdderBits-2:0]};
      end

      localparam int unsigned Kept = Last ? Rest : TileB;
      logic [Kept-1:0] kept;
      rs_delay #(
          .Width (Kept),
          .Cycles(Columns - 1 - t)
      ) u_kept (
          .clk_i,
          .data_i(left[Kept-1:0]),
          .data_o(kept)
      );
      assign place[t] = WidthC'(kept) << Lsb;
    end

    logic [WidthC-1:0] all;
    always_comb begin
      all = '0;
      for (int t = 0; t < int'(Columns); t++) all = all | place[t];
    end
    assign y_o   = all[WidthC-1:Above];
    assign low_o = gen_columns[0].left[Above+:First];
  end else begin : gen_sum
    logic [WidthC-1:0] y_d, y_q;

    if (Style == rs_pkg::MUL_CELLS) begin : gen_cells
      logic [1:0][WidthC-1:0] rows;
      rs_mul_carry_save #(
          .WidthA(Bits),
          .WidthB(WidthQ),
          .WidthP(WidthC),
          .Left  (2)
      ) u_rows (
          .clk_i,
          .en_i (1'b1),
          .a_i  (m),
          .b_i  (qh_i),
          .row_o(rows)
      );
      assign y_d = c - rows[0] - rows[1];
    end else begin : gen_tiles
      // tile products t and t + 2 do not overlap
      localparam int unsigned Tile = TileB < rs_pkg::MulHardB ? TileB : rs_pkg::MulHardB;
      localparam int unsigned Tiles = rs_pkg::ceil_div(WidthQ, Tile);
      logic [WidthC-1:0] part[Tiles];
      logic [WidthC-1:0] even, odd;

      for (genvar t = 0; t < Tiles; t++) begin : gen_columns
        localparam int unsigned Lsb = t * Tile;
        localparam int unsigned Width = WidthQ - Lsb < Tile ? WidthQ - Lsb : Tile;
        logic [Bits+Width-1:0] product;
        rs_mul_tile #(
            .WidthA  (Bits),
            .WidthB  (Width),
            .SoftBits(SoftBits)
        ) u_tile (
            .clk_i,
            .a_i(m),
            .b_i(qh_i[Lsb+:Width]),
            .p_o(product)
        );
        assign part[t] = WidthC'(product) << Lsb;
      end

      always_comb begin
        even = '0;
        odd  = '0;
        for (int t = 0; t < int'(Tiles); t += 2) even = even | part[t];
        for (int t = 1; t < int'(Tiles); t += 2) odd = odd | part[t];
      end
      assign y_d = c - even - odd;
    end

    always_ff @(posedge clk_i) y_q <= y_d;
    assign y_o   = y_q[WidthC-1:Above];
    assign low_o = y_q[Above+:First];
  end

  logic unused;
  assign unused = ^x_i[Bits-1:0];

endmodule
