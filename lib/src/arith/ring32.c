// SPDX-License-Identifier: Apache-2.0
// Residues as words of 32 bits, for machines that have no others: a product by a twiddle is three multiplications of 32 bits, where words
// of 64 bits take about twenty.
//
// A reduced residue is the low half of its word in memory, and the high half is 0. So the transforms read and write low halves only.
// Shoup's products with quotients floor(w 2^32 / q), as in modarith.h; residues below 4q < 2^32 between stages (Harvey 2014).
#include "arith/ring32.h"

#define INLINE static inline __attribute__((always_inline))

// The low half of word i.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW(p, i) ((p)[2 * (i) + 1])
#else
#define LOW(p, i) ((p)[2 * (i)])
#endif

typedef struct factor {
    uint32_t value;
    uint32_t quotient;
} factor_t;

INLINE uint32_t high_half(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }

// x in [0, 2 bound) -> [0, bound), bound < 2^31.
INLINE uint32_t csub(uint32_t x, uint32_t bound) {
    const uint32_t y = x - bound;
    return y + (bound & (0 - (y >> 31)));
}

// Any x -> factor x mod q, below 2q.
INLINE uint32_t times(uint32_t x, factor_t f, uint32_t q) { return f.value * x - high_half(f.quotient, x) * q; }

INLINE factor_t twiddle(const rs_limb_t *limb, size_t i) {
    return (factor_t){((const uint32_t *)limb->twiddles)[i], ((const uint32_t *)limb->quotients)[i]};
}

INLINE factor_t halved(rs_factor_t f) { return (factor_t){(uint32_t)f.value, (uint32_t)(f.quotient >> 32)}; }

INLINE size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

// ---- forward: stages (x, y) -> (x + wy, x - wy), residues below 4q before and after --------------------------------------
INLINE void forward2(uint32_t *x, size_t half, factor_t w, uint32_t q) {
    for (size_t j = 0; j < half; j++) {
        const uint32_t a = csub(LOW(x, j), 2 * q);
        const uint32_t b = times(LOW(x, j + half), w, q);
        LOW(x, j) = a + b;
        LOW(x, j + half) = a - b + 2 * q;
    }
}

INLINE void forward4(uint32_t *x, size_t quarter, factor_t w1, factor_t w2, factor_t w3, uint32_t q, int last) {
    for (size_t j = 0; j < quarter; j++) {
        const uint32_t a = csub(LOW(x, j), 2 * q);
        const uint32_t b = csub(LOW(x, j + quarter), 2 * q);
        const uint32_t c = times(LOW(x, j + 2 * quarter), w1, q);
        const uint32_t d = times(LOW(x, j + 3 * quarter), w1, q);
        const uint32_t s = csub(a + c, 2 * q);
        const uint32_t t = csub(a - c + 2 * q, 2 * q);
        const uint32_t u = times(b + d, w2, q);
        const uint32_t v = times(b - d + 2 * q, w3, q);
        const uint32_t y[4] = {s + u, s - u + 2 * q, t + v, t - v + 2 * q};
        LOW(x, j) = last ? csub(csub(y[0], 2 * q), q) : y[0];
        LOW(x, j + quarter) = last ? csub(csub(y[1], 2 * q), q) : y[1];
        LOW(x, j + 2 * quarter) = last ? csub(csub(y[2], 2 * q), q) : y[2];
        LOW(x, j + 3 * quarter) = last ? csub(csub(y[3], 2 * q), q) : y[3];
    }
}

static void forward(const rs_limb_t *limb, uint64_t *poly) {
    const uint32_t q = (uint32_t)limb->modulus.q;
    const unsigned log_n = limb->log_n;
    uint32_t *x = (uint32_t *)(void *)poly;
    unsigned log_blocks = log_n & 1;
    if (log_blocks) forward2(x, length(limb) / 2, twiddle(limb, 1), q);
    for (; log_blocks < log_n; log_blocks += 2) {
        const size_t blocks = (size_t)1 << log_blocks;
        const size_t quarter = length(limb) >> (log_blocks + 2);
        for (size_t i = blocks; i < 2 * blocks; i++) {
            uint32_t *block = x + 8 * quarter * (i - blocks);
            if (quarter > 1) {
                forward4(block, quarter, twiddle(limb, i), twiddle(limb, 2 * i), twiddle(limb, 2 * i + 1), q, 0);
            } else {
                forward4(block, 1, twiddle(limb, i), twiddle(limb, 2 * i), twiddle(limb, 2 * i + 1), q, 1);
            }
        }
    }
}

