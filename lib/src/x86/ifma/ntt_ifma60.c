// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 IFMA, q < 2^60.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
enum { SPARE_BITS = 4, LOG_STEP = 2 };
#include "x86/ifma/ntt_products60.h"

#include "x86/arith/ntt_lifted64.h"

FORWARD(rs_ntt_ifma60, 0)

TARGET void rs_ntt_ifma60_inverse(const rs_limb_t *limb, uint64_t *poly) { inverse_all(limb, poly, 0); }
#endif
