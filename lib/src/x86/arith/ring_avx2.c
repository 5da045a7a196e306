// SPDX-License-Identifier: Apache-2.0
// The ring of AVX2 for moduli from 51 to 60 bits, on vectors of four words; narrower ones are in doubles (x86/reals). AVX2 multiplies 32 x 32
// bits, so a product of words is four of those.
//
// Messages and remainders are reduced by a quotient in doubles: numbers are below 2^62 and q above 2^50, so quotients are below 2^12, and
// doubles are off by less than 2^-40. Rounded to nearest, the quotient leaves less than q in magnitude.
#include "x86/arith/ntt_x86.h"

#ifdef RS_X86
#include "x86/avx2.h"
#include "x86/reals/mode.h"

static size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

typedef struct constants {
    __m256i q;
    __m256i q_swapped; // halves of the word
    __m256i two_q;
    __m256d inverse; // 1/q
    __m256i ratio;
    __m256i ratio_high; // in both halves
    __m128i shift;
    __m128i other_shift; // 64 - shift
} constants_t;

AVX2_FMA_INLINE __m256i swap_halves(__m256i x) { return _mm256_shuffle_epi32(x, 0xb1); }

AVX2_FMA_INLINE __m256i high_twice(__m256i x) { return _mm256_shuffle_epi32(x, 0xf5); }

AVX2_FMA_INLINE __m256i high(__m256i x) { return _mm256_srli_epi64(x, 32); }

AVX2_FMA_INLINE constants_t constants(const rs_limb_t *limb) {
    const rs_modulus_t *m = &limb->modulus;
    const __m256i q = set4(m->q);
    const __m256i ratio = set4(m->ratio);
    return (constants_t){q,
                         swap_halves(q),
                         set4(2 * m->q),
                         _mm256_set1_pd(1 / (double)m->q),
                         ratio,
                         high_twice(ratio),
                         _mm_cvtsi32_si128((int)m->shift),
                         _mm_cvtsi32_si128((int)(64 - m->shift))};
}

// ---- products ----------------------------------------------------------------------------------------------------------
// The lower word of x y, y with halves as they are and swapped.
AVX2_FMA_INLINE __m256i mul_low(__m256i x, __m256i y, __m256i y_swapped) {
    const __m256i cross = _mm256_mullo_epi32(x, y_swapped);
    return _mm256_add_epi64(_mm256_mul_epu32(x, y), _mm256_slli_epi64(_mm256_add_epi32(cross, swap_halves(cross)), 32));
}

// The upper word of x y, or at most 2 less.
AVX2_FMA_INLINE __m256i mul_high(__m256i x, __m256i y, __m256i y_high) {
    const __m256i x1 = high_twice(x);
    const __m256i cross = _mm256_add_epi64(high(_mm256_mul_epu32(x1, y)), high(_mm256_mul_epu32(x, y_high)));
    return _mm256_add_epi64(_mm256_mul_epu32(x1, y_high), cross);
}

// Barrett as rs_mul_mod. The estimate of the quotient is at most 1 + 2 too small: [0, 4q), and after one subtraction [0, 2q).
AVX2_FMA_INLINE __m256i product(__m256i a, __m256i b, const constants_t *k) {
    const __m256i half = set4(UINT32_MAX);
    const __m256i a1 = high_twice(a);
    const __m256i b1 = high_twice(b);
    const __m256i p00 = _mm256_mul_epu32(a, b);
    const __m256i p01 = _mm256_mul_epu32(a, b1);
    const __m256i p10 = _mm256_add_epi64(_mm256_mul_epu32(a1, b), high(p00)); // below 2^64: (2^32 - 1)^2 + 2^32 - 1
    const __m256i middle = _mm256_add_epi64(_mm256_and_si256(p10, half), p01);
    const __m256i upper = _mm256_add_epi64(_mm256_add_epi64(_mm256_mul_epu32(a1, b1), high(p10)), high(middle));
    const __m256i lower = _mm256_blend_epi32(p00, _mm256_slli_epi64(middle, 32), 0xaa);
    const __m256i t = _mm256_or_si256(_mm256_srl_epi64(lower, k->shift), _mm256_sll_epi64(upper, k->other_shift));
    const __m256i quotient = mul_high(t, k->ratio, k->ratio_high);
    return csub4(_mm256_sub_epi64(lower, mul_low(quotient, k->q, k->q_swapped)), k->two_q);
}

