// SPDX-License-Identifier: Apache-2.0
// Messages of any size on their way into residues, and the transform of slots.
#include <ringside/golden/ckks.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "ckks/message.h"

void rs_fft_inverse(const rs_context_t *context, double *re, double *im, double fix) {
    context->backend->encoding->inverse(&rs_ckks(context)->fft, re, im, fix);
}

void rs_fft_forward(const rs_context_t *context, double *re, double *im) {
    context->backend->encoding->forward(&rs_ckks(context)->fft, re, im);
}

// ---- messages ----------------------------------------------------------------------------------------------------------
// 1 if some |message[i]| >= 2^61; smaller ones leave room for an error. Only this bit is public: it says which arithmetic the scale needs.
int rs_message_is_wide(const rs_encoding_t *encoding, const double *message, size_t n) {
    uint64_t wide = encoding->largest_magnitude(message, n) >= rs_bits_of(0x1p61);
    RS_DECLASSIFY(&wide, sizeof wide);
    return (int)wide;
}

// An integer-valued double of any size: mantissa * 2^shift with the power built from the bits of shift, without branches on them.
static uint64_t lift_wide(double x, const rs_modulus_t *m, const rs_factor_t *powers) {
    const uint64_t bits = rs_bits_of(x);
    const int64_t exponent = (int64_t)((bits >> RS_MANTISSA_BITS) & 0x7ff);
    const uint64_t fraction = bits & (((uint64_t)1 << RS_MANTISSA_BITS) - 1);
    const uint64_t nonzero = 0 - (uint64_t)((uint64_t)(0 - exponent) >> 63); // integers are zero or at least 1: no subnormals
    const uint64_t mantissa = (fraction | ((uint64_t)1 << RS_MANTISSA_BITS)) & nonzero;
    const int64_t shift = exponent - RS_EXPONENT_BIAS - RS_MANTISSA_BITS;
    const uint64_t negative = 0 - ((uint64_t)shift >> 63);
    const uint64_t right = (uint64_t)(0 - shift) & negative & 63;
    const uint64_t left = (uint64_t)shift & ~negative;
    uint64_t r = rs_reduce(mantissa >> right, m);
    for (unsigned k = 0; k < 10; k++) {
        const uint64_t take = 0 - ((left >> k) & 1);
        const uint64_t product = rs_mul_factor(r, powers[k], m->q);
        r = (product & take) | (r & ~take);
    }
    const uint64_t sign = 0 - (bits >> 63);
    return (rs_neg_mod(r, m->q) & sign) | (r & ~sign);
}

rs_message_t rs_message(const rs_context_t *context, const double *coef) {
    return (rs_message_t){coef, coef && rs_message_is_wide(context->backend->encoding, coef, context->n)};
}

// A wide message is lifted on its own and added to out. The rest is computed as usual, as if there were no message.
static void add_wide(const rs_limb_t *l, uint64_t *out, const double *coef) {
    const size_t n = (size_t)1 << l->log_n;
    const rs_modulus_t m = l->modulus;
    rs_factor_t powers[10]; // 2^(2^k)
    uint64_t power = 2;
    for (unsigned k = 0; k < 10; k++) {
        powers[k] = rs_factor(power, m.q);
        power = rs_mul_mod(power, power, &m);
    }
    for (size_t i = 0; i < n; i++) out[i] = rs_add_mod(out[i], lift_wide(coef[i], &m, powers), m.q);
}

void rs_message_lift(rs_ckks_limb_t l, uint64_t *out, rs_message_t message, const int8_t *error) {
    if (message.coef && !message.wide) {
        l.lifts->lift_message(l.limb, out, message.coef, error);
        return;
    }
    if (error) {
        l.limb->ring->lift_small(l.limb, out, error, 1);
    } else {
        memset(out, 0, sizeof *out << l.limb->log_n);
    }
    if (message.coef) add_wide(l.limb, out, message.coef);
}

void rs_message_forward(rs_ckks_limb_t l, uint64_t *out, rs_message_t message, const int8_t *small, const uint64_t *a,
                        const uint64_t *b, int subtract) {
    if (!message.coef) {
        rs_ring_forward(l.limb, out, small, a, b, subtract);
    } else if (l.lifts->fused && !message.wide && small) {
        l.lifts->fused(l.limb, out, message.coef, small, a, b, subtract);
    } else {
        rs_message_lift(l, out, message, small);
        rs_ring_forward(l.limb, out, NULL, a, b, subtract);
    }
}

void rs_message_lift_rounded(rs_ckks_limb_t l, uint64_t *out, rs_message_t message, const int8_t *error, const int64_t *d,
                             uint64_t inverse) {
    l.lifts->lift_rounded(l.limb, out, message.wide ? NULL : message.coef, error, d, inverse);
    if (message.wide) add_wide(l.limb, out, message.coef);
}

void rs_lift_message(const rs_context_t *context, uint32_t limb, uint64_t *out, const double *message, const int8_t *error) {
    rs_message_lift(rs_ckks_limb(context, limb), out, rs_message(context, message), error);
}
