// SPDX-License-Identifier: Apache-2.0
// The pointwise kernels of a ring in plain C, for every modulus.
#include "arith/ring.h"

static size_t length(const rs_limb_t *limb) {
    return (size_t)1 << limb->log_n;
}

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

void rs_portable_lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    const rs_modulus_t m = limb->modulus;
    if (error) {
        for (size_t i = 0; i < length(limb); i++) out[i] = rs_reduce_signed((int64_t)message[i] + error[i], &m);
    } else {
        for (size_t i = 0; i < length(limb); i++) out[i] = rs_reduce_signed((int64_t)message[i], &m);
    }
}

void rs_portable_lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                              uint64_t inverse) {
    const rs_modulus_t m = limb->modulus;
    const rs_factor_t f = rs_factor(inverse, m.q);
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_mul_factor(rs_reduce_signed(error[i] - d[i], &m), f, m.q);
    if (!message) return;
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_add_mod(out[i], rs_reduce_signed((int64_t)message[i], &m), m.q);
}

void rs_portable_centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    const uint64_t q = limb->modulus.q;
    const uint64_t half = q / 2;
    for (size_t i = 0; i < length(limb); i++) {
        // 0 < residue + half + error < 2q: |error| <= 21 is below half of the smallest modulus.
        const uint64_t x = poly[i] + half + (uint64_t)(int64_t)error[i];
        d[i] = (int64_t)(rs_csub(x, q) - half);
    }
}
