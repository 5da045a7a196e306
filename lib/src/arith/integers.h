// SPDX-License-Identifier: Apache-2.0
// The table that a back end fills for messages modulo t, on their way into residues and back (exact/). All back ends give the same bits. n is
// a multiple of the back end's lanes. Operands may be secret, constants are public.
#ifndef RINGSIDE_INTEGERS_H
#define RINGSIDE_INTEGERS_H

#include "arith/ring.h"

// mu w + factor (error - d) + plus. What is NULL counts as 0; d is there only with error.
typedef struct rs_integer_lift {
    const int64_t *w;
    rs_factor_t mu;
    const int8_t *error;
    const int64_t *d;
    rs_factor_t factor;
    const uint64_t *plus; // reduced
    uint32_t subtract; // 1: plus is taken off
    uint32_t bits; // |w| and |d| are below 2^bits, at most 2^62
} rs_integer_lift_t;

// y = factor x modulo q; y / q, which has RS_FRACTION_BITS bits behind the point and is at most 2 units too small; inverse y modulo target.
enum { RS_FRACTION_BITS = 57 };
#define RS_FRACTION_HALF ((uint64_t)1 << (RS_FRACTION_BITS - 1))
typedef struct rs_digit {
    rs_modulus_t q;
    rs_modulus_t target;
    rs_factor_t factor;
    rs_factor_t inverse;
    uint64_t first; // 1: the sums begin with this digit
    uint64_t reciprocal; // floor(2^(63 + bits) / q), bits those of q
} rs_digit_t;

typedef struct rs_integers {
    // out may be plus
    void (*lift)(const rs_limb_t *limb, uint64_t *out, const rs_integer_lift_t *lift);
    // y of x, or of x + plus: y / q is added to fractions, and y inverse to sums, which are residues modulo target
    void (*digits)(const rs_digit_t *digit, size_t n, const uint64_t *x, const uint64_t *plus, uint64_t *fractions, uint64_t *sums);
    // sums = lambda (the fractions, rounded - sums) modulo m. The top bit of what is returned: a fraction is nearer to a half than the margin
    uint64_t (*collect)(const rs_modulus_t *m, size_t n, const uint64_t *fractions, uint64_t *sums, rs_factor_t lambda,
                        uint64_t margin);
    // turns, fractions of 1 of that many bits (52: with x below 2^50; or 64), whose upper bits do not count: x times a fraction is added to them, with
    // its first bits in high, and the next ones in low, from the top bit down
    void (*turn)(size_t n, uint32_t bits, uint64_t *turns, const uint64_t *x, uint64_t high, uint64_t low);
    // turns = q turns, rounded, modulo q
    void (*settle)(const rs_modulus_t *q, size_t n, uint32_t bits, uint64_t *turns);
    // w = h - (q w + h) modulo t, h = floor((t + 1) / 2), w reduced
    void (*spread)(const rs_modulus_t *t, size_t n, uint64_t *w, rs_factor_t q);
} rs_integers_t;

extern const rs_integers_t RS_INTEGERS_PORTABLE;

static inline uint64_t rs_fraction(uint64_t y, const rs_digit_t *digit) {
    return rs_wide_shift(rs_wide_mul(y, digit->reciprocal), digit->q.bits + 63 - RS_FRACTION_BITS);
}

#endif
