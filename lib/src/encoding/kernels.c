// SPDX-License-Identifier: Apache-2.0
// Encode and decode besides the transforms, in plain C: for every machine, and for the cases that a back end does not handle itself.
#include <ringside/base.h>
#include <string.h>

#include "base/bytes.h"
#include "base/doubles.h"
#include "encoding/encoding.h"
#include "encoding/rounding.h"

// ---- encode ------------------------------------------------------------------------------------------------------------
uint64_t rs_largest_magnitude_portable(const double *x, size_t count) {
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++) largest = rs_larger_magnitude(largest, x[i]);
    return largest;
}

// By way of integers. From 2^62 on values are integers anyway.
static inline __attribute__((always_inline)) double round_half_away(double x) {
    const uint64_t bits = rs_bits_of(x);
    const uint64_t small = rs_fits_word(x);
    const double rounded = (double)rs_nearest_word(x);
    return rs_from_bits((rs_bits_of(rounded) & small) | (bits & ~small) | (bits & ~RS_MAGNITUDE_BITS));
}

uint64_t rs_fft_portable_inverse_rounded(const rs_fft_t *fft, double *re, double *im, int real, double fix) {
    const size_t n = (size_t)1 << fft->log_n;
    double *x = re;
    uint64_t largest = 0;
    if (real) memset(im, 0, n / 2 * sizeof *im);
    rs_fft_portable_inverse(fft, re, im, fix);
    for (size_t i = 0; i < n; i += 4) { // side by side: each would wait for its own results
        const double a[4] = {x[i], x[i + 1], x[i + 2], x[i + 3]};
        const double b[4] = {round_half_away(a[0]), round_half_away(a[1]), round_half_away(a[2]), round_half_away(a[3])};
        for (unsigned k = 0; k < 4; k++) largest = rs_larger_magnitude(largest, a[k]);
        x[i] = b[0];
        x[i + 1] = b[1];
        x[i + 2] = b[2];
        x[i + 3] = b[3];
    }
    return largest;
}

uint64_t rs_inverse_words(const rs_encoding_t *encoding, const rs_fft_t *fft, double *re, double *im, int real, double fix) {
    if (encoding->inverse_words) return encoding->inverse_words(fft, re, im, real, fix);
    const size_t n = (size_t)1 << fft->log_n;
    uint64_t largest = 0;
    if (real) memset(im, 0, n / 2 * sizeof *im);
    encoding->inverse(fft, re, im, fix);
    for (size_t i = 0; i < n; i++) {
        const double x = re[i];
        largest = rs_larger_magnitude(largest, x);
        re[i] = rs_from_bits((uint64_t)rs_nearest_word(x));
    }
    return largest;
}

// ---- decode ------------------------------------------------------------------------------------------------------------
void rs_mixed_radix_init(rs_mixed_radix_t *r, const rs_rns_t *rns, uint32_t limb, uint32_t digits) {
    const rs_modulus_t *m = &rns->limbs[limb].modulus;
    uint64_t product = 1;
    for (uint32_t k = 0; k < digits; k++) {
        const uint64_t radix = rs_reduce(rns->limbs[k].modulus.q, m);
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

static inline uint64_t centre(uint64_t x, uint64_t q) { return x - (q & (0 - ((q / 2 - x) >> 63))); }

void rs_make_digit_portable(const rs_rns_t *rns, uint64_t *poly, uint32_t limb) {
    const rs_modulus_t m = rns->limbs[limb].modulus;
    const size_t n = rns->n;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, rns, limb, limb);
    uint64_t *residues = poly + limb * n;
    for (size_t i = 0; i < n; i++) {
        uint64_t x = residues[i];
        if (limb) x = rs_mul_factor(rs_sub_mod(x, evaluate(poly, limb, n, i, &r, &m), m.q), r.inverse, m.q);
        residues[i] = centre(x, m.q);
    }
}

uint64_t rs_disagrees_portable(const rs_rns_t *rns, const uint64_t *poly, uint32_t digits, uint32_t limb) {
    const rs_modulus_t m = rns->limbs[limb].modulus;
    const size_t n = rns->n;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, rns, limb, digits);
    uint64_t difference = 0;
    for (size_t i = 0; i < n; i++) difference |= poly[limb * n + i] ^ evaluate(poly, digits, n, i, &r, &m);
    return (difference | (0 - difference)) >> 63;
}

