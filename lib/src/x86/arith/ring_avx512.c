// SPDX-License-Identifier: Apache-2.0
// Pointwise kernels of the rings on AVX-512: eight words at a time. Three ways to multiply, by the size of the modulus; the transforms
// are in ntt*_avx512.c.
//
// Quotients are estimated in floating point. Doubles carry 53 bits: a quotient below 2^50 made of two rounded factors and a rounded
// reciprocal is off by less than 2^50 * 4 * 2^-53 = 1/2, hence by less than 1 after rounding to the nearest integer; the remainder,
// computed modulo 2^64, lies in (-q, q) and needs one conditional addition. Moduli are above 2^17, so words up to 2^62 have quotients
// below 2^45.
#include "x86/arith/ntt_x86.h"

#ifdef RS_X86
#include "x86/avx512.h"

static size_t length(const rs_limb_t *limb) {
    return (size_t)1 << limb->log_n;
}

// ---- products of two residues ------------------------------------------------------------------------------------------
typedef struct constants {
    __m512i q;
    __m512d inverse; // 1/q
    const rs_modulus_t *m;
} constants_t;

AVX512_INLINE constants_t constants(const rs_limb_t *limb) {
    const double q = (double)limb->modulus.q;
    return (constants_t){set8(limb->modulus.q), _mm512_set1_pd(1 / q), &limb->modulus};
}

// x - round(estimate) q, reduced. The estimate is off by less than 1/2 and rounding by at most 1/2: the remainder is below q in magnitude.
AVX512_INLINE __m512i subtract_multiple(__m512i x, __m512d estimate, const constants_t *c) {
    const __m512i r = _mm512_sub_epi64(x, _mm512_mullo_epi64(_mm512_cvtpd_epi64(estimate), c->q));
    return cadd8(r, c->q);
}

// q < 2^31: the product is a word.
AVX512_INLINE __m512i product31(__m512i a, __m512i b, const constants_t *c) {
    const __m512i x = _mm512_mul_epu32(a, b);
    return subtract_multiple(x, _mm512_mul_pd(_mm512_cvtepi64_pd(x), c->inverse), c);
}

// q < 2^50
AVX512_INLINE __m512i product50(__m512i a, __m512i b, const constants_t *c) {
    const __m512d estimate = _mm512_mul_pd(_mm512_mul_pd(_mm512_cvtepi64_pd(a), c->inverse), _mm512_cvtepi64_pd(b));
    return subtract_multiple(_mm512_mullo_epi64(a, b), estimate, c);
}

// The upper word of a product, or with exact = 0 at most 2 less.
AVX512_INLINE __m512i mulhi8(__m512i a, __m512i b, int exact) {
    const __m512i low = set8(UINT32_MAX);
    const __m512i a1 = _mm512_srli_epi64(a, 32);
    const __m512i b1 = _mm512_srli_epi64(b, 32);
    __m512i cross = _mm512_mul_epu32(a1, b);
    __m512i other = _mm512_mul_epu32(a, b1);
    if (exact) {
        cross = _mm512_add_epi64(cross, _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32));
        other = _mm512_add_epi64(other, _mm512_and_si512(cross, low));
    }
    const __m512i carries = _mm512_add_epi64(_mm512_srli_epi64(cross, 32), _mm512_srli_epi64(other, 32));
    return _mm512_add_epi64(_mm512_mul_epu32(a1, b1), carries);
}

// q < 2^60: Barrett as rs_mul_mod. The estimate of the quotient is at most 1 + 2 too small: [0, 4q).
AVX512_INLINE __m512i product60(__m512i a, __m512i b, const constants_t *c) {
    const rs_modulus_t *m = c->m;
    const __m512i low = _mm512_mullo_epi64(a, b);
    const __m512i high = mulhi8(a, b, 1);
    const __m512i t = _mm512_or_si512(_mm512_srl_epi64(low, _mm_cvtsi32_si128((int)m->shift)),
                                      _mm512_sll_epi64(high, _mm_cvtsi32_si128((int)(64 - m->shift))));
    const __m512i quotient = mulhi8(t, set8(m->ratio), 0);
    const __m512i r = _mm512_sub_epi64(low, _mm512_mullo_epi64(quotient, c->q));
    return csub8(csub8(r, set8(2 * m->q)), c->q);
}

#define POINTWISE(product)                                                                                           \
    AVX512 static void mul_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {   \
        const constants_t k = constants(limb);                                                                       \
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, product(load8(a + i), load8(b + i), &k));       \
    }                                                                                                                \
    AVX512 static void mul_add_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, \
                                         const uint64_t *c) {                                                        \
        const constants_t k = constants(limb);                                                                       \
        for (size_t i = 0; i < length(limb); i += 8) {                                                               \
            const __m512i x = product(load8(a + i), load8(b + i), &k);                                               \
            store8(out + i, csub8(_mm512_add_epi64(x, load8(c + i)), k.q));                                          \
        }                                                                                                            \
    }                                                                                                                \
    AVX512 static void mul_sub_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, \
                                         const uint64_t *c) {                                                        \
        const constants_t k = constants(limb);                                                                       \
        for (size_t i = 0; i < length(limb); i += 8) {                                                               \
            const __m512i x = product(load8(a + i), load8(b + i), &k);                                               \
            store8(out + i, cadd8(_mm512_sub_epi64(load8(c + i), x), k.q));                                          \
        }                                                                                                            \
    }

POINTWISE(product31)
POINTWISE(product50)
POINTWISE(product60)

// ---- lifts -------------------------------------------------------------------------------------------------------------
AVX512_INLINE __m512i widen8(const int8_t *small) {
    return _mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)small));
}

