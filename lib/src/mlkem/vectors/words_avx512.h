// SPDX-License-Identifier: Apache-2.0
// What transforms.h needs of vectors of 16-bit words, with AVX-512: as words_avx2.h.
#ifndef RINGSIDE_MLKEM_WORDS_AVX512_H
#define RINGSIDE_MLKEM_WORDS_AVX512_H

typedef __m512i words_t;
enum { LANES = 32, ODD_WORDS = (int)0xaaaaaaaa };

#define VECTOR(name) _mm512_##name
#define load_words(p) _mm512_loadu_si512(p)
#define store_words(p, x) _mm512_storeu_si512(p, x)

INLINE words_t alternate(words_t x, words_t y) { return _mm512_mask_blend_epi16((__mmask32)ODD_WORDS, x, y); }

INLINE words_t swap_pairs(words_t x) { return _mm512_rol_epi32(x, 16); }

INLINE void exchange(words_t *v, unsigned t) {
    const words_t a = v[0], b = v[1];
    if (t == 16) {
        v[0] = _mm512_shuffle_i64x2(a, b, 0x44);
        v[1] = _mm512_shuffle_i64x2(a, b, 0xee);
    } else if (t == 8) {
        v[0] = _mm512_mask_permutex_epi64(a, 0xcc, b, 0x4e);
        v[1] = _mm512_mask_permutex_epi64(b, 0x33, a, 0x4e);
    } else if (t == 4) {
        v[0] = _mm512_unpacklo_epi64(a, b);
        v[1] = _mm512_unpackhi_epi64(a, b);
    } else {
        v[0] = _mm512_mask_shuffle_epi32(a, 0xaaaa, b, (_MM_PERM_ENUM)0xa0);
        v[1] = _mm512_mask_shuffle_epi32(b, 0x5555, a, (_MM_PERM_ENUM)0xf5);
    }
}

INLINE void interleave(words_t *v) {
    const words_t low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const words_t a = v[0], b = v[1];
    v[0] = _mm512_permutex2var_epi32(a, low, b);
    v[1] = _mm512_permutex2var_epi32(a, _mm512_add_epi32(low, _mm512_set1_epi32(8)), b);
}

INLINE void separate(words_t *v) {
    const words_t even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const words_t a = v[0], b = v[1];
    v[0] = _mm512_permutex2var_epi32(a, even, b);
    v[1] = _mm512_permutex2var_epi32(a, _mm512_add_epi32(even, _mm512_set1_epi32(1)), b);
}

#include "mlkem/vectors/words_x86.h"

#endif
