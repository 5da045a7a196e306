// SPDX-License-Identifier: Apache-2.0
// rs_sponge: SHA-3 and SHAKE of a message of any number of bytes, on a core of whole rounds (rs_keccak).
// Model:   FIPS 202, sections 4, 5.1, 6; lib/include/ringside/xof.h for SHAKE256 (bit-exact)
// Params:  RoundsPerCycle R: a divisor of 24 below it; BeatLanes B: lanes of 64 bits per beat, 1 or 2; SeedLanes: of a seed with its suffix, at most 9
// Bounds:  byte i of a beat is [8 * i +: 8]. rate_i, sha3_i are held from start_i to clear_i
// Timing:  a block that waits is absorbed every 24 / R cycles, and a block is squeezed every max(24 / R, 1 + ceil(lanes / B)) cycles if beats
//          are taken as they come. The first beat comes 3 + 24 / R cycles after the one that ends the message (one later if that fills its
//          beat). Handshakes depend on lengths and on those of the other side, never on bytes
//
//  beats -> suffix -> block_sec_q (21 lanes) --xor--> rs_keccak's load     absorb
//                     block_sec_q <----------------- rs_keccak's result    squeeze: lanes move down, beats leave at the low end
// Seeds are messages of one block that are there at once, so the next one is absorbed in the very cycle in which the last block of the one
// before leaves the core: its permutation runs while that block is read.
// One buffer is enough: a message is absorbed before anything is squeezed. The exclusive or is at the load multiplexer, so a permutation
// follows the one before without a gap; a result that finds no block waits in the core's last rounds.

