// SPDX-License-Identifier: Apache-2.0
// rs_stream_gear: cuts a stream of blocks of InBytes bytes into beats of OutBytes or AltBytes bytes.
// Params:  InBytes; OutBytes; AltBytes: a divisor of InBytes, at most OutBytes
// Bounds:  byte i of a block or beat is [8 * i +: 8]; with alt_i a beat is the low AltBytes bytes
// Timing:  a beat in every cycle in which it is wanted and its bytes are there, at most one block taken per cycle; a block may be
//          taken in the cycle of the last whole beat before it (ready_o depends on ready_i). Never depends on the bytes.

module rs_stream_gear #(
    parameter int unsigned InBytes  = 136,
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
    output logic                  valid_o,
    input  logic                  ready_i,
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

  // what remains before a block is appended is a multiple of Grain and less than a beat
  localparam int unsigned Grain = gcd(InBytes, OutBytes);
  localparam int unsigned Places = OutBytes / Grain;
  localparam int unsigned Capacity = InBytes + OutBytes - Grain;
  localparam int unsigned CountBits = $clog2(Capacity + 1);

  if (AltBytes == 0 || AltBytes > OutBytes || InBytes % AltBytes != 0) begin : gen_illegal
    $fatal(1, "%m: AltBytes must divide InBytes and not exceed OutBytes");
  end

  logic [CountBits-1:0] count_q, count_rest, beat;
  logic [8*Capacity-1:0] bytes_q, bytes_rest, bytes_d;  // zero from byte count_q on
  logic take, fill;

  assign beat = alt_i ? CountBits'(AltBytes) : CountBits'(OutBytes);
  assign valid_o = count_q >= beat;
  assign data_o = bytes_q[8*OutBytes-1:0];
  assign take = valid_o && ready_i;
  assign count_rest = take ? count_q - beat : count_q;
  assign ready_o = count_rest < beat;
  assign fill = valid_i && ready_o;

  always_comb begin
    bytes_rest = bytes_q;
    if (take) bytes_rest = alt_i ? bytes_q >> (8 * AltBytes) : bytes_q >> (8 * OutBytes);
    bytes_d = bytes_rest;
    if (fill) begin
      for (int unsigned p = 0; p < Places; p++) begin
        if (count_rest == CountBits'(p * Grain)) begin
          bytes_d = bytes_rest | ((8 * Capacity)'(data_i) << (8 * p * Grain));
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) count_q <= '0;
    else count_q <= fill ? count_rest + CountBits'(InBytes) : count_rest;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) bytes_q <= '0;
    else if (take || fill) bytes_q <= bytes_d;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && fill) assert (count_rest % CountBits'(Grain) == '0);
  end
`endif
endmodule
