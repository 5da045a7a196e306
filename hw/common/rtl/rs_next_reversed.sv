// SPDX-License-Identifier: Apache-2.0
// rs_next_reversed: brv(k + 1) from brv(k), brv the bit-reversal in n bits.
// Model:   lib/src/base/bytes.h rs_next_reversed
// Params:  Width: of the numbers, n at most
// Bounds:  ones_i = 2^n - 1; value_i < 2^n; after the last number comes 0
// Timing:  combinational, one carry chain
module rs_next_reversed #(
    parameter int unsigned Width = 10
) (
    input  logic [Width-1:0] ones_i,
    input  logic [Width-1:0] value_i,
    output logic [Width-1:0] next_o
);
  // with ones where there are no digits, the carry passes them
  logic [Width-1:0] flipped, counted;

  always_comb begin
    for (int unsigned i = 0; i < Width; i++) flipped[Width-1-i] = value_i[i] || !ones_i[i];
    counted = flipped + 1'b1;
    for (int unsigned i = 0; i < Width; i++) next_o[i] = counted[Width-1-i] && ones_i[i];
  end
endmodule
