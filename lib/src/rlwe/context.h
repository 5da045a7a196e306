// SPDX-License-Identifier: Apache-2.0
// What is inside a context: a chain of limbs, and behind it what its scheme adds.
#ifndef RINGSIDE_RLWE_CONTEXT_H
#define RINGSIDE_RLWE_CONTEXT_H

#include <ringside/context.h>

#include "backend/backend.h"

struct rs_context {
    rs_params_t params;
    const rs_backend_t *backend; // that was in use when the context was made
    uint32_t n;
    uint32_t data_limbs;
    uint32_t total_bits[RS_LIMBS_MAX + 1];        // bits of the product q_0 … q_{index-1}
    uint8_t ids[RS_LIMBS_MAX][RS_PARMS_ID_BYTES]; // [limb_count - 1]
    rs_limb_t limbs[RS_LIMBS_MAX];
    const struct rs_scheme_calls *calls; // by params.scheme (client/scheme.h)
    const void *scheme; // its tables
};

// What the errors of keys and of fresh ciphertexts are multiplied by: t in BGV, else 1.
static inline uint64_t rs_error_factor(const rs_context_t *context, uint32_t limb) {
    return context->params.scheme == RS_SCHEME_BGV ? rs_reduce(context->params.plain_modulus, &context->limbs[limb].modulus) : 1;
}

// Fills all but `calls` and `scheme`; of parameters that were checked. tables: limb_count rs_limb_table_bytes(), on a cache line.
RS_MUST_CHECK rs_status_t rs_context_chain(rs_context_t *context, const rs_params_t *params, uint8_t *tables);

#endif
