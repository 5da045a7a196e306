// SPDX-License-Identifier: Apache-2.0
// rs_issue: takes instructions in order, checks them, and starts each when its unit and all it uses are free.
// Model:   docs/core.md, sections Scoreboard, Tags, Faults
// Params:  W, Groups, Contexts, Slots, HasExpand, HasReduce, HasFactor, HasEncode, HasPipe, HasFields, HasShort, Sealed: what is built; LogNMax, LogSizeMin, Slices (rs_decode)
// Bounds:  clear_i only with hold_i and while nothing runs; hold_i stays until clear_i; fault_o and end_o stay until clear_i
// Timing:  five cycles from word_valid_i to unit_start_o if all is free, and three from unit_release_i if something was waited for;
//          every output comes out of a flip-flop, some through a choice of two
module rs_issue
  import rs_isa_pkg::*;
#(
    parameter  int unsigned W          = 32,
    parameter  int unsigned Groups     = 4,
    parameter  int unsigned Contexts   = 2,
    parameter  int unsigned Slots      = 2,
    parameter  bit          HasExpand  = 1'b1,
    parameter  bit          HasReduce  = 1'b0,
    parameter  bit          HasFactor  = 1'b0,
    parameter  bit          HasEncode  = 1'b0,
    parameter  bit          HasPipe    = 1'b0,
    parameter  bit          HasFields  = 1'b0,
    parameter  bit          Sealed     = 1'b0,
    parameter  bit          HasShort   = 1'b0,
    parameter  int unsigned LogNMax    = 10,
    parameter  int unsigned LogSizeMin = 7,
    parameter  int unsigned Slices     = 1,
    localparam int unsigned UnitBits   = Slices > 1 ? LogNMax - LogSizeMin + 1 : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,  // a program begins: all is empty
    input logic cleared_i,  // with it: units were cleared in the one before (rs_seal)
    input logic forget_i,  // inputs of rs_tags, as the next four are
    input logic renew_i,
    input logic [FrameBits-1:0] frame_i,
    input logic no_encrypt_i,
    input logic no_decrypt_i,
    input logic [4:0] log_n_i,  // log2 of the size of the program
    input logic hold_i,  // start nothing from the next cycle on
    output logic [4:0] pointer_index_o,  // in the same cycle: pointer, or 16 + a frame above 0 for its message
    input logic [63:0] pointer_i,
    // from rs_fetch
    input logic word_valid_i,
    output logic word_ready_o,
    input logic [63:0] word_i,
    input logic [15:0] word_pc_i,
    input logic word_past_i,  // there is none: the program ran past its end
    input logic word_odd_i,  // the word's parity
    // units
    output logic [Units-1:0] unit_start_o,
    output logic [Units-1:0][63:0] unit_instr_o,  // from start to done, as is addr; of LOAD to the next start
    output logic [Units-1:0][15:0] unit_pc_o,  // the pc of the instruction that is done next
    output logic [4:0][63:0] unit_addr_o,  // addresses of LOAD, STORE, PIPE, SPONGE and PACK
    output logic [Units-1:0] unit_busy_o,
    input logic [Units-1:0] unit_release_i,  // done or dropped
    input logic give_up_i,  // all instructions of LOAD are dropped
    input logic load_room_i,  // LOAD can take another instruction
    output logic [1:0] load_stream_o,  // what LOAD does first: its flag `secret`, and whether it is a STREAM
    // what the next instruction says instead of starting
    output fault_e fault_o,
    output logic end_o,
    output logic [15:0] pc_o,  // the pc of the next instruction, or the last one if there is none
    output logic alert_o  // a flip-flop has flipped: of an instruction that is held, or what judges it
);

  // ---- an instruction goes through one step after the other, alone: look up, judge, wait until all is free, issue ----
  logic look_q, judge_q, held_q, ready_q, commit_q, ended_q, past_q, expanding_q, undrained;
  instr_t word, instr_q;
  localparam int unsigned FormBitsHeld = $bits(form_t) - 64;  // but for the bits that an operation uses
  form_t form, form_q;
  logic held, ready, ended;
  fault_e fault_held;
  checks_t word_checks, word_checks_q, checks;
  fault_e fault, fault_q;
  logic [Units-1:0] unit, issue_q, start, start_q;
  logic [15:0] groups, groups_q, pc_q;
  logic [SlotsMax-1:0] slots, slots_q;
  logic [3:0] ctx_read, ctx_read_q, ctx_write, ctx_write_q;
  logic [63:0] pointer_q, addr_q, given;
  logic in_vault, lost, kept_in, draws_secret, unsealed, hears;
  logic [63:0] sent;  // to the unit
  logic [63:0] marks;  // that it gets besides
  // what has flipped: bits of control, of the instruction, of that of a unit or its address, an entry of the scoreboard; the tags differ; of rs_seal
  logic flags_error, form_error, slice_error, decode_error, word_error, board_error, judges_differ, seal_error;
  logic [Units-1:0] unit_error;
  logic odd_q;  // parity of instr_q
  logic [Units-1:0] unit_odd_q;
  logic take, free, issue, empty, strange, secret, unordered, is_end, framed, streams, adds, misaligned_q;
  logic [63:0] bits;  // the bits of the next instruction
  logic [OffsetBits-1:0] lines;
  slice_form_t slice_form;
  logic partial, partial_q;
  logic [4:0] size, size_q;
  logic [UnitBits-1:0] first, dst_end, a_end, b_end, first_q, dst_end_q, a_end_q, b_end_q;
  logic [FrameBits-1:0] frame;
  // LOAD has several instructions: the one to be issued next, and the one to end next
  logic [1:0] load_turn, load_end;
  logic [Loads-1:0][ 1:0] load_stream_q;
  logic [Loads-1:0][15:0] load_pc_q;
  logic [Units-1:0][15:0] unit_pc_q;

  assign word = instr_t'(word_i);
  assign bits = 64'(instr_q);
  assign frame = word.frame;
  assign streams = HasPipe && (word.op == OP_PIPE || word.op == OP_PIPED || (HasEncode && word.op == OP_PIPEM));
  assign framed = ((HasEncode && (word.op == OP_LOADS || word.op == OP_STORES)) || streams) && frame != '0;
  assign pointer_index_o = framed ? pointer_of(frame) : streams ? 5'd7 : 5'(word.b);
  assign word_ready_o = !look_q && !judge_q && !held_q;
  assign take = word_valid_i && word_ready_o;
  assign issue = ready_q && free;
  assign start = issue_q & ~{Units{hold_i}};  // else dropped, as are all that follow

  // a generate, not an argument: of what a core does not have nothing is left, so it is the same cells
  if (HasFields) begin : gen_fields
    assign form = form_with_fields(word.op);
  end else begin : gen_no_fields
    assign form = form_built(word.op, HasPipe);
  end
  always_ff @(posedge clk_i) if (word_ready_o) form_q.bits <= form.bits;
  rs_checked #(
      .Width  (FormBitsHeld),
      .Checked(Sealed)
  ) u_form (
      .clk_i,
      .clear_i(Sealed && !rst_ni),
      .en_i   (word_ready_o),
      .data_i (form[$bits(form_t)-1:64]),
      .data_o (form_q[$bits(form_t)-1:64]),
      .error_o(form_error)
  );

  always_comb begin
    {held, ready, ended, fault_held} = {held_q, ready_q, ended_q, fault_q};
    if (judge_q) begin
      held = 1'b1;
      fault_held = fault;
      ended = fault == FAULT_NONE && is_end;
      ready = fault == FAULT_NONE && !is_end;
    end else if (issue) begin
      held  = 1'b0;
      ready = 1'b0;
    end
  end
  rs_checked #(
      .Width  (10 + 2 * Units),
      .Checked(Sealed)
  ) u_flags (
      .clk_i,
      .clear_i(!rst_ni || clear_i),
      .en_i   (1'b1),
      .data_i ({take, look_q, held, ready, ended, fault_held, issue, unit & {Units{issue}}, start}),
      .data_o ({look_q, judge_q, held_q, ready_q, ended_q, fault_q, commit_q, issue_q, start_q}),
      .error_o(flags_error)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) pc_q <= '0;
    else if (take) pc_q <= word_pc_i;
    // whether there is a word does not matter: this would be the enable of hundreds
    if (word_ready_o) begin
      instr_q   <= word;
      odd_q     <= word_odd_i;
      past_q    <= word_past_i;
      pointer_q <= given;
    end
  end
  assign word_error = (look_q || judge_q || held_q || commit_q) && ^instr_q != odd_q;

  // ---- look up ----
  if (Slices > 1) begin : gen_slices
    slice_form_t next_form;
    if (HasFields) begin : gen_fields
      assign next_form = slices_of(word.op) | field_slices_of(word.op);
    end else begin : gen_no_fields
      assign next_form = slices_of(word.op);
    end
    rs_checked #(
        .Width  ($bits(slice_form_t)),
        .Checked(Sealed)
    ) u_slice_form (
        .clk_i,
        .clear_i(Sealed && !rst_ni),
        .en_i   (word_ready_o),
        .data_i (next_form),
        .data_o (slice_form),
        .error_o(slice_error)
    );
  end else begin : gen_whole
    assign {slice_form, slice_error} = '0;
  end

  rs_decode #(
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
  ) u_decode (
      .instr_i    (instr_q),
      .form_i     (form_q),
      .slices_i   (slice_form),
      .log_n_i,
      .checks_o   (word_checks),
      .groups_o   (groups),
      .slots_o    (slots),
      .ctx_read_o (ctx_read),
      .ctx_write_o(ctx_write),
      .partial_o  (partial),
      .size_o     (size),
      .first_o    (first),
      .dst_end_o  (dst_end),
      .a_end_o    (a_end),
      .b_end_o    (b_end)
  );

  rs_checked #(
      .Width  ($bits(checks_t) + 16 + SlotsMax + 8 + 6 + 4 * UnitBits),
      .Checked(Sealed)
  ) u_decoded (
      .clk_i,
      .clear_i(1'b0),
      .en_i(1'b1),
      .data_i({word_checks, groups, slots, ctx_read, ctx_write, partial, size, first, dst_end, a_end, b_end}),
      .data_o({word_checks_q, groups_q, slots_q, ctx_read_q, ctx_write_q, partial_q, size_q, first_q, dst_end_q, a_end_q, b_end_q}),
      .error_o(decode_error)
  );
  always_ff @(posedge clk_i) begin
    // what an unset pointer reads as is no multiple of 64
    misaligned_q <= pointer_q[5:0] != '0;
    addr_q       <= {pointer_q[63:6] + (adds ? 58'(lines) : 58'd0), 6'd0};
    if (in_vault) addr_q[63] <= 1'b1;
  end

  // Sealed: the vault's pointer, and no pointer at all. What is outside has addresses below 2^62, so nothing behind them is the vault's
  if (Sealed) begin : gen_sealed
    logic keys, unused_pointer;
    assign unused_pointer = ^pointer_i[63:62];
    assign keys = word.op == OP_HASH && word[HashLsb+:HashBits] >= 4'(HashKey);
    assign given = word.b == 4'(VaultPointer) || keys ? '0 : {2'd0, pointer_i[61:0]};
    assign in_vault = instr_q.b == 4'(VaultPointer);
  end else begin : gen_open
    assign {given, in_vault} = {pointer_i, 1'b0};
  end

  // behind near stand other fields
  assign lines = HasFields && is_field_op(instr_q.op) ? OffsetBits'(bits[NearLsb+:NearBits]) : bits[OffsetLsb+:OffsetBits];
  assign adds  = !(HasEncode && form_q.numbers) && !(HasPipe && form_q.limbs);  // there is an offset

  // ---- judge ----
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign unit[u] = is_built(u, HasPipe, HasFields) && form_q.unit == unit_t'(u);
  end
  assign unordered = form_q.unit == unit_t'(UNIT_EXPAND) && !bits[FirstLsb] && !expanding_q;
  assign is_end = form_q.unit == unit_t'(UNIT_NONE);

  always_comb begin
    checks = word_checks_q;
    checks.past = past_q;
    checks.unordered = unordered;
    checks.undrained = is_end && undrained;
    checks.misaligned = form_q.memory && misaligned_q;
    checks.empty = empty || lost;
    checks.strange = strange;
    checks.refused = (secret && !kept_in) || unsealed;
  end
  assign fault = fault_of(checks);
  assign fault_o = fault_q;
  assign end_o   = ended_q;
  assign pc_o    = pc_q;

  rs_scoreboard #(
      .HasPipe  (HasPipe),
      .HasFields(HasFields),
      .HasSlices(Slices > 1),
      .Checked  (Sealed)
  ) u_scoreboard (
      .clk_i,
      .rst_ni,
      .unit_i     (unit),
      .groups_i   (groups_q),
      .slots_i    (slots_q),
      .ctx_read_i (ctx_read_q),
      .ctx_write_i(ctx_write_q),
      .wide_i     (W > 32 || (form_q.wide && bits[WideLsb])),
      .message_i  ((HasReduce && instr_q.op == OP_STREAM && bits[SignedLsb]) || (HasEncode && instr_q.op == OP_LOADS)),
      .log_size_i (instr_q.log_size),
      .hears_i    (hears),
      .moves_i    (HasFields && (instr_q.op == OP_LOADF || instr_q.op == OP_STOREF)),
      .stores_i   (HasFields && instr_q.op == OP_STORED),
      .load_room_i,
      .free_o     (free),
      .issue_i    (issue_q),
      .start_i    (start),
      .release_i  (unit_release_i),
      .give_up_i,
      .busy_o     (unit_busy_o),
      .load_turn_o(load_turn),
      .load_end_o (load_end),
      .error_o    (board_error)
  );

  rs_tags #(
      .Groups(Groups),
      .Contexts(Contexts),
      .Slots(Slots),
      .HasEncode(HasEncode),
      .HasPipe(HasPipe),
      .UnitBits(UnitBits),
      .HasSlices(Slices > 1)
  ) u_tags (
      .clk_i,
      .clear_i(clear_i || !rst_ni),
      .forget_i(forget_i || !rst_ni),
      .renew_i,
      .frame_i,
      .no_encrypt_i,
      .no_decrypt_i,
      .hidden_i(draws_secret),
      .instr_i(instr_q),
      .form_i(form_q),
      .partial_i(partial_q),
      .size_i(size_q),
      .first_i(first_q),
      .dst_end_i(dst_end_q),
      .a_end_i(a_end_q),
      .b_end_i(b_end_q),
      .issue_i(commit_q),
      .empty_o(empty),
      .strange_o(strange),
      .secret_o(secret)
  );

  if (Sealed) begin : gen_seal
    logic waits;
    assign hears = HasFields && (instr_q.op == OP_HASH || instr_q.op == OP_LOADD || waits);
    assign sent  = 64'(instr_q) | marks;
    rs_seal #(
        .Groups(Groups)
    ) u_seal (
        .clk_i,
        .clear_i (clear_i || !rst_ni),
        .cleared_i,
        .forget_i(forget_i || !rst_ni),
        .instr_i (instr_q),
        .issue_i (commit_q && !hold_i),  // digests outlive a program: what is dropped does not count
        .empty_o (lost),
        .secret_o(unsealed),
        .hidden_o(draws_secret),
        .inside_o(kept_in),
        .waits_o (waits),
        .marks_o (marks),
        .error_o (seal_error)
    );

    // The tags again; those of rs_seal have parities. Both have to agree from the verdict to the start; behind what is refused anyway nothing
    // counts: of what was never written there are no tags. Commands come from flip-flops of their own, so that no state of the one is, for whoever
    // synthesises, that of the other; what hangs on the instruction alone may be shared.
    (* keep, dont_touch = "true" *) logic clear_again_q, forget_again_q, no_commit_q;
    logic commit_again;
    always_ff @(posedge clk_i) begin
      no_commit_q    <= !issue || !rst_ni || clear_i;
      clear_again_q  <= clear_i || !rst_ni;
      forget_again_q <= forget_i || !rst_ni;
    end
    assign commit_again = !no_commit_q;
    logic other_empty, other_strange, other_secret;
    rs_tags #(
        .Groups(Groups),
        .Contexts(Contexts),
        .Slots(Slots),
        .HasEncode(HasEncode),
        .HasPipe(HasPipe),
        .UnitBits(UnitBits),
        .HasSlices(Slices > 1)
    ) u_tags_again (
        .clk_i,
        .clear_i(clear_again_q),
        .forget_i(forget_again_q),
        .renew_i,
        .frame_i,
        .no_encrypt_i,
        .no_decrypt_i,
        .hidden_i(draws_secret),
        .instr_i(instr_q),
        .form_i(form_q),
        .partial_i(partial_q),
        .size_i(size_q),
        .first_i(first_q),
        .dst_end_i(dst_end_q),
        .a_end_i(a_end_q),
        .b_end_i(b_end_q),
        .issue_i(commit_again),
        .empty_o(other_empty),
        .strange_o(other_strange),
        .secret_o(other_secret)
    );
    logic differ;
    assign differ = empty != other_empty || (!empty && (strange != other_strange || (!strange && secret != other_secret)));
    // a wipe that comes while nothing starts reaches them one after the other
    assign judges_differ = differ && !hold_i && (judge_q || ready_q || commit_q);
  end else begin : gen_no_seal
    logic unused_cleared;
    assign unused_cleared = cleared_i;
    assign {lost, unsealed, draws_secret, kept_in} = '0;
    assign hears = HasFields && (instr_q.op == OP_HASH || instr_q.op == OP_LOADD);
    assign sent = 64'(instr_q);
    assign {marks, judges_differ, seal_error} = '0;
  end

  // ---- issue ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) expanding_q <= 1'b0;
    else if (issue_q[UNIT_EXPAND]) expanding_q <= 1'b1;
    for (int u = 0; u < Units; u++) begin
      if (!is_built(u, HasPipe, HasFields)) begin
        unit_instr_o[u] <= '0;
        unit_odd_q[u]   <= 1'b0;
        unit_pc_q[u]    <= '0;
      end else if (issue_q[u]) begin
        unit_instr_o[u] <= sent;
        unit_odd_q[u]   <= odd_q ^ ^(marks & ~64'(instr_q));
        unit_pc_q[u]    <= pc_q;
      end
    end
    for (int u = 0; u < 2; u++) begin
      if (issue_q[u]) unit_addr_o[u] <= addr_q;
    end
    if (!HasPipe) unit_addr_o[2] <= '0;
    else if (issue_q[UNIT_PIPE]) unit_addr_o[2] <= addr_q;
    for (int u = 3; u < 5; u++) begin
      if (!HasFields) unit_addr_o[u] <= '0;
      else if (issue_q[int'(UNIT_SPONGE)+u-3]) unit_addr_o[u] <= addr_q;
    end
    if (issue_q[UNIT_LOAD]) begin
      load_pc_q[load_turn]     <= pc_q;
      load_stream_q[load_turn] <= {bits[SecretLsb], instr_q.op == OP_STREAM};
    end
  end
  always_comb begin
    unit_pc_o            = unit_pc_q;
    unit_pc_o[UNIT_LOAD] = load_pc_q[load_end];
  end
  assign load_stream_o = load_stream_q[load_end];
  assign unit_start_o  = start_q;

  // ---- flips: the words of STORE and COMPUTE, with fields of all, of a sealed core also where addresses go: into the vault, and to which line ----
  logic [4:0] addr_error;
  for (genvar u = 0; u < Units; u++) begin : gen_checks
    if (u == int'(UNIT_STORE) || u == int'(UNIT_COMPUTE) ||
        (HasFields && (u == int'(UNIT_LOAD) || u == int'(UNIT_SPONGE) || u == int'(UNIT_PACK)))) begin : gen_checked
      assign unit_error[u] = unit_busy_o[u] && ^unit_instr_o[u] != unit_odd_q[u];
    end else begin : gen_unchecked
      logic unused_odd;
      assign unused_odd = unit_odd_q[u];
      assign unit_error[u] = 1'b0;
    end
  end
  if (Sealed) begin : gen_addresses
    localparam int unsigned LineBits = $clog2(4 * VaultLines);
    for (genvar a = 0; a < 5; a++) begin : gen_address
      localparam int unsigned Unit = a == 2 ? int'(UNIT_PIPE) : a < 2 ? a : int'(UNIT_SPONGE) + a - 3;
      logic inside_q, odd_line_q;
      always_ff @(posedge clk_i) begin
        if (issue_q[Unit]) begin
          inside_q   <= in_vault;
          odd_line_q <= ^lines[LineBits-1:0];
        end
      end
      assign addr_error[a] = a != 2 && unit_busy_o[Unit] &&
          (unit_addr_o[a][63] != inside_q || (inside_q && ^unit_addr_o[a][6+:LineBits] != odd_line_q));
    end
  end else begin : gen_no_addresses
    assign addr_error = '0;
  end
  assign alert_o = flags_error || form_error || slice_error || decode_error || word_error || board_error ||
      judges_differ || seal_error || unit_error != '0 || addr_error != '0;

  // results of PIPE come out after it is done: a program ends when they are in memory
  if (HasPipe) begin : gen_undrained
    logic undrained_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) undrained_q <= 1'b0;
      else if (issue_q[UNIT_PIPE]) undrained_q <= form_q.limbs || (undrained_q && instr_q.op != OP_DRAIN);
    end
    assign undrained = undrained_q;
  end else begin : gen_drained
    assign undrained = 1'b0;
  end

endmodule
