// SPDX-License-Identifier: Apache-2.0
// Encryption, limb after limb into a file. m holds message plus error as integers: they are the same for all limbs.
#include "lean/lean.h"

#include "sampling/seed.h"

// ---- secret key ----------------------------------------------------------------------------------------------------------
// y holds s R^2: the words of a come divided by R, and so does their product.
rs_status_t rs_lean_emit_zero(rs_lean_t *lean, rs_wire_out_t *writer, rs_lean_uniform_t *a, uint32_t square,
                              const rs_lean_mod_t *modulus) {
    const rs_lean_mod_t m = *modulus;
    a->limit = rs_lean_limit(m.q);
    for (uint32_t i = 0; i < (uint32_t)1 << lean->log_block;) {
        rs_lean_uniform_next(lean, a);
        for (uint32_t k = 0; k < a->count; k++, i++) {
            const uint32_t word = rs_lean_fold(rs_load64_aligned(a->piece + 8 * k), &m);
            const uint32_t s = rs_lean_full(lean->y[i], m.q), product = rs_lean_reduce((uint64_t)word * s, &m);
            uint32_t c0 = rs_lean_full(rs_lean_csub(lean->x[i], 2 * m.q) + 2 * m.q - product, m.q);
            if (square) c0 = rs_lean_csub(c0 + rs_lean_mul_full(rs_lean_mul(s, s, &m), square, &m), m.q);
            rs_store64_aligned(a->piece + 8 * k, c0);
        }
        RS_TRY(rs_wire_emit(writer, a->piece, 8 * a->count));
    }
    return RS_OK;
}

// The same in coefficient form, as BFV has it: a is transformed, and its product back.
static rs_status_t emit_secret_coefficients(rs_lean_t *lean, rs_wire_out_t *writer, rs_lean_uniform_t *a, const uint8_t *key,
                                            const rs_lean_mod_t *modulus) {
    const rs_lean_mod_t m = *modulus;
    const uint32_t n = rs_lean_n(lean), mu = rs_lean_mu(lean, &m);
    a->limit = rs_lean_limit(m.q);
    for (uint32_t i = 0; i < n;) {
        rs_lean_uniform_next(lean, a);
        for (uint32_t k = 0; k < a->count; k++, i++)
            lean->x[i] = rs_lean_mul(rs_lean_fold(rs_load64_aligned(a->piece + 8 * k), &m), m.square, &m);
    }
    rs_lean_forward(lean, lean->x, 0, &m);
    rs_lean_key_block(lean, lean->y, key, m.one, 0, &m);
    for (uint32_t i = 0; i < n; i++) lean->x[i] = rs_lean_mul(lean->x[i], rs_lean_full(lean->y[i], m.q), &m);
    rs_lean_backward(lean, lean->x, m.one, &m);
    for (uint32_t i = 0; i < n; i++) lean->x[i] = rs_lean_lift(lean->m[i], mu, &m) + m.q - lean->x[i];
    return rs_lean_emit_words(lean, writer, &m);
}

static rs_status_t encrypt_secret(rs_lean_t *lean, rs_wire_out_t *writer, const uint8_t *key, const rs_seed_t *private_seed,
                                  const rs_seed_t *public_seed) {
    rs_lean_uniform_t a;
    const int32_t factor = rs_lean_t_of(lean) ? -(int32_t)rs_lean_t_of(lean) : 1;
    rs_lean_add_cbd21(lean, lean->m, private_seed, RS_DOMAIN_E0, factor);
    rs_lean_uniform_start(lean, &a, public_seed, lean->limb_count);
    for (uint32_t limb = 0; limb < lean->limb_count; limb++) {
        const rs_lean_mod_t m = rs_lean_load_limb(lean, limb);
        if (rs_lean_is_bfv(lean)) {
            RS_TRY(emit_secret_coefficients(lean, writer, &a, key, &m));
            continue;
        }
        for (uint32_t i = 0; i < rs_lean_n(lean); i++) lean->x[i] = rs_lean_lift(lean->m[i], m.one, &m);
        rs_lean_forward(lean, lean->x, 0, &m);
        rs_lean_key_block(lean, lean->y, key, m.square, 0, &m);
        RS_TRY(rs_lean_emit_zero(lean, writer, &a, 0, &m));
    }
    return rs_wire_emit_seed(writer, RS_SEED_SHAKE256, public_seed->bytes);
}

