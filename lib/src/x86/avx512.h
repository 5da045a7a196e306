// SPDX-License-Identifier: Apache-2.0
// Words of 64 bits, eight at a time, with AVX-512 F, DQ, VL and BW. Bounds as in modarith.h; branch-free.
#ifndef RINGSIDE_AVX512_H
#define RINGSIDE_AVX512_H

#include <immintrin.h>

#include "arith/modarith.h"

#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#define AVX512_IFMA __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx512ifma")))
#define AVX512_INLINE AVX512 static inline __attribute__((always_inline))
#define AVX512_IFMA_INLINE AVX512_IFMA static inline __attribute__((always_inline))

AVX512_INLINE __m512i set8(uint64_t x) { return _mm512_set1_epi64((long long)x); }

AVX512_INLINE __m512i load8(const uint64_t *p) { return _mm512_loadu_si512(p); }

AVX512_INLINE void store8(uint64_t *p, __m512i x) { _mm512_storeu_si512(p, x); }

// x in [0, 2 bound) -> [0, bound): below the bound the difference wraps to a large word.
AVX512_INLINE __m512i csub8(__m512i x, __m512i bound) { return _mm512_min_epu64(x, _mm512_sub_epi64(x, bound)); }

// A word that went below zero by at most q -> [0, q).
AVX512_INLINE __m512i cadd8(__m512i x, __m512i q) { return _mm512_min_epu64(x, _mm512_add_epi64(x, q)); }

// x, as a value of its own: gcc would turn a - (b - c) into a + (c - b) though b - c is there for another use.
AVX512_INLINE __m512i opaque8(__m512i x) {
    __asm__("" : "+v"(x));
    return x;
}

#endif
