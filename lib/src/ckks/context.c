// SPDX-License-Identifier: Apache-2.0
// Building a context: its limbs, FFT roots, parms_ids.
#include "ckks/context_internal.h"

#include <string.h>

#include "arith/plan.h"
#include "base/bytes.h"
#include "ckks/checks.h"

_Static_assert((int)RS_LIMBS_MAX <= (int)RS_DIGITS_MAX && (int)RS_LOG_N_MAX <= (int)RS_FFT_LOG_N_MAX,
               "encoding/ serves every context");

static size_t root_bytes(const rs_params_t *params) {
    return ((size_t)1 << (params->log_n - 1)) * sizeof(double);
}

static size_t slot_bytes(const rs_params_t *params) {
    return ((size_t)1 << (params->log_n - 1)) * sizeof(uint16_t);
}

size_t rs_context_size(const rs_params_t *params) {
    if (rs_params_check(params, 0) != RS_OK) return 0;
    return sizeof(rs_context_t) + RS_LINE_BYTES + params->limb_count * rs_limb_table_bytes(params->log_n) + 2 * root_bytes(params) +
           slot_bytes(params);
}

rs_status_t rs_context_init(const rs_context_t **context, void *memory, size_t memory_bytes, const rs_params_t *params,
                            uint32_t security) {
    if (!context || !memory || !params) return RS_ERR_NULL;
    const rs_status_t status = rs_params_check(params, security);
    if (status != RS_OK) return status;
    if (memory_bytes < rs_context_size(params)) return RS_ERR_MEMORY;
    if ((uintptr_t)memory & 7) return RS_ERR_ALIGNMENT;
    RS_TRY(rs_backend_status());

    rs_context_t *c = memory;
    uint8_t *tables = (uint8_t *)rs_align_line((uintptr_t)memory + sizeof *c);
    double *fft_re = (double *)(void *)(tables + params->limb_count * rs_limb_table_bytes(params->log_n));
    double *fft_im = fft_re + ((size_t)1 << (params->log_n - 1));
    uint16_t *slots = (uint16_t *)(void *)(fft_im + ((size_t)1 << (params->log_n - 1)));
    memset(c, 0, sizeof *c);
    c->params = *params;
    c->backend = rs_backend_current();
    c->n = (uint32_t)1 << params->log_n;
    c->data_limbs = rs_params_data_limbs(params);
    c->fft = (rs_fft_t){params->log_n, fft_re, fft_im};
    rs_fft_roots(fft_re, fft_im, params->log_n, tables); // where twiddles will be
    c->slots = slots;
    for (uint32_t limb = 0; limb < params->limb_count; limb++) {
        const uint64_t q = params->moduli[limb];
        const rs_ring_t *ring = rs_backend_ring(c->backend, params->log_n, q);
        rs_limb_init(&c->limbs[limb], ring, params->log_n, q, tables + limb * rs_limb_table_bytes(params->log_n));
        c->total_bits[limb + 1] = rs_params_total_bits(params, limb + 1);
        RS_TRY(rs_params_id(params, limb + 1, c->ids[limb]));
    }
    rs_fft_slots(slots, params->log_n);
    *context = c;
    return RS_OK;
}

const rs_params_t *rs_context_params(const rs_context_t *context) {
    return &context->params;
}

uint32_t rs_context_n(const rs_context_t *context) {
    return context->n;
}

const uint8_t *rs_context_parms_id(const rs_context_t *context, uint32_t limb_count) {
    return limb_count >= 1 && limb_count <= context->params.limb_count ? context->ids[limb_count - 1] : NULL;
}

uint32_t rs_context_find_id(const rs_context_t *context, const uint8_t *id) {
    for (uint32_t i = 0; i < context->params.limb_count; i++) {
        if (memcmp(context->ids[i], id, RS_PARMS_ID_BYTES) == 0) return i + 1;
    }
    return 0;
}

uint64_t rs_context_root(const rs_context_t *context, uint32_t limb) {
    return limb < context->params.limb_count ? context->limbs[limb].root : 0;
}
