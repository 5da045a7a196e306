// SPDX-License-Identifier: Apache-2.0
// Keys that switch from one secret to another: relinearisation and automorphisms.
#include <ringside/rlwe.h>

#include "base/bytes.h"
#include "rlwe/checks.h"

rs_status_t rs_keygen_switch(const rs_context_t *context, const rs_secret_key_t *secret, uint32_t element, uint32_t index,
                             rs_ciphertext_t *key, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_check_secret(context, secret));
    const uint32_t limbs = context->params.limb_count;
    if (limbs < 2) return RS_ERR_NO_SPECIAL;
    if (index >= limbs - 1) return RS_ERR_LEVEL;
    if (element && (!(element & 1) || element >= 2 * context->n)) return RS_ERR_GALOIS;
    RS_TRY(rs_keygen_public(context, secret, key, rng, workspace, workspace_bytes));
    const size_t n = context->n;
    const rs_modulus_t m = context->limbs[index].modulus;
    const rs_factor_t special = rs_factor(rs_reduce(context->limbs[limbs - 1].modulus.q, &m), m.q);
    const uint64_t *s = secret->ntt + index * n;
    uint64_t *b = key->data + index * n;
    uint64_t *target = workspace;
    if (element) {
        rs_plan_galois(&context->limbs[0], target, s, element);
    } else {
        rs_plan_mul(&context->limbs[index], target, s, s);
    }
    for (size_t i = 0; i < n; i++) b[i] = rs_add_mod(b[i], rs_mul_factor(target[i], special, m.q), m.q);
    rs_zeroize(target, n * sizeof *target);
    return RS_OK;
}

rs_status_t rs_galois_element(const rs_context_t *context, int32_t steps, uint32_t *element) {
    if (!context || !element) return RS_ERR_NULL;
    const uint32_t n = context->n;
    const int32_t slots = (int32_t)(n / 2);
    if (steps <= -slots || steps >= slots) return RS_ERR_GALOIS;
    if (steps == 0) {
        *element = 2 * n - 1;
        return RS_OK;
    }
    uint32_t power = 1;
    for (uint32_t i = (uint32_t)(steps > 0 ? steps : steps + slots); i > 0; i--) power = (power * 3) & (2 * n - 1);
    *element = power;
    return RS_OK;
}

uint32_t rs_galois_powers_of_two(const rs_context_t *context, uint32_t *elements, uint32_t capacity) {
    const uint32_t count = 2 * context->params.log_n - 2; // conjugation, +-2^i for 2^i < N/4, N/4 (its own inverse)
    for (uint32_t i = 0; i < count; i++) {
        uint32_t element = 0;
        const int32_t magnitude = i ? (int32_t)1 << ((i - 1) / 2) : 0;
        rs_ignore(rs_galois_element(context, i & 1 ? magnitude : -magnitude, &element)); // in range
        if (i < capacity) elements[i] = element;
    }
    return count;
}
