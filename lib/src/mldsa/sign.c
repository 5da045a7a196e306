// SPDX-License-Identifier: Apache-2.0
// Signatures (FIPS 204, algorithms 2, 4 and 7).
#include "backend/backend.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "mldsa/expand.h"
#include "mldsa/message.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"
#include "mldsa/x86/variants.h"
#include "sampling/seed.h"

// Appendix C, table 3: there are more rounds with a probability below 2^-256.
enum { ROUNDS_MAX = 814 };

typedef struct signer {
    const rs_mldsa_params_t *p;
    rs_mldsa_space_t *space; // or NULL, and then
    rs_mldsa_small_t *small; // this
    const uint8_t *sk;
    uint8_t *signature;
    rs_mldsa_poly_t *key; // s1, s2, t0, transformed, or NULL: it follows from sk
    rs_mldsa_poly_t *y; // transformed; of a small workspace one polynomial at a time, not transformed
    rs_mldsa_poly_t *w; // 2 low parts + 1 where the high part is 0; then hints
    rs_mldsa_poly_t *a; // A, or NULL
    // parts of either workspace
    rs_mldsa_poly_t *t, *c;
    rs_sponge_t *sponge;
    uint8_t *packed, *seed, *mu, *challenge;
} signer_t;

static void use_space(signer_t *s, rs_mldsa_space_t *space, int is_fast) {
    const rs_mldsa_params_t *p = s->p;
    s->space = space;
    s->t = &space->t, s->c = &space->c, s->sponge = &space->sponge;
    s->packed = space->packed, s->seed = space->seed, s->mu = space->mu, s->challenge = space->challenge;
    s->key = space->polys;
    s->y = s->key + p->l + 2 * p->k;
    s->w = s->y + p->l;
    s->a = is_fast ? s->w + p->k : NULL;
}

static void use_small(signer_t *s, rs_mldsa_small_t *small) {
    s->small = small;
    s->t = &small->t, s->c = &small->c, s->sponge = &small->sponge;
    s->packed = small->bytes, s->seed = small->seed, s->mu = small->mu, s->challenge = small->challenge;
    s->w = small->polys;
    s->y = s->w + s->p->k;
}

// ---- the key -------------------------------------------------------------------------------------------------------------
// Algorithm 25: polynomial `index` of s1, s2, t0, transformed. Not 0 if it is out of range.
static int32_t load_poly(rs_mldsa_poly_t *out, const signer_t *s, unsigned index) {
    const rs_mldsa_params_t *p = s->p;
    const unsigned small = (unsigned)p->l + p->k; // s1 and s2
    const unsigned bits = index < small ? p->eta_bits : RS_MLDSA_DROPPED_BITS;
    const int32_t top = index < small ? p->eta : 1 << (RS_MLDSA_DROPPED_BITS - 1);
    const size_t at =
        index < small ? index * rs_mldsa_eta_bytes(p) : small * rs_mldsa_eta_bytes(p) + (size_t)(index - small) * RS_MLDSA_T0_BYTES;
    rs_mldsa_unpack_below(out, s->sk + RS_MLDSA_SK_S1 + at, top, bits);
    const int32_t wrong = rs_mldsa_exceeds(out, top + 1); // no packed t0 is
    rs_mldsa_forward(out);
    return wrong;
}

static rs_status_t load_key(signer_t *s) {
    int32_t wrong = 0;
    for (unsigned i = 0; i < (unsigned)s->p->l + 2 * s->p->k; i++) wrong |= load_poly(s->key ? &s->key[i] : s->t, s, i);
    RS_DECLASSIFY(&wrong, sizeof wrong); // what the caller is told
    return wrong ? RS_ERR_SECRET_KEY : RS_OK;
}

// t = c times polynomial `index` of the key, transformed. *c has a factor R.
static void times_challenge(signer_t *s, unsigned index) {
    if (!s->key) (void)load_poly(s->t, s, index);
    rs_mldsa_product(s->t, s->c, s->key ? &s->key[index] : s->t);
}

// The same, transformed back and centred.
static void centred_product(signer_t *s, unsigned index) {
    times_challenge(s, index);
    rs_mldsa_inverse(s->t, RS_MLDSA_SCALE);
    for (unsigned n = 0; n < RS_MLDSA_N; n++) s->t->c[n] = rs_mldsa_centred(s->t->c[n]);
}

// ---- a round ---------------------------------------------------------------------------------------------------------------
// A mask of secrets that is public by design: whether a check refused, which is independent of the key (mldsa.h).
static int is_refused(int32_t mask) {
    RS_DECLASSIFY(&mask, sizeof mask);
    return mask != 0;
}

// w = A y in a small workspace, column by column, transformed and below l q.
static void multiply_columns(signer_t *s, unsigned kappa) {
    for (unsigned j = 0; j < s->p->l; j++) {
        rs_mldsa_mask(s->t, s->sponge, s->packed, s->p, s->seed, kappa + j);
        rs_mldsa_forward(s->t);
        rs_mldsa_add_column(s->small, s->p, s->sk, j);
    }
}

