// SPDX-License-Identifier: Apache-2.0
// Encode and decode in words of 32 bits, with the arithmetic of ringside/fixed.h for W = 32: the same words, a quarter of the memory. Roots are
// made where they are used, each the product of a coarse and a fine one.
#include <ringside/golden/ckks.h>

#include "arith/modarith.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "encoding/fixed.h"
#include "lean/lean.h"

#include "lean/roots.inc"

enum { WORD_BITS = 32, GRID_BITS = RS_LEAN_LOG_N_MAX, FINE_BITS = 6 };

#define INLINE static inline __attribute__((always_inline))

// ---- roots ---------------------------------------------------------------------------------------------------------------
typedef struct root {
    uint32_t re; // magnitudes, in units of 2^-32
    uint32_t im;
    uint32_t sign; // all ones if the real part is negative
} root_t;

// From units of 2^-62, to nearest. That this is the nearest word of the exact number, too, lib/tests/test_lean.c checks for all roots.
static uint32_t to_word(uint64_t x) {
    const uint64_t word = (x + ((uint64_t)1 << 29)) >> 30;
    return word >> 32 ? UINT32_MAX : (uint32_t)word;
}

// rs_fixed_root of an even block: zeta^(N / 2^(stage + 2) (4 brv(block) + 1)). Public.
static root_t root_of(uint32_t stage, uint32_t block) {
    const uint32_t reversed = stage ? rs_bit_reverse(block, stage) : 0;
    const uint32_t half = (uint32_t)1 << (GRID_BITS - 1); // pi / 2 in units of the grid
    const uint32_t angle = (4 * reversed + 1) << (GRID_BITS - 2 - stage);
    const uint32_t mirrored = angle > half / 2;
    const uint32_t steps = mirrored ? half - angle : angle;
    const uint64_t *coarse = COARSE[steps >> FINE_BITS], *fine = FINE[steps & ((1 << FINE_BITS) - 1)];
    const uint32_t cosine = to_word(rs_mulhi(coarse[0], fine[0]) - rs_mulhi(coarse[1], fine[1]));
    const uint32_t sine = to_word(rs_mulhi(coarse[1], fine[0]) + rs_mulhi(coarse[0], fine[1]));
    return mirrored ? (root_t){sine, cosine, 0} : (root_t){cosine, sine, 0};
}

void rs_lean_encode_root(uint32_t stage, uint32_t block, uint32_t *re, uint32_t *im) {
    const root_t w = root_of(stage, block);
    *re = w.re;
    *im = w.im;
}

// The root of an odd block is i times that of the block before.
static void next_root(root_t *w, uint32_t stage, uint32_t block) {
    *w = block & 1 ? (root_t){w->im, w->re, UINT32_MAX} : root_of(stage, block);
}

// ---- butterflies ---------------------------------------------------------------------------------------------------------
INLINE int32_t signed_product(uint32_t magnitude, uint32_t sign, uint32_t root) {
    const uint32_t product = ((uint32_t)((uint64_t)magnitude * root >> 32) + 1) >> 1;
    return (int32_t)((product ^ sign) - sign);
}

// Wrapped to a word; the top bit of over is set if it had to be.
INLINE int32_t add(int32_t a, int32_t b, uint32_t *over) {
    const uint32_t sum = (uint32_t)a + (uint32_t)b;
    *over |= ((uint32_t)a ^ sum) & ((uint32_t)b ^ sum);
    return (int32_t)sum;
}

// (x + y) / 2, halves to even: the mean rounded down, and one more where that is odd and was rounded.
INLINE int32_t half_sum(int32_t x, int32_t y) {
    const uint32_t differing = (uint32_t)x ^ (uint32_t)y;
    const uint32_t halved = differing >> 1 | (differing & 0x80000000);
    return (int32_t)(((uint32_t)x & (uint32_t)y) + halved + (differing & differing >> 1 & 1));
}

// Magnitude and sign of x - y, which has 33 bits.
INLINE uint32_t difference(int32_t x, int32_t y, uint32_t *sign) {
    const uint32_t d = (uint32_t)x - (uint32_t)y;
    const uint32_t s = 0 - ((d ^ (((uint32_t)x ^ (uint32_t)y) & ((uint32_t)x ^ d))) >> 31);
    *sign = s;
    return (d ^ s) - s;
}

// Twice a word whose magnitude is below 2^31; over as above.
INLINE uint32_t twice(int32_t x, uint32_t *sign, uint32_t *over) {
    const uint32_t s = 0 - ((uint32_t)x >> 31), magnitude = ((uint32_t)x ^ s) - s;
    *over |= magnitude;
    *sign = s;
    return magnitude << 1;
}

