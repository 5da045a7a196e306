// SPDX-License-Identifier: Apache-2.0
// Signing: BLISS-B (Ducas 2014, algorithms 2 and 3; the paper's algorithm 2 otherwise).
#include <string.h>

#include "base/bytes.h"
#include "base/checks.h"
#include "base/declassify.h"
#include "papers/bliss/work.h"
#include "sampling/seed.h"

enum {
    N = RS_BLISS_N,
    ATTEMPTS_MAX = 128,
    // An attempt has so many numbers of draws; that 2N of 4064 candidates are not kept, of which 0.808 are, does not happen.
    ATTEMPT_DRAWS = 127,
    CANDIDATES = RS_BLISS_DRAW_CANDIDATES,
    AT_ONCE = 8, // compilers unroll inner loops of so many steps, and others not
    BLOCK = RS_SHAKE256_RATE_BYTES
};

// As many draws at once as there is room for if all candidates are kept. 0: there were too few candidates.
static int sample_y(rs_bliss_work_t *work, unsigned attempt) {
    const unsigned first = attempt * ATTEMPT_DRAWS;
    unsigned drawn = 0;
    for (size_t have = 0; have < 2 * N;) {
        const unsigned wanted = (unsigned)(2 * N - have) / CANDIDATES;
        const unsigned count = wanted < 1 ? 1 : wanted < RS_BLISS_DRAWS_MAX ? wanted : RS_BLISS_DRAWS_MAX;
        if (drawn + count > ATTEMPT_DRAWS) return 0;
        rs_bliss_draw(work->sign.bytes, work->sign.seed, first + drawn, count);
        drawn += count;
        for (unsigned k = 0; k < count; k++) {
            have += rs_bliss_gaussian(work->sign.z + have, 2 * N - have, work->sign.bytes + k * RS_BLISS_DRAW_BYTES);
        }
    }
    return 1;
}

// GreedySC: product = -sum of e_k X^k (s1, s2) over the places k, each sign e_k that of the inner product with the sum so far, so that the
// norm grows by no more than that of (s1, s2).
static void multiply(rs_bliss_work_t *work) {
    int16_t *product = work->sign.product;
    memset(product, 0, sizeof work->sign.product);
    for (unsigned k = 0; k < RS_BLISS_KAPPA; k++) {
        const size_t start = N - work->sign.signature.places[k];
        int32_t inner = 0; // below 2 * 512 * 3 * 69
        for (unsigned j = 0; j < 2; j++) {
            const int16_t *rotated = work->sign.s[j] + start;
            for (size_t i = 0; i < N; i += AT_ONCE) {
                for (size_t m = i; m < i + AT_ONCE; m++) inner += product[N * j + m] * rotated[m];
            }
        }
        const int32_t mask = (int32_t)rs_opaque(0 - (uint64_t)((uint32_t)inner >> 31));
        for (unsigned j = 0; j < 2; j++) {
            const int16_t *rotated = work->sign.s[j] + start;
            for (size_t i = 0; i < N; i += AT_ONCE) {
                for (size_t m = i; m < i + AT_ONCE; m++)
                    product[N * j + m] = (int16_t)(product[N * j + m] - ((rotated[m] ^ mask) - mask));
            }
        }
    }
}

// z = y + (-1)^flip product. 1: it is kept.
static uint32_t reject(rs_bliss_work_t *work, uint64_t random) {
    const int16_t sign = (int16_t)(1 - 2 * (int32_t)(random >> 63));
    int32_t norm = 0, inner = 0; // |z| <= 128 * 17 + 127 + 69, so inner is below 2 * 512 * 2372 * 69
    for (size_t i = 0; i < 2 * N; i++) {
        const int32_t product = work->sign.product[i];
        const int32_t z = work->sign.z[i] + sign * product;
        work->sign.z[i] = (int16_t)z;
        norm += product * product;
        inner += z * product;
    }
    return rs_bliss_accepts(random & (((uint64_t)1 << RS_BLISS_UNIFORM_BITS) - 1), norm, inner);
}

// z1, and z2' = round(u) - round(u - z2) mod p.
static void compress(rs_bliss_work_t *work) {
    for (size_t i = 0; i < N; i++) {
        const uint32_t z2 = (uint32_t)(int32_t)work->sign.z[N + i];
        // u - z2 + 2q is below 4q + |z2| < 6q: twice
        const uint32_t rest = rs_bliss_mod_2q(rs_bliss_mod_2q((uint32_t)work->sign.u[i] + 2 * RS_BLISS_Q - z2));
        const int32_t difference = (int32_t)work->sign.high[i] - (int32_t)rs_bliss_high(rest);
        // -23 to 23, to -11 to 12
        const int32_t above = (int32_t)((uint32_t)(RS_BLISS_P / 2 - difference) >> 31);
        const int32_t below = (int32_t)((uint32_t)(difference + RS_BLISS_P / 2 - 1) >> 31);
        work->sign.signature.z1[i] = work->sign.z[i];
        work->sign.signature.z2[i] = (int16_t)(difference - RS_BLISS_P * above + RS_BLISS_P * below);
    }
}