static inline uint64_t nonzero_mask(uint64_t x) { return rs_opaque(0 - ((x | (0 - x)) >> 63)); }

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
static void compose(uint64_t *acc, uint32_t words, const rs_rns_t *rns, const uint64_t *digits, uint32_t count, size_t i) {
    const size_t n = rns->n;
    memset(acc, 0, words * sizeof *acc);
    for (uint32_t k = count; k-- > 0;) {
        const uint64_t q = rns->limbs[k].modulus.q;
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
static inline rs_wide_t extend(uint64_t x) { return rs_wide(0 - (x >> 63), x); }

double rs_exact_reciprocal(double scale) {
    return rs_bits_of(scale) << (64 - RS_MANTISSA_BITS) ? 0 : 1 / scale; // a power of two; down to 2^-1023, exact though subnormal
}

// A two's complement number below 2^107 in magnitude: a 2^54 + b with |b| <= 2^53, |a| <= 2^53, both exact as doubles, so that only the
// sum rounds.
static double double_of(rs_wide_t x) {
    const int64_t a = (int64_t)rs_wide_shift(rs_wide_add(x, rs_wide(0, (uint64_t)1 << 53)), 54);
    const int64_t b = (int64_t)(rs_wide_low(x) - ((uint64_t)a << 54));
    return (double)a * 18014398509481984.0 + (double)b;
}

// x / scale, given rs_exact_reciprocal of it. x is secret, and processors with slow dividers take longer for some dividends: where the
// scale is a power of two nothing is divided. The scale is public, and so is the branch.
static inline double quotient(double x, double scale, double reciprocal) { return reciprocal != 0 ? x * reciprocal : x / scale; }

// Numbers of one word, of two words, or at full length, as the digits need.
void rs_coefficients_portable(const rs_rns_t *rns, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    const size_t n = rns->n;
    const uint64_t *top = poly + (digits - 1) * n;
    const double reciprocal = rs_exact_reciprocal(scale);
    if (rns->total_bits[digits] <= 63) {
        for (size_t i = 0; i < n; i += 4) { // side by side: each would wait for its own results
            uint64_t x[4];
            for (unsigned j = 0; j < 4; j++) x[j] = centre(top[i + j], rns->limbs[digits - 1].modulus.q);
            for (uint32_t k = digits - 1; k-- > 0;) {
                const uint64_t q = rns->limbs[k].modulus.q;
                for (unsigned j = 0; j < 4; j++) x[j] = x[j] * q + poly[k * n + i + j];
            }
            const double y[4] = {
                quotient((double)(int64_t)x[0], scale, reciprocal), quotient((double)(int64_t)x[1], scale, reciprocal),
                quotient((double)(int64_t)x[2], scale, reciprocal), quotient((double)(int64_t)x[3], scale, reciprocal)};
            out[i] = y[0];
            out[i + 1] = y[1];
            out[i + 2] = y[2];
            out[i + 3] = y[3];
        }
        return;
    }
    if (rns->total_bits[digits] <= 108) {
        for (size_t i = 0; i < n; i++) {
            rs_wide_t x = extend(top[i]);
            for (uint32_t k = digits - 1; k-- > 0;) {
                x = rs_wide_add(rs_wide_mul_word(x, rns->limbs[k].modulus.q), extend(poly[k * n + i]));
            }
            out[i] = quotient(double_of(x), scale, reciprocal);
        }
        return;
    }
    uint64_t acc[RS_DIGITS_MAX];
    for (size_t i = 0; i < n; i++) {
        int64_t exponent; // from -52 on
        compose(acc, digits, rns, poly, digits, i); // this many limbs of < 2^60 and a sign fit in as many words
        const double x = quotient(round_to_double(acc, digits, &exponent), scale, reciprocal);
        const int first = (int)(exponent < 1000 ? exponent : 1000);
        const int rest = (int)exponent - first;
        out[i] = x * rs_power_of_two(first) *
                 rs_power_of_two(rest < 1023 ? rest : 1023); // beyond: infinity, refused by rs_decode (ckks/decode.c)
    }
    rs_zeroize(acc, sizeof acc);
}

const rs_encoding_t RS_ENCODING_PORTABLE = {
    .inverse = rs_fft_portable_inverse,
    .forward = rs_fft_portable_forward,
    .inverse_rounded = rs_fft_portable_inverse_rounded,
#ifndef __wasm__ // words are for cores, which no page has: a transform less, of 8 KB
    .inverse_words = rs_fft_portable_inverse_words,
#endif
    .largest_magnitude = rs_largest_magnitude_portable,
    .make_digit = rs_make_digit_portable,
    .disagrees = rs_disagrees_portable,
    .coefficients = rs_coefficients_portable,
};
