// SPDX-License-Identifier: Apache-2.0
// Encode and decode besides the transforms, on vectors of 64-bit words and of doubles. It is no ordinary header: each back end includes it
// once, after it has defined
//   TARGET, INLINE           attributes of functions: the instructions, and always inline
//   LANES                    of a vector
//   words_t, doubles_t       vectors of unsigned words and of doubles, with operators; a cast keeps the bits
//   mask_t                   a truth per lane, with operators of bits;  lane_bits: lane i's at bit i
//   load, store, splat       of words;  load_doubles, store_doubles, splat_double
//   larger, largest          of two words in each lane; of all lanes; words below 2^63
//   above                    signed words: a > b;  sub_where: a - b there, a elsewhere
//   mul_low, mul_signed      the lower word of a product; the product of lower halves, signed
//   BIAS, shift_biased       floor(x / 2^k), |x| < 2^62, of x + BIAS; BIAS is a multiple of 2^62
//   to_double                the nearest to x, |x| < 2^62
//   multiply_add             doubles: a b + c, rounded once
//   number_t, number         vectors of what residues and digits are to the arithmetic modulo q: doubles or words; a constant in all lanes
// and it defines that arithmetic, declared below, after it.
#include "base/doubles.h"
#include "encoding/encoding.h"

// ---- encode ------------------------------------------------------------------------------------------------------------
INLINE words_t magnitude(doubles_t x) { return (words_t)x & splat(RS_MAGNITUDE_BITS); }

TARGET static uint64_t largest_magnitude(const double *x, size_t count) {
    words_t even = splat(0);
    words_t odd = even;
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        even = larger(even, magnitude(load_doubles(x + i)));
        odd = larger(odd, magnitude(load_doubles(x + i + LANES)));
    }
    for (; i < count; i++) even = larger(even, magnitude(splat_double(x[i])));
    return largest(larger(even, odd));
}

// ---- decode: digits ----------------------------------------------------------------------------------------------------
typedef struct factor {
    number_t value;
    doubles_t ratio; // value / q
} factor_t;

typedef struct field {
    number_t q;
    number_t half; // (q - 1) / 2
    number_t minus_half;
    factor_t one;
    factor_t inverse;
    factor_t radix[RS_DIGITS_MAX];
    int reduce_top; // reduce the top digit before Horner's rule: it is the only one, or may exceed 2^49; other digits need no reduction
} field_t;

// For 2^15 < q < 2^50: quotients by q are those of doubles.
//   product      x c, modulo q
//   difference   the residue less the digits modulo q (Horner's rule), between -1.4 q and 2.4 q
//   digit        the centred residue of a product, as words
//   disagree     where a difference is no multiple of q
INLINE number_t product(number_t x, factor_t c, const field_t *f);
INLINE number_t difference(const uint64_t *residues, const uint64_t *poly, uint32_t digits, size_t n, size_t i, const field_t *f);
INLINE words_t digit(number_t x, const field_t *f);
INLINE mask_t disagree(number_t x, const field_t *f);

static int takes_doubles(const rs_modulus_t *m) { return m->bits >= 16 && m->bits <= 50; }

INLINE factor_t factor(uint64_t value, uint64_t q) {
    return (factor_t){number((int64_t)value), splat_double((double)value / (double)q)};
}

TARGET static void field_init(field_t *f, const rs_rns_t *rns, uint32_t limb, uint32_t digits) {
    const uint64_t q = rns->limbs[limb].modulus.q;
    rs_mixed_radix_t r;
    rs_mixed_radix_init(&r, rns, limb, digits);
    f->q = number((int64_t)q);
    f->half = number((int64_t)(q / 2));
    f->minus_half = number(-(int64_t)(q / 2));
    f->one = factor(1, q);
    f->inverse = factor(r.inverse.value, q);
    for (uint32_t k = 0; k < digits; k++) f->radix[k] = factor(r.radix[k].value, q);
    f->reduce_top = digits == 1 || rns->limbs[digits - 1].modulus.bits > 50;
}

INLINE words_t centred(words_t x, uint64_t q) { return sub_where(above(x, splat(q / 2)), x, splat(q)); }

