// SPDX-License-Identifier: Apache-2.0
// What is inside a lean client: three polynomials in words of 32 bits, and arithmetic modulo one prime below 2^30.
#ifndef RINGSIDE_LEAN_INTERNAL_H
#define RINGSIDE_LEAN_INTERNAL_H

#include <ringside/golden/sample.h>
#include <ringside/lean.h>

#include "base/bytes.h"
#include "base/checks.h"
#include "hash/hash.h"
#include "seal/wire_internal.h"

enum {
    RS_LEAN_PIECE = 64, // words of a public key read at once
    RS_LEAN_LOG_BLOCK = 12, // a client for keys has blocks of so many words
    // magnitudes of message and noise: 2^30 + 21 in CKKS, below (t + 1) / 2 + 21 t in BGV and 22 t in BFV; with the offset, which is less than q more,
    // below 2^32
    RS_LEAN_LIFT_MAX = 22 << RS_LEAN_PLAIN_BITS,
};

// What m holds.
typedef enum rs_lean_stage {
    RS_LEAN_EMPTY = 0,
    RS_LEAN_ENCODED,
    RS_LEAN_DECRYPTED,
    RS_LEAN_SLOTS,
    RS_LEAN_COEFFICIENTS
} rs_lean_stage_t;

struct rs_lean {
    const rs_params_t *params;
    const rs_hash_t *hash; // the hash of the long streams
    uint32_t log_n;
    uint32_t log_block; // words of x and of y; below log_n in small memory
    uint32_t keys_only; // m holds bytes
    rs_lean_stage_t stage;
    uint32_t limb_count; // limbs of the message
    double scale;
    uint32_t roots[RS_LEAN_LIMBS_MAX]; // the smallest primitive 2N-th root of each limb
    uint32_t plain_root; // modulo t; 0: no slots
    uint64_t keccak[25];
    uint32_t *low, *high; // rs_lean_twiddle; 2^ceil(log_n / 2) words each
    uint32_t *x, *y; // a block each, one after the other
    int32_t *m; // N words or bytes, behind y
};

// ---- one modulus -------------------------------------------------------------------------------------------------------
// Montgomery's form with R = 2^32 (Montgomery 1985).
typedef struct rs_lean_mod {
    uint32_t q;
    uint32_t inverse; // q^-1 modulo 2^32
    uint32_t negative; // -q^-1
    uint32_t one; // R mod q
    uint32_t square; // R^2 mod q
    uint32_t offset; // a multiple of q that makes any integer down to -RS_LEAN_LIFT_MAX non-negative
} rs_lean_mod_t;

rs_lean_mod_t rs_lean_mod(uint32_t q);
// Smallest primitive 2N-th root of unity.
uint32_t rs_lean_root(uint32_t q, uint32_t log_n);
// a^-1 of any word that q does not divide.
uint32_t rs_lean_inverse(uint32_t a, const rs_lean_mod_t *m);

// x in [0, 2 bound) -> [0, bound), bound < 2^31.
static inline uint32_t rs_lean_csub(uint32_t x, uint32_t bound) {
    const uint32_t y = x - bound;
    return y + (bound & (0 - (y >> 31)));
}

// t / R mod q, below 2q, for t < q R.
static inline uint32_t rs_lean_reduce(uint64_t t, const rs_lean_mod_t *m) {
    const uint32_t k = (uint32_t)t * m->negative;
#ifdef __thumb2__
    // one instruction, for which GCC takes three, because it sees that the low half is not used
    uint32_t low = (uint32_t)t, high = (uint32_t)(t >> 32);
    __asm__("umlal %0, %1, %2, %3" : "+r"(low), "+r"(high) : "r"(k), "r"(m->q));
    return high;
#else
    return (uint32_t)((t + (uint64_t)k * m->q) >> 32);
#endif
}

// a b / R mod q, below 2q, for b < q.
static inline uint32_t rs_lean_mul(uint32_t a, uint32_t b, const rs_lean_mod_t *m) { return rs_lean_reduce((uint64_t)a * b, m); }

