// SPDX-License-Identifier: Apache-2.0
// Parameter sets: SEAL's prime choice, checks, parms_id. Size and security of the modulus: security.c.
#include <ringside/params.h>
#include <ringside/xof.h>

#include "arith/plan.h"
#include "base/bytes.h"
#include "base/checks.h"

enum { BIT_SIZES = RS_MODULUS_BITS_MAX + 1 };

static int log2_exact(uint32_t n, uint32_t *log_n) {
    for (uint32_t l = RS_LOG_N_MIN; l <= RS_LOG_N_MAX; l++) {
        if (n == (uint32_t)1 << l) {
            *log_n = l;
            return 1;
        }
    }
    return 0;
}

uint32_t rs_params_data_limbs(const rs_params_t *params) {
    return params->limb_count > 1 ? params->limb_count - 1 : params->limb_count;
}

rs_status_t rs_params_check(const rs_params_t *params, uint32_t security) {
    if (!params) return RS_ERR_NULL;
    if (params->scheme != RS_SCHEME_CKKS) return RS_ERR_SCHEME;
    if (params->log_n < RS_LOG_N_MIN || params->log_n > RS_LOG_N_MAX) return RS_ERR_DEGREE;
    if (params->limb_count < 1 || params->limb_count > RS_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        const uint64_t q = params->moduli[i];
        RS_TRY(rs_limb_check(params->log_n, q));
        for (uint32_t k = 0; k < i; k++) {
            if (params->moduli[k] == q) return RS_ERR_MODULUS_TWICE;
        }
    }
    if (security != 0 && security != 128 && security != 192 && security != 256) return RS_ERR_SECURITY_LEVEL;
    if (security && rs_params_security(params) < security) return RS_ERR_INSECURE;
    return RS_OK;
}

rs_status_t rs_params_from_moduli(rs_params_t *params, uint32_t n, const uint64_t *moduli, uint32_t limb_count, uint32_t security) {
    rs_params_t made = {.scheme = RS_SCHEME_CKKS};
    if (!params || !moduli) return RS_ERR_NULL;
    if (!log2_exact(n, &made.log_n)) return RS_ERR_DEGREE;
    if (limb_count < 1 || limb_count > RS_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
    made.limb_count = limb_count;
    memcpy(made.moduli, moduli, limb_count * sizeof *moduli);
    const rs_status_t status = rs_params_check(&made, security);
    if (status == RS_OK) *params = made;
    return status;
}

// The next prime = 1 mod 2N below `value`, not below 2^(bits-1); 0 if there is none.
static uint64_t next_ntt_prime(uint64_t value, uint64_t two_n, uint32_t bits) {
    const uint64_t lowest = (uint64_t)1 << (bits - 1);
    while (value > lowest + two_n) {
        value -= two_n;
        if (rs_is_prime(value)) return value;
    }
    return 0;
}

rs_status_t rs_params_from_bits(rs_params_t *params, uint32_t n, const uint32_t *bits, uint32_t limb_count, uint32_t security) {
    uint64_t moduli[RS_LIMBS_MAX];
    uint32_t log_n;
    if (!params || !bits) return RS_ERR_NULL;
    if (!log2_exact(n, &log_n)) return RS_ERR_DEGREE;
    if (limb_count < 1 || limb_count > RS_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
    const uint64_t two_n = (uint64_t)2 * n;
    // Primes of one size are found largest first and given out smallest first, so the list is filled from its end.
    uint64_t lowest[BIT_SIZES] = {0};
    for (uint32_t i = limb_count; i-- > 0;) {
        const uint32_t b = bits[i];
        if (b <= log_n + 1 || b > RS_MODULUS_BITS_MAX) return RS_ERR_MODULUS_RANGE;
        const uint64_t start = lowest[b] ? lowest[b] : (((uint64_t)1 << b) - 1) / two_n * two_n + 1 + two_n;
        moduli[i] = lowest[b] = next_ntt_prime(start, two_n, b);
        if (!moduli[i]) return RS_ERR_PRIMES;
    }
    return rs_params_from_moduli(params, n, moduli, limb_count, security);
}

rs_status_t rs_params_id(const rs_params_t *params, uint32_t limb_count, uint8_t *id) {
    uint8_t words[8 * (RS_LIMBS_MAX + 3)];
    if (!params || !id) return RS_ERR_NULL;
    if (limb_count < 1 || limb_count > params->limb_count) return RS_ERR_LEVEL;
    rs_store64(words, params->scheme);
    rs_store64(words + 8, (uint64_t)1 << params->log_n);
    for (uint32_t i = 0; i < limb_count; i++) rs_store64(words + 16 + 8 * i, params->moduli[i]);
    rs_store64(words + 16 + 8 * limb_count, 0); // plain modulus
    rs_blake2b(id, RS_PARMS_ID_BYTES, words, 8 * (limb_count + 3), NULL, 0);
    return RS_OK;
}
