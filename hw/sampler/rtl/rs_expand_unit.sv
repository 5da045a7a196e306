// SPDX-License-Identifier: Apache-2.0
// rs_expand_unit: the EXPAND unit: the next limb of the public uniform polynomial, word by word or Words words at a time.
// Model:   lib/include/ringside/golden/sample.h rs_uniform_init, rs_uniform_next with RS_SEED_SHAKE256 (bit-exact)
// Params:  W: width of words, 16 to 64; LogNMax; Words, Serial, Steps (rs_sample_uniform)
// Bounds:  9 <= log_n_i <= LogNMax. Words side by side have indices n + N / Words brv(i), brv in log2(Words)
//          bits, for i = 0, 1, …: their positions are consecutive (docs/core.md)
// Timing:  public data only: time depends on the seed (rs_sample_uniform)

module rs_expand_unit #(
    parameter  int unsigned W             = 32,
    parameter  int unsigned LogNMax       = 13,
    parameter  int unsigned Words         = 1,
    parameter  bit          Serial        = 1'b0,
    parameter  int unsigned Steps         = 0,
    localparam int unsigned LimbBits      = rs_xof_pkg::LimbBits,
    localparam int unsigned LogBlockWords = rs_xof_pkg::LogBlockWords,
    localparam int unsigned BlockBits     = rs_xof_pkg::public_bits(LogNMax)
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         start_i,
    input  logic [ 63:0] instr_i,        // held from start_i to done_o, like the next four
    input  logic         clear_i,        // stops; the next instruction has to begin an expansion
    output logic         done_o,         // the cycle after the last word
    output logic [  3:0] fault_o,
    input  logic [  4:0] log_n_i,
    input  logic [W-1:0] q_i,
    input  logic [ 63:0] ratio64_i,      // floor(2^64 / q)
    input  logic [ 63:0] max_multiple_i, // 2^64 - 1 - ((2^64 - 1) mod q) - 1

    output logic                      word_valid_o,
    output logic                      word_side_o,   // Words words, else the first one
    output logic [LogNMax-1:0]        word_index_o,  // in SEAL's array, of the first one
    output logic [  Words-1:0][W-1:0] word_o,

    // the public stream (rs_xof)
    output logic                           xof_own_o,     // from start_i to done_o
    output logic                           xof_start_o,
    output logic [    BlockBits-1:0]       xof_block_o,
    output logic [LogBlockWords-1:0]       xof_skip_o,
    output logic [    BlockBits-1:0]       xof_stride_o,
    output logic                           xof_go_o,
    output logic                           xof_ready_o,
    input  logic                           xof_last_i,
    input  logic                           xof_valid_i,
    input  logic [        Words-1:0][63:0] xof_word_i
);
  localparam int unsigned LogNBits = $clog2(LogNMax + 1);
  localparam int unsigned LogWords = $clog2(Words);

  rs_isa_pkg::instr_t instr;
  logic first, start_q, own_q, again, valid;
  logic [LogNMax-1:0] index_q;
  logic [Words-1:0][W-1:0] residue;

  assign instr = rs_isa_pkg::instr_t'(instr_i);
  assign first = instr_i[rs_isa_pkg::FirstLsb];

  // A limb begins one cycle after start_i, the initialisation of an expansion.
  always_ff @(posedge clk_i) begin
    start_q <= rst_ni && !clear_i && start_i;
    own_q   <= rst_ni && !clear_i && (start_i || (own_q && !done_o));
    if (start_q || again) index_q <= '0;
    else if (valid) index_q <= index_q + 1'b1;
  end

  rs_sample_uniform #(
      .W(W),
      .LogNMax(LogNMax),
      .LimbBits(LimbBits),
      .Words(Words),
      .Serial(Serial),
      .Steps(Steps)
  ) u_uniform (
      .clk_i,
      .rst_ni,
      .run_i(own_q),
      .init_i(clear_i || (start_i && first)),
      .log_n_i(LogNBits'(log_n_i)),
      .limb_count_i(instr_i[rs_isa_pkg::LimbsLsb+:LimbBits]),
      .start_i(start_q),
      .q_i,
      .ratio64_i,
      .max_multiple_i,
      .done_o,
      .again_o(again),
      .valid_o(valid),
      .side_o(word_side_o),
      .data_o(residue),
      .xof_start_o,
      .xof_block_o,
      .xof_skip_o,
      .xof_stride_o,
      .xof_go_o,
      .xof_ready_o,
      .xof_last_i,
      .xof_valid_i,
      .xof_word_i
  );

  assign xof_own_o = own_q;
  assign word_valid_o = valid;
  assign word_index_o = index_q;
  for (genvar i = 0; i < Words; i++) begin : gen_word
    // the stream whose number is i reversed
    assign word_o[i] = residue[rs_xof_pkg::reversed(i, LogWords)];
  end
  assign fault_o = rs_isa_pkg::FAULT_NONE;

  logic unused_bits;
  assign unused_bits = ^{instr, log_n_i};
endmodule
