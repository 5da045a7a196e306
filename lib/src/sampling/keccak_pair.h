// SPDX-License-Identifier: Apache-2.0
// A back end's tables where vectors have two lanes of 64 bits. Included once per file, after what keccak_rounds.h asks for and
//   LANE(x, i)   word i of a vector
//   HASH, SAMPLERS   the names of the tables
#include "hash/keccak_rounds.h"
#include "sampling/samplers.h"

enum { WAYS = 2 };

TARGET static void keccak(uint64_t *states) { keccak_rounds((lane_t *)(void *)states); }

TARGET static void start(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start((lane_t *)(void *)states, seed, counter);
}

TARGET static void squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    for (unsigned i = 0; i < RATE_LANES; i++) {
        const lane_t lane = ((const lane_t *)(const void *)states)[i];
        rs_store64(out + 8 * i, LANE(lane, 0));
        rs_store64(out + stride + 8 * i, LANE(lane, 1));
    }
}

const rs_hash_t HASH = {
    .ways = WAYS,
    .keccak = keccak,
    .keccak_start = start,
    .keccak_squeeze = squeeze,
    .blake2_ways = 1,
    .blake2_leaves = rs_blake2_leaves,
};

const rs_samplers_t SAMPLERS = {
    .hash = &HASH,
    .cbd21 = rs_cbd21,
    .ternary = rs_ternary,
    .uniform = rs_uniform,
};
