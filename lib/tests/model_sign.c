// SPDX-License-Identifier: Apache-2.0
// Signatures in the model of a sealed core (docs/core.md, Sealed signatures): what groups and digests are on the way to one, and when its parts may leave.
// As rs_seal_sign has it.
#include "machine/fields/fields.h"
#include "model_parts.h"

// digests: bound with a key; made of a root and of what is bound; rho'; c~; the stream of a challenge
enum { OTHER, BOUND, SEEDS, MASK_SEED, CHALLENGE, STREAM };
// groups. _R: times R; _T: and transformed; PRODUCT, CT0: of transforms, then (_C) of coefficients; _OK: below their bounds
enum {
    NOTHING,
    SMALL,
    SMALL_R,
    SMALL_T,
    MASK,
    BALL,
    BALL_T,
    PRODUCT,
    PRODUCT_C,
    HELD,
    HELD_OK,
    COMMITTED,
    REST,
    REST_OK,
    T0,
    T0_R,
    T0_T,
    CT0,
    CT0_C,
    CT0_OK,
    SUM,
    HIGH_W,
    HIGH_SUM,
    HINT,
    MATRIX, // a column of A, of a seed that is bound
    MASK_R, // a copy of the mask, which masks nothing
    MASK_T,
    W_T, // products of the matrix and that
    W,
    T_T, // and small ones
    T_C,
    T
};
enum { BEGUN, GIVEN, SEEDED, MASKED, AFTER_W, AFTER_CHALLENGE, KEPT, STREAMED, DRAWN }; // the steps of a signature
enum { FIXED_PART, PROGRAM_PART, INPUT_PART, SECRET_PART }; // parts of the vault
enum { MASK_BYTES = 32 + 64, ALL_PASSED = 15, ROOT_TAG = 2 };
enum { GAMMA2_88_BITS = 6, GAMMA2_32_BITS = 4 };

#define IS(name, value) (RS_GET_FIELD(name, word) == (uint32_t)(value))

static uint32_t part_of(uint64_t word) { return RS_GET_FIELD(NEAR, word) / RS_VAULT_LINES % 4; }

static uint32_t line_of(uint64_t word) { return RS_GET_FIELD(NEAR, word) % RS_VAULT_LINES; }

static int is_op(uint64_t word, uint32_t op) { return IS(OP, op); }

static int is_secret_line(const model_core_t *c, uint64_t word, uint32_t line) {
    return model_is_inside(c, word) && part_of(word) == SECRET_PART && line_of(word) == line;
}

// Polynomials of 256 coefficients from the first slice on, modulo q of context 0: `count` of them less one.
static int is_whole(uint64_t word, uint32_t count) {
    const rs_op_info_t *info = rs_op_info(word);
    if (!IS(LOG_SIZE, 8) || !IS(SLICE_DST, 0) || !IS(CTX, 0)) return 0;
    if (info->uses & RS_USES_FIELDS)
        return IS(FORM, 0) && (is_op(word, RS_OP_DRAW) ? RS_GET_FIELD(DRAWS, word) : RS_GET_FIELD(POLYS, word)) == count;
    if (!IS(SLICES, count)) return 0;
    if (is_op(word, RS_OP_NTT) || is_op(word, RS_OP_INTT)) return 1;
    if (!IS(SLICE_A, 0) || !IS(A_XOR, 0)) return 0;
    return (!is_op(word, RS_OP_MUL) && !is_op(word, RS_OP_MAC)) || IS(B_MAP, RS_B_MAP_ONE);
}

static const struct model_sign *sign_of(const model_core_t *c) { return &c->seal.sign; }

static uint32_t dst_of(uint64_t word) { return RS_GET_FIELD(DST, word); }

static uint32_t a_of(uint64_t word) { return RS_GET_FIELD(A, word); }

static int is_seed(const model_core_t *c, uint64_t word, int mark, int is_long) {
    const uint32_t seed = RS_GET_FIELD(SEED_DIGEST, word);
    const int *marks = sign_of(c)->marks;
    return marks[seed] == mark && IS(LONG_SEED, is_long) && (!is_long || marks[seed + 1] == mark);
}

static int draws_small(const model_core_t *c, uint64_t word) {
    return is_op(word, RS_OP_DRAW) && (IS(DRAW, RS_DRAW_ETA2) || IS(DRAW, RS_DRAW_ETA4)) && is_seed(c, word, SEEDS, 1);
}

