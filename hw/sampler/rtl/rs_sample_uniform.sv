// SPDX-License-Identifier: Apache-2.0
// rs_sample_uniform: the public uniform polynomial of a seed, limb by limb, as SEAL expands it.
// Model:   lib/include/ringside/sample.h rs_uniform_init, rs_uniform_next with RS_SEED_SHAKE256 (bit-exact)
// Params:  W: width of residues, 16 to 60; LogNMax; LimbBits: width of the number of limbs; RoundsPerCycle of both cores (rs_keccak)
// Bounds:  9 <= log_n_i <= LogNMax; 2^(W-1) need not be reached by q_i, 2 < q_i < 2^W
// Timing:  public data only: time depends on the seed; about max(1, 31 * 24 / RoundsPerCycle / 512) cycles per word
//
// A word from max_multiple on is dropped, and the next acceptable word of a second stream, which begins where the bulk of all limbs
// ends, takes its place. The second stream has a core of its own and goes on from limb to limb.

module rs_sample_uniform #(
    parameter int unsigned W = 60,
    parameter int unsigned LogNMax = 17,
    parameter int unsigned LimbBits = 6,
    parameter int unsigned RoundsPerCycle = 1,
    localparam int unsigned LogNBits = $clog2(LogNMax + 1)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                init_i,          // a new expansion: seed_i, log_n_i and limb_count_i stable from here to its end
    input  logic [       511:0] seed_i,          // byte i is [8 * i +: 8]
    input  logic [LogNBits-1:0] log_n_i,
    input  logic [LimbBits-1:0] limb_count_i,
    input  logic                start_i,         // the next limb, not before the cycle after init_i or done_o
    input  logic [       W-1:0] q_i,             // this and the next two stable from start_i to done_o
    input  logic [        63:0] ratio64_i,       // floor(2^64 / q)
    input  logic [        63:0] max_multiple_i,  // 2^64 - 1 - ((2^64 - 1) mod q) - 1
    output logic                done_o,          // the cycle after the last word is taken
    output logic                valid_o,         // stays, with data_o unchanged, until ready_i
    input  logic                ready_i,
    output logic [       W-1:0] data_o           // words in order, each below q
);
  localparam int unsigned LogBlockWords = 9;
  localparam int unsigned BlockBits = LogNMax - LogBlockWords + LimbBits + 2;
  localparam int unsigned CountBits = LogNMax + 1;
  localparam int unsigned Latency = 2 * rs_pkg::mul_latency(64, 64) + 2;
  // words under way or waiting; a place is free again one cycle after its word left
  localparam int unsigned Depth = Latency + 2;
  localparam int unsigned PlaceBits = $clog2(Depth + 1);

  if (LogNMax < LogBlockWords) begin : gen_illegal
    $fatal(1, "%m: LogNMax must be at least 9");
  end

  // ---- two streams ------------------------------------------------------------------------------------------------------------
  logic init_q;
  logic [BlockBits-1:0] spare_first;
  logic bulk_valid, bulk_ready, spare_valid, spare_ready;
  logic [63:0] bulk, spare;

  always_ff @(posedge clk_i) init_q <= rst_ni && init_i;
  assign spare_first = BlockBits'(limb_count_i) << (log_n_i - LogNBits'(LogBlockWords));

  rs_xof_public #(
      .RoundsPerCycle(RoundsPerCycle),
      .BlockBits(BlockBits)
  ) u_bulk (
      .clk_i,
      .rst_ni,
      .start_i(init_q),
      .first_i('0),
      .seed_i,
      .valid_o(bulk_valid),
      .ready_i(bulk_ready),
      .word_o (bulk)
  );

  rs_xof_public #(
      .RoundsPerCycle(RoundsPerCycle),
      .BlockBits(BlockBits)
  ) u_spare (
      .clk_i,
      .rst_ni,
      .start_i(init_q),
      .first_i(spare_first),
      .seed_i,
      .valid_o(spare_valid),
      .ready_i(spare_ready),
      .word_o (spare)
  );

  // ---- rejection ----------------------------------------------------------------------------------------------------------------
  logic replace_q;  // a word was rejected: the next one is a spare
  logic [CountBits-1:0] left_q;  // words to be accepted
  logic [PlaceBits-1:0] used_q;  // places
  logic open, accept, enter, leave;
  logic [63:0] word;

  assign open = left_q != '0 && used_q < PlaceBits'(Depth);
  assign bulk_ready = open && !replace_q;
  assign spare_ready = open && replace_q;
  assign word = replace_q ? spare : bulk;
  assign accept = word < max_multiple_i;
  assign enter = open && (replace_q ? spare_valid : bulk_valid) && accept;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || init_i) begin
      left_q <= '0;
      replace_q <= 1'b0;
      used_q <= '0;
    end else begin
      if (start_i) left_q <= CountBits'(1) << log_n_i;
      else if (enter) left_q <= left_q - 1'b1;
      if (open && (replace_q ? spare_valid : bulk_valid)) replace_q <= !accept;
      used_q <= used_q + PlaceBits'(enter) - PlaceBits'(leave);
    end
  end

  // ---- reduction, and a queue for what comes out of it --------------------------------------------------------------------
  logic [Latency-1:0] flight_q;
  logic [W-1:0] residue;
  logic [W-1:0] queue_q[Depth];
  logic [PlaceBits-1:0] count_q, read_q, write_q;
  logic done_q, arrive;

  rs_reduce_word #(
      .W(W)
  ) u_reduce (
      .clk_i,
      .word_i(word),
      .q_i,
      .ratio64_i,
      .residue_o(residue)
  );

  assign arrive = flight_q[Latency-1];
  assign leave  = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || init_i) begin
      flight_q <= '0;
      count_q  <= '0;
      read_q   <= '0;
      write_q  <= '0;
      done_q   <= 1'b0;
    end else begin
      flight_q <= {flight_q[Latency-2:0], enter};
      count_q  <= count_q + PlaceBits'(arrive) - PlaceBits'(leave);
      if (arrive) write_q <= write_q == PlaceBits'(Depth - 1) ? '0 : write_q + 1'b1;
      if (leave) read_q <= read_q == PlaceBits'(Depth - 1) ? '0 : read_q + 1'b1;
      done_q <= leave && left_q == '0 && used_q == PlaceBits'(1);
    end
    if (arrive) queue_q[write_q] <= residue;
  end

  assign valid_o = count_q != '0;
  assign data_o  = queue_q[read_q];
  assign done_o  = done_q;
endmodule
