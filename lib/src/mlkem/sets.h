// SPDX-License-Identifier: Apache-2.0
// The three sets of FIPS 203, table 2, and the lengths that follow from them.
#ifndef RINGSIDE_MLKEM_SETS_H
#define RINGSIDE_MLKEM_SETS_H

#include <ringside/mlkem.h>

#include "hash/hash.h"

enum {
    RS_MLKEM_N = 256, // coefficients of a polynomial
    RS_MLKEM_Q = 3329,
    RS_MLKEM_K_MAX = 4,
    RS_MLKEM_ETA2 = 2,
    RS_MLKEM_HASH_BYTES = 32, // bytes of rho, sigma, H(ek), K, r
    RS_MLKEM_POLY_BYTES = 384, // 12 bits a coefficient
};

// A workspace holds the vector s or r in the transform's form, rows of the matrix, and the noise of these rows: one at a time, or all where several
// states are permuted at once. There the noise follows the vector and has that of v too, so that all may be drawn together.
#define RS_MLKEM_ROWS(k) (RS_WAYS_MAX == 1 ? 1 : (k))
#define RS_MLKEM_WORKSPACE(k) (sizeof(int16_t) * RS_MLKEM_N * ((k) + RS_MLKEM_ROWS(k) * ((k) + 1) + (RS_WAYS_MAX > 1)))

typedef struct rs_mlkem_params {
    rs_mlkem_sizes_t sizes;
    uint32_t k; // the module's rank
    uint32_t eta1; // eta of s, e and r
    uint32_t du, dv; // bits of a coefficient of u and v in a ciphertext
} rs_mlkem_params_t;

// NULL for an unknown set.
const rs_mlkem_params_t *rs_mlkem_params(uint32_t set);

static inline size_t rs_mlkem_vector_bytes(const rs_mlkem_params_t *p) { return RS_MLKEM_POLY_BYTES * p->k; }

#endif
