// SPDX-License-Identifier: Apache-2.0
// rs_pkg: types and latencies that blocks share.
// Macros:  what a target has for products; without one, multipliers of 25 x 18 with adders of 48 bits behind them.
//          RS_MUL_CELLS: standard cells. RS_MUL_TILE_B: multipliers without adders, 17 x that; 18 for those of 18 x 18
//          RS_MUL_WIDE: multipliers of 27 x 18 (UltraScale+). RS_ULTRA_RAM: large blocks of memory
//          RS_RAM_MACRO: rs_ram_1rw is the integrator's module rs_ram_macro
// Bounds:  word width W 16..64; every latency is a constant of the parameters
package rs_pkg;

  // What a lane computes from x, y, w; results in a and, for butterflies, b.
  typedef enum logic [2:0] {
    LANE_CT   = 3'd0,  // a = x + y w, b = x - y w
    LANE_GS   = 3'd1,  // a = (x + y) / 2, b = (y - x) w / 2
    LANE_MUL  = 3'd2,  // a = y w
    LANE_MAC  = 3'd3,  // a = x + y w
    LANE_MSUB = 3'd4,  // a = x - y w
    LANE_ADD  = 3'd5,  // a = x + y
    LANE_SUB  = 3'd6   // a = x - y
  } lane_op_e;

  // How rs_mul makes a product. All have the same latency.
  typedef enum logic [1:0] {
    MUL_CHAIN = 2'd0,  // hard multipliers with an adder behind them, which adds what the tile before has left over
    MUL_TILES = 2'd1,  // hard multipliers alone
    MUL_CELLS = 2'd2   // standard cells: Booth's digits, added without carries, a register, an adder
  } mul_style_e;

  /* verilator lint_off UNUSEDPARAM */
`ifdef RS_MUL_CELLS
  parameter mul_style_e MulStyle = MUL_CELLS;
`elsif RS_MUL_TILE_B
  parameter mul_style_e MulStyle = MUL_TILES;
`else
  parameter mul_style_e MulStyle = MUL_CHAIN;
`endif

  // Tiles of rs_mul: one signed 25 x 18 multiplier of an FPGA. MulHardB: what MUL_TILES makes of one, which may be less.
  parameter int unsigned MulTileA = 17;
  parameter int unsigned MulTileB = 24;
`ifdef RS_MUL_TILE_B
  parameter int unsigned MulHardB = `RS_MUL_TILE_B;
`else
  parameter int unsigned MulHardB = MulTileB;
`endif

  // A hard multiplier of 27 x 18 has longer tiles: two, not three, for the step of a word of 64 bits.
`ifdef RS_MUL_WIDE
  parameter int unsigned MulWideB = 26;
`else
  parameter int unsigned MulWideB = MulTileB;
`endif

  // Up to this many partial product bits, about a LUT each, a tile is made of LUTs: a hard multiplier stands for some 100 LUTs in an FPGA.
  parameter int unsigned MulSoftBits = 72;

  // Memories of so many rows are made of an FPGA's large blocks (UltraRAM: 288 kbit, of up to 144 bits), shorter ones of block RAM.
`ifdef RS_ULTRA_RAM
  parameter int unsigned UltraRows = 2048;
`else
  parameter int unsigned UltraRows = 32'h8000_0000;
`endif

`ifdef RS_RAM_MACRO
  parameter bit RamMacro = 1'b1;
`else
  parameter bit RamMacro = 1'b0;
