// SPDX-License-Identifier: Apache-2.0
// The programs of NewHope-1024. Instructions start in the order in which they stand here.
//
// Messages are in the order of exponents, a core's values in bit-reversed order (docs/core.md, Order of coefficients), and no instruction reverses bits. So the
// core transforms the other way round. With the root psi^-1 in its context INTT makes  N^-1 psi^i sum_k x_k omega^(ik)  of position k, omega = psi^2, in
// natural order. That is x(psi^(2i+1)) but for constants: two products with a table, TWIST before and UNTWIST after it. NTT makes  sum_i y_i psi^-i omega^(-ik)
// of natural order at position k: the inverse, with TWIST_BACK and UNTWIST_BACK. So noise comes and v goes in the form of values, messages in that of
// coefficients: for the core these words say where positions lie, no more. Value k of a stream of noise is position brv(k), so coefficient brv(k).
//
// A product with s is made before UNTWIST: the sum a s + e takes it once, and u s, whose NTT wants N^-1 psi^i, then takes no TWIST_BACK.
// Products are divided by R, so the tables carry it, and s takes it. Digests: 0 the seed of noise, 1 that of a, 2 the coins.
#include "papers/newhope/on_core/on_core.h"

enum { D_NOISE = 0, D_A = 1, D_COINS = 2 };

typedef struct hope {
    rs_builder_t b;
    const rs_design_t *design;
    uint64_t ctx;
    rs_draw_t parse;
    uint32_t s, e, t, a, twist, untwist; // groups
} hope_t;

static void emit(hope_t *h, uint64_t word) { rs_builder_emit(&h->b, word); }

static rs_polys_t poly(uint32_t group, rs_polys_form_t form) { return (rs_polys_t){group, RS_NEWHOPE_LOG_N, 0, 1, form}; }

static void start(hope_t *h) { h->ctx = rs_builder_context(&h->b, 0, OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS)); }

static void load_table(hope_t *h, uint32_t group, rs_newhope_table_t table) {
    const int values = table == RS_NEWHOPE_TWIST || table == RS_NEWHOPE_UNTWIST_BACK;
    emit(h, OP(LOAD) | DST(group) | h->ctx | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) |
                OFFSET(rs_newhope_table_at(h->design, table)) | RS_FIELD(NTT, values));
}

static void draw_noise(hope_t *h, uint32_t group, rs_newhope_noise_t number) {
    emit(h, rs_word_draw(poly(group, RS_POLYS_NTT), h->ctx, RS_DRAW_PSI16, D_NOISE, 1, (uint32_t)number));
}

static void draw_a(hope_t *h) { emit(h, rs_word_draw(poly(h->a, RS_POLYS_COEFFICIENTS), h->ctx, h->parse, D_A, 0, 0)); }

static void load_packed(hope_t *h, uint32_t group, size_t at) {
    emit(h, rs_word_loadf(poly(group, RS_POLYS_COEFFICIENTS), h->ctx, RS_LOAD_PLAIN, 14, RS_POINTER_INPUT, at));
}

static void store_packed(hope_t *h, uint32_t group, size_t at) {
    emit(h, rs_word_storef(poly(group, RS_POLYS_COEFFICIENTS), h->ctx, RS_STORE_PLAIN, 14, RS_POINTER_INPUT, at));
}

static void store_v(hope_t *h, uint32_t group) {
    emit(h, OP(STORE) | A(group) | h->ctx | RS_FIELD(POINTER, RS_POINTER_INPUT) | OFFSET(RS_NEWHOPE_AT_V) | FLAG(NTT));
}

static void multiply(hope_t *h, uint64_t op, uint32_t dst, uint32_t a, uint32_t b) {
    emit(h, op | DST(dst) | A(a) | B(b) | h->ctx);
}

static void transform(hope_t *h, uint64_t op, uint32_t group) { emit(h, op | DST(group) | h->ctx); }

// Zeros in the place of two digests.
static void wipe(hope_t *h, uint32_t digest) {
    emit(h, OP(LOADD) | DST(digest) | rs_near(RS_POINTER_CONTEXTS, rs_newhope_zeros_at(h->design)));
}

