// SPDX-License-Identifier: Apache-2.0
// rs_stream_butterfly: the butterflies of a stage: a = x + y w mod q, b = x - y w mod q, one per lane and cycle. The modulus travels with the data.
// Model:   lib/src/arith/ntt.c, forward stage (bit-exact). w is R times the factor
// Params:  W, WordBits; Lanes: butterflies; Factors: of w, lane l has number l mod Factors
// Bounds:  x, y, w < q; a modulus stays for more cycles than a butterfly takes (rs_modmul_taps)
// Timing:  rs_stream_pkg::butterfly_latency(W, WordBits). load_i with the first data of a modulus; q_i from then on
//          for rs_modmul_taps' MinRun cycles. q_o: the same for what takes the results, from the cycle before the first one on
module rs_stream_butterfly #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter int unsigned Lanes    = 1,
    parameter int unsigned Factors  = 1
) (
    input  logic                      clk_i,
    input  logic                      load_i,
    input  logic [      W-1:0]        q_i,
    input  logic [  Lanes-1:0][W-1:0] x_i,
    input  logic [  Lanes-1:0][W-1:0] y_i,
    input  logic [Factors-1:0][W-1:0] w_i,
    output logic [  Lanes-1:0][W-1:0] a_o,
    output logic [  Lanes-1:0][W-1:0] b_o,
    output logic [      W-1:0]        q_o
);
  import rs_pkg::*;

  localparam int unsigned Product = modmul_latency(W, WordBits);
  localparam int unsigned Taps = modmul_taps(W, WordBits);

  logic [Taps-1:0][W-1:0] q;
  logic load, unused_load;

  rs_modmul_taps #(
      .W       (W),
      .WordBits(WordBits)
  ) u_taps (
      .clk_i,
      .load_i,
      .q_i,
      .load_o(load),
      .q_o   (q)
  );

  // the correction of the sum
  rs_tap #(
      .Width (W),
      .Cycles(Product + AddSubLatency - 1 - modmul_tap(W, WordBits, Taps - 1))
  ) u_tap_sum (
      .clk_i,
      .load_i(load),
      .data_i(q[Taps-1]),
      .load_o(unused_load),
      .data_o(q_o)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lanes
    logic [W-1:0] product, x_late;

    rs_modmul #(
        .W       (W),
        .WordBits(WordBits),
        .Moving  (1'b1)
    ) u_modmul (
        .clk_i,
        .fixed_i(1'b0),
        .q_i    (q),
        .a_i    (y_i[l]),
        .b_i    (w_i[l%Factors]),
        .p_o    (product)
    );

    rs_delay #(
        .Width (W),
        .Cycles(Product)
    ) u_wait_x (
        .clk_i,
        .data_i(x_i[l]),
        .data_o(x_late)
    );

    rs_addsub_mod #(
        .W(W)
    ) u_sum (
        .clk_i,
        .en_i(1'b1),
        .q_i (q_o),
        .a_i (x_late),
        .b_i (product),
        .r_o (a_o[l])
    );

    rs_addsub_mod #(
        .W       (W),
        .Subtract(1'b1)
    ) u_difference (
        .clk_i,
        .en_i(1'b1),
        .q_i (q_o),
        .a_i (x_late),
        .b_i (product),
        .r_o (b_o[l])
    );
  end

endmodule
