// SPDX-License-Identifier: Apache-2.0
// What back ends bring to seed expansion and to the samplers. Operands may be secret unless said otherwise.
#ifndef RINGSIDE_SAMPLERS_H
#define RINGSIDE_SAMPLERS_H

#include <stddef.h>

#include "arith/modarith.h"

// The inner loops of seed expansion and of the samplers. Lane i of Keccak state w is at states[i * ways + w]; states are aligned to
// RS_STATES_ALIGNMENT.
typedef struct rs_samplers {
    unsigned ways; // Keccak states permuted at once, 1 to RS_WAYS_MAX
    void (*keccak)(uint64_t *states);
    // state w absorbs the one block SHAKE256 makes of seed || LE64(counter + w)
    void (*keccak_start)(uint64_t *states, const uint8_t *seed, uint64_t counter);
    // the first RS_SHAKE256_RATE_BYTES bytes of state w to out + w * stride
    void (*keccak_squeeze)(uint8_t *out, size_t stride, const uint64_t *states);
    unsigned blake2_ways; // leaves of BLAKE2Xb (blake2.c) computed at once, the first with these parameters
    void (*blake2_leaves)(uint8_t *out, const uint64_t *root, const uint64_t *params);
    // values of cbd21 (sample.h) from 6 stream bytes each, in the stream's order; RS_CBD_SLACK bytes behind them are readable
    void (*cbd21)(int8_t *out, const uint8_t *bytes, size_t count);
    // the RS_TERNARY_VALUES base-3 digits minus 1 of RS_TERNARY_BYTES bytes below 243
    void (*ternary)(int8_t *out, const uint8_t *bytes);
    // reduces words in place up to the first one that is >= limit; how many. Words are public
    size_t (*uniform)(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m);
} rs_samplers_t;

enum { RS_CBD_SLACK = 8, RS_TERNARY_BYTES = 32, RS_TERNARY_VALUES = 5 * RS_TERNARY_BYTES };

// Entries of the tables, named by what they need: nothing, AVX2, AVX-512 F, DQ, VL and BW.
extern const rs_samplers_t RS_SAMPLERS_PORTABLE;
void rs_keccak_start(uint64_t *states, const uint8_t *seed, uint64_t counter);
void rs_keccak_squeeze(uint8_t *out, size_t stride, const uint64_t *states);
void rs_blake2_leaves(uint8_t *out, const uint64_t *root, const uint64_t *params);
void rs_cbd21(int8_t *out, const uint8_t *bytes, size_t count);
void rs_ternary(int8_t *out, const uint8_t *bytes);
size_t rs_uniform(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m);

void rs_keccak_avx2(uint64_t *states);
void rs_keccak_start_avx2(uint64_t *states, const uint8_t *seed, uint64_t counter);
void rs_keccak_squeeze_avx2(uint8_t *out, size_t stride, const uint64_t *states);
void rs_blake2_leaves_avx2(uint8_t *out, const uint64_t *root, const uint64_t *params);
void rs_cbd21_avx2(int8_t *out, const uint8_t *bytes, size_t count);
void rs_ternary_avx2(int8_t *out, const uint8_t *bytes);

void rs_keccak_avx512(uint64_t *states);
void rs_keccak_start_avx512(uint64_t *states, const uint8_t *seed, uint64_t counter);
void rs_keccak_squeeze_avx512(uint8_t *out, size_t stride, const uint64_t *states);
void rs_blake2_leaves_avx512(uint8_t *out, const uint64_t *root, const uint64_t *params);
size_t rs_uniform_avx512(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m);

#endif
