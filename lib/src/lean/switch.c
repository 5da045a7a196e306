// SPDX-License-Identifier: Apache-2.0
// Relinearisation and Galois keys. Row i of a key is an encryption of zero at key level whose limb i carries P s' (rlwe/keys.c), so it takes an
// encryption's memory: x is a block of NTT(e) or, on the row's own limb, of NTT(e + P s(X^g)), and y one of s R^2. In coefficients s(X^g) is a walk
// over the key that depends on g alone.
#include "lean/lean.h"

#include "sampling/seed.h"

enum { SPECIAL_BITS = 8, WORD_BYTES = 8 }; // the special prime is at least 2^-8 of the largest modulus

static rs_status_t describe(const rs_params_t *params, const rs_lean_keys_request_t *request, rs_wire_keys_t *layout) {
    RS_TRY(RS_CHECK_REQUEST(request));
    RS_TRY(rs_lean_check_format(request->format));
    if (!request->elements) return RS_ERR_NULL;
    const uint32_t limbs = params->limb_count;
    for (uint32_t i = 1; i < limbs; i++)
        if (params->moduli[i - 1] >> SPECIAL_BITS > params->moduli[limbs - 1]) return RS_ERR_NO_SPECIAL;
    if (limbs < 2) return RS_ERR_NO_SPECIAL;
    if (!request->count) return RS_ERR_GALOIS;
    return rs_wire_describe_keys(params, request->format ? rs_wire_version(request->format) : RS_WIRE_3_SEEDED,
                                 request->count != 1 || request->elements[0], request->elements, request->count, layout);
}

// ---- a range of the file ---------------------------------------------------------------------------------------------------
typedef struct keys {
    rs_lean_t *lean;
    const rs_lean_keys_request_t *request;
    const rs_wire_keys_t *layout;
    const uint8_t *master;
    rs_wire_range_t range;
    rs_wire_out_t writer;
    rs_switch_row_t row;
    rs_seed_t private_seed;
} keys_t;

static void skip(keys_t *k, uint64_t bytes) {
    k->writer.member_bytes += bytes;
    k->range.at += bytes;
}

// Whether nothing of the next bytes is wanted, but something behind them.
static int is_before(const keys_t *k, uint64_t bytes) { return k->range.at + bytes <= k->range.first; }

// ---- rows ------------------------------------------------------------------------------------------------------------------
// x = block of NTT(e), with P s(X^element) where P is not 0.
static void error_block(const rs_lean_t *lean, const keys_t *k, uint32_t block, uint32_t special, const rs_lean_mod_t *modulus) {
    const rs_lean_mod_t m = *modulus;
    const uint32_t n = rs_lean_n(lean), size = (uint32_t)1 << lean->log_block, factor = rs_lean_error_factor(lean, &m);
    const uint32_t w = rs_lean_block_root(lean, block, &m);
    const int8_t *e = (const int8_t *)lean->m;
    uint32_t step = k->row.element; // its inverse modulo 2N: 3 bits are right, and twice as many after each step
    for (unsigned i = 0; i < 3; i++) step *= 2 - k->row.element * step;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t sum = 0;
        for (uint32_t at = n + i; at >= size;) {
            at -= size;
            if (at < n - size) sum = rs_lean_mul(sum, w, &m);
            sum = rs_lean_csub(sum + rs_lean_lift(e[at], factor, &m), 2 * m.q);
            if (!special) continue;
            const uint32_t from = at * step; // which coefficient of s, where X^N is -1
            const uint32_t p = from & n ? m.q - special : special;
            sum = rs_lean_csub(sum + rs_lean_key_word(k->request->secret_key.p, from & (n - 1), p, m.q), 2 * m.q);
        }
        lean->x[i] = sum;
    }
    rs_lean_forward(lean, lean->x, block, &m);
}

static rs_status_t emit_limb(keys_t *k, uint32_t limb, rs_lean_uniform_t *a) {
    rs_lean_t *lean = k->lean;
    const rs_params_t *params = lean->params;
    const rs_lean_mod_t m = rs_lean_load_limb(lean, limb);
    a->limit = rs_lean_limit(m.q);
    if (is_before(k, WORD_BYTES << lean->log_n)) { // the words of a behind it depend on how many of these are replaced
        for (uint32_t i = 0; i < rs_lean_n(lean); i += a->count) rs_lean_uniform_next(lean, a);
        skip(k, WORD_BYTES << lean->log_n);
        return RS_OK;
    }
    const uint32_t special = rs_lean_mul_full((uint32_t)params->moduli[params->limb_count - 1], 1, &m); // P / R
    const uint32_t own = limb == k->row.index ? special : 0;
    const uint32_t source = k->row.element ? rs_lean_mul_full(own, m.square, &m) : 0;
    const uint32_t square = k->row.element ? 0 : rs_lean_mul_full(own, 1, &m);
    for (uint32_t block = 0; block < rs_lean_blocks(lean) && k->range.at < k->range.end; block++) {
        error_block(lean, k, block, source, &m);
        rs_lean_key_block(lean, lean->y, k->request->secret_key.p, m.square, block, &m);
        RS_TRY(rs_lean_emit_zero(lean, &k->writer, a, square, &m));
    }
    return RS_OK;
}

