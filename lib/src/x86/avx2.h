// SPDX-License-Identifier: Apache-2.0
// Words, four of 64 bits or eight of 32 bits at a time, with AVX2. Branch-free.
#ifndef RINGSIDE_AVX2_H
#define RINGSIDE_AVX2_H

#include <immintrin.h>

#include "arith/modarith.h"

#define AVX2 __attribute__((target("avx2")))
#define AVX2_FMA __attribute__((target("avx2,fma")))
#define AVX2_INLINE AVX2 static inline __attribute__((always_inline))
#define AVX2_FMA_INLINE AVX2_FMA static inline __attribute__((always_inline))

AVX2_INLINE __m256i set4(uint64_t x) { return _mm256_set1_epi64x((long long)x); }

AVX2_INLINE __m256i load256(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

AVX2_INLINE void store256(void *p, __m256i x) { _mm256_storeu_si256((__m256i *)p, x); }

AVX2_INLINE __m256i load128(const void *p) { return _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)); }

// x in [0, 2 bound) -> [0, bound), bound < 2^63: below the bound the difference is negative.
AVX2_INLINE __m256i csub4(__m256i x, __m256i bound) {
    const __m256d difference = _mm256_castsi256_pd(_mm256_sub_epi64(x, bound));
    return _mm256_castpd_si256(_mm256_blendv_pd(difference, _mm256_castsi256_pd(x), difference));
}

// x, as a value of its own: gcc would turn a - (b - c) into a + (c - b) though b - c is there for another use.
AVX2_INLINE __m256i opaque4(__m256i x) {
    __asm__("" : "+x"(x));
    return x;
}

#endif
