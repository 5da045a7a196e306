// SPDX-License-Identifier: Apache-2.0
// Decryption of a file's first limb, as it comes in: y holds c0, and then c0 + c1 s; x holds s R^2, as for encryption. Where the file has
// coefficients, as of BFV, x holds c1, and m s once the file has ended.
#include "lean/lean.h"

rs_status_t rs_lean_take_members(const rs_lean_t *lean, rs_wire_in_t *reader, uint32_t kind) {
    uint8_t id[RS_PARMS_ID_BYTES];
    rs_wire_members_t *members = &reader->members;
    RS_TRY(rs_wire_reader_start(reader, kind));
    if (reader->info.compression != RS_COMPRESSION_NONE) return RS_ERR_COMPRESSION;
    RS_TRY(rs_wire_take_members(reader, kind, members));
    if (members->limb_count > lean->params->limb_count) return RS_ERR_MISMATCH;
    RS_TRY(rs_params_id(lean->params, (uint32_t)members->limb_count, id));
    if (memcmp(id, members->parms_id, sizeof id) != 0 || members->n != rs_lean_n(lean)) return RS_ERR_MISMATCH;
    if (!members->ntt && (kind != RS_WIRE_CIPHERTEXT || !rs_lean_is_bfv(lean))) return RS_ERR_NOT_NTT;
    if (members->correction != 1 && lean->params->scheme != RS_SCHEME_BGV) return RS_ERR_CORRECTION;
    return members->poly_count == 2 ? RS_OK : RS_ERR_POLY_COUNT;
}

static rs_status_t check_level(const rs_lean_t *lean, const rs_wire_members_t *members) {
    if (members->limb_count > rs_params_data_limbs(lean->params)) return RS_ERR_LEVEL;
    if (rs_lean_t_of(lean)) { // rounding and centring are of the whole modulus
        if (members->limb_count != 1 || rs_lean_t_of(lean) >= lean->params->moduli[0]) return RS_ERR_LEVEL;
        return members->scale == 1.0 ? RS_OK : RS_ERR_SCALE;
    }
    const uint32_t bits = rs_params_total_bits(lean->params, (uint32_t)members->limb_count);
    return rs_wire_scale_ok(members->scale, bits) ? RS_OK : RS_ERR_SCALE;
}

// y = word, or y + word s; of coefficients x = word.
static void put_word(rs_lean_t *lean, uint32_t i, uint64_t word, int add, const rs_lean_mod_t *m) {
    const uint32_t folded = rs_lean_fold(word, m);
    if (!add || lean->stage == RS_LEAN_COEFFICIENTS) {
        (add ? lean->x : lean->y)[i] = rs_lean_csub(rs_lean_reduce((uint64_t)folded * m->square, m), m->q);
        return;
    }
    const uint32_t product = rs_lean_csub(rs_lean_reduce((uint64_t)folded * rs_lean_full(lean->x[i], m->q), m), m->q);
    lean->y[i] = rs_lean_csub(lean->y[i] + product, m->q);
}

// All limbs of a polynomial: the first one is used, the others are only checked.
static rs_status_t take_poly(rs_lean_t *lean, rs_wire_in_t *reader, uint32_t limb_count, int add, const rs_lean_mod_t *m) {
    _Alignas(8) uint8_t bytes[128];
    for (uint32_t limb = 0; limb < limb_count; limb++) {
        const uint64_t q = lean->params->moduli[limb];
        for (uint32_t i = 0; i < rs_lean_n(lean); i += sizeof bytes / 8) {
            RS_TRY(rs_wire_take(reader, bytes, sizeof bytes));
            for (uint32_t k = 0; k < sizeof bytes / 8; k++) {
                const uint64_t word = rs_load64_aligned(bytes + 8 * k);
                if (word >= q) return RS_ERR_RESIDUE;
                if (!limb) put_word(lean, i + k, word, add, m);
            }
        }
    }
    return RS_OK;
}

