// SPDX-License-Identifier: Apache-2.0
// rs_dom_and: Width ANDs of bits in two shares, domain-oriented masking of first order.
// Model:   c0 + c1 = (a0 + a1)(b0 + b1): four products; the two that mix shares get the same fresh bit
// Params:  Width
// Bounds:  the sharings of a_i and b_i are independent; rand_i is uniform, new in each cycle, and serves nothing else
// Timing:  a cycle
//
// A sum of share 0 and share 1 of the operands exists behind flip-flops only, where the fresh bit hides it. Synthesis
// keeps them.
module rs_dom_and #(
    parameter int unsigned Width = 1
) (
    input  logic                        clk_i,
    input  logic [      1:0][Width-1:0] a_i,
    input  logic [      1:0][Width-1:0] b_i,
    input  logic [Width-1:0]            rand_i,
    output logic [      1:0][Width-1:0] c_o
);
  (* keep *) logic [1:0][Width-1:0] own_q, mixed_q;

  for (genvar s = 0; s < 2; s++) begin : gen_share
    always_ff @(posedge clk_i) begin
      own_q[s]   <= a_i[s] & b_i[s];
      mixed_q[s] <= (a_i[s] & b_i[1-s]) ^ rand_i;
    end
  end
  assign c_o = own_q ^ mixed_q;
endmodule