module rs_sponge #(
    parameter  int unsigned RoundsPerCycle = 1,
    parameter  int unsigned BeatLanes      = 1,
    parameter  int unsigned SeedLanes      = 1,
    localparam int unsigned BeatBytes      = 8 * BeatLanes,
    localparam int unsigned ByteBits       = $clog2(BeatBytes + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // wipes and stops, in the next cycle
    input logic start_i,  // a message begins; what was under way is lost
    input rs_hash_pkg::rate_e rate_i,
    input logic sha3_i,  // the suffix of SHA-3, else that of SHAKE
    // message
    input logic valid_i,
    output logic ready_o,
    input logic [BeatBytes-1:0][7:0] data_sec_i,
    input logic last_i,  // the message ends in this beat
    input logic [ByteBits-1:0] bytes_i,  // with last_i: bytes of the message in it, 0 to all
    // digest, without an end
    output logic valid_o,  // stays, with the beat unchanged, until ready_i
    input logic ready_i,
    output logic [BeatLanes-1:0][63:0] data_sec_o,
    output logic half_o,  // the block's last lane: the high one is zero. BeatLanes = 2
    input logic drop_i,  // with ready_i: the rest of the block leaves with the beat
    output logic last_o,  // the last beat of blocks_i blocks
    // seeds, instead of beats
    input logic seed_i,  // with start_i
    input logic next_i,  // held: after blocks_i blocks of this seed another one follows; else blocks come without an end
    input logic [4:0] blocks_i,  // held with next_i: positive
    input logic [SeedLanes-1:0][63:0] seed_sec_i,  // with its suffix: from start_i, or behind seed_taken_o, to seed_taken_o
    output logic seed_taken_o  // a seed is absorbed
);
  import rs_hash_pkg::*;

  localparam int unsigned Lanes = RateLanesMax;

  if (RoundsPerCycle >= 24) begin : gen_illegal_rounds
    $fatal(1, "%m: RoundsPerCycle must be below 24");
  end
  if (BeatLanes != 1 && BeatLanes != 2) begin : gen_illegal_beat
    $fatal(1, "%m: BeatLanes must be 1 or 2");
  end

  if (SeedLanes == 0 || SeedLanes > 9) begin : gen_illegal_seed
    $fatal(1, "%m: SeedLanes must be 1 to 9");
  end

  typedef enum logic [1:0] {
    Idle,
    Absorb,
    Squeeze
  } state_e;

  state_e state_q;
  logic [4:0] rate;
  logic [4:0] at_q, left_q;  // absorb: the next lane; squeeze: lanes that are left
  logic full_q, final_q;  // the block is whole; it is the last one
  logic more_q;  // beats are to come
  logic pad_q;  // the suffix is still to come, in a lane of its own
  logic carry_q, carry_final_q;  // a beat's second lane belongs to the next block; which is whole with it
  logic first_q;  // no block was absorbed
  logic load_q, load_first_q;  // the block goes to the core; it is the first one
  logic take_q;  // a result comes from the core
  logic load_d, take_d;
  logic empties;  // no lane is left behind the beat
  logic seeds_q;  // the message is a seed
  logic [4:0] taken_q;  // blocks of it that were taken
  logic reload_d, reload_q;  // with take_d, take_q: it was the last one, and the next seed goes to the core
  logic final_block_q;  // the lanes that are left are the last ones
  logic accept, pad, room, pop;
  logic core_soon;
  logic [Lanes-1:0][63:0] block_sec_q;
  logic [63:0] carry_sec_q;
  logic [7:0] suffix;

  assign rate   = rate_lanes(rate_i);
  // FIPS 202, section 6: two bits, or four, then the first one of the padding
  assign suffix = sha3_i ? 8'h06 : 8'h1f;

  // ---- beats, with the suffix behind the message ------------------------------------------------------------------------------------
  logic [BeatLanes-1:0][63:0] lanes_sec;
  logic ends;  // the suffix is in this beat
  logic two;  // both lanes hold something
  logic [5:0] behind;  // the lane behind what the beat brings
  logic fills, spills;

  assign ends   = last_i && bytes_i != ByteBits'(BeatBytes);
  assign two    = BeatLanes == 2 && !(last_i && 32'(bytes_i) < 8);
  assign behind = 6'(at_q) + (two ? 6'd2 : 6'd1);
  assign fills  = behind >= 6'(rate);
  assign spills = BeatLanes == 2 && behind > 6'(rate);

  always_comb begin
    for (int unsigned i = 0; i < BeatBytes; i++) begin
      if (!last_i || i < 32'(bytes_i)) lanes_sec[i/8][8*(i%8)+:8] = data_sec_i[i];
      else lanes_sec[i/8][8*(i%8)+:8] = i == 32'(bytes_i) ? suffix : '0;
    end
  end

  assign room     = !full_q || load_q;
  assign ready_o  = more_q && room && !(load_q && carry_final_q);
  assign accept   = valid_i && ready_o;
  assign pad      = pad_q && room;

  // ---- control -----------------------------------------------------------------------------------------------------------------------
  // decided a cycle before, when the core wants to be told
  assign load_d   = state_q == Absorb && full_q && !load_q && (first_q || core_soon);
  assign pop      = left_q != '0 && ready_i;
  assign take_d   = state_q == Squeeze && core_soon && !take_q && (left_q == '0 || (empties && ready_i));

  assign empties  = left_q <= 5'(BeatLanes) || drop_i;
  assign reload_d = take_d && seeds_q && next_i && taken_q == blocks_i - 5'd1;

  always_ff @(posedge clk_i) begin
    reload_q     <= rst_ni && !clear_i && !start_i && reload_d;
    load_q       <= rst_ni && !clear_i && !start_i && load_d;
    take_q       <= rst_ni && !clear_i && !start_i && take_d;
    load_first_q <= first_q || reload_d;
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
      more_q  <= 1'b0;
      pad_q   <= 1'b0;
      full_q  <= 1'b0;
      carry_q <= 1'b0;
      left_q  <= '0;
    end else if (start_i) begin
      state_q <= Absorb;
      more_q  <= !seed_i;
      pad_q   <= 1'b0;
      full_q  <= seed_i;
      carry_q <= 1'b0;
      left_q  <= '0;
    end else begin
      if (load_q) begin
        full_q  <= carry_q && carry_final_q;
        carry_q <= 1'b0;
        if (final_q) state_q <= Squeeze;
      end
      if (accept) begin
        if (fills || ends) full_q <= 1'b1;
        if (spills) carry_q <= 1'b1;
        if (last_i) more_q <= 1'b0;
        if (last_i && !ends) pad_q <= 1'b1;
      end
      if (pad) begin
        full_q <= 1'b1;
        pad_q  <= 1'b0;
      end
      if (take_q) left_q <= rate;
      else if (pop) left_q <= empties ? '0 : left_q - 5'(BeatLanes);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      at_q    <= '0;
      final_q <= seed_i;
      first_q <= 1'b1;
      seeds_q <= seed_i;
      taken_q <= '0;
    end else begin
      if (load_d) first_q <= 1'b0;
      if (take_q) begin
        taken_q <= reload_q ? '0 : taken_q + 5'd1;
        final_block_q <= reload_q;
      end
      if (accept) at_q <= fills ? 5'(spills) : 5'(behind);
      if (load_q && carry_q && carry_final_q) final_q <= 1'b1;
      if ((accept && ends && !spills) || pad) final_q <= 1'b1;
    end
    if (clear_i) taken_q <= '0;  // how far it got may tell of a key
    if (clear_i || start_i) begin
      carry_final_q <= 1'b0;
    end else if (accept) begin
      carry_final_q <= spills && ends;
    end
    if (clear_i || start_i) carry_sec_q <= '0;
    else if (accept && spills) carry_sec_q <= lanes_sec[BeatLanes-1];
  end

  // ---- the block ----------------------------------------------------------------------------------------------------------------------
  logic [1599:0] next_sec, message_sec;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic low, high;  // this lane is the beat's first, second
    logic [63:0] above_sec;
    assign low  = at_q == 5'(i);
    assign high = BeatLanes == 2 && two && 6'(at_q) + 6'd1 == 6'(i);
    if (i + BeatLanes < Lanes) begin : gen_above
      assign above_sec = block_sec_q[i+BeatLanes];
    end else begin : gen_top
      assign above_sec = '0;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i || start_i) block_sec_q[i] <= '0;
      else if (take_q) block_sec_q[i] <= 5'(i) < rate ? next_sec[64*i+:64] : '0;
      else if (accept && low) block_sec_q[i] <= lanes_sec[0];
      else if (accept && high && !spills) block_sec_q[i] <= lanes_sec[BeatLanes-1];
      else if (pad && low) block_sec_q[i] <= 64'(suffix);
      else if (load_q) block_sec_q[i] <= i == 0 && carry_q ? carry_sec_q : '0;
      else if (pop) block_sec_q[i] <= above_sec;
    end
  end

  always_comb begin
    message_sec = seeds_q ? 1600'(seed_sec_i) : 1600'(block_sec_q);
    // the padding's last bit
    for (int unsigned i = 0; i < Lanes; i++) if (final_q && rate == 5'(i + 1)) message_sec[64*i+63] ^= 1'b1;
    if (!load_first_q) message_sec ^= next_sec;
  end

  rs_keccak #(
      .RoundsPerCycle(RoundsPerCycle)
  ) u_keccak (
      .clk_i,
      .rst_ni,
      .clear_i(clear_i),
      .start_i(!start_i && (load_d || reload_d || (take_q && !reload_q))),
      .load_i (load_d || reload_d),
      .state_i(message_sec),
      .hold_i (!(load_d || take_d)),
      .soon_o (core_soon),
      .last_o (),
      .next_o (next_sec),
      .busy_o (),
      .done_o (),
      .state_o()
  );

  assign seed_taken_o = reload_q || (load_q && seeds_q);

  assign last_o       = final_block_q && empties;
  assign valid_o      = left_q != '0;
  assign data_sec_o   = block_sec_q[BeatLanes-1:0];
  assign half_o       = BeatLanes == 2 && left_q == 5'd1;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(load_q && take_q));
      assert (!(accept && pad));
      assert (!accept || !last_i || 32'(bytes_i) <= BeatBytes)
      else $error("%m: more bytes than a beat has");
    end
  end
`endif
endmodule
