// SPDX-License-Identifier: Apache-2.0
// The portable ring (arith/ntt.c) for WebAssembly, whose multiplications give 64 bits. The upper half of a product takes four of them; here
// three do, and residues may be a little larger for it.
//
// With halves x = x1 2^32 + x0 and a quotient f = f1 2^32 + f0 of Shoup's, the estimate x1 f1 + floor(x1 f0 / 2^32) + floor(x0 f1 / 2^32)
// leaves out x0 f0 / 2^64 < 1 and rounds twice: it is at most 2 below the upper half of x f. So a product is below 4q, where it would be
// below 2q. Bounds are in units of q; 16q < 2^64.
#include "wasm/wasm.h"

#ifdef RS_WASM

#define INLINE static inline __attribute__((always_inline))

typedef struct factor {
    uint64_t value;
    uint64_t low; // the low half of the quotient
    uint64_t high;
} factor_t;

INLINE factor_t split(rs_factor_t f) { return (factor_t){f.value, (uint32_t)f.quotient, f.quotient >> 32}; }

INLINE factor_t twiddle(const rs_limb_t *limb, size_t i) {
    return split((rs_factor_t){((const uint64_t *)limb->twiddles)[i], ((const uint64_t *)limb->quotients)[i]});
}

// Any x -> factor x mod q, below 4q.
INLINE uint64_t times(uint64_t x, factor_t f, uint64_t q) {
    const uint64_t x0 = (uint32_t)x;
    const uint64_t x1 = x >> 32;
    const uint64_t quotient = x1 * f.high + (x1 * f.low >> 32) + (x0 * f.high >> 32);
    return f.value * x - quotient * q;
}

// Below 4q -> reduced.
INLINE uint64_t reduced4(uint64_t x, uint64_t q) { return rs_csub(rs_csub(x, 2 * q), q); }

INLINE size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

// ---- forward: stages (x, y) -> (x + wy, x - wy), residues below 16q before and after two of them ---------------------------
// The compiler's vectors have no 64-bit products either, and make them of more.
#define SCALAR _Pragma("clang loop vectorize(disable)")

INLINE void forward4(const rs_limb_t *limb, uint64_t *x, size_t i, size_t quarter, uint64_t q, int last) {
    const factor_t w1 = twiddle(limb, i);
    const factor_t w2 = twiddle(limb, 2 * i);
    const factor_t w3 = twiddle(limb, 2 * i + 1);
    SCALAR
    for (size_t j = 0; j < quarter; j++) {
        const uint64_t a = rs_csub(x[j], 8 * q);
        const uint64_t b = rs_csub(x[j + quarter], 8 * q);
        const uint64_t c = times(x[j + 2 * quarter], w1, q);
        const uint64_t d = times(x[j + 3 * quarter], w1, q);
        const uint64_t s = a + c; // < 12q, and so is t
        const uint64_t t = a - c + 4 * q;
        const uint64_t u = times(b + d, w2, q);
        const uint64_t v = times(b - d + 4 * q, w3, q);
        const uint64_t y[4] = {s + u, s - u + 4 * q, t + v, t - v + 4 * q};
        for (unsigned k = 0; k < 4; k++) {
            x[j + k * quarter] = last ? reduced4(rs_csub(rs_csub(y[k], 8 * q), 4 * q), q) : y[k];
        }
    }
}

static void forward(const rs_limb_t *limb, uint64_t *poly) {
    const uint64_t q = limb->modulus.q;
    size_t blocks = 1;
    if (limb->log_n & 1) {
        const size_t half = length(limb) / 2;
        const factor_t w = twiddle(limb, 1);
        SCALAR
        for (size_t j = 0; j < half; j++) {
            const uint64_t t = times(poly[j + half], w, q);
            poly[j + half] = poly[j] - t + 4 * q;
            poly[j] += t;
        }
        blocks = 2;
    }
    for (; blocks < length(limb) / 4; blocks *= 4) {
        const size_t quarter = length(limb) / blocks / 4;
        for (size_t i = 0; i < blocks; i++) forward4(limb, poly + 4 * quarter * i, blocks + i, quarter, q, 0);
    }
    for (size_t i = 0; i < blocks; i++) forward4(limb, poly + 4 * i, blocks + i, 1, q, 1);
}