static uint32_t inverse(uint32_t log_n, int32_t *m) {
    int32_t *re = m, *im = m + ((size_t)1 << log_n) / 2;
    uint32_t over = 0;
    for (uint32_t stage = log_n - 1; stage-- > 0;) {
        const uint32_t gap = (uint32_t)1 << (log_n - 2 - stage);
        root_t w = {0, 0, 0};
        for (uint32_t block = 0; block < (uint32_t)1 << stage; block++) {
            next_root(&w, stage, block);
            int32_t *r = re + 2 * gap * block, *i = im + 2 * gap * block;
            for (uint32_t j = 0; j < gap; j++) {
                uint32_t sr, si;
                const uint32_t dr = difference(r[j], r[j + gap], &sr), di = difference(i[j], i[j + gap], &si);
                r[j] = half_sum(r[j], r[j + gap]);
                i[j] = half_sum(i[j], i[j + gap]);
                r[j + gap] = add(signed_product(dr, sr ^ w.sign, w.re), signed_product(di, si, w.im), &over);
                i[j + gap] = add(signed_product(di, si ^ w.sign, w.re), signed_product(dr, ~sr, w.im), &over);
            }
        }
    }
    return over >> 31;
}

// x + b + c, as a word.
INLINE int32_t add3(int32_t x, int32_t b, int32_t c, uint32_t *over) {
    const int64_t sum = (int64_t)x + b + c;
    *over |= (uint32_t)((uint64_t)sum >> 32) ^ (0 - ((uint32_t)sum >> 31));
    return (int32_t)(uint32_t)sum;
}

static uint32_t forward(uint32_t log_n, int32_t *m) {
    int32_t *re = m, *im = m + ((size_t)1 << log_n) / 2;
    uint32_t over = 0, beyond = 0;
    for (uint32_t stage = 0; stage + 1 < log_n; stage++) {
        const uint32_t gap = (uint32_t)1 << (log_n - 2 - stage);
        root_t w = {0, 0, 0};
        for (uint32_t block = 0; block < (uint32_t)1 << stage; block++) {
            next_root(&w, stage, block);
            int32_t *r = re + 2 * gap * block, *i = im + 2 * gap * block;
            for (uint32_t j = 0; j < gap; j++) {
                uint32_t sr, si;
                const uint32_t tr = twice(r[j + gap], &sr, &over), ti = twice(i[j + gap], &si, &over);
                const int32_t rr = signed_product(tr, sr ^ w.sign, w.re), ii = signed_product(ti, ~si, w.im);
                const int32_t ri = signed_product(tr, sr, w.im), ir = signed_product(ti, si ^ w.sign, w.re);
                const int32_t x = r[j], y = i[j];
                r[j] = add3(x, rr, ii, &beyond);
                i[j] = add3(y, ri, ir, &beyond);
                r[j + gap] = add3(x, -rr, -ii, &beyond);
                i[j + gap] = add3(y, -ri, -ir, &beyond);
            }
        }
    }
    return over >> 31 | (beyond != 0);
}

// ---- encode ----------------------------------------------------------------------------------------------------------------
// Positive, normal, and floor(log2 scale) + 1 below the bits of the modulus: rs_check_scale.
static rs_status_t check_scale(double scale, uint32_t total_bits) {
    const uint64_t bits = rs_bits_of(scale);
    if (bits < (uint64_t)1 << RS_MANTISSA_BITS || bits >= RS_INFINITY_BITS) return RS_ERR_SCALE;
    return (int64_t)(bits >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS + 1 >= (int64_t)total_bits ? RS_ERR_SCALE : RS_OK;
}

// Words to coefficients, in place. SEAL's rule: the largest is at most 2^(bits of the modulus - 2).
static rs_status_t to_coefficients(rs_lean_t *lean, rs_fixed_scale_t how, uint32_t total_bits) {
    const uint32_t right = how.shift > -33 ? (uint32_t)-how.shift : 33; // from 1 on; more shifts everything out
    const uint32_t limit_bits = total_bits - 2 < 31 ? total_bits - 2 : 31;
    uint32_t above = 0, over = 0;
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) {
        const int32_t word = how.factor ? (int32_t)rs_fixed_times(WORD_BITS, lean->m[i], how.factor, &over) : lean->m[i];
        // rs_fixed_shift: half away from zero
        const uint32_t sign = 0 - ((uint32_t)word >> 31);
        const uint32_t halves = right > 32 ? 0 : (((uint32_t)word ^ sign) - sign) >> (right - 1);
        const uint32_t magnitude = (halves >> 1) + (halves & 1);
        above |= (magnitude - ((magnitude | (0 - magnitude)) >> 31)) >> limit_bits;
        lean->m[i] = (int32_t)((magnitude ^ sign) - sign);
    }
    RS_DECLASSIFY(&above, sizeof above); // public: they become the status
    RS_DECLASSIFY(&over, sizeof over);
    if (over) return RS_ERR_VALUE_RANGE;
    return above ? RS_ERR_OVERFLOW : RS_OK;
}

static rs_status_t encode(rs_lean_t *lean, const void *values, const rs_fixed_layout_t *layout, rs_fixed_scale_t how,
                          uint32_t total_bits) {
    const rs_fixed_t fixed = {.log_n = lean->log_n, .word_bits = WORD_BITS}; // for loading and storing, which want no roots
    const uint32_t n = rs_lean_n(lean);
    int64_t *points = (int64_t *)(void *)lean->x; // x and y, behind it
    RS_TRY(rs_fixed_load(&fixed, points, points + n / 2, values, layout));
    for (uint32_t i = 0; i < n; i++) lean->m[i] = (int32_t)points[i];
    uint32_t over = inverse(lean->log_n, lean->m);
    RS_DECLASSIFY(&over, sizeof over); // public: it becomes the status
    return over ? RS_ERR_VALUE_RANGE : to_coefficients(lean, how, total_bits);
}

