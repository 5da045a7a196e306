// SPDX-License-Identifier: Apache-2.0
// rs_issue_formal: any words, any times of the units. What starts is alone with its groups and slots, is in order, reads what was
// written, is one of three in LOAD at most, which fit each other, and stores only groups with the tag PUBLIC; rs_tags_formal says what that means.
// A program ends only if a DRAIN is behind every PIPE, and a frame is at its own pointer.
// Words that PIPEM streams are held and no secret.
module rs_issue_formal
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups    = 3,
    parameter int unsigned Contexts  = 2,
    parameter int unsigned Slots     = 2,
    parameter bit          HasEncode = 1'b0,
    parameter bit          HasPipe   = 1'b0
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       clear_i,
    input logic                       hold_i,
    input logic                       forget_i,
    input logic                       renew_i,
    input logic [FrameBits-1:0]       frame_i,
    input logic                       no_encrypt_i,
    input logic                       no_decrypt_i,
    input logic                       word_valid_i,
    input logic [         63:0]       word_i,
    input logic                       word_past_i,
    input logic [          7:0][63:0] pointer_i,
    input logic [    Units-1:0]       done_i,
    input logic                       give_up_i,
    input logic                       load_room_i
);

  logic [Units-1:0] unit_start_o, unit_busy_o;
  logic [Units-1:0][63:0] unit_instr_o;
  logic [Units-1:0][15:0] unit_pc_o;
  logic [4:0][63:0] unit_addr_o;
  logic [4:0] pointer_index_o;
  logic word_ready_o, end_o;
  logic [1:0] load_stream_o;
  logic [15:0] pc_o;
  fault_e fault_o;
  logic [15:0] taken_q, started_q;  // instructions so far

  rs_issue #(
      .Groups  (Groups),
      .Contexts(Contexts),
      .Slots   (Slots),
      .HasReduce(1'b1),
      .HasEncode(HasEncode),
      .HasPipe(HasPipe)
  ) u_dut (
      .*,
      .cleared_i(1'b0),
      .log_n_i(5'd10),
      .pointer_i(pointer_i[3'(pointer_index_o)]),
      .word_pc_i(taken_q),
      .unit_release_i(done_i),
      .word_odd_i(),
      .alert_o()
  );

  // ---- what the units run, and what that uses: an entry for each, more of LOAD, and the next instruction ----
  localparam int unsigned Entries = Units + Loads - 1;
  localparam int unsigned Next = Entries;
  instr_t [Next:0] word;
  form_t  [Next:0] form;
  logic [Next:0][15:0] groups, slots, ctx_read, ctx_write;
  logic [Entries-1:0] runs, runs_q, begins;
  logic [Loads-1:0][63:0] load_q;  // what those of LOAD are
  logic [1:0] turn, ending;

  function automatic logic of_load(input int unsigned entry);
    return entry == int'(UNIT_LOAD) || (entry >= Units && entry < Entries);
  endfunction

  // its number among those of LOAD, and back
  function automatic int unsigned turn_of(input int unsigned entry);
    return entry < Units ? 0 : entry - Units + 1;
  endfunction

  function automatic int unsigned entry_of(input int unsigned number);
    return number == 0 ? int'(UNIT_LOAD) : Units + number - 1;
  endfunction

  function automatic logic [1:0] after(input logic [1:0] number);
    return number == 2'(Loads - 1) ? '0 : number + 1'b1;
  endfunction

  // number `one` is older than `other`, where both run
  function automatic logic older(input int unsigned one, input int unsigned other);
    return (one + Loads - 32'(ending)) % Loads < (other + Loads - 32'(ending)) % Loads;
  endfunction

  // a context, or a part of one
  function automatic logic brings(input instr_t one);
    return one.op == OP_CONTEXT || one.op == OP_CONSTANTS || (HasEncode && (one.op == OP_ROOTS || one.op == OP_TWIDDLES));
  endfunction

  // residues of words of two sizes
  function automatic logic sized(input instr_t one);
    return one.op == OP_LOAD || one.op == OP_STREAM;
  endfunction

  // nothing is beside it
  function automatic logic is_message(input instr_t one);
    return (one.op == OP_STREAM && one[SignedLsb]) || (HasEncode && one.op == OP_LOADS);
  endfunction

  // it streams the frame to memory
  function automatic logic streaming(input instr_t one);
    return HasPipe && (one.op == OP_PIPE || one.op == OP_PIPED || (HasEncode && one.op == OP_PIPEM));
  endfunction

  function automatic logic of_slots(input instr_t one);
    return HasEncode && (one.op == OP_LOADS || one.op == OP_STORES);
  endfunction

  assign runs   = u_dut.u_scoreboard.busy_q;
  assign turn   = u_dut.u_scoreboard.turn_q;
  assign ending = u_dut.u_scoreboard.end_q;
  always_comb begin
    begins = Entries'(unit_start_o);
    for (int unsigned l = 0; l < Loads; l++) begins[entry_of(l)] = unit_start_o[UNIT_LOAD] && turn == after(2'(l));
  end
  always_ff @(posedge clk_i) for (int unsigned l = 0; l < Loads; l++) load_q[l] <= word[entry_of(l)];

  for (genvar u = 0; u <= Next; u++) begin : gen_uses
    if (u == Next) begin : gen_next
      assign word[u] = u_dut.instr_q;
    end else if (of_load(u)) begin : gen_load
      assign word[u] = instr_t'(begins[u] ? unit_instr_o[UNIT_LOAD] : load_q[turn_of(u)]);
    end else begin : gen_unit
      assign word[u] = instr_t'(unit_instr_o[u]);
    end
    assign form[u] = form_built(word[u].op, HasPipe);
    always_comb begin
      groups[u] = '0;
      slots[u] = '0;
      ctx_read[u] = '0;
      ctx_write[u] = '0;
      if (form[u].dst_group) groups[u][word[u].dst] = 1'b1;
      if (form[u].a_group) groups[u][word[u].a] = 1'b1;
      if (form[u].b_group) groups[u][word[u].b] = 1'b1;
      if (form[u].dst_slot) slots[u][word[u].dst] = 1'b1;
      if (form[u].a_slot) slots[u][word[u].a] = 1'b1;
      if (form[u].dst_slots) slots[u] |= 16'd7 << word[u].dst;
      if (form[u].ctx) ctx_read[u][word[u].ctx] = 1'b1;
      if (brings(word[u])) ctx_write[u][word[u].dst] = 1'b1;
    end
  end

  // ---- what is written, when an instruction has started ----
  logic [15:0] group_q, group_d, full;
  logic [3:0] slot_q, slot_d, context_q, context_d, slot_full;
  instr_t begun;
  form_t  begun_form;

  always_comb begin
    begun = '0;
    begun_form = '0;
    for (int u = 0; u < Entries; u++) begin
      if (begins[u]) begin
        begun = word[u];
        begun_form = form[u];
      end
    end
  end

  always_comb begin
    group_d = group_q;
    slot_d = slot_q;
    context_d = context_q;
    if (unit_start_o != '0) begin
      if (begun_form.dst_group) group_d[begun.dst] = 1'b1;
      if (begun_form.dst_slot) slot_d[begun.dst[1:0]] = 1'b1;
      if (brings(begun)) context_d[begun.dst[1:0]] = 1'b1;
    end
    for (int g = 0; g < 16; g++) full[g] = u_dut.u_tags.group_q[g].tag != TAG_EMPTY;
    for (int i = 0; i < 4; i++) slot_full[i] = u_dut.u_tags.slot_q[i].tag != TAG_EMPTY;
  end

  // results of a PIPE that has started are not all in memory
  logic streams_q, streams;
  always_comb begin
    streams = streams_q;
    if (unit_start_o[UNIT_PIPE]) streams = begun_form.limbs || (streams_q && begun.op != OP_DRAIN);
  end
  // where the word's address is, or what it counts from
  instr_t offered;
  logic [FrameBits-1:0] frame;
  logic [OffsetBits-1:0] offset;  // the offset of the next instruction
  assign offered = instr_t'(word_i);
  assign frame   = offered.frame;
  assign offset  = (HasPipe && form[Next].limbs) || of_slots(word[Next]) ? '0 : word[Next][OffsetLsb+:OffsetBits];

  logic reset_q = 1'b0;
  logic hold_q, clear_q, taken, looks, knows, dropped_q;
  logic [Units-1:0] busy_q;
  logic [Entries-1:0] overlap;
  logic [Units-1:0][63:0] instr_q;
  logic expanding_q, no_encrypt_q;

  assign taken = word_valid_i && word_ready_o;
  // the next instruction is there, and what is looked up about it too
  assign looks = u_dut.look_q || u_dut.judge_q || u_dut.held_q || u_dut.commit_q;
  assign knows = u_dut.judge_q || u_dut.held_q || u_dut.commit_q;

  // two of LOAD fit each other
  function automatic logic misfit(input instr_t one, input instr_t other);
    logic [1:0] message, wide;
    message = {is_message(one), is_message(other)};
    wide = {sized(one) && one[WideLsb], sized(other) && other[WideLsb]};
    return message != '0 || wide[0] != wide[1] || (brings(one) && brings(other));
  endfunction

  for (genvar u = 0; u < Entries; u++) begin : gen_overlap
    logic same;
    logic comes;  // it may read a context that this entry brings
    if (of_load(u)) begin : gen_load
      assign same  = form[Next].unit == unit_t'(UNIT_LOAD) && (turn == 2'(turn_of(u)) || misfit(word[Next], word[u]));
      assign comes = form[Next].unit == unit_t'(UNIT_LOAD);
    end else begin : gen_unit
      assign same  = form[Next].unit == unit_t'(u);
      assign comes = 1'b0;
    end
    assign overlap[u] = same || (groups[Next] & groups[u]) != '0 || (slots[Next] & slots[u]) != '0 ||
        (ctx_write[Next] & (ctx_read[u] | ctx_write[u])) != '0 || (!comes && (ctx_read[Next] & ctx_write[u]) != '0);
  end

  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    // a program begins when all is done, and what holds stays until then
    if (clear_i) assume (unit_busy_o == '0 && hold_i);
    if (reset_q && hold_q && !clear_q) assume (hold_i);
    if (give_up_i) assume (hold_i);

    // a lock that is set in the few cycles of one instruction may count from the next one on
    if (HasPipe && (u_dut.held_q || u_dut.commit_q)) assume (no_encrypt_i == no_encrypt_q);
    // seeds are not written while instructions are judged
    if (HasPipe && knows) assume (!renew_i && !forget_i);
    no_encrypt_q <= no_encrypt_i;

    hold_q <= hold_i && rst_ni;
    clear_q <= clear_i;
    busy_q <= unit_busy_o;
    runs_q <= runs;
    instr_q <= unit_instr_o;
    if (!rst_ni || clear_i) begin
      group_q     <= '0;
      slot_q      <= '0;
      context_q   <= '0;
      expanding_q <= 1'b0;
      streams_q   <= 1'b0;
      taken_q     <= '0;
      started_q   <= '0;
      dropped_q   <= 1'b0;
    end else begin
      group_q     <= group_d;
      slot_q      <= slot_d;
      context_q   <= context_d;
      expanding_q <= expanding_q || unit_start_o[UNIT_EXPAND];
      streams_q   <= streams;
      taken_q     <= taken_q + 16'(taken);
      started_q   <= started_q + 16'(unit_start_o != '0);
      dropped_q   <= dropped_q || (u_dut.commit_q && hold_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      // one at a time, in order, not against hold_i, each into its own unit
      assert ((unit_start_o & (unit_start_o - 1'b1)) == '0);
      for (int u = 0; u < Units; u++) begin
        if (unit_start_o[u]) assert (!hold_q && unit_busy_o[u]);
        // what it runs stays; what LOAD would have run beside that may show, of the same width, when it is dropped
        if (unit_busy_o[u] && !unit_start_o[u])
          assert (busy_q[u] && (unit_instr_o[u] == instr_q[u] || (u == int'(UNIT_LOAD) && dropped_q)));
      end
      for (int u = 0; u < Entries; u++) begin
        if (begins[u]) begin
          assert (runs[u] && !runs_q[u]);
          assert (form[u].known && form[u].unit == unit_t'(of_load(
              u
          ) ? int'(UNIT_LOAD) : u) && (64'(word[u]) & ~form[u].bits) == '0);
        end
        if (runs[u]) begin
          assert (groups[u] >> Groups == '0 && slots[u] >> Slots == '0 && (ctx_read[u] | ctx_write[u]) >> Contexts == '0);
          if (!begins[u]) assert (runs_q[u]);
          // it is alone with what it uses
          for (int v = 0; v < u; v++) begin
            if (runs[v]) begin
              assert ((groups[u] & groups[v]) == '0 && (slots[u] & slots[v]) == '0);
              assert ((ctx_write[u] & ctx_write[v]) == '0);
              // but of LOAD a younger one may read the context that an older one brings
              if (!of_load(u) || !of_load(v) || !older(turn_of(u), turn_of(v))) assert ((ctx_write[u] & ctx_read[v]) == '0);
              if (!of_load(u) || !of_load(v) || !older(turn_of(v), turn_of(u))) assert ((ctx_read[u] & ctx_write[v]) == '0);
            end
          end
        end
      end
      for (int u = 0; u < Units; u++) if (unit_start_o[u] && u != int'(UNIT_LOAD)) assert (unit_pc_o[u] == started_q);
      // the port and flag of LOAD tell about the one that ends next, the oldest one
      for (int unsigned l = 0; l < Loads; l++) begin
        if (unit_start_o[UNIT_LOAD] && turn == after(2'(l))) assert (u_dut.load_pc_q[l] == started_q);
        for (int unsigned m = 0; m < l; m++) begin
          if (runs[entry_of(l)] && runs[entry_of(m)]) assert (!misfit(word[entry_of(l)], word[entry_of(m)]));
        end
      end
      for (int unsigned l = 0; l < Loads; l++) begin
        if (runs[entry_of(l)]) begin
          assert (u_dut.load_stream_q[l] == {word[entry_of(l)][SecretLsb], word[entry_of(l)].op == OP_STREAM});
        end
        // those from `ending` on up to `turn` run: all or none of them if these are equal
        assert (32'(turn) < Loads && 32'(ending) < Loads);
        if (turn == ending)
          assert (runs[entry_of(l)] == runs[UNIT_LOAD]);
          else assert (runs[entry_of(l)] == older(l, 32'(turn)));
      end

      // it reads what was written, and stores what is public
      if (unit_start_o != '0) begin
        if (begun_form.a_group) assert (group_q[begun.a]);
        if (begun_form.b_group) assert (group_q[begun.b]);
        if (begun_form.dst_group && begun_form.reads_dst) assert (group_q[begun.dst]);
        if (begun_form.a_slot) assert (slot_q[begun.a[1:0]]);
        if (begun_form.dst_slots) begin
          assert (32'(begun.dst) + 3 <= Slots);
          for (int i = 0; i < 3; i++) assert (slot_q[2'(begun.dst+4'(i))]);
        end
        if (begun.op == OP_ROUND) assert (slot_q[begun.dst[1:0]]);
        if (begun_form.ctx) assert (context_q[begun.ctx[1:0]]);
        if (begun_form.fills) assert (context_q[begun.dst[1:0]]);
        if (begun.op == OP_STORE || begun.op == OP_STORES) assert (u_dut.u_tags.group_q[begun.a].tag == TAG_PUBLIC);
        if (begun.op == OP_PIPEM) assert (u_dut.u_tags.group_q[begun.a].tag inside {TAG_PUBLIC, TAG_MESSAGE});
        if (begun.op == OP_EXPAND) assert (begun[FirstLsb] || expanding_q);
      end

      // results are in memory when it ends
      if (end_o && !dropped_q) assert (!streams);
      if ((streaming(offered) || of_slots(offered)) && frame != '0)
        assert (32'(pointer_index_o) == 32'd16 + 32'(frame));
        else if (streaming(offered))
          assert (32'(pointer_index_o) == 32'd7);
          else assert (32'(pointer_index_o) == 32'(offered.b));

      // ---- what induction needs to know of the inside ----
      // the step it is at
      assert (32'(u_dut.look_q) + 32'(u_dut.judge_q) + 32'(u_dut.held_q) + 32'(u_dut.commit_q) <= 1);
      assert (u_dut.commit_q == (u_dut.issue_q != '0));
      if (u_dut.ready_q) assert (u_dut.held_q);
      if (end_o) assert (u_dut.held_q && !u_dut.ready_q);
      if (u_dut.judge_q || u_dut.held_q || u_dut.commit_q) assert (unit_start_o == '0);
      if (dropped_q) assert (hold_q && !clear_q && unit_start_o == '0);
      if (!dropped_q) begin
        assert (full == group_d && slot_full == slot_d && u_dut.u_tags.context_q == context_d);
        assert (u_dut.expanding_q == (expanding_q || unit_start_o[UNIT_EXPAND]));
        assert (u_dut.undrained == streams);
        assert (taken_q == started_q + 16'(unit_start_o != '0) + 16'(looks));
        if (looks) assert (pc_o == started_q + 16'(unit_start_o != '0));
      end
      for (int u = 0; u < Entries; u++) begin
        if (runs[u]) begin
          assert (u_dut.u_scoreboard.groups_q[u] == groups[u] && 16'(u_dut.u_scoreboard.slots_q[u]) == slots[u]);
          assert (16'(u_dut.u_scoreboard.ctx_read_q[u]) == ctx_read[u]);
          assert (16'(u_dut.u_scoreboard.ctx_write_q[u]) == ctx_write[u]);
          if (of_load(u)) begin
            assert (u_dut.u_scoreboard.wide_q[turn_of(u)] == (sized(word[u]) && word[u][WideLsb]));
            assert (u_dut.u_scoreboard.message_q[turn_of(u)] == is_message(word[u]));
          end
        end
      end
      // what was looked up
      if (looks) assert (u_dut.form_q == form[Next]);
      if (knows) begin
        assert (u_dut.word_checks_q == u_dut.word_checks && u_dut.groups_q == u_dut.groups && u_dut.slots_q == u_dut.slots);
        assert (u_dut.ctx_read_q == u_dut.ctx_read && u_dut.ctx_write_q == u_dut.ctx_write);
        assert (u_dut.misaligned_q == (u_dut.pointer_q[5:0] != '0));
        assert (u_dut.addr_q == {u_dut.pointer_q[63:6] + 58'(offset), 6'd0});
        assert (u_dut.u_tags.dst_q == u_dut.u_tags.group_q[word[Next].dst]);
        assert (u_dut.u_tags.a_q == u_dut.u_tags.group_q[word[Next].a]);
        assert (u_dut.u_tags.b_q == u_dut.u_tags.group_q[word[Next].b]);
        assert (u_dut.u_tags.dst_slot_q == u_dut.u_tags.slot_q[word[Next].dst[1:0]]);
        assert (u_dut.u_tags.a_slot_q == u_dut.u_tags.slot_q[word[Next].a[1:0]]);
        assert (u_dut.u_tags.has_context_q == u_dut.u_tags.context_q[u_dut.u_tags.looked]);
        assert (u_dut.u_tags.has_roots_q == u_dut.u_tags.roots_q[u_dut.u_tags.looked]);
        assert (u_dut.u_tags.has_twiddles_q == u_dut.u_tags.twiddles_q[u_dut.u_tags.looked]);
        if (HasPipe) begin
          assert (u_dut.u_tags.first_q == u_dut.u_tags.slot_q[2'(word[Next].dst+4'd1)]);
          assert (u_dut.u_tags.second_q == u_dut.u_tags.slot_q[2'(word[Next].dst+4'd2)]);
          for (int p = 0; p < 2; p++) begin
            for (int e = 0; e < 2; e++) begin
              assert (u_dut.u_tags.linked_a_q[p][e] == (u_dut.u_tags.linked_q[p][e] && !u_dut.u_tags.broken_q[p][e] &&
                                                        u_dut.u_tags.link_q[p][e] == word[Next].a));
            end
            assert (u_dut.u_tags.linked_b_q[p] == (u_dut.u_tags.linked_q[p][1] && !u_dut.u_tags.broken_q[p][1] &&
                                                   u_dut.u_tags.link_q[p][1] == word[Next].b));
          end
        end
        if (u_dut.word_checks_q == '0) begin
          assert (form[Next].known && (64'(word[Next]) & ~form[Next].bits) == '0);
          assert (u_dut.groups_q == groups[Next] && groups[Next] >> Groups == '0);
          assert (16'(u_dut.slots_q) == slots[Next] && slots[Next] >> Slots == '0);
          assert (16'(u_dut.ctx_read_q) == ctx_read[Next] && ctx_read[Next] >> Contexts == '0);
          assert (16'(u_dut.ctx_write_q) == ctx_write[Next] && ctx_write[Next] >> Contexts == '0);
        end
      end
      // what was judged
      if (u_dut.ready_q || u_dut.commit_q) begin
        assert (u_dut.fault == FAULT_NONE && !u_dut.is_end);
        if (form[Next].memory) assert (u_dut.pointer_q[5:0] == '0);
        if (form[Next].dst_group) assert (u_dut.u_tags.result_q != TAG_EMPTY);
        if (form[Next].dst_slot) assert (u_dut.u_tags.filled_q.tag != TAG_EMPTY);
        assert (u_dut.u_tags.takes_a_q == u_dut.u_tags.takes_a);
        assert (u_dut.u_tags.pipes_q == u_dut.u_tags.pipes);
        for (int u = 0; u < Entries; u++) begin
          if (runs[u]) assert (u_dut.u_scoreboard.conflict_q[u] == overlap[u]);
        end
      end
      if (u_dut.commit_q) assert (u_dut.issue_q == u_dut.unit && (runs & overlap) == '0);
    end
  end

endmodule
