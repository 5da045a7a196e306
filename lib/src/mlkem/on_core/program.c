// SPDX-License-Identifier: Apache-2.0
// The programs of ML-KEM (FIPS 203). A polynomial is two slices of 128 words, of even and of odd coefficients; products modulo Y - gamma are three
// passes (docs/core.md, Slices). Instructions start in the order in which they stand here: those of units that would be idle stand before those
// that wait for a unit.
//
// Products are divided by R, so secrets that are multiplied carry it. Digests: 0, 1 results of G; 4 rho; 5 H(ek); 6 the secret of refusal; 7 H(ek)
// again, to be compared with that in the key.
#include "mlkem/on_core/on_core.h"

enum { D_K = 0, D_R = 1, D_RHO = 4, D_HASH = 5, D_REFUSED = 6, D_CHECK = 7, A_MAX = 4, HALVES = 2 };

// Behind a pointer.
typedef struct place {
    rs_pointer_t pointer;
    size_t at;
} place_t;

#define VAULT RS_FIELDS_VAULT

typedef struct kem {
    rs_builder_t b;
    const rs_mlkem_params_t *p;
    const rs_design_t *design;
    uint64_t ctx;
    uint32_t z, s, c, d, e, m; // groups; s: the vector that is multiplied; c + d z: sums of products
    uint32_t a[A_MAX];
    uint32_t columns; // groups of a
    int sealed;
    place_t ek, message, made; // made: the ciphertext
} kem_t;

static void emit(kem_t *k, uint64_t word) { rs_builder_emit(&k->b, word); }

// ---- instructions ----------------------------------------------------------------------------------------------------------
static rs_polys_t polys(uint32_t group, uint32_t first, uint32_t count) {
    return (rs_polys_t){group, RS_MLKEM_LOG_POLY, first, count, RS_POLYS_COEFFICIENTS};
}

// In the transform's form.
static rs_polys_t values(uint32_t group, uint32_t first, uint32_t count) {
    return (rs_polys_t){group, RS_MLKEM_LOG_POLY, first, count, RS_POLYS_HALVES};
}

// So many polynomials from the first one on, in halves.
static uint64_t halves(uint32_t count) { return RS_FIELD(LOG_SIZE, RS_MLKEM_LOG_HALF) | RS_FIELD(SLICES, HALVES * count - 1); }

static void transform(kem_t *k, uint64_t op, uint32_t group, uint32_t count) { emit(k, op | DST(group) | k->ctx | halves(count)); }

// Polynomials of dst and a from their places on.
static void sum(kem_t *k, uint64_t op, uint32_t dst, uint32_t to, uint32_t a, uint32_t from, uint32_t count) {
    emit(k, op | DST(dst) | A(a) | k->ctx | halves(count) | RS_FIELD(SLICE_DST, HALVES * to) | RS_FIELD(SLICE_A, HALVES * from));
}

static void times_radix(kem_t *k, uint32_t dst, uint32_t a, uint32_t count) {
    emit(k, OP(SCALE) | DST(dst) | A(a) | k->ctx | halves(count));
}

// c + d z is that, or with `onto` that and c: rows of `a`, from polynomial `at` on, times polynomial `of` of group s.
static void column(kem_t *k, uint32_t a, uint32_t at, uint32_t s, uint32_t of, uint32_t rows, int onto, int first) {
    const uint64_t common = A(a) | B(s) | k->ctx | halves(rows) | RS_FIELD(SLICE_A, HALVES * at) | RS_FIELD(B_MAP, RS_B_MAP_ONE);
    emit(k, (first && !onto ? OP(MUL) : OP(MAC)) | DST(k->c) | common | RS_FIELD(SLICE_B, HALVES * of));
    emit(k, (first ? OP(MUL) : OP(MAC)) | DST(k->d) | common | FLAG(A_XOR) | RS_FIELD(SLICE_B, HALVES * of + 1));
}

static void join(kem_t *k, uint32_t rows) {
    emit(k, OP(MAC) | DST(k->c) | A(k->d) | B(k->z) | k->ctx | halves(rows) | RS_FIELD(B_MAP, RS_B_MAP_PAIR));
}

