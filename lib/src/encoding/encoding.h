// SPDX-License-Identifier: Apache-2.0
// The table that a back end fills for encode and decode. All back ends give the same bits. NaNs are the exception: they never leave the
// library. Arrays may hold secrets. They may have any alignment that their type allows; a multiple of 64 bytes is faster.
#ifndef RINGSIDE_ENCODING_H
#define RINGSIDE_ENCODING_H

#include "arith/ring.h"
#include "base/doubles.h"

enum {
    RS_FFT_LOG_N_MAX = 17, // N of the transforms
    RS_DIGITS_MAX = 64, // moduli of a number
};

// The tables of the transform (fft.c): N/2 roots, those of the stage with h blocks at h … 2h-1.
typedef struct rs_fft {
    uint32_t log_n;
    const double *re;
    const double *im;
} rs_fft_t;

// A polynomial modulo a chain of primes.
typedef struct rs_rns {
    size_t n;
    const rs_limb_t *limbs;
    const uint32_t *total_bits; // [k]: of the product of the first k moduli
} rs_rns_t;

typedef struct rs_encoding {
    // rs_fft_inverse and rs_fft_forward of golden/ckks.h; smaller words than rs_fft_floor enter the inverse as zeros
    void (*inverse)(const rs_fft_t *fft, double *re, double *im, double fix);
    void (*forward)(const rs_fft_t *fft, double *re, double *im);
    // inverse and rounding half away from zero (std::round, which SEAL uses) in one, im being what follows re. real: im is 0 and not read.
    // Gives the largest magnitude before.
    uint64_t (*inverse_rounded)(const rs_fft_t *fft, double *re, double *im, int real, double fix);
    // the same to integers: word i, an int64_t, takes the place of coefficient i; from 2^62 on the words mean nothing.
    // NULL: rs_inverse_words does it by the other entries.
    uint64_t (*inverse_words)(const rs_fft_t *fft, double *re, double *im, int real, double fix);
    // The bits of the largest magnitude: magnitudes have the same order as their bits. From RS_INFINITY_BITS (base/doubles.h) on, not all
    // values are finite.
    uint64_t (*largest_magnitude)(const double *x, size_t count);
    // Balanced mixed radix (kernels.c): digit k of coefficient i is the two's complement word poly[k N + i]. Replaces the residues of
    // `limb` by its digit; all limbs before it are digits already.
    void (*make_digit)(const rs_rns_t *rns, uint64_t *poly, uint32_t limb);
    // 0 if the first `digits` digits have the residues of `limb`, else 1.
    uint64_t (*disagrees)(const rs_rns_t *rns, const uint64_t *poly, uint32_t digits, uint32_t limb);
    // The coefficients that these digits represent, rounded to double once and divided by the scale. A single digit may be a residue still, and its
    // coefficients may take its place.
    void (*coefficients)(const rs_rns_t *rns, double *out, const uint64_t *poly, uint32_t digits, double scale);
} rs_encoding_t;

extern const rs_encoding_t RS_ENCODING_PORTABLE;

// The entries of the portable table. Back ends call them in the cases that they do not handle themselves.
void rs_fft_portable_inverse(const rs_fft_t *fft, double *re, double *im, double fix);
void rs_fft_portable_forward(const rs_fft_t *fft, double *re, double *im);
uint64_t rs_fft_portable_inverse_rounded(const rs_fft_t *fft, double *re, double *im, int real, double fix);
uint64_t rs_fft_portable_inverse_words(const rs_fft_t *fft, double *re, double *im, int real, double fix);
uint64_t rs_largest_magnitude_portable(const double *x, size_t count);
void rs_make_digit_portable(const rs_rns_t *rns, uint64_t *poly, uint32_t limb);
uint64_t rs_disagrees_portable(const rs_rns_t *rns, const uint64_t *poly, uint32_t digits, uint32_t limb);
void rs_coefficients_portable(const rs_rns_t *rns, double *out, const uint64_t *poly, uint32_t digits, double scale);

// The table's inverse_words, or what it stands for.
uint64_t rs_inverse_words(const rs_encoding_t *encoding, const rs_fft_t *fft, double *re, double *im, int real, double fix);

// Constants to evaluate the first `digits` digits modulo a limb by Horner's rule: radix[k] = q_k mod q.
typedef struct rs_mixed_radix {
    rs_factor_t radix[RS_DIGITS_MAX];
    rs_factor_t inverse; // the inverse of q_0 … q_{digits-1}
} rs_mixed_radix_t;

void rs_mixed_radix_init(rs_mixed_radix_t *r, const rs_rns_t *rns, uint32_t limb, uint32_t digits);

// The bits of the smallest magnitude that counts in the inverse transform: 2^-RS_FFT_FLOOR_BITS over N fix, which is the scale, rounded
// down to a power of two; and no subnormal one. With operands like these no operation of the transform meets a subnormal number, for
// which processors take longer (docs/encoding.md, "Numbers too small to matter").
enum { RS_FFT_FLOOR_BITS = 80 };
static inline uint64_t rs_fft_floor(double fix, uint32_t log_n) {
    const int64_t biased = (int64_t)(rs_bits_of(fix) >> RS_MANTISSA_BITS & 0x7ff);
    const int64_t exponent = 2 * RS_EXPONENT_BIAS - RS_FFT_FLOOR_BITS - (int64_t)log_n - biased;
    return (uint64_t)(exponent < 1 ? 1 : exponent) << RS_MANTISSA_BITS;
}

// 1/scale if that is exact, else 0. If it is exact, multiplying by it gives the bits of the quotient. Positive normal scales.
double rs_exact_reciprocal(double scale);

// fft_roots.c: fills the tables of N/2 roots each. scratch: 16 sqrt(N) bytes, aligned for doubles.
void rs_fft_roots(double *re, double *im, uint32_t log_n, void *scratch);
// fft.c: where each of the N/2 slots is in the bit-reversed order of the transform; the odd ones as their conjugates (3^i = 3 mod 4).
void rs_fft_slots(uint16_t *slots, uint32_t log_n);

#endif