// s and e, transformed but for UNTWIST, t = R s, and a; what stands between is for units that would be idle.
static void draw_all(hope_t *h, int client) {
    emit(h, OP(LOADD) | DST(D_NOISE) | rs_near(RS_POINTER_INPUT, RS_NEWHOPE_AT_SEEDS));
    start(h);
    draw_noise(h, h->s, RS_NEWHOPE_NOISE_SECRET);
    load_table(h, h->twist, RS_NEWHOPE_TWIST);
    draw_noise(h, h->e, RS_NEWHOPE_NOISE_ERROR);
    multiply(h, OP(MUL), h->s, h->s, h->twist);
    transform(h, OP(INTT), h->s);
    load_table(h, h->untwist, RS_NEWHOPE_UNTWIST);
    draw_a(h);
    multiply(h, OP(MUL), h->e, h->e, h->twist);
    if (client) {
        emit(h, rs_word_hash(D_COINS, RS_HASH_SHAKE256, 1, RS_POINTER_INPUT, RS_NEWHOPE_AT_COINS, RS_NEWHOPE_SEED_BYTES + 1));
        load_packed(h, h->t, RS_NEWHOPE_AT_THEIRS);
    }
    transform(h, OP(INTT), h->e);
}

static void server(hope_t *h) {
    draw_all(h, 0);
    wipe(h, D_NOISE);
    emit(h, OP(SCALE) | DST(h->t) | A(h->s) | h->ctx);
    multiply(h, OP(MUL), h->s, h->s, h->untwist);
    multiply(h, OP(MAC), h->e, h->a, h->t);
    store_packed(h, h->s, RS_NEWHOPE_AT_SECRET);
    multiply(h, OP(MUL), h->e, h->e, h->untwist);
    store_packed(h, h->e, RS_NEWHOPE_AT_MADE);
}

static void client(hope_t *h) {
    draw_all(h, 1);
    emit(h, OP(STORED) | A(D_COINS) | rs_near(RS_POINTER_INPUT, RS_NEWHOPE_AT_COINS));
    draw_noise(h, h->twist, RS_NEWHOPE_NOISE_SECOND_ERROR);
    emit(h, OP(SCALE) | DST(h->s) | A(h->s) | h->ctx);
    multiply(h, OP(MUL), h->t, h->t, h->s);
    transform(h, OP(NTT), h->t);
    wipe(h, D_NOISE);
    wipe(h, D_COINS);
    multiply(h, OP(MAC), h->e, h->a, h->s);
    multiply(h, OP(MUL), h->e, h->e, h->untwist);
    load_table(h, h->a, RS_NEWHOPE_UNTWIST_BACK);
    store_packed(h, h->e, RS_NEWHOPE_AT_MADE);
    multiply(h, OP(MAC), h->twist, h->t, h->a);
    store_v(h, h->twist);
}

static void finish(hope_t *h) {
    start(h);
    load_packed(h, h->t, RS_NEWHOPE_AT_THEIRS);
    load_packed(h, h->s, RS_NEWHOPE_AT_SECRET);
    load_table(h, h->twist, RS_NEWHOPE_TWIST_BACK);
    multiply(h, OP(MUL), h->t, h->t, h->s);
    multiply(h, OP(MUL), h->t, h->t, h->twist);
    transform(h, OP(NTT), h->t);
    load_table(h, h->untwist, RS_NEWHOPE_UNTWIST_BACK);
    multiply(h, OP(MUL), h->t, h->t, h->untwist);
    store_v(h, h->t);
}

rs_status_t rs_newhope_program(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity,
                               size_t *length) {
    hope_t h = {.design = design};
    h.parse = key->words[1] == RS_NEWHOPE_PARSE_USENIX ? RS_DRAW_PARSE_14 : RS_DRAW_PARSE_16;
    rs_builder_init(&h.b, design, RS_NEWHOPE_LOG_N, words, capacity);
    uint32_t *const groups[] = {&h.s, &h.e, &h.t, &h.a, &h.twist, &h.untwist};
    for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) *groups[i] = rs_builder_take(&h.b);
    switch ((rs_newhope_op_t)key->words[2]) {
    case RS_NEWHOPE_SERVER: server(&h); break;
    case RS_NEWHOPE_CLIENT: client(&h); break;
    case RS_NEWHOPE_FINISH: finish(&h); break;
    }
    return rs_fields_finish(&h.b, length);
}
