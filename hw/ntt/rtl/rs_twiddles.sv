// SPDX-License-Identifier: Apache-2.0
// rs_twiddles: the twiddles of several moduli, stored or made on the fly from a few seeds: one per lane and cycle.
//          Stored also: the roots of encode and decode, in a context that is loaded with load_roots_i
// Model:   lib/src/rlwe/context.c (the table w), lib/src/encoding/fixed_roots.c; docs/ntt_schedule.md, "Twiddles", "Roots";
//          hw/ntt/README.md, "Twiddle image"
// Params:  W, WordBits (rs_modmul); LogNMax, LogLanes; Contexts 1..4; ChunkWords: of a load, a power of two; OnTheFly
// Bounds:  log_n_i is held from load_start_i of the oldest context in use; ctx_i, inverse_i, q_i during a
//          transform; a context is not loaded while it is in use; stage (a cycle ahead) and step as rs_ntt_addr gives them
// Timing:  twiddle_o rs_ntt_pkg::twiddle_latency after read_i. A load takes min(ChunkWords, Lanes) words per cycle, on the fly
//          only in cycles without a read: 2^LogRing + 2 of a stage have one
module rs_twiddles #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned WordBits   = rs_pkg::WlmWordBits,
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned Contexts   = 2,
    parameter  int unsigned ChunkWords = 4,
    parameter  bit          OnTheFly   = 1'b0,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [LogNBits-1:0] log_n_i,
    // load: the image of load_ctx_i, in order
    input logic load_start_i,
    input logic [1:0] load_ctx_i,  // held from load_start_i to load_done_o
    input logic load_roots_i,  // likewise: N/2 words, for encode and decode
    input logic [1:0] load_part_i,  // likewise: those of the inverse's first stage (1), its second one (2), all others (3); 0: all
    input logic load_valid_i,
    output logic load_ready_o,
    input logic [ChunkWords-1:0][W-1:0] load_i,
    output logic load_done_o,  // one cycle; all words are stored
    output logic [LogNMax:0] words_o,  // words of a whole image
    // use
    input logic [1:0] ctx_i,
    input logic inverse_i,
    input logic [W-1:0] q_i,
    input logic read_i,  // rs_ntt_addr's twiddle_*_o
    input logic [AddrBits+1:0] addr_i,
    input logic [SelectBits-1:0] fixed_i,
    input logic [SelectBits-1:0] bank_i,
    input logic [LogNBits-1:0] stage_i,
    input logic [AddrBits:0] step_i,
    output logic [Lanes-1:0][W-1:0] twiddle_o
);

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes) || Contexts == 0 || Contexts > 4) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d or Contexts %0d is out of range", LogNMax, LogLanes, Contexts);
  end

  typedef logic [Lanes-1:0][W-1:0] row_t;
  row_t load_data, network_in, network_out;
  logic [Lanes-1:0] load_write;

  if (!OnTheFly) begin : gen_stored
    // A memory per context, so that one is loaded while another is read.
    logic [LogNBits-1:0] addr_bits;
    logic [1:0] load_part;
    logic [AddrBits-1:0] load_row;
    logic [Contexts-1:0][Lanes-1:0][W-1:0] read_data;

    // a quarter of the table, or two: rs_ntt_twiddle_index
    logic [1:0] first_part, last_part;
    always_comb begin
      first_part = 2'd0;
      last_part  = 2'd3;
      if (load_part_i != '0) begin
        first_part = 2'd3 - load_part_i;
        last_part  = load_part_i == 2'd1 ? 2'd3 : 2'd3 - load_part_i;
      end
    end

    assign words_o   = (LogNMax + 1)'(1) << log_n_i;
    assign addr_bits = log_n_i - LogNBits'(2 + LogLanes) - LogNBits'(load_roots_i);

    rs_twiddle_load #(
        .W         (W),
        .LogLanes  (LogLanes),
        .ChunkWords(ChunkWords),
        .PartBits  (2),
        .RowBits   (AddrBits)
    ) u_load (
        .clk_i,
        .rst_ni,
        .first_part_i(first_part),
        .last_part_i (last_part),
        .last_row_i  (~({AddrBits{1'b1}} << addr_bits)),
        .start_i     (load_start_i),
        .valid_i     (load_valid_i),
        .ready_o     (load_ready_o),
        .data_i      (load_i),
        .done_o      (load_done_o),
        .grant_i     (1'b1),
        .write_o     (load_write),
        .part_o      (load_part),
        .row_o       (load_row),
        .data_o      (load_data)
    );

    for (genvar c = 0; c < Contexts; c++) begin : gen_context
      logic loads, reads;
      assign loads = load_ctx_i == 2'(c);
      assign reads = read_i && ctx_i == 2'(c);
      for (genvar b = 0; b < Lanes; b++) begin : gen_bank
        rs_ram_1rw #(
            .Width(W),
            .Depth(4 << AddrBits)
        ) u_ram (
            .clk_i,
            .req_i  (reads || (loads && load_write[b])),
            .we_i   (!reads),
            .addr_i (reads ? addr_i : {load_part, load_row}),
            .wdata_i(load_data[b]),
            .rdata_o(read_data[c][b])
        );
      end
`ifndef SYNTHESIS
      always_ff @(posedge clk_i) begin
        assert (!(reads && loads && |load_write))
        else $error("%m: a context is loaded while a transform uses it");
      end
`endif
    end

    if (Contexts == 1) begin : gen_one
      assign network_in = read_data[0];
    end else begin : gen_many
      localparam int unsigned CtxBits = $clog2(Contexts);
      assign network_in = 32'(ctx_i) < Contexts ? read_data[ctx_i[CtxBits-1:0]] : '0;
    end

    rs_twiddle_network #(
        .W       (W),
        .LogLanes(LogLanes)
    ) u_network (
        .clk_i,
        .inverse_i,
        .fixed_i,
        .bank_i,
        .data_i(network_in),
        .data_o(network_out)
    );

    assign twiddle_o = network_out;

    logic unused;
    assign unused = ^{q_i, stage_i, step_i};

  end else begin : gen_on_the_fly
    localparam int unsigned Rows = rs_ntt_pkg::twiddle_rows(LogLanes);
    localparam int unsigned RowBits = $clog2(Rows);
    localparam int unsigned LogRing = rs_ntt_pkg::log_twiddle_ring(rs_pkg::modmul_latency(W, WordBits));
    localparam int unsigned DirectionRows = 1 << RowBits;
    localparam int unsigned Depth = 2 * Contexts * DirectionRows;

    if ((1 << LogRing) > rs_ntt_pkg::TwiddleSeeds || 2 * Rows * Lanes >= 2 << LogNMax) begin : gen_illegal
      $fatal(1, "%m: a multiplier of more than 31 cycles, or LogNMax %0d below 6", LogNMax);
    end

    // ---- seeds: one memory for all contexts, transforms first -------------------------------------------------------------
    logic read, load_inverse, constant, factor, one, seed, keep, first, change;
    logic [RowBits-1:0] read_row, load_row;
    logic [SelectBits-1:0] fixed, bank;
    logic [$clog2(Depth)-1:0] addr;

    assign words_o = (LogNMax + 1)'(2 * Rows * Lanes);

    rs_twiddle_load #(
        .W         (W),
        .LogLanes  (LogLanes),
        .ChunkWords(ChunkWords),
        .PartBits  (1),
        .RowBits   (RowBits)
    ) u_load (
        .clk_i,
        .rst_ni,
        .first_part_i(1'b0),
        .last_part_i (1'b1),
        .last_row_i  (RowBits'(Rows - 1)),
        .start_i     (load_start_i),
        .valid_i     (load_valid_i),
        .ready_o     (load_ready_o),
        .data_i      (load_i),
        .done_o      (load_done_o),
        .grant_i     (!read),
        .write_o     (load_write),
        .part_o      (load_inverse),
        .row_o       (load_row),
        .data_o      (load_data)
    );

    rs_twiddle_seeds #(
        .LogNMax (LogNMax),
        .LogLanes(LogLanes),
        .LogRing (LogRing)
    ) u_seeds (
        .clk_i,
        .rst_ni,
        .log_n_i,
        .valid_i   (read_i),
        .stage_i,
        .step_i,
        .read_o    (read),
        .row_o     (read_row),
        .fixed_o   (fixed),
        .bank_o    (bank),
        .constant_o(constant),
        .factor_o  (factor),
        .one_o     (one),
        .seed_o    (seed),
        .keep_o    (keep),
        .first_o   (first),
        .change_o  (change)
    );

    assign addr = ($clog2(Depth))'(read ? {ctx_i, inverse_i, read_row} : {load_ctx_i, load_inverse, load_row});

    for (genvar b = 0; b < Lanes; b++) begin : gen_bank
      rs_ram_1rw #(
          .Width(W),
          .Depth(Depth)
      ) u_ram (
          .clk_i,
          .req_i  (read || load_write[b]),
          .we_i   (!read),
          .addr_i (addr),
          .wdata_i(load_data[b]),
          .rdata_o(network_in[b])
      );
    end

    rs_twiddle_network #(
        .W       (W),
        .LogLanes(LogLanes)
    ) u_network (
        .clk_i,
        .inverse_i(1'b0),
        .fixed_i  (fixed),
        .bank_i   (bank),
        .data_i   (network_in),
        .data_o   (network_out)
    );

    // ---- rings: what was read arrives --------------------------------------------------------------------------------------
    logic is_constant, is_factor, is_one, is_seed, is_kept, is_first, first_q, changes;
    logic [W-1:0] factor_q, one_q, times_q;

    rs_delay #(
        .Width (7),
        .Cycles(1 + rs_ntt_pkg::network_latency(LogLanes))
    ) u_control (
        .clk_i,
        .data_i({constant, factor, one, seed, keep, first, change}),
        .data_o({is_constant, is_factor, is_one, is_seed, is_kept, is_first, changes})
    );

    always_ff @(posedge clk_i) begin
      first_q <= is_first;
      if (is_factor) factor_q <= network_out[0];
      if (is_one) one_q <= network_out[0];
      times_q <= changes ? factor_q : one_q;
    end

    for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
      rs_twiddle_ring #(
          .W       (W),
          .WordBits(WordBits)
      ) u_ring (
          .clk_i,
          .q_i,
          .constant_i(is_constant),
          .seed_i    (is_seed),
          .keep_i    (is_kept),
          .word_i    (network_out[lane]),
          .first_i   (first_q),
          .factor_i  (times_q),
          .twiddle_o (twiddle_o[lane])
      );
    end

    logic unused;
    assign unused = ^{addr_i, fixed_i, bank_i, load_roots_i, load_part_i};
  end

endmodule