static rs_draw_t noise(uint32_t eta) { return eta == RS_MLKEM_ETA2 ? RS_DRAW_CBD2 : RS_DRAW_CBD3; }

static void draw_noise(kem_t *k, uint32_t group, uint32_t count, uint32_t eta, uint32_t seed, uint32_t number) {
    emit(k, rs_word_draw(polys(group, 0, count), k->ctx, noise(eta), seed, 1, number));
}

// Column j of A, or of its transpose.
static void draw_column(kem_t *k, uint32_t j, uint32_t seed, int transpose) {
    const uint64_t word =
        rs_word_draw(values(k->a[j % k->columns], 0, k->p->k), k->ctx, RS_DRAW_PARSE_12, seed, 2, transpose ? j << 8 : j);
    emit(k, word | (transpose ? 0 : FLAG(STEP_HIGH)));
}

// All groups that are left are for columns.
static void take_columns(kem_t *k) {
    while (k->columns < A_MAX && k->b.free_count) k->a[k->columns++] = rs_builder_take(&k->b);
}

static rs_pointer_t constants(const kem_t *k) { return k->sealed ? VAULT : RS_POINTER_CONTEXTS; }

static void load_constants(kem_t *k) {
    for (uint32_t half = 0; half < HALVES; half++) {
        const size_t at = rs_mlkem_z_at(k->design) + half * rs_mlkem_half_bytes(k->design);
        emit(k, OP(LOAD) | DST(k->z) | k->ctx | RS_FIELD(POINTER, constants(k)) | OFFSET(at) | FLAG(NTT) |
                    RS_FIELD(WIDE, rs_design_residue_bytes(k->design) == 8) | RS_FIELD(LOG_SIZE, RS_MLKEM_LOG_HALF) |
                    RS_FIELD(SLICE_DST, half));
    }
}

static void start(kem_t *k) {
    k->ctx = rs_builder_context(&k->b, 0, OP(CONTEXT) | RS_FIELD(POINTER, constants(k)) | RS_FIELD(LOG_SIZE, RS_MLKEM_LOG_HALF));
}

// Zeros in the place of two digests that nobody may find.
static void wipe(kem_t *k, uint32_t digest) {
    emit(k, OP(LOADD) | DST(digest) | rs_near(constants(k), rs_mlkem_zeros_at(k->design)));
}

static place_t input(size_t at) { return (place_t){RS_POINTER_INPUT, at}; }

static void load_digests(kem_t *k, uint32_t dst, place_t from) { emit(k, OP(LOADD) | DST(dst) | rs_near(from.pointer, from.at)); }

static void store_digests(kem_t *k, uint32_t a, size_t at) { emit(k, OP(STORED) | A(a) | rs_near(RS_POINTER_INPUT, at)); }

static void grow(kem_t *k, uint32_t group, uint32_t count, uint32_t bits, place_t from) {
    emit(k, rs_word_loadf(polys(group, 0, count), k->ctx, RS_LOAD_GROW, bits, from.pointer, from.at));
}

static void shrink(kem_t *k, uint32_t group, uint32_t count, uint32_t bits, place_t to) {
    emit(k, rs_word_storef(polys(group, 0, count), k->ctx, RS_STORE_SHRINK, bits, to.pointer, to.at));
}

// A vector of a key. check: whether a coefficient that is not below 3329 is a fault.
static void load_values(kem_t *k, rs_polys_t to, place_t from, int check) {
    emit(k, rs_word_loadf(to, k->ctx, RS_LOAD_PLAIN, 12, from.pointer, from.at) | RS_FIELD(MARGIN, check));
}

static void store_values(kem_t *k, uint32_t group, uint32_t count, size_t at) {
    emit(k, rs_word_storef(values(group, 0, count), k->ctx, RS_STORE_PLAIN, 12, RS_POINTER_INPUT, at));
}

// s_j of the key.
static void store_polynomial(kem_t *k, uint32_t group, uint32_t j) {
    store_values(k, group, 1, RS_MLKEM_AT_DK + RS_MLKEM_POLY_BYTES * j);
}

