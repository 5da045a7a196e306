// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on four states at once, AVX2.
#include "x86/hash/hash_x86.h"

#ifdef RS_X86
#include "x86/hash/transpose.h"

#define TARGET AVX2
#define ADD(a, b) _mm256_add_epi64(a, b)
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define CHI(i, a, b, c) ((a) ^ _mm256_andnot_si256(b, c))
#define KEPT(i, x) (x)
#define ROTATE(x, n) _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - (n))) // a shift by 64 gives 0
#define CONSTANT(word) _mm256_set1_epi64x((long long)(word))
#define COUNT _mm256_set_epi64x(3, 2, 1, 0)
typedef __m256i lane_t;
#include "hash/keccak_rounds.h"

TARGET void rs_keccak_avx2(uint64_t *states) { keccak_rounds((lane_t *)(void *)states); }

TARGET void rs_keccak_start_avx2(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start((lane_t *)(void *)states, seed, counter);
}

TARGET void rs_keccak_squeeze_avx2(uint8_t *out, size_t stride, const uint64_t *states) {
    enum { WAYS = 4, LAST = RATE_LANES - 1 };
    const lane_t *lanes = (const lane_t *)(const void *)states;
    for (unsigned block = 0; block < LAST; block += WAYS) {
        lane_t words[WAYS];
        transpose4(words, lanes + block);
        for (unsigned way = 0; way < WAYS; way++) {
            _mm256_storeu_si256((lane_t *)(void *)(out + way * stride + 8 * block), words[way]);
        }
    }
    for (unsigned way = 0; way < WAYS; way++) rs_store64(out + way * stride + 8 * LAST, states[LAST * WAYS + way]);
}
#endif
