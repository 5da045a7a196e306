// SPDX-License-Identifier: Apache-2.0
// The passes with AVX-512 (F, BW, DQ, VL): vectors of 16 words.
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define INLINE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), always_inline)) static inline
#define UNROLL _Pragma("GCC unroll 16")
#define LOG_LANES 4
typedef __m512i vec_t;
typedef struct sums {
    __m512i even, odd;
} sum_t;
typedef __m512i wide_t;
typedef struct up {
    __m512i index;
    __mmask16 lanes;
} up_t;
typedef __m512i carry_t, window_t;
enum { ODD_LANES = 0xaaaa, EVEN_LANES = 0x5555 };

INLINE vec_t v_set(uint32_t x) { return _mm512_set1_epi32((int)x); }
INLINE vec_t v_load(const uint32_t *p) { return _mm512_loadu_si512(p); }
INLINE vec_t v_load16(const uint16_t *p) { return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)); }
INLINE void v_store(uint32_t *p, vec_t x) { _mm512_storeu_si512(p, x); }
INLINE void v_store16(uint16_t *p, vec_t x) { _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16(x)); }
INLINE vec_t v_add(vec_t a, vec_t b) { return _mm512_add_epi32(a, b); }
INLINE vec_t v_sub(vec_t a, vec_t b) { return _mm512_sub_epi32(a, b); }
INLINE vec_t v_and(vec_t a, vec_t b) { return _mm512_and_si512(a, b); }
INLINE vec_t v_min(vec_t a, vec_t b) { return _mm512_min_epu32(a, b); }
INLINE vec_t v_mullo(vec_t a, vec_t b) { return _mm512_mullo_epi32(a, b); }
INLINE vec_t v_odd(vec_t a) { return _mm512_srli_epi64(a, 32); }
// b_odd: v_odd(b), or b if all of its lanes are the same
INLINE vec_t v_mulhi(vec_t a, vec_t b, vec_t b_odd) {
    const vec_t even = _mm512_mul_epu32(a, b), odd = _mm512_mul_epu32(v_odd(a), b_odd);
    return _mm512_mask_shuffle_epi32(odd, EVEN_LANES, even, _MM_PERM_DDBB);
}
INLINE vec_t iota(void) { return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
// lane i takes lane i - k; the first k are zero
INLINE up_t v_up_of(size_t k) { return (up_t){_mm512_sub_epi32(iota(), v_set((uint32_t)k)), (__mmask16)(0xffffu << k)}; }
INLINE vec_t v_up(vec_t x, up_t up) { return _mm512_maskz_permutexvar_epi32(up.lanes, up.index, x); }
// lane i takes lane 16 - d + i mod d. In registers: i is below 16 d, and the smaller of x and x - m is x mod m for x < 2 m
INLINE carry_t v_carry_of(size_t d) {
    vec_t rest = iota();
    for (size_t m = 8 * d; m >= d; m /= 2) rest = v_min(rest, v_sub(rest, v_set((uint32_t)m)));
    return v_add(rest, v_set((uint32_t)(16 - d)));
}
INLINE vec_t v_carry(vec_t x, carry_t carry) { return _mm512_permutexvar_epi32(carry, x); }
// lane i takes lane i + k of the two, k below 32
INLINE window_t v_window_of(size_t k) { return _mm512_add_epi32(iota(), v_set((uint32_t)k)); }
INLINE vec_t v_window(vec_t older, vec_t newer, window_t window) { return _mm512_permutex2var_epi32(older, window, newer); }
INLINE wide_t s_set(uint64_t x) { return _mm512_set1_epi64((long long)x); }
INLINE sum_t s_zero(void) { return (sum_t){_mm512_setzero_si512(), _mm512_setzero_si512()}; }
INLINE sum_t s_load(const uint64_t *p) { return (sum_t){_mm512_loadu_si512(p), _mm512_loadu_si512(p + 8)}; }
INLINE void s_store(uint64_t *p, sum_t x) {
    _mm512_storeu_si512(p, x.even);
    _mm512_storeu_si512(p + 8, x.odd);
}
INLINE sum_t s_mul(vec_t a, vec_t b) { return (sum_t){_mm512_mul_epu32(a, b), _mm512_mul_epu32(v_odd(a), v_odd(b))}; }
// all lanes of b are the same
INLINE sum_t s_mul_all(vec_t a, vec_t b) { return (sum_t){_mm512_mul_epu32(a, b), _mm512_mul_epu32(v_odd(a), b)}; }
INLINE sum_t s_add(sum_t a, sum_t b) { return (sum_t){_mm512_add_epi64(a.even, b.even), _mm512_add_epi64(a.odd, b.odd)}; }
INLINE sum_t s_sub(sum_t a, sum_t b) { return (sum_t){_mm512_sub_epi64(a.even, b.even), _mm512_sub_epi64(a.odd, b.odd)}; }
INLINE sum_t s_add_all(sum_t a, wide_t b) { return (sum_t){_mm512_add_epi64(a.even, b), _mm512_add_epi64(a.odd, b)}; }
INLINE sum_t s_sub_all(sum_t a, wide_t b) { return (sum_t){_mm512_sub_epi64(a.even, b), _mm512_sub_epi64(a.odd, b)}; }
INLINE sum_t s_shift(sum_t a, unsigned bits) { return (sum_t){_mm512_srli_epi64(a.even, bits), _mm512_srli_epi64(a.odd, bits)}; }
INLINE vec_t s_low(sum_t a) { return _mm512_mask_blend_epi32(ODD_LANES, a.even, _mm512_slli_epi64(a.odd, 32)); }
INLINE sum_t s_fold(sum_t a, wide_t limit) {
    return (sum_t){_mm512_min_epu64(a.even, _mm512_sub_epi64(a.even, limit)),
                   _mm512_min_epu64(a.odd, _mm512_sub_epi64(a.odd, limit))};
}
// a 2^-32 mod p for a < 2^32 p
INLINE vec_t s_redc(sum_t a, vec_t inverse32, vec_t p) {
    const __m512i qe = _mm512_mul_epu32(_mm512_mul_epu32(a.even, inverse32), p);
    const __m512i qo = _mm512_mul_epu32(_mm512_mul_epu32(a.odd, inverse32), p);
    const vec_t high = _mm512_mask_blend_epi32(ODD_LANES, _mm512_srli_epi64(a.even, 32), a.odd);
    const vec_t q = _mm512_mask_blend_epi32(ODD_LANES, _mm512_srli_epi64(qe, 32), qo);
    const vec_t d = v_sub(high, q);
    return v_min(d, v_add(d, p));
}
INLINE void v_transpose(vec_t *r) {
    vec_t t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) { // quarters of 128 bits
        t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
        r[i + 4] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88);
        r[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd);
        r[i + 12] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd);
    }
}

#include "kernels/passes.h"

static int is_available(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

const ltv_kernels_t LTV_KERNELS_AVX512 = TABLE("avx512", is_available);
#else
typedef int ltv_no_avx512_t; // ISO C wants something in a file
#endif
