// SPDX-License-Identifier: Apache-2.0
// rs_stream_twiddles: the twiddles of all stages of streaming transforms, for any number of engines in lock step: P multipliers make them
//              of two short tables, limb after limb, ahead of the stages.
// Model:   lib/src/arith/ntt.c (its table w); README.md, "Twiddles"
// Params:  W, WordBits; P 2, 4, 8; LogNMax; Contexts 1..8; ChunkWords: of a load
// Bounds:  take_i[b] is 1 at most once in the tokens that a set lasts. Then no set is late for limbs that enter two cycles after they
//          were announced, or later, whatever the pauses: README.md, "Never late"; formal/; rs_stream_sets has the assertion
// Timing:  a set of the last stage per cycle, of each stage before it half as many; constants are held from before a limb of their
//          context is announced until busy_o is 0. busy_o: a limb needs the context's tables
//
//   limbs: contexts in a ring; each stage walks through it and through the sets of a limb on its own
//   last stage --> row, context --> tables --> P/2 multipliers --> its queue
//   the others, one in each cycle --> row, context --> tables --> P/2 multipliers --> one of their queues
//   stages of the lanes: the first two rows of the table low
module rs_stream_twiddles #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned WordBits   = rs_pkg::WlmWordBits,
    parameter  int unsigned P          = 2,
    parameter  int unsigned LogNMax    = 12,
    parameter  int unsigned Contexts   = 4,
    parameter  int unsigned ChunkWords = 4,
    localparam int unsigned Pairs      = P / 2,
    localparam int unsigned CtxBits    = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                                                 clk_i,
    input  logic                                                 rst_ni,
    input  logic                                                 start_i,          // for N = 2^log_n_i, no limb is left
    input  logic [rs_stream_pkg::LogNBits-1:0]                   log_n_i,          // held from start_i on, and during loads
    // images of tables
    input  logic                                                 load_start_i,
    input  logic [                CtxBits-1:0]                   load_ctx_i,
    input  logic                                                 load_valid_i,
    output logic                                                 load_ready_o,
    input  logic [             ChunkWords-1:0][    W-1:0]        load_i,
    output logic                                                 load_done_o,      // with the last word
    // constants of each context
    input  logic [               Contexts-1:0][    W-1:0]        q_i,
    // limbs, in the order in which they enter the engines
    input  logic                                                 limb_valid_i,
    output logic                                                 limb_ready_o,
    input  logic [                CtxBits-1:0]                   limb_ctx_i,
    output logic [               Contexts-1:0]                   busy_o,
    // stages: README.md
    output logic [                LogNMax-1:0][Pairs-1:0][W-1:0] twiddle_o,
    output logic [                LogNMax-1:0]                   twiddle_valid_o,
    input  logic [                LogNMax-1:0]                   take_i
);
  import rs_stream_pkg::*;

  localparam int unsigned LogLanes = $clog2(P);
  localparam int unsigned LogLow = LogNMax / 2;
  localparam int unsigned LowBits = LogLow - LogLanes + 1;
  localparam int unsigned HighBits = LogNMax - LogLow;
  localparam int unsigned RowBits = LowBits + HighBits;
  localparam int unsigned Stages = LogNMax - LogLanes;  // with commutators; number k lasts 2^k tokens
  localparam int unsigned TurnBits = Stages > 1 ? Stages - 1 : 1;
  localparam int unsigned Product = rs_pkg::modmul_latency(W, WordBits);
  localparam int unsigned Make = set_latency(W, WordBits);
  localparam int unsigned SlotBits = 3;  // bits of the number of limbs that are announced and not done
  localparam int unsigned Slots = 1 << SlotBits;

  typedef logic [CtxBits-1:0] ctx_t;
  typedef logic [SlotBits:0] place_t;  // in the ring, and a bit that changes with each turn

  if ((P != 2 && P != 4 && P != 8) || LogNMax < LogNMin || LogNMax > LogNLimit || Contexts < 1 || Contexts > 8) begin : gen_illegal
    $fatal(
        1,
        "%m: P %0d is not 2, 4 or 8, LogNMax %0d not in %0d..%0d or Contexts %0d not in 1..8",
        P,
        LogNMax,
        LogNMin,
        LogNLimit,
        Contexts
    );
  end

  // a first set takes so long, and is needed behind the stages of the lanes and a commutator
  if (Make > 2 + LogLanes * butterfly_latency(W, WordBits) + CommutatorLatency) begin : gen_late
    $fatal(1, "%m: a set takes %0d cycles, more than there are before its limb comes", Make);
  end

  logic clear;
  assign clear = !rst_ni || start_i;

  // ---- tables
  logic write, write_high, load_done;
  logic [HighBits-1:0] write_addr;
  logic [Pairs-1:0][W-1:0] write_words;
  ctx_t load_ctx_q;

  always_ff @(posedge clk_i) if (load_start_i) load_ctx_q <= load_ctx_i;

  rs_stream_table_load #(
      .W         (W),
      .LogNMax   (LogNMax),
      .LogLanes  (LogLanes),
      .ChunkWords(ChunkWords)
  ) u_load (
      .clk_i,
      .rst_ni,
      .log_n_i,
      .start_i     (load_start_i),
      .valid_i     (load_valid_i),
      .ready_o     (load_ready_o),
      .chunk_i     (load_i),
      .done_o      (load_done),
      .write_o     (write),
      .write_high_o(write_high),
      .addr_o      (write_addr),
      .words_o     (write_words)
  );
  assign load_done_o = load_done;

  // ---- limbs
  ctx_t [Slots-1:0] ring_q;
  logic [Slots-1:0] used_q;
  place_t put_q, done_q;
  logic put, done;
  logic [LogNMax-1:0] passed;  // this stage needs nothing more of the oldest limb

  assign limb_ready_o = !used_q[put_q[SlotBits-1:0]];
  assign put = limb_valid_i && limb_ready_o;
  assign done = done_q != put_q && (&passed);

  always_ff @(posedge clk_i) begin
    if (clear) begin
      used_q <= '0;
      put_q  <= '0;
      done_q <= '0;
    end else begin
      put_q  <= put_q + place_t'(put);
      done_q <= done_q + place_t'(done);
      if (done) used_q[done_q[SlotBits-1:0]] <= 1'b0;
      if (put) used_q[put_q[SlotBits-1:0]] <= 1'b1;
    end
    if (put) ring_q[put_q[SlotBits-1:0]] <= limb_ctx_i;
  end

  always_comb begin
    busy_o = '0;
    for (int unsigned s = 0; s < Slots; s++) if (used_q[s]) busy_o[ring_q[s]] = 1'b1;
  end

  // ---- stages of the lanes: their sets are rows 0 and 1 of low, which is R times 1 times them
  for (genvar b = 0; b < LogLanes; b++) begin : gen_lanes
    if (!has_set(b, LogLanes)) begin : gen_none
      assign twiddle_o[b] = '0;
      assign twiddle_valid_o[b] = 1'b0;
      assign passed[b] = 1'b1;
      logic unused;
      assign unused = take_i[b];
    end else begin : gen_set
      localparam int unsigned Row = b == LogLanes - 1 ? 1 : 0;
      place_t at_q;
      logic valid_q, next;
      logic [Pairs-1:0][W-1:0] row, row_q;

      rs_ram_1r1w #(
          .Width(Pairs * W),
          .Depth(Contexts)
      ) u_row (
          .clk_i,
          .we_i   (write && !write_high && write_addr == HighBits'(Row)),
          .waddr_i(load_ctx_q),
          .wdata_i(write_words),
          .raddr_i(ring_q[at_q[SlotBits-1:0]]),
          .rdata_o(row)
      );

      assign next = at_q != put_q && (!valid_q || take_i[b]);
      always_ff @(posedge clk_i) begin
        if (clear) begin
          at_q    <= '0;
          valid_q <= 1'b0;
        end else begin
          at_q    <= at_q + place_t'(next);
          valid_q <= next || (valid_q && !take_i[b]);
        end
        if (next) row_q <= row;
      end
      assign twiddle_o[b] = row_q;
      assign twiddle_valid_o[b] = valid_q;
      assign passed[b] = at_q != done_q;

`ifndef SYNTHESIS
      always_ff @(posedge clk_i) begin
        assert (clear || !take_i[b] || valid_q)
        else $error("%m: a set is late");
      end
`endif
    end
  end

  // ---- which stage has its turn with the second group: number k once in 2^k cycles
  logic [TurnBits-1:0] count_q;
  logic [  Stages-1:0] turn_q;
  always_ff @(posedge clk_i) begin
    if (clear) count_q <= '0;
    else count_q <= count_q + 1'b1;
    turn_q <= Stages'({count_q & -count_q, 1'b1});  // number 0 has a group of its own
  end

  // ---- walks: the next set to make of every stage
  logic [Stages-1:0] make;
  logic [Stages-1:0][RowBits-1:0] row;
  ctx_t [Stages-1:0] ctx;
  logic [1:0] write_set;
  logic [1:0][Pairs-1:0][W-1:0] product;
  logic [Stages-1:0] second_set;  // which one the second group's product is for

  for (genvar k = 0; k < Stages; k++) begin : gen_stages
    localparam int unsigned Built = LogNMax - 1 - k;
    localparam int unsigned Bits = Stages - k + 1;
    logic active_q, room, wrap;
    logic [Bits-1:0] row_q, next;  // the row of a limb: 2^(s-l+1) up to twice that, for the stage s that it does
    place_t at_q;

    assign make[k] = active_q && room && turn_q[k] && at_q != put_q;
    assign row[k] = RowBits'(row_q);
    assign ctx[k] = ring_q[at_q[SlotBits-1:0]];
    assign next = row_q + 1'b1;
    assign wrap = (next & row_q) == '0;
    assign passed[Built] = at_q != done_q || !active_q;

    always_ff @(posedge clk_i) begin
      if (clear) begin
        active_q <= 32'(log_n_i) > k + LogLanes;
        row_q    <= Bits'(32'd1 << (32'(log_n_i) - k - LogLanes));
        at_q     <= '0;
      end else if (make[k]) begin
        row_q <= wrap ? row_q[Bits-1:1] + 1'b1 : next;
        at_q  <= at_q + place_t'(wrap);
      end
    end

    rs_stream_sets #(
        .Width(Pairs * W),
        .Depth(set_depth(k, W, WordBits))
    ) u_sets (
        .clk_i,
        .clear_i(clear),
        .room_o (room),
        .make_i (make[k]),
        .write_i(k == 0 ? write_set[0] : write_set[1] && second_set[k]),
        .data_i (product[k==0?0 : 1]),
        .valid_o(twiddle_valid_o[Built]),
        .data_o (twiddle_o[Built]),
        .take_i (take_i[Built])
    );
  end

  // ---- two groups of multipliers
  for (genvar g = 0; g < 2; g++) begin : gen_groups
    logic [Stages-1:0] made, made_q;
    logic [RowBits-1:0] row_d, row_q;
    ctx_t ctx_d, ctx_q, ctx_late;
    logic [Make-2:0] under_q;  // way
    logic [Pairs-1:0][W-1:0] low, high_all;
    logic [W-1:0] high;

    assign made = make & (g == 0 ? Stages'(1) : ~Stages'(1));
    always_comb begin
      row_d = '0;
      ctx_d = '0;
      for (int unsigned k = 0; k < Stages; k++) begin
        row_d |= row[k] & {RowBits{made[k]}};
        ctx_d |= ctx[k] & {CtxBits{made[k]}};
      end
    end

    always_ff @(posedge clk_i) begin
      if (clear) under_q <= '0;
      else under_q <= {under_q[Make-3:0], made != '0};
      row_q  <= row_d;
      ctx_q  <= ctx_d;
      made_q <= made;
    end
    assign write_set[g] = under_q[Make-2];

    rs_stream_tables #(
        .W       (W),
        .LogNMax (LogNMax),
        .LogLanes(LogLanes),
        .Contexts(Contexts)
    ) u_tables (
        .clk_i,
        .write_i     (write),
        .write_high_i(write_high),
        .write_ctx_i (load_ctx_q),
        .write_addr_i(write_addr),
        .words_i     (write_words),
        .read_i      (under_q[0]),
        .ctx_i       (ctx_q),
        .row_i       (row_q),
        .low_o       (low),
        .high_o      (high)
    );

    rs_delay #(
        .Width (CtxBits),
        .Cycles(2)
    ) u_ctx (
        .clk_i,
        .data_i(ctx_q),
        .data_o(ctx_late)
    );

    assign high_all = {Pairs{high}};
    rs_stream_modmul #(
        .W       (W),
        .WordBits(WordBits),
        .Count   (Pairs),
        .Held    (1'b0)
    ) u_modmul (
        .clk_i,
        .load_i(1'b0),
        .q_i   (q_i[ctx_late]),
        .a_i   (low),
        .b_i   (high_all),
        .p_o   (product[g])
    );

    if (g == 1) begin : gen_which
      rs_delay #(
          .Width (Stages),
          .Cycles(2 + Product)
      ) u_made (
          .clk_i,
          .data_i(made_q),
          .data_o(second_set)
      );
    end else begin : gen_one
      logic unused;
      assign unused = ^made_q;
    end
  end

endmodule
