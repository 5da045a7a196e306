// SPDX-License-Identifier: Apache-2.0
// The programs of ML-DSA (FIPS 204). A polynomial is a slice of 256 words. Instructions start in the order in which they stand here: those of units that
// would be idle stand before those that wait for a unit.
//
// Products are divided by R, so one of two factors carries it. Digests: 0, 1 results; 2, 3 rho' of y; 5 rho. SampleInBall's stream is in 0 to 3 of a
// verification, and in 4 to 7 of a signature, where rho has been used.
#include "mldsa/on_core/on_core.h"

enum { D_RESULT = 0, D_MASK = 2, D_RHO_LINE = 4, D_RHO = 5, D_TR = 6, COLUMNS_MAX = 7, MU_HALVES = 2 };
enum { COLUMNS_FIRST = 5 }; // columns before a verification's first product: a sixth begins after the transform of z
enum { D_BALL_VERIFYING = 0, D_BALL_SIGNING = 4, BALL_HALVES = RS_MLDSA_BALL_BYTES / RS_DIGEST_BYTES };
// digests of key generation: rho, rho' and K, one digest behind the beginning of a line, as rho stands in memory
enum { D_KEY = 1, D_KEY_RHO_PRIME = 2, D_KEY_K = 4, D_KEY_HALVES = 4 };

typedef struct dsa {
    rs_builder_t b;
    const rs_mldsa_params_t *p;
    const rs_design_t *design;
    uint64_t ctx;
    uint32_t w;
    uint32_t a[COLUMNS_MAX];
    uint32_t groups, drawn, used; // counts of columns of A
    uint32_t rho; // digest
} dsa_t;

static void emit(dsa_t *d, uint64_t word) { rs_builder_emit(&d->b, word); }

static uint32_t take(dsa_t *d) { return rs_builder_take(&d->b); }

// ---- instructions ----------------------------------------------------------------------------------------------------------
static rs_polys_t polys(uint32_t group, uint32_t count) {
    return (rs_polys_t){group, RS_MLDSA_LOG_POLY, 0, count, RS_POLYS_COEFFICIENTS};
}

static uint64_t slices(uint32_t count) { return RS_FIELD(LOG_SIZE, RS_MLDSA_LOG_POLY) | RS_FIELD(SLICES, count - 1); }

static void on(dsa_t *d, uint64_t op, uint32_t dst, uint32_t count) { emit(d, op | DST(dst) | d->ctx | slices(count)); }

static void sum(dsa_t *d, uint64_t op, uint32_t dst, uint32_t a, uint32_t count) { on(d, op | A(a), dst, count); }

// Each polynomial of a times polynomial `of` of b.
static void product(dsa_t *d, uint64_t op, uint32_t dst, uint32_t a, uint32_t b, uint32_t of, uint32_t count) {
    on(d, op | A(a) | B(b) | RS_FIELD(SLICE_B, of) | RS_FIELD(B_MAP, RS_B_MAP_ONE), dst, count);
}

// dst = R a.
static void times_radix(dsa_t *d, uint32_t dst, uint32_t a, uint32_t count) { on(d, OP(SCALE) | A(a), dst, count); }

// A vector in memory from polynomial i on, so many as rs_mldsa_block says.
static uint64_t raw(const dsa_t *d, rs_mldsa_vector_t vector, uint32_t i) {
    const uint32_t log = rs_mldsa_block(d->p, vector, i);
    const size_t bytes = rs_design_poly_bytes(d->design, RS_MLDSA_LOG_POLY);
    return RS_FIELD(POINTER, RS_POINTER_SCRATCH) | OFFSET((rs_mldsa_vector_at(d->p, vector) + i) * bytes) |
           RS_FIELD(WIDE, rs_design_residue_bytes(d->design) == 8) | RS_FIELD(LOG_SIZE, RS_MLDSA_LOG_POLY + log) |
           RS_FIELD(SLICE_DST, i >> log);
}

