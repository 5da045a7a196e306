// SPDX-License-Identifier: Apache-2.0
// Lifts and products of transforms on words of 64 bits (lifts512.h), and the passes. Included once per kernel, after its products of twiddles.
#define LIFTED
typedef lift8_t lift_t;

INLINE lift_t lift_of(const rs_limb_t *limb, const rs_lifted_t *lifted) {
    return lift8(limb, lifted);
}

INLINE vec_t take(const rs_lifted_t *lifted, rs_lift_kind_t kind, const word_t *poly, size_t i, const lift_t *l) {
    return take8(lifted, kind, poly, i, l);
}

// Moduli of more than 50 bits leave more of a rounded word.
static inline unsigned taken_bound(rs_lift_kind_t kind) {
    return kind == RS_LIFT_ROUNDED || kind == RS_LIFT_BOTH ? 6 : 2;
}

INLINE vec_t reduce(vec_t x, unsigned log_bound, const constants_t *k);

INLINE vec_t finished(vec_t x, const lift_t *l, const constants_t *k) {
    (void)l;
    return reduce(x, SPARE_BITS, k);
}

INLINE vec_t with_product(vec_t x, vec_t a, vec_t b, int subtract, const lift_t *l, const constants_t *k) {
    return with_product8(finished(x, l, k), a, b, subtract, l);
}

#include "x86/arith/ntt_passes.h"
