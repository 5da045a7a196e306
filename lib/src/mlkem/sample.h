// SPDX-License-Identifier: Apache-2.0
// The two samplers of FIPS 203, section 4.2.2, on as many streams at once as the hash table permutes.
#ifndef RINGSIDE_MLKEM_SAMPLE_H
#define RINGSIDE_MLKEM_SAMPLE_H

#include "hash/hash.h"
#include "mlkem/zq.h"

// Rows `row` to row + rows - 1 of the k x k matrix A of rho, or of its transpose, in the transform's form: entry after entry, each 256 words
// below q. Algorithm 7. rho is public: the time depends on it.
void rs_mlkem_sample_rows(int16_t *out, const rs_hash_t *hash, const uint8_t *rho, uint32_t k, uint32_t row, uint32_t rows,
                          int transposed);

// `count` polynomials of centred binomial coefficients, -eta to eta, eta = 2 or 3: SamplePolyCBD(PRF_eta(seed, nonce)), (nonce + 1) … Algorithm 8.
void rs_mlkem_sample_noise(int16_t *out, const rs_hash_t *hash, const uint8_t *seed, uint32_t nonce, uint32_t count, uint32_t eta);

#endif
