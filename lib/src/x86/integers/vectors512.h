// SPDX-License-Identifier: Apache-2.0
// The vectors of passes.h with AVX-512. The includer has defined INLINE.
#include "x86/avx512.h"

enum { LANES = 8 };
typedef uint64_t words_t __attribute__((vector_size(64)));

INLINE words_t splat(uint64_t x) { return (words_t)set8(x); }

INLINE words_t load(const uint64_t *p) { return (words_t)load8(p); }

INLINE void store(uint64_t *p, words_t x) { store8(p, (__m512i)x); }

INLINE words_t widen(const int8_t *small) {
    return (words_t)_mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)small));
}

INLINE words_t csub(words_t x, words_t bound) { return (words_t)csub8((__m512i)x, (__m512i)bound); }
