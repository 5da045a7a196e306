// SPDX-License-Identifier: Apache-2.0
// Encode and decode besides the transforms (fft_avx512.c), eight words at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#include "x86/encoding/fft.h"

#define TARGET AVX512
#define INLINE AVX512_INLINE
enum { LANES = 8 };
typedef __v8du words_t;
typedef __m512d doubles_t;
typedef __mmask8 mask_t;
typedef __v8du number_t; // signed

INLINE words_t splat(uint64_t x) { return (words_t)set8(x); }

INLINE words_t load(const uint64_t *p) { return (words_t)load8(p); }

INLINE void store(uint64_t *p, words_t x) { store8(p, (__m512i)x); }

INLINE doubles_t splat_double(double x) { return _mm512_set1_pd(x); }

INLINE doubles_t load_doubles(const double *p) { return _mm512_loadu_pd(p); }

INLINE void store_doubles(double *p, doubles_t x) { _mm512_storeu_pd(p, x); }

INLINE number_t number(int64_t x) { return splat((uint64_t)x); }

INLINE uint64_t lane_bits(mask_t x) { return x; }

INLINE mask_t above(words_t a, words_t b) { return _mm512_cmpgt_epi64_mask((__m512i)a, (__m512i)b); }

INLINE words_t sub_where(mask_t mask, words_t a, words_t b) {
    return (words_t)_mm512_mask_sub_epi64((__m512i)a, mask, (__m512i)a, (__m512i)b);
}

INLINE words_t larger(words_t a, words_t b) { return (words_t)_mm512_max_epu64((__m512i)a, (__m512i)b); }

INLINE uint64_t largest(words_t x) { return _mm512_reduce_max_epu64((__m512i)x); }

INLINE words_t mul_signed(words_t a, words_t b) { return (words_t)_mm512_mul_epi32((__m512i)a, (__m512i)b); }

INLINE words_t mul_low(words_t a, words_t b) { return (words_t)_mm512_mullo_epi64((__m512i)a, (__m512i)b); }

#define BIAS 0
INLINE words_t shift_biased(words_t x, unsigned k) { return (words_t)_mm512_srai_epi64((__m512i)x, k); }

INLINE doubles_t to_double(words_t x) { return _mm512_cvtepi64_pd((__m512i)x); }

INLINE doubles_t multiply_add(doubles_t a, doubles_t b, doubles_t c) { return _mm512_fmadd_pd(a, b, c); }

#include "x86/encoding/encoding_vectors.h"

// ---- decode: digits ----------------------------------------------------------------------------------------------------
// Residues as signed words near [-q/2, q/2], quotients by doubles: with t the integer nearest to a product of doubles, x c - t q modulo
// 2^64 is the remainder. Errors in units of q, which add to the 1/2 of rounding:
//   evaluate:  x radix/q with |x| <= 2^50 and |radix/q| < 1 errs by 2^-3; digit/q with |digit| < 2^59 by 3 2^(59 - 53 - 15) < 2^-7;
//              their sum, below 2^51, by 2^-3: |result| < 0.8 q < 2^50.
//   the digit: |difference| < 1.8 q < 2^51 times inverse/q errs by 0.45: |result| < q, one correction centres it.

// x less the nearest multiple of q, given x / q.
INLINE number_t less_multiple(number_t x, doubles_t quotient, const field_t *f) {
    return x - mul_low((words_t)_mm512_cvtpd_epi64(quotient), f->q);
}

INLINE number_t product(number_t x, factor_t c, const field_t *f) {
    return less_multiple(mul_low(x, c.value), to_double(x) * c.ratio, f);
}

// The digits modulo q: a quotient for a product and a digit together.
INLINE number_t evaluate(const uint64_t *poly, uint32_t digits, size_t n, size_t i, const field_t *f) {
    number_t x = load(poly + (digits - 1) * n + i);
    if (f->reduce_top) x = less_multiple(x, to_double(x) * f->one.ratio, f);
    for (uint32_t k = digits - 1; k-- > 0;) {
        const number_t low = load(poly + k * n + i);
        const doubles_t quotient = multiply_add(to_double(x), f->radix[k].ratio, to_double(low) * f->one.ratio);
        x = less_multiple(mul_low(x, f->radix[k].value) + low, quotient, f);
    }
    return x;
}

INLINE number_t difference(const uint64_t *residues, const uint64_t *poly, uint32_t digits, size_t n, size_t i, const field_t *f) {
    const number_t value = evaluate(poly, digits, n, i, f);
    return load(residues + i) - value;
}

INLINE words_t digit(number_t x, const field_t *f) {
    x = sub_where(above(x, f->half), x, f->q);
    const __mmask8 under = above(f->minus_half, x);
    return (words_t)_mm512_mask_add_epi64((__m512i)x, under, (__m512i)x, (__m512i)f->q);
}

// Between -0.8 q and 1.8 q 0 and q are the multiples of q.
INLINE mask_t disagree(number_t x, const field_t *f) {
    const __m512i least = _mm512_min_epu64((__m512i)x, (__m512i)(x ^ f->q));
    return _mm512_test_epi64_mask(least, least);
}

const rs_encoding_t RS_ENCODING_AVX512 = {
    .inverse = rs_fft_avx512_inverse,
    .inverse_rounded = rs_fft_avx512_inverse_rounded,
    .forward = rs_fft_avx512_forward,
    ENCODING_ON_VECTORS,
};
#endif
