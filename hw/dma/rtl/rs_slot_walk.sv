// SPDX-License-Identifier: Apache-2.0
// rs_slot_walk: where slot 0, 1, ... of an encoding is in a group.
// Model:   docs/core.md, "Order of coefficients"; lib/src/encoding/fixed_slots.c next()
// Params:  LogNMin, LogNMax, Lanes
// Bounds:  LogNMin <= log_n_i <= LogNMax, log_n_i stable from the second cycle before start_i on
// Timing:  slot 0 in the cycle after start_i, the next one in the cycle after next_i
//
// Slot i is at r_i, r_0 = 0, r_(i+1) = not(3 r_i) modulo N/2. For one N, the bit that tells re from im, between those of banks and those of
// the address, and the turned address are wires: one of them is chosen for every N that can be. All r come once, and r is 0 again after
// the last one.

module rs_slot_walk #(
    parameter int unsigned LogNMin = 10,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes   = 4
) (
    input  logic               clk_i,
    input  logic [        4:0] log_n_i,
    input  logic               start_i,
    input  logic               next_i,
    output logic [LogNMax-1:0] pos_o,    // the position of the real part; the imaginary one's has bit ImBit, too
    output logic               last_o    // it is slot N/2 - 1
);
  localparam int unsigned LowBits = rs_dma_pkg::im_bit(Lanes);  // low bits of r, and of a position: the bank
  localparam int unsigned PointBits = LogNMax - 1;

  if (LogNMin < LowBits + 3 || LogNMin > LogNMax) begin : gen_illegal_size
    $fatal(1, "%m: LogNMin %0d is not in %0d ... LogNMax %0d", LogNMin, LowBits + 3, LogNMax);
  end

  logic [LogNMax:LogNMin] size_q;  // bit n: log2 N is n
  logic [LogNMax:LogNMin][LogNMax-1:0] places;
  logic [LogNMax-1:0] place;
  logic [PointBits-1:0] ones_q, point_q;  // N/2 - 1; r of the slot after this one

  for (genvar n = LogNMin; n <= LogNMax; n++) begin : gen_size
    localparam int unsigned Bits = n - 1 - LowBits;  // bits of an address
    for (genvar i = 0; i < LogNMax; i++) begin : gen_bit
      if (i < LowBits) begin : gen_bank
        assign places[n][i] = point_q[i];
      end else if (i > LowBits && i < n) begin : gen_address
        // bit i - LowBits - 1 of the address is turned left by n - 1
        localparam int unsigned From = (i - LowBits - 1 + Bits - (n - 1) % Bits) % Bits;
        assign places[n][i] = point_q[LowBits+From];
      end else begin : gen_zero
        assign places[n][i] = 1'b0;
      end
    end
  end

  always_comb begin
    place = '0;
    for (int n = int'(LogNMin); n <= int'(LogNMax); n++) if (size_q[n]) place |= places[n];
  end

  always_ff @(posedge clk_i) begin
    for (int n = int'(LogNMin); n <= int'(LogNMax); n++) size_q[n] <= log_n_i == 5'(n);
    ones_q <= PointBits'(~({LogNMax{1'b1}} << log_n_i) >> 1);
    if (start_i) begin
      pos_o   <= '0;
      point_q <= ones_q;
    end else if (next_i) begin
      pos_o   <= place;
      point_q <= ~(point_q + (point_q << 1)) & ones_q;
    end
  end

  assign last_o = point_q == '0;
endmodule
