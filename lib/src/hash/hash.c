// SPDX-License-Identifier: Apache-2.0
// The portable table.
#include "hash/hash.h"

const rs_hash_t RS_HASH_PORTABLE = {
    .ways = 1,
    .keccak = rs_keccak_f1600,
    .keccak_start = rs_keccak_start,
    .keccak_squeeze = rs_keccak_squeeze,
    .blake2_ways = 1,
    .blake2_leaves = rs_blake2_leaves,
};
