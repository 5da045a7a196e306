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

// A ciphertext that is read: its id, and members that CKKS does not use.
static inline rs_status_t rs_check_ciphertext(const rs_context_t *context, const rs_ciphertext_t *c) {
    RS_TRY(rs_check_id(context, c->parms_id, c->limb_count));
    if (c->form) return RS_ERR_NOT_NTT;
    return c->reserved_word | c->correction_factor | c->reserved[0] | c->reserved[1] ? RS_ERR_STRUCT : RS_OK;
}

// A secret key; a public key, expanded.
rs_status_t rs_check_secret(const rs_context_t *context, const rs_secret_key_t *key);
rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key);

// c0 = NTT(error) - a o s: with a an encryption of zero.
void rs_zero_limb(const rs_limb_t *limb, uint64_t *c0, const uint64_t *a_ntt, const uint64_t *s_ntt, const int8_t *error);

// Variance per coefficient of a fresh encryption of zero: RS_ERR_LEVEL, RS_ERR_FORM.
rs_status_t rs_zero_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count, double *variance);

#endif
