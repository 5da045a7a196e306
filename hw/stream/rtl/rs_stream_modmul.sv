// SPDX-License-Identifier: Apache-2.0
// rs_stream_modmul: Count modular products per cycle of one modulus, which comes with the operands and may be another one in the next cycle.
// Model:   lib/src/arith/modarith.h rs_mul_mod (bit-exact)
// Params:  W, Reduction, WordBits (RS_WLM only): of rs_modmul; Count; Held: a modulus stays for a while (rs_modmul_taps)
// Bounds:  a, b < q; the rest in the header of rs_modmul
// Timing:  rs_pkg::modmul_latency(W, Reduction, WordBits). Held: load_i with the first operands of a modulus
module rs_stream_modmul #(
    parameter  int unsigned        W          = 32,
    parameter  rs_pkg::reduction_e Reduction  = rs_pkg::RS_WLM,
    parameter  int unsigned        WordBits   = rs_pkg::WlmWordBits,
    parameter  int unsigned        Count      = 1,
    parameter  bit                 Held       = 1'b1,
    localparam int unsigned        ShiftWidth = $clog2(W - 1)
) (
    input  logic                         clk_i,
    input  logic                         load_i,
    input  logic [         W-1:0]        q_i,
    input  logic [         W+1:0]        mu_i,
    input  logic [ShiftWidth-1:0]        shift_i,
    input  logic [     Count-1:0][W-1:0] a_i,
    input  logic [     Count-1:0][W-1:0] b_i,
    output logic [     Count-1:0][W-1:0] p_o
);

  localparam int unsigned Taps = rs_pkg::modmul_taps(W, Reduction, WordBits);

  logic [Taps-1:0][W-1:0] q;
  logic [W+1:0] mu;
  logic [ShiftWidth-1:0] shift;
  logic unused_load;

  rs_modmul_taps #(
      .W        (W),
      .Reduction(Reduction),
      .WordBits (WordBits),
      .Held     (Held)
  ) u_taps (
      .clk_i,
      .load_i,
      .q_i,
      .mu_i,
      .shift_i,
      .load_o (unused_load),
      .q_o    (q),
      .mu_o   (mu),
      .shift_o(shift)
  );

  for (genvar i = 0; i < Count; i++) begin : gen_products
    rs_modmul #(
        .W        (W),
        .Reduction(Reduction),
        .WordBits (WordBits),
        .Moving   (1'b1)
    ) u_modmul (
        .clk_i,
        .fixed_i(1'b0),
        .q_i    (q),
        .mu_i   (mu),
        .shift_i(shift),
        .a_i    (a_i[i]),
        .b_i    (b_i[i]),
        .p_o    (p_o[i])
    );
  end

endmodule
