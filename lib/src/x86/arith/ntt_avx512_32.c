// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 on words of 32 bits, q < 2^30.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "x86/avx512.h"

#define TARGET AVX512
#define INLINE AVX512_INLINE
enum { LOG_LANES = 4 };
typedef uint32_t word_t;
typedef __m512i vec_t;

enum { EVEN_LANES = 0x5555, ODD_LANES = 0xaaaa };

INLINE vec_t splat(uint64_t x) { return _mm512_set1_epi32((int)x); }

INLINE vec_t load(const word_t *p) { return _mm512_loadu_si512(p); }

INLINE void store(word_t *p, vec_t x) { _mm512_storeu_si512(p, x); }

INLINE vec_t load_wide(const uint64_t *p) {
    const vec_t even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_epi32(load8(p), even, load8(p + 8));
}

INLINE void store_wide(uint64_t *p, vec_t x) {
    store8(p, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(x)));
    store8(p + 8, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(x, 1)));
}

// In runs of t lanes: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(vec_t *v, unsigned log_t) {
    const vec_t a = v[0];
    const vec_t b = v[1];
    if (log_t == 3) {
        v[0] = _mm512_shuffle_i64x2(a, b, 0x44);
        v[1] = _mm512_shuffle_i64x2(a, b, 0xee);
    } else if (log_t == 2) {
        v[0] = _mm512_mask_permutex_epi64(a, 0xcc, b, 0x4e);
        v[1] = _mm512_mask_permutex_epi64(b, 0x33, a, 0x4e);
    } else if (log_t == 1) {
        v[0] = _mm512_unpacklo_epi64(a, b);
        v[1] = _mm512_unpackhi_epi64(a, b);
    } else {
        v[0] = _mm512_mask_shuffle_epi32(a, ODD_LANES, b, (_MM_PERM_ENUM)0xa0);
        v[1] = _mm512_mask_shuffle_epi32(b, EVEN_LANES, a, (_MM_PERM_ENUM)0xf5);
    }
}

// 32 neighbours <-> those at even places and those at odd ones
INLINE void even_odd(vec_t *v) {
    const vec_t even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const vec_t odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    const vec_t first = _mm512_permutex2var_epi32(v[0], even, v[1]);
    v[1] = _mm512_permutex2var_epi32(v[0], odd, v[1]);
    v[0] = first;
}

INLINE void even_odd_undo(vec_t *v) {
    const vec_t low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const vec_t high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const vec_t first = _mm512_permutex2var_epi32(v[0], low, v[1]);
    v[1] = _mm512_permutex2var_epi32(v[0], high, v[1]);
    v[0] = first;
}

// p[l >> log_run] in lane l; p[-(l >> log_run)].
INLINE vec_t load_up(const uint32_t *p, unsigned log_run) {
    if (log_run == 0) return load(p);
    if (log_run == 3) return _mm512_mask_set1_epi32(splat(p[0]), 0xff00, (int)p[1]);
    const vec_t lane = log_run == 1 ? _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
                                    : _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_epi32(lane, load(p));
}

INLINE vec_t load_down(const uint32_t *p, unsigned log_run) {
    if (log_run == 3) return _mm512_mask_set1_epi32(splat(p[0]), 0xff00, (int)p[-1]);
    const vec_t lane = log_run == 0   ? _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
                       : log_run == 1 ? _mm512_setr_epi32(15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8)
                                      : _mm512_setr_epi32(15, 15, 15, 15, 14, 14, 14, 14, 13, 13, 13, 13, 12, 12, 12, 12);
    return _mm512_permutexvar_epi32(lane, load(p - 15));
}

INLINE vec_t add(vec_t x, vec_t y) { return _mm512_add_epi32(x, y); }

INLINE vec_t sub(vec_t x, vec_t y) { return _mm512_sub_epi32(x, y); }

INLINE vec_t csub(vec_t x, vec_t bound) { return _mm512_min_epu32(x, sub(x, bound)); }

INLINE vec_t mul_low(vec_t x, vec_t y) { return _mm512_mullo_epi32(x, y); }

INLINE vec_t mul_even(vec_t x, vec_t y) { return _mm512_mul_epu32(x, y); }

INLINE vec_t odd_twice(vec_t x) { return _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0xf5); }

INLINE vec_t high(vec_t even, vec_t odd) { return _mm512_mask_shuffle_epi32(odd, EVEN_LANES, even, (_MM_PERM_ENUM)0xf5); }

INLINE vec_t opaque(vec_t x) { return opaque8(x); }

#include "x86/arith/ntt_products32.h"

#include "x86/arith/ntt_passes.h"

// A tile of 256 coefficients and one pass before it. Smaller polynomials are those of AVX2, with the same tables.
enum { LOG_N_LEAST = LOG_TILE + 2 };

#define TRANSFORM(name, word_t, transform, smaller, wide)   \
    TARGET void name(const rs_limb_t *limb, word_t *poly) { \
        if (limb->log_n < LOG_N_LEAST) {                    \
            smaller(limb, poly);                            \
        } else {                                            \
            transform(limb, poly, wide);                    \
        }                                                   \
    }

TRANSFORM(rs_ntt_avx512_32_forward, uint64_t, forward_all, rs_ntt_avx2_32_forward, 1)
TRANSFORM(rs_ntt_avx512_32_inverse, uint64_t, inverse_all, rs_ntt_avx2_32_inverse, 1)
TRANSFORM(rs_ntt32_avx512_forward, uint32_t, forward_all, rs_ntt32_avx2_forward, 0)
TRANSFORM(rs_ntt32_avx512_inverse, uint32_t, inverse_all, rs_ntt32_avx2_inverse, 0)
#endif
