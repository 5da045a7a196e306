// SPDX-License-Identifier: Apache-2.0
// The parameter sets of ML-DSA (FIPS 204, table 1), and checks of arguments.
#ifndef RINGSIDE_MLDSA_PARAMS_H
#define RINGSIDE_MLDSA_PARAMS_H

#include <ringside/mldsa.h>

#include "base/checks.h"

enum {
    RS_MLDSA_K_MAX = 8,
    RS_MLDSA_L_MAX = 7,
    RS_MLDSA_DROPPED_BITS = 13, // d: bits of t that the public key does not have
    RS_MLDSA_RHO_BYTES = 32,
    RS_MLDSA_TR_BYTES = 64,
    RS_MLDSA_CHALLENGE_BYTES_MAX = 64,
    RS_MLDSA_T1_BYTES = 320, // bytes of one polynomial: 10 bits a coefficient
    RS_MLDSA_T0_BYTES = 416, // 13 bits
    RS_MLDSA_W1_BYTES_MAX = 192, // 6 bits
    RS_MLDSA_Z_BYTES_MAX = 640, // 20 bits
    // in a secret key: rho, K, tr, s1, s2, t0 (algorithm 24)
    RS_MLDSA_SK_K = 32,
    RS_MLDSA_SK_TR = 64,
    RS_MLDSA_SK_S1 = 128,
};

typedef struct rs_mldsa_params {
    uint8_t k, l; // A has k rows and l columns
    uint8_t eta, eta_bits; // bounds s1 and s2; bits of a packed coefficient
    uint8_t tau; // coefficients of a challenge that are not 0
    uint8_t omega; // hints at most
    uint8_t challenge_bytes; // bytes of c tilde, lambda / 4
    uint8_t z_bits; // gamma_1 = 2^(z_bits - 1)
    uint8_t w1_bits;
    uint8_t buckets; // (q - 1) / (2 gamma_2): the number of high parts
    int32_t gamma2;
    int32_t beta; // tau eta: bounds c s1 and c s2
    rs_mldsa_sizes_t sizes;
} rs_mldsa_params_t;

// NULL for an unknown set.
const rs_mldsa_params_t *rs_mldsa_params(uint32_t set);

// Whether a request has less memory than `usual`. The variants on vectors get none of those.
static inline int rs_mldsa_is_small(rs_memory_t workspace, size_t usual) {
#ifdef INSTRUCTIONS
    (void)workspace;
    (void)usual;
    return 0;
#else
    return workspace.n < usual;
#endif
}

static inline size_t rs_mldsa_eta_bytes(const rs_mldsa_params_t *p) { return 32u * p->eta_bits; }

static inline size_t rs_mldsa_z_bytes(const rs_mldsa_params_t *p) { return 32u * p->z_bits; }

static inline size_t rs_mldsa_w1_bytes(const rs_mldsa_params_t *p) { return 32u * p->w1_bits; }

#endif
