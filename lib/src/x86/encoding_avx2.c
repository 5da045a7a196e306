// SPDX-License-Identifier: Apache-2.0
// Encode and decode besides the transforms (fft_avx2.c), four words at a time.
#include "../backend.h"

#ifdef RS_X86
#include <immintrin.h>

#include "../context_internal.h"
#include "fft.h"

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX2_INLINE AVX2 static inline __attribute__((always_inline))

enum { LANES = 4 };

AVX2_INLINE __m256i set4(uint64_t x) {
    return _mm256_set1_epi64x((long long)x);
}

AVX2_INLINE __m256i constant4(double x) {
    return _mm256_castpd_si256(_mm256_set1_pd(x));
}

AVX2_INLINE __m256i load4(const uint64_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

AVX2_INLINE void store4(uint64_t *p, __m256i x) {
    _mm256_storeu_si256((__m256i *)(void *)p, x);
}

// ---- encode ------------------------------------------------------------------------------------------------------------
AVX2_INLINE __m256i magnitude4(__m256d x) {
    return _mm256_and_si256(_mm256_castpd_si256(x), set4(RS_MAGNITUDE_BITS));
}

// Words below 2^63.
AVX2_INLINE __m256i max4(__m256i a, __m256i b) {
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(b, a));
}

AVX2_INLINE uint64_t largest4(__m256i x) {
    x = max4(x, _mm256_permute4x64_epi64(x, 0x4e));
    x = max4(x, _mm256_permute4x64_epi64(x, 0xb1));
    return (uint64_t)_mm256_extract_epi64(x, 0);
}

AVX2 static uint64_t largest_magnitude(const double *x, size_t count) {
    __m256i even = _mm256_setzero_si256();
    __m256i odd = even;
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        even = max4(even, magnitude4(_mm256_loadu_pd(x + i)));
        odd = max4(odd, magnitude4(_mm256_loadu_pd(x + i + LANES)));
    }
    for (; i < count; i++) even = max4(even, magnitude4(_mm256_broadcast_sd(x + i)));
    return largest4(max4(even, odd));
}

// Truncated, and one more where one half or more is cut off: both are exact at any magnitude.
AVX2 static uint64_t round_all(double *x, size_t count) {
    const __m256d one = _mm256_set1_pd(1.0);
    const __m256d sign = _mm256_set1_pd(-0.0);
    __m256i largest = _mm256_setzero_si256();
    for (size_t i = 0; i < count; i += LANES) {
        const __m256d value = _mm256_loadu_pd(x + i);
        const __m256d magnitude = _mm256_andnot_pd(sign, value);
        largest = max4(largest, _mm256_castpd_si256(magnitude));
        const __m256d whole = _mm256_round_pd(magnitude, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __m256d up = _mm256_cmp_pd(_mm256_sub_pd(magnitude, whole), _mm256_set1_pd(0.5), _CMP_GE_OQ);
        const __m256d rounded = _mm256_add_pd(whole, _mm256_and_pd(up, one));
        _mm256_storeu_pd(x + i, _mm256_or_pd(rounded, _mm256_and_pd(value, sign)));
    }
    return largest4(largest);
}

// ---- words and doubles -------------------------------------------------------------------------------------------------
// AVX2 converts neither way, but the mantissas of 2^52 and of 2^84 (which counts in units of 2^32) hold integers as they are.
typedef struct halves {
    __m256d high; // a multiple of 2^32
    __m256d low;  // in [0, 2^32)
} halves_t;

// Signed words below 2^62.
AVX2_INLINE halves_t halves4(__m256i x) {
    const __m256i biased = _mm256_add_epi64(x, set4((uint64_t)1 << 62));
    const __m256i high = _mm256_or_si256(_mm256_srli_epi64(biased, 32), constant4(0x1p84));
    const __m256i low = _mm256_blend_epi32(biased, constant4(0x1p52), 0xaa);
    return (halves_t){_mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(0x1p84 + 0x1p62)),
                      _mm256_sub_pd(_mm256_castsi256_pd(low), _mm256_set1_pd(0x1p52))};
}

// To the nearest double: just the sum rounds.
AVX2_INLINE __m256d to_double4(__m256i x) {
    const halves_t x2 = halves4(x);
    return _mm256_add_pd(x2.high, x2.low);
}

// Words below 2^52.
AVX2_INLINE __m256d small_to_double4(__m256i x) {
    return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(x, constant4(0x1p52))), _mm256_set1_pd(0x1p52));
}

// Integers below 2^51 in magnitude.
AVX2_INLINE __m256i to_word4(__m256d x) {
    const __m256d offset = _mm256_set1_pd(0x1.8p52);
    return _mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(x, offset)), _mm256_castpd_si256(offset));
}

AVX2_INLINE __m256i low_product4(__m256i a, __m256i b) {
    const __m256i cross =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), b), _mm256_mul_epu32(a, _mm256_srli_epi64(b, 32)));
    return _mm256_add_epi64(_mm256_mul_epu32(a, b), _mm256_slli_epi64(cross, 32));
}

