// SPDX-License-Identifier: Apache-2.0
// The public polynomial, the noise, and polynomials as bytes.
#include <ringside/chacha20.h>

#include "base/bytes.h"
#include "newhope/newhope.h"

enum { Q = RS_NEWHOPE_Q, N = RS_NEWHOPE_N, SHAKE128_RATE_BYTES = 168 };

// x below 2q < 2^32 -> [0, q)
static inline uint32_t reduced(uint32_t x) {
    const uint32_t y = x - Q;
    return y + (Q & (0 - (y >> 31)));
}

void rs_newhope_parse(uint64_t *a, const uint8_t *seed, rs_newhope_parse_t parse) {
    const uint32_t mask = parse == RS_NEWHOPE_PARSE_USENIX ? 0x3fff : 0xffff;
    const uint32_t limit = parse == RS_NEWHOPE_PARSE_USENIX ? Q : 5 * Q;
    uint8_t block[SHAKE128_RATE_BYTES];
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE128);
    rs_sponge_absorb(&sponge, seed, RS_NEWHOPE_SEED_BYTES);
    size_t reversed = 0;
    for (size_t i = 0, at = sizeof block; i < N;) {
        if (at == sizeof block) {
            rs_sponge_squeeze(&sponge, block, sizeof block);
            at = 0;
        }
        const uint32_t word = (block[at] | (uint32_t)block[at + 1] << 8) & mask;
        at += 2;
        if (word >= limit) continue;
        // floor(5 word / 2^16) is floor(word / q) or one less, because word < 5q and 5q < 2^16
        a[reversed] = reduced(word - (5 * word >> 16) * Q);
        reversed = rs_next_reversed(reversed, i++, N);
    }
}

static void stream(uint8_t *out, size_t bytes, const uint8_t *noise_seed, rs_newhope_noise_t number, uint32_t block) {
    uint8_t nonce[RS_CHACHA20_NONCE_BYTES] = {0};
    nonce[number == RS_NEWHOPE_COINS ? RS_CHACHA20_NONCE_BYTES - 1 : RS_CHACHA20_NONCE_BYTES - 8] = (uint8_t)number;
    rs_chacha20_stream(out, bytes, noise_seed, nonce, block);
}

// The weights of the four bytes of x.
static inline uint32_t weigh_bytes(uint32_t x) {
    x = x - ((x >> 1) & 0x55555555);
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
    return (x + (x >> 4)) & 0x0f0f0f0f;
}

// A value is the weight of two bytes less that of the next two.
void rs_newhope_noise(uint64_t *coef, const uint8_t *noise_seed, rs_newhope_noise_t number) {
    enum { VALUE_BYTES = 4, BLOCKS = 4, VALUES = BLOCKS * RS_CHACHA20_BLOCK_BYTES / VALUE_BYTES };
    uint8_t bytes[BLOCKS * RS_CHACHA20_BLOCK_BYTES];
    size_t reversed = 0;
    for (size_t i = 0; i < N;) {
        stream(bytes, sizeof bytes, noise_seed, number, (uint32_t)(i / VALUES * BLOCKS));
        for (unsigned k = 0; k < VALUES; k++) {
            const uint32_t weights = weigh_bytes(rs_load32(bytes + VALUE_BYTES * k));
            const uint32_t pairs = weights + (weights >> 8);
            const uint32_t value = (pairs & 0xff) - (pairs >> 16 & 0xff);
            coef[reversed] = value + (Q & (0 - (value >> 31)));
            reversed = rs_next_reversed(reversed, i++, N);
        }
    }
    rs_zeroize(bytes, sizeof bytes);
}

void rs_newhope_coins(uint8_t *coins, const uint8_t *noise_seed) {
    stream(coins, RS_NEWHOPE_COIN_BYTES, noise_seed, RS_NEWHOPE_COINS, 0);
}

void rs_newhope_pack(uint8_t *out, const uint64_t *ntt) {
    size_t reversed = 0;
    for (size_t i = 0; i < N; out += 7) {
        uint64_t four = 0;
        for (unsigned k = 0; k < 4; k++) {
            four |= ntt[reversed] << 14 * k;
            reversed = rs_next_reversed(reversed, i++, N);
        }
        for (unsigned k = 0; k < 7; k++) out[k] = (uint8_t)(four >> 8 * k);
    }
}

rs_status_t rs_newhope_unpack(uint64_t *ntt, const uint8_t *in) {
    uint32_t beyond = 0;
    size_t reversed = 0;
    for (size_t i = 0; i < N; in += 7) {
        uint64_t four = 0;
        for (unsigned k = 0; k < 7; k++) four |= (uint64_t)in[k] << 8 * k;
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t word = (uint32_t)(four >> 14 * k) & 0x3fff;
            beyond |= (Q - 1 - word) >> 31;
            ntt[reversed] = word;
            reversed = rs_next_reversed(reversed, i++, N);
        }
    }
    RS_DECLASSIFY(&beyond, sizeof beyond); // a message is public, and a secret is damaged or not
    return beyond ? RS_ERR_RESIDUE : RS_OK;
}