// t_j, behind column j of A.
static void load_tail(kem_t *k, uint32_t j, int check) {
    const place_t from = {k->ek.pointer, k->ek.at + RS_MLKEM_POLY_BYTES * j};
    load_values(k, values(k->a[j % k->columns], k->p->k, 1), from, check);
}

static uint64_t hash_seed(void) {
    return rs_word_hash(D_K, RS_HASH_SHA3_512, 2, RS_POINTER_INPUT, RS_MLKEM_AT_SEED, RS_MLKEM_HASH_BYTES + 1);
}

// H(ek), rho from digest `rho` behind t.
static uint64_t hash_key(const kem_t *k, uint32_t dst, uint32_t rho) {
    return rs_word_hash(dst, RS_HASH_SHA3_256, 1, RS_POINTER_INPUT, rs_mlkem_ek_at(k->p), rs_mlkem_vector_bytes(k->p)) |
           rs_appended(rho);
}

// ---- programs --------------------------------------------------------------------------------------------------------------
// Algorithm 16, but for z. Each polynomial of s has a group of its own, so that its transform begins before the next one is drawn; it takes R when it is
// stored.
static void keygen(kem_t *k) {
    const uint32_t rank = k->p->k;
    const size_t ek = rs_mlkem_ek_at(k->p), rho = ek + rs_mlkem_vector_bytes(k->p);
    uint32_t s[RS_MLKEM_K_MAX] = {0}, stored = 0, drawn = 0;
    for (uint32_t j = 0; j < rank; j++) s[j] = rs_builder_take(&k->b);
    take_columns(k);
    emit(k, hash_seed());
    start(k);
    draw_noise(k, s[0], 1, k->p->eta1, D_R, 0);
    for (uint32_t j = 1; j < rank; j++) {
        draw_noise(k, s[j], 1, k->p->eta1, D_R, j);
        transform(k, OP(NTT), s[j - 1], 1);
        if (j > 1) store_polynomial(k, s[stored], stored);
        stored += j > 1;
    }
    draw_noise(k, k->c, rank, k->p->eta1, D_R, rank);
    transform(k, OP(NTT), s[rank - 1], 1);
    load_constants(k);
    draw_column(k, drawn++, D_K, 0);
    transform(k, OP(NTT), k->c, rank);
    for (; stored < rank; stored++) store_polynomial(k, s[stored], stored);
    while (drawn < rank && drawn < k->columns && drawn < 2) draw_column(k, drawn++, D_K, 0);
    for (uint32_t j = 0; j < rank; j++) times_radix(k, s[j], s[j], 1);
    for (uint32_t j = 0; j < rank; j++) {
        if (drawn < rank && drawn - j < k->columns) draw_column(k, drawn++, D_K, 0);
        column(k, k->a[j % k->columns], 0, s[j], 0, rank, 1, j == 0);
        if (drawn < rank && drawn == j + 1) draw_column(k, drawn++, D_K, 0);
    }
    join(k, rank);
    store_values(k, k->c, rank, ek);
    emit(k, hash_key(k, D_R, D_K)); // in the place of sigma: rho and H(ek) are one line of the key
    store_digests(k, D_K, rho);
}

static void load_message(kem_t *k) {
    const uint64_t word = rs_word_loadf(polys(k->m, 0, 1), k->ctx, RS_LOAD_GROW, 1, k->message.pointer, k->message.at);
    emit(k, word | RS_FIELD(SECRET, k->sealed));
}

