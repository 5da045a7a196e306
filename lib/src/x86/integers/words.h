// SPDX-License-Identifier: Apache-2.0
// What passes.h wants of products, from those of 32-bit halves. The includer says what they are: PRODUCT32, of the lower halves.
enum { SIGNED_BITS = 62 };
#include "x86/integers/passes.h"

// The upper word of a product, or with exact = 0 at most 2 less.
INLINE words_t mul_high(words_t a, words_t b, int exact) {
    words_t cross = PRODUCT32(a >> 32, b), other = PRODUCT32(a, b >> 32);
    if (exact) {
        cross += PRODUCT32(a, b) >> 32;
        other += cross & splat(UINT32_MAX);
    }
    return PRODUCT32(a >> 32, b >> 32) + (cross >> 32) + (other >> 32);
}

INLINE scale_t scale(rs_factor_t factor) { return (scale_t){splat(factor.value), splat(factor.quotient)}; }

INLINE words_t product(words_t x, scale_t factor, words_t q) {
    return csub(x * factor.value - mul_high(x, factor.quotient, 0) * q, 2 * q); // below 4 q
}

INLINE words_t turned(words_t turns, words_t x, words_t high, words_t low) { return turns + x * high + mul_high(x, low, 1); }

TARGET static void settle(const rs_modulus_t *m, size_t n, uint32_t bits, uint64_t *turns) {
    const words_t q = splat(m->q);
    for (size_t i = 0; i < n; i += LANES) {
        store(turns + i, csub((mul_high(load(turns + i) << (64 - bits), 2 * q, 1) + 1) >> 1, q));
    }
}

INLINE words_t fraction(words_t y, uint64_t reciprocal) { return mul_high(y, splat(reciprocal), 1) >> (59 - RS_FRACTION_BITS); }