// ---- decode: digits ----------------------------------------------------------------------------------------------------
// Residues are doubles, exact integers near [-q/2, q/2], for 2^15 < q < 2^50. A product is a sum h + l of doubles (FMA), and with t the
// integer nearest to the approximate quotient h - t q is exact, being an integer below 2^52. Errors of t, with |x| = k q:
//   product4: k 2^50 (2^-53 + 2^-53), so |result| < (1/2 + k/4) q;   digit4: below 2^-7.
//   evaluate: k < 0.84 + 0.51 < 1.4.   the digit: k < 2.4, so |result| < 1.1 q and one correction centres it.
typedef struct factor {
    __m256d value;
    __m256d ratio; // value / q
} factor_t;

typedef struct field {
    __m256d q;
    __m256d half; // (q - 1) / 2
    factor_t one;
    factor_t inverse;
    factor_t radix[RS_LIMBS_MAX];
} field_t;

AVX2_INLINE factor_t factor4(uint64_t value, uint64_t q) {
    return (factor_t){_mm256_set1_pd((double)value), _mm256_set1_pd((double)value / (double)q)};
}

static int takes_doubles(const rs_modulus_t *m) {
    return m->bits >= 16 && m->bits <= 50;
}

AVX2 static void field_init(field_t *f, const rs_context_t *context, uint32_t limb, uint32_t digits) {
    const uint64_t q = context->limbs[limb].modulus.q;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, context, limb, digits);
    f->q = _mm256_set1_pd((double)q);
    f->half = _mm256_set1_pd((double)(q / 2));
    f->one = factor4(1, q);
    f->inverse = factor4(r.inverse.value, q);
    for (uint32_t k = 0; k < digits; k++) f->radix[k] = factor4(r.radix[k].value, q);
}

AVX2_INLINE __m256d nearest4(__m256d x) {
    return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

AVX2_INLINE __m256d product4(__m256d x, factor_t c, const field_t *f) {
    const __m256d t = nearest4(_mm256_mul_pd(x, c.ratio));
    const __m256d h = _mm256_mul_pd(x, c.value);
    const __m256d l = _mm256_fmsub_pd(x, c.value, h);
    return _mm256_add_pd(_mm256_fnmadd_pd(t, f->q, h), l);
}

// A word below 2^59 in magnitude.
AVX2_INLINE __m256d digit4(__m256i word, const field_t *f) {
    const halves_t x = halves4(word);
    const __m256d t = nearest4(_mm256_mul_pd(_mm256_add_pd(x.high, x.low), f->one.ratio));
    return _mm256_add_pd(_mm256_fnmadd_pd(t, f->q, x.high), x.low);
}

// The residue less the digits modulo q (Horner's rule): between -1.4 q and 2.4 q.
AVX2_INLINE __m256d difference4(const uint64_t *residues, const uint64_t *poly, uint32_t digits, size_t n, size_t i,
                                const field_t *f) {
    __m256d x = digit4(load4(poly + (digits - 1) * n + i), f);
    for (uint32_t k = digits - 1; k-- > 0;) x = _mm256_add_pd(product4(x, f->radix[k], f), digit4(load4(poly + k * n + i), f));
    return _mm256_sub_pd(small_to_double4(load4(residues + i)), x);
}

AVX2 static void centre(uint64_t *x, size_t n, uint64_t q) {
    const __m256i q4 = set4(q);
    const __m256i half = set4(q / 2);
    for (size_t i = 0; i < n; i += LANES) {
        const __m256i residue = load4(x + i);
        store4(x + i, _mm256_sub_epi64(residue, _mm256_and_si256(q4, _mm256_cmpgt_epi64(residue, half))));
    }
}

AVX2 static void make_digit(const rs_context_t *context, uint64_t *poly, uint32_t limb) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const size_t n = context->n;
    if (limb == 0) {
        centre(poly, n, m->q);
        return;
    }
    if (!takes_doubles(m)) {
        rs_make_digit_portable(context, poly, limb);
        return;
    }
    field_t f;
    field_init(&f, context, limb, limb);
    uint64_t *residues = poly + limb * n;
    const __m256d minus_half = _mm256_sub_pd(_mm256_setzero_pd(), f.half);
    for (size_t i = 0; i < n; i += LANES) {
        const __m256d x = product4(difference4(residues, poly, limb, n, i, &f), f.inverse, &f);
        const __m256d above = _mm256_and_pd(f.q, _mm256_cmp_pd(x, f.half, _CMP_GT_OQ));
        const __m256d below = _mm256_and_pd(f.q, _mm256_cmp_pd(x, minus_half, _CMP_LT_OQ));
        store4(residues + i, to_word4(_mm256_add_pd(_mm256_sub_pd(x, above), below)));
    }
}

