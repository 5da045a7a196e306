// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 IFMA, q < 2^50.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#define SPARE_BITS 2
#include "x86/ifma/ntt_products52.h"

FORWARD(rs_ntt_ifma, 0)

TARGET void rs_ntt_ifma_inverse(const rs_limb_t *limb, uint64_t *poly) { inverse_all(limb, poly, 0); }
#endif
