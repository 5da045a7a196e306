// SPDX-License-Identifier: Apache-2.0
// Decryption of a file's first limb, as it comes in: y holds c0, and then c0 + c1 s; x holds s R^2, as for encryption. Where the file has
// coefficients, as of BFV, x holds c1, and m s once the file has ended. There more limbs are switched to the first one as they come in
// (exact/decrypt.c): c q_0 / q is q_0 times the sum of word (q/q_i)^-1 / q_i, of which only the part below 1 counts. Its upper 32 bits are in
// y, then x, the lower ones in m.
#include "lean/lean.h"

#include "arith/modarith.h"

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

// Whether a BFV answer of many limbs is decrypted: what rounds c0 and c1 moves the message by at most t (1 + N) (1/2 + 2^-29) / q_0 of its step,
// certainly, by any key: 16 limbs' turns are 32 units of 2^-64 too small at most. That is to be at most 3/8.
static int switches(const rs_lean_t *lean, const rs_wire_members_t *members) {
    const uint64_t needed = 4 * (uint64_t)rs_lean_t_of(lean) * (rs_lean_n(lean) + 1) + 16;
    return !members->ntt && needed <= 3 * lean->params->moduli[0];
}

static rs_status_t check_level(const rs_lean_t *lean, const rs_wire_members_t *members) {
    if (members->limb_count > rs_params_data_limbs(lean->params)) return RS_ERR_LEVEL;
    if (rs_lean_t_of(lean)) { // rounding and centring are of the whole modulus
        const int fits = members->limb_count == 1 || switches(lean, members);
        if (!fits || rs_lean_t_of(lean) >= lean->params->moduli[0]) return RS_ERR_LEVEL;
        return members->scale == 1.0 ? RS_OK : RS_ERR_SCALE;
    }
    const uint32_t bits = rs_params_total_bits(lean->params, (uint32_t)members->limb_count);
    return rs_wire_scale_ok(members->scale, bits) ? RS_OK : RS_ERR_SCALE;
}

typedef struct words {
    rs_lean_mod_t m; // this limb's
    uint32_t limb_count;
    int is_second; // words of c1
    int switched;
    uint64_t turn; // (q/q_i)^-1 / q_i, its first 64 bits
    uint32_t next; // and the next 32
} words_t;

static void begin_limb(const rs_lean_t *lean, words_t *w, uint32_t limb) {
    const rs_lean_mod_t m = w->m = rs_lean_mod((uint32_t)lean->params->moduli[limb]);
    uint32_t product = m.one;
    for (uint32_t i = 0; i < w->limb_count; i++) {
        const uint32_t factor = (uint32_t)(lean->params->moduli[i] % m.q);
        if (i != limb) product = rs_lean_mul_full(product, rs_lean_mul_full(factor, m.square, &m), &m);
    }
    uint64_t rest = rs_lean_inverse(rs_lean_mul_full(product, 1, &m), &m);
    uint32_t digits[3];
    for (unsigned k = 0; k < 3; k++) {
        digits[k] = (uint32_t)((rest << 32) / m.q);
        rest = (rest << 32) % m.q;
    }
    w->turn = (uint64_t)digits[0] << 32 | digits[1];
    w->next = digits[2];
}

// y = word, or y + word s; of coefficients x = word. Switched: the turn is added.
static void put_word(rs_lean_t *lean, uint32_t limb, uint32_t i, uint64_t word, const words_t *w) {
    const rs_lean_mod_t *m = &w->m;
    uint32_t *out = w->is_second ? lean->x : lean->y;
    if (w->switched) {
        const uint64_t turns = limb ? (uint64_t)out[i] << 32 | (uint32_t)lean->m[i] : 0;
        const uint64_t sum = turns + word * w->turn + (word * w->next >> 32);
        out[i] = (uint32_t)(sum >> 32);
        lean->m[i] = (int32_t)(uint32_t)sum;
        return;
    }
    if (limb) return; // it was only checked
    const uint32_t folded = rs_lean_fold(word, m);
    if (!w->is_second || lean->stage == RS_LEAN_COEFFICIENTS) {
        out[i] = rs_lean_csub(rs_lean_reduce((uint64_t)folded * m->square, m), m->q);
        return;
    }
    const uint32_t product = rs_lean_csub(rs_lean_reduce((uint64_t)folded * rs_lean_full(lean->x[i], m->q), m), m->q);
    lean->y[i] = rs_lean_csub(lean->y[i] + product, m->q);
}

