// SPDX-License-Identifier: Apache-2.0
// rs_halve: x / 2 mod q, combinational: x/2 if x is even, else (x + q)/2.
// Params:  W
// Bounds:  q odd, x < q; the result is (x - 1)/2 + (q - 1)/2 + 1 < q
module rs_halve #(
    parameter int unsigned W = 32
) (
    input  logic [W-1:0] x_i,
    input  logic [W-1:0] q_i,
    output logic [W-1:0] r_o
);

  assign r_o = W'(x_i[W-1:1]) + (W'(q_i[W-1:1]) & {W{x_i[0]}}) + W'(x_i[0]);

  logic unused;
  assign unused = q_i[0];

endmodule