// Algorithm 14: u and v of c = A^T s + e, with the message and digests K, r that are there. Columns of A below `ahead` are drawn.
static void put_encryption(kem_t *k, uint32_t ahead, int check) {
    const uint32_t rank = k->p->k, rows = rank + 1, window = k->columns < rank ? k->columns : rank;
    const place_t v = {k->made.pointer, k->made.at + (size_t)RS_MLKEM_N / 8 * k->p->du * rank};
    uint32_t drawn = ahead, loaded = 0; // columns of A; t_j behind them
    int has_noise = 0;
    draw_noise(k, k->s, rank, k->p->eta1, D_R, 0);
    load_message(k);
    transform(k, OP(NTT), k->s, rank);
    while (drawn < window && drawn < 2) draw_column(k, drawn++, D_RHO, 1);
    load_tail(k, loaded++, check);
    while (loaded < ahead && loaded < 3) load_tail(k, loaded++, check); // before s is transformed
    times_radix(k, k->s, k->s, rank);
    if (loaded < drawn) load_tail(k, loaded++, check);
    if (drawn < window) draw_column(k, drawn++, D_RHO, 1);
    for (uint32_t j = 0; j < rank; j++) {
        column(k, k->a[j % k->columns], 0, k->s, j, rows, 0, j == 0);
        while (loaded < drawn) load_tail(k, loaded++, check);
        if (drawn < rank) {
            draw_column(k, drawn++, D_RHO, 1);
        } else if (!has_noise) {
            draw_noise(k, k->e, rows, RS_MLKEM_ETA2, D_R, rank);
            has_noise = 1;
        }
    }
    join(k, rows);
    if (k->sealed) {
        emit(k, rs_word_hash(D_R, RS_HASH_SHA3_256, 1, RS_POINTER_INPUT, 0, 0)); // in the place of r, beside K: of nothing
    } else {
        store_digests(k, D_K, RS_MLKEM_AT_SHARED);
        wipe(k, D_K);
    }
    sum(k, OP(ADD), k->m, 0, k->e, rank, 1);
    transform(k, OP(INTT), k->c, rows);
    sum(k, OP(ADD), k->m, 0, k->c, rank, 1); // v apart from u: it is stored while u is added
    shrink(k, k->m, 1, k->p->dv, v);
    sum(k, OP(ADD), k->c, 0, k->e, 0, rank);
    shrink(k, k->c, rank, k->p->du, k->made);
}

// Algorithm 17. Every coefficient of ek is below 3329, or the fault is VALUE.
static void encaps(kem_t *k) {
    start(k);
    load_digests(k, D_RHO, input(rs_mlkem_ek_at(k->p) + rs_mlkem_vector_bytes(k->p)));
    emit(k, hash_key(k, D_HASH, D_RHO));
    emit(k, rs_word_hash(D_K, RS_HASH_SHA3_512, 2, RS_POINTER_INPUT, RS_MLKEM_AT_M, RS_MLKEM_RANDOM_BYTES) | rs_appended(D_HASH));
    load_constants(k);
    put_encryption(k, 0, 1);
}

// Algorithm 18 up to the comparison: K and r, the ciphertext made again, and the secret of refusal. from_seed: s is made of d. Hashes of memory
// wait until PACK is idle, and what PACK loads waits for them: so they stand where it has nothing to do.
static void decaps(kem_t *k, int from_seed) {
    const uint32_t rank = k->p->k;
    const size_t ek = rs_mlkem_ek_at(k->p), ct = (size_t)RS_MLKEM_N / 8 * (k->p->k * k->p->du + k->p->dv);
    const size_t v = RS_MLKEM_AT_CT + (size_t)RS_MLKEM_N / 8 * k->p->du * rank;
    const uint32_t u = k->e, window = k->columns < rank ? k->columns : rank;
    start(k);
    if (from_seed) emit(k, hash_seed());
    load_digests(k, D_RHO, input(ek + rs_mlkem_vector_bytes(k->p))); // with H(ek), which the key has behind it
    if (from_seed) {
        draw_noise(k, k->s, rank, k->p->eta1, D_R, 0);
        grow(k, u, rank, k->p->du, input(RS_MLKEM_AT_CT));
        transform(k, OP(NTT), k->s, rank);
        draw_column(k, 0, D_RHO, 1);
    } else {
        load_values(k, values(k->s, 0, rank), input(RS_MLKEM_AT_DK), 0);
        draw_column(k, 0, D_RHO, 1);
        grow(k, u, rank, k->p->du, input(RS_MLKEM_AT_CT));
    }
    times_radix(k, k->s, k->s, rank);
    if (window > 1) draw_column(k, 1, D_RHO, 1);
    grow(k, k->m, 1, k->p->dv, input(v));
    transform(k, OP(NTT), u, rank);
    load_constants(k);
    for (uint32_t j = 2; j < window; j++) draw_column(k, j, D_RHO, 1);
    emit(k, rs_word_hash(D_REFUSED, RS_HASH_SHAKE256, 1, RS_POINTER_INPUT, RS_MLKEM_AT_Z, RS_MLKEM_HASH_BYTES + ct));
    emit(k, hash_key(k, from_seed ? D_HASH : D_CHECK, D_RHO));
    for (uint32_t j = 0; j < rank; j++) column(k, u, j, k->s, j, 1, 0, j == 0);
    join(k, 1);
    transform(k, OP(INTT), k->c, 1);
    sum(k, OP(SUB), k->m, 0, k->c, 0, 1);
    shrink(k, k->m, 1, 1, input(RS_MLKEM_AT_M));
    emit(k, rs_word_hash(D_K, RS_HASH_SHA3_512, 2, RS_POINTER_INPUT, RS_MLKEM_AT_M, RS_MLKEM_RANDOM_BYTES) | rs_appended(D_HASH));
    put_encryption(k, window, 0);
    store_digests(k, D_REFUSED, RS_MLKEM_AT_SHARED + RS_MACHINE_LINE_BYTES);
    wipe(k, D_REFUSED);
}

