// SPDX-License-Identifier: Apache-2.0
// The transforms of encode and decode in fixed point, for words of 24 to 64 bits: the arithmetic of gates, and of processors without
// floating point. docs/encoding.md, "In fixed point", derives the bounds on its error. Encode and decode themselves: client.h.
//
// A word is a two's complement number of W bits, kept sign-extended in an int64_t. Encode: W - 1 bits after the point, words in [-1, 1).
// Decode: W - 2 of them, words in [-2, 2). A point is a pair of words, re and im; a transform has N/2 points in two arrays, in the
// bit-reversed order of rs_fft_inverse (kernels.h).
// Root: the magnitudes of re and im in units of 2^-W, rounded to the nearest number of W bits.
// Product: floor((|a| w + 2^W) / 2^(W+1)), then the sign of a times that of w: half of a times the root, to nearest.
// Out of range: a result that W bits do not hold, or a factor whose magnitude they do not hold. It is wrapped to W bits and reported, so
// that words are wrong only where that was reported.
//
// Integers only: no operation on doubles, no division. No branch and no index depends on the words.
#ifndef RINGSIDE_FIXED_H
#define RINGSIDE_FIXED_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RS_FIXED_BITS_MIN = 24, RS_FIXED_BITS_MAX = 64, RS_FIXED_LOG_N_MIN = 2, RS_FIXED_LOG_N_MAX = 17 };

// Word width, N and the roots. Read-only once made: any number of threads share it.
typedef struct rs_fixed rs_fixed_t;

// Bytes of memory that the tables need: about 4N. 0 for log2 N outside of 2 to 17.
RS_API size_t rs_fixed_size(uint32_t log_n);
// Makes the tables in caller-provided, 8-byte aligned memory, where they stay; there is nothing to free.
// RS_ERR_DEGREE; RS_ERR_WORD_BITS; RS_ERR_NULL, RS_ERR_TOO_SMALL, RS_ERR_ALIGNMENT.
RS_API RS_MUST_CHECK rs_status_t rs_fixed_init(const rs_fixed_t **fixed, void *memory, size_t memory_bytes, uint32_t log_n,
                                               uint32_t word_bits);
RS_API uint32_t rs_fixed_n(const rs_fixed_t *fixed);
RS_API uint32_t rs_fixed_word_bits(const rs_fixed_t *fixed);

// ---- step by step ------------------------------------------------------------------------------------------------------
// Hardware is compared with each of them. They check no arguments. uint32_t results: 1 if something was out of range, else 0.
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
RS_API rs_fixed_root_t rs_fixed_root(const rs_fixed_t *fixed, uint32_t stage, uint32_t block);
// The table: N/2 words, re and im in turns. Pair 0: stage 0; pair (2^stage + block) / 2: the even blocks of the other stages.
RS_API const uint64_t *rs_fixed_roots(const rs_fixed_t *fixed);

// floor((magnitude root + 2^W) / 2^(W+1)), both factors below 2^W: the result is below 2^(W-1).
RS_API uint64_t rs_fixed_product(uint32_t word_bits, uint64_t magnitude, uint64_t root);
// encode: x, y = (x + y) / 2, (x - y) conj(root) / 2.  Halves of odd sums go to the even neighbour.
RS_API uint32_t rs_fixed_butterfly_inverse(uint32_t word_bits, rs_fixed_point_t *x, rs_fixed_point_t *y, rs_fixed_root_t root);
// decode: x, y = x + y root, x - y root.
RS_API uint32_t rs_fixed_butterfly_forward(uint32_t word_bits, rs_fixed_point_t *x, rs_fixed_point_t *y, rs_fixed_root_t root);
// word factor 2^-W for a public factor of W bits: the product above of twice the magnitude. Nearest, halves away from zero. A magnitude of
// 2^(W-1) is out of range, and the result is 0 then; else *out_of_range stays.
RS_API int64_t rs_fixed_times(uint32_t word_bits, int64_t word, uint64_t factor, uint32_t *out_of_range);
// The sum of two words; out of range, it is wrapped to W bits and *out_of_range becomes 1.
RS_API int64_t rs_fixed_sum(uint32_t word_bits, int64_t x, int64_t y, uint32_t *out_of_range);
// How a digit of a decryption becomes a word of W - 2 bits after the point. A digit is the centred residue d_0 of the first limb; of two limbs
// r_0 or d_1 of r_0 + q_0 d_1, r_0 from 0 to q_0 - 1, d_1 centred.  The word round(digit 2^shift), halves away from zero; unless factor is 0, rs_fixed_times of it.
// Encode has the same the other way round: a word, rs_fixed_times of it, and then the shift (rs_encode_fixed_scale in kernels.h).
typedef struct rs_fixed_scale {
    uint64_t factor;
    int32_t shift;
} rs_fixed_scale_t;
// The word; out of range, it is wrapped to W bits and *out_of_range becomes 1.
RS_API int64_t rs_fixed_scale(uint32_t word_bits, int64_t digit, rs_fixed_scale_t scale, uint32_t *out_of_range);
// One stage, in place: N/4 butterflies.
RS_API uint32_t rs_fixed_stage_inverse(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im);
RS_API uint32_t rs_fixed_stage_forward(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im);

