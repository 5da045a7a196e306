// SPDX-License-Identifier: Apache-2.0
// rs_xof_fold: one folded Keccak core for both streams: the private one of SAMPLE in pieces, the public one of EXPAND in words.
// Model:   lib/include/ringside/golden/sample.h rs_private_stream; lib/include/ringside/golden/hash.h rs_seed_block, RS_SEED_SHAKE256 (bit-exact)
// Params:  Slices (rs_keccak_fold); widths of block numbers: PrivateBits, at most 56, PublicBits, at most 64
// Bounds:  byte i of a seed is [8 * i +: 8]; a piece is the next Slices bits of the stream, a word the next 64
// Timing:  one owner at a time, from its request to its end. When SAMPLE's ends the core is overwritten with the public message, in Steps
//          cycles (Steps = 64 / Slices). Before each owner begins it is overwritten, too, so that a start takes the same time whatever
//          was there. A block of SAMPLE takes 25 Steps cycles, the 17 words of a permutation of EXPAND 24 Steps, if they are taken as
//          they come. Who owns the core depends on instructions, on the public seed and on ready inputs alone
//
//  seeds -> rs_keccak_fold -> rows of the result, and theta -> lane by lane -+-> piece_q -----------> SAMPLE
//                                                                            +-> word_q (64 bits) --> EXPAND
// The result waits in a memory of Steps words until it is read, while the core makes the next one up to its last round.

