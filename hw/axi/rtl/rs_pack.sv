// SPDX-License-Identifier: Apache-2.0
// rs_pack: chunks of V words -> beats of memory, 4 or 8 bytes per word; the inverse of rs_unpack.
// Params:  W; BusBits; V: words of a chunk, at most as many as a beat has (of 4 bytes for W <= 32)
// Bounds:  wide_i is set for W > 32 and does not change between beats
// Timing:  one register, a chunk per cycle; a beat per cycle where a chunk fills it, or two of them (wide_i and V = BusBits / 32)

module rs_pack #(
    parameter int unsigned W       = 32,
    parameter int unsigned BusBits = 128,
    parameter int unsigned V       = 4
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      clear_i,        // zeros instead of what is not yet a beat
    input  logic                      wide_i,
    input  logic                      chunk_valid_i,
    output logic                      chunk_ready_o,
    input  logic [      V-1:0][W-1:0] chunk_i,
    output logic                      beat_valid_o,   // stays, with beat_o, until beat_ready_i
    input  logic                      beat_ready_i,
    output logic [BusBits-1:0]        beat_o
);
  localparam int unsigned Words32 = BusBits / 32;  // in a beat
  localparam int unsigned Words64 = BusBits / 64;
  localparam bit Halves = V > Words64;  // half of a chunk is a beat of 8-byte words
  localparam int unsigned Steps32 = W <= 32 ? Words32 / V : 1;  // chunks of a beat
  localparam int unsigned Steps64 = Halves ? 2 : Words64 / V;  // chunks of a beat, or beats of a chunk
  localparam int unsigned StepBits = Steps32 > 2 || Steps64 > 2 ? $clog2(Steps32 > Steps64 ? Steps32 : Steps64) : 1;

  if (W < 16 || W > 64 || V == 0 || 2 ** $clog2(V) != V || V > (W <= 32 ? Words32 : Words64)) begin : gen_illegal
    $fatal(1, "%m: W must be 16 to 64, V a power of two, and a chunk not longer than a beat");
  end

  logic [StepBits-1:0] step_q;
  logic valid_q, wide, halves, last, room, take;
  logic [BusBits-1:0] beat_q;

  assign wide = W > 32 || wide_i;
  assign halves = Halves && wide;
  assign last = step_q == (wide ? StepBits'(Steps64 - 1) : StepBits'(Steps32 - 1));
  assign room = !valid_q || beat_ready_i;
  assign take = chunk_valid_i && room;
  assign chunk_ready_o = room && (!halves || last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (clear_i) step_q <= '0;
      else if (take) step_q <= last ? '0 : step_q + 1'b1;
      if (room) valid_q <= take && (halves || last) && !clear_i;
    end
  end

  // Word k of a beat is word k % V of the chunk of step k / V, or with halves word k of its half `step`. What is there is taken,
  // a chunk or none: the next one comes in its place.
  always_ff @(posedge clk_i) begin
    if (clear_i && room) beat_q <= '0;
    else if (room && wide) begin
      for (int unsigned k = 0; k < Words64; k++)
      if (Halves || k / V == 32'(step_q)) beat_q[64*k+:64] <= 64'(chunk_i[Halves?(32'(step_q)*Words64+k)%V : k%V]);
    end else if (room) begin
      for (int unsigned k = 0; k < Words32; k++) if (k / V == 32'(step_q)) beat_q[32*k+:32] <= 32'(chunk_i[k%V]);
    end
  end

  assign beat_valid_o = valid_q;
  assign beat_o = beat_q;
endmodule
