// SPDX-License-Identifier: Apache-2.0
// The transforms of encode and decode in fixed point (ringside/fixed.h): roots, butterflies, stages.
//
// One description serves all word widths, in three classes of arithmetic: products of up to 64 bits, sums of up to 64 bits, and more. The
// class is a constant wherever it is used, and so that it is one at every level of optimisation, the functions that take it are inlined always. Bits of what is out of range are collected in `over`, which nothing else depends on.
#include "encoding/fixed.h"

#include <string.h>

#include "base/bytes.h"
#include "base/checks.h"
#include "base/declassify.h"

typedef enum width {
    NARROW, // W <= 32: a product fits 64 bits
    MIDDLE, // W <= 62: x + two products fit 64 bits
    WIDE,
} width_t;

static width_t width_of(uint32_t word_bits) { return word_bits <= 32 ? NARROW : word_bits <= 62 ? MIDDLE : WIDE; }

// What the inner loops need of a word width.
typedef struct format {
    uint32_t bits;
    uint32_t align; // zeros in front of a magnitude of W bits, in 32 bits (NARROW) or 64
} format_t;

RS_FIXED_INLINE format_t format_of(width_t width, uint32_t word_bits) {
    return (format_t){word_bits, (width == NARROW ? 32 : 64) - word_bits};
}

// ---- arithmetic --------------------------------------------------------------------------------------------------------
// A factor: magnitude 2^align, and all ones for a negative one.
typedef struct factor {
    uint64_t aligned;
    uint64_t sign;
} factor_t;

// floor((m w + 2^W) / 2^(W+1)) from m 2^align: with h the high word of the aligned product it is floor((h + 1) / 2). h is below the
// largest word, so that h + 1 does not carry.
RS_FIXED_INLINE uint64_t product(width_t width, uint64_t aligned, uint64_t root) {
    if (width == NARROW) return ((uint32_t)((uint64_t)(uint32_t)aligned * (uint32_t)root >> 32) + 1) >> 1;
    return (rs_wide_high(rs_wide_mul(aligned, root)) + 1) >> 1;
}

// x - y. The magnitude is below 2^W for all words; the difference of words of 64 bits has 65, and the sign is that of a comparison.
RS_FIXED_INLINE factor_t difference(width_t width, format_t f, int64_t x, int64_t y) {
    const uint64_t d = (uint64_t)x - (uint64_t)y;
    uint64_t sign = rs_fixed_sign(d);
    if (width == WIDE) {
        const uint64_t a = (uint64_t)x, b = (uint64_t)y; // d has the wrong sign if a and b have different ones, and d that of b
        sign = rs_fixed_sign(d ^ ((a ^ b) & (a ^ d)));
    }
    return (factor_t){((d ^ sign) - sign) << f.align, sign};
}

// 2 y. A magnitude of 2^W loses its only bit.
RS_FIXED_INLINE factor_t twice(format_t f, int64_t y, uint64_t *over) {
    const uint64_t sign = rs_fixed_sign((uint64_t)y);
    const uint64_t magnitude = ((uint64_t)y ^ sign) - sign;
    *over |= magnitude >> (f.bits - 1);
    return (factor_t){magnitude << 1 << f.align, sign};
}

RS_FIXED_INLINE int64_t multiply(width_t width, factor_t y, uint64_t root, uint64_t sign) {
    return rs_fixed_signed(product(width, y.aligned, root), y.sign ^ sign);
}

RS_FIXED_INLINE rs_wide_t extend(int64_t x) { return rs_wide(rs_fixed_sign((uint64_t)x), (uint64_t)x); }

// a + b + c, wrapped to a word. |b|, |c| < 2^(W-1).
RS_FIXED_INLINE int64_t sum(width_t width, format_t f, int64_t a, int64_t b, int64_t c, uint64_t *over) {
    const uint64_t low = (uint64_t)a + (uint64_t)b + (uint64_t)c;
    const int64_t word = rs_fixed_wrap(low, f.bits);
    *over |= low ^ (uint64_t)word;
    if (width == WIDE) {
        const uint64_t high = rs_wide_high(rs_wide_add(rs_wide_add(extend(a), extend(b)), extend(c)));
        *over |= high ^ rs_fixed_sign(low);
    }
    return word;
}

// (x + y) / 2, halves to even. If the sum is odd, its bit 1 is that of x xor y, and a carry in lifts an odd floor to the even number above.
// In 64 bits the sum of two words could carry: with the signs flipped the words are numbers from 0 on, whose mean is that of their common
// bits and half of the others.
RS_FIXED_INLINE int64_t half_sum(width_t width, int64_t x, int64_t y) {
    const uint64_t top = (uint64_t)1 << 63;
    const uint64_t differing = (uint64_t)x ^ (uint64_t)y;
    const uint64_t carry = differing & differing >> 1 & 1;
    if (width == WIDE) {
        const uint64_t mean = (((uint64_t)x ^ top) & ((uint64_t)y ^ top)) + (differing >> 1) + carry;
        return (int64_t)(mean ^ top);
    }
    const uint64_t s = (uint64_t)x + (uint64_t)y + carry;
    return (int64_t)(s >> 1 | (s & top));
}

