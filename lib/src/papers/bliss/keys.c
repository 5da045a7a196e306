// SPDX-License-Identifier: Apache-2.0
// Pairs of keys (the paper's algorithm 1, without the restart for long products, which BLISS-B does not need).
#include <string.h>

#include "arith/plan.h"
#include "base/bytes.h"
#include "base/checks.h"
#include "base/declassify.h"
#include "papers/bliss/work.h"
#include "sampling/seed.h"

enum { N = RS_BLISS_N, ATTEMPTS_MAX = 64, DIGITS = 3 };

// Puts the smaller one first.
static inline void order_pair(uint64_t *a, uint64_t *b) {
    // the borrow of b - a, for words of 64 bits
    const uint64_t borrow = ((~*b & *a) | ((~*b | *a) & (*b - *a))) >> 63;
    const uint64_t change = (*a ^ *b) & rs_opaque(0 - borrow);
    *a ^= change;
    *b ^= change;
}

// Batcher's bitonic sort: which words are compared is public.
static void sort(uint64_t *words) {
    for (size_t size = 2; size <= N; size *= 2) {
        for (size_t step = size / 2; step; step /= 2) {
            for (size_t i = 0; i < N; i++) {
                if (i & step) continue;
                if (i & size) {
                    order_pair(&words[i + step], &words[i]);
                } else {
                    order_pair(&words[i], &words[i + step]);
                }
            }
        }
    }
}

// Exactly 154 entries +-1: as many signs and then zeros are put in a random order, which sorting by random numbers of 62 bits makes. The chance
// that two are alike, and their order not random, is below 2^-44.
static void sample_ternary(int8_t *out, uint64_t *keys, const uint8_t *bytes) {
    for (size_t i = 0; i < N; i++) {
        const uint64_t random = rs_load64(bytes + 8 * i);
        const uint64_t digit = i < RS_BLISS_WEIGHT ? 1 + (random & 1) : 0;
        keys[i] = (random & ~(uint64_t)DIGITS) | digit;
    }
    sort(keys);
    for (size_t i = 0; i < N; i++) out[i] = (int8_t)(uint8_t)((keys[i] & 1) - (keys[i] >> 1 & 1));
}

static int has_zero(const uint64_t *words) {
    uint64_t zeros = 0;
    for (size_t i = 0; i < N; i++) zeros |= (words[i] - 1) >> 63;
    RS_DECLASSIFY(&zeros, sizeof zeros); // an f that is not invertible is thrown away
    return zeros != 0;
}

// RS_ERR_RNG: no f was invertible.
static rs_status_t make(const rs_bliss_t *scheme, uint8_t *public_key, uint8_t *secret_key, const rs_seed_t *seed,
                        rs_bliss_work_t *work) {
    uint64_t offset = 0;
    for (unsigned attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        for (unsigned k = 0; k < 2; k++, offset += sizeof work->key.bytes) {
            rs_private_stream(work->key.bytes, sizeof work->key.bytes, seed, RS_DOMAIN_BLISS_KEY, offset);
            sample_ternary(work->key.ternary[k], work->key.keys, work->key.bytes);
        }
        for (size_t i = 0; i < N; i++) work->key.small[i] = work->key.ternary[0][i];
        rs_bliss_lift(work->key.f, work->key.small);
        rs_plan_forward(scheme->plan, work->key.f);
        if (has_zero(work->key.f)) continue;
        for (size_t i = 0; i < N; i++) work->key.small[i] = (int16_t)(2 * work->key.ternary[1][i] + !i);
        rs_bliss_lift(work->key.s2, work->key.small);
        rs_plan_forward(scheme->plan, work->key.s2);
        for (size_t i = 0; i < N; i++) work->key.f[i] = rs_inverse_mod(work->key.f[i], &scheme->plan->modulus);
        rs_plan_mul(scheme->plan, work->key.f, work->key.f, work->key.s2);
        rs_bliss_pack_public(public_key, work->key.f);
        for (unsigned k = 0; k < 2; k++) rs_bliss_pack_ternary(secret_key + k * (N / 4), work->key.ternary[k]);
        memcpy(secret_key + N / 2, public_key, RS_BLISS_PUBLIC_BYTES);
        rs_zeroize(work, sizeof *work);
        return RS_OK;
    }
    rs_zeroize(work, sizeof *work);
    return RS_ERR_RNG;
}

rs_status_t rs_bliss_keygen(const rs_bliss_keygen_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    if (r->reserved) return RS_ERR_STRUCT;
    RS_TRY(RS_CHECK_SPAN(r->public_key, RS_BLISS_PUBLIC_BYTES));
    RS_TRY(RS_CHECK_SPAN(r->secret_key, RS_BLISS_SECRET_BYTES));
    RS_TRY(rs_check_random(r->seed, r->rng, RS_SEED_BYTES));
    RS_TRY(rs_bliss_check_memory(r->scheme, r->workspace));
    rs_seed_t drawn;
    const rs_seed_t *seed = r->rng ? &drawn : (const rs_seed_t *)(const void *)r->seed.p;
    if (r->rng) RS_TRY(rs_fresh_seed(r->rng, &drawn));
    const rs_status_t status = make(r->scheme, r->public_key.p, r->secret_key.p, seed, r->workspace.p);
    rs_zeroize(&drawn, sizeof drawn);
    return status;
}