int model_sign_rounds(const model_core_t *c, uint64_t word) {
    const int mask = IS(DRAW, RS_DRAW_MASK18) || IS(DRAW, RS_DRAW_MASK20);
    return model_is_sealed(c) && is_op(word, RS_OP_DRAW) && mask && is_seed(c, word, MASK_SEED, 1);
}

static int draws_mask(const model_core_t *c, uint64_t word) {
    return model_sign_rounds(c, word) && IS(NUMBER_BYTES, 2) && IS(STEP_HIGH, 0) && is_whole(word, RS_GET_FIELD(DRAWS, word)) &&
           sign_of(c)->step == SEEDED;
}

static int draws_ball(const model_core_t *c, uint64_t word) {
    if (!is_op(word, RS_OP_DRAW) || !IS(DRAW, RS_DRAW_BALL) || sign_of(c)->step != STREAMED || !is_whole(word, 0)) return 0;
    for (uint32_t i = 0; i < RS_BALL_DIGESTS; i++) {
        if (sign_of(c)->marks[RS_GET_FIELD(SEED_DIGEST, word) + i] != STREAM) return 0;
    }
    return 1;
}

// A public polynomial of what is bound.
static int draws_bound(const model_core_t *c, uint64_t word) {
    return is_op(word, RS_OP_DRAW) && RS_GET_FIELD(DRAW, word) < 8 && is_seed(c, word, BOUND, 0);
}

static int draws_column(const model_core_t *c, uint64_t word) {
    return draws_bound(c, word) && IS(DRAW, RS_DRAW_PARSE_23) && IS(LOG_SIZE, 8) && IS(SLICE_DST, 0) && IS(CTX, 0) &&
           IS(FORM, RS_POLYS_NTT);
}

// ---- what may be -----------------------------------------------------------------------------------------------------------
static int tag_of(const model_core_t *c, uint32_t group) { return sign_of(c)->tags[group]; }

// The tag that a norm gives, or NOTHING: it is no check of a signature. tau c_i times s_i: beta.
static int checked(const model_core_t *c, uint64_t word, unsigned *check) {
    const struct model_sign *s = sign_of(c);
    const uint32_t a = a_of(word), kind = RS_GET_FIELD(NORM, word), beta = s->tau << (s->has_eta4 ? 2 : 1);
    const uint32_t low = s->high_bits == GAMMA2_88_BITS ? RS_NORM_LOW_88 : RS_NORM_LOW_32;
    const uint32_t centred = s->high_bits == GAMMA2_88_BITS ? RS_NORM_CENTRED_88 : RS_NORM_CENTRED_32;
    const uint32_t margin = RS_GET_FIELD(MARGIN, word);
    if (!model_is_sealed(c) || !is_op(word, RS_OP_NORM) || !is_whole(word, s->counts[a])) return NOTHING;
    *check = tag_of(c, a) == HELD ? 0 : tag_of(c, a) == REST ? 1 : tag_of(c, a) == CT0_C ? 2 : 3;
    switch (tag_of(c, a)) {
    case HELD: return kind == RS_NORM_CENTRED && IS(POWER, s->has_mask20 ? 19 : 17) && margin >= beta ? HELD_OK : NOTHING;
    case REST: return kind == low && margin >= beta ? REST_OK : NOTHING;
    case CT0_C: return kind == centred ? CT0_OK : NOTHING;
    case HINT: return kind == RS_NORM_COUNT && margin <= RS_HINTS_MAX ? HINT : NOTHING;
    default: return NOTHING;
    }
}

int model_sign_keeps(const model_core_t *c, uint64_t word, int *first) {
    unsigned check;
    if (first) *first = !sign_of(c)->passed;
    return checked(c, word, &check) != NOTHING;
}

int model_sign_releases(const model_core_t *c, uint64_t word) {
    const struct model_sign *s = sign_of(c);
    if (!model_is_sealed(c) || !is_op(word, RS_OP_STOREF) || model_is_inside(c, word) || s->passed != ALL_PASSED || !s->is_clean)
        return 0;
    const int tag = tag_of(c, a_of(word));
    const int high = IS(SHRINK, RS_STORE_HIGH) && IS(FIELD_WIDTH_OUT, rs_width_index(s->high_bits));
    return tag == HELD_OK || ((tag == REST_OK || tag == SUM) && high);
}

