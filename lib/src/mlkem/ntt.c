// SPDX-License-Identifier: Apache-2.0
// The transform and the products of its residues. Layers are done two or three at a time, so that words are loaded and stored three times
// in all, not seven.
#include "mlkem/ntt.h"

#define INLINE static inline __attribute__((always_inline))
#ifdef RS_NEON
#include "mlkem/vectors/words_neon.h"

#include "mlkem/vectors/transforms.h"
#else
// zeta^brv(i) as factors.
static const uint32_t ZETAS[128] = {
#define LOW(zeta) RS_MLKEM_FACTOR(zeta),
#define HIGH(zeta) RS_MLKEM_FACTOR(zeta),
#include "mlkem/zetas.inc"
#undef LOW
#undef HIGH
};

// Factor 2i of the ring is X^2 - GAMMA[i] / R, factor 2i + 1 is X^2 + GAMMA[i] / R.
static const uint32_t GAMMA[64] = {
#define LOW(zeta)
#define HIGH(zeta) RS_MLKEM_FACTOR((zeta) * RS_MLKEM_R % RS_MLKEM_Q),
#include "mlkem/zetas.inc"
#undef LOW
#undef HIGH
};

enum { INVERSE_OF_128 = 3303 };
// What the inverse is multiplied by at its end, and the same with the zeta of the last layer.
#define SCALE RS_MLKEM_FACTOR(INVERSE_OF_128 *RS_MLKEM_R % RS_MLKEM_Q)
#define SCALE_ZETA RS_MLKEM_FACTOR(INVERSE_OF_128 *RS_MLKEM_R % RS_MLKEM_Q * 1729 % RS_MLKEM_Q)

#ifdef __riscv_v
#include "mlkem/riscv/ntt_rvv.h"
#else
// Cooley and Tukey's butterfly: each layer adds at most RS_MLKEM_HALF.
INLINE void butterfly(int32_t *a, int32_t *b, uint32_t zeta) {
    const int32_t t = rs_mlkem_mul(*b, zeta);
    *b = *a - t;
    *a += t;
}

// Gentleman and Sande's: a sum is at most twice as large, a difference is reduced.
INLINE void inverse_butterfly(int32_t *a, int32_t *b, uint32_t zeta) {
    const int32_t t = *a;
    *a = t + *b;
    *b = rs_mlkem_mul(*b - t, zeta);
}

// Two layers on the four words that are `step` apart. Their zetas: the first layer's, and the second layer's two.
INLINE void forward4(int16_t *f, uint32_t step, uint32_t zeta, const uint32_t *zetas) {
    int32_t a = f[0], b = f[step], c = f[2 * step], d = f[3 * step];
    butterfly(&a, &c, zeta);
    butterfly(&b, &d, zeta);
    butterfly(&a, &b, zetas[0]);
    butterfly(&c, &d, zetas[1]);
    f[0] = (int16_t)a;
    f[step] = (int16_t)b;
    f[2 * step] = (int16_t)c;
    f[3 * step] = (int16_t)d;
}

INLINE void inverse4(int16_t *f, uint32_t step, const uint32_t *zetas, uint32_t zeta) {
    int32_t a = f[0], b = f[step], c = f[2 * step], d = f[3 * step];
    inverse_butterfly(&a, &b, zetas[1]);
    inverse_butterfly(&c, &d, zetas[0]);
    inverse_butterfly(&a, &c, zeta);
    inverse_butterfly(&b, &d, zeta);
    f[0] = (int16_t)a;
    f[step] = (int16_t)b;
    f[2 * step] = (int16_t)c;
    f[3 * step] = (int16_t)d;
}

