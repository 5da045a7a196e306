// SPDX-License-Identifier: Apache-2.0
// rs_shift_round: a magnitude times 2^shift, to the nearest integer, halves up: of a number with a sign that is away from zero.
// Model:   lib/src/encoding/fixed.h rs_fixed_shift, of magnitudes
// Params:  W: bits of a magnitude; Moving: each has a shift of its own
// Bounds:  -65 <= shift_i <= 64, stable from a cycle before the first magnitude on; Moving: of the magnitude that comes in the next cycle
// Timing:  2 cycles, no stall; zeros wash out what was there
//
// Both directions are one rotation, in the next power of two of bits. To the left, bits that come round are lost. To the right, they are
// dropped, and the top one of them is the half. So there is one rotator, and a mask that depends on the shift alone: one that is long there
// is public, and units with several of these share what makes the mask. Moving: the mask comes a cycle later.

module rs_shift_round #(
    parameter int unsigned W = 32,
    parameter bit Moving = 1'b0
) (
    input  logic                clk_i,
    input  logic                en_i,             // otherwise no magnitude is clocked
    input  logic signed [  7:0] shift_i,
    input  logic        [W-1:0] magnitude_sec_i,
    output logic        [W-1:0] magnitude_sec_o,
    output logic                over_sec_o        // W bits do not hold it
);
  localparam int unsigned LogRing = $clog2(W);
  localparam int unsigned Ring = 1 << LogRing;

  logic right, near;  // near: not beyond a whole turn
  logic right_q, half_q;
  logic [6:0] amount;  // the distance of the shift: to the right one less
  logic [LogRing-1:0] turn, turn_q;
  logic signed [7:0] shift;  // the mask's
  logic [W-1:0] keep_q, kept_sec;
  logic [Ring-1:0] turned_sec, turned_sec_q, lost_sec;

  // to the left bits from `turn` on are kept, to the right those below; none by more than a turn, or by one
  if (Moving) begin : gen_moving
    logic signed [7:0] shift_q;
    always_ff @(posedge clk_i) if (en_i) shift_q <= shift_i;
    assign shift = shift_q;
  end else begin : gen_still
    assign shift = shift_i;
  end
  assign right  = shift[7];
  assign amount = shift[6:0] ^ {7{right}};
  assign near   = 32'(amount) < Ring;
  assign turn   = shift[LogRing-1:0];

  // two bits of the turn at a time
  always_comb begin
    turned_sec = Ring'(magnitude_sec_i);
    for (int unsigned k = 0; k < LogRing; k += 2) begin
      case ({
        k + 1 < LogRing && turn_q[(k+1)%LogRing], turn_q[k]
      })
        2'd0: ;
        2'd1: turned_sec = (turned_sec << (1 << k)) | (turned_sec >> (Ring - (1 << k)));
        2'd2: turned_sec = (turned_sec << (2 << k)) | (turned_sec >> (Ring - (2 << k)));
        default: turned_sec = (turned_sec << (3 << k)) | (turned_sec >> (Ring - (3 << k)));
      endcase
    end
  end

  assign kept_sec = turned_sec_q[W-1:0] & keep_q;
  assign lost_sec = turned_sec_q & ~Ring'(keep_q);

  always_ff @(posedge clk_i) begin
    if (!Moving || en_i) begin
      right_q <= right;
      half_q  <= right && near;
      turn_q  <= shift_i[LogRing-1:0];
      keep_q  <= near ? ({W{1'b1}} << turn) ^ {W{right}} : '0;
    end
    if (en_i) begin
      turned_sec_q    <= turned_sec;
      magnitude_sec_o <= kept_sec + W'(half_q && turned_sec_q[Ring-1]);
      over_sec_o      <= !right_q && lost_sec != '0;
    end
  end
endmodule
