// SPDX-License-Identifier: Apache-2.0
// What transforms.h needs of vectors, with NEON. Factors are a vector, and their quotients another one. Sums of products are those of the lower
// words of a vector, then those of the upper ones.
#ifndef RINGSIDE_MLDSA_WORDS_NEON_H
#define RINGSIDE_MLDSA_WORDS_NEON_H

#include <arm_neon.h>

typedef int32x4_t words_t;
enum { LANES = 4, REGISTERS = 8 };

#define WIDE(x) vreinterpretq_s64_s32(x)
#define NARROW(x) vreinterpretq_s32_s64(x)

INLINE words_t load_words(const void *p) { return vld1q_s32(p); }

INLINE void store_words(void *p, words_t x) { vst1q_s32(p, x); }

INLINE words_t splat32(int32_t x) { return vdupq_n_s32(x); }

INLINE words_t add32(words_t a, words_t b) { return vaddq_s32(a, b); }

INLINE words_t sub32(words_t a, words_t b) { return vsubq_s32(a, b); }

// As words_x86.h has it, by upper halves of doubled products, whose difference is even.
INLINE words_t multiplied_lanes(words_t a, const words_t *f) {
    const words_t t = vmulq_s32(a, f[1]);
    return vhsubq_s32(vqdmulhq_s32(a, f[0]), vqdmulhq_s32(t, splat32(RS_MLDSA_Q)));
}

INLINE void splat_factor(words_t *f, const zeta_t *zeta) {
    f[0] = splat32(zeta->factor);
    f[1] = splat32(zeta->quotient);
}

INLINE void plus_products(words_t *s, words_t x, words_t y) {
    s[0] = NARROW(vmlal_s32(WIDE(s[0]), vget_low_s32(x), vget_low_s32(y)));
    s[1] = NARROW(vmlal_high_s32(WIDE(s[1]), x, y));
}

INLINE void minus_products(words_t *s, words_t x, words_t y) {
    s[0] = NARROW(vmlsl_s32(WIDE(s[0]), vget_low_s32(x), vget_low_s32(y)));
    s[1] = NARROW(vmlsl_high_s32(WIDE(s[1]), x, y));
}

INLINE words_t reduced_sums(const words_t *s) {
    const words_t t = vmulq_s32(vuzp1q_s32(s[0], s[1]), splat32(RS_MLDSA_Q_INVERSE));
    return vsubq_s32(vuzp2q_s32(s[0], s[1]), vshrq_n_s32(vqdmulhq_s32(t, splat32(RS_MLDSA_Q)), 1));
}

// In runs of t lanes: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(words_t *v, unsigned t) {
    const words_t a = v[0], b = v[1];
    v[0] = t == 2 ? NARROW(vtrn1q_s64(WIDE(a), WIDE(b))) : vtrn1q_s32(a, b);
    v[1] = t == 2 ? NARROW(vtrn2q_s64(WIDE(a), WIDE(b))) : vtrn2q_s32(a, b);
}

INLINE void separate(words_t *v) {
    const words_t a = v[0], b = v[1];
    v[0] = vuzp1q_s32(a, b);
    v[1] = vuzp2q_s32(a, b);
}

INLINE void interleave(words_t *v) {
    const words_t a = v[0], b = v[1];
    v[0] = vzip1q_s32(a, b);
    v[1] = vzip2q_s32(a, b);
}

// The 4 / t factors from z on, or from the last one back, each in t lanes.
INLINE void factors_of_lanes(words_t *f, const zeta_t *z, unsigned t, int back) {
    const words_t low = load_words(z), high = t == 1 ? load_words(z + 2) : low;
    f[0] = t == 1 ? vuzp1q_s32(low, high) : vtrn1q_s32(low, low);
    f[1] = t == 1 ? vuzp2q_s32(low, high) : vtrn2q_s32(low, low);
    for (unsigned i = 0; back && i < 2; i++) {
        f[i] = vextq_s32(f[i], f[i], 2);
        if (t == 1) f[i] = vrev64q_s32(f[i]);
    }
}

#undef WIDE
#undef NARROW
#endif
