// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202) on one state or, with vectors for lanes, on several at once. Included once per file, after
//   lane_t            one lane of every state
//   ADD(a, b)         a + b modulo 2^64
//   XOR3(a, b, c)     a ^ b ^ c
//   CHI(i, a, b, c)   a ^ (~b & c), the new lane i
//   KEPT(i, x)        lane i as it is kept during the permutation: x, or ~x if CHI takes it so
//   ROTATE(x, n)      left by the constant n, 0 to 63
//   CONSTANT(word)    the word in every state
// and, where there are instructions for these, in place of ROTATE
//   ROTATE_XOR(x, y, n)   x ^ y, rotated left by the constant n
//   XOR_ROTATE1(x, y)     x ^ (y rotated left by 1)
//   COUNT             0, 1, 2 … : the number of each state
//   TARGET            attribute of functions that use them
// Branch-free: the states may be secret.
#include "base/bytes.h"

// iota: round constants, FIPS 202 section 3.2.5 (the LFSR's output, checked against its definition in lib/tests/test_xof.c).
static const uint64_t IOTA[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

// Lane (x, y) is a[x + 5y]; pi moves it to (y, 2x + 3y), rho rotates it. A round replaces the five lanes that a new row is made of by
// that row, so that all lanes can stay in registers: before round i lane (x, y) is found at (x, (2^i - 1)x + 2^i y), which is (x, y)
// again after four rounds (Bertoni et al., "Keccak implementation overview", 2012, section 2.5).
#define AT(i, lane) ((lane) % 5 + 5 * ((((1u << (i)) - 1) * ((lane) % 5) + (1u << (i)) * ((lane) / 5)) % 5))

// The tables of pi and rho are written out row by row: ROW(y, source lanes of the new row with their rotations). Lanes go from their places before
// round i into those before round j.
#ifndef ROTATE_XOR
#define ROTATE_XOR(x, y, n) ROTATE((x ^ y), n)
#define XOR_ROTATE1(x, y) (x ^ ROTATE(y, 1))
#endif
#define SOURCE(s, n) ROTATE_XOR(a[AT(i, s)], d[(s) % 5], n)
#define ROW(y, s0, r0, s1, r1, s2, r2, s3, r3, s4, r4)         \
    do {                                                       \
        const lane_t b0 = SOURCE(s0, r0);                      \
        const lane_t b1 = SOURCE(s1, r1);                      \
        const lane_t b2 = SOURCE(s2, r2);                      \
        const lane_t b3 = SOURCE(s3, r3);                      \
        const lane_t b4 = SOURCE(s4, r4);                      \
        to[AT(j, 5 * (y) + 0)] = CHI(5 * (y) + 0, b0, b1, b2); \
        to[AT(j, 5 * (y) + 1)] = CHI(5 * (y) + 1, b1, b2, b3); \
        to[AT(j, 5 * (y) + 2)] = CHI(5 * (y) + 2, b2, b3, b4); \
        to[AT(j, 5 * (y) + 3)] = CHI(5 * (y) + 3, b3, b4, b0); \
        to[AT(j, 5 * (y) + 4)] = CHI(5 * (y) + 4, b4, b0, b1); \
    } while (0)

TARGET static inline
    __attribute__((always_inline)) void keccak_round(lane_t *to, const lane_t *a, unsigned i, unsigned j, uint64_t iota) {
    lane_t c[5];
    lane_t d[5];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) c[x] = XOR3(XOR3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20]);
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) d[x] = XOR_ROTATE1(c[(x + 4) % 5], c[(x + 1) % 5]);
    ROW(0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);
    ROW(1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);
    ROW(2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);
    ROW(3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);
    ROW(4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);
    to[0] ^= CONSTANT(iota);
}

TARGET static inline __attribute__((always_inline)) void keccak_rounds(lane_t *state) {
    lane_t a[25]; // its address is never taken, so that it stays in registers, as far as there are enough
#pragma GCC unroll 25
    for (unsigned i = 0; i < 25; i++) a[i] = KEPT(i, state[i]);
#ifdef __wasm__ // engines keep more of one round's lanes in registers than of four rounds'
#pragma GCC unroll 1
    for (unsigned round = 0; round < 24; round++) {
        lane_t next[25];
        keccak_round(next, a, 0, 0, IOTA[round]);
#pragma GCC unroll 25
        for (unsigned i = 0; i < 25; i++) a[i] = next[i];
    }
#else
    for (unsigned round = 0; round < 24; round += 4) {
        keccak_round(a, a, 0, 1, IOTA[round]);
        keccak_round(a, a, 1, 2, IOTA[round + 1]);
        keccak_round(a, a, 2, 3, IOTA[round + 2]);
        keccak_round(a, a, 3, 4, IOTA[round + 3]);
    }
#endif
#pragma GCC unroll 25
    for (unsigned i = 0; i < 25; i++) state[i] = KEPT(i, a[i]);
}

enum { SEED_LANES = RS_SEED_BYTES / 8, RATE_LANES = RS_SHAKE256_RATE_BYTES / 8 };

// State w is SHAKE256's after it has absorbed its one block, made of seed || LE64(counter + w).
TARGET static inline __attribute__((always_inline)) void keccak_start(lane_t *state, const uint8_t *seed, uint64_t counter) {
    if (rs_is_aligned(seed)) {
        for (unsigned i = 0; i < SEED_LANES; i++) state[i] = CONSTANT(rs_load64_aligned(seed + 8 * i));
    } else {
        for (unsigned i = 0; i < SEED_LANES; i++) state[i] = CONSTANT(rs_load64(seed + 8 * i));
    }
    for (unsigned i = SEED_LANES; i < 25; i++) state[i] = CONSTANT(0);
    state[SEED_LANES] = ADD(CONSTANT(counter), COUNT);
    state[SEED_LANES + 1] = CONSTANT(0x1f); // SHAKE's domain bits and the first bit of pad10*1
    state[RATE_LANES - 1] = CONSTANT((uint64_t)0x80 << 56);
}
