// SPDX-License-Identifier: Apache-2.0
// What words_avx2.h and words_avx512.h have alike: products by pairs, of the even words and of the odd ones.
#ifndef RINGSIDE_MLDSA_WORDS_X86_H
#define RINGSIDE_MLDSA_WORDS_X86_H

// a f / R, f[0] and f[1] the factors of even and odd words: (a f - t q) / R with t = a f / q modulo R. For any words a it is below
// 2^31 (q / 2) / R + q / 2 = 3 q / 4, as |f| < q / 2 and |t| <= R / 2. The low halves of a f and t q are equal, so high ones are subtracted.
INLINE words_t multiplied_lanes(words_t a, const words_t *f) {
    const words_t q = splat32(RS_MLDSA_Q), b = odd_words(a);
    const words_t t = times(times(a, upper_words(f[0])), q), u = times(times(b, upper_words(f[1])), q);
    return join(sub32(times(a, f[0]), t), sub32(times(b, f[1]), u));
}

INLINE void splat_factor(words_t *f, const zeta_t *zeta) { f[0] = f[1] = splat64(zeta); }

// Sums of products, those of the even words and those of the odd ones.
INLINE void plus_products(words_t *s, words_t x, words_t y) {
    s[0] = add64(s[0], times(x, y));
    s[1] = add64(s[1], times(odd_words(x), odd_words(y)));
}

INLINE void minus_products(words_t *s, words_t x, words_t y) {
    s[0] = sub64(s[0], times(x, y));
    s[1] = sub64(s[1], times(odd_words(x), odd_words(y)));
}

// The reductions of rs_mldsa_reduce_product.
INLINE words_t reduced_sums(const words_t *s) {
    const words_t q = splat32(RS_MLDSA_Q), inverse = splat32(RS_MLDSA_Q_INVERSE);
    return join(sub32(s[0], times(times(s[0], inverse), q)), sub32(s[1], times(times(s[1], inverse), q)));
}

#endif
