// SPDX-License-Identifier: Apache-2.0
// The transform between slots and coefficients.
//
// SEAL runs an N-point complex transform whose input is conjugate-symmetric: word N-1-i is the conjugate of word i. Every stage keeps a
// symmetry of that kind (in a stage with m blocks, block m-1-i is the mirrored conjugate of block i, because their roots satisfy
// r_(m-1-i) = -conj(r_i), exactly so in the table), hence half of the blocks determine the rest, and IEEE arithmetic commutes with
// conjugation. Computing only that half, in the same order, gives the same bits with N/2 points. What remains of SEAL's stage with
// m = 2h blocks is h blocks of N/(2h) points; its single-block stage pairs coefficient j with j + N/2 as real and imaginary part.
//
// No contraction into fused multiply-adds: this file must be compiled with -ffp-contract=off (lib/CMakeLists.txt).
#include <ringside/base.h>

#include "base/bytes.h"
#include "encoding/encoding.h"
#include "encoding/rounding.h"

#ifdef __FAST_MATH__
#error "the encoding is specified in IEEE arithmetic: build without -ffast-math"
#endif

// ---- transforms --------------------------------------------------------------------------------------------------------
// Values below the floor become zeros of their sign. The values are secret, so this uses masks and does not compare doubles.
static void drop_small(double *x, size_t count, uint64_t floor) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = rs_bits_of(x[i]);
        const uint64_t large = 0 - ((floor - 1 - (bits & RS_MAGNITUDE_BITS)) >> 63);
        x[i] = rs_from_bits(bits & (large | ~RS_MAGNITUDE_BITS));
    }
}

// Two stages at once, each value loaded and stored once; the widest of them go through all of the memory, the others part by part, in the
// first-level cache. The rows of a wide stage are a power of two apart and get into each other's way in such a cache. So they are read
// line by line into a tile, and from there written line by line. The operations on a value and their order are those of stage after
// stage, and so are the bits.
enum {
    LOG_PART = 9, // points of a part, or half as many: 8 KiB
    LINE = 8, // doubles of a cache line
};

#define INLINE static inline __attribute__((always_inline))

// An even number of stages is left for the whole; with log_points odd, so is the result.
INLINE unsigned log_of_part(unsigned log_points) {
    const unsigned log_part = LOG_PART - 1 + (log_points & 1);
    return log_part < log_points ? log_part : log_points - 2;
}

typedef struct complex {
    double re;
    double im;
} complex_t;

INLINE complex_t load(const double *re, const double *im, size_t i) { return (complex_t){re[i], im[i]}; }

INLINE void store(double *re, double *im, size_t i, complex_t x) {
    re[i] = x.re;
    im[i] = x.im;
}

INLINE complex_t add(complex_t x, complex_t y) { return (complex_t){x.re + y.re, x.im + y.im}; }

INLINE complex_t sub(complex_t x, complex_t y) { return (complex_t){x.re - y.re, x.im - y.im}; }

INLINE complex_t times(complex_t x, complex_t root) {
    return (complex_t){x.re * root.re - x.im * root.im, x.re * root.im + x.im * root.re};
}

INLINE complex_t times_conjugate(complex_t x, complex_t root) {
    return (complex_t){x.re * root.re + x.im * root.im, x.im * root.re - x.re * root.im};
}

INLINE complex_t root(const rs_fft_t *fft, size_t i) { return load(fft->re, fft->im, i); }

typedef struct tile {
    double re[4 * LINE];
    double im[4 * LINE];
} tile_t;

INLINE void copy_line(double *to, const double *from) {
    double x[LINE];
#pragma GCC unroll 8
    for (unsigned i = 0; i < LINE; i++) x[i] = from[i];
#pragma GCC unroll 8
    for (unsigned i = 0; i < LINE; i++) to[i] = x[i];
}

