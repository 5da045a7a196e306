// SPDX-License-Identifier: Apache-2.0
// rs_secrets_formal: two copies of the sequencer run one program on equal public inputs and different secrets; their state, so STATUS, cause, pc,
// the counters, all starts and addresses, is equal in every cycle, and so is what STORE reads. For all programs and times, by induction.
//
// The units are abstract. They are done at the same times in both copies, whatever these are. The fault that a unit tells is any, and the same
// in both copies unless the words that it tells something about differ: those of the operands that docs/core.md names under Range. So one secret
// that reaches such a fault makes the copies differ, and the proof fails.
//
// Which groups differ is followed beside the tags, by the effects of the instructions. What LOAD brings with `secret` or `alt`, samples, the
// factor of MSUBS and all that is made of these differs; messages, seeds expanded and other memory are public, and equal. A sum that the tags call
// public is taken to be equal: it is a ciphertext, which hides the secret, or a decryption, the caller's answer; rs_tags_formal
// says which sums these are. That LOAD tells nothing of a secret's residues is tested in hw/dma/tb, and that units take the same time in
// hw/core/tb.
//
// Sealed: a core with fields that keeps keys. There the keys of slots differ, what the vault has in its part of secrets, and by their effects digests made of
// these and groups made of such digests; the vault's other parts are public, and nothing that differs is written there. NORM and STOREF tell of what is in
// their group, but where PACK keeps the answer, or the result stays in the vault; DRAW of its digests, by time, but for kinds whose time
// depends on no seed; LOADF and contexts of what they load. A seed is wiped while no program runs, or after `clear_o` in one.
// What is taken to be equal, as it is public by design: whether a round of a signature is refused, which a STOREF of a part tells; which half-bytes ExpandS
// rejects; that 128 bytes are enough for a challenge (all but 2^-72); and what a STORED has written to memory, the chosen keys and
// challenges of rs_seal_formal, when a program reads it again.
// Other: each key that a program gets, of either slot, is the owner's or somebody else's, by chance, so slots may be written anew at any time. The owner's
// differ, somebody else's are equal; and what programs have left differs, of whoever they were, in groups, digests and a line of the vault's secrets, any
// one. Then all that a program without a key of the owner's has is equal: every digest and group that it can read, every line that it has
// written, and what it stores, whatever programs were there before it and however they ended.
// Two things that the tags have to know of can be left out, to see what they are good for: that a program is stopped while SPONGE writes a digest or before it does (Stops), so that the
// old digest stays; and a DRAW of a challenge of four digests of which the first is equal in both copies and another one is not (Mixed).
module rs_secrets_formal
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups   = 3,
    parameter int unsigned Contexts = 2,
    parameter int unsigned Slots    = 2,
    parameter bit          HasPipe  = 1'b0,
    parameter bit          Sealed   = 1'b0,
    parameter bit          Other    = 1'b0,
    parameter bit          Stops    = 1'b0,
    parameter bit          Mixed    = 1'b0
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       start_i,
    input logic                       abort_i,
    input logic [          4:0]       log_n_i,
    input logic [         31:0]       watchdog_i,
    input logic                       forget_i,
    input logic                       renew_i,
    input logic [FrameBits-1:0]       frame_i,
    input logic                       no_encrypt_i,
    input logic                       no_decrypt_i,
    input logic [          7:0][63:0] pointer_i,
    input logic                       prog_we_i,
    input logic [         15:0]       prog_addr_i,
    input logic [         63:0]       prog_data_i,
    input logic [    Units-1:0]       unit_done_i,
    input logic [    Units-1:0][ 3:0] unit_fault_i,   // faults of the first copy
    input logic [    Units-1:0][ 3:0] other_fault_i,  // faults of the second one, where words differ
    input logic                       pipe_idle_i,
    input logic                       give_up_i,
    input logic                       load_room_i,
    input logic [          5:0]       watch_i,        // the line of Other, from power-on on
    input logic                       owner_i         // and whose key it is
);

  localparam int unsigned Depth = 2;

  logic [Units-1:0] told_q;  // what the unit runs tells something about words that differ
  logic [1:0][Units-1:0][3:0] fault;
  always_comb begin
    fault[0] = unit_fault_i;
    for (int u = 0; u < Units; u++) fault[1][u] = told_q[u] ? other_fault_i[u] : unit_fault_i[u];
  end

  // ---- the copies ----
  `define RS_COPY(NAME, I) \
  rs_sequencer #( \
      .LogNMin(10), \
      .LogNMax(Sealed ? 11 : 13), \
      .Slices(Sealed ? 16 : 1), \
      .Groups(Groups), \
      .Contexts(Contexts), \
      .Slots(Slots), \
      .HasExpand(!Sealed), \
      .HasReduce(!Sealed), \
      .HasFactor(!Sealed), \
      .HasEncode(!Sealed), \
      .HasPipe(HasPipe), \
      .HasFields(Sealed), \
      .Sealed(Sealed), \
      .ProgramDepth(Depth) \
  ) NAME ( \
      .clk_i, .rst_ni, .start_i, .first_i(16'd0), .abort_i, .log_n_i, .watchdog_i, .forget_i, .renew_i, .frame_i, \
      .no_encrypt_i(no_encrypt_i || Sealed), .no_decrypt_i(no_decrypt_i || Sealed), \
      .pointer_i(pointer_i[3'(NAME.pointer_index_o)]), .prog_we_i, .prog_addr_i, .prog_data_i, \
      .unit_done_i, .unit_fault_i(fault[I]), .pipe_idle_i, .load_room_i, .give_up_i \
  );

  `RS_COPY(u_one, 0)
