// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_step: y = (x - m q) / 2^b with m = x / q mod 2^b, for q = qh 2^w + 1 and signed x; not reduced.
// Bounds:  b <= 2w, so 1 / q = 1 - qh 2^w mod 2^b: m is x in its low w bits and, with z = x qh mod 2^(b-w), x - z above
//          them. That difference borrows exactly when m qh + floor(m / 2^w) carries into its bit b - w, and therefore
//          y = floor(x / 2^b) - floor(m qh / 2^(b-w)) - borrow. x / 2^b - q < y <= x / 2^b; WidthOut must hold that.
// Params:  W, WordBits (w), Bits (b), WidthIn, WidthOut; Wait: cycles from low_i to x_i, 0..2;
//          TileB >= Bits (rs_pkg's for the FPGA; smaller in proofs)
// Timing:  from low_i: rs_pkg::WlmStepLatency
module rs_modmul_wlm_step #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter int unsigned Bits     = 17,
    parameter int unsigned WidthIn  = 2 * W + 1,
    parameter int unsigned WidthOut = 2 * W - Bits + 1,
    parameter int unsigned Wait     = 0,
    parameter int unsigned TileB    = rs_pkg::MulTileB
) (
    input  logic                         clk_i,
    input  logic        [W-WordBits-1:0] qh_i,
    input  logic        [      Bits-1:0] low_i,   // of x, ahead of it
    input  logic signed [   WidthIn-1:0] x_i,
    input  logic        [   WidthIn-1:0] more_i,  // to be added to x_i, with no bit below Bits
    output logic signed [  WidthOut-1:0] y_o
);

  localparam int unsigned WidthQ = W - WordBits;
  localparam int unsigned Above = Bits - WordBits;
  localparam int unsigned Cols = rs_pkg::ceil_div(WidthQ, TileB);
  localparam int unsigned WidthP = Bits + WidthQ;
  localparam int unsigned WidthHigh = WidthIn - Bits;

  if (Bits < WordBits || Bits > 2 * WordBits || Bits > TileB || WidthOut <= W || WidthOut < WidthHigh || Wait > 2)
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
    logic [Above-1:0] z, top;
    // a few bits: no hard multiplier, whose wires and delay would come before that of m
    always_comb begin
      z = '0;
      for (int i = 0; i < int'(Above); i++) z = z + (low_i[i] ? qh_i[Above-1:0] << i : '0);
    end
    assign {borrow, top} = {1'b0, low_i[Bits-1:WordBits]} - {1'b0, z};
    assign m = {top, low_i[WordBits-1:0]};
  end

  // ---- m qh; tile products c and c + 2 do not overlap
  logic [WidthP-1:0] part[Cols];
  logic [WidthP-1:0] even, odd;

  for (genvar c = 0; c < Cols; c++) begin : gen_cols
    localparam int unsigned Lsb = c * TileB;
    localparam int unsigned Width = WidthQ - Lsb < TileB ? WidthQ - Lsb : TileB;
    logic [Bits+Width-1:0] product;
    rs_mul_tile #(
        .WidthA(Bits),
        .WidthB(Width)
    ) u_tile (
        .clk_i,
        .a_i(m),
        .b_i(qh_i[Lsb+:Width]),
        .p_o(product)
    );
    assign part[c] = WidthP'(product) << Lsb;
  end

  always_comb begin
    even = '0;
    odd  = '0;
    for (int c = 0; c < Cols; c += 2) even = even | part[c];
    for (int c = 1; c < Cols; c += 2) odd = odd | part[c];
  end

  // ---- y
  logic [WidthHigh-1:0] high, more;
  logic signed [WidthOut-1:0] high_y;
  logic borrow_y;
  logic [WidthOut-1:0] y_d, y_q;

  rs_delay #(
      .Width (WidthHigh),
      .Cycles(2 - Wait)
  ) u_high (
      .clk_i,
      .data_i(x_i[WidthIn-1:Bits]),
      .data_o(high)
  );

  rs_delay #(
      .Width (WidthHigh),
      .Cycles(2 - Wait)
  ) u_more (
      .clk_i,
      .data_i(more_i[WidthIn-1:Bits]),
      .data_o(more)
  );

  rs_delay #(
      .Width (1),
      .Cycles(2)
  ) u_borrow (
      .clk_i,
      .data_i(borrow),
      .data_o(borrow_y)
  );

  assign high_y = WidthOut'(signed'(high));
  // even and odd have their low bits apart: cut off one by one, they lose no carry but the borrow
  assign y_d = high_y + WidthOut'(more) - WidthOut'(even >> Above) - WidthOut'(odd >> Above) - WidthOut'(borrow_y);
  always_ff @(posedge clk_i) y_q <= y_d;
  assign y_o = y_q;

  logic unused;
  assign unused = ^{x_i[Bits-1:0], more_i[Bits-1:0]};

endmodule
