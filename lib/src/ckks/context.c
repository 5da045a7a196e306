// SPDX-License-Identifier: Apache-2.0
// Building a context: a chain of limbs, FFT roots, places of slots, lifts.
#include "ckks/context.h"

#include "arith/plan.h"
#include "base/checks.h"

_Static_assert((int)RS_LIMBS_MAX <= (int)RS_DIGITS_MAX && (int)RS_LOG_N_MAX <= (int)RS_FFT_LOG_N_MAX,
               "encoding/ serves every context");

static size_t root_bytes(const rs_params_t *params) { return ((size_t)1 << (params->log_n - 1)) * sizeof(double); }

static size_t slot_bytes(const rs_params_t *params) { return ((size_t)1 << (params->log_n - 1)) * sizeof(uint16_t); }

size_t rs_ckks_context_size(const rs_params_t *params) {
    return sizeof(rs_context_t) + sizeof(rs_ckks_t) + RS_LINE_BYTES + params->limb_count * rs_limb_table_bytes(params->log_n) +
           2 * root_bytes(params) + slot_bytes(params);
}

rs_status_t rs_ckks_context_init(const rs_context_t **context, const rs_params_t *params, void *memory) {
    rs_context_t *c = memory;
    rs_ckks_t *ckks = (rs_ckks_t *)(void *)(c + 1);
    uint8_t *tables = (uint8_t *)rs_align_line((uintptr_t)c + sizeof *c + sizeof *ckks);
    double *fft_re = (double *)(void *)(tables + params->limb_count * rs_limb_table_bytes(params->log_n));
    double *fft_im = fft_re + ((size_t)1 << (params->log_n - 1));
    uint16_t *slots = (uint16_t *)(void *)(fft_im + ((size_t)1 << (params->log_n - 1)));
    rs_fft_roots(fft_re, fft_im, params->log_n, tables); // where twiddles will be
    RS_TRY(rs_context_chain(c, params, tables));
    *ckks = (rs_ckks_t){.fft = {params->log_n, fft_re, fft_im}, .slots = slots};
    for (uint32_t limb = 0; limb < params->limb_count; limb++)
        ckks->lifts[limb] = rs_backend_choice(c->backend, params->log_n, params->moduli[limb]).lifts;
    rs_fft_slots(slots, params->log_n);
    c->calls = &RS_CKKS;
    c->scheme = ckks;
    *context = c;
    return RS_OK;
}
