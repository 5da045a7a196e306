// SPDX-License-Identifier: Apache-2.0
// Pointwise kernels of the rings on AVX-512: eight words at a time. Three ways to multiply, by the size of the modulus; the transforms
// are in ntt*_avx512.c.
#include "x86/arith/ntt_x86.h"

#ifdef RS_X86
#include "x86/arith/lifts512.h"
#include "x86/reals/mode.h"

#define KERNEL AVX512 static __attribute__((noinline))

static size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

#define POINTWISE(product)                                                                                                         \
    KERNEL void all_mul_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {                    \
        const modulus8_t k = modulus8(limb);                                                                                       \
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, product(load8(a + i), load8(b + i), &k));                     \
    }                                                                                                                              \
    KERNEL void all_mul_add_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b,                  \
                                      const uint64_t *c) {                                                                         \
        const modulus8_t k = modulus8(limb);                                                                                       \
        for (size_t i = 0; i < length(limb); i += 8) {                                                                             \
            const __m512i x = product(load8(a + i), load8(b + i), &k);                                                             \
            store8(out + i, csub8(_mm512_add_epi64(x, load8(c + i)), k.q));                                                        \
        }                                                                                                                          \
    }                                                                                                                              \
    KERNEL void all_mul_sub_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b,                  \
                                      const uint64_t *c) {                                                                         \
        const modulus8_t k = modulus8(limb);                                                                                       \
        for (size_t i = 0; i < length(limb); i += 8) {                                                                             \
            const __m512i x = product(load8(a + i), load8(b + i), &k);                                                             \
            store8(out + i, cadd8(_mm512_sub_epi64(load8(c + i), x), k.q));                                                        \
        }                                                                                                                          \
    }                                                                                                                              \
    static void mul_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {                        \
        GUARDED(all_mul_##product(limb, out, a, b));                                                                               \
    }                                                                                                                              \
    static void mul_add_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) { \
        GUARDED(all_mul_add_##product(limb, out, a, b, c));                                                                        \
    }                                                                                                                              \
    static void mul_sub_##product(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) { \
        GUARDED(all_mul_sub_##product(limb, out, a, b, c));                                                                        \
    }

POINTWISE(product31)
POINTWISE(product50)
POINTWISE(product60)

// ---- lifts -------------------------------------------------------------------------------------------------------------
KERNEL void all_lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const modulus8_t c = modulus8(limb);
    if (factor == 1) {
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, cadd8(widen8(small + i), c.q));
        return;
    }
    const factor8_t f = factor8(factor, limb->modulus.q, 0);
    for (size_t i = 0; i < length(limb); i += 8) store8(out + i, cadd8(scaled8(small + i, &f, &c), c.q));
}

KERNEL void all_lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    const modulus8_t c = modulus8(limb);
    if (error) {
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, cadd8(message8(message + i, error + i, &c), c.q));
    } else {
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, cadd8(message8(message + i, NULL, &c), c.q));
    }
}

KERNEL void all_lift_rounded_50(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                                uint64_t inverse) {
    const modulus8_t c = modulus8(limb);
    const factor8_t f = factor8(inverse, limb->modulus.q, 0);
    if (message) {
        for (size_t i = 0; i < length(limb); i += 8) {
            store8(out + i, cadd8(rounded_50(message + i, error + i, d + i, &f, &c), c.q));
        }
    } else {
        for (size_t i = 0; i < length(limb); i += 8) store8(out + i, cadd8(rounded_50(NULL, error + i, d + i, &f, &c), c.q));
    }
}

KERNEL void all_lift_rounded_60(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                                uint64_t inverse) {
    const modulus8_t c = modulus8(limb);
    const factor8_t f = factor8(inverse, limb->modulus.q, 1);
    const __m512i two_q = set8(2 * limb->modulus.q);
    const __m512i four_q = set8(4 * limb->modulus.q);
    for (size_t i = 0; i < length(limb); i += 8) {
        __m512i x = rounded_60(message ? message + i : NULL, error + i, d + i, &f, &c);
        if (message) x = csub8(_mm512_add_epi64(x, c.q), four_q); // [0, 6q) -> [0, 4q)
        store8(out + i, csub8(csub8(x, two_q), c.q));
    }
}

