// SPDX-License-Identifier: Apache-2.0
// The transforms of the rings (ring.h).
#ifndef RINGSIDE_NTT_H
#define RINGSIDE_NTT_H

#include "ring.h"

void rs_ntt_portable_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_portable_inverse(const rs_limb_t *limb, uint64_t *poly);

#endif
