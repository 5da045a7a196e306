// SPDX-License-Identifier: Apache-2.0
// The passes with AVX2: vectors of 8 words.
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE __attribute__((target("avx2"), always_inline)) static inline
#define UNROLL _Pragma("GCC unroll 8")
#define LOG_LANES 3
typedef __m256i vec_t;
typedef struct sums {
    __m256i even, odd;
} sum_t;
typedef __m256i wide_t;
typedef struct up {
    __m256i index, zero;
} up_t;
typedef __m256i carry_t;
typedef struct window {
    __m256i index, newer;
} window_t;
enum { ODD_LANES = 0xaa };

INLINE vec_t v_set(uint32_t x) { return _mm256_set1_epi32((int)x); }
INLINE vec_t v_load(const uint32_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
INLINE vec_t v_load16(const uint16_t *p) { return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p)); }
INLINE void v_store(uint32_t *p, vec_t x) { _mm256_storeu_si256((__m256i *)p, x); }
INLINE void v_store16(uint16_t *p, vec_t x) {
    const __m256i low = _mm256_and_si256(x, _mm256_set1_epi32(0xffff));
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(packed));
}
INLINE vec_t v_add(vec_t a, vec_t b) { return _mm256_add_epi32(a, b); }
INLINE vec_t v_sub(vec_t a, vec_t b) { return _mm256_sub_epi32(a, b); }
INLINE vec_t v_and(vec_t a, vec_t b) { return _mm256_and_si256(a, b); }
INLINE vec_t v_min(vec_t a, vec_t b) { return _mm256_min_epu32(a, b); }
INLINE vec_t v_mullo(vec_t a, vec_t b) { return _mm256_mullo_epi32(a, b); }
INLINE vec_t v_odd(vec_t a) { return _mm256_srli_epi64(a, 32); }
// b_odd: v_odd(b), or b if all of its lanes are the same
INLINE vec_t v_mulhi(vec_t a, vec_t b, vec_t b_odd) {
    const vec_t even = _mm256_mul_epu32(a, b), odd = _mm256_mul_epu32(v_odd(a), b_odd);
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, ODD_LANES);
}
INLINE vec_t iota(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
// lane i takes lane i - k; the first k are zero: their index is negative
INLINE up_t v_up_of(size_t k) {
    const __m256i index = _mm256_sub_epi32(iota(), v_set((uint32_t)k));
    return (up_t){index, _mm256_srai_epi32(index, 31)};
}
INLINE vec_t v_up(vec_t x, up_t up) { return _mm256_andnot_si256(up.zero, _mm256_permutevar8x32_epi32(x, up.index)); }
// lane i takes lane 8 - d + i mod d. In registers: i is below 8 d, and the smaller of x and x - m is x mod m for x < 2 m
INLINE carry_t v_carry_of(size_t d) {
    vec_t rest = iota();
    for (size_t m = 4 * d; m >= d; m /= 2) rest = v_min(rest, v_sub(rest, v_set((uint32_t)m)));
    return v_add(rest, v_set((uint32_t)(8 - d)));
}
INLINE vec_t v_carry(vec_t x, carry_t carry) { return _mm256_permutevar8x32_epi32(x, carry); }
// lane i takes lane i + k of the two, k below 16
INLINE window_t v_window_of(size_t k) {
    const __m256i index = _mm256_add_epi32(iota(), v_set((uint32_t)k));
    return (window_t){index, _mm256_cmpgt_epi32(index, v_set(7))};
}
INLINE vec_t v_window(vec_t older, vec_t newer, window_t window) {
    return _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(older, window.index), _mm256_permutevar8x32_epi32(newer, window.index),
                              window.newer);
}
INLINE wide_t s_set(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
INLINE sum_t s_zero(void) { return (sum_t){_mm256_setzero_si256(), _mm256_setzero_si256()}; }
INLINE sum_t s_load(const uint64_t *p) {
    return (sum_t){_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)(p + 4))};
}
INLINE void s_store(uint64_t *p, sum_t x) {
    _mm256_storeu_si256((__m256i *)p, x.even);
    _mm256_storeu_si256((__m256i *)(p + 4), x.odd);
}
INLINE sum_t s_mul(vec_t a, vec_t b) { return (sum_t){_mm256_mul_epu32(a, b), _mm256_mul_epu32(v_odd(a), v_odd(b))}; }
// all lanes of b are the same
INLINE sum_t s_mul_all(vec_t a, vec_t b) { return (sum_t){_mm256_mul_epu32(a, b), _mm256_mul_epu32(v_odd(a), b)}; }
INLINE sum_t s_add(sum_t a, sum_t b) { return (sum_t){_mm256_add_epi64(a.even, b.even), _mm256_add_epi64(a.odd, b.odd)}; }
INLINE sum_t s_sub(sum_t a, sum_t b) { return (sum_t){_mm256_sub_epi64(a.even, b.even), _mm256_sub_epi64(a.odd, b.odd)}; }
INLINE sum_t s_add_all(sum_t a, wide_t b) { return (sum_t){_mm256_add_epi64(a.even, b), _mm256_add_epi64(a.odd, b)}; }
INLINE sum_t s_sub_all(sum_t a, wide_t b) { return (sum_t){_mm256_sub_epi64(a.even, b), _mm256_sub_epi64(a.odd, b)}; }
INLINE sum_t s_shift(sum_t a, int bits) { return (sum_t){_mm256_srli_epi64(a.even, bits), _mm256_srli_epi64(a.odd, bits)}; }
INLINE vec_t s_low(sum_t a) { return _mm256_blend_epi32(a.even, _mm256_slli_epi64(a.odd, 32), ODD_LANES); }
// comparison of unsigned words: with their highest bits inverted
INLINE __m256i fold(__m256i a, wide_t limit) {
    const __m256i top = _mm256_set1_epi64x((long long)(UINT64_C(1) << 63));
    const __m256i below = _mm256_cmpgt_epi64(_mm256_xor_si256(limit, top), _mm256_xor_si256(a, top));
    return _mm256_sub_epi64(a, _mm256_andnot_si256(below, limit));
}
INLINE sum_t s_fold(sum_t a, wide_t limit) { return (sum_t){fold(a.even, limit), fold(a.odd, limit)}; }
// a 2^-32 mod p for a < 2^32 p
INLINE vec_t s_redc(sum_t a, vec_t inverse32, vec_t p) {
    const __m256i qe = _mm256_mul_epu32(_mm256_mul_epu32(a.even, inverse32), p);
    const __m256i qo = _mm256_mul_epu32(_mm256_mul_epu32(a.odd, inverse32), p);
    const vec_t high = _mm256_blend_epi32(_mm256_srli_epi64(a.even, 32), a.odd, ODD_LANES);
    const vec_t q = _mm256_blend_epi32(_mm256_srli_epi64(qe, 32), qo, ODD_LANES);
    const vec_t d = v_sub(high, q);
    return v_min(d, v_add(d, p));
}
INLINE void v_transpose(vec_t *r) {
    vec_t t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        t[i] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x20);
        t[i + 4] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x31);
    }
    for (int i = 0; i < 8; i++) r[i] = t[i];
}

#include "kernels/passes.h"

static int is_available(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}

const ltv_kernels_t LTV_KERNELS_AVX2 = TABLE("avx2", is_available);
#else
typedef int ltv_no_avx2_t; // ISO C wants something in a file
#endif
