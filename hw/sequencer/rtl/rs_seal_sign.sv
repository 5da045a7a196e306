// SPDX-License-Identifier: Apache-2.0
// rs_seal_sign: signatures of a sealed core: what groups and digests are on the way to one, and when its parts may leave.
// Model:   docs/core.md, Sealed signatures; lib/tests/model_sign.c; what follows from it is proved in formal/rs_sign_formal.sv
// Params:  Groups
// Bounds:  the next instruction is stable until issue_i; of one that is refused nothing is asked; public_i and root_i are what rs_seal says of digests
// Timing:  outputs depend on instr_i in the same cycle, error_o on no input
//
// A mask is added to one product of a challenge and a small secret, and the sum is held until all four checks of it have been made. They say nothing:
// PACK keeps their answers, and the first part that would leave asks for them. All that decides over the challenge is made of the key, of what
// is bound with it, and of rnd, mu and the round, on which the mask depends too: so no mask meets two challenges, in whatever program.
module rs_seal_sign
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups = 16
) (
    input  logic                 clk_i,
    input  logic                 clear_i,     // a program begins
    input  instr_t               instr_i,
    input  logic                 issue_i,
    input  logic                 keyed_i,     // the program has the key
    input  logic   [Digests-1:0] public_i,
    input  logic   [Digests-1:0] root_i,
    output logic                 allows_o,    // what rs_seal alone would refuse
    output logic                 blocks_o,
    output logic                 keeps_o,     // a NORM whose answer is kept
    output logic                 first_o,     // the first of them
    output logic                 releases_o,  // a STOREF of a part
    output logic                 rounds_o,    // a DRAW of a mask: its number is a round
    output logic                 error_o      // one of its flip-flops has flipped
);
  // marks of digests: bound with a key; made of a root and of what is bound; the seed of the mask; c~; the stream of a challenge
  typedef enum logic [2:0] {
    MARK_NONE      = 3'd0,
    MARK_BOUND     = 3'd1,
    MARK_SEEDS     = 3'd2,
    MARK_MASK      = 3'd3,
    MARK_CHALLENGE = 3'd4,
    MARK_STREAM    = 3'd5
  } mark_e;
  // marks of groups. _R: times R; _T: and transformed; PRODUCT, CT0: of transforms, then (_C) of coefficients; _OK: checked
  typedef enum logic [4:0] {
    SIGN_NONE,
    SIGN_SMALL,
    SIGN_SMALL_R,
    SIGN_SMALL_T,
    SIGN_MASK,
    SIGN_BALL,
    SIGN_BALL_T,
    SIGN_PRODUCT,
    SIGN_PRODUCT_C,
    SIGN_HELD,
    SIGN_HELD_OK,
    SIGN_COMMITTED,
    SIGN_REST,
    SIGN_REST_OK,
    SIGN_T0,
    SIGN_T0_R,
    SIGN_T0_T,
    SIGN_CT0,
    SIGN_CT0_C,
    SIGN_CT0_OK,
    SIGN_SUM,
    SIGN_HIGH_W,
    SIGN_HIGH_SUM,
    SIGN_HINT,
    SIGN_MATRIX,  // a column of A, of a seed that is bound
    SIGN_MASK_R,  // a copy of the mask, which masks nothing
    SIGN_MASK_T,
    SIGN_W_T,  // products of the matrix and that
    SIGN_W,
    SIGN_T_T,  // and small ones
    SIGN_T_C,
    SIGN_T
  } sign_e;
  typedef enum logic [3:0] {
    STEP_BEGUN,
    STEP_GIVEN,  // mu
    STEP_SEEDED,
    STEP_MASKED,
    STEP_COMMITTED,  // w1
    STEP_CHALLENGED,
    STEP_KEPT,  // c~ in the vault
    STEP_STREAMED,
    STEP_DRAWN
  } step_e;

  mark_e [Digests-1:0] mark_q, mark;
  sign_e [15:0] sign_q;
  logic [15:0][3:0] count_q;  // polynomials, less one
  step_e step_q, step;
  logic clean_q, clean;  // all is made of the key, of what is bound, of rnd, mu and the round
  logic eta4_q, mask20_q, short_q;  // short: high parts of 4 bits, else of 6
  logic t0_q, t0, high_q, high, released_q;  // what stands in the vault; a part has left
  logic [3:0] t0_count_q, high_count_q;
  logic [5:0] tau_q;
  logic [3:0] passed_q;  // checks that were made

  // ---- the instruction ----
  localparam int unsigned DigestBits = $clog2(Digests);
  localparam int unsigned LineBits = $clog2(VaultLines);
  localparam int unsigned MaskBytes = 32 + 64;
  logic [63:0] word;
  logic [OpBits-1:0] op;
  logic [3:0] dst, a, b, draw, kind, halves, fields, draws, width_in, width_out;
  logic [DigestBits-1:0] digest, front, seed;
  logic [1:0] part, grow;
  logic [2:0] shrink, norm;
  logic [LineBits-1:0] line;
  logic vault, vaulted, far, hashes, reads, append, long_seed, secret_part;
  assign word = 64'(instr_i);
  assign op = instr_i.op;
  assign {dst, a, b} = {instr_i.dst, instr_i.a, instr_i.b};
  assign {digest, front, seed} = {word[DstLsb+:DigestBits], word[ALsb+:DigestBits], word[SeedDigestLsb+:DigestBits]};
  assign {draw, kind, halves} = {word[DrawLsb+:4], word[HashLsb+:4], word[HalvesLsb+:4]};
  assign {fields, draws} = {word[PolysLsb+:4], word[DrawsLsb+:4]};
  assign {width_in, width_out} = {word[FieldWidthLsb+:4], word[FieldWidthOutLsb+:4]};
  assign {grow, shrink, norm} = {word[GrowLsb+:2], word[ShrinkLsb+:3], word[NormLsb+:3]};
  assign {part, line, far} = {word[NearLsb+LineBits+:2], word[NearLsb+:LineBits], word[NearLsb+NearBits-1]};
  assign hashes = op == OP_HASH && kind < 4'(HashKey);
  assign reads = hashes && word[BytesLsb+:BytesBits] != '0;
  assign append = word[AppendLsb];
  assign long_seed = word[LongSeedLsb];
  assign vault = word[PointerLsb+:PointerBits] == PointerBits'(VaultPointer);
  assign vaulted = vault && (reads || op == OP_LOADD || op == OP_STORED || op == OP_LOADF || op == OP_STOREF || op == OP_LOAD ||
                            op == OP_CONTEXT || op == OP_STORE);
  assign secret_part = vaulted && part == 2'd3;

  // polynomials of 256 coefficients from the first slice on, modulo q of context 0
  logic first_slices, whole_fields, whole_draw, whole_dst, whole_a, whole_mul;
  assign first_slices = instr_i.log_size == 4'd8 && word[SliceDstLsb+:SliceDstBits] == '0 && word[CtxLsb+:CtxBits] == '0;
  assign whole_fields = first_slices && word[FormLsb+:FormBits] == '0;
  assign whole_draw = whole_fields;
  assign whole_dst = first_slices && word[SlicesLsb+:SlicesBits] == SlicesBits'(count_q[dst]);
  assign whole_a = first_slices && word[SlicesLsb+:SlicesBits] == SlicesBits'(count_q[a]) && word[SliceALsb+:SliceABits] == '0 &&
      !word[AXorLsb];
  assign whole_mul = whole_a && word[BMapLsb+:BMapBits] == BMapBits'(1);

  // ---- what an instruction is ----
  logic is_mask, of_mask, draws_small, draws_mask, draws_ball, draws_bound, draws_column, stores_high;
  assign is_mask = draw == DRAW_MASK18 || draw == DRAW_MASK20;
  assign of_mask = op == OP_DRAW && is_mask && long_seed && mark_q[seed] == MARK_MASK && mark_q[seed+1'b1] == MARK_MASK;
  assign draws_small = op == OP_DRAW && (draw == DRAW_ETA2 || draw == DRAW_ETA4) && long_seed && mark_q[seed] == MARK_SEEDS &&
      mark_q[seed+1'b1] == MARK_SEEDS;
  assign draws_mask = of_mask && word[NumberBytesLsb+:NumberBytesBits] == NumberBytesBits'(2) && !word[StepHighLsb] && whole_draw &&
      step_q == STEP_SEEDED;
  assign draws_ball = op == OP_DRAW && draw == 4'(DrawBall) && step_q == STEP_STREAMED && whole_draw &&
      mark_q[seed] == MARK_STREAM && mark_q[seed+2'd1] == MARK_STREAM && mark_q[seed+2'd2] == MARK_STREAM &&
      mark_q[seed+2'd3] == MARK_STREAM;
  assign draws_bound = op == OP_DRAW && !draw[3] && mark_q[seed] == MARK_BOUND && !long_seed;
  assign draws_column = draws_bound && draw == DRAW_PARSE_23 && first_slices && word[FormLsb+:FormBits] == FormBits'(1);
  assign stores_high = op == OP_STOREF && shrink == STORE_HIGH && whole_fields;

  logic [8:0] beta;
  logic wide_enough;
  logic [3:0] check;
  sign_e checked;
  assign beta = eta4_q ? {1'b0, tau_q, 2'd0} : {2'd0, tau_q, 1'b0};
  assign wide_enough = 9'(word[MarginLsb+:MarginBits]) >= beta;
  always_comb begin
    checked = SIGN_NONE;
    check   = '0;
    if (op == OP_NORM && whole_fields && fields == count_q[a]) begin
      case (sign_q[a])
        SIGN_HELD: begin
          check = 4'd1;
          if (norm == NORM_CENTRED && word[PowerLsb+:PowerBits] == (mask20_q ? 5'd19 : 5'd17) && wide_enough)
            checked = SIGN_HELD_OK;
        end
        SIGN_REST: begin
          check = 4'd2;
          if (norm == (short_q ? NORM_LOW_32 : NORM_LOW_88) && wide_enough) checked = SIGN_REST_OK;
        end
        SIGN_CT0_C: begin
          check = 4'd4;
          if (norm == (short_q ? NORM_CENTRED_32 : NORM_CENTRED_88)) checked = SIGN_CT0_OK;
        end
        SIGN_HINT: begin
          check = 4'd8;
          if (norm == 3'(NormCount) && 32'(word[MarginLsb+:MarginBits]) <= HintsMax) checked = SIGN_HINT;
        end
        default: ;
      endcase
    end
  end

  // ---- what may be ----
  logic is_challenge, gives;
  assign is_challenge = op == OP_STORED && mark_q[front] == MARK_CHALLENGE && mark_q[front+1'b1] == MARK_CHALLENGE;
  assign gives = op == OP_STORED && secret_part && !far && keyed_i && step_q <= STEP_GIVEN && public_i[front] &&
      public_i[front+1'b1] && (line == LineBits'(VaultRandom) || line == LineBits'(VaultMu));
  assign keeps_o = checked != SIGN_NONE;
  assign first_o = passed_q == '0;
  assign releases_o = op == OP_STOREF && !vault && passed_q == '1 && clean_q &&
      (sign_q[a] == SIGN_HELD_OK || ((sign_q[a] == SIGN_REST_OK || sign_q[a] == SIGN_SUM) && shrink == STORE_HIGH &&
                                     width_out == (short_q ? WIDTH_4 : WIDTH_6)));
  assign rounds_o = of_mask;
  always_comb begin
    allows_o = draws_small || gives;
    if (is_challenge) begin
      if (vault) allows_o = secret_part && !far && line == LineBits'(VaultChallenge) && step_q == STEP_CHALLENGED;
      else allows_o = released_q;
    end
    blocks_o = of_mask && 32'(word[NumberLsb+:NumberBits]) >= SignRounds;
    if (op == OP_STOREF && secret_part)
      blocks_o = line == '0 ? step_q != STEP_BEGUN : step_q >= STEP_COMMITTED && line < LineBits'(VaultHigh);
  end

  // ---- what is there afterwards: groups ----
  sign_e loaded, made;
  logic plain_high, writes, keeps_count;
  assign plain_high = grow == LOAD_PLAIN && width_in == (short_q ? WIDTH_4 : WIDTH_6) && fields == high_count_q;
  always_comb begin
    loaded = SIGN_NONE;
    if (secret_part && whole_fields) begin
      if (line == LineBits'(VaultMade) && step_q < STEP_COMMITTED) begin
        if (t0_q && grow == LOAD_MINUS && width_in == WIDTH_13 && word[PowerLsb+:PowerBits] == 5'd12 && fields == t0_count_q)
          loaded = SIGN_T0;
      end else if (line == LineBits'(VaultMade)) begin
        if (plain_high) loaded = SIGN_HIGH_W;
      end else if (line == LineBits'(VaultHigh) && high_q && plain_high) begin
        loaded = SIGN_HIGH_SUM;
      end
    end
  end

  always_comb begin
    made   = SIGN_NONE;
    writes = 1'b1;
    case (op)
      OP_LOADF: made = loaded;
      OP_DRAW:
      if (draws_small) made = whole_draw ? SIGN_SMALL : SIGN_NONE;
      else if (draws_mask) made = SIGN_MASK;
      else if (draws_ball) made = SIGN_BALL;
      else if (draws_column) made = SIGN_MATRIX;
      OP_SCALE:
      if (whole_a) begin
        if (sign_q[a] == SIGN_SMALL) made = SIGN_SMALL_R;
        if (sign_q[a] == SIGN_T0) made = SIGN_T0_R;
        if (sign_q[a] == SIGN_MASK) made = SIGN_MASK_R;
      end
      OP_NTT:
      if (whole_dst) begin
        if (sign_q[dst] == SIGN_SMALL_R) made = SIGN_SMALL_T;
        if (sign_q[dst] == SIGN_T0_R) made = SIGN_T0_T;
        if (sign_q[dst] == SIGN_BALL) made = SIGN_BALL_T;
        if (sign_q[dst] == SIGN_MASK_R) made = SIGN_MASK_T;
      end
      OP_INTT:
      if (whole_dst && word[PartLsb+:PartBits] == '0) begin
        if (sign_q[dst] == SIGN_PRODUCT) made = SIGN_PRODUCT_C;
        if (sign_q[dst] == SIGN_CT0) made = SIGN_CT0_C;
        if (sign_q[dst] == SIGN_W_T) made = SIGN_W;
        if (sign_q[dst] == SIGN_T_T) made = SIGN_T_C;
      end
      OP_MUL:
      if (whole_mul) begin
        if (sign_q[a] == SIGN_MATRIX && sign_q[b] == SIGN_MASK_T) made = SIGN_W_T;
        if (sign_q[a] == SIGN_MATRIX && sign_q[b] == SIGN_SMALL_T) made = SIGN_T_T;
        if (sign_q[a] == SIGN_SMALL_T && sign_q[b] == SIGN_BALL_T && word[SliceBLsb+:SliceBBits] == '0) made = SIGN_PRODUCT;
        if (sign_q[a] == SIGN_T0_T && sign_q[b] == SIGN_BALL_T && word[SliceBLsb+:SliceBBits] == '0) made = SIGN_CT0;
      end
      OP_MAC:
      if (whole_mul && sign_q[a] == SIGN_MATRIX && count_q[dst] == count_q[a]) begin
        if (sign_q[dst] == SIGN_W_T && sign_q[b] == SIGN_MASK_T) made = SIGN_W_T;
        if (sign_q[dst] == SIGN_T_T && sign_q[b] == SIGN_SMALL_T) made = SIGN_T_T;
      end
      OP_ADD:
      if (whole_a && count_q[dst] == count_q[a]) begin
        if (sign_q[dst] == SIGN_MASK && sign_q[a] == SIGN_PRODUCT_C) made = SIGN_HELD;
        if (sign_q[dst] == SIGN_CT0_OK && sign_q[a] == SIGN_REST_OK) made = SIGN_SUM;
        if (sign_q[dst] == SIGN_T_C && sign_q[a] == SIGN_SMALL) made = SIGN_T;
      end
      OP_SUB:
      if (whole_a && count_q[dst] == count_q[a]) begin
        if (sign_q[dst] == SIGN_COMMITTED && sign_q[a] == SIGN_PRODUCT_C) made = SIGN_REST;
        if (sign_q[dst] == SIGN_HIGH_W && sign_q[a] == SIGN_HIGH_SUM) made = SIGN_HINT;
      end
      OP_LOAD, OP_MSUB: ;
      default: writes = 1'b0;
    endcase
    keeps_count = op == OP_NTT || op == OP_INTT || op == OP_ADD || op == OP_SUB;
  end

  logic commits, keeps_t0, keeps_high;
  assign commits = stores_high && secret_part && line == LineBits'(VaultMade) && step_q == STEP_MASKED && clean_q &&
      sign_q[a] == SIGN_W && fields == count_q[a] && (width_out != WIDTH_6 || fields < 4'd5);
  assign keeps_t0 = op == OP_STOREF && secret_part && line == LineBits'(VaultMade) && step_q < STEP_COMMITTED &&
      shrink == STORE_LOWER &&
      whole_fields && sign_q[a] == SIGN_T && fields == count_q[a];
  assign keeps_high = stores_high && secret_part && line == LineBits'(VaultHigh) && sign_q[a] == SIGN_SUM && fields == count_q[a] &&
      width_out == (short_q ? WIDTH_4 : WIDTH_6);

  // what one of them gets, all the same: its parity is made once
  sign_e given_sign;
  logic [3:0] given_count;
  logic [15:0] sign_error, count_error;
  assign given_sign  = writes ? made : keeps_o ? checked : SIGN_COMMITTED;
  assign given_count = !writes ? fields : op == OP_DRAW ? draws : op == OP_LOADF ? fields : count_q[a];
  for (genvar g = 0; g < 16; g++) begin : gen_group
    if (g < int'(Groups)) begin : gen_built
      logic [4:0] sign_bits_q;
      assign sign_q[g] = sign_e'(sign_bits_q);
      rs_checked #(
          .Width(5)
      ) u_sign (
          .clk_i,
          .clear_i,
          .en_i   (issue_i && (writes ? dst == 4'(g) : (keeps_o || commits) && a == 4'(g))),
          .data_i (given_sign),
          .data_o (sign_bits_q),
          .error_o(sign_error[g])
      );
      rs_checked #(
          .Width(4)
      ) u_count (
          .clk_i,
          .clear_i,
          .en_i   (issue_i && (writes ? dst == 4'(g) && !keeps_count : commits && a == 4'(g))),
          .data_i (given_count),
          .data_o (count_q[g]),
          .error_o(count_error[g])
      );
    end else begin : gen_none
      assign sign_q[g] = SIGN_NONE;
      assign count_q[g] = '0;
      assign {sign_error[g], count_error[g]} = '0;
    end
  end

  // ---- digests ----
  mark_e hashed;
  logic seeds_mask, hashes_challenge, hashes_stream, alone;
  assign alone = hashes && kind == 4'd1 && !append && !word[SkipLsb] && secret_part && !far;
  assign seeds_mask = hashes && kind == 4'd9 && secret_part && !far && line == LineBits'(VaultRandom) && word[SkipLsb] &&
      word[BytesLsb+:BytesBits] == BytesBits'(MaskBytes) && mark_q[front] == MARK_SEEDS && halves == 4'd1 && step_q == STEP_GIVEN;
  assign hashes_challenge = alone && line == LineBits'(VaultMu) && step_q == STEP_COMMITTED;
  assign hashes_stream = alone && line == LineBits'(VaultChallenge) && halves == 4'(BallDigests - 1) && step_q == STEP_KEPT;
  always_comb begin
    hashed = MARK_NONE;
    if (hashes && kind == 4'd9 && reads && vault && part == 2'd0 && !far && root_i[front] && !word[SkipLsb]) hashed = MARK_SEEDS;
    if (seeds_mask) hashed = MARK_MASK;
    if (hashes_challenge) hashed = MARK_CHALLENGE;
    if (hashes_stream) hashed = MARK_STREAM;
  end
  always_comb begin
    mark = mark_q;
    for (int d = 0; d < int'(Digests); d++) begin
      if (hashes && DigestBits'(d) == digest) mark[d] = hashed;
      else if (hashes && 4'(d) > 4'(digest) && 4'(d) - 4'(digest) <= halves) mark[d] = hashed;
      if (op == OP_HASH && kind == 4'(HashChoice) && DigestBits'(d) == digest) mark[d] = MARK_NONE;
      if (((op == OP_HASH && kind == 4'(HashKey)) || op == OP_LOADD) && d / 2 == 32'(digest) / 2)
        mark[d] = op == OP_LOADD && vault && part == 2'd0 ? MARK_BOUND : MARK_NONE;
    end
  end

  // ---- the rest ----
  always_comb begin
    step = step_q;
    if (op == OP_STORED && secret_part && line == LineBits'(VaultMu)) step = STEP_GIVEN;
    if (op == OP_STORED && secret_part && line == LineBits'(VaultChallenge)) step = STEP_KEPT;
    if (seeds_mask) step = STEP_SEEDED;
    if (draws_mask) step = STEP_MASKED;
    if (commits) step = STEP_COMMITTED;
    if (hashes_challenge) step = STEP_CHALLENGED;
    if (hashes_stream) step = STEP_STREAMED;
    if (draws_ball) step = STEP_DRAWN;
  end
  always_comb begin
    clean = clean_q;
    case (op)
      OP_LOAD, OP_CONTEXT: clean = clean_q && vault;
      OP_CONSTANTS, OP_TWIDDLES, OP_ROOTS: clean = 1'b0;
      OP_LOADD: if (secret_part) clean = 1'b0;
      OP_LOADF: clean = clean_q && ((vault && part == 2'd0) || loaded != SIGN_NONE);
      OP_DRAW: clean = clean_q && (draws_small || draws_mask || draws_ball || draws_bound);
      default: ;
    endcase
    t0   = t0_q;
    high = high_q;
    if (op == OP_STOREF && secret_part) begin
      if (line >= LineBits'(VaultHigh)) high = keeps_high;
      if (step_q < STEP_COMMITTED) t0 = keeps_t0;
    end
  end

  logic [Digests-1:0][2:0] mark_bits_q;
  logic [3:0] step_bits_q;
  logic mark_error, step_error, t0_error, high_error, spoilt_q, long_q;  // the last two: not clean, not short
  for (genvar d = 0; d < int'(Digests); d++) begin : gen_mark
    assign mark_q[d] = mark_e'(mark_bits_q[d]);
  end
  assign step_q  = step_e'(step_bits_q);
  assign clean_q = !spoilt_q;
  assign short_q = !long_q;
  rs_checked #(
      .Width(3 * Digests)
  ) u_marks (
      .clk_i,
      .clear_i,
      .en_i   (issue_i),
      .data_i (mark),
      .data_o (mark_bits_q),
      .error_o(mark_error)
  );
  rs_checked #(
      .Width(21)
  ) u_steps (
      .clk_i,
      .clear_i,
      .en_i(issue_i),
      .data_i({
        step,
        !clean,
        eta4_q || (draws_small && draw == DRAW_ETA4),
        draws_mask ? draw == DRAW_MASK20 : mask20_q,
        commits ? width_out == WIDTH_6 : long_q,
        t0,
        high,
        released_q || releases_o,
        draws_ball ? 6'(word[NumberLsb+:NumberBits]) : tau_q,
        keeps_o ? passed_q | check : passed_q
      }),
      .data_o({step_bits_q, spoilt_q, eta4_q, mask20_q, long_q, t0_q, high_q, released_q, tau_q, passed_q}),
      .error_o(step_error)
  );
  rs_checked #(
      .Width(4)
  ) u_t0_count (
      .clk_i,
      .clear_i,
      .en_i   (issue_i && keeps_t0),
      .data_i (fields),
      .data_o (t0_count_q),
      .error_o(t0_error)
  );
  rs_checked #(
      .Width(4)
  ) u_high_count (
      .clk_i,
      .clear_i,
      .en_i   (issue_i && commits),
      .data_i (fields),
      .data_o (high_count_q),
      .error_o(high_error)
  );
  assign error_o = mark_error || step_error || t0_error || high_error || sign_error != '0 || count_error != '0;

  logic unused;
  assign unused = ^word;
endmodule
