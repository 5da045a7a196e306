// SPDX-License-Identifier: Apache-2.0
// rs_fixed_word: a fixed-point word times 2^shift as a residue, or a residue, centred or as it is, times 2^shift as a word; halves away
//          from zero.
// Model:   lib/src/ckks/encode_fixed.c rs_lift_fixed; lib/src/encoding/fixed.c rs_fixed_scale with factor 0, of a digit of rs_decode
// Params:  W: width of words and residues
// Bounds:  as in rs_shift_round, centre_i and whole_i stable like shift_i; q_i odd; with centre_i word_sec_i < q_i
// Timing:  4 cycles, no stall; zeros wash out what was there

module rs_fixed_word #(
    parameter int unsigned W = 32
) (
    input  logic                clk_i,
    input  logic                en_i,        // otherwise nothing is clocked
    input  logic        [W-1:0] q_i,
    input  logic                centre_i,    // from a residue to a word
    input  logic                whole_i,     // with centre_i: not centred, from 0 to q - 1
    input  logic signed [  7:0] shift_i,
    input  logic        [W-1:0] word_sec_i,
    output logic        [W-1:0] word_sec_o,
    output logic                over_sec_o   // a magnitude that is not below q, or beyond a word: then the result is zero
);
  logic [W-1:0] magnitude_sec_q, shifted_sec;
  logic [2:0] sign_sec_q;
  logic sign_sec, wide_sec, lost_sec, over_sec;

  // the sign of a residue: above (q - 1) / 2
  assign sign_sec = centre_i ? !whole_i && word_sec_i > {1'b0, q_i[W-1:1]} : word_sec_i[W-1];
  assign wide_sec = shifted_sec[W-1] && !(sign_sec_q[2] && shifted_sec[W-2:0] == '0);
  assign over_sec = lost_sec || (centre_i ? wide_sec : shifted_sec >= q_i);
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      magnitude_sec_q <= sign_sec ? (q_i & {W{centre_i}}) - word_sec_i : word_sec_i;
      sign_sec_q      <= {sign_sec_q[1:0], sign_sec};
      over_sec_o      <= over_sec;
      word_sec_o      <= '0;  // also of zero with a sign
      if (!over_sec && shifted_sec != '0) word_sec_o <= sign_sec_q[2] ? (q_i & ~{W{centre_i}}) - shifted_sec : shifted_sec;
    end
  end

  rs_shift_round #(
      .W(W)
  ) u_shift (
      .clk_i,
      .en_i,
      .shift_i,
      .magnitude_sec_i(magnitude_sec_q),
      .magnitude_sec_o(shifted_sec),
      .over_sec_o     (lost_sec)
  );
endmodule
