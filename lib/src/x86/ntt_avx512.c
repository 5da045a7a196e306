// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512, q < 2^60. The high half of a 64 x 64-bit product is put together from three 32 x 32-bit ones, a
// little too small, so products of twiddles are below 4q instead of Shoup's 2q.
#include "../ntt.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "avx512.h"

#define TARGET AVX512
#define INLINE AVX512_INLINE
#include "ntt_lanes512.h"

typedef struct constants {
    vec_t q;
    vec_t two_q;
    vec_t four_q;
    vec_t eight_q;
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
    vec_t quotient_high; // its upper 32 bits, in both halves
} factor_t;

INLINE constants_t constants(uint64_t q) {
    return (constants_t){set8(q), set8(2 * q), set8(4 * q), set8(8 * q)};
}

// The upper half of each word: in both halves; as a word. By shuffles, which Zen 5 has twice as many units for as for shifts.
INLINE vec_t high_twice(vec_t x) {
    return _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0xf5);
}

INLINE vec_t high(vec_t x) {
    return _mm512_maskz_shuffle_epi32(0x5555, x, (_MM_PERM_ENUM)0xf5);
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, quotient, high_twice(quotient)};
}

INLINE factor_t factor_all(const uint64_t *values, const uint64_t *quotients, size_t i) {
    return factor_of(set8(values[i]), set8(quotients[i]));
}

INLINE factor_t factor_scale(const rs_factor_t *f) {
    return factor_of(set8(f->value), set8(f->quotient));
}

INLINE factor_t factor_up(const uint64_t *values, const uint64_t *quotients, size_t i, unsigned log_run) {
    return factor_of(load_up(values + i, log_run), load_up(quotients + i, log_run));
}

INLINE factor_t factor_down(const uint64_t *values, const uint64_t *quotients, size_t i, unsigned log_run) {
    return factor_of(load_down(values + i, log_run), load_down(quotients + i, log_run));
}

// Any y -> wy mod q, below 4q. With y = (y1, y0), quotient = (p1, p0) in halves, estimate = y1 p1 + high(y1 p0) + high(y0 p1): two
// floors and y0 p0 2^-64 lose less than 3 in all, so y quotient 2^-64 - 3 < estimate <= y quotient 2^-64, and Shoup's wq < 2^64
// loses y 2^-64 < 1 more: wy/q - 4 < estimate <= wy/q.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t y1 = high_twice(y);
    const vec_t cross = _mm512_add_epi64(high(_mm512_mul_epu32(y1, f->quotient)), high(_mm512_mul_epu32(y, f->quotient_high)));
    const vec_t estimate = _mm512_add_epi64(_mm512_mul_epu32(y1, f->quotient_high), cross);
    return opaque8(_mm512_sub_epi64(_mm512_mullo_epi64(y, f->value), _mm512_mullo_epi64(estimate, k->q)));
}

// x < 16q -> x + wy, x - wy. Even stages bring x below 8q first, so their results are below 12q; those of odd ones are below
// 16q < 2^64.
INLINE void forward_butterfly(vec_t *x, vec_t *y, const factor_t *f, const constants_t *k, unsigned stage) {
    const vec_t a = stage % 2 == 0 ? csub8(*x, k->eight_q) : *x;
    const vec_t b = mul_lazy(*y, f, k);
    *x = _mm512_add_epi64(a, b);
    *y = _mm512_sub_epi64(_mm512_add_epi64(a, k->four_q), b);
}

INLINE vec_t reduce(vec_t x, const constants_t *k) {
    return csub8(csub8(csub8(csub8(x, k->eight_q), k->four_q), k->two_q), k->q);
}

INLINE vec_t add(vec_t x, vec_t y) {
    return _mm512_add_epi64(x, y);
}

INLINE vec_t sub(vec_t x, vec_t y) {
    return _mm512_sub_epi64(x, y);
}

INLINE vec_t csub(vec_t x, vec_t bound) {
    return csub8(x, bound);
}

// what mul_lazy gives, below 4q -> [0, q)
INLINE vec_t reduce_product(vec_t x, const constants_t *k) {
    return csub8(csub8(x, k->two_q), k->q);
}

#define INVERSE_BOUND eight_q // of residues between inverse stages

#include "ntt_passes.h"

TARGET void rs_ntt_avx512_forward(const rs_limb_t *limb, uint64_t *poly) {
    forward_all(limb, poly, 0);
}

TARGET void rs_ntt_avx512_inverse(const rs_limb_t *limb, uint64_t *poly) {
    inverse_all(limb, poly, 0);
}
#endif
