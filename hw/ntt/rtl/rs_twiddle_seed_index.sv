// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_seed_index: the words of the image that twiddles on the fly are made of, combinational.
// Model:   docs/ntt_schedule.md, "Twiddles"; hw/ntt/README.md, "Twiddle image"
// Params:  LogNMax, LogLanes, LogRing (rs_ntt_pkg::log_twiddle_ring)
// Bounds:  proved for every size against the layout (formal/rs_twiddle_seed_proof.sv)
module rs_twiddle_seed_index #(
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned LogRing    = 4,
    localparam int unsigned StepBits   = LogNMax - 1 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned RowBits    = $clog2(rs_ntt_pkg::twiddle_rows(LogLanes)),
    localparam int unsigned WordBits   = $clog2(rs_ntt_pkg::TwiddleSeeds + rs_ntt_pkg::TwiddleSteps),
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits
) (
    input  logic [  LogNBits-1:0] log_n_i,
    // a stage: its factor, and its constants: among the seeds and steps, or in a row
    input  logic [  LogNBits-1:0] stage_i,
    output logic [  WordBits-1:0] factor_word_o,
    output logic                  constant_scalar_o,
    output logic [  WordBits-1:0] constant_word_o,
    output logic [   RowBits-1:0] constant_row_o,
    output logic [SelectBits-1:0] constant_fixed_o,   // lane bits that do not choose the bank
    output logic [SelectBits-1:0] constant_bank_o,    // the bank in those bits
    // a stage: its steps
    input  logic [  LogNBits-1:0] step_stage_i,
    output logic                  last_stage_o,
    output logic [  StepBits-1:0] held_o,             // bits of a step that the common part does not have
    // a step, and held_o of its stage
    input  logic [  StepBits-1:0] step_i,             // {block, l, g}
    input  logic [  StepBits-1:0] held_i,
    output logic                  first_o,            // seed times constant
    output logic [  WordBits-1:0] seed_word_o,
    output logic                  change_o            // not first: times the factor, otherwise as a round before
);

  import rs_ntt_pkg::*;

  localparam int unsigned ConstantRow = twiddle_scalar_rows(LogLanes);

  // ---- a stage ----------------------------------------------------------------------------------------------------------
  logic [LogNBits-1:0] addr_bits, stages_left, factor_step;
  assign addr_bits         = log_n_i - LogNBits'(2 + LogLanes);
  assign stages_left       = log_n_i - stage_i;
  // The common part of a twiddle lasts 2^(addr_bits - stage + 1) steps; from where that is a round of the ring on, all stages have the
  // factor of a round.
  assign factor_step       = stage_i + LogNBits'(LogRing) > addr_bits ? addr_bits + 1'b1 - LogNBits'(LogRing) : stage_i;
  assign factor_word_o     = WordBits'(TwiddleSeeds) + WordBits'(factor_step);
  assign constant_scalar_o = stage_i < addr_bits;
  assign constant_word_o   = WordBits'(TwiddleSeeds + 1) + WordBits'(stage_i);

  // The last two stages have a constant for every lane; before, below the bits of the lane that matter sits a 1, and zeros.
  always_comb begin
    for (int j = 0; j < int'(SelectBits); j++) begin
      constant_fixed_o[j] = stages_left > LogNBits'(j + 2);
      constant_bank_o[j]  = stages_left == LogNBits'(j + 3);
    end
    constant_row_o = RowBits'(ConstantRow);
    if (stages_left == LogNBits'(2)) constant_row_o = RowBits'(ConstantRow + 1);
    if (stages_left == LogNBits'(1)) constant_row_o = RowBits'(ConstantRow + 2);
  end

  // ---- a step -----------------------------------------------------------------------------------------------------------
  logic [LogNBits-1:0] step_left, hold;
  assign step_left = log_n_i - step_stage_i;
  assign last_stage_o = step_left == LogNBits'(1);
  // log2 of the steps that have the common part in common: two, with the two values of g, but in the last stage
  assign hold = last_stage_o ? '0 : step_left <= LogNBits'(LogLanes + 2) ? LogNBits'(1) : step_left - LogNBits'(LogLanes + 1);
  assign held_o = ~({StepBits{1'b1}} << hold);
  assign first_o = (step_i >> LogRing) == '0;
  assign seed_word_o = WordBits'(step_i & ~held_i);
  assign change_o = ((step_i & held_i) >> LogRing) == '0;

endmodule
