// SPDX-License-Identifier: Apache-2.0
// rs_dma_load: the LOAD unit: memory -> group (LOAD), LIFT unit (STREAM), or constants and twiddles of a modulus (CONTEXT).
// Model:   docs/core.md: instructions, formats in memory, faults
// Params:  W, Reduction; LogNMax; Lanes (with BusBits: the chunk); BusBits, AddrBits, IdBits, Outstanding, MaxBurstBytes;
//          Reducers: words per cycle of a STREAM with `alt`, 0: there is none (rs_reduce_stream)
// Bounds:  addr_i a multiple of 64, 16 V <= 2^log_n_i, log_n_i <= LogNMax; all inputs but the handshakes stable from start_i to done_o,
//          q_i from the cycle after start_i
// Timing:  a chunk per cycle, or a beat where that holds less; 24 cycles and the memory's latency - 1 more than that in all (5 of a
//          context, or if V is 1): all words of the last beat are of one bank
//
// An array is in natural order; position k is its word brv(k). So a chunk is a word of each of V streams of N / V words: their lines are
// fetched in turns, rs_transpose makes chunks of them, and positions come in bit-reversed order.
// Faults come with done_o, when all that was asked of the memory is there; chunks are handed on all the same. Whether every residue
// is below q is the only thing about data that shows. The last chunk is wiped after done_o.

