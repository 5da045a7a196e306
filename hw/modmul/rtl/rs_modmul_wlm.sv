// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm: p = a b R^-1 mod q with R = 2^(WordBits ceil(W / WordBits)), word-level Montgomery (Mert et al. 2019)
//          with signed remainders and steps that are wider than a word.
// Model:   lib/src/arith/modarith.h rs_mul_mod, with one factor multiplied by R
// Params:  W 4..64, WordBits < W, TileA <= TileB (rs_pkg's for the FPGA; smaller in proofs)
// Bounds:  q = 1 mod 2^WordBits, a b < q R. After steps that divide by 2^s in all x = (a b - M q) / 2^s with M < 2^s:
//          -q < x < 2^(2W - s), and at the end x <= a b / R < q.
// Timing:  rs_pkg::wlm_latency(W, WordBits); q is held while its data are in flight
module rs_modmul_wlm #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter int unsigned TileA    = rs_pkg::MulTileA,
    parameter int unsigned TileB    = rs_pkg::MulTileB
) (
    input  logic         clk_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] p_o
);
  import rs_pkg::*;

  localparam int unsigned Steps = wlm_steps(W, WordBits, TileA);
  // the product's two halves are added up in the first step
  localparam int unsigned Split = wlm_split(W, TileA);

  if (W < 4 || W > 64 || WordBits < 1 || WordBits >= W) begin : gen_illegal
    $fatal(1, "%m: W %0d is not in 4..64, or WordBits %0d not in 1..W-1", W, WordBits);
  end

  logic [W+Split-1:0] lower;
  logic [TileA-1:0] low;
  logic signed [2*W:0] x[Steps+1];
  logic [2*W:0] more[Steps+1];
  logic [W-1:0] p_d, p_q;

  rs_mul #(
      .WidthA(Split),
      .WidthB(W),
      .TileA (TileA),
      .TileB (TileB)
  ) u_lower (
      .clk_i,
      .a_i  (a_i[Split-1:0]),
      .b_i,
      .p_o  (lower),
      .low_o(low)
  );

  if (Split < W) begin : gen_upper
    logic [2*W-Split-1:0] product, upper;
    rs_mul #(
        .WidthA(W - Split),
        .WidthB(W),
        .TileA (TileA),
        .TileB (TileB)
    ) u_upper (
        .clk_i,
        .a_i  (a_i[W-1:Split]),
        .b_i,
        .p_o  (product),
        .low_o()
    );
    rs_delay #(
        .Width (2 * W - Split),
        .Cycles(mul_latency(Split, W, TileA, TileB) - mul_latency(W - Split, W, TileA, TileB))
    ) u_upper_late (
        .clk_i,
        .data_i(product),
        .data_o(upper)
    );
    assign more[0] = {1'b0, upper, Split'(0)};
  end else begin : gen_whole
    assign more[0] = '0;
  end

  assign x[0] = (2 * W + 1)'(lower);

  for (genvar s = 0; s < Steps; s++) begin : gen_steps
    localparam int unsigned Done = wlm_done(W, WordBits, s, TileA);
    localparam int unsigned Bits = wlm_done(W, WordBits, s + 1, TileA) - Done;
    // of a word that is longer than the step, the rest belongs to qh
    localparam int unsigned Word = Bits < WordBits ? Bits : WordBits;
    localparam int unsigned WidthIn = 1 + (s == 0 || 2 * W - Done > W ? 2 * W - Done : W);
    localparam int unsigned WidthOut = 1 + (2 * W - Done - Bits > W ? 2 * W - Done - Bits : W);
    logic [Bits-1:0] early;
    logic signed [WidthOut-1:0] y;
    if (s == 0) begin : gen_first
      assign early = low[Bits-1:0];
    end else begin : gen_next
      assign early = x[s][Bits-1:0];
    end
    rs_modmul_wlm_step #(
        .W       (W),
        .WordBits(Word),
        .Bits    (Bits),
        .WidthIn (WidthIn),
        .WidthOut(WidthOut),
        .Wait    (s == 0 ? mul_latency(Split, W, TileA, TileB) - 2 : 0),
        .TileB   (TileB)
    ) u_step (
        .clk_i,
        .qh_i(q_i[W-1:Word]),
        .low_i(early),
        .x_i(x[s][WidthIn-1:0]),
        .more_i(more[s][WidthIn-1:0]),
        .y_o(y)
    );
    assign x[s+1] = (2 * W + 1)'(y);
    assign more[s+1] = '0;
  end

  // -q < x < q
  assign p_d = x[Steps][W-1:0] + (x[Steps][W] ? q_i : '0);
  always_ff @(posedge clk_i) p_q <= p_d;
  assign p_o = p_q;

  // steps of less than a tile
  logic unused;
  assign unused = ^low;

endmodule
