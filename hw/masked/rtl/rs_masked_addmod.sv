// SPDX-License-Identifier: Apache-2.0
// rs_masked_addmod: a + b modulo Q, both in two Boolean shares, a word per cycle.
// Model:   t = a + b; t + Q where t is negative
// Params:  Q >= 3
// Bounds:  -Q <= a + b < Q in two's complement; sharings uniform and independent; rand_i as in rs_dom_and
// Timing:  2 Bits + 3 cycles; sum_o comes from flip-flops
module rs_masked_addmod #(
    parameter  int unsigned Q    = 8380417,
    localparam int unsigned Bits = $clog2(Q),
    localparam int unsigned Rand = 3 * Bits - 1
) (
    input  logic                      clk_i,
    input  logic [     1:0][  Bits:0] a_i,
    input  logic [     1:0][  Bits:0] b_i,
    input  logic [Rand-1:0]           rand_i,
    output logic [     1:0][Bits-1:0] sum_o
);
  if (Q < 3) begin : gen_illegal
    $fatal(1, "%m: Q has to be at least 3");
  end
  logic [1:0][Bits:0] t;
  logic [1:0][Bits-1:0] low, more;

  rs_masked_add #(
      .Width(Bits + 1)
  ) u_first (
      .clk_i,
      .a_i,
      .b_i,
      .rand_i(rand_i[0+:Bits]),
      .sum_o (t)
  );

  // Q or 0. Each bit has a sharing of its own, those where Q has a zero too: the sign's, used again and again, would
  // meet itself in the carries.
  for (genvar s = 0; s < 2; s++) begin : gen_share
    assign low[s]  = t[s][Bits-1:0];
    assign more[s] = ({Bits{t[s][Bits]}} & Bits'(Q)) ^ rand_i[2*Bits-1+:Bits];
  end
  rs_masked_add #(
      .Width(Bits)
  ) u_second (
      .clk_i,
      .a_i   (low),
      .b_i   (more),
      .rand_i(rand_i[Bits+:Bits-1]),
      .sum_o
  );
endmodule
