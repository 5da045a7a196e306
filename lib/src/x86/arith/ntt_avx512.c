// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512, q < 2^60.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "x86/arith/lifts512.h"

#define TARGET AVX512
#define INLINE AVX512_INLINE
#include "x86/arith/ntt_lanes512.h"

enum { SPARE_BITS = 4 };

INLINE vec_t mul_even(vec_t x, vec_t y) { return _mm512_mul_epu32(x, y); }

// Shuffles instead of shifts: Zen 5 has twice as many units for them.
INLINE vec_t high(vec_t x) { return _mm512_maskz_shuffle_epi32(0x5555, x, (_MM_PERM_ENUM)0xf5); }

INLINE vec_t high_twice(vec_t x) { return _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0xf5); }

#include "x86/arith/ntt_products64.h"

typedef struct constants {
    vec_t q[SPARE_BITS];
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
    vec_t quotient_high; // its upper 32 bits, in both halves
} factor_t;

INLINE constants_t constants(uint64_t q) { return (constants_t){{splat(q), splat(2 * q), splat(4 * q), splat(8 * q)}}; }

INLINE factor_t factor_of(vec_t value, vec_t quotient) { return (factor_t){value, quotient, high_twice(quotient)}; }

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) { return factor_of(splat(value), splat(quotient)); }

INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t times = estimate(y, f->quotient, f->quotient_high);
    return opaque8(sub(_mm512_mullo_epi64(y, f->value), _mm512_mullo_epi64(times, k->q[0])));
}

#include "x86/arith/ntt_lifted64.h"

FORWARD(rs_ntt_avx512, 0)

TARGET void rs_ntt_avx512_inverse(const rs_limb_t *limb, uint64_t *poly) { inverse_all(limb, poly, 0); }
#endif
