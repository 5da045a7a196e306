// SPDX-License-Identifier: Apache-2.0
// Encode and decode in fixed point: slots <-> residues. Doubles occur as scales alone, and of these only the bits are used.
#include <ringside/client.h>
#include <ringside/golden/ckks.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "ckks/checks.h"
#include "encoding/fixed.h"

// ---- steps -------------------------------------------------------------------------------------------------------------
void rs_lift_fixed(const rs_context_t *context, uint32_t limb, uint64_t *out, const int64_t *words, int32_t shift) {
    const rs_modulus_t m = context->limbs[limb].modulus;
    const rs_factor_t power = rs_factor(rs_pow_mod(2, shift > 0 ? (uint32_t)shift : 0, &m), m.q);
    uint64_t ignored = 0;
    for (uint32_t i = 0; i < context->n; i++) {
        const int64_t word = shift < 0 ? rs_fixed_shift(words[i], shift, &ignored) : words[i];
        const uint64_t sign = rs_opaque(rs_fixed_sign((uint64_t)word));
        const uint64_t residue = rs_mul_factor(rs_reduce(rs_fixed_magnitude(word), &m), power, m.q);
        out[i] = rs_csub((residue ^ sign) - sign + (m.q & sign), m.q); // q - 0 is not reduced yet
    }
}

// a 2^bits / b to the nearest integer, at most 2^64 - 1; a and b have their top bits set. Public.
static uint64_t quotient(uint64_t a, uint64_t b, int32_t bits) {
    uint64_t result = a >= b;
    uint64_t rest = a - (result ? b : 0);
    if (bits < -1) return 0;
    if (bits == -1) return result; // from 1/2 on
    for (int32_t i = 0; i < bits; i++) {
        const uint64_t carry = rest >> 63;
        rest <<= 1;
        const uint64_t take = carry | (rest >= b);
        rest -= take ? b : 0;
        result = result << 1 | take;
    }
    const uint64_t half = rest >> 63 | (rest << 1 >= b);
    return result == UINT64_MAX ? result : result + half;
}

static rs_status_t check_words(uint32_t word_bits, int32_t bound) {
    if (word_bits < RS_FIXED_BITS_MIN || word_bits > RS_FIXED_BITS_MAX) return RS_ERR_WORD_BITS;
    return bound < -RS_FIXED_EXPONENT_MAX || bound > RS_FIXED_EXPONENT_MAX ? RS_ERR_LAYOUT : RS_OK;
}

