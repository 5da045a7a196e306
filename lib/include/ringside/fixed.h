// SPDX-License-Identifier: Apache-2.0
// The transforms of encode and decode in fixed point, for words of 24 to 64 bits: the arithmetic of gates, and of processors without
// floating point. docs/encoding.md, "In fixed point", derives the bounds on its error. Encode and decode themselves: client.h.
//
// A word is a two's complement number of W bits, kept sign-extended in an int64_t. Encode: W - 1 bits after the point, words in [-1, 1).
// Decode: W - 2 of them, words in [-2, 2). A point is a pair of words, re and im; a transform has N/2 points in two arrays, in the
// bit-reversed order of rs_fft_inverse (golden/ckks.h).
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
    uint32_t format; // rs_fixed_format_t
    uint32_t is_complex; // 1: pairs (re, im); 0: real parts
    uint32_t count; // slots, at most N/2
    int32_t exponent; // from -RS_FIXED_EXPONENT_MAX to RS_FIXED_EXPONENT_MAX
    int32_t bound; // magnitudes of slots are at most (1 - 2^-10) 2^bound; the same range
} rs_fixed_layout_t;

enum { RS_FIXED_EXPONENT_MAX = 1023 };

// Bytes of one number; 0 for an unknown format.
RS_API size_t rs_fixed_format_bytes(uint32_t format);

#ifdef __cplusplus
}
#endif

#endif
