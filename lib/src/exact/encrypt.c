// SPDX-License-Identifier: Apache-2.0
// Encryption: c_0 + c_1 s = mu w + error_factor e (context.h). BFV's ciphertexts are in coefficient form: its products are transformed back.
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "exact/context.h"

// Secret key: w, a limb of a, the error. Public key: w, a limb of u, and u, e0, e1; with a dropped prime also both remainders.
static size_t workspace_bytes(const rs_context_t *context, uint32_t kind) {
    const size_t words = kind == RS_ENCRYPT_PK ? 4 : 2;
    return context->n * (words * sizeof(uint64_t) + (kind == RS_ENCRYPT_SK ? 1 : 3));
}

size_t rs_exact_encrypt_workspace(const rs_encrypt_request_t *r) { return workspace_bytes(r->context, r->kind); }

// w + factor error, in place, as doubles: what the lifts of CKKS take.
static const double *in_doubles(uint64_t *w, size_t n, const int8_t *error, int64_t factor) {
    double *real = (void *)w;
    for (size_t i = 0; i < n; i++) real[i] = (double)((int64_t)w[i] + (error ? factor * error[i] : 0));
    return real;
}

static rs_status_t encrypt_secret(const rs_encrypt_request_t *r, uint64_t *w, uint32_t limbs, rs_ciphertext_t *ciphertext,
                                  rs_rng_t *rng) {
    const rs_context_t *context = r->context;
    const rs_exact_t *exact = rs_exact(context);
    const size_t n = context->n;
    const int in_ntt = rs_is_bgv(context) || r->ntt;
    uint64_t *scratch = w + n;
    int8_t *error = (int8_t *)(scratch + n);
    rs_seed_t private_seed, public_seed;
    rs_uniform_t uniform;
    RS_TRY(rs_fresh_seeds(rng, &private_seed, &public_seed));
    rs_sample_cbd21(error, n, &private_seed, RS_DOMAIN_E0);
    rs_zeroize(&private_seed, sizeof private_seed);
    const uint32_t seed_type = r->seed_type ? r->seed_type : RS_SEED_SHAKE256;
    RS_TRY(rs_uniform_init(&uniform, seed_type, &public_seed, context->params.log_n, limbs));
    // mu w - error_factor e is mu (w - t e) modulo each q_i: one number for all limbs, where words have room for it
    const int folds = exact->plain.bits <= 57 && !exact->in_doubles;
    const double *real =
        exact->in_doubles ? in_doubles(w, n, error, -(int64_t)exact->plain.q - 1) : NULL; // less the error, which is added
    for (size_t i = 0; folds && i < n; i++) w[i] -= exact->plain.q * (uint64_t)(int64_t)error[i];
    for (uint32_t i = 0; i < limbs; i++) {
        const rs_limb_t *limb = &context->limbs[i];
        const uint64_t *s = r->secret_key->ntt + i * n;
        uint64_t *c0 = ciphertext->data + i * n;
        uint64_t *c1 = r->seeded ? scratch : ciphertext->data + (limbs + i) * n;
        RS_TRY(rs_uniform_next(&uniform, limb->modulus.q, c1));
        if (real) {
            exact->lifts[i]->fused(limb, c0, real, error, c1, s, 1);
            continue;
        }
        if (!in_ntt) {
            if (c1 != scratch) memcpy(scratch, c1, n * sizeof *scratch);
            rs_plan_forward(limb, scratch);
            rs_ring_inverse(limb, scratch, scratch, s);
        }
        const rs_integer_lift_t lift = {.w = (const int64_t *)w,
                                        .mu = exact->mu[i],
                                        .error = folds ? NULL : error,
                                        .factor = rs_factor(limb->modulus.q - rs_error_factor(context, i), limb->modulus.q),
                                        .plus = in_ntt ? NULL : scratch,
                                        .subtract = 1,
                                        .bits = exact->plain.bits + (folds ? 5 : 0)};
        exact->integers->lift(limb, c0, &lift);
        if (in_ntt) rs_ring_forward(limb, c0, NULL, c1, s, 1);
    }
    ciphertext->seed_type = seed_type;
    ciphertext->seed = public_seed;
    return RS_OK;
}

