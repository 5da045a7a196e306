// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic on words, q < 2^61 + 2^57. Branch-free: operands may be secret.
//
// Bounds are in units of q; "reduced" means [0, q). Lazy results go up to 16q < 2^64 where q < 2^60, and up to 7q for all.
#ifndef RINGSIDE_MODARITH_H
#define RINGSIDE_MODARITH_H

#include <stdint.h>

#include "arith/wide.h"

typedef struct rs_modulus {
    uint64_t q;
    uint64_t ratio64;      // floor(2^64 / q): reduces a word
    uint64_t ratio;        // floor(2^(62 + bits) / q), below 2^63 + 1: reduces a product of two residues
    uint64_t lift_offset;  // q * ceil(2^62 / q): makes any |x| <= 2^62 non-negative
    uint32_t bits;         // 2^(bits - 1) < q < 2^bits
    uint32_t shift;        // bits - 2
} rs_modulus_t;

// A constant factor with Shoup's quotient: quotient = floor(factor * 2^64 / q).
typedef struct rs_factor {
    uint64_t value;
    uint64_t quotient;
} rs_factor_t;

static inline uint64_t rs_mulhi(uint64_t a, uint64_t b) { return rs_wide_high(rs_wide_mul(a, b)); }

// x in [0, 2 bound) -> [0, bound), bound < 2^63.
static inline uint64_t rs_csub(uint64_t x, uint64_t bound) {
    const uint64_t y = x - bound;
    return y + (bound & (0 - (y >> 63)));
}

static inline uint64_t rs_add_mod(uint64_t a, uint64_t b, uint64_t q) { return rs_csub(a + b, q); }

static inline uint64_t rs_sub_mod(uint64_t a, uint64_t b, uint64_t q) {
    const uint64_t y = a - b;
    return y + (q & (0 - (y >> 63)));
}

static inline uint64_t rs_neg_mod(uint64_t a, uint64_t q) { return rs_sub_mod(0, a, q); }

// Any word -> [0, 2q): floor(x/q) - 1 <= mulhi(x, ratio64) <= floor(x/q).
static inline uint64_t rs_reduce_lazy(uint64_t x, const rs_modulus_t *m) { return x - rs_mulhi(x, m->ratio64) * m->q; }

static inline uint64_t rs_reduce(uint64_t x, const rs_modulus_t *m) { return rs_csub(rs_reduce_lazy(x, m), m->q); }

// |x| <= 2^62 -> reduced.
static inline uint64_t rs_reduce_signed(int64_t x, const rs_modulus_t *m) { return rs_reduce((uint64_t)x + m->lift_offset, m); }

// Product of two reduced words. Barrett: with t = floor(p / 2^(bits-2)) < 2^(bits+2) the estimate mulhi(t, ratio) is at most 1 below
// floor(p / q): the floor of t costs < 2^(bits-2)/q <= 1/2, the floor of ratio < t/2^64 <= 1/2, the last floor < 1.
static inline uint64_t rs_mul_mod(uint64_t a, uint64_t b, const rs_modulus_t *m) {
    const rs_wide_t p = rs_wide_mul(a, b);
    const uint64_t t = rs_wide_shift(p, m->shift);
    return rs_csub(rs_wide_low(p) - rs_mulhi(t, m->ratio) * m->q, m->q);
}

// factor * x mod q in [0, 2q), any word x (Harvey 2014, algorithm 2 by Shoup).
static inline uint64_t rs_mul_lazy(uint64_t x, rs_factor_t f, uint64_t q) { return f.value * x - rs_mulhi(f.quotient, x) * q; }

static inline uint64_t rs_mul_factor(uint64_t x, rs_factor_t f, uint64_t q) { return rs_csub(rs_mul_lazy(x, f, q), q); }

// value reduced. Set-up only: a 128-bit division, whose time depends on public constants alone.
static inline rs_factor_t rs_factor(uint64_t value, uint64_t q) {
    return (rs_factor_t){value, rs_wide_low(rs_wide_divide(rs_wide(value, 0), q))};
}

// The same without a division, for many values of one modulus. value * ratio / 2^(bits-2) is at most 5 below value * 2^64 / q (the
// ratio's floor costs less than 4), and the remainder that it leaves, below 6q < 2^64, tells by how much.
static inline rs_factor_t rs_factor_quick(uint64_t value, const rs_modulus_t *m) {
    uint64_t quotient = rs_wide_shift(rs_wide_mul(value, m->ratio), m->shift);
    uint64_t rest = 0 - quotient * m->q;
    for (unsigned i = 0; i < 5; i++) {
        const uint64_t take = rest >= m->q;
        quotient += take;
        rest -= m->q & (0 - take);
    }
    return (rs_factor_t){value, quotient};
}

void rs_modulus_init(rs_modulus_t *m, uint64_t q);
// Public exponents only.
uint64_t rs_pow_mod(uint64_t base, uint64_t exponent, const rs_modulus_t *m);
// a^-1 by Fermat, q prime, a != 0 mod q.
uint64_t rs_inverse_mod(uint64_t a, const rs_modulus_t *m);
// Deterministic Miller-Rabin for words.
int rs_is_prime(uint64_t n);

#endif
