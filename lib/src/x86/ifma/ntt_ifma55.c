// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX-512 IFMA, q < 2^55: words have room for 256 q, so that none is reduced before the last pass.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
enum { SPARE_BITS = 8, LOG_STEP = 3 };
#include "x86/ifma/ntt_products60.h"

#define CENTRED
#define ROOMY 1
#define LIFTED
typedef lift8_t lift_t;

#define mul_centred mul_lazy
enum { LOWERED = 3 };

// Any x -> below 3q: floor(floor(x / 2^12) reciprocal / 2^52) is less than 2 + 2^-38 below x/q.
INLINE vec_t lowered(vec_t x, const constants_t *k) {
    const vec_t estimate = _mm512_madd52hi_epu64(_mm512_setzero_si512(), _mm512_srli_epi64(x, 64 - LOG_WORD), k->reciprocal);
    return sub(x, _mm512_mullo_epi64(estimate, k->q[0]));
}

INLINE lift_t lift_of(const rs_limb_t *limb, const rs_lifted_t *lifted) { return lift8(limb, lifted); }

// rounded_50's quotient, of a word below 0.51 q, is wrong by 2^54 * 1.02 * 6 * 2^-53 = 13 at most. From 28 on, 17 stages of 8 are within 256.
static inline unsigned taken_bound(rs_lift_kind_t kind) { return kind == RS_LIFT_ROUNDED || kind == RS_LIFT_BOTH ? 28 : 2; }

// take8 adds a q.
INLINE vec_t take(const rs_lifted_t *lifted, rs_lift_kind_t kind, const word_t *poly, size_t i, const lift_t *l) {
    return add(take8(lifted, kind, poly, i, l), splat(127 * l->modulus.m->q));
}

INLINE vec_t finished(vec_t x, const lift_t *l, const constants_t *k) {
    (void)l;
    return csub(csub(lowered(x, k), k->q[1]), k->q[0]);
}

// x + a b, or - a b, of reduced a and b. x is less than 83 q away from 128 q.
INLINE vec_t with_product(vec_t x, vec_t a, vec_t b, int subtract, const lift_t *l, const constants_t *k) {
    const vec_t product = product_near(a, b, &l->modulus);
    const vec_t y = sub(x, k->q[SPARE_BITS - 1]);
    return nearest(subtract ? sub(y, product) : add(y, product), &l->modulus);
}

#define MULTIPLIED
// Below 2q, so that sums of eight are below 16 q, as those of four products of twiddles are.
INLINE vec_t multiplied(vec_t a, vec_t b, const lift_t *l, const constants_t *k) {
    return csub(lowered(add(product_near(a, b, &l->modulus), k->q[5]), k), k->q[1]);
}

#include "x86/arith/ntt_passes.h"

FORWARD(rs_ntt_ifma55, 0)

TARGET void rs_ntt_ifma55_product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    inverse_product(limb, out, a, b);
}

void rs_ntt_ifma55_inverse(const rs_limb_t *limb, uint64_t *poly) { rs_ntt_ifma55_product(limb, poly, poly, NULL); }
#endif
