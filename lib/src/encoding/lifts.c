// SPDX-License-Identifier: Apache-2.0
// Messages into residues in plain C, for every modulus.
#include "encoding/lifts.h"

static size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

void rs_portable_lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    const rs_modulus_t m = limb->modulus;
    if (error) {
        for (size_t i = 0; i < length(limb); i++) out[i] = rs_reduce_signed((int64_t)message[i] + error[i], &m);
    } else {
        for (size_t i = 0; i < length(limb); i++) out[i] = rs_reduce_signed((int64_t)message[i], &m);
    }
}

void rs_portable_lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                              uint64_t inverse) {
    const rs_modulus_t m = limb->modulus;
    const rs_factor_t f = rs_factor(inverse, m.q);
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_mul_factor(rs_reduce_signed(error[i] - d[i], &m), f, m.q);
    if (!message) return;
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_add_mod(out[i], rs_reduce_signed((int64_t)message[i], &m), m.q);
}

void rs_portable_centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    const uint64_t q = limb->modulus.q;
    const uint64_t half = q / 2;
    for (size_t i = 0; i < length(limb); i++) {
        // 0 < residue + half + error < 2q: |error| <= 21 is below half of the smallest modulus.
        const uint64_t x = poly[i] + half + (uint64_t)(int64_t)error[i];
        d[i] = (int64_t)(rs_csub(x, q) - half);
    }
}

const rs_lifts_t RS_LIFTS_PORTABLE = {
    .lift_message = rs_portable_lift_message,
    .lift_rounded = rs_portable_lift_rounded,
    .centre = rs_portable_centre,
};
