// SPDX-License-Identifier: Apache-2.0
// A chain of limbs with its parms_ids.
#include "rlwe/context.h"

#include <string.h>

#include "arith/plan.h"
#include "base/checks.h"

rs_status_t rs_context_chain(rs_context_t *c, const rs_params_t *params, uint8_t *tables) {
    memset(c, 0, sizeof *c);
    c->params = *params;
    c->backend = rs_backend_current();
    c->n = (uint32_t)1 << params->log_n;
    c->data_limbs = rs_params_data_limbs(params);
    for (uint32_t limb = 0; limb < params->limb_count; limb++) {
        const uint64_t q = params->moduli[limb];
        const rs_ring_t *ring = rs_backend_choice(c->backend, params->log_n, q).ring;
        rs_limb_init(&c->limbs[limb], ring, params->log_n, q, tables + limb * rs_limb_table_bytes(params->log_n));
        c->total_bits[limb + 1] = rs_params_total_bits(params, limb + 1);
        RS_TRY(rs_params_id(params, limb + 1, c->ids[limb]));
    }
    return RS_OK;
}

const rs_params_t *rs_context_params(const rs_context_t *context) { return &context->params; }

uint32_t rs_context_n(const rs_context_t *context) { return context->n; }

const uint8_t *rs_context_parms_id(const rs_context_t *context, uint32_t limb_count) {
    return limb_count >= 1 && limb_count <= context->params.limb_count ? context->ids[limb_count - 1] : NULL;
}

uint32_t rs_context_find_id(const rs_context_t *context, const uint8_t *id) {
    for (uint32_t i = 0; i < context->params.limb_count; i++) {
        if (memcmp(context->ids[i], id, RS_PARMS_ID_BYTES) == 0) return i + 1;
    }
    return 0;
}

const rs_plan_t *rs_context_plan(const rs_context_t *context, uint32_t limb) {
    return limb < context->params.limb_count ? &context->limbs[limb] : NULL;
}
