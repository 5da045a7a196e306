// SPDX-License-Identifier: Apache-2.0
// Context: everything precomputed from a parameter set (twiddles, roots, CRT constants, parms_ids). Immutable once made:
// any number of threads may use one at the same time.
#ifndef RINGSIDE_CONTEXT_H
#define RINGSIDE_CONTEXT_H

#include "params.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rs_context rs_context_t;

// Bytes that rs_context_init needs for these parameters; 0 if they are invalid.
RS_API size_t rs_context_size(const rs_params_t *params);

typedef struct rs_context_request {
    uint32_t size;
    uint32_t security; // rs_security_t: the parameters are checked again
    const rs_params_t *params; // they are copied
    rs_memory_t memory; // rs_context_size() bytes, which must outlive the context; there is nothing to free
} rs_context_request_t;
RS_API RS_MUST_CHECK rs_status_t rs_context_init(const rs_context_t **context, const rs_context_request_t *request);

RS_API const rs_params_t *rs_context_params(const rs_context_t *context);
RS_API uint32_t rs_context_n(const rs_context_t *context);
// 32 bytes; NULL if limb_count is not in the chain.
RS_API const uint8_t *rs_context_parms_id(const rs_context_t *context, uint32_t limb_count);
// limb_count whose parms_id this is; 0 if it belongs to other parameters.
RS_API uint32_t rs_context_find_id(const rs_context_t *context, const uint8_t *id);
// The ring of limb `limb`; NULL if there is no such limb.
RS_API const rs_plan_t *rs_context_plan(const rs_context_t *context, uint32_t limb);
// Known-answer test of every primitive (NTT, hashes, samplers, encode, encrypt, decrypt) in the caller's memory.
RS_API size_t rs_selftest_size(void);
RS_API RS_MUST_CHECK rs_status_t rs_selftest(void *memory, size_t memory_bytes);

#ifdef __cplusplus
}
#endif

#endif