static uint64_t form_of(rs_mldsa_vector_t vector) { return vector >= RS_MLDSA_S1 ? FLAG(NTT) : 0; }

// Returns where the next ones begin; at the end of the vector it does nothing.
static uint32_t load(dsa_t *d, uint32_t group, rs_mldsa_vector_t vector, uint32_t i) {
    if (i == rs_mldsa_vector_count(d->p, vector)) return i;
    emit(d, OP(LOAD) | DST(group) | d->ctx | raw(d, vector, i) | form_of(vector));
    return i + (1u << rs_mldsa_block(d->p, vector, i));
}

static void store_all(dsa_t *d, uint32_t group, rs_mldsa_vector_t vector) {
    for (uint32_t i = 0; i < rs_mldsa_vector_count(d->p, vector); i += 1u << rs_mldsa_block(d->p, vector, i))
        emit(d, OP(STORE) | A(group) | raw(d, vector, i) | form_of(vector));
}

static void store_fields(dsa_t *d, uint32_t group, uint32_t count, rs_shrink_t kind, uint32_t bits, size_t at) {
    emit(d, rs_word_storef(polys(group, count), d->ctx, kind, bits, RS_POINTER_INPUT, at));
}

// offset - x, with a fault where that is above the offset less a margin.
static void load_minus(dsa_t *d, uint32_t group, uint32_t count, uint32_t bits, uint32_t power, uint32_t margin,
                       rs_pointer_t pointer, size_t at) {
    emit(d, rs_word_loadf(polys(group, count), d->ctx, RS_LOAD_MINUS, bits, pointer, at) | RS_FIELD(POWER, power) |
                RS_FIELD(MARGIN, margin));
}

static void store_minus(dsa_t *d, uint32_t group, uint32_t count, uint32_t bits, uint32_t power, size_t at) {
    emit(d, rs_word_storef(polys(group, count), d->ctx, RS_STORE_MINUS, bits, RS_POINTER_INPUT, at) | RS_FIELD(POWER, power));
}

static uint32_t eta_power(const rs_mldsa_params_t *p) { return p->eta == 2 ? 1 : 2; }

static void load_digests(dsa_t *d, uint32_t dst, rs_pointer_t pointer, size_t at) {
    emit(d, OP(LOADD) | DST(dst) | rs_near(pointer, at));
}

static void store_digests(dsa_t *d, uint32_t a, size_t at) { emit(d, OP(STORED) | A(a) | rs_near(RS_POINTER_INPUT, at)); }

// Zeros in the place of two digests that nobody may find.
static void wipe(dsa_t *d, uint32_t digest) { load_digests(d, digest, RS_POINTER_CONTEXTS, rs_mldsa_zeros_at(d->design)); }

static uint64_t shake(uint32_t dst, uint32_t halves, size_t at, size_t bytes) {
    return rs_word_hash(dst, RS_HASH_SHAKE256, halves, RS_POINTER_INPUT, at, bytes);
}

uint64_t rs_mldsa_hash_message(size_t bytes) { return shake(D_RESULT, MU_HALVES, RS_MLDSA_AT_TR, RS_MLDSA_TR_BYTES + bytes); }

uint64_t rs_mldsa_draw_mask(uint64_t word, uint32_t kappa) {
    return (word & ~RS_FIELD(NUMBER, (1 << RS_ISA_NUMBER_BITS) - 1)) | RS_FIELD(NUMBER, kappa);
}

static void hash_key(dsa_t *d, uint32_t dst, rs_pointer_t pointer, size_t at) {
    const size_t bytes = RS_MLDSA_RHO_BYTES + (size_t)d->p->k * RS_MLDSA_T1_BYTES;
    emit(d, rs_word_hash(dst, RS_HASH_SHAKE256, MU_HALVES, pointer, at, bytes));
}

// The stream of SampleInBall for the c tilde that is there.
static void hash_ball(dsa_t *d, uint32_t dst, size_t at) {
    emit(d, shake(dst, BALL_HALVES, at, d->p->challenge_bytes));
    for (uint32_t i = 0; i < BALL_HALVES; i += 2) store_digests(d, dst + i, RS_MLDSA_AT_BALL + (size_t)i * RS_DIGEST_BYTES);
}

