// SPDX-License-Identifier: Apache-2.0
// Messages modulo t, eight words at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#define TARGET AVX512
#define INLINE AVX512_INLINE
#include "x86/integers/vectors512.h"
#include "x86/reals/mode.h"
#define PRODUCT32(a, b) ((words_t)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#include "x86/integers/words.h"

enum { REAL_BITS = 56 }; // bits of moduli and numbers, without their sign

INLINE words_t rounded(__m512d x) { return (words_t)_mm512_cvtpd_epi64(x); }

// By quotients in doubles: the first one is wrong by 2 * 2^56 * 4 * 2^-53 = 64 at most, so that the remainder is a word with sign.
TARGET static __attribute__((noinline)) void lift_reals(const rs_limb_t *limb, uint64_t *out, const rs_integer_lift_t *l) {
    const uint64_t modulus = limb->modulus.q;
    const words_t q = splat(modulus), mu = splat(l->mu.value), factor = splat(l->factor.value);
    const __m512d inverse = _mm512_set1_pd(1 / (double)modulus);
    const __m512d mu_part = _mm512_set1_pd((double)l->mu.value / (double)modulus);
    const __m512d factor_part = _mm512_set1_pd((double)l->factor.value / (double)modulus);
    for (size_t i = 0; i < (size_t)1 << limb->log_n; i += LANES) {
        words_t x = splat(0);
        __m512d quotient = _mm512_setzero_pd();
        if (l->w) {
            const words_t w = load((const uint64_t *)l->w + i);
            x = w * mu;
            quotient = _mm512_mul_pd(_mm512_cvtepi64_pd((__m512i)w), mu_part);
        }
        if (l->error) {
            words_t y = widen(l->error + i);
            if (l->d) y -= load((const uint64_t *)l->d + i);
            x += y * factor;
            quotient = _mm512_add_pd(quotient, _mm512_mul_pd(_mm512_cvtepi64_pd((__m512i)y), factor_part));
        }
        x -= rounded(quotient) * q;
        if (l->plus) x += l->subtract ? 0 - load(l->plus + i) : load(l->plus + i);
        x -= rounded(_mm512_mul_pd(_mm512_cvtepi64_pd((__m512i)x), inverse)) * q;
        store(out + i, (words_t)cadd8((__m512i)x, (__m512i)q));
    }
}

static void lift_some(const rs_limb_t *limb, uint64_t *out, const rs_integer_lift_t *l) {
    if (limb->modulus.bits > REAL_BITS || l->bits > REAL_BITS) {
        lift(limb, out, l);
    } else {
        GUARDED(lift_reals(limb, out, l));
    }
}

const rs_integers_t RS_INTEGERS_AVX512 = {lift_some, digits, collect, turn, settle, spread};
#endif
