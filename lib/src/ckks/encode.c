// SPDX-License-Identifier: Apache-2.0
// Encode: slot values -> integer polynomial; and plaintexts limb by limb.
#include <ringside/client.h>
#include <ringside/golden/ckks.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "ckks/checks.h"
#include "encoding/fixed.h"

static const double WORD_LIMIT = 0x1p61; // coefficients as words: what the core reduces, and the library's fast path

rs_status_t rs_check_scale(const rs_context_t *context, double scale, uint32_t limb_count) {
    const uint64_t bits = rs_bits_of(scale);
    if (bits < (uint64_t)1 << RS_MANTISSA_BITS || bits >= RS_INFINITY_BITS)
        return RS_ERR_SCALE; // zero, subnormal, negative, inf, NaN
    const int64_t log2_floor = (int64_t)(bits >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS;
    return log2_floor + 1 >= (int64_t)context->total_bits[limb_count] ? RS_ERR_SCALE : RS_OK;
}

// Slot i belongs to the root zeta^(3^i), index (3^i - 1) / 2 of the N odd powers, at its bit-reversed position. The conjugates of the
// positions in the upper half, N - 1 - position, are in the lower one.
uint32_t rs_slot_position(const rs_context_t *context, uint32_t slot, uint32_t *conjugated) {
    const uint32_t n = context->n;
    uint32_t power = 1;
    uint32_t base = 3;
    for (uint32_t e = slot; e; e >>= 1) {
        if (e & 1) power *= base;
        base *= base;
    }
    const uint32_t position = rs_bit_reverse((power & (2 * n - 1)) >> 1, context->params.log_n);
    *conjugated = position >= n / 2;
    return *conjugated ? n - 1 - position : position;
}

// Slots to their points (rs_ckks(context)->slots), zeros where there is no value. Of real values im is not written: the transform knows it.
static void place(const rs_context_t *context, double *re, double *im, const double *values, size_t count, int is_complex) {
    const uint16_t *at = rs_ckks(context)->slots;
    const size_t slots = context->n / 2;
    if (count < slots) memset(re, 0, slots * sizeof *re);
    if (is_complex) {
        if (count < slots) memset(im, 0, slots * sizeof *im);
        for (size_t i = 0; i + 1 < count; i += 2) {
            re[at[i]] = values[2 * i];
            im[at[i]] = values[2 * i + 1];
            re[at[i + 1]] = values[2 * i + 2];
            im[at[i + 1]] = -values[2 * i + 3];
        }
        if (count & 1) {
            re[at[count - 1]] = values[2 * count - 2];
            im[at[count - 1]] = values[2 * count - 1];
        }
    } else {
#pragma GCC unroll 8
        for (size_t i = 0; i < count; i++) re[at[i]] = values[i];
    }
}

rs_status_t rs_check_layout(const rs_layout_t *layout, const rs_fixed_t *fixed) {
    if (!layout) return RS_OK;
    if (layout->reserved[0] | layout->reserved[1] | layout->reserved[2]) return RS_ERR_STRUCT;
    if (layout->packing || layout->is_complex > 1) return RS_ERR_OPTION;
    return !fixed && (layout->format || layout->exponent || layout->bound) ? RS_ERR_OPTION : RS_OK;
}

void rs_describe_plaintext(const rs_context_t *context, rs_plaintext_t *p, rs_form_t form, uint32_t limbs, double scale) {
    *p = (rs_plaintext_t){.form = form, .limb_count = limbs, .scale = scale, .message = p->message, .ntt = p->ntt};
    memcpy(p->parms_id, context->ids[limbs - 1], RS_PARMS_ID_BYTES);
}

// form: COEF, or WORDS; then RS_ERR_FORM if a coefficient does not fit.
static __attribute__((noinline)) rs_status_t encode(const rs_encode_request_t *r, rs_form_t form) {
    const rs_context_t *context = r->context;
    const uint32_t limb_count = r->limb_count ? r->limb_count : context->data_limbs;
    const double *values = r->values;
    const size_t count = r->count;
    const double scale = r->scale;
    const int is_complex = (int)rs_is_complex(r->layout);
    if (!r->plaintext->message) return RS_ERR_NULL;
    if (limb_count > context->data_limbs) return RS_ERR_LEVEL;
    RS_TRY(rs_check_scale(context, scale, limb_count));
    const uint32_t n = context->n;
    const uint32_t slots = n / 2;
    if (count > slots) return RS_ERR_VALUE_COUNT;
    const rs_encoding_t *encoding = context->backend->encoding;
    uint64_t largest = encoding->largest_magnitude(values, is_complex ? 2 * count : count);
    uint64_t finite = largest < RS_INFINITY_BITS; // whether all values are finite is public: it becomes the status
    RS_DECLASSIFY(&finite, sizeof finite);
    if (!finite) return RS_ERR_NOT_FINITE;

    double *re = r->plaintext->message;
    double *im = re + slots;
    const int words = form == RS_FORM_WORDS;
    place(context, re, im, values, count, is_complex);
    if (words) {
        largest = rs_inverse_words(encoding, &rs_ckks(context)->fft, re, im, !is_complex, scale / n);
    } else {
        largest = encoding->inverse_rounded(&rs_ckks(context)->fft, re, im, !is_complex, scale / n);
    }

    // SEAL: ceil(log2(max(largest, 1))) + 1 must be below the bits of the modulus. ceil(log2 x): the exponent, plus 1 unless x is a
    // power of two. That the message fits is public: it becomes the status.
    const uint64_t limit_exponent = (uint64_t)context->total_bits[limb_count] - 2 + RS_EXPONENT_BIAS;
    const uint64_t limit = limit_exponent < 0x7ff ? limit_exponent << RS_MANTISSA_BITS : RS_INFINITY_BITS - 1;
    uint64_t fits = largest <= limit;
    RS_DECLASSIFY(&fits, sizeof fits);
    if (!fits) {
        rs_zeroize(re, n * sizeof *re);
        return RS_ERR_OVERFLOW;
    }
    uint64_t wide = words && largest >= rs_bits_of(WORD_LIMIT); // public too: it becomes the form
    RS_DECLASSIFY(&wide, sizeof wide);
    if (wide) return RS_ERR_FORM;
    rs_describe_plaintext(context, r->plaintext, form, limb_count, scale);
    return RS_OK;
}

rs_status_t rs_ckks_encode(const rs_encode_request_t *request) {
    const rs_fixed_t *fixed = request->fixed;
    RS_TRY(rs_check_layout(request->layout, fixed));
    if (request->words > 1 || (fixed && request->words)) return RS_ERR_OPTION;
    if (fixed) return fixed->encode(request);
    const rs_status_t status = request->words ? encode(request, RS_FORM_WORDS) : RS_ERR_FORM;
    return status == RS_ERR_FORM ? encode(request, RS_FORM_COEF) : status;
}

rs_status_t rs_ckks_plaintext_limb(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb, uint64_t *out) {
    if (plaintext->form == RS_FORM_NTT) {
        if (!plaintext->ntt) return RS_ERR_NULL;
        memcpy(out, plaintext->ntt + (size_t)limb * context->n, context->n * sizeof *out);
    } else {
        if (plaintext->form != RS_FORM_COEF) return RS_ERR_FORM;
        if (!plaintext->message) return RS_ERR_NULL;
        rs_lift_message(context, limb, out, plaintext->message, NULL);
        rs_plan_forward(&context->limbs[limb], out);
    }
    return RS_OK;
}
