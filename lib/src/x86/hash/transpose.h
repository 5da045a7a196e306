// SPDX-License-Identifier: Apache-2.0
// Square blocks of 64-bit words: from lanes of several states to the words of each state.
#ifndef RINGSIDE_TRANSPOSE_H
#define RINGSIDE_TRANSPOSE_H

#include "x86/avx2.h"
#include "x86/avx512.h"

// Word j of out[i] is word i of in[j]; out and in may be the same. Branch-free.
AVX2_INLINE void transpose4(__m256i *out, const __m256i *in) {
    const __m256i a = _mm256_unpacklo_epi64(in[0], in[1]); // words 0 and 2 of both
    const __m256i b = _mm256_unpackhi_epi64(in[0], in[1]); // words 1 and 3
    const __m256i c = _mm256_unpacklo_epi64(in[2], in[3]);
    const __m256i d = _mm256_unpackhi_epi64(in[2], in[3]);
    out[0] = _mm256_permute2x128_si256(a, c, 0x20);
    out[1] = _mm256_permute2x128_si256(b, d, 0x20);
    out[2] = _mm256_permute2x128_si256(a, c, 0x31);
    out[3] = _mm256_permute2x128_si256(b, d, 0x31);
}

AVX512_INLINE void transpose8(__m512i *out, const __m512i *in) {
    __m512i pairs[8], fours[8];
    for (unsigned i = 0; i < 8; i += 2) {
        pairs[i] = _mm512_unpacklo_epi64(in[i], in[i + 1]);     // words 0, 2, 4, 6 of in[i] and in[i + 1]
        pairs[i + 1] = _mm512_unpackhi_epi64(in[i], in[i + 1]); // words 1, 3, 5, 7
    }
    // 128-bit quarters: of word pairs 0 and 2, 1 and 3 of four rows, then of all eight
    for (unsigned half = 0; half < 8; half += 4) {
        for (unsigned odd = 0; odd < 2; odd++) {
            fours[half + odd] = _mm512_shuffle_i64x2(pairs[half + odd], pairs[half + odd + 2], 0x88);     // words odd, 4 + odd
            fours[half + odd + 2] = _mm512_shuffle_i64x2(pairs[half + odd], pairs[half + odd + 2], 0xdd); // words 2 + odd, 6 + odd
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        out[i] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0x88);
        out[i + 4] = _mm512_shuffle_i64x2(fours[i], fours[i + 4], 0xdd);
    }
}

#endif
