// SPDX-License-Identifier: Apache-2.0
// Signatures (FIPS 204, algorithms 2, 4 and 7).
#include "backend/backend.h"
#include "base/bytes.h"
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
    rs_mldsa_space_t *space;
    uint8_t *signature;
    const uint8_t *rho;
    rs_mldsa_poly_t *s1, *s2, *t0; // transformed
    rs_mldsa_poly_t *y; // transformed
    rs_mldsa_poly_t *w; // 2 low parts + 1 where the high part is 0; then hints
    rs_mldsa_poly_t *a; // A, or NULL
} signer_t;

// ---- the key -------------------------------------------------------------------------------------------------------------
static const uint8_t *load_vector(rs_mldsa_poly_t *out, unsigned count, const uint8_t *in, int32_t top, unsigned bits,
                                  int32_t bound, int32_t *wrong) {
    for (unsigned i = 0; i < count; i++, in += 32u * bits) {
        rs_mldsa_unpack_below(&out[i], in, top, bits);
        *wrong |= rs_mldsa_exceeds(&out[i], bound);
        rs_mldsa_forward(&out[i]);
    }
    return in;
}

// Algorithm 25. Every packed t0 is in range.
static rs_status_t load_key(signer_t *s, const uint8_t *sk) {
    const rs_mldsa_params_t *p = s->p;
    const int32_t top = 1 << (RS_MLDSA_DROPPED_BITS - 1);
    int32_t wrong = 0;
    const uint8_t *at = sk + RS_MLDSA_SK_S1;
    at = load_vector(s->s1, p->l, at, p->eta, p->eta_bits, p->eta + 1, &wrong);
    at = load_vector(s->s2, p->k, at, p->eta, p->eta_bits, p->eta + 1, &wrong);
    load_vector(s->t0, p->k, at, top, RS_MLDSA_DROPPED_BITS, top + 1, &wrong);
    RS_DECLASSIFY(&wrong, sizeof wrong); // what the caller is told
    return wrong ? RS_ERR_SECRET_KEY : RS_OK;
}

// ---- a round ---------------------------------------------------------------------------------------------------------------
// A mask of secrets that is public by design: whether a check refused, which is independent of the key (mldsa.h).
static int is_refused(int32_t mask) {
    RS_DECLASSIFY(&mask, sizeof mask);
    return mask != 0;
}

// Lines 12 to 15: w = A y, split; c tilde.
static void commit(signer_t *s) {
    const rs_mldsa_params_t *p = s->p;
    rs_mldsa_space_t *space = s->space;
    const rs_mldsa_params_t *held = RS_MLDSA_HELD(p);
    rs_mldsa_rows_t rows;
    rs_mldsa_rows_init(&rows, space, p, s->rho, s->a);
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, space->mu, RS_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        rs_mldsa_rows_next(&rows, &space->sum, s->y);
        rs_mldsa_reduce_sum(&space->t, &space->sum);
        rs_mldsa_inverse(&space->t, RS_MLDSA_SCALE_R);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) {
            int32_t low;
            const int32_t high = rs_mldsa_decompose(&low, rs_mldsa_canonical(space->t.c[n]), held);
            space->t.c[n] = high;
            s->w[i].c[n] = 2 * low - rs_mldsa_sign_mask(high - 1);
        }
        rs_mldsa_pack(space->packed, &space->t, p->w1_bits);
        rs_sponge_absorb(&space->sponge, space->packed, rs_mldsa_w1_bytes(p));
    }
    rs_sponge_squeeze(&space->sponge, space->challenge, p->challenge_bytes);
    RS_DECLASSIFY(space->challenge, p->challenge_bytes); // also of a round that is rejected (mldsa.h)
}

// t = c times a polynomial of the key, centred. space->c has a factor R.
static void times_challenge(rs_mldsa_space_t *space, const rs_mldsa_poly_t *a) {
    rs_mldsa_product(&space->t, &space->c, a);
    rs_mldsa_inverse(&space->t, RS_MLDSA_SCALE);
    for (unsigned n = 0; n < RS_MLDSA_N; n++) space->t.c[n] = rs_mldsa_centred(space->t.c[n]);
}

