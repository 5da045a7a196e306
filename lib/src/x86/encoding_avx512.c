// SPDX-License-Identifier: Apache-2.0
// Encode and decode besides the transforms (fft_avx512.c), eight words at a time.
#include "../backend.h"

#ifdef RS_X86
#include "../context_internal.h"
#include "avx512.h"
#include "fft.h"

enum { LANES = 8 };

// ---- encode ------------------------------------------------------------------------------------------------------------
AVX512_INLINE __m512i magnitude8(__m512d x) {
    return _mm512_and_si512(_mm512_castpd_si512(x), set8(RS_MAGNITUDE_BITS));
}

AVX512 static uint64_t largest_magnitude(const double *x, size_t count) {
    __m512i even = _mm512_setzero_si512();
    __m512i odd = even;
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        even = _mm512_max_epu64(even, magnitude8(_mm512_loadu_pd(x + i)));
        odd = _mm512_max_epu64(odd, magnitude8(_mm512_loadu_pd(x + i + LANES)));
    }
    for (; i < count; i += LANES) {
        const __mmask8 left = count - i < LANES ? (__mmask8)((1u << (count - i)) - 1) : 0xff;
        even = _mm512_max_epu64(even, magnitude8(_mm512_maskz_loadu_pd(left, x + i)));
    }
    return _mm512_reduce_max_epu64(_mm512_max_epu64(even, odd));
}

// Truncated, and one more where one half or more is cut off: both are exact at any magnitude.
AVX512 static uint64_t round_all(double *x, size_t count) {
    __m512i largest = _mm512_setzero_si512();
    for (size_t i = 0; i < count; i += LANES) {
        const __m512d value = _mm512_loadu_pd(x + i);
        const __m512i magnitude = magnitude8(value);
        largest = _mm512_max_epu64(largest, magnitude);
        const __m512d m = _mm512_castsi512_pd(magnitude);
        const __m512d whole = _mm512_roundscale_pd(m, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask8 up = _mm512_cmp_pd_mask(_mm512_sub_pd(m, whole), _mm512_set1_pd(0.5), _CMP_GE_OQ);
        const __m512d rounded = _mm512_mask_add_pd(whole, up, whole, _mm512_set1_pd(1.0));
        const __m512d sign = _mm512_castsi512_pd(set8(~RS_MAGNITUDE_BITS));
        _mm512_storeu_pd(x + i, _mm512_or_pd(rounded, _mm512_and_pd(value, sign)));
    }
    return _mm512_reduce_max_epu64(largest);
}

// ---- decode: digits ----------------------------------------------------------------------------------------------------
// Residues as signed words near [-q/2, q/2], quotients by doubles: with t the integer nearest to a product of doubles, x c - t q modulo
// 2^64 is the remainder. For 2^15 < q < 2^50. Errors in units of q, which add to the 1/2 of rounding:
//   evaluate:  x radix/q with |x| <= 2^50 and |radix/q| < 1 errs by 2^-3; digit/q with |digit| < 2^59 by 3 2^(59 - 53 - 15) < 2^-7;
//              their sum, below 2^51, by 2^-3: |result| < 0.8 q < 2^50.
//   the digit: |difference| < 1.8 q < 2^51 times inverse/q errs by 0.45: |result| < q, one correction centres it.
typedef struct factor {
    __m512i value;
    __m512d ratio; // value / q
} factor_t;

typedef struct field {
    __m512i q;
    __m512i half; // floor(q/2)
    factor_t one;
    factor_t inverse;
    factor_t radix[RS_LIMBS_MAX];
    int reduce_top; // before Horner's rule: the top digit is the result, or may exceed 2^49
} field_t;

AVX512_INLINE factor_t factor8(uint64_t value, uint64_t q) {
    return (factor_t){set8(value), _mm512_set1_pd((double)value / (double)q)};
}

static int takes_doubles(const rs_modulus_t *m) {
    return m->bits >= 16 && m->bits <= 50;
}

AVX512 static void field_init(field_t *f, const rs_context_t *context, uint32_t limb, uint32_t digits) {
    const uint64_t q = context->limbs[limb].modulus.q;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, context, limb, digits);
    f->q = set8(q);
    f->half = set8(q / 2);
    f->one = factor8(1, q);
    f->inverse = factor8(r.inverse.value, q);
    for (uint32_t k = 0; k < digits; k++) f->radix[k] = factor8(r.radix[k].value, q);
    f->reduce_top = digits == 1 || context->limbs[digits - 1].modulus.bits > 50;
}

