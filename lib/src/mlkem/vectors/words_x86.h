// SPDX-License-Identifier: Apache-2.0
// What words_avx2.h and words_avx512.h have alike: words of 16 bits, R = 2^16.
#ifndef RINGSIDE_MLKEM_WORDS_X86_H
#define RINGSIDE_MLKEM_WORDS_X86_H

#include "mlkem/vectors/factors.h"

INLINE words_t splat(int32_t x) { return VECTOR(set1_epi16)((int16_t)x); }

INLINE words_t plus(words_t a, words_t b) { return VECTOR(add_epi16)(a, b); }

INLINE words_t minus(words_t a, words_t b) { return VECTOR(sub_epi16)(a, b); }

// a c for any word a: (a f - t q) / R, t = a f / q modulo R, whose low halves are equal. Below 2^15 (q / 2) / R + q / 2 = 3 q / 4.
INLINE words_t multiplied(words_t a, words_t factor, words_t quotient) {
    const words_t t = VECTOR(mullo_epi16)(a, quotient);
    return minus(VECTOR(mulhi_epi16)(a, factor), VECTOR(mulhi_epi16)(t, splat(RS_MLKEM_Q)));
}

// a - q times the nearest integer to 10 a / 2^15, which is 0.9 % of a / q too much: below q / 2 + 0.016 |a| < 0.66 q.
INLINE words_t reduced(words_t a) {
    const words_t t = VECTOR(mulhrs_epi16)(a, splat(10));
    return minus(a, VECTOR(mullo_epi16)(t, splat(RS_MLKEM_Q)));
}

// Sums of 32 bits: to each, the two products of a pair of words.
INLINE words_t plus_pairs(words_t sums, words_t x, words_t y) { return VECTOR(add_epi32)(sums, VECTOR(madd_epi16)(x, y)); }

// Sums / R as words: those of `even` at even places, those of `odd` at odd ones.
INLINE words_t reduced_sums(words_t even, words_t odd) {
    const words_t low = alternate(even, VECTOR(slli_epi32)(odd, 16)), high = alternate(VECTOR(srli_epi32)(even, 16), odd);
    const words_t t = VECTOR(mullo_epi16)(low, splat(RS_MLKEM_WORD_INVERSE));
    return minus(high, VECTOR(mulhi_epi16)(t, splat(RS_MLKEM_Q)));
}

#endif
