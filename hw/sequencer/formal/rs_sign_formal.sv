// SPDX-License-Identifier: Apache-2.0
// rs_sign_formal: what a sealed core promises of signatures, for all programs. Beside rs_seal_sign runs an account of what groups, digests and the vault
// hold, from the effects of the instructions:
//   mask       all of y, once per program, of a seed that has hashed rnd and mu, with a number that is a round
//   ball       a challenge: SampleInBall of a hash of the very mu, and of high parts that were stored after the mask was drawn, and have not changed since
//   secret     s1 or s2, of a root and what is bound with it; product: such a one times the challenge, no power of R, as coefficients
//   image      products of columns of a matrix that is bound with a copy of the mask: w; or with small ones, and one added: t
// What leaves is mask and product, or the high parts of w, which has been committed to, less a product, or of that and c t0, t0 being low parts of t: each of them below its
// bound, which is beta or more below that of the mask, by checks that were made since; and if no word of memory outside, and none that
// another program has left, has gone into anything. So each mask meets one challenge, and z is of one distribution, whatever s1 is.
module rs_sign_formal
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups = 3
) (
    input logic        clk_i,
    input logic        begin_i,    // a program
    input logic        cleared_i,  // with it: units were cleared in the one before
    input logic        wipe_i,
    input logic        take_i,     // the next instruction
    input logic [63:0] word_i,
    input logic        go_i        // it starts
);

  logic reset_q = 1'b0;
  logic look_q, judge_q, clear_i, issue_i, legal, empty_o, secret_o, hidden_o, inside_o, waits_o, impossible_o, beyond_o, sized_o;
  logic [4:0] polys_o;
  logic [63:0] instr_q, marks_o;
  logic [OpBits-1:0] op;

  assign op = instr_q[OpLsb+:OpBits];
  assign clear_i = !reset_q || (begin_i && !look_q && !judge_q) || wipe_i;
  rs_seal #(
      .Groups(Groups)
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
  // groups that are there: the decoder's work
  logic grouped;
  assign grouped = 32'(instr_q[DstLsb+:4]) < Groups && 32'(instr_q[ALsb+:4]) < Groups && 32'(instr_q[BLsb+:4]) < Groups;
  logic computes;
  assign computes = op == OP_SCALE || op == OP_NTT || op == OP_INTT || op == OP_MUL || op == OP_MAC || op == OP_MSUB ||
      op == OP_ADD ||
      op == OP_SUB;
  assign legal = !empty_o && !secret_o && !impossible_o && !beyond_o && (!computes || grouped) &&
      (!(op == OP_STOREF || op == OP_NORM) || 32'(instr_q[ALsb+:4]) < Groups) &&
      (!(op == OP_LOADF || op == OP_DRAW || op == OP_LOAD) || 32'(instr_q[DstLsb+:4]) < Groups);
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
  logic [1:0] dst, a, b, part;
  logic [2:0] digest, front, seed;
  logic [3:0] kind, halves;
  logic [5:0] line, slices;
  logic vault, hashes, reads, secrets, at_start, long_seed;
  assign {dst, a, b} = {instr_q[DstLsb+:2], instr_q[ALsb+:2], instr_q[BLsb+:2]};
  assign {digest, front, seed} = {instr_q[DstLsb+:3], instr_q[ALsb+:3], instr_q[SeedDigestLsb+:3]};
  assign {kind, halves, slices} = {instr_q[HashLsb+:4], instr_q[HalvesLsb+:4], instr_q[SlicesLsb+:6]};
  assign {part, line} = {instr_q[NearLsb+6+:2], instr_q[NearLsb+:6]};
  assign hashes = op == OP_HASH && kind != 4'(HashKey) && kind != 4'(HashChoice);
  assign reads = hashes && instr_q[BytesLsb+:BytesBits] != '0;
  assign vault = instr_q[PointerLsb+:4] == 4'(VaultPointer);
  assign secrets = vault && part == 2'd3 && (reads || op == OP_LOADD || op == OP_STORED || op == OP_LOADF || op == OP_STOREF);
  assign at_start = instr_q[LogSizeLsb+:4] == 4'd8 && instr_q[SliceDstLsb+:6] == '0 && instr_q[CtxLsb+:4] == '0;
  assign long_seed = instr_q[LongSeedLsb];

  typedef struct packed {
    logic       mask;
    logic       secret;
    logic       ball;
    logic       product;    // and a product
    logic       low;        // t0
    logic       committed;  // the high parts of it were hashed for the challenge
    logic       sum;        // what had been committed to less a product, and c t0
    logic       high_w;     // fields of the vault
    logic       high_sum;
    logic       matrix;     // made of a seed that is bound, in NTT form
    logic       copied;     // R y, which masks nothing
    logic       image;      // made of the matrix: products with a copy of the mask (copied), or with small ones (secret)
    logic       whole_t;    // and a small one
    logic       ntt;
    logic [1:0] radix;
    logic       checked;
    logic [3:0] count;
  } part_t;
  typedef struct packed {
    logic bound;
    logic seeds;
    logic mask;
    logic challenge;
    logic stream;
  } digest_t;
  part_t [3:0] group_q;
  part_t made;
  digest_t [7:0] digest_q;
  digest_t hashed;
  logic given_q, seeded_q, masked_q, committed_q, challenged_q, written_q, streamed_q, drawn_q;
  logic outside_q;  // something of it has gone into what there is
  logic eta4_q, gamma19_q, gamma88_q, low_there_q, sum_there_q, gone_q;
  logic [3:0] low_count_q, high_count_q, checks_q;
  logic [5:0] tau_q;

  // ---- what it does ----
  logic whole, draws_seeds, is_mask, is_ball, from_vault, is_high, writes;
  logic [3:0] number;
  assign number = op == OP_DRAW ? instr_q[DrawsLsb+:4] : instr_q[PolysLsb+:4];
  assign whole = at_start && instr_q[FormLsb+:2] == '0;
  assign draws_seeds = op == OP_DRAW && (instr_q[DrawLsb+:4] == 4'd11 || instr_q[DrawLsb+:4] == 4'd12) && long_seed &&
      digest_q[seed].seeds && digest_q[seed+3'd1].seeds;
  assign is_mask = op == OP_DRAW && (instr_q[DrawLsb+:4] == 4'd13 || instr_q[DrawLsb+:4] == 4'd14) && long_seed &&
      digest_q[seed].mask && digest_q[seed+3'd1].mask && whole && instr_q[NumberBytesLsb+:2] == 2'd2 && !instr_q[StepHighLsb];
  assign is_ball = op == OP_DRAW && instr_q[DrawLsb+:4] == 4'd15 && digest_q[seed].stream && digest_q[seed+3'd1].stream &&
      digest_q[seed+3'd2].stream && digest_q[seed+3'd3].stream && whole;
  assign from_vault = op == OP_LOADF && secrets && whole;
  assign is_high = op == OP_STOREF && instr_q[ShrinkLsb+:3] == 3'd5 && whole;

  function automatic logic is_plain(input part_t p);
    return !p.ntt && p.radix == '0;
  endfunction

  always_comb begin
    writes = computes || op == OP_LOADF || op == OP_DRAW || op == OP_LOAD;
    made   = '0;
    case (op)
      OP_DRAW: begin
        made.secret = draws_seeds && whole;
        made.mask = is_mask && seeded_q && !masked_q;
        made.ball = is_ball && streamed_q && !drawn_q;
        made.matrix = !instr_q[DrawLsb+3] && instr_q[DrawLsb+:3] == 3'd1 && !long_seed && digest_q[seed].bound && at_start &&
            instr_q[FormLsb+:2] == 2'd1;
        made.ntt = made.matrix;
        made.count = number;
      end
      OP_LOADF: begin
        // 2^12 less fields of 13 bits
        made.low = from_vault && line == 6'(VaultMade) && !committed_q && low_there_q && number == low_count_q &&
            instr_q[GrowLsb+:2] == 2'd1 &&
            instr_q[FieldWidthLsb+:4] == 4'd8 && instr_q[PowerLsb+:5] == 5'd12;
        made.high_w = from_vault && line == 6'(VaultMade) && committed_q && number == high_count_q && instr_q[GrowLsb+:2] == 2'd0 &&
            instr_q[FieldWidthLsb+:4] == (gamma88_q ? 4'd4 : 4'd2);
        made.high_sum = from_vault && line == 6'(VaultHigh) && sum_there_q && number == high_count_q &&
            instr_q[GrowLsb+:2] == 2'd0 &&
            instr_q[FieldWidthLsb+:4] == (gamma88_q ? 4'd4 : 4'd2);
        made.count = number;
      end
      OP_SCALE: begin
        if (at_start && slices == 6'(group_q[a].count) && instr_q[SliceALsb+:6] == '0 && !instr_q[AXorLsb] && is_plain(
                group_q[a]
            ) && (group_q[a].secret || group_q[a].low) && !group_q[a].product && !group_q[a].image) begin
          made = group_q[a];
          made.radix = 2'd1;
        end
        if (at_start && slices == 6'(group_q[a].count) && instr_q[SliceALsb+:6] == '0 && !instr_q[AXorLsb] && group_q[a].mask &&
            !group_q[a].product) begin
          made = '0;
          made.copied = 1'b1;
          made.radix = 2'd1;
        end
        made.count = group_q[a].count;
      end
      OP_NTT, OP_INTT: begin
        made = group_q[dst];
        made.ntt = op == OP_NTT;
        made.checked = 1'b0;
        // all of it: factors of a product, one of which has R; then the product
        if (!at_start || slices != 6'(group_q[dst].count) || group_q[dst].ntt == (op == OP_NTT) || (op == OP_INTT ?
            !(group_q[dst].product || group_q[dst].image) || instr_q[PartLsb+:2] != '0 :
            group_q[dst].product || group_q[dst].image ||
            (group_q[dst].ball ? group_q[dst].radix != '0 : !(group_q[dst].secret || group_q[dst].low || group_q[dst].copied) ||
            group_q[dst].radix != 2'd1))) begin
          made = '0;
        end
        made.count = group_q[dst].count;
      end
      OP_MUL, OP_MAC: begin
        // a column and a polynomial of a vector, in the transform's form; a sum of such
        if (at_start && slices == 6'(group_q[a].count) && instr_q[SliceALsb+:6] == '0 && !instr_q[AXorLsb] &&
            instr_q[BMapLsb+:2] == 2'd1 &&
            group_q[a].matrix && group_q[b].ntt && group_q[b].radix == 2'd1 && !group_q[b].image && !group_q[b].product &&
            (group_q[b].copied || group_q[b].secret) && (op == OP_MUL || (group_q[dst].image && group_q[dst].ntt &&
            !group_q[dst].whole_t &&
            group_q[dst].count == group_q[a].count && group_q[dst].copied == group_q[b].copied))) begin
          {made.image, made.ntt} = '1;
          {made.copied, made.secret} = {group_q[b].copied, group_q[b].secret};
        end
        if (op == OP_MUL && at_start && slices == 6'(group_q[a].count) && instr_q[SliceALsb+:6] == '0 && !instr_q[AXorLsb] &&
            instr_q[SliceBLsb+:6] == '0 && instr_q[BMapLsb+:2] == 2'd1 && group_q[a].ntt && group_q[b].ntt &&
            group_q[a].radix == 2'd1 &&
            group_q[b].radix == '0 && group_q[b].ball && (group_q[a].secret || group_q[a].low) && !group_q[a].product &&
            !group_q[a].image) begin
          made = group_q[a];
          made.secret = 1'b0;
          made.product = 1'b1;
          made.radix = '0;
        end
        made.count = group_q[a].count;
      end
      OP_ADD, OP_SUB: begin
        made.count = group_q[dst].count;
        if (at_start && slices == 6'(group_q[a].count) && instr_q[SliceALsb+:6] == '0 && !instr_q[AXorLsb] &&
            group_q[a].count == group_q[dst].count && is_plain(
                group_q[a]
            ) && is_plain(
                group_q[dst]
            )) begin
          if (op == OP_ADD && group_q[dst].mask && !group_q[dst].product && group_q[a].product && !group_q[a].low) begin
            {made.mask, made.product} = '1;
            if (group_q[a].mask || group_q[a].committed) made = '0;
          end
          if (op == OP_SUB && group_q[dst].committed && !group_q[dst].product && group_q[a].product && !group_q[a].low &&
              !group_q[a].mask &&
              !group_q[a].committed) begin
            {made.committed, made.product} = '1;
          end
          if (op == OP_ADD && group_q[dst].low && group_q[dst].product && group_q[dst].checked && group_q[a].committed &&
              group_q[a].product && group_q[a].checked) begin
            made.sum = 1'b1;
          end
          if (op == OP_SUB && group_q[dst].high_w && !group_q[dst].high_sum && group_q[a].high_sum && !group_q[a].high_w) begin
            {made.high_w, made.high_sum} = '1;
          end
          if (op == OP_ADD && group_q[dst].image && group_q[dst].secret && !group_q[dst].whole_t && group_q[a].secret &&
              !group_q[a].image) begin
            {made.image, made.secret, made.whole_t} = '1;
          end
          made.count = group_q[dst].count;
        end
      end
      default: made.count = group_q[a].count;
    endcase
  end

  // ---- checks: |x| below its bound less beta; tau coefficients of 1 times at most eta ----
  logic [3:0] check;
  logic [23:0] bound, wanted;
  logic [8:0] beta;
  assign beta = 9'(tau_q) * (eta4_q ? 9'd4 : 9'd2);
  always_comb begin
    check  = '0;
    bound  = 24'd1 << instr_q[PowerLsb+:5];
    wanted = gamma19_q ? 24'(1 << 19) : 24'(1 << 17);
    if (op == OP_NORM && whole && number == group_q[a].count && is_plain(
            group_q[a]
        ) && (!group_q[a].checked || group_q[a].high_w)) begin
      if (group_q[a].mask && group_q[a].product && instr_q[NormLsb+:3] == 3'd0)
        check[0] = bound == wanted && 9'(instr_q[MarginLsb+:8]) >= beta;
      if (group_q[a].committed && group_q[a].product && instr_q[NormLsb+:3] == (gamma88_q ? 3'd1 : 3'd2))
        check[1] = 9'(instr_q[MarginLsb+:8]) >= beta;
      if (group_q[a].low && group_q[a].product && instr_q[NormLsb+:3] == (gamma88_q ? 3'd3 : 3'd4)) check[2] = 1'b1;
      if (group_q[a].high_w && group_q[a].high_sum && instr_q[NormLsb+:3] == 3'(NormCount))
        check[3] = instr_q[MarginLsb+:8] <= 8'd80;
    end
  end

  // ---- digests ----
  logic alone;
  assign alone = reads && secrets && kind == 4'd1 && !instr_q[AppendLsb] && !instr_q[SkipLsb];
  always_comb begin
    hashed = '0;
    hashed.seeds = reads && vault && part == 2'd0 && kind == 4'd9 && !instr_q[SkipLsb] && 32'(u_dut.tag_q[front]) == 2;
    hashed.mask = reads && secrets && line == 6'(VaultRandom) && instr_q[SkipLsb] && kind == 4'd9 &&
        instr_q[BytesLsb+:BytesBits] == BytesBits'(96) && digest_q[front].seeds && given_q && !seeded_q && halves == 4'd1;
    hashed.challenge = alone && line == 6'(VaultMu) && committed_q && !challenged_q;
    hashed.stream = alone && line == 6'(VaultChallenge) && written_q && !streamed_q && halves == 4'd3;
  end

  // ---- what there is afterwards ----
  logic to_secrets, commits;
  assign to_secrets = op == OP_STOREF && secrets;
  assign commits = to_secrets && is_high && line == 6'(VaultMade) && masked_q && !committed_q && !outside_q &&
      group_q[a].image && group_q[a].copied && is_plain(
      group_q[a]
  ) && instr_q[PolysLsb+:4] == group_q[a].count && (instr_q[FieldWidthOutLsb+:4] != 4'd4 || instr_q[PolysLsb+:4] < 4'd5);
  always_ff @(posedge clk_i) begin
    if (!reset_q || clear_i) begin
      group_q <= '0;
      digest_q <= '0;
      {given_q, seeded_q, masked_q, committed_q, challenged_q, written_q, streamed_q, drawn_q} <= '0;
      {outside_q, eta4_q, gamma19_q, gamma88_q, low_there_q, sum_there_q, gone_q} <= '0;
      {checks_q, tau_q} <= '0;
    end else if (issue_i) begin
      if (writes) begin
        group_q[dst] <= made;
        if (op == OP_DRAW) group_q[dst].count <= instr_q[DrawsLsb+:4];
      end
      if (check != '0) group_q[a].checked <= 1'b1;
      checks_q <= checks_q | check;
      for (int d = 0; d < 8; d++) begin
        if (hashes && d >= int'(digest) && d <= int'(digest) + int'(halves)) digest_q[d] <= hashed;
        if (op == OP_HASH && kind == 4'(HashChoice) && d == int'(digest)) digest_q[d] <= '0;
        if ((op == OP_LOADD || (op == OP_HASH && kind == 4'(HashKey))) && d / 2 == int'(digest) / 2) begin
          digest_q[d] <= '0;
          digest_q[d].bound <= op == OP_LOADD && vault && part == 2'd0;
        end
      end
      if (op == OP_STORED && secrets && line == 6'(VaultMu)) given_q <= 1'b1;
      if (hashed.mask) seeded_q <= 1'b1;
      if (made.mask && op == OP_DRAW) begin
        masked_q  <= 1'b1;
        gamma19_q <= instr_q[DrawLsb+:4] == 4'd14;
      end
      if (commits) begin
        committed_q <= 1'b1;
        group_q[a] <= '0;
        group_q[a].committed <= 1'b1;
        group_q[a].count <= instr_q[PolysLsb+:4];
        high_count_q <= instr_q[PolysLsb+:4];
        gamma88_q <= instr_q[FieldWidthOutLsb+:4] == 4'd4;
      end
      if (hashed.challenge) challenged_q <= 1'b1;
      if (op == OP_STORED && secrets && line == 6'(VaultChallenge)) written_q <= challenged_q;
      if (hashed.stream) streamed_q <= 1'b1;
      if (made.ball && op == OP_DRAW) begin
        drawn_q <= 1'b1;
        tau_q   <= instr_q[NumberLsb+:6];
      end
      if (draws_seeds && instr_q[DrawLsb+:4] == 4'd12) eta4_q <= 1'b1;
      if (to_secrets) begin
        if (!committed_q) begin
          low_there_q <= line == 6'(VaultMade) && whole && instr_q[ShrinkLsb+:3] == 3'd4 && group_q[a].whole_t &&
              instr_q[PolysLsb+:4] == group_q[a].count;
          low_count_q <= instr_q[PolysLsb+:4];
        end
        if (line >= 6'(VaultHigh))
          sum_there_q <= line == 6'(VaultHigh) && is_high && group_q[a].sum && instr_q[PolysLsb+:4] == group_q[a].count &&
              instr_q[FieldWidthOutLsb+:4] == (gamma88_q ? 4'd4 : 4'd2);
      end
      // words from outside, from other programs, or of seeds that are neither bound nor the key's, in a group or as constants
      if (((op == OP_LOAD || op == OP_CONTEXT) && !vault) || op == OP_CONSTANTS || op == OP_TWIDDLES || op == OP_ROOTS ||
          (op == OP_LOADD && secrets) ||
          (op == OP_LOADF && !(vault && part == 2'd0) && !made.low && !made.high_w && !made.high_sum) ||
          (op == OP_DRAW && !draws_seeds && !made.mask && !made.ball && !(!instr_q[DrawLsb+3] && !long_seed &&
              digest_q[seed].bound)))
        outside_q <= 1'b1;
      if (op == OP_STOREF && !vault && inside_o) gone_q <= 1'b1;
    end
  end

  // ---- what is promised ----
  always_ff @(posedge clk_i) begin
    if (reset_q && issue_i) begin
      // a part leaves
      if (op == OP_STOREF && !vault && inside_o) begin
        assert (checks_q == '1 && !outside_q && masked_q && drawn_q && marks_o[PackMark]);
        assert (group_q[a].checked || group_q[a].sum);
        if (instr_q[ShrinkLsb+:3] != 3'd5)
          assert (group_q[a].mask && group_q[a].product && is_plain(group_q[a]));
          else
            assert ((group_q[a].mask || group_q[a].committed || group_q[a].sum) && is_plain(
                group_q[a]
            ) && (group_q[a].product || group_q[a].sum));
        if (group_q[a].committed || group_q[a].sum) assert (instr_q[FieldWidthOutLsb+:4] == (gamma88_q ? 4'd4 : 4'd2));
      end
      // nothing of a challenge leaves before
      if (op == OP_STORED && !vault && (digest_q[front].challenge || digest_q[front+3'd1].challenge)) assert (gone_q && waits_o);
      // an answer is kept, and not told, of these checks alone; and each of them is
      if (op == OP_NORM) assert (inside_o == (check != '0) && marks_o[PackMark] == (check != '0));
      if (op == OP_NORM && check != '0) assert (marks_o[PackFirst] == (checks_q == '0));
      // one mask for a round, whose numbers are its own; with one seed, which the round's challenge hashes, too
      if (is_mask) assert (marks_o[DrawMark] && instr_q[NumberLsb+:NumberBits] < NumberBits'(SignRounds));
      if (op == OP_STORED && secrets && (line == 6'(VaultMu) || line == 6'(VaultRandom))) assert (!seeded_q);
      if (op == OP_STORED && secrets && line == 6'(VaultChallenge))
        assert (digest_q[front].challenge && digest_q[front+3'd1].challenge && !streamed_q && challenged_q);
      if (to_secrets && committed_q) assert (line >= 6'(VaultHigh));
      if (to_secrets && given_q) assert (line != '0);
    end
  end

  // ---- what induction needs to know ----
  localparam int Small = 1, SmallR = 2, SmallT = 3, Mask = 4, Ball = 5, BallT = 6, Product = 7, ProductC = 8, Held = 9, HeldOk = 10,
      Committed = 11, Rest = 12, RestOk = 13, T0 = 14, T0R = 15, T0T = 16, Ct0 = 17, Ct0C = 18, Ct0Ok = 19, Sum = 20, HighW = 21,
      HighSum = 22, Hint = 23, Matrix = 24, MaskR = 25, MaskT = 26, WT = 27, W = 28, TT = 29, TC = 30, T = 31;
  function automatic part_t content(input int tag, input logic [3:0] count, input logic checked);
    content = '0;
    content.secret = tag == Small || tag == SmallR || tag == SmallT || tag == TT || tag == TC || tag == T;
    content.matrix = tag == Matrix;
    content.copied = tag == MaskR || tag == MaskT || tag == WT || tag == W;
    content.image = tag == WT || tag == W || tag == TT || tag == TC || tag == T;
    content.whole_t = tag == T;
    content.mask = tag == Mask || tag == Held || tag == HeldOk;
    content.ball = tag == Ball || tag == BallT;
    content.product = tag == Product || tag == ProductC || tag == Held || tag == HeldOk || tag == Rest || tag == RestOk ||
        tag == Ct0 ||
        tag == Ct0C || tag == Ct0Ok;
    content.low = tag == T0 || tag == T0R || tag == T0T || tag == Ct0 || tag == Ct0C || tag == Ct0Ok;
    content.committed = tag == Committed || tag == Rest || tag == RestOk;
    content.sum = tag == Sum;
    content.high_w = tag == HighW || tag == Hint;
    content.high_sum = tag == HighSum || tag == Hint;
    content.ntt = tag == SmallT || tag == BallT || tag == Product || tag == T0T || tag == Ct0 || tag == Matrix ||
        tag == MaskT || tag == WT ||
        tag == TT;
    content.radix = tag == SmallR || tag == SmallT || tag == T0R || tag == T0T || tag == MaskR || tag == MaskT ? 2'd1 : 2'd0;
    content.checked = checked;
    content.count = count;
  endfunction

  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      assert (!(look_q && judge_q));
      assert (u_dut.u_sign.step_q <= 4'd8);
      assert (given_q == (32'(u_dut.u_sign.step_q) >= 1) && seeded_q == (32'(u_dut.u_sign.step_q) >= 2));
      assert (masked_q == (32'(u_dut.u_sign.step_q) >= 3) && committed_q == (32'(u_dut.u_sign.step_q) >= 4));
      assert (challenged_q == (32'(u_dut.u_sign.step_q) >= 5) && written_q == (32'(u_dut.u_sign.step_q) >= 6));
      assert (streamed_q == (32'(u_dut.u_sign.step_q) >= 7) && drawn_q == (32'(u_dut.u_sign.step_q) >= 8));
      assert (u_dut.u_sign.clean_q == !outside_q && u_dut.u_sign.eta4_q == eta4_q && u_dut.u_sign.passed_q == checks_q);
      assert (u_dut.u_sign.mask20_q == gamma19_q && u_dut.u_sign.short_q == !gamma88_q && u_dut.u_sign.tau_q == tau_q);
      assert (u_dut.u_sign.t0_q == low_there_q && u_dut.u_sign.high_q == sum_there_q && u_dut.u_sign.released_q == gone_q);
      if (low_there_q) assert (u_dut.u_sign.t0_count_q == low_count_q);
      if (committed_q) assert (u_dut.u_sign.high_count_q == high_count_q);
      if (sum_there_q) assert (drawn_q);
      if (checks_q != '0) assert (drawn_q);
      assert ((seeded_q || !masked_q) && (masked_q || !committed_q) && (committed_q || !drawn_q));
      for (int g = 0; g < int'(Groups); g++) begin
        assert (group_q[g] == content(
            32'(u_dut.u_sign.sign_q[g]),
            32'(u_dut.u_sign.sign_q[g]) == 0 ? group_q[g].count : u_dut.u_sign.count_q[g],
            32'(u_dut.u_sign.sign_q[g]) == HeldOk || 32'(u_dut.u_sign.sign_q[g]) == RestOk ||
            32'(u_dut.u_sign.sign_q[g]) == Ct0Ok ||
            (32'(u_dut.u_sign.sign_q[g]) == Hint && group_q[g].checked)
        ));
        if (group_q[g].mask) assert (masked_q);
        if (group_q[g].committed || group_q[g].high_w || group_q[g].high_sum) assert (committed_q);
        if (group_q[g].ball || group_q[g].product || group_q[g].sum || group_q[g].high_sum) assert (drawn_q);
      end
      for (int d = 0; d < 8; d++) begin
        assert (digest_q[d].bound == (32'(u_dut.u_sign.mark_q[d]) == 1) && digest_q[d].seeds == (32'(u_dut.u_sign.mark_q[d]) == 2));
        assert (digest_q[d].mask == (32'(u_dut.u_sign.mark_q[d]) == 3) &&
            digest_q[d].challenge == (32'(u_dut.u_sign.mark_q[d]) == 4));
        assert (digest_q[d].stream == (32'(u_dut.u_sign.mark_q[d]) == 5));
        if (digest_q[d].challenge || digest_q[d].stream || digest_q[d].mask || digest_q[d].seeds)
          assert (32'(u_dut.tag_q[d]) == 4);  // hashed: it leaves by no other rule
      end
      if (judge_q) begin
        assert (empty_o == u_dut.lost && secret_o == u_dut.told);
        assert (inside_o == ((u_dut.stores && u_dut.vault && u_dut.private_part) || u_dut.keeps || u_dut.releases));
        assert (waits_o == (u_dut.stores_digests && !u_dut.vault && u_dut.allows));
        assert (marks_o[PackMark] == (u_dut.keeps || u_dut.releases) && marks_o[PackFirst] == (u_dut.keeps && u_dut.first));
        assert (marks_o[DrawMark] == u_dut.rounds);
      end
    end
  end

  logic unused;
  assign unused = ^{instr_q, hidden_o, sized_o, polys_o};
endmodule
