// SPDX-License-Identifier: Apache-2.0
// The transform of FIPS 203, section 4.3: Z_q[X] / (X^256 + 1) has roots of unity of order 256 only, zeta = 17, so it ends at the 128 factors
// X^2 - zeta^(2 brv(i) + 1), brv the reversal of 7 bits. Words 2i and 2i + 1 are the residue modulo factor i.
#ifndef RINGSIDE_MLKEM_NTT_H
#define RINGSIDE_MLKEM_NTT_H

#include "base/neon.h"
#include "mlkem/zq.h"

// Bounds are those of ntt.c. Vectors are bounded otherwise (vectors/transforms.h), and their R is 2^16.

// Algorithm 9, in place. |f| <= q in, at most q + 7 (q + 1) / 2 < 4.51 q out: not reduced.
void rs_mlkem_ntt(int16_t *f);

// Algorithm 10 times R, in place: of a sum of products as rs_mlkem_dot gives it. At most RS_MLKEM_HALF in magnitude, in and out.
void rs_mlkem_inverse(int16_t *f);

// out = (sum over j < k of a_j b_j) R^-1, a_j at a + 256 j: algorithms 11 and 12, summed before they are reduced. |a| < 4096, |b| <= 15015 =
// 4.51 q; at most RS_MLKEM_HALF in magnitude. out may be a's first polynomial.
void rs_mlkem_dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k);

// a = a R + e: a sum of products as it is. At most RS_MLKEM_HALF more than e.
#if defined(INSTRUCTIONS) || defined(RS_NEON)
void rs_mlkem_add_scaled(int16_t *a, const int16_t *e);
#else
static inline void rs_mlkem_add_scaled(int16_t *a, const int16_t *e) {
    for (uint32_t i = 0; i < RS_MLKEM_N; i++) a[i] = (int16_t)(e[i] + rs_mlkem_mul(a[i], RS_MLKEM_FACTOR(RS_MLKEM_R)));
}
#endif

#endif
