// SPDX-License-Identifier: Apache-2.0
// Golden: the transforms of fixed.h, step by step and whole. A root or a factor that is an operand is public.
#ifndef RINGSIDE_GOLDEN_FIXED_H
#define RINGSIDE_GOLDEN_FIXED_H

#include "../fixed.h"

#ifdef __cplusplus
extern "C" {
#endif

// The steps check no arguments. uint32_t results: 1 if something was out of range, else 0.
typedef struct rs_fixed_point {
    int64_t re;
    int64_t im;
} rs_fixed_point_t;

typedef struct rs_fixed_root {
    uint64_t re; // magnitudes
    uint64_t im; // the imaginary part is positive
    uint32_t re_is_negative;
} rs_fixed_root_t;

// The root of block `block` in stage `stage`, which has 2^stage blocks; stage < log2 N - 1. zeta^(N / 2^(stage+2) (4 brv(block) + 1)). In the odd
// blocks it is i times that of the block before, word for word.
RS_GOLDEN rs_fixed_root_t rs_fixed_root(const rs_fixed_t *fixed, uint32_t stage, uint32_t block);
// The table: N/2 words, re and im in turns. Pair 0: stage 0; pair (2^stage + block) / 2: the even blocks of the other stages.
RS_GOLDEN const uint64_t *rs_fixed_roots(const rs_fixed_t *fixed);

// floor((magnitude root + 2^W) / 2^(W+1)), both factors below 2^W: the result is below 2^(W-1).
RS_GOLDEN uint64_t rs_fixed_product(uint32_t word_bits, uint64_t magnitude, uint64_t root);
// encode: x, y = (x + y) / 2, (x - y) conj(root) / 2.  Halves of odd sums go to the even neighbour.
RS_GOLDEN uint32_t rs_fixed_butterfly_inverse(uint32_t word_bits, rs_fixed_point_t *x, rs_fixed_point_t *y, rs_fixed_root_t root);
// decode: x, y = x + y root, x - y root.
RS_GOLDEN uint32_t rs_fixed_butterfly_forward(uint32_t word_bits, rs_fixed_point_t *x, rs_fixed_point_t *y, rs_fixed_root_t root);
// word factor 2^-W for a public factor of W bits: the product above of twice the magnitude. Nearest, halves away from zero. A magnitude of
// 2^(W-1) is out of range, and the result is 0 then; else *out_of_range stays.
RS_GOLDEN int64_t rs_fixed_times(uint32_t word_bits, int64_t word, uint64_t factor, uint32_t *out_of_range);
// The sum of two words; out of range, it is wrapped to W bits and *out_of_range becomes 1.
RS_GOLDEN int64_t rs_fixed_sum(uint32_t word_bits, int64_t x, int64_t y, uint32_t *out_of_range);
// How a digit of a decryption becomes a word of W - 2 bits after the point. A digit is the centred residue d_0 of the first limb; of two limbs
// r_0 or d_1 of r_0 + q_0 d_1, r_0 from 0 to q_0 - 1, d_1 centred.  The word round(digit 2^shift), halves away from zero; unless factor is 0, rs_fixed_times of it.
// Encode has the same the other way round: a word, rs_fixed_times of it, and then the shift (rs_encode_fixed_scale).
typedef struct rs_fixed_scale {
    uint64_t factor;
    int32_t shift;
} rs_fixed_scale_t;
// The word; out of range, it is wrapped to W bits and *out_of_range becomes 1.
RS_GOLDEN int64_t rs_fixed_scale(uint32_t word_bits, int64_t digit, rs_fixed_scale_t scale, uint32_t *out_of_range);
// One stage, in place: N/4 butterflies.
RS_GOLDEN uint32_t rs_fixed_stage_inverse(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im);
RS_GOLDEN uint32_t rs_fixed_stage_forward(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im);

// ---- whole transforms --------------------------------------------------------------------------------------------------
// Inverse: stages log2 N - 2 … 0, slots -> coefficients 0 … N/2-1 in re, N/2 … N-1 in im, all divided by N/2. Forward: stages 0 … log2 N - 2.
// RS_ERR_VALUE_RANGE: something was out of range, and the arrays hold zeros. That never happens to an inverse whose points have
// magnitudes |re + i im| of at most 1 - 2^-10.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_fixed_inverse(const rs_fixed_t *fixed, int64_t *re, int64_t *im);
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_fixed_forward(const rs_fixed_t *fixed, int64_t *re, int64_t *im);

// ---- slots in and out --------------------------------------------------------------------------------------------------
// Points of slots: values / 2^bound, rounded to the nearest word, halves away from zero; missing slots are zero.
// RS_ERR_VALUE_RANGE: a value does not fit a word. RS_ERR_NOT_FINITE. RS_ERR_LAYOUT: unknown format, exponent or bound out of
// range. RS_ERR_VALUE_COUNT.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_fixed_load(const rs_fixed_t *fixed, int64_t *re, int64_t *im, const void *values,
                                                  const rs_fixed_layout_t *layout);
// Slots of the points that rs_fixed_forward gives, rounded in the same way to the format. RS_ERR_VALUE_RANGE: a number does not fit the
// format; values hold zeros then. Doubles are rounded to the nearest, ties to even.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_fixed_store(const rs_fixed_t *fixed, void *values, const rs_fixed_layout_t *layout,
                                                   const int64_t *re, const int64_t *im);

#ifdef __cplusplus
}
#endif

#endif
