// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] and SHAKE256 (FIPS 202).
#include <ringside/xof.h>
#include <string.h>

#include "bytes.h"

static inline uint64_t rotl(uint64_t x, unsigned n) {
    return n ? (x << n) | (x >> (64 - n)) : x;
}

// iota: round constants, FIPS 202 section 3.2.5 (the LFSR's output, checked against its definition in lib/tests/test_xof.c).
static const uint64_t IOTA[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

// One round from a to e. Lane (x, y) is a[x + 5y]; pi moves it to (y, 2x + 3y), rho rotates it; the tables of both are written out
// row by row: ROW(y, source lanes of the new row with their rotations).
#define ROW(y, s0, r0, s1, r1, s2, r2, s3, r3, s4, r4)   \
    do {                                                 \
        const uint64_t b0 = rotl(a[s0] ^ d[s0 % 5], r0); \
        const uint64_t b1 = rotl(a[s1] ^ d[s1 % 5], r1); \
        const uint64_t b2 = rotl(a[s2] ^ d[s2 % 5], r2); \
        const uint64_t b3 = rotl(a[s3] ^ d[s3 % 5], r3); \
        const uint64_t b4 = rotl(a[s4] ^ d[s4 % 5], r4); \
        e[5 * (y) + 0] = b0 ^ (~b1 & b2);                \
        e[5 * (y) + 1] = b1 ^ (~b2 & b3);                \
        e[5 * (y) + 2] = b2 ^ (~b3 & b4);                \
        e[5 * (y) + 3] = b3 ^ (~b4 & b0);                \
        e[5 * (y) + 4] = b4 ^ (~b0 & b1);                \
    } while (0)

static inline __attribute__((always_inline)) void keccak_round(uint64_t *e, const uint64_t *a, uint64_t iota) {
    uint64_t c[5];
    uint64_t d[5];
    for (unsigned x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (unsigned x = 0; x < 5; x++) d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
    ROW(0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);
    ROW(1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);
    ROW(2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);
    ROW(3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);
    ROW(4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);
    e[0] ^= iota;
}

// scratch: 25 lanes, left with an intermediate state.
static void permute(uint64_t *state, uint64_t *scratch) {
    for (unsigned round = 0; round < 24; round += 2) {
        keccak_round(scratch, state, IOTA[round]);
        keccak_round(state, scratch, IOTA[round + 1]);
    }
}

void rs_keccak_f1600(uint64_t *state) {
    uint64_t scratch[25];
    permute(state, scratch);
    rs_zeroize(scratch, sizeof scratch);
}

void rs_shake256(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
    uint64_t state[25] = {0};
    uint64_t scratch[25];
    uint8_t block[RS_SHAKE256_RATE_BYTES];
    for (;;) {
        const size_t take = in_bytes < sizeof block ? in_bytes : sizeof block;
        memset(block, 0, sizeof block);
        if (take) memcpy(block, in, take);
        if (take < sizeof block) {
            block[take] ^= 0x1f; // SHAKE's domain bits and the first bit of pad10*1
            block[sizeof block - 1] ^= 0x80;
        }
        for (unsigned i = 0; i < sizeof block / 8; i++) state[i] ^= rs_load64(block + 8 * i);
        permute(state, scratch);
        if (take < sizeof block) break;
        in += take;
        in_bytes -= take;
    }
    for (;;) {
        const size_t take = out_bytes < sizeof block ? out_bytes : sizeof block;
        for (unsigned i = 0; i < sizeof block / 8; i++) rs_store64(block + 8 * i, state[i]);
        if (take) memcpy(out, block, take);
        out += take;
        out_bytes -= take;
        if (!out_bytes) break;
        permute(state, scratch);
    }
    rs_zeroize(state, sizeof state);
    rs_zeroize(scratch, sizeof scratch);
    rs_zeroize(block, sizeof block);
}
