// SPDX-License-Identifier: Apache-2.0
// rs_cbd21: one centred binomial value, k = 21, from 6 bytes, in two halves with a register of the user's between them.
// Model:   lib/include/ringside/golden/sample.h rs_sample_cbd21, one coefficient (bit-exact; formal/test_rs_sampler_formal.py)
// Bounds:  byte i is bytes_sec_i[8 * i +: 8]; value in [-21, 21]
// Timing:  each half combinational
//
// hw(plus) - hw(minus) = hw(plus) + hw(~minus) - 21: one population count of 42 bits.

module rs_cbd21 (
    input  logic        [47:0]      bytes_sec_i,
    output logic        [ 6:0][2:0] parts_sec_o,  // population counts of six bits each
    input  logic        [ 6:0][2:0] parts_sec_i,
    output logic signed [ 5:0]      value_sec_o
);
  logic [41:0] bits;
  logic [ 5:0] weight;

  assign bits = {~bytes_sec_i[44:24], bytes_sec_i[20:0]};

  always_comb begin
    parts_sec_o = '0;
    for (int unsigned i = 0; i < 7; i++) begin
      for (int unsigned k = 0; k < 6; k++) parts_sec_o[i] += {2'b0, bits[6*i+k]};
    end
  end

  always_comb begin
    weight = '0;
    for (int unsigned i = 0; i < 7; i++) weight += {3'b0, parts_sec_i[i]};
  end
  assign value_sec_o = $signed(weight - 6'd21);

  // the three high bits of bytes 2 and 5 are not part of the rule
  logic unused_bits;
  assign unused_bits = ^{bytes_sec_i[47:45], bytes_sec_i[23:21]};
endmodule
