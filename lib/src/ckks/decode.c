// SPDX-License-Identifier: Apache-2.0
// Decode: residues -> exact integers -> doubles -> slots.
//
// Composition is by balanced mixed radix: x = d_0 + d_1 q_0 + d_2 q_0 q_1 + …, |d_i| < q_i / 2, which represents exactly the centred
// range. A message far below the modulus has zero digits from some limb on, so only the digits that the scale calls for (with
// HEADROOM_BITS to spare) are computed and the other limbs are compared with them; if one disagrees, all digits are computed. The result
// is exact in any case; the time tells just whether some value exceeded 2^HEADROOM_BITS.
#include <ringside/ckks.h>
#include <ringside/kernels.h>

#include "base/bytes.h"
#include "ckks/checks.h"
#include "encoding/encoding.h"

enum { HEADROOM_BITS = 20, MANTISSA_BITS = 52, EXPONENT_BIAS = 1023 };

static double power_of_two(int exponent) { // -1022 <= exponent <= 1023
    const uint64_t bits = (uint64_t)(exponent + EXPONENT_BIAS) << MANTISSA_BITS;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Limbs whose modulus exceeds scale * 2^(HEADROOM_BITS + 1), at most limb_count.
static uint32_t expected_digits(const rs_context_t *context, uint32_t limb_count, double scale) {
    uint64_t bits;
    memcpy(&bits, &scale, sizeof bits);
    const int64_t needed = (int64_t)(bits >> MANTISSA_BITS) - EXPONENT_BIAS + HEADROOM_BITS + 3;
    uint32_t digits = 1;
    while (digits < limb_count && (int64_t)context->total_bits[digits] < needed) digits++;
    return digits;
}

void rs_mixed_radix_init(rs_mixed_radix_t *r, const rs_context_t *context, uint32_t limb, uint32_t digits) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    uint64_t product = 1;
    for (uint32_t k = 0; k < digits; k++) {
        const uint64_t radix = rs_reduce(context->limbs[k].modulus.q, m);
        r->radix[k] = rs_factor(radix, m->q);
        product = rs_mul_mod(product, radix, m);
    }
    r->inverse = rs_factor(rs_inverse_mod(product, m), m->q);
}

// The digits of coefficient i, evaluated modulo m. Digit k of coefficient i is at digits[k * n + i], a two's complement word.
static inline uint64_t evaluate(const uint64_t *digits, uint32_t count, size_t n, size_t i, const rs_mixed_radix_t *r,
                                const rs_modulus_t *m) {
    uint64_t x = rs_reduce_signed((int64_t)digits[(count - 1) * n + i], m);
    for (uint32_t k = count - 1; k-- > 0;) {
        x = rs_mul_factor(x, r->radix[k], m->q);
        x = rs_add_mod(x, rs_reduce_signed((int64_t)digits[k * n + i], m), m->q);
    }
    return x;
}

static inline uint64_t centre(uint64_t x, uint64_t q) {
    return x - (q & (0 - ((q / 2 - x) >> 63)));
}

void rs_make_digit_portable(const rs_context_t *context, uint64_t *poly, uint32_t limb) {
    const rs_modulus_t m = context->limbs[limb].modulus;
    const size_t n = context->n;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, context, limb, limb);
    uint64_t *residues = poly + limb * n;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = residues[i];
        if (limb) x = rs_mul_factor(rs_sub_mod(x, evaluate(poly, limb, n, i, &r, &m), m.q), r.inverse, m.q);
        residues[i] = centre(x, m.q);
    }
}

uint64_t rs_disagrees_portable(const rs_context_t *context, const uint64_t *poly, uint32_t digits, uint32_t limb) {
    const rs_modulus_t m = context->limbs[limb].modulus;
    const size_t n = context->n;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, context, limb, digits);
    uint64_t difference = 0;
    for (size_t i = 0; i < n; i++) difference |= poly[limb * n + i] ^ evaluate(poly, digits, n, i, &r, &m);
    return (difference | (0 - difference)) >> 63;
}

static inline uint64_t nonzero_mask(uint64_t x) {
    return rs_opaque(0 - ((x | (0 - x)) >> 63));
}