// ---- public key ----------------------------------------------------------------------------------------------------------
// x = u pk modulo a limb's prime, coefficients, reduced.
static rs_status_t multiply_key(rs_lean_t *lean, const rs_lean_public_key_t *key, uint32_t poly, uint32_t limb,
                                const rs_seed_t *seed, const rs_lean_mod_t *m) {
    uint32_t words[RS_LEAN_PIECE];
    rs_lean_ternary(lean, lean->x, seed, RS_DOMAIN_U, m->q);
    rs_lean_forward(lean, lean->x, 0, m);
    for (uint32_t first = 0; first < rs_lean_n(lean); first += RS_LEAN_PIECE) {
        RS_TRY(key->read(key->state, poly, limb, first, RS_LEAN_PIECE, words));
        for (uint32_t i = 0; i < RS_LEAN_PIECE; i++) {
            if (words[i] >= m->q) return RS_ERR_RESIDUE;
            lean->x[first + i] = rs_lean_mul(lean->x[first + i], words[i], m);
        }
    }
    rs_lean_backward(lean, lean->x, m->square, m); // R for the product, R for the transform
    return RS_OK;
}

// y = e - d, d = centred(u pk + e) modulo the dropped prime: what a rounded ciphertext has instead of its error.
static void round_error(rs_lean_t *lean, uint32_t q) {
    const uint32_t half = q / 2;
    int32_t *y = (int32_t *)lean->y;
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) {
        const uint32_t d = rs_lean_csub(lean->x[i] + half + (uint32_t)y[i], q) - half;
        y[i] -= (int32_t)d;
    }
}

// c = NTT((u pk + factor y) / P + mu m), P = 1 in the direct form; of BFV that is not transformed.
static rs_status_t public_limb(rs_lean_t *lean, rs_wire_out_t *writer, const rs_lean_public_key_t *key, uint32_t poly,
                               uint32_t limb, uint32_t dropped, const rs_seed_t *seed) {
    const rs_lean_mod_t m = rs_lean_load_limb(lean, limb);
    const uint32_t inverse = dropped ? rs_lean_mul_full(rs_lean_inverse(dropped, &m), m.square, &m) : m.one; // R / P
    const uint32_t factor = rs_lean_error_factor(lean, &m), mu = rs_lean_mu(lean, &m);
    RS_TRY(multiply_key(lean, key, poly, limb, seed, &m));
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) {
        const uint32_t error = rs_lean_lift(((const int32_t *)lean->y)[i], factor, &m); // below 2q
        const uint32_t sum = rs_lean_mul(lean->x[i] + error, inverse, &m);
        lean->x[i] = poly ? sum : sum + rs_lean_lift(lean->m[i], mu, &m);
    }
    if (!rs_lean_is_bfv(lean)) rs_lean_forward(lean, lean->x, 0, &m);
    return rs_lean_emit_words(lean, writer, &m);
}

static rs_status_t encrypt_public(rs_lean_t *lean, rs_wire_out_t *writer, const rs_lean_public_key_t *key, int direct,
                                  const rs_seed_t *seed) {
    const uint32_t drop = lean->limb_count; // the prime that follows the message's last limb
    for (uint32_t poly = 0; poly < 2; poly++) {
        memset(lean->y, 0, sizeof *lean->y << lean->log_n);
        rs_lean_add_cbd21(lean, (int32_t *)lean->y, seed, poly ? RS_DOMAIN_E1 : RS_DOMAIN_E0, 1);
        if (!direct) {
            const rs_lean_mod_t m = rs_lean_load_limb(lean, drop);
            RS_TRY(multiply_key(lean, key, poly, drop, seed, &m));
            if (lean->params->scheme == RS_SCHEME_BGV) { // d is the remainder of t^-1 u pk + e
                const uint32_t inverse = rs_lean_mul_full(rs_lean_inverse(rs_lean_t_of(lean), &m), m.square, &m);
                for (uint32_t i = 0; i < rs_lean_n(lean); i++) lean->x[i] = rs_lean_mul_full(lean->x[i], inverse, &m);
            }
            round_error(lean, m.q);
        }
        const uint32_t dropped = direct ? 0 : (uint32_t)lean->params->moduli[drop];
        for (uint32_t limb = 0; limb < lean->limb_count; limb++) {
            RS_TRY(public_limb(lean, writer, key, poly, limb, dropped, seed));
        }
    }
    return RS_OK;
}