// The same, reduced.
static inline uint32_t rs_lean_mul_full(uint32_t a, uint32_t b, const rs_lean_mod_t *m) {
    return rs_lean_csub(rs_lean_mul(a, b, m), m->q);
}

// Below 4q -> reduced.
static inline uint32_t rs_lean_full(uint32_t x, uint32_t q) { return rs_lean_csub(rs_lean_csub(x, 2 * q), q); }

static inline uint32_t rs_lean_n(const rs_lean_t *lean) { return (uint32_t)1 << lean->log_n; }

static inline uint32_t rs_lean_blocks(const rs_lean_t *lean) { return (uint32_t)1 << (lean->log_n - lean->log_block); }

// The residue of an integer times a factor in Montgomery's form, below 2q.
static inline uint32_t rs_lean_lift(int32_t value, uint32_t factor, const rs_lean_mod_t *m) {
    return rs_lean_mul((uint32_t)value + m->offset, factor, m);
}

// ---- transforms (ring.c), in place ---------------------------------------------------------------------------------------
// Twiddles of a limb: psi^brv(i) is the product of one entry of each table.
rs_lean_mod_t rs_lean_load(rs_lean_t *lean, uint32_t q, uint32_t root);
static inline rs_lean_mod_t rs_lean_load_limb(rs_lean_t *lean, uint32_t limb) {
    return rs_lean_load(lean, (uint32_t)lean->params->moduli[limb], lean->roots[limb]);
}
// The order of rs_plan_forward. Words below 4q before and after. Words `block` N/B to (block + 1) N/B - 1 of it, where there are B blocks: x is then
// the polynomial modulo X^(N/B) - rs_lean_block_root.
void rs_lean_forward(const rs_lean_t *lean, uint32_t *x, uint32_t block, const rs_lean_mod_t *m);
uint32_t rs_lean_block_root(const rs_lean_t *lean, uint32_t block, const rs_lean_mod_t *m);
// The inverse times factor / R, factor below q. Words below 2q before, reduced after.
void rs_lean_backward(const rs_lean_t *lean, uint32_t *x, uint32_t factor, const rs_lean_mod_t *m);

// encode.c: the magnitudes of rs_fixed_root for W = 32, of an even block. For tests.
void rs_lean_encode_root(uint32_t stage, uint32_t block, uint32_t *re, uint32_t *im);

// ---- streams (stream.c) ------------------------------------------------------------------------------------------------
// Adds the samples of rs_sample_cbd21, times a factor, to N words.
void rs_lean_add_cbd21(rs_lean_t *lean, int32_t *to, const rs_seed_t *seed, rs_domain_t domain, int32_t factor);
// The samples as bytes.
void rs_lean_cbd21(rs_lean_t *lean, int8_t *to, const rs_seed_t *seed, rs_domain_t domain);
// Replaces N words by the samples of rs_sample_ternary, times a factor below q; -1 is q - factor.
void rs_lean_ternary(const rs_lean_t *lean, uint32_t *x, const rs_seed_t *seed, rs_domain_t domain, uint32_t q);

// The words of rs_uniform_next, a few at a time: before those are reduced, but after their rejection.
typedef struct rs_lean_uniform {
    const rs_seed_t *seed;
    uint64_t block;
    uint64_t spare; // number of the next word that replaces one
    uint64_t limit; // words from here on are replaced
    uint32_t left; // words of this block
    uint32_t count; // words in piece
    _Alignas(8) uint8_t piece[RS_SHAKE256_RATE_BYTES];
} rs_lean_uniform_t;
// The first word that rs_draw_uniform replaces for a modulus. Public.
uint64_t rs_lean_limit(uint32_t q);
void rs_lean_uniform_start(const rs_lean_t *lean, rs_lean_uniform_t *u, const rs_seed_t *seed, uint32_t limb_count);
// The next piece of at most 17 words, little-endian.
void rs_lean_uniform_next(rs_lean_t *lean, rs_lean_uniform_t *u);

