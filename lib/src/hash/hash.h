// SPDX-License-Identifier: Apache-2.0
// The table that a back end fills for hashes, and the hashes that take such a table. Operands may be secret unless said otherwise.
#ifndef RINGSIDE_HASH_H
#define RINGSIDE_HASH_H

#include <ringside/golden/hash.h>

// Limits for all tables in this build. The freestanding core has only the portable table.
#if defined(RS_BACKENDS) || defined(__riscv_v)
enum { RS_WAYS_MAX = 8, RS_STATES_ALIGNMENT = 64 };
#elif defined(__wasm_simd128__)
enum { RS_WAYS_MAX = 2, RS_STATES_ALIGNMENT = 16 };
#else
enum { RS_WAYS_MAX = 1, RS_STATES_ALIGNMENT = 8 };
#endif

// Lane i of Keccak state w is at states[i * ways + w]; states are aligned to RS_STATES_ALIGNMENT.
typedef struct rs_hash {
    unsigned ways; // Keccak states permuted at once, 1 to RS_WAYS_MAX
    void (*keccak)(uint64_t *states);
    // state w absorbs the one block SHAKE256 makes of seed || LE64(counter + w)
    void (*keccak_start)(uint64_t *states, const uint8_t *seed, uint64_t counter);
    // the first RS_SHAKE256_RATE_BYTES bytes of state w to out + w * stride
    void (*keccak_squeeze)(uint8_t *out, size_t stride, const uint64_t *states);
    unsigned blake2_ways; // leaves of BLAKE2Xb (blake2.c) computed at once; params are those of the first one
    void (*blake2_leaves)(uint8_t *out, const uint64_t *root, const uint64_t *params);
} rs_hash_t;

extern const rs_hash_t RS_HASH_PORTABLE;

// Plain C for processors of 32 bits, for which it takes fewer instructions, a third less on a Cortex-M4 (interleaved.c). Its states are kept interleaved from
// keccak_start on: only for those who never look at lanes themselves.
extern const rs_hash_t RS_HASH_INTERLEAVED;
// The better of the two for one state on this machine.
#if UINTPTR_MAX == UINT32_MAX
#define RS_HASH_SINGLE RS_HASH_INTERLEAVED
#else
#define RS_HASH_SINGLE RS_HASH_PORTABLE
#endif

// Entries of the portable table.
void rs_keccak_start(uint64_t *states, const uint8_t *seed, uint64_t counter);
void rs_keccak_squeeze(uint8_t *out, size_t stride, const uint64_t *states);
void rs_blake2_leaves(uint8_t *out, const uint64_t *root, const uint64_t *params);

// rs_blake2xb of xof.h.
void rs_hash_blake2xb(const rs_hash_t *hash, uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key,
                      size_t key_bytes);
// out[k], k < count: the block_bytes bytes of BLAKE2Xb(message LE64(counter + k), key seed) with this XOF length.
void rs_blake2xb_counter(const rs_hash_t *hash, uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed,
                         uint64_t counter);

#endif
