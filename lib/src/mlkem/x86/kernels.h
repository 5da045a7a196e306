// SPDX-License-Identifier: Apache-2.0
// ML-KEM's arithmetic on vectors of 16-bit words, for every width of them (words_avx2.h, words_avx512.h); codes and samplers take vectors of 256 bits
// in both. Words may be secret: there is no branch and no index but on the public matrix. R is 2^16 here, not zq.h's.
//
// A pass of a transform does all layers whose butterflies lie in REGISTERS vectors; a layer runs over all of them, so that no product waits for
// another one of its layer. Within vectors, pairs of these exchange runs of words until each butterfly lies between the two.
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/x86/factors.h"

enum { REGISTERS = 8, HALF = REGISTERS / 2, PASS = REGISTERS * LANES, BLOCKS = RS_MLKEM_N / PASS };

INLINE words_t splat(int32_t x) { return VECTOR(set1_epi16)((int16_t)x); }

// a c for any word a: (a f - t q) / R, t = a f / q modulo R, whose low halves are equal. Below 2^15 (q / 2) / R + q / 2 = 3 q / 4.
INLINE words_t multiplied(words_t a, words_t factor, words_t quotient) {
    const words_t t = VECTOR(mullo_epi16)(a, quotient);
    return VECTOR(sub_epi16)(VECTOR(mulhi_epi16)(a, factor), VECTOR(mulhi_epi16)(t, splat(RS_MLKEM_Q)));
}

// a - q times the nearest integer to 10 a / 2^15, which is 0.9 % of a / q too much: below q / 2 + 0.016 |a| < 0.66 q.
INLINE words_t reduced(words_t a) {
    const words_t t = VECTOR(mulhrs_epi16)(a, splat(10));
    return VECTOR(sub_epi16)(a, VECTOR(mullo_epi16)(t, splat(RS_MLKEM_Q)));
}

// A word grows by less than 3 q / 4.
INLINE void butterfly(words_t *v, unsigned span, words_t factor, words_t quotient) {
    const words_t product = multiplied(v[span], factor, quotient);
    v[span] = VECTOR(sub_epi16)(v[0], product);
    v[0] = VECTOR(add_epi16)(v[0], product);
}

// A sum is at most twice as large, a product below 3 q / 4.
INLINE void inverse_butterfly(words_t *v, unsigned span, words_t factor, words_t quotient) {
    const words_t difference = VECTOR(sub_epi16)(v[span], v[0]);
    v[0] = VECTOR(add_epi16)(v[0], v[span]);
    v[span] = multiplied(difference, factor, quotient);
}

// A layer between vectors `span` apart, in the given one of the pass's blocks.
INLINE void layer(words_t *v, unsigned span, unsigned blocks, unsigned block, int inverse) {
    const unsigned groups = HALF / span, all = groups * blocks;
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALF; i++) {
        const unsigned group = groups * block + i / span, zeta = inverse ? 2 * all - 1 - group : all + group;
        words_t *pair = v + i / span * 2 * span + i % span;
        (inverse ? inverse_butterfly : butterfly)(pair, span, splat(FORWARD[0].first[zeta]), splat(FORWARD[1].first[zeta]));
    }
}

// A layer between words t apart: 16, 8, 4 or 2.
INLINE void layer_in_lanes(words_t *v, unsigned t, unsigned block, int inverse) {
    const unsigned row = t == 16 ? 0 : t == 8 ? 1 : t == 4 ? 2 : 3;
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALF; i++) {
        const factors_t *f = inverse ? INVERSE : FORWARD;
        const unsigned at = (block * HALF + i) * LANES;
        const words_t factor = load_words(f[0].lanes[row] + at), quotient = load_words(f[1].lanes[row] + at);
        if (inverse) {
            inverse_butterfly(v + 2 * i, 1, factor, quotient);
            if (t == 8) v[2 * i] = reduced(v[2 * i]);
            exchange(v + 2 * i, t);
        } else {
            exchange(v + 2 * i, t);
            butterfly(v + 2 * i, 1, factor, quotient);
        }
    }
}

INLINE void load_all(words_t *v, const int16_t *f, unsigned step) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < REGISTERS; i++) v[i] = load_words(f + i * step);
}

INLINE void store_all(int16_t *f, const words_t *v, unsigned step) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < REGISTERS; i++) store_words(f + i * step, v[i]);
}

// From q, seven layers grow to 25/4 q < 2^15; then words are reduced.
void rs_mlkem_ntt(int16_t *f) {
    words_t v[REGISTERS];
    for (unsigned column = 0; column < BLOCKS; column++) {
        load_all(v, f + column * LANES, BLOCKS * LANES);
#pragma GCC unroll 3
        for (unsigned span = HALF; span; span /= 2) layer(v, span, 1, 0, 0);
        if (BLOCKS > 1) store_all(f + column * LANES, v, BLOCKS * LANES);
    }
    for (unsigned block = 0; block < BLOCKS; block++) {
        if (BLOCKS > 1) load_all(v, f + block * PASS, LANES);
#pragma GCC unroll 3
        for (unsigned span = BLOCKS / 2; span; span /= 2) layer(v, span, BLOCKS, block, 0);
#pragma GCC unroll 4
        for (unsigned t = LANES / 2; t > 1; t /= 2) layer_in_lanes(v, t, block, 0);
#pragma GCC unroll 4
        for (unsigned i = 0; i < REGISTERS; i += 2) interleave(v + i);
#pragma GCC unroll 8
        for (unsigned i = 0; i < REGISTERS; i++) v[i] = reduced(v[i]);
        store_all(f + block * PASS, v, LANES);
    }
}