AVX2 static uint64_t disagrees(const rs_context_t *context, const uint64_t *poly, uint32_t digits, uint32_t limb) {
    const size_t n = context->n;
    if (!takes_doubles(&context->limbs[limb].modulus)) return rs_disagrees_portable(context, poly, digits, limb);
    field_t f;
    field_init(&f, context, limb, digits);
    __m256d other = _mm256_setzero_pd();
    for (size_t i = 0; i < n; i += LANES) {
        const __m256d x = difference4(poly + limb * n, poly, digits, n, i, &f);
        const __m256d multiple = _mm256_mul_pd(nearest4(_mm256_mul_pd(x, f.one.ratio)), f.q); // of q, at most 2 q
        other = _mm256_or_pd(other, _mm256_cmp_pd(x, multiple, _CMP_NEQ_UQ));
    }
    return ((uint64_t)_mm256_movemask_pd(other) + 0xf) >> 4;
}

// ---- decode: coefficients ----------------------------------------------------------------------------------------------
AVX2_INLINE __m256d scaled4(__m256d x, double scale, double reciprocal) {
    return reciprocal != 0 ? _mm256_mul_pd(x, _mm256_set1_pd(reciprocal)) : _mm256_div_pd(x, _mm256_set1_pd(scale));
}

AVX2 static void one_word(const rs_context_t *context, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    const size_t n = context->n;
    const double reciprocal = rs_exact_reciprocal(scale);
    for (size_t i = 0; i < n; i += LANES) {
        __m256i x = load4(poly + (digits - 1) * n + i);
        for (uint32_t k = digits - 1; k-- > 0;) {
            x = _mm256_add_epi64(low_product4(x, set4(context->limbs[k].modulus.q)), load4(poly + k * n + i));
        }
        _mm256_storeu_pd(out + i, scaled4(to_double4(x), scale, reciprocal));
    }
}

// As in encoding_avx512.c, where the bounds are. There is no arithmetic shift: floor(x / 2^k) = floor((x + 2^62) / 2^k) - 2^(62 - k).
AVX2 static void two_words(const rs_context_t *context, double *out, const uint64_t *poly, double scale) {
    const size_t n = context->n;
    const double reciprocal = rs_exact_reciprocal(scale);
    const uint64_t q = context->limbs[0].modulus.q;
    const __m256i u = set4(q >> 30);
    const __m256i v = set4(q & 0x3fffffff);
    const __m256i low_24 = set4(0xffffff);
    const __m256i low_30 = set4(0x3fffffff);
    const __m256i two_62 = set4((uint64_t)1 << 62);
    for (size_t i = 0; i < n; i += LANES) {
        const __m256i d = load4(poly + n + i);
        const __m256i h = _mm256_srli_epi64(d, 24); // of which products take the low half, signed
        const __m256i l = _mm256_and_si256(d, low_24);
        const __m256i low = _mm256_add_epi64(_mm256_add_epi64(_mm256_mul_epi32(l, v), load4(poly + i)), two_62);
        const __m256i carry = _mm256_sub_epi64(_mm256_srli_epi64(low, 24), set4((uint64_t)1 << 38));
        __m256i s = _mm256_add_epi64(_mm256_slli_epi64(_mm256_mul_epi32(l, u), 6), _mm256_mul_epi32(h, v));
        s = _mm256_add_epi64(_mm256_add_epi64(s, carry), set4(((uint64_t)1 << 62) + (1 << 29)));
        const __m256i quotient = _mm256_sub_epi64(_mm256_srli_epi64(s, 30), set4((uint64_t)1 << 32));
        const __m256i a = _mm256_add_epi64(_mm256_mul_epi32(h, u), quotient);
        const __m256i rest = _mm256_sub_epi64(_mm256_and_si256(s, low_30), set4(1 << 29));
        const __m256i b = _mm256_or_si256(_mm256_slli_epi64(rest, 24), _mm256_and_si256(low, low_24));
        const __m256d x = _mm256_fmadd_pd(to_double4(a), _mm256_set1_pd(0x1p54), to_double4(b));
        _mm256_storeu_pd(out + i, scaled4(x, scale, reciprocal));
    }
}

AVX2 static void coefficients(const rs_context_t *context, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    if (context->total_bits[digits] <= 63) {
        one_word(context, out, poly, digits, scale);
    } else if (digits == 2 && context->total_bits[2] <= 108 && context->limbs[1].modulus.bits <= 54) {
        two_words(context, out, poly, scale);
    } else {
        rs_coefficients_portable(context, out, poly, digits, scale);
    }
}

const rs_encoding_t RS_ENCODING_AVX2 = {
    .inverse = rs_fft_avx2_inverse,
    .forward = rs_fft_avx2_forward,
    .largest_magnitude = largest_magnitude,
    .round = round_all,
    .make_digit = make_digit,
    .disagrees = disagrees,
    .coefficients = coefficients,
};
#endif
