// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on four states at once, AVX2.
#include "../backend.h"

#ifdef RS_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define CHI(a, b, c) ((a) ^ _mm256_andnot_si256(b, c))
#define ROTATE(x, n) _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - (n))) // a shift by 64 gives 0
#define CONSTANT(word) _mm256_set1_epi64x((long long)(word))
typedef __m256i lane_t;
#include "../keccak_rounds.h"

TARGET void rs_keccak_avx2(uint64_t *states) {
    keccak_rounds((lane_t *)(void *)states);
}
#endif
