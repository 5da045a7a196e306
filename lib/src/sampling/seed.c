// SPDX-License-Identifier: Apache-2.0
// Seeds expanded in blocks, one per counter value: SHAKE256 for the private stream, and SEAL's generator with its blocks of 4096
// bytes (randomgen.cpp refill_buffer).
#include "backend/backend.h"
#include "base/bytes.h"
#include "sampling/expand.h"

void rs_shake256_counter(uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed, uint64_t counter) {
    _Alignas(RS_STATES_ALIGNMENT) uint64_t states[25 * RS_WAYS_MAX];
    while (count) {
        // a lone block is cheapest without vectors
        const rs_samplers_t *samplers = count > 1 ? rs_backend_current()->samplers : &RS_SAMPLERS_PORTABLE;
        const unsigned ways = samplers->ways;
        const unsigned taken = count < ways ? (unsigned)count : ways; // states behind the last block are permuted for nothing
        samplers->keccak_start(states, seed->bytes, counter);
        for (size_t done = 0; done < block_bytes; done += RS_SHAKE256_RATE_BYTES) {
            const size_t left = block_bytes - done;
            samplers->keccak(states);
            if (taken == ways && left >= RS_SHAKE256_RATE_BYTES) {
                samplers->keccak_squeeze(out + done, block_bytes, states);
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

rs_status_t rs_seed_blocks(uint8_t *out, size_t count, rs_seed_type_t type, const rs_seed_t *seed, uint64_t counter) {
    switch (type) {
    case RS_SEED_BLAKE2XB:
        rs_blake2xb_counter(out, RS_SEED_BLOCK_BYTES, count, seed, counter);
        return RS_OK;
    case RS_SEED_SHAKE256:
        rs_shake256_counter(out, RS_SEED_BLOCK_BYTES, count, seed, counter);
        return RS_OK;
    }
    return RS_ERR_SEED_TYPE;
}

rs_status_t rs_seed_block(uint8_t *out, rs_seed_type_t type, const rs_seed_t *seed, uint64_t counter) {
    if (!out || !seed) return RS_ERR_NULL;
    return rs_seed_blocks(out, 1, type, seed, counter);
}
