// SPDX-License-Identifier: Apache-2.0
// SEAL's seeded generator: blocks of 4096 bytes, one per counter value (randomgen.cpp refill_buffer).
#include "bytes.h"

rs_status_t rs_seed_block(uint8_t *out, rs_seed_type_t type, const rs_seed_t *seed, uint64_t counter) {
    uint8_t message[RS_SEED_BYTES + 8];
    if (!out || !seed) return RS_ERR_NULL;
    rs_store64(message + RS_SEED_BYTES, counter);
    switch (type) {
    case RS_SEED_BLAKE2XB:
        rs_blake2xb(out, RS_SEED_BLOCK_BYTES, message + RS_SEED_BYTES, 8, seed->bytes, RS_SEED_BYTES);
        return RS_OK;
    case RS_SEED_SHAKE256:
        memcpy(message, seed->bytes, RS_SEED_BYTES);
        rs_shake256(out, RS_SEED_BLOCK_BYTES, message, sizeof message);
        return RS_OK;
    }
    return RS_ERR_SEED_TYPE;
}