// ---- either --------------------------------------------------------------------------------------------------------------
static rs_status_t check(const rs_lean_t *lean, const rs_lean_encrypt_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    if (!request->sink || !request->sink->write || !request->rng || !request->rng->fill) return RS_ERR_NULL;
    RS_TRY(rs_lean_check_format(request->format));
    switch (request->kind) {
    case RS_ENCRYPT_SK: RS_TRY(rs_lean_check_key(lean, request->secret_key)); break;
    case RS_ENCRYPT_PK:
    case RS_ENCRYPT_PK_DIRECT:
        if (!request->public_key || !request->public_key->read) return RS_ERR_NULL;
        break;
    default: return RS_ERR_FORM;
    }
    return lean->stage == RS_LEAN_ENCODED || lean->stage >= RS_LEAN_SLOTS ? RS_OK : RS_ERR_SEQUENCE;
}

static rs_status_t encrypt(rs_lean_t *lean, const rs_lean_encrypt_request_t *request, rs_seed_t *private_seed) {
    const int secret = request->kind == RS_ENCRYPT_SK;
    const int direct = request->kind == RS_ENCRYPT_PK_DIRECT || lean->params->limb_count == 1;
    rs_seed_t public_seed;
    rs_wire_out_t writer;
    RS_TRY(secret ? rs_fresh_seeds(request->rng, private_seed, &public_seed) : rs_fresh_seed(request->rng, private_seed));
    if (rs_lean_t_of(lean)) rs_lean_spread(lean);
    RS_TRY(rs_lean_open(lean, &writer, request->sink, request->format, RS_WIRE_CIPHERTEXT, (uint32_t)secret));
    RS_TRY(secret ? encrypt_secret(lean, &writer, request->secret_key.p, private_seed, &public_seed)
                  : encrypt_public(lean, &writer, request->public_key, direct, private_seed));
    return rs_wire_finish(&writer);
}

rs_status_t rs_lean_encrypt(rs_lean_t *lean, const rs_lean_encrypt_request_t *request) {
    if (!lean) return RS_ERR_NULL;
    rs_seed_t private_seed;
    rs_status_t status = check(lean, request);
    if (status == RS_OK) {
        status = encrypt(lean, request, &private_seed);
        rs_zeroize(&private_seed, sizeof private_seed);
    }
    rs_lean_clear(lean);
    return status;
}

// ---- a public key in a file ----------------------------------------------------------------------------------------------
static rs_status_t read_file(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *words) {
    const rs_lean_key_file_t *file = state;
    const uint8_t *at = file->words + 8 * (((size_t)poly * file->limb_count + limb) * file->n + first);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t word = rs_load64(at + 8 * i);
        words[i] = word >> 32 ? UINT32_MAX : (uint32_t)word; // no residue either
    }
    return RS_OK;
}

static rs_status_t find_words(rs_wire_in_t *reader, rs_lean_key_file_t *state, const rs_lean_t *lean, rs_view_t file) {
    const rs_wire_members_t *members = &reader->members;
    const uint32_t limbs = lean->params->limb_count;
    RS_TRY(rs_lean_take_members(lean, reader, RS_WIRE_PUBLIC_KEY));
    if (members->limb_count != limbs) return RS_ERR_MISMATCH;
    if (members->seeded) return RS_ERR_SEEDED;
    if (members->scale != 1.0) return RS_ERR_SCALE;
    // the words end the file
    const uint64_t bytes = 8 * members->words, total = reader->info.total_bytes;
    if (total > file.n) return RS_ERR_TRUNCATED;
    if (total < bytes) return RS_ERR_LENGTH;
    *state = (rs_lean_key_file_t){file.p + (size_t)(total - bytes), rs_lean_n(lean), limbs};
    return RS_OK;
}

rs_status_t rs_lean_public_key_file(rs_lean_public_key_t *key, rs_lean_key_file_t *state, const rs_lean_t *lean, rs_view_t file) {
    if (!key || !state || !lean || !file.p) return RS_ERR_NULL;
    rs_memory_source_t memory;
    rs_source_t source;
    rs_wire_in_t reader;
    rs_source_from_memory(&source, &memory, file.p, file.n);
    rs_status_t status = rs_wire_in_open(&reader, &source, NULL);
    if (status == RS_OK) status = find_words(&reader, state, lean, file);
    rs_ignore(rs_wire_in_close(&reader, 0));
    if (status == RS_OK) *key = (rs_lean_public_key_t){read_file, state};
    return status;
}