// c R, or c R 2^13.
static void load_challenge(dsa_t *d, uint32_t c, rs_mldsa_fields_t fields) {
    load_minus(d, c, 1, fields.bits, fields.power, 0, RS_POINTER_INPUT, RS_MLDSA_AT_C);
    times_radix(d, c, c, 1);
}

// c tilde of mu and w1.
static uint64_t hash_challenge(const rs_mldsa_params_t *p) {
    const uint32_t halves = (p->challenge_bytes + RS_DIGEST_BYTES - 1u) / RS_DIGEST_BYTES;
    return shake(D_RESULT, halves, RS_MLDSA_AT_MU, RS_MLDSA_MU_BYTES + p->k * rs_mldsa_w1_bytes(p));
}

static uint64_t store_challenge(void) { return OP(STORED) | A(D_RESULT) | rs_near(RS_POINTER_INPUT, RS_MLDSA_AT_CHALLENGE); }

void rs_mldsa_challenge_words(const rs_mldsa_params_t *p, uint64_t *words) {
    words[0] = hash_challenge(p);
    words[1] = store_challenge();
    words[2] = OP(END);
}

static void start(dsa_t *d) {
    d->ctx =
        rs_builder_context(&d->b, 0, OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | RS_FIELD(LOG_SIZE, RS_MLDSA_LOG_POLY));
}

// ---- the matrix ------------------------------------------------------------------------------------------------------------
// All groups that are left are for columns.
static void take_columns(dsa_t *d, uint32_t rho) {
    d->rho = rho;
    while (d->groups < COLUMNS_MAX && d->b.free_count) d->a[d->groups++] = take(d);
}

// The next column, if there is one, and a group for it.
static void draw_column(dsa_t *d) {
    if (d->drawn == d->p->l || d->drawn - d->used == d->groups) return;
    rs_polys_t to = polys(d->a[d->drawn % d->groups], d->p->k);
    to.form = RS_POLYS_NTT;
    emit(d, rs_word_draw(to, d->ctx, RS_DRAW_PARSE_23, d->rho, 2, d->drawn++) | FLAG(STEP_HIGH));
}

// w is that, or that and more: a column that is drawn times its polynomial of the vector.
static void multiply_column(dsa_t *d, uint32_t vector) {
    const uint32_t j = d->used++;
    product(d, j ? OP(MAC) : OP(MUL), d->w, d->a[j % d->groups], vector, j, d->p->k);
}

// The rest of the columns, which come two ahead of the one that is multiplied.
static void multiply(dsa_t *d, uint32_t vector) {
    while (d->used < d->p->l) {
        if (d->used >= 2) draw_column(d);
        multiply_column(d, vector);
    }
}

// ---- key generation --------------------------------------------------------------------------------------------------------
static void draw_small(dsa_t *d, uint32_t group, uint32_t count, uint32_t number) {
    const rs_draw_t kind = d->p->eta == 2 ? RS_DRAW_ETA2 : RS_DRAW_ETA4;
    emit(d, rs_word_draw(polys(group, count), d->ctx, kind, D_KEY_RHO_PRIME, 2, number) | FLAG(LONG_SEED));
}