// ---- of a sealed core ------------------------------------------------------------------------------------------------------
static void seal(kem_t *k) {
    start(k);
    rs_fields_seal(&k->b, k->ctx, k->c, RS_POINTER_CONTEXTS, rs_mlkem_image_at(k->design), D_K);
}

// Algorithm 18, whole. The ciphertext is copied into the vault and is what is decrypted, hashed and compared; K and r, the message and the
// ciphertext that is made again never leave. Digests: 0, 1 K and r; 2 the secret of refusal; 3 sigma, then H(c); 4, 5 rho, H(ek); 6, 7 d and z, then
// 6 the hash of what is made again.
enum { D_SEALED_REFUSED = 2, D_GIVEN = 3, D_ROOT = 6, D_Z = 7, D_MADE = 6, SLOT = 0 };

static void copy_ciphertext(kem_t *k, size_t bytes) {
    enum { BITS = 20, POLY_BYTES = BITS * RS_MLKEM_N / 8 };
    const rs_polys_t all = polys(k->m, 0, (uint32_t)((bytes + POLY_BYTES - 1) / POLY_BYTES));
    emit(k, rs_word_loadf(all, k->ctx, RS_LOAD_PLAIN, BITS, RS_POINTER_INPUT, RS_MLKEM_AT_CT));
    emit(k, rs_word_storef(all, k->ctx, RS_STORE_PLAIN, BITS, VAULT, RS_VAULT_AT_CT));
}

static void decaps_sealed(kem_t *k) {
    const uint32_t rank = k->p->k, u = k->e, window = k->columns < rank ? k->columns : rank;
    const size_t u_bytes = (size_t)RS_MLKEM_N / 8 * k->p->du * rank, ct = u_bytes + (size_t)RS_MLKEM_N / 8 * k->p->dv;
    const place_t vault_ct = {VAULT, RS_VAULT_AT_CT}, vault_v = {VAULT, RS_VAULT_AT_CT + u_bytes};
    emit(k, rs_word_key(D_ROOT, SLOT));
    start(k);
    load_digests(k, D_RHO, (place_t){VAULT, rs_mlkem_vault_rho_at(k->design, k->p)});
    emit(k, rs_word_hash_behind(2, RS_HASH_SHA3_512, 2, D_ROOT, VAULT, rs_mlkem_vault_rank_at(k->design, k->p), 1));
    draw_noise(k, k->s, rank, k->p->eta1, D_GIVEN, 0); // sigma
    copy_ciphertext(k, ct); // hashes of memory would wait for it
    transform(k, OP(NTT), k->s, rank);
    draw_column(k, 0, D_RHO, 1);
    grow(k, u, rank, k->p->du, vault_ct);
    if (window > 1) draw_column(k, 1, D_RHO, 1);
    grow(k, k->m, 1, k->p->dv, vault_v);
    times_radix(k, k->s, k->s, rank);
    transform(k, OP(NTT), u, rank);
    load_constants(k);
    for (uint32_t j = 2; j < window; j++) draw_column(k, j, D_RHO, 1);
    emit(k, rs_word_hash_behind(D_SEALED_REFUSED, RS_HASH_SHAKE256, 1, D_Z, VAULT, RS_VAULT_AT_CT, ct));
    emit(k, rs_word_hash(D_GIVEN, RS_HASH_SHA3_256, 1, VAULT, RS_VAULT_AT_CT, ct));
    for (uint32_t j = 0; j < rank; j++) column(k, u, j, k->s, j, 1, 0, j == 0);
    join(k, 1);
    transform(k, OP(INTT), k->c, 1);
    sum(k, OP(SUB), k->m, 0, k->c, 0, 1);
    shrink(k, k->m, 1, 1, k->message);
    emit(k, rs_word_hash(D_K, RS_HASH_SHA3_512, 2, VAULT, RS_VAULT_AT_M, RS_MLKEM_RANDOM_BYTES) | rs_appended(D_HASH));
    put_encryption(k, window, 0);
    emit(k, rs_word_hash(D_MADE, RS_HASH_SHA3_256, 1, VAULT, RS_VAULT_AT_MADE, ct));
    emit(k, rs_word_choice(D_K, D_GIVEN, D_MADE, D_SEALED_REFUSED));
    store_digests(k, D_K, RS_MLKEM_AT_SHARED);
    wipe(k, D_K);
    wipe(k, D_SEALED_REFUSED);
    wipe(k, D_ROOT);
}

