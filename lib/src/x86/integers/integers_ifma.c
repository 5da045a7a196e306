// SPDX-License-Identifier: Apache-2.0
// Messages modulo t with products of 52 bits, where moduli and numbers are below 2^50; without them elsewhere.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#define TARGET AVX512_IFMA
#define INLINE AVX512_IFMA_INLINE
#include "x86/integers/vectors512.h"
enum { SIGNED_BITS = 50 };
#include "x86/integers/passes.h"

INLINE words_t low(words_t a, words_t b) { return (words_t)_mm512_madd52lo_epu64((__m512i)splat(0), (__m512i)a, (__m512i)b); }

INLINE words_t high(words_t a, words_t b) { return (words_t)_mm512_madd52hi_epu64((__m512i)splat(0), (__m512i)a, (__m512i)b); }

INLINE scale_t scale(rs_factor_t factor) { return (scale_t){splat(factor.value), splat(factor.quotient >> 12)}; }

INLINE words_t product(words_t x, scale_t factor, words_t q) {
    return (low(x, factor.value) - low(high(x, factor.quotient), q)) & splat(((uint64_t)1 << 52) - 1);
}

INLINE words_t turned(words_t turns, words_t x, words_t upper, words_t lower) {
    const __m512i sum = _mm512_madd52hi_epu64((__m512i)turns, (__m512i)x, (__m512i)(lower >> 12));
    return (words_t)_mm512_madd52lo_epu64(sum, (__m512i)x, (__m512i)upper);
}

// The reciprocal's upper 12 bits, and the lower 52, whose product with y needs its upper half only.
INLINE words_t fraction(words_t y, uint64_t reciprocal) {
    return (y * splat(reciprocal >> 52) + high(y, splat(reciprocal))) >> (61 - RS_FRACTION_BITS);
}

static void lift_some(const rs_limb_t *limb, uint64_t *out, const rs_integer_lift_t *l) {
    (limb->modulus.bits > SIGNED_BITS || l->bits > SIGNED_BITS ? RS_INTEGERS_AVX512.lift : lift)(limb, out, l);
}

static void digits_some(const rs_digit_t *digit, size_t n, const uint64_t *x, const uint64_t *plus, uint64_t *fractions,
                        uint64_t *sums) {
    const int wide = digit->q.bits > SIGNED_BITS || digit->target.bits > SIGNED_BITS;
    (wide ? RS_INTEGERS_AVX512.digits : digits)(digit, n, x, plus, fractions, sums);
}

static uint64_t collect_some(const rs_modulus_t *m, size_t n, const uint64_t *fractions, uint64_t *sums, rs_factor_t lambda,
                             uint64_t margin) {
    return (m->bits > SIGNED_BITS ? RS_INTEGERS_AVX512.collect : collect)(m, n, fractions, sums, lambda, margin);
}

static void turn_some(size_t n, uint32_t bits, uint64_t *turns, const uint64_t *x, uint64_t high, uint64_t low) {
    (bits == 52 ? turn : RS_INTEGERS_AVX512.turn)(n, bits, turns, x, high, low);
}

static void settle_all(const rs_modulus_t *q, size_t n, uint32_t bits, uint64_t *turns) {
    RS_INTEGERS_AVX512.settle(q, n, bits, turns);
}

static void spread_some(const rs_modulus_t *t, size_t n, uint64_t *w, rs_factor_t q) {
    (t->bits > SIGNED_BITS ? RS_INTEGERS_AVX512.spread : spread)(t, n, w, q);
}

const rs_integers_t RS_INTEGERS_AVX512_IFMA = {lift_some, digits_some, collect_some, turn_some, settle_all, spread_some};
#endif
