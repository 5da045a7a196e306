// SPDX-License-Identifier: Apache-2.0
// The transforms of fft.c, eight points at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#include "x86/encoding/fft.h"
#define TARGET AVX512
#define INLINE AVX512_INLINE
#define LOAD _mm512_loadu_pd
#define STORE _mm512_storeu_pd
#define SPLAT _mm512_set1_pd
#define LOW_PAIRS _mm512_unpacklo_pd
#define HIGH_PAIRS _mm512_unpackhi_pd
#define LOW_HALVES(a, b) _mm512_shuffle_f64x2(a, b, 0x44)
#define HIGH_HALVES(a, b) _mm512_shuffle_f64x2(a, b, 0xee)
typedef __m512d vec_t;
enum { LANES = 8 };
#include "x86/encoding/fft_passes.h"

INLINE vec_t without_small(vec_t x, uint64_t floor) {
    const __m512i sign = set8(~RS_MAGNITUDE_BITS);
    const __m512i bits = _mm512_castpd_si512(x);
    const __mmask8 small = _mm512_cmplt_epu64_mask(_mm512_andnot_si512(sign, bits), set8(floor));
    return _mm512_castsi512_pd(_mm512_mask_and_epi64(bits, small, bits, sign));
}

// Towards zero from what is one half further away, or rather the number before one half: with one half itself, what is next below a tie
// would reach it. From 2^52 on there are just integers, and the sum rounds back to them.
INLINE vec_t rounded(vec_t x) {
    const __m512i half = _mm512_castpd_si512(_mm512_set1_pd(0.49999999999999994));
    const __m512i signed_half =
        _mm512_ternarylogic_epi64(set8(~RS_MAGNITUDE_BITS), _mm512_castpd_si512(x), half, 0xea); // a & b | c
    return _mm512_roundscale_pd(x + _mm512_castsi512_pd(signed_half), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

INLINE vec_t larger_magnitudes(vec_t magnitudes, vec_t x) {
    const __m512i bits = _mm512_and_si512(_mm512_castpd_si512(x), set8(RS_MAGNITUDE_BITS));
    return _mm512_castsi512_pd(_mm512_max_epu64(_mm512_castpd_si512(magnitudes), bits));
}

INLINE uint64_t largest_lane(vec_t magnitudes) { return _mm512_reduce_max_epu64(_mm512_castpd_si512(magnitudes)); }

// Lanes index[i] of a, or index[i] - 8 of b.
INLINE cvec_t pick(cvec_t a, __m512i index, cvec_t b) {
    return (cvec_t){_mm512_permutex2var_pd(a.re, index, b.re), _mm512_permutex2var_pd(a.im, index, b.im)};
}

// The roots of 8 / gap blocks, each for `gap` lanes, gap 1, 2, 4.
INLINE __m512d spread(const double *root, size_t gap) {
    if (gap == 1) return _mm512_loadu_pd(root);
    if (gap == 2)
        return _mm512_permutexvar_pd(_mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0), _mm512_castpd256_pd512(_mm256_loadu_pd(root)));
    return _mm512_permutexvar_pd(_mm512_set_epi64(1, 1, 1, 1, 0, 0, 0, 0), _mm512_castpd128_pd512(_mm_loadu_pd(root)));
}

INLINE cvec_t unit_roots(const transform_t *t, size_t unit, size_t gap) {
    const size_t at = t->points / (2 * gap) + LANES / gap * unit;
    return (cvec_t){spread(t->root_re + at, gap), spread(t->root_im + at, gap)};
}

// Points held in the two vectors, after and before each stage (x in the first, its partner y below it):
//   gap 8   0 1 2 3 4 5 6 7    gap 4   0 1 2 3 8 9 a b    gap 2   0 1 4 5 8 9 c d    gap 1   0 2 4 6 8 a c e
//           8 9 a b c d e f            4 5 6 7 c d e f            2 3 6 7 a b e f            1 3 5 7 9 b d f
#define EVEN _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0)
#define ODD _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1)
#define EVEN_PAIRS _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0)
#define ODD_PAIRS _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2)
#define LOW_ALTERNATING _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0)
#define HIGH_ALTERNATING _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4)

INLINE void inverse_unit(const transform_t *t, size_t unit, cvec_t *a, cvec_t *b) {
    cvec_t x = pick(*a, EVEN, *b);
    cvec_t y = pick(*a, ODD, *b);
    inverse_butterfly(&x, &y, unit_roots(t, unit, 1));
    cvec_t z = low_pairs(x, y);
    y = high_pairs(x, y);
    inverse_butterfly(&z, &y, unit_roots(t, unit, 2));
    x = pick(z, EVEN_PAIRS, y);
    y = pick(z, ODD_PAIRS, y);
    inverse_butterfly(&x, &y, unit_roots(t, unit, 4));
    *a = low_halves(x, y);
    *b = high_halves(x, y);
    inverse_butterfly(a, b, root(t, 8, unit));
}

INLINE void forward_unit(const transform_t *t, size_t unit, cvec_t *a, cvec_t *b) {
    forward_butterfly(a, b, root(t, 8, unit));
    cvec_t x = low_halves(*a, *b);
    cvec_t y = high_halves(*a, *b);
    forward_butterfly(&x, &y, unit_roots(t, unit, 4));
    cvec_t z = pick(x, EVEN_PAIRS, y);
    y = pick(x, ODD_PAIRS, y);
    forward_butterfly(&z, &y, unit_roots(t, unit, 2));
    x = low_pairs(z, y);
    y = high_pairs(z, y);
    forward_butterfly(&x, &y, unit_roots(t, unit, 1));
    *a = pick(x, LOW_ALTERNATING, y);
    *b = pick(x, HIGH_ALTERNATING, y);
}

void rs_fft_avx512_inverse(const rs_fft_t *fft, double *re, double *im, double fix) { (void)inverse(fft, re, im, 0, fix, SCALED); }

uint64_t rs_fft_avx512_inverse_rounded(const rs_fft_t *fft, double *re, double *im, int real, double fix) {
    return inverse(fft, re, im, real, fix, ROUNDED);
}

void rs_fft_avx512_forward(const rs_fft_t *fft, double *re, double *im) { forward(fft, re, im); }
#endif
