// SPDX-License-Identifier: Apache-2.0
// ntt_ifma48.c, but q < 2^49.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#define SPARE_BITS 3
#include "x86/ifma/ntt_products52.h"

TARGET void rs_ntt_ifma49_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted) {
    forward_lifted(limb, count, out, lifted, count - 1);
}

void rs_ntt_ifma49_forward(const rs_limb_t *limb, uint64_t *poly) {
    const rs_lifted_t lifted = {.kind = RS_LIFT_POLY, .factor = 1};
    rs_ntt_ifma49_lifted(limb, 1, &poly, &lifted);
}
#endif
