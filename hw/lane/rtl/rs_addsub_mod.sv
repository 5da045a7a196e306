// SPDX-License-Identifier: Apache-2.0
// rs_addsub_mod: r = a + b mod q, or a - b mod q.
// Model:   lib/src/arith/modarith.h rs_add_mod, rs_sub_mod
// Params:  W, Subtract
// Bounds:  a, b < q
// Timing:  rs_pkg::AddSubLatency = 2: sum, correction
module rs_addsub_mod #(
    parameter int unsigned W        = 32,
    parameter bit          Subtract = 1'b0
) (
    input  logic         clk_i,
    input  logic         en_i,   // otherwise nothing is clocked
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] r_o
);

  logic [W:0] sum_q;  // difference a - b, whose top bit is the borrow
  logic [W-1:0] r_d, r_q;

  if (Subtract) begin : gen_sub
    always_ff @(posedge clk_i) if (en_i) sum_q <= {1'b0, a_i} - {1'b0, b_i};
    assign r_d = sum_q[W-1:0] + (sum_q[W] ? q_i : '0);
  end else begin : gen_add
    always_ff @(posedge clk_i) if (en_i) sum_q <= {1'b0, a_i} + {1'b0, b_i};
    rs_csub #(
        .W(W)
    ) u_csub (
        .x_i(sum_q),
        .q_i,
        .r_o(r_d)
    );
  end

  always_ff @(posedge clk_i) if (en_i) r_q <= r_d;
  assign r_o = r_q;

endmodule
