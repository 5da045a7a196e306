// SPDX-License-Identifier: Apache-2.0
// rs_reduce_stream: beats of signed 64-bit words -> rows of V residues modulo q.
// Model:   docs/core.md: STREAM with alt
// Params:  W; BusBits; V; Reducers: words per cycle, a power of two, at most V and at most the words of a beat
// Bounds:  q_i < 2^60, and ratio64_i = floor(2^64 / q); stable from two cycles before the first beat to the last row; any word
// Timing:  Reducers words per cycle, the same for all data. The pipeline of rs_reduce_word does not stop, so words enter only if the
//          queue behind it has room for them

module rs_reduce_stream #(
    parameter int unsigned W        = 32,
    parameter int unsigned BusBits  = 128,
    parameter int unsigned V        = 4,
    parameter int unsigned Reducers = 1
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      clear_i,       // drops what is there
    input  logic                      wipe_i,        // zeros, while nothing is there
    input  logic [      W-1:0]        q_i,
    input  logic [       63:0]        ratio64_i,
    input  logic                      beat_valid_i,
    output logic                      beat_ready_o,
    input  logic [BusBits-1:0]        beat_i,
    output logic                      row_valid_o,   // stays, with row_o, until row_ready_i
    input  logic                      row_ready_i,
    output logic [      V-1:0][W-1:0] row_o,
    output logic                      busy_o         // there is something in here
);
  localparam int unsigned ResidueBits = W < 60 ? W : 60;
  localparam int unsigned Latency = rs_pkg::reduce_latency(ResidueBits);
  localparam int unsigned Lag = Latency + 2;  // from a word that enters to the queue
  localparam int unsigned LogDepth = $clog2(Lag + 2);  // a place is free again two cycles after its word has come
  localparam int unsigned Depth = 1 << LogDepth;
  localparam int unsigned Steps = V / Reducers;  // steps of a row
  localparam int unsigned StepBits = Steps > 1 ? $clog2(Steps) : 1;

  if (Reducers == 0 || 2 ** $clog2(Reducers) != Reducers || Reducers > V || Reducers > BusBits / 64) begin : gen_illegal
    $fatal(1, "%m: Reducers %0d is not a power of two up to %0d and %0d", Reducers, V, BusBits / 64);
  end
  if (Lag >= Depth) begin : gen_illegal_depth
    $fatal(1, "%m: the queue is shorter than the pipeline");
  end

  logic words_valid, words_over, enter, pop, room, last;
  logic [Reducers-1:0][63:0] words;
  logic [Reducers-1:0][W-1:0] fixed_q, head;
  logic [LogDepth:0] room_q, fill_q;  // places not promised to a word; words there
  logic [LogDepth-1:0] write_q, read_q;
  logic [Lag:1] flight_q;
  logic [LogDepth+1:0] swept_q;  // places, twice: the first time the pipeline runs dry
  logic sweep;
  logic [StepBits-1:0] step_q;
  logic row_valid_q;
  logic [V-1:0][W-1:0] row_q;

  // ---- beats to words ----------------------------------------------------------------------------------------------------
  rs_unpack #(
      .W      (64),
      .BusBits(BusBits),
      .V      (Reducers)
  ) u_unpack (
      .clk_i,
      .rst_ni,
      .clear_i,
      .wipe_i,
      .wide_i       (1'b1),
      .narrow_i     (1'b0),
      .beat_valid_i,
      .beat_ready_o,
      .beat_i,
      .chunk_valid_o(words_valid),
      .chunk_ready_i(room_q != '0),
      .chunk_o      (words),
      .over_o       (words_over)
  );
  assign enter = words_valid && room_q != '0;

  // ---- words folded to numbers from zero, reduced, with their sign again ---------------------------------------------------
  // A negative word x is folded to its complement ~x = -x - 1, which takes no carry over 64 bits. With r = ~x mod q, the residue
  // of x = -(~x) - 1 is q - 1 - r = q + ~r, and 0 <= q - 1 - r < q for every r < q: zero is no case of its own.
  for (genvar i = 0; i < Reducers; i++) begin : gen_reducer
    logic [63:0] folded_q;
    logic [ResidueBits-1:0] residue, complement;
    logic negative;

    assign complement = q_i[ResidueBits-1:0] + ~residue;

    always_ff @(posedge clk_i) begin
      folded_q   <= enter ? words[i] ^ {64{words[i][63]}} : '0;
      fixed_q[i] <= W'(negative ? complement : residue);
    end

    rs_reduce_word #(
        .W(ResidueBits)
    ) u_reduce (
        .clk_i,
        .word_i   (folded_q),
        .q_i      (q_i[ResidueBits-1:0]),
        .ratio64_i,
        .residue_o(residue)
    );

    rs_delay #(
        .Width (1),
        .Cycles(Latency + 1)
    ) u_negative (
        .clk_i,
        .data_i(words[i][63] && enter),
        .data_o(negative)
    );
  end

  // ---- the queue, and rows of it -------------------------------------------------------------------------------------------
  rs_ram_1r1w #(
      .Width(Reducers * W),
      .Depth(Depth)
  ) u_queue (
      .clk_i,
      .we_i   (flight_q[Lag] || sweep),
      .waddr_i(sweep ? swept_q[LogDepth-1:0] : write_q),
      .wdata_i(fixed_q),
      .raddr_i(read_q),
      .rdata_o(head)
  );

  assign sweep = wipe_i && !swept_q[LogDepth+1];
  assign last  = step_q == StepBits'(Steps - 1);
  assign room  = !row_valid_q || row_ready_i;
  assign pop   = fill_q != '0 && room;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      room_q      <= (LogDepth + 1)'(Depth);
      fill_q      <= '0;
      write_q     <= '0;
      read_q      <= '0;
      flight_q    <= '0;
      step_q      <= '0;
      row_valid_q <= 1'b0;
    end else begin
      flight_q <= {flight_q[Lag-1:1], enter};
      room_q   <= room_q - (LogDepth + 1)'(enter) + (LogDepth + 1)'(pop);
      fill_q   <= fill_q + (LogDepth + 1)'(flight_q[Lag]) - (LogDepth + 1)'(pop);
      if (flight_q[Lag]) write_q <= write_q + 1'b1;
      if (pop) begin
        read_q <= read_q + 1'b1;
        step_q <= last ? '0 : step_q + 1'b1;
      end
      if (room) row_valid_q <= pop && last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !wipe_i) swept_q <= '0;
    else if (sweep) swept_q <= swept_q + 1'b1;
    if (wipe_i) row_q <= '0;
    else if (pop) begin
      for (int unsigned i = 0; i < V; i++) if (i / Reducers == 32'(step_q)) row_q[i] <= head[i%Reducers];
    end
  end

  assign row_valid_o = row_valid_q;
  assign row_o = row_q;
  assign busy_o = words_valid || row_valid_q || room_q != (LogDepth + 1)'(Depth);

  logic unused_bits;
  assign unused_bits = ^{words_over, q_i};
endmodule
