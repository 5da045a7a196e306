// SPDX-License-Identifier: Apache-2.0
// Seeds, and the hashes of FIPS 202. golden/hash.h has BLAKE2 and SEAL's generator.
#ifndef RINGSIDE_XOF_H
#define RINGSIDE_XOF_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_SEED_BYTES = 64,
    RS_SEED_BLOCK_BYTES = 4096,   // SEAL expands a seed in blocks of this size, one counter value each
    RS_SHAKE256_RATE_BYTES = 136,
};

// Numbers as in SEAL's files (prng_type).
typedef enum rs_seed_type { RS_SEED_BLAKE2XB = 1, RS_SEED_SHAKE256 = 2, RS_SEED_MAX = 0x7fffffff } rs_seed_type_t;

typedef struct rs_seed {
    uint8_t bytes[RS_SEED_BYTES];
} rs_seed_t;

RS_API void rs_shake256(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes);

// ---- FIPS 202, piece by piece ------------------------------------------------------------------------------------------
typedef enum rs_sponge_kind { RS_SPONGE_SHAKE128, RS_SPONGE_SHAKE256, RS_SPONGE_SHA3_256, RS_SPONGE_SHA3_512 } rs_sponge_kind_t;

// Members are private. Wipe it with rs_zeroize if what it absorbed is secret; time depends on lengths only.
typedef struct rs_sponge {
    uint64_t state[25];
    uint32_t position; // in the block, bytes
    uint8_t rate_bytes;
    uint8_t suffix;
    uint8_t squeezes;
} rs_sponge_t;

RS_API void rs_sponge_init(rs_sponge_t *sponge, rs_sponge_kind_t kind);
// Any number of times, any number of bytes, before the first squeeze.
RS_API void rs_sponge_absorb(rs_sponge_t *sponge, const uint8_t *in, size_t in_bytes);
// Any number of times: the next bytes of the output, as many as wanted. SHA-3's digests are its first 32 (SHA3-256) or 64 (SHA3-512) bytes.
RS_API void rs_sponge_squeeze(rs_sponge_t *sponge, uint8_t *out, size_t out_bytes);
// All at once.
RS_API void rs_sponge_hash(rs_sponge_kind_t kind, uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes);

#ifdef __cplusplus
}
#endif

#endif
