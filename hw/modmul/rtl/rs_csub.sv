// SPDX-License-Identifier: Apache-2.0
// rs_csub: x in [0, 2q) -> x mod q, combinational.
// Model:   lib/src/arith/modarith.h rs_csub
// Params:  W
// Bounds:  -q <= x - q < q: W + 1 bits hold it with its sign
module rs_csub #(
    parameter int unsigned W = 32
) (
    input  logic [  W:0] x_i,
    input  logic [W-1:0] q_i,
    output logic [W-1:0] r_o
);

  logic [W:0] diff;
  assign diff = x_i - {1'b0, q_i};
  assign r_o  = diff[W] ? x_i[W-1:0] : diff[W-1:0];

endmodule
