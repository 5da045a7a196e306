// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_seeds: when twiddles on the fly read which words of the image, and what the rings do with them.
//   step of the stage   0         1       2       3     4       5     6       7 ...     (2 .. 2^LogRing + 1: the ring's first round)
//   reads               constant  factor  seed 0  one   seed 2        seed 4            (the last stage: a seed in every step, no one)
// Model:   docs/ntt_schedule.md, "Twiddles"
// Params:  LogNMax, LogLanes, LogRing (rs_ntt_pkg::log_twiddle_ring)
// Bounds:  log_n_i in LogLanes + 4 .. LogNMax; a stage goes on, or pauses, for two cycles after the ring's first round
// Timing:  outputs a cycle later; everything about steps TwiddleLead cycles after that
module rs_twiddle_seeds #(
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned LogRing    = 4,
    localparam int unsigned StepBits   = LogNMax - 1 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned RowBits    = $clog2(rs_ntt_pkg::twiddle_rows(LogLanes)),
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic [  LogNBits-1:0] log_n_i,
    input  logic                  valid_i,
    input  logic [  LogNBits-1:0] stage_i,     // the stage of the next cycle's step
    input  logic [  StepBits-1:0] step_i,
    // a read of the banks
    output logic                  read_o,
    output logic [   RowBits-1:0] row_o,
    output logic [SelectBits-1:0] fixed_o,     // lane bits that do not choose the bank
    output logic [SelectBits-1:0] bank_o,      // the bank in those bits
    // what is read
    output logic                  constant_o,
    output logic                  factor_o,
    output logic                  one_o,
    output logic                  seed_o,
    // what the rings do
    output logic                  keep_o,      // the seed of the step before once more; without a step, so that nothing toggles
    output logic                  first_o,     // seed times constant
    output logic                  change_o     // not first: times the factor, otherwise times one
);

  import rs_ntt_pkg::*;

  localparam int unsigned WordBits = $clog2(TwiddleSeeds + TwiddleSteps);

  logic [TwiddleLead-1:0] valid_q;
  logic [LogNBits-1:0] late_stage;
  logic [StepBits-1:0] late_step;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= TwiddleLead'({valid_q, valid_i});
  end

  rs_delay #(
      .Width (LogNBits + StepBits),
      .Cycles(TwiddleLead)
  ) u_late (
      .clk_i,
      .data_i({stage_i, step_i}),
      .data_o({late_stage, late_step})
  );

  logic in_first, change;
  logic [WordBits-1:0] seed_word;
  // words of a stage; in registers when its steps come
  logic constant_scalar, constant_scalar_q, last_stage, last_stage_q;
  logic [WordBits-1:0] factor_word, factor_word_q, constant_word, constant_word_q;
  logic [SelectBits-1:0] constant_fixed, constant_fixed_q, constant_bank, constant_bank_q;
  logic [RowBits-1:0] constant_row, constant_row_q;
  logic [StepBits-1:0] held, held_q;

  rs_twiddle_seed_index #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .LogRing (LogRing)
  ) u_index (
      .log_n_i,
      .stage_i,
      .factor_word_o    (factor_word),
      .constant_scalar_o(constant_scalar),
      .constant_word_o  (constant_word),
      .constant_row_o   (constant_row),
      .constant_fixed_o (constant_fixed),
      .constant_bank_o  (constant_bank),
      .step_stage_i     (late_stage),
      .last_stage_o     (last_stage),
      .held_o           (held),
      .step_i           (late_step),
      .held_i           (held_q),
      .first_o          (in_first),
      .seed_word_o      (seed_word),
      .change_o         (change)
  );

  always_ff @(posedge clk_i) begin
    factor_word_q     <= factor_word;
    constant_scalar_q <= constant_scalar;
    constant_word_q   <= constant_word;
    constant_row_q    <= constant_row;
    constant_fixed_q  <= constant_fixed;
    constant_bank_q   <= constant_bank;
    last_stage_q      <= last_stage;
    held_q            <= held;
  end

  // ---- one read per cycle -----------------------------------------------------------------------------------------------
  logic constant, factor, one, seed, first, scalar;
  logic [WordBits-1:0] word;
  assign constant = valid_i && step_i == StepBits'(0);
  assign factor   = valid_i && step_i == StepBits'(1);
  assign first    = valid_q[TwiddleLead-1] && in_first;
  assign seed     = first && (last_stage_q || !late_step[0]);
  assign one      = first && !last_stage_q && late_step == StepBits'(1);
  assign scalar   = seed || factor || (constant && constant_scalar_q);
  assign word     = constant ? constant_word_q : factor ? factor_word_q : seed_word;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_o <= 1'b0;
    else read_o <= constant || factor || one || seed;
  end

  always_ff @(posedge clk_i) begin
    if (scalar) begin
      row_o   <= RowBits'(word >> LogLanes);
      fixed_o <= '1;
      bank_o  <= SelectBits'(word);
    end else if (one) begin  // psi^0, a constant of lane 0
      row_o   <= RowBits'(twiddle_scalar_rows(LogLanes));
      fixed_o <= '1;
      bank_o  <= '0;
    end else begin
      row_o   <= constant_row_q;
      fixed_o <= constant_fixed_q;
      bank_o  <= constant_bank_q;
    end
    constant_o <= constant;
    factor_o   <= factor;
    one_o      <= one;
    seed_o     <= seed;
    keep_o     <= !valid_q[TwiddleLead-1] || (first && !seed);
    first_o    <= first;
    change_o   <= change;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!((constant || factor) && first))
      else $error("%m: a stage begins in the first round of the one before");
    end
  end
`endif

endmodule