// Algorithm 6.
static void keygen(dsa_t *d) {
    const rs_mldsa_params_t *p = d->p;
    const uint32_t s1 = take(d), s2 = take(d), vector = take(d);
    take_columns(d, D_KEY);
    emit(d, shake(D_KEY, D_KEY_HALVES, RS_MLDSA_AT_SEED, RS_MLDSA_SEED_BYTES + 2));
    start(d);
    draw_small(d, s1, p->l, 0);
    times_radix(d, vector, s1, p->l);
    draw_column(d);
    store_minus(d, s1, p->l, p->eta_bits, eta_power(p), RS_MLDSA_AT_S1);
    on(d, OP(NTT), vector, p->l);
    draw_column(d);
    draw_column(d);
    while (d->used + 1 < p->l) {
        if (d->used >= 2) draw_column(d);
        multiply_column(d, vector);
    }
    draw_small(d, s2, p->k, p->l);
    multiply_column(d, vector);
    store_minus(d, s2, p->k, p->eta_bits, eta_power(p), RS_MLDSA_AT_S2);
    on(d, OP(INTT), d->w, p->k);
    store_digests(d, D_KEY - 1, RS_MLDSA_AT_PK - RS_DIGEST_BYTES);
    store_digests(d, D_KEY_K, RS_MLDSA_AT_K);
    wipe(d, D_KEY_RHO_PRIME);
    wipe(d, D_KEY_K);
    sum(d, OP(ADD), d->w, s2, p->k);
    store_fields(d, d->w, p->k, RS_STORE_UPPER, 10, RS_MLDSA_AT_T1);
    hash_key(d, D_TR, RS_POINTER_INPUT, RS_MLDSA_AT_PK);
    store_digests(d, D_TR, RS_MLDSA_AT_TR);
    store_fields(d, d->w, p->k, RS_STORE_LOWER, RS_MLDSA_DROPPED_BITS, RS_MLDSA_AT_T0);
}

// ---- signatures ------------------------------------------------------------------------------------------------------------
// Algorithm 7, lines 1 to 7: transforms of the key, which stay in memory, mu and rho'. A key that is damaged is a fault VALUE.
static void set_up(dsa_t *d, int has_mu) {
    const rs_mldsa_params_t *p = d->p;
    const uint32_t s1 = take(d), s2 = take(d), t0 = take(d);
    start(d); // first: a word that is put in the place of another one is not the first
    if (!has_mu) {
        emit(d, rs_mldsa_hash_message(0));
        store_digests(d, D_RESULT, RS_MLDSA_AT_MU);
    }
    emit(d, shake(D_MASK, MU_HALVES, RS_MLDSA_AT_K, RS_DIGEST_BYTES + RS_MLDSA_RANDOM_BYTES + RS_MLDSA_MU_BYTES));
    load_minus(d, s1, p->l, p->eta_bits, eta_power(p), 0, RS_POINTER_INPUT, RS_MLDSA_AT_S1);
    load_minus(d, s2, p->k, p->eta_bits, eta_power(p), 0, RS_POINTER_INPUT, RS_MLDSA_AT_S2);
    on(d, OP(NTT), s1, p->l);
    load_minus(d, t0, p->k, RS_MLDSA_DROPPED_BITS, RS_MLDSA_DROPPED_BITS - 1, 0, RS_POINTER_INPUT, RS_MLDSA_AT_T0);
    on(d, OP(NTT), s2, p->k);
    store_all(d, s1, RS_MLDSA_S1);
    on(d, OP(NTT), t0, p->k);
    store_all(d, s2, RS_MLDSA_S2);
    store_all(d, t0, RS_MLDSA_T0);
}

// Lines 11 to 15: y and w, which stay in memory, w1 and the challenge.
static void commit(dsa_t *d) {
    const rs_mldsa_params_t *p = d->p;
    const uint32_t y = take(d), vector = take(d);
    take_columns(d, D_RHO);
    load_digests(d, D_RHO_LINE, RS_POINTER_INPUT, RS_MLDSA_AT_PK - RS_DIGEST_BYTES);
    start(d);
    emit(d,
         rs_word_draw(polys(y, p->l), d->ctx, p->z_bits == 18 ? RS_DRAW_MASK18 : RS_DRAW_MASK20, D_MASK, 2, 0) | FLAG(LONG_SEED));
    times_radix(d, vector, y, p->l);
    draw_column(d);
    on(d, OP(NTT), vector, p->l);
    draw_column(d);
    store_all(d, y, RS_MLDSA_Y);
    draw_column(d);
    multiply(d, vector);
    on(d, OP(INTT), d->w, p->k);
    store_fields(d, d->w, p->k, RS_STORE_HIGH, p->w1_bits, RS_MLDSA_AT_W1);
    emit(d, hash_challenge(p));
    store_all(d, d->w, RS_MLDSA_W);
    emit(d, store_challenge());
    hash_ball(d, D_BALL_SIGNING, RS_MLDSA_AT_CHALLENGE);
}