`endif

  // Width of the adder behind a hard multiplier.
  parameter int unsigned MulAdderBits = 48;
  /* verilator lint_on UNUSEDPARAM */

  // Every prime of an NTT of length N is 1 mod 2N, and N is at least 2^10.
  parameter int unsigned WlmWordBits = 11;

  function automatic int unsigned ceil_div(input int unsigned a, input int unsigned b);
    return (a + b - 1) / b;
  endfunction

  // The longer side of a tile of rs_modmul_wlm: MulWideB where no latency changes by it.
  function automatic int unsigned wlm_tile_b(input int unsigned w, input int unsigned word_bits = WlmWordBits);
    if (ceil_div(w, MulWideB) != ceil_div(w, MulTileB)) return MulTileB;
    if (ceil_div(w - word_bits, MulWideB) != ceil_div(w - word_bits, MulTileB)) return MulTileB;
    return MulWideB;
  endfunction

  // rs_mul_row: operands, products, a sum for each tile.
  function automatic int unsigned row_latency(input int unsigned width_b, input int unsigned tile_b = MulTileB);
    return 2 + ceil_div(width_b, tile_b);
  endfunction

  // rs_mul: rows, binary tree over them.
  function automatic int unsigned mul_latency(input int unsigned width_a, input int unsigned width_b,
                                              input int unsigned tile_a = MulTileA, input int unsigned tile_b = MulTileB);
    return row_latency(width_b, tile_b) + $clog2(ceil_div(width_a, tile_a));
  endfunction

  // Cycles of these that styles without a chain do not need.
  function automatic int unsigned mul_early(input mul_style_e style, input int unsigned width_b,
                                            input int unsigned tile_b = MulTileB);
    return style == MUL_CHAIN ? 0 : ceil_div(width_b, tile_b) - 1;
  endfunction

  // rs_reduce_word: rows of the estimate, two sums, its multiple, difference, two corrections.
  function automatic int unsigned reduce_latency(input int unsigned w);
    return row_latency(64) + mul_latency(w + 2, w) + 5;
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

  // From the low bits of x to those of y in a step of rs_modmul_wlm: operand, product, difference.
  parameter int unsigned WlmStepLatency = 3;

  // rs_modmul_wlm: from a and b to all of the product, whose halves are added up.
  function automatic int unsigned wlm_product(input int unsigned w, input int unsigned tile_a = MulTileA,
                                              input int unsigned tile_b = MulTileB);
    return mul_latency(wlm_split(w, tile_a), w, tile_a, tile_b) + (wlm_split(w, tile_a) < w ? 1 : 0);
  endfunction

  // To its low bits, with which the steps start: at most two cycles ahead.
  function automatic int unsigned wlm_start(input int unsigned w, input int unsigned tile_a = MulTileA,
                                            input int unsigned tile_b = MulTileB);
    return wlm_product(w, tile_a, tile_b) < 5 ? 3 : wlm_product(w, tile_a, tile_b) - 2;
  endfunction

  // From the low bits of a step's y to all of them: a cycle for each tile of q behind the first.
  function automatic int unsigned wlm_late(input int unsigned w, input int unsigned word_bits,
                                           input int unsigned tile_b = MulTileB);
    return ceil_div(w - word_bits, tile_b) - 1;
  endfunction

  // rs_modmul: product's low bits, steps, the rest of the last one, correction.
  function automatic int unsigned modmul_latency(input int unsigned w, input int unsigned word_bits = WlmWordBits);
    return wlm_start(w) + wlm_steps(w, word_bits) * WlmStepLatency + wlm_late(w, word_bits) + 1;
  endfunction

  // A modulus that travels with the data (rs_modmul_taps): how many words of q a multiplier takes, of every step and of the correction, and
  // how many cycles after a and b.
  function automatic int unsigned modmul_taps(input int unsigned w, input int unsigned word_bits = WlmWordBits);
    return wlm_steps(w, word_bits) + 1;
  endfunction

  function automatic int unsigned modmul_tap(input int unsigned w, input int unsigned word_bits, input int unsigned tap);
    return wlm_start(w) + tap * WlmStepLatency +
        (tap == wlm_steps(w, word_bits) && MulStyle == MUL_CHAIN ? wlm_late(w, word_bits) : 0);
  endfunction

  // rs_addsub_mod: sum, correction.
  parameter int unsigned AddSubLatency = 2;

  // rs_lane: difference, whose correction goes into the multiplier's register, product, sum.
  parameter int unsigned LanePreLatency = 1;

  function automatic int unsigned lane_latency(input int unsigned w, input int unsigned word_bits = WlmWordBits);
    return LanePreLatency + modmul_latency(w, word_bits) + AddSubLatency;
  endfunction

endpackage
