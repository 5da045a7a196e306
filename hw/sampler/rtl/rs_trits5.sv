// SPDX-License-Identifier: Apache-2.0
// rs_trits5: the five base-3 digits of a byte below 243, least significant first, in two halves with a register of the user's between.
// Model:   lib/include/ringside/golden/sample.h rs_sample_ternary, one byte (bit-exact; formal/test_rs_sampler_formal.py)
// Bounds:  digit k is digits_sec_o[2 * k +: 2]; without accept_o the digits mean nothing
// Timing:  each half combinational
//
// byte = 27 q + rest: q counts the multiples of 27 that the byte reaches, and is digits 4 and 3. Logic, not a memory: a secret byte is never an address.

module rs_trits5 (
    input  logic [ 7:0] byte_sec_i,
    output logic        accept_o,     // byte < 243; public: independent of the values of the bytes kept
    output logic [12:0] half_sec_o,   // bit 4 + k: byte >= 27 k, for k = 1 to 8; and the low bits of the byte
    input  logic [12:0] half_sec_i,
    output logic [ 9:0] digits_sec_o
);
  // number >= constant, bit by bit: carry chains of FPGAs are slow to enter and to leave
  function automatic logic reaches(input logic [7:0] number, input logic [7:0] constant);
    logic enough;
    enough = 1'b1;
    for (int unsigned i = 0; i < 8; i++) enough = constant[i] ? number[i] && enough : number[i] || enough;
    return enough;
  endfunction

  // digit of weight 3^k of a number below 27
  function automatic logic [1:0] digit(input logic [4:0] number, input int unsigned weight);
    logic [1:0] found;
    found = '0;
    for (int unsigned n = 0; n < 27; n++) if (number == 5'(n)) found = 2'(n / weight % 3);
    return found;
  endfunction

  logic [9:1] reached;
  logic [4:0] multiple, rest;
  logic [3:0] quotient_digits;

  for (genvar k = 1; k <= 9; k++) begin : gen_multiple
    assign reached[k] = reaches(byte_sec_i, 8'(27 * k));
  end
  assign accept_o   = !reached[9];
  assign half_sec_o = {reached[8:1], byte_sec_i[4:0]};

  always_comb begin
    multiple = '0;
    quotient_digits = '0;
    for (int unsigned k = 1; k <= 8; k++) begin
      if (half_sec_i[4+k] && !(k < 8 && half_sec_i[5+k%8])) begin  // the last one that is reached
        multiple |= 5'(27 * k);
        quotient_digits |= {2'(k / 3), 2'(k % 3)};
      end
    end
  end
  assign rest = half_sec_i[4:0] - multiple;  // modulo 32 it is below 27
  assign digits_sec_o = {quotient_digits, digit(rest, 9), digit(rest, 3), digit(rest, 1)};
endmodule