// A two's complement number of `words` words, least significant first, to the nearest double with ties to even:
// the return value times 2^exponent, its magnitude an integer from 2^52 to 2^53, or 0. acc is overwritten.
static double round_to_double(uint64_t *acc, uint32_t words, int64_t *exponent) {
    const uint64_t sign = 0 - (acc[words - 1] >> 63);
    uint64_t carry = sign & 1;
    for (uint32_t w = 0; w < words; w++) { // magnitude
        acc[w] = (acc[w] ^ sign) + carry;
        carry &= ~nonzero_mask(acc[w]);
    }
    uint64_t top = 0; // highest non-zero word
    uint64_t index = 0; // its place
    uint64_t next = 0; // the word below it
    uint64_t sticky = 0; // all others
    uint64_t have_top = 0;
    uint64_t have_next = 0;
    for (uint32_t w = words; w-- > 0;) {
        const uint64_t nonzero = nonzero_mask(acc[w]);
        sticky |= acc[w] & have_next;
        next |= acc[w] & have_top & ~have_next;
        have_next |= have_top;
        top |= acc[w] & ~have_top;
        index |= w & nonzero & ~have_top;
        have_top |= nonzero;
    }
    uint64_t shift = 0; // leading zeros of top, found by halving
    for (unsigned k = 32; k; k /= 2) {
        const uint64_t step = ~nonzero_mask(top >> (64 - k)) & k;
        top = rs_shift_left(top, step);
        shift += step;
    }
    top |= rs_shift_right(next >> 1, 63 - (shift & 63));
    sticky |= rs_shift_left(next, shift & 63);
    const uint64_t dropped = (top & 0x3ff) | (nonzero_mask(sticky) & 1);
    uint64_t kept = top >> 11;
    kept += ((top >> 10) & 1) & ((nonzero_mask(dropped) | kept) & 1);
    *exponent = (int64_t)((64 * index + 11 - shift) & have_top);
    const int64_t value = (int64_t)((kept ^ sign) - sign);
    return (double)value;
}

// sum of the digits times their radices, as two's complement words.
static void compose(uint64_t *acc, uint32_t words, const rs_context_t *context, const uint64_t *digits, uint32_t count, size_t i) {
    const size_t n = context->n;
    memset(acc, 0, words * sizeof *acc);
    for (uint32_t k = count; k-- > 0;) {
        const uint64_t q = context->limbs[k].modulus.q;
        const uint64_t digit = digits[k * n + i];
        uint64_t carry = 0;
        for (uint32_t w = 0; w < words; w++) { // acc = acc * q + digit; wraps correctly in two's complement
            const uint64_t extended = w ? 0 - (digit >> 63) : digit;
            const rs_wide_t sum = rs_wide_add(rs_wide(0, carry), rs_wide(0, extended));
            const rs_wide_t t = rs_wide_add(rs_wide_mul(acc[w], k + 1 == count ? 0 : q), sum);
            acc[w] = rs_wide_low(t);
            carry = rs_wide_high(t);
        }
    }
}

// A two's complement word with its sign in front.
static inline rs_wide_t extend(uint64_t x) {
    return rs_wide(0 - (x >> 63), x);
}

double rs_exact_reciprocal(double scale) {
    uint64_t bits;
    memcpy(&bits, &scale, sizeof bits);
    return bits << (64 - MANTISSA_BITS) ? 0 : 1 / scale; // a power of two; down to 2^-1023, exact though subnormal
}

// A two's complement number below 2^107 in magnitude: a 2^54 + b with |b| <= 2^53, |a| <= 2^53, both exact as doubles, so that only the
// sum rounds.
static double double_of(rs_wide_t x) {
    const int64_t a = (int64_t)rs_wide_shift(rs_wide_add(x, rs_wide(0, (uint64_t)1 << 53)), 54);
    const int64_t b = (int64_t)(rs_wide_low(x) - ((uint64_t)a << 54));
    return (double)a * 18014398509481984.0 + (double)b;
}