INLINE void reduce_sums(words_t *v, unsigned span) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALF; i++) v[i / span * 2 * span + i % span] = reduced(v[i / span * 2 * span + i % span]);
}

// From 0.85 q (rs_mlkem_dot) sums grow to 6.8 q in three layers; reduced, they and products are below 3 q / 4, and 6 q after three more. They are
// reduced once more, so that those of the last layer are below 1.5 q, and so is what the last products give: below 0.54 q.
void rs_mlkem_inverse(int16_t *f) {
    enum {
        SCALE = (1 << 25) % RS_MLKEM_Q,
        LAST = SCALE * 1729 % RS_MLKEM_Q
    }; // R / 128 times R, before that is taken off as in each product
    const words_t scale = splat(RS_MLKEM_CENTRED(SCALE)), scale_quotient = splat(RS_MLKEM_CENTRED(SCALE) * RS_MLKEM_WORD_INVERSE);
    const words_t last = splat(RS_MLKEM_CENTRED(LAST)), last_quotient = splat(RS_MLKEM_CENTRED(LAST) * RS_MLKEM_WORD_INVERSE);
    words_t v[REGISTERS];
    for (unsigned block = 0; block < BLOCKS; block++) {
        load_all(v, f + block * PASS, LANES);
#pragma GCC unroll 4
        for (unsigned i = 0; i < REGISTERS; i += 2) separate(v + i);
#pragma GCC unroll 4
        for (unsigned t = 2; t < LANES; t *= 2) layer_in_lanes(v, t, block, 1);
#pragma GCC unroll 3
        for (unsigned span = 1; span < BLOCKS; span *= 2) layer(v, span, BLOCKS, block, 1);
        if (BLOCKS > 1) store_all(f + block * PASS, v, LANES);
    }
    for (unsigned column = 0; column < BLOCKS; column++) {
        if (BLOCKS > 1) load_all(v, f + column * LANES, BLOCKS * LANES);
        layer(v, 1, 1, 0, 1);
        layer(v, 2, 1, 0, 1);
        reduce_sums(v, 2);
#pragma GCC unroll 4
        for (unsigned i = 0; i < HALF; i++) {
            inverse_butterfly(v + i, HALF, last, last_quotient);
            v[i] = multiplied(v[i], scale, scale_quotient);
        }
        store_all(f + column * LANES, v, BLOCKS * LANES);
    }
}

// Sums of 2 k products are at most 8 * 4095 * 0.66 q < 2^31, their high halves 0.34 q, and the result 0.84 q.
INLINE void dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    for (unsigned i = 0; i < RS_MLKEM_N; i += LANES) {
        const words_t factor = load_words(SQUARES[0][0] + i), quotient = load_words(SQUARES[1][0] + i);
        words_t low = splat(0), mixed = splat(0);
#pragma GCC unroll 4
        for (uint32_t j = 0; j < k; j++) {
            const words_t x = load_words(a + RS_MLKEM_N * j + i), y = load_words(b + RS_MLKEM_N * j + i);
            low = VECTOR(add_epi32)(low, VECTOR(madd_epi16)(x, multiplied(y, factor, quotient)));
            mixed = VECTOR(add_epi32)(mixed, VECTOR(madd_epi16)(x, swap_pairs(y)));
        }
        const words_t halves = alternate(low, VECTOR(slli_epi32)(mixed, 16)), upper = alternate(VECTOR(srli_epi32)(low, 16), mixed);
        const words_t t = VECTOR(mullo_epi16)(halves, splat(RS_MLKEM_WORD_INVERSE));
        store_words(out + i, VECTOR(sub_epi16)(upper, VECTOR(mulhi_epi16)(t, splat(RS_MLKEM_Q))));
    }
}

void rs_mlkem_dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    k == 2 ? dot(out, a, b, 2) : k == 3 ? dot(out, a, b, 3) : dot(out, a, b, 4);
}

void rs_mlkem_add_scaled(int16_t *a, const int16_t *e) {
    const words_t factor = splat(CENTRED_FACTOR(RS_MLKEM_WORD)), quotient = splat(QUOTIENT(RS_MLKEM_WORD));
    for (unsigned i = 0; i < RS_MLKEM_N; i += LANES) {
        store_words(a + i, VECTOR(add_epi16)(multiplied(load_words(a + i), factor, quotient), load_words(e + i)));
    }
}

// ---- codes ---------------------------------------------------------------------------------------------------------------
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
