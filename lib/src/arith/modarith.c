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
    m->ratio64 = (uint64_t)(((rs_u128)1 << 64) / q);
    m->ratio = (uint64_t)(((rs_u128)1 << (62 + m->bits)) / q);
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

uint64_t rs_inverse_mod(uint64_t a, const rs_modulus_t *m) {
    return rs_pow_mod(a, m->q - 2, m);
}

// The first twelve primes decide every n < 3.3e24 (Sorenson, Webster 2015).
int rs_is_prime(uint64_t n) {
    static const uint64_t BASES[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const unsigned count = sizeof BASES / sizeof BASES[0];
    if (n < 2) return 0;
    for (unsigned i = 0; i < count; i++) {
        if (n % BASES[i] == 0) return n == BASES[i];
    }
    uint64_t odd = n - 1;
    unsigned twos = 0;
    while (!(odd & 1)) {
        odd >>= 1;
        twos++;
    }
    for (unsigned i = 0; i < count; i++) {
        rs_u128 x = 1;
        rs_u128 base = BASES[i];
        for (uint64_t e = odd; e; e >>= 1) {
            if (e & 1) x = x * base % n;
            base = base * base % n;
        }
        int witness = x != 1 && x != n - 1;
        for (unsigned k = 1; witness && k < twos; k++) {
            x = x * x % n;
            if (x == n - 1) witness = 0;
        }
        if (witness) return 0;
    }
    return 1;
}
