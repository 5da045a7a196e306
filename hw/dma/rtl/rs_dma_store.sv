// SPDX-License-Identifier: Apache-2.0
// rs_dma_store: the STORE unit: group -> memory.
// Model:   docs/core.md: STORE, STORES, formats in memory, faults
// Params:  W; LogNMax; Lanes (with BusBits: the chunk); BusBits, Outstanding, MaxBurstBytes;
//          Encode: there is STORES (rs_store_slots); LogNMin: the smallest log_n_i, for STORES; Sliced: STORE has a size and a slice of the group;
//          BurstLines: lines of a burst of STORE, 1, 2 or 4; Short: STORE of the lower half of an array
// Bounds:  addr_i a multiple of 64, 16 BurstLines V <= 2^log_n_i, log_n_i <= LogNMax; all inputs but the handshakes stable from start_i to done_o;
//          chunk_data_i comes two cycles after chunk_req_o, whatever happens
// Timing:  a chunk per cycle, or a beat where that holds less; 26 cycles and the memory's latency - 1 more than that in all (7 if V
//          is 1): all words of the first beat come from one bank
//
// A chunk that is asked for cannot be held up: the unit asks only for as many as there is room for. Chunks are columns of the array, see
// rs_dma_load. Before rs_transpose gives rows away as fast as columns come, it holds V M - M + 1 columns, M = 16 / V. If that leaves
// room for those under way, they need no queue, only a register.
//
// All chunks of an array's lower half are asked for, as each has words of it: the rows of the upper streams go nowhere.

