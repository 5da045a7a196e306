// SPDX-License-Identifier: Apache-2.0
// Messages modulo t into residues and back in plain C, for every modulus.
#include "arith/integers.h"

static void lift(const rs_limb_t *limb, uint64_t *out, const rs_integer_lift_t *l) {
    const uint64_t q = limb->modulus.q, offset = limb->modulus.lift_offset;
    if (l->w && l->mu.value == 1 && l->bits < limb->modulus.bits && !l->error && !l->plus) { // BGV's w and errors: below q already
        for (size_t i = 0; i < (size_t)1 << limb->log_n; i++) out[i] = (uint64_t)l->w[i] + (q & (0 - ((uint64_t)l->w[i] >> 63)));
        return;
    }
    for (size_t i = 0; i < (size_t)1 << limb->log_n; i++) {
        uint64_t x = l->w ? rs_mul_factor((uint64_t)l->w[i] + offset, l->mu, q) : 0;
        if (l->error) {
            const uint64_t y = (uint64_t)(int64_t)l->error[i] - (uint64_t)(l->d ? l->d[i] : 0);
            x = rs_add_mod(x, rs_mul_factor(y + offset, l->factor, q), q);
        }
        if (l->plus) x = l->subtract ? rs_sub_mod(x, l->plus[i], q) : rs_add_mod(x, l->plus[i], q);
        out[i] = x;
    }
}

static void digits(const rs_digit_t *digit, size_t n, const uint64_t *x, const uint64_t *plus, uint64_t *fractions,
                   uint64_t *sums) {
    const uint64_t target = digit->target.q;
    for (size_t i = 0; i < n; i++) {
        const uint64_t y = rs_mul_factor(x[i] + (plus ? plus[i] : 0), digit->factor, digit->q.q);
        fractions[i] = (digit->first ? 0 : fractions[i]) + rs_fraction(y, digit);
        sums[i] = rs_add_mod(digit->first ? 0 : sums[i], rs_mul_factor(y, digit->inverse, target), target);
    }
}

static uint64_t collect(const rs_modulus_t *m, size_t n, const uint64_t *fractions, uint64_t *sums, rs_factor_t lambda,
                        uint64_t margin) {
    uint64_t near = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = fractions[i] + RS_FRACTION_HALF;
        const uint64_t rest = x & (2 * RS_FRACTION_HALF - 1); // 0, and what is next to 2 RS_FRACTION_HALF: a half
        near |= (rest - margin) | (2 * RS_FRACTION_HALF - margin - rest);
        sums[i] = rs_mul_factor((x >> RS_FRACTION_BITS) + m->q - sums[i], lambda, m->q);
    }
    return near;
}

static void turn(size_t n, uint32_t bits, uint64_t *turns, const uint64_t *x, uint64_t high, uint64_t low) {
    (void)bits;
    for (size_t i = 0; i < n; i++) turns[i] += x[i] * high + rs_mulhi(x[i], low);
}

static void settle(const rs_modulus_t *q, size_t n, uint32_t bits, uint64_t *turns) {
    for (size_t i = 0; i < n; i++) turns[i] = rs_csub((rs_mulhi(turns[i] << (64 - bits), 2 * q->q) + 1) >> 1, q->q);
}

static void spread(const rs_modulus_t *t, size_t n, uint64_t *w, rs_factor_t q) {
    const uint64_t half = (t->q + 1) / 2;
    for (size_t i = 0; i < n; i++) w[i] = half - rs_add_mod(rs_mul_factor(w[i], q, t->q), half, t->q);
}

const rs_integers_t RS_INTEGERS_PORTABLE = {lift, digits, collect, turn, settle, spread};