// Lines 12 to 15: w = A y, split; c tilde.
static void commit(signer_t *s, unsigned kappa) {
    const rs_mldsa_params_t *p = s->p, *held = RS_MLDSA_HELD(p);
    rs_mldsa_poly_t *t = s->t;
    rs_mldsa_rows_t rows;
    if (s->small) {
        multiply_columns(s, kappa);
    } else {
        rs_mldsa_rows_init(&rows, s->space, p, s->sk, s->a);
    }
    rs_sponge_init(s->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(s->sponge, s->mu, RS_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        if (s->small) {
            for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_reduce(s->w[i].c[n]);
        } else {
            rs_mldsa_rows_next(&rows, &s->space->sum, s->y);
            rs_mldsa_reduce_sum(t, &s->space->sum);
        }
        rs_mldsa_inverse(t, RS_MLDSA_SCALE_R);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) {
            int32_t low;
            const int32_t high = rs_mldsa_decompose(&low, rs_mldsa_canonical(t->c[n]), held);
            t->c[n] = high;
            s->w[i].c[n] = 2 * low - rs_mldsa_sign_mask(high - 1);
        }
        rs_mldsa_pack(s->packed, t, p->w1_bits);
        rs_sponge_absorb(s->sponge, s->packed, rs_mldsa_w1_bytes(p));
    }
    rs_sponge_squeeze(s->sponge, s->challenge, p->challenge_bytes);
    RS_DECLASSIFY(s->challenge, p->challenge_bytes); // also of a round that is rejected (mldsa.h)
}

// z = y + c s1, and its check. z goes into the signature.
static int respond(signer_t *s, unsigned kappa) {
    const rs_mldsa_params_t *p = s->p;
    rs_mldsa_poly_t *t = s->t;
    const int32_t gamma1 = (int32_t)1 << (p->z_bits - 1);
    for (unsigned j = 0; j < p->l; j++) {
        times_challenge(s, j);
        if (!s->small) {
            for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_reduce(t->c[n] + s->y[j].c[n]); // below 10 q
        }
        rs_mldsa_inverse(t, RS_MLDSA_SCALE);
        if (s->small) { // below 3 q / 4, and y is at most 2^19
            rs_mldsa_mask(s->y, s->sponge, s->packed, p, s->seed, kappa + j);
            for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] += s->y->c[n];
        }
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_centred(t->c[n]);
        if (is_refused(rs_mldsa_exceeds(t, gamma1 - p->beta))) return 0;
        rs_mldsa_pack_below(s->signature + p->challenge_bytes + j * rs_mldsa_z_bytes(p), t, gamma1, p->z_bits);
    }
    return 1;
}

// The check of r0 = LowBits(w - c s2). While it passes, the high part of w - c s2 is that of w, and r0 = low part of w - c s2: c s2 is at most
// beta, so that neither wraps around before it is refused.
static int check_low_part(signer_t *s) {
    const rs_mldsa_params_t *p = s->p;
    rs_mldsa_poly_t *t = s->t;
    for (unsigned i = 0; i < p->k; i++) {
        centred_product(s, p->l + i);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) {
            const int32_t high_is_zero = s->w[i].c[n] & 1;
            t->c[n] = (s->w[i].c[n] >> 1) - t->c[n];
            s->w[i].c[n] = 2 * t->c[n] + high_is_zero;
        }
        if (is_refused(rs_mldsa_exceeds(t, p->gamma2 - p->beta))) return 0;
    }
    return 1;
}

// Lines 26 to 28: hints for c t0, and the checks of both.
static int make_hints(signer_t *s) {
    const rs_mldsa_params_t *p = s->p;
    const rs_mldsa_params_t *held = RS_MLDSA_HELD(p);
    rs_mldsa_poly_t *t = s->t;
    int32_t count = 0;
    for (unsigned i = 0; i < p->k; i++) {
        centred_product(s, (unsigned)p->l + p->k + i);
        if (is_refused(rs_mldsa_exceeds(t, p->gamma2))) return 0;
        for (unsigned n = 0; n < RS_MLDSA_N; n++) {
            const int32_t hint = rs_mldsa_make_hint((s->w[i].c[n] >> 1) + t->c[n], s->w[i].c[n] & 1, held->gamma2);
            s->w[i].c[n] = hint;
            count += hint;
        }
    }
    return !is_refused(rs_mldsa_sign_mask(p->omega - count));
}