static void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    GUARDED(all_lift_small(limb, out, small, factor));
}

static void lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    GUARDED(all_lift_message(limb, out, message, error));
}

static void lift_rounded_50(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                            uint64_t inverse) {
    GUARDED(all_lift_rounded_50(limb, out, message, error, d, inverse));
}

static void lift_rounded_60(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                            uint64_t inverse) {
    GUARDED(all_lift_rounded_60(limb, out, message, error, d, inverse));
}

AVX512 static void centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    const __m512i q = set8(limb->modulus.q);
    const __m512i half = set8(limb->modulus.q / 2);
    for (size_t i = 0; i < length(limb); i += 8) {
        const __m512i x = _mm512_add_epi64(_mm512_add_epi64(load8(poly + i), half), widen8(error + i));
        _mm512_storeu_si512(d + i, _mm512_sub_epi64(csub8(x, q), half));
    }
}

// ---- the tables --------------------------------------------------------------------------------------------------------
#define FUSED(bits, lifted_)                                                                                                      \
    static void fused_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *small, const uint64_t *a, \
                             const uint64_t *b, int subtract) {                                                                   \
        const rs_lift_kind_t kind = !small ? RS_LIFT_POLY : message ? RS_LIFT_MESSAGE : RS_LIFT_SMALL;                            \
        const rs_lifted_t lifted = {kind, small, message, NULL, 1, a, b, subtract};                                               \
        GUARDED(lifted_(limb, 1, &out, &lifted));                                                                                 \
    }                                                                                                                             \
    static void fused_small_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, const uint64_t *a,                  \
                                   const uint64_t *b, int subtract) {                                                             \
        fused_##bits(limb, out, NULL, small, a, b, subtract);                                                                     \
    }                                                                                                                             \
    static void scaled_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {                       \
        const rs_lift_kind_t kind = factor == 1 ? RS_LIFT_SMALL : RS_LIFT_SCALED;                                                 \
        const rs_lifted_t lifted = {kind, small, NULL, NULL, factor, NULL, NULL, 0};                                              \
        GUARDED(lifted_(limb, 1, &out, &lifted));                                                                                 \
    }                                                                                                                             \
    static void fused_rounded_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error,            \
                                     const int64_t *d, uint64_t inverse, const uint64_t *a, const uint64_t *b) {                  \
        const rs_lift_kind_t kind = message ? RS_LIFT_BOTH : RS_LIFT_ROUNDED;                                                     \
        const rs_lifted_t lifted = {kind, error, message, d, inverse, a, b, 0};                                                   \
        GUARDED(lifted_(limb, 1, &out, &lifted));                                                                                 \
    }

static rs_lifted_t sweep_part(const rs_sweep_t *s, unsigned j) {
    const double *message = j ? NULL : s->message;
    const rs_lift_kind_t plain = message ? RS_LIFT_MESSAGE : RS_LIFT_SMALL;
    const rs_lift_kind_t rounded = message ? RS_LIFT_BOTH : RS_LIFT_ROUNDED;
    return (rs_lifted_t){s->d[j] ? rounded : plain, s->errors[j], message, s->d[j], s->factor, s->pk[j], s->scratch, 0};
}

static void inverse_product_ifma55(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    GUARDED(rs_ntt_ifma55_product(limb, out, a, b));
}

#define SWEEP(bits, lifted_)                                                                  \
    static void sweep_##bits(const rs_limb_t *limb, const rs_sweep_t *s) {                    \
        uint64_t *const out[3] = {s->scratch, s->c[0], s->c[1]};                              \
        const rs_lifted_t u = {RS_LIFT_TERNARY, s->u, NULL, NULL, s->inverse, NULL, NULL, 0}; \
        const rs_lifted_t lifted[3] = {u, sweep_part(s, 0), sweep_part(s, 1)};                \
        GUARDED(lifted_(limb, 3, out, lifted));                                               \
    }

