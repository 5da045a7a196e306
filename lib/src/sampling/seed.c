// SPDX-License-Identifier: Apache-2.0
// Seeds expanded in blocks, one per counter value: SHAKE256 for the private stream, and SEAL's generator with its blocks of 4096
// bytes (randomgen.cpp refill_buffer).
#include "sampling/seed.h"

#include "base/bytes.h"

void rs_shake256_counter(const rs_hash_t *hash, uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed,
                         uint64_t counter) {
    _Alignas(RS_STATES_ALIGNMENT) uint64_t states[25 * RS_WAYS_MAX];
    while (count) {
        if (count == 1) hash = &RS_HASH_PORTABLE; // a single block is cheapest without vectors
        const unsigned ways = hash->ways;
        const unsigned taken = count < ways ? (unsigned)count : ways; // states after the last block are permuted, too, but not used
        hash->keccak_start(states, seed->bytes, counter);
        for (size_t done = 0; done < block_bytes; done += RS_SHAKE256_RATE_BYTES) {
            const size_t left = block_bytes - done;
            hash->keccak(states);
            if (taken == ways && left >= RS_SHAKE256_RATE_BYTES) {
                hash->keccak_squeeze(out + done, block_bytes, states);
                continue;
            }
            const size_t lanes = (left < RS_SHAKE256_RATE_BYTES ? left : RS_SHAKE256_RATE_BYTES) / 8;
            for (unsigned way = 0; way < taken; way++) {
                for (size_t i = 0; i < lanes; i++) rs_store64(out + way * block_bytes + done + 8 * i, states[i * ways + way]);
            }
        }
        out += taken * block_bytes;
        counter += taken;
        count -= taken;
    }
    rs_zeroize(states, sizeof states);
}

rs_status_t rs_seed_blocks(const rs_hash_t *hash, uint8_t *out, size_t count, rs_seed_type_t type, const rs_seed_t *seed,
                           uint64_t counter) {
    switch ((uint32_t)type) {
    case RS_SEED_BLAKE2XB: rs_blake2xb_counter(hash, out, RS_SEED_BLOCK_BYTES, count, seed, counter); return RS_OK;
    case RS_SEED_SHAKE256: rs_shake256_counter(hash, out, RS_SEED_BLOCK_BYTES, count, seed, counter); return RS_OK;
    }
    return RS_ERR_SEED_TYPE;
}
