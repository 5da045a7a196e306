// SPDX-License-Identifier: Apache-2.0
// The hash tables.
#include "x86/hash/hash_x86.h"

#ifdef RS_X86
const rs_hash_t RS_HASH_AVX2 = {
    .ways = 4,
    .keccak = rs_keccak_avx2,
    .keccak_start = rs_keccak_start_avx2,
    .keccak_squeeze = rs_keccak_squeeze_avx2,
    .blake2_ways = 4,
    .blake2_leaves = rs_blake2_leaves_avx2,
};

const rs_hash_t RS_HASH_AVX512 = {
    .ways = 8,
    .keccak = rs_keccak_avx512,
    .keccak_start = rs_keccak_start_avx512,
    .keccak_squeeze = rs_keccak_squeeze_avx512,
    .blake2_ways = 16,
    .blake2_leaves = rs_blake2_leaves_avx512,
};
#endif
