// SPDX-License-Identifier: Apache-2.0
// Encode and decode besides the transforms (fft_avx2.c), four words at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx2.h"
#include "x86/encoding/fft.h"

#define TARGET AVX2_FMA
#define INLINE AVX2_FMA_INLINE
enum { LANES = 4 };
typedef __v4du words_t;
typedef __m256d doubles_t;
typedef __v4du mask_t; // all bits of a lane
typedef __m256d number_t;

INLINE words_t splat(uint64_t x) { return (words_t)set4(x); }

INLINE words_t load(const uint64_t *p) { return (words_t)load256(p); }

INLINE void store(uint64_t *p, words_t x) { store256(p, (__m256i)x); }

INLINE doubles_t splat_double(double x) { return _mm256_set1_pd(x); }

INLINE doubles_t load_doubles(const double *p) { return _mm256_loadu_pd(p); }

INLINE void store_doubles(double *p, doubles_t x) { _mm256_storeu_pd(p, x); }

INLINE number_t number(int64_t x) { return splat_double((double)x); }

INLINE uint64_t lane_bits(mask_t x) { return (uint64_t)_mm256_movemask_pd((__m256d)x); }

INLINE mask_t above(words_t a, words_t b) { return (mask_t)_mm256_cmpgt_epi64((__m256i)a, (__m256i)b); }

INLINE words_t sub_where(mask_t mask, words_t a, words_t b) { return a - (b & mask); }

INLINE words_t larger(words_t a, words_t b) { return (words_t)_mm256_blendv_epi8((__m256i)a, (__m256i)b, (__m256i)above(b, a)); }

INLINE uint64_t largest(words_t x) {
    x = larger(x, (words_t)_mm256_permute4x64_epi64((__m256i)x, 0x4e));
    x = larger(x, (words_t)_mm256_permute4x64_epi64((__m256i)x, 0xb1));
    return x[0];
}

INLINE words_t mul_signed(words_t a, words_t b) { return (words_t)_mm256_mul_epi32((__m256i)a, (__m256i)b); }

// products of lower halves
INLINE words_t mul_unsigned(words_t a, words_t b) { return (words_t)_mm256_mul_epu32((__m256i)a, (__m256i)b); }

INLINE words_t mul_low(words_t a, words_t b) {
    return mul_unsigned(a, b) + ((mul_unsigned(a >> 32, b) + mul_unsigned(a, b >> 32)) << 32);
}

// There is no arithmetic shift.
#define BIAS ((uint64_t)1 << 62)
INLINE words_t shift_biased(words_t biased, unsigned k) { return (biased >> k) - splat(BIAS >> k); }

INLINE doubles_t multiply_add(doubles_t a, doubles_t b, doubles_t c) { return _mm256_fmadd_pd(a, b, c); }

// ---- words and doubles -------------------------------------------------------------------------------------------------
// AVX2 has no conversion between words and doubles. But the mantissa of 2^52 holds an integer as it is, and so does that of 2^84, in units
// of 2^32.
typedef struct halves {
    doubles_t high; // a multiple of 2^32
    doubles_t low;  // in [0, 2^32)
} halves_t;

// Signed words below 2^62.
INLINE halves_t halves(words_t x) {
    const words_t biased = x + splat(BIAS);
    const words_t high = (biased >> 32) | (words_t)splat_double(0x1p84);
    const __m256i low = _mm256_blend_epi32((__m256i)biased, (__m256i)splat_double(0x1p52), 0xaa);
    return (halves_t){(doubles_t)high - splat_double(0x1p84 + 0x1p62), (doubles_t)low - splat_double(0x1p52)};
}

// Only the sum rounds.
INLINE doubles_t to_double(words_t x) {
    const halves_t both = halves(x);
    return both.high + both.low;
}

// Words below 2^52.
INLINE doubles_t small_to_double(words_t x) { return (doubles_t)(x | (words_t)splat_double(0x1p52)) - splat_double(0x1p52); }

// Integers below 2^51 in magnitude.
INLINE words_t to_word(doubles_t x) {
    const doubles_t offset = splat_double(0x1.8p52);
    return (words_t)(x + offset) - (words_t)offset;
}

#include "x86/encoding/encoding_vectors.h"

// ---- decode: digits ----------------------------------------------------------------------------------------------------
// Residues are doubles, exact integers near [-q/2, q/2]. A product is a sum h + l of doubles (FMA), and with t the integer nearest to the
// approximate quotient h - t q is exact, being an integer below 2^52. Errors of t, with |x| = k q:
//   product: k 2^50 (2^-53 + 2^-53), so |result| < (1/2 + k/4) q;   reduced: below 2^-7.
//   Horner's rule: k < 0.84 + 0.51 < 1.4.   the digit: k < 2.4, so |result| < 1.1 q and one correction centres it.
INLINE doubles_t nearest(doubles_t x) { return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }

INLINE number_t product(number_t x, factor_t c, const field_t *f) {
    const doubles_t t = nearest(x * c.ratio);
    const doubles_t h = x * c.value;
    const doubles_t l = _mm256_fmsub_pd(x, c.value, h);
    return _mm256_fnmadd_pd(t, f->q, h) + l;
}

// A word below 2^59 in magnitude, modulo q.
INLINE number_t reduced(words_t word, const field_t *f) {
    const halves_t x = halves(word);
    const doubles_t t = nearest((x.high + x.low) * f->one.ratio);
    return _mm256_fnmadd_pd(t, f->q, x.high) + x.low;
}

INLINE number_t difference(const uint64_t *residues, const uint64_t *poly, uint32_t digits, size_t n, size_t i, const field_t *f) {
    number_t x = reduced(load(poly + (digits - 1) * n + i), f);
    for (uint32_t k = digits - 1; k-- > 0;) {
        const number_t low = reduced(load(poly + k * n + i), f);
        x = product(x, f->radix[k], f) + low;
    }
    return small_to_double(load(residues + i)) - x;
}

INLINE words_t digit(number_t x, const field_t *f) {
    const doubles_t over = _mm256_and_pd(f->q, _mm256_cmp_pd(x, f->half, _CMP_GT_OQ));
    const doubles_t under = _mm256_and_pd(f->q, _mm256_cmp_pd(x, f->minus_half, _CMP_LT_OQ));
    return to_word(x - over + under);
}

INLINE mask_t disagree(number_t x, const field_t *f) {
    const doubles_t multiple = nearest(x * f->one.ratio) * f->q; // at most 2 q
    return (mask_t)_mm256_cmp_pd(x, multiple, _CMP_NEQ_UQ);
}

const rs_encoding_t RS_ENCODING_AVX2 = {
    .inverse = rs_fft_avx2_inverse,
    .inverse_rounded = rs_fft_avx2_inverse_rounded,
    .forward = rs_fft_avx2_forward,
    ENCODING_ON_VECTORS,
};
#endif
