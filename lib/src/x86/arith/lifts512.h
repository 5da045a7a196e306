// SPDX-License-Identifier: Apache-2.0
// Products and lifts on AVX-512, eight words at a time, for the pointwise kernels (ring_avx512.c) and the transforms' first and last passes.
//
// Quotients are estimated in floating point. Doubles carry 53 bits: a quotient below 2^50 made of two rounded factors and a rounded
// reciprocal is off by less than 2^50 * 4 * 2^-53 = 1/2, hence by less than 1 after rounding to the nearest integer; the remainder,
// computed modulo 2^64, lies in (-q, q) and needs one conditional addition. Moduli are above 2^17, so words up to 2^62 have quotients
// below 2^45.
#ifndef RINGSIDE_LIFTS512_H
#define RINGSIDE_LIFTS512_H

#include "x86/arith/ntt_x86.h"
#include "x86/avx512.h"

// ---- products of two residues ------------------------------------------------------------------------------------------
typedef struct modulus8 {
    __m512i q;
    __m512d inverse; // 1/q
    const rs_modulus_t *m;
} modulus8_t;

AVX512_INLINE modulus8_t modulus8(const rs_limb_t *limb) {
    const double q = (double)limb->modulus.q;
    return (modulus8_t){set8(limb->modulus.q), _mm512_set1_pd(1 / q), &limb->modulus};
}

// x - round(estimate) q, reduced. The estimate is off by less than 1/2 and rounding by at most 1/2: the remainder is below q in magnitude.
AVX512_INLINE __m512i subtract_multiple(__m512i x, __m512d estimate, const modulus8_t *c) {
    const __m512i r = _mm512_sub_epi64(x, _mm512_mullo_epi64(_mm512_cvtpd_epi64(estimate), c->q));
    return cadd8(r, c->q);
}

// q < 2^31: the product is a word.
AVX512_INLINE __m512i product31(__m512i a, __m512i b, const modulus8_t *c) {
    const __m512i x = _mm512_mul_epu32(a, b);
    return subtract_multiple(x, _mm512_mul_pd(_mm512_cvtepi64_pd(x), c->inverse), c);
}

// q < 2^50
AVX512_INLINE __m512i product50(__m512i a, __m512i b, const modulus8_t *c) {
    const __m512d estimate = _mm512_mul_pd(_mm512_mul_pd(_mm512_cvtepi64_pd(a), c->inverse), _mm512_cvtepi64_pd(b));
    return subtract_multiple(_mm512_mullo_epi64(a, b), estimate, c);
}

// q < 2^56: six roundings make the quotient, below 2^56, wrong by 2^56 * 6 * 2^-53 = 48 at most, and its own by a half: a word with sign. With
// q < 2^55, below 25 q in magnitude.
AVX512_INLINE __m512i product_near(__m512i a, __m512i b, const modulus8_t *c) {
    const __m512d estimate = _mm512_mul_pd(_mm512_mul_pd(_mm512_cvtepi64_pd(a), c->inverse), _mm512_cvtepi64_pd(b));
    return _mm512_sub_epi64(_mm512_mullo_epi64(a, b), _mm512_mullo_epi64(_mm512_cvtpd_epi64(estimate), c->q));
}

// The residues of such words.
AVX512_INLINE __m512i nearest(__m512i x, const modulus8_t *c) {
    return subtract_multiple(x, _mm512_mul_pd(_mm512_cvtepi64_pd(x), c->inverse), c);
}

