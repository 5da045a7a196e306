// SPDX-License-Identifier: Apache-2.0
// Pointwise polynomial kernels and lifts of small polynomials and messages into residues.
#include <ringside/kernels.h>
#include <string.h>

#include "bytes.h"
#include "context_internal.h"

void rs_poly_mul(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const rs_modulus_t m = context->moduli[limb];
    for (uint32_t i = 0; i < context->n; i++) out[i] = rs_mul_mod(a[i], b[i], &m);
}

void rs_poly_mul_add(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b,
                     const uint64_t *c) {
    const rs_modulus_t m = context->moduli[limb];
    for (uint32_t i = 0; i < context->n; i++) out[i] = rs_add_mod(rs_mul_mod(a[i], b[i], &m), c[i], m.q);
}

void rs_poly_mul_sub(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b,
                     const uint64_t *c) {
    const rs_modulus_t m = context->moduli[limb];
    for (uint32_t i = 0; i < context->n; i++) out[i] = rs_sub_mod(c[i], rs_mul_mod(a[i], b[i], &m), m.q);
}

void rs_poly_add(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const uint64_t q = context->moduli[limb].q;
    for (uint32_t i = 0; i < context->n; i++) out[i] = rs_add_mod(a[i], b[i], q);
}

// Word j holds a(psi^(2 brv(j) + 1)); a(X^g) there is a(psi^(g (2 brv(j) + 1))).
void rs_poly_galois(const rs_context_t *context, uint64_t *out, const uint64_t *a, uint32_t element) {
    const uint32_t log_n = context->params.log_n;
    const uint32_t mask = 2 * context->n - 1;
    for (uint32_t j = 0; j < context->n; j++) {
        const uint32_t exponent = (element * (2 * rs_bit_reverse(j, log_n) + 1)) & mask;
        out[j] = a[rs_bit_reverse(exponent >> 1, log_n)];
    }
}

void rs_lift_small(const rs_context_t *context, uint32_t limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const rs_modulus_t m = context->moduli[limb];
    const rs_factor_t f = rs_factor(factor, m.q);
    if (factor == 1) {
        for (uint32_t i = 0; i < context->n; i++) {
            const uint64_t x = (uint64_t)(int64_t)small[i];
            out[i] = x + (m.q & (0 - (x >> 63)));
        }
        return;
    }
    for (uint32_t i = 0; i < context->n; i++) {
        const uint64_t x = (uint64_t)(int64_t)small[i];
        out[i] = rs_mul_factor(x + (m.q & (0 - (x >> 63))), f, m.q);
    }
}

// ---- messages ----------------------------------------------------------------------------------------------------------
enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1023 };

static uint64_t double_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// 1 if some |message[i]| >= 2^61 (an error still fits on top of smaller ones). Only this bit is public: it says which arithmetic the scale calls for.
static int is_wide(const double *message, uint32_t n) {
    uint64_t wide = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t magnitude = double_bits(message[i]) & (UINT64_MAX >> 1);
        wide |= ((uint64_t)(EXPONENT_BIAS + 61) << MANTISSA_BITS) - 1 - magnitude; // top bit set if magnitude is beyond
    }
    wide >>= 63;
    RS_DECLASSIFY(&wide, sizeof wide);
    return (int)wide;
}

// An integer-valued double of any size: mantissa * 2^shift with the power built from the bits of shift, without branches on them.
static uint64_t lift_wide(double x, const rs_modulus_t *m, const rs_factor_t *powers) {
    const uint64_t bits = double_bits(x);
    const int64_t exponent = (int64_t)((bits >> MANTISSA_BITS) & 0x7ff);
    const uint64_t fraction = bits & (((uint64_t)1 << MANTISSA_BITS) - 1);
    const uint64_t nonzero = 0 - (uint64_t)((uint64_t)(0 - exponent) >> 63); // integers are zero or at least 1: no subnormals
    const uint64_t mantissa = (fraction | ((uint64_t)1 << MANTISSA_BITS)) & nonzero;
    const int64_t shift = exponent - EXPONENT_BIAS - MANTISSA_BITS;
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

static void lift_message_wide(uint64_t *out, const double *message, uint32_t n, const rs_modulus_t *m) {
    rs_factor_t powers[10]; // 2^(2^k)
    uint64_t power = 2;
    for (unsigned k = 0; k < 10; k++) {
        powers[k] = rs_factor(power, m->q);
        power = rs_mul_mod(power, power, m);
    }
    for (uint32_t i = 0; i < n; i++) out[i] = lift_wide(message[i], m, powers);
}

void rs_lift_message(const rs_context_t *context, uint32_t limb, uint64_t *out, const double *message, const int8_t *error) {
    const rs_modulus_t m = context->moduli[limb];
    const uint32_t n = context->n;
    if (is_wide(message, n)) {
        lift_message_wide(out, message, n, &m);
        if (error) {
            for (uint32_t i = 0; i < n; i++) {
                const uint64_t e = (uint64_t)(int64_t)error[i];
                out[i] = rs_add_mod(out[i], e + (m.q & (0 - (e >> 63))), m.q);
            }
        }
    } else if (error) {
        for (uint32_t i = 0; i < n; i++) out[i] = rs_reduce_signed((int64_t)message[i] + error[i], &m);
    } else {
        for (uint32_t i = 0; i < n; i++) out[i] = rs_reduce_signed((int64_t)message[i], &m);
    }
}
