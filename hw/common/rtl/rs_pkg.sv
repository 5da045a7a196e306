// SPDX-License-Identifier: Apache-2.0
// rs_pkg: types and latencies that blocks share.
// Macros:  RS_MUL_TILE_B: the longer side of a multiplier tile, 24 if it is not defined; 18 fits FPGAs with 18 x 18 multipliers
// Bounds:  word width W 16..64; every latency is a constant of the parameters
package rs_pkg;

  // How products are reduced; hw/README.md has the number formats.
  typedef enum logic [0:0] {
    RS_BARRETT = 1'b0,  // any odd modulus
    RS_WLM     = 1'b1   // word-level Montgomery, q = 1 mod 2^WordBits
  } reduction_e;

  // What a lane computes from x, y, w; results in a and, for butterflies, b.
  typedef enum logic [2:0] {
    LANE_CT   = 3'd0,  // a = x + y w, b = x - y w
    LANE_GS   = 3'd1,  // a = x + y, b = (y - x) w
    LANE_MUL  = 3'd2,  // a = x w
    LANE_MAC  = 3'd3,  // a = y + x w
    LANE_MSUB = 3'd4,  // a = y - x w
    LANE_ADD  = 3'd5,  // a = x + y
    LANE_SUB  = 3'd6   // a = x - y
  } lane_op_e;

  // Tiles of rs_mul: one 25 x 18 signed multiplier of an FPGA, or an unsigned one of 18 x 18. No latency depends on it for W > 24.
  parameter int unsigned MulTileA = 17;
`ifdef RS_MUL_TILE_B
  parameter int unsigned MulTileB = `RS_MUL_TILE_B;
`else
  parameter int unsigned MulTileB = 24;
`endif

  // Every prime of an NTT of length N is 1 mod 2N, and N is at least 2^10.
  parameter int unsigned WlmWordBits = 11;

  function automatic int unsigned ceil_div(input int unsigned a, input int unsigned b);
    return (a + b - 1) / b;
  endfunction

  // rs_mul: operands, tile products, sum in a row, binary tree over rows.
  function automatic int unsigned mul_latency(input int unsigned width_a, input int unsigned width_b,
                                              input int unsigned tile_a = MulTileA, input int unsigned tile_b = MulTileB);
    return 2 + (width_b > tile_b ? 1 : 0) + $clog2(ceil_div(width_a, tile_a));
  endfunction

  // rs_modmul_barrett: product, shift, quotient, its multiple, difference, correction.
  function automatic int unsigned barrett_latency(input int unsigned w);
    return mul_latency(w, w) + 1 + mul_latency(w + 2, w + 2) + mul_latency(w, w) + 2;
  endfunction

  // Steps of rs_modmul_wlm: equal shares of R's bits, each at most two words and one row of tiles.
  function automatic int unsigned wlm_steps(input int unsigned w, input int unsigned word_bits,
                                            input int unsigned tile_a = MulTileA);
    return ceil_div(word_bits * ceil_div(w, word_bits), 2 * word_bits < tile_a ? 2 * word_bits : tile_a);
  endfunction

  // Bits that its first `step` steps divide by.
  function automatic int unsigned wlm_done(input int unsigned w, input int unsigned word_bits, input int unsigned step,
                                           input int unsigned tile_a = MulTileA);
    return ceil_div(word_bits * ceil_div(w, word_bits) * step, wlm_steps(w, word_bits, tile_a));
  endfunction

  // Where it cuts a: half of the rows of tiles, if there are more than two.
  function automatic int unsigned wlm_split(input int unsigned w, input int unsigned tile_a = MulTileA);
    return w > 2 * tile_a ? tile_a << ($clog2(ceil_div(w, tile_a)) - 1) : w;
  endfunction

  // One step of rs_modmul_wlm: operand, products, difference.
  parameter int unsigned WlmStepLatency = 3;

  // rs_modmul_wlm: the product's low bits after 2 cycles, steps, correction.
  function automatic int unsigned wlm_latency(input int unsigned w, input int unsigned word_bits);
    return 2 + wlm_steps(w, word_bits) * WlmStepLatency + 1;
  endfunction

  function automatic int unsigned modmul_latency(input int unsigned w, input reduction_e reduction,
                                                 input int unsigned word_bits = WlmWordBits);
    return reduction == RS_WLM ? wlm_latency(w, word_bits) : barrett_latency(w);
  endfunction

  // rs_addsub_mod: sum, correction.
  parameter int unsigned AddSubLatency = 2;

  // rs_lane: difference, product, sum.
  function automatic int unsigned lane_latency(input int unsigned w, input reduction_e reduction,
                                               input int unsigned word_bits = WlmWordBits);
    return 2 * AddSubLatency + modmul_latency(w, reduction, word_bits);
  endfunction

endpackage
