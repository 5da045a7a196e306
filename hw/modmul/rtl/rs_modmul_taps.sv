// SPDX-License-Identifier: Apache-2.0
// rs_modmul_taps: a modulus that travels with the data: the words for every place of rs_modmul (Moving) that needs them, for any number
//          of multipliers whose data come in the same cycles.
// Params:  W, WordBits: of the multipliers; Held: a modulus stays for at least MinRun cycles (rs_tap)
// Bounds:  Held: q_i does not change within MinRun cycles from load_i on
// Timing:  load_i, q_i with the first a, b of a modulus; load_o with the last word of q_o
module rs_modmul_taps #(
    parameter  int unsigned W        = 32,
    parameter  int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter  bit          Held     = 1'b1,
    localparam int unsigned Taps     = rs_pkg::modmul_taps(W, WordBits)
) (
    input  logic                   clk_i,
    input  logic                   load_i,
    input  logic [   W-1:0]        q_i,
    output logic                   load_o,
    output logic [Taps-1:0][W-1:0] q_o
);
  import rs_pkg::*;

  localparam int unsigned MinRun = modmul_tap(W, WordBits, 0);

  logic [Taps:0] load;
  logic [Taps:0][W-1:0] q;
  assign load[0] = load_i;
  assign q[0] = q_i;

  for (genvar t = 0; t < Taps; t++) begin : gen_q
    localparam int unsigned Gap = modmul_tap(W, WordBits, t) - (t == 0 ? 0 : modmul_tap(W, WordBits, t - 1));
    if (Gap > MinRun) begin : gen_illegal
      $fatal(1, "%m: %0d cycles after the tap before", Gap);
    end
    rs_tap #(
        .Width (W),
        .Cycles(Gap),
        .Held  (Held)
    ) u_tap (
        .clk_i,
        .load_i(load[t]),
        .data_i(q[t]),
        .load_o(load[t+1]),
        .data_o(q[t+1])
    );
    assign q_o[t] = q[t+1];
  end
  assign load_o = load[Taps];

endmodule
