// SPDX-License-Identifier: Apache-2.0
// Four leaves of BLAKE2Xb at once, AVX2.
#include "x86/hash/hash_x86.h"

#ifdef RS_X86
#include "x86/hash/transpose.h"

#define TARGET AVX2
#define ADD(a, b) ((lane_t)((__v4du)(a) + (__v4du)(b))) // as in blake2_avx512.c
// a rotation by whole bytes moves them: byte i comes from byte i + n/8 of its word
#define BYTES(first, second) _mm256_set_epi64x(second, first, second, first)
#define ROTR32(x) _mm256_shuffle_epi32(x, 0xb1)
#define ROTR24(x) _mm256_shuffle_epi8(x, BYTES(0x0201000706050403, 0x0a09080f0e0d0c0b))
#define ROTR16(x) _mm256_shuffle_epi8(x, BYTES(0x0100070605040302, 0x09080f0e0d0c0b0a))
#define ROTR63(x) _mm256_or_si256(_mm256_srli_epi64(x, 63), _mm256_add_epi64(x, x))
#define ROTR(x, n) ROTR##n(x)
#define CONSTANT(word) _mm256_set1_epi64x((long long)(word))
#define SETS 1
#define COUNT _mm256_set_epi64x(3, 2, 1, 0)
typedef __m256i lane_t;
#include "hash/blake2_rounds.h"

TARGET void rs_blake2_leaves_avx2(uint8_t *out, const uint64_t *root, const uint64_t *params) {
    lane_t h[1][LEAF_WORDS];
    blake2_leaves(h, root, params);
    transpose4(h[0], h[0]);
    transpose4(h[0] + 4, h[0] + 4);
    for (unsigned leaf = 0; leaf < 4; leaf++) {
        _mm256_storeu_si256((lane_t *)(void *)(out + 64 * leaf), h[0][leaf]);
        _mm256_storeu_si256((lane_t *)(void *)(out + 64 * leaf + 32), h[0][leaf + 4]);
    }
}
#endif
