// SPDX-License-Identifier: Apache-2.0
// The transforms of the portable ring (ring.h).
#ifndef RINGSIDE_NTT_H
#define RINGSIDE_NTT_H

#include "arith/ring.h"

// q < 2^60, quotients of 64 bits
void rs_ntt_portable_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_portable_inverse(const rs_limb_t *limb, uint64_t *poly);

#endif
