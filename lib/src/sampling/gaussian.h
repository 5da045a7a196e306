// SPDX-License-Identifier: Apache-2.0
// Discrete Gaussians of any width, for noise flooding (ringside/ckks.h).
#ifndef RINGSIDE_GAUSSIAN_H
#define RINGSIDE_GAUSSIAN_H

#include <ringside/golden/sample.h>

#include "hash/hash.h"

enum { RS_GAUSSIAN_LEVELS_MAX = 5 };

// x = x1 + factor x2, level after level, from 2^levels values of the narrow Gaussian. All public.
typedef struct rs_gaussian {
    uint32_t levels;
    int64_t factor[RS_GAUSSIAN_LEVELS_MAX];
    double variance;
} rs_gaussian_t;

// The narrowest that is made here with a standard deviation of at least 2^bits; bits <= RS_FLOOD_BITS_MAX.
rs_gaussian_t rs_gaussian(uint32_t bits);

// n values. Value k takes the bytes from k * 2^levels * 16 on of the private stream of (seed, domain). Time does not depend on them.
void rs_draw_gaussian(const rs_hash_t *hash, int64_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain,
                      const rs_gaussian_t *gaussian);

#endif
