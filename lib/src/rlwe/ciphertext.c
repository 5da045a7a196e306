// SPDX-License-Identifier: Apache-2.0
// Ciphertexts as such.
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
