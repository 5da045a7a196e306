// SPDX-License-Identifier: Apache-2.0
// Private samples from bytes of the stream, branch-free, and words of the public uniform stream modulo q, AVX-512.
#include "x86/sampling/samplers_x86.h"

#ifdef RS_X86
#include "x86/avx512.h"

// ---- centred binomial: 6 bytes a value ---------------------------------------------------------------------------------
enum { CBD_BYTES = 6, CBD_VALUES = 64 };

// As rs_cbd21_avx2, eight values plus 21 a word each.
AVX512_INLINE __m512i weigh8(const uint8_t *p) {
    const __m512i spread = _mm512_set_epi16(0, 23, 22, 21, 0, 20, 19, 18, 0, 17, 16, 15, 0, 14, 13, 12, 0, 11, 10, 9, 0, 8, 7, 6, 0,
                                            5, 4, 3, 0, 2, 1, 0);
    const __m512i weights = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i words = _mm512_permutexvar_epi16(spread, _mm512_maskz_loadu_epi16(0xffffff, p));
    // (words & used) ^ negative
    const __m512i x = _mm512_ternarylogic_epi64(words, set8(0x00001fffff1fffff), set8(0x00001fffff000000), 0x6a);
    const __m512i low = _mm512_shuffle_epi8(weights, _mm512_and_si512(x, nibble));
    const __m512i high = _mm512_shuffle_epi8(weights, _mm512_and_si512(_mm512_srli_epi64(x, 4), nibble));
    return _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512());
}

AVX512 void rs_cbd21_avx512(int8_t *out, const uint8_t *bytes, size_t count) {
    const __m512i pairs = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    const __m512i order = _mm512_set_epi16(31, 23, 15, 7, 30, 22, 14, 6, 29, 21, 13, 5, 28, 20, 12, 4, 27, 19, 11, 3, 26, 18, 10, 2,
                                           25, 17, 9, 1, 24, 16, 8, 0);
    for (; count >= CBD_VALUES; count -= CBD_VALUES, bytes += CBD_VALUES * CBD_BYTES, out += CBD_VALUES) {
        // byte i of word j: value 8i + j; then word i of quarter k: values 8i + 2k and 8i + 2k + 1
        __m512i values = _mm512_setzero_si512();
        for (int i = 7; i >= 0; i--) {
            values = _mm512_or_si512(_mm512_slli_epi64(values, 8), weigh8(bytes + 8 * CBD_BYTES * i));
        }
        values = _mm512_permutexvar_epi16(order, _mm512_shuffle_epi8(values, pairs));
        _mm512_storeu_si512(out, _mm512_sub_epi8(values, _mm512_set1_epi8(21)));
    }
    rs_cbd21_avx2(out, bytes, count);
}

// ---- uniform -----------------------------------------------------------------------------------------------------------
// floor(a b / 2^64), b = b1 2^32 + b0.
AVX512_INLINE __m512i mulhi_split(__m512i a, __m512i b0, __m512i b1) {
    const __m512i low = set8(UINT32_MAX);
    const __m512i a1 = _mm512_srli_epi64(a, 32);
    // neither sum leaves its word: (2^32 - 1)^2 + 2^32 - 1 < 2^64
    const __m512i t = _mm512_add_epi64(_mm512_mul_epu32(a, b1), _mm512_srli_epi64(_mm512_mul_epu32(a, b0), 32));
    const __m512i u = _mm512_add_epi64(_mm512_mul_epu32(a1, b0), _mm512_and_si512(t, low));
    const __m512i high = _mm512_add_epi64(_mm512_mul_epu32(a1, b1), _mm512_srli_epi64(t, 32));
    return _mm512_add_epi64(high, _mm512_srli_epi64(u, 32));
}

AVX512 size_t rs_uniform_avx512(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m) {
    const __m512i q = set8(m->q), end = set8(limit), ratio0 = set8(m->ratio64), ratio1 = set8(m->ratio64 >> 32);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m512i w = load8(words + i);
        const unsigned refused = _mm512_cmpge_epu64_mask(w, end);
        // as rs_reduce does
        const __m512i r = csub8(_mm512_sub_epi64(w, _mm512_mullo_epi64(mulhi_split(w, ratio0, ratio1), q)), q);
        if (refused) {
            const unsigned first = (unsigned)__builtin_ctz(refused);
            _mm512_mask_storeu_epi64(words + i, (__mmask8)((1u << first) - 1), r);
            return i + first;
        }
        store8(words + i, r);
    }
    return i + rs_uniform(words + i, count - i, limit, m);
}
#endif
