// SPDX-License-Identifier: Apache-2.0
// Noise of fresh encryptions of zero.
#include "rlwe/checks.h"

// Variances per coefficient: CBD(21) has 42/4, a ternary coefficient 2/3, rounding 1/12.
rs_status_t rs_zero_variance(const rs_context_t *context, rs_encryption_t kind, uint32_t limb_count, double *variance) {
    if (limb_count < 1 || limb_count > context->data_limbs) return RS_ERR_LEVEL;
    const double error = 10.5;
    const double rounding = 1.0 / 12;
    const double s_norm = context->n * (2.0 / 3); // expected squared norm of s, and of u
    const double direct = error * (1 + 2 * s_norm); // e_pk u + e0 + e1 s
    if (kind == RS_ENCRYPT_PK && context->params.limb_count == 1) kind = RS_ENCRYPT_PK_DIRECT;
    switch (kind) {
    case RS_ENCRYPT_SK:
        *variance = error;
        return RS_OK;
    case RS_ENCRYPT_PK: {
        const double dropped = (double)context->limbs[limb_count].modulus.q;
        *variance = direct / dropped / dropped + rounding * (1 + s_norm);
        return RS_OK;
    }
    case RS_ENCRYPT_PK_DIRECT:
        *variance = direct;
        return RS_OK;
    }
    return RS_ERR_FORM;
}
