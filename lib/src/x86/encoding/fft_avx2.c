// SPDX-License-Identifier: Apache-2.0
// The transforms of fft.c, four points at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx2.h"
#include "x86/encoding/fft.h"
#define TARGET AVX2
#define INLINE AVX2_INLINE
#define LOAD _mm256_loadu_pd
#define STORE _mm256_storeu_pd
#define SPLAT _mm256_set1_pd
#define LOW_PAIRS _mm256_unpacklo_pd
#define HIGH_PAIRS _mm256_unpackhi_pd
#define LOW_HALVES(a, b) _mm256_permute2f128_pd(a, b, 0x20)
#define HIGH_HALVES(a, b) _mm256_permute2f128_pd(a, b, 0x31)
typedef __m256d vec_t;
enum { LANES = 4 };
#include "x86/encoding/fft_passes.h"

INLINE vec_t without_small(vec_t x, uint64_t floor) {
    const __m256i sign = set4(~RS_MAGNITUDE_BITS);
    const __m256i bits = _mm256_castpd_si256(x);
    const __m256i small = _mm256_cmpgt_epi64(set4(floor), _mm256_andnot_si256(sign, bits));
    return _mm256_castsi256_pd(_mm256_andnot_si256(_mm256_andnot_si256(sign, small), bits));
}

// Towards zero from what is one half further away, or rather the number before one half: with one half itself, what is next below a tie
// would reach it. From 2^52 on there are just integers, and the sum rounds back to them.
INLINE vec_t rounded(vec_t x) {
    const vec_t sign = _mm256_and_pd(x, _mm256_castsi256_pd(set4(~RS_MAGNITUDE_BITS)));
    return _mm256_round_pd(x + _mm256_or_pd(sign, _mm256_set1_pd(0.49999999999999994)), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

INLINE __m256i larger(__m256i a, __m256i b) { // the larger ones of words below 2^63
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(b, a));
}

INLINE vec_t larger_magnitudes(vec_t magnitudes, vec_t x) {
    const __m256i bits = _mm256_and_si256(_mm256_castpd_si256(x), set4(RS_MAGNITUDE_BITS));
    return _mm256_castsi256_pd(larger(_mm256_castpd_si256(magnitudes), bits));
}

INLINE uint64_t largest_lane(vec_t magnitudes) {
    __m256i x = _mm256_castpd_si256(magnitudes);
    x = larger(x, _mm256_permute4x64_epi64(x, 0x4e));
    x = larger(x, _mm256_permute4x64_epi64(x, 0xb1));
    return (uint64_t)_mm256_extract_epi64(x, 0);
}

// Lanes 0 2 1 3.
INLINE cvec_t middle_swapped(cvec_t a) { return (cvec_t){_mm256_permute4x64_pd(a.re, 0xd8), _mm256_permute4x64_pd(a.im, 0xd8)}; }

// The roots of four and of two blocks, in the order of the points below.
INLINE cvec_t roots_gap_1(const transform_t *t, size_t unit) {
    return middle_swapped(load(t->root_re, t->root_im, t->points / 2 + 4 * unit));
}

INLINE cvec_t roots_gap_2(const transform_t *t, size_t unit) {
    const size_t at = t->points / 4 + 2 * unit;
    const __m128d re = _mm_loadu_pd(t->root_re + at);
    const __m128d im = _mm_loadu_pd(t->root_im + at);
    return (cvec_t){_mm256_set_m128d(re, re), _mm256_set_m128d(im, im)};
}

// Points held in the two vectors, after and before each stage (x in the first, its partner y below it):
//   gap 4   0 1 2 3    or   0 2 1 3    gap 2   0 4 1 5    gap 1   0 4 2 6
//           4 5 6 7         4 6 5 7            2 6 3 7            1 5 3 7
INLINE void inverse_unit(const transform_t *t, size_t unit, cvec_t *a, cvec_t *b) {
    cvec_t x = low_pairs(*a, *b);
    cvec_t y = high_pairs(*a, *b);
    inverse_butterfly(&x, &y, roots_gap_1(t, unit));
    cvec_t z = low_halves(x, y);
    y = high_halves(x, y);
    inverse_butterfly(&z, &y, roots_gap_2(t, unit));
    x = low_pairs(z, y);
    y = high_pairs(z, y);
    inverse_butterfly(&x, &y, root(t, 4, unit));
    *a = middle_swapped(x);
    *b = middle_swapped(y);
}

INLINE void forward_unit(const transform_t *t, size_t unit, cvec_t *a, cvec_t *b) {
    forward_butterfly(a, b, root(t, 4, unit));
    const cvec_t p = middle_swapped(*a);
    const cvec_t q = middle_swapped(*b);
    cvec_t x = low_pairs(p, q);
    cvec_t y = high_pairs(p, q);
    forward_butterfly(&x, &y, roots_gap_2(t, unit));
    cvec_t z = low_halves(x, y);
    y = high_halves(x, y);
    forward_butterfly(&z, &y, roots_gap_1(t, unit));
    *a = low_pairs(z, y);
    *b = high_pairs(z, y);
}

void rs_fft_avx2_inverse(const rs_fft_t *fft, double *re, double *im, double fix) { (void)inverse(fft, re, im, 0, fix, SCALED); }

uint64_t rs_fft_avx2_inverse_rounded(const rs_fft_t *fft, double *re, double *im, int real, double fix) {
    return inverse(fft, re, im, real, fix, ROUNDED);
}

void rs_fft_avx2_forward(const rs_fft_t *fft, double *re, double *im) { forward(fft, re, im); }
#endif
