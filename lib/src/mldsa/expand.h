// SPDX-License-Identifier: Apache-2.0
// The workspace of a call, and what ML-DSA expands from seeds there (FIPS 204, section 7.3): as many polynomials side by side as the back
// end's Keccak takes.
#ifndef RINGSIDE_MLDSA_EXPAND_H
#define RINGSIDE_MLDSA_EXPAND_H

#include "hash/sponges.h"
#include "mldsa/params.h"
#include "mldsa/ring.h"

// ---- workspace -----------------------------------------------------------------------------------------------------------
enum { RS_MLDSA_STREAM_BYTES = 5 * RS_SHAKE256_RATE_BYTES }; // what an ExpandMask of 20 bits reads; more than one block of SHAKE128

// Polynomials of the call follow it.
typedef struct rs_mldsa_space {
    rs_sponges_t sponges;
    _Alignas(8) uint8_t stream[RS_WAYS_MAX][RS_MLDSA_STREAM_BYTES];
    rs_mldsa_poly_t batch[RS_WAYS_MAX]; // elements of A, or samples, that are made side by side
    rs_mldsa_sum_t sum;
    rs_mldsa_poly_t t, c;
    rs_sponge_t sponge;
    _Alignas(8) uint8_t packed[RS_MLDSA_Z_BYTES_MAX];
    uint8_t hints[RS_MLDSA_N];
    uint8_t seed[128]; // rho, rho', K of a key pair; rho'' of a signature
    uint8_t mu[RS_MLDSA_MU_BYTES];
    uint8_t tr[RS_MLDSA_TR_BYTES];
    uint8_t challenge[RS_MLDSA_CHALLENGE_BYTES_MAX];
    _Alignas(8) rs_mldsa_poly_t polys[];
} rs_mldsa_space_t;

// The aligned struct in a workspace.
static inline rs_mldsa_space_t *rs_mldsa_space(void *workspace) {
    return (rs_mldsa_space_t *)(((uintptr_t)workspace + RS_STATES_ALIGNMENT - 1) & ~(uintptr_t)(RS_STATES_ALIGNMENT - 1));
}

// A workspace in which nothing of a key, of y or of A is kept: it follows, and is made anew each time. k polynomials of w follow it, and in
// a signature one more.
typedef struct rs_mldsa_small {
    rs_mldsa_poly_t t, c;
    rs_sponge_t sponge;
    _Alignas(8) uint8_t bytes[RS_MLDSA_Z_BYTES_MAX];
    uint8_t seed[64]; // rho''
    uint8_t mu[RS_MLDSA_MU_BYTES];
    uint8_t challenge[RS_MLDSA_CHALLENGE_BYTES_MAX];
    _Alignas(8) rs_mldsa_poly_t polys[];
} rs_mldsa_small_t;

// polys[i] += the products of column `column` of A with t, transformed, divided by R, and c is used up. Below (column + 1) q.
void rs_mldsa_add_column(rs_mldsa_small_t *small, const rs_mldsa_params_t *p, const uint8_t *rho, unsigned column);

// ---- expansion -----------------------------------------------------------------------------------------------------------
enum { RS_MLDSA_RHO_PRIME_BYTES = 64 };

// Rows of A (algorithm 32: transformed, uniform), times a vector of transforms.
typedef struct rs_mldsa_rows {
    const rs_mldsa_params_t *p;
    const rs_hash_t *hash;
    rs_mldsa_space_t *space; // batch, stream and sponges are used
    const uint8_t *rho;
    const rs_mldsa_poly_t *kept; // k l elements of A that were made before, or NULL
    unsigned row, column; // place of the next element that is made
    unsigned used, made; // elements of the batch
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
// One element of A, and one polynomial of y, with no more memory than a sponge and `bytes`, of RS_MLDSA_Z_BYTES_MAX, aligned to 8.
void rs_mldsa_element(rs_mldsa_poly_t *a, rs_sponge_t *sponge, uint8_t *bytes, const uint8_t *rho, unsigned row, unsigned column);
void rs_mldsa_mask(rs_mldsa_poly_t *y, rs_sponge_t *sponge, uint8_t *bytes, const rs_mldsa_params_t *p, const uint8_t *rho_prime,
                   unsigned kappa);
// Algorithm 29, SampleInBall, with the coefficients one and -one. The seed is public; the sponge is used.
void rs_mldsa_sample_in_ball(rs_mldsa_poly_t *c, rs_sponge_t *sponge, const rs_mldsa_params_t *p, const uint8_t *challenge,
                             int32_t one);

#endif
