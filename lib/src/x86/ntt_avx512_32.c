// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 on words of 32 bits, q < 2^30.
//
// Residues are below 4q < 2^32 between forward stages, below 2q between inverse ones (Harvey 2014).
#include "../ntt.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "avx512.h"

#define TARGET AVX512
#define INLINE AVX512_INLINE
enum { LOG_LANES = 4 };
typedef uint32_t word_t;
typedef __m512i vec_t;

enum { EVEN_LANES = 0x5555, ODD_LANES = 0xaaaa };

typedef struct constants {
    vec_t q;
    vec_t two_q;
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
    vec_t quotient_odd; // odd lanes' quotients in even places
} factor_t;

INLINE vec_t set16(uint64_t x) {
    return _mm512_set1_epi32((int)x);
}

INLINE vec_t load(const word_t *p) {
    return _mm512_loadu_si512(p);
}

INLINE void store(word_t *p, vec_t x) {
    _mm512_storeu_si512(p, x);
}

INLINE vec_t load_wide(const uint64_t *p) {
    const vec_t even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_epi32(load8(p), even, load8(p + 8));
}

INLINE void store_wide(uint64_t *p, vec_t x) {
    store8(p, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(x)));
    store8(p + 8, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(x, 1)));
}

// Runs of t lanes: v[0]'s odd ones and v[1]'s even ones change places.
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
    if (log_run == 3) return _mm512_mask_set1_epi32(set16(p[0]), 0xff00, (int)p[1]);
    const vec_t lane = log_run == 1 ? _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
                                    : _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_epi32(lane, load(p));
}

INLINE vec_t load_down(const uint32_t *p, unsigned log_run) {
    if (log_run == 3) return _mm512_mask_set1_epi32(set16(p[0]), 0xff00, (int)p[-1]);
    const vec_t lane = log_run == 0   ? _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
                       : log_run == 1 ? _mm512_setr_epi32(15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8)
                                      : _mm512_setr_epi32(15, 15, 15, 15, 14, 14, 14, 14, 13, 13, 13, 13, 12, 12, 12, 12);
    return _mm512_permutexvar_epi32(lane, load(p - 15));
}

INLINE constants_t constants(uint64_t q) {
    return (constants_t){set16(q), set16(2 * q)};
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, quotient, _mm512_shuffle_epi32(quotient, (_MM_PERM_ENUM)0xf5)};
}

INLINE factor_t factor_all(const uint32_t *values, const uint32_t *quotients, size_t i) {
    const vec_t quotient = set16(quotients[i]);
    return (factor_t){set16(values[i]), quotient, quotient};
}

INLINE factor_t factor_scale(const rs_factor_t *f) {
    const vec_t quotient = set16(f->quotient >> 32);
    return (factor_t){set16(f->value), quotient, quotient};
}

INLINE factor_t factor_up(const uint32_t *values, const uint32_t *quotients, size_t i, unsigned log_run) {
    return factor_of(load_up(values + i, log_run), load_up(quotients + i, log_run));
}

INLINE factor_t factor_down(const uint32_t *values, const uint32_t *quotients, size_t i, unsigned log_run) {
    return factor_of(load_down(values + i, log_run), load_down(quotients + i, log_run));
}

// x in [0, 2 bound) -> [0, bound)
INLINE vec_t csub16(vec_t x, vec_t bound) {
    return _mm512_min_epu32(x, _mm512_sub_epi32(x, bound));
}

// Any y -> wy mod q, below 2q; upper halves of 32-bit products are made for even and for odd lanes.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t even = _mm512_mul_epu32(y, f->quotient);
    const vec_t odd = _mm512_mul_epu32(_mm512_shuffle_epi32(y, (_MM_PERM_ENUM)0xf5), f->quotient_odd);
    const vec_t estimate = _mm512_mask_shuffle_epi32(odd, EVEN_LANES, even, (_MM_PERM_ENUM)0xf5);
    return opaque8(_mm512_sub_epi32(_mm512_mullo_epi32(y, f->value), _mm512_mullo_epi32(estimate, k->q)));
}

// (x, y) < 4q -> (x + wy, x - wy) < 4q
INLINE void forward_butterfly(vec_t *x, vec_t *y, const factor_t *f, const constants_t *k, unsigned stage) {
    (void)stage;
    const vec_t a = csub16(*x, k->two_q);
    const vec_t b = mul_lazy(*y, f, k);
    *x = _mm512_add_epi32(a, b);
    *y = _mm512_sub_epi32(_mm512_add_epi32(a, k->two_q), b);
}

INLINE vec_t reduce(vec_t x, const constants_t *k) {
    return csub16(csub16(x, k->two_q), k->q);
}

INLINE vec_t add(vec_t x, vec_t y) {
    return _mm512_add_epi32(x, y);
}

INLINE vec_t sub(vec_t x, vec_t y) {
    return _mm512_sub_epi32(x, y);
}

INLINE vec_t csub(vec_t x, vec_t bound) {
    return csub16(x, bound);
}

// what mul_lazy gives, below 2q -> [0, q)
INLINE vec_t reduce_product(vec_t x, const constants_t *k) {
    return csub16(x, k->q);
}

#define INVERSE_BOUND two_q // of residues between inverse stages

#include "ntt_passes.h"

TARGET void rs_ntt_avx512_32_forward(const rs_limb_t *limb, uint64_t *poly) {
    forward_all(limb, poly, 1);
}

TARGET void rs_ntt_avx512_32_inverse(const rs_limb_t *limb, uint64_t *poly) {
    inverse_all(limb, poly, 1);
}

TARGET void rs_ntt32_avx512_forward(const rs_limb_t *limb, uint32_t *poly) {
    forward_all(limb, poly, 0);
}

TARGET void rs_ntt32_avx512_inverse(const rs_limb_t *limb, uint32_t *poly) {
    inverse_all(limb, poly, 0);
}
#endif