#define POINTWISE(name, arguments, result)                                                                            \
    AVX2_FMA static void name(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b arguments) { \
        const constants_t k = constants(limb);                                                                        \
        for (size_t i = 0; i < length(limb); i += 4) {                                                                \
            const __m256i x = product(load256(a + i), load256(b + i), &k);                                            \
            store256(out + i, csub4(result, k.q));                                                                    \
        }                                                                                                             \
    }
#define C , const uint64_t *c

// c - x + 2q is below 3q.
POINTWISE(mul, , x)
POINTWISE(mul_add, C, csub4(_mm256_add_epi64(x, load256(c + i)), k.two_q))
POINTWISE(mul_sub, C, csub4(_mm256_add_epi64(load256(c + i), _mm256_sub_epi64(k.two_q, x)), k.two_q))

// ---- lifts -------------------------------------------------------------------------------------------------------------
// A small number becomes a residue where it is negative: by a mask of its sign.
AVX2_FMA_INLINE __m256i widen(const int8_t *small) { return _mm256_cvtepi8_epi64(_mm_loadu_si32(small)); }

// A word that went below zero by less than q -> [0, q).
AVX2_FMA_INLINE __m256i cadd(__m256i x, __m256i q) {
    return _mm256_add_epi64(x, _mm256_and_si256(q, _mm256_cmpgt_epi64(_mm256_setzero_si256(), x)));
}

AVX2_FMA_INLINE __m256d magic(void) { return _mm256_set1_pd(0x1.8p52); }

// An integer below 2^51 in magnitude that was added to magic().
AVX2_FMA_INLINE __m256i word_of(__m256d with_magic) {
    return _mm256_sub_epi64(_mm256_castpd_si256(with_magic), _mm256_castpd_si256(magic()));
}

// x - nearest(approximately x/q) q
AVX2_FMA_INLINE __m256i remainder_of(__m256i x, __m256d approximately, const constants_t *k) {
    const __m256i quotient = word_of(_mm256_fmadd_pd(approximately, k->inverse, magic())); // in its lower half, with sign
    const __m256i upper = _mm256_slli_epi64(_mm256_mul_epu32(quotient, high(k->q)), 32);
    // the lower half of q may have its top bit set, so the quotient's sign is subtracted after a product without signs
    const __m256i negative = _mm256_and_si256(_mm256_slli_epi64(k->q, 32), _mm256_cmpgt_epi64(_mm256_setzero_si256(), quotient));
    const __m256i lower = _mm256_sub_epi64(_mm256_mul_epu32(quotient, k->q), negative);
    return _mm256_sub_epi64(x, _mm256_add_epi64(lower, upper));
}

// An integer as double, |x| < 2^61, as a word: its multiple of 2^32 and the rest.
AVX2_FMA_INLINE __m256i word(__m256d x) {
    const __m256d upper = _mm256_fmadd_pd(x, _mm256_set1_pd(0x1p-32), magic());
    const __m256d rest = _mm256_fnmadd_pd(_mm256_sub_pd(upper, magic()), _mm256_set1_pd(0x1p32), x);
    return _mm256_add_epi64(_mm256_slli_epi64(_mm256_castpd_si256(upper), 32), word_of(_mm256_add_pd(rest, magic())));
}

// A word with sign as double, rounded: the multiple of 2^32 in a mantissa of exponent 84, with an offset of 2^63 for the sign; then the
// lower half in one of exponent 52.
AVX2_FMA_INLINE __m256d real(__m256i x) {
    const __m256i upper = _mm256_xor_si256(high(x), set4((uint64_t)1 << 31));
    const __m256d a = _mm256_castsi256_pd(_mm256_or_si256(upper, _mm256_castpd_si256(_mm256_set1_pd(0x1p84))));
    const __m256d b = _mm256_castsi256_pd(_mm256_blend_epi32(x, _mm256_castpd_si256(_mm256_set1_pd(0x1p52)), 0xaa));
    return _mm256_add_pd(_mm256_sub_pd(a, _mm256_set1_pd(0x1p84 + 0x1p63 + 0x1p52)), b);
}