// x less the nearest multiple of q, given x / q.
AVX512_INLINE __m512i remainder8(__m512i x, __m512d quotient, const field_t *f) {
    return _mm512_sub_epi64(x, _mm512_mullo_epi64(_mm512_cvtpd_epi64(quotient), f->q));
}

// The digits modulo q (Horner's rule).
AVX512_INLINE __m512i evaluate8(const uint64_t *poly, uint32_t digits, size_t n, size_t i, const field_t *f) {
    __m512i x = load8(poly + (digits - 1) * n + i);
    if (f->reduce_top) x = remainder8(x, _mm512_mul_pd(_mm512_cvtepi64_pd(x), f->one.ratio), f);
    for (uint32_t k = digits - 1; k-- > 0;) {
        const __m512i digit = load8(poly + k * n + i);
        const __m512d quotient =
            _mm512_fmadd_pd(_mm512_cvtepi64_pd(x), f->radix[k].ratio, _mm512_mul_pd(_mm512_cvtepi64_pd(digit), f->one.ratio));
        x = remainder8(_mm512_add_epi64(_mm512_mullo_epi64(x, f->radix[k].value), digit), quotient, f);
    }
    return x;
}

AVX512 static void centre(uint64_t *x, size_t n, uint64_t q) {
    const __m512i q8 = set8(q);
    const __m512i half = set8(q / 2);
    for (size_t i = 0; i < n; i += LANES) {
        const __m512i residue = load8(x + i);
        store8(x + i, _mm512_mask_sub_epi64(residue, _mm512_cmpgt_epu64_mask(residue, half), residue, q8));
    }
}

AVX512 static void make_digit(const rs_context_t *context, uint64_t *poly, uint32_t limb) {
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
    const __m512i minus_half = _mm512_sub_epi64(_mm512_setzero_si512(), f.half);
    for (size_t i = 0; i < n; i += LANES) {
        const __m512i x = _mm512_sub_epi64(load8(residues + i), evaluate8(poly, limb, n, i, &f));
        const __m512d quotient = _mm512_mul_pd(_mm512_cvtepi64_pd(x), f.inverse.ratio);
        __m512i digit = remainder8(_mm512_mullo_epi64(x, f.inverse.value), quotient, &f);
        digit = _mm512_mask_sub_epi64(digit, _mm512_cmpgt_epi64_mask(digit, f.half), digit, f.q);
        digit = _mm512_mask_add_epi64(digit, _mm512_cmplt_epi64_mask(digit, minus_half), digit, f.q);
        store8(residues + i, digit);
    }
}

AVX512 static uint64_t disagrees(const rs_context_t *context, const uint64_t *poly, uint32_t digits, uint32_t limb) {
    const size_t n = context->n;
    if (!takes_doubles(&context->limbs[limb].modulus)) return rs_disagrees_portable(context, poly, digits, limb);
    field_t f;
    field_init(&f, context, limb, digits);
    __mmask8 other = 0;
    for (size_t i = 0; i < n; i += LANES) {
        // between -0.8 q and 1.8 q: 0 and q are the multiples of q there
        __m512i difference = _mm512_sub_epi64(load8(poly + limb * n + i), evaluate8(poly, digits, n, i, &f));
        difference = _mm512_min_epu64(difference, _mm512_xor_si512(difference, f.q));
        other |= _mm512_test_epi64_mask(difference, difference);
    }
    return ((uint64_t)other + 0xff) >> 8;
}

