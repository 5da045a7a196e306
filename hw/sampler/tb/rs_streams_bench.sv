// SPDX-License-Identifier: Apache-2.0
// rs_streams_bench: rs_sampler, rs_sample_unit, rs_sample_uniform or rs_expand_unit with the streams that it needs, for their tests.
// Params:  Unit: which of them, and its parameters; those of rs_xof
// Ports:   those of the four, a unit's own as in its module; seeds as in rs_xof

module rs_streams_bench #(
    parameter int unsigned Unit = 0,  // 0: rs_sampler, 1: rs_sample_unit, 2: rs_sample_uniform, 3: rs_expand_unit
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Slices = 64,
    parameter int unsigned Words = 1,
    parameter int unsigned Steps = 0,
    parameter int unsigned KeccakCores = 1,
    parameter int unsigned LanesOut = 4,
    parameter int unsigned TernaryBytes = 1,
    parameter int unsigned Slots = 3,
    parameter int unsigned ChunkWords = 8,
    parameter int unsigned W = 60,
    localparam int unsigned LogNBits = $clog2(LogNMax + 1),
    localparam int unsigned RowBits = LogNMax - $clog2(ChunkWords),
    localparam int unsigned PieceBytes = Slices == 64 ? 136 : Slices / 8,
    localparam int unsigned LimbBits = Unit == 2 ? 6 : 8,
    localparam int unsigned PrivateBits = rs_xof_pkg::private_bits(LogNMax),
    localparam int unsigned PublicBits = rs_xof_pkg::public_bits(LogNMax, LimbBits)
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         clear_i,
    input  logic                         init_i,
    input  logic                         start_i,
    input  logic [          63:0]        instr_i,
    input  logic                         ternary_i,
    input  logic [           4:0]        log_n_i,
    input  logic [           7:0]        domain_i,
    input  logic [  LimbBits-1:0]        limb_count_i,
    input  logic [         511:0]        seed_sec_i,
    input  logic [         511:0]        seed_i,
    input  logic [         W-1:0]        q_i,
    input  logic [          63:0]        ratio64_i,
    input  logic [          63:0]        max_multiple_i,
    output logic                         busy_o,
    output logic                         done_o,
    output logic [           3:0]        fault_o,
    output logic                         valid_o,
    output logic                         keep_o,
    output logic [  LanesOut-1:0][  5:0] data_sec_o,
    output logic [     Slots-1:0]        slot_we_o,
    output logic [   RowBits-1:0]        slot_row_o,
    output logic [ChunkWords-1:0][  5:0] slot_data_sec_o,
    output logic                         again_o,
    output logic                         side_o,
    output logic [   LogNMax-1:0]        word_index_o,
    output logic [     Words-1:0][W-1:0] data_o
);
  logic private_clear, private_start, private_ready, private_valid;
  logic [7:0] private_domain;
  logic [PrivateBits-1:0] private_limit;
  logic [8*PieceBytes-1:0] private_data_sec;
  logic public_own, public_start, public_go, public_ready, public_last, public_valid;
  logic [PublicBits-1:0] public_block, public_stride;
  logic [8:0] public_skip;
  logic [Words-1:0][63:0] public_word;

  logic seed_public;
  logic [(Slices < 64 ? $clog2(64 / Slices) : 1)-1:0] seed_step;
  logic [8*Slices-1:0] private_row_sec, public_row;

  rs_seed_rows #(
      .Slices(Slices)
  ) u_rows (
      .private_sec_i(seed_sec_i),
      .public_i(seed_i),
      .is_public_i(seed_public),
      .step_i(seed_step),
      .private_row_sec_o(private_row_sec),
      .public_row_o(public_row)
  );

  rs_xof #(
      .Slices         (Slices),
      .HasPrivate     (Unit < 2),
      .HasPublic      (Unit >= 2),
      .KeccakCores    (KeccakCores),
      .PublicWords    (Words),
      .PublicThrottled(Steps != 0),
      .PrivateBits    (PrivateBits),
      .PublicBits     (PublicBits)
  ) u_xof (
      .clk_i,
      .rst_ni,
      .private_clear_i   (private_clear),
      .private_start_i   (private_start),
      .seed_public_o     (seed_public),
      .seed_step_o       (seed_step),
      .private_row_sec_i (private_row_sec),
      .public_row_i      (public_row),
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

  if (Unit >= 2) begin : gen_no_private
    assign {private_clear, private_start, private_ready, private_domain, private_limit} = '0;
  end
  if (Unit < 2) begin : gen_no_public
    assign {public_own, public_start, public_go, public_block, public_stride, public_skip, public_ready} = '0;
  end

  if (Unit == 0) begin : gen_sampler
    assign private_domain = domain_i;
    rs_sampler #(
        .LanesOut(LanesOut),
        .PieceBytes(PieceBytes),
        .TernaryBytes(TernaryBytes),
        .LogNMax(LogNMax)
    ) u_sampler (
        .clk_i,
        .rst_ni,
        .clear_i,
        .start_i,
        .ternary_i,
        .log_n_i(LogNBits'(log_n_i)),
        .busy_o,
        .done_o,
        .valid_o,
        .keep_o,
        .data_sec_o,
        .xof_clear_o(private_clear),
        .xof_start_o(private_start),
        .xof_limit_o(private_limit),
        .xof_ready_o(private_ready),
        .xof_valid_i(private_valid),
        .xof_data_sec_i(private_data_sec)
    );
  end else if (Unit == 1) begin : gen_sample_unit
    rs_sample_unit #(
        .LogNMax(LogNMax),
        .Slots(Slots),
        .ChunkWords(ChunkWords),
        .SampleLanes(LanesOut),
        .PieceBytes(PieceBytes),
        .TernaryBytes(TernaryBytes)
    ) u_sample_unit (
        .clk_i,
        .rst_ni,
        .start_i,
        .instr_i,
        .clear_i,
        .done_o,
        .fault_o,
        .log_n_i,
        .slot_we_o,
        .slot_row_o,
        .slot_data_sec_o,
        .xof_clear_o(private_clear),
        .xof_start_o(private_start),
        .xof_domain_o(private_domain),
        .xof_limit_o(private_limit),
        .xof_ready_o(private_ready),
        .xof_valid_i(private_valid),
        .xof_data_sec_i(private_data_sec)
    );
  end else if (Unit == 2) begin : gen_uniform
    assign public_own = 1'b1;
    rs_sample_uniform #(
        .W(W),
        .LogNMax(LogNMax),
        .LimbBits(LimbBits),
        .Words(Words),
        .Serial(Slices != 64),
        .Steps(Steps)
    ) u_uniform (
        .clk_i,
        .rst_ni,
        .run_i(1'b1),
        .init_i,
        .log_n_i(LogNBits'(log_n_i)),
        .limb_count_i,
        .start_i,
        .q_i,
        .ratio64_i,
        .max_multiple_i,
        .done_o,
        .again_o,
        .valid_o,
        .side_o,
        .data_o,
        .xof_start_o(public_start),
        .xof_block_o(public_block),
        .xof_skip_o(public_skip),
        .xof_stride_o(public_stride),
        .xof_go_o(public_go),
        .xof_ready_o(public_ready),
        .xof_last_i(public_last),
        .xof_valid_i(public_valid),
        .xof_word_i(public_word)
    );
  end else begin : gen_expand_unit
    rs_expand_unit #(
        .W(W),
        .LogNMax(LogNMax),
        .Words(Words),
        .Serial(Slices != 64),
        .Steps(Steps)
    ) u_expand (
        .clk_i,
        .rst_ni,
        .start_i,
        .instr_i,
        .clear_i,
        .done_o,
        .fault_o,
        .log_n_i,
        .q_i,
        .ratio64_i,
        .max_multiple_i,
        .word_valid_o(valid_o),
        .word_side_o(side_o),
        .word_index_o,
        .word_o(data_o),
        .xof_own_o(public_own),
        .xof_start_o(public_start),
        .xof_block_o(public_block),
        .xof_skip_o(public_skip),
        .xof_stride_o(public_stride),
        .xof_go_o(public_go),
        .xof_ready_o(public_ready),
        .xof_last_i(public_last),
        .xof_valid_i(public_valid),
        .xof_word_i(public_word)
    );
  end
endmodule
