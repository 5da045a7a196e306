// SPDX-License-Identifier: Apache-2.0
// What transforms.h needs of vectors, with AVX2. Factors are 64 bits (zeta_t), four of them a vector.
#ifndef RINGSIDE_MLDSA_WORDS_AVX2_H
#define RINGSIDE_MLDSA_WORDS_AVX2_H

typedef __m256i words_t;
enum { LANES = 8, REGISTERS = 8 };

INLINE words_t load_words(const void *p) { return load256(p); }

INLINE void store_words(void *p, words_t x) { store256(p, x); }

INLINE words_t splat32(int32_t x) { return _mm256_set1_epi32(x); }

INLINE words_t splat64(const void *p) { return _mm256_set1_epi64x((long long)rs_load64(p)); }

INLINE words_t add32(words_t a, words_t b) { return _mm256_add_epi32(a, b); }

INLINE words_t sub32(words_t a, words_t b) { return _mm256_sub_epi32(a, b); }

INLINE words_t add64(words_t a, words_t b) { return _mm256_add_epi64(a, b); }

INLINE words_t sub64(words_t a, words_t b) { return _mm256_sub_epi64(a, b); }

// Products of the even words, in 64 bits.
INLINE words_t times(words_t a, words_t b) { return _mm256_mul_epi32(a, b); }

// Odd words at even places.
INLINE words_t odd_words(words_t a) { return _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(a))); }

INLINE words_t upper_words(words_t a) { return _mm256_srli_epi64(a, 32); }

// The odd words of both, side by side.
INLINE words_t join(words_t even, words_t odd) { return _mm256_blend_epi32(odd_words(even), odd, 0xaa); }

// In runs of t lanes: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(words_t *v, unsigned t) {
    const words_t a = v[0], b = v[1];
    if (t == 4) {
        v[0] = _mm256_permute2x128_si256(a, b, 0x20);
        v[1] = _mm256_permute2x128_si256(a, b, 0x31);
    } else if (t == 2) {
        v[0] = _mm256_unpacklo_epi64(a, b);
        v[1] = _mm256_unpackhi_epi64(a, b);
    } else {
        v[0] = _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xaa);
        v[1] = _mm256_blend_epi32(upper_words(a), b, 0xaa);
    }
}

// 16 neighbours -> those at even places and those at odd ones.
INLINE void separate(words_t *v) {
    const __m256 a = _mm256_castsi256_ps(_mm256_permute2x128_si256(v[0], v[1], 0x20));
    const __m256 b = _mm256_castsi256_ps(_mm256_permute2x128_si256(v[0], v[1], 0x31));
    v[0] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    v[1] = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
}

INLINE void interleave(words_t *v) {
    const words_t a = _mm256_unpacklo_epi32(v[0], v[1]), b = _mm256_unpackhi_epi32(v[0], v[1]);
    v[0] = _mm256_permute2x128_si256(a, b, 0x20);
    v[1] = _mm256_permute2x128_si256(a, b, 0x31);
}

// Those of sixteen bytes whose bits in `taken` are set, as words; up to sixteen words are written.
INLINE void store_taken(int32_t *c, __m128i bytes, unsigned taken) {
    // which of four bytes are taken: places of the bits of 0 to 15
    static const int32_t PLACES[16] = {0, 0,      1,      0x0100,   2,      0x0200,   0x0201,   0x020100,
                                       3, 0x0300, 0x0301, 0x030100, 0x0302, 0x030200, 0x030201, 0x03020100};
    for (unsigned i = 0; i < 4; i++, taken >>= 4, bytes = _mm_bsrli_si128(bytes, 4)) {
        const __m128i four = _mm_shuffle_epi8(bytes, _mm_cvtsi32_si128(PLACES[taken & 15]));
        _mm_storeu_si128((__m128i *)(void *)c, _mm_cvtepi8_epi32(four));
        c += __builtin_popcount(taken & 15);
    }
}

// The 8 / t factors from z on, or from the last one back, each in t lanes: those of the even lanes and those of the odd ones.
INLINE void factors_of_lanes(words_t *out, const void *z, unsigned t, int back) {
    const words_t low = load_words(z);
    if (t == 4) {
        out[0] = out[1] = back ? _mm256_permute4x64_epi64(low, 0x05) : _mm256_permute4x64_epi64(low, 0x50);
    } else if (t == 2) {
        out[0] = out[1] = back ? _mm256_permute4x64_epi64(low, 0x1b) : low;
    } else {
        const words_t high = load_words((const uint64_t *)z + 4);
        const words_t even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high); // 0 4 2 6, 1 5 3 7
        out[0] = back ? _mm256_permute4x64_epi64(odd, 0x27) : _mm256_permute4x64_epi64(even, 0xd8);
        out[1] = back ? _mm256_permute4x64_epi64(even, 0x27) : _mm256_permute4x64_epi64(odd, 0xd8);
    }
}

#include "mldsa/vectors/words_x86.h"

#endif
