// SPDX-License-Identifier: Apache-2.0
// Messages modulo t, four words at a time.
#include "x86/x86.h"

#ifdef RS_X86
#include "x86/avx2.h"
#define TARGET AVX2
#define INLINE AVX2_INLINE
enum { LANES = 4 };
typedef uint64_t words_t __attribute__((vector_size(32)));

INLINE words_t splat(uint64_t x) { return (words_t)set4(x); }

INLINE words_t load(const uint64_t *p) { return (words_t)load256(p); }

INLINE void store(uint64_t *p, words_t x) { store256(p, (__m256i)x); }

INLINE words_t widen(const int8_t *small) { return (words_t)_mm256_cvtepi8_epi64(_mm_loadu_si32(small)); }

INLINE words_t csub(words_t x, words_t bound) { return (words_t)csub4((__m256i)x, (__m256i)bound); }

#define PRODUCT32(a, b) ((words_t)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#include "x86/integers/words.h"

const rs_integers_t RS_INTEGERS_AVX2 = {lift, digits, collect, turn, settle, spread};
#endif