// With a dropped prime P: both keys' products are rounded by it, d being their remainders: centred, of error_factor^-1 times the product, so that
// error_factor divides what is taken off (SEAL's BGV does not centre). Without: P = 1, d = 0.
static rs_status_t encrypt_public(const rs_encrypt_request_t *r, uint64_t *w, uint32_t limbs, rs_ciphertext_t *ciphertext,
                                  rs_rng_t *rng) {
    const rs_context_t *context = r->context;
    const rs_exact_t *exact = rs_exact(context);
    const uint32_t key_limbs = context->params.limb_count;
    const int rounds = r->kind == RS_ENCRYPT_PK && key_limbs > 1;
    const int in_ntt = rs_is_bgv(context) || r->ntt;
    const size_t n = context->n;
    const uint64_t *pk = r->public_key->data;
    uint64_t *u_ntt = w + n;
    int64_t *remainders = (int64_t *)(u_ntt + n);
    rs_small_t small;
    RS_TRY(rs_sample_small(context, &small, (int8_t *)(r->kind == RS_ENCRYPT_PK ? remainders + 2 * n : remainders), rng));
    if (rounds) {
        const rs_limb_t *drop = &context->limbs[limbs]; // the prime that follows the plaintext's last limb
        rs_ring_small(drop, u_ntt, small.u, rs_inverse_mod(rs_error_factor(context, limbs), &drop->modulus));
        for (uint32_t j = 0; j < 2; j++) {
            uint64_t *product = (uint64_t *)remainders + j * n;
            rs_ring_inverse(drop, product, u_ntt, pk + ((size_t)j * key_limbs + limbs) * n);
            exact->lifts[limbs]->centre(drop, remainders + j * n, product, small.errors[j]);
        }
    }
    const uint32_t drop_bits = rounds ? context->limbs[limbs].modulus.bits : 0;
    const uint32_t bits = drop_bits > exact->plain.bits ? drop_bits : exact->plain.bits;
#ifdef RS_BACKENDS
    const double *real = exact->in_doubles && rounds ? in_doubles(w, n, NULL, 0) : NULL;
#endif
    for (uint32_t i = 0; i < limbs; i++) {
        const rs_limb_t *limb = &context->limbs[i];
        const rs_modulus_t *m = &limb->modulus;
        const uint64_t inverse = rounds ? rs_inverse_mod(rs_reduce(context->limbs[limbs].modulus.q, m), m) : 1;
        const rs_factor_t factor = rs_factor(rs_mul_mod(inverse, rs_error_factor(context, i), m), m->q);
#ifdef RS_BACKENDS
        if (real) {
            uint64_t *c = ciphertext->data + i * n;
            const uint64_t *key = pk + i * n;
            const rs_sweep_t sweep = {.c = {c, c + limbs * n},
                                      .pk = {key, key + key_limbs * n},
                                      .errors = {small.errors[0], small.errors[1]},
                                      .d = {remainders, remainders + n},
                                      .message = real,
                                      .u = small.u,
                                      .inverse = inverse,
                                      .factor = factor.value,
                                      .scratch = u_ntt};
            exact->lifts[i]->sweep(limb, &sweep);
            continue;
        }
#endif
        rs_ring_small(limb, u_ntt, small.u, inverse);
        for (uint32_t j = 0; j < 2; j++) {
            const uint64_t *key = pk + ((size_t)j * key_limbs + i) * n;
            uint64_t *c = ciphertext->data + ((size_t)j * limbs + i) * n;
            if (!in_ntt) rs_ring_inverse(limb, c, u_ntt, key);
            const rs_integer_lift_t lift = {.w = j ? NULL : (const int64_t *)w,
                                            .mu = exact->mu[i],
                                            .error = small.errors[j],
                                            .d = rounds ? remainders + j * n : NULL,
                                            .factor = factor,
                                            .plus = in_ntt ? NULL : c,
                                            .bits = bits};
            exact->integers->lift(limb, c, &lift);
            if (in_ntt) rs_ring_forward(limb, c, NULL, key, u_ntt, 0);
        }
    }
    return RS_OK;
}