TARGET static void make_digit(const rs_rns_t *rns, uint64_t *poly, uint32_t limb) {
    const rs_modulus_t *m = &rns->limbs[limb].modulus;
    const size_t n = rns->n;
    if (limb == 0) {
        for (size_t i = 0; i < n; i += LANES) store(poly + i, centred(load(poly + i), m->q));
        return;
    }
    if (!takes_doubles(m)) {
        rs_make_digit_portable(rns, poly, limb);
        return;
    }
    field_t f;
    field_init(&f, rns, limb, limb);
    uint64_t *residues = poly + limb * n;
    for (size_t i = 0; i < n; i += LANES) {
        store(residues + i, digit(product(difference(residues, poly, limb, n, i, &f), f.inverse, &f), &f));
    }
}

TARGET static uint64_t disagrees(const rs_rns_t *rns, const uint64_t *poly, uint32_t digits, uint32_t limb) {
    const size_t n = rns->n;
    if (!takes_doubles(&rns->limbs[limb].modulus)) return rs_disagrees_portable(rns, poly, digits, limb);
    field_t f;
    field_init(&f, rns, limb, digits);
    mask_t other = {0};
    for (size_t i = 0; i < n; i += LANES) other |= disagree(difference(poly + limb * n, poly, digits, n, i, &f), &f);
    return (lane_bits(other) + (1 << LANES) - 1) >> LANES;
}

// ---- decode: coefficients ----------------------------------------------------------------------------------------------
INLINE doubles_t scaled(doubles_t x, double scale, double reciprocal) {
    return reciprocal != 0 ? x * splat_double(reciprocal) : x / splat_double(scale);
}

TARGET static void one_word(const rs_rns_t *rns, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    const size_t n = rns->n;
    const double reciprocal = rs_exact_reciprocal(scale);
    const uint64_t q = rns->limbs[digits - 1].modulus.q;
    for (size_t i = 0; i < n; i += LANES) {
        words_t x = centred(load(poly + (digits - 1) * n + i), q);
        for (uint32_t k = digits - 1; k-- > 0;) x = mul_low(x, splat(rns->limbs[k].modulus.q)) + load(poly + k * n + i);
        store_doubles(out + i, scaled(to_double(x), scale, reciprocal));
    }
}

// d_0 + d_1 q_0 = a 2^54 + b, |b| <= 2^53, as in rs_coefficients_portable. With d_1 = h 2^24 + l and q_0 = u 2^30 + v in four products:
//   h u 2^54 + s 2^24 + r,  s = l u 2^6 + h v + floor((l v + d_0) / 2^24),  0 <= r < 2^24.
// |h| < 2^30 as |d_1| < 2^54, u, v < 2^30, l < 2^24 and |d_0| < 2^59: |s| < 2^62.
TARGET static void two_words(const rs_rns_t *rns, double *out, const uint64_t *poly, double scale) {
    const size_t n = rns->n;
    const double reciprocal = rs_exact_reciprocal(scale);
    const uint64_t q = rns->limbs[0].modulus.q;
    const words_t u = splat(q >> 30);
    const words_t v = splat(q & 0x3fffffff);
    const words_t low_24 = splat(0xffffff);
    const words_t low_30 = splat(0x3fffffff);
    const words_t two_29 = splat(1 << 29); // to round to a multiple of 2^30
    for (size_t i = 0; i < n; i += LANES) {
        const words_t d = load(poly + n + i);
        const words_t h = d >> 24; // high words, of which products take the lower half, signed
        const words_t l = d & low_24;
        const words_t low = mul_signed(l, v) + load(poly + i) + splat(BIAS);
        const words_t middle = (mul_signed(l, u) << 6) + mul_signed(h, v);
        const words_t s = middle + shift_biased(low, 24) + (two_29 + splat(BIAS));
        const words_t a = mul_signed(h, u) + shift_biased(s, 30);
        const words_t rest = (s & low_30) - two_29;
        const words_t b = (rest << 24) | (low & low_24);
        const doubles_t x = multiply_add(to_double(a), splat_double(0x1p54), to_double(b));
        store_doubles(out + i, scaled(x, scale, reciprocal));
    }
}

TARGET static void coefficients(const rs_rns_t *rns, double *out, const uint64_t *poly, uint32_t digits, double scale) {
    if (rns->total_bits[digits] <= 63) {
        one_word(rns, out, poly, digits, scale);
    } else if (digits == 2 && rns->total_bits[2] <= 108 && rns->limbs[1].modulus.bits <= 54) {
        two_words(rns, out, poly, scale);
    } else {
        rs_coefficients_portable(rns, out, poly, digits, scale);
    }
}

// members of rs_encoding_t
#define ENCODING_ON_VECTORS \
    .largest_magnitude = largest_magnitude, .make_digit = make_digit, .disagrees = disagrees, .coefficients = coefficients
