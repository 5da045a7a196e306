// SPDX-License-Identifier: Apache-2.0
// rs_stream_sum: r = a + b mod q, or a - b mod q: which, may change in every cycle.
// Model:   lib/src/arith/modarith.h rs_add_mod, rs_sub_mod
// Params:  W
// Bounds:  a, b < q
// Timing:  rs_pkg::AddSubLatency = 2: sum, correction; q_i belongs to a and b of the cycle before
module rs_stream_sum #(
    parameter int unsigned W = 32
) (
    input  logic         clk_i,
    input  logic         minus_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] r_o
);

  logic [W:0] sum_q, moved;  // the top bit is the carry, or the borrow
  logic [W-1:0] r_q;
  logic minus_q;

  // sum - q, or difference + q
  assign moved = sum_q + {!minus_q, q_i ^ {W{!minus_q}}} + (W + 1)'(!minus_q);

  always_ff @(posedge clk_i) begin
    minus_q <= minus_i;
    sum_q   <= {1'b0, a_i} + ({1'b0, b_i} ^ {W + 1{minus_i}}) + (W + 1)'(minus_i);
    // a sum is kept if sum - q is negative, a difference if it is not
    r_q     <= (minus_q ? sum_q[W] : !moved[W]) ? moved[W-1:0] : sum_q[W-1:0];
  end
  assign r_o = r_q;

endmodule
