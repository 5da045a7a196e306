// SPDX-License-Identifier: Apache-2.0
// rs_cbd21: one centred binomial value, k = 21, from 6 bytes.
// Model:   lib/include/ringside/sample.h rs_sample_cbd21, one coefficient (bit-exact; formal/test_rs_sampler_formal.py)
// Bounds:  byte i is bytes_sec_i[8 * i +: 8]; value in [-21, 21]
// Timing:  combinational
//
// hw(plus) - hw(minus) = hw(plus) + hw(~minus) - 21: one population count of 42 bits.

module rs_cbd21 (
    input  logic        [47:0] bytes_sec_i,
    output logic signed [ 5:0] value_sec_o
);
  logic [41:0] bits;
  logic [ 5:0] weight;
  logic [ 2:0] part;

  assign bits = {~bytes_sec_i[44:24], bytes_sec_i[20:0]};

  // six bits at a time, then the seven sums
  always_comb begin
    weight = '0;
    for (int unsigned i = 0; i < 7; i++) begin
      part = '0;
      for (int unsigned k = 0; k < 6; k++) part += {2'b0, bits[6*i+k]};
      weight += {3'b0, part};
    end
  end

  assign value_sec_o = $signed(weight - 6'd21);

  // the three high bits of bytes 2 and 5 are not part of the rule
  logic unused_bits;
  assign unused_bits = ^{bytes_sec_i[47:45], bytes_sec_i[23:21]};
endmodule
