// SPDX-License-Identifier: Apache-2.0
// Noise of fresh encryptions of zero.
#include "rlwe/checks.h"

// Variances per coefficient: CBD(21) has 42/4, a ternary coefficient 2/3, rounding 1/12.
rs_status_t rs_zero_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count, double *variance) {
    if (limb_count < 1 || limb_count > rs_params_data_limbs(params)) return RS_ERR_LEVEL;
    const double error = 10.5;
    const double rounding = 1.0 / 12;
    const double s_norm = (double)((uint32_t)1 << params->log_n) * (2.0 / 3); // expected squared norm of s, and of u
    const double direct = error * (1 + 2 * s_norm); // e_pk u + e0 + e1 s
    if (kind == RS_ENCRYPT_PK && params->limb_count == 1) kind = RS_ENCRYPT_PK_DIRECT;
    switch ((uint32_t)kind) {
    case RS_ENCRYPT_SK: *variance = error; return RS_OK;
    case RS_ENCRYPT_PK: {
        const double dropped = (double)params->moduli[limb_count];
        *variance = direct / dropped / dropped + rounding * (1 + s_norm);
        return RS_OK;
    }
    case RS_ENCRYPT_PK_DIRECT: *variance = direct; return RS_OK;
    }
    return RS_ERR_FORM;
}
