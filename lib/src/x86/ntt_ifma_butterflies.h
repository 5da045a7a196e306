// SPDX-License-Identifier: Apache-2.0
// Butterflies of AVX-512 IFMA: products of 52-bit words, quotients floor(w 2^52 / q). Not a header of its own: included once per kernel,
// after SPARE_BITS is defined: q < 2^(52 - SPARE_BITS).
//   2  residues are below 4q between forward stages (Harvey 2014)
//   4  below 16q: two of three stages leave them as they come
// Between inverse stages residues are below 2q.
#include "avx512.h"

#define TARGET AVX512_IFMA
#define INLINE AVX512_IFMA_INLINE
#include "ntt_lanes512.h"

typedef struct constants {
    vec_t q;
    vec_t two_q;
    vec_t four_q;
    vec_t eight_q;
    vec_t minus_q; // mod 2^52
    vec_t mask; // 52 ones
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
} factor_t;

INLINE constants_t constants(uint64_t q) {
    const uint64_t mask = ((uint64_t)1 << 52) - 1;
    return (constants_t){set8(q), set8(2 * q), set8(4 * q), set8(8 * q), set8(mask + 1 - q), set8(mask)};
}

INLINE factor_t factor_all(const uint64_t *values, const uint64_t *quotients, size_t i) {
    return (factor_t){set8(values[i]), set8(quotients[i])};
}

INLINE factor_t factor_scale(const rs_factor_t *f) {
    return (factor_t){set8(f->value), set8(f->quotient >> 12)};
}

INLINE factor_t factor_up(const uint64_t *values, const uint64_t *quotients, size_t i, unsigned log_run) {
    return (factor_t){load_up(values + i, log_run), load_up(quotients + i, log_run)};
}

INLINE factor_t factor_down(const uint64_t *values, const uint64_t *quotients, size_t i, unsigned log_run) {
    return (factor_t){load_down(values + i, log_run), load_down(quotients + i, log_run)};
}

// y < 2^52 -> wy mod q, below 2q < 2^51: the low 52 bits of wy - estimate q are all of it (Shoup with words of 52 bits).
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t zero = _mm512_setzero_si512();
    const vec_t estimate = _mm512_madd52hi_epu64(zero, y, f->quotient);
    const vec_t product = _mm512_madd52lo_epu64(zero, y, f->value);
    return _mm512_and_si512(_mm512_madd52lo_epu64(product, estimate, k->minus_q), k->mask);
}

// (x, y) -> (x + wy, x - wy), which are 2q larger than x. Two spare bits: from below 4q to below 4q. Four: stages 0, 3 … bring x from
// below 16q to below 8q first, hence results are below 10q, 12q, 14q.
INLINE void forward_butterfly(vec_t *x, vec_t *y, const factor_t *f, const constants_t *k, unsigned stage) {
    vec_t a = *x;
    if (SPARE_BITS == 2) a = csub8(a, k->two_q);
    if (SPARE_BITS == 4 && stage % 3 == 0) a = csub8(a, k->eight_q);
    const vec_t b = mul_lazy(*y, f, k);
    *x = _mm512_add_epi64(a, b);
    *y = _mm512_sub_epi64(_mm512_add_epi64(a, k->two_q), b);
}

INLINE vec_t reduce(vec_t x, const constants_t *k) {
    if (SPARE_BITS == 4) x = csub8(csub8(x, k->eight_q), k->four_q);
    return csub8(csub8(x, k->two_q), k->q);
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

// what mul_lazy gives, below 2q -> [0, q)
INLINE vec_t reduce_product(vec_t x, const constants_t *k) {
    return csub8(x, k->q);
}

#define INVERSE_BOUND two_q // of residues between inverse stages

#include "ntt_passes.h"
