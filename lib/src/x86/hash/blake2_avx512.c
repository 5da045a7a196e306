// SPDX-License-Identifier: Apache-2.0
// Sixteen leaves of BLAKE2Xb at once, AVX-512F.
#include "x86/hash/hash_x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#include "x86/hash/transpose.h"

#define TARGET AVX512
// operators, no intrinsics: with 192 calls of an intrinsic GCC 12 keeps the states in memory, at half the speed
#define ADD(a, b) ((lane_t)((__v8du)(a) + (__v8du)(b)))
#define ROTR(x, n) _mm512_ror_epi64(x, n)
#define CONSTANT(word) set8(word)
#define SETS 2
#define COUNT _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)
typedef __m512i lane_t;
#include "hash/blake2_rounds.h"

TARGET void rs_blake2_leaves_avx512(uint8_t *out, const uint64_t *root, const uint64_t *params) {
    lane_t h[SETS][LEAF_WORDS];
    blake2_leaves(h, root, params);
    for (unsigned set = 0; set < SETS; set++) {
        transpose8(h[set], h[set]);
        for (unsigned leaf = 0; leaf < 8; leaf++, out += 64) _mm512_storeu_si512(out, h[set][leaf]);
    }
}
#endif
