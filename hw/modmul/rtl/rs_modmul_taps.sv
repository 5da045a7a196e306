// SPDX-License-Identifier: Apache-2.0
// rs_modmul_taps: a modulus that travels with the data: the constants for every place of rs_modmul (Moving) that needs them, for any number
//          of multipliers whose data come in the same cycles.
// Params:  W, Reduction, WordBits: of the multipliers; Held: a modulus stays for at least MinRun cycles (rs_tap)
// Bounds:  Held: q_i, mu_i, shift_i do not change within MinRun cycles from load_i on
// Timing:  load_i, q_i, mu_i, shift_i with the first a, b of a modulus; load_o with the last word of q_o
module rs_modmul_taps #(
    parameter  int unsigned        W          = 32,
    parameter  rs_pkg::reduction_e Reduction  = rs_pkg::RS_BARRETT,
    parameter  int unsigned        WordBits   = rs_pkg::WlmWordBits,
    parameter  bit                 Held       = 1'b1,
    localparam int unsigned        ShiftWidth = $clog2(W - 1),
    localparam int unsigned        Taps       = rs_pkg::modmul_taps(W, Reduction, WordBits)
) (
    input  logic                         clk_i,
    input  logic                         load_i,
    input  logic [         W-1:0]        q_i,
    input  logic [         W+1:0]        mu_i,
    input  logic [ShiftWidth-1:0]        shift_i,
    output logic                         load_o,
    output logic [      Taps-1:0][W-1:0] q_o,
    output logic [         W+1:0]        mu_o,
    output logic [ShiftWidth-1:0]        shift_o
);
  import rs_pkg::*;

  localparam int unsigned MinRun = modmul_tap(W, Reduction, WordBits, 0);

  logic [Taps:0] load;
  logic [Taps:0][W-1:0] q;
  assign load[0] = load_i;
  assign q[0] = q_i;

  for (genvar t = 0; t < Taps; t++) begin : gen_q
    localparam int unsigned Gap = modmul_tap(W, Reduction, WordBits, t) - (t == 0 ? 0 : modmul_tap(W, Reduction, WordBits, t - 1));
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

  if (Reduction == RS_BARRETT) begin : gen_barrett
    logic [1:0] unused_load;
    rs_tap #(
        .Width (ShiftWidth),
        .Cycles(mul_latency(W, W)),
        .Held  (Held)
    ) u_shift (
        .clk_i,
        .load_i,
        .data_i(shift_i),
        .load_o(unused_load[0]),
        .data_o(shift_o)
    );
    rs_tap #(
        .Width (W + 2),
        .Cycles(mul_latency(W, W) + 1),
        .Held  (Held)
    ) u_mu (
        .clk_i,
        .load_i,
        .data_i(mu_i),
        .load_o(unused_load[1]),
        .data_o(mu_o)
    );
  end else begin : gen_wlm
    assign mu_o = '0;
    assign shift_o = '0;
    logic unused;
    assign unused = ^{mu_i, shift_i};
  end

endmodule
