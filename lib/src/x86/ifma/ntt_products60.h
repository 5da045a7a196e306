// SPDX-License-Identifier: Apache-2.0
// Products of twiddles with AVX-512 IFMA, on words of 64 bits, whose quotients are estimated in words of 52 bits. Not a header of its own: included
// once per kernel, after SPARE_BITS and LOG_STEP are defined.
#include "x86/arith/lifts512.h"

#define TARGET AVX512_IFMA
#define INLINE AVX512_IFMA_INLINE
#include "x86/arith/ntt_lanes512.h"

enum { QUOTIENT_BITS = 64, LOG_PRODUCT = 2, LOG_WORD = 52 };

typedef struct constants {
    vec_t q[SPARE_BITS];
    vec_t reciprocal; // floor(2^64 / q)
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t high; // the upper 52 bits of the quotient
    vec_t low; // its lower 12 bits, as upper bits of a word of 52
} factor_t;

INLINE constants_t constants(uint64_t q) {
    constants_t k = {.reciprocal = splat(UINT64_MAX / q)};
    for (unsigned i = 0; i < SPARE_BITS; i++) k.q[i] = splat(q << i);
    return k;
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, _mm512_srli_epi64(quotient, 64 - LOG_WORD), _mm512_slli_epi64(quotient, 2 * LOG_WORD - 64)};
}

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) { return factor_of(splat(value), splat(quotient)); }

INLINE vec_t settle(vec_t x) { return x; }

// Any y -> wy mod q, below 4q. With y = y1 2^52 + y0 and the quotient high 2^12 + low, estimate = y1 high + floor(y0 high / 2^52) +
// floor(y1 low / 2^12): two floors and y0 low / 2^64 lose less than 3 of y quotient / 2^64, and Shoup's wq < 2^64 loses y 2^-64 < 1 more.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t y1 = _mm512_srli_epi64(y, LOG_WORD);
    const vec_t whole = _mm512_madd52hi_epu64(_mm512_mullo_epi64(y1, f->high), y, f->high);
    const vec_t estimate = _mm512_madd52hi_epu64(whole, y1, f->low);
    return opaque8(sub(_mm512_mullo_epi64(y, f->value), _mm512_mullo_epi64(estimate, k->q[0])));
}