SWEEP(60, rs_ntt_avx512_lifted)
SWEEP(ifma60, rs_ntt_ifma60_lifted)
SWEEP(ifma55, rs_ntt_ifma55_lifted)
SWEEP(ifma48, rs_ntt_ifma48_lifted)
SWEEP(ifma49, rs_ntt_ifma49_lifted)
SWEEP(ifma50, rs_ntt_ifma_lifted)

FUSED(60, rs_ntt_avx512_lifted)
FUSED(ifma60, rs_ntt_ifma60_lifted)
FUSED(ifma55, rs_ntt_ifma55_lifted)
FUSED(ifma48, rs_ntt_ifma48_lifted)
FUSED(ifma49, rs_ntt_ifma49_lifted)
FUSED(ifma50, rs_ntt_ifma_lifted)

#define RING(forward_, inverse_, quotient_bits_, product, ...) \
    {.quotient_bits = quotient_bits_,                          \
     .forward = forward_,                                      \
     .inverse = inverse_,                                      \
     .mul = mul_##product,                                     \
     .mul_add = mul_add_##product,                             \
     .mul_sub = mul_sub_##product,                             \
     .lift_small = lift_small,                                 \
     __VA_ARGS__}
#define WITH(bits) .fused = fused_small_##bits, .scaled = scaled_##bits
#define LIFTS(rounded, ...) {.lift_message = lift_message, .lift_rounded = lift_rounded_##rounded, .centre = centre, __VA_ARGS__}
#define LIFTS_WITH(rounded, bits) \
    LIFTS(rounded, .fused = fused_##bits, .fused_rounded = fused_rounded_##bits, .sweep = sweep_##bits)

const rs_ring_t RS_RING_AVX512_30 = RING(rs_ntt_avx512_32_forward, rs_ntt_avx512_32_inverse, 32, product31, .fused = NULL);
const rs_ring_t RS_RING_AVX512_50 = RING(rs_ntt_avx512_forward, rs_ntt_avx512_inverse, 64, product50, WITH(60));
const rs_ring_t RS_RING_AVX512_60 = RING(rs_ntt_avx512_forward, rs_ntt_avx512_inverse, 64, product60, WITH(60));
const rs_ring_t RS_RING_AVX512_IFMA60 = RING(rs_ntt_ifma60_forward, rs_ntt_ifma60_inverse, 64, product60, WITH(ifma60));
const rs_ring_t RS_RING_AVX512_IFMA55 =
    RING(rs_ntt_ifma55_forward, rs_ntt_ifma55_inverse, 64, product60, WITH(ifma55), .inverse_product = inverse_product_ifma55);
const rs_ring_t RS_RING_AVX512_IFMA48 = RING(rs_ntt_ifma48_forward, rs_ntt_ifma_inverse, 52, product50, WITH(ifma48));
const rs_ring_t RS_RING_AVX512_IFMA49 = RING(rs_ntt_ifma49_forward, rs_ntt_ifma_inverse, 52, product50, WITH(ifma49));
const rs_ring_t RS_RING_AVX512_IFMA50 = RING(rs_ntt_ifma_forward, rs_ntt_ifma_inverse, 52, product50, WITH(ifma50));

const rs_lifts_t RS_LIFTS_AVX512_30 = LIFTS(50, .fused = NULL);
const rs_lifts_t RS_LIFTS_AVX512_50 = LIFTS_WITH(50, 60);
const rs_lifts_t RS_LIFTS_AVX512_60 = LIFTS_WITH(60, 60);
const rs_lifts_t RS_LIFTS_AVX512_IFMA60 = LIFTS_WITH(60, ifma60);
const rs_lifts_t RS_LIFTS_AVX512_IFMA55 = LIFTS_WITH(60, ifma55);
const rs_lifts_t RS_LIFTS_AVX512_IFMA48 = LIFTS_WITH(50, ifma48);
const rs_lifts_t RS_LIFTS_AVX512_IFMA49 = LIFTS_WITH(50, ifma49);
const rs_lifts_t RS_LIFTS_AVX512_IFMA50 = LIFTS_WITH(50, ifma50);
#endif