static int stores_challenge(const model_core_t *c, uint64_t word) {
    const int *marks = sign_of(c)->marks;
    return is_op(word, RS_OP_STORED) && marks[a_of(word)] == CHALLENGE && marks[a_of(word) + 1] == CHALLENGE;
}

int model_sign_allows(const model_core_t *c, uint64_t word) {
    const struct model_sign *s = sign_of(c);
    if (!model_is_sealed(c)) return 0;
    if (draws_small(c, word)) return 1;
    if (stores_challenge(c, word)) {
        if (!model_is_inside(c, word)) return s->released;
        return is_secret_line(c, word, RS_VAULT_CHALLENGE) && !(RS_GET_FIELD(NEAR, word) >> 8) && s->step == AFTER_CHALLENGE;
    }
    if (!is_op(word, RS_OP_STORED) || RS_GET_FIELD(NEAR, word) >> 8 || s->step > GIVEN || !c->seal.keyed) return 0;
    if (!model_seal_is_public(c, a_of(word)) || !model_seal_is_public(c, a_of(word) + 1)) return 0;
    return is_secret_line(c, word, RS_VAULT_RANDOM) || is_secret_line(c, word, RS_VAULT_MU);
}

int model_sign_blocks(const model_core_t *c, uint64_t word) {
    const struct model_sign *s = sign_of(c);
    if (!model_is_sealed(c)) return 0;
    if (model_sign_rounds(c, word)) return RS_GET_FIELD(NUMBER, word) >= RS_SIGN_ROUNDS;
    if (!is_op(word, RS_OP_STOREF) || !model_is_inside(c, word) || part_of(word) != SECRET_PART) return 0;
    if (line_of(word) == 0) return s->step != BEGUN; // it would reach what stands behind it
    return s->step >= AFTER_W && line_of(word) < RS_VAULT_HIGH;
}

// ---- what is there afterwards ----------------------------------------------------------------------------------------------
// Of LOADF: what stands in the vault's secret part.
static int loaded(struct model_sign *s, uint64_t word) {
    const uint32_t count = RS_GET_FIELD(POLYS, word), line = line_of(word);
    if (!is_whole(word, count)) return NOTHING;
    const int plain =
        IS(GROW, RS_LOAD_PLAIN) && IS(FIELD_WIDTH, rs_width_index(s->high_bits ? s->high_bits : 4)) && count == s->high_count;
    if (line == RS_VAULT_MADE && s->step < AFTER_W)
        return s->has_t0 && IS(GROW, RS_LOAD_MINUS) && IS(FIELD_WIDTH, rs_width_index(13)) && IS(POWER, 12) && count == s->t0_count
                   ? T0
                   : NOTHING;
    if (line == RS_VAULT_MADE) return plain ? HIGH_W : NOTHING;
    return line == RS_VAULT_HIGH && s->has_high && plain ? HIGH_SUM : NOTHING;
}

static int drawn(const model_core_t *c, struct model_sign *s, uint64_t word) {
    if (draws_small(c, word)) {
        s->has_eta4 |= IS(DRAW, RS_DRAW_ETA4);
        return is_whole(word, RS_GET_FIELD(DRAWS, word)) ? SMALL : NOTHING;
    }
    if (draws_mask(c, word)) {
        s->has_mask20 = IS(DRAW, RS_DRAW_MASK20);
        s->step = MASKED;
        return MASK;
    }
    if (draws_ball(c, word)) {
        s->tau = RS_GET_FIELD(NUMBER, word) % 64;
        s->step = DRAWN;
        return BALL;
    }
    s->is_clean &= draws_bound(c, word);
    return draws_column(c, word) ? MATRIX : NOTHING;
}

