// SPDX-License-Identifier: Apache-2.0
// What is inside a context.
#ifndef RINGSIDE_CONTEXT_INTERNAL_H
#define RINGSIDE_CONTEXT_INTERNAL_H

#include <ringside/context.h>

#include "modarith.h"

struct rs_context {
    rs_params_t params;
    uint32_t n;
    uint32_t data_limbs;
    uint32_t total_bits[RS_LIMBS_MAX + 1];           // of q_0 … q_{index-1}
    uint8_t ids[RS_LIMBS_MAX][RS_PARMS_ID_BYTES];    // [limb_count - 1]
    rs_modulus_t moduli[RS_LIMBS_MAX];
    uint64_t roots[RS_LIMBS_MAX];                    // psi
    rs_factor_t n_inverse[RS_LIMBS_MAX];             // N^-1
    rs_factor_t last_inverse[RS_LIMBS_MAX];          // N^-1 times the twiddle of the inverse transform's last stage
    const rs_factor_t *twiddles;                     // [limb][N]: psi^brv(i)
    const double *fft_re;                            // [N/2]: stage with h blocks at h … 2h-1, see fft.c
    const double *fft_im;
};

static inline const rs_factor_t *rs_twiddles(const rs_context_t *context, uint32_t limb) {
    return context->twiddles + ((size_t)limb << context->params.log_n);
}

// fft.c: fills the root tables of N/2 entries each.
void rs_fft_roots(double *re, double *im, uint32_t log_n);

#endif
