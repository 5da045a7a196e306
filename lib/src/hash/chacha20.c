// SPDX-License-Identifier: Apache-2.0
// ChaCha20 (RFC 8439, sections 2.1 to 2.4).
#include <ringside/golden/hash.h>
#include <string.h>

#include "base/bytes.h"

enum { WORDS = 16, DOUBLE_ROUNDS = 10, COUNTER = 12 };

static inline uint32_t rotated(uint32_t x, unsigned count) { return x << count | x >> (32 - count); }

static inline __attribute__((always_inline)) void quarter_round(uint32_t *x, unsigned a, unsigned b, unsigned c, unsigned d) {
    x[a] += x[b];
    x[d] = rotated(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotated(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotated(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotated(x[b] ^ x[c], 7);
}

static void block_of(uint8_t *out, const uint32_t *state) {
    uint32_t x[WORDS];
    memcpy(x, state, sizeof x);
    for (unsigned i = 0; i < DOUBLE_ROUNDS; i++) {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
    for (unsigned i = 0; i < WORDS; i++) rs_store32(out + 4 * i, x[i] + state[i]);
    rs_zeroize(x, sizeof x);
}

void rs_chacha20_stream(uint8_t *out, size_t bytes, const uint8_t *key, const uint8_t *nonce, uint32_t counter) {
    static const uint32_t CONSTANTS[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}; // "expand 32-byte k"
    uint32_t state[WORDS];
    memcpy(state, CONSTANTS, sizeof CONSTANTS);
    for (unsigned i = 0; i < 8; i++) state[4 + i] = rs_load32(key + 4 * i);
    state[COUNTER] = counter;
    for (unsigned i = 0; i < 3; i++) state[COUNTER + 1 + i] = rs_load32(nonce + 4 * i);
    for (; bytes >= RS_CHACHA20_BLOCK_BYTES; bytes -= RS_CHACHA20_BLOCK_BYTES) {
        block_of(out, state);
        state[COUNTER]++;
        out += RS_CHACHA20_BLOCK_BYTES;
    }
    if (bytes) {
        uint8_t last[RS_CHACHA20_BLOCK_BYTES];
        block_of(last, state);
        memcpy(out, last, bytes);
        rs_zeroize(last, sizeof last);
    }
    rs_zeroize(state, sizeof state);
}
