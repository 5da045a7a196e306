// SPDX-License-Identifier: Apache-2.0
// What transforms.h needs of vectors, with AVX-512: as words_avx2.h.
#ifndef RINGSIDE_MLDSA_WORDS_AVX512_H
#define RINGSIDE_MLDSA_WORDS_AVX512_H

typedef __m512i words_t;
enum { LANES = 16, REGISTERS = 16, EVEN_LANES = 0x5555, ODD_LANES = 0xaaaa };

INLINE words_t load_words(const void *p) { return _mm512_loadu_si512(p); }

INLINE void store_words(void *p, words_t x) { _mm512_storeu_si512(p, x); }

INLINE words_t splat32(int32_t x) { return _mm512_set1_epi32(x); }

INLINE words_t splat64(const void *p) { return set8(rs_load64(p)); }

INLINE words_t add32(words_t a, words_t b) { return _mm512_add_epi32(a, b); }

INLINE words_t sub32(words_t a, words_t b) { return _mm512_sub_epi32(a, b); }

INLINE words_t add64(words_t a, words_t b) { return _mm512_add_epi64(a, b); }

INLINE words_t sub64(words_t a, words_t b) { return _mm512_sub_epi64(a, b); }

INLINE words_t times(words_t a, words_t b) { return _mm512_mul_epi32(a, b); }

INLINE words_t odd_words(words_t a) { return _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(a))); }

INLINE words_t upper_words(words_t a) { return _mm512_srli_epi64(a, 32); }

INLINE words_t join(words_t even, words_t odd) {
    return _mm512_castps_si512(_mm512_mask_movehdup_ps(_mm512_castsi512_ps(odd), EVEN_LANES, _mm512_castsi512_ps(even)));
}

INLINE void exchange(words_t *v, unsigned t) {
    const words_t a = v[0], b = v[1];
    if (t == 8) {
        v[0] = _mm512_shuffle_i64x2(a, b, 0x44);
        v[1] = _mm512_shuffle_i64x2(a, b, 0xee);
    } else if (t == 4) {
        v[0] = _mm512_mask_permutex_epi64(a, 0xcc, b, 0x4e);
        v[1] = _mm512_mask_permutex_epi64(b, 0x33, a, 0x4e);
    } else if (t == 2) {
        v[0] = _mm512_unpacklo_epi64(a, b);
        v[1] = _mm512_unpackhi_epi64(a, b);
    } else {
        v[0] = _mm512_mask_shuffle_epi32(a, ODD_LANES, b, (_MM_PERM_ENUM)0xa0);
        v[1] = _mm512_mask_shuffle_epi32(b, EVEN_LANES, a, (_MM_PERM_ENUM)0xf5);
    }
}

INLINE void separate(words_t *v) {
    const words_t even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const words_t a = v[0], b = v[1];
    v[0] = _mm512_permutex2var_epi32(a, even, b);
    v[1] = _mm512_permutex2var_epi32(a, add32(even, splat32(1)), b);
}

INLINE void interleave(words_t *v) {
    const words_t low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const words_t a = v[0], b = v[1];
    v[0] = _mm512_permutex2var_epi32(a, low, b);
    v[1] = _mm512_permutex2var_epi32(a, add32(low, splat32(8)), b);
}

// Those of sixteen bytes whose bits in `taken` are set, as words; sixteen words are written.
INLINE void store_taken(int32_t *c, __m128i bytes, unsigned taken) {
    store_words(c, _mm512_maskz_compress_epi32((__mmask16)taken, _mm512_cvtepi8_epi32(bytes)));
}

// Lane i: number i t / 2 of the factors, or that number from the last one back.
INLINE void factors_of_lanes(words_t *out, const void *z, unsigned t, int back) {
    const words_t low = load_words(z), flip = set8(back ? 16 / t - 1 : 0);
    if (t >= 4) {
        const words_t four = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), eight = _mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1);
        out[0] = out[1] = _mm512_permutexvar_epi64((t == 4 ? four : eight) ^ flip, low);
    } else if (t == 2) {
        out[0] = out[1] = back ? _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), low) : low;
    } else {
        const words_t high = load_words((const uint64_t *)z + 8), even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14) ^ flip;
        out[0] = _mm512_permutex2var_epi64(low, even, high);
        out[1] = _mm512_permutex2var_epi64(low, even ^ set8(1), high);
    }
}

#include "mldsa/vectors/words_x86.h"

#endif