rs_status_t rs_lean_encode(rs_lean_t *lean, const void *values, const rs_fixed_layout_t *layout, double scale,
                           uint32_t limb_count) {
    rs_fixed_scale_t how;
    if (!lean || !layout || (!values && layout->count)) return RS_ERR_NULL;
    rs_lean_clear(lean);
    if (lean->keys_only) return RS_ERR_TOO_SMALL;
    if (rs_lean_t_of(lean)) return RS_ERR_SCHEME;
    if (limb_count < 1 || limb_count > rs_params_data_limbs(lean->params)) return RS_ERR_LEVEL;
    const uint32_t total_bits = rs_params_total_bits(lean->params, limb_count);
    RS_TRY(check_scale(scale, total_bits));
    RS_TRY(rs_encode_fixed_scale(WORD_BITS, scale, layout->bound, &how));
    if (how.shift > RS_LEAN_LOG_SCALE_MAX + 1 - WORD_BITS) return RS_ERR_SCALE; // so that coefficient and noise fit 32 bits
    const rs_status_t status = encode(lean, values, layout, how, total_bits);
    rs_lean_wipe_words(lean->x, (size_t)2 << lean->log_n);
    if (status != RS_OK) {
        rs_lean_clear(lean);
        return status;
    }
    lean->stage = RS_LEAN_ENCODED;
    lean->limb_count = limb_count;
    lean->scale = scale;
    return RS_OK;
}

// ---- decode ----------------------------------------------------------------------------------------------------------------
// round(2^(63 + bits) / mantissa), 2^63 < mantissa. Public.
static uint64_t inverse_of(uint64_t mantissa, int32_t bits) {
    uint64_t result = 0, rest = (uint64_t)1 << 63;
    if (bits < 0) return 0;
    for (int32_t i = 0; i < bits; i++) {
        const uint64_t take = rest >> 63 | (rest << 1 >= mantissa);
        rest = (rest << 1) - (take ? mantissa : 0);
        result = result << 1 | take;
    }
    return result + (rest >> 63 | (rest << 1 >= mantissa));
}

// rs_decode_fixed_scales for one limb.
static rs_status_t decode_scale(const rs_lean_t *lean, int32_t bound, rs_fixed_scale_t *how) {
    if (bound < -RS_FIXED_EXPONENT_MAX || bound > RS_FIXED_EXPONENT_MAX) return RS_ERR_LAYOUT;
    const uint64_t bits = rs_bits_of(lean->scale);
    const uint64_t mantissa = bits << (63 - RS_MANTISSA_BITS) | (uint64_t)1 << 63;
    const int32_t shift = WORD_BITS - 2 - bound - ((int32_t)(bits >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS);
    if (mantissa == (uint64_t)1 << 63) {
        *how = (rs_fixed_scale_t){0, shift};
        return RS_OK;
    }
    const int32_t left = shift > 0 ? shift : 0; // centred residues are shorter than words: none is cut
    const uint64_t factor = inverse_of(mantissa, shift + WORD_BITS - left);
    *how = factor ? (rs_fixed_scale_t){factor > UINT32_MAX ? UINT32_MAX : factor, left} : (rs_fixed_scale_t){0, -65};
    return RS_OK;
}

// Centred residues to words, in place.
static rs_status_t to_words(rs_lean_t *lean, rs_fixed_scale_t how) {
    uint32_t over = 0;
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) lean->m[i] = (int32_t)rs_fixed_scale(WORD_BITS, lean->m[i], how, &over);
    over |= forward(lean->log_n, lean->m);
    RS_DECLASSIFY(&over, sizeof over); // public: it becomes the status
    return over ? RS_ERR_VALUE_RANGE : RS_OK;
}

rs_status_t rs_lean_decode(rs_lean_t *lean, void *values, const rs_fixed_layout_t *layout) {
    if (!lean || !layout || (!values && layout->count)) return RS_ERR_NULL;
    if (lean->stage != RS_LEAN_DECRYPTED) return RS_ERR_SEQUENCE;
    if (rs_lean_t_of(lean)) return rs_lean_get(lean, values, layout);
    rs_fixed_scale_t how;
    const rs_fixed_t fixed = {.log_n = lean->log_n, .word_bits = WORD_BITS}; // for loading and storing, which want no roots
    const uint32_t n = rs_lean_n(lean);
    rs_status_t status = decode_scale(lean, layout->bound, &how);
    if (status == RS_OK) {
        int64_t *points = (int64_t *)(void *)lean->x;
        status = to_words(lean, how);
        for (uint32_t i = 0; i < n; i++) points[i] = status == RS_OK ? lean->m[i] : 0;
        const rs_status_t stored = rs_fixed_store(&fixed, values, layout, points, points + n / 2);
        if (status == RS_OK) status = stored;
    }
    rs_lean_clear(lean);
    return status;
}
