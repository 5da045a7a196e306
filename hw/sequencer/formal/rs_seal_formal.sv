// SPDX-License-Identifier: Apache-2.0
// rs_seal_formal: what a sealed core promises, for all programs. Beside rs_seal runs an account of what each digest depends on, from the effects of
// the instructions, whatever their tags:
//   raw      a slot's roots, or what groups and the vault have of secrets: a message, too, which can be guessed
//   hashed   of such by Keccak alone
//   chosen   between the key of a message and a refusal, by comparing the hash of the ciphertext with that of the one made again
//   foreign  of a secret that another program has left, of whatever slot: in a digest, or in a line of the vault that this program, since it has its
//            key, has not written from one end to the other. The line is any one, watch_q. A program has the key of one slot
// What is foreign is never read: by no HASH, LOADD, LOADF or DRAW, and no STORED. So all that leaves is of this program's slot and of public memory.
// A program that was stopped leaves digests that may be anything. What a STORED writes to memory is not raw, and if it is hashed it is chosen, or it is the challenge of a signature of which a part has left. The choice is one of now: the message was decoded after the ciphertext
// came, the ciphertext was made again after that, and all hashes are of these. What groups hold is any (rs_tags_formal); a STOREF of any group goes
// to secrets in the vault alone, or is a part of a signature (rs_sign_formal), and what comes from there is secret again. Nothing reads or writes
// beyond its part of the vault.
module rs_seal_formal
  import rs_isa_pkg::*;
