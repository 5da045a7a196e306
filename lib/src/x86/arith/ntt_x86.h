// SPDX-License-Identifier: Apache-2.0
// The transforms of the rings (arith/ring.h), by the instructions that they need.
#ifndef RINGSIDE_X86_NTT_H
#define RINGSIDE_X86_NTT_H

#include "arith/ntt.h"
#include "x86/x86.h"

// A forward transform of more than a polynomial's words, or more than that: the first pass makes the residues, the last one adds a product.
// All that lifts.h and ring.h call fused, scaled and fused_rounded; the bounds are those there.
typedef enum rs_lift_kind {
    RS_LIFT_POLY,    // the words in out
    RS_LIFT_SMALL,   // small
    RS_LIFT_TERNARY, // factor small, small from -1 to 1
    RS_LIFT_SCALED,  // factor small
    RS_LIFT_MESSAGE, // message + small
    RS_LIFT_ROUNDED, // factor (small - d)
    RS_LIFT_BOTH,    // message + factor (small - d)
} rs_lift_kind_t;
typedef struct rs_lifted {
    rs_lift_kind_t kind;
    const int8_t *small;
    const double *message;
    const int64_t *d;
    uint64_t factor;
    const uint64_t *a; // NULL: no product
    const uint64_t *b;
    int subtract;
} rs_lifted_t;
// One polynomial, or three in one sweep, of which the first one may be b of the others. q from 2^17 on
void rs_ntt_avx512_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted); // q < 2^60
void rs_ntt_ifma60_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted); // q < 2^60
void rs_ntt_ifma55_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted); // q < 2^55
void rs_ntt_ifma_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted); // q < 2^50
void rs_ntt_ifma49_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted); // q < 2^49
void rs_ntt_ifma48_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted); // q < 2^48

// AVX-512 F, DQ, VL, BW; q < 2^60, quotients of 64 bits
void rs_ntt_avx512_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_avx512_inverse(const rs_limb_t *limb, uint64_t *poly);
// and IFMA
void rs_ntt_ifma60_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_ifma60_inverse(const rs_limb_t *limb, uint64_t *poly);
// q < 2^55
void rs_ntt_ifma55_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_ifma55_inverse(const rs_limb_t *limb, uint64_t *poly);
// the inverse transform of a, or with b, of a b
void rs_ntt_ifma55_product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b);
// q < 2^50, quotients of 52 bits
void rs_ntt_ifma_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_ifma_inverse(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_ifma48_forward(const rs_limb_t *limb, uint64_t *poly); // q < 2^48
void rs_ntt_ifma49_forward(const rs_limb_t *limb, uint64_t *poly); // q < 2^49
// without it; q < 2^30, twiddles and quotients in words of 32 bits
void rs_ntt_avx512_32_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_avx512_32_inverse(const rs_limb_t *limb, uint64_t *poly);
// the same on a polynomial of 32-bit words
void rs_ntt32_avx512_forward(const rs_limb_t *limb, uint32_t *poly);
void rs_ntt32_avx512_inverse(const rs_limb_t *limb, uint32_t *poly);
// AVX2, for machines without AVX-512: the same as the 64-bit and 32-bit ones above
void rs_ntt_avx2_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_avx2_inverse(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_avx2_32_forward(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt_avx2_32_inverse(const rs_limb_t *limb, uint64_t *poly);
void rs_ntt32_avx2_forward(const rs_limb_t *limb, uint32_t *poly);
void rs_ntt32_avx2_inverse(const rs_limb_t *limb, uint32_t *poly);

#endif
