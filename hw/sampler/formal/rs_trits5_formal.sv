// SPDX-License-Identifier: Apache-2.0
// rs_trits5_formal: for all bytes below 243, five digits below 3 whose weighted sum is the byte (there is only one such choice).
module rs_trits5_formal (
    input logic [7:0] byte_i
);
  logic accept;
  logic [12:0] half;
  logic [9:0] digits;
  rs_trits5 u_dut (
      .byte_sec_i  (byte_i),
      .accept_o    (accept),
      .half_sec_o  (half),
      .half_sec_i  (half),
      .digits_sec_o(digits)
  );

  always_comb begin
    assert (accept == (byte_i < 8'd243));
    if (accept) begin
      assert (digits[1:0] < 3 && digits[3:2] < 3 && digits[5:4] < 3 && digits[7:6] < 3 && digits[9:8] < 3);
      assert (32'(byte_i) == 32'(digits[1:0]) + 32'(digits[3:2]) * 3 + 32'(digits[5:4]) * 9 + 32'(digits[7:6]) * 27 +
              32'(digits[9:8]) * 81);
    end
  end
endmodule