// Lines 17 to 28 with c in memory: z, and the high parts of w - c s2 + c t0. The fault VALUE says that the round is refused.
static void respond(dsa_t *d) {
    const rs_mldsa_params_t *p = d->p;
    const uint32_t c = take(d), s1 = take(d), s2 = take(d), t0 = take(d), y = take(d), gamma1_power = p->z_bits - 1u;
    start(d);
    load_challenge(d, c, RS_MLDSA_C_SIGNING);
    for (uint32_t i = 0; i < p->k; i++) { // loads of one group wait for each other, and for those of another size
        if (i < p->l) load(d, s1, RS_MLDSA_S1, i);
        load(d, s2, RS_MLDSA_S2, i);
        if (i == 0) on(d, OP(NTT), c, 1);
        if (i + 1 == p->l) product(d, OP(MUL), s1, s1, c, 0, p->l);
    }
    uint32_t at_y = load(d, y, RS_MLDSA_Y, 0), at_w = load(d, d->w, RS_MLDSA_W, 0);
    on(d, OP(INTT), s1, p->l);
    while (at_y < p->l || at_w < p->k) {
        at_w = load(d, d->w, RS_MLDSA_W, at_w);
        at_y = load(d, y, RS_MLDSA_Y, at_y);
    }
    product(d, OP(MUL), s2, s2, c, 0, p->k);
    sum(d, OP(ADD), y, s1, p->l);
    on(d, OP(INTT), s2, p->k);
    emit(d, rs_word_norm(polys(y, p->l), d->ctx, RS_NORM_CENTRED, gamma1_power, (uint32_t)p->beta));
    for (uint32_t i = 0; i < p->k; i++) load(d, t0, RS_MLDSA_T0, i);
    store_minus(d, y, p->l, p->z_bits, gamma1_power, RS_MLDSA_AT_Z);
    sum(d, OP(SUB), d->w, s2, p->k);
    product(d, OP(MUL), t0, t0, c, 0, p->k);
    emit(d, rs_word_norm(polys(d->w, p->k), d->ctx, p->buckets == 16 ? RS_NORM_LOW_32 : RS_NORM_LOW_88, 0, (uint32_t)p->beta));
    on(d, OP(INTT), t0, p->k);
    sum(d, OP(ADD), d->w, t0, p->k);
    emit(d, rs_word_norm(polys(t0, p->k), d->ctx, p->buckets == 16 ? RS_NORM_CENTRED_32 : RS_NORM_CENTRED_88, 0, 0));
    store_fields(d, d->w, p->k, RS_STORE_HIGH, p->w1_bits, RS_MLDSA_AT_HIGH);
}

// ---- of a sealed core ------------------------------------------------------------------------------------------------------
// The vault's secret part (docs/core.md, Sealed signatures).
enum {
    SECRETS = 3 * RS_VAULT_PART_BYTES,
    AT_CHALLENGE = SECRETS + RS_VAULT_CHALLENGE * RS_ISA_LINE_BYTES,
    AT_RANDOM = SECRETS + RS_VAULT_RANDOM * RS_ISA_LINE_BYTES, // its second half
    AT_MU = SECRETS + RS_VAULT_MU * RS_ISA_LINE_BYTES, // then w1
    AT_W1 = SECRETS + RS_VAULT_MADE * RS_ISA_LINE_BYTES, // and before that t0
    AT_HIGH = SECRETS + RS_VAULT_HIGH * RS_ISA_LINE_BYTES
};