static int computed(const struct model_sign *s, uint64_t word) {
    const int dst = s->tags[dst_of(word)], a = s->tags[a_of(word)], b = s->tags[RS_GET_FIELD(B, word)];
    const uint32_t dst_count = s->counts[dst_of(word)], a_count = s->counts[a_of(word)];
    switch (RS_GET_FIELD(OP, word)) {
    case RS_OP_SCALE:
        if (!is_whole(word, a_count)) return NOTHING;
        return a == SMALL ? SMALL_R : a == T0 ? T0_R : a == MASK ? MASK_R : NOTHING;
    case RS_OP_NTT:
        if (!is_whole(word, dst_count)) return NOTHING;
        return dst == SMALL_R ? SMALL_T : dst == T0_R ? T0_T : dst == BALL ? BALL_T : dst == MASK_R ? MASK_T : NOTHING;
    case RS_OP_INTT:
        if (!is_whole(word, dst_count) || RS_GET_FIELD(PART, word)) return NOTHING;
        return dst == PRODUCT ? PRODUCT_C : dst == CT0 ? CT0_C : dst == W_T ? W : dst == T_T ? T_C : NOTHING;
    case RS_OP_MUL:
        if (!is_whole(word, a_count)) return NOTHING;
        if (a == MATRIX) return b == MASK_T ? W_T : b == SMALL_T ? T_T : NOTHING;
        if (b != BALL_T || !IS(SLICE_B, 0)) return NOTHING;
        return a == SMALL_T ? PRODUCT : a == T0_T ? CT0 : NOTHING;
    case RS_OP_MAC:
        if (!is_whole(word, a_count) || dst_count != a_count || a != MATRIX) return NOTHING;
        return dst == W_T && b == MASK_T ? W_T : dst == T_T && b == SMALL_T ? T_T : NOTHING;
    case RS_OP_ADD:
        if (!is_whole(word, a_count) || dst_count != a_count) return NOTHING;
        if (dst == T_C && a == SMALL) return T;
        return dst == MASK && a == PRODUCT_C ? HELD : dst == CT0_OK && a == REST_OK ? SUM : NOTHING;
    case RS_OP_SUB:
        if (!is_whole(word, a_count) || dst_count != a_count) return NOTHING;
        return dst == COMMITTED && a == PRODUCT_C ? REST : dst == HIGH_W && a == HIGH_SUM ? HINT : NOTHING;
    default: return NOTHING;
    }
}

static uint32_t count_of(const model_core_t *c, uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    if (op == RS_OP_DRAW) return RS_GET_FIELD(DRAWS, word);
    if (op == RS_OP_LOADF) return RS_GET_FIELD(POLYS, word);
    const int own = op == RS_OP_NTT || op == RS_OP_INTT || op == RS_OP_ADD || op == RS_OP_SUB;
    return sign_of(c)->counts[own ? dst_of(word) : a_of(word)];
}

static void after_storef(const model_core_t *c, struct model_sign *s, uint64_t word) {
    const uint32_t a = a_of(word), count = RS_GET_FIELD(POLYS, word), line = line_of(word);
    const uint32_t bits = IS(FIELD_WIDTH_OUT, rs_width_index(GAMMA2_88_BITS)) ? GAMMA2_88_BITS : GAMMA2_32_BITS;
    const int high = IS(SHRINK, RS_STORE_HIGH) && is_whole(word, count);
    if (!model_is_inside(c, word)) {
        s->released |= model_sign_releases(c, word);
        return;
    }
    if (part_of(word) != SECRET_PART) return;
    if (line >= RS_VAULT_HIGH) s->has_high = 0;
    if (s->step < AFTER_W) s->has_t0 = 0;
    if (line == RS_VAULT_MADE && high && s->tags[a] == W && count == s->counts[a] && s->step == MASKED && s->is_clean &&
        (bits == GAMMA2_32_BITS || count < 5)) {
        s->tags[a] = COMMITTED;
        s->counts[a] = s->high_count = count;
        s->high_bits = bits;
        s->step = AFTER_W;
    } else if (line == RS_VAULT_MADE && s->step < AFTER_W && IS(SHRINK, RS_STORE_LOWER) && is_whole(word, count) &&
               s->tags[a] == T && count == s->counts[a]) {
        s->has_t0 = 1;
        s->t0_count = count;
    } else if (line == RS_VAULT_HIGH && high && s->tags[a] == SUM && count == s->counts[a] && bits == s->high_bits) {
        s->has_high = 1;
    }
}

