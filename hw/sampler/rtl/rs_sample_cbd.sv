// SPDX-License-Identifier: Apache-2.0
// rs_sample_cbd: centred binomial polynomial, k = 21, LanesOut coefficients per cycle from 6 * LanesOut bytes.
// Model:   lib/include/ringside/golden/sample.h rs_sample_cbd21 (bit-exact)
// Params:  LanesOut; CoefBits: width of the coefficient count
// Bounds:  coefficient i of a beat is data_sec_o[i] in [-21, 21]; coefs_i is a positive multiple of LanesOut
// Timing:  a beat leaves two cycles after it came; a function of valid_i alone. What comes after the last one is ignored.

module rs_sample_cbd #(
    parameter int unsigned LanesOut = 1,
    parameter int unsigned CoefBits = 18
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             clear_i,     // wipes and stops
    input  logic                             start_i,
    input  logic        [CoefBits-1:0]       coefs_i,     // read with start_i
    output logic                             done_o,      // the cycle after the last beat
    input  logic                             valid_i,
    input  logic        [LanesOut-1:0][47:0] data_sec_i,
    output logic                             valid_o,
    output logic signed [LanesOut-1:0][ 5:0] data_sec_o
);
  if (LanesOut == 0) begin : gen_illegal
    $fatal(1, "%m: LanesOut must be positive");
  end

  logic [CoefBits-1:0] left_q;  // coefficients still to come
  logic more_q;  // there are some
  logic take, parts_valid_q, valid_q, done_q;
  logic [LanesOut-1:0][6:0][2:0] parts, parts_q;
  logic [LanesOut-1:0][5:0] value, data_q;

  assign take = valid_i && more_q;

  for (genvar i = 0; i < LanesOut; i++) begin : gen_lane
    rs_cbd21 u_cbd21 (
        .bytes_sec_i(data_sec_i[i]),
        .parts_sec_o(parts[i]),
        .parts_sec_i(parts_q[i]),
        .value_sec_o(value[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      more_q <= rst_ni && !clear_i;
      parts_valid_q <= 1'b0;
      valid_q <= 1'b0;
      done_q <= 1'b0;
      left_q <= coefs_i;
    end else begin
      if (take) begin
        left_q <= left_q - CoefBits'(LanesOut);
        more_q <= left_q != CoefBits'(LanesOut);
      end
      parts_valid_q <= take;
      valid_q <= parts_valid_q;
      done_q <= valid_q && !parts_valid_q && !more_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      parts_q <= '0;
      data_q  <= '0;
    end else begin
      if (take) parts_q <= parts;
      if (parts_valid_q) data_q <= value;
    end
  end

  assign done_o = done_q;
  assign valid_o = valid_q;
  assign data_sec_o = data_q;
endmodule
