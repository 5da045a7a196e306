// SPDX-License-Identifier: Apache-2.0
// rs_slot_number: a number times 2^shift, to the nearest integer, halves away from zero, and whether it is within limits.
// Model:   lib/src/encoding/fixed_slots.c read_word, check_word, write_word, but for doubles
// Params:  In, Out: bits of the numbers, two's complement, up to 64
// Bounds:  -65 <= shift_i <= 64; shift_i, beyond_i, signed_i, lowest_i stable from a cycle before the first number on
// Timing:  5 cycles in which en_i is set; zeros wash out what was there

module rs_slot_number #(
    parameter int unsigned In  = 64,
    parameter int unsigned Out = 64
) (
    input  logic                  clk_i,
    input  logic                  en_i,          // otherwise nothing is clocked
    input  logic signed [    7:0] shift_i,
    input  logic        [   63:0] beyond_i,      // ones above some bit: a magnitude has none of them
    input  logic                  signed_i,      // a negative number fits
    input  logic                  lowest_i,      // so does the one whose magnitude has the lowest of beyond_i alone
    input  logic        [ In-1:0] number_sec_i,
    input  logic                  negate_i,
    output logic        [Out-1:0] number_sec_o,
    output logic                  over_sec_o     // out of range: then the number is zero
);
  logic [63:0] magnitude_sec_q, shifted_sec, kept_sec_q;
  logic [3:0] sign_sec_q;  // before negate_i
  logic [3:0] negate_q;
  logic sign_sec, lost_sec, wide_sec, lowest_sec, over_sec_q;

  assign sign_sec = sign_sec_q[2] ^ negate_q[2];
  assign wide_sec = (shifted_sec & beyond_i) != '0;
  // -2^63 is one only if it was one before it was negated, too: no other magnitude of 2^63 was a number
  assign lowest_sec = lowest_i && sign_sec && (shifted_sec & ~beyond_i) == '0 && (shifted_sec & (beyond_i << 1)) == '0 &&
      !(negate_q[2] && !beyond_i[62]);

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      magnitude_sec_q <= number_sec_i[In-1] ? 64'(In'(~number_sec_i + 1'b1)) : 64'(number_sec_i);
      sign_sec_q      <= {sign_sec_q[2:0], number_sec_i[In-1]};
      negate_q        <= {negate_q[2:0], negate_i};
      kept_sec_q      <= '0;
      over_sec_q      <= 1'b1;
      if (!lost_sec && (!wide_sec || lowest_sec) && (signed_i || !sign_sec || shifted_sec == '0)) begin
        kept_sec_q <= shifted_sec;
        over_sec_q <= 1'b0;
      end
      number_sec_o <= Out'(sign_sec_q[3] ^ negate_q[3] ? ~kept_sec_q + 1'b1 : kept_sec_q);
      over_sec_o   <= over_sec_q;
    end
  end

  rs_shift_round #(
      .W(64)
  ) u_shift (
      .clk_i,
      .en_i,
      .shift_i,
      .magnitude_sec_i(magnitude_sec_q),
      .magnitude_sec_o(shifted_sec),
      .over_sec_o     (lost_sec)
  );
endmodule
