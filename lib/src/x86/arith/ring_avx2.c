// SPDX-License-Identifier: Apache-2.0
// The rings of AVX2: they have their own transforms. All else is portable, because products of 64-bit words are not faster in vectors of four.
#include "x86/arith/ntt_x86.h"

#ifdef RS_X86

const rs_ring_t RS_RING_AVX2_60 = {
    .quotient_bits = 64,
    .forward = rs_ntt_avx2_forward,
    .inverse = rs_ntt_avx2_inverse,
    RS_PORTABLE_POINTWISE,
};
#endif
