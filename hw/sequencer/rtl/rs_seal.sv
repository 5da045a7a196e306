// SPDX-License-Identifier: Apache-2.0
// rs_seal: what digests and the vault of a sealed core hold, as far as secrecy goes: a key that was chosen by a comparison leaves, and nothing else
//          that depends on a slot's key.
// Model:   docs/core.md, Sealed fields; lib/tests/model_seal.c; what follows from it is proved in formal/rs_seal_formal.sv
// Bounds:  the next instruction is stable from a cycle before its outputs are looked at until issue_i; clear_i while none is looked at; forget_i while
//          no program runs: digests become zero
// Timing:  outputs a cycle after instr_i; error_o in the cycle of a flip
//
// The vault has four parts of VaultLines lines: 0, public: what is bound to a key; 1, public: the program; 2, public: the ciphertext; 3: secrets,
// with the message in line 0 and the ciphertext that was made again from line VaultMade on. Instructions reach it by VaultPointer alone.
//
// The steps of a choice follow each other: a ciphertext came, a message was decoded after it, a ciphertext was made after that. What goes back to
// an earlier step takes their meaning from digests that stand for a later one.
//
// A program has one key at most, and of the secrets in the vault it reads lines alone that it has written itself, whole: those of another program,
// of another slot or of a key that is gone stay there, and nobody reads them.
module rs_seal
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups = 16
) (
    input logic clk_i,
    input logic clear_i,  // a program begins: what is no longer public is lost
    input logic cleared_i,  // with it: units were cleared in the one before: what was to be written last may not be there
    input logic forget_i,
    input instr_t instr_i,
    input logic issue_i,
    output logic empty_o,  // it reads a digest that is lost
    output logic secret_o,  // it would tell, or take where it must not
    output logic hidden_o,  // a DRAW: of a seed that is no public one
    output logic inside_o,  // a STOREF into the vault, or what a signature may: of any group
    output logic waits_o,  // a STORED: for what PACK still does
    output logic [63:0] marks_o,  // bits that the unit gets besides: of NORM, STOREF and DRAW (rs_pack_unit, rs_sponge_unit)
    output logic error_o  // one of its flip-flops has flipped
);

  typedef enum logic [3:0] {
    DIGEST_LOST    = 4'd0,  // made by another program
    DIGEST_OPEN    = 4'd1,  // public
    DIGEST_ROOT    = 4'd2,  // the root of the slot
    DIGEST_RAW     = 4'd3,  // a secret of the vault as it stands there
    DIGEST_HASHED  = 4'd4,  // a hash of secrets
    DIGEST_KEY     = 4'd5,  // that of the message
    DIGEST_REFUSAL = 4'd6,  // that of a root and the ciphertext
    DIGEST_GIVEN   = 4'd7,  // that of the ciphertext: public
    DIGEST_MADE    = 4'd8,  // that of the ciphertext that was made again
    DIGEST_SHARED  = 4'd9   // the choice
  } digest_e;
  typedef enum logic [1:0] {
    STEP_NONE    = 2'd0,
    STEP_GIVEN   = 2'd1,
    STEP_DECODED = 2'd2,
    STEP_MADE    = 2'd3
  } step_e;

  digest_e [Digests-1:0] tag_q, tag;
  logic [Digests-1:0][3:0] tag_bits_q;
  step_e step_q, step;
  logic keyed_q;  // the program has the key
  logic wiped_q;  // digests are zero, and nothing has started since

  // ---- the instruction ----
  localparam int unsigned DigestBits = $clog2(Digests);
  localparam int unsigned LineBits = $clog2(VaultLines);
  logic [63:0] word;
  logic [DigestBits-1:0] dst, a, made, refusal, seed;
  logic [3:0] kind, halves;
  logic [1:0] part;
  logic [LineBits-1:0] line;
  form_t form;
  logic is_hash, is_key, is_choice, prefix, append, vault, loads_digests, stores_digests, draws, loads, stores;
  assign word = 64'(instr_i);
  assign {dst, a} = {word[DstLsb+:DigestBits], word[ALsb+:DigestBits]};
  assign made = word[PointerLsb+:DigestBits];
  assign refusal = word[HalvesLsb+:DigestBits];
  assign halves = word[HalvesLsb+:HalvesBits];
  assign seed = word[SeedDigestLsb+:DigestBits];
  assign kind = word[HashLsb+:HashBits];
  assign part = word[NearLsb+LineBits+:2];
  assign line = word[NearLsb+:LineBits];
  assign is_key = instr_i.op == OP_HASH && kind == 4'(HashKey);
  assign is_choice = instr_i.op == OP_HASH && kind == 4'(HashChoice);
  assign is_hash = instr_i.op == OP_HASH && kind < 4'(HashKey);
  assign prefix = is_hash && kind >= 4'(HashPrefix);
  assign append = is_hash && word[AppendLsb];
  assign loads_digests = instr_i.op == OP_LOADD;
  assign stores_digests = instr_i.op == OP_STORED;
  assign draws = instr_i.op == OP_DRAW;
  assign loads = instr_i.op == OP_LOADF;
  assign stores = instr_i.op == OP_STOREF;
  assign vault = word[PointerLsb+:PointerBits] == PointerBits'(VaultPointer);

  // ---- what the vault allows: nothing behind its part, and no reads and writes but these ----
  // an index behind the last one is no width
  localparam logic [15:0][4:0] Width = {{(16 - FieldWidths) {FieldWidth[FieldWidths-1]}}, FieldWidth};
  localparam int unsigned EndBits = BytesBits - 4;  // bits of the number of the line behind the last one
  logic beyond, private_part, memory, message, again, whole;
  logic [EndBits-1:0] lines, last;
  logic [BytesBits:0] bytes;  // end of HASH, from its first line on
  logic [4:0] width;
  logic [8:0] half_lines;  // half the lines of LOADF and STOREF: polynomials of 256 fields
  logic [VaultLines-1:0] touched, written_q;  // lines of the instruction; of secrets: this program has written them
  logic written_error, tags_error, wiped_error, steps_error, told_error, sign_error;
  assign bytes = {1'b0, word[BytesLsb+:BytesBits]} + (word[SkipLsb] ? (BytesBits + 1)'(32) : '0);
  assign width = Width[loads?word[FieldWidthLsb+:FieldWidthBits] : word[FieldWidthOutLsb+:FieldWidthOutBits]];
  // no multiplier: there are few
  always_comb begin
    half_lines = 9'(width);
    for (int unsigned b = 0; b < PolysBits; b++) if (word[PolysLsb+b]) half_lines += 9'(width) << b;
  end
  assign private_part = part == 2'd3;
  assign memory = vault && form.memory && (instr_i.op != OP_HASH || (is_hash && word[BytesLsb+:BytesBits] != '0));
  assign message = stores && vault && private_part && line == '0;
  assign again = stores && vault && private_part && line >= LineBits'(VaultMade);
  assign form = form_with_fields(instr_i.op);

  always_comb begin
    beyond = 1'b1;
    lines  = EndBits'(1);
    case (instr_i.op)
      // a slice of 128 or 256 words or a context of it, of what is public: 17 or 33 lines at most
      OP_LOAD, OP_CONTEXT: begin
        lines  = instr_i.log_size == 4'd8 ? EndBits'(33) : EndBits'(17);
        beyond = word[OffsetLsb+LineBits+:OffsetBits-LineBits] != '0 || (instr_i.log_size != 4'd7 && instr_i.log_size != 4'd8);
      end
      OP_HASH: begin
        lines  = EndBits'((bytes + (BytesBits + 1)'(63)) >> 6);
        beyond = word[NearLsb+NearBits-1];
      end
      OP_LOADD, OP_STORED: beyond = word[NearLsb+NearBits-1];
      OP_LOADF, OP_STOREF: begin
        lines  = (EndBits'(half_lines) + EndBits'(1)) >> 1;
        beyond = word[NearLsb+NearBits-1] || instr_i.log_size != 4'd8;
      end
      default: ;
    endcase
    last   = EndBits'(line) + lines;
    beyond = memory && (beyond || last > EndBits'(VaultLines));
  end

  // all that is read of secrets was written, line by line
  logic reads_secrets, writes_secrets, foreign;
  always_comb begin
    for (int unsigned l = 0; l < VaultLines; l++) touched[l] = 32'(line) <= l && l < 32'(last);
  end
  assign foreign = (touched & ~written_q) != '0;
  assign reads_secrets = memory && private_part && (is_hash || loads_digests || loads);
  assign writes_secrets = memory && private_part && (stores_digests || stores);
  rs_checked #(
      .Width(VaultLines)
  ) u_written (
      .clk_i,
      .clear_i(clear_i || forget_i),
      .en_i   (issue_i && writes_secrets),
      .data_i (written_q | touched),
      .data_o (written_q),
      .error_o(written_error)
  );

  // ---- what is read ----
  logic [Digests-1:0] public_digests;
  logic hides, hidden_seed, steady, lost;  // hides: HASH of what is not public
  function automatic logic is_public(input digest_e digest);
    return digest == DIGEST_OPEN || digest == DIGEST_GIVEN;
  endfunction
  function automatic logic may_leave(input digest_e digest);
    return is_public(digest) || digest == DIGEST_SHARED;
  endfunction

  assign hides = ((prefix || append) && !is_public(tag_q[a])) || (memory && private_part);
  // digests of a DRAW: four of a challenge
  logic [Digests-1:0] seeds;
  always_comb begin
    for (int d = 0; d < int'(Digests); d++) begin
      seeds[d] = DigestBits'(d) == seed || (word[LongSeedLsb] && DigestBits'(d) == seed + 1'b1) ||
          (word[DrawLsb+:4] == 4'(DrawBall) && DigestBits'(d) - seed < DigestBits'(BallDigests));
    end
  end
  assign hidden_seed = (seeds & ~public_digests) != '0;
  // kinds whose time depends on no seed: binomial ones, and masks
  assign steady = word[DrawLsb+3] && (word[DrawLsb+:3] < 3'd3 || word[DrawLsb+:3] > 3'd4);

  always_comb begin
    lost = 1'b0;
    if (prefix || append) lost = tag_q[a] == DIGEST_LOST;
    if (stores_digests) lost = tag_q[a] == DIGEST_LOST || tag_q[a+1'b1] == DIGEST_LOST;
    for (int d = 0; d < int'(Digests); d++) if (draws && seeds[d]) lost = lost || tag_q[d] == DIGEST_LOST;
    if (is_choice)
      lost = tag_q[dst] == DIGEST_LOST || tag_q[a] == DIGEST_LOST || tag_q[made] == DIGEST_LOST || tag_q[refusal] == DIGEST_LOST;
  end

  // ---- signatures ----
  logic allows, blocks, keeps, first, releases, rounds;
  logic [Digests-1:0] roots;
  for (genvar d = 0; d < int'(Digests); d++) begin : gen_digest
    assign tag_q[d] = digest_e'(tag_bits_q[d]);
    assign public_digests[d] = is_public(tag_q[d]);
    assign roots[d] = tag_q[d] == DIGEST_ROOT;
  end
  rs_seal_sign #(
      .Groups(Groups)
  ) u_sign (
      .clk_i,
      .clear_i   (clear_i || forget_i),
      .instr_i,
      .issue_i,
      .keyed_i   (keyed_q),
      .public_i  (public_digests),
      .root_i    (roots),
      .allows_o  (allows),
      .blocks_o  (blocks),
      .keeps_o   (keeps),
      .first_o   (first),
      .releases_o(releases),
      .rounds_o  (rounds),
      .error_o   (sign_error)
  );

  logic told;
  always_comb begin
    told = beyond || (reads_secrets && foreign);
    if (is_key) told = keyed_q;  // one slot in a program
    if (stores_digests) begin
      if (vault) told = told || !is_public(tag_q[a]) || !is_public(tag_q[a+1'b1]) || !(part == 2'd2 || (part == 2'd0 && !keyed_q));
      else told = !may_leave(tag_q[a]) || !may_leave(tag_q[a+1'b1]);
    end
    if (draws) told = hidden_seed && !steady;
    if (loads && vault) told = told || (private_part && !word[SecretLsb]);
    if (stores && vault)
      told = told || (private_part ? !keyed_q || !(message || again) : part == 2'd1 || (part == 2'd0 && keyed_q));
    if (is_choice) begin
      told = step_q != STEP_MADE || tag_q[dst] != DIGEST_KEY || tag_q[a] != DIGEST_GIVEN || tag_q[made] != DIGEST_MADE ||
          tag_q[refusal] != DIGEST_REFUSAL;
    end
    told = (told && !(allows && !beyond)) || blocks;
  end

  logic hides_seed, stays_inside, waits_for_pack, marks_unit;
  logic [2:0] marks_q;
  assign hides_seed = draws && hidden_seed;
  assign stays_inside = (stores && vault && private_part) || keeps || releases;
  assign waits_for_pack = stores_digests && !vault && allows;
  assign marks_unit = keeps || releases;
  rs_checked #(
      .Width(8)
  ) u_told (
      .clk_i,
      .clear_i(1'b0),
      .en_i(1'b1),
      .data_i({lost, told, hides_seed, stays_inside, waits_for_pack, marks_unit, keeps && first, rounds}),
      .data_o({empty_o, secret_o, hidden_o, inside_o, waits_o, marks_q}),
      .error_o(told_error)
  );
  always_comb begin
    marks_o = '0;
    {marks_o[PackMark], marks_o[PackFirst], marks_o[DrawMark]} = marks_q;
  end

  // ---- what is there afterwards ----
  digest_e hashed, behind;  // the first half of a hash, and the others
  assign whole = word[SkipLsb] == 1'b0 && !prefix && memory && halves == '0 && kind == 4'd2;
  always_comb begin
    hashed = hides ? DIGEST_HASHED : DIGEST_OPEN;
    behind = hashed;
    if (!append && whole && part == 2'd2 && line == '0 && step_q != STEP_NONE) hashed = DIGEST_GIVEN;
    if (!append && whole && private_part && line == LineBits'(VaultMade) && step_q == STEP_MADE) hashed = DIGEST_MADE;
    if (prefix && tag_q[a] == DIGEST_ROOT && memory && part == 2'd2 && line == '0 && !word[SkipLsb] && step_q != STEP_NONE)
      hashed = DIGEST_REFUSAL;
    if (kind == 4'd4 && append && tag_q[a] == DIGEST_OPEN && memory && private_part && line == '0 && !word[SkipLsb] &&
        word[BytesLsb+:BytesBits] == BytesBits'(32) && step_q >= STEP_DECODED)
      hashed = DIGEST_KEY;
  end

  always_comb begin
    step = step_q;
    if ((stores_digests || stores) && vault && part == 2'd2) step = STEP_GIVEN;
    else if (message && step_q != STEP_NONE) step = STEP_DECODED;
    else if (again && step_q == STEP_DECODED) step = STEP_MADE;
    else if (is_choice) step = STEP_NONE;
  end

  always_comb begin
    tag = tag_q;
    for (int d = 0; d < int'(Digests); d++) begin
      // a new ciphertext, message or ciphertext made again
      if ((stores_digests || stores) && vault && part == 2'd2 && tag_q[d] inside {DIGEST_KEY, DIGEST_REFUSAL, DIGEST_MADE})
        tag[d] = DIGEST_HASHED;
      if ((stores_digests || stores) && vault && part == 2'd2 && tag_q[d] == DIGEST_GIVEN) tag[d] = DIGEST_OPEN;
      if (message && tag_q[d] inside {DIGEST_KEY, DIGEST_MADE}) tag[d] = DIGEST_HASHED;
      if (again && tag_q[d] == DIGEST_MADE) tag[d] = DIGEST_HASHED;
      if (is_choice && tag_q[d] inside {DIGEST_KEY, DIGEST_REFUSAL, DIGEST_MADE}) tag[d] = DIGEST_HASHED;
      if (is_choice && DigestBits'(d) == dst) tag[d] = DIGEST_SHARED;
      if (is_hash && DigestBits'(d) == dst) tag[d] = hashed;
      else if (is_hash && 4'(d) > 4'(dst) && 4'(d) - 4'(dst) <= halves) tag[d] = behind;
      if ((loads_digests || is_key) && d / 2 == 32'(dst) / 2) begin
        tag[d] = is_key ? DIGEST_ROOT : memory && private_part ? DIGEST_RAW : DIGEST_OPEN;
      end
    end
  end

  digest_e [Digests-1:0] next_tag;
  logic [1:0] step_bits_q;
  always_comb begin
    for (int d = 0; d < int'(Digests); d++) begin
      next_tag[d] = tag[d];
      if (forget_i) next_tag[d] = DIGEST_OPEN;
      else if (clear_i) next_tag[d] = is_public(tag_q[d]) && (!cleared_i || wiped_q) ? DIGEST_OPEN : DIGEST_LOST;
    end
  end
  rs_checked #(
      .Width(4 * Digests)
  ) u_digests (
      .clk_i,
      .clear_i(1'b0),
      .en_i   (forget_i || clear_i || issue_i),
      .data_i (next_tag),
      .data_o (tag_bits_q),
      .error_o(tags_error)
  );
  rs_checked u_wiped (
      .clk_i,
      .clear_i(1'b0),
      .en_i   (clear_i || forget_i),
      .data_i (forget_i),
      .data_o (wiped_q),
      .error_o(wiped_error)
  );
  rs_checked #(
      .Width(3)
  ) u_steps (
      .clk_i,
      .clear_i(clear_i || forget_i),
      .en_i   (issue_i),
      .data_i ({step, keyed_q || is_key}),
      .data_o ({step_bits_q, keyed_q}),
      .error_o(steps_error)
  );
  assign step_q  = step_e'(step_bits_q);
  assign error_o = written_error || tags_error || wiped_error || steps_error || told_error || sign_error;

  logic unused;
  assign unused = ^{word, behind, form};
endmodule
