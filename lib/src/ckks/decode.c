// SPDX-License-Identifier: Apache-2.0
// Decode: residues -> exact integers -> doubles -> slots.
//
// Composition is by balanced mixed radix: x = d_0 + d_1 q_0 + d_2 q_0 q_1 + …, |d_i| < q_i / 2, which represents exactly the centred
// range. A message far below the modulus has zero digits from some limb on, so only the digits that the scale calls for (with
// HEADROOM_BITS to spare) are computed and the other limbs are compared with them; if one disagrees, all digits are computed. The result
// is exact in any case. The time tells only whether some value exceeded 2^HEADROOM_BITS.
#include <ringside/ckks.h>
#include <ringside/kernels.h>

#include "base/bytes.h"
#include "base/doubles.h"
#include "ckks/checks.h"

enum { HEADROOM_BITS = 20 };

// Limbs whose modulus exceeds scale * 2^(HEADROOM_BITS + 1), at most limb_count.
static uint32_t expected_digits(const rs_context_t *context, uint32_t limb_count, double scale) {
    const int64_t needed = (int64_t)(rs_bits_of(scale) >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS + HEADROOM_BITS + 3;
    uint32_t digits = 1;
    while (digits < limb_count && (int64_t)context->total_bits[digits] < needed) digits++;
    return digits;
}

// Inverse NTTs, then as many digits as it takes, in place of the residues. Gives their number.
static uint32_t compose_digits(const rs_context_t *context, uint64_t *poly, uint32_t limbs, double scale) {
    const rs_encoding_t *encoding = context->backend->encoding;
    const rs_rns_t rns = rs_context_rns(context);
    const size_t n = context->n;
    uint32_t digits = expected_digits(context, limbs, scale);
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_ntt_inverse(context, limb, poly + limb * n);
        if (limb < digits) {
            encoding->make_digit(&rns, poly, limb);
            continue;
        }
        uint64_t disagrees = encoding->disagrees(&rns, poly, digits, limb);
        RS_DECLASSIFY(&disagrees, sizeof disagrees); // see the head of this file
        if (!disagrees) continue;
        for (uint32_t k = limb + 1; k < limbs; k++) rs_ntt_inverse(context, k, poly + k * n);
        for (uint32_t k = digits; k < limbs; k++) encoding->make_digit(&rns, poly, k);
        return limbs;
    }
    return digits;
}

// Slots from their points. The top bit of the result is set if one of them is infinite or NaN: its exponent is all ones, and adding 1
// to it carries.
static uint64_t pick_slots(const rs_context_t *context, double *values, const double *re, const double *im, size_t count,
                           int is_complex) {
    const uint16_t *slots = context->slots;
    const uint64_t carry = (uint64_t)1 << RS_MANTISSA_BITS;
    uint64_t exceeded = 0;
    for (size_t i = 0; i < count; i++) {
        const double real = re[slots[i]];
        const double imaginary = i & 1 ? -im[slots[i]] : im[slots[i]];
        exceeded |= (rs_bits_of(real) & RS_MAGNITUDE_BITS) + carry;
        exceeded |= (rs_bits_of(imaginary) & RS_MAGNITUDE_BITS) + carry;
        if (is_complex) {
            values[2 * i] = real;
            values[2 * i + 1] = imaginary;
        } else {
            values[i] = real;
        }
    }
    return exceeded;
}

size_t rs_decode_workspace(const rs_context_t *context) {
    return context->n * sizeof(double);
}

rs_status_t rs_decode(const rs_context_t *context, rs_plaintext_t *plaintext, double *values, size_t count, int is_complex,
                      void *workspace, size_t workspace_bytes) {
    if (!context || !plaintext || (!values && count)) return RS_ERR_NULL;
    if (plaintext->form != RS_FORM_NTT) return RS_ERR_FORM;
    if (!plaintext->ntt) return RS_ERR_NULL;
    const uint32_t limbs = plaintext->limb_count;
    RS_TRY(rs_check_id(context, plaintext->parms_id, limbs));
    RS_TRY(rs_check_scale(context, plaintext->scale, context->params.limb_count));
    const uint32_t n = context->n;
    const uint32_t slots = n / 2;
    if (count > slots) return RS_ERR_VALUE_COUNT;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_decode_workspace(context)));

    uint64_t *poly = plaintext->ntt;
    double *re = workspace;
    double *im = re + slots;
    const rs_encoding_t *encoding = context->backend->encoding;
    const rs_rns_t rns = rs_context_rns(context);
    const uint32_t digits = compose_digits(context, poly, limbs, plaintext->scale);
    encoding->coefficients(&rns, re, poly, digits, plaintext->scale);
    encoding->forward(&context->fft, re, im);
    uint64_t exceeded = pick_slots(context, values, re, im, count, is_complex) >> 63;
    rs_zeroize(workspace, rs_decode_workspace(context));
    RS_DECLASSIFY(&exceeded, sizeof exceeded);
    if (!exceeded) return RS_OK;
    rs_zeroize(values, (is_complex ? 2 : 1) * count * sizeof *values);
    rs_zeroize(poly, (size_t)limbs * n * sizeof *poly);
    return RS_ERR_DECODE_RANGE;
}

uint32_t rs_limbs_needed(const rs_context_t *context, uint32_t limb_count, double scale, double max_abs, uint32_t noise_bits) {
    if (!context || limb_count > context->params.limb_count || noise_bits > 1000 || !(scale > 0) || !(max_abs >= 0)) return 0;
    const double bound = 2 * (scale * max_abs + rs_power_of_two((int)noise_bits));
    if (!(bound < rs_power_of_two(1000))) return 0;
    double modulus = 1;
    for (uint32_t limbs = 1; limbs <= limb_count; limbs++) {
        modulus *= (double)context->limbs[limbs - 1].modulus.q;
        if (bound * 1.0000001 < modulus) return limbs; // the margin covers the rounding of the product
    }
    return 0;
}
