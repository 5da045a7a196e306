// SPDX-License-Identifier: Apache-2.0
// rs_ntt_walk: counts through the stages of a transform and the steps of a stage; of an FFT slots of two cycles.
// Params:  LogNMax, LogLanes, WriteLag (rs_ntt_pkg::write_lag); Encode: fft_i is there; Sliced: slices_i is, in which a stage takes that many
//          polynomials one after the other
// Bounds:  log_n_i (fft_i, part_i, slices_i likewise) in LogLanes + 4 .. LogNMax, with Sliced from LogLanes + 3 on, held from the cycle before
//          start_i until the walk ends; slices in 2^LogNMax words
// Timing:  first step in the cycle after start_i; log_n_i stages of rs_ntt_pkg::stage_cycles, the last without its pause;
//          with fft_i log_n_i - 1 stages of rs_ntt_pkg::fft_stage_slots, and last_o comes in the second cycle of the last slot
module rs_ntt_walk #(
    parameter  int unsigned LogNMax  = 13,
    parameter  int unsigned LogLanes = 2,
    parameter  int unsigned WriteLag = 25,
    parameter  bit          Encode   = 1'b0,
    parameter  bit          Sliced   = 1'b0,
    localparam int unsigned StepBits = LogNMax - 1 - LogLanes,
    localparam int unsigned LogNBits = rs_ntt_pkg::LogNBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic inverse_i,  // stages from the last to the first
    input logic fft_i,
    input logic [LogNBits-1:0] log_n_i,
    input logic [rs_ntt_pkg::SliceBits-1:0] slices_i,  // less one
    input logic [1:0] part_i,  // with Encode, of the inverse: its first stage (1), its second one (2), all others (3); 0: all
    output logic valid_o,  // a step in this cycle
    output logic last_o,  // the transform's last
    output logic [LogNBits-1:0] stage_o,
    output logic [LogNBits-1:0] turn_o,  // stage mod address bits
    output logic [StepBits-1:0] step_o,  // {block, l, g}, or the number of the slot
    output logic second_o  // the second of the slot's cycles
);

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end

  // Address bits of a transform: what lanes and the two bits of the butterflies leave.
  localparam int unsigned AddrBitsMax = LogNMax - 2 - LogLanes;
  localparam int unsigned CountBits = $clog2((2 << AddrBitsMax) + WriteLag + 4);

  typedef logic [AddrBitsMax:0][CountBits-1:0] counts_t;
  typedef logic [AddrBitsMax:0][LogNBits-1:0] turns_t;

  function automatic counts_t stage_ends();
    for (int unsigned a = 0; a <= AddrBitsMax; a++) begin
      stage_ends[a] = CountBits'(rs_ntt_pkg::stage_cycles(a, WriteLag) - 1);
    end
  endfunction

  function automatic counts_t fft_stage_ends();
    for (int unsigned a = 0; a <= AddrBitsMax; a++) begin
      fft_stage_ends[a] = CountBits'(rs_ntt_pkg::fft_stage_slots(a, LogLanes, rs_ntt_pkg::fft_lag(WriteLag)) - 1);
    end
  endfunction

  // (log2 N - 1) mod address bits: where the inverse starts; with its later parts one stage less, or two
  function automatic turns_t last_turns(input int unsigned skipped);
    last_turns[0] = '0;
    for (int unsigned a = 1; a <= AddrBitsMax; a++) last_turns[a] = LogNBits'((a + 1 + LogLanes - skipped) % a);
  endfunction

  // (log2 N - 2) mod address bits of a point
  function automatic turns_t fft_last_turns();
    for (int unsigned a = 0; a <= AddrBitsMax; a++) begin
      fft_last_turns[a] = a < 2 ? '0 : LogNBits'((a + LogLanes) % rs_ntt_pkg::fft_addr_bits(a, LogLanes));
    end
  endfunction

  // numbers of slices that need a pause: a stage that takes many words has none, so few of them are in the table
  localparam int unsigned Few = rs_ntt_pkg::unpaused(WriteLag);
  localparam int unsigned FewBits = $clog2(Few);
  typedef logic [Few-1:0][AddrBitsMax:0][CountBits-1:0] pauses_t;

  function automatic pauses_t pauses();
    for (int unsigned s = 0; s < Few; s++) begin
      for (int unsigned a = 0; a <= AddrBitsMax; a++) pauses[s][a] = CountBits'(rs_ntt_pkg::sliced_pause(a, s + 1, WriteLag));
    end
  endfunction

  localparam counts_t StageEnd = stage_ends();
  localparam turns_t [2:0] LastTurn = {last_turns(2), last_turns(1), last_turns(0)};
  localparam counts_t FftStageEnd = fft_stage_ends();
  localparam turns_t FftLastTurn = fft_last_turns();
  localparam int unsigned AddrBitsBits = $clog2(AddrBitsMax + 1);

  // ---- constants of log2 N ------------------------------------------------------------------------------------------------
  logic [LogNBits-1:0] addr_bits, last_stage, last_stage_q, last_turn, last_turn_q, high_turn_q;
  logic [AddrBitsBits-1:0] row;
  logic [CountBits-1:0]
      before_end, before_steps, before_end_q, before_steps_q;  // one before a stage's last cycle, and before its last step
  assign addr_bits = log_n_i - LogNBits'(2 + LogLanes);
  assign row       = addr_bits[AddrBitsBits-1:0];
  logic fft, second_q;
  logic [1:0] skipped;  // stages of the inverse
  logic alone_q;  // one of them is all
  assign fft = Encode && fft_i;
  assign skipped = Encode && part_i != '0 ? part_i - 1'b1 : '0;

  // before a slot's second cycle is its first
  always_ff @(posedge clk_i) begin
    last_stage_q   <= log_n_i - 1'b1 - LogNBits'(skipped);
    last_turn_q    <= LastTurn[skipped][row];
    alone_q        <= Encode && (part_i == 2'd1 || part_i == 2'd2);
    high_turn_q    <= fft && LogLanes == 0 ? addr_bits - LogNBits'(2) : addr_bits - 1'b1;
    before_end_q   <= fft ? FftStageEnd[row] : Sliced ? before_end : StageEnd[row] - 1'b1;
    before_steps_q <= fft ? ~(~CountBits'(1) << addr_bits) : Sliced ? before_steps : ~(~CountBits'(1) << addr_bits) - 1'b1;
  end

  if (Sliced) begin : gen_sliced
    localparam pauses_t Pause = pauses();
    logic few;
    assign few          = slices_i >> FewBits == '0;
    assign before_steps = CountBits'(slices_i) << addr_bits << 1 | (~(~CountBits'(1) << addr_bits) - 1'b1);
    assign before_end   = before_steps + (few ? Pause[slices_i[FewBits-1:0]][row] : '0);
  end else begin : gen_whole
    assign {before_end, before_steps} = '0;
    logic unused;
    assign unused = ^slices_i;
  end

  // an INTT may begin in the cycle after an FFT: with its own constants
  if (Encode) begin : gen_last
    logic [LogNBits-1:0] fft_last_stage_q, fft_last_turn_q;
    always_ff @(posedge clk_i) begin
      fft_last_stage_q <= log_n_i - LogNBits'(2);
      fft_last_turn_q  <= FftLastTurn[row];
    end
    assign last_stage = fft ? fft_last_stage_q : last_stage_q;
    assign last_turn  = fft ? fft_last_turn_q : last_turn_q;
  end else begin : gen_ntt_last
    assign last_stage = last_stage_q;
    assign last_turn  = last_turn_q;
  end

  // ---- the walk: what a cycle is, is found in the one before ----------------------------------------------------------------
  logic active_q, stage_end_q, steps_end_q, final_q, paused_q;
  logic [CountBits-1:0] count_q;
  logic [LogNBits-1:0] stage_q, turn_q;

  assign valid_o  = active_q && !paused_q;
  assign last_o   = active_q && final_q && steps_end_q;
  assign stage_o  = stage_q;
  assign turn_o   = turn_q;
  assign step_o   = count_q[StepBits-1:0];
  assign second_o = fft && second_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (start_i) active_q <= 1'b1;
    else if (last_o) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    second_q    <= !start_i && fft && !second_q;
    stage_end_q <= !start_i && count_q == before_end_q && !second_o;
    steps_end_q <= !start_i && count_q == before_steps_q && !second_o;
    // late by a cycle, in which no stage ends
    final_q     <= stage_q == (inverse_i && !alone_q ? '0 : last_stage);
    if (start_i || stage_end_q) begin
      count_q  <= '0;
      paused_q <= 1'b0;
    end else begin
      count_q <= count_q + CountBits'(!fft || second_q);
      if (steps_end_q) paused_q <= 1'b1;
    end
    if (start_i) begin
      stage_q <= inverse_i ? last_stage : '0;
      turn_q  <= inverse_i ? last_turn : '0;
    end else if (stage_end_q) begin
      stage_q <= inverse_i ? stage_q - 1'b1 : stage_q + 1'b1;
      if (inverse_i) turn_q <= turn_q == '0 ? high_turn_q : turn_q - 1'b1;
      else turn_q <= turn_q == high_turn_q ? '0 : turn_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && active_q) begin
      assert (stage_q < log_n_i - LogNBits'(fft) && turn_q == stage_q % (addr_bits - LogNBits'(fft && LogLanes == 0)))
      else $error("%m: stage %0d of %0d has turn %0d", stage_q, log_n_i, turn_q);
      assert (count_q <= (fft ? FftStageEnd[row] : Sliced ? before_end + 1'b1 : StageEnd[row]) && !(final_q && paused_q) &&
              paused_q == (Sliced && !fft ? (count_q >> addr_bits >> 1) > CountBits'(slices_i) :  // slices + 1 of them
      (count_q >> addr_bits) > CountBits'(1)))
      else $error("%m: cycle %0d", count_q);
      assert (!inverse_i || (alone_q ? stage_q == last_stage : stage_q <= last_stage))
      else $error("%m: stage %0d is of another part", stage_q);
    end
  end
`endif

endmodule
