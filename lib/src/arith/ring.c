// SPDX-License-Identifier: Apache-2.0
// The pointwise kernels of a ring in plain C, for every modulus.
#include "arith/ring.h"

static size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

void rs_portable_mul(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const rs_modulus_t m = limb->modulus;
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_mul_mod(a[i], b[i], &m);
}

void rs_portable_mul_add(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    const rs_modulus_t m = limb->modulus;
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_add_mod(rs_mul_mod(a[i], b[i], &m), c[i], m.q);
}

void rs_portable_mul_sub(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    const rs_modulus_t m = limb->modulus;
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_sub_mod(c[i], rs_mul_mod(a[i], b[i], &m), m.q);
}

// The residue of a small signed number.
static inline uint64_t lift(int8_t small, uint64_t q) {
    const uint64_t x = (uint64_t)(int64_t)small;
    return x + (q & (0 - (x >> 63)));
}

void rs_portable_lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const uint64_t q = limb->modulus.q;
    const rs_factor_t f = rs_factor(factor, q);
    if (factor == 1) {
        for (size_t i = 0; i < length(limb); i++) out[i] = lift(small[i], q);
    } else {
        for (size_t i = 0; i < length(limb); i++) out[i] = rs_mul_factor(lift(small[i], q), f, q);
    }
}

// A product added to the words of out, or taken from them.
static void add_product(const rs_limb_t *l, uint64_t *out, const uint64_t *a, const uint64_t *b, int subtract) {
    (subtract ? l->ring->mul_sub : l->ring->mul_add)(l, out, a, b, out);
}

void rs_ring_forward(const rs_limb_t *l, uint64_t *out, const int8_t *small, const uint64_t *a, const uint64_t *b, int subtract) {
    if (l->ring->fused) {
        l->ring->fused(l, out, small, a, b, subtract);
        return;
    }
    if (small) l->ring->lift_small(l, out, small, 1);
    l->ring->forward(l, out);
    if (a) add_product(l, out, a, b, subtract);
}

void rs_ring_inverse(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
#if defined(RS_BACKENDS) || defined(__wasm__)
    if (limb->ring->inverse_product) {
        limb->ring->inverse_product(limb, out, a, b);
        return;
    }
#endif
    limb->ring->mul(limb, out, a, b);
    limb->ring->inverse(limb, out);
}

void rs_ring_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
#if defined(RS_BACKENDS) || defined(__wasm__)
    if (limb->ring->scaled) {
        limb->ring->scaled(limb, out, small, factor);
        return;
    }
#endif
    if (factor != 1) limb->ring->lift_small(limb, out, small, factor);
    rs_ring_forward(limb, out, factor == 1 ? small : NULL, NULL, NULL, 0);
}
