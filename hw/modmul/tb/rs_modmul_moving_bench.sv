// SPDX-License-Identifier: Apache-2.0
// rs_modmul_moving_bench: a multiplier and the taps of its modulus.
module rs_modmul_moving_bench #(
    parameter int unsigned W    = 32,
    parameter bit          Held = 1'b0
) (
    input  logic         clk_i,
    input  logic         load_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] p_o
);
  localparam int unsigned Latency = rs_pkg::modmul_latency(W);
  localparam int unsigned MinRun = rs_pkg::modmul_tap(W, rs_pkg::WlmWordBits, 0);
  localparam int unsigned Taps = rs_pkg::modmul_taps(W);

  logic [Taps-1:0][W-1:0] q;

  rs_modmul_taps #(
      .W   (W),
      .Held(Held)
  ) u_taps (
      .clk_i,
      .load_i,
      .q_i,
      .load_o(),
      .q_o   (q)
  );

  rs_modmul #(
      .W     (W),
      .Moving(1'b1)
  ) u_modmul (
      .clk_i,
      .fixed_i(1'b0),
      .q_i    (q),
      .a_i,
      .b_i,
      .p_o
  );

endmodule
