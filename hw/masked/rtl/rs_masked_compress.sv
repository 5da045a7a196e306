// SPDX-License-Identifier: Apache-2.0
// rs_masked_compress: Compress of ML-KEM (FIPS 203, 4.2.1), from two additive shares modulo 3329 to two Boolean shares,
//                     a word per cycle.
// Model:   floor(x_s 2^(Bits+13) / 3329) of each share; their sum and 2^12 + 1 has the right upper Bits, for all shares
//          (test_masked.py)
// Params:  Bits: 1, 4, 5, 10 or 11
// Bounds:  x_i[s] < 3329, each uniform; rand_i as in rs_dom_and
// Timing:  Bits + 16 cycles; y_o comes from flip-flops
module rs_masked_compress #(
    parameter  int unsigned Bits  = 10,
    localparam int unsigned Width = Bits + 13,
    localparam int unsigned Rand  = 3 * Width - 1
) (
    input  logic                      clk_i,
    input  logic [     1:0][    11:0] x_i,
    input  logic [Rand-1:0]           rand_i,
    output logic [     1:0][Bits-1:0] y_o
);
  if (!(Bits inside {1, 4, 5, 10, 11})) begin : gen_illegal
    $fatal(1, "%m: Bits has to be 1, 4, 5, 10 or 11");
  end
  localparam int unsigned Fraction = 17;
  localparam logic [47:0] Factor = (48'd1 << (Width + Fraction)) / 48'd3329 + 48'd1;
  logic [1:0][Width-1:0] scaled_q, a_q, b_q, fresh;
  assign fresh = rand_i[Width-1+:2*Width];

  for (genvar s = 0; s < 2; s++) begin : gen_share
    logic [47:0] product;
    logic [47-Width:0] unused;
    assign product = 48'(x_i[s]) * Factor;
    assign unused  = {product[47:Width+Fraction], product[Fraction-1:0]};
    always_ff @(posedge clk_i) scaled_q[s] <= product[Fraction+:Width] + (s == 0 ? Width'(4097) : '0);
  end
  // each share becomes a sharing of itself before it meets the other one
  always_ff @(posedge clk_i) begin
    a_q <= {fresh[0], scaled_q[0] ^ fresh[0]};
    b_q <= {scaled_q[1] ^ fresh[1], fresh[1]};
  end
  rs_masked_add #(
      .Width(Width),
      .From (13)
  ) u_sum (
      .clk_i,
      .a_i   (a_q),
      .b_i   (b_q),
      .rand_i(rand_i[0+:Width-1]),
      .sum_o (y_o)
  );
endmodule