// q < 2^60: a b less a multiple of q, |a| < q, and the quotient of what is left. b's halves are exact in doubles. Five roundings make the upper
// one's quotient, below 2^30, wrong by 2^30 * 5 * 2^-53: its remainder is below 0.51 q. The estimate is a sum of less than 0.51 * 2^30 and 2^30,
// made by six roundings each: wrong by less than 2^31 * 6 * 2^-53 < 2^-19.
AVX512_INLINE __m512i product_halves(__m512i a, __m512i b, __m512d *estimate, const modulus8_t *c) {
    enum { HALF = 30 };
    const __m512i b1 = _mm512_srli_epi64(b, HALF);
    const __m512i b0 = _mm512_and_si512(b, set8(((uint64_t)1 << HALF) - 1));
    const __m512d part = _mm512_mul_pd(_mm512_cvtepi64_pd(a), c->inverse);
    const __m512i quotient = _mm512_cvtpd_epi64(_mm512_mul_pd(part, _mm512_cvtepi64_pd(b1)));
    const __m512i r = _mm512_sub_epi64(_mm512_mullo_epi64(a, b1), _mm512_mullo_epi64(quotient, c->q));
    const __m512d upper = _mm512_mul_pd(_mm512_cvtepi64_pd(r), _mm512_mul_pd(c->inverse, _mm512_set1_pd(1 << HALF)));
    *estimate = _mm512_add_pd(upper, _mm512_mul_pd(part, _mm512_cvtepi64_pd(b0)));
    return _mm512_add_epi64(_mm512_slli_epi64(r, HALF), _mm512_mullo_epi64(a, b0));
}

// q < 2^60
AVX512_INLINE __m512i product60(__m512i a, __m512i b, const modulus8_t *c) {
    if (c->m->bits <= 56) return nearest(product_near(a, b, c), c);
    __m512d estimate;
    const __m512i x = product_halves(a, b, &estimate, c);
    return subtract_multiple(x, estimate, c);
}

// ---- lifts -------------------------------------------------------------------------------------------------------------
AVX512_INLINE __m512i widen8(const int8_t *small) {
    return _mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)small));
}

// |x| <= 2^62 -> a remainder below q in magnitude, not always the smallest one.
AVX512_INLINE __m512i reduce_centred(__m512i x, const modulus8_t *c) {
    const __m512i quotient = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(x), c->inverse));
    return _mm512_sub_epi64(x, _mm512_mullo_epi64(quotient, c->q));
}

AVX512_INLINE __m512i error_less(const int8_t *error, const int64_t *d) {
    return _mm512_sub_epi64(widen8(error), _mm512_loadu_si512(d));
}

// A factor of what is lifted: with its quotient in words and in doubles.
typedef struct factor8 {
    __m512i value;
    __m512i quotient;
    __m512d real;
} factor8_t;

// wide: rounded_60 needs the quotient in words, and its division of 128 bits.
AVX512_INLINE factor8_t factor8(uint64_t factor, uint64_t q, int wide) {
    const uint64_t quotient = wide ? rs_factor(factor, q).quotient : 0;
    return (factor8_t){set8(factor), set8(quotient), _mm512_set1_pd((double)factor / (double)q)};
}

// factor (small - d) + message, which may be NULL, modulo q. 50: one quotient for all of it, the first factor centred; below q in magnitude.
AVX512_INLINE __m512i rounded_50(const double *message, const int8_t *small, const int64_t *d, const factor8_t *f,
                                 const modulus8_t *c) {
    const __m512i y = reduce_centred(error_less(small, d), c);
    __m512i x = _mm512_mullo_epi64(y, f->value);
    __m512d estimate = _mm512_mul_pd(_mm512_cvtepi64_pd(y), f->real);
    if (message) {
        const __m512d value = _mm512_loadu_pd(message);
        x = _mm512_add_epi64(x, _mm512_cvtpd_epi64(value));
        estimate = _mm512_add_pd(estimate, _mm512_mul_pd(value, c->inverse));
    }
    return _mm512_sub_epi64(x, _mm512_mullo_epi64(_mm512_cvtpd_epi64(estimate), c->q));
}

