// SPDX-License-Identifier: Apache-2.0
// Discrete Gaussians of any width, for noise flooding (ringside/ckks.h).
#ifndef RINGSIDE_GAUSSIAN_H
#define RINGSIDE_GAUSSIAN_H

#include <ringside/golden/sample.h>

#include "hash/hash.h"

enum { RS_GAUSSIAN_BYTES = 40 };

// n values of the discrete Gaussian on the integers with deviation 2^bits, 2 <= bits <= RS_FLOOD_BITS_MAX: those of the candidates that are kept, one after
// the other. Candidate k is made of the bytes from k * RS_GAUSSIAN_BYTES on of the private stream of (seed, domain). How many are refused is public; time
// does not depend on values.
void rs_draw_gaussian(const rs_hash_t *hash, int64_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain, uint32_t bits);

// A candidate; 1 if it is kept. Bytes are aligned to 8.
uint64_t rs_gaussian_candidate(int64_t *out, const uint8_t *bytes, uint32_t bits);

#endif
