// SPDX-License-Identifier: Apache-2.0
// Words of the public uniform stream modulo q, AVX-512.
#include "x86/sampling/samplers_x86.h"

#ifdef RS_X86
#include "x86/avx512.h"

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
