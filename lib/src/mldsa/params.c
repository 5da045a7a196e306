// SPDX-License-Identifier: Apache-2.0
#include "mldsa/params.h"

#include "mldsa/ring.h"

// FIPS 204, table 1.
static const rs_mldsa_params_t SETS[] = {
    {.k = 4,
     .l = 4,
     .eta = 2,
     .eta_bits = 3,
     .tau = 39,
     .omega = 80,
     .challenge_bytes = 32,
     .z_bits = 18,
     .w1_bits = 6,
     .buckets = 44,
     .gamma2 = (RS_MLDSA_Q - 1) / 88,
     .beta = 78},
    {.k = 6,
     .l = 5,
     .eta = 4,
     .eta_bits = 4,
     .tau = 49,
     .omega = 55,
     .challenge_bytes = 48,
     .z_bits = 20,
     .w1_bits = 4,
     .buckets = 16,
     .gamma2 = (RS_MLDSA_Q - 1) / 32,
     .beta = 196},
    {.k = 8,
     .l = 7,
     .eta = 2,
     .eta_bits = 3,
     .tau = 60,
     .omega = 75,
     .challenge_bytes = 64,
     .z_bits = 20,
     .w1_bits = 4,
     .buckets = 16,
     .gamma2 = (RS_MLDSA_Q - 1) / 32,
     .beta = 120},
};

const rs_mldsa_params_t *rs_mldsa_params(rs_mldsa_set_t set) {
    switch (set) {
    case RS_MLDSA_44:
        return &SETS[0];
    case RS_MLDSA_65:
        return &SETS[1];
    case RS_MLDSA_87:
        return &SETS[2];
    }
    return NULL;
}

size_t rs_mldsa_pk_bytes(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? RS_MLDSA_RHO_BYTES + (size_t)p->k * RS_MLDSA_T1_BYTES : 0;
}

size_t rs_mldsa_sk_bytes(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? RS_MLDSA_SK_S1 + (size_t)(p->l + p->k) * rs_mldsa_eta_bytes(p) + (size_t)p->k * RS_MLDSA_T0_BYTES : 0;
}

size_t rs_mldsa_signature_bytes(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? p->challenge_bytes + p->l * rs_mldsa_z_bytes(p) + p->omega + p->k : 0;
}
