// SPDX-License-Identifier: Apache-2.0
// Arithmetic of 128 bits without the compiler's type (wide.h), and modular arithmetic on top of it, beside the compiler's.
#ifndef RS_NO_INT128
#define RS_NO_INT128
#endif
#include "arith/modarith.h"

#include "reference128.h"
#include "rs_test.h"

enum { SPECIALS = 13, ROUNDS = 200000 };

static uint64_t state = 1;

// Words of any length, and those at the edges of halves and words.
static uint64_t word(void) {
    static const uint64_t SPECIAL[SPECIALS] = {0x0000000000000000, 0x0000000000000001, 0x0000000000000002, 0x000000007fffffff,
                                               0x0000000080000000, 0x00000000ffffffff, 0x0000000100000000, 0xffffffff00000000,
                                               0x7fffffffffffffff, 0x8000000000000000, 0xfffffffeffffffff, 0xfffffffffffffffe,
                                               0xffffffffffffffff};
    const uint64_t choice = rs_test_random(&state);
    if (choice % 4 == 0) return SPECIAL[choice / 4 % SPECIALS];
    return rs_test_random(&state) >> choice / 4 % 64;
}

static int same(rs_wide_t got, test_u128 want) {
    return CHECK_EQ_U64(rs_wide_low(got), want) && CHECK_EQ_U64(rs_wide_high(got), want >> 64);
}

RS_TEST(products_sums_and_shifts) {
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint64_t a = word(), b = word(), c = word(), d = word();
        const test_u128 ab = (test_u128)a << 64 | b, cd = (test_u128)c << 64 | d;
        const uint32_t shift = (uint32_t)word() % 128;
        if (!same(rs_wide(a, b), ab)) return;
        if (!same(rs_wide_mul(a, b), (test_u128)a * b)) return;
        if (!same(rs_wide_mul_word(rs_wide(a, b), c), ab * c)) return;
        if (!same(rs_wide_add(rs_wide(a, b), rs_wide(c, d)), ab + cd)) return;
        if (!CHECK_EQ_U64(rs_wide_shift(rs_wide(a, b), shift), ab >> shift)) return;
        if (!CHECK_EQ_U64(rs_mulhi(a, b), (test_u128)a * b >> 64)) return;
        if (!CHECK_EQ_U64(rs_shift_left(a, shift % 64), a << shift % 64)) return;
        if (!CHECK_EQ_U64(rs_shift_right(a, shift % 64), a >> shift % 64)) return;
    }
}

RS_TEST(quotients) {
    for (unsigned i = 0; i < ROUNDS / 10; i++) {
        const uint64_t a = word(), b = word(), q = word();
        if (q && !same(rs_wide_divide(rs_wide(a, b), q), ((test_u128)a << 64 | b) / q)) return;
    }
}

// The smallest, largest and random moduli of every size. A modulus of this arithmetic is odd, no more.
RS_TEST(residues) {
    for (uint32_t bits = 12; bits <= 60; bits++) {
        for (unsigned k = 0; k < 200; k++) {
            const uint64_t lowest = (uint64_t)1 << (bits - 1);
            const uint64_t q = (k == 0 ? lowest : k == 1 ? 2 * lowest - 1 : lowest + word() % lowest) | 1;
            rs_modulus_t m;
            rs_modulus_init(&m, q);
            const uint64_t x = word(), a = k % 7 ? x % q : q - 1, b = k % 5 ? word() % q : q - 1;
            const rs_factor_t f = rs_factor(a, q), quick = rs_factor_quick(a, &m);
            CHECK_EQ_U64(m.bits, bits);
            CHECK_EQ_U64(m.ratio64, ((test_u128)1 << 64) / q);
            CHECK_EQ_U64(m.ratio, ((test_u128)1 << (62 + bits)) / q);
            CHECK_EQ_U64(rs_reduce(x, &m), x % q);
            CHECK_EQ_U64(rs_mul_mod(a, b, &m), (test_u128)a * b % q);
            CHECK_EQ_U64(f.quotient, ((test_u128)a << 64) / q);
            CHECK_EQ_U64(quick.quotient, f.quotient);
            if (!CHECK_EQ_U64(rs_mul_factor(x, f, q), (test_u128)a * x % q)) return;
        }
    }
}

// Miller-Rabin beside trial division, on numbers that fool its first bases, and around the largest primes below powers of two.
static int by_division(uint64_t n) {
    if (n < 2) return 0;
    for (uint64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) return 0;
    }
    return 1;
}

RS_TEST(primes) {
    unsigned found = 0;
    for (uint64_t n = 0; n < 20000; n++) {
        if (!CHECK_EQ_U64(rs_is_prime(n), by_division(n))) return;
        found += (unsigned)rs_is_prime(n);
    }
    CHECK_EQ_U64(found, 2262);
    // strong pseudoprimes to the first bases (Jaeschke 1993), Carmichael numbers, a square, even numbers
    static const uint64_t COMPOSITE[] = {2047,
                                         1373653,
                                         25326001,
                                         3215031751,
                                         2152302898747,
                                         3474749660383,
                                         341550071728321,
                                         3825123056546413051,
                                         561,
                                         1729,
                                         4294967297,
                                         (uint64_t)4294967291 * 4294967291,
                                         UINT64_MAX,
                                         (uint64_t)1 << 63};
    for (unsigned i = 0; i < sizeof COMPOSITE / sizeof COMPOSITE[0]; i++) CHECK_EQ_U64(rs_is_prime(COMPOSITE[i]), 0);
    static const uint64_t BELOW[][2] = {{32, 5}, {40, 87}, {48, 59}, {59, 55}, {60, 93}, {61, 1}, {62, 57}, {63, 25}, {64, 59}};
    for (unsigned i = 0; i < sizeof BELOW / sizeof BELOW[0]; i++) {
        const uint64_t prime = ((uint64_t)2 << (BELOW[i][0] - 1)) - BELOW[i][1];
        CHECK_EQ_U64(rs_is_prime(prime), 1);
        for (uint64_t n = prime + 2; n > prime && n < prime + BELOW[i][1]; n += 2) CHECK_EQ_U64(rs_is_prime(n), 0);
    }
}
