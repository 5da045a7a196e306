// SPDX-License-Identifier: Apache-2.0
// Doubles and their bits (IEEE binary64).
#ifndef RINGSIDE_DOUBLES_H
#define RINGSIDE_DOUBLES_H

#include <stdint.h>

enum { RS_MANTISSA_BITS = 52, RS_EXPONENT_BIAS = 1023 };

#define RS_INFINITY_BITS 0x7ff0000000000000u
#define RS_MAGNITUDE_BITS 0x7fffffffffffffffu

static inline uint64_t rs_bits_of(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double rs_from_bits(uint64_t bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

// -1022 <= exponent <= 1023
static inline double rs_power_of_two(int exponent) {
    return rs_from_bits((uint64_t)(exponent + RS_EXPONENT_BIAS) << RS_MANTISSA_BITS);
}

#endif
