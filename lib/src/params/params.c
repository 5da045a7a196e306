// SPDX-License-Identifier: Apache-2.0
// Parameter sets: SEAL's prime choice, checks, parms_id. Size and security of the modulus: security.c.
#include <ringside/golden/hash.h>
#include <ringside/params.h>
#include <ringside/xof.h>

#include "arith/plan.h"
#include "base/bytes.h"
#include "base/checks.h"
#include "params/plain.h"
#include "params/sets.h"

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

rs_status_t rs_params_check(const rs_params_t *params, uint32_t security) {
    if (!params) return RS_ERR_NULL;
    const int is_exact = params->scheme == RS_SCHEME_BFV || params->scheme == RS_SCHEME_BGV;
    if (!is_exact && params->scheme != RS_SCHEME_CKKS) return RS_ERR_SCHEME;
    if (params->log_n < RS_LOG_N_MIN || params->log_n > RS_LOG_N_MAX) return RS_ERR_DEGREE;
    if (params->limb_count < 1 || params->limb_count > RS_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
    if (params->special_limbs || (params->plain_modulus && !is_exact)) return RS_ERR_STRUCT;
    for (uint32_t i = 0; i < 4; i++)
        if (params->reserved[i]) return RS_ERR_STRUCT;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        const uint64_t q = params->moduli[i];
        RS_TRY(rs_limb_check(params->log_n, q, (uint64_t)1 << RS_MODULUS_BITS_MAX));
        for (uint32_t k = 0; k < i; k++) {
            if (params->moduli[k] == q) return RS_ERR_MODULUS_TWICE;
        }
    }
    if (is_exact) RS_TRY(rs_plain_check(params));
    if (security == RS_SECURITY_UNCHECKED) return RS_OK;
    if (security == RS_SECURITY_DEFAULT) security = 128;
    if (security != 128 && security != 192 && security != 256) return RS_ERR_SECURITY_LEVEL;
    return rs_params_security(params, RS_SECURITY_CHECKED) < security ? RS_ERR_INSECURE : RS_OK;
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

// The least number = 1 mod 2N that is not below 2^bits.
static uint64_t first_candidate(uint64_t two_n, uint32_t bits) { return (((uint64_t)1 << bits) - 1) / two_n * two_n + 1 + two_n; }

// Primes of these sizes behind those that are there already.
static rs_status_t choose_primes(rs_params_t *params, const uint32_t *bits, uint32_t count) {
    const uint64_t two_n = (uint64_t)2 << params->log_n;
    // Primes of one size are found largest first and given out smallest first, so the list is filled from its end.
    uint64_t lowest[BIT_SIZES] = {0};
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t b = bits[i];
        if (b <= params->log_n + 1 || b > RS_MODULUS_BITS_MAX) return RS_ERR_MODULUS_RANGE;
        const uint64_t start = lowest[b] ? lowest[b] : first_candidate(two_n, b);
        lowest[b] = next_ntt_prime(start, two_n, b);
        if (!lowest[b]) return RS_ERR_PRIMES;
        params->moduli[params->limb_count + i] = lowest[b];
    }
    params->limb_count += count;
    return RS_OK;
}

static rs_status_t fill_named(rs_params_t *params, const char *name) {
    const rs_named_set_t *set = rs_named_set(name);
    uint32_t bits[sizeof set->bits] = {0};
    if (!set) return RS_ERR_SET;
    params->scheme = set->scheme;
    params->plain_modulus = set->plain_modulus;
    params->log_n = set->log_n;
    params->limb_count = set->prime_count;
    for (uint32_t i = 0; i < set->prime_count; i++) params->moduli[i] = set->primes[i];
    for (uint32_t i = 0; i < set->bit_count; i++) bits[i] = set->bits[i];
    return choose_primes(params, bits, set->bit_count);
}

static rs_status_t choose_plain(rs_params_t *params, const rs_params_request_t *request) {
    if (!request->plain_bits && !request->plain_modulus) return RS_OK;
    if (params->scheme == RS_SCHEME_CKKS) return RS_ERR_OPTION;
    params->plain_modulus = request->plain_modulus;
    if (!request->plain_bits) return RS_OK;
    if (request->plain_bits <= params->log_n + 1 || request->plain_bits > RS_MODULUS_BITS_MAX) return RS_ERR_PLAIN_MODULUS;
    const uint64_t two_n = (uint64_t)2 << params->log_n;
    params->plain_modulus = next_ntt_prime(first_candidate(two_n, request->plain_bits), two_n, request->plain_bits);
    return params->plain_modulus ? RS_OK : RS_ERR_PRIMES;
}

rs_status_t rs_params_init(rs_params_t *params, const rs_params_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    rs_params_t made = {.scheme = request->scheme ? request->scheme : RS_SCHEME_CKKS};
    const int sources = !!request->name + !!request->moduli + !!request->bits;
    if (!params || !sources) return RS_ERR_NULL;
    if (sources > 1 || (request->plain_bits && request->plain_modulus)) return RS_ERR_OPTION;
    if (request->name) {
        if (request->n || request->limb_count) return RS_ERR_OPTION;
        RS_TRY(fill_named(&made, request->name));
        if (request->scheme && request->scheme != made.scheme) return RS_ERR_SCHEME;
    } else {
        if (!log2_exact(request->n, &made.log_n)) return RS_ERR_DEGREE;
        if (request->limb_count < 1 || request->limb_count > RS_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
        if (request->bits) {
            RS_TRY(choose_primes(&made, request->bits, request->limb_count));
        } else {
            made.limb_count = request->limb_count;
            memcpy(made.moduli, request->moduli, request->limb_count * sizeof *request->moduli);
        }
    }
    RS_TRY(choose_plain(&made, request));
    RS_TRY(rs_params_check(&made, request->security));
    *params = made;
    return RS_OK;
}

rs_status_t rs_params_id(const rs_params_t *params, uint32_t limb_count, uint8_t *id) {
    uint8_t words[8 * (RS_LIMBS_MAX + 3)];
    if (!params || !id) return RS_ERR_NULL;
    if (limb_count < 1 || limb_count > params->limb_count) return RS_ERR_LEVEL;
    rs_store64(words, params->scheme);
    rs_store64(words + 8, (uint64_t)1 << params->log_n);
    for (uint32_t i = 0; i < limb_count; i++) rs_store64(words + 16 + 8 * i, params->moduli[i]);
    rs_store64(words + 16 + 8 * limb_count, params->plain_modulus);
    rs_blake2b(id, RS_PARMS_ID_BYTES, words, 8 * (limb_count + 3), NULL, 0);
    return RS_OK;
}