// z = y + c s1, and its check. z goes into the signature.
static int respond(signer_t *s) {
    const rs_mldsa_params_t *p = s->p;
    rs_mldsa_poly_t *t = &s->space->t;
    const int32_t gamma1 = (int32_t)1 << (p->z_bits - 1);
    for (unsigned j = 0; j < p->l; j++) {
        rs_mldsa_product(t, &s->space->c, &s->s1[j]);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_reduce(t->c[n] + s->y[j].c[n]); // below 10 q
        rs_mldsa_inverse(t, RS_MLDSA_SCALE);
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
    rs_mldsa_poly_t *t = &s->space->t;
    for (unsigned i = 0; i < p->k; i++) {
        times_challenge(s->space, &s->s2[i]);
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
    rs_mldsa_poly_t *t = &s->space->t;
    int32_t count = 0;
    for (unsigned i = 0; i < p->k; i++) {
        times_challenge(s->space, &s->t0[i]);
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
    rs_mldsa_expand_mask(s->y, s->space, p, s->space->seed, round * p->l);
    for (unsigned j = 0; j < p->l; j++) rs_mldsa_forward(&s->y[j]);
    commit(s);
    rs_mldsa_sample_in_ball(&s->space->c, &s->space->sponge, p, s->space->challenge, RS_MLDSA_R);
    rs_mldsa_forward(&s->space->c);
    if (!respond(s) || !check_low_part(s) || !make_hints(s)) return 0;
    memcpy(s->signature, s->space->challenge, p->challenge_bytes);
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
    rs_mldsa_space_t *space = s->space;
    RS_TRY(load_key(s, r->sk.p));
    RS_TRY(rs_mldsa_take_rnd(space->packed, r));
    rs_mldsa_represent(space->mu, &space->sponge, r->sk.p + RS_MLDSA_SK_TR, &r->message);
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, r->sk.p + RS_MLDSA_SK_K, 32);
    rs_sponge_absorb(&space->sponge, space->packed, RS_MLDSA_RANDOM_BYTES);
    rs_sponge_absorb(&space->sponge, space->mu, RS_MLDSA_MU_BYTES);
    rs_sponge_squeeze(&space->sponge, space->seed, RS_MLDSA_RHO_PRIME_BYTES);
    if (s->a) rs_mldsa_expand_a(s->a, space, s->p, s->rho);
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        if (attempt(s, round)) {
            *rounds = round + 1;
            return RS_OK;
        }
    }
    return RS_ERR_ROUNDS;
}

rs_status_t rs_mldsa_sign(const rs_mldsa_sign_request_t *r) {
    RS_MLDSA_BY_VARIANT(sign, r)
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mldsa_params_t *p = rs_mldsa_params(r->set);
    if (!p) return RS_ERR_SET;
    if (r->reserved) return RS_ERR_STRUCT;
    RS_TRY(RS_CHECK_SPAN(r->signature, p->sizes.signature));
    RS_TRY(RS_CHECK_SPAN(r->sk, p->sizes.sk));
    RS_TRY(rs_mldsa_check_message(&r->message));
    RS_TRY(rs_mldsa_check_rnd(r));
    RS_TRY(rs_backend_status());
    RS_TRY(rs_check_memory(r->workspace, p->sizes.workspace));
    const int is_fast = r->workspace.n >= p->sizes.fast_workspace;
    rs_mldsa_space_t *space = rs_mldsa_space(r->workspace.p);
    signer_t s = {.p = p, .space = space, .signature = r->signature.p, .rho = r->sk.p};
    s.s1 = space->polys;
    s.s2 = s.s1 + p->l;
    s.t0 = s.s2 + p->k;
    s.y = s.t0 + p->k;
    s.w = s.y + p->l;
    s.a = is_fast ? s.w + p->k : NULL;
    uint32_t rounds = 0;
    const rs_status_t status = sign(&s, r, &rounds);
    if (r->rounds) *r->rounds = rounds;
    if (status != RS_OK) rs_zeroize(r->signature.p, r->signature.n); // it may hold a z that was refused
    rs_zeroize(r->workspace.p, is_fast ? p->sizes.fast_workspace : p->sizes.workspace);
    return status;
}
