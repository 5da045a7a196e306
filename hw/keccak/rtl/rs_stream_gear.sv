// SPDX-License-Identifier: Apache-2.0
// rs_stream_gear: cuts a stream of blocks of InBytes bytes into beats of OutBytes or AltBytes bytes.
// Params:  InBytes; OutBytes; AltBytes: a divisor of both
// Bounds:  byte i of a block or beat is [8 * i +: 8]; with alt_i a beat is the low AltBytes bytes
// Timing:  a block gives ceil(InBytes / OutBytes) words, one per cycle from the next one on, and a beat comes three cycles after the word
//          that completes it; with alt_i a beat per cycle if it is wanted and OutBytes >= 5 * AltBytes. Never depends on the bytes.
//
//  data_i -> block_q --> word_q, OutBytes--+-----------------------> funnel --> beat_q -> data_o
//            stays, at_q chooses           +-> last_q --------------->|         shifts by AltBytes with alt_i
// A block's words come from afar on an FPGA: so the one that leaves has a register.
// The last word of a block has only TailBytes. So from block to block a beat begins at another place of a word, one of a few: it takes
// what is left of the word before, the uppermost bytes of last_q, and the rest from the word. Nothing else moves by a varying distance.

module rs_stream_gear #(
    parameter int unsigned InBytes  = 136,
    parameter int unsigned OutBytes = 6,
    parameter int unsigned AltBytes = 1
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  clear_i,  // wipes and empties
    input  logic                  alt_i,    // beats of AltBytes; changes only when empty
    output logic                  room_o,   // a block may come in the next cycle
    input  logic                  valid_i,  // only the cycle after room_o
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

  localparam int unsigned Words = (InBytes + OutBytes - 1) / OutBytes;
  localparam int unsigned TailBytes = InBytes - (Words - 1) * OutBytes;  // 1 to OutBytes
  localparam int unsigned Grain = gcd(InBytes, OutBytes);
  localparam int unsigned Places = OutBytes / Grain;
  localparam int unsigned TailPlaces = TailBytes / Grain;
  localparam int unsigned LeftBits = $clog2(Words + 1);
  localparam int unsigned AtBits = Words > 1 ? $clog2(Words) : 1;
  localparam int unsigned AltBits = $clog2(OutBytes / AltBytes + 1);

  if (AltBytes == 0 || InBytes % AltBytes != 0 || OutBytes % AltBytes != 0) begin : gen_illegal
    $fatal(1, "%m: AltBytes must divide InBytes and OutBytes");
  end

  typedef logic [8*OutBytes-1:0] word_t;
  typedef logic [Places-1:0] place_t;

  // ---- block into words ---------------------------------------------------------------------------------------------------------
  logic [LeftBits-1:0] left_q, left_d;  // words in block_q
  logic step_q, step_d;  // the lowest word leaves
  logic tail_q;  // it is the last one
  logic came_q, came_tail_q;  // word_q left in the cycle before, as the last one
  logic held_q;  // alt_i: last_q is a word to be cut
  logic move;  // alt_i: last_q goes to beat_q
  logic [8*InBytes-1:0] block_q;
  logic [AtBits-1:0] at_q;  // which word leaves next
  word_t [2**AtBits-1:0] words;
  word_t word_q;

  // a block that would move on by a word in each cycle costs a multiplexer for every bit of it
  assign words = (8 * OutBytes * 2 ** AtBits)'(block_q);
  always_comb begin
    left_d = left_q - LeftBits'(step_q);
    if (valid_i) left_d = LeftBits'(Words);
    if (alt_i) step_d = left_q != '0 && !held_q && !step_q && !came_q;
    else step_d = left_d != '0;
    // in the cycle that follows block_q is empty or gives its last word away
    if (valid_i) room_o = Words == 1 && !alt_i;
    else room_o = left_q <= (alt_i ? LeftBits'(0) : LeftBits'(Words > 1 ? 2 : 1));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      left_q <= '0;
      step_q <= 1'b0;
      tail_q <= 1'b0;
      came_q <= 1'b0;
    end else begin
      left_q <= left_d;
      step_q <= step_d;
      tail_q <= left_d == LeftBits'(1);
      came_q <= step_q;
    end
    came_tail_q <= tail_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) block_q <= '0;
    else if (valid_i) block_q <= data_i;
    if (valid_i) at_q <= '0;
    else if (step_q) at_q <= at_q + 1'b1;
    if (clear_i) word_q <= '0;
    else if (step_q) word_q <= words[at_q];
  end

  // ---- words into beats ---------------------------------------------------------------------------------------------------------
  place_t place_q, place_tail;  // one bit: bytes left in last_q, in grains
  logic full;  // the word completes a beat
  logic tail_held_q;  // alt_i: the word in last_q is the last one of its block
  logic [AltBits-1:0] cuts_q;  // alt_i: beats in beat_q
  logic valid_q, final_q;  // final_q: the last of them
  word_t last_q, beat_q, funnel;

  always_comb begin
    full = !came_tail_q;
    for (int unsigned p = 0; p < Places; p++) begin
      place_tail[(p+TailPlaces)%Places] = place_q[p];
      if (place_q[p] && p + TailPlaces >= Places) full = 1'b1;
    end
    funnel = '0;
    for (int unsigned p = 0; p < Places; p++) begin
      if (place_q[p]) funnel |= word_t'({word_q, last_q} >> (8 * (OutBytes - p * Grain)));
    end
  end

  assign move = alt_i && held_q && (!valid_q || (final_q && ready_i));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      place_q <= place_t'(1);
      held_q <= 1'b0;
      tail_held_q <= 1'b0;
      valid_q <= 1'b0;
      final_q <= 1'b0;
      cuts_q <= '0;
    end else if (alt_i) begin
      held_q <= came_q || (held_q && !move);
      if (came_q) tail_held_q <= came_tail_q;
      if (move) begin
        valid_q <= 1'b1;
        cuts_q  <= tail_held_q ? AltBits'(TailBytes / AltBytes) : AltBits'(OutBytes / AltBytes);
        final_q <= (tail_held_q ? TailBytes : OutBytes) == AltBytes;
      end else if (ready_i) begin
        valid_q <= valid_q && !final_q;
        cuts_q  <= cuts_q - 1'b1;
        final_q <= cuts_q == AltBits'(2);
      end
    end else begin
      valid_q <= came_q && full;
      if (came_q && came_tail_q) place_q <= place_tail;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) last_q <= '0;
    else if (came_q) last_q <= came_tail_q && !alt_i ? word_t'({word_q, last_q} >> (8 * TailBytes)) : word_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) beat_q <= '0;
    else if (!alt_i || ready_i || !valid_q) begin
      if (!alt_i) beat_q <= funnel;
      else beat_q <= move ? last_q : beat_q >> (8 * AltBytes);
    end
  end

  assign valid_o = valid_q;
  assign data_o  = beat_q;

`ifndef SYNTHESIS
  logic room_q;
  always_ff @(posedge clk_i) begin
    room_q <= room_o;
    if (rst_ni && valid_i) assert (room_q && (left_q == '0 || (!alt_i && left_q == LeftBits'(1))));
  end
`endif
endmodule
