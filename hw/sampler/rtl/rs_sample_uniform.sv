// SPDX-License-Identifier: Apache-2.0
// rs_sample_uniform: the public uniform polynomial of a seed, limb by limb, as SEAL expands it.
// Model:   lib/include/ringside/sample.h rs_uniform_init, rs_uniform_next with RS_SEED_SHAKE256 (bit-exact)
// Params:  W: width of residues, 16 to 60; LogNMax; LimbBits: width of the number of limbs; RoundsPerCycle (rs_keccak)
// Bounds:  9 <= log_n_i <= LogNMax; 2^(W-1) need not be reached by q_i, 2 < q_i < 2^W, so max_multiple_i >= 2^64 - 2^W
// Timing:  public data only: time depends on the seed; about max(1, 31 * 24 / RoundsPerCycle / 512) cycles per word, and for each
//          rejected word at most 62 permutations more, or 2 * 512 cycles if that is more
//
// A word from max_multiple on is rejected, and the next acceptable word of a second stream, which begins where the bulk of all limbs
// ends, takes its place. That hardly ever happens (probability (2^64 mod q) / 2^64), so there is one generator: it leaves the bulk,
// makes the block with the next replacement anew, and then the bulk's block again up to where it was.

module rs_sample_uniform #(
    parameter int unsigned W = 60,
    parameter int unsigned LogNMax = 17,
    parameter int unsigned LimbBits = 6,
    parameter int unsigned RoundsPerCycle = 1,
    localparam int unsigned LogNBits = $clog2(LogNMax + 1)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                init_i,          // a new expansion: seed_i, log_n_i and limb_count_i stable from here to its end
    input  logic [       511:0] seed_i,          // byte i is [8 * i +: 8]
    input  logic [LogNBits-1:0] log_n_i,
    input  logic [LimbBits-1:0] limb_count_i,
    input  logic                start_i,         // the next limb, not before the cycle after init_i or done_o
    input  logic [       W-1:0] q_i,             // this and the next two stable from start_i to done_o
    input  logic [        63:0] ratio64_i,       // floor(2^64 / q)
    input  logic [        63:0] max_multiple_i,  // 2^64 - 1 - ((2^64 - 1) mod q) - 1
    output logic                done_o,          // the cycle after the last word
    output logic                valid_o,         // a word, in order; nothing holds it up
    output logic [       W-1:0] data_o           // below q
);
  localparam int unsigned LogBlockWords = 9;
  localparam int unsigned BlockBits = LogNMax - LogBlockWords + LimbBits + 2;
  localparam int unsigned Latency = rs_pkg::mul_latency(W + 2, W) + 8;  // of rs_reduce_word

  if (LogNMax < LogBlockWords) begin : gen_illegal
    $fatal(1, "%m: LogNMax must be at least 9");
  end

  typedef struct packed {
    logic [BlockBits-1:0] block;
    logic [LogBlockWords-1:0] index;
  } position_t;

  // ---- the generator --------------------------------------------------------------------------------------------------------------
  logic init_q, begin_q;  // load positions; go to the bulk
  logic replace_q;  // the generator is at the replacements
  logic go_q;  // words are wanted
  position_t here_q, here_next, other_q;  // next word to be judged; where the other stream goes on
  logic [LogNMax-1:0] left_q;  // words to be accepted after the next one
  logic hit_q, miss_q;  // a word was accepted, rejected
  logic swap, part_last, valid;
  logic [63:0] word;

  assign swap = begin_q || (replace_q ? hit_q : miss_q);
  assign here_next = here_q + (BlockBits + LogBlockWords)'(hit_q || miss_q);

  rs_xof_public #(
      .RoundsPerCycle(RoundsPerCycle),
      .BlockBits(BlockBits)
  ) u_xof (
      .clk_i,
      .rst_ni,
      .start_i(swap),
      .block_i(other_q.block),
      .skip_i (other_q.index),
      .seed_i,
      .go_i   (go_q),
      .last_o (part_last),
      .valid_o(valid),
      .word_o (word)
  );

  always_ff @(posedge clk_i) begin
    if (init_q) begin  // at the replacements, as it were
      here_q <= {BlockBits'(limb_count_i) << (log_n_i - LogNBits'(LogBlockWords)), LogBlockWords'(0)};
      other_q <= '0;
      replace_q <= 1'b1;
    end else if (swap) begin
      here_q <= other_q;
      other_q <= here_next;
      replace_q <= !replace_q;
    end else begin
      here_q <= here_next;
    end
    if (start_i) begin
      for (int unsigned i = 0; i < LogNMax; i++) left_q[i] <= i < 32'(log_n_i);
    end else if (hit_q) begin
      left_q <= left_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    init_q  <= rst_ni && init_i;
    begin_q <= rst_ni && !init_i && init_q;
    if (!rst_ni || init_i) go_q <= 1'b0;
    else if (start_i) go_q <= 1'b1;
    else if (swap && !begin_q) go_q <= !(hit_q && left_q == '0);
    // a limb ends with a block
    else if (part_last && !replace_q && left_q >> LogBlockWords == '0) go_q <= 1'b0;
  end

  // ---- judgement, in two cycles beside the reduction. What is behind the word that swaps is not judged, but made again. -----------------
  logic [W-1:0] limit_q;
  logic judge_q, high_q, below_q, accept;

  assign accept = !high_q || below_q;

  always_ff @(posedge clk_i) begin
    judge_q <= rst_ni && !init_i && !swap && valid;
    hit_q   <= rst_ni && !init_i && !swap && judge_q && accept;
    miss_q  <= rst_ni && !init_i && !swap && judge_q && !accept;
    limit_q <= max_multiple_i[W-1:0];
    high_q  <= word[63:W] == '1;  // as of max_multiple
    below_q <= word[W-1:0] < limit_q;
  end

  // ---- reduction ------------------------------------------------------------------------------------------------------------------
  logic [Latency-3:0] flight_q, last_q;
  logic done_q;

  rs_reduce_word #(
      .W(W)
  ) u_reduce (
      .clk_i,
      .word_i(word),
      .q_i,
      .ratio64_i,
      .residue_o(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || init_i) begin
      flight_q <= '0;
      done_q   <= 1'b0;
    end else begin
      flight_q <= {flight_q[Latency-4:0], hit_q};
      done_q   <= flight_q[Latency-3] && last_q[Latency-3];
    end
    last_q <= {last_q[Latency-4:0], left_q == '0};
  end

  assign valid_o = flight_q[Latency-3];
  assign done_o  = done_q;

  logic unused_bits;
  assign unused_bits = ^max_multiple_i;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && judge_q) assert (max_multiple_i[63:W] == '1);
  end
`endif
endmodule