// Of a word, of two words, or at full length, as the digits call for.
void rs_coefficients_portable(const rs_context_t *context, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    const size_t n = context->n;
    const uint64_t *top = poly + (digits - 1) * n;
    if (context->total_bits[digits] <= 63) {
        for (size_t i = 0; i < n; i++) {
            uint64_t x = top[i];
            for (uint32_t k = digits - 1; k-- > 0;) x = x * context->limbs[k].modulus.q + poly[k * n + i];
            out[i] = (double)(int64_t)x / scale;
        }
        return;
    }
    if (context->total_bits[digits] <= 108) {
        for (size_t i = 0; i < n; i++) {
            rs_wide_t x = extend(top[i]);
            for (uint32_t k = digits - 1; k-- > 0;) {
                x = rs_wide_add(rs_wide_mul_word(x, context->limbs[k].modulus.q), extend(poly[k * n + i]));
            }
            out[i] = double_of(x) / scale;
        }
        return;
    }
    uint64_t acc[RS_LIMBS_MAX];
    for (size_t i = 0; i < n; i++) {
        int64_t exponent; // from -52 on
        compose(acc, digits, context, poly, digits, i); // so many limbs of < 2^60 and a sign fit as many words
        const double x = round_to_double(acc, digits, &exponent) / scale;
        const int first = (int)(exponent < 1000 ? exponent : 1000);
        const int rest = (int)exponent - first;
        out[i] = x * power_of_two(first) * power_of_two(rest < 1023 ? rest : 1023); // beyond: infinity, refused by rs_decode
    }
    rs_zeroize(acc, sizeof acc);
}

const rs_encoding_t RS_ENCODING_PORTABLE = {
    .inverse = rs_fft_portable_inverse,
    .forward = rs_fft_portable_forward,
    .largest_magnitude = rs_largest_magnitude_portable,
    .round = rs_round_portable,
    .make_digit = rs_make_digit_portable,
    .disagrees = rs_disagrees_portable,
    .coefficients = rs_coefficients_portable,
};

// Inverse NTTs, then as many digits as it takes, in place of the residues. Gives their number.
static uint32_t compose_digits(const rs_context_t *context, uint64_t *poly, uint32_t limbs, double scale) {
    const rs_encoding_t *encoding = context->backend->encoding;
    const size_t n = context->n;
    uint32_t digits = expected_digits(context, limbs, scale);
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_ntt_inverse(context, limb, poly + limb * n);
        if (limb < digits) {
            encoding->make_digit(context, poly, limb);
            continue;
        }
        uint64_t disagrees = encoding->disagrees(context, poly, digits, limb);
        RS_DECLASSIFY(&disagrees, sizeof disagrees); // see the head of this file
        if (!disagrees) continue;
        for (uint32_t k = limb + 1; k < limbs; k++) rs_ntt_inverse(context, k, poly + k * n);
        for (uint32_t k = digits; k < limbs; k++) encoding->make_digit(context, poly, k);
        return limbs;
    }
    return digits;
}

// Slots from their points. Gives a word whose top bit tells that one of them is infinite or NaN: then its exponent, all ones, carries.
static uint64_t pick_slots(const rs_context_t *context, double *values, const double *re, const double *im, size_t count,
                           int is_complex) {
    const uint16_t *slots = context->slots;
    const uint64_t carry = (uint64_t)1 << MANTISSA_BITS;
    uint64_t exceeded = 0;
    for (size_t i = 0; i < count; i++) {
        const double real = re[slots[i]];
        const double imaginary = i & 1 ? -im[slots[i]] : im[slots[i]];
        uint64_t bits[2];
        memcpy(&bits[0], &real, sizeof real);
        memcpy(&bits[1], &imaginary, sizeof imaginary);
        exceeded |= ((bits[0] & RS_MAGNITUDE_BITS) + carry) | ((bits[1] & RS_MAGNITUDE_BITS) + carry);
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
    const uint32_t digits = compose_digits(context, poly, limbs, plaintext->scale);
    encoding->coefficients(context, re, poly, digits, plaintext->scale);
    encoding->forward(context, re, im);
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
    const double bound = 2 * (scale * max_abs + power_of_two((int)noise_bits));
    if (!(bound < power_of_two(1000))) return 0;
    double modulus = 1;
    for (uint32_t limbs = 1; limbs <= limb_count; limbs++) {
        modulus *= (double)context->limbs[limbs - 1].modulus.q;
        if (bound * 1.0000001 < modulus) return limbs; // the margin covers the rounding of the product
    }
    return 0;
}
