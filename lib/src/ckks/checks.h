// SPDX-License-Identifier: Apache-2.0
// Checks of objects against their context, shared by the operations.
#ifndef RINGSIDE_CKKS_CHECKS_H
#define RINGSIDE_CKKS_CHECKS_H

#include <ringside/ckks.h>
#include <string.h>

#include "base/checks.h"
#include "ckks/context_internal.h"
#include "sampling/seed.h"

// The object's parms_id must be the one of its limb_count in this context.
static inline rs_status_t rs_check_id(const rs_context_t *context, const uint8_t *id, uint32_t limb_count) {
    if (limb_count < 1 || limb_count > context->params.limb_count) return RS_ERR_LEVEL;
    return memcmp(context->ids[limb_count - 1], id, RS_PARMS_ID_BYTES) == 0 ? RS_OK : RS_ERR_MISMATCH;
}

// encrypt.c: checks of a plaintext (at a data level) and of a public key (expanded); the descriptor of a fresh ciphertext.
rs_status_t rs_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);
rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key);
void rs_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *ciphertext, const rs_plaintext_t *plaintext);

// Positive, normal, and floor(log2 scale) + 1 below the bits of the level's modulus (SEAL's is_scale_within_bounds). Public.
rs_status_t rs_check_scale(const rs_context_t *context, double scale, uint32_t limb_count);

#endif