`ifndef RS_ONE_COPY
  `RS_COPY(u_two, 1)
  `define RS_EQUAL(NAME) u_one.NAME == u_two.NAME
`else
  // inputs differ where `told_q` says so, and there alone: what is promised of one copy is that it is never so
  `define RS_EQUAL(NAME) 1'b1
`endif

  // ---- which groups and units differ ----
  instr_t instr;
  form_t  form;
  tag_e   tag;  // tag of dst, afterwards
  logic commit, judged, asked, sums, tells, words_differ, result_differs, reads_empty;
  logic [Groups-1:0] differs_q;
  logic [15:0] differs;

  assign instr = u_one.u_issue.instr_q;
  assign form = u_one.u_issue.form_q;
  assign commit = u_one.u_issue.commit_q;
  assign judged = u_one.u_issue.ready_q || commit;
  assign asked = u_one.u_issue.judge_q || judged;  // what was looked up is of it
  assign tag = u_one.u_issue.u_tags.result_q;
  assign differs = 16'(differs_q);
  // cases of a sealed core: what is drawn of digests that differ, or comes from the vault's secrets; a DRAW whose time tells of
  // them; a result that nothing tells of; what would write something that differs to where all is public
  logic drawn, vaulted, timed, kept, spoils;
  logic partly;  // with slices: something stays in dst, beside what is written (rs_tags_formal)
  assign sums = instr.op == OP_MAC || instr.op == OP_MSUB || instr.op == OP_MSUBS || instr.op == OP_ADD || instr.op == OP_SUB ||
      instr.op == OP_LIFTON;

  assign reads_empty = (form.dst_group && form.reads_dst && u_one.u_issue.u_tags.dst_q.tag == TAG_EMPTY) ||
      (form.a_group && u_one.u_issue.u_tags.a_q.tag == TAG_EMPTY) || (form.b_group && u_one.u_issue.u_tags.b_q.tag == TAG_EMPTY);

  always_comb begin
    result_differs = (form.reads_dst && differs[instr.dst]) || (form.a_group && differs[instr.a]) ||
        (form.b_group && differs[instr.b]) || form.a_slot || instr.op == OP_MSUBS ||
        (!Other && instr.op == OP_LOAD && (instr[SecretLsb] || instr[ErrorLsb])) || drawn || vaulted ||
        (partly && differs[instr.dst]);
    if (!Sealed && sums && tag == TAG_PUBLIC) result_differs = 1'b0;
    // the fault VALUE says whether these words fit; and STORE writes them
    tells = 1'b1;
    case (instr.op)
      OP_IFFT, OP_FFT: words_differ = differs[instr.dst];
      OP_CENTRE, OP_SCALEW, OP_PIPEM, OP_STORE, OP_STORES: words_differ = differs[instr.a];
      OP_MACW: words_differ = differs[instr.dst] || differs[instr.a];
      OP_LIFTW: words_differ = differs[instr.b];
      OP_STOREF, OP_NORM: words_differ = differs[instr.a] && !kept;
      OP_DRAW: words_differ = timed;
      OP_LOADF: words_differ = vaulted && !instr[SecretLsb];
      OP_CONTEXT, OP_CONSTANTS: words_differ = vaulted;
      OP_STORED: words_differ = spoils;
      default: begin
        words_differ = 1'b0;
        tells = 1'b0;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      differs_q <= '0;
      told_q    <= '0;
    end else begin
      if (commit) begin
        for (int g = 0; g < int'(Groups); g++) if (form.dst_group && instr.dst == 4'(g)) differs_q[g] <= result_differs;
      end
      // flags of what starts, and is not dropped
      for (int u = 0; u < Units; u++) if (u_one.u_issue.start[u]) told_q[u] <= tells && words_differ;
    end
  end

  // ---- what is promised, and that all registers are equal, which is what induction needs to know ----
  logic reset_q = 1'b0;
  logic same;  // all state of both copies

  `define RS_SAME(NAME) equal = equal && (`RS_EQUAL(NAME))
  `define RS_SAME_TAG(NAME) `RS_SAME(u_issue.u_tags.NAME)
  `define RS_SAME_ISSUE(NAME) `RS_SAME(u_issue.NAME)
  `define RS_SAME_BOARD(NAME) `RS_SAME(u_issue.u_scoreboard.NAME)
  `define RS_SAME_FETCH(NAME) `RS_SAME(u_fetch.NAME)
  logic equal, same_pipe;
  always_comb begin
    equal = 1'b1;
    `RS_SAME(abort_q);
    `RS_SAME(cause_q);
    `RS_SAME(clear_q);
    `RS_SAME(cleared_q);
    `RS_SAME(cycles_q);
    `RS_SAME(done_o);
    `RS_SAME(failed_q);
    `RS_SAME(full_q);
    `RS_SAME(late_q);
    `RS_SAME(load_pc_q);
    `RS_SAME(pc_q);
    `RS_SAME(state_q);
    `RS_SAME(unit_cycles_q);
    `RS_SAME(unit_fault_q);
    `RS_SAME(unlimited_q);
    `RS_SAME(wrong_n_q);
    `RS_SAME_ISSUE(addr_q);
    `RS_SAME_ISSUE(commit_q);
    `RS_SAME_ISSUE(ctx_read_q);
    `RS_SAME_ISSUE(ctx_write_q);
    `RS_SAME_ISSUE(ended_q);
    `RS_SAME_ISSUE(expanding_q);
    `RS_SAME_ISSUE(fault_q);
    `RS_SAME_ISSUE(form_q);
    `RS_SAME_ISSUE(groups_q);
    `RS_SAME_ISSUE(held_q);
    `RS_SAME_ISSUE(instr_q);
    `RS_SAME_ISSUE(issue_q);
    `RS_SAME_ISSUE(judge_q);
    `RS_SAME_ISSUE(load_pc_q);
    `RS_SAME_ISSUE(load_stream_q);
    `RS_SAME_ISSUE(look_q);
    `RS_SAME_ISSUE(misaligned_q);
    `RS_SAME_ISSUE(past_q);
    `RS_SAME_ISSUE(pc_q);
    `RS_SAME_ISSUE(pointer_q);
    `RS_SAME_ISSUE(ready_q);
    `RS_SAME_ISSUE(slots_q);
    `RS_SAME_ISSUE(start_q);
    `RS_SAME_ISSUE(undrained);
    `RS_SAME_ISSUE(unit_addr_o);
    `RS_SAME_ISSUE(unit_instr_o);
    `RS_SAME_ISSUE(unit_pc_q);
    `RS_SAME_ISSUE(word_checks_q);
    `RS_SAME_BOARD(busy_q);
    `RS_SAME_BOARD(conflict_q);
    `RS_SAME_BOARD(ctx_read_q);
    `RS_SAME_BOARD(ctx_write_q);
    `RS_SAME_BOARD(end_q);
    `RS_SAME_BOARD(groups_q);
    `RS_SAME_BOARD(loads_q);
    `RS_SAME_BOARD(message_q);
    `RS_SAME_BOARD(slots_q);
    `RS_SAME_BOARD(turn_q);
    `RS_SAME_BOARD(wide_q);
    `RS_SAME_FETCH(length_q);
    `RS_SAME_FETCH(next_q);
    `RS_SAME_FETCH(past_q);
    `RS_SAME_FETCH(pc_q);
    `RS_SAME_FETCH(read_q);
    `RS_SAME_FETCH(run_q);
    `RS_SAME_FETCH(valid_q);
    `RS_SAME_FETCH(word_q);
    `RS_SAME_FETCH(rdata);
    `RS_SAME_FETCH(u_program.mem_q[0]);
    `RS_SAME_FETCH(u_program.mem_q[1]);
    `RS_SAME_TAG(a_q);
    `RS_SAME_TAG(a_slot_q);
    `RS_SAME_TAG(above_q);
    `RS_SAME_TAG(again_q);
    `RS_SAME_TAG(b_q);
    `RS_SAME_TAG(broken_q);
    `RS_SAME_TAG(context_q);
    `RS_SAME_TAG(ctx_may_q);
    `RS_SAME_TAG(ctx_odd_q);
    `RS_SAME_TAG(current_q);
    `RS_SAME_TAG(dst_q);
    `RS_SAME_TAG(dst_slot_q);
    `RS_SAME_TAG(error_q);
    `RS_SAME_TAG(filled_q);
    `RS_SAME_TAG(first_q);
    `RS_SAME_TAG(fresh_q);
    `RS_SAME_TAG(group_q);
    `RS_SAME_TAG(has_context_q);
    `RS_SAME_TAG(has_roots_q);
    `RS_SAME_TAG(has_twiddles_q);
    `RS_SAME_TAG(is_newest_q);
    `RS_SAME_TAG(lifts_q);
    `RS_SAME_TAG(link_q);
    `RS_SAME_TAG(linked_a_q);
    `RS_SAME_TAG(linked_b_q);
    `RS_SAME_TAG(linked_q);
    `RS_SAME_TAG(may_q);
    `RS_SAME_TAG(newer_q);
    `RS_SAME_TAG(newest_may_q);
    `RS_SAME_TAG(newest_q);
    `RS_SAME_TAG(next_q);
    `RS_SAME_TAG(none_q);
    `RS_SAME_TAG(odd_lifted_q);
    `RS_SAME_TAG(odd_q);
    `RS_SAME_TAG(pipe_odd_q);
    `RS_SAME_TAG(pipes_q);
    `RS_SAME_TAG(result_q);
    `RS_SAME_TAG(roots_q);
    `RS_SAME_TAG(same_q);
    `RS_SAME_TAG(sampled_q);
    `RS_SAME_TAG(second_q);
    `RS_SAME_TAG(slot_q);
    `RS_SAME_TAG(takes_a_q);
    `RS_SAME_TAG(twiddles_q);
  end
  logic same_seal, seal_fits, digests_fit, stopped, runs;
  // only then something can start: behind it a seed may be wiped, and tags are those of nothing
  assign runs = u_one.state_q == 2'd2;
  if (Sealed) begin : gen_sealed
    `define RS_SAME_SEAL(NAME) `RS_SAME(u_issue.gen_seal.u_seal.NAME)
    `define RS_SAME_SIGN(NAME) `RS_SAME_SEAL(u_sign.NAME)
    logic equal;
    assign same_seal = equal;
    always_comb begin
      equal = 1'b1;
      `RS_SAME_SEAL(empty_o);
      `RS_SAME_SEAL(secret_o);
      `RS_SAME_SEAL(hidden_o);
      `RS_SAME_SEAL(inside_o);
      `RS_SAME_SEAL(waits_o);
      `RS_SAME_SEAL(marks_o);
      `RS_SAME_SEAL(tag_q);
      `RS_SAME_SEAL(step_q);
      `RS_SAME_SEAL(keyed_q);
      `RS_SAME_SEAL(written_q);
      `RS_SAME_SEAL(wiped_q);
      `RS_SAME_SIGN(mark_q);
      `RS_SAME_SIGN(sign_q);
      `RS_SAME_SIGN(count_q);
      `RS_SAME_SIGN(step_q);
      `RS_SAME_SIGN(clean_q);
      `RS_SAME_SIGN(eta4_q);
      `RS_SAME_SIGN(mask20_q);
      `RS_SAME_SIGN(short_q);
      `RS_SAME_SIGN(t0_q);
      `RS_SAME_SIGN(high_q);
      `RS_SAME_SIGN(released_q);
      `RS_SAME_SIGN(t0_count_q);
      `RS_SAME_SIGN(high_count_q);
      `RS_SAME_SIGN(tau_q);
      `RS_SAME_SIGN(passed_q);
      `RS_SAME_BOARD(gen_entry[UNIT_SPONGE].gen_built.gen_sponge.stores_q);
      `RS_SAME_BOARD(log_size_q);
      `RS_SAME_ISSUE(gen_slices.u_slice_form.data_q);
      `RS_SAME_ISSUE(partial_q);
      `RS_SAME_ISSUE(size_q);
      `RS_SAME_ISSUE(first_q);
      `RS_SAME_ISSUE(dst_end_q);
      `RS_SAME_ISSUE(a_end_q);
      `RS_SAME_ISSUE(b_end_q);
      `RS_SAME_TAG(gen_slices.fill_q);
      `RS_SAME_TAG(gen_slices.dst_fill_q);
      `RS_SAME_TAG(gen_slices.a_fill_q);
      `RS_SAME_TAG(gen_slices.b_fill_q);
      `RS_SAME_TAG(gen_slices.filled_end_q);
      `RS_SAME_TAG(gen_slices.size_q);
      `RS_SAME_TAG(gen_slices.ctx_size_q);
    end

    // ---- digests, by the effects of the instructions ----
    logic [63:0] word;
    logic [2:0] dst, a, made, refusal, seed;
    logic [3:0] kind, halves;
    logic vault, secret_part, keys, chooses, hashes, front, append, ball, seed_differs;
    logic [Digests-1:0] digest_q, digest, writes;  // they differ
    logic [Digests-1:0] before_q;  // what was there did, and SPONGE writes it
    assign word = 64'(instr);
    assign {dst, a, made} = {word[DstLsb+:3], word[ALsb+:3], word[PointerLsb+:3]};
    assign {refusal, seed} = {word[HalvesLsb+:3], word[SeedDigestLsb+:3]};
    assign {kind, halves} = {word[HashLsb+:4], word[HalvesLsb+:4]};
    assign keys = instr.op == OP_HASH && kind == 4'(HashKey);
    assign chooses = instr.op == OP_HASH && kind == 4'(HashChoice);
    assign hashes = instr.op == OP_HASH && !keys && !chooses;
    assign front = hashes && kind >= 4'(HashPrefix);
    assign append = hashes && word[AppendLsb];
    assign ball = instr.op == OP_DRAW && word[DrawLsb+:4] == 4'(DrawBall);
    assign vault = word[PointerLsb+:PointerBits] == 4'(VaultPointer) && !keys && !chooses && instr.op != OP_DRAW &&
        !(hashes && word[BytesLsb+:BytesBits] == '0);
    // for LOAD and contexts, all behind the first part
    assign secret_part = vault && (instr.op == OP_LOAD || instr.op == OP_CONTEXT || instr.op == OP_CONSTANTS ?
                                   word[OffsetLsb+6+:OffsetBits-6] != '0 : word[NearLsb+6+:2] == 2'd3);
    `define RS_SEAL u_one.u_issue.gen_seal.u_seal
    // ---- what another program has left ----
    logic [5:0] watch_q, line;
    logic line_differs_q, on_line;
    logic owner_q;  // this program has a key of the owner's
    logic left;  // it brings secrets that differ
    logic [31:0] size;  // bytes of what is read or written in a part
    logic [11:0][4:0] widths;
    logic [3:0] width;
    assign widths = {5'd20, 5'd18, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd6, 5'd5, 5'd4, 5'd3, 5'd1};
    assign width  = instr.op == OP_LOADF ? word[FieldWidthLsb+:4] : word[FieldWidthOutLsb+:4];
    assign line   = word[NearLsb+:6];
    always_comb begin
      size = 64;
      if (hashes) size = 32'(word[BytesLsb+:BytesBits]) + (word[SkipLsb] ? 32'd32 : 32'd0);
      else if (instr.op == OP_LOADF || instr.op == OP_STOREF)
        size = width < 4'd12 ? 32 * (32'(word[PolysLsb+:PolysBits]) + 1) * 32'(widths[width]) : 32'd0;
    end
    assign on_line = secret_part && line <= watch_q && 64 * 32'(line) + size > 64 * 32'(watch_q);
    assign left = !Other ? secret_part :
        secret_part && (instr.op inside {OP_LOAD, OP_CONTEXT, OP_CONSTANTS} ||
                        ((hashes || instr.op == OP_LOADD || instr.op == OP_LOADF) && on_line && line_differs_q));
    always_ff @(posedge clk_i) begin
      if (!reset_q) watch_q <= watch_i;
      if (!rst_ni || u_one.state_q == 2'd1) begin
        owner_q <= 1'b0;
        line_differs_q <= 1'b1;
      end else if (commit && !u_one.u_issue.hold_i) begin
        if (keys && owner_i) owner_q <= 1'b1;
        if (on_line && instr.op == OP_STOREF) line_differs_q <= differs[instr.a];
        if (on_line && instr.op == OP_STORED) line_differs_q <= digest_q[a] || digest_q[a+3'd1];
      end
      if (Other && reset_q && runs && !owner_q) begin
        for (int g = 0; g < int'(Groups); g++) begin
          if (u_one.u_issue.u_tags.group_q[g].tag != TAG_EMPTY) assert (!differs_q[g]);
          if (u_one.u_issue.u_tags.group_q[g].tag == TAG_EMPTY) assert (u_one.u_issue.u_tags.gen_slices.fill_q[g] == '0);
        end
        for (int d = 0; d < int'(Digests); d++) if (32'(`RS_SEAL.tag_q[d]) != 0) assert (!digest_q[d]);
        for (int l = 0; l < int'(VaultLines); l++) begin
          if (watch_q == 6'(l) && `RS_SEAL.written_q[l]) assert (!line_differs_q);
        end
        if (judged) begin
          assert (!left && !u_one.u_issue.u_tags.gap);
          assert (u_one.u_issue.u_tags.takes_a_q == u_one.u_issue.u_tags.takes_a);
          if (form.dst_group) assert (!result_differs && tag != TAG_EMPTY);
          if (instr.op == OP_STORED) assert (!digest_q[a] && !digest_q[a+3'd1]);
          if (instr.op == OP_STOREF || instr.op == OP_STORE || instr.op == OP_NORM) assert (!differs[instr.a]);
        end
      end
      if (Other && reset_q && runs && !(`RS_SEAL.keyed_q)) assert (!owner_q);
    end

    always_comb begin
      digest = '0;
      writes = '0;
      for (int d = 0; d < int'(Digests); d++) begin
        if (hashes && d >= int'(dst) && d <= int'(dst) + int'(halves)) begin
          writes[d] = 1'b1;
          digest[d] = ((front || append) && digest_q[a]) || left;
        end
        if ((keys || instr.op == OP_LOADD) && d / 2 == int'(dst) / 2) begin
          writes[d] = 1'b1;
          digest[d] = keys ? !Other || owner_i : left;
        end
        if (chooses && d == int'(dst)) begin
          writes[d] = 1'b1;
          digest[d] = digest_q[dst] || digest_q[a] || digest_q[made] || digest_q[refusal];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || forget_i) {digest_q, before_q} <= '0;
      else begin
        if (u_one.state_q == 2'd1) digest_q <= digest_q | before_q;
        else if (commit && (!Stops || u_one.u_issue.start[UNIT_SPONGE])) digest_q <= (digest_q & ~writes) | digest;
        if (u_one.state_q == 2'd1) before_q <= '0;
        else if (Stops && u_one.u_issue.start[UNIT_SPONGE]) before_q <= digest_q & writes;
        else if (unit_done_i[UNIT_SPONGE] && !u_one.clear_q && !u_one.cleared_q) before_q <= '0;
      end
    end

    assign seed_differs = digest_q[seed] || (word[LongSeedLsb] && digest_q[seed+3'd1]) ||
        (ball && (digest_q[seed+3'd1] || digest_q[seed+3'd2] || digest_q[seed+3'd3]));
    assign partly = !u_one.u_issue.u_tags.gen_slices.covers;
    assign drawn = instr.op == OP_DRAW && seed_differs;
    assign timed = instr.op == OP_DRAW && seed_differs && !word[DrawLsb+3];
    assign vaulted = instr.op inside {OP_LOAD, OP_LOADF, OP_CONTEXT, OP_CONSTANTS} && left;
    assign kept = (instr.op == OP_STOREF && secret_part) || u_one.u_issue.sent[PackMark];
    assign spoils = instr.op == OP_STORED && vault && !secret_part && (digest_q[a] || digest_q[a+3'd1]);
    always_ff @(posedge clk_i) begin
      if (!Mixed && ball && !digest_q[seed]) assume (!seed_differs);
    end

    // LOG_N does not change meanwhile
    logic [4:0] log_n_q;
    always_ff @(posedge clk_i) begin
      log_n_q <= log_n_i;
      if (reset_q && (u_one.busy_o || u_one.u_issue.look_q || asked)) assume (log_n_i == log_n_q);
      if (reset_q && (u_one.u_issue.look_q || asked)) begin
        assert (u_one.u_issue.slice_form == (slices_of(instr.op) | field_slices_of(instr.op)));
      end
      if (reset_q && asked) begin
        assert (u_one.u_issue.partial_q == u_one.u_issue.partial && u_one.u_issue.first_q == u_one.u_issue.first);
        assert (u_one.u_issue.dst_end_q == u_one.u_issue.dst_end);
        assert (u_one.u_issue.a_end_q == u_one.u_issue.a_end && u_one.u_issue.b_end_q == u_one.u_issue.b_end);
        for (int g = 0; g < int'(Groups); g++) begin
          if (instr.dst == 4'(g)) assert (u_one.u_issue.u_tags.gen_slices.dst_fill_q == u_one.u_issue.u_tags.gen_slices.fill_q[g]);
          if (instr.a == 4'(g)) assert (u_one.u_issue.u_tags.gen_slices.a_fill_q == u_one.u_issue.u_tags.gen_slices.fill_q[g]);
          if (instr.b == 4'(g)) assert (u_one.u_issue.u_tags.gen_slices.b_fill_q == u_one.u_issue.u_tags.gen_slices.fill_q[g]);
        end
      end
    end

    // what rs_seal says of an instruction that was looked up is of this one, and of what digests hold now
    assign seal_fits = `RS_SEAL.hidden_o == (`RS_SEAL.draws && `RS_SEAL.hidden_seed) && `RS_SEAL.secret_o == `RS_SEAL.told &&
        `RS_SEAL.empty_o == `RS_SEAL.lost && `RS_SEAL.marks_o[PackMark] == (`RS_SEAL.keeps || `RS_SEAL.releases) &&
        `RS_SEAL.inside_o == ((`RS_SEAL.stores && `RS_SEAL.vault && `RS_SEAL.private_part) || `RS_SEAL.keeps || `RS_SEAL.releases);
    // units were cleared
    assign stopped = Stops && u_one.cleared_q;
    always_comb begin
      digests_fit = 1'b1;
      for (int d = 0; d < int'(Digests); d++) begin
        if ((!stopped || `RS_SEAL.wiped_q) && `RS_SEAL.public_digests[d] && digest_q[d]) digests_fit = 1'b0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (reset_q) begin
        if (before_q != '0) assert (u_one.unit_busy_o[UNIT_SPONGE] || stopped);
        if (Stops && `RS_SEAL.wiped_q) assert (!runs && digest_q == '0 && before_q == '0);
        if (!u_one.state_q[1]) assert (u_one.unit_busy_o == '0);
        if (u_one.clear_q) assert (u_one.cleared_q);
      end
    end
  end else begin : gen_open
    assign {same_seal, seal_fits, digests_fit} = '1;
    assign {drawn, vaulted, timed, kept, spoils, stopped, partly} = '0;
  end
  if (HasPipe) begin : gen_pipe
    assign same_pipe = `RS_EQUAL(gen_pipe.clear_pipe_q) && `RS_EQUAL(gen_pipe.gave_up_q) && `RS_EQUAL(gen_pipe.over_q);
  end else begin : gen_no_pipe
    assign same_pipe = 1'b1;
  end
  assign same = equal && same_pipe && same_seal;

  logic [15:0] readable;  // groups whose tag says that no secret is in them
  always_comb begin
    for (int g = 0; g < 16; g++) begin
      readable[g] = u_one.u_issue.u_tags.group_q[g].tag == TAG_PUBLIC || u_one.u_issue.u_tags.group_q[g].tag == TAG_MESSAGE;
    end
  end

  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (Sealed && forget_i) assume (!u_one.busy_o || (u_one.cleared_q && u_one.state_q == 2'd3));
    if (Sealed && give_up_i) assume (u_one.busy_o && u_one.cleared_q);
    if (!reset_q) assume (!rst_ni && same && told_q == '0);  // what is there at power-on has nothing to do with secrets
    if (reset_q) begin
      assert (`RS_EQUAL(busy_o) && `RS_EQUAL(done_o) && `RS_EQUAL(cause_o) && `RS_EQUAL(pc_o) && `RS_EQUAL(cycles_o));
      assert (`RS_EQUAL(unit_cycles_o) && `RS_EQUAL(unit_busy_o) && `RS_EQUAL(unit_start_o) && `RS_EQUAL(unit_instr_o));
      assert (`RS_EQUAL(unit_addr_o) && `RS_EQUAL(clear_o) && `RS_EQUAL(pipe_clear_o));
      assert (told_q == '0);
      assert (same);

      // what induction needs to know of one of them
      assert (32'(u_one.u_issue.look_q) + 32'(u_one.u_issue.judge_q) + 32'(u_one.u_issue.held_q) + 32'(commit) <= 1);
      assert (u_one.u_issue.issue_q == (u_one.u_issue.unit & {Units{commit}}));
      if (u_one.u_issue.ready_q) assert (u_one.u_issue.held_q);
      if (u_one.u_issue.look_q || u_one.u_issue.judge_q || u_one.u_issue.held_q || commit)
        assert (form == (Sealed ? form_with_fields(instr.op) : form_built(instr.op, HasPipe)));
      if (asked) begin
        assert (u_one.u_issue.word_checks_q == u_one.u_issue.word_checks);
        assert (u_one.u_issue.u_tags.dst_q == u_one.u_issue.u_tags.group_q[instr.dst]);
        assert (u_one.u_issue.u_tags.a_q == u_one.u_issue.u_tags.group_q[instr.a]);
        assert (u_one.u_issue.u_tags.b_q == u_one.u_issue.u_tags.group_q[instr.b]);
        if (runs) assert (seal_fits);
      end
      if (judged) assert (u_one.u_issue.word_checks_q == '0);
      if (Sealed && judged && runs) assert (!u_one.u_issue.unsealed && !u_one.u_issue.lost);
      if (judged && runs) begin
        assert (!reads_empty && !(tells && words_differ));
        if (form.dst_group && (tag == TAG_PUBLIC || tag == TAG_MESSAGE)) assert (!result_differs);
      end
      if (runs) assert ((readable & differs) == '0);
      assert (digests_fit);
      if (runs) assert (!u_one.clear_q && !u_one.cleared_q && u_one.cause_o == '0);
    end
  end

endmodule
