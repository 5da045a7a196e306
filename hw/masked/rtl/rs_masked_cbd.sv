// SPDX-License-Identifier: Apache-2.0
// rs_masked_cbd: a coefficient of the centred binomial distribution (FIPS 203, 4.2.2), from shared bits to additive
//                shares modulo Q, one per cycle.
// Model:   bits 0 to Eta - 1 minus bits Eta to 2 Eta - 1
// Params:  Q >= 3, Eta: 2 or 3
// Bounds:  each of residue_i below Q, uniform, new in each cycle; the sharing of bits_i uniform
// Timing:  four cycles
module rs_masked_cbd #(
    parameter  int unsigned Q    = 2560001,
    parameter  int unsigned Eta  = 2,
    localparam int unsigned Bits = $clog2(Q)
) (
    input  logic                        clk_i,
    input  logic [      1:0][2*Eta-1:0] bits_i,
    input  logic [2*Eta-1:0][ Bits-1:0] residue_i,
    output logic [      1:0][ Bits-1:0] x_o
);
  if (Eta != 2 && Eta != 3) begin : gen_illegal
    $fatal(1, "%m: Eta has to be 2 or 3");
  end
  localparam int unsigned Levels = $clog2(2 * Eta);
  localparam int unsigned Wide = Bits + Levels;
  logic [2*Eta-1:0][1:0][Bits-1:0] term;
  logic [1:0][Wide-1:0] sum_q;
  logic [1:0][Bits-1:0] x_q;

  for (genvar k = 0; k < 2 * Eta; k++) begin : gen_term
    rs_b2a_bit #(
        .Q(Q)
    ) u_bit (
        .clk_i,
        .bit_i    ({bits_i[1][k], bits_i[0][k]}),
        .negate_i (k >= Eta),
        .residue_i(residue_i[k]),
        .x_o      (term[k])
    );
  end

  // share by share
  for (genvar s = 0; s < 2; s++) begin : gen_share
    logic [Wide-1:0] sum, rest;
    always_comb begin
      sum = '0;
      for (int k = 0; k < 2 * Eta; k++) sum += Wide'(term[k][s]);
      rest = sum_q[s];
      for (int k = Levels - 1; k >= 0; k--) if (rest >= Wide'(Q) << k) rest -= Wide'(Q) << k;
    end
    logic [Wide-1-Bits:0] unused;
    assign unused = rest[Wide-1:Bits];
    always_ff @(posedge clk_i) begin
      sum_q[s] <= sum;
      x_q[s]   <= rest[Bits-1:0];
    end
  end
  assign x_o = x_q;
endmodule
