// SPDX-License-Identifier: Apache-2.0
// Lifts and products of transforms on words of 64 bits (lifts512.h), and the passes. Included once per kernel, after its products of twiddles.
#define LIFTED
typedef struct lift {
    lift8_t all;
    int wide; // more than 50 bits
    factor_t factor;
    constants_t constants;
    vec_t positive; // a multiple of q, from 2^59 + 2^7 on
} lift_t;

INLINE lift_t lift_of(const rs_limb_t *limb, const rs_lifted_t *lifted) {
    const rs_modulus_t *m = &limb->modulus;
    const rs_factor_t factor = rs_factor_quick(lifted->factor, m);
    const uint64_t positive = (((uint64_t)1 << 59) + 128 + m->q) / m->q * m->q;
    return (lift_t){lift8(limb, lifted), m->bits > 50, factor_all(factor.value, factor.quotient), constants(m->q), splat(positive)};
}

// Moduli of more than 50 bits: factor (small - d) is a product of mul_lazy, below 4q, to which a message adds less than 2q.
INLINE vec_t take(const rs_lifted_t *lifted, rs_lift_kind_t kind, const word_t *poly, size_t i, const lift_t *l) {
    const modulus8_t *c = &l->all.modulus;
    if (!l->wide || (kind != RS_LIFT_ROUNDED && kind != RS_LIFT_BOTH)) return take8(lifted, kind, poly, i, &l->all);
    const vec_t y = sub(add(l->positive, widen8(lifted->small + i)), load((const uint64_t *)lifted->d + i));
    const vec_t x = mul_lazy(y, &l->factor, &l->constants);
    return kind == RS_LIFT_BOTH ? add(add(x, c->q), message8(lifted->message + i, NULL, c)) : x;
}

static inline unsigned taken_bound(rs_lift_kind_t kind) { return kind == RS_LIFT_BOTH ? 6 : kind == RS_LIFT_ROUNDED ? 4 : 2; }

INLINE vec_t reduce(vec_t x, unsigned log_bound, const constants_t *k);

INLINE vec_t finished(vec_t x, const lift_t *l, const constants_t *k) {
    (void)l;
    return reduce(x, SPARE_BITS, k);
}

// x + a b, or - a b, of reduced a and b. x is below 2^SPARE_BITS q: its share of the quotient is as good as exact.
INLINE vec_t with_product(vec_t x, vec_t a, vec_t b, int subtract, const lift_t *l, const constants_t *k) {
    const modulus8_t *c = &l->all.modulus;
    if (!l->wide) {
        const vec_t y = finished(x, l, k), r = product50(a, b, c);
        return subtract ? cadd8(sub(y, r), c->q) : csub(add(y, r), c->q);
    }
    __m512d estimate;
    const vec_t y = product_halves(subtract ? sub(splat(0), a) : a, b, &estimate, c);
    return subtract_multiple(add(y, x), _mm512_add_pd(estimate, _mm512_mul_pd(_mm512_cvtepu64_pd(x), c->inverse)), c);
}

#include "x86/arith/ntt_passes.h"
