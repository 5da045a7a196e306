// SPDX-License-Identifier: Apache-2.0
// rs_dma_load: the LOAD unit: memory -> group (LOAD), LIFT unit (STREAM), or constants and twiddles of a modulus (CONTEXT).
// Model:   docs/core.md: instructions, formats in memory, faults
// Params:  W, Reduction; LogNMax; Lanes (with BusBits: the chunk); BusBits, AddrBits, IdBits, Outstanding, MaxBurstBytes
// Bounds:  addr_i a multiple of 64, log_n_i 4 ... LogNMax; all inputs but the handshakes stable from start_i to done_o
// Timing:  a chunk per cycle, or a beat where that holds less; 3 cycles and the memory's latency - 1 more than that in all
//
// Faults come with done_o, when all that was asked of the memory is there; chunks are handed on all the same. Whether every residue
// is below q is the only thing about data that shows. The last chunk is wiped with done_o.

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

  rs_isa_pkg::op_e op;
  logic is_load, is_stream, is_context, wide;
  logic [24:0] bytes, twiddle_bytes;
  logic busy_q, drained_q, residue_q, over, above;
  logic read_done, read_error, context_bad;
  logic beat_valid, beat_ready, in_header, unpack_ready;
  logic [BusBits-1:0] beat;
  logic chunk_valid, chunk_ready, past_end;
  logic [V-1:0][W-1:0] chunk;
  logic [LogNMax:0] pos_q;
  logic [3:0] header_left_q;  // beats
  logic header_valid_q;
  logic [511:0] header_q;

  // ---- the instruction ---------------------------------------------------------------------------------------------------
  assign op = rs_isa_pkg::op_e'(instr_i[rs_isa_pkg::OpLsb+:6]);
  assign is_load = op == rs_isa_pkg::OP_LOAD;
  assign is_context = op == rs_isa_pkg::OP_CONTEXT;
  assign is_stream = op == rs_isa_pkg::OP_STREAM;
  assign wide = W > 32 || (instr_i[rs_isa_pkg::WideLsb] && !is_context);  // twiddles are as short as they can be

  assign twiddle_bytes = W > 32 ? 25'({twiddle_words_i, 3'b000}) : 25'({twiddle_words_i, 2'b00});
  always_comb begin
    if (is_context) bytes = ((twiddle_bytes + 25'd63) & ~25'd63) + 25'd64;
    else bytes = (wide ? 25'd8 : 25'd4) << log_n_i;
  end

  // ---- memory to chunks --------------------------------------------------------------------------------------------------
  rs_axi_read #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .IdBits       (IdBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .bytes_i     (bytes),
      .done_o      (read_done),
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

  assign in_header  = header_left_q != '0;
  assign beat_ready = in_header || unpack_ready;

  rs_unpack #(
      .W      (W),
      .BusBits(BusBits),
      .V      (V)
  ) u_unpack (
      .clk_i,
      .rst_ni,
      .clear_i      (clear_i || done_o),
      .wide_i       (wide),
      .beat_valid_i (beat_valid && !in_header),
      .beat_ready_o (unpack_ready),
      .beat_i       (beat),
      .chunk_valid_o(chunk_valid),
      .chunk_ready_i(chunk_ready),
      .chunk_o      (chunk),
      .over_o       (over)
  );

  // ---- chunks to whom they belong ----------------------------------------------------------------------------------------
  assign past_end = pos_q >= twiddle_words_i;  // padding
  always_comb begin
    if (is_stream) chunk_ready = stream_ready_i;
    else if (is_context) chunk_ready = twiddle_ready_i || past_end;
    else chunk_ready = 1'b1;
  end

  assign chunk_valid_o = chunk_valid && is_load;
  assign chunk_pos_o = pos_q[LogNMax-1:0];
  assign chunk_data_o = chunk;
  assign stream_valid_o = chunk_valid && is_stream;
  assign stream_o = chunk;
  assign twiddle_valid_o = chunk_valid && is_context && !past_end;
  assign twiddle_o = chunk;
  assign header_valid_o = header_valid_q;
  assign header_o = header_q;

  // ---- faults ------------------------------------------------------------------------------------------------------------
  always_comb begin
    above = 1'b0;
    for (int unsigned i = 0; i < V; i++) if (chunk[i] >= q_i) above = 1'b1;
  end

  // what the multipliers cannot do: even (0 as well), too wide, or (WLM) not 1 mod 2^WlmWordBits
  assign context_bad = !header_q[0] || header_q[63:0] >> W != '0 ||
      (Reduction == rs_pkg::RS_WLM && header_q[rs_pkg::WlmWordBits-1:1] != '0);

  assign done_o = busy_q && drained_q && !chunk_valid;
  always_comb begin
    if (read_error) fault_o = rs_isa_pkg::FAULT_BUS_READ;
    else if (is_context && context_bad) fault_o = rs_isa_pkg::FAULT_CONTEXT;
    else if (residue_q) fault_o = rs_isa_pkg::FAULT_RESIDUE;
    else fault_o = rs_isa_pkg::FAULT_NONE;
  end

  // ---- state -------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      header_left_q <= '0;
      header_valid_q <= 1'b0;
    end else begin
      if (start_i) busy_q <= 1'b1;
      else if (done_o) busy_q <= 1'b0;
      if (start_i) header_left_q <= is_context ? 4'(HeaderBeats) : '0;
      else if (beat_valid && in_header) header_left_q <= header_left_q - 1'b1;
      header_valid_q <= beat_valid && header_left_q == 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      drained_q <= 1'b0;
      residue_q <= 1'b0;
      pos_q <= '0;
    end else begin
      if (read_done) drained_q <= 1'b1;
      if (chunk_valid && !is_context && (above || over)) residue_q <= 1'b1;
      if (chunk_valid && chunk_ready) pos_q <= pos_q + (LogNMax + 1)'(V);
    end
    if (beat_valid && in_header) header_q <= 512'({beat, header_q} >> BusBits);
  end

  logic unused_bits;
  assign unused_bits = ^instr_i;
endmodule
