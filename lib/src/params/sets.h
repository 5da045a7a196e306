// SPDX-License-Identifier: Apache-2.0
// What a named set holds. The chain: explicit primes first, then primes of given bit sizes (SEAL's prime choice). Either part may be empty.
#ifndef RINGSIDE_PARAMS_SETS_H
#define RINGSIDE_PARAMS_SETS_H

#include <ringside/params.h>

typedef struct rs_named_set {
    const char *name;
    const char *source;
    uint32_t log_n;
    uint32_t default_scale_bits;
    uint32_t prime_count; // explicit ones, first in the chain
    uint32_t bit_count; // chosen by size, after them
    const uint64_t *primes;
    uint8_t bits[32];
    uint32_t scheme;
    uint64_t plain_modulus;
} rs_named_set_t;

// NULL: no set of that name.
const rs_named_set_t *rs_named_set(const char *name);

#endif
