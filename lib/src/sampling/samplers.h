// SPDX-License-Identifier: Apache-2.0
// The table that a back end fills for the samplers, and the samplers that take such a table. Operands may be secret unless said otherwise.
#ifndef RINGSIDE_SAMPLERS_H
#define RINGSIDE_SAMPLERS_H

#include <ringside/golden/sample.h>

#include "arith/modarith.h"
#include "hash/hash.h"

typedef struct rs_samplers {
    const rs_hash_t *hash; // that the streams come from
    // values of cbd21 (golden/sample.h) from 6 stream bytes each, in the stream's order; bytes are aligned to 8, RS_CBD_SLACK behind them are readable
    void (*cbd21)(int8_t *out, const uint8_t *bytes, size_t count);
    // the RS_TERNARY_VALUES base-3 digits minus 1 of RS_TERNARY_BYTES bytes below 243
    void (*ternary)(int8_t *out, const uint8_t *bytes);
    // reduces words in place up to the first one that is >= limit; how many. Words are public
    size_t (*uniform)(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m);
} rs_samplers_t;

enum { RS_CBD_SLACK = 8, RS_TERNARY_BYTES = 32, RS_TERNARY_VALUES = 5 * RS_TERNARY_BYTES };

extern const rs_samplers_t RS_SAMPLERS_PORTABLE;

// Entries of the portable table.
void rs_cbd21(int8_t *out, const uint8_t *bytes, size_t count);
void rs_ternary(int8_t *out, const uint8_t *bytes);
size_t rs_uniform(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m);

// rs_private_stream, rs_sample_cbd21, rs_sample_ternary, rs_sample_sparse and rs_uniform_next of golden/sample.h.
void rs_draw_stream(const rs_hash_t *hash, uint8_t *out, size_t bytes, const rs_seed_t *seed, rs_domain_t domain, uint64_t offset);
void rs_draw_cbd21(const rs_samplers_t *samplers, int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain);
void rs_draw_ternary(const rs_samplers_t *samplers, int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain);
void rs_draw_sparse(const rs_hash_t *hash, int8_t *out, size_t n, uint32_t weight, const rs_seed_t *seed);
RS_MUST_CHECK rs_status_t rs_draw_uniform(const rs_samplers_t *samplers, rs_uniform_t *state, uint64_t q, uint64_t *out);

#endif