rs_status_t rs_exact_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext) {
    if (plaintext->form != RS_FORM_WORDS) return RS_ERR_FORM;
    if (!plaintext->message) return RS_ERR_NULL;
    if (plaintext->reserved[0] | plaintext->reserved[1]) return RS_ERR_STRUCT;
    if (plaintext->correction_factor != 1) return RS_ERR_CORRECTION;
    RS_TRY(rs_check_id(context, plaintext->parms_id, plaintext->limb_count));
    return rs_exact_check_fresh(context, plaintext->limb_count);
}

rs_status_t rs_exact_take(const rs_context_t *context, const rs_encrypt_item_t *item, uint64_t *words, uint32_t *limbs, int slots) {
    if (!item->plaintext) {
        *limbs = item->limb_count ? item->limb_count : context->data_limbs;
        if (item->scale != 0) return RS_ERR_SCHEME;
        if (!item->values && item->count) return RS_ERR_NULL;
        RS_TRY(rs_exact_check_fresh(context, *limbs));
        RS_TRY(rs_exact_check_layout(context, item->layout, item->count));
        if (slots) return rs_exact_scatter(context, words, item->values, item->count, item->layout);
        RS_TRY(rs_exact_pack(context, words, item->values, item->count, item->layout));
        rs_exact_spread(context, words, *limbs);
        return RS_OK;
    }
    RS_TRY(rs_exact_check_plaintext(context, item->plaintext));
    *limbs = item->plaintext->limb_count;
    memcpy(words, item->plaintext->message, context->n * sizeof *words);
    const uint64_t most = context->params.plain_modulus - 1;
    uint64_t beyond = 0;
    for (size_t i = 0; i < context->n; i++) beyond |= (most - words[i]) | words[i];
    beyond >>= 63;
    RS_DECLASSIFY(&beyond, sizeof beyond); // it becomes the status
    if (beyond) return RS_ERR_RESIDUE;
    rs_exact_spread(context, words, *limbs);
    return RS_OK;
}

void rs_exact_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *c, uint32_t limbs, uint32_t seeded, int ntt) {
    *c = (rs_ciphertext_t){.poly_count = 2,
                           .limb_count = limbs,
                           .seeded = seeded,
                           .seed_type = c->seed_type,
                           .seed = c->seed,
                           .scale = 1.0,
                           .data = c->data,
                           .form = ntt ? RS_FORM_NTT : RS_FORM_COEF,
                           .correction_factor = 1};
    memcpy(c->parms_id, context->ids[limbs - 1], RS_PARMS_ID_BYTES);
}

rs_status_t rs_exact_encrypt(const rs_encrypt_request_t *r, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    const rs_context_t *context = r->context;
    rs_ciphertext_t *c = item->ciphertext;
    uint64_t *words = workspace;
    uint32_t limbs = 0;
    if (r->fixed) return RS_ERR_SCHEME;
    RS_TRY(rs_exact_take(context, item, words, &limbs, 0));
    memset(c->parms_id, 0, sizeof c->parms_id);
    RS_TRY((r->kind == RS_ENCRYPT_SK ? encrypt_secret : encrypt_public)(r, words, limbs, c, rng));
    rs_exact_describe_ciphertext(context, c, limbs, r->seeded, rs_is_bgv(context) || r->ntt);
    return RS_OK;
}