// ---- inverse: stages (x, y) -> (x + y, (y - x) w'), w' the mirrored forward twiddle (arith/ntt.c), residues below 4q ---------
INLINE void inverse4(const rs_limb_t *limb, uint64_t *x, size_t fine, size_t coarse, size_t quarter, uint64_t q) {
    const factor_t w2 = twiddle(limb, fine);
    const factor_t w3 = twiddle(limb, fine - 1);
    const factor_t w1 = twiddle(limb, coarse);
    SCALAR
    for (size_t j = 0; j < quarter; j++) {
        const uint64_t a = x[j];
        const uint64_t b = x[j + quarter];
        const uint64_t c = x[j + 2 * quarter];
        const uint64_t d = x[j + 3 * quarter];
        const uint64_t s = a + b; // < 8q, and so is u
        const uint64_t u = c + d;
        const uint64_t t = times(b - a + 4 * q, w2, q);
        const uint64_t v = times(d - c + 4 * q, w3, q);
        x[j] = rs_csub(rs_csub(s + u, 8 * q), 4 * q);
        x[j + quarter] = rs_csub(t + v, 4 * q);
        x[j + 2 * quarter] = times(u - s + 8 * q, w1, q);
        x[j + 3 * quarter] = times(v - t + 4 * q, w1, q);
    }
}

// One stage of two blocks, for an even number of stages, and the last one, which scales by N^-1.
static void inverse_end(const rs_limb_t *limb, uint64_t *poly, size_t blocks) {
    const uint64_t q = limb->modulus.q;
    for (size_t i = 0; i < blocks; i++) {
        const size_t half = length(limb) / 4;
        uint64_t *x = poly + 2 * half * i;
        const factor_t w = twiddle(limb, 3 - i);
        SCALAR
        for (size_t j = 0; j < half; j++) {
            const uint64_t a = x[j];
            const uint64_t b = x[j + half];
            x[j] = rs_csub(a + b, 4 * q);
            x[j + half] = times(b - a + 4 * q, w, q);
        }
    }
    const factor_t scale = split(limb->n_inverse);
    const factor_t last = split(limb->last_inverse);
    const size_t half = length(limb) / 2;
    SCALAR
    for (size_t j = 0; j < half; j++) {
        const uint64_t a = poly[j];
        const uint64_t b = poly[j + half];
        poly[j] = reduced4(times(a + b, scale, q), q);
        poly[j + half] = reduced4(times(b - a + 4 * q, last, q), q);
    }
}

static void inverse(const rs_limb_t *limb, uint64_t *poly) {
    const uint64_t q = limb->modulus.q;
    unsigned log_blocks = limb->log_n;
    while (log_blocks > 2) { // one or two stages are left
        log_blocks -= 2;
        const size_t blocks = (size_t)1 << log_blocks;
        const size_t quarter = length(limb) >> (log_blocks + 2);
        for (size_t i = 0; i < blocks; i++) {
            inverse4(limb, poly + 4 * quarter * i, 4 * blocks - 1 - 2 * i, 2 * blocks - 1 - i, quarter, q);
        }
    }
    inverse_end(limb, poly, log_blocks == 2 ? 2 : 0);
}

// ---- lifts -------------------------------------------------------------------------------------------------------------
// A residue of |x| < 2^59 + 2^8, which moduli of 60 bits are above, needs no reduction. q is public.
INLINE uint64_t residue(int64_t x, const rs_modulus_t *m, int wide) {
    return wide ? (uint64_t)x + (m->q & (0 - ((uint64_t)x >> 63))) : rs_reduce_signed(x, m);
}

INLINE void rounded(const rs_limb_t *limb, uint64_t *out, const int8_t *error, const int64_t *d, uint64_t inverse_value, int wide) {
    const rs_modulus_t m = limb->modulus;
    const factor_t f = split(rs_factor(inverse_value, m.q));
    SCALAR
    for (size_t i = 0; i < length(limb); i++) out[i] = reduced4(times(residue(error[i] - d[i], &m, wide), f, m.q), m.q);
}

static void lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                         uint64_t inverse_value) {
    const rs_modulus_t m = limb->modulus;
    if (m.q > ((uint64_t)1 << 59) + (1 << 8)) {
        rounded(limb, out, error, d, inverse_value, 1);
    } else {
        rounded(limb, out, error, d, inverse_value, 0);
    }
    if (!message) return;
    for (size_t i = 0; i < length(limb); i++) out[i] = rs_add_mod(out[i], rs_reduce_signed((int64_t)message[i], &m), m.q);
}

const rs_ring_t RS_RING_WASM_60 = {
    .quotient_bits = 64,
    .forward = forward,
    .inverse = inverse,
    RS_PORTABLE_POINTWISE,
};
const rs_lifts_t RS_LIFTS_WASM_60 = {
    .lift_message = rs_portable_lift_message,
    .lift_rounded = lift_rounded,
    .centre = rs_portable_centre,
};
#endif
