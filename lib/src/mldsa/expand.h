// SPDX-License-Identifier: Apache-2.0
// What ML-DSA expands from seeds (FIPS 204, section 7.3), as many polynomials side by side as the back end's Keccak takes.
#ifndef RINGSIDE_MLDSA_EXPAND_H
#define RINGSIDE_MLDSA_EXPAND_H

#include "mldsa/space.h"

enum { RS_MLDSA_RHO_PRIME_BYTES = 64 };

// Rows of A (algorithm 32: transformed, uniform), times a vector of transforms.
typedef struct rs_mldsa_rows {
    const rs_mldsa_params_t *p;
    const rs_hash_t *hash;
    rs_mldsa_space_t *space; // batch, stream and sponges are used
    const uint8_t *rho;
    const rs_mldsa_poly_t *kept; // k l elements of A that were made before, or NULL
    unsigned row, column; // of the next element that is made
    unsigned used, made; // of the batch
} rs_mldsa_rows_t;

void rs_mldsa_rows_init(rs_mldsa_rows_t *rows, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho,
                        const rs_mldsa_poly_t *kept);
// The sum over j of A[i][j] v[j], i the next row: first 0, then 1, up to k - 1.
void rs_mldsa_rows_next(rs_mldsa_rows_t *rows, rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *v);
// All elements of A, row after row.
void rs_mldsa_expand_a(rs_mldsa_poly_t *out, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho);

// Algorithm 33, ExpandS: s1 and s2 from rho', packed as the secret key has them.
void rs_mldsa_expand_s(uint8_t *packed, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho_prime);
// Algorithm 34, ExpandMask: y from rho'' and kappa.
void rs_mldsa_expand_mask(rs_mldsa_poly_t *y, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho_prime,
                          unsigned kappa);
// Algorithm 29, SampleInBall, with the coefficients one and -one. The seed is public.
void rs_mldsa_sample_in_ball(rs_mldsa_poly_t *c, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *challenge,
                             int32_t one);

#endif
