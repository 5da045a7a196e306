// SPDX-License-Identifier: Apache-2.0
// Seeds expanded in blocks, one per counter value: SHAKE256 for the private stream, and SEAL's generator with its blocks of 4096
// bytes (randomgen.cpp refill_buffer).
#include "backend.h"
#include "bytes.h"
#include "expand.h"

enum { RATE_LANES = RS_SHAKE256_RATE_BYTES / 8, SEED_LANES = RS_SEED_BYTES / 8 };

// The one padded message block seed || LE64(counter), lanes `ways` words apart.
static void absorb(uint64_t *state, unsigned ways, const rs_seed_t *seed, uint64_t counter) {
    for (unsigned i = 0; i < SEED_LANES; i++) state[i * ways] = rs_load64(seed->bytes + 8 * i);
    state[SEED_LANES * ways] = counter;
    state[(SEED_LANES + 1) * ways] = 0x1f; // SHAKE's domain bits and the first bit of pad10*1
    state[(RATE_LANES - 1) * ways] = (uint64_t)0x80 << 56;
}

void rs_shake256_counter(uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed, uint64_t counter) {
    _Alignas(RS_STATES_ALIGNMENT) uint64_t states[25 * RS_WAYS_MAX];
    while (count) {
        // a lone block is cheapest without vectors
        const rs_backend_t *backend = count > 1 ? rs_backend_current() : &RS_BACKEND_PORTABLE;
        const unsigned ways = backend->ways;
        const unsigned taken = count < ways ? (unsigned)count : ways;
        memset(states, 0, 25 * ways * sizeof *states); // states behind the last block are permuted for nothing
        for (unsigned way = 0; way < taken; way++) absorb(states + way, ways, seed, counter + way);
        for (size_t done = 0; done < block_bytes; done += RS_SHAKE256_RATE_BYTES) {
            const size_t lanes = block_bytes - done < RS_SHAKE256_RATE_BYTES ? (block_bytes - done) / 8 : RATE_LANES;
            backend->keccak(states);
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
    uint8_t message[8];
    switch (type) {
    case RS_SEED_BLAKE2XB:
        for (size_t k = 0; k < count; k++) {
            rs_store64(message, counter + k);
            rs_blake2xb(out + k * RS_SEED_BLOCK_BYTES, RS_SEED_BLOCK_BYTES, message, sizeof message, seed->bytes, RS_SEED_BYTES);
        }
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
