// SPDX-License-Identifier: Apache-2.0
// The three sets.
#include "mlkem/sets.h"

// dk is s, ek, H(ek), z.
#define SIZES(k, du, dv)                                            \
    {.ek = RS_MLKEM_POLY_BYTES * (k) + RS_MLKEM_HASH_BYTES,         \
     .dk = 2 * RS_MLKEM_POLY_BYTES * (k) + 3 * RS_MLKEM_HASH_BYTES, \
     .ct = RS_MLKEM_N / 8 * ((k) * (du) + (dv)),                    \
     .workspace = RS_MLKEM_WORKSPACE(k)}

const rs_mlkem_params_t *rs_mlkem_params(uint32_t set) {
    static const rs_mlkem_params_t P512 = {SIZES(2, 10, 4), .k = 2, .eta1 = 3, .du = 10, .dv = 4};
    static const rs_mlkem_params_t P768 = {SIZES(3, 10, 4), .k = 3, .eta1 = 2, .du = 10, .dv = 4};
    static const rs_mlkem_params_t P1024 = {SIZES(4, 11, 5), .k = 4, .eta1 = 2, .du = 11, .dv = 5};
    switch (set) {
    case RS_MLKEM_512: return &P512;
    case RS_MLKEM_768: return &P768;
    case RS_MLKEM_1024: return &P1024;
    }
    return NULL;
}

const rs_mlkem_sizes_t *rs_mlkem_sizes(uint32_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    return p ? &p->sizes : NULL;
}