// w / R mod q as any word of 32 bits: w is k q + R t for a k below R.
static inline uint32_t rs_lean_fold(uint64_t w, const rs_lean_mod_t *m) {
    const uint32_t k = (uint32_t)w * m->inverse;
    const uint32_t high = (uint32_t)(w >> 32);
    const uint32_t multiple = (uint32_t)((uint64_t)k * m->q >> 32);
    return high - multiple + (m->q & (0 - (uint32_t)(high < multiple)));
}

// ---- BFV and BGV (exact.c) -----------------------------------------------------------------------------------------------
static inline uint32_t rs_lean_t_of(const rs_lean_t *lean) {
    return (uint32_t)lean->params->plain_modulus; // 0 in CKKS
}
static inline int rs_lean_is_bfv(const rs_lean_t *lean) { return lean->params->scheme == RS_SCHEME_BFV; }
// What was put becomes w (exact/context.h), in place.
void rs_lean_spread(rs_lean_t *lean);
// t of BGV as a factor in Montgomery's form, 1 of the others: what errors are multiplied by.
static inline uint32_t rs_lean_error_factor(const rs_lean_t *lean, const rs_lean_mod_t *m) {
    return lean->params->scheme == RS_SCHEME_BGV ? rs_lean_mul_full(rs_lean_t_of(lean), m->square, m) : m->one;
}
// mu of a limb, in Montgomery's form.
uint32_t rs_lean_mu(const rs_lean_t *lean, const rs_lean_mod_t *m);
// Centred residues of the first limb to coefficients modulo t. factor: BGV's correction factor. RS_ERR_CORRECTION.
rs_status_t rs_lean_round(rs_lean_t *lean, uint64_t factor);
rs_status_t rs_lean_get(rs_lean_t *lean, void *values, const rs_fixed_layout_t *layout);

// ---- keys and checks (lean.c) --------------------------------------------------------------------------------------------
// A coefficient of the key times a factor below q.
static inline uint32_t rs_lean_key_word(const uint8_t *key, uint32_t i, uint32_t factor, uint32_t q) {
    const uint32_t pair = key[i / 4] >> 2 * (i % 4) & 3;
    const uint32_t one = pair >> 1, minus = ~(pair | one) & 1; // 2 is 1, and 0 is -1
    return (factor & (0 - one)) | ((q - factor) & (0 - minus));
}
// A block of the transform of the key times a factor below q.
void rs_lean_key_block(const rs_lean_t *lean, uint32_t *x, const uint8_t *key, uint32_t factor, uint32_t block,
                       const rs_lean_mod_t *m);
// Length and contents: RS_ERR_NULL, RS_ERR_BYTES, RS_ERR_SECRET_KEY.
rs_status_t rs_lean_check_key(const rs_lean_t *lean, rs_view_t key);
static inline rs_status_t rs_lean_check_format(const rs_wire_format_t *format) {
    return format && format->compression != RS_COMPRESSION_NONE ? RS_ERR_COMPRESSION : RS_OK;
}
// Begins the file of the secret key or of the message's ciphertext: everything up to the words. format may be NULL.
rs_status_t rs_lean_open(const rs_lean_t *lean, rs_wire_out_t *writer, const rs_sink_t *sink, const rs_wire_format_t *format,
                         uint32_t kind, uint32_t seeded);
// The members of a ciphertext or of a public key of these parameters, into reader->members.
rs_status_t rs_lean_take_members(const rs_lean_t *lean, rs_wire_in_t *reader, uint32_t kind);
// A block of x - a s + square s^2 R^2. x: below 4q; y: s R^2; a: the words that come.
rs_status_t rs_lean_emit_zero(rs_lean_t *lean, rs_wire_out_t *writer, rs_lean_uniform_t *a, uint32_t square,
                              const rs_lean_mod_t *m);
// The words of x, a block below 4q.
rs_status_t rs_lean_emit_words(const rs_lean_t *lean, rs_wire_out_t *writer, const rs_lean_mod_t *m);
// As rs_zeroize, by words: a memset of a small machine may go by bytes.
void rs_lean_wipe_words(uint32_t *words, size_t count);
// Wipes x, y, m and the state of Keccak.
void rs_lean_clear(rs_lean_t *lean);

#endif
