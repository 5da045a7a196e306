// SPDX-License-Identifier: Apache-2.0
// Reconciliation by the lattice D4 (the paper, section 5 and algorithms 1 to 4). Coefficients i, 256 + i, 512 + i and 768 + i share bit i.
//
// All numbers are multiples of 1/(2q) or 1/(8q), so integers do. A quotient is a count of the multiples that a number reaches: no division. HelpRec
// has a group's four numbers in the four 16-bit lanes of a word: bounds in comments are those that keep lanes apart.
#include "base/bytes.h"
#include "papers/newhope/newhope.h"

enum { Q = RS_NEWHOPE_Q, GROUPS = RS_NEWHOPE_N / 4, KEY_BYTES = GROUPS / 8 };

#define LANES(x) ((x) * UINT64_C(0x0001000100010001))

// 1 if x >= bound, both below 2^31.
static inline uint32_t reaches(uint32_t x, uint32_t bound) { return 1 ^ ((x - bound) >> 31); }

// In each lane 1 if x >= bound, x and bound at most 2^15.
static inline uint64_t each_reaches(uint64_t x, uint32_t bound) { return ((x | LANES(0x8000)) - LANES(bound)) >> 15 & LANES(1); }

// Distances of lanes below 2^15: the sum of |lane - centre|, below 2^16.
static inline uint32_t distances(uint64_t x, uint32_t centre) {
    const uint64_t above = (x | LANES(0x8000)) - LANES(centre); // 2^15 + difference
    const uint64_t less = LANES(1) - (above >> 15 & LANES(1)); // 1: it is negative
    const uint64_t size = (above ^ LANES(0x8000) ^ less * 0xffff) + less; // its two's complement, negated
    return (uint32_t)(LANES(size) >> 48);
}

// The hints of a group, 2 bits each, in the lanes of a word; so are v. y = 2 v + coin is half of a multiple x of 1/(2q): (4/q)(v + coin/2) = 4y / 2q.
// The nearest point of D4 is round(x), or g + round(x - g) = g + floor(x) with g = (1/2, 1/2, 1/2, 1/2), if round(x) is not within a norm of 1.
static inline uint64_t hints_of(uint64_t v, uint32_t coin) {
    const uint64_t y = 2 * v + LANES(coin); // below 2q < 2^15
    // 4y reaches q, 2q, 3q …
    const uint64_t rounded = each_reaches(y, (Q + 3) / 4) + each_reaches(y, (3 * Q + 3) / 4) + each_reaches(y, (5 * Q + 3) / 4) +
                             each_reaches(y, (7 * Q + 3) / 4);
    const uint64_t floored = each_reaches(y, (2 * Q + 3) / 4) + each_reaches(y, Q) + each_reaches(y, (6 * Q + 3) / 4);
    // |4y - 2q rounded| <= q, so half of it is at most q/2; 2y + q/2 and 4q are below 2^16
    const uint32_t far = reaches(distances(2 * y + LANES(Q / 2) - Q * rounded, Q / 2), Q);
    const uint64_t mask = rs_opaque(0 - (uint64_t)far);
    const uint64_t point = rounded ^ ((rounded ^ floored) & mask);
    // its coordinates in the basis (u0, u1, u2, g)
    const uint64_t last = point >> 48;
    return ((point + LANES(4) - LANES(last)) & (LANES(3) >> 16)) | ((far + 2 * last) & 3) << 48;
}

// The bit of a group: whether v/q less the hinted point, modulo Z^4, has a norm below 1. Of each number x + 4q, multiples of 1/(8q), is what is left modulo
// 8q: its distance from 4q is that of x from a multiple of 8q. (Algorithm 1 of the paper returns the complement; the bit here is its reference
// implementation's.)
static inline uint32_t bit_of(const uint32_t *v, const uint32_t *hints) {
    uint32_t norm = 0;
    for (unsigned j = 0; j < 4; j++) {
        uint32_t x = 12 * Q + 8 * v[j] - Q * ((j < 3 ? 2 * hints[j] : 0) + hints[3]); // 3q to 20q
        for (unsigned step = 0; step < 2; step++) {
            x -= 8 * Q;
            x += 8 * Q & (0 - (x >> 31));
        }
        const uint32_t difference = x - 4 * Q, sign = 0 - (difference >> 31);
        norm += (difference ^ sign) - sign;
    }
    return 1 ^ reaches(norm, 8 * Q);
}

// ---- of arrays -------------------------------------------------------------------------------------------------------------
// The coefficients of group i.
typedef void (*get_t)(uint32_t *group, const void *v, size_t i);

static inline void get_natural(uint32_t *group, const void *v, size_t i) {
    const uint64_t *words = v;
    for (unsigned j = 0; j < 4; j++) group[j] = (uint32_t)words[GROUPS * j + i];
}

static inline void get_reversed(uint32_t *group, const void *v, size_t i) {
    const uint8_t *four = (const uint8_t *)v + 4 * sizeof *group * rs_newhope_reversed8(i);
    const uint64_t even = rs_load64_aligned(four), odd = rs_load64_aligned(four + 8);
    group[0] = (uint32_t)even;
    group[1] = (uint32_t)odd;
    group[2] = (uint32_t)(even >> 32);
    group[3] = (uint32_t)(odd >> 32);
}

// Four groups are a byte of each quarter of the hints.
static inline void find_hints(uint8_t *hints, const void *v, get_t get, const uint8_t *coins) {
    for (size_t i = 0; i < GROUPS; i += 4) {
        uint64_t four = 0; // in lanes
        for (unsigned k = 0; k < 4; k++) {
            uint32_t c[4];
            get(c, v, i + k);
            const uint64_t lanes = c[0] | (uint64_t)c[1] << 16 | (uint64_t)c[2] << 32 | (uint64_t)c[3] << 48;
            four |= hints_of(lanes, coins[i / 8] >> (i + k) % 8 & 1) << 2 * k;
        }
        for (unsigned j = 0; j < 4; j++) hints[(GROUPS * j + i) / 4] = (uint8_t)(four >> 16 * j);
    }
}

static inline void find_key(uint8_t *key, const void *v, get_t get, const uint8_t *hints) {
    for (size_t i = 0; i < KEY_BYTES; i++) key[i] = 0;
    for (size_t i = 0; i < GROUPS; i += 4) {
        uint32_t four = 0; // bytes of hints, one of each quarter
        for (unsigned j = 0; j < 4; j++) four |= (uint32_t)hints[(GROUPS * j + i) / 4] << 8 * j;
        for (unsigned k = 0; k < 4; k++, four >>= 2) {
            const uint32_t r[4] = {four & 3, four >> 8 & 3, four >> 16 & 3, four >> 24 & 3};
            uint32_t c[4];
            get(c, v, i + k);
            key[i / 8] |= (uint8_t)(bit_of(c, r) << (i + k) % 8);
        }
    }
}

void rs_newhope_hints(uint8_t *hints, const uint64_t *v, const uint8_t *coins) { find_hints(hints, v, get_natural, coins); }

void rs_newhope_hints_core(uint8_t *hints, const uint8_t *v, const uint8_t *coins) { find_hints(hints, v, get_reversed, coins); }

void rs_newhope_reconcile(uint8_t *key, const uint64_t *v, const uint8_t *hints) { find_key(key, v, get_natural, hints); }

void rs_newhope_reconcile_core(uint8_t *key, const uint8_t *v, const uint8_t *hints) { find_key(key, v, get_reversed, hints); }
