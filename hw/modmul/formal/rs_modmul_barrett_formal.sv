// SPDX-License-Identifier: Apache-2.0
// rs_modmul_barrett_formal: for every modulus that is no power of two, and all residues, the product is right.
// Params:  W
module rs_modmul_barrett_formal #(
    parameter  int unsigned W          = 6,
    localparam int unsigned ShiftWidth = $clog2(W - 1)
) (
    input logic                  clk_i,
    input logic [         W-1:0] q_i,
    input logic [         W+1:0] mu_i,
    input logic [ShiftWidth-1:0] shift_i,
    input logic [         W-1:0] a_i,
    input logic [         W-1:0] b_i
);

  logic [W-1:0] p;

  rs_modmul_barrett #(
      .W(W)
  ) u_dut (
      .clk_i,
      .q_i,
      .mu_i,
      .shift_i,
      .a_i,
      .b_i,
      .p_o(p)
  );

  // k = shift + 2: 2^(k-1) < q < 2^k, and mu = floor(2^(W+1+k) / q)
  logic [2*W+3:0] below, power;
  assign below = (2 * W + 4)'(mu_i) * (2 * W + 4)'(q_i);
  assign power = (2 * W + 4)'(1) << (W + 3 + 32'(shift_i));

  always_comb begin
    assume (32'(shift_i) <= W - 2);
    assume ((2 * W)'(q_i) > (2 * W)'(2) << shift_i);
    assume ((2 * W)'(q_i) < (2 * W)'(4) << shift_i);
    assume (below <= power && power - below < (2 * W + 4)'(q_i));
    assume (a_i < q_i && b_i < q_i);
    assert (p == W'(((2 * W)'(a_i) * (2 * W)'(b_i)) % (2 * W)'(q_i)));
  end

endmodule
