// SPDX-License-Identifier: Apache-2.0
// rs_b2a_bit: a bit in two Boolean shares becomes 0 or 1, or with negate_i 0 or -1, in two additive shares modulo Q, a
//             word per cycle.
// Model:   u = b0 - r. Where b1 is 0, the bit is u + r; else it is (1 - u) - r
// Params:  Q >= 3
// Bounds:  residue_i below Q, uniform, new in each cycle; the sharing of bit_i uniform; negate_i is public
// Timing:  two cycles
//
// No AND of shares is needed: b1 meets u and r behind flip-flops and in paths of their own.
module rs_b2a_bit #(
    parameter  int unsigned Q    = 2560001,
    localparam int unsigned Bits = $clog2(Q)
) (
    input  logic                      clk_i,
    input  logic [     1:0]           bit_i,
    input  logic                      negate_i,
    input  logic [Bits-1:0]           residue_i,
    output logic [     1:0][Bits-1:0] x_o
);
  if (Q < 3) begin : gen_illegal
    $fatal(1, "%m: Q has to be at least 3");
  end
  logic [Bits-1:0] u_q, r_q;
  logic [1:0][Bits-1:0] x_q;
  logic other_q, negate_q;

  function automatic logic [Bits-1:0] minus(input logic [Bits-1:0] a, input logic [Bits-1:0] b);
    logic [Bits:0] difference;
    difference = {1'b0, a} - {1'b0, b};
    minus = Bits'(difference[Bits] ? difference + (Bits + 1)'(Q) : difference);
  endfunction

  always_ff @(posedge clk_i) begin
    u_q      <= minus(Bits'(bit_i[0]), residue_i);
    r_q      <= residue_i;
    other_q  <= bit_i[1];
    negate_q <= negate_i;
    // u, 1 - u, -u or u - 1; r or -r
    x_q[0]   <= other_q == negate_q ? minus(u_q, Bits'(negate_q)) : minus(Bits'(!negate_q), u_q);
    x_q[1]   <= other_q == negate_q ? r_q : minus('0, r_q);
  end
  assign x_o = x_q;
endmodule
