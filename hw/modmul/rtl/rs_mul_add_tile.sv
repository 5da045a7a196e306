// SPDX-License-Identifier: Apache-2.0
// rs_mul_add_tile: p = a b + c for operands of one hard multiplier with an adder behind it, or of few LUTs.
// Params:  WidthA, SignedA, WidthB; WidthP: of c and p, which are signed if a is; SoftBits (rs_mul_tile); Chained: there is a c
// Bounds:  a is signed or not, b is not; p modulo 2^WidthP
// Timing:  3 cycles: operands, product, sum, all registers inside hard multipliers; c_i in the third
module rs_mul_add_tile #(
    parameter int unsigned WidthA   = 17,
    parameter bit          SignedA  = 1'b0,
    parameter int unsigned WidthB   = 24,
    parameter int unsigned WidthP   = WidthA + WidthB,
    parameter int unsigned SoftBits = rs_pkg::MulSoftBits,
    parameter bit          Chained  = 1'b1
) (
    input  logic              clk_i,
    input  logic [WidthA-1:0] a_i,
    input  logic [WidthB-1:0] b_i,
    input  logic [WidthP-1:0] c_i,
    output logic [WidthP-1:0] p_o
);

  localparam int unsigned WidthM = WidthA + WidthB;

  if (WidthA == 0 || WidthB == 0) begin : gen_illegal
    $fatal(1, "%m: WidthA %0d and WidthB %0d have to be positive", WidthA, WidthB);
  end

  logic [WidthA-1:0] a_q;
  logic [WidthB-1:0] b_q;
  logic signed [WidthM-1:0] m_d, m_q;
  logic [WidthP-1:0] p_q;

  if (WidthA * WidthB <= SoftBits) begin : gen_soft
    // the shorter factor chooses the rows; the signed one cannot
    if (SignedA || WidthB <= WidthA) begin : gen_rows_of_a
      always_comb begin
        m_d = '0;
        for (int i = 0; i < WidthB; i++) m_d = m_d + (b_q[i] ? WidthM'(signed'({SignedA & a_q[WidthA-1], a_q})) << i : '0);
      end
    end else begin : gen_rows_of_b
      always_comb begin
        m_d = '0;
        for (int i = 0; i < WidthA; i++) m_d = m_d + (a_q[i] ? WidthM'(b_q) << i : '0);
      end
    end
  end else if (SignedA) begin : gen_signed
    assign m_d = signed'(a_q) * signed'({1'b0, b_q});
  end else begin : gen_hard
    assign m_d = WidthM'(a_q) * WidthM'(b_q);
  end

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    m_q <= m_d;
  end

  logic [WidthP-1:0] m;
  if (SignedA) begin : gen_extend
    assign m = WidthP'(m_q);
  end else begin : gen_fill
    assign m = WidthP'(unsigned'(m_q));
  end

  if (Chained) begin : gen_sum
    always_ff @(posedge clk_i) p_q <= c_i + m;
  end else begin : gen_first
    logic unused;
    assign unused = ^c_i;
    always_ff @(posedge clk_i) p_q <= m;
  end

  assign p_o = p_q;

  // modulo 2^WidthP
  logic unused_top;
  assign unused_top = ^m_q;

endmodule
