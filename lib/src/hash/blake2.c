// SPDX-License-Identifier: Apache-2.0
// BLAKE2b (RFC 7693) and BLAKE2Xb (Aumasson et al., "BLAKE2X", 2016).
#include <string.h>

#include "base/bytes.h"
#include "hash/hash.h"

enum { BLOCK_BYTES = 128, DIGEST_BYTES = 64, PARAM_BYTES = 64 };

#define TARGET
#define ADD(a, b) ((a) + (b))
#define ROTR(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define CONSTANT(word) (word)
#define COUNT 0
#define SETS 1
typedef uint64_t lane_t;
#include "hash/blake2_rounds.h"

static void compress(uint64_t *h, const uint8_t *block, uint64_t total_bytes, int last) {
    uint64_t m[16];
    for (unsigned i = 0; i < 16; i++) m[i] = rs_load64(block + 8 * i);
    blake2_rounds((uint64_t (*)[8])h, m, 16, total_bytes, last);
}

void rs_blake2_leaves(uint8_t *out, const uint64_t *root, const uint64_t *params) {
    uint64_t h[1][LEAF_WORDS];
    blake2_leaves(h, root, params);
    for (unsigned i = 0; i < LEAF_WORDS; i++) rs_store64(out + 8 * i, h[0][i]);
    rs_zeroize(h, sizeof h);
}

// The chaining value after a full 64-byte parameter block, and the key's block if there is a key; bytes hashed so far.
static uint64_t begin(uint64_t *h, const uint8_t *params, const uint8_t *key, size_t key_bytes, int last) {
    uint8_t block[BLOCK_BYTES] = {0};
    for (unsigned i = 0; i < 8; i++) h[i] = IV[i] ^ rs_load64(params + 8 * i);
    if (!key_bytes) return 0;
    memcpy(block, key, key_bytes);
    compress(h, block, BLOCK_BYTES, last);
    rs_zeroize(block, sizeof block);
    return BLOCK_BYTES;
}

static void finish(uint64_t *h, uint64_t total, const uint8_t *in, size_t in_bytes) {
    uint8_t block[BLOCK_BYTES] = {0};
    for (; in_bytes > BLOCK_BYTES; in += BLOCK_BYTES, in_bytes -= BLOCK_BYTES) {
        total += BLOCK_BYTES;
        compress(h, in, total, 0);
    }
    if (in_bytes) memcpy(block, in, in_bytes);
    compress(h, block, total + in_bytes, 1);
    rs_zeroize(block, sizeof block);
}

static void store_digest(uint8_t *out, size_t out_bytes, const uint64_t *h) {
    uint8_t digest[DIGEST_BYTES];
    for (unsigned i = 0; i < 8; i++) rs_store64(digest + 8 * i, h[i]);
    memcpy(out, digest, out_bytes);
    rs_zeroize(digest, sizeof digest);
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
    uint64_t h[8];
    sequential_params(params, out_bytes, key_bytes);
    const uint64_t total = begin(h, params, key, key_bytes, in_bytes == 0);
    if (in_bytes || !total) finish(h, total, in, in_bytes);
    store_digest(out, out_bytes, h);
    rs_zeroize(h, sizeof h);
}

// ---- BLAKE2Xb ----------------------------------------------------------------------------------------------------------
// Root: a sequential hash whose block carries the XOF length at offset 12. Leaf i: the hash of the root under a block with fanout and
// depth 0, leaf length 64, node offset i, inner length 64.
static uint64_t begin_root(uint64_t *h, size_t xof_bytes, const uint8_t *key, size_t key_bytes, int last) {
    uint8_t params[PARAM_BYTES];
    sequential_params(params, DIGEST_BYTES, key_bytes);
    rs_store32(params + 12, (uint32_t)xof_bytes);
    return begin(h, params, key, key_bytes, last);
}

static void make_leaves(const rs_hash_t *hash, uint8_t *out, size_t out_bytes, const uint64_t *root) {
    const uint64_t length_field = (uint64_t)DIGEST_BYTES << 32;
    uint64_t params[8] = {DIGEST_BYTES | length_field, (uint64_t)out_bytes << 32, DIGEST_BYTES << 8};
    const size_t all_bytes = (size_t)DIGEST_BYTES * hash->blake2_ways;
    for (; out_bytes >= all_bytes; out += all_bytes, out_bytes -= all_bytes) {
        hash->blake2_leaves(out, root, params);
        params[1] += hash->blake2_ways;
    }
    for (; out_bytes >= DIGEST_BYTES; out += DIGEST_BYTES, out_bytes -= DIGEST_BYTES) {
        rs_blake2_leaves(out, root, params);
        params[1]++;
    }
    if (out_bytes) {
        uint8_t digest[DIGEST_BYTES];
        params[0] = out_bytes | length_field;
        rs_blake2_leaves(digest, root, params);
        memcpy(out, digest, out_bytes);
        rs_zeroize(digest, sizeof digest);
    }
}

void rs_hash_blake2xb(const rs_hash_t *hash, uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key,
                      size_t key_bytes) {
    uint64_t root[8];
    const uint64_t total = begin_root(root, out_bytes, key, key_bytes, in_bytes == 0);
    if (in_bytes || !total) finish(root, total, in, in_bytes);
    make_leaves(hash, out, out_bytes, root);
    rs_zeroize(root, sizeof root);
}

void rs_blake2xb_counter(const rs_hash_t *hash, uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed,
                         uint64_t counter) {
    uint64_t keyed[8], root[8];
    uint8_t message[8];
    const uint64_t total = begin_root(keyed, block_bytes, seed->bytes, RS_SEED_BYTES, 0); // the same for all counters
    for (size_t k = 0; k < count; k++) {
        rs_store64(message, counter + k);
        memcpy(root, keyed, sizeof root);
        finish(root, total, message, sizeof message);
        make_leaves(hash, out + k * block_bytes, block_bytes, root);
    }
    rs_zeroize(keyed, sizeof keyed);
    rs_zeroize(root, sizeof root);
}