static rs_status_t emit_row(keys_t *k) {
    const uint64_t words_bytes = WORD_BYTES * k->layout->members.words;
    rs_seed_t public_seed;
    rs_lean_uniform_t a;
    RS_TRY(rs_wire_emit_nested(&k->writer, k->layout->row_bytes));
    RS_TRY(rs_wire_emit_members(&k->writer, &k->layout->members));
    RS_TRY(rs_switch_seeds(&k->private_seed, &public_seed, (const rs_seed_t *)k->master, 0, &k->row));
    if (is_before(k, words_bytes)) {
        skip(k, words_bytes);
    } else if (k->range.at < k->range.end) {
        rs_lean_cbd21(k->lean, (int8_t *)k->lean->m, &k->private_seed, RS_DOMAIN_E0);
        rs_lean_uniform_start(k->lean, &a, &public_seed, k->lean->params->limb_count);
        for (uint32_t limb = 0; limb < k->lean->params->limb_count && k->range.at < k->range.end; limb++)
            RS_TRY(emit_limb(k, limb, &a));
    }
    return k->range.at < k->range.end ? rs_wire_emit_seed(&k->writer, RS_SEED_SHAKE256, public_seed.bytes) : RS_OK;
}

// Entries without a row.
static rs_status_t emit_gap(keys_t *k, uint64_t count) {
    static const uint8_t NONE[16 * 8];
    for (uint64_t take; count && k->range.at < k->range.end; count -= take) {
        take = count < 16 ? count : 16;
        RS_TRY(rs_wire_emit(&k->writer, NONE, 8 * (size_t)take));
    }
    return RS_OK;
}

static rs_status_t emit_keys(keys_t *k) {
    const rs_lean_keys_request_t *request = k->request;
    const rs_sink_t sink = {rs_wire_range_write, NULL, &k->range};
    const uint32_t rows = k->lean->params->limb_count - 1;
    static const rs_wire_format_t USUAL = {0};
    uint64_t next = 0;
    RS_TRY(rs_wire_begin(&k->writer, &sink, request->format ? request->format : &USUAL,
                         k->layout->total_bytes - RS_WIRE_HEADER_BYTES));
    RS_TRY(rs_wire_emit(&k->writer, k->layout->members.parms_id, RS_PARMS_ID_BYTES));
    RS_TRY(rs_wire_emit_u64(&k->writer, k->layout->entries));
    for (uint32_t i = 0; i < request->count && k->range.at < k->range.end; i++) {
        k->row.element = request->elements[i];
        RS_TRY(emit_gap(k, k->row.element / 2 - next));
        next = k->row.element / 2 + 1;
        RS_TRY(rs_wire_emit_u64(&k->writer, rows));
        for (k->row.index = 0; k->row.index < rows && k->range.at < k->range.end; k->row.index++) {
            if (is_before(k, k->layout->row_bytes)) {
                skip(k, k->layout->row_bytes);
            } else {
                RS_TRY(emit_row(k));
            }
        }
    }
    RS_TRY(emit_gap(k, k->layout->entries - next));
    return k->range.end < k->layout->total_bytes ? RS_OK : rs_wire_finish(&k->writer);
}

static rs_status_t check(const rs_lean_t *lean, const rs_lean_keys_request_t *request, rs_wire_keys_t *layout) {
    RS_TRY(describe(lean->params, request, layout));
    if (!request->sink || !request->sink->write) return RS_ERR_NULL;
    RS_TRY(rs_lean_check_key(lean, request->secret_key));
    RS_TRY(rs_check_random(request->master, request->rng, RS_SEED_BYTES));
    if (request->rng && (request->first || request->bytes)) return RS_ERR_OPTION;
    const int fits = request->first < layout->total_bytes && request->bytes <= layout->total_bytes - request->first;
    return fits ? RS_OK : RS_ERR_LENGTH;
}

rs_status_t rs_lean_write_switch_keys(rs_lean_t *lean, const rs_lean_keys_request_t *request) {
    if (!lean) return RS_ERR_NULL;
    rs_wire_keys_t layout;
    rs_seed_t fresh;
    keys_t k = {.lean = lean, .request = request, .layout = &layout, .row = {.digit_primes = 1, .special_count = 1}};
    rs_status_t status = check(lean, request, &layout);
    if (status == RS_OK) status = rs_take_random(&k.master, fresh.bytes, request->master, request->rng, RS_SEED_BYTES);
    if (status == RS_OK) {
        k.range = (rs_wire_range_t){request->sink, 0, request->first,
                                    request->bytes ? request->first + request->bytes : layout.total_bytes};
        k.row.seed_type = RS_SEED_SHAKE256;
        memcpy(k.row.bound, layout.members.parms_id, RS_PARMS_ID_BYTES);
        rs_shake256(k.row.bound + RS_PARMS_ID_BYTES, RS_SEED_BYTES, request->secret_key.p, request->secret_key.n);
        status = emit_keys(&k);
        rs_zeroize(&fresh, sizeof fresh);
        rs_zeroize(&k, sizeof k);
    }
    rs_lean_clear(lean);
    return status;
}
