// SPDX-License-Identifier: Apache-2.0
// Products of twiddles with AVX-512 IFMA, on words of 52 bits, quotients floor(w 2^52 / q). Not a header of its own: included once per
// kernel, after SPARE_BITS is defined: q < 2^(52 - SPARE_BITS).
#include "x86/arith/lifts512.h"

#define TARGET AVX512_IFMA
#define INLINE AVX512_IFMA_INLINE
#include "x86/arith/ntt_lanes512.h"

enum { QUOTIENT_BITS = 52, LOG_PRODUCT = 1 };

typedef struct constants {
    vec_t q[4]; // only the first SPARE_BITS are used
    vec_t minus_q; // mod 2^52
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
} factor_t;

INLINE constants_t constants(uint64_t q) {
    const uint64_t mask = ((uint64_t)1 << 52) - 1;
    return (constants_t){{splat(q), splat(2 * q), splat(4 * q), splat(8 * q)}, splat(mask + 1 - q)};
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, quotient};
}

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) {
    return factor_of(splat(value), splat(quotient));
}

// Products and sums are right in their lower 52 bits, and those are all that a multiplication looks at.
INLINE vec_t settle(vec_t x) {
    return _mm512_and_si512(x, splat(((uint64_t)1 << 52) - 1));
}

// y mod 2^52 -> wy mod q, below 2q < 2^51 when settled: wy - estimate q (Shoup with words of 52 bits).
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t zero = _mm512_setzero_si512();
    const vec_t estimate = _mm512_madd52hi_epu64(zero, y, f->quotient);
    const vec_t product = _mm512_madd52lo_epu64(zero, y, f->value);
    return opaque8(_mm512_madd52lo_epu64(product, estimate, k->minus_q));
}

#define LIFTED
typedef lift8_t lift_t;

INLINE lift_t lift_of(const rs_limb_t *limb, const rs_lifted_t *lifted) {
    return lift8(limb, lifted);
}

INLINE vec_t take(const rs_lifted_t *lifted, rs_lift_kind_t kind, const word_t *poly, size_t i, const lift_t *l) {
    return take8(lifted, kind, poly, i, l, 1);
}

// x + a b, or - a b, of reduced words. The quotient is lifts512.h's, and the remainder, in (-q, q), needs 52 bits alone.
INLINE vec_t with_product(vec_t x, const rs_lifted_t *lifted, size_t i, const lift_t *l) {
    const modulus8_t *c = &l->modulus;
    const vec_t a = load(lifted->a + i);
    const vec_t b = load(lifted->b + i);
    const __m512d estimate = _mm512_mul_pd(_mm512_mul_pd(_mm512_cvtepi64_pd(a), c->inverse), _mm512_cvtepi64_pd(b));
    const vec_t quotient = _mm512_cvtpd_epi64(estimate);
    const vec_t minus_q = sub(splat((uint64_t)1 << 52), c->q);
    const vec_t r = _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(c->q, a, b), quotient, minus_q);
    const vec_t product = settle(r); // + q: in (0, 2q)
    const vec_t two_q = add(c->q, c->q);
    const vec_t sum = lifted->subtract ? add(sub(x, product), two_q) : add(x, product);
    return csub(csub(sum, two_q), c->q);
}

#include "x86/arith/ntt_passes.h"
