// SPDX-License-Identifier: Apache-2.0
// rs_slot_number: a number times 2^shift, to the nearest integer, halves away from zero, and whether it is within limits.
// Model:   lib/src/encoding/fixed_slots.c read_word, check_word; write_word but for doubles
// Params:  In, Out: bits of the numbers, two's complement, up to 64; Doubles, with In = 64: double_i is there
// Bounds:  -65 <= shift_i <= 64; shift_i, beyond_i, signed_i, lowest_i stable from a cycle before the first number on
// Timing:  5 cycles in which en_i is set; zeros wash out what was there

module rs_slot_number #(
    parameter int unsigned In      = 64,
    parameter int unsigned Out     = 64,
    parameter bit          Doubles = 1'b0
) (
    input logic clk_i,
    input logic en_i,  // otherwise nothing is clocked
    input logic signed [7:0] shift_i,
    input logic [63:0] beyond_i,  // ones above some bit: a magnitude has none of them
    input logic signed_i,  // a negative number fits
    input logic lowest_i,  // so does the one whose magnitude has the lowest of beyond_i alone
    input logic double_i,  // a number is a double; stable like shift_i. One that is not finite is out of range
    input logic [In-1:0] number_sec_i,
    input logic negate_i,
    output logic [Out-1:0] number_sec_o,
    output logic over_sec_o  // out of range: then the number is zero
);
  logic [In-1:0] digits_sec;
  logic [  In:0] magnitude_sec;
  logic [63:0] magnitude_sec_q, shifted_sec, kept_sec_q;
  logic [Out:0] out_sec;
  logic signed [7:0] shift_sec;
  logic minus_sec, other_sec;
  logic [3:0] sign_sec_q;  // before negate_i
  logic [3:0] negate_q;
  logic sign_sec, lost_sec, wide_sec, lowest_sec, over_sec_q;

  assign sign_sec = sign_sec_q[2] ^ negate_q[2];
  assign wide_sec = (shifted_sec & beyond_i) != '0;
  // -2^63 is one only if it was one before it was negated, too: no other magnitude of 2^63 was a number
  assign lowest_sec = lowest_i && sign_sec && (shifted_sec & ~beyond_i) == '0 && (shifted_sec & (beyond_i << 1)) == '0 &&
      !(negate_q[2] && !beyond_i[62]);

  // a double is its mantissa times 2^(its exponent - 1075): beyond 65 places to the right and 64 to the left nothing more changes, as the
  // shift of what is not finite or has too many digits leaves no digit of them
  if (Doubles) begin : gen_doubles
    logic signed [12:0] unit_q, places_sec;
    logic normal_sec, far_sec;
    always_ff @(posedge clk_i) unit_q <= 13'(shift_i) - 13'sd1075;
    assign normal_sec = number_sec_i[62:52] != '0;
    assign places_sec = unit_q + $signed({2'b00, number_sec_i[62:53], number_sec_i[52] || !normal_sec});
    assign far_sec = places_sec[12:6] != {7{places_sec[12]}};
    always_comb begin
      shift_sec  = shift_i;
      digits_sec = number_sec_i;
      if (double_i) begin
        shift_sec  = !far_sec ? places_sec[7:0] : places_sec[12] ? -8'sd65 : 8'sd64;
        digits_sec = {11'd0, normal_sec, number_sec_i[51:0]};
      end
    end
  end else begin : gen_integers
    assign shift_sec  = shift_i;
    assign digits_sec = number_sec_i;
    logic unused_double;
    assign unused_double = double_i;
  end

  // -x is ~x + 1: the lowest bits make the carry
  assign minus_sec = number_sec_i[In-1] && !(Doubles && double_i);
  assign other_sec = sign_sec_q[3] ^ negate_q[3];
  assign magnitude_sec = {digits_sec ^ {In{minus_sec}}, 1'b1} + (In + 1)'(minus_sec);
  assign out_sec = {kept_sec_q[Out-1:0] ^ {Out{other_sec}}, 1'b1} + (Out + 1)'(other_sec);

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      magnitude_sec_q <= 64'(magnitude_sec[In:1]);
      sign_sec_q      <= {sign_sec_q[2:0], number_sec_i[In-1]};
      negate_q        <= {negate_q[2:0], negate_i};
      kept_sec_q      <= '0;
      over_sec_q      <= 1'b1;
      if (!lost_sec && (!wide_sec || lowest_sec) && (signed_i || !sign_sec || shifted_sec == '0)) begin
        kept_sec_q <= shifted_sec;
        over_sec_q <= 1'b0;
      end
      number_sec_o <= out_sec[Out:1];
      over_sec_o   <= over_sec_q;
    end
  end

  rs_shift_round #(
      .W(64),
      .Moving(Doubles)
  ) u_shift (
      .clk_i,
      .en_i,
      .shift_i        (shift_sec),
      .magnitude_sec_i(magnitude_sec_q),
      .magnitude_sec_o(shifted_sec),
      .over_sec_o     (lost_sec)
  );

  logic unused_bits;
  assign unused_bits = magnitude_sec[0] ^ out_sec[0] ^ (kept_sec_q >> (Out - 1) != '0);
endmodule
