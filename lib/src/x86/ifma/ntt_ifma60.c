// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 IFMA, q < 2^60: words of 64 bits, whose quotients are estimated in words of 52 bits.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "x86/arith/lifts512.h"

#define TARGET AVX512_IFMA
#define INLINE AVX512_IFMA_INLINE
#include "x86/arith/ntt_lanes512.h"

enum { SPARE_BITS = 4, QUOTIENT_BITS = 64, LOG_PRODUCT = 2, LOG_WORD = 52 };

typedef struct constants {
    vec_t q[SPARE_BITS];
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t high; // the upper 52 bits of the quotient
    vec_t low;  // its lower 12 bits, as upper bits of a word of 52
} factor_t;

INLINE constants_t constants(uint64_t q) {
    return (constants_t){{splat(q), splat(2 * q), splat(4 * q), splat(8 * q)}};
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, _mm512_srli_epi64(quotient, 64 - LOG_WORD), _mm512_slli_epi64(quotient, 2 * LOG_WORD - 64)};
}

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) {
    return factor_of(splat(value), splat(quotient));
}

INLINE vec_t settle(vec_t x) {
    return x;
}

// Any y -> wy mod q, below 4q. With y = y1 2^52 + y0 and the quotient high 2^12 + low, estimate = y1 high + floor(y0 high / 2^52) +
// floor(y1 low / 2^12): two floors and y0 low / 2^64 lose less than 3 of y quotient / 2^64, and Shoup's wq < 2^64 loses y 2^-64 < 1 more.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t y1 = _mm512_srli_epi64(y, LOG_WORD);
    const vec_t whole = _mm512_madd52hi_epu64(_mm512_mullo_epi64(y1, f->high), y, f->high);
    const vec_t estimate = _mm512_madd52hi_epu64(whole, y1, f->low);
    return opaque8(sub(_mm512_mullo_epi64(y, f->value), _mm512_mullo_epi64(estimate, k->q[0])));
}

#include "x86/arith/ntt_lifted64.h"

TARGET void rs_ntt_ifma60_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted) {
    forward_lifted(limb, count, out, lifted, 0);
}

void rs_ntt_ifma60_forward(const rs_limb_t *limb, uint64_t *poly) {
    const rs_lifted_t lifted = {.kind = RS_LIFT_POLY, .factor = 1};
    rs_ntt_ifma60_lifted(limb, 1, &poly, &lifted);
}

TARGET void rs_ntt_ifma60_inverse(const rs_limb_t *limb, uint64_t *poly) {
    inverse_all(limb, poly, 0);
}
#endif
