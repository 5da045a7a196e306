// SPDX-License-Identifier: Apache-2.0
// Checks of objects against their context, shared by the operations.
#ifndef RINGSIDE_RLWE_CHECKS_H
#define RINGSIDE_RLWE_CHECKS_H

#include <ringside/keys.h>
#include <string.h>

#include "base/checks.h"
#include "rlwe/context.h"
#include "sampling/seed.h"

// The object's parms_id must be the one of its limb_count in this context.
static inline rs_status_t rs_check_id(const rs_context_t *context, const uint8_t *id, uint32_t limb_count) {
    if (limb_count < 1 || limb_count > context->params.limb_count) return RS_ERR_LEVEL;
    return memcmp(context->ids[limb_count - 1], id, RS_PARMS_ID_BYTES) == 0 ? RS_OK : RS_ERR_MISMATCH;
}

// A ciphertext that is read: its id, and members that its scheme has.
static inline rs_status_t rs_check_ciphertext(const rs_context_t *context, const rs_ciphertext_t *c) {
    const rs_params_t *params = &context->params;
    RS_TRY(rs_check_id(context, c->parms_id, c->limb_count));
    if (c->form > (params->scheme != RS_SCHEME_CKKS)) return RS_ERR_NOT_NTT;
    if (c->reserved_word | c->reserved[0] | c->reserved[1]) return RS_ERR_STRUCT;
    if (params->scheme == RS_SCHEME_CKKS) return c->correction_factor ? RS_ERR_STRUCT : RS_OK;
    if (c->correction_factor == 1) return RS_OK;
    const int is_factor = params->scheme == RS_SCHEME_BGV && c->correction_factor && c->correction_factor < params->plain_modulus;
    return is_factor ? RS_OK : RS_ERR_CORRECTION;
}

// A secret key; a public key, expanded.
rs_status_t rs_check_secret(const rs_context_t *context, const rs_secret_key_t *key);
rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key);

// out = c_0 + c_1 s + c_2 s^2 … (Horner), NTT domain; at least two polynomials.
void rs_phase_limb(const rs_limb_t *limb, uint64_t *out, const uint64_t *const *c, uint32_t poly_count, const uint64_t *s_ntt);

// A row of a key in one ring: b = NTT(factor error) - a s, with a an encryption of zero; then b += factor from.
void rs_row_zero(const rs_limb_t *limb, uint64_t *b, const uint64_t *a_ntt, const uint64_t *s_ntt, const int8_t *error,
                 uint64_t factor);
void rs_row_carry(const rs_limb_t *limb, uint64_t *b, const uint64_t *from, uint64_t factor);

// What an encryption with a public key draws, from one fresh seed: u and two errors in 3N bytes of memory, as RS_ERR_RNG says or not.
typedef struct rs_small {
    int8_t *u;
    int8_t *errors[2];
} rs_small_t;
rs_status_t rs_sample_small(const rs_context_t *context, rs_small_t *small, int8_t *memory, rs_rng_t *rng);

// Variance per coefficient of a fresh encryption of zero: RS_ERR_LEVEL, RS_ERR_FORM.
rs_status_t rs_zero_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count, double *variance);

#endif
