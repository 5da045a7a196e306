// SPDX-License-Identifier: Apache-2.0
// rs_masked_add: sums modulo 2^Width of numbers whose bits are in two shares, a word per cycle, with one masked AND per
//                bit.
// Model:   p = a ^ b; the next carry is a ^ (p & (a ^ carry))
// Params:  Width; From: the lowest bit of the sum that is wanted
// Bounds:  the sharings of a_i and b_i are uniform and independent; rand_i as in rs_dom_and
// Timing:  Width + 1 cycles; sum_o comes from flip-flops. Bit i is added i + 1 cycles after it came: its skew is shift
//          registers, which FPGAs have in look-up tables
//
// Bit 0 waits a cycle too: without it a probe would see a and p of one share, and what comes of both, in a path without
// a flip-flop.
module rs_masked_add #(
    parameter int unsigned Width = 24,
    parameter int unsigned From  = 0
) (
    input  logic                           clk_i,
    input  logic [      1:0][   Width-1:0] a_i,
    input  logic [      1:0][   Width-1:0] b_i,
    input  logic [Width-2:0]               rand_i,
    output logic [      1:0][Width-1:From] sum_o
);
  if (Width < 2 || From >= Width) begin : gen_illegal
    $fatal(1, "%m: Width has to be at least 2, and above From");
  end
  logic [Width-1:0][1:0] carry;  // into bit i, when it is added
  assign carry[0] = '0;

  for (genvar i = 0; i < Width; i++) begin : gen_bit
    logic [1:0] a, p;
    rs_delay #(
        .Width (4),
        .Cycles(i + 1)
    ) u_early (
        .clk_i,
        .data_i({a_i[1][i], a_i[0][i], a_i[1][i] ^ b_i[1][i], a_i[0][i] ^ b_i[0][i]}),
        .data_o({a, p})
    );
    if (i < Width - 1) begin : gen_carry
      logic [1:0] a_late, product;
      rs_dom_and u_and (
          .clk_i,
          .a_i   (p),
          .b_i   (a ^ carry[i]),
          .rand_i(rand_i[i]),
          .c_o   (product)
      );
      rs_delay #(
          .Width (2),
          .Cycles(1)
      ) u_a (
          .clk_i,
          .data_i(a),
          .data_o(a_late)
      );
      assign carry[i+1] = a_late ^ product;
    end else begin : gen_last
      logic [1:0] unused;  // a copy: shares are never added for a tool's sake
      assign unused = a;
    end
    if (i >= From) begin : gen_sum
      rs_delay #(
          .Width (2),
          .Cycles(Width - i)
      ) u_late (
          .clk_i,
          .data_i(p ^ carry[i]),
          .data_o({sum_o[1][i], sum_o[0][i]})
      );
    end
  end
endmodule
