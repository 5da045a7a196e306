// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_ring: the twiddles of one lane: seeds times the lane's constant, then 2^LogRing cycles later each times a factor.
// Params:  W, WordBits (rs_modmul); LogRing (rs_ntt_pkg::log_twiddle_ring)
// Bounds:  every word below q
// Timing:  twiddle_o 1 + modmul_latency cycles after seed_i; first_i and factor_i one cycle after their seed
//
//   seed --> register --> modmul --+--> twiddle
//               ^           ^      |
//               |      constant or |
//               |        factor    |
//               +----- delay ------+
module rs_twiddle_ring #(
    parameter  int unsigned W        = 32,
    parameter  int unsigned WordBits = rs_pkg::WlmWordBits,
    localparam int unsigned Latency  = rs_pkg::modmul_latency(W, WordBits),
    localparam int unsigned LogRing  = rs_ntt_pkg::log_twiddle_ring(Latency)
) (
    input  logic         clk_i,
    input  logic [W-1:0] q_i,
    input  logic         constant_i,  // word_i is the constant of the stage that comes
    input  logic         seed_i,      // word_i is a seed
    input  logic         keep_i,      // the seed of the cycle before once more
    input  logic [W-1:0] word_i,
    input  logic         first_i,     // times the constant, not the factor
    input  logic [W-1:0] factor_i,
    output logic [W-1:0] twiddle_o
);

  logic [W-1:0] constant_q, x_q, product, back;

  // a copy of the constants, as in rs_lane
  logic [W-1:0] q_q;

  always_ff @(posedge clk_i) begin
    q_q <= q_i;
    if (constant_i) constant_q <= word_i;
    if (!keep_i) x_q <= seed_i ? word_i : back;
  end

  rs_modmul #(
      .W       (W),
      .WordBits(WordBits)
  ) u_modmul (
      .clk_i,
      .fixed_i(1'b0),
      .q_i(q_q),
      .a_i(x_q),
      .b_i(first_i ? constant_q : factor_i),
      .p_o(product)
  );

  rs_delay #(
      .Width (W),
      .Cycles((1 << LogRing) - 1 - Latency)
  ) u_back (
      .clk_i,
      .data_i(product),
      .data_o(back)
  );

  assign twiddle_o = product;

endmodule
