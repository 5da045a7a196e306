// SPDX-License-Identifier: Apache-2.0
// SHAKE (FIPS 202) of several short messages of one length side by side, as many as the table's Keccak permutes at once: matrices and
// noise of lattice schemes, whose messages are a seed and a number. Seeds and outputs may be secret; lengths, kind and count are public.
#ifndef RINGSIDE_SPONGES_H
#define RINGSIDE_SPONGES_H

#include "hash/hash.h"

enum { RS_SPONGES_RATE_MAX = 168 };

// Members are private. Wipe it with rs_zeroize if a message is secret.
typedef struct rs_sponges {
    _Alignas(RS_STATES_ALIGNMENT) uint64_t states[25 * RS_WAYS_MAX];
    const rs_hash_t *hash;
    uint32_t count;
    uint32_t rate_bytes;
} rs_sponges_t;

// Message w, w < count <= hash->ways, is prefix || suffix_bytes bytes from suffixes + w suffix_bytes on: shorter than a block of the kind,
// SHAKE128 (168 bytes) or SHAKE256 (136 bytes).
void rs_sponges_start(rs_sponges_t *sponges, const rs_hash_t *hash, rs_sponge_kind_t kind, const uint8_t *prefix,
                      size_t prefix_bytes, const uint8_t *suffixes, size_t suffix_bytes, uint32_t count);

// The next block of message w's output to out + w stride. out is aligned to 8 bytes, and stride is a multiple of 8 and at least the block.
// Returns the bytes of a block.
size_t rs_sponges_squeeze(rs_sponges_t *sponges, uint8_t *out, size_t stride);

#endif
