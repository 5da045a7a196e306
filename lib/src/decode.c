// SPDX-License-Identifier: Apache-2.0
// Decode: residues -> exact integers -> doubles -> slots.
//
// Composition is by balanced mixed radix: x = d_0 + d_1 q_0 + d_2 q_0 q_1 + …, |d_i| < q_i / 2, which represents exactly the centred
// range. A message far below the modulus has zero digits from some limb on, so only the digits that the scale calls for (with
// HEADROOM_BITS to spare) are computed and the other limbs are compared with them; if one disagrees, all digits are computed. The result
// is exact in any case; the time tells just whether some value exceeded 2^HEADROOM_BITS.
#include <ringside/ckks.h>
#include <ringside/kernels.h>

#include "bytes.h"
#include "checks.h"

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

// Constants to evaluate the first `digits` digits modulo limb `limb` by Horner's rule: radix[k] = q_k.
typedef struct mixed_radix {
    rs_factor_t radix[RS_LIMBS_MAX];
    rs_factor_t inverse; // of q_0 … q_{digits-1}
} mixed_radix_t;

static void mixed_radix_init(mixed_radix_t *r, const rs_context_t *context, uint32_t limb, uint32_t digits) {
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
static inline uint64_t evaluate(const uint64_t *digits, uint32_t count, size_t n, size_t i, const mixed_radix_t *r,
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

// Replaces the residues of limb `limb` by digit `limb`, given the digits before it.
static void make_digit(const rs_context_t *context, uint64_t *poly, uint32_t limb) {
    const rs_modulus_t m = context->limbs[limb].modulus;
    const size_t n = context->n;
    mixed_radix_t r;
    mixed_radix_init(&r, context, limb, limb);
    uint64_t *residues = poly + limb * n;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = residues[i];
        if (limb) x = rs_mul_factor(rs_sub_mod(x, evaluate(poly, limb, n, i, &r, &m), m.q), r.inverse, m.q);
        residues[i] = centre(x, m.q);
    }
}

// Whether limb `limb` has the residues of the first `digits` digits.
static int limb_agrees(const rs_context_t *context, const uint64_t *poly, uint32_t digits, uint32_t limb) {
    const rs_modulus_t m = context->limbs[limb].modulus;
    const size_t n = context->n;
    mixed_radix_t r;
    mixed_radix_init(&r, context, limb, digits);
    uint64_t difference = 0;
    for (size_t i = 0; i < n; i++) difference |= poly[limb * n + i] ^ evaluate(poly, digits, n, i, &r, &m);
    uint64_t agrees = (difference | (0 - difference)) >> 63 ^ 1;
    RS_DECLASSIFY(&agrees, sizeof agrees); // see the head of this file
    return (int)agrees;
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
        top <<= step;
        shift += step;
    }
    top |= (next >> 1) >> (63 - (shift & 63));
    sticky |= next << (shift & 63);
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
        rs_u128 carry = 0;
        for (uint32_t w = 0; w < words; w++) { // acc = acc * q + digit; wraps correctly in two's complement
            const uint64_t extended = w ? 0 - (digit >> 63) : digit;
            carry += (rs_u128)acc[w] * (k + 1 == count ? 0 : q) + extended;
            acc[w] = (uint64_t)carry;
            carry >>= 64;
        }
    }
}

// Coefficients divided by the scale: a word where the digits fit one, else composed at full length.
static void coefficients(const rs_context_t *context, double *out, const uint64_t *digits, uint32_t count, double scale) {
    const size_t n = context->n;
    if (context->total_bits[count] <= 63) {
        for (size_t i = 0; i < n; i++) {
            uint64_t x = digits[(count - 1) * n + i];
            for (uint32_t k = count - 1; k-- > 0;) x = x * context->limbs[k].modulus.q + digits[k * n + i];
            out[i] = (double)(int64_t)x / scale;
        }
        return;
    }
    uint64_t acc[RS_LIMBS_MAX];
    for (size_t i = 0; i < n; i++) {
        int64_t exponent; // from -52 on
        compose(acc, count, context, digits, count, i); // count limbs of < 2^60 and a sign fit count words
        const double x = round_to_double(acc, count, &exponent) / scale;
        const int first = (int)(exponent < 1000 ? exponent : 1000);
        const int rest = (int)exponent - first;
        out[i] = x * power_of_two(first) * power_of_two(rest < 1023 ? rest : 1023); // beyond: infinity, refused by rs_decode
    }
    rs_zeroize(acc, sizeof acc);
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
    uint32_t digits = expected_digits(context, limbs, plaintext->scale);
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_ntt_inverse(context, limb, poly + (size_t)limb * n);
        if (limb < digits) make_digit(context, poly, limb);
    }
    for (uint32_t limb = digits; limb < limbs; limb++) {
        if (limb_agrees(context, poly, digits, limb)) continue;
        for (uint32_t k = digits; k < limbs; k++) make_digit(context, poly, k);
        digits = limbs;
        break;
    }
    double *re = workspace;
    double *im = re + slots;
    coefficients(context, re, poly, digits, plaintext->scale);
    rs_fft_forward(context, re, im);

    uint64_t exceeded = 0;
    uint32_t power = 1; // 3^i mod 2N, as in rs_encode
    for (size_t i = 0; i < count; i++) {
        const uint32_t position = rs_bit_reverse(power >> 1, context->params.log_n);
        const uint32_t conjugated = position >= slots;
        const uint32_t at = conjugated ? n - 1 - position : position;
        const double imaginary = conjugated ? -im[at] : im[at];
        uint64_t bits[2];
        memcpy(&bits[0], &re[at], sizeof bits[0]);
        memcpy(&bits[1], &imaginary, sizeof bits[1]);
        exceeded |= (bits[0] & 0x7ff0000000000000) == 0x7ff0000000000000;
        exceeded |= (bits[1] & 0x7ff0000000000000) == 0x7ff0000000000000;
        if (is_complex) {
            values[2 * i] = re[at];
            values[2 * i + 1] = imaginary;
        } else {
            values[i] = re[at];
        }
        power = (power * 3) & (2 * n - 1);
    }
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
