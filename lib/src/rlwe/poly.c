// SPDX-License-Identifier: Apache-2.0
// The steps on single polynomials, each by the limb's ring, and ciphertexts as such.
#include <ringside/rlwe.h>

#include "base/bytes.h"
#include "rlwe/checks.h"

void rs_ntt_forward(const rs_context_t *context, uint32_t limb, uint64_t *poly) {
    const rs_limb_t *l = &context->limbs[limb];
    l->ring->forward(l, poly);
}

void rs_ntt_inverse(const rs_context_t *context, uint32_t limb, uint64_t *poly) {
    const rs_limb_t *l = &context->limbs[limb];
    l->ring->inverse(l, poly);
}

void rs_poly_mul(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const rs_limb_t *l = &context->limbs[limb];
    l->ring->mul(l, out, a, b);
}

void rs_poly_mul_add(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b,
                     const uint64_t *c) {
    const rs_limb_t *l = &context->limbs[limb];
    l->ring->mul_add(l, out, a, b, c);
}

void rs_poly_mul_sub(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b,
                     const uint64_t *c) {
    const rs_limb_t *l = &context->limbs[limb];
    l->ring->mul_sub(l, out, a, b, c);
}

void rs_poly_add(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const uint64_t q = context->limbs[limb].modulus.q;
    for (uint32_t i = 0; i < context->n; i++) out[i] = rs_add_mod(a[i], b[i], q);
}

// Word j holds a(psi^(2 brv(j) + 1)); a(X^g) there is a(psi^(g (2 brv(j) + 1))).
void rs_poly_galois(const rs_context_t *context, uint64_t *out, const uint64_t *a, uint32_t element) {
    const uint32_t log_n = context->params.log_n;
    const uint32_t mask = 2 * context->n - 1;
    for (uint32_t j = 0; j < context->n; j++) {
        const uint32_t exponent = (element * (2 * rs_bit_reverse(j, log_n) + 1)) & mask;
        out[j] = a[rs_bit_reverse(exponent >> 1, log_n)];
    }
}

void rs_lift_small(const rs_context_t *context, uint32_t limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const rs_limb_t *l = &context->limbs[limb];
    l->ring->lift_small(l, out, small, factor);
}

uint64_t rs_drop_inverse(const rs_context_t *context, uint32_t drop, uint32_t limb) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    return rs_inverse_mod(rs_reduce(context->limbs[drop].modulus.q, m), m);
}

void rs_decrypt_limb(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *const *c, uint32_t poly_count,
                     const uint64_t *s_ntt) {
    const uint64_t *sum = c[poly_count - 1];
    for (uint32_t j = poly_count - 1; j-- > 0; sum = out) rs_poly_mul_add(context, limb, out, sum, s_ntt, c[j]);
    if (sum != out) memcpy(out, sum, context->n * sizeof *out);
}

size_t rs_ciphertext_words(const rs_context_t *context, uint32_t poly_count, uint32_t limb_count, uint32_t seeded) {
    return (size_t)(seeded ? 1 : poly_count) * limb_count * context->n;
}

rs_status_t rs_expand(const rs_context_t *context, rs_ciphertext_t *ciphertext) {
    if (!context || !ciphertext || !ciphertext->data) return RS_ERR_NULL;
    RS_TRY(rs_check_id(context, ciphertext->parms_id, ciphertext->limb_count));
    if (!ciphertext->seeded) return RS_OK;
    if (ciphertext->poly_count != 2) return RS_ERR_POLY_COUNT;
    rs_uniform_t uniform;
    const uint32_t limbs = ciphertext->limb_count;
    RS_TRY(rs_uniform_init(&uniform, ciphertext->seed_type, &ciphertext->seed, context->params.log_n, limbs));
    for (uint32_t limb = 0; limb < limbs; limb++) {
        RS_TRY(rs_uniform_next(&uniform, context->limbs[limb].modulus.q, ciphertext->data + (size_t)(limbs + limb) * context->n));
    }
    ciphertext->seeded = 0;
    return RS_OK;
}
