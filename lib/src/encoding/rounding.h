// SPDX-License-Identifier: Apache-2.0
// Rounding half away from zero, and largest magnitudes, without branches.
#ifndef RINGSIDE_ROUNDING_H
#define RINGSIDE_ROUNDING_H

#include "base/bytes.h"
#include "base/doubles.h"

// The larger one of `magnitude` and of the bits of |x|, which have the order of the numbers.
static inline uint64_t rs_larger_magnitude(uint64_t magnitude, double x) {
    const uint64_t other = rs_bits_of(x) & RS_MAGNITUDE_BITS;
    const uint64_t more = other - magnitude;
    return other - (more & rs_opaque(0 - (more >> 63)));
}

// All ones if |x| < 2^62, else 0.
static inline uint64_t rs_fits_word(double x) {
    return rs_opaque(0 - (((rs_bits_of(x) & RS_MAGNITUDE_BITS) - 0x43d0000000000000u) >> 63));
}

// The nearest integer, ties away from zero, of |x| < 2^62; of others any word. Where the processor has no such rounding: the number before
// one half is added, because that rounds a tie away from zero, but not what is below a tie.
static inline int64_t rs_nearest_word(double x) {
#if defined(__riscv) && __riscv_xlen == 64 && defined(__riscv_flen) && __riscv_flen >= 64
    int64_t word;
    __asm__("fcvt.l.d %0, %1, rmm" : "=r"(word) : "f"(x));
    return word;
#else
    const uint64_t bits = rs_bits_of(x);
    const uint64_t sign = bits & ~RS_MAGNITUDE_BITS;
    return (int64_t)(rs_from_bits(bits & rs_fits_word(x)) + rs_from_bits(rs_bits_of(0.49999999999999994) | sign));
#endif
}

#endif
