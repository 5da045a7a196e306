// SPDX-License-Identifier: Apache-2.0
// rs_lift_unit: the LIFT unit: LIFT makes residues of a slot, ROUND replaces a slot by the rounding of a modulus that is dropped.
// Model:   lib/src/ckks/poly.c rs_lift_small, rs_poly_add; lib/src/ckks/encrypt.c rs_pk_remainder; docs/core.md
// Params:  W, LogNMax, ChunkWords V: a power of two below 2^LogNMax
// Bounds:  log2(V) <= log_n_i <= LogNMax; q_i odd and above 64; values of the slot as rs_lift_small and rs_round_bit want them
// Timing:  LIFT a chunk per cycle, or per word of the stream, and ROUND a chunk in two cycles (a slot has one port) if chunk_ready_i,
//          each and a latency; a function of the instruction, log_n_i, stream_valid_i and chunk_ready_i alone
//
// The slot is read ahead: a row waits in value_sec_q, and the memory is read for the next one in every cycle, again and again while
// the first waits for the stream, since it does not hold what it read.
//
// Rows come in bit-reversed order: the stream is a polynomial in natural order, so its chunks are (rs_dma_load).
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
    input  logic [ 63:0] instr_i,  // held from start_i to done_o, like log_n_i; q_i and factor_i from the cycle after start_i
    input  logic         clear_i,  // stops; the pipeline is empty Lag + 1 cycles later
    output logic         done_o,   // in the cycle of the last write
    output logic [  3:0] fault_o,
    input  logic [  4:0] log_n_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] factor_i,

    // of a STREAM: chunk k is that of row brv(k)
    input  logic                         stream_valid_i,
    output logic                         stream_ready_o,  // LIFT with `add`: taken when both
    input  logic [ChunkWords-1:0][W-1:0] stream_i,

    // group dst of LIFT
    output logic                         chunk_valid_o,
    output logic [   LogNMax-1:0]        chunk_pos_o,
    output logic [ChunkWords-1:0][W-1:0] chunk_data_o,

    // group a of ROUND
    output logic                         chunk_req_o,
    input  logic                         chunk_ready_i,  // the request is taken
    output logic [   LogNMax-1:0]        chunk_rpos_o,
    input  logic [ChunkWords-1:0][W-1:0] chunk_data_i,   // two cycles after a request that is taken

    // rs_slots
    output logic                       slot_req_o,
    output logic                       slot_we_o,
    output logic [           3:0]      slot_o,
    output logic [   RowBits-1:0]      slot_row_o,
    output logic [ChunkWords-1:0][5:0] slot_wdata_sec_o,
    input  logic [ChunkWords-1:0][5:0] slot_rdata_sec_i   // one cycle after a read
);
  localparam int unsigned LogChunk = $clog2(ChunkWords);
  localparam int unsigned Lag = 1 + rs_pkg::AddSubLatency;  // from a row in value_sec_q to the write

  if (ChunkWords == 0 || (ChunkWords & (ChunkWords - 1)) != 0 || ChunkWords >= 2 ** LogNMax) begin : gen_illegal
    $fatal(1, "%m: ChunkWords must be a power of two below 2^LogNMax");
  end

  // ---- schedule: no data in here --------------------------------------------------------------------------------------------
  rs_isa_pkg::instr_t instr;
  logic round_q, scale_q, add_q;  // decoded in the cycle of start_i
  logic [3:0] slot_q;
  logic [RowBits-1:0] below_rows_q;
  logic run_q;  // there is a row to read
  logic want, read, read_q, load, step, write;
  logic have_q;  // a row in value_sec_q
  logic stall;  // which waits for the stream
  logic [RowBits-1:0] row, row_q, next_row_q, write_row_q;  // to read, and its successor; to write
  logic [RowBits-1:0] after_next, after_write;
  logic last_q;  // row_q is the last one
  logic [Lag:1] flight_q, end_q;  // bit i: a row, the last row, left value_sec_q i cycles ago

  assign instr = rs_isa_pkg::instr_t'(instr_i);

  // ROUND reads and writes the slot in turn: two cycles to value_sec_q and the odd Lag from there. If it had to wait for the group, a
  // read can meet a write: the write goes first.
  assign stall = have_q && add_q && !stream_valid_i;
  assign step = have_q && !stall;
  assign load = read_q && !stall;
  assign row = load ? next_row_q : row_q;
  assign want = run_q && !read_q && !write;
  assign read = round_q ? want && chunk_ready_i : run_q && !(load && last_q);
  assign write = flight_q[Lag];
  assign done_o = end_q[Lag];
  assign fault_o = rs_isa_pkg::FAULT_NONE;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q    <= 1'b0;
      read_q   <= 1'b0;
      have_q   <= 1'b0;
      flight_q <= '0;
      end_q    <= '0;
    end else begin
      if (start_i) run_q <= 1'b1;
      else if (load && last_q) run_q <= 1'b0;
      read_q   <= read;
      have_q   <= load || stall;
      flight_q <= {flight_q[Lag-1:1], step};
      end_q    <= {end_q[Lag-1:1], step && !run_q};
    end
  end

  rs_next_reversed #(
      .Width(RowBits)
  ) u_next (
      .ones_i (below_rows_q),
      .value_i(next_row_q),
      .next_o (after_next)
  );

  rs_next_reversed #(
      .Width(RowBits)
  ) u_next_write (
      .ones_i (below_rows_q),
      .value_i(write_row_q),
      .next_o (after_write)
  );

  always_ff @(posedge clk_i) begin
    round_q      <= instr.op == rs_isa_pkg::OP_ROUND;
    add_q        <= instr.op != rs_isa_pkg::OP_ROUND && instr.add;
    scale_q      <= instr.alt;
    slot_q       <= instr.op == rs_isa_pkg::OP_ROUND ? instr.dst : instr.a;
    below_rows_q <= ~({RowBits{1'b1}} << (log_n_i - 5'(LogChunk)));
    if (start_i) begin
      row_q       <= '0;
      next_row_q  <= RowBits'({1'b1, RowBits'(0)} >> (5'(LogNMax) + 5'd1 - log_n_i));  // brv(1); 0 if there is one row
      last_q      <= log_n_i == 5'(LogChunk);
      write_row_q <= '0;
    end else begin
      row_q <= row;
      if (load) begin
        next_row_q <= after_next;
        last_q     <= next_row_q == below_rows_q;
      end
      if (write) write_row_q <= after_write;
    end
  end

  assign stream_ready_o = have_q && add_q;
  assign chunk_valid_o = write && !round_q;
  assign chunk_pos_o = LogNMax'(write_row_q) << LogChunk;
  assign chunk_req_o = want && round_q;
  assign chunk_rpos_o = LogNMax'(row_q) << LogChunk;
  assign slot_we_o = write && round_q;
  assign slot_req_o = read || slot_we_o;
  assign slot_o = slot_q;
  assign slot_row_o = slot_we_o ? write_row_q : row;

  // ---- data: zeros wherever nothing is under way, so that nothing stays --------------------------------------------------
  logic [ChunkWords-1:0][  5:0] value_sec_q;
  logic [ChunkWords-1:0][W-1:0] residue_sec_q;  // of the stream, or of the group
  logic [ChunkWords-1:0] wrap_sec, wrap_sec_q, bit_sec_q;
  logic [Lag:0] awake_q;  // something was under way: zeros follow it through all registers
  logic awake;

  assign awake = read_q || have_q || awake_q != '0;

  always_ff @(posedge clk_i) begin
    awake_q <= {awake_q[Lag-1:0], read_q || have_q};
    if (!stall && awake) value_sec_q <= read_q ? slot_rdata_sec_i : '0;
    if (awake) begin
      for (int unsigned i = 0; i < ChunkWords; i++) begin
        residue_sec_q[i] <= (stream_i[i] & {W{step && add_q}}) | (chunk_data_i[i] & {W{step && round_q}});
      end
      wrap_sec_q <= flight_q[1] && round_q ? wrap_sec : '0;
      bit_sec_q  <= wrap_sec_q;
    end
  end

  for (genvar i = 0; i < ChunkWords; i++) begin : gen_lane
    rs_lift_lane #(
        .W(W)
    ) u_lift (
        .clk_i,
        .en_i(awake),
        .q_i,
        .factor_i,
        .scale_i(scale_q),
        .value_sec_i(value_sec_q[i]),
        .addend_sec_i(residue_sec_q[i]),
        .residue_sec_o(chunk_data_o[i])
    );

    rs_round_bit #(
        .W(W)
    ) u_round (
        .clk_i,
        .en_i(awake),
        .q_i,
        .error_sec_i(value_sec_q[i]),
        .value_sec_i(residue_sec_q[i]),
        .wrap_sec_o(wrap_sec[i])
    );

    assign slot_wdata_sec_o[i] = {5'd0, bit_sec_q[i]};
  end

  logic unused_bits;
  assign unused_bits = ^instr;
endmodule
