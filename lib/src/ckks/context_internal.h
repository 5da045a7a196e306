// SPDX-License-Identifier: Apache-2.0
// What is inside a context.
#ifndef RINGSIDE_CONTEXT_INTERNAL_H
#define RINGSIDE_CONTEXT_INTERNAL_H

#include <ringside/context.h>

#include "arith/ring.h"
#include "backend/backend.h"

struct rs_context {
    rs_params_t params;
    const rs_backend_t *backend; // the one in use when the context was made
    uint32_t n;
    uint32_t data_limbs;
    uint32_t total_bits[RS_LIMBS_MAX + 1];           // of q_0 … q_{index-1}
    uint8_t ids[RS_LIMBS_MAX][RS_PARMS_ID_BYTES];    // [limb_count - 1]
    rs_limb_t limbs[RS_LIMBS_MAX];
    const double *fft_re;                            // [N/2]: stage with h blocks at h … 2h-1, see fft.c
    const double *fft_im;
    const uint16_t *slots; // [N/2]: where each slot is; the odd ones as their conjugates (3^i = 3 mod 4)
};

// fft_roots.c: fills the root tables of N/2 entries each. scratch: 16 sqrt(N) bytes, aligned for doubles.
void rs_fft_roots(double *re, double *im, uint32_t log_n, void *scratch);
// fft.c: fills the table of slots.
void rs_fft_slots(uint16_t *slots, uint32_t log_n);

#endif
