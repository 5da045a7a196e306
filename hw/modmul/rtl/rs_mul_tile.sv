// SPDX-License-Identifier: Apache-2.0
// rs_mul_tile: p = a b for operands of one hard multiplier, or of few LUTs where a hard one would be wasted.
// Params:  WidthA, WidthB; SoftBits: partial product bits that are LUTs and no hard multiplier
// Timing:  2 cycles: operand and product registers, which hard multipliers have inside
module rs_mul_tile #(
    parameter int unsigned WidthA   = 17,
    parameter int unsigned WidthB   = 24,
    parameter int unsigned SoftBits = rs_pkg::MulSoftBits
) (
    input  logic                     clk_i,
    input  logic [       WidthA-1:0] a_i,
    input  logic [       WidthB-1:0] b_i,
    output logic [WidthA+WidthB-1:0] p_o
);

  localparam int unsigned WidthP = WidthA + WidthB;

  if (WidthA == 0 || WidthB == 0) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d and WidthB %0d have to be positive", WidthA, WidthB);
  end

  logic [WidthA-1:0] a_q;
  // kept: of several tiles with one factor each has its own register near it
  (* keep *)logic [WidthB-1:0] b_q;
  logic [WidthP-1:0] p_d, p_q;

  if (WidthA * WidthB <= SoftBits) begin : gen_soft
    always_comb begin
      p_d = '0;
      for (int i = 0; i < WidthA; i++) p_d = p_d + (a_q[i] ? WidthP'(b_q) << i : '0);
    end
  end else begin : gen_hard
    assign p_d = WidthP'(a_q) * WidthP'(b_q);
  end

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    p_q <= p_d;
  end

  assign p_o = p_q;

endmodule
