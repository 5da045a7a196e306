// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202) in words of 32 bits: a lane is kept as the word of its even bits and the word of its odd bits, so that a rotation
// of 64 bits is two of 32 (Bertoni et al., "Keccak implementation overview", 2012, section 2.1). For processors of 32 bits with rotations.
//
// Rows are replaced in place, as in keccak_rounds.h: AT(i, lane) is where a lane is found before round i of four. A rotation by an odd number
// exchanges the two words of a lane. They are not moved; HALF(i, lane) says which of them has the even bits then. After four rounds both
// are as before. Branch-free: the states may be secret.
#include "base/bytes.h"
#include "hash/hash.h"

#define INLINE static inline __attribute__((always_inline))

// iota's constants (keccak_rounds.h): even bits, odd bits.
static const uint32_t IOTA[24][2] = {
    {0x00000001, 0x00000000}, {0x00000000, 0x00000089}, {0x00000000, 0x8000008b}, {0x00000000, 0x80008080},
    {0x00000001, 0x0000008b}, {0x00000001, 0x00008000}, {0x00000001, 0x80008088}, {0x00000001, 0x80000082},
    {0x00000000, 0x0000000b}, {0x00000000, 0x0000000a}, {0x00000001, 0x00008082}, {0x00000000, 0x00008003},
    {0x00000001, 0x0000808b}, {0x00000001, 0x8000000b}, {0x00000001, 0x8000008a}, {0x00000001, 0x80000081},
    {0x00000000, 0x80000081}, {0x00000000, 0x80000008}, {0x00000000, 0x00000083}, {0x00000000, 0x80008003},
    {0x00000001, 0x80008088}, {0x00000000, 0x80000088}, {0x00000001, 0x00008000}, {0x00000000, 0x80008082},
};

#define AT(i, lane) ((lane) % 5 + 5 * ((((1u << (i)) - 1) * ((lane) % 5) + (1u << (i)) * ((lane) / 5)) % 5))
// Bit `lane`: the parity of all rotations in earlier rounds at the place where the lane is.
#define EXCHANGED(i) ((i) == 0 ? 0u : (i) == 1 ? 0x19a28ecu : (i) == 2 ? 0x1ddddfeu : 0x047f512u)
#define HALF(i, lane) (EXCHANGED(i) >> (lane) & 1)
// The even (h = 0) or odd bits of a lane.
#define WORD(i, lane, h) a[2 * AT(i, lane) + (HALF(i, lane) ^ (h))]

INLINE uint32_t rotate(uint32_t x, unsigned n) { return n ? x << n | x >> (32 - n) : x; }

// Word h of source lane s rotated by n: of a rotation by an odd number it is the other word, which moves one further if it becomes the even one.
#define SOURCE(s, n, h) \
    rotate(WORD(i, s, (h) ^ ((n) & 1)) ^ d[2 * ((s) % 5) + ((h) ^ ((n) & 1))], ((n) + ((h) ? 0 : (n) & 1)) / 2 % 32)
// The place that new word k of a row goes to is one whose word has just been read.
#define PUT(k, y, h) a[2 * AT((i) + 1, 5 * (y) + (k)) + (HALF(((i) + 1) % 4, 5 * (y) + (k)) ^ (h))]
#define HALF_ROW(y, h, s0, r0, s1, r1, s2, r2, s3, r3, s4, r4) \
    do {                                                       \
        const uint32_t b0 = SOURCE(s0, r0, h);                 \
        const uint32_t b1 = SOURCE(s1, r1, h);                 \
        const uint32_t b2 = SOURCE(s2, r2, h);                 \
        const uint32_t b3 = SOURCE(s3, r3, h);                 \
        const uint32_t b4 = SOURCE(s4, r4, h);                 \
        PUT(0, y, h) = b0 ^ (~b1 & b2);                        \
        PUT(1, y, h) = b1 ^ (~b2 & b3);                        \
        PUT(2, y, h) = b2 ^ (~b3 & b4);                        \
        PUT(3, y, h) = b3 ^ (~b4 & b0);                        \
        PUT(4, y, h) = b4 ^ (~b0 & b1);                        \
    } while (0)
#define ROW(y, ...)                  \
    do {                             \
        HALF_ROW(y, 0, __VA_ARGS__); \
        HALF_ROW(y, 1, __VA_ARGS__); \
    } while (0)

