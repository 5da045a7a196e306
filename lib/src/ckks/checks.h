// SPDX-License-Identifier: Apache-2.0
// Checks of a plaintext and its scale against their context, shared by the operations.
#ifndef RINGSIDE_CKKS_CHECKS_H
#define RINGSIDE_CKKS_CHECKS_H

#include <ringside/ckks.h>

#include "ckks/context.h"
#include "rlwe/checks.h"

// encrypt.c: of a plaintext, at a data level; the descriptor of a fresh ciphertext.
rs_status_t rs_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);
void rs_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *ciphertext, const rs_plaintext_t *plaintext);

// Positive, normal, and floor(log2 scale) + 1 below the bits of the level's modulus (SEAL's is_scale_within_bounds). Public.
rs_status_t rs_check_scale(const rs_context_t *context, double scale, uint32_t limb_count);

#endif
