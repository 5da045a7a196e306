// SPDX-License-Identifier: Apache-2.0
#include "params/plain.h"

#include "arith/plan.h"

uint32_t rs_plain_limbs_min(const rs_params_t *params) {
    uint32_t limbs = 1;
    uint64_t rest = params->plain_modulus / params->moduli[0];
    for (; rest && limbs < params->limb_count; limbs++) rest /= params->moduli[limbs];
    return rest ? limbs + 1 : limbs;
}

rs_status_t rs_plain_check(const rs_params_t *params) {
    const uint64_t t = params->plain_modulus;
    if (t < 2 || t >> RS_MODULUS_BITS_MAX) return RS_ERR_PLAIN_MODULUS;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        if (t % params->moduli[i] == 0) return RS_ERR_PLAIN_MODULUS;
    }
    return rs_plain_limbs_min(params) <= rs_params_data_limbs(params) ? RS_OK : RS_ERR_PLAIN_MODULUS;
}

int rs_plain_has_slots(const rs_params_t *params) {
    return params->scheme != RS_SCHEME_CKKS &&
           rs_limb_check(params->log_n, params->plain_modulus, (uint64_t)1 << RS_MODULUS_BITS_MAX) == RS_OK;
}

// Euclid's algorithm; factors are at most t in magnitude.
uint64_t rs_plain_inverse(uint64_t a, uint64_t t) {
    uint64_t rest[2] = {t, a % t};
    int64_t factor[2] = {0, 1};
    while (rest[1]) {
        const uint64_t quotient = rest[0] / rest[1];
        const uint64_t next = rest[0] - quotient * rest[1];
        const int64_t other = factor[0] - (int64_t)quotient * factor[1];
        rest[0] = rest[1];
        rest[1] = next;
        factor[0] = factor[1];
        factor[1] = other;
    }
    if (rest[0] != 1) return 0;
    return (uint64_t)factor[0] + (factor[0] < 0 ? t : 0);
}
