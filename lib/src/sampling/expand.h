// SPDX-License-Identifier: Apache-2.0
// Independent blocks of an expanded seed, one per counter value, as many at once as the back end can.
#ifndef RINGSIDE_EXPAND_H
#define RINGSIDE_EXPAND_H

#include <ringside/xof.h>

// out[k], k < count: the first block_bytes bytes of SHAKE256(seed || LE64(counter + k)), one behind the other.
// block_bytes is a multiple of 8. The seed may be secret, the rest is public.
void rs_shake256_counter(uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed, uint64_t counter);

// out[k], k < count: the block_bytes bytes of BLAKE2Xb(message LE64(counter + k), key seed) with this XOF length.
void rs_blake2xb_counter(uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed, uint64_t counter);

// rs_seed_block for counter, counter + 1 … counter + count - 1.
rs_status_t rs_seed_blocks(uint8_t *out, size_t count, rs_seed_type_t type, const rs_seed_t *seed, uint64_t counter);

#endif
