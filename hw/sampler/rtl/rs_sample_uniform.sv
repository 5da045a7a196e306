// SPDX-License-Identifier: Apache-2.0
// rs_sample_uniform: the public uniform polynomial of a seed, limb by limb, as SEAL expands it, from the public stream.
// Model:   lib/include/ringside/golden/sample.h rs_uniform_init, rs_uniform_next with RS_SEED_SHAKE256 (bit-exact)
// Params:  W: width of residues, 16 to 64; LogNMax; LimbBits: width of the number of limbs; Words: words side by side, a power of two;
//          Serial: a word takes several cycles of few multipliers (rs_reduce_serial), with one word at a time and q > 2^10 only; Steps: if not
//          0, instead of that of no multipliers (rs_reduce_steps), likewise
// Bounds:  9 <= log_n_i <= LogNMax; 2^(W-1) need not be reached by q_i, 2 < q_i < 2^W, so max_multiple_i >= 2^64 - 2^W
// Timing:  public data only: time depends on the seed. A limb takes N / Words words' time of the stream (rs_xof_public, rs_xof_fold), or N
//          words' if N < 512 Words; a rejected word at most 62 permutations more, or 2 * 512 cycles if that is more, and with several
//          Words the limb is made once more, word by word
//
// Word j of Words side by side is N / Words * j behind word 0: their blocks are independent. The rule: a word from max_multiple on is
// rejected, and the next acceptable word of a second stream, which begins where the bulk of all limbs ends, takes its place. That hardly
// ever happens (probability (2^64 mod q) / 2^64). So replacements are made for one word at a time, which keeps their order: side by side,
// a rejection makes the limb begin again word by word. And there is one generator: it leaves the bulk, makes the block with the next
// replacement anew, and then the bulk's block again up to where it was.

