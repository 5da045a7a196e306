// SPDX-License-Identifier: Apache-2.0
// Products of twiddles with AVX-512 IFMA, on words of 52 bits, quotients floor(w 2^52 / q). Not a header of its own: included once per
// kernel, after SPARE_BITS is defined: q < 2^(52 - SPARE_BITS), and above 2^17.
#include "x86/arith/lifts512.h"

#define TARGET AVX512_IFMA
#define INLINE AVX512_IFMA_INLINE
#include "x86/arith/ntt_lanes512.h"

#define CENTRED
#define SIXTEEN
enum { QUOTIENT_BITS = 52, LOG_PRODUCT = 1, LOG_STEP = 1 };

typedef struct constants {
    vec_t q[4]; // only the first SPARE_BITS are used
    vec_t minus_q; // mod 2^52
    vec_t below_zero; // -q
    vec_t room; // floor(2^52 / q)
    vec_t raised; // 1 - 2^(SPARE_BITS - 1)
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
} factor_t;

INLINE constants_t constants(uint64_t q) {
    const uint64_t mask = ((uint64_t)1 << 52) - 1;
    return (constants_t){.q = {splat(q), splat(2 * q), splat(4 * q), splat(8 * q)},
                         .minus_q = splat(mask + 1 - q),
                         .below_zero = splat(0 - q),
                         .room = splat((mask + 1) / q),
                         .raised = splat(1 - ((uint64_t)1 << (SPARE_BITS - 1)))};
}

INLINE factor_t factor_of(vec_t value, vec_t quotient) { return (factor_t){value, quotient}; }

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) { return factor_of(splat(value), splat(quotient)); }

// Products and sums are right in their lower 52 bits, and those are all that a multiplication looks at.
INLINE vec_t settle(vec_t x) { return _mm512_and_si512(x, splat(((uint64_t)1 << 52) - 1)); }

// start + x y, start + floor(x y / 2^52), of the lower 52 bits
INLINE vec_t add_low(vec_t start, vec_t x, vec_t y) { return _mm512_madd52lo_epu64(start, x, y); }

INLINE vec_t add_high(vec_t start, vec_t x, vec_t y) { return _mm512_madd52hi_epu64(start, x, y); }

// start + wy mod q, which is below 2q < 2^51 when settled: wy - estimate q (Shoup with words of 52 bits).
INLINE vec_t add_product(vec_t start, vec_t y, const factor_t *f, vec_t minus_q) {
    const vec_t estimate = add_high(_mm512_setzero_si512(), y, f->quotient);
    return add_low(add_low(start, y, f->value), estimate, minus_q);
}

INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    return opaque8(add_product(_mm512_setzero_si512(), y, f, k->minus_q));
}

INLINE vec_t mul_centred(vec_t y, const factor_t *f, const constants_t *k) { return add_product(k->below_zero, y, f, k->minus_q); }

// x less start q, and less as many q as leave [0, 2q) of x: floor(x floor(2^52/q) / 2^52) is less than 2 below x/q.
INLINE vec_t less_quotient(vec_t x, vec_t start, const constants_t *k) {
    return add_low(x, add_high(start, x, k->room), k->minus_q);
}

enum { LOWERED = 2 };

// Around half of the room: by multiplications where there are many stages before the next time.
INLINE vec_t lowered(vec_t x, const constants_t *k) {
    if (SPARE_BITS > 2) return less_quotient(x, k->raised, k);
    return add(csub(settle(x), k->q[SPARE_BITS - 1]), k->q[0]);
}

// ---- lifts and products --------------------------------------------------------------------------------------------------
#define LIFTED
enum {
    LOG_DIGIT = 9,
    OFFSET_BITS = 59, // size of what is added to make words positive
};

typedef struct lift {
    modulus8_t modulus; // the type of lifts512.h
    vec_t minus_q; // mod 2^52
    vec_t around; // half of the room: where words lie
    vec_t under; // a q less
    vec_t positive; // a multiple of q, from 2^OFFSET_BITS + 2^7 on
    vec_t reciprocal; // floor(2^(52 + LOG_DIGIT) / q)
    vec_t fraction; // floor(2^(52 + bits) / q) - 2^52
    __m128i left; // 52 - bits
    factor_t factor;
    vec_t shifted; // `around` less 128 factors modulo q
    vec_t ternary; // lane u mod 8: around + factor u
} lift_t;

INLINE lift_t lift_of(const rs_limb_t *limb, const rs_lifted_t *lifted) {
    const rs_modulus_t *m = &limb->modulus;
    const uint64_t q = m->q;
    const uint64_t around = q << (SPARE_BITS - 1);
    const uint64_t f = lifted->factor;
    const rs_factor_t factor = rs_factor_quick(f, m);
    const rs_factor_t fraction = rs_factor_quick(((uint64_t)1 << m->bits) - q, m);
    const uint64_t positive = (((uint64_t)1 << OFFSET_BITS) + 128 + q) / q * q;
    return (lift_t){
        .modulus = modulus8(limb),
        .minus_q = splat(((uint64_t)1 << 52) - q),
        .around = splat(around),
        .under = splat(around - q),
        .positive = splat(positive),
        .reciprocal = splat(((uint64_t)1 << (52 + LOG_DIGIT)) / q),
        .fraction = splat(fraction.quotient >> 12),
        .left = _mm_cvtsi32_si128((int)(52 - m->bits)),
        .factor = factor_all(factor.value, factor.quotient >> 12),
        .shifted = splat(around - rs_reduce(128 * f, m)),
        .ternary = _mm512_setr_epi64((long long)around, (long long)(around + f), 0, 0, 0, 0, 0, (long long)(around - f)),
    };
}