// c1 of a seed: in m, a block at a time, by either generator.
static rs_status_t expand(rs_lean_t *lean, rs_seed_type_t type, const rs_seed_t *seed, uint32_t limb_count,
                          const rs_lean_mod_t *m) {
    enum { BLOCK_WORDS = RS_SEED_BLOCK_BYTES / 8 };
    const uint64_t limit = rs_lean_limit(m->q);
    uint8_t *bytes = (uint8_t *)lean->m, *spare = bytes + RS_SEED_BLOCK_BYTES;
    uint64_t next = (uint64_t)limb_count << lean->log_n;
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) {
        if (i % BLOCK_WORDS == 0) RS_TRY(rs_seed_block(bytes, type, seed, i / BLOCK_WORDS));
        uint64_t word = rs_load64_aligned(bytes + 8 * (i % BLOCK_WORDS));
        while (word >= limit) { // once in 2^34 words
            uint8_t *block = rs_lean_n(lean) > BLOCK_WORDS * 2 ? spare : bytes;
            RS_TRY(rs_seed_block(block, type, seed, next / BLOCK_WORDS));
            word = rs_load64_aligned(block + 8 * (next % BLOCK_WORDS));
            next++;
            if (block == bytes) RS_TRY(rs_seed_block(bytes, type, seed, i / BLOCK_WORDS));
        }
        put_word(lean, i, word, 1, m);
    }
    return RS_OK;
}

// y = y + x s, all coefficients.
static void add_product(rs_lean_t *lean, const uint8_t *key, const rs_lean_mod_t *m) {
    uint32_t *s = (uint32_t *)lean->m;
    const uint32_t n = rs_lean_n(lean);
    rs_lean_unpack(lean, s, key, m->one, m->q);
    rs_lean_forward(lean, s, m);
    rs_lean_forward(lean, lean->x, m);
    for (uint32_t i = 0; i < n; i++) lean->x[i] = rs_lean_mul(lean->x[i], rs_lean_full(s[i], m->q), m);
    rs_lean_backward(lean, lean->x, m->one, m);
    for (uint32_t i = 0; i < n; i++) lean->y[i] = rs_lean_csub(lean->y[i] + lean->x[i], m->q);
}

static rs_status_t decrypt(rs_lean_t *lean, const uint8_t *key, rs_wire_in_t *reader) {
    RS_TRY(rs_lean_take_members(lean, reader, RS_WIRE_CIPHERTEXT));
    RS_TRY(check_level(lean, &reader->members));
    const uint32_t limb_count = (uint32_t)reader->members.limb_count, n = rs_lean_n(lean);
    const rs_lean_mod_t m = rs_lean_load_limb(lean, 0);
    const int coefficients = !reader->members.ntt;
    lean->stage = coefficients ? RS_LEAN_COEFFICIENTS : RS_LEAN_EMPTY;
    if (!coefficients) {
        rs_lean_unpack(lean, lean->x, key, m.square, m.q);
        rs_lean_forward(lean, lean->x, &m);
    }
    RS_TRY(take_poly(lean, reader, limb_count, 0, &m));
    if (reader->members.seeded) {
        uint8_t type = 0;
        rs_seed_t seed;
        RS_TRY(rs_wire_take_seed(reader, &type, seed.bytes));
        RS_TRY(expand(lean, (rs_seed_type_t)type, &seed, limb_count, &m));
    } else {
        RS_TRY(take_poly(lean, reader, limb_count, 1, &m));
    }
    if (coefficients) {
        add_product(lean, key, &m);
    } else {
        rs_lean_backward(lean, lean->y, m.one, &m);
    }
    const uint32_t half = m.q / 2;
    for (uint32_t i = 0; i < n; i++) lean->m[i] = (int32_t)(rs_lean_csub(lean->y[i] + half, m.q) - half);
    if (rs_lean_t_of(lean)) RS_TRY(rs_lean_round(lean, reader->members.correction));
    lean->limb_count = limb_count;
    lean->scale = reader->members.scale;
    rs_wire_reader_done(reader);
    return RS_OK;
}

rs_status_t rs_lean_decrypt(rs_lean_t *lean, rs_view_t key, const rs_source_t *source) {
    if (!lean || !source) return RS_ERR_NULL;
    rs_wire_in_t reader;
    rs_lean_clear(lean);
    RS_TRY(rs_lean_check_key(lean, key));
    rs_status_t status = rs_wire_in_open(&reader, source, NULL);
    if (status == RS_OK) status = decrypt(lean, key.p, &reader);
    const rs_status_t closed = rs_wire_in_close(&reader, status == RS_OK);
    if (status == RS_OK) status = closed;
    if (status != RS_OK) {
        rs_lean_clear(lean);
        return status;
    }
    rs_lean_wipe_words(lean->x, (size_t)2 << lean->log_n);
    lean->stage = RS_LEAN_DECRYPTED;
    return RS_OK;
}