// A scale: mantissa 2^(log_scale - 63), with the top bit set. Public.
static rs_status_t split(uint64_t bits, uint64_t *mantissa, int32_t *log_scale) {
    if (bits < (uint64_t)1 << RS_MANTISSA_BITS || bits >= RS_INFINITY_BITS) return RS_ERR_SCALE;
    *mantissa = (bits << (63 - RS_MANTISSA_BITS)) | (uint64_t)1 << 63;
    *log_scale = (int32_t)(bits >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS;
    return RS_OK;
}

// A digit below 2^bits as a word: digit radix 2^shift / (mantissa 2^-63) as a word. Public.
static rs_fixed_scale_t digit_scale(uint32_t word_bits, uint64_t mantissa, int32_t shift, uint64_t modulus, uint32_t bits) {
    if (!modulus && mantissa == (uint64_t)1 << 63) return (rs_fixed_scale_t){0, shift};
    // digit times (radix / mantissa) 2^exponent, radix with its top bit set
    const uint32_t zeros = modulus ? (uint32_t)__builtin_clzll(modulus) : 63;
    const uint64_t radix = (modulus ? modulus : 1) << zeros;
    const int32_t exponent = shift + 63 - (int32_t)zeros;
    const int32_t log_factor = exponent - (radix < mantissa); // floor(log2)
    // A factor of W bits, but no digit is made shorter than a word has to be, whose magnitude has W - 1 bits. A longer one loses a bit
    // more than its length says, as it could be rounded up to 2^(W-1).
    const int32_t too_long = (int32_t)word_bits - 1 - (int32_t)bits;
    const int32_t least = too_long < 0 ? too_long - 1 : 0;
    const int32_t left = log_factor + 1 > least ? log_factor + 1 : least;
    const uint64_t largest = UINT64_MAX >> (64 - word_bits);
    const uint64_t factor = quotient(radix, mantissa, exponent + (int32_t)word_bits - left);
    if (!factor) return (rs_fixed_scale_t){0, -65}; // nothing is left of the digit
    return (rs_fixed_scale_t){factor > largest ? largest : factor, left};
}

rs_status_t rs_decode_fixed_scales(const rs_context_t *context, uint32_t word_bits, const rs_plaintext_t *plaintext, int32_t bound,
                                   rs_fixed_scale_t scales[2], uint32_t *limbs) {
    if (!context || !plaintext || !scales || !limbs) return RS_ERR_NULL;
    RS_TRY(check_words(word_bits, bound));
    const uint32_t given = plaintext->limb_count;
    if (given < 1 || given > 2 || given > context->params.limb_count) return RS_ERR_LEVEL;
    uint64_t mantissa;
    int32_t log_scale;
    RS_TRY(split(rs_bits_of(plaintext->scale), &mantissa, &log_scale));
    const int32_t shift = (int32_t)word_bits - 2 - bound - log_scale;
    const rs_modulus_t *first = &context->limbs[0].modulus;
    *limbs = 1;
    if (given > 1) {
        uint32_t over = 0;
        scales[0] = digit_scale(word_bits, mantissa, shift, 0, first->bits);
        scales[1] = digit_scale(word_bits, mantissa, shift, first->q, context->limbs[1].modulus.bits - 1);
        // the largest r_0, and the least d_1 that is not 0
        (void)rs_fixed_scale(word_bits, (int64_t)(first->q - 1), scales[0], &over);
        (void)rs_fixed_scale(word_bits, 1, scales[1], &over);
        if (!over) {
            *limbs = 2;
            return RS_OK;
        }
    }
    scales[1] = (rs_fixed_scale_t){0, -65};
    scales[0] = digit_scale(word_bits, mantissa, shift, 0, first->bits - 1);
    return RS_OK;
}

rs_status_t rs_encode_fixed_scale(uint32_t word_bits, double scale, int32_t bound, rs_fixed_scale_t *how) {
    uint64_t mantissa;
    int32_t log_scale;
    if (!how) return RS_ERR_NULL;
    RS_TRY(check_words(word_bits, bound));
    RS_TRY(split(rs_bits_of(scale), &mantissa, &log_scale));
    const int32_t shift = log_scale + bound - ((int32_t)word_bits - 1);
    const uint32_t dropped = 64 - word_bits;
    const uint64_t factor = (mantissa >> dropped) + (dropped ? mantissa >> (dropped - 1) & 1 : 0); // halves up; 2^W at most
    const uint64_t top = (uint64_t)1 << (word_bits - 1);
    const int is_power = factor == top || factor >> 1 == top;
    *how = (rs_fixed_scale_t){is_power ? 0 : factor, shift + (factor != top)};
    return RS_OK;
}

// ---- encode ------------------------------------------------------------------------------------------------------------
// SEAL's rule (rs_encode): the largest coefficient is at most 2^(bits of the modulus - 2). The coefficients are words times 2^shift.
static int fits(const int64_t *words, uint32_t n, int32_t shift, uint32_t total_bits) {
    const int64_t limit = (int64_t)total_bits - 2 - (shift > 0 ? shift : 0);
    uint64_t above = 0;
    if (limit > 63) return 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t magnitude = rs_fixed_magnitude(shift < 0 ? rs_fixed_shift(words[i], shift, &above) : words[i]);
        above |= limit < 0 ? magnitude : (magnitude - rs_fixed_any(magnitude)) >> limit;
    }
    above = rs_fixed_any(above);
    RS_DECLASSIFY(&above, sizeof above); // public: it becomes the status
    return !above;
}

// SCALEW of a core.
static rs_status_t multiply(uint32_t word_bits, int64_t *words, uint32_t n, uint64_t factor) {
    uint32_t over = 0;
    for (uint32_t i = 0; i < n; i++) words[i] = rs_fixed_times(word_bits, words[i], factor, &over);
    RS_DECLASSIFY(&over, sizeof over); // public: it becomes the status
    return over ? RS_ERR_VALUE_RANGE : RS_OK;
}

static rs_fixed_layout_t fixed_layout(const rs_layout_t *layout, uint32_t count) {
    const rs_layout_t given = layout ? *layout : (rs_layout_t){0};
    const uint32_t format = given.format ? given.format - 1 : RS_FIXED_BINARY64;
    return (rs_fixed_layout_t){format, given.is_complex, count, given.exponent, given.bound};
}

