// SPDX-License-Identifier: Apache-2.0
// What is inside a context.
#ifndef RINGSIDE_CONTEXT_INTERNAL_H
#define RINGSIDE_CONTEXT_INTERNAL_H

#include <ringside/context.h>

#include "backend/backend.h"

struct rs_context {
    rs_params_t params;
    const rs_backend_t *backend; // that was in use when the context was made
    uint32_t n;
    uint32_t data_limbs;
    uint32_t total_bits[RS_LIMBS_MAX + 1];           // of q_0 … q_{index-1}
    uint8_t ids[RS_LIMBS_MAX][RS_PARMS_ID_BYTES];    // [limb_count - 1]
    rs_limb_t limbs[RS_LIMBS_MAX];
    rs_fft_t fft;
    const uint16_t *slots; // [N/2]: where each slot is (rs_fft_slots)
};

static inline rs_rns_t rs_context_rns(const rs_context_t *context) {
    return (rs_rns_t){context->n, context->limbs, context->total_bits};
}

#endif
