// SPDX-License-Identifier: Apache-2.0
// rs_lift_word: a fixed-point word times 2^shift, halves away from zero, as a residue.
// Model:   lib/src/ckks/encode_fixed.c rs_lift_fixed
// Params:  W: width of words and residues
// Bounds:  as in rs_shift_round; q_i odd
// Timing:  4 cycles, no stall; zeros wash out what was there

module rs_lift_word #(
    parameter int unsigned W = 32
) (
    input  logic                clk_i,
    input  logic        [W-1:0] q_i,
    input  logic signed [  7:0] shift_i,
    input  logic        [W-1:0] word_sec_i,
    output logic        [W-1:0] residue_sec_o,
    output logic                over_sec_o      // the magnitude is not below q: then the residue is zero
);
  logic [W-1:0] magnitude_sec_q, shifted_sec;
  logic [2:0] sign_sec_q;
  logic lost_sec, over_sec;

  assign over_sec = lost_sec || shifted_sec >= q_i;
  always_ff @(posedge clk_i) begin
    magnitude_sec_q <= word_sec_i[W-1] ? -word_sec_i : word_sec_i;
    sign_sec_q      <= {sign_sec_q[1:0], word_sec_i[W-1]};
    over_sec_o      <= over_sec;
    residue_sec_o   <= '0;  // also of zero with a sign
    if (!over_sec && shifted_sec != '0) residue_sec_o <= sign_sec_q[2] ? q_i - shifted_sec : shifted_sec;
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
