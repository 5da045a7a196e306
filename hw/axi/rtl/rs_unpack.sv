// SPDX-License-Identifier: Apache-2.0
// rs_unpack: beats of memory -> chunks of V words, of 4 or 8 bytes in memory, or with Narrow also of 2.
// Params:  W; BusBits; Narrow; V: words of a chunk, at most as many as a beat has (of 4 bytes for W <= 32)
// Bounds:  wide_i is set for W > 32 and does not change between chunks; narrow_i comes with a beat and goes before it; word i of a chunk is the i-th in memory
// Timing:  one register, a chunk per cycle; a beat per cycle where it fills a chunk, or half of one (wide_i and V = BusBits / 32)
//
// Data go into the register wherever it has room, a beat or none: its enable does not wait for the memory's valid.

module rs_unpack #(
    parameter int unsigned W       = 32,
    parameter int unsigned BusBits = 128,
    parameter int unsigned V       = 4,
    parameter bit          Narrow  = 1'b0
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      clear_i,        // drops what is there
    input  logic                      wipe_i,         // zeros, while nothing is there
    input  logic                      wide_i,
    input  logic                      narrow_i,       // words of 2 bytes; stable while beat_valid_i
    input  logic                      beat_valid_i,
    output logic                      beat_ready_o,
    input  logic [BusBits-1:0]        beat_i,
    output logic                      chunk_valid_o,  // stays, with what follows, until chunk_ready_i
    input  logic                      chunk_ready_i,
    output logic [      V-1:0][W-1:0] chunk_o,
    output logic                      over_o          // a word of the chunk has more than W bits
);
  localparam int unsigned Words32 = BusBits / 32;  // in a beat
  localparam int unsigned Words64 = BusBits / 64;
  localparam bit Halves = V > Words64;  // a beat of 8-byte words is half of a chunk
  localparam int unsigned Steps32 = W <= 32 ? Words32 / V : 1;  // chunks of a beat
  localparam int unsigned Steps64 = Halves ? 2 : Words64 / V;  // chunks of a beat, or beats of a chunk
  localparam int unsigned Words16 = BusBits / 16;
  localparam int unsigned Steps16 = Narrow ? Words16 / V : 1;
  localparam int unsigned Steps = Steps16 > Steps32 && Steps16 > Steps64 ? Steps16 : Steps32 > Steps64 ? Steps32 : Steps64;
  localparam int unsigned StepBits = Steps > 2 ? $clog2(Steps) : 1;

  if (W < 16 || W > 64 || V == 0 || 2 ** $clog2(V) != V || V > (W <= 32 ? Words32 : Words64)) begin : gen_illegal
    $fatal(1, "%m: W must be 16 to 64, V a power of two, and a chunk not longer than a beat");
  end

  logic [StepBits-1:0] step_q;
  logic valid_q, over_q, over, wide, narrow, halves, first, last, room, take;
  logic [V-1:0][W-1:0] chunk_q;
  logic [V-1:0][63:0] words;
  logic [V-1:0] here;

  assign wide = W > 32 || wide_i;
  assign narrow = Narrow && narrow_i;
  assign halves = Halves && wide && !narrow;
  assign first = step_q == '0;
  assign last = step_q == (narrow ? StepBits'(Steps16 - 1) : wide ? StepBits'(Steps64 - 1) : StepBits'(Steps32 - 1));
  assign room = !valid_q || chunk_ready_i;
  assign take = beat_valid_i && room;
  assign beat_ready_o = room && (halves || last);

  always_comb begin
    over = 1'b0;
    for (int unsigned i = 0; i < V; i++) begin
      here[i] = !halves || i / Words64 == 32'(step_q);
      if (narrow) words[i] = 64'(beat_i[(32'(step_q)*V+i)%Words16*16+:16]);
      else if (wide) words[i] = beat_i[(32'(step_q)*V+i)%Words64*64+:64];
      else words[i] = 64'(beat_i[(32'(step_q)*V+i)%Words32*32+:32]);
      if (here[i] && words[i] >> W != '0) over = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      step_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (take) step_q <= last ? '0 : step_q + 1'b1;
      if (room) valid_q <= take && (!halves || last);
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) chunk_q <= '0;
    else if (room) begin
      for (int unsigned i = 0; i < V; i++) if (here[i]) chunk_q[i] <= W'(words[i]);
    end
    if (take) over_q <= over || (halves && !first && over_q);
  end

  assign chunk_valid_o = valid_q;
  assign chunk_o = chunk_q;
  assign over_o = over_q;
endmodule
