// SPDX-License-Identifier: Apache-2.0
// The transform and the products of its residues. Layers are done two or three at a time, so that words are loaded and stored three times
// in all, not seven.
#include "mlkem/ntt.h"

// 17^brv(i) modulo q, i = 0 … 63 and 64 … 127: the table of FIPS 203, appendix A (test_mlkem.c computes it).
#define ZETAS_LOW(Z)                                                                                                               \
    Z(1)                                                                                                                           \
    Z(1729) Z(2580) Z(3289) Z(2642) Z(630) Z(1897) Z(848) Z(1062) Z(1919) Z(193) Z(797) Z(2786) Z(3260) Z(569) Z(1746) Z(296)      \
        Z(2447) Z(1339) Z(1476) Z(3046) Z(56) Z(2240) Z(1333) Z(1426) Z(2094) Z(535) Z(2882) Z(2393) Z(2879) Z(1974) Z(821) Z(289) \
            Z(331) Z(3253) Z(1756) Z(1197) Z(2304) Z(2277) Z(2055) Z(650) Z(1977) Z(2513) Z(632) Z(2865) Z(33) Z(1320) Z(1915)     \
                Z(2319) Z(1435) Z(807) Z(452) Z(1438) Z(2868) Z(1534) Z(2402) Z(2647) Z(2617) Z(1481) Z(648) Z(2474) Z(3110)       \
                    Z(1227) Z(910)
#define ZETAS_HIGH(Z)                                                                                                              \
    Z(17)                                                                                                                          \
    Z(2761) Z(583) Z(2649) Z(1637) Z(723) Z(2288) Z(1100) Z(1409) Z(2662) Z(3281) Z(233) Z(756) Z(2156) Z(3015) Z(3050) Z(1703)    \
        Z(1651) Z(2789) Z(1789) Z(1847) Z(952) Z(1461) Z(2687) Z(939) Z(2308) Z(2437) Z(2388) Z(733) Z(2337) Z(268) Z(641) Z(1584) \
            Z(2298) Z(2037) Z(3220) Z(375) Z(2549) Z(2090) Z(1645) Z(1063) Z(319) Z(2773) Z(757) Z(2099) Z(561) Z(2466) Z(2594)    \
                Z(2804) Z(1092) Z(403) Z(1026) Z(1143) Z(2150) Z(2775) Z(886) Z(1722) Z(1212) Z(1874) Z(1029) Z(2110) Z(2935)      \
                    Z(885) Z(2154)
#define FACTOR(zeta) RS_MLKEM_FACTOR(zeta),
#define FACTOR_TIMES_R(zeta) RS_MLKEM_FACTOR((zeta) * RS_MLKEM_R % RS_MLKEM_Q),

const uint32_t RS_MLKEM_ZETAS[128] = {ZETAS_LOW(FACTOR) ZETAS_HIGH(FACTOR)};

// Factor 2i of the ring is X^2 - GAMMA[i] / R, factor 2i + 1 is X^2 + GAMMA[i] / R.
static const uint32_t GAMMA[64] = {ZETAS_HIGH(FACTOR_TIMES_R)};

enum { INVERSE_OF_128 = 3303 };
// What the inverse is multiplied by at its end, and the same with the zeta of the last layer.
static const uint32_t SCALE = RS_MLKEM_FACTOR(INVERSE_OF_128 * RS_MLKEM_R % RS_MLKEM_Q);
static const uint32_t SCALE_ZETA = RS_MLKEM_FACTOR(INVERSE_OF_128 * RS_MLKEM_R % RS_MLKEM_Q * 1729 % RS_MLKEM_Q);

#define INLINE static inline __attribute__((always_inline))

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
    const uint32_t *z = RS_MLKEM_ZETAS;
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
    const uint32_t *z = RS_MLKEM_ZETAS;
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
    case 2:
        dot(out, a, b, 2);
        break;
    case 3:
        dot(out, a, b, 3);
        break;
    default:
        dot(out, a, b, 4);
        break;
    }
}