// ---- decode: coefficients ----------------------------------------------------------------------------------------------
AVX512_INLINE __m512d scaled8(__m512d x, double scale, double reciprocal) {
    return reciprocal != 0 ? _mm512_mul_pd(x, _mm512_set1_pd(reciprocal)) : _mm512_div_pd(x, _mm512_set1_pd(scale));
}

AVX512 static void one_word(const rs_context_t *context, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    const size_t n = context->n;
    const double reciprocal = rs_exact_reciprocal(scale);
    for (size_t i = 0; i < n; i += LANES) {
        __m512i x = load8(poly + (digits - 1) * n + i);
        for (uint32_t k = digits - 1; k-- > 0;) {
            x = _mm512_add_epi64(_mm512_mullo_epi64(x, set8(context->limbs[k].modulus.q)), load8(poly + k * n + i));
        }
        _mm512_storeu_pd(out + i, scaled8(_mm512_cvtepi64_pd(x), scale, reciprocal));
    }
}

// d_0 + d_1 q_0 = a 2^54 + b, |b| <= 2^53, as in rs_coefficients_portable. With d_1 = h 2^24 + l and q_0 = u 2^30 + v in four products:
//   h u 2^54 + s 2^24 + r,  s = l u 2^6 + h v + floor((l v + d_0) / 2^24),  0 <= r < 2^24.
// |h| < 2^30 as |d_1| < 2^54, u, v < 2^30, l < 2^24 and |d_0| < 2^59: |s| < 2^62.
AVX512 static void two_words(const rs_context_t *context, double *out, const uint64_t *poly, double scale) {
    const size_t n = context->n;
    const double reciprocal = rs_exact_reciprocal(scale);
    const uint64_t q = context->limbs[0].modulus.q;
    const __m512i u = set8(q >> 30);
    const __m512i v = set8(q & 0x3fffffff);
    const __m512i low_24 = set8(0xffffff);
    const __m512i low_30 = set8(0x3fffffff);
    const __m512i two_29 = set8(1 << 29);
    for (size_t i = 0; i < n; i += LANES) {
        const __m512i d = load8(poly + n + i);
        const __m512i h = _mm512_srai_epi64(d, 24);
        const __m512i l = _mm512_and_si512(d, low_24);
        const __m512i low = _mm512_add_epi64(_mm512_mul_epi32(l, v), load8(poly + i));
        __m512i s = _mm512_add_epi64(_mm512_slli_epi64(_mm512_mul_epi32(l, u), 6), _mm512_mul_epi32(h, v));
        s = _mm512_add_epi64(_mm512_add_epi64(s, _mm512_srai_epi64(low, 24)), two_29); // rounds to a multiple of 2^30
        const __m512i a = _mm512_add_epi64(_mm512_mul_epi32(h, u), _mm512_srai_epi64(s, 30));
        const __m512i rest = _mm512_sub_epi64(_mm512_and_si512(s, low_30), two_29);
        const __m512i b = _mm512_or_si512(_mm512_slli_epi64(rest, 24), _mm512_and_si512(low, low_24));
        const __m512d x = _mm512_fmadd_pd(_mm512_cvtepi64_pd(a), _mm512_set1_pd(0x1p54), _mm512_cvtepi64_pd(b));
        _mm512_storeu_pd(out + i, scaled8(x, scale, reciprocal));
    }
}

AVX512 static void coefficients(const rs_context_t *context, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    if (context->total_bits[digits] <= 63) {
        one_word(context, out, poly, digits, scale);
    } else if (digits == 2 && context->total_bits[2] <= 108 && context->limbs[1].modulus.bits <= 54) {
        two_words(context, out, poly, scale);
    } else {
        rs_coefficients_portable(context, out, poly, digits, scale);
    }
}

const rs_encoding_t RS_ENCODING_AVX512 = {
    .inverse = rs_fft_avx512_inverse,
    .forward = rs_fft_avx512_forward,
    .largest_magnitude = largest_magnitude,
    .round = round_all,
    .make_digit = make_digit,
    .disagrees = disagrees,
    .coefficients = coefficients,
};
#endif
