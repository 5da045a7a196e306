// SPDX-License-Identifier: Apache-2.0
// rs_xof_public: SEAL's public generator: blocks of 4096 bytes SHAKE256(seed || LE64(block)), block after block, as Words streams of words
// side by side; it drives a core for each of them (rs_xof).
// Model:   lib/include/ringside/golden/hash.h rs_seed_block, RS_SEED_SHAKE256 (bit-exact). BLAKE2Xb is not built in hardware.
// Params:  Words; BlockBits: width of block numbers, at most 64; Throttled: a word leaves when ready_i, else always
// Bounds:  stream j is stride_i * j blocks ahead of stream 0; nothing here is secret
// Timing:  the first permutation begins 2 cycles after start_i, or when the one under way is over and the cores are there. With cores of
//          R rounds per cycle: it and, for each 17 words that are skipped, one more, then 512 words of each stream in 1 + 31 * 24 / R
//          cycles or, if that is more, in 511 + 24 / R; with Throttled a part takes as long as its words, and a cycle more
//
// A part is what one permutation gives: 17 words, and 2 at the end of a block. It moves from the core to a buffer when the buffer's last
// word leaves, and the core begins the next one in the same cycle. Words leave in a burst, one per cycle (Throttled: that is
// ready), nothing else holds them up.

module rs_xof_public #(
    parameter  int unsigned Words         = 1,
    parameter  int unsigned BlockBits     = 32,
    parameter  bit          Throttled     = 1'b0,
    localparam int unsigned LogBlockWords = rs_xof_pkg::LogBlockWords
) (
    input logic clk_i,
    input logic rst_ni,
    input logic grant_i,  // the cores are there; if not yet, a start waits
    input logic start_i,  // begin with word skip_i of block block_i; no word from the next cycle on until then
    input logic [BlockBits-1:0] block_i,
    input logic [LogBlockWords-1:0] skip_i,
    input logic [BlockBits-1:0] stride_i,  // stable from the cycle after start_i on, and so is the seed
    input logic go_i,  // parts may leave the core
    input logic ready_i,  // Throttled: a word may come in this cycle
    output logic last_o,  // a block's last part leaves the core; nothing follows it while go_i is 0
    output logic valid_o,
    output logic [Words-1:0][63:0] word_o,

    // cores (rs_keccak): they run side by side
    output logic                     core_start_o,
    output logic                     core_load_o,      // from the message: seed, position, padding
    output logic [Words-1:0][  63:0] core_position_o,  // in the cycle after core_start_o
    input  logic                     core_last_i,
    input  logic                     core_busy_i,
    input  logic                     core_done_i,
    input  logic [Words-1:0][1087:0] core_state_i
);
  localparam int unsigned RateWords = 17;
  localparam int unsigned BlockWords = 1 << LogBlockWords;
  localparam int unsigned LastPart = (BlockWords - 1) / RateWords;  // parts 0 to 29 are 17 words each, part 30 has 2
  localparam int unsigned LastWords = BlockWords - LastPart * RateWords;

  if (Words == 0 || BlockBits == 0 || BlockBits > 64) begin : gen_illegal
    $fatal(1, "%m: Words must be positive, BlockBits 1 to 64");
  end

  logic pending_q;  // start_i came
  logic kick_d;  // begin with it
  logic fresh_q;  // the next permutation begins a block
  logic held_q, held_d;  // a part waits in the core
  logic room_q, room_d;  // the buffer takes a part, the last word leaves it or has left
  logic burst_q;  // there are words in the buffer
  logic skipping_q;
  logic [BlockBits-1:0] block_q;  // to be begun next
  logic [4:0] part_q, left_q;  // in the core; words in the buffer
  logic [LogBlockWords-1:0] skip_q;
  logic [Words-1:0][63:0] word_q;  // that leaves, of the buffer
  logic [Words-1:0][RateWords-2:0][63:0] rest_q;  // the others; they stay, because moving them on costs a multiplexer for every bit
  logic [3:0] next_q;  // which of them is next
  logic unload_q, unload_d;  // a part moves to the buffer
  logic leaves;  // a word, of the buffer
  logic issue_q, issue_d;  // the core begins

  for (genvar j = 0; j < Words; j++) begin : gen_position
    // by additions: a hard multiplier is not worth it
    logic [BlockBits-1:0] ahead;
    always_comb begin
      ahead = '0;
      for (int unsigned i = 0; i < 8; i++) if ((j >> i) % 2 == 1) ahead = ahead + (stride_i << i);
    end
    assign core_position_o[j] = 64'(BlockBits'(block_q + ahead));
  end
  assign core_start_o = issue_d;
  assign core_load_o = fresh_q;  // which stays, as neither start_i nor issue_q is there together with issue_d

  // decided a cycle before, because much hangs on them; done_o comes the cycle after last_o
  assign kick_d = !start_i && pending_q && !core_busy_i && grant_i;
  assign held_d = !start_i && !pending_q && !room_q && (held_q || core_done_i);
  assign leaves = burst_q && (!Throttled || ready_i || skipping_q);
  assign room_d = !start_i && !pending_q && go_i && !unload_q &&
      (room_q || !burst_q || (Throttled ? leaves && left_q == 5'd1 : left_q == 5'd2));
  assign unload_d = rst_ni && room_d && (held_d || core_last_i);
  assign issue_d = rst_ni && (unload_d || kick_d);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      held_q    <= 1'b0;
      room_q    <= 1'b0;
      burst_q   <= 1'b0;
    end else begin
      // a permutation is never cut short: so `done` is always that of the last one begun
      pending_q <= start_i || (pending_q && !kick_d);
      held_q    <= held_d;
      room_q    <= room_d;
      burst_q   <= !start_i && (unload_q || (burst_q && !(leaves && left_q == 5'd1)));
    end
  end

  always_ff @(posedge clk_i) begin
    unload_q <= unload_d;
    issue_q  <= issue_d;
    if (start_i) begin
      fresh_q    <= 1'b1;
      block_q    <= block_i;
      skip_q     <= skip_i;
      skipping_q <= skip_i != '0;
    end else begin
      if (issue_q) begin
        fresh_q <= !fresh_q && part_q == 5'(LastPart - 1);
        part_q  <= fresh_q ? '0 : part_q + 5'd1;
        if (fresh_q) block_q <= block_q + 1'b1;
      end
      if (burst_q && skipping_q) begin
        skip_q     <= skip_q - 1'b1;
        skipping_q <= skip_q != LogBlockWords'(1);
      end
    end
    if (unload_q) left_q <= fresh_q ? 5'(LastWords) : 5'(RateWords);
    else if (leaves) left_q <= left_q - 5'd1;
    next_q <= unload_q ? '0 : next_q + 4'(leaves);
    for (int unsigned j = 0; j < Words; j++) begin
      if (unload_q) rest_q[j] <= core_state_i[j][64*RateWords-1:64];
      if (unload_q || leaves) word_q[j] <= room_q ? core_state_i[j][63:0] : rest_q[j][next_q];
    end
  end

  assign last_o  = unload_q && fresh_q;
  assign valid_o = burst_q && !skipping_q && (!Throttled || ready_i);
  for (genvar j = 0; j < Words; j++) begin : gen_word
    assign word_o[j] = word_q[j];
  end

  logic unused_ready;
  assign unused_ready = ready_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni && issue_d) assert (!start_i && !issue_q);
`endif
endmodule