// round(q_0 turns) modulo q_0
static void settle(rs_lean_t *lean, const words_t *w) {
    const uint32_t q = (uint32_t)lean->params->moduli[0];
    uint32_t *out = w->is_second ? lean->x : lean->y;
    for (uint32_t i = 0; i < rs_lean_n(lean) && w->switched; i++) {
        const uint64_t turns = (uint64_t)out[i] << 32 | (uint32_t)lean->m[i];
        out[i] = rs_lean_csub((uint32_t)((rs_mulhi(turns, 2 * q) + 1) >> 1), q);
    }
}

static rs_status_t take_poly(rs_lean_t *lean, rs_wire_in_t *reader, words_t *w) {
    _Alignas(8) uint8_t bytes[128];
    for (uint32_t limb = 0; limb < w->limb_count; limb++) {
        begin_limb(lean, w, limb);
        for (uint32_t i = 0; i < rs_lean_n(lean); i += sizeof bytes / 8) {
            RS_TRY(rs_wire_take(reader, bytes, sizeof bytes));
            for (uint32_t k = 0; k < sizeof bytes / 8; k++) {
                const uint64_t word = rs_load64_aligned(bytes + 8 * k);
                if (word >= w->m.q) return RS_ERR_RESIDUE;
                put_word(lean, limb, i + k, word, w);
            }
        }
    }
    settle(lean, w);
    return RS_OK;
}

// c1 of a seed, all limbs, in the words' order.
static rs_status_t expand_switched(rs_lean_t *lean, const rs_seed_t *seed, words_t *w) {
    rs_lean_uniform_t a;
    rs_lean_uniform_start(lean, &a, seed, w->limb_count);
    for (uint32_t limb = 0; limb < w->limb_count; limb++) {
        begin_limb(lean, w, limb);
        a.limit = rs_lean_limit(w->m.q);
        for (uint32_t i = 0; i < rs_lean_n(lean);) {
            rs_lean_uniform_next(lean, &a);
            for (uint32_t k = 0; k < a.count; k++, i++) {
                const uint32_t folded = rs_lean_fold(rs_load64_aligned(a.piece + 8 * k), &w->m);
                put_word(lean, limb, i, rs_lean_mul_full(folded, w->m.square, &w->m), w);
            }
        }
    }
    settle(lean, w);
    return RS_OK;
}

// Its first limb: in m, a block at a time, by either generator.
static rs_status_t expand(rs_lean_t *lean, rs_seed_type_t type, const rs_seed_t *seed, words_t *w) {
    enum { BLOCK_WORDS = RS_SEED_BLOCK_BYTES / 8 };
    if (w->switched) return type == RS_SEED_SHAKE256 ? expand_switched(lean, seed, w) : RS_ERR_SEEDED; // no room for its blocks
    begin_limb(lean, w, 0);
    const uint64_t limit = rs_lean_limit(w->m.q);
    uint8_t *bytes = (uint8_t *)lean->m, *spare = bytes + RS_SEED_BLOCK_BYTES;
    uint64_t next = (uint64_t)w->limb_count << lean->log_n;
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
        put_word(lean, 0, i, word, w);
    }
    return RS_OK;
}

// y = y + x s, all coefficients.
static void add_product(rs_lean_t *lean, const uint8_t *key, const rs_lean_mod_t *m) {
    uint32_t *s = (uint32_t *)lean->m;
    const uint32_t n = rs_lean_n(lean);
    rs_lean_key_block(lean, s, key, m->one, 0, m);
    rs_lean_forward(lean, lean->x, 0, m);
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
    words_t words = {.limb_count = limb_count, .switched = rs_lean_is_bfv(lean) && limb_count > 1};
    lean->stage = coefficients ? RS_LEAN_COEFFICIENTS : RS_LEAN_EMPTY;
    if (!coefficients) {
        rs_lean_key_block(lean, lean->x, key, m.square, 0, &m);
    }
    RS_TRY(take_poly(lean, reader, &words));
    words.is_second = 1;
    if (reader->members.seeded) {
        uint8_t type = 0;
        rs_seed_t seed;
        RS_TRY(rs_wire_take_seed(reader, &type, seed.bytes));
        RS_TRY(expand(lean, (rs_seed_type_t)type, &seed, &words));
    } else {
        RS_TRY(take_poly(lean, reader, &words));
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
    if (lean->keys_only) return RS_ERR_TOO_SMALL;
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
