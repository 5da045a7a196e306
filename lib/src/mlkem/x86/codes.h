// SPDX-License-Identifier: Apache-2.0
// ML-KEM's codes and samplers on vectors of 256 bits, with AVX2 and AVX-512 alike. Words may be secret: there is no branch and no index but on
// the public matrix.
#include "mlkem/codec.h"

enum { VALUES = 16, GROUP = 8 }; // a vector of 256 bits has 16 values; 8 values are whole bytes

// Values below 2^d, four side by side in each word of 64 bits.
INLINE __m256i four_of(__m256i values, uint32_t d) {
    const __m256i two = _mm256_madd_epi16(values, _mm256_set1_epi32(1 << d << 16 | 1));
    return _mm256_or_si256(_mm256_and_si256(two, set4(UINT32_MAX)), _mm256_slli_epi64(_mm256_srli_epi64(two, 32), (int)(2 * d)));
}

INLINE void put_group(uint8_t *out, const uint64_t *fours, uint32_t d) {
    const uint64_t low = fours[0] | fours[1] << 4 * d, high = fours[1] >> (64 - 4 * d);
    memcpy(out, &low, d < 8 ? d : 8);
    if (d > 8) memcpy(out + 8, &high, d - 8);
}

// Compress_d as zq.h has it: floor(19 x + (x + 24431 x / 2^16) / 2) = floor(x 2580335 / 2^17), whose upper d of 16 bits, rounded, are the value.
INLINE __m256i compressed(__m256i x, uint32_t d) {
    const __m256i part = _mm256_srai_epi16(_mm256_add_epi16(_mm256_mulhi_epi16(x, _mm256_set1_epi16(24431)), x), 1);
    const __m256i scaled = _mm256_add_epi16(_mm256_mullo_epi16(x, _mm256_set1_epi16(19)), part);
    return _mm256_srli_epi16(_mm256_add_epi16(scaled, _mm256_set1_epi16((short)(1 << (15 - d)))), (int)(16 - d));
}

INLINE __m256i canonical(__m256i x) {
    const __m256i q = _mm256_set1_epi16(RS_MLKEM_Q), t = _mm256_mulhrs_epi16(x, _mm256_set1_epi16(10));
    const __m256i y = _mm256_sub_epi16(x, _mm256_mullo_epi16(t, q)); // as `reduced`
    return _mm256_add_epi16(y, _mm256_and_si256(_mm256_srai_epi16(y, 15), q));
}

// d = 12 is the whole residue.
INLINE void pack(uint8_t *out, const int16_t *f, uint32_t d) {
    uint64_t fours[RS_MLKEM_N / 4];
    for (uint32_t i = 0; i < RS_MLKEM_N; i += VALUES) {
        const __m256i x = load256(f + i);
        store256(fours + i / 4, four_of(d == 12 ? canonical(x) : compressed(x, d), d));
    }
    for (uint32_t i = 0; i < RS_MLKEM_N / GROUP; i++) put_group(out + i * d, fours + 2 * i, d);
}

// Eight values of d bits in words of 32 bits. The last four are the uppermost bits of what is read as a word of 64 bits if d >= 8.
INLINE __m256i take_group(const uint8_t *in, uint32_t d) {
    const __m256i places = _mm256_set_epi64x(3 * d, 2 * d, d, 0), mask = set4(((uint64_t)1 << d) - 1);
    uint64_t low = 0, high;
    memcpy(&low, in, d >= 8 ? 8 : d >= 4 ? 4 : 1);
    for (uint32_t i = 4; i < d && d < 8; i++) low |= (uint64_t)in[i] << 8 * i; // no memcpy: its pieces would be joined in memory
    high = low >> 4 * d;
    if (d > 8) high = rs_load64(in + d - 8) >> (64 - 4 * d);
    const __m256i a = _mm256_and_si256(_mm256_srlv_epi64(set4(low), places), mask);
    const __m256i b = _mm256_and_si256(_mm256_srlv_epi64(set4(high), places), mask);
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8);
}

INLINE __m256i take_values(const uint8_t *in, uint32_t d) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(take_group(in, d), take_group(in + d, d)), 0xd8);
}

// Decompress_d: (y 2^(15 - d) q + 2^14) / 2^15.
INLINE void unpack(int16_t *f, const uint8_t *in, uint32_t d) {
    for (uint32_t i = 0; i < RS_MLKEM_N; i += VALUES, in += 2 * d) {
        __m256i y = take_values(in, d);
        if (d < 12) y = _mm256_mulhrs_epi16(_mm256_slli_epi16(y, (int)(15 - d)), _mm256_set1_epi16(RS_MLKEM_Q));
        store256(f + i, y);
    }
}

void rs_mlkem_encode(uint8_t *out, const int16_t *f) { pack(out, f, 12); }

void rs_mlkem_decode(int16_t *f, const uint8_t *in) { unpack(f, in, 12); }

int rs_mlkem_is_canonical(const uint8_t *in) {
    int16_t f[RS_MLKEM_N];
    int32_t wrong = 0; // its sign
    unpack(f, in, 12);
    for (uint32_t i = 0; i < RS_MLKEM_N; i++) wrong |= RS_MLKEM_Q - 1 - f[i];
    return wrong >= 0;
}

