// SPDX-License-Identifier: Apache-2.0
// rs_stream_ntt_bench: the engine, and twiddles from whole tables: live limb number k has modulus k mod Moduli.
module rs_stream_ntt_bench #(
    parameter int unsigned W       = 32,
    parameter int unsigned P       = 2,
    parameter int unsigned LogNMax = 11,
    parameter int unsigned Engines = 1,
    parameter int unsigned LutRows = 64,
    parameter int unsigned Moduli  = 3
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             load_i,          // a word of a table
    input  logic [        1:0]               load_modulus_i,
    input  logic [LogNMax-1:0]               load_index_i,
    input  logic [      W-1:0]               load_word_i,
    input  logic                             start_i,
    input  logic [        4:0]               log_n_i,
    input  logic                             starve_i,        // no twiddles
    input  logic                             valid_i,
    input  logic                             first_i,
    input  logic                             last_i,
    input  logic                             live_i,
    input  logic [      W-1:0]               q_i,
    input  logic [Engines-1:0][P-1:0][W-1:0] words_i,
    output logic                             late_o,
    output logic                             valid_o,
    output logic                             first_o,
    output logic [Engines-1:0][P-1:0][W-1:0] words_o,
    output logic [       31:0]               latency_o,       // the latency of log_n_i
    output logic [       31:0]               in_flight_o
);
  localparam int unsigned LogLanes = $clog2(P);
  localparam int unsigned Pairs = P / 2;
  localparam int unsigned LatencyOf65536 = rs_stream_pkg::latency(16, LogLanes, W);

  assign latency_o   = rs_stream_pkg::latency(32'(log_n_i), LogLanes, W);
  assign in_flight_o = rs_stream_pkg::in_flight(32'(log_n_i), LogLanes, W);

  logic [W-1:0] table_q[Moduli << LogNMax];
  always_ff @(posedge clk_i) if (load_i) table_q[(32'(load_modulus_i)<<LogNMax)+32'(load_index_i)] <= load_word_i;

  logic [LogNMax-1:0][Pairs-1:0][W-1:0] twiddle;
  logic [LogNMax-1:0] take;

  for (genvar b = 0; b < LogNMax; b++) begin : gen_stages
    int unsigned modulus_q, set_q, stage, sets, first;
    assign stage = rs_stream_pkg::stage_of(b, LogNMax, 32'(log_n_i), LogLanes);
    assign sets  = b < LogLanes ? 1 : 1 << (stage + 1 - LogLanes);
    assign first = b + 1 < LogLanes ? 0 : (1 << stage) + set_q * Pairs;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) begin
        modulus_q <= 0;
        set_q <= 0;
      end else if (take[b]) begin
        set_q <= set_q + 1 == sets ? 0 : set_q + 1;
        if (set_q + 1 == sets) modulus_q <= modulus_q + 1 == Moduli ? 0 : modulus_q + 1;
      end
    end
    for (genvar i = 0; i < Pairs; i++) begin : gen_pairs
      assign twiddle[b][i] = rs_stream_pkg::used(
          b, LogNMax, 32'(log_n_i), LogLanes
      ) && rs_stream_pkg::has_set(
          b, LogLanes
      ) ? table_q[(modulus_q<<LogNMax)+first+i] : '1;
    end
  end

  rs_stream_ntt #(
      .W      (W),
      .P      (P),
      .LogNMax(LogNMax),
      .Engines(Engines),
      .LutRows(LutRows)
  ) u_ntt (
      .clk_i,
      .rst_ni,
      .start_i,
      .log_n_i,
      .wipe_i         (1'b0),
      .valid_i,
      .first_i,
      .last_i,
      .live_i,
      .q_i,
      .words_i,
      .twiddle_i      (twiddle),
      .twiddle_valid_i({LogNMax{!starve_i}}),
      .take_o         (take),
      .late_o,
      .valid_o,
      .first_o,
      .words_o
  );

endmodule
