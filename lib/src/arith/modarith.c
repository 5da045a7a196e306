// SPDX-License-Identifier: Apache-2.0
#include "arith/modarith.h"

static uint32_t bit_count(uint64_t x) {
    uint32_t bits = 0;
    for (; x; x >>= 1) bits++;
    return bits;
}

void rs_modulus_init(rs_modulus_t *m, uint64_t q) {
    m->q = q;
    m->bits = bit_count(q);
    m->shift = m->bits - 2;
    m->ratio64 = rs_wide_low(rs_wide_divide(rs_wide(1, 0), q));
    m->ratio = rs_wide_low(rs_wide_divide(rs_wide((uint64_t)1 << m->shift, 0), q)); // 2^(62 + bits) / q
    m->lift_offset = q * ((((uint64_t)1 << 62) + q - 1) / q);
}

uint64_t rs_pow_mod(uint64_t base, uint64_t exponent, const rs_modulus_t *m) {
    uint64_t result = 1;
    base = rs_reduce(base, m);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = rs_mul_mod(result, base, m);
        base = rs_mul_mod(base, base, m);
    }
    return result;
}

uint64_t rs_inverse_mod(uint64_t a, const rs_modulus_t *m) { return rs_pow_mod(a, m->q - 2, m); }

// a b / 2^64 mod n, n odd, a b < 2^64 n (Montgomery 1985). negative_inverse: -1 / n mod 2^64. The two products agree in their low words
// but for the sign, so that their sum carries unless both are 0; it is below 2^65 n.
static uint64_t montgomery(uint64_t a, uint64_t b, uint64_t n, uint64_t negative_inverse) {
    const rs_wide_t p = rs_wide_mul(a, b);
    const uint64_t high = rs_mulhi(rs_wide_low(p) * negative_inverse, n) + (rs_wide_low(p) != 0);
    const uint64_t sum = rs_wide_high(p) + high;
    return sum < high || sum >= n ? sum - n : sum;
}

// The first twelve primes decide every n < 3.3e24 (Sorenson, Webster 2015).
int rs_is_prime(uint64_t n) {
    static const uint64_t BASES[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const unsigned count = sizeof BASES / sizeof BASES[0];
    if (n < 2) return 0;
    for (unsigned i = 0; i < count; i++) {
        if (n % BASES[i] == 0) return n == BASES[i];
    }
    // numbers times 2^64 mod n from here on: 1, 2^64 (by doubling), and -1/n by Newton's iteration, which doubles the right bits
    const uint64_t one = (0 - n) % n;
    uint64_t square = one;
    for (unsigned k = 0; k < 64; k++) square = square >= n - square ? square - (n - square) : square + square;
    uint64_t inverse = n; // 3 bits
    for (unsigned k = 0; k < 5; k++) inverse *= 2 - n * inverse;
    const uint64_t negative_inverse = 0 - inverse;
    uint64_t odd = n - 1;
    unsigned twos = 0;
    while (!(odd & 1)) {
        odd >>= 1;
        twos++;
    }
    for (unsigned i = 0; i < count; i++) {
        uint64_t x = one;
        uint64_t base = montgomery(BASES[i], square, n, negative_inverse);
        for (uint64_t e = odd; e; e >>= 1) {
            if (e & 1) x = montgomery(x, base, n, negative_inverse);
            base = montgomery(base, base, n, negative_inverse);
        }
        int witness = x != one && x != n - one;
        for (unsigned k = 1; witness && k < twos; k++) {
            x = montgomery(x, x, n, negative_inverse);
            if (x == n - one) witness = 0;
        }
        if (witness) return 0;
    }
    return 1;
}
