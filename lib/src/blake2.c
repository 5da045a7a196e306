// SPDX-License-Identifier: Apache-2.0
// BLAKE2b (RFC 7693) and BLAKE2Xb (Aumasson et al., "BLAKE2X", 2016).
#include <ringside/xof.h>
#include <string.h>

#include "bytes.h"

enum { BLOCK_BYTES = 128, DIGEST_BYTES = 64, PARAM_BYTES = 64 };

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

static inline uint64_t rotr(uint64_t x, unsigned n) {
    return (x >> n) | (x << (64 - n));
}

#define MIX(a, b, c, d, x, y) \
    do {                      \
        a += b + (x);         \
        d = rotr(d ^ a, 32);  \
        c += d;               \
        b = rotr(b ^ c, 24);  \
        a += b + (y);         \
        d = rotr(d ^ a, 16);  \
        c += d;               \
        b = rotr(b ^ c, 63);  \
    } while (0)

static void compress(uint64_t *h, const uint8_t *block, uint64_t total_bytes, int last) {
    uint64_t m[16];
    uint64_t v[16];
    for (unsigned i = 0; i < 16; i++) m[i] = rs_load64(block + 8 * i);
    memcpy(v, h, 8 * sizeof v[0]);
    memcpy(v + 8, IV, sizeof IV);
    v[12] ^= total_bytes;
    if (last) v[14] = ~v[14];
#pragma GCC unroll 12
    for (unsigned round = 0; round < 12; round++) {
        const uint8_t *s = SIGMA[round % 10];
        MIX(v[0], v[4], v[8], v[12], m[s[0]], m[s[1]]);
        MIX(v[1], v[5], v[9], v[13], m[s[2]], m[s[3]]);
        MIX(v[2], v[6], v[10], v[14], m[s[4]], m[s[5]]);
        MIX(v[3], v[7], v[11], v[15], m[s[6]], m[s[7]]);
        MIX(v[0], v[5], v[10], v[15], m[s[8]], m[s[9]]);
        MIX(v[1], v[6], v[11], v[12], m[s[10]], m[s[11]]);
        MIX(v[2], v[7], v[8], v[13], m[s[12]], m[s[13]]);
        MIX(v[3], v[4], v[9], v[14], m[s[14]], m[s[15]]);
    }
    for (unsigned i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

// The hash of key || in under a full 64-byte parameter block.
static void blake2b_params(uint8_t *out, size_t out_bytes, const uint8_t *params, const uint8_t *in, size_t in_bytes,
                           const uint8_t *key, size_t key_bytes) {
    uint64_t h[8];
    uint8_t block[BLOCK_BYTES] = {0};
    uint8_t digest[DIGEST_BYTES];
    uint64_t total = 0;
    for (unsigned i = 0; i < 8; i++) h[i] = IV[i] ^ rs_load64(params + 8 * i);
    if (key_bytes) {
        memcpy(block, key, key_bytes);
        total = BLOCK_BYTES;
        compress(h, block, total, in_bytes == 0);
    }
    if (in_bytes || !key_bytes) {
        for (; in_bytes > BLOCK_BYTES; in += BLOCK_BYTES, in_bytes -= BLOCK_BYTES) {
            total += BLOCK_BYTES;
            compress(h, in, total, 0);
        }
        memset(block, 0, sizeof block);
        if (in_bytes) memcpy(block, in, in_bytes);
        compress(h, block, total + in_bytes, 1);
    }
    for (unsigned i = 0; i < 8; i++) rs_store64(digest + 8 * i, h[i]);
    memcpy(out, digest, out_bytes);
    rs_zeroize(h, sizeof h);
    rs_zeroize(block, sizeof block);
    rs_zeroize(digest, sizeof digest);
}

static void store32(uint8_t *p, uint32_t x) {
    for (unsigned i = 0; i < 4; i++) p[i] = (uint8_t)(x >> (8 * i));
}

// Parameter block (BLAKE2 specification, section 2.8): digest length, key length, fanout 1, depth 1, the rest zero.
static void sequential_params(uint8_t *params, size_t out_bytes, size_t key_bytes) {
    memset(params, 0, PARAM_BYTES);
    params[0] = (uint8_t)out_bytes;
    params[1] = (uint8_t)key_bytes;
    params[2] = 1;
    params[3] = 1;
}

void rs_blake2b(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key, size_t key_bytes) {
    uint8_t params[PARAM_BYTES];
    sequential_params(params, out_bytes, key_bytes);
    blake2b_params(out, out_bytes, params, in, in_bytes, key, key_bytes);
}

// Root: a sequential hash whose block carries the XOF length at offset 12. Leaf i: the hash of the root under a block with fanout and
// depth 0, leaf length 64, node offset i, inner length 64.
void rs_blake2xb(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key, size_t key_bytes) {
    uint8_t params[PARAM_BYTES];
    uint8_t root[DIGEST_BYTES];
    const uint32_t xof_bytes = (uint32_t)out_bytes;
    sequential_params(params, DIGEST_BYTES, key_bytes);
    store32(params + 12, xof_bytes);
    blake2b_params(root, DIGEST_BYTES, params, in, in_bytes, key, key_bytes);
    memset(params, 0, sizeof params);
    store32(params + 4, DIGEST_BYTES);
    store32(params + 12, xof_bytes);
    params[17] = DIGEST_BYTES;
    for (uint32_t leaf = 0; out_bytes; leaf++) {
        const size_t take = out_bytes < DIGEST_BYTES ? out_bytes : DIGEST_BYTES;
        params[0] = (uint8_t)take;
        store32(params + 8, leaf);
        blake2b_params(out, take, params, root, DIGEST_BYTES, NULL, 0);
        out += take;
        out_bytes -= take;
    }
    rs_zeroize(root, sizeof root);
}
