// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on two states at once, by the instructions of FEAT_SHA3.
#include "arm/arm.h"

#ifdef RS_ARM
#include <arm_neon.h>

#ifdef __clang__
#define TARGET __attribute__((target("sha3")))
#else
#define TARGET __attribute__((target("arch=armv8.2-a+sha3")))
#endif
#define ADD(a, b) vaddq_u64(a, b)
#define XOR3(a, b, c) veor3q_u64(a, b, c)
#define CHI(i, a, b, c) vbcaxq_u64(a, c, b)
#define KEPT(i, x) (x)
#define ROTATE_XOR(x, y, n) vxarq_u64(x, y, (64 - (n)) % 64)
#define XOR_ROTATE1(x, y) vrax1q_u64(x, y)
#define CONSTANT(word) vdupq_n_u64(word)
#define COUNT vcombine_u64(vcreate_u64(0), vcreate_u64(1))
typedef uint64x2_t lane_t;
#include "hash/keccak_rounds.h"

enum { WAYS = 2 };

TARGET static void keccak(uint64_t *states) {
    keccak_rounds((lane_t *)(void *)states);
}

TARGET static void start(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start((lane_t *)(void *)states, seed, counter);
}

static void squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    for (unsigned i = 0; i < RATE_LANES; i++) {
        const uint64x2_t lane = vld1q_u64(states + WAYS * i);
        rs_store64(out + 8 * i, vgetq_lane_u64(lane, 0));
        rs_store64(out + stride + 8 * i, vgetq_lane_u64(lane, 1));
    }
}

const rs_hash_t RS_HASH_SHA3 = {
    .ways = WAYS,
    .keccak = keccak,
    .keccak_start = start,
    .keccak_squeeze = squeeze,
    .blake2_ways = 1,
    .blake2_leaves = rs_blake2_leaves,
};

const rs_samplers_t RS_SAMPLERS_SHA3 = {
    .hash = &RS_HASH_SHA3,
    .cbd21 = rs_cbd21,
    .ternary = rs_ternary,
    .uniform = rs_uniform,
};
#endif