// Digests: 0, 1 rnd, then mu, then c tilde; 1 to 4 rho, rho', K, then 4, 5 the seed of y; 2 to 5 the stream of the challenge; 6, 7 the root, then rho.
enum {
    D_CHALLENGE = 0,
    D_SEEDS = 1,
    D_SEALED_K = 4,
    D_SEALED_MASK = 4,
    D_STREAM = 2,
    D_ROOT = 6,
    D_SEALED_RHO = 6,
    SEALED_SLOT = 0
};

static void seal(dsa_t *d) {
    start(d);
    rs_fields_seal(&d->b, d->ctx, d->w, RS_POINTER_SCRATCH, 0, D_RESULT);
}

static void keep(dsa_t *d, size_t from, size_t to) {
    load_digests(d, D_RESULT, RS_POINTER_INPUT, from);
    emit(d, OP(STORED) | A(D_RESULT) | rs_near(RS_FIELDS_VAULT, to));
}

static void store_in_vault(dsa_t *d, uint32_t group, rs_shrink_t kind, uint32_t bits, size_t at) {
    emit(d, rs_word_storef(polys(group, d->p->k), d->ctx, kind, bits, RS_FIELDS_VAULT, at));
}

static void load_from_vault(dsa_t *d, uint32_t group, rs_grow_t kind, uint32_t bits, size_t at) {
    emit(d, rs_word_loadf(polys(group, d->p->k), d->ctx, kind, bits, RS_FIELDS_VAULT, at) | FLAG(SECRET));
}

// Algorithm 6 without t1, and lines 7 to 12 of algorithm 7: w, t and z's y, of which nothing leaves. Each column of A is drawn once.
static void make_secrets(dsa_t *d, uint32_t s1, uint32_t s2, uint32_t t, uint32_t y, uint32_t vector) {
    const rs_mldsa_params_t *p = d->p;
    const size_t mask_bytes = RS_MLDSA_RANDOM_BYTES + RS_MLDSA_MU_BYTES;
    const rs_draw_t mask = p->z_bits == 18 ? RS_DRAW_MASK18 : RS_DRAW_MASK20;
    emit(d, rs_word_key(D_ROOT, SEALED_SLOT));
    d->ctx =
        rs_builder_context(&d->b, 0, OP(CONTEXT) | RS_FIELD(POINTER, RS_VAULT_POINTER) | RS_FIELD(LOG_SIZE, RS_MLDSA_LOG_POLY));
    keep(d, RS_MLDSA_AT_K, AT_RANDOM);
    keep(d, RS_MLDSA_AT_MU, AT_MU);
    emit(d, rs_word_hash_behind(D_SEEDS, RS_HASH_SHAKE256, 4, D_ROOT, RS_FIELDS_VAULT, rs_mldsa_vault_sizes_at(d->design), 2));
    emit(d, OP(LOADD) | DST(D_SEALED_RHO) | rs_near(RS_FIELDS_VAULT, rs_mldsa_vault_rho_at(d->design)));
    draw_small(d, s1, p->l, 0);
    times_radix(d, s1, s1, p->l);
    emit(d, rs_word_hash_behind(D_SEALED_MASK, RS_HASH_SHAKE256, MU_HALVES, D_SEALED_K, RS_FIELDS_VAULT,
                                AT_RANDOM + RS_DIGEST_BYTES, mask_bytes));
    on(d, OP(NTT), s1, p->l);
    emit(d, rs_word_draw(polys(y, p->l), d->ctx, mask, D_SEALED_MASK, 2, 0) | FLAG(LONG_SEED));
    times_radix(d, vector, y, p->l);
    draw_column(d);
    on(d, OP(NTT), vector, p->l);
    if (d->groups > 1) draw_column(d);
    while (d->used < p->l) {
        const uint32_t column = d->a[d->used % d->groups], j = d->used;
        multiply_column(d, vector);
        product(d, j ? OP(MAC) : OP(MUL), t, column, s1, j, p->k);
        draw_column(d);
    }
    draw_small(d, s2, p->k, p->l);
    on(d, OP(INTT), t, p->k);
    on(d, OP(INTT), d->w, p->k);
    sum(d, OP(ADD), t, s2, p->k);
    times_radix(d, s2, s2, p->k);
    on(d, OP(NTT), s2, p->k);
}