// ---- whole transforms --------------------------------------------------------------------------------------------------
// Inverse: stages log2 N - 2 … 0, slots -> coefficients 0 … N/2-1 in re, N/2 … N-1 in im, all divided by N/2. Forward: stages 0 … log2 N - 2.
// RS_ERR_VALUE_RANGE: something was out of range, and the arrays hold zeros. That never happens to an inverse whose points have
// magnitudes |re + i im| of at most 1 - 2^-10.
RS_API RS_MUST_CHECK rs_status_t rs_fixed_inverse(const rs_fixed_t *fixed, int64_t *re, int64_t *im);
RS_API RS_MUST_CHECK rs_status_t rs_fixed_forward(const rs_fixed_t *fixed, int64_t *re, int64_t *im);

// ---- slots in and out --------------------------------------------------------------------------------------------------
// How numbers stand in memory, in the machine's byte order.
typedef enum rs_fixed_format {
    RS_FIXED_INT8 = 0,
    RS_FIXED_UINT8,
    RS_FIXED_INT16,
    RS_FIXED_UINT16,
    RS_FIXED_INT32,
    RS_FIXED_INT64,
    RS_FIXED_BINARY64, // doubles, read and written bit by bit
} rs_fixed_format_t;

// Numbers in an array; every field is public. A slot's value is its number times 2^exponent.
typedef struct rs_fixed_layout {
    rs_fixed_format_t format;
    uint32_t is_complex; // 1: pairs (re, im); 0: real parts
    uint32_t count; // slots, at most N/2
    int32_t exponent; // from -RS_FIXED_EXPONENT_MAX to RS_FIXED_EXPONENT_MAX
    int32_t bound; // magnitudes of slots are at most (1 - 2^-10) 2^bound; the same range
} rs_fixed_layout_t;

enum { RS_FIXED_EXPONENT_MAX = 1023 };

// Points of slots: values / 2^bound, rounded to the nearest word, halves away from zero; missing slots are zero.
// RS_ERR_VALUE_RANGE: a value does not fit a word. RS_ERR_NOT_FINITE. RS_ERR_LAYOUT: unknown format, exponent or bound out of
// range. RS_ERR_VALUE_COUNT.
RS_API RS_MUST_CHECK rs_status_t rs_fixed_load(const rs_fixed_t *fixed, int64_t *re, int64_t *im, const void *values,
                                               const rs_fixed_layout_t *layout);
// Slots of the points that rs_fixed_forward gives, rounded in the same way to the format. RS_ERR_VALUE_RANGE: a number does not fit the
// format; values hold zeros then. Doubles are rounded to the nearest, ties to even.
RS_API RS_MUST_CHECK rs_status_t rs_fixed_store(const rs_fixed_t *fixed, void *values, const rs_fixed_layout_t *layout,
                                                const int64_t *re, const int64_t *im);
// Bytes of one number; 0 for an unknown format.
RS_API size_t rs_fixed_format_bytes(rs_fixed_format_t format);

#ifdef __cplusplus
}
#endif

#endif
