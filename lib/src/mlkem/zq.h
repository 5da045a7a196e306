// SPDX-License-Identifier: Apache-2.0
// Residues modulo q = 3329 as signed words. They may be secret: there is no branch here, and no division.
//
// Products are reduced as Plantard does (2021, "Efficient word size modular arithmetic", IEEE TETC 9(3)), in the signed form of Huang et al.
// (2022, "Improved Plantard arithmetic for lattice-based cryptography", TCHES 2022(4)), with l = 16 and alpha = 3: for every x with
//     -1527054336 = 2^16 q (1 - 2^3) <= x < 2^32 - 2^19 q = 2549612544,
// as a word of 32 bits: x R^-1 modulo q, from -(q + 1) / 2 to (q - 1) / 2, where R = -2^32. A factor that is known beforehand is multiplied by
// R q^-1, so that a product takes one multiplication for both factors' words and one by q.
#ifndef RINGSIDE_MLKEM_ZQ_H
#define RINGSIDE_MLKEM_ZQ_H

#include "mlkem/sets.h"

#define RS_MLKEM_Q_INVERSE 1806234369u // q^-1 modulo 2^32
enum {
    RS_MLKEM_HALF = (RS_MLKEM_Q + 1) / 2, // the largest magnitude of a reduced word
    RS_MLKEM_R = 1976, // -2^32 modulo q
};

// A factor c, 0 <= c < q, as rs_mlkem_mul takes it: (c R mod q, centred) q^-1 modulo 2^32.
#define RS_MLKEM_CENTRED(x) ((x) % RS_MLKEM_Q - ((x) % RS_MLKEM_Q > RS_MLKEM_Q / 2 ? RS_MLKEM_Q : 0))
#define RS_MLKEM_FACTOR(c) ((uint32_t)RS_MLKEM_CENTRED((c) * RS_MLKEM_R) * RS_MLKEM_Q_INVERSE)

// x times q^-1 modulo 2^32 in, x R^-1 modulo q out.
static inline int32_t rs_mlkem_plantard(uint32_t x) {
    enum { ALPHA = 3 };
    return (((int32_t)x >> 16) + (1 << ALPHA)) * RS_MLKEM_Q >> 16;
}

// a c modulo q, |a| <= 917700; at most RS_MLKEM_HALF in magnitude.
static inline int32_t rs_mlkem_mul(int32_t a, uint32_t factor) { return rs_mlkem_plantard((uint32_t)a * factor); }

// a R^-1 modulo q, |a| <= 1527054336; at most RS_MLKEM_HALF in magnitude.
static inline int32_t rs_mlkem_reduce(int32_t a) { return rs_mlkem_plantard((uint32_t)a * RS_MLKEM_Q_INVERSE); }

// The residue from 0 to q - 1 of a, |a| <= 917700.
static inline uint32_t rs_mlkem_canonical(int32_t a) {
    const uint32_t x = (uint32_t)rs_mlkem_mul(a, RS_MLKEM_FACTOR(1));
    return x + (RS_MLKEM_Q & (0 - (x >> 31)));
}

// Compress_d of FIPS 203, (4.7): the integer nearest to x 2^d / q, modulo 2^d. A product in place of the division, exact for all words of 16 bits
// if d <= 5, and for |x| <= 3953 if d = 10 or 11 (test_mlkem.c tries all of them).
static inline uint32_t rs_mlkem_compress(int32_t x, uint32_t d) {
    if (d <= 5) return ((uint32_t)x * 1290168u + ((uint32_t)1 << (31 - d))) >> (32 - d); // floor(2^32 / q); whole parts wrap
    return (uint32_t)(((int64_t)x * ((int64_t)2580335 << d) + ((int64_t)1 << 32)) >> 33) & (((uint32_t)1 << d) - 1); // 2^33 / q
}

// Decompress_d, (4.8).
static inline int16_t rs_mlkem_decompress(uint32_t y, uint32_t d) {
    return (int16_t)((y * RS_MLKEM_Q + ((uint32_t)1 << (d - 1))) >> d);
}

#endif