void rs_mlkem_pack(uint8_t *out, const int16_t *f, uint32_t d) {
    d == 4 ? pack(out, f, 4) : d == 5 ? pack(out, f, 5) : d == 10 ? pack(out, f, 10) : pack(out, f, 11);
}

void rs_mlkem_unpack(int16_t *f, const uint8_t *in, uint32_t d) {
    d == 4 ? unpack(f, in, 4) : d == 5 ? unpack(f, in, 5) : d == 10 ? unpack(f, in, 10) : unpack(f, in, 11);
}

void rs_mlkem_add_message(int16_t *f, const uint8_t *message) {
    int16_t bits[RS_MLKEM_N];
    unpack(bits, message, 1);
    for (uint32_t i = 0; i < RS_MLKEM_N; i++) f[i] = (int16_t)(f[i] + bits[i]);
}

void rs_mlkem_to_message(uint8_t *message, const int16_t *f) { pack(message, f, 1); }

// ---- samplers ------------------------------------------------------------------------------------------------------------
// For eight refusals as bits, twice the numbers of the others in ascending order, a byte each.
#define TAKEN(m, b) ((uint64_t)(~(m) >> (b) & 1))
#define APPEND(m, b, rest) ((rest) * (1 + 255 * TAKEN(m, b)) + 2 * (b) * TAKEN(m, b))
#define CHOSEN(t, m) \
    APPEND(m, 0, APPEND(m, 1, APPEND(m, 2, APPEND(m, 3, APPEND(m, 4, APPEND(m, 5, APPEND(m, 6, APPEND(m, 7, UINT64_C(0)))))))))
static const uint64_t CHOICES[256] = {SIXTY_FOUR(CHOSEN, 0, 0), SIXTY_FOUR(CHOSEN, 0, 64), SIXTY_FOUR(CHOSEN, 0, 128),
                                      SIXTY_FOUR(CHOSEN, 0, 192)};

// The candidates below q of eight; they go to the front.
INLINE uint32_t put_chosen(int16_t *to, __m128i candidates, uint32_t refused) {
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)&CHOICES[refused]);
    const __m128i bytes = _mm_unpacklo_epi8(low, _mm_add_epi8(low, _mm_set1_epi8(1)));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_shuffle_epi8(candidates, bytes));
    return GROUP - (uint32_t)__builtin_popcount(refused);
}

// As sample.c's.
static uint32_t take_uniform(int16_t *f, uint32_t have, const uint8_t *block) {
    for (uint32_t at = 0; at < 168 && have < RS_MLKEM_N; at += 24) {
        const __m256i x = take_values(block + at, 12);
        const __m256i refused = _mm256_cmpgt_epi16(x, _mm256_set1_epi16(RS_MLKEM_Q - 1));
        const __m128i halves = _mm_packs_epi16(_mm256_castsi256_si128(refused), _mm256_extracti128_si256(refused, 1));
        const uint32_t mask = (uint32_t)_mm_movemask_epi8(halves);
        int16_t found[VALUES + GROUP];
        const uint32_t first = put_chosen(found, _mm256_castsi256_si128(x), mask & 255);
        const uint32_t count = first + put_chosen(found + first, _mm256_extracti128_si256(x, 1), mask >> 8);
        if (have <= RS_MLKEM_N - VALUES) {
            store256(f + have, load256(found));
        } else {
            for (uint32_t i = 0; i < count && have + i < RS_MLKEM_N; i++) f[have + i] = found[i];
        }
        have += count;
    }
    return have < RS_MLKEM_N ? have : RS_MLKEM_N;
}

// Weights as sample.c's, in sixteen bytes at once.
static void binomial2(int16_t *f, const uint8_t *bytes) {
    const __m128i fives = _mm_set1_epi8(0x55), threes = _mm_set1_epi8(0x33), fours = _mm_set1_epi8(0x44), low = _mm_set1_epi8(15);
    for (uint32_t at = 0; at < RS_MLKEM_N; at += 32, bytes += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)bytes);
        const __m128i w = _mm_add_epi8(_mm_and_si128(x, fives), _mm_and_si128(_mm_srli_epi16(x, 1), fives));
        const __m128i sums =
            _mm_sub_epi8(_mm_add_epi8(_mm_and_si128(w, threes), fours), _mm_and_si128(_mm_srli_epi16(w, 2), threes));
        const __m128i even = _mm_sub_epi8(_mm_and_si128(sums, low), _mm_set1_epi8(4));
        const __m128i odd = _mm_sub_epi8(_mm_and_si128(_mm_srli_epi16(sums, 4), low), _mm_set1_epi8(4));
        store256(f + at, _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(even, odd)));
        store256(f + at + 16, _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(even, odd)));
    }
}

// The weights of a value's halves of three bits, by a table in a register.
static void binomial3(int16_t *f, const uint8_t *bytes) {
    const __m256i weights = _mm256_set1_epi64x(0x0302020102010100), low = _mm256_set1_epi16(7);
    for (uint32_t i = 0; i < RS_MLKEM_N; i += VALUES, bytes += 12) {
        const __m256i x = take_values(bytes, 6), upper = _mm256_shuffle_epi8(weights, _mm256_srli_epi16(x, 3));
        store256(f + i, _mm256_sub_epi16(_mm256_shuffle_epi8(weights, _mm256_and_si256(x, low)), upper));
    }
}
