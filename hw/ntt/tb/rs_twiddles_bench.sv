// SPDX-License-Identifier: Apache-2.0
// rs_twiddles_bench: rs_twiddles with the addresses that a transform makes, and no transform.
module rs_twiddles_bench #(
    parameter int unsigned W = 32,
    parameter int unsigned LogNMax = 10,
    parameter int unsigned LogLanes = 2,
    parameter int unsigned Contexts = 2,
    parameter int unsigned ChunkWords = 4,
    parameter bit OnTheFly = 1'b0,
    localparam int unsigned Lanes = 1 << LogLanes,
    localparam int unsigned AddrBits = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits = rs_ntt_pkg::LogNBits,
    localparam int unsigned WriteLag = rs_ntt_pkg::write_lag(LogLanes, rs_pkg::lane_latency(W)),
    localparam int unsigned ReorderLatency = rs_ntt_pkg::reorder_latency(LogLanes, rs_pkg::lane_latency(W)),
    localparam int unsigned TwiddleLatency = rs_ntt_pkg::twiddle_latency(LogLanes, OnTheFly, rs_pkg::modmul_latency(W))
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic [  LogNBits-1:0]        log_n_i,
    input  logic                         load_start_i,
    input  logic [           1:0]        load_ctx_i,
    input  logic                         load_valid_i,
    output logic                         load_ready_o,
    input  logic [ChunkWords-1:0][W-1:0] load_i,
    output logic                         load_done_o,
    output logic [     LogNMax:0]        words_o,
    input  logic                         start_i,
    input  logic [           1:0]        ctx_i,
    input  logic                         inverse_i,
    input  logic [         W-1:0]        q_i,
    output logic                         operands_o,    // at the lanes: address, memory, operand register, INTT: reordering
    output logic                         done_o,
    output logic [     Lanes-1:0][W-1:0] twiddle_o
);

  logic read, reads_early, reads_late, request;
  logic [AddrBits+1:0] addr;
  logic [SelectBits-1:0] fixed, bank;
  logic [LogNBits-1:0] stage;
  logic [  AddrBits:0] step;

  rs_ntt_addr #(
      .LogNMax       (LogNMax),
      .LogLanes      (LogLanes),
      .WriteLag      (WriteLag),
      .ReorderLatency(ReorderLatency),
      .TwiddleLatency(TwiddleLatency)
  ) u_addr (
      .clk_i,
      .rst_ni,
      .start_i,
      .fft_i           (1'b0),
      .inverse_i,
      .log_n_i,
      .part_i          (2'd0),
      .read_o          (read),
      .read_group_o    (),
      .read_addr_o     (),
      .write_o         (),
      .write_group_o   (),
      .write_addr_o    (),
      .done_o,
      .end_o           (),
      .twiddle_o       (request),
      .twiddle_addr_o  (addr),
      .twiddle_fixed_o (fixed),
      .twiddle_bank_o  (bank),
      .twiddle_stage_o (stage),
      .twiddle_step_o  (step),
      .twiddle_second_o(),
      .twiddle_odd_o   (),
      .component_o     (),
      .phase_o         ()
  );

  rs_delay #(
      .Width (1),
      .Cycles(3)
  ) u_forward (
      .clk_i,
      .data_i(read),
      .data_o(reads_early)
  );

  rs_delay #(
      .Width (1),
      .Cycles(ReorderLatency)
  ) u_inverse (
      .clk_i,
      .data_i(reads_early),
      .data_o(reads_late)
  );

  assign operands_o = inverse_i ? reads_late : reads_early;

  rs_twiddles #(
      .W         (W),
      .LogNMax   (LogNMax),
      .LogLanes  (LogLanes),
      .Contexts  (Contexts),
      .ChunkWords(ChunkWords),
      .OnTheFly  (OnTheFly)
  ) u_twiddles (
      .clk_i,
      .rst_ni,
      .log_n_i,
      .load_start_i,
      .load_ctx_i,
      .load_roots_i(1'b0),
      .load_part_i (2'd0),
      .load_valid_i,
      .load_ready_o,
      .load_i,
      .load_done_o,
      .words_o,
      .ctx_i,
      .inverse_i,
      .q_i,
      .read_i      (request),
      .addr_i      (addr),
      .fixed_i     (fixed),
      .bank_i      (bank),
      .stage_i     (stage),
      .step_i      (step),
      .twiddle_o
  );

endmodule
