// SPDX-License-Identifier: Apache-2.0
// rs_modmul_moving_bench: a multiplier and the taps of its modulus.
module rs_modmul_moving_bench #(
    parameter  int unsigned        W          = 32,
    parameter  rs_pkg::reduction_e Reduction  = rs_pkg::RS_BARRETT,
    parameter  bit                 Held       = 1'b0,
    localparam int unsigned        ShiftWidth = $clog2(W - 1)
) (
    input  logic                  clk_i,
    input  logic                  load_i,
    input  logic [         W-1:0] q_i,
    input  logic [         W+1:0] mu_i,
    input  logic [ShiftWidth-1:0] shift_i,
    input  logic [         W-1:0] a_i,
    input  logic [         W-1:0] b_i,
    output logic [         W-1:0] p_o
);
  localparam int unsigned Latency = rs_pkg::modmul_latency(W, Reduction);
  localparam int unsigned MinRun = rs_pkg::modmul_tap(W, Reduction, rs_pkg::WlmWordBits, 0);
  localparam int unsigned Taps = rs_pkg::modmul_taps(W, Reduction);

  logic [Taps-1:0][W-1:0] q;
  logic [W+1:0] mu;
  logic [ShiftWidth-1:0] shift;

  rs_modmul_taps #(
      .W        (W),
      .Reduction(Reduction),
      .Held     (Held)
  ) u_taps (
      .clk_i,
      .load_i,
      .q_i,
      .mu_i,
      .shift_i,
      .load_o (),
      .q_o    (q),
      .mu_o   (mu),
      .shift_o(shift)
  );

  rs_modmul #(
      .W        (W),
      .Reduction(Reduction),
      .Moving   (1'b1)
  ) u_modmul (
      .clk_i,
      .fixed_i(1'b0),
      .q_i    (q),
      .mu_i   (mu),
      .shift_i(shift),
      .a_i,
      .b_i,
      .p_o
  );

endmodule
