// SPDX-License-Identifier: Apache-2.0
// rs_sequencer: runs a program: fetch, checks, start of the units, faults, watchdog, counters.
// Model:   docs/core.md; lib/tests/model_core.c
// Params:  W, LogNMin, LogNMax, Groups, Contexts, Slots, HasExpand, HasReduce, HasFactor, HasEncode, HasPipe, HasFields, HasShort, Sealed: what is built; LogSizeMin,
//          Slices (rs_slice_spans), 1: none; ProgramDepth
// Bounds:  log_n_i, watchdog_i, pointer_i stable while busy_o; a unit that runs gives unit_done_i once, LOAD and STORE perhaps later than
//          give_up_i, which comes only between clear_o and done_o; LOAD runs up to Loads instructions, which are done in order
// Timing:  README.md; nothing depends on data
module rs_sequencer
  import rs_isa_pkg::*;
#(
    parameter int unsigned W            = 32,
    parameter int unsigned LogNMin      = 10,
    parameter int unsigned LogNMax      = 13,
    parameter int unsigned Groups       = 4,
    parameter int unsigned Contexts     = 2,
    parameter int unsigned Slots        = 2,
    parameter bit          HasExpand    = 1'b1,
    parameter bit          HasReduce    = 1'b0,
    parameter bit          HasFactor    = 1'b0,
    parameter bit          HasEncode    = 1'b0,
    parameter bit          HasPipe      = 1'b0,
    parameter bit          HasFields    = 1'b0,
    parameter bit          Sealed       = 1'b0,
    parameter bit          HasShort     = 1'b0,
    parameter int unsigned LogSizeMin   = 7,
    parameter int unsigned Slices       = 1,
    parameter int unsigned ProgramDepth = 512
) (
    input logic clk_i,
    input logic rst_ni,
    // from the registers
    input logic start_i,  // ignored while busy_o
    input logic [15:0] first_i,  // index of the first instruction, with start_i
    input logic abort_i,
    input logic [4:0] log_n_i,
    input logic [31:0] watchdog_i,  // cycles; 0: 2^32 - 1
    input logic forget_i,  // the private seed is wiped; not while instructions start
    input logic renew_i,  // there is a new one, of this frame
    input logic [FrameBits-1:0] frame_i,
    input logic no_encrypt_i,  // register KEY_USE
    input logic no_decrypt_i,
    output logic [4:0] pointer_index_o,
    input logic [63:0] pointer_i,  // the pointer of that index, in the same cycle
    input logic prog_we_i,  // ignored while busy_o
    input logic [15:0] prog_addr_i,  // a write of 0 begins a new program
    input logic [63:0] prog_data_i,
    output logic prog_take_o,  // this write is not ignored
    output logic alert_o,  // a flip-flop has flipped: in the cycle before, or the one before that
    output logic busy_o,
    output logic done_o,  // with cause and pc, which stay until the next start
    output logic [3:0] cause_o,
    output logic [15:0] pc_o,
    output logic [31:0] cycles_o,
    output logic [Units-1:0][31:0] unit_cycles_o,
    // units, by number
    output logic [Units-1:0] unit_start_o,
    output logic [Units-1:0][63:0] unit_instr_o,  // from start to done, as is addr; of LOAD to the next start
    output logic [Units-1:0][15:0] unit_pc_o,  // the pc of the instruction that is done next
    output logic [4:0][63:0] unit_addr_o,  // addresses of LOAD, STORE, PIPE, SPONGE, PACK: pointer + offset, or the pointer alone
    output logic [Units-1:0] unit_busy_o,
    input logic [Units-1:0] unit_done_i,
    input logic [Units-1:0][3:0] unit_fault_i,  // with unit_done_i
    output logic pipe_clear_o,  // to PIPE: the program is over, or ended by a fault; with clear_o too
    input logic pipe_idle_i,  // nothing is in it, nor on its way to or from memory
    output logic clear_o,  // LOAD and STORE drain and give done; the others stop at once, without
    input logic load_room_i,  // LOAD can take another instruction: from the second cycle after its last start on
    input logic give_up_i  // LOAD and STORE have drained for too long: they count as done
);

  if (W < 16 || W > 64 || LogNMin > LogNMax || LogNMax > 17) begin : gen_illegal
    $fatal(1, "%m: W %0d, LogNMin %0d, LogNMax %0d", W, LogNMin, LogNMax);
  end

  if (Slices > 64 || (Slices & (Slices - 1)) != 0 ||  // a power of two
      (Slices > 1 && (LogSizeMin < 6 || LogNMin < LogSizeMin))) begin : gen_illegal_slices
    $fatal(1, "%m: Slices %0d is not a power of two up to 64, or slices of 2^%0d words are larger than N", Slices, LogSizeMin);
  end

  // what ends by itself when it is cleared
  localparam logic [Units-1:0] Drains = Units'((1 << UNIT_LOAD) | (1 << UNIT_STORE) | (1 << UNIT_SPONGE) | (1 << UNIT_PACK));

  typedef enum logic [1:0] {
    StIdle  = 2'd0,
    StBegin = 2'd1,  // everything is cleared
    StRun   = 2'd2,
    StDrain = 2'd3
  } state_e;

  state_e state_q;
  logic starts, begins, running, fetch_valid, fetch_ready, fetch_past, ended, stop, finished;
  logic wrong_n_q, unlimited_q, late_q, abort_q, orphan, clear, cleared_q, clear_q, full_q;
  logic fetch_odd, state_error, clear_error, end_error, order_error, issue_alert;
  state_e state;
  logic [63:0] fetch_word;
  logic [1:0] load_stream;
  logic [15:0] fetch_pc, issue_pc, fault_pc, pc_q, load_pc_q;
  fault_e issue_fault, fault, cause_q;
  logic [31:0] cycles_q;
  logic [Units-1:0] unit_end, failed, failed_q, waits;
  logic pipe_over, pipe_clear;
  logic [Units-1:0][ 3:0] unit_fault_q;
  logic [Units-1:0][31:0] unit_cycles_q;

  assign starts = start_i && state_q == StIdle;
  assign begins = state_q == StBegin;
  assign running = state_q != StIdle;
  assign finished = state_q == StDrain && unit_busy_o == '0 && pipe_over;

  assign prog_take_o = prog_we_i && state_q == StIdle && !start_i;
  rs_fetch #(
      .ProgramDepth(ProgramDepth)
  ) u_fetch (
      .clk_i,
      .rst_ni,
      .we_i   (prog_take_o),
      .addr_i (prog_addr_i),
      .data_i (prog_data_i),
      .start_i(starts),
      .first_i,
      .stop_i (state_q == StDrain),
      .valid_o(fetch_valid),
      .ready_i(fetch_ready),
      .word_o (fetch_word),
      .odd_o  (fetch_odd),
      .pc_o   (fetch_pc),
      .past_o (fetch_past)
  );

  rs_issue #(
      .W(W),
      .Groups(Groups),
      .Contexts(Contexts),
      .Slots(Slots),
      .HasExpand(HasExpand),
      .HasReduce(HasReduce),
      .HasFactor(HasFactor),
      .HasEncode(HasEncode),
      .HasPipe(HasPipe),
      .HasFields(HasFields),
      .Sealed(Sealed),
      .HasShort(HasShort),
      .LogNMax(LogNMax),
      .LogSizeMin(LogSizeMin),
      .Slices(Slices)
  ) u_issue (
      .clk_i,
      .rst_ni,
      .clear_i       (begins),
      .cleared_i     (cleared_q),
      .forget_i,
      .renew_i,
      .frame_i,
      .no_encrypt_i,
      .no_decrypt_i,
      .log_n_i,
      .hold_i        (state_q != StRun || stop),
      .pointer_index_o,
      .pointer_i,
      .word_valid_i  (fetch_valid),
      .word_ready_o  (fetch_ready),
      .word_i        (fetch_word),
      .word_pc_i     (fetch_pc),
      .word_past_i   (fetch_past),
      .word_odd_i    (fetch_odd),
      .unit_start_o,
      .unit_instr_o,
      .unit_pc_o,
      .unit_addr_o,
      .unit_busy_o,
      .unit_release_i(unit_end),
      .give_up_i,
      .load_room_i,
      .load_stream_o (load_stream),
      .fault_o       (issue_fault),
      .end_o         (ended),
      .pc_o          (issue_pc),
      .alert_o       (issue_alert)
  );

  // ---- what goes wrong is seen in flip-flops, and told a cycle later ----
  always_ff @(posedge clk_i) begin
    wrong_n_q    <= 32'(log_n_i) < LogNMin || 32'(log_n_i) > LogNMax;
    unlimited_q  <= watchdog_i == '0;
    late_q       <= running && !begins && (full_q || (!unlimited_q && cycles_q >= watchdog_i));
    abort_q      <= running && abort_i;
    unit_fault_q <= unit_fault_i;
    load_pc_q    <= unit_pc_o[UNIT_LOAD];  // later it is that of the next instruction
  end
  always_comb begin
    for (int u = 0; u < Units; u++) failed[u] = unit_busy_o[u] && unit_done_i[u] && unit_fault_i[u] != FAULT_NONE;
  end
  rs_checked #(
      .Width  (Units + 1),
      .Checked(Sealed)
  ) u_ends (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i ({failed, finished}),
      .data_o ({failed_q, done_o}),
      .error_o(end_error)
  );
  assign stop = failed_q != '0 || late_q || abort_q || wrong_n_q;

  // the fault among several in one cycle: a unit's counts, the lowest one's, then the instruction's
  always_comb begin
    fault = FAULT_NONE;
    fault_pc = issue_pc;
    if (abort_q) fault = FAULT_ABORTED;
    if (late_q) fault = FAULT_WATCHDOG;
    if (state_q == StRun && wrong_n_q) fault = FAULT_LOG_N;
    else if (state_q == StRun && issue_fault != FAULT_NONE) fault = issue_fault;
    for (int u = Units - 1; u >= 0; u--) begin
      if (failed_q[u]) begin
        fault = fault_e'(unit_fault_q[u]);
        fault_pc = u == int'(UNIT_LOAD) ? load_pc_q : unit_pc_o[u];
      end
    end
  end
  assign unit_end = unit_done_i | (~Drains & {Units{clear_q}}) | (Drains & {Units{give_up_i}}) | (Units'(pipe_clear) << UNIT_PIPE);

  always_comb begin
    state = state_q;
    case (state_q)
      StIdle:  if (start_i) state = StBegin;
      StBegin: state = StRun;
      StRun:   if (stop || issue_fault != FAULT_NONE || ended) state = StDrain;
      default: if (finished) state = StIdle;
    endcase
  end
  logic [1:0] state_bits_q;
  rs_checked #(
      .Width  (2),
      .Checked(Sealed)
  ) u_state (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i (state),
      .data_o (state_bits_q),
      .error_o(state_error)
  );
  assign state_q = state_e'(state_bits_q);

  // ---- flips: of control, of what is held; and of a sealed core words are taken in their order ----
  if (Sealed) begin : gen_order
    localparam int unsigned AddrBits = $clog2(ProgramDepth);
    logic [AddrBits-1:0] turn_q;
    always_ff @(posedge clk_i) begin
      if (starts) turn_q <= first_i[AddrBits-1:0];
      else if (fetch_valid && fetch_ready) turn_q <= turn_q + 1'b1;
    end
    assign order_error = state_q == StRun && fetch_valid && fetch_pc[AddrBits-1:0] != turn_q;
  end else begin : gen_no_order
    assign order_error = 1'b0;
  end
  always_ff @(posedge clk_i) alert_o <= rst_ni && (state_error || clear_error || end_error || order_error || issue_alert);

  // cause and pc of the first fault
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins) begin
      cause_q <= FAULT_NONE;
      pc_q    <= '0;
    end else if (running && cause_q == FAULT_NONE) begin
      if (fault != FAULT_NONE || state_q == StRun) pc_q <= fault_pc;
      cause_q <= fault;
    end
  end

  // A STREAM and who takes it, a LIFT that adds or a MSUBS, wait for each other, and after a fault the other one may never come. If all
  // that runs waits, for one that does not run, no one will ever move.
  logic streams, factor, adds, takes;
  always_comb begin
    streams = unit_busy_o[UNIT_LOAD] && load_stream[0];  // the oldest of them
    factor  = HasFactor && load_stream[1];
    adds    = unit_busy_o[UNIT_LIFT] && unit_instr_o[UNIT_LIFT][AddLsb];
    takes   = HasFactor && unit_busy_o[UNIT_COMPUTE] && unit_instr_o[UNIT_COMPUTE][OpLsb+:OpBits] == OP_MSUBS;
    waits   = '0;
    waits[UNIT_LOAD]    = streams && !(factor ? takes : adds);
    waits[UNIT_LIFT]    = adds && !(streams && !factor);
    waits[UNIT_COMPUTE] = takes && !(streams && factor);
  end
  assign orphan = state_q == StDrain && cause_q != FAULT_NONE && unit_busy_o != '0 && (unit_busy_o & ~waits) == '0;
  assign clear  = running && (late_q || abort_q || orphan);

  // whoever could hang is cleared, once
  rs_checked #(
      .Width  (2),
      .Checked(Sealed)
  ) u_clear (
      .clk_i,
      .clear_i(!rst_ni || begins),
      .en_i   (1'b1),
      .data_i ({clear && !cleared_q, clear || cleared_q}),
      .data_o ({clear_q, cleared_q}),
      .error_o(clear_error)
  );

  // ---- PIPE: its results come after it is done. It stops when there is a fault, and after all others; what is on the bus drains ----
  if (HasPipe) begin : gen_pipe
    logic clear_pipe_q, gave_up_q;
    logic [2:0] over_q;  // it was cleared; and some cycles later it says whether it is idle
    always_ff @(posedge clk_i) begin
      if (!rst_ni || begins) begin
        clear_pipe_q <= 1'b0;
        over_q       <= '0;
        gave_up_q    <= 1'b0;
      end else begin
        clear_pipe_q <= state_q == StDrain && !over_q[0] && (cause_q != FAULT_NONE || unit_busy_o == '0);
        over_q       <= {over_q[1:0], over_q[0] || (state_q == StDrain && (cause_q != FAULT_NONE || unit_busy_o == '0))};
        gave_up_q    <= gave_up_q || give_up_i;
      end
    end
    assign pipe_clear = clear_pipe_q;
    assign pipe_over  = over_q[2] && (pipe_idle_i || gave_up_q);
  end else begin : gen_no_pipe
    logic unused;
    assign unused = pipe_idle_i;
    assign {pipe_clear, pipe_over} = 2'b01;
  end
  assign pipe_clear_o = clear_q || pipe_clear;

  // ---- counters: of cycles that have begun, so that the watchdog's comparison is there a cycle ahead; but not of the last one ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      unit_cycles_q <= '0;
    end else if (begins) begin
      cycles_q <= 32'd2;
      unit_cycles_q <= '0;
    end else begin
      if (running && !full_q && !finished) cycles_q <= cycles_q + 1'b1;
      for (int u = 0; u < Units; u++) if (unit_busy_o[u] && !full_q) unit_cycles_q[u] <= unit_cycles_q[u] + 1'b1;
    end
    full_q <= rst_ni && !begins && cycles_q[31:1] == '1;
  end

  assign busy_o = running;
  assign cause_o = cause_q;
  assign pc_o = pc_q;
  assign cycles_o = cycles_q;
  assign unit_cycles_o = unit_cycles_q;
  assign clear_o = clear_q;

endmodule