// ---- inverse: stages (x, y) -> (x + y, (y - x) w'), w' the mirrored forward twiddle (ntt.c), residues below 2q ------------
INLINE void inverse4(uint32_t *x, size_t quarter, factor_t w2, factor_t w3, factor_t w1, uint32_t q) {
    for (size_t j = 0; j < quarter; j++) {
        const uint32_t a = LOW(x, j);
        const uint32_t b = LOW(x, j + quarter);
        const uint32_t c = LOW(x, j + 2 * quarter);
        const uint32_t d = LOW(x, j + 3 * quarter);
        const uint32_t s = csub(a + b, 2 * q);
        const uint32_t u = csub(c + d, 2 * q);
        const uint32_t t = times(b - a + 2 * q, w2, q);
        const uint32_t v = times(d - c + 2 * q, w3, q);
        LOW(x, j) = csub(s + u, 2 * q);
        LOW(x, j + quarter) = csub(t + v, 2 * q);
        LOW(x, j + 2 * quarter) = times(u - s + 2 * q, w1, q);
        LOW(x, j + 3 * quarter) = times(v - t + 2 * q, w1, q);
    }
}

static void inverse(const rs_limb_t *limb, uint64_t *poly) {
    const uint32_t q = (uint32_t)limb->modulus.q;
    const unsigned log_n = limb->log_n;
    uint32_t *x = (uint32_t *)(void *)poly;
    unsigned log_blocks = log_n;
    while (log_blocks > 2) { // one or two stages are left
        log_blocks -= 2;
        const size_t blocks = (size_t)1 << log_blocks;
        const size_t quarter = length(limb) >> (log_blocks + 2);
        for (size_t i = 0; i < blocks; i++) {
            const size_t fine = 4 * blocks - 1 - 2 * i;
            inverse4(x + 8 * quarter * i, quarter, twiddle(limb, fine), twiddle(limb, fine - 1), twiddle(limb, 2 * blocks - 1 - i),
                     q);
        }
    }
    const size_t half = length(limb) / 2;
    if (log_blocks == 2) {
        const size_t quarter = half / 2;
        for (size_t h = 0; h < 2; h++) {
            uint32_t *y = x + 2 * h * half;
            const factor_t w = twiddle(limb, 3 - h);
            for (size_t j = 0; j < quarter; j++) {
                const uint32_t a = LOW(y, j);
                const uint32_t b = LOW(y, j + quarter);
                LOW(y, j) = csub(a + b, 2 * q);
                LOW(y, j + quarter) = times(b - a + 2 * q, w, q);
            }
        }
    }
    const factor_t scale = halved(limb->n_inverse);
    const factor_t last = halved(limb->last_inverse);
    for (size_t j = 0; j < half; j++) {
        const uint32_t a = LOW(x, j);
        const uint32_t b = LOW(x, j + half);
        LOW(x, j) = csub(times(a + b, scale, q), q);
        LOW(x, j + half) = csub(times(b - a + 2 * q, last, q), q);
    }
}

// ---- pointwise ---------------------------------------------------------------------------------------------------------
typedef struct barrett {
    uint32_t q;
    uint32_t ratio; // floor(2^(30 + bits) / q) < 2^31 + 1
    uint32_t shift; // bits - 2
} barrett_t;

INLINE barrett_t barrett(const rs_limb_t *limb) {
    return (barrett_t){(uint32_t)limb->modulus.q, (uint32_t)(limb->modulus.ratio >> 32), limb->modulus.shift};
}

// Product of two reduced words. t = floor(p / 2^(bits-2)) < 4q < 2^32. The estimate of floor(p / q) is at most 2 below: the floor of t costs
// < 2^(bits-2)/q <= 1/2, the floor of the ratio < t/2^32 < 1, the last floor < 1.
INLINE uint32_t product(uint64_t a, uint64_t b, const barrett_t *m) {
    const uint64_t p = (uint64_t)(uint32_t)a * (uint32_t)b;
    const uint32_t t = (uint32_t)(p >> 32) << (32 - m->shift) | (uint32_t)p >> m->shift; // 0 < shift < 32
    const uint32_t r = (uint32_t)p - high_half(t, m->ratio) * m->q;
    return csub(csub(r, 2 * m->q), m->q);
}

static void mul(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const barrett_t m = barrett(limb);
    for (size_t i = 0; i < length(limb); i++) out[i] = product(a[i], b[i], &m);
}

static void mul_add(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    const barrett_t m = barrett(limb);
    for (size_t i = 0; i < length(limb); i++) out[i] = csub(product(a[i], b[i], &m) + (uint32_t)c[i], m.q);
}

static void mul_sub(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    const barrett_t m = barrett(limb);
    for (size_t i = 0; i < length(limb); i++) out[i] = csub((uint32_t)c[i] - product(a[i], b[i], &m) + m.q, m.q);
}

static void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const uint32_t q = (uint32_t)limb->modulus.q;
    const factor_t f = halved(rs_factor(factor, q));
    for (size_t i = 0; i < length(limb); i++) {
        const uint32_t x = (uint32_t)(int32_t)small[i];
        const uint32_t lifted = x + (q & (0 - (x >> 31)));
        out[i] = factor == 1 ? lifted : csub(times(lifted, f, q), q);
    }
}

const rs_ring_t RS_RING_32 = {
    .quotient_bits = 32,
    .forward = forward,
    .inverse = inverse,
    .mul = mul,
    .mul_add = mul_add,
    .mul_sub = mul_sub,
    .lift_small = lift_small,
};