// What stands in the key's part of memory is behind a pointer of its own: it may be the caller's array.
static void put_key_apart(uint64_t *words, size_t count) {
    const uint64_t from = RS_MLKEM_AT_DK / RS_ISA_LINE_BYTES;
    const uint64_t move = RS_FIELD(POINTER, RS_POINTER_INPUT) - RS_FIELD(POINTER, RS_POINTER_KEY) + RS_FIELD(NEAR, from);
    for (size_t i = 0; i < count; i++) {
        const int near = RS_GET_FIELD(POINTER, words[i]) == RS_POINTER_INPUT; // no other instruction has this pointer
        if (near && RS_GET_FIELD(NEAR, words[i]) >= from) words[i] -= move;
    }
}

rs_status_t rs_mlkem_program(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity,
                             size_t *length) {
    kem_t k = {.p = rs_mlkem_params((rs_mlkem_set_t)key->words[1]), .design = design};
    rs_builder_init(&k.b, design, RS_MLKEM_LOG_N, words, capacity);
    const rs_mlkem_op_t op = (rs_mlkem_op_t)key->words[2];
    uint32_t *const groups[] = {&k.z, &k.c, &k.d, &k.s, &k.e, &k.m};
    k.sealed = op == RS_MLKEM_DECAPS_SEALED;
    k.ek = k.sealed ? (place_t){VAULT, rs_mlkem_vault_ek_at(design)} : input(rs_mlkem_ek_at(k.p));
    k.message = k.sealed ? (place_t){VAULT, RS_VAULT_AT_M} : input(RS_MLKEM_AT_M);
    k.made = k.sealed ? (place_t){VAULT, RS_VAULT_AT_MADE} : input(RS_MLKEM_AT_MADE);
    const unsigned count = op == RS_MLKEM_KEYGEN ? 3 : sizeof groups / sizeof *groups;
    for (unsigned i = 0; i < count; i++) *groups[i] = rs_builder_take(&k.b);
    if (op != RS_MLKEM_KEYGEN) take_columns(&k);
    switch (op) {
    case RS_MLKEM_KEYGEN: keygen(&k); break;
    case RS_MLKEM_ENCAPS: encaps(&k); break;
    case RS_MLKEM_DECAPS:
    case RS_MLKEM_DECAPS_SEED: decaps(&k, op == RS_MLKEM_DECAPS_SEED); break;
    case RS_MLKEM_SEAL: seal(&k); break;
    case RS_MLKEM_DECAPS_SEALED: decaps_sealed(&k); return rs_fields_fill(&k.b, design, length);
    }
    RS_TRY(rs_fields_finish(&k.b, length));
    put_key_apart(words, *length);
    return RS_OK;
}
