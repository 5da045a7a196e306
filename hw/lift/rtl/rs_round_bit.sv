// SPDX-License-Identifier: Apache-2.0
// rs_round_bit: whether v + e + floor(q/2) wraps around q: what ROUND keeps of a coefficient.
// Model:   lib/src/ckks/encrypt.c rs_pk_remainder: d = v + e - q * wrap
// Params:  W: width of residues, at least 7; ErrorBits: width of e
// Bounds:  q odd and above 2^ErrorBits, v < q (formal/test_rs_lift_formal.py)
// Timing:  error_sec_i one cycle before value_sec_i; a zero washes out the last error

module rs_round_bit #(
    parameter int unsigned W = 32,
    parameter int unsigned ErrorBits = 6
) (
    input  logic                        clk_i,
    input  logic                        en_i,         // otherwise nothing is clocked
    input  logic        [        W-1:0] q_i,
    input  logic signed [ErrorBits-1:0] error_sec_i,
    input  logic        [        W-1:0] value_sec_i,
    output logic                        wrap_sec_o
);
  // v + e + floor(q/2) >= q just if v > floor(q/2) - e, which is not negative
  logic [W-1:0] limit_sec_q;

  always_ff @(posedge clk_i) begin
    if (en_i) limit_sec_q <= {1'b0, q_i[W-1:1]} - {{W - ErrorBits{error_sec_i[ErrorBits-1]}}, error_sec_i};
  end
  assign wrap_sec_o = limit_sec_q < value_sec_i;

  logic unused_bit;
  assign unused_bit = q_i[0];
endmodule
