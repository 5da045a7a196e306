// SPDX-License-Identifier: Apache-2.0
// rs_shift_round: a magnitude times 2^shift, to the nearest integer, halves up: of a number with a sign that is away from zero.
// Model:   lib/src/encoding/fixed.h rs_fixed_shift, of magnitudes
// Params:  W: bits of a magnitude
// Bounds:  -65 <= shift_i <= 64, stable from a cycle before the first magnitude on
// Timing:  2 cycles, no stall; zeros wash out what was there
//
// Left is right with the bits in reversed order, so that there is one shifter. To the right it goes one place less, and the last bit is
// added: halves of 2^W - 1 at most, so that nothing is lost.

module rs_shift_round #(
    parameter int unsigned W = 32
) (
    input  logic                clk_i,
    input  logic                en_i,             // otherwise no magnitude is clocked
    input  logic signed [  7:0] shift_i,
    input  logic        [W-1:0] magnitude_sec_i,
    output logic        [W-1:0] magnitude_sec_o,
    output logic                over_sec_o        // W bits do not hold it
);
  localparam int unsigned AmountBits = 7;

  function automatic logic [W-1:0] reversed(input logic [W-1:0] x);
    logic [W-1:0] y;
    for (int unsigned i = 0; i < W; i++) y[i] = x[W-1-i];
    return y;
  endfunction

  logic left, left_q;
  logic [AmountBits-1:0] amount, amount_q;
  logic [W-1:0] dropped_q;  // which bits leave
  logic [W-1:0] from_sec, shifted_sec, halves_sec_q;
  logic lost_sec_q;

  // public, and long there: this is not in the way of the data
  assign left   = !shift_i[7];
  assign amount = left ? shift_i[AmountBits-1:0] : ~shift_i[AmountBits-1:0];
  always_ff @(posedge clk_i) begin
    left_q    <= left;
    amount_q  <= amount;
    dropped_q <= ~({W{1'b1}} << amount);
  end

  assign from_sec = left_q ? reversed(magnitude_sec_i) : magnitude_sec_i;
  assign shifted_sec = from_sec >> amount_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      halves_sec_q    <= left_q ? reversed(shifted_sec) : shifted_sec;
      lost_sec_q      <= left_q && (from_sec & dropped_q) != '0;
      magnitude_sec_o <= left_q ? halves_sec_q : {1'b0, halves_sec_q[W-1:1]} + W'(halves_sec_q[0]);
      over_sec_o      <= lost_sec_q;
    end
  end
endmodule
