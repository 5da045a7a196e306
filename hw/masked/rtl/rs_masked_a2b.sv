// SPDX-License-Identifier: Apache-2.0
// rs_masked_a2b: a residue in two additive shares modulo Q becomes one in two Boolean shares, a word per cycle.
// Model:   x = x0 + (x1 - Q), modulo Q
// Params:  Q >= 3
// Bounds:  x_i[s] < Q, each uniform; rand_i as in rs_dom_and
// Timing:  2 Bits + 4 cycles; y_o comes from flip-flops
module rs_masked_a2b #(
    parameter  int unsigned Q    = 8380417,
    localparam int unsigned Bits = $clog2(Q),
    localparam int unsigned Rand = 5 * Bits + 1
) (
    input  logic                      clk_i,
    input  logic [     1:0][Bits-1:0] x_i,
    input  logic [Rand-1:0]           rand_i,
    output logic [     1:0][Bits-1:0] y_o
);
  logic [1:0][Bits:0] a_q, b_q, fresh;
  logic [Bits:0] second;
  assign fresh  = rand_i[3*Bits-1+:2*(Bits+1)];
  assign second = {1'b0, x_i[1]} - (Bits + 1)'(Q);

  // each share becomes a sharing of itself before it meets the other one
  always_ff @(posedge clk_i) begin
    a_q <= {fresh[0], {1'b0, x_i[0]} ^ fresh[0]};
    b_q <= {second ^ fresh[1], fresh[1]};
  end
  rs_masked_addmod #(
      .Q(Q)
  ) u_sum (
      .clk_i,
      .a_i   (a_q),
      .b_i   (b_q),
      .rand_i(rand_i[0+:3*Bits-1]),
      .sum_o (y_o)
  );
endmodule