// From four rows that are `gap` apart, and back.
INLINE void fill_tile(tile_t *tile, const double *re, const double *im, size_t gap) {
    for (size_t row = 0; row < 4; row++) copy_line(tile->re + row * LINE, re + row * gap);
    for (size_t row = 0; row < 4; row++) copy_line(tile->im + row * LINE, im + row * gap);
}

INLINE void empty_tile(const tile_t *tile, double *re, double *im, size_t gap) {
    for (size_t row = 0; row < 4; row++) copy_line(re + row * gap, tile->re + row * LINE);
    for (size_t row = 0; row < 4; row++) copy_line(im + row * gap, tile->im + row * LINE);
}

// ---- inverse: stages with h = points/2 … 1 blocks, gap = 1 … points/2 ----
INLINE complex_t scaled(complex_t x, double fix) { return (complex_t){(x.re + x.re) * fix, (x.im + x.im) * fix}; }

// What happens to the results of a pass. With WORDS they are rounded, and integers take their place.
typedef enum finish { MORE_FOLLOWS, SCALED, WORDS } finish_t;
typedef int64_t __attribute__((may_alias)) word_t;

INLINE void store_word(double *place, double x, uint64_t *largest) {
    *largest = rs_larger_magnitude(*largest, x);
    *(word_t *)(void *)place = rs_nearest_word(x);
}

INLINE void finish(double *re, double *im, size_t i, complex_t x, finish_t how, double fix, uint64_t *largest) {
    const complex_t y = how == MORE_FOLLOWS ? x : scaled(x, fix);
    if (how == WORDS) {
        store_word(re + i, y.re, largest);
        store_word(im + i, y.im, largest);
    } else {
        store(re, im, i, y);
    }
}

// Two stages of the block whose second root is number i; of its four rows, which are `gap` apart, `count` points each. largest: of WORDS.
INLINE void inverse_rows(const rs_fft_t *fft, double *re, double *im, size_t i, size_t gap, size_t count, finish_t how, double fix,
                         uint64_t *largest) {
    const complex_t r1 = root(fft, 2 * i);
    const complex_t r2 = root(fft, 2 * i + 1);
    const complex_t r3 = root(fft, i);
    for (size_t j = 0; j < count; j++) {
        const complex_t a = load(re, im, j);
        const complex_t b = load(re, im, j + gap);
        const complex_t c = load(re, im, j + 2 * gap);
        const complex_t d = load(re, im, j + 3 * gap);
        const complex_t s = add(a, b);
        const complex_t u = add(c, d);
        const complex_t t = times_conjugate(sub(a, b), r1);
        const complex_t v = times_conjugate(sub(c, d), r2);
        const complex_t w = add(s, u);
        const complex_t x = add(t, v);
        const complex_t y = times_conjugate(sub(s, u), r3);
        const complex_t z = times_conjugate(sub(t, v), r3);
        finish(re, im, j, w, how, fix, largest);
        finish(re, im, j + gap, x, how, fix, largest);
        finish(re, im, j + 2 * gap, y, how, fix, largest);
        finish(re, im, j + 3 * gap, z, how, fix, largest);
    }
}

INLINE void inverse_wide(const rs_fft_t *fft, double *re, double *im, size_t i, size_t gap, finish_t how, double fix,
                         uint64_t *largest) {
    tile_t tile;
    for (size_t j = 0; j < gap; j += LINE) {
        fill_tile(&tile, re + j, im + j, gap);
        inverse_rows(fft, tile.re, tile.im, i, LINE, LINE, how, fix, largest);
        empty_tile(&tile, re + j, im + j, gap);
    }
    rs_zeroize(&tile, sizeof tile);
}

// The stages with 2h and h blocks, of the latter `count` from `first` on; points of a block are 4 gap.
INLINE void inverse_pass(const rs_fft_t *fft, double *re, double *im, size_t h, size_t first, size_t count, size_t gap) {
    uint64_t unused = 0;
    for (size_t i = h + first; i < h + first + count; i++, re += 4 * gap, im += 4 * gap) {
        inverse_rows(fft, re, im, i, gap, gap, MORE_FOLLOWS, 0, &unused);
    }
}

