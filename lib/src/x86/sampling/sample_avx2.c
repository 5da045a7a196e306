// SPDX-License-Identifier: Apache-2.0
// Private samples from bytes of the stream, AVX2. Branch-free: the bytes are secret.
#include "x86/sampling/samplers_x86.h"

#ifdef RS_X86
#include "x86/avx2.h"

// ---- centred binomial: 6 bytes a value ---------------------------------------------------------------------------------
enum { CBD_BYTES = 6, CBD_VALUES = 32 };

AVX2_INLINE __m256i load_halves(const uint8_t *low, const uint8_t *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)low)),
                                   _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

// Four values plus 21, a word each: the weight of the 42 bits after those that count as negative were inverted.
AVX2_INLINE __m256i weigh4(const uint8_t *p) {
    const __m256i spread = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1));
    const __m256i weights = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m256i used = _mm256_set1_epi64x(0x00001fffff1fffff);
    const __m256i negative = _mm256_set1_epi64x(0x00001fffff000000);
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i bytes = _mm256_shuffle_epi8(load_halves(p, p + 2 * CBD_BYTES), spread);
    const __m256i x = _mm256_xor_si256(_mm256_and_si256(bytes, used), negative);
    const __m256i low = _mm256_shuffle_epi8(weights, _mm256_and_si256(x, nibble));
    const __m256i high = _mm256_shuffle_epi8(weights, _mm256_and_si256(_mm256_srli_epi64(x, 4), nibble));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
}

AVX2 void rs_cbd21_avx2(int8_t *out, const uint8_t *bytes, size_t count) {
    const __m256i pairs = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    const __m128i centre = _mm_set1_epi8(21);
    for (; count >= CBD_VALUES; count -= CBD_VALUES, bytes += CBD_VALUES * CBD_BYTES, out += CBD_VALUES) {
        // byte i of word j: value 4i + j
        __m256i values = _mm256_setzero_si256();
        for (int i = 7; i >= 0; i--) {
            values = _mm256_or_si256(_mm256_slli_epi64(values, 8), weigh4(bytes + 4 * CBD_BYTES * i));
        }
        // pair i of half h: values 4i + 2h and 4i + 2h + 1
        values = _mm256_shuffle_epi8(values, pairs);
        const __m128i half0 = _mm256_castsi256_si128(values), half1 = _mm256_extracti128_si256(values, 1);
        const __m128i first = _mm_unpacklo_epi16(half0, half1), second = _mm_unpackhi_epi16(half0, half1);
        _mm_storeu_si128((__m128i *)(void *)out, _mm_sub_epi8(first, centre));
        _mm_storeu_si128((__m128i *)(void *)(out + 16), _mm_sub_epi8(second, centre));
    }
    rs_cbd21(out, bytes, count);
}

// ---- ternary: 5 values a byte ------------------------------------------------------------------------------------------
// ceil(2^16 / 3^(k+1)), k = 0 to 4, again and again
#define FACTORS_5 21846, 7282, 2428, 810, 270
static const uint16_t FACTORS[15] = {FACTORS_5, FACTORS_5, FACTORS_5};

// where the digits of 16 bytes come from: byte i, and 0 for the upper half of the digit's 16 bits
#define FROM(i) 0x8000 + (i), 0x8000 + (i), 0x8000 + (i), 0x8000 + (i), 0x8000 + (i)
static const uint16_t SOURCES[80] = {FROM(0), FROM(1), FROM(2),  FROM(3),  FROM(4),  FROM(5),  FROM(6),  FROM(7),
                                     FROM(8), FROM(9), FROM(10), FROM(11), FROM(12), FROM(13), FROM(14), FROM(15)};

AVX2_INLINE __m256i twice(const uint16_t *table) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

// Digits `at` to at + 7 of both halves' bytes. Digit k of b is the integer part of 3 frac(b / 3^(k+1)). The fraction is a multiple of
// 1/3^(k+1); as 16 bits of b factor[k] it is too large by less than b < 243, and 2^16 / 3^(k+1) > 269.
AVX2_INLINE __m256i digits8(__m256i bytes, unsigned at) {
    const __m256i fractions = _mm256_mullo_epi16(_mm256_shuffle_epi8(bytes, twice(SOURCES + at)), twice(FACTORS + at % 5));
    return _mm256_mulhi_epu16(fractions, _mm256_set1_epi16(3));
}

AVX2 void rs_ternary_avx2(int8_t *out, const uint8_t *bytes) {
    const __m256i in = load_halves(bytes, bytes + 16);
    for (unsigned at = 0; at < 80; at += 16) {
        const __m256i digits = _mm256_packus_epi16(digits8(in, at), digits8(in, at + 8));
        const __m256i values = _mm256_sub_epi8(digits, _mm256_set1_epi8(1));
        _mm_storeu_si128((__m128i *)(void *)(out + at), _mm256_castsi256_si128(values));
        _mm_storeu_si128((__m128i *)(void *)(out + 80 + at), _mm256_extracti128_si256(values, 1));
    }
}
#endif
