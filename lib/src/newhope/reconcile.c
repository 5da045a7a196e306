// SPDX-License-Identifier: Apache-2.0
// Reconciliation by the lattice D4 (the paper, section 5 and algorithms 1 to 4). Coefficients i, 256 + i, 512 + i and 768 + i share bit i.
//
// All numbers are multiples of 1/(2q) or 1/(8q), so integers do. A quotient is a count of the multiples that a number reaches: no division.
#include "base/bytes.h"
#include "newhope/newhope.h"

enum { Q = RS_NEWHOPE_Q, GROUPS = RS_NEWHOPE_N / 4, KEY_BYTES = GROUPS / 8 };

// 1 if x >= bound, both below 2^31.
static inline uint32_t reaches(uint32_t x, uint32_t bound) {
    return 1 ^ ((x - bound) >> 31);
}

// |a - b|, both below 2^31.
static inline uint32_t distance(uint32_t a, uint32_t b) {
    const uint32_t difference = a - b;
    const uint32_t sign = 0 - (difference >> 31);
    return (difference ^ sign) - sign;
}

// The hints of a group, 2 bits each. x = (4/q)(v + coin/2) as a multiple of 1/(2q), below 8q. The nearest point of D4 is round(x), or
// g + round(x - g) = g + floor(x) with g = (1/2, 1/2, 1/2, 1/2), if round(x) is not within a norm of 1.
static void hints_of(uint32_t *hints, const uint32_t *v, uint32_t coin) {
    uint32_t rounded[4], floored[4], norm = 0;
    for (unsigned j = 0; j < 4; j++) {
        const uint32_t x = 8 * v[j] + 4 * coin;
        rounded[j] = reaches(x, Q) + reaches(x, 3 * Q) + reaches(x, 5 * Q) + reaches(x, 7 * Q);
        floored[j] = reaches(x, 2 * Q) + reaches(x, 4 * Q) + reaches(x, 6 * Q);
        norm += distance(x, 2 * Q * rounded[j]);
    }
    const uint32_t far = reaches(norm, 2 * Q);
    const uint32_t mask = (uint32_t)rs_opaque(0 - (uint64_t)far);
    for (unsigned j = 0; j < 4; j++) rounded[j] ^= (rounded[j] ^ floored[j]) & mask;
    // coordinates of the point in the basis (u0, u1, u2, g)
    for (unsigned j = 0; j < 3; j++) hints[j] = (rounded[j] - rounded[3]) & 3;
    hints[3] = (far + 2 * rounded[3]) & 3;
}

void rs_newhope_hints(uint8_t *hints, const uint64_t *v, const uint8_t *coins) {
    for (unsigned i = 0; i < RS_NEWHOPE_HINT_BYTES; i++) hints[i] = 0;
    for (unsigned i = 0; i < GROUPS; i++) {
        uint32_t group[4], r[4];
        for (unsigned j = 0; j < 4; j++) group[j] = (uint32_t)v[GROUPS * j + i];
        hints_of(r, group, coins[i / 8] >> i % 8 & 1);
        for (unsigned j = 0; j < 4; j++) hints[(GROUPS * j + i) / 4] |= (uint8_t)(r[j] << 2 * (i % 4));
    }
}

// The bit of a group: whether v/q less the hinted point, modulo Z^4, has a norm below 1. x is that difference plus 2, as a multiple of 1/(8q):
// 7q <= x < 24q, so the nearest integer is 1, 2 or 3. (Algorithm 1 of the paper returns the complement; the bit here is its reference
// implementation's.)
static uint32_t bit_of(const uint32_t *v, const uint32_t *hints) {
    uint32_t norm = 0;
    for (unsigned j = 0; j < 4; j++) {
        const uint32_t x = 16 * Q + 8 * v[j] - Q * ((j < 3 ? 2 * hints[j] : 0) + hints[3]);
        const uint32_t nearest = 1 + reaches(x, 12 * Q) + reaches(x, 20 * Q);
        norm += distance(x, 8 * Q * nearest);
    }
    return 1 ^ reaches(norm, 8 * Q);
}

void rs_newhope_reconcile(uint8_t *key, const uint64_t *v, const uint8_t *hints) {
    for (unsigned i = 0; i < KEY_BYTES; i++) key[i] = 0;
    for (unsigned i = 0; i < GROUPS; i++) {
        uint32_t group[4], r[4];
        for (unsigned j = 0; j < 4; j++) {
            group[j] = (uint32_t)v[GROUPS * j + i];
            r[j] = hints[(GROUPS * j + i) / 4] >> 2 * (i % 4) & 3;
        }
        key[i / 8] |= (uint8_t)(bit_of(group, r) << i % 8);
    }
}