// One attempt. 1: there is a signature.
static int attempt(const rs_bliss_t *scheme, rs_bliss_work_t *work, const uint8_t *digest, const rs_seed_t *seed, unsigned number) {
    uint8_t bytes[8];
    if (!sample_y(work, number)) return 0;
    rs_bliss_commit(scheme, work->sign.u, work->sign.a, work->sign.z);
    for (size_t i = 0; i < N; i++) {
        const uint32_t y2 = (uint32_t)(int32_t)work->sign.z[N + i];
        const uint32_t lifted = y2 + (2 * RS_BLISS_Q & (0 - (y2 >> 31)));
        const uint32_t u = rs_bliss_mod_2q((uint32_t)work->sign.u[i] + lifted);
        work->sign.u[i] = u;
        work->sign.high[i] = (uint8_t)rs_bliss_high(u);
    }
    rs_bliss_challenge(work->sign.signature.places, work->sign.high, digest);
    multiply(work);
    rs_private_stream(bytes, sizeof bytes, seed, RS_DOMAIN_BLISS_SIGN, (uint64_t)(number + 1) * BLOCK);
    uint32_t kept = reject(work, rs_load64(bytes));
    rs_zeroize(bytes, sizeof bytes);
    RS_DECLASSIFY(&kept, sizeof kept); // that an attempt was rejected: its probability is the same for all keys
    if (!kept) return 0;
    compress(work);
    RS_DECLASSIFY(&work->sign.signature, sizeof work->sign.signature); // it has the distribution of a Gaussian, whatever the key is
    return rs_bliss_is_short(&work->sign.signature);
}

static rs_status_t load_key(rs_bliss_work_t *work, const uint8_t *secret_key) {
    for (unsigned j = 0; j < 2; j++) {
        RS_TRY(rs_bliss_unpack_ternary(work->sign.ternary, secret_key + j * (N / 4)));
        for (size_t i = 0; i < N; i++) {
            const int16_t s = (int16_t)(j ? 2 * work->sign.ternary[i] + !i : work->sign.ternary[i]);
            work->sign.s[j][i] = (int16_t)-s;
            work->sign.s[j][N + i] = s;
        }
    }
    return rs_bliss_unpack_public(work->sign.a, secret_key + N / 2);
}

// The key has been loaded.
static rs_status_t sign(const rs_bliss_sign_request_t *r, const rs_seed_t *seed, rs_bliss_work_t *work) {
    uint8_t digest[RS_BLISS_DIGEST_BYTES];
    rs_shake256(digest, sizeof digest, r->message.p, r->message.n);
    rs_private_stream(work->sign.seed, sizeof work->sign.seed, seed, RS_DOMAIN_BLISS_SIGN, 0);
    for (unsigned k = 0; k < ATTEMPTS_MAX; k++) {
        if (!attempt(r->scheme, work, digest, seed, k)) continue;
        rs_bliss_pack_signature(r->signature.p, &work->sign.signature);
        return RS_OK;
    }
    return RS_ERR_RNG;
}

rs_status_t rs_bliss_sign(const rs_bliss_sign_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    if (r->reserved) return RS_ERR_STRUCT;
    RS_TRY(RS_CHECK_SPAN(r->signature, RS_BLISS_SIGNATURE_BYTES));
    RS_TRY(RS_CHECK_SPAN(r->secret_key, RS_BLISS_SECRET_BYTES));
    if (!r->message.p && r->message.n) return RS_ERR_NULL;
    RS_TRY(rs_check_random(r->seed, r->rng, RS_SEED_BYTES));
    RS_TRY(rs_bliss_check_memory(r->scheme, r->workspace));
    rs_seed_t drawn;
    const rs_seed_t *seed = r->rng ? &drawn : (const rs_seed_t *)(const void *)r->seed.p;
    rs_status_t status = load_key(r->workspace.p, r->secret_key.p);
    if (status == RS_OK && r->rng) status = rs_fresh_seed(r->rng, &drawn);
    if (status == RS_OK) status = sign(r, seed, r->workspace.p);
    rs_zeroize(&drawn, sizeof drawn);
    rs_zeroize(r->workspace.p, sizeof(rs_bliss_work_t));
    return status;
}