(
    input logic        clk_i,
    input logic        begin_i,    // a program
    input logic        cleared_i,  // with it: units were cleared in the one before
    input logic        wipe_i,     // all is zero
    input logic        take_i,     // the next instruction
    input logic [63:0] word_i,
    input logic        go_i,       // it starts
    input logic [ 5:0] watch_i     // a line of the vault's secrets, from power-on on
);

  logic reset_q = 1'b0;
  logic look_q, judge_q, clear_i, issue_i, legal, empty_o, secret_o, hidden_o, inside_o, impossible_o, beyond_o, sized_o;
  logic waits_o;
  logic [4:0] polys_o;
  logic [63:0] instr_q, marks_o;
  logic is_memory, vault;
  logic [OpBits-1:0] op;

  assign op = instr_q[OpLsb+:OpBits];
  assign clear_i = !reset_q || (begin_i && !look_q && !judge_q) || wipe_i;
  rs_seal #(
      .Groups(2)
  ) u_dut (
      .*,
      .forget_i(!reset_q || wipe_i),
      .instr_i (instr_t'(instr_q)),
      .error_o ()
  );
  rs_field_decode #(
      .Sealed(1'b1)
  ) u_decode (
      .*,
      .word_i(instr_q)
  );
  assign legal   = !empty_o && !secret_o && !impossible_o && !beyond_o;
  assign issue_i = judge_q && go_i && legal && !clear_i;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (!reset_q || clear_i) begin
      look_q  <= 1'b0;
      judge_q <= 1'b0;
    end else begin
      look_q  <= take_i && !look_q && !judge_q;
      judge_q <= look_q;
    end
    if (take_i && !look_q && !judge_q) instr_q <= word_i;
  end

  // ---- the instruction, by its effects ----
  logic [2:0] dst, a, made, refusal, seed;
  logic [3:0] kind, halves;
  logic [1:0] part;
  logic [5:0] line;
  logic hashes, keys, chooses, front, append, reads;
  assign {dst, a, made} = {instr_q[DstLsb+:3], instr_q[ALsb+:3], instr_q[PointerLsb+:3]};
  assign {refusal, seed} = {instr_q[HalvesLsb+:3], instr_q[SeedDigestLsb+:3]};
  assign {kind, halves} = {instr_q[HashLsb+:4], instr_q[HalvesLsb+:4]};
  assign {part, line} = {instr_q[NearLsb+6+:2], instr_q[NearLsb+:6]};
  assign keys = op == OP_HASH && kind == 4'(HashKey);
  assign chooses = op == OP_HASH && kind == 4'(HashChoice);
  assign hashes = op == OP_HASH && !keys && !chooses;
  assign front = hashes && kind >= 4'(HashPrefix);
  assign append = hashes && instr_q[AppendLsb];
  assign reads = hashes && instr_q[BytesLsb+:BytesBits] != '0;
  form_t form;
  assign form = form_with_fields(op);
  assign is_memory = form.memory && (op != OP_HASH || reads);
  assign vault = is_memory && instr_q[PointerLsb+:PointerBits] == 4'(VaultPointer);

  // ---- what there is ----
  typedef struct packed {
    logic raw;
    logic foreign;
    logic hashed;
    logic chosen;
    // a hash of now
    logic of_given;    // made of the ciphertext, alone
    logic of_made;
    logic of_message;
    logic of_refusal;  // made of a root and the ciphertext
    logic root;
    logic seeds;       // made of a root and of what is bound
    logic challenge;   // made of the line of mu and what is behind it
  } fact_t;
  fact_t [Digests-1:0] fact_q, fact;
  logic [Digests-1:0] there_q;  // this program has written it, or it was public before
  logic given_q, decoded_q, again_q;  // a ciphertext is there; a message was decoded since; one was made again since
  logic zeroed_q;  // all was wiped, and no program has begun since
  logic keyed_q, released_q;  // released: a part of a signature was asked for
  logic new_given, new_message, new_made, secret_source;

  assign new_given = vault && part == 2'd2 && (op == OP_STORED || op == OP_STOREF);
  assign new_message = vault && part == 2'd3 && op == OP_STOREF && line == '0;
  assign new_made = vault && part == 2'd3 && op == OP_STOREF && line >= 6'(VaultMade);
  logic [31:0] end_byte;  // end of what is read or written, from the beginning of its part on; a field has 20 bits at most
  always_comb begin
    end_byte = 64 * 32'(line);
    if (op == OP_HASH) end_byte += 32'(instr_q[BytesLsb+:BytesBits]) + (instr_q[SkipLsb] ? 32'd32 : 32'd0);
    else if (sized_o)
      end_byte += 32'(polys_o) * 32 * 32'(bits_of(op == OP_LOADF ? instr_q[FieldWidthLsb+:4] : instr_q[FieldWidthOutLsb+:4]));
    else if (op == OP_LOAD || op == OP_CONTEXT) end_byte += 64 + (32'd8 << instr_q[LogSizeLsb+:4]);
    else end_byte += 64;
  end

  // ---- a line of secrets, and whether it is this program's ----
  logic [5:0] watch_q;
  logic mine_q, mine, reads_foreign, writes_watch;
  logic [31:0] first_byte;
  assign first_byte = 64 * 32'(line) + (op == OP_HASH && instr_q[SkipLsb] ? 32'd32 : 32'd0);
  assign reads_foreign = vault && part == 2'd3 && (op == OP_HASH || op == OP_LOADD || op == OP_LOADF) && !mine_q &&
      first_byte < 64 * 32'(watch_q) + 64 && end_byte > 64 * 32'(watch_q);
  // lines that are written have zeros up to their end
  assign writes_watch = vault && part == 2'd3 && (op == OP_STORED || op == OP_STOREF) && line <= watch_q &&
      end_byte > 64 * 32'(watch_q);
  assign mine = (mine_q && !keys) || writes_watch;
  always_ff @(posedge clk_i) begin
    if (!reset_q) watch_q <= watch_i;
    if (!reset_q || clear_i) mine_q <= 1'b0;
    else if (issue_i) mine_q <= mine;
  end

  assign secret_source = ((front || append) && (fact_q[a].raw || fact_q[a].hashed)) || (reads && vault && part == 2'd3);

  always_comb begin
    fact = fact_q;
    for (int d = 0; d < int'(Digests); d++) begin
      if (new_given) {fact[d].of_given, fact[d].of_refusal} = '0;
      if (new_given || new_message) fact[d].of_message = 1'b0;
      if (new_given || new_message || new_made) fact[d].of_made = 1'b0;
      if (hashes && d >= int'(dst) && d <= int'(dst) + int'(halves)) begin
        fact[d] = '0;
        fact[d].hashed = secret_source;
        fact[d].foreign = ((front || append) && fact_q[a].foreign) || reads_foreign;
        fact[d].seeds = front && fact_q[a].root && reads && vault && part == 2'd0;
        fact[d].challenge = !front && !append && reads && vault && part == 2'd3 && line == 6'(VaultMu) && kind == 4'd1;
        if (d == int'(dst) && reads && vault && !instr_q[SkipLsb]) begin
          fact[d].of_given   = !front && !append && part == 2'd2 && line == '0 && given_q && kind == 4'd2;
          fact[d].of_made    = !front && !append && part == 2'd3 && line == 6'(VaultMade) && again_q && kind == 4'd2;
          fact[d].of_message = append && !front && part == 2'd3 && line == '0 && decoded_q && kind == 4'd4;
          fact[d].of_refusal = front && fact_q[a].root && part == 2'd2 && line == '0 && given_q;
        end
      end
      if ((op == OP_LOADD || keys) && d / 2 == int'(dst) / 2) begin
        fact[d]         = '0;
        fact[d].raw     = keys || (vault && part == 2'd3);
        fact[d].root    = keys;
        fact[d].foreign = reads_foreign;
      end
      if (chooses && d == int'(dst)) begin
        fact[d] = '0;
        fact[d].raw = fact_q[dst].raw || fact_q[refusal].raw;
        fact[d].hashed = 1'b1;
        fact[d].foreign = fact_q[dst].foreign || fact_q[a].foreign || fact_q[made].foreign || fact_q[refusal].foreign;
        fact[d].chosen = again_q && fact_q[a].of_given && fact_q[made].of_made && fact_q[dst].of_message &&
            fact_q[refusal].of_refusal;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!reset_q || clear_i) zeroed_q <= !reset_q || wipe_i;
    if (!reset_q || wipe_i) begin
      fact_q  <= '0;
      there_q <= '1;
    end else if (clear_i) begin
      for (int d = 0; d < int'(Digests); d++) begin
        there_q[d] <= there_q[d] && !fact_q[d].raw && !fact_q[d].hashed && !(cleared_i && !zeroed_q);
        {fact_q[d].of_given, fact_q[d].of_made, fact_q[d].of_message, fact_q[d].of_refusal, fact_q[d].root} <= '0;
        {fact_q[d].seeds, fact_q[d].challenge} <= '0;
        fact_q[d].foreign <= fact_q[d].foreign || fact_q[d].raw || fact_q[d].hashed;
        // what an instruction did not get to write: something that was there before
        if (cleared_i && !zeroed_q) {fact_q[d].foreign, fact_q[d].raw, fact_q[d].hashed, fact_q[d].chosen} <= 4'b1100;
      end
    end else if (issue_i) begin
      fact_q <= fact;
      for (int d = 0; d < int'(Digests); d++) begin
        if ((hashes && d >= int'(dst) && d <= int'(dst) + int'(halves)) || ((op == OP_LOADD || keys) && d / 2 == int'(dst) / 2))
          there_q[d] <= 1'b1;
      end
    end
    if (!reset_q || clear_i) begin
      {given_q, decoded_q, again_q, keyed_q, released_q} <= '0;
    end else if (issue_i) begin
      released_q <= released_q || (op == OP_STOREF && !vault && inside_o);
      keyed_q <= keyed_q || keys;
      if (new_given) {given_q, decoded_q, again_q} <= 3'b100;
      else if (new_message) {decoded_q, again_q} <= {given_q, 1'b0};
      else if (new_made) again_q <= decoded_q;
      else if (chooses) {given_q, decoded_q, again_q} <= '0;
    end
  end

  // ---- what is promised ----
  // widths of rs_field_pkg
  function automatic logic [4:0] bits_of(input logic [3:0] index);
    logic [11:0][4:0] width;
    width = {5'd20, 5'd18, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd6, 5'd5, 5'd4, 5'd3, 5'd1};
    return index < 4'd12 ? width[index] : '0;
  endfunction

  function automatic logic leaks(input fact_t fact);
    return fact.raw || (fact.hashed && !fact.chosen);
  endfunction

  always_ff @(posedge clk_i) begin
    if (reset_q && issue_i) begin
      // one slot in a program, and nothing of another program
      if (keys) assert (!keyed_q);
      assert (!reads_foreign);
      if (front || append) assert (!fact_q[a].foreign);
      if (op == OP_STORED) assert (!fact_q[a].foreign && !fact_q[a+1'b1].foreign);
      if (op == OP_DRAW) assert (!fact_q[seed].foreign && !(instr_q[LongSeedLsb] && fact_q[seed+1'b1].foreign));
      if (chooses) assert (!fact[dst].foreign);
      // what leaves
      if (op == OP_STORED && !vault && !released_q)
        assert (!leaks(fact_q[a]) && !leaks(fact_q[a+1'b1]) && there_q[a] && there_q[a+1'b1]);
      if (op == OP_STORED && !vault && released_q && (leaks(fact_q[a]) || leaks(fact_q[a+1'b1])))
        assert (fact_q[a].challenge && fact_q[a+1'b1].challenge && there_q[a] && there_q[a+1'b1] && waits_o);
      // what was public stays so: nothing secret in other parts
      if (op == OP_STORED && vault && part != 2'd3)
        assert (!fact_q[a].raw && !fact_q[a].hashed && !fact_q[a+1'b1].raw && !fact_q[a+1'b1].hashed);
      // lines of signatures alone, not those of messages and of what was made again
      if (op == OP_STORED && vault && part == 2'd3)
        assert (keyed_q && ((line == 6'(VaultChallenge) && fact_q[a].challenge && fact_q[a+1'b1].challenge) ||
            ((line == 6'(VaultRandom) || line == 6'(VaultMu)) && !fact_q[a].raw && !fact_q[a].hashed && !fact_q[a+1'b1].raw &&
            !fact_q[a+1'b1].hashed)));
      if (op == OP_STOREF && vault) assert (inside_o == (part == 2'd3));
      if (inside_o && op == OP_STOREF) assert (vault ? keyed_q : marks_o[PackMark]);
      if (inside_o) assert (op == OP_STOREF || (op == OP_NORM && marks_o[PackMark]));
      // what comes from a secret is one
      if (op == OP_DRAW && (leaks(fact_q[seed]) || fact_q[seed].chosen)) assert (hidden_o && there_q[seed]);
      if (op == OP_DRAW && instr_q[LongSeedLsb] && leaks(fact_q[seed+1'b1])) assert (hidden_o);
      if (op == OP_DRAW && instr_q[DrawLsb+:4] == 4'(DrawBall)) begin
        for (int i = 0; i < int'(BallDigests); i++) begin
          assert (there_q[3'(int'(seed)+i)] && !fact_q[3'(int'(seed)+i)].foreign);
          if (leaks(fact_q[3'(int'(seed)+i)])) assert (hidden_o);
        end
      end
      // a time that depends on the seed: of a root and of what is bound with it
      if (op == OP_DRAW && hidden_o)
        assert ((instr_q[DrawLsb+3] && instr_q[DrawLsb+:3] != 3'd3 && instr_q[DrawLsb+:3] != 3'd4) ||
            (fact_q[seed].seeds && instr_q[DrawLsb+3]));
      if (op == OP_LOADF && vault && part == 2'd3) assert (instr_q[SecretLsb]);
      if ((op == OP_LOAD || op == OP_CONTEXT) && vault) assert (instr_q[OffsetLsb+6+:OffsetBits-6] == '0);
      // parts of the vault; what is bound to a key, and the program, do not change under one
      if (vault) assert (op inside {OP_LOAD, OP_CONTEXT, OP_HASH, OP_LOADD, OP_STORED, OP_LOADF, OP_STOREF} && end_byte <= 4096);
      if (vault && (op == OP_STORED || op == OP_STOREF)) assert (part != 2'd1 && !(part == 2'd0 && keyed_q));
      if (vault && (op == OP_LOAD || op == OP_CONTEXT)) assert (instr_q[LogSizeLsb+:4] == 4'd7 || instr_q[LogSizeLsb+:4] == 4'd8);
      if (vault && (op == OP_LOADF || op == OP_STOREF)) assert (instr_q[LogSizeLsb+:4] == 4'd8);
      if (vault && op != OP_LOAD && op != OP_CONTEXT) assert (!instr_q[NearLsb+8]);
    end
  end

  // ---- what induction needs to know ----
  localparam logic [3:0] Lost = 0, Open = 1, Root = 2, Hashed = 4, Key = 5, Refusal = 6, Given = 7, Made = 8, Shared = 9;
  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      assert (!(look_q && judge_q));
      assert (keyed_q || u_dut.written_q == '0);
      for (int l = 0; l < int'(VaultLines); l++) if (watch_q == 6'(l)) assert (u_dut.written_q[l] == mine_q);
      assert (32'(u_dut.step_q) == 32'(given_q) + 32'(decoded_q) + 32'(again_q));
      assert ((given_q || !decoded_q) && (decoded_q || !again_q) && u_dut.keyed_q == keyed_q);
      for (int d = 0; d < int'(Digests); d++) begin
        assert (u_dut.tag_q[d] <= Shared && (fact_q[d].hashed || !fact_q[d].chosen));
        assert (there_q[d] || u_dut.tag_q[d] == Lost);
        assert (!there_q[d] || !fact_q[d].foreign);
        if (u_dut.tag_q[d] == Open || u_dut.tag_q[d] == Given) assert (!fact_q[d].raw && !fact_q[d].hashed);
        if (u_dut.tag_q[d] >= Hashed) assert (!fact_q[d].raw);
        if (u_dut.tag_q[d] == Root) assert (fact_q[d].root);
        if (u_dut.tag_q[d] == Key) assert (fact_q[d].of_message);
        if (u_dut.tag_q[d] == Refusal) assert (fact_q[d].of_refusal);
        if (u_dut.tag_q[d] == Given) assert (fact_q[d].of_given);
        if (u_dut.tag_q[d] == Made) assert (fact_q[d].of_made);
        if (u_dut.tag_q[d] == Shared) assert (fact_q[d].chosen);
        if (32'(u_dut.u_sign.mark_q[d]) == 2) assert (fact_q[d].seeds);
        if (32'(u_dut.u_sign.mark_q[d]) == 4) assert (fact_q[d].challenge && !fact_q[d].raw && there_q[d] && keyed_q);
        if (fact_q[d].root) assert (keyed_q);
      end
      assert (u_dut.u_sign.released_q == released_q && u_dut.wiped_q == zeroed_q);
      if (judge_q) begin
        assert (empty_o == u_dut.lost && secret_o == u_dut.told);
        assert (hidden_o == (u_dut.draws && u_dut.hidden_seed));
        assert (inside_o == ((u_dut.stores && u_dut.vault && u_dut.private_part) || u_dut.keeps || u_dut.releases));
        assert (waits_o == (u_dut.stores_digests && !u_dut.vault && u_dut.allows));
        assert (marks_o[PackMark] == (u_dut.keeps || u_dut.releases));
      end
    end
  end

  logic unused;
  assign unused = ^{instr_q, u_dut.behind, form};
endmodule
