// SPDX-License-Identifier: Apache-2.0
// SHAKE of several messages side by side.
#include "hash/sponges.h"

#include "base/bytes.h"

void rs_sponges_start(rs_sponges_t *s, const rs_hash_t *hash, rs_sponge_kind_t kind, const uint8_t *prefix, size_t prefix_bytes,
                      const uint8_t *suffixes, size_t suffix_bytes, uint32_t count) {
    _Alignas(8) uint8_t block[RS_SPONGES_RATE_MAX] = {0};
    rs_sponge_t sponge; // knows rate and suffix of the kind
    rs_sponge_init(&sponge, kind);
    s->hash = count == 1 ? &RS_HASH_PORTABLE : hash; // a single one is cheapest without vectors
    s->count = count;
    s->rate_bytes = sponge.rate_bytes;
    const uint32_t ways = s->hash->ways;
    memset(s->states, 0, sizeof s->states[0] * 25 * ways);
    memcpy(block, prefix, prefix_bytes);
    block[prefix_bytes + suffix_bytes] = sponge.suffix;
    block[s->rate_bytes - 1] |= 0x80;
    for (uint32_t way = 0; way < count; way++) {
        for (size_t i = 0; i < suffix_bytes; i++) block[prefix_bytes + i] = suffixes[way * suffix_bytes + i];
        for (uint32_t i = 0; i < s->rate_bytes / 8; i++) s->states[i * ways + way] = rs_load64_aligned(block + 8 * i);
    }
    rs_zeroize(block, sizeof block);
}

size_t rs_sponges_squeeze(rs_sponges_t *s, uint8_t *out, size_t stride) {
    const uint32_t ways = s->hash->ways;
    s->hash->keccak(s->states);
    if (s->count == ways && s->rate_bytes == RS_SHAKE256_RATE_BYTES) {
        s->hash->keccak_squeeze(out, stride, s->states);
        return s->rate_bytes;
    }
    uint32_t lane = 0;
    if (RS_WAYS_MAX > 1 && s->count == ways) { // a block of SHAKE128 is longer
        s->hash->keccak_squeeze(out, stride, s->states);
        lane = RS_SHAKE256_RATE_BYTES / 8;
    }
    for (uint32_t way = 0; way < s->count; way++) {
        for (uint32_t i = lane; i < s->rate_bytes / 8; i++)
            rs_store64_aligned(out + way * stride + 8 * i, s->states[i * ways + way]);
    }
    return s->rate_bytes;
}
