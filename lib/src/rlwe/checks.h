// SPDX-License-Identifier: Apache-2.0
// Checks of objects against their context, shared by the operations.
#ifndef RINGSIDE_RLWE_CHECKS_H
#define RINGSIDE_RLWE_CHECKS_H

#include <ringside/rlwe.h>
#include <string.h>

#include "base/checks.h"
#include "rlwe/context.h"
#include "sampling/seed.h"

// The object's parms_id must be the one of its limb_count in this context.
static inline rs_status_t rs_check_id(const rs_context_t *context, const uint8_t *id, uint32_t limb_count) {
    if (limb_count < 1 || limb_count > context->params.limb_count) return RS_ERR_LEVEL;
    return memcmp(context->ids[limb_count - 1], id, RS_PARMS_ID_BYTES) == 0 ? RS_OK : RS_ERR_MISMATCH;
}

// A secret key; a public key, expanded.
rs_status_t rs_check_secret(const rs_context_t *context, const rs_secret_key_t *key);
rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key);

// c0 = NTT(error) - a o s: with a an encryption of zero.
void rs_zero_limb(const rs_limb_t *limb, uint64_t *c0, const uint64_t *a_ntt, const uint64_t *s_ntt, const int8_t *error);

// Variance per coefficient of a fresh encryption of zero: RS_ERR_LEVEL, RS_ERR_FORM.
rs_status_t rs_zero_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count, double *variance);

#endif