module rs_dma_load #(
    parameter int unsigned W = 32,
    parameter rs_pkg::reduction_e Reduction = rs_pkg::RS_BARRETT,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes = 4,
    parameter int unsigned BusBits = 128,
    parameter int unsigned AddrBits = 64,
    parameter int unsigned IdBits = 4,
    parameter int unsigned Outstanding = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned Reducers = 0,
    localparam int unsigned V = rs_dma_pkg::chunk_words(W, Lanes, BusBits)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // unit
    input  logic                       start_i,
    input  logic [        63:0]        instr_i,
    input  logic                       clear_i,          // drains, then done_o as always
    input  logic [AddrBits-1:0]        addr_i,
    input  logic [         4:0]        log_n_i,
    input  logic [       W-1:0]        q_i,              // of the instruction's context
    input  logic [        63:0]        ratio64_i,        // likewise
    input  logic [   LogNMax:0]        twiddle_words_i,  // of a context
    output logic                       done_o,
    output logic [         3:0]        fault_o,          // with done_o
    // LOAD: always taken
    output logic                       chunk_valid_o,
    output logic [ LogNMax-1:0]        chunk_pos_o,
    output logic [       V-1:0][W-1:0] chunk_data_o,
    // STREAM
    output logic                       stream_valid_o,
    input  logic                       stream_ready_i,
    output logic [       V-1:0][W-1:0] stream_o,
    // CONTEXT: one pulse, before the first twiddle; header_o stays until the next CONTEXT
    output logic                       header_valid_o,
    output logic [       511:0]        header_o,
    output logic                       twiddle_valid_o,
    input  logic                       twiddle_ready_i,
    output logic [       V-1:0][W-1:0] twiddle_o,
    // memory
    output logic                       arvalid_o,
    input  logic                       arready_i,
    output logic [  IdBits-1:0]        arid_o,
    output logic [AddrBits-1:0]        araddr_o,
    output logic [         7:0]        arlen_o,
    output logic [         2:0]        arsize_o,
    output logic [         1:0]        arburst_o,
    input  logic                       rvalid_i,
    output logic                       rready_o,
    input  logic [ BusBits-1:0]        rdata_i,
    input  logic [         1:0]        rresp_i,
    input  logic                       rlast_i
);
  localparam int unsigned HeaderBeats = 512 / BusBits;
  localparam int unsigned LogV = $clog2(V);
  localparam int unsigned LogLine = W > 32 ? 3 : 4;  // words of a line, where they are as short as they can be
  localparam int unsigned LinesBits = LogNMax - 2;
  localparam int unsigned LowBit = LogV < 3 ? LogV : 3;

  rs_isa_pkg::op_e op;
  logic [LogNMax-1:LowBit] below_n_q;  // of N - 1
  logic [LogNMax:0] last_words_q;  // of twiddles, before the last chunk; -1 for none
  logic [LinesBits-1:0] twiddle_lines_q, lines;
  logic begin_q;  // the cycle after start_i: what is decoded from the inputs is there
  logic is_load_q, is_stream_q, is_context_q, is_message_q, wide_q;
  logic message_ready, message_valid, reducing;
  logic [V-1:0][W-1:0] message;
  logic busy_q, open_q, residue_q, bad_q, over, above, context_bad_q;
  logic reading, read_error;
  logic beat_valid, beat_ready, in_header_q, unpack_ready;
  logic [BusBits-1:0] beat;
  logic chunk_valid, chunk_ready;
  logic [V-1:0][W-1:0] chunk;
  logic [LogNMax-LogV:0] taken_q;  // words of a context, in chunks
  logic pass_q;  // they go without being taken: padding
  logic row_ready, column_valid, column_ready, turning;
  logic [V-1:0][W-1:0] column;
  logic [LogNMax-LogV-1:0] pos_q, pos_next;  // of the column, in chunks
  logic [HeaderBeats-1:0] header_beat_q;
  logic header_valid_q;
  logic [HeaderBeats-1:0][BusBits-1:0] header_q;

  // ---- the instruction ---------------------------------------------------------------------------------------------------
  assign op = rs_isa_pkg::op_e'(instr_i[rs_isa_pkg::OpLsb+:6]);

  always_ff @(posedge clk_i) begin
    is_load_q       <= op == rs_isa_pkg::OP_LOAD;
    is_context_q    <= op == rs_isa_pkg::OP_CONTEXT;
    is_stream_q     <= op == rs_isa_pkg::OP_STREAM;
    is_message_q    <= Reducers != 0 && op == rs_isa_pkg::OP_STREAM && instr_i[rs_isa_pkg::AltLsb];
    // twiddles are as short as they can be
    wide_q          <= W > 32 || (instr_i[rs_isa_pkg::WideLsb] && op != rs_isa_pkg::OP_CONTEXT);
    below_n_q       <= (LogNMax - LowBit)'(~({LogNMax{1'b1}} << log_n_i) >> LowBit);
    last_words_q    <= twiddle_words_i - 1'b1;
    twiddle_lines_q <= LinesBits'(((LogNMax + 2)'(twiddle_words_i) + (LogNMax + 2)'(2 ** LogLine - 1)) >> LogLine);
  end

  // a header and the twiddles, or N words: lines less one
  assign lines = is_context_q ? twiddle_lines_q : wide_q ? LinesBits'(below_n_q[LogNMax-1:3]) : LinesBits'(below_n_q[LogNMax-1:4]);

  // ---- memory to chunks --------------------------------------------------------------------------------------------------
  rs_axi_read #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .IdBits       (IdBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits),
      .Streams      (V)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .lines_i     (lines),
      .streams_i   (!is_context_q),
      .pairs_i     (wide_q),
      .busy_o      (reading),
      .error_o     (read_error),
      .beat_valid_o(beat_valid),
      .beat_ready_i(beat_ready),
      .beat_o      (beat),
      .arvalid_o,
      .arready_i,
      .arid_o,
      .araddr_o,
      .arlen_o,
      .arsize_o,
      .arburst_o,
      .rvalid_i,
      .rready_o,
      .rdata_i,
      .rresp_i,
      .rlast_i
  );

  assign beat_ready = in_header_q || (is_message_q ? message_ready : unpack_ready);

  rs_unpack #(
      .W      (W),
      .BusBits(BusBits),
      .V      (V)
  ) u_unpack (
      .clk_i,
      .rst_ni,
      .clear_i,
      .wipe_i       (!open_q),
      .wide_i       (wide_q),
      .beat_valid_i (beat_valid && !in_header_q && !is_message_q),
      .beat_ready_o (unpack_ready),
      .beat_i       (beat),
      .chunk_valid_o(chunk_valid),
      .chunk_ready_i(chunk_ready),
      .chunk_o      (chunk),
      .over_o       (over)
  );

  // ---- words of a message to rows of residues ------------------------------------------------------------------------------
  if (Reducers != 0) begin : gen_message
    rs_reduce_stream #(
        .W       (W),
        .BusBits (BusBits),
        .V       (V),
        .Reducers(Reducers)
    ) u_reduce (
        .clk_i,
        .rst_ni,
        .clear_i,
        .wipe_i      (!open_q),
        .q_i,
        .ratio64_i,
        .beat_valid_i(beat_valid && is_message_q),
        .beat_ready_o(message_ready),
        .beat_i      (beat),
        .row_valid_o (message_valid),
        .row_ready_i (row_ready),
        .row_o       (message),
        .busy_o      (reducing)
    );
  end else begin : gen_no_message
    assign {message_ready, message_valid, reducing} = '0;
    assign message = '0;
    logic unused_ratio;
    assign unused_ratio = ^ratio64_i;
  end

  // ---- rows of streams to columns ----------------------------------------------------------------------------------------
  rs_transpose #(
      .W(W),
      .V(V)
  ) u_transpose (
      .clk_i,
      .rst_ni,
      .clear_i,
      .wipe_i     (!open_q),
      .in_valid_i (is_message_q ? message_valid : chunk_valid && !is_context_q),
      .in_ready_o (row_ready),
      .in_i       (is_message_q ? message : chunk),
      .out_valid_o(column_valid),
      .out_ready_i(column_ready),
      .out_o      (column),
      .busy_o     (turning)
  );

  rs_next_reversed #(
      .Width(LogNMax - LogV)
  ) u_next (
      .ones_i (below_n_q[LogNMax-1:LogV]),
      .value_i(pos_q),
      .next_o (pos_next)
  );

  // ---- chunks to whom they belong ----------------------------------------------------------------------------------------
  assign chunk_ready = is_context_q ? pass_q || twiddle_ready_i : row_ready;
  assign column_ready = !is_stream_q || stream_ready_i;

  assign chunk_valid_o = column_valid && is_load_q;
  assign chunk_pos_o = LogNMax'(pos_q) << LogV;
  assign chunk_data_o = column;
  assign stream_valid_o = column_valid && is_stream_q;
  assign stream_o = column;
  assign twiddle_valid_o = chunk_valid && is_context_q && !pass_q;
  assign twiddle_o = chunk;
  assign header_valid_o = header_valid_q;
  assign header_o = header_q;

  // ---- faults ------------------------------------------------------------------------------------------------------------
  always_comb begin
    above = 1'b0;
    for (int unsigned i = 0; i < V; i++) if (chunk[i] >= q_i) above = 1'b1;
  end

  assign done_o = busy_q && !reading && !chunk_valid && !reducing && !turning;
  always_comb begin
    if (read_error) fault_o = rs_isa_pkg::FAULT_BUS_READ;
    else if (context_bad_q) fault_o = rs_isa_pkg::FAULT_CONTEXT;
    else if (residue_q || bad_q) fault_o = rs_isa_pkg::FAULT_RESIDUE;
    else fault_o = rs_isa_pkg::FAULT_NONE;
  end

  // ---- state -------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q         <= 1'b0;
      open_q         <= 1'b0;
      begin_q        <= 1'b0;
      in_header_q    <= 1'b0;
      header_beat_q  <= '0;
      header_valid_q <= 1'b0;
    end else begin
      begin_q <= start_i;
      if (start_i) busy_q <= 1'b1;
      else if (done_o) busy_q <= 1'b0;
      if (clear_i || done_o) open_q <= 1'b0;
      else if (start_i) open_q <= 1'b1;
      if (!open_q) begin
        in_header_q   <= 1'b0;
        header_beat_q <= '0;
      end else if (begin_q) begin
        in_header_q   <= is_context_q;
        header_beat_q <= HeaderBeats'(is_context_q);
      end else if (beat_valid) begin
        in_header_q   <= in_header_q && !header_beat_q[HeaderBeats-1];
        header_beat_q <= header_beat_q << 1;
      end
      header_valid_q <= beat_valid && header_beat_q[HeaderBeats-1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_q) begin
      pos_q     <= '0;
      taken_q   <= '0;
      pass_q    <= last_words_q[LogNMax];
      residue_q <= 1'b0;
    end else begin
      if (column_valid && column_ready) pos_q <= pos_next;
      if (chunk_valid && chunk_ready) begin
        taken_q <= taken_q + 1'b1;
        if (taken_q == {1'b0, last_words_q[LogNMax-1:LogV]}) pass_q <= 1'b1;
      end
      if (bad_q) residue_q <= 1'b1;
    end
    bad_q <= chunk_valid && !is_context_q && (above || over);
    // a beat or none: the right one comes last
    for (int unsigned i = 0; i < HeaderBeats; i++) if (header_beat_q[i]) header_q[i] <= beat;
    // what the multipliers cannot do: even (0 as well), too wide, or (WLM) not 1 mod 2^WlmWordBits
    context_bad_q <= is_context_q && (!header_o[0] || header_o[63:0] >> W != '0 ||
                                      (Reduction == rs_pkg::RS_WLM && header_o[rs_pkg::WlmWordBits-1:1] != '0));
  end

  logic unused_bits;
  assign unused_bits = ^instr_i;
endmodule