void rs_mlkem_ntt(int16_t *f) {
    const uint32_t *z = ZETAS;
    for (uint32_t i = 0; i < 32; i++) { // layers 128, 64, 32
        int32_t x[8];
#pragma GCC unroll 8
        for (uint32_t m = 0; m < 8; m++) x[m] = f[i + 32 * m];
#pragma GCC unroll 4
        for (uint32_t m = 0; m < 4; m++) butterfly(&x[m], &x[m + 4], z[1]);
#pragma GCC unroll 4
        for (uint32_t m = 0; m < 4; m++) butterfly(&x[m + m / 2 * 2], &x[m + m / 2 * 2 + 2], z[2 + m / 2]);
#pragma GCC unroll 4
        for (uint32_t m = 0; m < 4; m++) butterfly(&x[2 * m], &x[2 * m + 1], z[4 + m]);
#pragma GCC unroll 8
        for (uint32_t m = 0; m < 8; m++) f[i + 32 * m] = (int16_t)x[m];
    }
    for (uint32_t block = 0; block < 8; block++) { // 16, 8
        for (uint32_t i = 0; i < 8; i++) forward4(f + 32 * block + i, 8, z[8 + block], z + 16 + 2 * block);
    }
    for (uint32_t block = 0; block < 32; block++) { // 4, 2
        for (uint32_t i = 0; i < 2; i++) forward4(f + 8 * block + i, 2, z[32 + block], z + 64 + 2 * block);
    }
}

// Sums grow to 16 RS_MLKEM_HALF = 26640 in the first four layers, which words of 16 bits hold, and to 213120 in the last three, which are
// computed in registers.
void rs_mlkem_inverse(int16_t *f) {
    const uint32_t *z = ZETAS;
    for (uint32_t block = 0; block < 32; block++) { // 2, 4
        for (uint32_t i = 0; i < 2; i++) inverse4(f + 8 * block + i, 2, z + 126 - 2 * block, z[63 - block]);
    }
    for (uint32_t block = 0; block < 8; block++) { // 8, 16
        for (uint32_t i = 0; i < 8; i++) inverse4(f + 32 * block + i, 8, z + 30 - 2 * block, z[15 - block]);
    }
    for (uint32_t i = 0; i < 32; i++) { // 32, 64, 128
        int32_t x[8];
#pragma GCC unroll 8
        for (uint32_t m = 0; m < 8; m++) x[m] = f[i + 32 * m];
#pragma GCC unroll 4
        for (uint32_t m = 0; m < 4; m++) inverse_butterfly(&x[2 * m], &x[2 * m + 1], z[7 - m]);
#pragma GCC unroll 4
        for (uint32_t m = 0; m < 4; m++) inverse_butterfly(&x[m + m / 2 * 2], &x[m + m / 2 * 2 + 2], z[3 - m / 2]);
#pragma GCC unroll 4
        for (uint32_t m = 0; m < 4; m++) {
            f[i + 32 * m] = (int16_t)rs_mlkem_mul(x[m] + x[m + 4], SCALE);
            f[i + 32 * m + 128] = (int16_t)rs_mlkem_mul(x[m + 4] - x[m], SCALE_ZETA);
        }
    }
}

// The product modulo factor i of the ring, of words a + 512 j, b + 512 j. Sums: at most 2 k 4095 * 15015 = 491904000 in magnitude, for which
// rs_mlkem_reduce is made.
INLINE void dot_pair(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k, uint32_t gamma, int32_t sign) {
    int32_t low = 0, mixed = 0, high = 0;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < k; j++, a += RS_MLKEM_N, b += RS_MLKEM_N) {
        low += a[0] * b[0];
        high += a[1] * b[1];
        mixed += a[0] * b[1] + a[1] * b[0];
    }
    out[0] = (int16_t)rs_mlkem_reduce(low + sign * rs_mlkem_mul(rs_mlkem_reduce(high), gamma));
    out[1] = (int16_t)rs_mlkem_reduce(mixed);
}

INLINE void dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    for (uint32_t i = 0; i < RS_MLKEM_N; i += 4) {
        dot_pair(out + i, a + i, b + i, k, GAMMA[i / 4], 1);
        dot_pair(out + i + 2, a + i + 2, b + i + 2, k, GAMMA[i / 4], -1);
    }
}

// One loop for each rank.
void rs_mlkem_dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    switch (k) {
    case 2: dot(out, a, b, 2); break;
    case 3: dot(out, a, b, 3); break;
    default: dot(out, a, b, 4); break;
    }
}
#endif
#endif
