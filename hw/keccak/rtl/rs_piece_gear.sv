// SPDX-License-Identifier: Apache-2.0
// rs_piece_gear: cuts a stream of pieces of InBytes bytes into beats of OutBytes or AltBytes bytes.
// Params:  InBytes; OutBytes; AltBytes: a divisor of InBytes
// Bounds:  byte i of a piece or beat is [8 * i +: 8]; with alt_i a beat is the low AltBytes bytes
// Timing:  a piece or a beat per cycle, not both; with alt_i a piece when all of the last one is gone. Never depends on the bytes.
//
// The buffer holds fill_q bytes, zeros above them: a piece is added behind, one of few places, and a beat leaves at the low end.

module rs_piece_gear #(
    parameter int unsigned InBytes  = 4,
    parameter int unsigned OutBytes = 6,
    parameter int unsigned AltBytes = 1
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  clear_i,  // wipes and empties
    input  logic                  alt_i,    // beats of AltBytes; changes only when empty
    input  logic                  valid_i,
    output logic                  ready_o,
    input  logic [ 8*InBytes-1:0] data_i,
    output logic                  valid_o,  // for one cycle; with alt_i it stays, with its bytes unchanged, until ready_i
    input  logic                  ready_i,  // for alt_i only
    output logic [8*OutBytes-1:0] data_o
);
  function automatic int unsigned gcd(int unsigned a, int unsigned b);
    int unsigned x, y, t;
    x = a;
    y = b;
    // Euclid on 32-bit numbers takes fewer than 48 steps
    for (int i = 0; i < 48; i++) begin
      if (y != 0) begin
        t = x % y;
        x = y;
        y = t;
      end
    end
    return x;
  endfunction

  localparam int unsigned Grain = gcd(InBytes, OutBytes);
  localparam int unsigned Capacity = OutBytes - Grain + InBytes;  // a piece is taken while there is no whole beat
  localparam int unsigned FillBits = $clog2(Capacity + 1);

  if (AltBytes == 0 || InBytes % AltBytes != 0 || AltBytes > OutBytes) begin : gen_illegal
    $fatal(1, "%m: AltBytes must divide InBytes and be at most OutBytes");
  end

  logic [FillBits-1:0] fill_q;
  logic [8*Capacity-1:0] buffer_q, added;
  logic whole, leaves;

  assign whole   = fill_q >= FillBits'(OutBytes);
  assign ready_o = alt_i ? fill_q == '0 : !whole;
  assign valid_o = alt_i ? fill_q != '0 : whole;
  assign leaves  = valid_o && (!alt_i || ready_i);
  assign data_o  = buffer_q[8*OutBytes-1:0];

  always_comb begin
    added = '0;
    for (int unsigned place = 0; place < OutBytes; place += Grain) begin
      if (fill_q == FillBits'(place)) added |= (8 * Capacity)'(data_i) << (8 * place);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) fill_q <= '0;
    else if (valid_i && ready_o) fill_q <= fill_q + FillBits'(InBytes);
    else if (leaves) fill_q <= fill_q - (alt_i ? FillBits'(AltBytes) : FillBits'(OutBytes));
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) buffer_q <= '0;
    else if (valid_i && ready_o) buffer_q <= buffer_q | added;
    else if (leaves) buffer_q <= alt_i ? buffer_q >> (8 * AltBytes) : buffer_q >> (8 * OutBytes);
  end
endmodule
