// SPDX-License-Identifier: Apache-2.0
// rs_core_compute: the polynomial memory of rs_core, COMPUTE, and the constants and twiddles of the moduli.
// Model:   lib/tests/model_core.c
// Params:  C: rs_core
// Bounds:  of its parts
// Timing:  of its parts
module rs_core_compute
  import rs_isa_pkg::*;
#(
    parameter rs_core_pkg::config_t C = rs_core_pkg::Smallest,
    localparam int unsigned W = C.W,
    localparam int unsigned V = rs_core_pkg::chunk(C),
    localparam int unsigned WipeBits = rs_core_pkg::wipe_bits(C),
    localparam int unsigned PipeWords = rs_core_pkg::pipe_words(C)
) (
    input logic clk_i,
    input logic rst_ni,
    input rs_core_pkg::command_t command_i,
    output rs_core_pkg::result_t result_o,
    input rs_core_pkg::log_n_t log_n_i,
    input logic wipe_i,
    input logic rinse_i,
    input logic [WipeBits-1:0] wipe_row_i,
    // contexts, from LOAD
    input rs_core_pkg::context_t context_i,
    input logic [512/C.BusBits-1:0] header_write_i,
    input logic [C.BusBits-1:0] header_beat_i,
    input logic twiddle_valid_i,
    output logic twiddle_ready_o,
    input logic [V-1:0][W-1:0] twiddle_i,
    output logic twiddle_done_o,
    output logic [C.LogNMax:0] twiddle_words_o,
    // constants of each unit's context
    output logic [Units-1:0][W-1:0] q_o,
    output logic [Units-1:0][W-1:0] factor_o,
    output logic [Units-1:0][63:0] ratio64_o,
    output logic [Units-1:0][63:0] max_multiple_o,
    // STREAM, a key's factors
    input logic factor_valid_i,
    output logic factor_ready_o,
    input logic [V-1:0][W-1:0] factor_sec_i,
    // groups
    input rs_core_pkg::writer_t load_i,
    input logic [V-1:0][W-1:0] load_data_i,
    input logic [W-1:0] load_other_i,
    input rs_core_pkg::writer_t lift_i,
    input logic [V-1:0][W-1:0] lift_data_i,
    input rs_core_pkg::writer_t expand_i,
    input logic expand_side_i,  // words side by side
    input logic [C.ExpandWords-1:0][W-1:0] expand_data_i,
    input rs_core_pkg::reader_t store_i,
    input rs_core_pkg::reader_t round_i,
    output logic round_ready_o,
    output logic [V-1:0][W-1:0] read_data_o,
    // with Fields: what SPONGE and PACK write, with log2 of a polynomial, and PACK's reader
    input rs_core_pkg::writer_t sponge_i,
    input rs_core_pkg::size_t sponge_size_i,
    input logic [V-1:0][W-1:0] sponge_data_i,
    input rs_core_pkg::writer_t pack_i,
    input rs_core_pkg::size_t pack_size_i,
    input logic [V-1:0][W-1:0] pack_data_i,
    input rs_core_pkg::reader_t get_i,
    output logic get_ready_o,
    input rs_core_pkg::pipe_t pipe_i,
    output logic [1:0][PipeWords-1:0][W-1:0] pipe_words_sec_o
);
  localparam int unsigned Lanes = C.Lanes;
  localparam int unsigned AddrBits = C.LogNMax - 2 - $clog2(Lanes);
  localparam bit Stacked = rs_core_pkg::stacked(C);
  localparam int unsigned GroupRowBits = rs_core_pkg::group_row_bits(C);
  localparam int unsigned OwnWriters = C.ExpandWords > 1 ? 4 : 3;  // LOAD, LIFT, EXPAND: words, and then words side by side
  localparam int unsigned WriteExpand = 2;
  localparam int unsigned Writers = OwnWriters + (C.Fields ? 2 : 0);  // SPONGE, PACK
  localparam int unsigned Readers = C.Fields ? 3 : 2;  // STORE, ROUND, PACK
  localparam int unsigned SpongeWords = rs_core_pkg::sponge_words(C);
  localparam logic [8*Writers-1:0] OwnWords = (8 * Writers)'((8 * OwnWriters)'({8'(C.ExpandWords), 8'd1, 8'(V), 8'(V)}));
  localparam logic [8*Writers-1:0] FieldWords = C.Fields ?
      (8 * Writers)'({8'(C.FieldWords), 8'(SpongeWords), (8 * OwnWriters)'(0)}) : '0;

  logic [Units-1:0][ContextBits-1:0] ctx_of;
  logic [Units-1:0][W-1:0] constant;
  logic [Writers-1:0] write_valid, write_ntt;
  logic [Writers-1:0][3:0] write_group;
  logic [Writers-1:0][C.LogNMax-1:0] write_pos;
  logic [Writers-1:0][V-1:0][W-1:0] write_data;
  logic store_ready;
  logic lanes_read, lanes_read_half, lanes_write, lanes_write_half;
  localparam bit Sliced = C.Slices > 1;
  logic [(Sliced ? C.Groups : 1)-1:0][AddrBits-1:0] lanes_read_addr;
  logic [AddrBits-1:0] lanes_write_addr;
  logic [C.Groups-1:0] lanes_read_groups, lanes_write_groups;
  logic [2*Lanes-1:0][W-1:0] lanes_result;
  logic [C.Groups-1:0][1:0][2*Lanes-1:0][W-1:0] lanes_data;
  logic compute_over, loads_context;

  // several instructions of LOAD may be under way, so LOAD says itself whose constants it wants
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign ctx_of[u] = u == int'(UNIT_LOAD) ? context_i.wanted : command_i.instr[u][CtxLsb+:ContextBits];
    if (u != int'(UNIT_COMPUTE)) begin : gen_other
      assign {result_o.done[u], result_o.fault[u], result_o.active[u]} = '0;
    end
  end

  rs_contexts #(
      .W       (C.W),
      .Contexts(C.Contexts),
      .BusBits (C.BusBits),
      .Encode  (C.Encode)
  ) u_contexts (
      .clk_i,
      .write_i         (header_write_i),
      .beat_i          (header_beat_i),
      .header_valid_i  (context_i.header_valid),
      .header_ctx_i    (context_i.coming),
      .ctx_i           (ctx_of),
      .compute_factor_i(C.Encode && command_i.instr[UNIT_COMPUTE][OpLsb+:OpBits] == OP_MACW),
      .q_o,
      .ratio64_o,
      .max_multiple_o,
      .factor_o,
      .constant_o      (constant)
  );

  logic [Readers-1:0] read_req, read_ready, read_ntt;
  logic [Readers-1:0][3:0] read_group;
  logic [Readers-1:0][C.LogNMax-1:0] read_pos;
  for (genvar r = 0; r < Readers; r++) begin : gen_reader
    rs_core_pkg::reader_t reader;
    assign reader = r == 0 ? store_i : r == 1 ? round_i : get_i;
    assign {read_req[r], read_group[r], read_ntt[r], read_pos[r]} = {
      reader.req, reader.group, reader.ntt, reader.pos[C.LogNMax-1:0]
    };
    logic unused_reader;
    assign unused_reader = ^reader;
  end
  assign {round_ready_o, store_ready} = read_ready[1:0];
  assign get_ready_o = C.Fields && read_ready[Readers-1];

  for (genvar w = 0; w < Writers; w++) begin : gen_writer
    rs_core_pkg::writer_t writer;
    localparam bit Field = w >= OwnWriters;
    assign writer = Field ? (w == OwnWriters ? sponge_i : pack_i) : w == 0 ? load_i : w == 1 ? lift_i : expand_i;
    assign write_valid[w] = writer.valid && (Field || w < WriteExpand || expand_side_i == (w != WriteExpand));
    assign {write_group[w], write_ntt[w], write_pos[w]} = {writer.group, writer.ntt, writer.pos[C.LogNMax-1:0]};
    assign write_data[w] = Field ? (w == OwnWriters ? sponge_data_i : pack_data_i) :
        w == 0 ? load_data_i : w == 1 ? lift_data_i : (V * W)'(expand_data_i);
    logic unused_writer;
    assign unused_writer = ^writer;
  end

  // PIPEM reads one group, words in fixed point
  logic pipe_fixed;
  logic [1:0][3:0] pipe_groups;
  assign pipe_fixed = C.Encode && command_i.instr[UNIT_PIPE][OpLsb+:OpBits] == OP_PIPEM;
  assign pipe_groups[0] = command_i.instr[UNIT_PIPE][ALsb+:4];
  assign pipe_groups[1] = pipe_fixed ? pipe_groups[0] : command_i.instr[UNIT_PIPE][BLsb+:4];

  // EXPAND: words by their index in SEAL's array
  rs_poly_memory #(
      .W             (C.W),
      .LogNMin       (C.LogNMin),
      .LogNMax       (C.LogNMax),
      .LogLanes      ($clog2(C.Lanes)),
      .Groups        (C.Groups),
      .ChunkWords    (V),
      .Writers       (Writers),
      .Readers       (Readers),
      .WriterWords   (OwnWords | FieldWords),
      .WriterReversed(Writers'(OwnWriters'(4'b1100))),
      .Pairs         (C.Encode),
      .PipeWords     (C.StreamLanes),
      .Dual          (rs_core_pkg::dual(C)),
      .Stacked       (Stacked),
      .Sliced        (Sliced),
      .LogSizeMin    (rs_core_pkg::log_size_min(C)),
      .Fields        (C.Fields)
  ) u_memory (
      .clk_i,
      .rst_ni,
      .log_n_i             (log_n_i[rs_core_pkg::Memory]),
      .load_log_n_i        (rs_core_pkg::log_size(C, command_i.instr[UNIT_LOAD], log_n_i[UNIT_LOAD])),
      .store_log_n_i       (rs_core_pkg::log_size(C, command_i.instr[UNIT_STORE], log_n_i[UNIT_STORE])),
      .field_log_n_i       ({pack_size_i, sponge_size_i}),
      .lanes_read_i        (lanes_read),
      .lanes_read_half_i   (lanes_read_half),
      .lanes_read_addr_i   (lanes_read_addr),
      .lanes_read_groups_i (lanes_read_groups),
      .lanes_write_i       (lanes_write),
      .lanes_write_half_i  (lanes_write_half),
      .lanes_write_addr_i  (lanes_write_addr),
      .lanes_write_groups_i(lanes_write_groups),
      .lanes_data_i        (lanes_result),
      .lanes_data_o        (lanes_data),
      .writer_valid_i      (write_valid),
      .writer_group_i      (write_group),
      .writer_ntt_i        (write_ntt),
      .writer_pos_i        (write_pos),
      .writer_word_i       (Writers'(load_i.word)),
      .writer_real_i       (Writers'(load_i.is_real)),
      .writer_other_i      (load_other_i),
      .writer_data_i       (write_data),
      .reader_req_i        (read_req),
      .reader_ready_o      (read_ready),
      .reader_group_i      (read_group),
      .reader_ntt_i        (read_ntt),
      .reader_pos_i        (read_pos),
      .reader_data_o       (read_data_o),
      .pipe_req_i          (pipe_i.chunk_req),
      .pipe_fixed_i        (pipe_fixed),
      .pipe_group_i        (pipe_groups),
      .pipe_pos_i          (pipe_i.chunk_pos[C.LogNMax-1:0]),
      .pipe_data_o         (pipe_words_sec_o),
      .wipe_i,
      .rinse_i,
      .wipe_half_i         (Stacked && wipe_row_i[GroupRowBits-1]),
      .wipe_addr_i         (wipe_row_i[AddrBits-1:0])
  );

  rs_compute #(
      .W           (C.W),
      .LogNMax     (C.LogNMax),
      .Lanes       (C.Lanes),
      .Groups      (C.Groups),
      .Contexts    (C.Contexts),
      .OnTheFly    (C.OnTheFly),
      .ChunkWords  (V),
      .StreamFactor(C.StreamFactor),
      .Encode      (C.Encode),
      .Stacked     (Stacked),
      .Sliced      (Sliced)
  ) u_compute (
      .clk_i,
      .rst_ni,
      .clear_i        (command_i.clear),
      .rinse_i,
      .start_i        (command_i.start[UNIT_COMPUTE]),
      .instr_i        (command_i.instr[UNIT_COMPUTE]),
      .done_o         (result_o.done[UNIT_COMPUTE]),
      .active_o       (result_o.active[UNIT_COMPUTE]),
      .over_o         (compute_over),
      .log_n_i        (log_n_i[UNIT_COMPUTE]),
      .twiddle_log_n_i(rs_core_pkg::log_size(C, command_i.instr[UNIT_LOAD], log_n_i[UNIT_LOAD])),
      .q_i            (q_o[UNIT_COMPUTE]),
      .constant_i     (constant[UNIT_COMPUTE]),
      .read_o         (lanes_read),
      .read_half_o    (lanes_read_half),
      .read_addr_o    (lanes_read_addr),
      .read_groups_o  (lanes_read_groups),
      .write_o        (lanes_write),
      .write_half_o   (lanes_write_half),
      .write_addr_o   (lanes_write_addr),
      .write_groups_o (lanes_write_groups),
      .data_o         (lanes_result),
      .data_i         (lanes_data),
      .stream_valid_i (factor_valid_i),
      .stream_ready_o (factor_ready_o),
      .stream_sec_i   (factor_sec_i),
      .twiddle_start_i(command_i.start[UNIT_LOAD] && loads_context),
      .twiddle_ctx_i  (context_i.coming),
      .twiddle_roots_i(context_i.roots),
      .twiddle_part_i (context_i.part),
      .twiddle_valid_i,
      .twiddle_ready_o,
      .twiddle_i,
      .twiddle_done_o,
      .twiddle_words_o
  );
  assign loads_context = command_i.instr[UNIT_LOAD][OpLsb+:6] == OP_CONTEXT ||
      (C.Encode && (command_i.instr[UNIT_LOAD][OpLsb+:6] == OP_ROOTS || command_i.instr[UNIT_LOAD][OpLsb+:6] == OP_TWIDDLES));
  assign result_o.fault[UNIT_COMPUTE] = C.Encode && compute_over ? FAULT_VALUE : FAULT_NONE;

  logic unused_bits;
  assign unused_bits = ^{command_i, log_n_i, wipe_row_i, store_ready, constant, pipe_i, store_i, round_i} ^
      ^{sponge_i, sponge_data_i, pack_i, pack_data_i, get_i};
endmodule
