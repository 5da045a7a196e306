// SPDX-License-Identifier: Apache-2.0
// Fresh seeds, and the independent blocks of an expanded seed: one per counter value, as many at once as the hash's tables can.
#ifndef RINGSIDE_SEED_H
#define RINGSIDE_SEED_H

#include <ringside/golden/sample.h>

#include "base/checks.h"
#include "hash/hash.h"

// out[k], k < count: the first block_bytes bytes of SHAKE256(seed || LE64(counter + k)), one after the other.
// block_bytes is a multiple of 8. The seed may be secret, the rest is public.
void rs_shake256_counter(const rs_hash_t *hash, uint8_t *out, size_t block_bytes, size_t count, const rs_seed_t *seed,
                         uint64_t counter);

// rs_seed_block for counter, counter + 1 … counter + count - 1.
RS_MUST_CHECK rs_status_t rs_seed_blocks(const rs_hash_t *hash, uint8_t *out, size_t count, rs_seed_type_t type,
                                         const rs_seed_t *seed, uint64_t counter);

// Where a request's random bytes come from: `wanted` bytes that are given, or rng. RS_ERR_OPTION: from both; RS_ERR_NULL, RS_ERR_BYTES.
static inline rs_status_t rs_check_random(rs_view_t given, const rs_rng_t *rng, size_t wanted) {
    if (RS_IS_GIVEN(given)) return rng ? RS_ERR_OPTION : RS_CHECK_SPAN(given, wanted);
    return rng && rng->fill ? RS_OK : RS_ERR_NULL;
}

// Fresh bytes; wiped if the source fails.
static inline rs_status_t rs_fresh_bytes(rs_rng_t *rng, uint8_t *out, size_t bytes) {
    if (rng->fill(rng->state, out, bytes) == RS_OK) return RS_OK;
    rs_zeroize(out, bytes);
    return RS_ERR_RNG;
}

// *from: those that are given, or fresh ones in `own`, which the caller wipes. Errors of both.
static inline rs_status_t rs_take_random(const uint8_t **from, uint8_t *own, rs_view_t given, rs_rng_t *rng, size_t bytes) {
    RS_TRY(rs_check_random(given, rng, bytes));
    *from = given.p ? given.p : own;
    return given.p ? RS_OK : rs_fresh_bytes(rng, own, bytes);
}

static inline rs_status_t rs_fresh_seed(rs_rng_t *rng, rs_seed_t *seed) { return rs_fresh_bytes(rng, seed->bytes, RS_SEED_BYTES); }

// A private and a public one, in this order.
static inline rs_status_t rs_fresh_seeds(rs_rng_t *rng, rs_seed_t *private_seed, rs_seed_t *public_seed) {
    RS_TRY(rs_fresh_seed(rng, private_seed));
    const rs_status_t status = rs_fresh_seed(rng, public_seed);
    if (status != RS_OK) rs_zeroize(private_seed, sizeof *private_seed);
    return status;
}

// Both of a row: rs_switch_seed, and its first two draws.
RS_MUST_CHECK rs_status_t rs_switch_seeds(rs_seed_t *private_seed, rs_seed_t *public_seed, const rs_seed_t *master, uint64_t number,
                                          const rs_switch_row_t *row);

#endif