module rs_dma_store #(
    parameter int unsigned W = 32,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes = 4,
    parameter int unsigned BusBits = 128,
    parameter int unsigned Outstanding = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter bit Encode = 1'b0,
    parameter int unsigned LogNMin = LogNMax,
    parameter bit Sliced = 1'b0,
    parameter int unsigned BurstLines = 1,
    parameter bit Short = 1'b0,
    localparam int unsigned V = rs_dma_pkg::chunk_words(W, Lanes, BusBits)
) (
    input  logic                                        clk_i,
    input  logic                                        rst_ni,
    // unit
    input  logic                                        start_i,
    input  logic                   [       63:0]        instr_i,
    input  logic                                        clear_i,       // drains, then done_o as always
    input  logic                   [       63:0]        addr_i,
    input  logic                   [        4:0]        log_n_i,
    output logic                                        done_o,
    output logic                   [        3:0]        fault_o,       // with done_o
    // group
    output logic                                        chunk_req_o,
    output logic                   [LogNMax-1:0]        chunk_pos_o,
    input  logic                   [      V-1:0][W-1:0] chunk_data_i,
    // memory
    output rs_axi_pkg::write_req_t                      write_o,
    input  rs_axi_pkg::write_rsp_t                      write_i,
    output logic                   [BusBits-1:0]        wdata_o
);
  localparam int unsigned LogV = $clog2(V);
  localparam int unsigned Under = 4;  // from a request to the room of its chunk being free again: 4 cycles
  localparam int unsigned Places = 16 * BurstLines;  // places of rs_transpose
  localparam bit Direct = V > 1 && Places - Places / V + 1 + Under <= Places;
  localparam int unsigned Depth = Direct ? Places : Under;
  localparam int unsigned RoomBits = $clog2(Depth + 1);
  localparam int unsigned LinesBits = LogNMax - 2;
  localparam int unsigned LowBit = LogV < 3 ? LogV : 3;

  logic wide_q, error, writing, drop;
  logic half;  // the lower half of the array's words
  logic skip, row_ready;  // the row is one of a half that nobody wants
  logic [LogNMax-1:LowBit] below_n_q;  // high bits of N - 1
  logic [LinesBits-1:0] lines, wanted_lines, slot_lines_q;
  // STORES: it starts, it started last; one of more slots than there are points: in this cycle, since it started
  logic starts_slots, slots_q, refuse_q, refused_q;
  logic begin_q;  // the cycle after start_i
  logic clear;
  logic rests, sweep;  // with Encode: nothing of what is here may stay; zeros into the places of rs_transpose
  rs_dma_pkg::numbers_t numbers;
  logic slot_req, slot_over, slot_beat_valid;
  logic [LogNMax-1:0] slot_pos;
  logic [BusBits-1:0] slot_beat;
  logic pop, pack_ready;
  logic beat_valid, beat_ready;
  logic [BusBits-1:0] beat;
  logic row_req, row_beat_valid;
  logic [BusBits-1:0] row_beat;
  logic busy_q;
  logic more_q, last_q;  // there is a chunk to ask for, and it is the last
  logic [LogNMax-LogV-1:0] pos_q, pos_next;  // position of this chunk and of the next one, in chunks
  logic column_valid, column_ready, row_valid, turning, leaves;
  logic [V-1:0][W-1:0] column, row;
  logic [RoomBits-1:0] room_q;  // not promised to a request
  logic [1:0] coming_q;

  logic [4:0] log_size;
  logic [LogNMax-1:0] base;  // the base of the slice
  if (Sliced) begin : gen_slices
    rs_isa_pkg::instr_t instr;
    logic [LogNMax-1:0] base_q;
    assign instr = rs_isa_pkg::instr_t'(instr_i);
    assign log_size = instr.log_size != '0 ? 5'(instr.log_size) : log_n_i;
    always_ff @(posedge clk_i) base_q <= instr.log_size != '0 ? LogNMax'(instr.slice_dst) << log_size : '0;
    assign base = base_q;
    logic unused_fields;
    assign unused_fields = ^instr;
  end else begin : gen_whole
    assign log_size = log_n_i;
    assign base = '0;
  end

  // ---- chunks that are asked for ---------------------------------------------------------------------------------------------
  always_comb begin
    if (slots_q) lines = slot_lines_q;
    else if (wide_q) lines = LinesBits'(below_n_q[LogNMax-1:3]);
    else lines = LinesBits'(below_n_q[LogNMax-1:4]);
  end
  assign row_req = more_q && room_q != '0;
  assign chunk_req_o = row_req || slot_req;
  assign chunk_pos_o = slot_req ? slot_pos : LogNMax'(pos_q) << LogV | base;

  rs_next_reversed #(
      .Width(LogNMax - LogV)
  ) u_next (
      .ones_i (below_n_q[LogNMax-1:LogV]),
      .value_i(pos_q),
      .next_o (pos_next)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      more_q   <= 1'b0;
      room_q   <= RoomBits'(Depth);
      coming_q <= '0;
    end else begin
      if (start_i) more_q <= !starts_slots;
      else if (row_req && last_q) more_q <= 1'b0;
      room_q   <= room_q - RoomBits'(row_req) + RoomBits'(pop);
      coming_q <= {coming_q[0], row_req};
    end
  end

  always_ff @(posedge clk_i) begin
    wide_q    <= W > 32 || instr_i[rs_isa_pkg::WideLsb];
    below_n_q <= (LogNMax - LowBit)'(~({LogNMax{1'b1}} << log_size) >> LowBit);
    if (start_i) begin
      pos_q  <= '0;
      last_q <= 32'(log_size) == LogV;
    end else if (row_req) begin
      pos_q  <= pos_next;
      last_q <= pos_next == below_n_q[LogNMax-1:LogV];
    end
  end

  if (Direct) begin : gen_direct
    logic there_q;
    logic [V-1:0][W-1:0] chunk_q;
    always_ff @(posedge clk_i) begin
      there_q <= rst_ni && !clear_i && coming_q[1];
      if (coming_q[1]) chunk_q <= chunk_data_i;
      else if (Encode) chunk_q <= '0;
    end
    assign column_valid = there_q;
    assign column = chunk_q;
    assign pop = leaves;
    logic unused_ready;
    assign unused_ready = column_ready;
  end else begin : gen_queue
    logic [2:0] fill_q;  // chunks there
    logic [1:0] head_q, tail_q;
    logic [Depth-1:0][V-1:0][W-1:0] queue_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        fill_q <= '0;
        head_q <= '0;
        tail_q <= '0;
      end else begin
        fill_q <= fill_q + 3'(coming_q[1]) - 3'(pop);
        if (coming_q[1]) tail_q <= tail_q + 1'b1;
        if (pop) head_q <= head_q + 1'b1;
      end
      if (Encode && rests) queue_q <= '0;
      else if (coming_q[1]) queue_q[tail_q] <= chunk_data_i;
    end
    assign column_valid = fill_q != '0;
    assign column = queue_q[head_q];
    assign pop = column_valid && column_ready;
    logic unused_leaves;
    assign unused_leaves = leaves;
  end

  // ---- slots -------------------------------------------------------------------------------------------------------------
  assign numbers = rs_dma_pkg::numbers_t'(instr_i[rs_isa_pkg::NumbersLsb+:28]);
  assign starts_slots = Encode && instr_i[rs_isa_pkg::OpLsb+:6] == rs_isa_pkg::OP_STORES;
  assign clear = clear_i || refuse_q;
  // What is here may leave the core, but is no less secret for that if it is decoded values. So as soon as it is of no use, zeros take its place.
  assign rests = Encode && (drop || !busy_q);
  assign sweep = rests && !clear;

  if (Encode) begin : gen_slots
    logic [15:0] beyond_q;  // ones that no number of a slot has

    rs_store_slots #(
        .W      (W),
        .LogNMin(LogNMin),
        .LogNMax(LogNMax),
        .Lanes  (Lanes),
        .BusBits(BusBits),
        .V      (V)
    ) u_slots (
        .clk_i,
        .rst_ni,
        .start_i     (begin_q && slots_q),
        .clear_i     (rests),
        .numbers_i   (numbers),
        .log_n_i,
        .chunk_req_o (slot_req),
        .chunk_pos_o (slot_pos),
        .chunk_data_i,
        .beat_valid_o(slot_beat_valid),
        .beat_ready_i(beat_ready && slots_q),
        .beat_o      (slot_beat),
        .over_o      (slot_over)
    );
    always_ff @(posedge clk_i) begin
      begin_q      <= rst_ni && start_i;
      beyond_q     <= 16'hffff << (log_n_i - 5'd1);
      refuse_q     <= rst_ni && start_i && starts_slots && (numbers.last & beyond_q) != '0;
      slot_lines_q <= LinesBits'(rs_dma_pkg::number_lines(numbers.last, numbers.pairs, numbers.format));
      if (start_i) {slots_q, refused_q} <= {starts_slots, 1'b0};
      else if (refuse_q) refused_q <= 1'b1;
    end
  end else begin : gen_no_slots
    assign {slots_q, refuse_q, refused_q, begin_q, slot_req, slot_over, slot_beat_valid} = '0;
    assign slot_lines_q = '0;
    assign slot_pos = '0;
    assign slot_beat = '0;
    logic unused_slots;
    assign unused_slots = ^{numbers, begin_q, 1'(LogNMin)};
  end

  // ---- to memory: columns become rows of streams ------------------------------------------------------------------------
  rs_transpose #(
      .W      (W),
      .V      (V),
      .Columns(1'b1),
      .Places (Places)
  ) u_transpose (
      .clk_i,
      .rst_ni,
      .clear_i    (Encode ? clear : drop),
      .wipe_i     (sweep),
      .in_valid_i (column_valid),
      .half_i     (1'b0),
      .in_ready_o (column_ready),
      .in_i       (column),
      .out_valid_o(row_valid),
      .out_ready_i(row_ready),
      .out_o      (row),
      .leaves_o   (leaves),
      .busy_o     (turning)
  );

  if (Short) begin : gen_half
    logic [$clog2(Places)-1:0] row_q;  // in its block
    assign half = instr_i[rs_isa_pkg::HalfLsb];
    assign wanted_lines = lines >> half;
    assign skip = half && row_q[$clog2(Places)-1];
    assign row_ready = skip || pack_ready;
    always_ff @(posedge clk_i) begin
      if (start_i) row_q <= '0;
      else if (row_valid && row_ready) row_q <= row_q + 1'b1;
    end
  end else begin : gen_no_half
    assign {half, skip} = 2'b00;
    assign wanted_lines = lines;
    assign row_ready = pack_ready;
  end

  rs_pack #(
      .W      (W),
      .BusBits(BusBits),
      .V      (V)
  ) u_pack (
      .clk_i,
      .rst_ni,
      .clear_i      (Encode ? rests : drop),
      .wide_i       (wide_q),
      .chunk_valid_i(row_valid && !skip),
      .chunk_ready_o(pack_ready),
      .chunk_i      (row),
      .beat_valid_o (row_beat_valid),
      .beat_ready_i (beat_ready && !slots_q),
      .beat_o       (row_beat)
  );

  assign beat_valid = slots_q ? slot_beat_valid : row_beat_valid;
  assign beat = slots_q ? slot_beat : row_beat;

  rs_axi_write #(
      .BusBits      (BusBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits),
      .Streams      (V),
      .BurstLines   (BurstLines),
      .Halves       (Short)
  ) u_write (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i     (clear),
      .addr_i,
      .lines_i     (wanted_lines),
      .streams_i   (!slots_q),
      .pairs_i     (wide_q),
      .run_i       (2'($clog2(BurstLines)) + 2'(wide_q)),
      .half_i      (half),
      .busy_o      (writing),
      .drop_o      (drop),
      .error_o     (error),
      .beat_valid_i(beat_valid),
      .beat_ready_o(beat_ready),
      .beat_i      (beat),
      .write_o,
      .write_i,
      .wdata_o
  );

  // rows of a half that go nowhere still leave when all is written
  assign done_o = busy_q && !writing && !(Short && turning);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (start_i) busy_q <= 1'b1;
    else if (done_o) busy_q <= 1'b0;
  end

  always_comb begin
    if (error) fault_o = rs_isa_pkg::FAULT_BUS_WRITE;
    else if (refused_q) fault_o = rs_isa_pkg::FAULT_ILLEGAL;
    else if (slots_q && slot_over) fault_o = rs_isa_pkg::FAULT_VALUE;
    else fault_o = rs_isa_pkg::FAULT_NONE;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !drop) begin
      assert (!Direct || !column_valid || column_ready)
      else $error("%m: no room for a chunk");
      assert (32'(room_q) + 32'(coming_q[0]) + 32'(coming_q[1]) <= Depth)
      else $error("%m: more room than there is");
    end
  end

  if (Encode) begin : gen_rest
    localparam int unsigned Rest = Places + 4;  // cycles until nothing is left; rs_transpose and rs_store_slots check their places
    logic [6:0] rest_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear || !rests) rest_q <= '0;
      else if (32'(rest_q) != Rest) rest_q <= rest_q + 1'b1;
      if (rst_ni && rests && 32'(rest_q) == Rest)
        assert (column == '0 && row == '0 && (beat_valid || beat == '0) && u_pack.clear_i && gen_slots.u_slots.clear_i)
        else $error("%m: something stays");
    end
    if (V > 1) begin : gen_places
      always_ff @(posedge clk_i) begin
        if (rst_ni && rests && 32'(rest_q) == Rest)
          assert (u_transpose.gen_banks.swept_q)
          else $error("%m: no place was wiped");
      end
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{instr_i, turning, Short};
endmodule
