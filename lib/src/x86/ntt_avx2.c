// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX2, q < 2^60. Products of 64-bit words are put together from 32 x 32-bit ones; the high half is a little
// too small, so products of twiddles are below 4q instead of Shoup's 2q. Signs are tested, so residues stay below 8q < 2^63.
#include "../ntt.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "avx2.h"

#define TARGET AVX2
#define INLINE AVX2_INLINE
enum { LOG_LANES = 2 };
typedef uint64_t word_t;
typedef __m256i vec_t;

typedef struct constants {
    vec_t q;
    vec_t q_swapped; // halves of the word
    vec_t two_q;
    vec_t four_q;
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t value_swapped;
    vec_t quotient;
    vec_t quotient_high; // the upper half in both
} factor_t;

INLINE vec_t load(const word_t *p) {
    return load256(p);
}

INLINE void store(word_t *p, vec_t x) {
    store256(p, x);
}

INLINE vec_t load_wide(const uint64_t *p) {
    return load256(p);
}

INLINE void store_wide(uint64_t *p, vec_t x) {
    store256(p, x);
}

// Runs of t lanes: v[0]'s odd ones and v[1]'s even ones change places.
INLINE void exchange(vec_t *v, unsigned log_t) {
    const vec_t a = v[0];
    const vec_t b = v[1];
    if (log_t == 1) {
        v[0] = _mm256_permute2x128_si256(a, b, 0x20);
        v[1] = _mm256_permute2x128_si256(a, b, 0x31);
    } else {
        v[0] = _mm256_unpacklo_epi64(a, b);
        v[1] = _mm256_unpackhi_epi64(a, b);
    }
}

// 8 neighbours <-> those at even places and those at odd ones
INLINE void even_odd(vec_t *v) {
    exchange(v, 0);
    v[0] = _mm256_permute4x64_epi64(v[0], 0xd8);
    v[1] = _mm256_permute4x64_epi64(v[1], 0xd8);
}

INLINE void even_odd_undo(vec_t *v) {
    exchange(v, 0);
    exchange(v, 1);
}

// p[l >> log_run] in lane l; p[-(l >> log_run)].
INLINE vec_t load_up(const uint64_t *p, unsigned log_run) {
    return log_run == 0 ? load256(p) : _mm256_permute4x64_epi64(load128(p), 0x50);
}

INLINE vec_t load_down(const uint64_t *p, unsigned log_run) {
    return log_run == 0 ? _mm256_permute4x64_epi64(load256(p - 3), 0x1b) : _mm256_permute4x64_epi64(load128(p - 1), 0x05);
}

INLINE vec_t swap_halves(vec_t x) {
    return _mm256_shuffle_epi32(x, 0xb1);
}

INLINE vec_t high_twice(vec_t x) {
    return _mm256_shuffle_epi32(x, 0xf5);
}

INLINE constants_t constants(uint64_t q) {
    return (constants_t){set4(q), swap_halves(set4(q)), set4(2 * q), set4(4 * q)};
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, swap_halves(value), quotient, high_twice(quotient)};
}

INLINE factor_t factor_all(const uint64_t *values, const uint64_t *quotients, size_t i) {
    return factor_of(set4(values[i]), set4(quotients[i]));
}

INLINE factor_t factor_scale(const rs_factor_t *f) {
    return factor_of(set4(f->value), set4(f->quotient));
}

INLINE factor_t factor_up(const uint64_t *values, const uint64_t *quotients, size_t i, unsigned log_run) {
    return factor_of(load_up(values + i, log_run), load_up(quotients + i, log_run));
}

INLINE factor_t factor_down(const uint64_t *values, const uint64_t *quotients, size_t i, unsigned log_run) {
    return factor_of(load_down(values + i, log_run), load_down(quotients + i, log_run));
}

// Any y -> wy mod q, below 4q: y quotient 2^-64 is estimated as in ntt_avx512.c. Of wy - estimate q, mod 2^64, the products of low
// halves are made whole, those of a low and a high half as two 32-bit words whose sum counts 2^32 times.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t y1 = high_twice(y);
    const vec_t middle = _mm256_srli_epi64(_mm256_mul_epu32(y1, f->quotient), 32);
    const vec_t middle2 = _mm256_srli_epi64(_mm256_mul_epu32(y, f->quotient_high), 32);
    const vec_t estimate = _mm256_add_epi64(_mm256_mul_epu32(y1, f->quotient_high), _mm256_add_epi64(middle, middle2));
    const vec_t low = _mm256_sub_epi64(_mm256_mul_epu32(y, f->value), _mm256_mul_epu32(estimate, k->q));
    const vec_t cross = _mm256_sub_epi32(_mm256_mullo_epi32(y, f->value_swapped), _mm256_mullo_epi32(estimate, k->q_swapped));
    const vec_t cross_sum = _mm256_add_epi32(cross, swap_halves(cross));
    return opaque4(_mm256_add_epi64(low, _mm256_slli_epi64(cross_sum, 32)));
}

// (x, y) < 8q -> (x + wy, x - wy) < 8q
INLINE void forward_butterfly(vec_t *x, vec_t *y, const factor_t *f, const constants_t *k, unsigned stage) {
    (void)stage;
    const vec_t a = csub4(*x, k->four_q);
    const vec_t b = mul_lazy(*y, f, k);
    *x = _mm256_add_epi64(a, b);
    *y = _mm256_sub_epi64(_mm256_add_epi64(a, k->four_q), b);
}

INLINE vec_t reduce(vec_t x, const constants_t *k) {
    return csub4(csub4(csub4(x, k->four_q), k->two_q), k->q);
}

INLINE vec_t add(vec_t x, vec_t y) {
    return _mm256_add_epi64(x, y);
}

INLINE vec_t sub(vec_t x, vec_t y) {
    return _mm256_sub_epi64(x, y);
}

INLINE vec_t csub(vec_t x, vec_t bound) {
    return csub4(x, bound);
}

// what mul_lazy gives, below 4q -> [0, q)
INLINE vec_t reduce_product(vec_t x, const constants_t *k) {
    return csub4(csub4(x, k->two_q), k->q);
}

#define INVERSE_BOUND four_q // of residues between inverse stages

#include "ntt_passes.h"

TARGET void rs_ntt_avx2_forward(const rs_limb_t *limb, uint64_t *poly) {
    forward_all(limb, poly, 0);
}

TARGET void rs_ntt_avx2_inverse(const rs_limb_t *limb, uint64_t *poly) {
    inverse_all(limb, poly, 0);
}
#endif