// One attempt; true if the signature is complete.
static int attempt(signer_t *s, unsigned round) {
    const rs_mldsa_params_t *p = s->p;
    const unsigned kappa = round * p->l;
    if (!s->small) {
        rs_mldsa_expand_mask(s->y, s->space, p, s->seed, kappa);
        for (unsigned j = 0; j < p->l; j++) rs_mldsa_forward(&s->y[j]);
    }
    commit(s, kappa);
    rs_mldsa_sample_in_ball(s->c, s->sponge, p, s->challenge, RS_MLDSA_R);
    rs_mldsa_forward(s->c);
    if (!respond(s, kappa) || !check_low_part(s) || !make_hints(s)) return 0;
    memcpy(s->signature, s->challenge, p->challenge_bytes);
    // the signature is complete, and public with all its parts
    RS_DECLASSIFY(s->w, p->k * sizeof *s->w);
    RS_DECLASSIFY(s->signature + p->challenge_bytes, p->l * rs_mldsa_z_bytes(p));
    rs_mldsa_pack_hints(s->signature + p->challenge_bytes + p->l * rs_mldsa_z_bytes(p), s->w, p);
    return 1;
}

// ---- calls -----------------------------------------------------------------------------------------------------------------
rs_status_t rs_mldsa_check_rnd(const rs_mldsa_sign_request_t *r) {
    if (r->mode > RS_MLDSA_DETERMINISTIC) return RS_ERR_OPTION;
    if (r->mode != RS_MLDSA_HEDGED && r->rng) return RS_ERR_OPTION;
    if (r->mode != RS_MLDSA_GIVEN && RS_IS_GIVEN(r->rnd)) return RS_ERR_OPTION;
    if (r->mode == RS_MLDSA_DETERMINISTIC) return RS_OK;
    return rs_check_random(r->rnd, r->rng, RS_MLDSA_RANDOM_BYTES);
}

rs_status_t rs_mldsa_take_rnd(uint8_t *rnd, const rs_mldsa_sign_request_t *r) {
    if (r->mode == RS_MLDSA_HEDGED) return rs_fresh_bytes(r->rng, rnd, RS_MLDSA_RANDOM_BYTES);
    if (r->mode == RS_MLDSA_GIVEN) {
        memcpy(rnd, r->rnd.p, RS_MLDSA_RANDOM_BYTES);
    } else {
        memset(rnd, 0, RS_MLDSA_RANDOM_BYTES);
    }
    return RS_OK;
}

// The number of rounds goes to *rounds.
static rs_status_t sign(signer_t *s, const rs_mldsa_sign_request_t *r, uint32_t *rounds) {
    RS_TRY(load_key(s));
    RS_TRY(rs_mldsa_take_rnd(s->packed, r));
    rs_mldsa_represent(s->mu, s->sponge, s->sk + RS_MLDSA_SK_TR, &r->message);
    rs_sponge_init(s->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(s->sponge, s->sk + RS_MLDSA_SK_K, 32);
    rs_sponge_absorb(s->sponge, s->packed, RS_MLDSA_RANDOM_BYTES);
    rs_sponge_absorb(s->sponge, s->mu, RS_MLDSA_MU_BYTES);
    rs_sponge_squeeze(s->sponge, s->seed, RS_MLDSA_RHO_PRIME_BYTES);
    if (s->a) rs_mldsa_expand_a(s->a, s->space, s->p, s->sk);
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        if (attempt(s, round)) {
            *rounds = round + 1;
            return RS_OK;
        }
    }
    return RS_ERR_ROUNDS;
}

rs_status_t rs_mldsa_sign(const rs_mldsa_sign_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mldsa_params_t *p = rs_mldsa_params(r->set);
    if (!p) return RS_ERR_SET;
    const int is_small = rs_mldsa_is_small(r->workspace, p->sizes.workspace);
    if (!is_small) {
        RS_MLDSA_BY_VARIANT(sign, r)
    }
    if (r->reserved) return RS_ERR_STRUCT;
    RS_TRY(RS_CHECK_SPAN(r->signature, p->sizes.signature));
    RS_TRY(RS_CHECK_SPAN(r->sk, p->sizes.sk));
    RS_TRY(rs_mldsa_check_message(&r->message));
    RS_TRY(rs_mldsa_check_rnd(r));
    RS_TRY(rs_backend_status());
    RS_TRY(rs_check_memory(r->workspace, is_small ? p->sizes.small_workspace : p->sizes.workspace));
    const int is_fast = r->workspace.n >= p->sizes.fast_workspace;
    signer_t s = {.p = p, .signature = r->signature.p, .sk = r->sk.p};
    if (is_small) {
        use_small(&s, r->workspace.p);
    } else {
        use_space(&s, rs_mldsa_space(r->workspace.p), is_fast);
    }
    uint32_t rounds = 0;
    const rs_status_t status = sign(&s, r, &rounds);
    RS_MLDSA_WIPE_STACK();
    if (r->rounds) *r->rounds = rounds;
    if (status != RS_OK) rs_zeroize(r->signature.p, r->signature.n); // it may hold a z that was refused
    rs_zeroize(r->workspace.p, is_fast ? p->sizes.fast_workspace : is_small ? p->sizes.small_workspace : p->sizes.workspace);
    return status;
}
