// SPDX-License-Identifier: Apache-2.0
// High and low parts of residues (FIPS 204, section 7.4). Operands may be secret. lib/tests/test_mldsa.c compares each function with its
// definition, for all residues.
#ifndef RINGSIDE_MLDSA_ROUNDING_H
#define RINGSIDE_MLDSA_ROUNDING_H

#include "mldsa/params.h"
#include "mldsa/ring.h"

// What the functions below read of the parameters, for a loop. The variants on vectors have a copy: compilers take it that a word stored may be
// a parameter, and one that may change keeps them from using vectors.
#ifdef INSTRUCTIONS
#define RS_MLDSA_HELD(p) (&(const rs_mldsa_params_t){.buckets = (p)->buckets, .gamma2 = (p)->gamma2})
#else
#define RS_MLDSA_HELD(p) (p)
#endif

// Algorithm 35: r = high 2^13 + low, -2^12 < low <= 2^12, for r from 0 to q - 1.
static inline int32_t rs_mldsa_power2round(int32_t *low, int32_t r) {
    const int32_t high = (r + (1 << (RS_MLDSA_DROPPED_BITS - 1)) - 1) >> RS_MLDSA_DROPPED_BITS;
    *low = r - (high << RS_MLDSA_DROPPED_BITS);
    return high;
}

// Algorithm 36: r = high 2 gamma_2 + low modulo q, for r from 0 to q - 1: -gamma_2 < low <= gamma_2, but where high would be (q - 1) / 2 gamma_2
// it is 0 and low is 1 less.
// high = floor(x / 2 gamma_2) with x = r + gamma_2 - 1, and 2 gamma_2 = 2^9 1023 or 2^11 93. A product m y >> s is y / d for y e < 2^s, where
// e = m d - 2^s: y < 2^14.1 with m = 32801, d = 1023, s = 25, e = 991; y < 2^12.1 with m = 5638, d = 93, s = 19, e = 46.
static inline int32_t rs_mldsa_decompose(int32_t *low, int32_t r, const rs_mldsa_params_t *p) {
    const uint32_t x = (uint32_t)(r + p->gamma2 - 1);
    int32_t high = p->buckets == 16 ? (int32_t)((x >> 9) * 32801u >> 25) : (int32_t)((x >> 11) * 5638u >> 19);
    *low = r - high * 2 * p->gamma2;
    const int32_t is_last = rs_mldsa_sign_mask(p->buckets - 1 - high);
    high &= ~is_last;
    *low += is_last;
    return high;
}

// Algorithm 39, MakeHint(-z, r + z), where r = w - c s2 and z = c t0, and r has the high part of w: r's low part and z are below gamma_2. 1 if
// low + z is no low part of that high part any more, else 0. Low parts are from -gamma_2 + 1 on; of high part 0 from -gamma_2 on.
static inline int32_t rs_mldsa_make_hint(int32_t low_plus_z, int32_t high_is_zero, int32_t gamma2) {
    const int32_t above = gamma2 - low_plus_z;
    const int32_t below = low_plus_z + gamma2 - 1 + high_is_zero;
    return -rs_mldsa_sign_mask(above | below);
}

// Algorithm 40: the high part of r, one up or down if there is a hint.
static inline int32_t rs_mldsa_use_hint(int32_t hint, int32_t r, const rs_mldsa_params_t *p) {
    int32_t low;
    const int32_t high = rs_mldsa_decompose(&low, r, p);
#ifdef INSTRUCTIONS
    const int32_t moved = high + (-hint & (1 | rs_mldsa_sign_mask(low - 1))), last = p->buckets - 1;
    return moved < 0 ? last : moved > last ? 0 : moved;
#else
    if (!hint) return high; // signatures are public
    if (low > 0) return high + 1 == p->buckets ? 0 : high + 1;
    return high ? high - 1 : p->buckets - 1;
#endif
}

#endif
