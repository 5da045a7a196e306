// SPDX-License-Identifier: Apache-2.0
// rs_mul_booth: p = a b of LUTs, where a hard multiplier is worth more than they are.
// Params:  WidthA: odd; WidthB
// Bounds:  a is the sum of digits -2 ... 2 at powers of four, the last of which is not negative: a row for each. What makes a negative
//          row a two's complement is added in a place that is free in the row after it
// Timing:  3 cycles, as of rs_mul_row with one tile: operands, sums of three rows, sum
module rs_mul_booth #(
    parameter int unsigned WidthA = 17,
    parameter int unsigned WidthB = 18
) (
    input  logic                     clk_i,
    input  logic [       WidthA-1:0] a_i,
    input  logic [       WidthB-1:0] b_i,
    output logic [WidthA+WidthB-1:0] p_o
);
  localparam int unsigned WidthP = WidthA + WidthB;
  localparam int unsigned Rows = (WidthA + 1) / 2;
  localparam int unsigned Sums = (Rows + 2) / 3;

  if (WidthA % 2 == 0 || WidthB == 0) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d has to be odd, WidthB %0d positive", WidthA, WidthB);
  end

  typedef logic signed [WidthB+1:0] row_t;
  typedef logic signed [WidthB+6:0] sum_t;

  logic [WidthA-1:0] a_q;
  logic [WidthB-1:0] b_q;
  logic [  2*Rows:0] digits;  // a bit more at either end
  row_t [3*Sums-1:0] row;
  logic [3*Sums-1:0] negative;
  sum_t [Sums-1:0] sum_d, sum_q;
  logic [Sums-1:0] late_q;  // what the third row still lacks
  logic [WidthP-1:0] p_d, p_q;

  assign digits = (2 * Rows + 1)'({a_q, 1'b0});

  always_comb begin
    row = '0;
    negative = '0;
    for (int unsigned i = 0; i < Rows; i++) begin
      negative[i] = digits[2*i+2];
      row[i] = digits[2*i+1] != digits[2*i] ? row_t'(b_q) : digits[2*i+2] != digits[2*i+1] ? row_t'({b_q, 1'b0}) : '0;
      row[i] = row[i] ^ {WidthB + 2{negative[i]}};
    end
    for (int unsigned s = 0; s < Sums; s++) begin
      sum_d[s] = sum_t'(signed'(row[3*s])) + sum_t'(signed'({row[3*s+1], 1'b0, negative[3*s]}));
      sum_d[s] = sum_d[s] + sum_t'(signed'({row[3*s+2], 1'b0, negative[3*s+1], 2'b00}));
    end
    p_d = WidthP'(signed'(sum_q[0]));
    for (int unsigned s = 1; s < Sums; s++) begin
      p_d = p_d + (WidthP'(signed'({sum_q[s], 1'b0, late_q[s-1], 4'b0000})) << (6 * (s - 1)));
    end
  end

  always_ff @(posedge clk_i) begin
    a_q   <= a_i;
    b_q   <= b_i;
    sum_q <= sum_d;
    for (int unsigned s = 0; s < Sums; s++) late_q[s] <= negative[3*s+2];
    p_q <= p_d;
  end
  assign p_o = p_q;
endmodule
