// SPDX-License-Identifier: Apache-2.0
// rs_compute: the COMPUTE unit: transforms and elementwise operations on bank groups, with Lanes lanes that all of them share.
// Model:   lib/src/arith/ntt.c, lib/src/backend/plan.c (bit-exact, N^-1 included), lib/src/encoding/fixed.c (bit-exact); docs/core.md
//          (instructions), docs/ntt_schedule.md (transforms)
// Params:  W, WordBits (rs_lane); LogNMax, Lanes (power of two); Groups; Contexts, OnTheFly (rs_twiddles);
//          ChunkWords: words of a twiddle load and of a stream per cycle; StreamFactor: MSUBS is there, for one lane and chunks of two words;
//          Encode: FFT, IFFT, SCALEW and MACW are there, for stored twiddles; Stacked: data_i[group] has the half that was read in both halves,
//          and it stays a cycle longer if nothing is read in that cycle; Sliced: NTT, INTT, MUL, MAC, MSUB, ADD, SUB and SCALE work on slices,
//          polynomials of 2^log_size words that follow each other in a group, with stored twiddles
// Bounds:  instr_i is held from start_i for two cycles longer than to done_o, the constants for three, log_n_i from the cycle before;
//          operands below q, for SCALE and MSUBC a below 2^W; for FFT, IFFT, SCALEW and MACW words of W bits
//          and a context of roots, whose q is 1
// Timing:  N / (2 Lanes) log2 N, N / Lanes (log2 N - 1) (FFT, IFFT) or N / Lanes cycles and a latency (docs/ntt_schedule.md); independent of data
//
//   groups -> U, V, B --> (reorder) --> lanes --> (reorder | pair up) --> delay --> group
module rs_compute #(
    parameter  int unsigned W            = 32,
    parameter  int unsigned WordBits     = rs_pkg::WlmWordBits,
    parameter  int unsigned LogNMax      = 10,
    parameter  int unsigned Lanes        = 2,
    parameter  int unsigned Groups       = 2,
    parameter  int unsigned Contexts     = 1,
    parameter  bit          OnTheFly     = 1'b0,
    parameter  int unsigned ChunkWords   = 2,
    parameter  bit          StreamFactor = 1'b0,
    parameter  bit          Encode       = 1'b0,
    parameter  bit          Stacked      = 1'b0,
    parameter  bit          Sliced       = 1'b0,
    localparam int unsigned LogLanes     = $clog2(Lanes),
    localparam int unsigned AddrBits     = LogNMax - 2 - LogLanes,
    localparam int unsigned LogNBits     = rs_ntt_pkg::LogNBits,
    localparam int unsigned PartBits     = rs_isa_pkg::PartBits,
    localparam int unsigned CtxBits      = 2,
    localparam int unsigned Addresses    = Sliced ? Groups : 1
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        clear_i,
    input  logic        rinse_i,   // no instruction runs: operands are what data_i has
    input  logic        start_i,
    input  logic [63:0] instr_i,
    output logic        done_o,    // rs_ntt_pkg::DoneLead cycles before the last write is in the banks; of FFT, IFFT, MACW with it
    output logic        active_o,  // lanes have operands
    output logic        over_o,    // with done_o: a word of fixed point was out of range

    input logic [LogNBits-1:0] log_n_i,
    input logic [LogNBits-1:0] twiddle_log_n_i,  // Sliced: of the context that is loaded, held as rs_twiddles wants
    input logic [       W-1:0] q_i,
    input logic [       W-1:0] constant_i,       // constant of SCALE, MSUBC and SCALEW; factor of MACW

    // bank groups: one write address, and one read address, with Sliced of each group, of one half each. data_i come two cycles after a read,
    // data_o one after a write
    output logic                                                   read_o,
    output logic                                                   read_half_o,
    output logic [Addresses-1:0][AddrBits-1:0]                     read_addr_o,
    output logic [   Groups-1:0]                                   read_groups_o,
    output logic                                                   write_o,
    output logic                                                   write_half_o,
    output logic [ AddrBits-1:0]                                   write_addr_o,
    output logic [   Groups-1:0]                                   write_groups_o,
    output logic [  2*Lanes-1:0][       W-1:0]                     data_o,
    input  logic [   Groups-1:0][         1:0][2*Lanes-1:0][W-1:0] data_i,

    // words of a STREAM: the second factor of MSUBS, a chunk for each half row in the order of rs_vector_walk
    input  logic                         stream_valid_i,
    output logic                         stream_ready_o,
    input  logic [ChunkWords-1:0][W-1:0] stream_sec_i,

    // twiddle image of a context (rs_twiddles)
    input  logic                         twiddle_start_i,
    input  logic [   CtxBits-1:0]        twiddle_ctx_i,
    input  logic                         twiddle_roots_i,  // it is that of the roots of FFT and IFFT
    input  logic [  PartBits-1:0]        twiddle_part_i,   // or a part of it: rs_twiddles
    input  logic                         twiddle_valid_i,
    output logic                         twiddle_ready_o,
    input  logic [ChunkWords-1:0][W-1:0] twiddle_i,
    output logic                         twiddle_done_o,
    output logic [     LogNMax:0]        twiddle_words_o   // words of an image
);
  import rs_isa_pkg::*;

  localparam int unsigned GroupBits = Groups > 1 ? $clog2(Groups) : 1;
  localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1;
  localparam int unsigned LaneLatency = rs_pkg::lane_latency(W, WordBits);
  localparam int unsigned WriteLag = rs_ntt_pkg::write_lag(LogLanes, LaneLatency);
  localparam int unsigned TwiddleLatency = rs_ntt_pkg::twiddle_latency(LogLanes, OnTheFly, rs_pkg::modmul_latency(W, WordBits));
  // from the results to the write, one of them to make WriteLag odd
  localparam int unsigned ReorderLatency = rs_ntt_pkg::reorder_latency(LogLanes, LaneLatency);
  localparam int unsigned ResultDelay = WriteLag - 2 - LaneLatency - ReorderLatency;
  // elementwise: the second half of a pair of results is one cycle behind the first, and nothing is reordered
  localparam int unsigned VectorLag = 3 + LaneLatency + ResultDelay;

  if (Lanes == 0 || (Lanes & (Lanes - 1)) != 0 || !rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: Lanes %0d is not a power of two, or LogNMax %0d out of range", Lanes, LogNMax);
  end

  if (StreamFactor && (Lanes != 1 || ChunkWords != 2)) begin : gen_illegal_stream
    $fatal(1, "%m: a STREAM can be a factor with one lane and chunks of two words only, not with %0d and %0d", Lanes, ChunkWords);
  end

  if (Encode && OnTheFly) begin : gen_illegal_encode
    $fatal(1, "%m: Encode needs stored twiddles");
  end

  if (Sliced && OnTheFly) begin : gen_illegal_slices
    $fatal(1, "%m: twiddles on the fly of a slice would have to begin anew");
  end

  if (Encode && VectorLag < 11) begin : gen_illegal_lag
    $fatal(1, "%m: SCALEW would end before it is known whether a word was out of range, with VectorLag %0d", VectorLag);
  end

  typedef logic [2*Lanes-1:0][W-1:0] words_t;  // {h, lane}

  // ---- decode ------------------------------------------------------------------------------------------------------------
  // in registers in the cycle after start_i, in which a walk starts
  op_e op;
  logic [GroupBits-1:0] dst, a, b, dst_q, a_q, b_group_q;
  logic [CtxBits-1:0] ctx_q;
  logic [LogNBits-1:0] log_n_q;
  logic rinse_q;
  logic run_n, clear_q, start_q, transform_q, inverse_q, constant_q, streamed_q, fft_d, fft_q, fft, fft_start_q, scales_q, adds_q;
  rs_pkg::lane_op_e op_d, lane_op_q;

  assign op = op_e'(instr_i[OpLsb+:OpBits]);
  assign dst = instr_i[DstLsb+:GroupBits];
  assign a = instr_i[ALsb+:GroupBits];
  assign b = instr_i[BLsb+:GroupBits];
  assign fft_d = Encode && (op == OP_FFT || op == OP_IFFT);
  assign fft = Encode && fft_q;

  always_ff @(posedge clk_i) begin
    clear_q     <= clear_i;
    rinse_q     <= rinse_i;
    start_q     <= run_n && start_i;
    log_n_q     <= log_n_i;
    ctx_q       <= instr_i[CtxLsb+:CtxBits];
    transform_q <= op == OP_NTT || op == OP_INTT || fft_d;
    inverse_q   <= op == OP_INTT || (fft_d && op == OP_IFFT);
    fft_q       <= fft_d;
    fft_start_q <= run_n && start_q && fft;
    scales_q    <= Encode && (op == OP_SCALEW || op == OP_MACW);
    adds_q      <= Encode && op == OP_MACW;
    constant_q  <= op == OP_SCALE || op == OP_MSUBC || (Encode && (op == OP_SCALEW || op == OP_MACW));
    streamed_q  <= StreamFactor && op == OP_MSUBS;
    lane_op_q   <= op_d;
    dst_q       <= dst;
    a_q         <= a;
    b_group_q   <= b;
    for (int g = 0; g < int'(Groups); g++) begin
      write_groups_o[g] <= dst == GroupBits'(g);
      read_groups_o[g] <= (!(op == OP_NTT || op == OP_INTT || fft_d) && a == GroupBits'(g)) ||
                  (!(op == OP_MUL || op == OP_SCALE || (Encode && op == OP_SCALEW)) && dst == GroupBits'(g)) ||
                  ((op == OP_MUL || op == OP_MAC || op == OP_MSUB) && b == GroupBits'(g));
    end
  end

  assign run_n = rst_ni && !clear_q;

  logic unused;
  assign unused = ^instr_i;

  always_comb begin
    unique case (op)
      OP_NTT: op_d = rs_pkg::LANE_CT;
      OP_INTT: op_d = rs_pkg::LANE_GS;
      OP_FFT: op_d = Encode ? rs_pkg::LANE_CT : rs_pkg::LANE_MUL;
      OP_IFFT: op_d = Encode ? rs_pkg::LANE_GS : rs_pkg::LANE_MUL;
      OP_MAC: op_d = rs_pkg::LANE_MAC;
      OP_MACW: op_d = Encode ? rs_pkg::LANE_MAC : rs_pkg::LANE_MUL;
      OP_MSUB, OP_MSUBC, OP_MSUBS: op_d = rs_pkg::LANE_MSUB;
      OP_ADD: op_d = rs_pkg::LANE_ADD;
      OP_SUB: op_d = rs_pkg::LANE_SUB;
      default: op_d = rs_pkg::LANE_MUL;
    endcase
  end

  // ---- slices --------------------------------------------------------------------------------------------------------------
  // Of an instruction that has none, its one polynomial begins at address 0. log_n is there from start_i on, as walks ask for it a cycle before
  // they start; otherwise it is that of the program.
  logic [LogNBits-1:0] log_n, twiddle_log_n;
  logic [rs_ntt_pkg::SliceBits-1:0] slices;
  logic [AddrBits-1:0] walk_read_addr, walk_write_addr;
  if (Sliced) begin : gen_slices
    typedef logic [AddrBits-1:0] addr_t;
    addr_t below_slice, dst_base_q, a_base_q, b_base_q, a_flip_q, b_mask_q, dst_addr, a_addr, b_addr;
    logic [LogNBits-1:0] row_bits;
    logic [LogSizeBits-1:0] log_size;
    instr_t instr;

    assign instr = instr_t'(instr_i);
    assign log_size = instr.log_size;
    assign log_n = log_size != '0 ? LogNBits'(log_size) : log_n_i;
    assign twiddle_log_n = twiddle_log_n_i;
    assign slices = instr.slices;
    assign row_bits = log_n - LogNBits'(2 + LogLanes);
    assign below_slice = ~({AddrBits{1'b1}} << row_bits);

    always_ff @(posedge clk_i) begin
      dst_base_q <= addr_t'(instr.slice_dst) << row_bits;
      a_base_q   <= addr_t'(instr.slice_a) << row_bits;
      b_base_q   <= addr_t'(instr.slice_b) << row_bits;
      a_flip_q   <= addr_t'(instr.a_xor) << row_bits;
      unique case (instr.b_map)
        2'(B_MAP_ONE): b_mask_q <= below_slice;
        2'(B_MAP_PAIR): b_mask_q <= below_slice << 1 | addr_t'(1'b1);
        default: b_mask_q <= '1;
      endcase
    end

    assign dst_addr = dst_base_q + walk_read_addr;
    assign a_addr = a_base_q + (walk_read_addr ^ a_flip_q);
    assign b_addr = b_base_q + (walk_read_addr & b_mask_q);
    assign write_addr_o = dst_base_q + walk_write_addr;
    logic unused_fields;
    assign unused_fields = ^{instr, log_n_q};

    // a group with two roles has the same slices in both
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic is_dst_q, is_a_q;
      always_ff @(posedge clk_i) begin
        is_dst_q <= dst == GroupBits'(g);
        is_a_q   <= a == GroupBits'(g);
      end
      assign read_addr_o[g] = is_dst_q ? dst_addr : is_a_q ? a_addr : b_addr;
    end
  end else begin : gen_whole
    assign log_n = log_n_q;
    assign twiddle_log_n = log_n_q;
    assign slices = '0;
    assign read_addr_o[0] = walk_read_addr;
    assign write_addr_o = walk_write_addr;
    logic unused_log_n;
    assign unused_log_n = ^twiddle_log_n_i;
  end

  // ---- addresses ---------------------------------------------------------------------------------------------------------
  logic ntt_read, ntt_read_half, ntt_write, ntt_write_half, ntt_end, twiddle_read;
  logic [AddrBits-1:0] ntt_read_addr, ntt_write_addr;
  logic [AddrBits+1:0] twiddle_addr;
  logic [SelectBits-1:0] twiddle_fixed, twiddle_bank;
  logic [LogNBits-1:0] twiddle_stage;
  logic [  AddrBits:0] twiddle_step;
  logic twiddle_second, twiddle_odd, component;
  logic [2:0] phase;

  rs_ntt_addr #(
      .LogNMax       (LogNMax),
      .LogLanes      (LogLanes),
      .WriteLag      (WriteLag),
      .ReorderLatency(ReorderLatency),
      .TwiddleLatency(TwiddleLatency),
      .Encode        (Encode),
      .Sliced        (Sliced)
  ) u_addr (
      .clk_i,
      .rst_ni          (run_n),
      .start_i         ((start_q && transform_q && !fft) || (Encode && fft_start_q)),
      .fft_i           (fft),
      .inverse_i       (inverse_q),
      .log_n_i         (log_n),
      .slices_i        (slices),
      .part_i          (Encode ? instr_i[PartLsb+:PartBits] : '0),
      .read_o          (ntt_read),
      .read_group_o    (ntt_read_half),
      .read_addr_o     (ntt_read_addr),
      .write_o         (ntt_write),
      .write_group_o   (ntt_write_half),
      .write_addr_o    (ntt_write_addr),
      .done_o          (),
      .end_o           (ntt_end),
      .twiddle_o       (twiddle_read),
      .twiddle_addr_o  (twiddle_addr),
      .twiddle_fixed_o (twiddle_fixed),
      .twiddle_bank_o  (twiddle_bank),
      .twiddle_stage_o (twiddle_stage),
      .twiddle_step_o  (twiddle_step),
      .twiddle_second_o(twiddle_second),
      .twiddle_odd_o   (twiddle_odd),
      .component_o     (component),
      .phase_o         (phase)
  );

  logic vector_read, vector_write, vector_half, vector_end;
  logic [AddrBits-1:0] vector_addr;

  rs_vector_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(VectorLag),
      .Streamed(StreamFactor),
      .Sliced  (Sliced)
  ) u_walk (
      .clk_i,
      .rst_ni  (run_n),
      .start_i (start_q && !transform_q),
      .log_n_i (log_n),
      .slices_i(slices),
      .stream_i(streamed_q),
      .stream_valid_i,
      .stream_ready_o,
      .read_o  (vector_read),
      .write_o (vector_write),
      .half_o  (vector_half),
      .addr_o  (vector_addr),
      .end_o   (vector_end)
  );

  assign read_o          = ntt_read || vector_read;
  assign read_half_o     = transform_q ? ntt_read_half : vector_half;
  assign walk_read_addr  = transform_q ? ntt_read_addr : vector_addr;
  assign write_o         = ntt_write || vector_write;
  assign write_half_o    = transform_q ? ntt_write_half : vector_half;
  assign walk_write_addr = transform_q ? ntt_write_addr : vector_addr;

  // a write reaches its bank in the cycle after write_o, as this register is one cycle behind end_o
  logic fft_end;
  always_ff @(posedge clk_i) done_o <= run_n && (fft || adds_q ? fft_end : vector_end || ntt_end);

  // an FFT or MACW ends when it is known whether a word was out of range
  if (Encode) begin : gen_fft_end
    logic [rs_ntt_pkg::DoneLead:1] end_q;
    always_ff @(posedge clk_i) begin
      if (!run_n) end_q <= '0;
      else end_q <= {end_q[rs_ntt_pkg::DoneLead-1:1], (ntt_end && fft) || (vector_end && adds_q)};
    end
    assign fft_end = end_q[rs_ntt_pkg::DoneLead];
  end else begin : gen_no_fft_end
    assign fft_end = 1'b0;
  end

  // ---- operands: the upper half of them is the second of the two cycles that an elementwise operation takes ---------------
  logic [1:0] read_q, half_q;
  logic used_q, used_before_q;

  always_ff @(posedge clk_i) begin
    if (!run_n) begin
      read_q        <= '0;
      used_q        <= 1'b0;
      used_before_q <= 1'b0;
    end else begin
      read_q        <= {read_q[0], read_o};
      used_q        <= read_q[1];
      used_before_q <= used_q;
    end
  end
  assign active_o = used_q || ((!transform_q || fft) && used_before_q);

  // a chunk of a stream comes with the read, and waits for what is read
  words_t chunk_sec_q;
  if (StreamFactor) begin : gen_stream
    always_ff @(posedge clk_i) begin
      if (!run_n || done_o) chunk_sec_q <= '0;
      else if (stream_ready_o) chunk_sec_q <= stream_sec_i;
    end
  end else begin : gen_no_stream
    assign chunk_sec_q = '0;
    logic unused_stream;
    assign unused_stream = ^stream_sec_i;
  end

  // what the lanes take: elementwise both parts in turn, while the operands stay; Stacked: the operands themselves are half
  typedef enum logic [1:0] {
    FROM_FIRST = 2'd0,  // the first words of U, V, B
    FROM_SECOND = 2'd1,
    FROM_UPPER = 2'd2,  // y: of U; w: the constant
    FROM_NTT = 2'd3  // x: reordered; w: twiddles
  } from_e;
  from_e x_from_q, y_from_q, w_from_q;
  logic second;
  words_t u_q, v_q, b_q;
  assign second = !read_q[1] && !Stacked;

  always_ff @(posedge clk_i) begin
    half_q   <= {half_q[0], read_half_o};
    x_from_q <= inverse_q ? FROM_NTT : second && !transform_q ? FROM_SECOND : FROM_FIRST;
    y_from_q <= inverse_q && !Stacked ? FROM_FIRST : transform_q || Stacked ? FROM_UPPER : second ? FROM_SECOND : FROM_FIRST;
    w_from_q <= transform_q ? FROM_NTT : constant_q ? FROM_UPPER : second ? FROM_SECOND : FROM_FIRST;
  end

  if (Stacked) begin : gen_turns
    // The memories hold what they have read for the second cycle. So one choice among the lower and upper halves of all groups brings half
    // of an operand after the other, and in a transform all of dst: x of it in the lower half of U, y in the upper one. It is made in two
    // steps: one of four by a number, then one of what is left.
    localparam int unsigned Places = 2 * Groups;  // {group, upper half}
    localparam int unsigned Quads = Places / 4;
    localparam int unsigned Ways = Quads + Places % 4;
    localparam int unsigned WayBits = Ways > 1 ? $clog2(Ways) : 1;
    typedef logic [Lanes-1:0][W-1:0] half_t;
    typedef struct packed {
      logic [WayBits-1:0] way;
      logic [1:0] four;
    } place_t;

    function automatic place_t place_of(input logic [GroupBits-1:0] group, input logic upper);
      place_of.four = {group[0], upper};
      place_of.way  = 32'(group) < 2 * Quads ? WayBits'(group >> 1) : WayBits'(Quads) + WayBits'(upper);
    endfunction

    half_t [Places-1:0] places;
    for (genvar k = 0; k < Places; k++) begin : gen_place
      assign places[k] = data_i[k/2][0][k%2*Lanes+:Lanes];
    end

    function automatic half_t chosen(input half_t [Places-1:0] from, input place_t place);
      half_t [Ways-1:0] ways;
      for (int unsigned i = 0; i < Quads; i++) ways[i] = from[4*i+32'(place.four)];
      for (int unsigned i = Quads; i < Ways; i++) ways[i] = from[3*Quads+i];
      return ways[place.way];
    endfunction

    place_t x_place_q, y_place_q, w_place_q;
    half_t lower_q, upper_q, factor_q, chunk_late_q;
    logic take;
    assign take = read_q[1] || (used_q && !transform_q) || rinse_i;

    always_ff @(posedge clk_i) begin
      x_place_q <= place_of(dst_q, !read_q[0] && !transform_q);
      y_place_q <= place_of(transform_q ? dst_q : a_q, !read_q[0] || transform_q);
      w_place_q <= place_of(b_group_q, !read_q[0]);
      if (take) begin
        lower_q  <= chosen(places, x_place_q);
        upper_q  <= chosen(places, y_place_q);
        factor_q <= !streamed_q ? chosen(places, w_place_q) : read_q[1] ? chunk_sec_q[Lanes-1:0] : chunk_late_q;
      end
      chunk_late_q <= chunk_sec_q[2*Lanes-1:Lanes];
    end
    assign u_q = {upper_q, lower_q};
    assign v_q = '0;
    assign b_q = words_t'(factor_q);

    logic unused_turns;
    assign unused_turns = ^{half_q, data_i};
  end else begin : gen_at_once
    always_ff @(posedge clk_i) begin
      if (read_q[1] || rinse_i) begin
        u_q <= data_i[dst_q][half_q[1]];
        v_q <= data_i[a_q][half_q[1]];
        b_q <= streamed_q ? chunk_sec_q : data_i[b_group_q][half_q[1]];
      end
    end
  end

  // ---- lanes -------------------------------------------------------------------------------------------------------------
  words_t lanes_out, to_lanes, ntt_banks, fft_banks, pair, result;
  logic [Lanes-1:0][W-1:0] twiddle, first_q;

  rs_twiddles #(
      .W         (W),
      .WordBits  (WordBits),
      .LogNMax   (LogNMax),
      .LogLanes  (LogLanes),
      .Contexts  (Contexts),
      .ChunkWords(ChunkWords),
      .OnTheFly  (OnTheFly)
  ) u_twiddles (
      .clk_i,
      .rst_ni      (run_n),
      .log_n_i     (twiddle_log_n),
      .load_start_i(twiddle_start_i),
      .load_ctx_i  (twiddle_ctx_i),
      .load_roots_i(Encode && twiddle_roots_i),
      .load_part_i (Encode ? twiddle_part_i : '0),
      .load_valid_i(twiddle_valid_i),
      .load_ready_o(twiddle_ready_o),
      .load_i      (twiddle_i),
      .load_done_o (twiddle_done_o),
      .words_o     (twiddle_words_o),
      .ctx_i       (ctx_q),
      .inverse_i   (inverse_q && !fft),
      .q_i,
      .read_i      (twiddle_read),
      .addr_i      (twiddle_addr),
      .fixed_i     (twiddle_fixed),
      .bank_i      (twiddle_bank),
      .stage_i     (twiddle_stage),
      .step_i      (twiddle_step),
      .twiddle_o   (twiddle)
  );

  // phases of the words that come in the next cycle
  logic [2:0] reorder_phase;
  logic [1:0] ntt_phase;
  assign ntt_phase = inverse_q ? phase[1:0] + 2'd1 : phase[1:0] + 2'd1 - 2'(LaneLatency);
  assign reorder_phase = !fft ? {1'b0, ntt_phase} : inverse_q ? phase - 3'd3 : phase - 3'd3 - 3'(rs_ntt_pkg::fft_lane_more(
      LogLanes
  )) - 3'(LaneLatency);

  rs_ntt_reorder #(
      .W      (W),
      .Lanes  (Lanes),
      .Latency(ReorderLatency),
      .Encode (Encode)
  ) u_reorder (
      .clk_i,
      .inverse_i(inverse_q),
      .fft_i    (fft),
      .phase_i  (reorder_phase),
      .lanes_i  (lanes_out),
      .banks_i  (u_q),
      .lanes_o  (to_lanes),
      .banks_o  (ntt_banks),
      .fft_o    (fft_banks)
  );

  // state of an FFT, SCALEW or MACW, when the lanes get the operands: a slot, its second product, whether that is subtracted in the
  // lanes of re and of im
  localparam int unsigned Partner = Lanes > 1 ? Lanes / 2 : 1;  // lanes from re to im
  logic second_product, of_im;
  logic [1:0] minus;
  logic [Lanes-1:0][W:0] factor;
  logic [Lanes-1:0] factor_over, sum_over;

  if (Encode) begin : gen_fft
    logic slot, behind, odd, factor_slot, sum_slot, late_slot, sums;  // behind: second_product of a slot

    rs_delay #(
        .Width (4),
        .Cycles(TwiddleLatency)
    ) u_control (
        .clk_i,
        .data_i({twiddle_read && fft, twiddle_second, twiddle_odd, component}),
        .data_o({slot, behind, odd, of_im})
    );
    // SCALEW and MACW have one product for each word, whatever the walk of an FFT before it still says
    assign second_product = behind && !scales_q;
    // decode: re gets re re - im im; encode, with the conjugate: im gets im re - re im. One lane: the second product of a slot is for im
    if (Lanes == 1) begin : gen_minus
      assign minus = {2{!scales_q && (of_im != second_product ? second_product == inverse_q : odd)}};
    end else begin : gen_minus_of_pair
      assign minus[0] = second_product ? !inverse_q : odd && !scales_q;
      assign minus[1] = second_product ? inverse_q : odd && !scales_q;
    end

    rs_delay #(
        .Width (1),
        .Cycles(rs_pkg::LanePreLatency + 1)
    ) u_factor_slot (
        .clk_i,
        .data_i(slot || (scales_q && active_o)),
        .data_o(factor_slot)
    );
    rs_delay #(
        .Width (1),
        .Cycles(LaneLatency - 1)
    ) u_sum_slot (
        .clk_i,
        .data_i(adds_q ? active_o : slot && second_product),
        .data_o(sum_slot)
    );
    // one lane: products of re and im come in turns, and the sums wait for both
    rs_delay #(
        .Width (1),
        .Cycles(rs_ntt_pkg::fft_lane_more(LogLanes) - 1)
    ) u_late_slot (
        .clk_i,
        .data_i(sum_slot),
        .data_o(late_slot)
    );
    assign sums = adds_q ? sum_slot : late_slot;
    logic over_q;
    always_ff @(posedge clk_i) begin
      over_q <= (factor_slot && factor_over != '0) || (sums && sum_over != '0);
      over_o <= run_n && !start_q && (over_q || over_o);
    end
  end else begin : gen_no_fft
    assign second_product = 1'b0;
    assign of_im = 1'b0;
    assign minus = '0;
    assign over_o = 1'b0;
    logic unused_fft;
    assign unused_fft = ^{twiddle_second, twiddle_odd, component, factor_over, sum_over, fft_start_q};
  end

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    logic [W-1:0] x, y, w;
    always_comb begin
      unique case (x_from_q)
        FROM_NTT: x = to_lanes[lane];
        FROM_SECOND: x = u_q[Lanes+lane];
        default: x = u_q[lane];
      endcase
      unique case (y_from_q)
        FROM_UPPER: y = u_q[Lanes+lane];
        FROM_SECOND: y = v_q[Lanes+lane];
        default: y = v_q[lane];
      endcase
      unique case (w_from_q)
        FROM_NTT: w = twiddle[lane];
        FROM_UPPER: w = constant_i;
        FROM_SECOND: w = b_q[Lanes+lane];
        default: w = b_q[lane];
      endcase
    end

    rs_lane #(
        .W       (W),
        .WordBits(WordBits),
        .Encode  (Encode),
        .Solo    (Lanes == 1)
    ) u_lane (
        .clk_i,
        .q_i,
        .op_i         (lane_op_q),
        .rinse_i      (rinse_q),
        .x_i          (x),
        .y_i          (y),
        .w_i          (w),
        .gs_x_i       (to_lanes[lane]),
        .gs_y_i       (to_lanes[Lanes+lane]),
        .a_o          (lanes_out[lane]),
        .b_o          (lanes_out[Lanes+lane]),
        .fixed_i      (fft || scales_q),
        .second_i     (second_product),
        .of_im_i      (of_im),
        .minus_i      (minus[lane/Partner]),
        .factor_o     (factor[lane]),
        .partner_i    (factor[lane^Partner%Lanes]),
        .factor_over_o(factor_over[lane]),
        .sum_over_o   (sum_over[lane])
    );
  end

  // ---- results: the lanes' of the inverse are in the banks' order; elementwise ones come in two parts ---------------------
  typedef enum logic [1:0] {
    RESULT_PAIR  = 2'd0,
    RESULT_LANES = 2'd1,
    RESULT_NTT   = 2'd2,
    RESULT_FFT   = 2'd3
  } result_e;
  result_e result_from_q;
  always_ff @(posedge clk_i) begin
    first_q <= lanes_out[Lanes-1:0];
    if (!transform_q) result_from_q <= RESULT_PAIR;
    else result_from_q <= inverse_q ? RESULT_LANES : fft ? RESULT_FFT : RESULT_NTT;
  end
  assign pair = {lanes_out[Lanes-1:0], first_q};

  for (genvar i = 0; i < 2 * Lanes; i++) begin : gen_result
    logic [W-1:0] from;
    always_comb begin
      unique case (result_from_q)
        RESULT_PAIR: from = pair[i];
        RESULT_LANES: from = lanes_out[i];
        RESULT_NTT: from = ntt_banks[i];
        default: from = fft_banks[i];
      endcase
    end
    rs_delay #(
        .Width (W),
        .Cycles(ResultDelay)
    ) u_result (
        .clk_i,
        .data_i(from),
        .data_o(result[i])
    );
  end
  assign data_o = result;

endmodule
