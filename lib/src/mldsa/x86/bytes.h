// SPDX-License-Identifier: Apache-2.0
// Packed numbers, and numbers of streams, eight or sixteen at a time. With bits known when this is compiled, shuffles and shifts below are constants.

// Four numbers are bits / 2 bytes, and four bits more if bits is odd: then the upper half of a vector begins with those.
#define BIT(i) ((i) % 4 * bits + (i) / 4 * (bits % 2 * 4))
#define BYTES(i) (char)(BIT(i) / 8), (char)(BIT(i) / 8 + 1), (char)(BIT(i) / 8 + 2), (char)(BIT(i) / 8 + 3)
#define SHIFT(i) (int)(BIT(i) % 8)

// Bytes that the next two read or write: 16 from the upper half's place on.
INLINE unsigned bytes_of_eight(unsigned bits) { return bits / 2 + 16; }

// Eight numbers of up to 25 bits.
INLINE __m256i unpack_eight(const uint8_t *in, unsigned bits) {
    const __m128i upper = _mm_loadu_si128((const __m128i *)(const void *)(in + bits / 2));
    const __m256i order = _mm256_setr_epi8(BYTES(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4), BYTES(5), BYTES(6), BYTES(7));
    const __m256i shifts = _mm256_setr_epi32(SHIFT(0), SHIFT(1), SHIFT(2), SHIFT(3), SHIFT(4), SHIFT(5), SHIFT(6), SHIFT(7));
    const __m256i words = _mm256_shuffle_epi8(_mm256_inserti128_si256(load128(in), upper, 1), order);
    return _mm256_and_si256(_mm256_srlv_epi32(words, shifts), _mm256_set1_epi32((1 << bits) - 1));
}

// Eight numbers x of 3 to 20 bits: pairs of them, then fours in halves of the vector. What is written behind them is no part of them.
INLINE void pack_eight(uint8_t *out, __m256i x, unsigned bits) {
    enum { NONE = 64 }; // a shift that leaves nothing
    const int place = (int)(bits / 4), shift = (int)(2 * bits % 8); // bytes and bits from one pair to the next
    const __m256i odd = _mm256_slli_epi64(_mm256_srli_epi64(x, 32), (int)bits);
    const __m256i pairs = _mm256_or_si256(_mm256_blend_epi32(x, _mm256_setzero_si256(), 0xaa), odd);
    const __m256i lower = _mm256_srlv_epi64(pairs, _mm256_setr_epi64x(0, NONE, 0, NONE));
    const __m256i upper = _mm256_sllv_epi64(pairs, _mm256_setr_epi64x(NONE, shift, NONE, shift));
    // places behind the last byte count from the lowest again, where there are zeros
    const __m256i bytes = _mm256_broadcastsi128_si256(_mm_setr_epi8(8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23));
    const __m256i moved = _mm256_shuffle_epi8(upper, _mm256_sub_epi8(bytes, _mm256_set1_epi8((char)place)));
    const __m256i fours = _mm256_or_si256(lower, moved);
    if (bits % 2) {
        const uint64_t first = (uint64_t)_mm256_extract_epi64(fours, 0), second = (uint64_t)_mm256_extract_epi64(fours, 2);
        rs_store64(out, first | second << 4 * bits);
        rs_store64(out + 8, second >> (64 - 4 * bits));
    } else {
        _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(fours));
        _mm_storeu_si128((__m128i *)(void *)(out + bits / 2), _mm256_extracti128_si256(fours, 1));
    }
}

// ---- streams -------------------------------------------------------------------------------------------------------------
// Eight candidates for coefficients of A: whether all are below q, which seven in a thousand groups are not.
INLINE int take_eight(int32_t *c, const uint8_t *bytes) {
    const __m256i x = _mm256_and_si256(unpack_eight(bytes, 24), _mm256_set1_epi32(0x7fffff));
    store256(c, x);
    return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(RS_MLDSA_Q), x))) == 0xff;
}

// Coefficients from sixteen half-bytes, as algorithm 15 has them: sixteen words from c on are written. Returns how many of them are taken.
INLINE unsigned take_sixteen(int32_t *c, const uint8_t *bytes, unsigned eta) {
    const __m128i two = _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0);
    const __m128i four = _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    const __m128i x = _mm_cvtsi64_si128((long long)rs_load64(bytes)), half = _mm_set1_epi8(15);
    const __m128i halves = _mm_unpacklo_epi8(_mm_and_si128(x, half), _mm_and_si128(_mm_srli_epi16(x, 4), half));
    unsigned taken = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(_mm_set1_epi8(eta == 2 ? 15 : 9), halves));
    RS_DECLASSIFY(&taken, sizeof taken); // as in take_bounded
    store_taken(c, _mm_shuffle_epi8(eta == 2 ? two : four, halves), taken);
    return (unsigned)__builtin_popcount(taken);
}
