// SPDX-License-Identifier: Apache-2.0
// Slots to points of the fixed-point transforms and back (ringside/fixed.h), from integers and doubles in memory.
#include <string.h>

#include "base/bytes.h"
#include "base/checks.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "encoding/fixed.h"

enum { DOUBLE_UNIT = RS_EXPONENT_BIAS + RS_MANTISSA_BITS }; // a double is mantissa 2^(biased exponent - DOUBLE_UNIT)

size_t rs_fixed_format_bytes(uint32_t format) {
    switch (format) {
    case RS_FIXED_INT8:
    case RS_FIXED_UINT8: return 1;
    case RS_FIXED_INT16:
    case RS_FIXED_UINT16: return 2;
    case RS_FIXED_INT32: return 4;
    case RS_FIXED_INT64:
    case RS_FIXED_BINARY64: return 8;
    }
    return 0;
}

static int in_range(int32_t exponent) { return exponent >= -RS_FIXED_EXPONENT_MAX && exponent <= RS_FIXED_EXPONENT_MAX; }

static rs_status_t check(const rs_fixed_t *fixed, const rs_fixed_layout_t *layout) {
    if (!rs_fixed_format_bytes(layout->format) || !in_range(layout->exponent) || !in_range(layout->bound)) return RS_ERR_LAYOUT;
    return layout->count > rs_fixed_n(fixed) / 2 ? RS_ERR_VALUE_COUNT : RS_OK;
}

// Where slot 0, 1, … is, odd ones as their conjugates. The exponent of slot i is 3^i = 2 e + 1 modulo 2N. Its point is number p in natural
// order, p the upper bits of e for an even e (even slots), of ~e for an odd one. From 3^(i+1): e' = 3 e + 1, p' = ~(3 p) modulo N/2.
typedef struct walk {
    uint32_t bits; // bits of p
    uint32_t p;
} walk_t;

static uint32_t next(walk_t *w) {
    const uint32_t at = rs_bit_reverse(w->p, w->bits);
    w->p = ~(3 * w->p) & (((uint32_t)1 << w->bits) - 1);
    return at;
}

// What went wrong, in bits that nothing else depends on.
typedef struct faults {
    uint64_t over;
    uint64_t infinite;
} faults_t;

// ---- in ----------------------------------------------------------------------------------------------------------------
// A double times 2^shift, as rs_fixed_shift does it with integers. The distance between the double's exponent and the word's is secret.
static int64_t from_double(uint64_t bits, int32_t shift, faults_t *faults) {
    const uint64_t field = bits >> RS_MANTISSA_BITS & 0x7ff;
    const uint64_t normal = rs_fixed_any(field);
    const uint64_t mantissa = (bits & (((uint64_t)1 << RS_MANTISSA_BITS) - 1)) | normal << RS_MANTISSA_BITS;
    const uint64_t by = field + 1 - normal + (uint64_t)(int64_t)(shift - DOUBLE_UNIT); // to the left, or below 0 to the right
    const uint64_t to_right = rs_opaque(rs_fixed_sign(by));
    const uint64_t left = by & ~to_right, right = (0 - by) & to_right;
    const uint64_t too_large = rs_opaque(rs_fixed_sign(63 - RS_MANTISSA_BITS - left));
    const uint64_t too_small = rs_opaque(rs_fixed_sign(RS_MANTISSA_BITS + 2 - right)); // less than a half
    const uint64_t halves = rs_shift_right(mantissa << 1, right & ~too_small) & ~too_small;
    const uint64_t magnitude = rs_shift_left((halves >> 1) + (halves & 1), left & ~too_large);
    faults->infinite |= (field + 1) >> 11;
    faults->over |= (mantissa & too_large) | magnitude >> 63;
    return rs_fixed_signed(magnitude, rs_fixed_sign(bits));
}

static int64_t read_word(const uint8_t *at, uint32_t format, int32_t shift, faults_t *faults) {
    uint8_t u8;
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    int64_t i64;
    switch (format) {
    case RS_FIXED_INT8:
        memcpy(&u8, at, 1);
        i64 = (int8_t)u8;
        break;
    case RS_FIXED_UINT8:
        memcpy(&u8, at, 1);
        i64 = u8;
        break;
    case RS_FIXED_INT16:
        memcpy(&i16, at, sizeof i16);
        i64 = i16;
        break;
    case RS_FIXED_UINT16:
        memcpy(&u16, at, sizeof u16);
        i64 = u16;
        break;
    case RS_FIXED_INT32:
        memcpy(&i32, at, sizeof i32);
        i64 = i32;
        break;
    default:
        memcpy(&i64, at, sizeof i64);
        if (format == RS_FIXED_BINARY64) return from_double((uint64_t)i64, shift, faults);
    }
    return rs_fixed_shift(i64, shift, &faults->over);
}

// Both x and -x must be words: so conjugates fit, and no slot of -1 enters.
static int64_t check_word(int64_t x, uint32_t word_bits, uint64_t *over) {
    const uint64_t negative = 0 - (uint64_t)x;
    *over |= ((uint64_t)x & negative) >> 63;
    *over |= (uint64_t)x ^ (uint64_t)rs_fixed_wrap((uint64_t)x, word_bits);
    *over |= negative ^ (uint64_t)rs_fixed_wrap(negative, word_bits);
    return x;
}

