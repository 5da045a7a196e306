// SPDX-License-Identifier: Apache-2.0
// What the workspace of a call holds: this struct, and polynomials behind it.
#ifndef RINGSIDE_MLDSA_SPACE_H
#define RINGSIDE_MLDSA_SPACE_H

#include "hash/sponges.h"
#include "mldsa/params.h"
#include "mldsa/ring.h"

enum { RS_MLDSA_STREAM_BYTES = 5 * RS_SHAKE256_RATE_BYTES }; // what an ExpandMask of 20 bits reads; more than one block of SHAKE128

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

// Bytes of a workspace with so many polynomials, wherever it begins.
static inline size_t rs_mldsa_space_bytes(size_t polys) {
    return sizeof(rs_mldsa_space_t) + polys * sizeof(rs_mldsa_poly_t) + RS_STATES_ALIGNMENT - 8;
}

// The aligned struct in a workspace.
static inline rs_mldsa_space_t *rs_mldsa_space(void *workspace) {
    return (rs_mldsa_space_t *)(((uintptr_t)workspace + RS_STATES_ALIGNMENT - 1) & ~(uintptr_t)(RS_STATES_ALIGNMENT - 1));
}

// Polynomials of a signature: s1, s2, t0, y, w; with A where it is kept.
static inline size_t rs_mldsa_sign_polys(const rs_mldsa_params_t *p) {
    return 2u * p->l + 3u * p->k;
}

#endif
