// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX2 on words of 32 bits, q < 2^30.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "x86/avx2.h"

#define TARGET AVX2
#define INLINE AVX2_INLINE
enum { LOG_LANES = 3 };
typedef uint32_t word_t;
typedef __m256i vec_t;

enum { ODD_LANES = 0xaa };

INLINE vec_t splat(uint64_t x) { return _mm256_set1_epi32((int)x); }

INLINE vec_t load(const word_t *p) { return load256(p); }

INLINE void store(word_t *p, vec_t x) { store256(p, x); }

// The words at even places of a and b, those at odd ones.
INLINE vec_t even_words(vec_t a, vec_t b) {
    const __m256 pairs = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(pairs), 0xd8);
}

INLINE vec_t odd_words(vec_t a, vec_t b) {
    const __m256 pairs = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xdd);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(pairs), 0xd8);
}

INLINE vec_t load_wide(const uint64_t *p) { return even_words(load256(p), load256(p + 4)); }

INLINE void store_wide(uint64_t *p, vec_t x) {
    store256(p, _mm256_cvtepu32_epi64(_mm256_castsi256_si128(x)));
    store256(p + 4, _mm256_cvtepu32_epi64(_mm256_extracti128_si256(x, 1)));
}

// In runs of t lanes: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(vec_t *v, unsigned log_t) {
    const vec_t a = v[0];
    const vec_t b = v[1];
    if (log_t == 2) {
        v[0] = _mm256_permute2x128_si256(a, b, 0x20);
        v[1] = _mm256_permute2x128_si256(a, b, 0x31);
    } else if (log_t == 1) {
        v[0] = _mm256_unpacklo_epi64(a, b);
        v[1] = _mm256_unpackhi_epi64(a, b);
    } else {
        v[0] = _mm256_blend_epi32(a, _mm256_shuffle_epi32(b, 0xa0), ODD_LANES);
        v[1] = _mm256_blend_epi32(_mm256_shuffle_epi32(a, 0xf5), b, ODD_LANES);
    }
}

// 16 neighbours <-> those at even places and those at odd ones
INLINE void even_odd(vec_t *v) {
    const vec_t even = even_words(v[0], v[1]);
    v[1] = odd_words(v[0], v[1]);
    v[0] = even;
}

INLINE void even_odd_undo(vec_t *v) {
    const vec_t a = _mm256_unpacklo_epi32(v[0], v[1]);
    v[1] = _mm256_unpackhi_epi32(v[0], v[1]);
    v[0] = a;
    exchange(v, 2);
}

// p[l >> log_run] in lane l; p[-(l >> log_run)].
INLINE vec_t load_up(const uint32_t *p, unsigned log_run) {
    if (log_run == 0) return load(p);
    const vec_t lane = log_run == 1 ? _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3) : _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    return _mm256_permutevar8x32_epi32(load128(p), lane);
}

INLINE vec_t load_down(const uint32_t *p, unsigned log_run) {
    if (log_run == 0) return _mm256_permutevar8x32_epi32(load(p - 7), _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    const vec_t lane = log_run == 1 ? _mm256_setr_epi32(3, 3, 2, 2, 1, 1, 0, 0) : _mm256_setr_epi32(3, 3, 3, 3, 2, 2, 2, 2);
    return _mm256_permutevar8x32_epi32(load128(p - 3), lane);
}

INLINE vec_t add(vec_t x, vec_t y) { return _mm256_add_epi32(x, y); }

INLINE vec_t sub(vec_t x, vec_t y) { return _mm256_sub_epi32(x, y); }

INLINE vec_t csub(vec_t x, vec_t bound) { return _mm256_min_epu32(x, sub(x, bound)); }

INLINE vec_t mul_low(vec_t x, vec_t y) { return _mm256_mullo_epi32(x, y); }

INLINE vec_t mul_even(vec_t x, vec_t y) { return _mm256_mul_epu32(x, y); }

INLINE vec_t odd_twice(vec_t x) { return _mm256_shuffle_epi32(x, 0xf5); }

INLINE vec_t high(vec_t even, vec_t odd) { return _mm256_blend_epi32(odd_twice(even), odd, ODD_LANES); }

INLINE vec_t opaque(vec_t x) { return opaque4(x); }

#include "x86/arith/ntt_products32.h"

#include "x86/arith/ntt_passes.h"

TARGET void rs_ntt_avx2_32_forward(const rs_limb_t *limb, uint64_t *poly) { forward_all(limb, poly, 1); }

TARGET void rs_ntt_avx2_32_inverse(const rs_limb_t *limb, uint64_t *poly) { inverse_all(limb, poly, 1); }

TARGET void rs_ntt32_avx2_forward(const rs_limb_t *limb, uint32_t *poly) { forward_all(limb, poly, 0); }

TARGET void rs_ntt32_avx2_inverse(const rs_limb_t *limb, uint32_t *poly) { inverse_all(limb, poly, 0); }
#endif