// The stage with gap 1: `count` blocks from `first` on, of h.
static void inverse_pairs(const rs_fft_t *fft, double *re, double *im, size_t h, size_t first, size_t count) {
    for (size_t i = first; i < first + count; i++, re += 2, im += 2) {
        const complex_t a = load(re, im, 0);
        const complex_t b = load(re, im, 1);
        store(re, im, 0, add(a, b));
        store(re, im, 1, times_conjugate(sub(a, b), root(fft, h + i)));
    }
}

// The same where im is 0, which is not read. Some zeros get other signs.
static void inverse_real_pairs(const rs_fft_t *fft, double *re, double *im, size_t h, size_t first, size_t count) {
    for (size_t i = first; i < first + count; i++, re += 2, im += 2) {
        const complex_t r = root(fft, h + i);
        const double a = re[0];
        const double b = re[1];
        const double difference = a - b;
        store(re, im, 0, (complex_t){a + b, 0});
        store(re, im, 1, (complex_t){difference * r.re, -(difference * r.im)});
    }
}

// real: im is 0 and not read; not with SCALED, where signs of zeros count.
INLINE uint64_t inverse(const rs_fft_t *fft, double *re, double *im, int real, double fix, finish_t how) {
    uint64_t largest = 0;
    const unsigned log_points = fft->log_n - 1;
    const size_t points = (size_t)1 << log_points;
    const uint64_t floor = rs_fft_floor(fix, fft->log_n);
    const unsigned odd = log_points & 1;
    const unsigned log_part = log_of_part(log_points);
    const size_t part_points = (size_t)1 << log_part;
    for (size_t part = 0; part < points >> log_part; part++) {
        double *x = re + (part << log_part);
        double *y = im + (part << log_part);
        drop_small(x, part_points, floor);
        if (!real) {
            drop_small(y, part_points, floor);
        } else if (!odd) {
            memset(y, 0, part_points * sizeof *y);
        }
        if (odd && real) {
            inverse_real_pairs(fft, x, y, points / 2, part << (log_part - 1), part_points / 2);
        } else if (odd) {
            inverse_pairs(fft, x, y, points / 2, part << (log_part - 1), part_points / 2);
        }
        for (unsigned log_gap = odd; log_gap < log_part; log_gap += 2) {
            const unsigned log_count = log_part - log_gap - 2;
            const size_t count = (size_t)1 << log_count;
            inverse_pass(fft, x, y, points >> (log_gap + 2), part << log_count, count, (size_t)1 << log_gap);
        }
    }
    unsigned log_gap = log_part;
    for (; log_gap + 2 < log_points; log_gap += 2) {
        const size_t h = points >> (log_gap + 2);
        for (size_t i = 0; i < h; i++) {
            const size_t at = i << (log_gap + 2);
            inverse_wide(fft, re + at, im + at, h + i, (size_t)1 << log_gap, MORE_FOLLOWS, fix, &largest);
        }
    }
    inverse_wide(fft, re, im, 1, points / 4, how, fix, &largest);
    return largest;
}

void rs_fft_portable_inverse(const rs_fft_t *fft, double *re, double *im, double fix) {
    (void)inverse(fft, re, im, 0, fix, SCALED);
}

// Words have no signs of zeros, so the shorter way for real values gives the same.
uint64_t rs_fft_portable_inverse_words(const rs_fft_t *fft, double *re, double *im, int real, double fix) {
    return inverse(fft, re, im, real, fix, WORDS);
}

