// SPDX-License-Identifier: Apache-2.0
// rs_masked_b2a: a residue in two Boolean shares becomes one in two additive shares modulo Q, a word per cycle.
// Model:   y = (y - r) + r, modulo Q
// Params:  Q >= 3
// Bounds:  y below Q, its sharing uniform; residue_i below Q, uniform, new in each cycle; rand_i as in rs_dom_and
// Timing:  2 Bits + 5 cycles
module rs_masked_b2a #(
    parameter  int unsigned Q    = 8380417,
    localparam int unsigned Bits = $clog2(Q),
    localparam int unsigned Rand = 4 * Bits
) (
    input  logic                      clk_i,
    input  logic [     1:0][Bits-1:0] y_i,
    input  logic [Bits-1:0]           residue_i,
    input  logic [Rand-1:0]           rand_i,
    output logic [     1:0][Bits-1:0] x_o
);
  logic [1:0][Bits:0] a_q, b_q;
  logic [1:0][Bits-1:0] difference;
  logic [Bits-1:0] joined_q, residue;
  logic [Bits:0] fresh, negative;
  assign fresh    = rand_i[3*Bits-1+:Bits+1];
  assign negative = -{1'b0, residue_i};

  always_ff @(posedge clk_i) begin
    a_q <= {1'b0, y_i[1], 1'b0, y_i[0]};
    b_q <= {negative ^ fresh, fresh};
  end
  rs_masked_addmod #(
      .Q(Q)
  ) u_sum (
      .clk_i,
      .a_i   (a_q),
      .b_i   (b_q),
      .rand_i(rand_i[0+:3*Bits-1]),
      .sum_o (difference)
  );
  // y - r alone says nothing: the one place where shares are added, since r is uniform and meets it nowhere
  always_ff @(posedge clk_i) joined_q <= difference[0] ^ difference[1];
  rs_delay #(
      .Width (Bits),
      .Cycles(2 * Bits + 5)
  ) u_residue (
      .clk_i,
      .data_i(residue_i),
      .data_o(residue)
  );
  assign x_o = {residue, joined_q};
endmodule
