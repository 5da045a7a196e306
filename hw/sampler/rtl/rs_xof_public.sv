// SPDX-License-Identifier: Apache-2.0
// rs_xof_public: SEAL's public generator as a stream of words: blocks of 4096 bytes SHAKE256(seed || LE64(block)), block after block.
// Model:   lib/include/ringside/xof.h rs_seed_block, RS_SEED_SHAKE256 (bit-exact). BLAKE2Xb is not built in hardware.
// Params:  RoundsPerCycle (rs_keccak); BlockBits: width of block numbers, at most 64
// Bounds:  byte i of the seed is seed_i[8 * i +: 8]; nothing here is secret
// Timing:  first word 2 + 24 / RoundsPerCycle cycles after start_i, then 512 words in 31 * 24 / RoundsPerCycle cycles or, if that is
//          more, at one per cycle

module rs_xof_public #(
    parameter int unsigned RoundsPerCycle = 1,
    parameter int unsigned BlockBits = 32
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 start_i,  // begins with the first word of block first_i; what is under way is lost
    input  logic [BlockBits-1:0] first_i,
    input  logic [        511:0] seed_i,   // stable from the cycle after start_i on
    output logic                 valid_o,  // stays, with word_o unchanged, until ready_i
    input  logic                 ready_i,
    output logic [         63:0] word_o
);
  localparam int unsigned RateWords = 17;
  localparam int unsigned BlockWords = 512;
  localparam int unsigned LastPart = (BlockWords - 1) / RateWords;  // parts 0 to 29 are 17 words each, part 30 has 2
  localparam int unsigned LastWords = BlockWords - LastPart * RateWords;

  if (BlockBits == 0 || BlockBits > 64) begin : gen_illegal
    $fatal(1, "%m: BlockBits must be 1 to 64");
  end

  logic run_q, owned_q;  // the core works on a part, or holds one
  logic [BlockBits-1:0] block_q;  // of the part to be begun next
  logic [4:0] part_q, held_q;  // to be begun next; in the core
  logic [4:0] left_q;  // words in words_q
  logic [64*RateWords-1:0] words_q;
  logic busy, done, take, unload, issue;
  logic [1599:0] message, state;

  always_comb begin
    message = '0;
    message[511:0] = seed_i;
    message[512+:64] = 64'(block_q);
    message[576+:8] = 8'h1f;
    message[1087] = 1'b1;
  end

  assign valid_o = left_q != '0;
  assign word_o  = words_q[63:0];
  assign take    = valid_o && ready_i;
  assign unload  = owned_q && !busy && (left_q == '0 || (left_q == 5'd1 && take));
  assign issue   = run_q && (!owned_q || unload);

  rs_keccak #(
      .RoundsPerCycle(RoundsPerCycle)
  ) u_keccak (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .start_i(issue),
      .load_i (part_q == '0),
      .state_i(message),
      .busy_o (busy),
      .done_o (done),
      .state_o(state)
  );
  logic unused_core;
  assign unused_core = ^{done, state[1599:1088]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q   <= 1'b0;
      owned_q <= 1'b0;
      left_q  <= '0;
    end else if (start_i) begin
      run_q   <= 1'b1;
      owned_q <= 1'b0;
      left_q  <= '0;
      block_q <= first_i;
      part_q  <= '0;
    end else begin
      if (unload) left_q <= held_q == 5'(LastPart) ? 5'(LastWords) : 5'(RateWords);
      else if (take) left_q <= left_q - 5'd1;
      if (issue) begin
        owned_q <= 1'b1;
        held_q  <= part_q;
        part_q  <= part_q == 5'(LastPart) ? '0 : part_q + 5'd1;
        if (part_q == 5'(LastPart)) block_q <= block_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (unload) words_q <= state[1087:0];
    else if (take) words_q <= words_q >> 64;
  end
endmodule