rs_status_t rs_fixed_load(const rs_fixed_t *fixed, int64_t *re, int64_t *im, const void *values, const rs_fixed_layout_t *layout) {
    if (!fixed || !re || !im || !layout || (!values && layout->count)) return RS_ERR_NULL;
    RS_TRY(check(fixed, layout));
    const size_t points = rs_fixed_n(fixed) / 2;
    const size_t number = rs_fixed_format_bytes(layout->format);
    const int32_t shift = (int32_t)fixed->word_bits - 1 - layout->bound + layout->exponent;
    const uint8_t *at = values;
    walk_t walk = {fixed->log_n - 1, 0};
    faults_t faults = {0, 0};
    memset(re, 0, points * sizeof *re);
    memset(im, 0, points * sizeof *im);
    for (uint32_t i = 0; i < layout->count; i++) {
        const uint32_t point = next(&walk);
        re[point] = check_word(read_word(at, layout->format, shift, &faults), fixed->word_bits, &faults.over);
        at += number;
        if (!layout->is_complex) continue;
        const int64_t x = check_word(read_word(at, layout->format, shift, &faults), fixed->word_bits, &faults.over);
        im[point] = rs_fixed_signed((uint64_t)x, 0 - (uint64_t)(i & 1));
        at += number;
    }
    // That all values are finite and fit is public: it becomes the status.
    faults.over = rs_fixed_any(faults.over);
    RS_DECLASSIFY(&faults, sizeof faults);
    if (!faults.over && !faults.infinite) return RS_OK;
    rs_zeroize(re, points * sizeof *re);
    rs_zeroize(im, points * sizeof *im);
    return faults.infinite ? RS_ERR_NOT_FINITE : RS_ERR_VALUE_RANGE;
}

// ---- out ---------------------------------------------------------------------------------------------------------------
// The double nearest to x 2^shift, ties to even. -1022 <= shift <= 960: it is zero or normal.
static uint64_t to_double(int64_t x, int32_t shift) {
    uint64_t top = rs_fixed_magnitude(x);
    const uint64_t nonzero = rs_opaque(0 - rs_fixed_any(top));
    uint64_t zeros = 0; // leading ones, found by halving
    for (unsigned k = 32; k; k /= 2) {
        const uint64_t step = (rs_fixed_any(top >> (64 - k)) - 1) & k;
        top = rs_shift_left(top, step);
        zeros += step;
    }
    const uint64_t dropped = top & 0x7ff;
    uint64_t kept = top >> 11;
    kept += (dropped >> 10) & (rs_fixed_any(dropped & 0x3ff) | kept);
    // kept has its leading bit where the exponent has its last one: one less there, and a carry of the rounding is right
    const uint64_t exponent = (uint64_t)(int64_t)(DOUBLE_UNIT + 11 - 1 + shift) - zeros;
    return (((exponent << RS_MANTISSA_BITS) + kept) & nonzero) | ((uint64_t)x & ~RS_MAGNITUDE_BITS);
}

// conjugate: all ones to write -x.
static void write_word(uint8_t *at, uint32_t format, int64_t x, uint64_t conjugate, int32_t shift, uint64_t *over) {
    if (format == RS_FIXED_BINARY64) {
        const uint64_t bits = to_double(x, shift);
        const uint64_t flipped = bits ^ (conjugate & ~RS_MAGNITUDE_BITS & (0 - rs_fixed_any(bits)));
        memcpy(at, &flipped, sizeof flipped);
        return;
    }
    const uint64_t shifted = (uint64_t)rs_fixed_shift(x, shift, over);
    const uint64_t number = (shifted ^ conjugate) - conjugate;
    *over |= (shifted & number & conjugate) >> 63; // the case of -2^63
    switch (format) {
    case RS_FIXED_INT8:
    case RS_FIXED_UINT8: {
        const uint8_t u8 = (uint8_t)number;
        *over |= number ^ (format == RS_FIXED_UINT8 ? u8 : (uint64_t)(int8_t)u8);
        *at = u8;
        break;
    }
    case RS_FIXED_INT16:
    case RS_FIXED_UINT16: {
        const uint16_t u16 = (uint16_t)number;
        *over |= number ^ (format == RS_FIXED_UINT16 ? u16 : (uint64_t)(int16_t)u16);
        memcpy(at, &u16, sizeof u16);
        break;
    }
    case RS_FIXED_INT32: {
        const int32_t i32 = (int32_t)number;
        *over |= number ^ (uint64_t)(int64_t)i32;
        memcpy(at, &i32, sizeof i32);
        break;
    }
    default: memcpy(at, &number, sizeof number);
    }
}

rs_status_t rs_fixed_store(const rs_fixed_t *fixed, void *values, const rs_fixed_layout_t *layout, const int64_t *re,
                           const int64_t *im) {
    if (!fixed || !re || !im || !layout || (!values && layout->count)) return RS_ERR_NULL;
    RS_TRY(check(fixed, layout));
    const size_t number = rs_fixed_format_bytes(layout->format);
    const int32_t shift = layout->bound - layout->exponent - ((int32_t)fixed->word_bits - 2);
    if (layout->format == RS_FIXED_BINARY64 && (shift < -1022 || shift > 960)) return RS_ERR_LAYOUT;
    uint8_t *at = values;
    walk_t walk = {fixed->log_n - 1, 0};
    uint64_t over = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const uint32_t point = next(&walk);
        write_word(at, layout->format, re[point], 0, shift, &over);
        at += number;
        if (!layout->is_complex) continue;
        write_word(at, layout->format, im[point], 0 - (uint64_t)(i & 1), shift, &over);
        at += number;
    }
    over = rs_fixed_any(over);
    RS_DECLASSIFY(&over, sizeof over); // public: it becomes the status
    if (!over) return RS_OK;
    rs_zeroize(values, (layout->is_complex ? 2 : 1) * (size_t)layout->count * number);
    return RS_ERR_VALUE_RANGE;
}
