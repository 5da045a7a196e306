// SPDX-License-Identifier: Apache-2.0
// rs_sample_cbd: centred binomial polynomial, k = 21, LanesOut coefficients per cycle from 6 * LanesOut bytes.
// Model:   lib/include/ringside/sample.h rs_sample_cbd21 (bit-exact)
// Params:  LanesOut; CoefBits: width of the coefficient count
// Bounds:  coefficient i of a beat is data_sec_o[i] in [-21, 21]; coefs_i is a positive multiple of LanesOut
// Timing:  one beat per cycle, one register; the handshakes are a function of valid_i and ready_i alone

module rs_sample_cbd #(
    parameter int unsigned LanesOut = 1,
    parameter int unsigned CoefBits = 18
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             clear_i,     // wipes and stops
    input  logic                             start_i,
    input  logic        [CoefBits-1:0]       coefs_i,     // read with start_i
    output logic                             done_o,      // the cycle after the last beat is taken
    input  logic                             valid_i,
    output logic                             ready_o,
    input  logic        [LanesOut-1:0][47:0] data_sec_i,
    output logic                             valid_o,     // stays, with data_sec_o unchanged, until ready_i
    input  logic                             ready_i,
    output logic signed [LanesOut-1:0][ 5:0] data_sec_o
);
  if (LanesOut == 0) begin : gen_illegal
    $fatal(1, "%m: LanesOut must be positive");
  end

  logic [CoefBits-1:0] left_q;  // coefficients still to be read
  logic valid_q, done_q, room, take;
  logic [LanesOut-1:0][5:0] value, data_q;

  assign room = !valid_q || ready_i;
  assign ready_o = left_q != '0 && room;
  assign take = valid_i && ready_o;

  for (genvar i = 0; i < LanesOut; i++) begin : gen_lane
    rs_cbd21 u_cbd21 (
        .bytes_sec_i(data_sec_i[i]),
        .value_sec_o(value[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      left_q  <= '0;
      valid_q <= 1'b0;
      done_q  <= 1'b0;
    end else if (start_i) begin
      left_q  <= coefs_i;
      valid_q <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      if (room) valid_q <= take;
      if (take) left_q <= left_q - CoefBits'(LanesOut);
      done_q <= valid_q && ready_i && left_q == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) data_q <= '0;
    else if (take) data_q <= value;
  end

  assign done_o = done_q;
  assign valid_o = valid_q;
  assign data_sec_o = data_q;
endmodule
