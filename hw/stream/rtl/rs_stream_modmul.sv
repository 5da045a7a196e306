// SPDX-License-Identifier: Apache-2.0
// rs_stream_modmul: Count modular products per cycle of one modulus, which comes with the operands and may be another one in the next cycle.
// Model:   lib/src/arith/modarith.h rs_mul_mod, with one factor multiplied by R (bit-exact)
// Params:  W, WordBits: of rs_modmul; Count; Held: a modulus stays for a while (rs_modmul_taps)
// Bounds:  a, b < q; the rest in the header of rs_modmul
// Timing:  rs_pkg::modmul_latency(W, WordBits). Held: load_i with the first operands of a modulus
module rs_stream_modmul #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter int unsigned Count    = 1,
    parameter bit          Held     = 1'b1
) (
    input  logic                    clk_i,
    input  logic                    load_i,
    input  logic [    W-1:0]        q_i,
    input  logic [Count-1:0][W-1:0] a_i,
    input  logic [Count-1:0][W-1:0] b_i,
    output logic [Count-1:0][W-1:0] p_o
);

  localparam int unsigned Taps = rs_pkg::modmul_taps(W, WordBits);

  logic [Taps-1:0][W-1:0] q;
  logic unused_load;

  rs_modmul_taps #(
      .W       (W),
      .WordBits(WordBits),
      .Held    (Held)
  ) u_taps (
      .clk_i,
      .load_i,
      .q_i,
      .load_o(unused_load),
      .q_o   (q)
  );

  for (genvar i = 0; i < Count; i++) begin : gen_products
    rs_modmul #(
        .W       (W),
        .WordBits(WordBits),
        .Moving  (1'b1)
    ) u_modmul (
        .clk_i,
        .fixed_i(1'b0),
        .q_i    (q),
        .a_i    (a_i[i]),
        .b_i    (b_i[i]),
        .p_o    (p_o[i])
    );
  end

endmodule