AVX2_FMA_INLINE __m256i message_residue(const double *message, const int8_t *error, const constants_t *k) {
    const __m256d m = _mm256_loadu_pd(message);
    const __m256i x = error ? _mm256_add_epi64(word(m), widen(error)) : word(m);
    return cadd(remainder_of(x, m, k), k->q); // the error moves the quotient by less than 2^-40
}

// x factor in [0, 4q), any x (x86/arith/ntt_products64.h), and after one subtraction in [0, 2q)
AVX2_FMA_INLINE __m256i scaled(__m256i x, const __m256i *f, const constants_t *k) {
    const __m256i quotient = mul_high(x, f[2], f[3]);
    return csub4(_mm256_sub_epi64(mul_low(x, f[0], f[1]), mul_low(quotient, k->q, k->q_swapped)), k->two_q);
}

AVX2_FMA_INLINE void factor_of(__m256i *f, uint64_t value, uint64_t q) {
    const rs_factor_t factor = rs_factor(value, q);
    f[0] = set4(factor.value);
    f[1] = swap_halves(f[0]);
    f[2] = set4(factor.quotient);
    f[3] = high_twice(f[2]);
}

AVX2_FMA static void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const constants_t k = constants(limb);
    if (factor == 1) {
        for (size_t i = 0; i < length(limb); i += 4) store256(out + i, cadd(widen(small + i), k.q));
        return;
    }
    __m256i f[4];
    factor_of(f, factor, limb->modulus.q);
    for (size_t i = 0; i < length(limb); i += 4) {
        store256(out + i, csub4(scaled(cadd(widen(small + i), k.q), f, &k), k.q));
    }
}

AVX2_FMA static __attribute__((noinline)) void lift_message_all(const rs_limb_t *limb, uint64_t *out, const double *message,
                                                                const int8_t *error) {
    const constants_t k = constants(limb);
    if (error) {
        for (size_t i = 0; i < length(limb); i += 4) store256(out + i, message_residue(message + i, error + i, &k));
    } else {
        for (size_t i = 0; i < length(limb); i += 4) store256(out + i, message_residue(message + i, NULL, &k));
    }
}

AVX2_FMA static __attribute__((noinline)) void lift_rounded_all(const rs_limb_t *limb, uint64_t *out, const double *message,
                                                                const int8_t *error, const int64_t *d, uint64_t inverse) {
    const constants_t k = constants(limb);
    __m256i f[4];
    factor_of(f, inverse, limb->modulus.q);
    for (size_t i = 0; i < length(limb); i += 4) {
        const __m256i difference = _mm256_sub_epi64(widen(error + i), load256(d + i));
        __m256i x = scaled(cadd(remainder_of(difference, real(difference), &k), k.q), f, &k);
        if (message) x = csub4(_mm256_add_epi64(x, message_residue(message + i, NULL, &k)), k.two_q);
        store256(out + i, csub4(x, k.q));
    }
}

static void lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    GUARDED(lift_message_all(limb, out, message, error));
}

static void lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                         uint64_t inverse) {
    GUARDED(lift_rounded_all(limb, out, message, error, d, inverse));
}

AVX2_FMA static void centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    const __m256i q = set4(limb->modulus.q);
    const __m256i half = set4(limb->modulus.q / 2);
    for (size_t i = 0; i < length(limb); i += 4) {
        const __m256i x = _mm256_add_epi64(_mm256_add_epi64(load256(poly + i), half), widen(error + i));
        store256(d + i, _mm256_sub_epi64(csub4(x, q), half));
    }
}

const rs_ring_t RS_RING_AVX2_60 = {
    .quotient_bits = 64,
    .forward = rs_ntt_avx2_forward,
    .inverse = rs_ntt_avx2_inverse,
    .mul = mul,
    .mul_add = mul_add,
    .mul_sub = mul_sub,
    .lift_small = lift_small,
};
const rs_lifts_t RS_LIFTS_AVX2_60 = {.lift_message = lift_message, .lift_rounded = lift_rounded, .centre = centre};
#endif
