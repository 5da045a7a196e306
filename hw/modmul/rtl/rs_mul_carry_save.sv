// SPDX-License-Identifier: Apache-2.0
// rs_mul_carry_save: rows whose sum is a b mod 2^WidthP, for standard cells: Booth's digits of a, base 4, and full adders between
//          them until Left rows are left, which the next stage adds to what it has.
// Params:  WidthA (the digits'), WidthB, WidthP; Left: 2 where the next stage has an operand of its own, 3 where it has none: either
//          way it has one level of full adders less, or more, than this one could take
// Bounds:  digit d is -2..2: v = |digit| b, or its complement, of WidthB + 1 bits; + neg at bit 2d, - neg at bit k = 2d + WidthB + 1.
//          Neg 2d goes below the next row, the last digit of an unsigned factor is not negative. - neg 2^k is ~neg 2^k - 2^k; the
//          constants of all rows together are ones above ~neg: one of them, in the last row all, and + 2^k in the first.
// Timing:  2 cycles: operands, rows
module rs_mul_carry_save #(
    parameter int unsigned WidthA = 17,
    parameter int unsigned WidthB = 32,
    parameter int unsigned WidthP = WidthA + WidthB,
    parameter int unsigned Left   = 3
) (
    input  logic                          clk_i,
    input  logic                          en_i,   // otherwise nothing is clocked
    input  logic [WidthA-1:0]             a_i,
    input  logic [WidthB-1:0]             b_i,
    output logic [  Left-1:0][WidthP-1:0] row_o
);

  localparam int unsigned Digits = WidthA / 2 + 1;
  localparam int unsigned Wide = WidthP + 2 * Digits + WidthB + 4;

  // rows after `level` levels of full adders: three become two
  function automatic int unsigned rows_at(input int unsigned level);
    int unsigned rows;
    rows = Digits;
    for (int unsigned l = 0; l < level; l++) rows = rows > Left ? rows - rows / 3 : rows;
    return rows;
  endfunction

  function automatic int unsigned count_levels();
    int unsigned rows, levels;
    rows   = Digits;
    levels = 0;
    while (rows > Left) begin
      rows = rows - rows / 3;
      levels++;
    end
    return levels;
  endfunction

  localparam int unsigned Levels = count_levels();

  if (WidthA < 2 || WidthB == 0 || Left < 2) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d, WidthB %0d, Left %0d", WidthA, WidthB, Left);
  end

  logic [WidthA-1:0] a_q;
  logic [WidthB-1:0] b_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  // ---- digits
  logic [2*Digits:0] bits;
  logic [Digits-1:0] neg;
  logic [Digits-1:0][WidthP-1:0] digit;
  assign bits = (2 * Digits + 1)'({a_q, 1'b0});

  for (genvar d = 0; d < Digits; d++) begin : gen_digits
    logic one, two;
    logic [WidthB:0] v;
    logic [Wide-1:0] placed;
    assign one = bits[2*d] ^ bits[2*d+1];
    assign two = !one && bits[2*d+1] != bits[2*d+2];
    assign neg[d] = bits[2*d+2] && !(bits[2*d] && bits[2*d+1]);
    assign v = ({1'b0, b_q} & {WidthB + 1{one}} | {b_q, 1'b0} & {WidthB + 1{two}}) ^ {WidthB + 1{neg[d]}};
    if (d == 0) begin : gen_first
      assign placed = Wide'({!neg[d], neg[d], neg[d], v});
    end else if (d == Digits - 1) begin : gen_last
      assign placed = {{Wide - WidthB - 2{1'b1}}, !neg[d], v} << 2 * d | Wide'(neg[d-1]) << 2 * d - 2;
    end else begin : gen_next
      assign placed = Wide'({1'b1, !neg[d], v}) << 2 * d | Wide'(neg[d-1]) << 2 * d - 2;
    end
    assign digit[d] = WidthP'(placed);
    logic unused;
    assign unused = ^placed;
  end

  // ---- full adders
  for (genvar l = 0; l <= Levels; l++) begin : gen_levels
    logic [Digits-1:0][WidthP-1:0] row;
    logic unused;
    assign unused = ^row;
    if (l == 0) begin : gen_first
      assign row = digit;
    end else begin : gen_next
      localparam int unsigned Rows = rows_at(l - 1);
      localparam int unsigned Adders = Rows / 3;
      logic [Digits-1:0][WidthP-1:0] above;
      logic unused_above;
      assign above        = gen_levels[l-1].row;
      assign unused_above = ^above;
      for (genvar i = 0; i < Digits; i++) begin : gen_rows
        if (i < 2 * Adders) begin : gen_add
          logic [WidthP-1:0] a, b, c;
          assign {a, b, c} = {above[i/2*3], above[i/2*3+1], above[i/2*3+2]};
          if (i % 2 == 0) begin : gen_sum
            assign row[i] = a ^ b ^ c;
          end else begin : gen_carry
            assign row[i] = (a & b | a & c | b & c) << 1;
          end
        end else if (i < Rows - Adders) begin : gen_pass
          assign row[i] = above[i+Adders];
        end else begin : gen_none
          assign row[i] = '0;
        end
      end
    end
  end

  logic [Left-1:0][WidthP-1:0] row_q;
  for (genvar i = 0; i < Left; i++) begin : gen_left
    if (i < Digits) begin : gen_row
      always_ff @(posedge clk_i) if (en_i) row_q[i] <= gen_levels[Levels].row[i];
    end else begin : gen_none
      assign row_q[i] = '0;
    end
  end
  assign row_o = row_q;

endmodule