// ---- butterflies -------------------------------------------------------------------------------------------------------
// The root of a block; sign: all ones if its real part is negative. Both are public.
typedef struct root {
    uint64_t re;
    uint64_t im;
    uint64_t sign;
} root_t;

RS_FIXED_INLINE void inverse(width_t width, format_t f, int64_t *xr, int64_t *xi, int64_t *yr, int64_t *yi, root_t w,
                             uint64_t *over) {
    const factor_t dr = difference(width, f, *xr, *yr);
    const factor_t di = difference(width, f, *xi, *yi);
    *xr = half_sum(width, *xr, *yr);
    *xi = half_sum(width, *xi, *yi);
    *yr = sum(width, f, 0, multiply(width, dr, w.re, w.sign), multiply(width, di, w.im, 0), over);
    *yi = sum(width, f, 0, multiply(width, di, w.re, w.sign), multiply(width, dr, w.im, ~(uint64_t)0), over);
}

RS_FIXED_INLINE void forward(width_t width, format_t f, int64_t *xr, int64_t *xi, int64_t *yr, int64_t *yi, root_t w,
                             uint64_t *over) {
    const uint64_t minus = ~(uint64_t)0;
    const factor_t tr = twice(f, *yr, over);
    const factor_t ti = twice(f, *yi, over);
    const int64_t rr = multiply(width, tr, w.re, w.sign), ii = multiply(width, ti, w.im, minus);
    const int64_t ri = multiply(width, tr, w.im, 0), ir = multiply(width, ti, w.re, w.sign);
    const int64_t re = *xr, im = *xi;
    *xr = sum(width, f, re, rr, ii, over);
    *xi = sum(width, f, im, ri, ir, over);
    *yr = sum(width, f, re, -rr, -ii, over);
    *yi = sum(width, f, im, -ri, -ir, over);
}

RS_FIXED_INLINE root_t root_of(rs_fixed_root_t root) { return (root_t){root.re, root.im, 0 - (uint64_t)root.re_is_negative}; }

uint64_t rs_fixed_product(uint32_t word_bits, uint64_t magnitude, uint64_t root) {
    return product(WIDE, magnitude << format_of(WIDE, word_bits).align, root);
}

uint32_t rs_fixed_butterfly_inverse(uint32_t word_bits, rs_fixed_point_t *x, rs_fixed_point_t *y, rs_fixed_root_t root) {
    uint64_t over = 0;
    inverse(WIDE, format_of(WIDE, word_bits), &x->re, &x->im, &y->re, &y->im, root_of(root), &over);
    return (uint32_t)rs_fixed_any(over);
}

uint32_t rs_fixed_butterfly_forward(uint32_t word_bits, rs_fixed_point_t *x, rs_fixed_point_t *y, rs_fixed_root_t root) {
    uint64_t over = 0;
    forward(WIDE, format_of(WIDE, word_bits), &x->re, &x->im, &y->re, &y->im, root_of(root), &over);
    return (uint32_t)rs_fixed_any(over);
}

int64_t rs_fixed_times(uint32_t word_bits, int64_t word, uint64_t factor, uint32_t *out_of_range) {
    uint64_t over = 0;
    const factor_t doubled = twice(format_of(WIDE, word_bits), word, &over);
    *out_of_range |= (uint32_t)rs_fixed_any(over);
    return multiply(WIDE, doubled, factor, 0);
}

int64_t rs_fixed_sum(uint32_t word_bits, int64_t x, int64_t y, uint32_t *out_of_range) {
    const uint64_t sum = (uint64_t)x + (uint64_t)y;
    const int64_t word = rs_fixed_wrap(sum, word_bits);
    const uint64_t beyond = (((uint64_t)x ^ sum) & ((uint64_t)y ^ sum)) >> 63; // 64 bits
    *out_of_range |= (uint32_t)rs_fixed_any(beyond | (sum ^ (uint64_t)word));
    return word;
}

int64_t rs_fixed_scale(uint32_t word_bits, int64_t digit, rs_fixed_scale_t scale, uint32_t *out_of_range) {
    uint64_t over = 0;
    const int64_t shifted = rs_fixed_shift(digit, scale.shift, &over);
    const int64_t word = rs_fixed_wrap((uint64_t)shifted, word_bits);
    over |= (uint64_t)shifted ^ (uint64_t)word;
    *out_of_range |= (uint32_t)rs_fixed_any(over);
    return scale.factor ? rs_fixed_times(word_bits, word, scale.factor, out_of_range) : word;
}

