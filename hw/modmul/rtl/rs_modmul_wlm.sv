// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm: p = a b R^-1 mod q with R = 2^(WordBits ceil(W / WordBits)), word-level Montgomery (Mert et al. 2019)
//          with signed remainders and steps that are wider than a word.
// Model:   lib/src/arith/modarith.h rs_mul_mod, with one factor multiplied by R
//          With fixed_i and q = 1 it is floor((a b + 2^W) / 2^(W+1)) instead, for any a, b: rs_fixed_product (lib/include/ringside/golden/fixed.h).
// Params:  W 4..64, WordBits < W, TileA <= TileB (rs_pkg's for the FPGA; smaller in proofs), Style, SoftBits, AdderBits; Encode: fixed_i is there;
//          Moving: q travels with the data (rs_modmul_taps)
// Bounds:  q = 1 mod 2^WordBits, a b < q R. After steps that divide by 2^s in all x = (a b - M q) / 2^s with M < 2^s:
//          -q < x < 2^(2W - s), and at the end x <= a b / R < q.
//          With q = 1 M is a b mod 2^s, and nothing is lost: x has the bits of a b from s on. R is at least 2^(W+1), so the last step drops
//          bit W, which rounds, and what is between it and R.
// Timing:  rs_pkg::modmul_latency(W, WordBits); q and fixed_i are held while their data are in flight. Moving: q_i[t] belongs to the data
//          of rs_pkg::modmul_tap(W, WordBits, t) cycles before
module rs_modmul_wlm #(
    parameter  int unsigned        W         = 32,
    parameter  int unsigned        WordBits  = rs_pkg::WlmWordBits,
    parameter  int unsigned        TileA     = rs_pkg::MulTileA,
    parameter  int unsigned        TileB     = rs_pkg::MulTileB,
    parameter  rs_pkg::mul_style_e Style     = rs_pkg::MulStyle,
    parameter  int unsigned        SoftBits  = rs_pkg::MulSoftBits,
    parameter  int unsigned        AdderBits = rs_pkg::MulAdderBits,
    parameter  bit                 Encode    = 1'b0,
    parameter  bit                 Moving    = 1'b0,
    localparam int unsigned        Taps      = Moving ? rs_pkg::wlm_steps(W, WordBits, TileA) + 1 : 1
) (
    input  logic                   clk_i,
    input  logic                   fixed_i,
    input  logic [Taps-1:0][W-1:0] q_i,      // Moving: of each step, then of the correction
    input  logic [   W-1:0]        a_i,
    input  logic [   W-1:0]        b_i,
    output logic [   W-1:0]        p_o
);
  import rs_pkg::*;

  localparam int unsigned Steps = wlm_steps(W, WordBits, TileA);
  localparam int unsigned Split = wlm_split(W, TileA);
  // in cycles: the low bits to the first step; then the product, and every y, behind its low bits
  localparam int unsigned Start = wlm_start(W, TileA, TileB);
  localparam int unsigned Product = wlm_product(W, TileA, TileB) - mul_early(Style, W, TileB);
  localparam int unsigned LateMost = wlm_late(W, WordBits, TileB);
  localparam int unsigned Late = Style == MUL_CHAIN ? LateMost : 0;
  // Hard multipliers stand in columns, far from one register of q. No data is in a step in the cycle after a change of q.
  localparam bit Near = Style == MUL_TILES && !Moving;

  if (W < 4 || W > 64 || WordBits < 1 || WordBits >= W) begin : gen_illegal
    $fatal(1, "%m: W %0d is not in 4..64, or WordBits %0d not in 1..W-1", W, WordBits);
  end

  logic [W+Split-1:0] lower;
  logic [TileA-1:0] low, low_late;
  logic [2*W-1:0] product;
  logic signed [2*W:0] x[Steps+1];
  logic [2*W:0] ahead[Steps+1];  // its low bits
  logic [W-1:0] p_d, p_q;

  rs_mul #(
      .WidthA(Split),
      .WidthB(W),
      .TileA (TileA),
      .TileB (TileB),
      .Style (Style),
      .SoftBits(SoftBits),
      .Pad   (1'b0)
  ) u_lower (
      .clk_i,
      .a_i  (a_i[Split-1:0]),
      .b_i,
      .p_o  (lower),
      .low_o(low)
  );

  if (Split < W) begin : gen_upper
    logic [2*W-Split-1:0] upper_early, upper;
    rs_mul #(
        .WidthA(W - Split),
        .WidthB(W),
        .TileA (TileA),
        .TileB (TileB),
        .Style (Style),
        .SoftBits(SoftBits),
        .Pad   (1'b0)
    ) u_upper (
        .clk_i,
        .a_i  (a_i[W-1:Split]),
        .b_i,
        .p_o  (upper_early),
        .low_o()
    );
    rs_delay #(
        .Width (2 * W - Split),
        .Cycles(mul_latency(Split, W, TileA, TileB) - mul_latency(W - Split, W, TileA, TileB))
    ) u_upper_late (
        .clk_i,
        .data_i(upper_early),
        .data_o(upper)
    );
    always_ff @(posedge clk_i) product <= {upper + (2 * W - Split)'(lower[W+Split-1:Split]), lower[Split-1:0]};
  end else begin : gen_whole
    assign product = lower;
  end

  rs_delay #(
      .Width (TileA),
      .Cycles(Start - 3)
  ) u_low (
      .clk_i,
      .data_i(low),
      .data_o(low_late)
  );

  assign x[0] = (2 * W + 1)'(product);
  assign ahead[0] = (2 * W + 1)'(low_late);

  for (genvar s = 0; s < Steps; s++) begin : gen_steps
    localparam int unsigned Done = wlm_done(W, WordBits, s, TileA);
    localparam int unsigned Bits = wlm_done(W, WordBits, s + 1, TileA) - Done;
    // a word that is longer than the step: the rest belongs to qh
    localparam int unsigned Word = Bits < WordBits ? Bits : WordBits;
    localparam int unsigned WidthIn = 1 + (s == 0 || 2 * W - Done > W ? 2 * W - Done : W);
    localparam int unsigned WidthOut = 1 + (2 * W - Done - Bits > W ? 2 * W - Done - Bits : W);
    localparam int unsigned First = WidthOut < TileB - (Bits - Word) ? WidthOut : TileB - (Bits - Word);
    logic [First-1:0] low_y;
    logic signed [WidthOut-1:0] y;
    if (Done + Bits < WordBits * ceil_div(
            W, WordBits
        ) && First < wlm_done(
            W, WordBits, s + 2, TileA
        ) - Done - Bits) begin : gen_illegal_tile
      $fatal(1, "%m: TileB %0d is too short for the next step", TileB);
    end
    rs_modmul_wlm_step #(
        .W        (W),
        .WordBits (Word),
        .Bits     (Bits),
        .WidthIn  (WidthIn),
        .WidthOut (WidthOut),
        .Wait     (s == 0 ? Product - Start : Late),
        .TileB    (TileB),
        .Style    (Style),
        .SoftBits (SoftBits),
        .AdderBits(AdderBits),
        .Near     (Near)
    ) u_step (
        .clk_i,
        .qh_i (q_i[Moving?s : 0][W-1:Word]),
        .low_i(ahead[s][Bits-1:0]),
        .x_i  (x[s][WidthIn-1:0]),
        .low_o(low_y),
        .y_o  (y)
    );
    assign x[s+1] = (2 * W + 1)'(y);
    assign ahead[s+1] = (2 * W + 1)'(low_y);
  end

  // -q < x < q
  if (!Encode) begin : gen_residue
    assign p_d = x[Steps][W-1:0] + (x[Steps][W] ? q_i[Taps-1] : '0);
    logic unused_fixed;
    assign unused_fixed = fixed_i;
  end else begin : gen_fixed
    // bits that the last step drops: the one that rounds and those above it
    localparam int unsigned Bits = wlm_done(W, WordBits, Steps, TileA) - wlm_done(W, WordBits, Steps - 1, TileA);
    localparam int unsigned More = WordBits * ceil_div(W, WordBits) - (W + 1);
    if (WordBits * ceil_div(W, WordBits) <= W || Bits <= More) begin : gen_illegal_radix
      $fatal(1, "%m: W %0d is a multiple of WordBits %0d, or the last step has %0d bits", W, WordBits, Bits);
    end
    logic [More:0] dropped;
    logic [ W-1:0] whole;
    rs_delay #(
        .Width (More + 1),
        .Cycles(WlmStepLatency + Late)
    ) u_dropped (
        .clk_i,
        .data_i(ahead[Steps-1][Bits-1-:More+1]),
        .data_o(dropped)
    );
    // q_i is 1: it is what rounds, too
    if (More == 0) begin : gen_same
      assign whole = x[Steps][W-1:0];
    end else begin : gen_shifted
      assign whole = fixed_i ? {x[Steps][W-More-1:0], dropped[More:1]} : x[Steps][W-1:0];
    end
    assign p_d = whole + (x[Steps][W] || (fixed_i && dropped[0]) ? q_i[Taps-1] : '0);
  end
  always_ff @(posedge clk_i) p_q <= p_d;

  rs_delay #(
      .Width (W),
      .Cycles(LateMost - Late)
  ) u_wait (
      .clk_i,
      .data_i(p_q),
      .data_o(p_o)
  );

  // steps of less than a tile
  logic unused;
  assign unused = ^low_late ^ ^ahead[Steps];

endmodule