// The upper word of a product, or at most 2 less.
AVX512_INLINE __m512i mulhi8(__m512i a, __m512i b) {
    const __m512i a1 = _mm512_srli_epi64(a, 32);
    const __m512i b1 = _mm512_srli_epi64(b, 32);
    const __m512i cross = _mm512_srli_epi64(_mm512_mul_epu32(a1, b), 32);
    const __m512i other = _mm512_srli_epi64(_mm512_mul_epu32(a, b1), 32);
    return _mm512_add_epi64(_mm512_mul_epu32(a1, b1), _mm512_add_epi64(cross, other));
}

// 60: Shoup's product, whose quotient is at most 1 + 2 too small, of a factor below 2q: in (-q, 5q), without a message in [0, 4q).
AVX512_INLINE __m512i rounded_60(const double *message, const int8_t *small, const int64_t *d, const factor8_t *f,
                                 const modulus8_t *c) {
    const __m512i y = _mm512_add_epi64(reduce_centred(error_less(small, d), c), c->q);
    const __m512i multiple = _mm512_mullo_epi64(mulhi8(y, f->quotient), c->q);
    const __m512i x = _mm512_sub_epi64(_mm512_mullo_epi64(y, f->value), multiple);
    return message ? _mm512_add_epi64(x, reduce_centred(_mm512_cvtpd_epi64(_mm512_loadu_pd(message)), c)) : x;
}

// small factor, below q in magnitude
AVX512_INLINE __m512i scaled8(const int8_t *small, const factor8_t *f, const modulus8_t *c) {
    const __m512i x = widen8(small);
    const __m512d estimate = _mm512_mul_pd(_mm512_cvtepi64_pd(x), f->real);
    return _mm512_sub_epi64(_mm512_mullo_epi64(x, f->value), _mm512_mullo_epi64(_mm512_cvtpd_epi64(estimate), c->q));
}

AVX512_INLINE __m512i message8(const double *message, const int8_t *error, const modulus8_t *c) {
    const __m512i x = _mm512_cvtpd_epi64(_mm512_loadu_pd(message));
    return reduce_centred(error ? _mm512_add_epi64(x, widen8(error)) : x, c);
}

// ---- for the passes of a transform -------------------------------------------------------------------------------------
typedef struct lift8 {
    modulus8_t modulus;
    factor8_t factor;
    __m512i ternary; // lane u mod 8: q + factor u
} lift8_t;

AVX512_INLINE lift8_t lift8(const rs_limb_t *limb, const rs_lifted_t *lifted) {
    const uint64_t q = limb->modulus.q;
    const uint64_t f = lifted->factor;
    const __m512i ternary = _mm512_setr_epi64((long long)q, (long long)(q + f), 0, 0, 0, 0, 0, (long long)(q - f));
    return (lift8_t){modulus8(limb), factor8(f, q, 0), ternary};
}

// Residues from place i on, below 2q; rounded ones where moduli have at most 50 bits (of more: ntt_ifma55.c, ntt_lifted64.h).
AVX512_INLINE __m512i take8(const rs_lifted_t *lifted, rs_lift_kind_t kind, const uint64_t *poly, size_t i, const lift8_t *l) {
    const modulus8_t *c = &l->modulus;
    switch (kind) {
    case RS_LIFT_POLY: return load8(poly + i);
    case RS_LIFT_SMALL: return _mm512_add_epi64(widen8(lifted->small + i), c->q);
    case RS_LIFT_TERNARY: return _mm512_permutexvar_epi64(widen8(lifted->small + i), l->ternary);
    case RS_LIFT_SCALED: return _mm512_add_epi64(scaled8(lifted->small + i, &l->factor, c), c->q);
    case RS_LIFT_MESSAGE: return _mm512_add_epi64(message8(lifted->message + i, lifted->small + i, c), c->q);
    default: {
        const double *message = kind == RS_LIFT_BOTH ? lifted->message + i : NULL;
        return _mm512_add_epi64(rounded_50(message, lifted->small + i, lifted->d + i, &l->factor, c), c->q);
    }
    }
}

#endif