// A round whose parts leave if all four checks have passed; else the fault VALUE of the first of them says no more than that one has not.
static void sign_sealed(dsa_t *d) {
    const rs_mldsa_params_t *p = d->p;
    const uint32_t s1 = take(d), s2 = take(d), t = take(d), y = take(d), c = take(d), gamma1_power = p->z_bits - 1u;
    const int is_32 = p->buckets == 16;
    take_columns(d, D_SEALED_RHO);
    make_secrets(d, s1, s2, t, y, c);
    const uint32_t before = d->a[0], after = d->a[1];
    store_in_vault(d, t, RS_STORE_LOWER, RS_MLDSA_DROPPED_BITS, AT_W1);
    load_from_vault(d, t, RS_LOAD_MINUS, RS_MLDSA_DROPPED_BITS, AT_W1);
    d->b.words[d->b.length - 1] |= RS_FIELD(POWER, RS_MLDSA_DROPPED_BITS - 1);
    times_radix(d, t, t, p->k);
    store_in_vault(d, d->w, RS_STORE_HIGH, p->w1_bits, AT_W1);
    on(d, OP(NTT), t, p->k);
    emit(d, rs_word_hash(D_CHALLENGE, RS_HASH_SHAKE256, MU_HALVES, RS_FIELDS_VAULT, AT_MU,
                         RS_MLDSA_MU_BYTES + p->k * rs_mldsa_w1_bytes(p)));
    emit(d, OP(STORED) | A(D_CHALLENGE) | rs_near(RS_FIELDS_VAULT, AT_CHALLENGE));
    emit(d, rs_word_hash(D_STREAM, RS_HASH_SHAKE256, RS_BALL_DIGESTS, RS_FIELDS_VAULT, AT_CHALLENGE, p->challenge_bytes));
    emit(d, rs_word_draw(polys(c, 1), d->ctx, (rs_draw_t)RS_DRAW_BALL, D_STREAM, 0, p->tau));
    on(d, OP(NTT), c, 1);
    product(d, OP(MUL), s1, s1, c, 0, p->l);
    product(d, OP(MUL), s2, s2, c, 0, p->k);
    on(d, OP(INTT), s1, p->l);
    product(d, OP(MUL), t, t, c, 0, p->k);
    on(d, OP(INTT), s2, p->k);
    sum(d, OP(ADD), y, s1, p->l);
    on(d, OP(INTT), t, p->k);
    emit(d, rs_word_norm(polys(y, p->l), d->ctx, RS_NORM_CENTRED, gamma1_power, (uint32_t)p->beta));
    sum(d, OP(SUB), d->w, s2, p->k);
    emit(d, rs_word_norm(polys(t, p->k), d->ctx, is_32 ? RS_NORM_CENTRED_32 : RS_NORM_CENTRED_88, 0, 0));
    emit(d, rs_word_norm(polys(d->w, p->k), d->ctx, is_32 ? RS_NORM_LOW_32 : RS_NORM_LOW_88, 0, (uint32_t)p->beta));
    sum(d, OP(ADD), t, d->w, p->k);
    load_from_vault(d, before, RS_LOAD_PLAIN, p->w1_bits, AT_W1);
    store_in_vault(d, t, RS_STORE_HIGH, p->w1_bits, AT_HIGH);
    load_from_vault(d, after, RS_LOAD_PLAIN, p->w1_bits, AT_HIGH);
    sum(d, OP(SUB), before, after, p->k);
    emit(d, rs_word_norm(polys(before, p->k), d->ctx, (rs_norm_t)RS_NORM_COUNT, 0, p->omega));
    store_minus(d, y, p->l, p->z_bits, gamma1_power, RS_MLDSA_AT_Z);
    store_fields(d, d->w, p->k, RS_STORE_HIGH, p->w1_bits, RS_MLDSA_AT_W1);
    store_fields(d, t, p->k, RS_STORE_HIGH, p->w1_bits, RS_MLDSA_AT_HIGH);
    emit(d, store_challenge());
    for (uint32_t digest = 0; digest < RS_DIGESTS; digest += 2) wipe(d, digest);
}

