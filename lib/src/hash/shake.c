// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] and SHAKE256 (FIPS 202).
#include <string.h>

#include "hash/hash.h"

#define TARGET
#define ADD(a, b) ((a) + (b))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define CHI(a, b, c) ((a) ^ (~(b) & (c)))
#define ROTATE(x, n) ((n) ? (x) << (n) | (x) >> ((64 - (n)) % 64) : (x))
#define CONSTANT(word) (word)
#define COUNT 0
typedef uint64_t lane_t;
#include "hash/keccak_rounds.h"

void rs_keccak_f1600(uint64_t *state) {
    keccak_rounds(state);
}

void rs_keccak_start(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start(states, seed, counter);
}

void rs_keccak_squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    (void)stride;
    for (unsigned i = 0; i < RATE_LANES; i++) rs_store64(out + 8 * i, states[i]);
}

void rs_shake256(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
    uint64_t state[25] = {0};
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
        rs_keccak_f1600(state);
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
        rs_keccak_f1600(state);
    }
    rs_zeroize(state, sizeof state);
    rs_zeroize(block, sizeof block);
}