module rs_xof_fold #(
    parameter  int unsigned Slices        = 32,
    parameter  int unsigned PrivateBits   = 16,
    parameter  int unsigned PublicBits    = 32,
    localparam int unsigned LogBlockWords = 9,
    localparam int unsigned Steps         = 64 / Slices,
    localparam int unsigned StepBits      = $clog2(Steps)
) (
    input logic clk_i,
    input logic rst_ni,

    // the seed of who owns the core: row step_o of its eight lanes
    output logic                seed_public_o,
    output logic [StepBits-1:0] seed_step_o,
    input  logic [8*Slices-1:0] seed_row_sec_i,

    // SAMPLE: block b is the first 136 bytes of SHAKE256(seed || LE64(domain * 2^56 + b))
    input  logic                   private_clear_i,     // wipes and stops
    input  logic                   private_start_i,     // begins with block 0
    input  logic [            7:0] private_domain_i,    // likewise
    input  logic [PrivateBits-1:0] private_limit_i,     // blocks below this are made; may grow at any time
    output logic                   private_valid_o,
    input  logic                   private_ready_i,
    output logic [     Slices-1:0] private_piece_sec_o,

    // EXPAND: block b is 4096 bytes SHAKE256(seed || LE64(b)), block follows block
    input logic public_own_i,  // wants the core; without it the stream is lost
    input logic public_start_i,  // begin with word public_skip_i of block public_block_i; no older word any more
    input logic [PublicBits-1:0] public_block_i,
    input logic [LogBlockWords-1:0] public_skip_i,
    input logic public_go_i,  // words may leave
    input logic public_ready_i,  // in this cycle, too
    output logic public_last_o,  // a block's last word leaves
    output logic public_valid_o,  // taken in the same cycle
    output logic [63:0] public_word_o
);
  localparam int unsigned RateLanes = 17;
  localparam int unsigned BlockWords = 1 << LogBlockWords;
  localparam int unsigned LastPart = (BlockWords - 1) / RateLanes;  // parts 0 to 29 of a block are 17 words each, part 30 has 2
  localparam int unsigned LastLane = BlockWords - LastPart * RateLanes - 1;

  if (PrivateBits == 0 || PrivateBits > 56 || PublicBits == 0 || PublicBits > 64) begin : gen_illegal
    $fatal(1, "%m: PrivateBits must be 1 to 56, PublicBits 1 to 64");
  end

  typedef enum logic [1:0] {
    Free,
    Private,
    Public
  } owner_e;
  typedef logic [StepBits-1:0] step_t;

  owner_e owner_q;
  logic   private_q;  // SAMPLE wants the core
  logic   pending_q;  // public_start_i came
  logic leave, enter, begin_public, start, load;

  // ---- the core ------------------------------------------------------------------------------------------------------------------
  logic [PrivateBits-1:0] number_q;  // the block that is begun, or next
  logic [PublicBits-1:0] block_q;
  logic fresh_q;  // EXPAND: the next permutation begins a block
  logic [4:0] part_q;  // EXPAND: in the core
  logic [24:0][Slices-1:0] message, row, plain;
  logic [4:0][Slices-1:0] theta;
  logic ready, loading, wipe, last, hold;
  step_t step;
  logic [63:0] number;

  assign enter = owner_q == Free && (private_q || public_own_i);
  assign leave = (owner_q == Private && (!private_q || private_clear_i)) || (owner_q == Public && !public_own_i);
  assign begin_public = owner_q == Public && public_own_i && pending_q && !wipe;
  assign load = owner_q == Private || begin_public || fresh_q;
  assign start = begin_public || (ready && !leave && (owner_q == Public || (owner_q == Private && number_q != private_limit_i)));

  assign seed_public_o = owner_q != Private;
  assign seed_step_o = step;

  always_comb begin
    // the private one also while it is overwritten before SAMPLE begins, but not behind its end
    number  = seed_public_o ? 64'(block_q) : {private_domain_i, 56'(number_q)};
    message = '0;
    for (int unsigned i = 0; i < 8; i++) message[i] = seed_row_sec_i[Slices*i+:Slices];
    message[8] = number[32'(step)*Slices+:Slices];
    message[9][4:0] = {5{step == '0}};  // SHAKE's domain bits and padding
    message[RateLanes-1][Slices-1] = step == '1;
  end

  rs_keccak_fold #(
      .Slices(Slices)
  ) u_keccak (
      .clk_i,
      .rst_ni,
      .clear_i(leave || enter),
      .start_i(start),
      .load_i (load),
      .row_i  (message),
      .hold_i (hold),
      .ready_o(ready),
      .load_o (loading),
      .wipe_o (wipe),
      .step_o (step),
      .last_o (last),
      .row_o  (row),
      .theta_o(theta),
      .plain_o(plain)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q   <= Free;
      private_q <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      private_q <= private_start_i || (private_q && !private_clear_i);
      pending_q <= public_start_i || (pending_q && public_own_i && !begin_public);
      if (leave) owner_q <= Free;
      else if (enter) owner_q <= public_own_i ? Public : private_q && !private_clear_i ? Private : Free;
    end
  end

  always_ff @(posedge clk_i) begin
    if (private_start_i) number_q <= '0;
    else if (owner_q == Private && loading && !wipe && step == '1) number_q <= number_q + 1'b1;
    if (public_start_i) block_q <= public_block_i;
    else if (owner_q == Public && !begin_public && loading && !wipe && step == '1) block_q <= block_q + 1'b1;
    if (start) begin
      part_q  <= load ? '0 : part_q + 5'd1;
      fresh_q <= !load && part_q == 5'(LastPart - 1);
    end
  end

  // ---- the result, lane by lane ---------------------------------------------------------------------------------------------------------
  logic full_q, short_q;  // there is one; only of two lanes
  logic final_lane, emptied, take;
  logic piece_taken, word_room;
  step_t part_step_q;
  logic [4:0] lane_q;
  logic [2:0] column_q;  // lane_q modulo 5
  logic flush;

  // Standard cells keep the lanes as they are. LUTs keep them with theta, and theta: what is stored is made of fewer of them.
  localparam bit Plain = rs_pkg::MulStyle == rs_pkg::MUL_CELLS;
  localparam int unsigned ResultBits = (Plain ? RateLanes : RateLanes + 5) * Slices;

  (* ram_style = "distributed" *)
  logic [ResultBits-1:0] result_q[Steps];
  logic [RateLanes-1:0][Slices-1:0] lanes;
  logic [4:0][Slices-1:0] thetas;
  logic piece_valid_q, piece_end_q;
  logic [Slices-1:0] piece_q;

  assign flush = leave || begin_public || (owner_q == Public && public_start_i);
  assign {thetas, lanes} = ((RateLanes + 5) * Slices)'(result_q[part_step_q]);
  assign final_lane = lane_q == (short_q ? 5'(LastLane) : 5'(RateLanes - 1));
  assign piece_taken = owner_q == Private ? private_ready_i : word_room;
  assign take = full_q && (!piece_valid_q || piece_taken);
  assign emptied = take && final_lane && part_step_q == '1;
  assign hold = full_q && !emptied;

  // overwritten, too, when the core is
  always_ff @(posedge clk_i) begin
    if (last || wipe) result_q[step] <= Plain ? ResultBits'(plain[RateLanes-1:0]) : ResultBits'({theta, row[RateLanes-1:0]});
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush) begin
      full_q <= 1'b0;
      piece_valid_q <= 1'b0;
    end else begin
      full_q <= (last && step == '1) || (full_q && !emptied);
      piece_valid_q <= take || (piece_valid_q && !piece_taken);
    end
    if (!full_q || emptied) begin
      lane_q <= '0;
      column_q <= '0;
      part_step_q <= '0;
      short_q <= owner_q == Public && part_q == 5'(LastPart);
    end else if (take) begin
      part_step_q <= part_step_q + 1'b1;
      if (part_step_q == '1) begin
        lane_q   <= lane_q + 5'd1;
        column_q <= column_q == 3'd4 ? '0 : column_q + 3'd1;
      end
    end
    if (leave) piece_q <= '0;
    else if (take) piece_q <= lanes[lane_q] ^ thetas[column_q];
    if (take) piece_end_q <= emptied && short_q;
  end

  assign private_valid_o = owner_q == Private && private_q && piece_valid_q;
  assign private_piece_sec_o = piece_q;

  // ---- EXPAND: words -----------------------------------------------------------------------------------------------------------------
  logic word_valid_q, word_end_q, emit, skipping_q;
  step_t word_step_q;
  logic [63:0] word_q;
  logic [LogBlockWords-1:0] skip_q;

  assign emit = word_valid_q && public_go_i && public_ready_i;
  assign word_room = owner_q == Public && (!word_valid_q || emit);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush) begin
      word_valid_q <= 1'b0;
      word_step_q  <= '0;
    end else if (word_room) begin
      word_valid_q <= piece_valid_q && word_step_q == '1;
      if (piece_valid_q) word_step_q <= word_step_q + 1'b1;
    end
    if (word_room && piece_valid_q) begin
      word_q <= {piece_q, word_q[63:Slices]};
      word_end_q <= piece_end_q;
    end
    if (public_start_i) begin
      skip_q <= public_skip_i;
      skipping_q <= public_skip_i != '0;
    end else if (emit && skipping_q) begin
      skip_q <= skip_q - 1'b1;
      skipping_q <= skip_q != LogBlockWords'(1);
    end
  end

  assign public_last_o  = emit && word_end_q;
  assign public_valid_o = emit && !skipping_q;
  assign public_word_o  = word_q;

  logic unused_lanes;
  assign unused_lanes = ^{row, theta, plain};
endmodule
