// SPDX-License-Identifier: Apache-2.0
// Argument checks shared by the operations.
#ifndef RINGSIDE_CHECKS_H
#define RINGSIDE_CHECKS_H

#include <ringside/ckks.h>
#include <string.h>

#include "ckks/context_internal.h"

#define RS_TRY(expression)                           \
    do {                                             \
        const rs_status_t try_status = (expression); \
        if (try_status != RS_OK) return try_status;  \
    } while (0)

// The object's parms_id must be the one of its limb_count in this context.
static inline rs_status_t rs_check_id(const rs_context_t *context, const uint8_t *id, uint32_t limb_count) {
    if (limb_count < 1 || limb_count > context->params.limb_count) return RS_ERR_LEVEL;
    return memcmp(context->ids[limb_count - 1], id, RS_PARMS_ID_BYTES) == 0 ? RS_OK : RS_ERR_MISMATCH;
}

static inline rs_status_t rs_check_workspace(const void *workspace, size_t bytes, size_t needed) {
    if (!needed) return RS_OK;
    if (!workspace) return RS_ERR_NULL;
    if (bytes < needed) return RS_ERR_MEMORY;
    return (uintptr_t)workspace & 7 ? RS_ERR_ALIGNMENT : RS_OK;
}

// A fresh seed; wiped if the source fails.
static inline rs_status_t rs_fresh_seed(rs_rng_t *rng, rs_seed_t *seed) {
    if (rng->fill(rng->state, seed->bytes, RS_SEED_BYTES) == RS_OK) return RS_OK;
    rs_zeroize(seed, sizeof *seed);
    return RS_ERR_RNG;
}

// A private and a public one, in this order.
static inline rs_status_t rs_fresh_seeds(rs_rng_t *rng, rs_seed_t *private_seed, rs_seed_t *public_seed) {
    RS_TRY(rs_fresh_seed(rng, private_seed));
    const rs_status_t status = rs_fresh_seed(rng, public_seed);
    if (status != RS_OK) rs_zeroize(private_seed, sizeof *private_seed);
    return status;
}

// encrypt.c: a plaintext at a data level, a public key that can be used as it is; what a fresh ciphertext of a plaintext is.
rs_status_t rs_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);
rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key);
void rs_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *ciphertext, const rs_plaintext_t *plaintext);

// Positive, normal, and floor(log2 scale) + 1 below the bits of the level's modulus (SEAL's is_scale_within_bounds). Public.
rs_status_t rs_check_scale(const rs_context_t *context, double scale, uint32_t limb_count);

#endif