// ---- forward: the other way round ----
INLINE void forward_rows(const rs_fft_t *fft, double *re, double *im, size_t i, size_t gap, size_t count) {
    const complex_t r1 = root(fft, 2 * i);
    const complex_t r2 = root(fft, 2 * i + 1);
    const complex_t r3 = root(fft, i);
    for (size_t j = 0; j < count; j++) {
        const complex_t a = load(re, im, j);
        const complex_t b = load(re, im, j + gap);
        const complex_t c = times(load(re, im, j + 2 * gap), r3);
        const complex_t d = times(load(re, im, j + 3 * gap), r3);
        const complex_t s = add(a, c);
        const complex_t t = sub(a, c);
        const complex_t u = times(add(b, d), r1);
        const complex_t v = times(sub(b, d), r2);
        store(re, im, j, add(s, u));
        store(re, im, j + gap, sub(s, u));
        store(re, im, j + 2 * gap, add(t, v));
        store(re, im, j + 3 * gap, sub(t, v));
    }
}

INLINE void forward_wide(const rs_fft_t *fft, double *re, double *im, size_t i, size_t gap) {
    tile_t tile;
    for (size_t j = 0; j < gap; j += LINE) {
        fill_tile(&tile, re + j, im + j, gap);
        forward_rows(fft, tile.re, tile.im, i, LINE, LINE);
        empty_tile(&tile, re + j, im + j, gap);
    }
    rs_zeroize(&tile, sizeof tile);
}

INLINE void forward_pass(const rs_fft_t *fft, double *re, double *im, size_t h, size_t first, size_t count, size_t gap) {
    for (size_t i = h + first; i < h + first + count; i++, re += 4 * gap, im += 4 * gap) forward_rows(fft, re, im, i, gap, gap);
}

static void forward_pairs(const rs_fft_t *fft, double *re, double *im, size_t h, size_t first, size_t count) {
    for (size_t i = first; i < first + count; i++, re += 2, im += 2) {
        const complex_t a = load(re, im, 0);
        const complex_t b = times(load(re, im, 1), root(fft, h + i));
        store(re, im, 0, add(a, b));
        store(re, im, 1, sub(a, b));
    }
}

void rs_fft_portable_forward(const rs_fft_t *fft, double *re, double *im) {
    const unsigned log_points = fft->log_n - 1;
    const size_t points = (size_t)1 << log_points;
    const unsigned odd = log_points & 1;
    const unsigned log_part = log_of_part(log_points);
    for (unsigned log_gap = log_points; log_gap > log_part;) {
        log_gap -= 2;
        const size_t h = points >> (log_gap + 2);
        for (size_t i = 0; i < h; i++) {
            const size_t at = i << (log_gap + 2);
            forward_wide(fft, re + at, im + at, h + i, (size_t)1 << log_gap);
        }
    }
    for (size_t part = 0; part < points >> log_part; part++) {
        double *x = re + (part << log_part);
        double *y = im + (part << log_part);
        for (unsigned log_gap = log_part; log_gap > odd;) {
            log_gap -= 2;
            const unsigned log_count = log_part - log_gap - 2;
            forward_pass(fft, x, y, points >> (log_gap + 2), part << log_count, (size_t)1 << log_count, (size_t)1 << log_gap);
        }
        if (odd) forward_pairs(fft, x, y, points / 2, part << (log_part - 1), (size_t)1 << (log_part - 1));
    }
}

// ---- slots -------------------------------------------------------------------------------------------------------------
// Slot i belongs to the root zeta^(3^i), index (3^i - 1) / 2 of the N odd powers, at its bit-reversed position. Positions in the upper
// half are those of the conjugate, N - 1 - position.
void rs_fft_slots(uint16_t *slots, uint32_t log_n) {
    const uint32_t n = (uint32_t)1 << log_n;
    uint32_t power = 1; // 3^i mod 2N: one slot after the other
    for (uint32_t i = 0; i < n / 2; i++) {
        const uint32_t position = rs_bit_reverse(power >> 1, log_n);
        slots[i] = (uint16_t)(i & 1 ? n - 1 - position : position);
        power = (power * 3) & (2 * n - 1);
    }
}