static int hashed(const model_core_t *c, struct model_sign *s, uint64_t word) {
    const uint32_t kind = RS_GET_FIELD(HASH, word), a = a_of(word), bytes = RS_GET_FIELD(BYTES, word);
    const int inside = model_is_inside(c, word) && bytes, front = kind == RS_HASH_PREFIX + RS_HASH_SHAKE256;
    const int alone = kind == RS_HASH_SHAKE256 && !RS_GET_FIELD(APPEND, word) && !RS_GET_FIELD(SKIP, word) && inside;
    if (front && inside && part_of(word) == FIXED_PART && c->seal.tags[a] == ROOT_TAG && !RS_GET_FIELD(SKIP, word)) return SEEDS;
    if (front && bytes == MASK_BYTES && is_secret_line(c, word, RS_VAULT_RANDOM) && RS_GET_FIELD(SKIP, word) &&
        s->marks[a] == SEEDS && IS(HALVES, 1) && s->step == GIVEN) {
        s->step = SEEDED;
        return MASK_SEED;
    }
    if (alone && is_secret_line(c, word, RS_VAULT_MU) && s->step == AFTER_W) {
        s->step = AFTER_CHALLENGE;
        return CHALLENGE;
    }
    if (alone && is_secret_line(c, word, RS_VAULT_CHALLENGE) && IS(HALVES, RS_BALL_DIGESTS - 1) && s->step == KEPT) {
        s->step = STREAMED;
        return STREAM;
    }
    return OTHER;
}

static void after_digests(const model_core_t *c, struct model_sign *s, uint64_t word) {
    const uint32_t dst = dst_of(word);
    const int inside = model_is_inside(c, word);
    int mark = OTHER;
    uint32_t count = 2;
    if (is_op(word, RS_OP_STORED)) {
        if (!inside || part_of(word) != SECRET_PART) return;
        if (line_of(word) == RS_VAULT_MU) s->step = GIVEN;
        if (line_of(word) == RS_VAULT_CHALLENGE) s->step = KEPT;
        return;
    }
    if (is_op(word, RS_OP_LOADD)) {
        if (inside && part_of(word) == FIXED_PART) mark = BOUND;
        if (inside && part_of(word) == SECRET_PART) s->is_clean = 0;
    } else if (IS(HASH, RS_HASH_CHOICE)) {
        count = 1;
    } else if (!IS(HASH, RS_HASH_KEY)) {
        mark = hashed(c, s, word);
        count = RS_GET_FIELD(HALVES, word) + 1;
    }
    for (uint32_t i = 0; i < count; i++) s->marks[dst + i] = mark;
}

static int of_loadf(const model_core_t *c, struct model_sign *s, uint64_t word) {
    const int secret = model_is_inside(c, word) && part_of(word) == SECRET_PART;
    const int tag = secret ? loaded(s, word) : NOTHING;
    const int is_bound = model_is_inside(c, word) && part_of(word) == FIXED_PART;
    s->is_clean &= is_bound || tag != NOTHING;
    return tag;
}

void model_sign_after(model_core_t *c, uint64_t word) {
    struct model_sign *s = &c->seal.sign;
    const rs_op_info_t *info = rs_op_info(word);
    const uint32_t op = RS_GET_FIELD(OP, word), count = count_of(c, word);
    unsigned check = 0;
    if (!model_is_sealed(c)) return;
    int tag = NOTHING;
    switch (op) {
    case RS_OP_HASH:
    case RS_OP_LOADD:
    case RS_OP_STORED: after_digests(c, s, word); return;
    case RS_OP_STOREF: after_storef(c, s, word); return;
    case RS_OP_NORM:
        tag = checked(c, word, &check);
        if (tag == NOTHING) return;
        s->tags[a_of(word)] = tag;
        s->passed |= 1u << check;
        return;
    case RS_OP_CONTEXT:
    case RS_OP_LOAD: s->is_clean &= model_is_inside(c, word); break;
    case RS_OP_CONSTANTS:
    case RS_OP_TWIDDLES:
    case RS_OP_ROOTS: s->is_clean = 0; break;
    case RS_OP_LOADF: tag = of_loadf(c, s, word); break;
    case RS_OP_DRAW: tag = drawn(c, s, word); break;
    default: tag = computed(s, word); break;
    }
    if (info->dst != RS_OPERAND_GROUP) return;
    s->tags[dst_of(word)] = tag;
    s->counts[dst_of(word)] = count;
}

void model_sign_begin(model_core_t *c) {
    const int refused = c->seal.sign.refused;
    c->seal.sign = (struct model_sign){.is_clean = 1, .refused = refused};
}
