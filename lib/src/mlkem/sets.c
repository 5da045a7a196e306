// SPDX-License-Identifier: Apache-2.0
// The three sets.
#include "mlkem/sets.h"

const rs_mlkem_params_t *rs_mlkem_params(rs_mlkem_set_t set) {
    static const rs_mlkem_params_t P512 = {.k = 2, .eta1 = 3, .du = 10, .dv = 4};
    static const rs_mlkem_params_t P768 = {.k = 3, .eta1 = 2, .du = 10, .dv = 4};
    static const rs_mlkem_params_t P1024 = {.k = 4, .eta1 = 2, .du = 11, .dv = 5};
    switch (set) {
    case RS_MLKEM_512:
        return &P512;
    case RS_MLKEM_768:
        return &P768;
    case RS_MLKEM_1024:
        return &P1024;
    }
    return NULL;
}

size_t rs_mlkem_ek_bytes(rs_mlkem_set_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    return p ? rs_mlkem_vector_bytes(p) + RS_MLKEM_HASH_BYTES : 0;
}

size_t rs_mlkem_dk_bytes(rs_mlkem_set_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    return p ? 2 * rs_mlkem_vector_bytes(p) + 3 * RS_MLKEM_HASH_BYTES : 0; // s, ek, H(ek), z
}

size_t rs_mlkem_ct_bytes(rs_mlkem_set_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    return p ? RS_MLKEM_N / 8 * (p->k * p->du + p->dv) : 0;
}