static rs_status_t encode(const rs_encode_request_t *r) {
    rs_fixed_scale_t how;
    const rs_context_t *context = r->context;
    const rs_fixed_t *fixed = r->fixed;
    const rs_fixed_layout_t layout = fixed_layout(r->layout, r->count);
    const uint32_t n = context->n, limb_count = r->limb_count ? r->limb_count : context->data_limbs;
    if (!r->plaintext->ntt) return RS_ERR_NULL;
    if (fixed->log_n != context->params.log_n) return RS_ERR_MISMATCH;
    if (limb_count > context->data_limbs) return RS_ERR_LEVEL;
    RS_TRY(rs_check_scale(context, r->scale, limb_count));
    RS_TRY(rs_encode_fixed_scale(fixed->word_bits, r->scale, layout.bound, &how));
    // the words are where the last limb's residues will be
    int64_t *re = (int64_t *)r->plaintext->ntt + (size_t)(limb_count - 1) * n;
    int64_t *im = re + n / 2;
    RS_TRY(rs_fixed_load(fixed, re, im, r->values, &layout));
    RS_TRY(rs_fixed_inverse(fixed, re, im));
    rs_status_t status = how.factor ? multiply(fixed->word_bits, re, n, how.factor) : RS_OK;
    if (status == RS_OK && !fits(re, n, how.shift, context->total_bits[limb_count])) status = RS_ERR_OVERFLOW;
    if (status != RS_OK) {
        rs_zeroize(re, n * sizeof *re);
        return status;
    }
    for (uint32_t limb = 0; limb < limb_count; limb++) {
        uint64_t *out = r->plaintext->ntt + (size_t)limb * n;
        rs_lift_fixed(context, limb, out, re, how.shift);
        rs_plan_forward(&context->limbs[limb], out);
    }
    rs_describe_plaintext(context, r->plaintext, RS_FORM_NTT, limb_count, r->scale);
    return RS_OK;
}

// ---- decode ------------------------------------------------------------------------------------------------------------
// Balanced digits d_0, d_1 become r_0 from 0 to q_0 - 1, as the first limb has it, and what is then the centred d_1.
static void whole_digits(const rs_context_t *context, uint64_t *poly) {
    const uint64_t q0 = context->limbs[0].modulus.q, q1 = context->limbs[1].modulus.q;
    uint64_t *upper = poly + context->n;
    for (size_t i = 0; i < context->n; i++) {
        const uint64_t negative = rs_opaque(rs_fixed_sign(poly[i]));
        poly[i] += q0 & negative;
        upper[i] += negative; // one less
        upper[i] += q1 & rs_opaque(rs_fixed_sign(upper[i] + (q1 >> 1))); // below -(q_1 - 1) / 2
    }
}

static rs_status_t decode(const rs_decode_request_t *r) {
    const rs_context_t *context = r->context;
    const rs_fixed_t *fixed = r->fixed;
    rs_plaintext_t *plaintext = r->plaintext;
    const rs_fixed_layout_t layout = fixed_layout(r->layout, r->count);
    if (fixed->log_n != context->params.log_n) return RS_ERR_MISMATCH;
    const uint32_t limbs = plaintext->limb_count;
    if (limbs > 2) return RS_ERR_LEVEL;
    const size_t n = context->n;
    uint64_t *poly = plaintext->ntt;
    const rs_rns_t rns = rs_context_rns(context);
    rs_fixed_scale_t scales[2];
    uint32_t digits;
    RS_TRY(rs_decode_fixed_scales(context, fixed->word_bits, plaintext, layout.bound, scales, &digits));
    for (uint32_t k = 0; k < digits; k++) {
        rs_plan_inverse(&context->limbs[k], poly + k * n);
        context->backend->encoding->make_digit(&rns, poly, k);
    }
    if (digits > 1) whole_digits(context, poly);
    uint32_t over = 0;
    int64_t *words = (int64_t *)poly;
    for (size_t i = 0; i < n; i++) {
        int64_t word = rs_fixed_scale(fixed->word_bits, (int64_t)poly[i], scales[0], &over);
        if (digits > 1) {
            const int64_t upper = rs_fixed_scale(fixed->word_bits, (int64_t)poly[n + i], scales[1], &over);
            word = rs_fixed_sum(fixed->word_bits, word, upper, &over);
        }
        words[i] = word;
    }
    RS_DECLASSIFY(&over, sizeof over); // public: it becomes the status
    if (over) rs_zeroize(words, n * sizeof *words); // as rs_fixed_forward does: zeros are what is stored then
    rs_status_t status = over ? RS_ERR_VALUE_RANGE : rs_fixed_forward(fixed, words, words + n / 2);
    const rs_status_t stored = rs_fixed_store(fixed, r->values, &layout, words, words + n / 2);
    if (status == RS_OK) status = stored;
    rs_zeroize(poly, limbs * n * sizeof *poly);
    return status;
}

rs_status_t rs_fixed_init(const rs_fixed_t **fixed, void *memory, size_t memory_bytes, uint32_t log_n, uint32_t word_bits) {
    rs_fixed_t *made;
    if (!fixed) return RS_ERR_NULL;
    RS_TRY(rs_fixed_tables(&made, (rs_memory_t){memory, memory_bytes}, log_n, word_bits));
    made->encode = encode;
    made->decode = decode;
    *fixed = made;
    return RS_OK;
}
