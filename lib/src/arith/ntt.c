// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT, portable: two stages (radix 4) per pass, Shoup twiddles, lazy residues (Harvey 2014; Longa, Naehrig 2016).
//
// One table serves both directions: twiddle i of the stage with m blocks is w_(m+i) = psi^brv(m+i), and its inverse is
// -w_(2m-1-i), because the exponents of blocks i and m-1-i add up to N and psi^N = -1. The sign goes into the subtraction.
#include "arith/ntt.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct table {
    const uint64_t *values;
    const uint64_t *quotients;
} table_t;

INLINE rs_factor_t twiddle(const table_t *w, size_t i) { return (rs_factor_t){w->values[i], w->quotients[i]}; }

// ---- forward -----------------------------------------------------------------------------------------------------------
// A Cooley-Tukey stage maps (x, y) to (x + wy, x - wy + 2q). wy is below 2q whatever y is, so residues grow by 2q per stage and may
// run up to 16q < 2^64 before x has to be brought back below 2q.
enum { LIMIT = 16, GROWTH_PER_PASS = 4 };

INLINE void forward4(uint64_t *x, size_t quarter, rs_factor_t w1, rs_factor_t w2, rs_factor_t w3, const rs_modulus_t *m,
                     int reduce) {
    const uint64_t q = m->q;
    const uint64_t two_q = 2 * q;
    for (size_t j = 0; j < quarter; j++) {
        uint64_t a = x[j];
        uint64_t b = x[j + quarter];
        if (reduce) {
            a = rs_reduce_lazy(a, m);
            b = rs_reduce_lazy(b, m);
        }
        const uint64_t c = rs_mul_lazy(x[j + 2 * quarter], w1, q);
        const uint64_t d = rs_mul_lazy(x[j + 3 * quarter], w1, q);
        const uint64_t s = a + c;
        const uint64_t t = a - c + two_q;
        const uint64_t u = rs_mul_lazy(b + d, w2, q);
        const uint64_t v = rs_mul_lazy(b - d + two_q, w3, q);
        x[j] = s + u;
        x[j + quarter] = s - u + two_q;
        x[j + 2 * quarter] = t + v;
        x[j + 3 * quarter] = t - v + two_q;
    }
}

INLINE void forward_pass(uint64_t *x, uint32_t n, uint32_t blocks, const table_t *w, const rs_modulus_t *m, int reduce) {
    const size_t quarter = n / blocks / 4;
    for (uint32_t i = 0; i < blocks; i++) {
        forward4(x + (size_t)i * 4 * quarter, quarter, twiddle(w, blocks + i), twiddle(w, 2 * blocks + 2 * i),
                 twiddle(w, 2 * blocks + 2 * i + 1), m, reduce);
    }
}

// The last two stages, and the result brought to [0, q).
INLINE void forward_last(uint64_t *x, uint32_t n, const table_t *w, const rs_modulus_t *m, int reduce) {
    for (uint32_t i = 0; i < n / 4; i++) {
        uint64_t *p = x + (size_t)4 * i;
        forward4(p, 1, twiddle(w, n / 4 + i), twiddle(w, n / 2 + 2 * i), twiddle(w, n / 2 + 2 * i + 1), m, reduce);
        for (unsigned k = 0; k < 4; k++) p[k] = rs_reduce(p[k], m);
    }
}

void rs_ntt_portable_forward(const rs_limb_t *limb, uint64_t *poly) {
    const rs_modulus_t *m = &limb->modulus;
    const table_t tables = {limb->twiddles, limb->quotients};
    const table_t *w = &tables;
    const uint32_t n = (uint32_t)1 << limb->log_n;
    uint32_t blocks = 1;
    unsigned bound = 1; // residues are below bound * q
    if (limb->log_n & 1) {
        const size_t half = n / 2;
        const rs_factor_t first = twiddle(w, 1);
        for (size_t j = 0; j < half; j++) {
            const uint64_t t = rs_mul_lazy(poly[j + half], first, m->q);
            poly[j + half] = poly[j] - t + 2 * m->q;
            poly[j] += t;
        }
        blocks = 2;
        bound += 2;
    }
    for (; blocks < n / 4; blocks *= 4) {
        if (bound + GROWTH_PER_PASS > LIMIT) {
            forward_pass(poly, n, blocks, w, m, 1);
            bound = 2;
        } else {
            forward_pass(poly, n, blocks, w, m, 0);
        }
        bound += GROWTH_PER_PASS;
    }
    if (bound + GROWTH_PER_PASS > LIMIT) {
        forward_last(poly, n, w, m, 1);
    } else {
        forward_last(poly, n, w, m, 0);
    }
}

// ---- inverse -----------------------------------------------------------------------------------------------------------
// A Gentleman-Sande stage maps (x, y) to (x + y, (x - y) w^-1) = (x + y, (y - x) w'), w' the mirrored forward twiddle. Invariant
// between passes: residues below 4q; inside a pass sums reach 16q.
INLINE void inverse4(uint64_t *x, size_t quarter, rs_factor_t w2, rs_factor_t w3, rs_factor_t w1, uint64_t q) {
    for (size_t j = 0; j < quarter; j++) {
        const uint64_t a = x[j];
        const uint64_t b = x[j + quarter];
        const uint64_t c = x[j + 2 * quarter];
        const uint64_t d = x[j + 3 * quarter];
        const uint64_t s = a + b;                                // < 8q
        const uint64_t t = rs_mul_lazy(b - a + 4 * q, w2, q);    // < 2q
        const uint64_t u = c + d;                                // < 8q
        const uint64_t v = rs_mul_lazy(d - c + 4 * q, w3, q);    // < 2q
        x[j] = rs_csub(rs_csub(s + u, 8 * q), 4 * q);            // < 16q -> 4q
        x[j + quarter] = t + v;                                  // < 4q
        x[j + 2 * quarter] = rs_mul_lazy(u - s + 8 * q, w1, q);
        x[j + 3 * quarter] = rs_mul_lazy(v - t + 2 * q, w1, q);
    }
}

