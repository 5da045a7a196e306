// SPDX-License-Identifier: Apache-2.0
// rs_fields_bench: a polynomial from a seed: rs_sponge with rs_parse_uniform and rs_sample_small behind it.
module rs_fields_bench #(
    parameter  int unsigned RoundsPerCycle = 1,
    parameter  int unsigned BeatLanes      = 1,
    parameter  int unsigned Candidates     = 4,
    parameter  int unsigned Words          = 4,
    localparam int unsigned BeatBytes      = 8 * BeatLanes,
    localparam int unsigned ByteBits       = $clog2(BeatBytes + 1)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       start_i,
    input  logic                       is_private_i,
    input  logic [          2:0]       kind_i,
    input  logic [          1:0]       rate_i,
    input  logic                       valid_i,
    output logic                       ready_o,
    input  logic [BeatBytes-1:0][ 7:0] data_i,
    input  logic                       last_i,
    input  logic [ ByteBits-1:0]       bytes_i,
    input  logic [         10:0]       coefs_i,
    output logic                       valid_o,
    output logic [    Words-1:0][22:0] data_o,
    output logic                       done_o
);
  logic beat_valid, parse_ready, small_ready, half, parse_valid, small_valid, parse_done, small_done;
  logic [BeatLanes-1:0][63:0] beat;
  logic [Words-1:0][22:0] parsed;
  logic signed [Words-1:0][20:0] sampled;

  rs_sponge #(
      .RoundsPerCycle(RoundsPerCycle),
      .BeatLanes(BeatLanes)
  ) u_sponge (
      .clk_i,
      .rst_ni,
      .clear_i(done_o),
      .start_i,
      .rate_i(rs_hash_pkg::rate_e'(rate_i)),
      .sha3_i(1'b0),
      .valid_i,
      .ready_o,
      .data_sec_i(data_i),
      .last_i,
      .bytes_i,
      .valid_o(beat_valid),
      .ready_i(is_private_i ? small_ready : parse_ready),
      .data_sec_o(beat),
      .half_o(half)
  );

  rs_parse_uniform #(
      .BeatLanes (BeatLanes),
      .Candidates(Candidates),
      .Words     (Words)
  ) u_parse (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .start_i(start_i && !is_private_i),
      .kind_i (rs_field_pkg::parse_e'(kind_i)),
      .coefs_i,
      .valid_i(beat_valid && !is_private_i),
      .ready_o(parse_ready),
      .half_i (half),
      .data_i (beat),
      .valid_o(parse_valid),
      .data_o (parsed),
      .done_o (parse_done)
  );

  rs_sample_small #(
      .BeatLanes(BeatLanes),
      .Words    (Words)
  ) u_small (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .start_i(start_i && is_private_i),
      .kind_i(rs_field_pkg::small_e'(kind_i)),
      .coefs_i,
      .valid_i(beat_valid && is_private_i),
      .ready_o(small_ready),
      .half_i(half),
      .data_sec_i(beat),
      .valid_o(small_valid),
      .data_sec_o(sampled),
      .done_o(small_done)
  );

  assign valid_o = is_private_i ? small_valid : parse_valid;
  assign done_o  = is_private_i ? small_done : parse_done;
  for (genvar i = 0; i < Words; i++) begin : gen_word
    assign data_o[i] = is_private_i ? 23'($signed(sampled[i])) : parsed[i];
  end
endmodule
