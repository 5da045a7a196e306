// SPDX-License-Identifier: Apache-2.0
// What transforms.h needs of vectors of 16-bit words, with AVX2.
#ifndef RINGSIDE_MLKEM_WORDS_AVX2_H
#define RINGSIDE_MLKEM_WORDS_AVX2_H

typedef __m256i words_t;
enum { LANES = 16 };

#define VECTOR(name) _mm256_##name
#define load_words(p) load256(p)
#define store_words(p, x) store256(p, x)

// x where the word's number is even, y where it is odd.
INLINE words_t alternate(words_t x, words_t y) { return _mm256_blend_epi16(x, y, 0xaa); }

INLINE words_t swap_pairs(words_t x) { return _mm256_or_si256(_mm256_slli_epi32(x, 16), _mm256_srli_epi32(x, 16)); }

// In runs of t words: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(words_t *v, unsigned t) {
    const words_t a = v[0], b = v[1];
    if (t == 8) {
        v[0] = _mm256_permute2x128_si256(a, b, 0x20);
        v[1] = _mm256_permute2x128_si256(a, b, 0x31);
    } else if (t == 4) {
        v[0] = _mm256_unpacklo_epi64(a, b);
        v[1] = _mm256_unpackhi_epi64(a, b);
    } else {
        v[0] = _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xaa);
        v[1] = _mm256_blend_epi32(_mm256_srli_epi64(a, 32), b, 0xaa);
    }
}

// Pairs of words in turns from v[0] and v[1], and back.
INLINE void interleave(words_t *v) {
    const words_t a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
    v[0] = _mm256_permute2x128_si256(a, b, 0x20);
    v[1] = _mm256_permute2x128_si256(a, b, 0x31);
}

INLINE void separate(words_t *v) {
    const __m256 a = _mm256_castsi256_ps(_mm256_permute2x128_si256(v[0], v[1], 0x20));
    const __m256 b = _mm256_castsi256_ps(_mm256_permute2x128_si256(v[0], v[1], 0x31));
    v[0] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    v[1] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
}

#include "mlkem/vectors/words_x86.h"

#endif
