// SPDX-License-Identifier: Apache-2.0
// What is inside the tables of fixed point, and the arithmetic of one word.
#ifndef RINGSIDE_ENCODING_FIXED_H
#define RINGSIDE_ENCODING_FIXED_H

#include <ringside/golden/fixed.h>

#include "arith/wide.h"

// At every level of optimisation: what they do is less than a call.
#define RS_FIXED_INLINE static inline __attribute__((always_inline))

struct rs_encode_request;
struct rs_decode_request;

// A program that makes no such tables does not link the steps behind these two: encode and decode of who makes them (rs_fixed_init).
struct rs_fixed {
    uint32_t log_n;
    uint32_t word_bits;
    rs_status_t (*encode)(const struct rs_encode_request *request);
    rs_status_t (*decode)(const struct rs_decode_request *request);
    uint64_t roots[]; // N/2 words (rs_fixed_roots); scratch of rs_fixed_make_roots behind them
};

// Bytes of scratch for the fine angles.
static inline size_t rs_fixed_scratch(uint32_t log_n) { return 4 * sizeof(uint64_t) << (log_n - 2) / 2; }

// fixed.c: the tables of rs_fixed_init, without encode and decode.
RS_MUST_CHECK rs_status_t rs_fixed_tables(rs_fixed_t **fixed, rs_memory_t memory, uint32_t log_n, uint32_t word_bits);
// fixed_roots.c: fills fixed->roots.
void rs_fixed_make_roots(rs_fixed_t *fixed);

// All ones for x < 0, else 0.
RS_FIXED_INLINE uint64_t rs_fixed_sign(uint64_t x) { return 0 - (x >> 63); }

RS_FIXED_INLINE uint64_t rs_fixed_magnitude(int64_t x) {
    const uint64_t sign = rs_fixed_sign((uint64_t)x);
    return ((uint64_t)x ^ sign) - sign;
}

// A magnitude below 2^63 with the sign of a mask.
RS_FIXED_INLINE int64_t rs_fixed_signed(uint64_t magnitude, uint64_t sign) { return (int64_t)((magnitude ^ sign) - sign); }

// The low word_bits bits of x as a two's complement number.
RS_FIXED_INLINE int64_t rs_fixed_wrap(uint64_t x, uint32_t word_bits) {
    const uint64_t top = (uint64_t)1 << (word_bits - 1);
    return (int64_t)(((x & (top | (top - 1))) ^ top) - top);
}

// x 2^shift for a public shift, rounded to the nearest integer, halves away from zero. over: some bits are ORed into it if 64 do not hold
// the result, which is then wrapped.
RS_FIXED_INLINE int64_t rs_fixed_shift(int64_t x, int32_t shift, uint64_t *over) {
    const uint64_t sign = rs_fixed_sign((uint64_t)x);
    const uint64_t above = (uint64_t)x ^ sign; // bits that differ from the sign
    if (shift >= 64) {
        *over |= above | (sign & 1);
        return 0;
    }
    if (shift >= 0) {
        *over |= above >> (63 - shift);
        return (int64_t)((uint64_t)x << shift);
    }
    if (shift < -64) return 0;
    const uint64_t halves = rs_fixed_magnitude(x) >> (-shift - 1);
    return rs_fixed_signed((halves >> 1) + (halves & 1), sign);
}

// 1 unless x is zero.
RS_FIXED_INLINE uint64_t rs_fixed_any(uint64_t x) { return (x | (0 - x)) >> 63; }

#endif