// ---- verification ----------------------------------------------------------------------------------------------------------
// c R 2^13, which the processor makes meanwhile of what hash_ball has stored. LOADF comes after the mark is in memory: whoever has written c and then finds
// no mark was in time.
static void take_challenge(dsa_t *d, uint32_t c) {
    store_digests(d, D_BALL_VERIFYING + 2, RS_MLDSA_AT_MARK);
    load_challenge(d, c, RS_MLDSA_C_VERIFYING);
}

// Algorithm 8 up to line 9: mu, w = A z - c t1 2^13 and its high parts. A z that is too large is a fault VALUE.
static void recompute(dsa_t *d, int has_mu) {
    const rs_mldsa_params_t *p = d->p;
    const uint32_t z = take(d), t1 = take(d), c = take(d);
    take_columns(d, D_RHO);
    load_digests(d, D_RHO_LINE, RS_POINTER_KEY, 0);
    start(d);
    emit(d, rs_word_loadf(polys(t1, p->k), d->ctx, RS_LOAD_PLAIN, 10, RS_POINTER_KEY, RS_MLDSA_AT_KEY_T1));
    draw_column(d);
    on(d, OP(NTT), t1, p->k);
    hash_ball(d, D_BALL_VERIFYING, RS_MLDSA_AT_SEED);
    load_minus(d, z, p->l, p->z_bits, p->z_bits - 1u, (uint32_t)p->beta + 1, RS_POINTER_OUTPUT, 0);
    draw_column(d);
    draw_column(d);
    times_radix(d, z, z, p->l);
    on(d, OP(NTT), z, p->l);
    while (d->drawn < COLUMNS_FIRST && d->drawn < d->groups && d->drawn < p->l) draw_column(d);
    while (d->used + 1 < p->l) {
        multiply_column(d, z);
        draw_column(d);
    }
    take_challenge(d, c);
    on(d, OP(NTT), c, 1);
    multiply_column(d, z);
    if (!has_mu) hash_key(d, D_TR, RS_POINTER_KEY, RS_MLDSA_AT_KEY_RHO);
    product(d, OP(MSUB), d->w, t1, c, 0, p->k); // while the key is hashed
    if (!has_mu) {
        store_digests(d, D_TR, RS_MLDSA_AT_TR);
        emit(d, rs_mldsa_hash_message(0));
    }
    on(d, OP(INTT), d->w, p->k);
    if (!has_mu) store_digests(d, D_RESULT, RS_MLDSA_AT_MU);
    store_fields(d, d->w, p->k, RS_STORE_HIGH, p->w1_bits, RS_MLDSA_AT_W1);
    store_all(d, d->w, RS_MLDSA_W);
}

rs_status_t rs_mldsa_program(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity,
                             size_t *length) {
    dsa_t d = {.p = rs_mldsa_params((rs_mldsa_set_t)key->words[1]), .design = design};
    rs_builder_init(&d.b, design, RS_MLDSA_LOG_N, words, capacity);
    d.w = take(&d);
    switch ((rs_mldsa_op_t)key->words[2]) {
    case RS_MLDSA_KEYGEN: keygen(&d); break;
    case RS_MLDSA_SET_UP:
    case RS_MLDSA_SET_UP_MU: set_up(&d, key->words[2] == RS_MLDSA_SET_UP_MU); break;
    case RS_MLDSA_COMMIT: commit(&d); break;
    case RS_MLDSA_RESPOND: respond(&d); break;
    case RS_MLDSA_SEAL: seal(&d); break;
    case RS_MLDSA_SIGN_SEALED: sign_sealed(&d); return rs_fields_fill(&d.b, design, length);
    default: recompute(&d, key->words[2] == RS_MLDSA_RECOMPUTE_MU); break;
    }
    return rs_fields_finish(&d.b, length);
}
