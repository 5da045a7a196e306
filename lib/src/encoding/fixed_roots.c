// SPDX-License-Identifier: Apache-2.0
// The roots of unity of the transforms in fixed point: cos and sin of exact angles, to the nearest W-bit word, by integers alone.
//
// Numbers have 127 bits after the point. Angles pi k / N of the first octant, k <= N/4, are sums of a coarse and a fine one, as in
// fft_roots.c: about sqrt N Taylor series, and one complex product per root. Every operation is one unit below the exact result at most,
// and so the sum of all errors stays below 2^-120. No root of N <= 2^17 and W <= 64 is so near to the middle between two words:
// tests/oracle/test_fixed.py compares with roots of 400 bits. So the words are the nearest ones, on every machine.
#include <string.h>

#include "base/bytes.h"
#include "encoding/fixed.h"

typedef struct point {
    rs_wide_t cosine;
    rs_wide_t sine;
} point_t;

static rs_wide_t negative(rs_wide_t a) { return rs_wide_add(rs_wide(~rs_wide_high(a), ~rs_wide_low(a)), rs_wide(0, 1)); }

static rs_wide_t one(void) { return rs_wide((uint64_t)1 << 63, 0); }

// a b, both at most 1: floor(a b / 2^127). The sum of the products in the middle is below 2^128, since a high word of 2^63 is that of 1,
// whose low word is 0.
static rs_wide_t multiply(rs_wide_t a, rs_wide_t b) {
    const rs_wide_t low = rs_wide_mul(rs_wide_low(a), rs_wide_low(b));
    rs_wide_t middle = rs_wide_mul(rs_wide_high(a), rs_wide_low(b));
    middle = rs_wide_add(middle, rs_wide_mul(rs_wide_low(a), rs_wide_high(b)));
    middle = rs_wide_add(middle, rs_wide(0, rs_wide_high(low)));
    const rs_wide_t high = rs_wide_mul(rs_wide_high(a), rs_wide_high(b));
    const rs_wide_t half = rs_wide_add(high, rs_wide(0, rs_wide_high(middle)));
    return rs_wide_add(rs_wide_mul_word(half, 2), rs_wide(0, rs_wide_low(middle) >> 63));
}

// 1 - x^2/(first (first+1)) (1 - x^2/((first+2)(first+3)) (…)), 16 factors: with x <= pi/4 the rest is < 2^-127.
static rs_wide_t alternating_series(rs_wide_t square, uint32_t first) {
    rs_wide_t r = one();
    for (uint32_t k = first + 30; k + 2 > first; k -= 2) {
        r = rs_wide_add(one(), negative(rs_wide_divide(multiply(square, r), k * (k + 1))));
        if (k == first) break;
    }
    return r;
}

// At the angle pi index / 2^log_n <= pi/4.
static point_t exact_point(uint32_t log_n, uint32_t index) {
    const uint64_t pi[2] = {0xc4c6628b80dc1cd1, 0xc90fdaa22168c234}; // floor(2^126 pi)
    const rs_wide_t low = rs_wide_mul(pi[0], index);
    const rs_wide_t high = rs_wide_add(rs_wide_mul(pi[1], index), rs_wide(0, rs_wide_high(low)));
    const uint32_t shift = log_n - 1; // shift of high and the low word of low
    rs_wide_t x = rs_wide(rs_wide_shift(high, shift), rs_wide_low(high) << (64 - shift) | rs_wide_low(low) >> shift);
    const rs_wide_t square = multiply(x, x);
    return (point_t){alternating_series(square, 1), multiply(x, alternating_series(square, 2))};
}

static point_t sum_of_angles(const point_t *a, const point_t *b) {
    const rs_wide_t cc = multiply(a->cosine, b->cosine);
    const rs_wide_t ss = multiply(a->sine, b->sine);
    return (point_t){rs_wide_add(cc, negative(ss)), rs_wide_add(multiply(a->sine, b->cosine), multiply(a->cosine, b->sine))};
}

// The nearest word below 2^word_bits.
static uint64_t to_word(rs_wide_t x, uint32_t word_bits) {
    const uint32_t half_bit = 126 - word_bits;
    const rs_wide_t half = half_bit < 64 ? rs_wide(0, (uint64_t)1 << half_bit) : rs_wide((uint64_t)1 << (half_bit - 64), 0);
    const rs_wide_t rounded = rs_wide_add(x, half);
    if (rs_wide_high(rounded) >> 63) return UINT64_MAX >> (64 - word_bits); // 1 or more
    return rs_wide_shift(rounded, half_bit + 1);
}

// zeta^exponent, 0 < exponent < N/2, is the root of the stage with h blocks, block i, if exponent = N/(4h) (4 brv(i) + 1); these i are even.
// Just one of exponent and N/2 - exponent is of that form.
static void put_root(rs_fixed_t *fixed, uint32_t exponent, rs_wide_t re, rs_wide_t im) {
    const uint32_t twos = (uint32_t)__builtin_ctz(exponent);
    if ((exponent >> twos & 3) != 1) return;
    const uint32_t stage = fixed->log_n - 2 - twos;
    const uint32_t block = stage ? rs_bit_reverse(exponent >> (twos + 2), stage) : 0;
    uint64_t *pair = fixed->roots + 2 * ((((size_t)1 << stage) + block) / 2);
    pair[0] = to_word(re, fixed->word_bits);
    pair[1] = to_word(im, fixed->word_bits);
}

void rs_fixed_make_roots(rs_fixed_t *fixed) {
    const uint32_t log_n = fixed->log_n;
    const uint32_t quarter = (uint32_t)1 << (log_n - 2);
    const uint32_t steps = (uint32_t)1 << (log_n - 2) / 2;
    // four words each: the memory is aligned to 8 bytes, and a compiler's 128-bit integers may want 16
    uint64_t *fine = fixed->roots + 2 * (size_t)quarter;
    for (uint32_t k = 0; k < steps; k++) {
        const point_t p = exact_point(log_n, k);
        const uint64_t words[4] = {rs_wide_high(p.cosine), rs_wide_low(p.cosine), rs_wide_high(p.sine), rs_wide_low(p.sine)};
        memcpy(fine + 4 * k, words, sizeof words);
    }
    for (uint32_t first = 0; first <= quarter; first += steps) {
        const point_t coarse = exact_point(log_n, first);
        for (uint32_t k = 0; k < steps && first + k <= quarter; k++) {
            const uint32_t index = first + k;
            if (index == 0) continue;
            const uint64_t *words = fine + 4 * k;
            const point_t rest = {rs_wide(words[0], words[1]), rs_wide(words[2], words[3])};
            const point_t p = sum_of_angles(&coarse, &rest);
            put_root(fixed, index, p.cosine, p.sine);
            if (index < quarter) put_root(fixed, 2 * quarter - index, p.sine, p.cosine);
        }
    }
}
