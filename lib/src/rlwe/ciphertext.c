// SPDX-License-Identifier: Apache-2.0
// Ciphertexts as such.
#include <ringside/golden/sample.h>

#include "rlwe/checks.h"

size_t rs_ciphertext_words(const rs_context_t *context, uint32_t poly_count, uint32_t limb_count, uint32_t seeded) {
    return (size_t)(seeded ? 1 : poly_count) * limb_count * context->n;
}

rs_status_t rs_expand(const rs_context_t *context, rs_ciphertext_t *ciphertext) {
    if (!context || !ciphertext || !ciphertext->data) return RS_ERR_NULL;
    RS_TRY(rs_check_ciphertext(context, ciphertext));
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

void rs_phase_limb(const rs_limb_t *limb, uint64_t *out, const uint64_t *const *c, uint32_t poly_count, const uint64_t *s_ntt) {
    const uint64_t *sum = c[poly_count - 1];
    for (uint32_t j = poly_count - 1; j-- > 0; sum = out) rs_plan_mul_add(limb, out, sum, s_ntt, c[j]);
}

rs_status_t rs_sample_small(const rs_context_t *context, rs_small_t *small, int8_t *memory, rs_rng_t *rng) {
    rs_seed_t seed;
    const size_t n = context->n;
    RS_TRY(rs_fresh_seed(rng, &seed));
    *small = (rs_small_t){memory, {memory + n, memory + 2 * n}};
    rs_sample_ternary(small->u, n, &seed, RS_DOMAIN_U);
    rs_sample_cbd21(small->errors[0], n, &seed, RS_DOMAIN_E0);
    rs_sample_cbd21(small->errors[1], n, &seed, RS_DOMAIN_E1);
    rs_zeroize(&seed, sizeof seed);
    return RS_OK;
}