module rs_sample_uniform #(
    parameter  int unsigned W             = 60,
    parameter  int unsigned LogNMax       = 17,
    parameter  int unsigned LimbBits      = rs_xof_pkg::LimbBits,
    parameter  int unsigned Words         = 1,
    parameter  bit          Serial        = 1'b0,
    parameter  int unsigned Steps         = 0,
    localparam int unsigned LogNBits      = $clog2(LogNMax + 1),
    localparam int unsigned LogBlockWords = rs_xof_pkg::LogBlockWords,
    localparam int unsigned BlockBits     = rs_xof_pkg::public_bits(LogNMax, LimbBits)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       run_i,           // Serial, Steps: from start_i's next cycle to done_o (rs_reduce_serial)
    input  logic                       init_i,          // a new expansion: log_n_i and limb_count_i stable from here to its end
    input  logic [LogNBits-1:0]        log_n_i,
    input  logic [LimbBits-1:0]        limb_count_i,
    input  logic                       start_i,         // the next limb, not before the cycle after init_i or done_o
    input  logic [       W-1:0]        q_i,             // this and the next two stable from start_i to done_o
    input  logic [        63:0]        ratio64_i,       // floor(2^64 / q)
    input  logic [        63:0]        max_multiple_i,  // 2^64 - 1 - ((2^64 - 1) mod q) - 1
    output logic                       done_o,          // the cycle after the last word
    output logic                       again_o,         // the limb begins again: its words are counted from 0
    output logic                       valid_o,         // words, in order; nothing holds them up
    output logic                       side_o,          // all of data_o, else the first one
    output logic [   Words-1:0][W-1:0] data_o,          // below q

    // the public stream
    output logic                           xof_start_o,
    output logic [    BlockBits-1:0]       xof_block_o,
    output logic [LogBlockWords-1:0]       xof_skip_o,
    output logic [    BlockBits-1:0]       xof_stride_o,
    output logic                           xof_go_o,
    output logic                           xof_ready_o,   // a word may come in this cycle: always, except with Serial, Steps
    input  logic                           xof_last_i,
    input  logic                           xof_valid_i,
    input  logic [        Words-1:0][63:0] xof_word_i
);
  localparam int unsigned Latency = rs_pkg::reduce_latency(W);  // the latency of rs_reduce_word
  localparam int unsigned LogWords = $clog2(Words);
  localparam logic [63:0] Low = 64'((65'd1 << W) - 65'd1);

  if (LogNMax < LogBlockWords) begin : gen_illegal
    $fatal(1, "%m: LogNMax must be at least 9");
  end
  if (Words == 0 || (Words & (Words - 1)) != 0) begin : gen_illegal_words
    $fatal(1, "%m: Words must be a power of two");
  end
  if ((Serial || Steps != 0) && Words != 1) begin : gen_illegal_serial
    $fatal(1, "%m: Serial and Steps make one word at a time");
  end

  typedef struct packed {
    logic [BlockBits-1:0] block;
    logic [LogBlockWords-1:0] index;
  } position_t;

  // ---- the generator --------------------------------------------------------------------------------------------------------------
  logic init_q, begin_q;  // load positions; a limb begins
  logic again_q;  // word by word, because a word was rejected
  logic side_q, side_d;  // words side by side
  logic replace_q;  // the generator is at the replacements
  logic go_q;  // words are wanted
  logic [BlockBits-1:0] limb_q;  // the limb's first block
  logic [BlockBits-1:0] limb_blocks;
  position_t here_q, here_next, other_q;  // next word to be judged; where the other stream goes on
  logic [LogNMax-1:0] left_q;  // words to be accepted after the next one
  logic hit_q, miss_q;  // a word was accepted, rejected
  logic done_q;
  logic swap, fall, quiet;

  assign side_d = Words > 1 && !again_q && 32'(log_n_i) >= LogBlockWords + LogWords;
  assign swap = !side_q && (replace_q ? hit_q : miss_q);
  assign fall = side_q && miss_q;
  assign quiet = init_i || init_q || begin_q || swap || fall;  // what is under way to judgement does not count
  assign here_next = here_q + (BlockBits + LogBlockWords)'(hit_q || miss_q);
  assign limb_blocks = BlockBits'(1) << (log_n_i - LogNBits'(LogBlockWords));

  assign xof_start_o = init_q || begin_q || swap;  // the first one drops what is under way
  assign xof_block_o = begin_q ? limb_q : other_q.block;
  assign xof_skip_o = begin_q ? '0 : other_q.index;
  assign xof_stride_o = limb_blocks >> LogWords;
  assign xof_go_o = go_q;

  always_ff @(posedge clk_i) begin
    if (init_q) begin
      other_q <= {BlockBits'(limb_count_i) << (log_n_i - LogNBits'(LogBlockWords)), LogBlockWords'(0)};
      limb_q  <= '0;
    end else if (swap) begin
      other_q <= here_next;
    end else if (done_q) begin
      limb_q <= limb_q + limb_blocks;
    end
    if (begin_q) begin
      here_q <= {limb_q, LogBlockWords'(0)};
      side_q <= side_d;
      replace_q <= 1'b0;
    end else if (swap) begin
      here_q <= other_q;
      replace_q <= !replace_q;
    end else if (hit_q || miss_q) begin
      here_q <= here_next;
    end
    if (begin_q) begin
      for (int unsigned i = 0; i < LogNMax; i++) left_q[i] <= i < 32'(log_n_i) - (side_d ? LogWords : 0);
    end else if (hit_q) begin
      left_q <= left_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    init_q  <= rst_ni && init_i;
    begin_q <= rst_ni && !init_i && (start_i || fall);
    again_q <= fall || (again_q && !start_i);
    if (!rst_ni || init_i) go_q <= 1'b0;
    else if (begin_q) go_q <= 1'b1;
    else if (swap) go_q <= !(hit_q && left_q == '0);
    // a limb ends with a block
    else if (xof_last_i && !replace_q && left_q >> LogBlockWords == '0) go_q <= 1'b0;
  end

  // ---- judgement, in two cycles beside the reduction. What is behind the word that swaps is not judged, but made again. -----------------
  logic judge_q, accept;
  logic [Words-1:0] high_q, below_q, fits;

  assign fits   = ~high_q | below_q;
  assign accept = side_q ? fits == '1 : fits[0];

  always_ff @(posedge clk_i) begin
    judge_q <= rst_ni && !quiet && xof_valid_i;
    hit_q   <= rst_ni && !quiet && judge_q && accept;
    miss_q  <= rst_ni && !quiet && judge_q && !accept;
    for (int unsigned j = 0; j < Words; j++) begin
      high_q[j]  <= (xof_word_i[j] | Low) == '1;  // as of max_multiple
      below_q[j] <= xof_word_i[j][W-1:0] < max_multiple_i[W-1:0];
    end
  end

  // ---- reduction ------------------------------------------------------------------------------------------------------------------
  logic last;

  if (Steps != 0) begin : gen_steps
    rs_reduce_steps #(
        .W(W),
        .Steps(Steps)
    ) u_reduce (
        .clk_i,
        .rst_ni,
        .run_i,
        .clear_i(init_i),
        .prepare_i(begin_q),
        .q_i,
        .ready_o(xof_ready_o),
        .give_i(xof_valid_i),
        .word_i(xof_word_i[0]),
        .keep_i(hit_q),
        .last_i(left_q == '0),
        .valid_o,
        .last_o(last),
        .residue_o(data_o[0])
    );
    logic unused_ratio;
    assign unused_ratio = ^ratio64_i;
  end else if (Serial) begin : gen_serial
    rs_reduce_serial #(
        .W(W)
    ) u_reduce (
        .clk_i,
        .rst_ni,
        .run_i,
        .clear_i(init_i),
        .prepare_i(begin_q),
        .q_i,
        .ratio64_i,
        .ready_o(xof_ready_o),
        .give_i(xof_valid_i),
        .word_i(xof_word_i[0]),
        .keep_i(hit_q),
        .last_i(left_q == '0),
        .valid_o,
        .last_o(last),
        .residue_o(data_o[0])
    );
  end else begin : gen_parallel
    logic [Latency-3:0] flight_q, last_q;
    for (genvar j = 0; j < Words; j++) begin : gen_reduce
      rs_reduce_word #(
          .W(W)
      ) u_reduce (
          .clk_i,
          .word_i(xof_word_i[j]),
          .q_i,
          .ratio64_i,
          .residue_o(data_o[j])
      );
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || init_i || fall) flight_q <= '0;
      else flight_q <= {flight_q[Latency-4:0], hit_q};
      last_q <= {last_q[Latency-4:0], left_q == '0};
    end
    assign xof_ready_o = 1'b1;
    assign valid_o = flight_q[Latency-3];
    assign last = last_q[Latency-3];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || init_i || fall) done_q <= 1'b0;
    else done_q <= valid_o && last;
  end

  assign again_o = fall;
  assign side_o  = side_q;
  assign done_o  = done_q;

  logic unused_bits;
  assign unused_bits = ^{max_multiple_i, run_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && judge_q) assert ((max_multiple_i | Low) == '1);
  end
`endif
endmodule