INLINE void inverse_pass(uint64_t *x, uint32_t n, uint32_t blocks, const table_t *w, uint64_t q) {
    const size_t quarter = n / blocks / 4;
    for (uint32_t i = 0; i < blocks; i++) {
        // mirrored indices: stage with 2 * blocks blocks from 4 * blocks - 1 downwards, stage with `blocks` from 2 * blocks - 1.
        const size_t fine = 4 * blocks - 1 - 2 * i;
        inverse4(x + (size_t)i * 4 * quarter, quarter, twiddle(w, fine), twiddle(w, fine - 1), twiddle(w, 2 * blocks - 1 - i), q);
    }
}

void rs_ntt_portable_inverse(const rs_limb_t *limb, uint64_t *poly) {
    const table_t tables = {limb->twiddles, limb->quotients};
    const table_t *w = &tables;
    const uint64_t q = limb->modulus.q;
    const uint32_t n = (uint32_t)1 << limb->log_n;
    uint32_t blocks = n / 4;
    for (; blocks >= 4; blocks /= 4) inverse_pass(poly, n, blocks, w, q);
    // Odd log2 N: blocks is 2, the stages of 4, 2 and 1 blocks are left. Even: blocks is 1, those of 2 and 1.
    if (blocks == 2) {
        inverse_pass(poly, n, 2, w, q);
    } else {
        const size_t quarter = n / 4;
        for (size_t h = 0; h < 2; h++) {
            uint64_t *x = poly + h * 2 * quarter;
            const rs_factor_t mirrored = twiddle(w, 3 - h);
            for (size_t j = 0; j < quarter; j++) {
                const uint64_t a = x[j];
                const uint64_t b = x[j + quarter];
                x[j] = rs_csub(a + b, 4 * q);
                x[j + quarter] = rs_mul_lazy(b - a + 4 * q, mirrored, q);
            }
        }
    }
    const rs_factor_t scale = limb->n_inverse;
    const rs_factor_t last = limb->last_inverse;
    const size_t half = n / 2;
    for (size_t j = 0; j < half; j++) {
        const uint64_t a = poly[j];
        const uint64_t b = poly[j + half];
        poly[j] = rs_mul_factor(a + b, scale, q);
        poly[j + half] = rs_mul_factor(b - a + 4 * q, last, q);
    }
}

const rs_ring_t RS_RING_PORTABLE = {
    .quotient_bits = 64,
    .forward = rs_ntt_portable_forward,
    .inverse = rs_ntt_portable_inverse,
    RS_PORTABLE_POINTWISE,
};

// ---- q < 2^62: one stage at a time, residues below 4q on the way and, in the inverse, below 2q between stages ------------------
static void forward_wide(const rs_limb_t *limb, uint64_t *poly) {
    const table_t tables = {limb->twiddles, limb->quotients};
    const uint64_t q = limb->modulus.q;
    const size_t n = (size_t)1 << limb->log_n;
    for (size_t blocks = 1, half = n / 2; half; blocks *= 2, half /= 2) {
        for (size_t i = 0; i < blocks; i++) {
            const rs_factor_t w = twiddle(&tables, blocks + i);
            uint64_t *x = poly + 2 * i * half;
            for (size_t j = 0; j < half; j++) {
                const uint64_t a = rs_csub(x[j], 2 * q);
                const uint64_t b = rs_mul_lazy(x[j + half], w, q);
                x[j] = a + b;
                x[j + half] = a - b + 2 * q;
            }
        }
    }
    for (size_t i = 0; i < n; i++) poly[i] = rs_reduce(poly[i], &limb->modulus);
}

static void inverse_wide(const rs_limb_t *limb, uint64_t *poly) {
    const table_t tables = {limb->twiddles, limb->quotients};
    const uint64_t q = limb->modulus.q;
    const size_t n = (size_t)1 << limb->log_n;
    for (size_t blocks = n / 2, half = 1; blocks; blocks /= 2, half *= 2) {
        for (size_t i = 0; i < blocks; i++) {
            const rs_factor_t mirrored = twiddle(&tables, 2 * blocks - 1 - i);
            uint64_t *x = poly + 2 * i * half;
            for (size_t j = 0; j < half; j++) {
                const uint64_t a = x[j];
                const uint64_t b = x[j + half];
                x[j] = rs_csub(a + b, 2 * q);
                x[j + half] = rs_mul_lazy(b - a + 2 * q, mirrored, q);
            }
        }
    }
    for (size_t i = 0; i < n; i++) poly[i] = rs_mul_factor(poly[i], limb->n_inverse, q);
}

const rs_ring_t RS_RING_WIDE = {
    .quotient_bits = 64,
    .forward = forward_wide,
    .inverse = inverse_wide,
    RS_PORTABLE_POINTWISE,
};
