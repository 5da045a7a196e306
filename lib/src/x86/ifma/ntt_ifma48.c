// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 IFMA, q < 2^48: fewer reductions forward. The inverse is that of ntt_ifma.c.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#define SPARE_BITS 4
#include "x86/ifma/ntt_products52.h"

FORWARD(rs_ntt_ifma48, count - 1)
#endif