INLINE uint32_t column(const uint32_t *a, unsigned i, unsigned x, unsigned h) {
    return WORD(i, x, h) ^ WORD(i, x + 5, h) ^ WORD(i, x + 10, h) ^ WORD(i, x + 15, h) ^ WORD(i, x + 20, h);
}

INLINE void round_of(uint32_t *a, unsigned i, const uint32_t *iota) {
    uint32_t d[10];
    {
        uint32_t c[10];
#pragma GCC unroll 10
        for (unsigned k = 0; k < 10; k++) c[k] = column(a, i, k / 2, k & 1);
#pragma GCC unroll 5
        for (unsigned x = 0; x < 5; x++) {
            const unsigned left = (x + 4) % 5, right = (x + 1) % 5;
            d[2 * x] = c[2 * left] ^ rotate(c[2 * right + 1], 1);
            d[2 * x + 1] = c[2 * left + 1] ^ c[2 * right];
        }
    }
    ROW(0, 0, 0, 6, 44, 12, 43, 18, 21, 24, 14);
    ROW(1, 3, 28, 9, 20, 10, 3, 16, 45, 22, 61);
    ROW(2, 1, 1, 7, 6, 13, 25, 19, 8, 20, 18);
    ROW(3, 4, 27, 5, 36, 11, 10, 17, 15, 23, 56);
    ROW(4, 2, 62, 8, 55, 14, 39, 15, 41, 21, 2);
    a[HALF((i + 1) % 4, 0)] ^= iota[0];
    a[HALF((i + 1) % 4, 0) ^ 1] ^= iota[1];
}

static void permute(uint64_t *state) {
    uint32_t *a = (uint32_t *)(void *)state;
    for (unsigned round = 0; round < 24; round += 4) {
        round_of(a, 0, IOTA[round]);
        round_of(a, 1, IOTA[round + 1]);
        round_of(a, 2, IOTA[round + 2]);
        round_of(a, 3, IOTA[round + 3]);
    }
}

// ---- in and out: even bits to the low half, odd bits to the high half, by exchanging pairs of neighbouring groups -------------------------
INLINE uint32_t exchange(uint32_t x, unsigned shift, uint32_t mask) {
    const uint32_t t = (x ^ x >> shift) & mask;
    return x ^ t ^ t << shift;
}

INLINE uint32_t gather(uint32_t x) {
    x = exchange(x, 1, 0x22222222);
    x = exchange(x, 2, 0x0c0c0c0c);
    x = exchange(x, 4, 0x00f000f0);
    return exchange(x, 8, 0x0000ff00);
}

INLINE uint32_t scatter(uint32_t x) {
    x = exchange(x, 8, 0x0000ff00);
    x = exchange(x, 4, 0x00f000f0);
    x = exchange(x, 2, 0x0c0c0c0c);
    return exchange(x, 1, 0x22222222);
}

static void put_lane(uint32_t *a, uint64_t lane) {
    const uint32_t low = gather((uint32_t)lane), high = gather((uint32_t)(lane >> 32));
    a[0] = (low & 0xffff) | high << 16;
    a[1] = low >> 16 | (high & 0xffff0000);
}

INLINE uint64_t lane_of(const uint32_t *a) {
    const uint32_t low = scatter((a[0] & 0xffff) | a[1] << 16), high = scatter(a[0] >> 16 | (a[1] & 0xffff0000));
    return (uint64_t)high << 32 | low;
}

static void start(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    uint32_t *a = (uint32_t *)(void *)states;
    memset(states, 0, 25 * sizeof *states);
    for (unsigned i = 0; i < RS_SEED_BYTES / 8; i++) put_lane(a + 2 * i, rs_load64(seed + 8 * i));
    put_lane(a + RS_SEED_BYTES / 4, counter);
    put_lane(a + RS_SEED_BYTES / 4 + 2, 0x1f); // SHAKE's domain bits and the first bit of pad10*1
    put_lane(a + RS_SHAKE256_RATE_BYTES / 4 - 2, (uint64_t)0x80 << 56);
}

static void squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    const uint32_t *a = (const uint32_t *)(const void *)states;
    (void)stride;
    for (unsigned i = 0; i < RS_SHAKE256_RATE_BYTES / 8; i++) rs_store64(out + 8 * i, lane_of(a + 2 * i));
}

const rs_hash_t RS_HASH_INTERLEAVED = {
    .ways = 1,
    .keccak = permute,
    .keccak_start = start,
    .keccak_squeeze = squeeze,
    .blake2_ways = 1,
    .blake2_leaves = rs_blake2_leaves,
};
