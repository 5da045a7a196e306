// SPDX-License-Identifier: Apache-2.0
// The rounds of BLAKE2b (RFC 7693) on one state or, with vectors for lanes, on several at once. Included once per file, after
//   lane_t            one word of every state
//   ADD(a, b)         a + b modulo 2^64
//   ROTR(x, n)        right by the constant n: 32, 24, 16 or 63
//   CONSTANT(word)    the word in every state
//   COUNT             0, 1, 2 … : the number of each state
//   SETS              the number of lane_t that are computed side by side
//   TARGET            attribute of functions that use them
// The only branches depend on the number of words of the message, which is public.
#include "base/bytes.h"

// RFC 7693 section 2.6: fractional parts of the square roots of the first eight primes.
static const uint64_t IV[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

// RFC 7693 section 2.7; rounds 10 and 11 repeat 0 and 1.
static const uint8_t SIGMA[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

// A round has 1 KiB of code, and there are two places with twelve.
#ifdef __OPTIMIZE_SIZE__
#define BLAKE2_UNROLL _Pragma("GCC unroll 1")
#else
#define BLAKE2_UNROLL _Pragma("GCC unroll 12")
#endif

// Half of the mixing function G: message word s is added if there is one, first, because b comes last.
#define HALF_MIX(a, b, c, d, s, r0, r1)                  \
    do {                                                 \
        if ((s) < words) (a) = ADD(a, CONSTANT(m[(s)])); \
        (a) = ADD(a, b);                                 \
        (d) = ROTR((d) ^ (a), r0);                       \
        (c) = ADD(c, d);                                 \
        (b) = ROTR((b) ^ (c), r1);                       \
    } while (0)
#define MIX(a, b, c, d, s0, s1)           \
    do {                                  \
        HALF_MIX(a, b, c, d, s0, 32, 24); \
        HALF_MIX(a, b, c, d, s1, 16, 63); \
    } while (0)

// The chaining values h of SETS vectors of states after the compression of a message block that all share: its first `words` words
// are m, the others 0. A single set would wait for its own results half of the time.
TARGET static inline __attribute__((always_inline)) void blake2_rounds(lane_t (*h)[8], const uint64_t *m, unsigned words,
                                                                       uint64_t total_bytes, int last) {
    lane_t v[SETS][16];
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < 8; i++) v[set][i] = h[set][i];
        for (unsigned i = 0; i < 8; i++) v[set][i + 8] = CONSTANT(IV[i]);
        v[set][12] = CONSTANT(IV[4] ^ total_bytes);
        if (last) v[set][14] = CONSTANT(~IV[6]);
    }
    BLAKE2_UNROLL
    for (unsigned round = 0; round < 12; round++) {
        const uint8_t *s = SIGMA[round < 10 ? round : round - 10];
#pragma GCC unroll 2
        for (unsigned set = 0; set < SETS; set++) {
            lane_t *x = v[set];
            MIX(x[0], x[4], x[8], x[12], s[0], s[1]);
            MIX(x[1], x[5], x[9], x[13], s[2], s[3]);
            MIX(x[2], x[6], x[10], x[14], s[4], s[5]);
            MIX(x[3], x[7], x[11], x[15], s[6], s[7]);
        }
#pragma GCC unroll 2
        for (unsigned set = 0; set < SETS; set++) {
            lane_t *x = v[set];
            MIX(x[0], x[5], x[10], x[15], s[8], s[9]);
            MIX(x[1], x[6], x[11], x[12], s[10], s[11]);
            MIX(x[2], x[7], x[8], x[13], s[12], s[13]);
            MIX(x[3], x[4], x[9], x[14], s[14], s[15]);
        }
    }
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < 8; i++) h[set][i] ^= v[set][i] ^ v[set][i + 8];
    }
}

enum { LEAF_WORDS = 8 };

// The digests of as many leaves of BLAKE2Xb as there are states, numbered from the node offset of params on (blake2.c).
TARGET static inline __attribute__((always_inline)) void blake2_leaves(lane_t (*h)[LEAF_WORDS], const uint64_t *root,
                                                                       const uint64_t *params) {
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < LEAF_WORDS; i++) h[set][i] = CONSTANT(IV[i] ^ params[i]);
        h[set][1] = CONSTANT(IV[1]) ^ ADD(CONSTANT(params[1] + set * (sizeof(lane_t) / sizeof(uint64_t))), COUNT);
    }
    blake2_rounds(h, root, LEAF_WORDS, 8 * LEAF_WORDS, 1);
}
