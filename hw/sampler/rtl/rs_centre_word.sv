// SPDX-License-Identifier: Apache-2.0
// rs_centre_word: a residue, centred, times 2^shift, halves away from zero, as a fixed-point word.
// Model:   lib/src/encoding/fixed.c rs_fixed_scale with factor 0, of a digit of lib/src/ckks/encode_fixed.c rs_decode_fixed
// Params:  W: width of words and residues
// Bounds:  as in rs_shift_round; residue_sec_i < q_i, q_i odd
// Timing:  4 cycles, no stall; zeros wash out what was there

module rs_centre_word #(
    parameter int unsigned W = 32
) (
    input  logic                clk_i,
    input  logic        [W-1:0] q_i,
    input  logic signed [  7:0] shift_i,
    input  logic        [W-1:0] residue_sec_i,
    output logic        [W-1:0] word_sec_o,
    output logic                over_sec_o      // W bits do not hold it: then the word is zero
);
  logic [W-1:0] magnitude_sec_q, shifted_sec;
  logic [2:0] sign_sec_q;
  logic sign_sec, lost_sec, over_sec;

  // above (q - 1) / 2
  assign sign_sec = residue_sec_i > {1'b0, q_i[W-1:1]};
  assign over_sec = lost_sec || (shifted_sec[W-1] && !(sign_sec_q[2] && shifted_sec[W-2:0] == '0));
  always_ff @(posedge clk_i) begin
    magnitude_sec_q <= sign_sec ? q_i - residue_sec_i : residue_sec_i;
    sign_sec_q      <= {sign_sec_q[1:0], sign_sec};
    over_sec_o      <= over_sec;
    word_sec_o      <= '0;
    if (!over_sec) word_sec_o <= sign_sec_q[2] ? -shifted_sec : shifted_sec;
  end

  rs_shift_round #(
      .W(W)
  ) u_shift (
      .clk_i,
      .shift_i,
      .magnitude_sec_i(magnitude_sec_q),
      .magnitude_sec_o(shifted_sec),
      .over_sec_o     (lost_sec)
  );
endmodule
