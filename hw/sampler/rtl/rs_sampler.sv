// SPDX-License-Identifier: Apache-2.0
// rs_sampler: small private polynomials from the private stream: centred binomial or ternary, LanesOut coefficients per beat.
// Model:   lib/include/ringside/golden/sample.h rs_sample_cbd21, rs_sample_ternary (bit-exact); value k is coefficient brv(k)
// Params:  LanesOut: a power of two; PieceBytes: 136, whole blocks, or less, pieces of blocks (rs_xof); TernaryBytes: bytes per cycle
//          of the ternary sampler, a divisor of PieceBytes and, with whole blocks, of 6 * LanesOut; LogNMax
// Bounds:  log2(LanesOut) <= log_n_i <= LogNMax; value i of a beat is data_sec_o[i], beats are in order of the stream
// Timing:  cycles from start_i to done_o are a function of ternary_i, log_n_i and the arrival of the stream alone (README has figures)

module rs_sampler #(
    parameter int unsigned LanesOut = 4,
    parameter int unsigned PieceBytes = 136,
    parameter int unsigned TernaryBytes = 1,
    parameter int unsigned LogNMax = 17,
    localparam int unsigned LogNBits = $clog2(LogNMax + 1),
    localparam int unsigned BlockBits = rs_xof_pkg::private_bits(LogNMax)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            clear_i,    // wipes and stops
    input  logic                            start_i,    // when not busy
    input  logic                            ternary_i,  // else centred binomial; this and the next stable while busy
    input  logic        [LogNBits-1:0]      log_n_i,
    output logic                            busy_o,     // from the cycle after start_i to done_o
    output logic                            done_o,     // at least a cycle after the last beat; everything is wiped a cycle later
    output logic                            valid_o,
    output logic                            keep_o,     // the beat carries coefficients: always, except for ternary
    output logic signed [LanesOut-1:0][5:0] data_sec_o,

    // the private stream
    output logic                    xof_clear_o,
    output logic                    xof_start_o,
    output logic [   BlockBits-1:0] xof_limit_o,    // number of blocks
    output logic                    xof_ready_o,    // whole blocks: one is taken in the next cycle; pieces: in this one
    input  logic                    xof_valid_i,
    input  logic [8*PieceBytes-1:0] xof_data_sec_i
);
  import rs_xof_pkg::*;

  localparam int unsigned CoefBits = LogNMax + 1;

  if (LanesOut == 0 || (LanesOut & (LanesOut - 1)) != 0 || LanesOut > 2 ** LogNMax) begin : gen_illegal
    $fatal(1, "%m: LanesOut must be a power of two, at most 2^LogNMax");
  end

  logic busy_q, done_q, stop, wipe_q, start_q;
  logic [BlockBits-1:0] cbd_limit, ternary_budget, ternary_limit, cbd_limit_q;
  logic [CoefBits-1:0] coefs;
  logic beat_valid;
  logic [48*LanesOut-1:0] beat_sec;
  logic cbd_done, cbd_valid;
  logic ternary_done, ternary_ready, ternary_valid, ternary_keep;
  logic signed [LanesOut-1:0][5:0] cbd_sec;
  logic signed [LanesOut-1:0][1:0] ternary_sec;

  always_comb begin
    coefs = '0;
    cbd_limit = '0;
    ternary_budget = '0;
    for (int unsigned k = 0; k <= LogNMax; k++) begin
      if (log_n_i == LogNBits'(k)) begin
        coefs = CoefBits'(2 ** k);
        cbd_limit = BlockBits'(cbd_blocks(2 ** k));
        ternary_budget = BlockBits'(ternary_blocks(2 ** k));
      end
    end
  end

  // what is wide is wiped by a flip-flop, a cycle later; until then nothing leaves it
  assign stop = clear_i || done_q;
  always_ff @(posedge clk_i) begin
    wipe_q <= !rst_ni || stop;
    cbd_limit_q <= cbd_limit;
    if (!rst_ni || stop) begin
      busy_q  <= 1'b0;
      done_q  <= 1'b0;
      start_q <= 1'b0;
    end else begin
      busy_q  <= busy_q || start_i;
      done_q  <= cbd_done || ternary_done;
      start_q <= start_i;  // one cycle later, when log_n_i and the rest are sure to be stable
    end
  end
  assign busy_o = busy_q;
  assign done_o = done_q;

  assign xof_clear_o = wipe_q;
  assign xof_start_o = start_q;
  assign xof_limit_o = ternary_i ? ternary_limit : cbd_limit_q;

  if (PieceBytes == BlockBytes) begin : gen_blocks
    rs_stream_gear #(
        .InBytes (BlockBytes),
        .OutBytes(6 * LanesOut),
        .AltBytes(TernaryBytes)
    ) u_gear (
        .clk_i,
        .rst_ni,
        .clear_i(wipe_q),
        .alt_i  (ternary_i),
        .room_o (xof_ready_o),
        .valid_i(xof_valid_i),
        .data_i (xof_data_sec_i),
        .valid_o(beat_valid),
        .ready_i(ternary_ready),
        .data_o (beat_sec)
    );
  end else begin : gen_pieces
    rs_piece_gear #(
        .InBytes (PieceBytes),
        .OutBytes(6 * LanesOut),
        .AltBytes(TernaryBytes)
    ) u_gear (
        .clk_i,
        .rst_ni,
        .clear_i(wipe_q),
        .alt_i  (ternary_i),
        .valid_i(xof_valid_i),
        .ready_o(xof_ready_o),
        .data_i (xof_data_sec_i),
        .valid_o(beat_valid),
        .ready_i(ternary_ready),
        .data_o (beat_sec)
    );
  end

  rs_sample_cbd #(
      .LanesOut(LanesOut),
      .CoefBits(CoefBits)
  ) u_cbd (
      .clk_i,
      .rst_ni,
      .clear_i(stop || wipe_q),
      .start_i(start_q && !ternary_i),
      .coefs_i(coefs),
      .done_o(cbd_done),
      .valid_i(beat_valid && !ternary_i),
      .data_sec_i(beat_sec),
      .valid_o(cbd_valid),
      .data_sec_o(cbd_sec)
  );

  rs_sample_ternary #(
      .LanesOut (LanesOut),
      .BytesIn  (TernaryBytes),
      .CoefBits (CoefBits),
      .BlockBits(BlockBits)
  ) u_ternary (
      .clk_i,
      .rst_ni,
      .clear_i(stop || wipe_q),
      .start_i(start_q && ternary_i),
      .coefs_i(coefs),
      .blocks_i(ternary_budget),
      .limit_o(ternary_limit),
      .done_o(ternary_done),
      .valid_i(beat_valid && ternary_i),
      .ready_o(ternary_ready),
      .data_sec_i(beat_sec[8*TernaryBytes-1:0]),
      .valid_o(ternary_valid),
      .keep_o(ternary_keep),
      .data_sec_o(ternary_sec)
  );

  assign valid_o = ternary_i ? ternary_valid : cbd_valid;
  assign keep_o  = ternary_i ? ternary_keep : 1'b1;
  for (genvar i = 0; i < LanesOut; i++) begin : gen_out
    assign data_sec_o[i] = ternary_i ? {{4{ternary_sec[i][1]}}, ternary_sec[i]} : cbd_sec[i];
  end
endmodule
