// SPDX-License-Identifier: Apache-2.0
// rs_lift_unit: the LIFT unit: LIFT makes residues of a slot, ROUND replaces a slot by the rounding of a modulus that is dropped.
// Model:   lib/src/poly.c rs_lift_small, rs_poly_add; lib/src/encrypt.c rs_pk_remainder; docs/core.md
// Params:  W, LogNMax, ChunkWords V: a power of two below 2^LogNMax
// Bounds:  log2(V) <= log_n_i <= LogNMax; q_i odd and above 64; values of the slot as rs_lift_small and rs_round_bit want them
// Timing:  LIFT a chunk per cycle, or per word of the stream, and ROUND a chunk in two cycles (a slot has one port), each and a
//          latency; a function of the instruction, log_n_i and stream_valid_i alone
//
//   LIFT:   slot -> rs_lift_lane (+ stream) -> chunk          ROUND:   slot, chunk -> rs_round_bit -> slot

module rs_lift_unit #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned ChunkWords = 8,
    localparam int unsigned RowBits    = LogNMax - $clog2(ChunkWords)
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         start_i,
    input  logic [ 63:0] instr_i,  // held from start_i to done_o, like the next three
    input  logic         clear_i,  // stops; the pipeline is empty LiftLag cycles later
    output logic         done_o,   // in the cycle of the last write
    output logic [  3:0] fault_o,
    input  logic [  4:0] log_n_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] factor_i,

    // of a STREAM, in order of positions
    input  logic                         stream_valid_i,
    output logic                         stream_ready_o,  // LIFT with `add`: taken when both
    input  logic [ChunkWords-1:0][W-1:0] stream_i,

    // group dst of LIFT
    output logic                         chunk_valid_o,
    output logic [   LogNMax-1:0]        chunk_pos_o,
    output logic [ChunkWords-1:0][W-1:0] chunk_data_o,

    // group a of ROUND
    output logic                         chunk_req_o,
    output logic [   LogNMax-1:0]        chunk_rpos_o,
    input  logic [ChunkWords-1:0][W-1:0] chunk_data_i,  // two cycles after chunk_req_o

    // rs_slots
    output logic                       slot_req_o,
    output logic                       slot_we_o,
    output logic [           3:0]      slot_o,
    output logic [   RowBits-1:0]      slot_row_o,
    output logic [ChunkWords-1:0][5:0] slot_wdata_sec_o,
    input  logic [ChunkWords-1:0][5:0] slot_rdata_sec_i   // one cycle after a read
);
  localparam int unsigned LogChunk = $clog2(ChunkWords);
  // from a read of the slot to the write
  localparam int unsigned LiftLag = 2 + rs_pkg::AddSubLatency;
  localparam int unsigned RoundLag = 3;

  if (ChunkWords == 0 || (ChunkWords & (ChunkWords - 1)) != 0 || ChunkWords >= 2 ** LogNMax) begin : gen_illegal
    $fatal(1, "%m: ChunkWords must be a power of two below 2^LogNMax");
  end

  // ---- schedule: no data in here --------------------------------------------------------------------------------------------
  rs_isa_pkg::instr_t instr;
  logic round, scale, add;
  logic run_q, read, write;
  logic [RowBits-1:0] last, read_row_q, write_row_q;
  logic [LiftLag:1] flight_q;  // bit i: a row was read i cycles ago

  assign instr = rs_isa_pkg::instr_t'(instr_i);
  assign round = instr.op == rs_isa_pkg::OP_ROUND;
  assign add = instr.add;
  assign scale = instr.alt;
  assign last = ~({RowBits{1'b1}} << (log_n_i - 5'(LogChunk)));

  // ROUND reads and writes the slot in turn: RoundLag is odd
  assign read = run_q && (round ? !flight_q[1] : !add || stream_valid_i);
  assign write = round ? flight_q[RoundLag] : flight_q[LiftLag];
  assign done_o = write && write_row_q == last;
  assign fault_o = rs_isa_pkg::FAULT_NONE;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q <= 1'b0;
      flight_q <= '0;
    end else begin
      if (start_i) run_q <= 1'b1;
      else if (read && read_row_q == last) run_q <= 1'b0;
      flight_q <= {flight_q[LiftLag-1] && !round, flight_q[LiftLag-2:1], read};
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      read_row_q  <= '0;
      write_row_q <= '0;
    end else begin
      if (read) read_row_q <= read_row_q + 1'b1;
      if (write) write_row_q <= write_row_q + 1'b1;
    end
  end

  assign stream_ready_o = run_q && add && !round;
  assign chunk_valid_o = write && !round;
  assign chunk_pos_o = LogNMax'(write_row_q) << LogChunk;
  assign chunk_req_o = read && round;
  assign chunk_rpos_o = LogNMax'(read_row_q) << LogChunk;
  assign slot_we_o = write && round;
  assign slot_req_o = read || slot_we_o;
  assign slot_o = round ? instr.dst : instr.a;
  assign slot_row_o = slot_we_o ? write_row_q : read_row_q;

  // ---- data: zeros wherever nothing is under way, so that nothing stays --------------------------------------------------
  logic [ChunkWords-1:0][W-1:0] stream_sec_q;
  logic [ChunkWords-1:0][  5:0] value_sec;
  logic [ChunkWords-1:0] wrap_sec, wrap_sec_q;

  assign value_sec = flight_q[1] ? slot_rdata_sec_i : '0;

  always_ff @(posedge clk_i) begin
    stream_sec_q <= read && stream_ready_o ? stream_i : '0;
    wrap_sec_q   <= flight_q[2] && round ? wrap_sec : '0;
  end

  for (genvar i = 0; i < ChunkWords; i++) begin : gen_lane
    rs_lift_lane #(
        .W(W)
    ) u_lift (
        .clk_i,
        .q_i,
        .factor_i,
        .scale_i(scale),
        .value_sec_i(value_sec[i]),
        .addend_sec_i(stream_sec_q[i]),
        .residue_sec_o(chunk_data_o[i])
    );

    rs_round_bit #(
        .W(W)
    ) u_round (
        .clk_i,
        .q_i,
        .error_sec_i(value_sec[i]),
        .value_sec_i(chunk_data_i[i]),
        .wrap_sec_o (wrap_sec[i])
    );

    assign slot_wdata_sec_o[i] = {5'd0, wrap_sec_q[i]};
  end

  logic unused_bits;
  assign unused_bits = ^instr;
endmodule
