// SPDX-License-Identifier: Apache-2.0
// Entries of the hash tables.
#ifndef RINGSIDE_X86_HASH_H
#define RINGSIDE_X86_HASH_H

#include "x86/x86.h"

void rs_keccak_avx2(uint64_t *states);
void rs_keccak_start_avx2(uint64_t *states, const uint8_t *seed, uint64_t counter);
void rs_keccak_squeeze_avx2(uint8_t *out, size_t stride, const uint64_t *states);
void rs_blake2_leaves_avx2(uint8_t *out, const uint64_t *root, const uint64_t *params);

void rs_keccak_avx512(uint64_t *states);
void rs_keccak_start_avx512(uint64_t *states, const uint8_t *seed, uint64_t counter);
void rs_keccak_squeeze_avx512(uint8_t *out, size_t stride, const uint64_t *states);
void rs_blake2_leaves_avx512(uint8_t *out, const uint64_t *root, const uint64_t *params);

#endif
