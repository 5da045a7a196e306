// SPDX-License-Identifier: Apache-2.0
// What transforms.h needs of vectors of 16-bit words, with NEON: as words_x86.h and words_avx2.h, which state the bounds.
#ifndef RINGSIDE_MLKEM_WORDS_NEON_H
#define RINGSIDE_MLKEM_WORDS_NEON_H

#include <arm_neon.h>

#include "mlkem/vectors/factors.h"

typedef int16x8_t words_t;
enum { LANES = 8 };

#define load_words(p) vld1q_s16(p)
#define store_words(p, x) vst1q_s16(p, x)

INLINE words_t splat(int32_t x) { return vdupq_n_s16((int16_t)x); }

INLINE words_t plus(words_t a, words_t b) { return vaddq_s16(a, b); }

INLINE words_t minus(words_t a, words_t b) { return vsubq_s16(a, b); }

// Upper halves of doubled products, whose difference is even.
INLINE words_t multiplied(words_t a, words_t factor, words_t quotient) {
    const words_t t = vmulq_s16(a, quotient);
    return vhsubq_s16(vqdmulhq_s16(a, factor), vqdmulhq_s16(t, splat(RS_MLKEM_Q)));
}

INLINE words_t reduced(words_t a) { return vmlsq_s16(a, vqrdmulhq_s16(a, splat(10)), splat(RS_MLKEM_Q)); }

INLINE words_t plus_pairs(words_t sums, words_t x, words_t y) {
    const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y)), high = vmull_high_s16(x, y);
    return vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(sums), vpaddq_s32(low, high)));
}

INLINE words_t reduced_sums(words_t even, words_t odd) {
    const words_t t = vmulq_s16(vtrn1q_s16(even, odd), splat(RS_MLKEM_WORD_INVERSE));
    return vsubq_s16(vtrn2q_s16(even, odd), vshrq_n_s16(vqdmulhq_s16(t, splat(RS_MLKEM_Q)), 1));
}

INLINE words_t swap_pairs(words_t x) { return vrev32q_s16(x); }

INLINE void exchange(words_t *v, unsigned t) {
    const int64x2_t a = vreinterpretq_s64_s16(v[0]), b = vreinterpretq_s64_s16(v[1]);
    const int32x4_t c = vreinterpretq_s32_s16(v[0]), d = vreinterpretq_s32_s16(v[1]);
    v[0] = t == 4 ? vreinterpretq_s16_s64(vtrn1q_s64(a, b)) : vreinterpretq_s16_s32(vtrn1q_s32(c, d));
    v[1] = t == 4 ? vreinterpretq_s16_s64(vtrn2q_s64(a, b)) : vreinterpretq_s16_s32(vtrn2q_s32(c, d));
}

INLINE void interleave(words_t *v) {
    const int32x4_t a = vreinterpretq_s32_s16(v[0]), b = vreinterpretq_s32_s16(v[1]);
    v[0] = vreinterpretq_s16_s32(vzip1q_s32(a, b));
    v[1] = vreinterpretq_s16_s32(vzip2q_s32(a, b));
}

INLINE void separate(words_t *v) {
    const int32x4_t a = vreinterpretq_s32_s16(v[0]), b = vreinterpretq_s32_s16(v[1]);
    v[0] = vreinterpretq_s16_s32(vuzp1q_s32(a, b));
    v[1] = vreinterpretq_s16_s32(vuzp2q_s32(a, b));
}

#endif
