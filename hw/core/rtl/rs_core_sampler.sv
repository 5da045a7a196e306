// SPDX-License-Identifier: Apache-2.0
// rs_core_sampler: what rs_core makes of seeds: the streams, SAMPLE and EXPAND; the slots, and LIFT, which takes them to groups.
// Model:   lib/tests/model_core.c
// Params:  C: rs_core
// Bounds:  of its parts
// Timing:  of its parts; independent of secrets
module rs_core_sampler
  import rs_isa_pkg::*;
#(
    parameter rs_core_pkg::config_t C = rs_core_pkg::Smallest,
    localparam int unsigned W = C.W,
    localparam int unsigned V = rs_core_pkg::chunk(C),
    localparam int unsigned SeedBits = 8 * C.KeccakSlices,
    localparam int unsigned StepBits = rs_core_pkg::step_bits(C),
    localparam int unsigned WipeBits = rs_core_pkg::wipe_bits(C)
) (
    input logic clk_i,
    input logic rst_ni,
    input rs_core_pkg::command_t command_i,
    output rs_core_pkg::result_t result_o,
    input rs_core_pkg::log_n_t log_n_i,
    input logic wipe_i,
    input logic [WipeBits-1:0] wipe_row_i,
    // seeds
    output logic seed_public_o,
    output logic [StepBits-1:0] seed_step_o,
    input logic [SeedBits-1:0] private_row_sec_i,
    input logic [SeedBits-1:0] public_row_i,
    // constants of each unit's context
    input logic [Units-1:0][W-1:0] q_i,
    input logic [Units-1:0][W-1:0] factor_i,
    input logic [Units-1:0][63:0] ratio64_i,
    input logic [Units-1:0][63:0] max_multiple_i,
    // STREAM
    input logic stream_valid_i,
    output logic stream_ready_o,
    input logic [V-1:0][W-1:0] stream_i,
    // groups
    output rs_core_pkg::writer_t lift_o,
    output logic [V-1:0][W-1:0] lift_data_o,
    output rs_core_pkg::reader_t round_o,
    input logic round_ready_i,
    input logic [V-1:0][W-1:0] round_data_i,
    output rs_core_pkg::writer_t expand_o,
    output logic expand_side_o,
    output logic [C.ExpandWords-1:0][W-1:0] expand_data_o,
    // slots for PIPE
    input rs_core_pkg::pipe_t pipe_i,
    output logic [2:0][V-1:0][5:0] pipe_slots_sec_o
);
  localparam int unsigned RowBits = rs_core_pkg::slot_row_bits(C);

  logic [C.LogNMax-1:0] lift_pos, round_pos, expand_index;
  assign {lift_o.word, lift_o.is_real, lift_o.ntt} = '0;
  assign lift_o.group = command_i.instr[UNIT_LIFT][DstLsb+:4];
  assign lift_o.pos = rs_core_pkg::PosBits'(lift_pos);
  localparam bit Onto = C.Groups > 2;  // LIFTON
  logic reads_b;
  assign reads_b = (C.Encode && command_i.instr[UNIT_LIFT][OpLsb+:6] == OP_LIFTW) ||
      (Onto && command_i.instr[UNIT_LIFT][OpLsb+:6] == OP_LIFTON);
  assign round_o.group = reads_b ? command_i.instr[UNIT_LIFT][BLsb+:4] : command_i.instr[UNIT_LIFT][ALsb+:4];
  assign round_o.ntt = 1'b0;
  assign round_o.pos = rs_core_pkg::PosBits'(round_pos);
  assign {expand_o.word, expand_o.is_real, expand_o.ntt} = 3'b001;
  assign expand_o.group = command_i.instr[UNIT_EXPAND][DstLsb+:4];
  assign expand_o.pos = rs_core_pkg::PosBits'(expand_index);
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    if (u != int'(UNIT_SAMPLE) && u != int'(UNIT_LIFT) && u != int'(UNIT_EXPAND)) begin : gen_other
      assign {result_o.done[u], result_o.fault[u], result_o.active[u]} = '0;
    end
  end
  assign result_o.active[UNIT_EXPAND] = expand_o.valid;

  // ---- the streams of SAMPLE and EXPAND ----------------------------------------------------------------------------------------
  localparam int unsigned PieceBytes = C.KeccakSlices == 64 ? rs_xof_pkg::BlockBytes : C.KeccakSlices / 8;
  localparam int unsigned PrivateBits = rs_xof_pkg::private_bits(C.LogNMax);
  localparam int unsigned PublicBits = rs_xof_pkg::public_bits(C.LogNMax);
  logic private_clear, private_start, private_ready, private_valid;
  logic [7:0] private_domain;
  logic [PrivateBits-1:0] private_limit;
  logic [8*PieceBytes-1:0] private_data_sec;
  logic public_own, public_start, public_go, public_ready, public_last, public_valid;
  logic [PublicBits-1:0] public_block, public_stride;
  logic [rs_xof_pkg::LogBlockWords-1:0] public_skip;
  logic [C.ExpandWords-1:0][63:0] public_word;

  if (C.Slots > 0 || C.Expand) begin : gen_xof
    rs_xof #(
        .Slices         (C.KeccakSlices),
        .HasPrivate     (C.Slots > 0),
        .HasPublic      (C.Expand),
        .Shared         (C.KeccakShared),
        .KeccakCores    (C.KeccakCores),
        .PublicWords    (C.ExpandWords),
        .PublicThrottled(C.ExpandSteps != 0),
        .PrivateBits    (PrivateBits),
        .PublicBits     (PublicBits)
    ) u_xof (
        .clk_i,
        .rst_ni,
        .private_clear_i   (private_clear),
        .private_start_i   (private_start),
        .seed_public_o,
        .seed_step_o,
        .private_row_sec_i,
        .public_row_i,
        .private_domain_i  (private_domain),
        .private_limit_i   (private_limit),
        .private_ready_i   (private_ready),
        .private_valid_o   (private_valid),
        .private_data_sec_o(private_data_sec),
        .public_own_i      (public_own),
        .public_start_i    (public_start),
        .public_block_i    (public_block),
        .public_skip_i     (public_skip),
        .public_stride_i   (public_stride),
        .public_go_i       (public_go),
        .public_ready_i    (public_ready),
        .public_last_o     (public_last),
        .public_valid_o    (public_valid),
        .public_word_o     (public_word)
    );
  end else begin : gen_no_xof
    assign {private_valid, private_data_sec, public_last, public_valid, public_word, seed_public_o, seed_step_o} = '0;
  end

  // ---- SAMPLE, LIFT ----------------------------------------------------------------------------------------------------------
  if (C.Slots > 0) begin : gen_sampler
    logic [C.Slots-1:0] sample_we;
    logic [RowBits-1:0] sample_row, lift_row;
    logic [V-1:0][5:0] sample_data_sec, lift_wdata_sec, lift_rdata_sec;
    logic lift_req, lift_we;
    logic [3:0] lift_slot;

    rs_sample_unit #(
        .LogNMax     (C.LogNMax),
        .Slots       (C.Slots),
        .ChunkWords  (V),
        .SampleLanes (C.SampleLanes),
        .PieceBytes  (PieceBytes),
        .TernaryBytes(C.TernaryBytes)
    ) u_sample (
        .clk_i,
        .rst_ni,
        .start_i        (command_i.start[UNIT_SAMPLE]),
        .instr_i        (command_i.instr[UNIT_SAMPLE]),
        .clear_i        (command_i.clear),
        .done_o         (result_o.done[UNIT_SAMPLE]),
        .fault_o        (result_o.fault[UNIT_SAMPLE]),
        .log_n_i        (log_n_i[UNIT_SAMPLE]),
        .slot_we_o      (sample_we),
        .slot_row_o     (sample_row),
        .slot_data_sec_o(sample_data_sec),
        .xof_clear_o    (private_clear),
        .xof_start_o    (private_start),
        .xof_domain_o   (private_domain),
        .xof_limit_o    (private_limit),
        .xof_ready_o    (private_ready),
        .xof_valid_i    (private_valid),
        .xof_data_sec_i (private_data_sec)
    );

    rs_slots #(
        .LogNMax   (C.LogNMax),
        .Slots     (C.Slots),
        .ChunkWords(V),
        .Pipe      (C.StreamLanes != 0)
    ) u_slots (
        .clk_i,
        .wipe_i,
        .wipe_row_i       (wipe_row_i[RowBits-1:0]),
        .sample_we_i      (sample_we),
        .sample_row_i     (sample_row),
        .sample_data_sec_i(sample_data_sec),
        .lift_req_i       (lift_req),
        .lift_we_i        (lift_we),
        .lift_slot_i      (lift_slot),
        .lift_row_i       (lift_row),
        .lift_wdata_sec_i (lift_wdata_sec),
        .lift_rdata_sec_o (lift_rdata_sec),
        .pipe_req_i       (pipe_i.slot_req),
        .pipe_first_i     (pipe_i.slot),
        .pipe_row_i       (pipe_i.slot_row[RowBits-1:0]),
        .pipe_rdata_sec_o (pipe_slots_sec_o)
    );

    rs_lift_unit #(
        .W         (C.W),
        .LogNMax   (C.LogNMax),
        .ChunkWords(V),
        .Lanes     (C.Lanes),
        .Encode    (C.Encode),
        .Onto      (Onto),
        .FixedWords(C.FixedWords)
    ) u_lift (
        .clk_i,
        .rst_ni,
        .start_i         (command_i.start[UNIT_LIFT]),
        .instr_i         (command_i.instr[UNIT_LIFT]),
        .clear_i         (command_i.clear),
        .done_o          (result_o.done[UNIT_LIFT]),
        .fault_o         (result_o.fault[UNIT_LIFT]),
        .log_n_i         (log_n_i[UNIT_LIFT]),
        .q_i             (q_i[UNIT_LIFT]),
        .factor_i        (factor_i[UNIT_LIFT]),
        .stream_valid_i,
        .stream_ready_o,
        .stream_i,
        .chunk_valid_o   (lift_o.valid),
        .chunk_pos_o     (lift_pos),
        .chunk_data_o    (lift_data_o),
        .chunk_req_o     (round_o.req),
        .chunk_ready_i   (round_ready_i),
        .chunk_rpos_o    (round_pos),
        .chunk_data_i    (round_data_i),
        .slot_req_o      (lift_req),
        .slot_we_o       (lift_we),
        .slot_o          (lift_slot),
        .slot_row_o      (lift_row),
        .slot_wdata_sec_o(lift_wdata_sec),
        .slot_rdata_sec_i(lift_rdata_sec)
    );

    assign result_o.active[UNIT_SAMPLE] = sample_we != '0;
    assign result_o.active[UNIT_LIFT]   = lift_o.valid || (round_o.req && round_ready_i);
  end else begin : gen_no_sampler
    assign {private_clear, private_start, private_domain, private_limit, private_ready} = '0;
    assign stream_ready_o = 1'b0;
    assign pipe_slots_sec_o = '0;
    assign {lift_o.valid, lift_pos, lift_data_o, round_o.req, round_pos} = '0;
    for (genvar u = 32'(UNIT_SAMPLE); u <= 32'(UNIT_LIFT); u++) begin : gen_unit
      assign {result_o.done[u], result_o.fault[u], result_o.active[u]} = '0;
    end
  end

  // ---- EXPAND ----------------------------------------------------------------------------------------------------------------
  if (C.Expand) begin : gen_expand
    rs_expand_unit #(
        .W      (C.W),
        .LogNMax(C.LogNMax),
        .Words  (C.ExpandWords),
        .Serial (C.KeccakSlices != 64),  // its words are few
        .Steps  (C.ExpandSteps)
    ) u_expand (
        .clk_i,
        .rst_ni,
        .start_i       (command_i.start[UNIT_EXPAND]),
        .instr_i       (command_i.instr[UNIT_EXPAND]),
        .clear_i       (command_i.clear),
        .done_o        (result_o.done[UNIT_EXPAND]),
        .fault_o       (result_o.fault[UNIT_EXPAND]),
        .log_n_i       (log_n_i[UNIT_EXPAND]),
        .q_i           (q_i[UNIT_EXPAND]),
        .ratio64_i     (ratio64_i[UNIT_EXPAND]),
        .max_multiple_i(max_multiple_i[UNIT_EXPAND]),
        .word_valid_o  (expand_o.valid),
        .word_side_o   (expand_side_o),
        .word_index_o  (expand_index),
        .word_o        (expand_data_o),
        .xof_own_o     (public_own),
        .xof_start_o   (public_start),
        .xof_block_o   (public_block),
        .xof_skip_o    (public_skip),
        .xof_stride_o  (public_stride),
        .xof_go_o      (public_go),
        .xof_ready_o   (public_ready),
        .xof_last_i    (public_last),
        .xof_valid_i   (public_valid),
        .xof_word_i    (public_word)
    );
  end else begin : gen_no_expand
    assign {expand_o.valid, expand_side_o, expand_index, expand_data_o} = '0;
    assign {public_own, public_start, public_block, public_skip, public_stride, public_go, public_ready} = '0;
    assign result_o.done[UNIT_EXPAND] = 1'b0;
    assign result_o.fault[UNIT_EXPAND] = FAULT_NONE;
  end

  logic unused_bits;
  assign unused_bits = ^{private_valid, private_data_sec, public_last, public_valid, public_word, public_row_i, private_row_sec_i} ^
      ^{command_i, log_n_i, wipe_row_i, pipe_i, q_i, factor_i, ratio64_i, max_multiple_i};
endmodule