AVX512 static void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const constants_t c = constants(limb);
    const __m512d quotient = _mm512_set1_pd((double)factor / (double)limb->modulus.q);
    if (factor == 1) {
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, cadd8(widen8(small + i), c.q));
        return;
    }
    for (size_t i = 0; i < length(limb); i += 8) {
        const __m512i x = widen8(small + i);
        const __m512d estimate = _mm512_mul_pd(_mm512_cvtepi64_pd(x), quotient);
        store8(out + i, subtract_multiple(_mm512_mullo_epi64(x, set8(factor)), estimate, &c));
    }
}

// |x| <= 2^62 -> a remainder below q in magnitude, not always the smallest one.
AVX512_INLINE __m512i reduce_centred(__m512i x, const constants_t *c) {
    const __m512i quotient = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(x), c->inverse));
    return _mm512_sub_epi64(x, _mm512_mullo_epi64(quotient, c->q));
}

AVX512 static void lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    const constants_t c = constants(limb);
    for (size_t i = 0; i < length(limb); i += 8) {
        __m512i x = _mm512_cvtpd_epi64(_mm512_loadu_pd(message + i));
        if (error) x = _mm512_add_epi64(x, widen8(error + i));
        store8(out + i, cadd8(reduce_centred(x, &c), c.q));
    }
}

AVX512_INLINE __m512i error_less(const int8_t *error, const int64_t *d) {
    return _mm512_sub_epi64(widen8(error), _mm512_loadu_si512(d));
}

// q < 2^50: one quotient for inverse * (e - d) + message, the first factor centred.
AVX512 static void lift_rounded_50(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error,
                                   const int64_t *d, uint64_t inverse) {
    const constants_t c = constants(limb);
    const __m512i factor = set8(inverse);
    const __m512d quotient = _mm512_set1_pd((double)inverse / (double)limb->modulus.q);
    for (size_t i = 0; i < length(limb); i += 8) {
        const __m512i y = reduce_centred(error_less(error + i, d + i), &c);
        __m512i x = _mm512_mullo_epi64(y, factor);
        __m512d estimate = _mm512_mul_pd(_mm512_cvtepi64_pd(y), quotient);
        if (message) {
            const __m512d value = _mm512_loadu_pd(message + i);
            x = _mm512_add_epi64(x, _mm512_cvtpd_epi64(value));
            estimate = _mm512_add_pd(estimate, _mm512_mul_pd(value, c.inverse));
        }
        store8(out + i, subtract_multiple(x, estimate, &c));
    }
}

// q < 2^60: Shoup's product; the quotient is at most 1 + 2 too small.
AVX512 static void lift_rounded_60(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error,
                                   const int64_t *d, uint64_t inverse) {
    const constants_t c = constants(limb);
    const rs_factor_t f = rs_factor(inverse, limb->modulus.q);
    const __m512i two_q = set8(2 * limb->modulus.q);
    for (size_t i = 0; i < length(limb); i += 8) {
        const __m512i y = cadd8(reduce_centred(error_less(error + i, d + i), &c), c.q);
        const __m512i multiple = _mm512_mullo_epi64(mulhi8(y, set8(f.quotient), 0), c.q);
        __m512i x = csub8(_mm512_sub_epi64(_mm512_mullo_epi64(y, set8(f.value)), multiple), two_q);
        if (message) {
            const __m512i value = _mm512_cvtpd_epi64(_mm512_loadu_pd(message + i));
            x = csub8(_mm512_add_epi64(x, cadd8(reduce_centred(value, &c), c.q)), two_q);
        }
        store8(out + i, csub8(x, c.q));
    }
}

AVX512 static void centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    const __m512i q = set8(limb->modulus.q);
    const __m512i half = set8(limb->modulus.q / 2);
    for (size_t i = 0; i < length(limb); i += 8) {
        const __m512i x = _mm512_add_epi64(_mm512_add_epi64(load8(poly + i), half), widen8(error + i));
        _mm512_storeu_si512(d + i, _mm512_sub_epi64(csub8(x, q), half));
    }
}

#define RING(forward_, inverse_, quotient_bits_, product) \
    {.quotient_bits = quotient_bits_,                     \
     .forward = forward_,                                 \
     .inverse = inverse_,                                 \
     .mul = mul_##product,                                \
     .mul_add = mul_add_##product,                        \
     .mul_sub = mul_sub_##product,                        \
     .lift_small = lift_small}

const rs_ring_t RS_RING_AVX512_30 = RING(rs_ntt_avx512_32_forward, rs_ntt_avx512_32_inverse, 32, product31);
const rs_ring_t RS_RING_AVX512_50 = RING(rs_ntt_avx512_forward, rs_ntt_avx512_inverse, 64, product50);
const rs_ring_t RS_RING_AVX512_60 = RING(rs_ntt_avx512_forward, rs_ntt_avx512_inverse, 64, product60);
const rs_ring_t RS_RING_AVX512_IFMA48 = RING(rs_ntt_ifma48_forward, rs_ntt_ifma_inverse, 52, product50);
const rs_ring_t RS_RING_AVX512_IFMA50 = RING(rs_ntt_ifma_forward, rs_ntt_ifma_inverse, 52, product50);

const rs_lifts_t RS_LIFTS_AVX512_50 = {.lift_message = lift_message, .lift_rounded = lift_rounded_50, .centre = centre};
const rs_lifts_t RS_LIFTS_AVX512_60 = {.lift_message = lift_message, .lift_rounded = lift_rounded_60, .centre = centre};
#endif
