// SPDX-License-Identifier: Apache-2.0
// rs_trits5: the five base-3 digits of a byte below 243, least significant first.
// Model:   lib/include/ringside/sample.h rs_sample_ternary, one byte (bit-exact; formal/test_rs_sampler_formal.py)
// Bounds:  digit k is digits_sec_o[2 * k +: 2]; without accept_o the digits mean nothing
// Timing:  combinational
//
// Compare and subtract from 81 down to 3, not a table: a secret byte is never an index.

module rs_trits5 (
    input  logic [7:0] byte_sec_i,
    output logic       accept_o,     // byte < 243; public: independent of the values of the bytes kept
    output logic [9:0] digits_sec_o
);
  logic [7:0] rest;

  always_comb begin
    rest = byte_sec_i;
    digits_sec_o = '0;
    for (int unsigned k = 4; k > 0; k--) begin
      if (rest >= 8'(2 * 3 ** k)) begin
        digits_sec_o[2*k+:2] = 2'd2;
        rest = rest - 8'(2 * 3 ** k);
      end else if (rest >= 8'(3 ** k)) begin
        digits_sec_o[2*k+:2] = 2'd1;
        rest = rest - 8'(3 ** k);
      end
    end
    digits_sec_o[1:0] = rest[1:0];
  end

  assign accept_o = byte_sec_i < 8'd243;
endmodule
