// SPDX-License-Identifier: Apache-2.0
// rs_sample_unit: the SAMPLE unit: rs_sampler into a slot, a row of ChunkWords values at a time.
// Model:   lib/include/ringside/golden/sample.h rs_sample_cbd21, rs_sample_ternary (bit-exact): value k is coefficient brv(k) and the one at
//          position k of the slot (docs/core.md)
// Params:  LogNMax, Slots, ChunkWords (rs_slots); SampleLanes: at most ChunkWords; PieceBytes, TernaryBytes (rs_sampler)
// Bounds:  log2(ChunkWords) <= log_n_i <= LogNMax
// Timing:  start_i to done_o is a function of the instruction, log_n_i and the stream alone, for CBD also each write's cycle; of ternary
//          ones, which wait for the bytes that are kept, it tells what keep_o of rs_sampler tells

module rs_sample_unit #(
    parameter  int unsigned LogNMax      = 13,
    parameter  int unsigned Slots        = 3,
    parameter  int unsigned ChunkWords   = 8,
    parameter  int unsigned SampleLanes  = 4,
    parameter  int unsigned PieceBytes   = 136,
    parameter  int unsigned TernaryBytes = 1,
    localparam int unsigned RowBits      = LogNMax - $clog2(ChunkWords),
    localparam int unsigned BlockBits    = rs_xof_pkg::private_bits(LogNMax)
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        start_i,
    input  logic [63:0] instr_i,  // held from start_i to done_o, like log_n_i
    input  logic        clear_i,  // wipes and stops, a cycle later; so does reset
    output logic        done_o,   // not before the last write; everything is wiped with it
    output logic [ 3:0] fault_o,
    input  logic [ 4:0] log_n_i,

    // rs_slots
    output logic [     Slots-1:0]      slot_we_o,
    output logic [   RowBits-1:0]      slot_row_o,
    output logic [ChunkWords-1:0][5:0] slot_data_sec_o,

    // the private stream (rs_xof)
    output logic                    xof_clear_o,
    output logic                    xof_start_o,
    output logic [             7:0] xof_domain_o,
    output logic [   BlockBits-1:0] xof_limit_o,
    output logic                    xof_ready_o,
    input  logic                    xof_valid_i,
    input  logic [8*PieceBytes-1:0] xof_data_sec_i
);
  localparam int unsigned LogNBits = $clog2(LogNMax + 1);
  localparam int unsigned BeatsPerRow = ChunkWords / SampleLanes;

  if (SampleLanes > ChunkWords || ChunkWords >= 2 ** LogNMax || (ChunkWords & (ChunkWords - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: ChunkWords must be a power of two below 2^LogNMax, and SampleLanes at most that");
  end
  if (Slots == 0 || Slots > 16) begin : gen_illegal_slots
    $fatal(1, "%m: Slots must be 1 to 16");
  end

  rs_isa_pkg::instr_t instr;
  logic [LogNMax-1:0] beat_q;  // beats kept
  logic [RowBits-1:0] row_q;
  logic rst_nq, clear_q;  // from far away, and much hangs on them
  logic we_q, busy, done, valid, keep, take, unused_bits;
  logic signed [SampleLanes-1:0][5:0] beat_sec;
  logic [ChunkWords-1:0][5:0] row_sec_q;

  assign instr = rs_isa_pkg::instr_t'(instr_i);

  always_ff @(posedge clk_i) begin
    rst_nq  <= rst_ni;
    clear_q <= clear_i;
  end

  rs_sampler #(
      .LanesOut(SampleLanes),
      .PieceBytes(PieceBytes),
      .TernaryBytes(TernaryBytes),
      .LogNMax(LogNMax)
  ) u_sampler (
      .clk_i,
      .rst_ni(rst_nq),
      .clear_i(clear_q),
      .start_i,
      .ternary_i(instr_i[rs_isa_pkg::TernaryLsb]),
      .log_n_i(LogNBits'(log_n_i)),
      .busy_o(busy),
      .done_o(done),
      .valid_o(valid),
      .keep_o(keep),
      .data_sec_o(beat_sec),
      .xof_clear_o,
      .xof_start_o,
      .xof_limit_o,
      .xof_ready_o,
      .xof_valid_i,
      .xof_data_sec_i
  );

  assign take   = valid && keep;
  assign done_o = done && !clear_q;

  always_ff @(posedge clk_i) begin
    if (!rst_nq || clear_q || start_i) begin
      beat_q <= '0;
      we_q   <= 1'b0;
    end else begin
      if (take) beat_q <= beat_q + 1'b1;
      we_q <= take && (beat_q + 1'b1) % LogNMax'(BeatsPerRow) == '0;
    end
    if (take) row_q <= RowBits'(beat_q / LogNMax'(BeatsPerRow));
  end

  // the first beat of a row ends lowest
  always_ff @(posedge clk_i) begin
    if (clear_q || done) row_sec_q <= '0;
    else if (take) row_sec_q <= (6 * ChunkWords)'({beat_sec, row_sec_q} >> (6 * SampleLanes));
  end

  for (genvar s = 0; s < Slots; s++) begin : gen_we
    assign slot_we_o[s] = we_q && instr.dst == 4'(s);
  end
  assign slot_row_o = row_q;
  assign slot_data_sec_o = row_sec_q;
  assign xof_domain_o = instr_i[rs_isa_pkg::DomainLsb+:rs_isa_pkg::DomainBits];
  assign fault_o = rs_isa_pkg::FAULT_NONE;
  assign unused_bits = ^{instr, log_n_i, busy};
endmodule
