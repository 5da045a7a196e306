// SPDX-License-Identifier: Apache-2.0
// rs_cbd21_formal: rs_cbd21 against the rule of lib/include/ringside/golden/sample.h, byte by byte.
module rs_cbd21_formal (
    input logic [47:0] bytes_i
);
  logic signed [5:0] value;
  logic [6:0][2:0] parts;
  rs_cbd21 u_dut (
      .bytes_sec_i(bytes_i),
      .parts_sec_o(parts),
      .parts_sec_i(parts),
      .value_sec_o(value)
  );

  function automatic logic signed [7:0] hw(input logic [7:0] x);
    logic signed [7:0] sum;
    sum = '0;
    for (int i = 0; i < 8; i++) if (x[i]) sum = sum + 8'sd1;
    return sum;
  endfunction

  logic [5:0][7:0] x;
  assign x = bytes_i;

  always_comb begin
    assert (8'(value) == hw(x[0]) + hw(x[1]) + hw(x[2] & 8'd31) - hw(x[3]) - hw(x[4]) - hw(x[5] & 8'd31));
  end
endmodule
