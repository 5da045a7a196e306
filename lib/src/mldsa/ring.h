// SPDX-License-Identifier: Apache-2.0
// The ring Z_q[X]/(X^256 + 1), q = 8380417, in signed words of 32 bits. rs_plan_t (arith/) has the same transforms in words of 64 bits; half
// the memory and half the multiplier are what small machines need. Products are reduced by Montgomery's method, R = 2^32. All operands may be
// secret: no branch, no index and no division depends on them.
//
// Bounds are on absolute values. A residue that is written as x stands for any word congruent to x.
#ifndef RINGSIDE_MLDSA_RING_H
#define RINGSIDE_MLDSA_RING_H

#include <stdint.h>

enum { RS_MLDSA_N = 256, RS_MLDSA_Q = 8380417, RS_MLDSA_Q_INVERSE = 58728449 }; // the latter modulo R

// Factors of rs_mldsa_inverse, centred.
enum {
    RS_MLDSA_R = -4186625, // R modulo q
    RS_MLDSA_SCALE = 16382, // R / 256: the inverse transform alone
    RS_MLDSA_SCALE_R = 41978, // R^2 / 256: the transform, times R
};

typedef struct rs_mldsa_poly {
    int32_t c[RS_MLDSA_N];
} rs_mldsa_poly_t;

// Sums of products before reduction.
typedef struct rs_mldsa_sum {
    int64_t c[RS_MLDSA_N];
} rs_mldsa_sum_t;

// x / R below q, for x up to 2^31 q (the result is at most |x| / R + q / 2). t q has x's low word, so that the
// difference is a multiple of R.
static inline int32_t rs_mldsa_reduce_product(int64_t x) {
    const int32_t t = (int32_t)((uint32_t)x * RS_MLDSA_Q_INVERSE);
    return (int32_t)((x - (int64_t)t * RS_MLDSA_Q) >> 32);
}

// x below q, for x up to 2^31 - 2^22: 2^23 is q + 2^13 - 1, so q is taken away as often as 2^23 fits, and what that leaves out is at most
// 2^22 + 256 (2^13 - 1) < 6.3 million.
static inline int32_t rs_mldsa_reduce(int32_t x) {
    const int32_t y = x + (1 << 22);
    return x - (y < 0 ? ~(~y >> 23) : y >> 23) * RS_MLDSA_Q; // one arithmetic shift, of which C speaks for positive words alone
}

// -1 if x < 0, else 0.
static inline int32_t rs_mldsa_sign_mask(int32_t x) { return -(int32_t)((uint32_t)x >> 31); }

// From 0 to q - 1, for x below q.
static inline int32_t rs_mldsa_canonical(int32_t x) { return x + (rs_mldsa_sign_mask(x) & RS_MLDSA_Q); }

// From -(q - 1)/2 to (q - 1)/2, for x below q.
static inline int32_t rs_mldsa_centred(int32_t x) {
    const int32_t half = (RS_MLDSA_Q - 1) / 2;
    x -= rs_mldsa_sign_mask(half - x) & RS_MLDSA_Q;
    return x + (rs_mldsa_sign_mask(x + half) & RS_MLDSA_Q);
}

// Algorithm 41, in place. In: below q. Out: below 9 q.
void rs_mldsa_forward(rs_mldsa_poly_t *a);
// Algorithm 42 times factor 256 / R, in place. In: below q. Out: below 3 q / 4.
void rs_mldsa_inverse(rs_mldsa_poly_t *a, int32_t factor);

// sum = a_0 b_0 + a_1 b_1 ..., `count` products word by word, on top of what is there if there is `more`: up to eight products of words below 9 q.
void rs_mldsa_dot(rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b, unsigned count, int more);
// sum - a b.
void rs_mldsa_multiply_sub(rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b);
// out = sum / R, below q.
void rs_mldsa_reduce_sum(rs_mldsa_poly_t *out, const rs_mldsa_sum_t *sum);
// out = a b / R, below q, for words below 9 q.
void rs_mldsa_product(rs_mldsa_poly_t *out, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b);

// -1 if a coefficient is bound or more, else 0. Coefficients are centred; bound is positive.
int32_t rs_mldsa_exceeds(const rs_mldsa_poly_t *a, int32_t bound);

#endif
