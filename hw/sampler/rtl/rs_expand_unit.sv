// SPDX-License-Identifier: Apache-2.0
// rs_expand_unit: the EXPAND unit: the next limb of the public uniform polynomial, word by word.
// Model:   lib/include/ringside/sample.h rs_uniform_init, rs_uniform_next with RS_SEED_SHAKE256 (bit-exact)
// Params:  W: width of words; LogNMax, RoundsPerCycle (rs_sample_uniform)
// Bounds:  9 <= log_n_i <= LogNMax; q_i < 2^60 whatever W is
// Timing:  public data only: time depends on the seed (rs_sample_uniform)

module rs_expand_unit #(
    parameter int unsigned W              = 32,
    parameter int unsigned LogNMax        = 13,
    parameter int unsigned RoundsPerCycle = 1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         start_i,
    input  logic [ 63:0] instr_i,        // held from start_i to done_o, like the next five
    input  logic         clear_i,        // stops; the next instruction has to begin an expansion
    output logic         done_o,         // the cycle after the last word
    output logic [  3:0] fault_o,
    input  logic [  4:0] log_n_i,
    input  logic [511:0] seed_i,         // byte i is [8 * i +: 8]; held for the whole expansion
    input  logic [W-1:0] q_i,
    input  logic [ 63:0] ratio64_i,      // floor(2^64 / q)
    input  logic [ 63:0] max_multiple_i, // 2^64 - 1 - ((2^64 - 1) mod q) - 1

    output logic               word_valid_o,
    output logic [LogNMax-1:0] word_index_o,  // in SEAL's array
    output logic [      W-1:0] word_o
);
  localparam int unsigned LogNBits = $clog2(LogNMax + 1);
  localparam int unsigned LimbBits = 8;
  localparam int unsigned ResidueBits = W < 60 ? W : 60;

  rs_isa_pkg::instr_t instr;
  logic first, start_q, valid;
  logic [LogNMax-1:0] index_q;
  logic [ResidueBits-1:0] residue;

  assign instr = rs_isa_pkg::instr_t'(instr_i);
  assign first = instr.alt;

  // A limb begins one cycle after start_i, the initialisation of an expansion.
  always_ff @(posedge clk_i) begin
    start_q <= rst_ni && !clear_i && start_i;
    if (start_q) index_q <= '0;
    else if (valid) index_q <= index_q + 1'b1;
  end

  rs_sample_uniform #(
      .W(ResidueBits),
      .LogNMax(LogNMax),
      .LimbBits(LimbBits),
      .RoundsPerCycle(RoundsPerCycle)
  ) u_uniform (
      .clk_i,
      .rst_ni,
      .init_i(clear_i || (start_i && first)),
      .seed_i,
      .log_n_i(LogNBits'(log_n_i)),
      .limb_count_i(instr.imm[LimbBits-1:0]),
      .start_i(start_q),
      .q_i(q_i[ResidueBits-1:0]),
      .ratio64_i,
      .max_multiple_i,
      .done_o,
      .valid_o(valid),
      .data_o(residue)
  );

  assign word_valid_o = valid;
  assign word_index_o = index_q;
  assign word_o = W'(residue);
  assign fault_o = rs_isa_pkg::FAULT_NONE;

  logic unused_bits;
  assign unused_bits = ^{instr, log_n_i, q_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && valid) assert (64'(q_i) < 64'd1 << 60);
  end
`endif
endmodule