// message, less the nearest multiple of q: half a q in magnitude, and less than 2^-7 q
INLINE vec_t quotient_of(__m512d message, const lift_t *l) {
    return _mm512_cvtpd_epi64(_mm512_mul_pd(message, l->modulus.inverse));
}

// factor (small - d) + start, in [start, start + 2q), less `quotients` of q. The first remainder is below 3q and needs no more than 52 bits: with
// y < 2^61 and y' = floor(y / 2^9), the floors of y', of the reciprocal and of the product lose less than 2^9/q + 1 + 1.
INLINE vec_t rounded(const int8_t *small, const int64_t *d, vec_t start, vec_t quotients, const lift_t *l) {
    const vec_t y = add(sub(l->positive, load((const uint64_t *)d)), widen8(small));
    const vec_t estimate = add_high(_mm512_setzero_si512(), _mm512_srli_epi64(y, LOG_DIGIT), l->reciprocal);
    const vec_t r = add_low(y, estimate, l->minus_q);
    return add_low(add_low(start, r, l->factor.value), add_high(quotients, r, l->factor.quotient), l->minus_q);
}

INLINE vec_t take(const rs_lifted_t *lifted, rs_lift_kind_t kind, const word_t *poly, size_t i, const lift_t *l) {
    const vec_t zero = _mm512_setzero_si512();
    switch (kind) {
    case RS_LIFT_POLY: return add(load(poly + i), l->under);
    case RS_LIFT_SMALL: return add(widen8(lifted->small + i), l->around);
    case RS_LIFT_TERNARY: return _mm512_permutexvar_epi64(widen8(lifted->small + i), l->ternary);
    case RS_LIFT_SCALED: return add_product(l->shifted, add(widen8(lifted->small + i), splat(128)), &l->factor, l->minus_q);
    case RS_LIFT_MESSAGE: {
        const __m512d message = _mm512_loadu_pd(lifted->message + i);
        const vec_t x = add(add(_mm512_cvtpd_epi64(message), l->around), widen8(lifted->small + i));
        return add_low(x, quotient_of(message, l), l->minus_q);
    }
    case RS_LIFT_ROUNDED: return rounded(lifted->small + i, lifted->d + i, l->under, zero, l);
    default: {
        const __m512d message = _mm512_loadu_pd(lifted->message + i);
        const vec_t start = add(_mm512_cvtpd_epi64(message), l->under);
        return rounded(lifted->small + i, lifted->d + i, start, quotient_of(message, l), l);
    }
    }
}

// The width of the interval around `around` where they lie.
static inline unsigned taken_bound(rs_lift_kind_t kind) { return kind == RS_LIFT_SCALED || kind == RS_LIFT_BOTH ? 4 : 2; }

// Any word of 52 bits -> [0, q)
INLINE vec_t finished(vec_t x, const lift_t *l, const constants_t *k) {
    (void)l;
    return csub(settle(less_quotient(x, _mm512_setzero_si512(), k)), k->q[0]);
}

#if SPARE_BITS >= 3
// x + a b, or - a b: any x and b of 52 bits, a reduced, and b, too, where it is subtracted. With H = floor(a b / 2^bits), of which 2^bits is at most
// 2q, H 2^bits/q is less than 2 below a b / q; two floors lose 2 more, and the estimate of x/q less than 2 again: below 6q < 2^52.
INLINE vec_t with_product(vec_t x, vec_t a, vec_t b, int subtract, const lift_t *l, const constants_t *k) {
    if (subtract) b = sub(k->q[0], b);
    const vec_t high = add_high(_mm512_setzero_si512(), _mm512_sll_epi64(a, l->left), b);
    const vec_t estimate = add_high(add_high(high, high, l->fraction), x, k->room);
    const vec_t r = settle(add_low(add_low(x, a, b), estimate, l->minus_q));
    return csub(csub(csub(r, k->q[2]), k->q[1]), k->q[0]);
}
#else
// x + a b, or - a b, reduced a and b. The quotient is lifts512.h's, and the remainder, in (-q, q), needs 52 bits alone.
INLINE vec_t with_product(vec_t x, vec_t a, vec_t b, int subtract, const lift_t *l, const constants_t *k) {
    const __m512d estimate = _mm512_mul_pd(_mm512_mul_pd(_mm512_cvtepi64_pd(a), l->modulus.inverse), _mm512_cvtepi64_pd(b));
    const vec_t r = add_low(add_low(k->q[0], a, b), _mm512_cvtpd_epi64(estimate), l->minus_q);
    const vec_t product = settle(r); // + q: in (0, 2q)
    const vec_t y = finished(x, l, k);
    const vec_t sum = subtract ? add(sub(y, product), k->q[1]) : add(y, product);
    return csub(csub(sum, k->q[1]), k->q[0]);
}
#endif

#include "x86/arith/ntt_passes.h"