// ---- tables ------------------------------------------------------------------------------------------------------------
size_t rs_fixed_size(uint32_t log_n) {
    if (log_n < RS_FIXED_LOG_N_MIN || log_n > RS_FIXED_LOG_N_MAX) return 0;
    return sizeof(rs_fixed_t) + (sizeof(uint64_t) << (log_n - 1)) + rs_fixed_scratch(log_n);
}

rs_status_t rs_fixed_tables(rs_fixed_t **fixed, rs_memory_t memory, uint32_t log_n, uint32_t word_bits) {
    if (!rs_fixed_size(log_n)) return RS_ERR_DEGREE;
    if (word_bits < RS_FIXED_BITS_MIN || word_bits > RS_FIXED_BITS_MAX) return RS_ERR_WORD_BITS;
    RS_TRY(rs_check_memory(memory, rs_fixed_size(log_n)));
    *fixed = memory.p;
    **fixed = (rs_fixed_t){.log_n = log_n, .word_bits = word_bits};
    rs_fixed_make_roots(*fixed);
    return RS_OK;
}

uint32_t rs_fixed_n(const rs_fixed_t *fixed) { return (uint32_t)1 << fixed->log_n; }

uint32_t rs_fixed_word_bits(const rs_fixed_t *fixed) { return fixed->word_bits; }

const uint64_t *rs_fixed_roots(const rs_fixed_t *fixed) { return fixed->roots; }

rs_fixed_root_t rs_fixed_root(const rs_fixed_t *fixed, uint32_t stage, uint32_t block) {
    const uint64_t *pair = fixed->roots + 2 * ((((size_t)1 << stage) + block) / 2);
    const uint32_t odd = block & 1;
    return (rs_fixed_root_t){pair[odd], pair[!odd], odd};
}

// ---- transforms --------------------------------------------------------------------------------------------------------
RS_FIXED_INLINE uint64_t pass(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im, width_t width, int is_inverse) {
    const format_t f = format_of(width, fixed->word_bits);
    const size_t gap = (size_t)1 << (fixed->log_n - 2 - stage);
    uint64_t over = 0;
    for (uint32_t i = 0; i < (uint32_t)1 << stage; i++) {
        const root_t w = root_of(rs_fixed_root(fixed, stage, i));
        int64_t *restrict xr = re + 2 * gap * i;
        int64_t *restrict xi = im + 2 * gap * i;
        int64_t *restrict yr = xr + gap;
        int64_t *restrict yi = xi + gap;
        for (size_t j = 0; j < gap; j++) {
            if (is_inverse) {
                inverse(width, f, xr + j, xi + j, yr + j, yi + j, w, &over);
            } else {
                forward(width, f, xr + j, xi + j, yr + j, yi + j, w, &over);
            }
        }
    }
    return over;
}

// The width is known where each of the three is compiled.
RS_FIXED_INLINE uint64_t pass_of_width(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im, int is_inverse) {
    switch (width_of(fixed->word_bits)) {
    case NARROW: return pass(fixed, stage, re, im, NARROW, is_inverse);
    case MIDDLE: return pass(fixed, stage, re, im, MIDDLE, is_inverse);
    default: return pass(fixed, stage, re, im, WIDE, is_inverse);
    }
}

static uint64_t stage_inverse(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im) {
    return pass_of_width(fixed, stage, re, im, 1);
}

static uint64_t stage_forward(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im) {
    return pass_of_width(fixed, stage, re, im, 0);
}

uint32_t rs_fixed_stage_inverse(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im) {
    return (uint32_t)rs_fixed_any(stage_inverse(fixed, stage, re, im));
}

uint32_t rs_fixed_stage_forward(const rs_fixed_t *fixed, uint32_t stage, int64_t *re, int64_t *im) {
    return (uint32_t)rs_fixed_any(stage_forward(fixed, stage, re, im));
}

// Whether something was out of range is public: it becomes the status.
static rs_status_t finish(const rs_fixed_t *fixed, uint64_t over, int64_t *re, int64_t *im) {
    const size_t bytes = sizeof *re << (fixed->log_n - 1);
    over = rs_fixed_any(over);
    RS_DECLASSIFY(&over, sizeof over);
    if (!over) return RS_OK;
    rs_zeroize(re, bytes);
    rs_zeroize(im, bytes);
    return RS_ERR_VALUE_RANGE;
}

rs_status_t rs_fixed_inverse(const rs_fixed_t *fixed, int64_t *re, int64_t *im) {
    if (!fixed || !re || !im) return RS_ERR_NULL;
    uint64_t over = 0;
    for (uint32_t stage = fixed->log_n - 1; stage-- > 0;) over |= stage_inverse(fixed, stage, re, im);
    return finish(fixed, over, re, im);
}

rs_status_t rs_fixed_forward(const rs_fixed_t *fixed, int64_t *re, int64_t *im) {
    if (!fixed || !re || !im) return RS_ERR_NULL;
    uint64_t over = 0;
    for (uint32_t stage = 0; stage + 1 < fixed->log_n; stage++) over |= stage_forward(fixed, stage, re, im);
    return finish(fixed, over, re, im);
}
