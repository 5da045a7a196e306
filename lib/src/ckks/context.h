// SPDX-License-Identifier: Apache-2.0
// What CKKS adds to a context: the transform of encode and decode, and how messages become residues.
#ifndef RINGSIDE_CKKS_CONTEXT_H
#define RINGSIDE_CKKS_CONTEXT_H

#include "client/scheme.h"

typedef struct rs_ckks {
    rs_fft_t fft;
    const uint16_t *slots; // [N/2]: where each slot is (rs_fft_slots)
    const rs_lifts_t *lifts[RS_LIMBS_MAX];
} rs_ckks_t;

static inline const rs_ckks_t *rs_ckks(const rs_context_t *context) { return context->scheme; }

extern const rs_scheme_calls_t RS_CKKS;
// The parameters were checked; memory has rs_ckks_context_size() bytes.
size_t rs_ckks_context_size(const rs_params_t *params);
RS_MUST_CHECK rs_status_t rs_ckks_context_init(const rs_context_t **context, const rs_params_t *params, void *memory);

static inline rs_rns_t rs_context_rns(const rs_context_t *context) {
    return (rs_rns_t){context->n, context->limbs, context->total_bits};
}

#endif
