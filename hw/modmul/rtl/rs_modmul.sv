// SPDX-License-Identifier: Apache-2.0
// rs_modmul: pipelined modular multiplier, one product per cycle: a b R^-1 mod q, or with fixed_i floor((a b + 2^W) / 2^(W+1)).
// Model:   lib/src/arith/modarith.h rs_mul_mod, with one factor multiplied by R (bit-exact)
// Params:  W 16..64, WordBits; Encode: fixed_i is there; Moving: the modulus travels with the data: rs_modmul_taps makes q_i
// Bounds:  a, b < q < 2^W; with fixed_i a, b < 2^W, q = 1; the rest in the header of rs_modmul_wlm
// Timing:  rs_pkg::modmul_latency(W, WordBits); constants are held while their data are in flight
module rs_modmul #(
    parameter  int unsigned W        = 32,
    parameter  int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter  bit          Encode   = 1'b0,
    parameter  bit          Moving   = 1'b0,
    localparam int unsigned Taps     = Moving ? rs_pkg::modmul_taps(W, WordBits) : 1
) (
    input  logic                   clk_i,
    input  logic                   fixed_i,
    input  logic [Taps-1:0][W-1:0] q_i,      // modulus; Moving: of each place that needs it
    input  logic [   W-1:0]        a_i,
    input  logic [   W-1:0]        b_i,
    output logic [   W-1:0]        p_o
);

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned Latency = rs_pkg::modmul_latency(W, WordBits);  // for testbenches
  /* verilator lint_on UNUSEDPARAM */

  if (W < 16 || W > 64) begin : gen_illegal
    $fatal(1, "%m: W %0d is not in 16..64", W);
  end

  if (Encode && Moving) begin : gen_illegal_moving
    $fatal(1, "%m: Encode has one modulus for all data");
  end

  // where hard multipliers have adders, words of 49 to 54 bits take three multipliers fewer. What rounds there with fixed_i is half of R.
  localparam bit Lean = rs_pkg::MulStyle == rs_pkg::MUL_CHAIN && !Moving && W > 48 && W <= 54 &&
      WordBits == rs_pkg::WlmWordBits && (!Encode || WordBits * rs_pkg::ceil_div(
      W, WordBits
  ) == W + 1);

  if (Lean) begin : gen_lean
    rs_modmul_wlm_lean #(
        .W       (W),
        .WordBits(WordBits)
    ) u_wlm (
        .clk_i,
        .q_i(q_i[0]),
        .a_i,
        .b_i,
        .p_o
    );
    logic unused;
    assign unused = fixed_i;
  end else begin : gen_wlm
    rs_modmul_wlm #(
        .W       (W),
        .WordBits(WordBits),
        .TileB   (rs_pkg::wlm_tile_b(W, WordBits)),
        .Encode  (Encode),
        .Moving  (Moving)
    ) u_wlm (
        .clk_i,
        .fixed_i,
        .q_i,
        .a_i,
        .b_i,
        .p_o
    );
  end

endmodule
