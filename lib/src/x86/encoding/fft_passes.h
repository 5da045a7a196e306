// SPDX-License-Identifier: Apache-2.0
// The transforms of fft.c on vectors: the same operations on every element, in another order between elements. The includer says what a
// vector is: vec_t, LANES of doubles; LOAD, STORE, SPLAT; LOW_PAIRS, HIGH_PAIRS, LOW_HALVES, HIGH_HALVES of two; INLINE with its target. It
// also defines the stages within two vectors.
//
// Memory is read and written once for four or five stages (the ones with the smallest gaps, in registers by permutations) and then once
// per two stages. Up to BLOCK points (32 KiB) stay in the first-level cache for all stages that fit; the rest works on all points.
//
// The last pass of an inverse transform also scales its results and, for an encoding, rounds them: they do not go through memory again.
//
// Stages in both directions are named by their gap; the one with gap g has `points / (2 g)` blocks, whose roots begin at that index.
#include "encoding/encoding.h"

enum { LOG_LANES = LANES == 8 ? 3 : 2, LOG_BLOCK_MAX = 11 };

typedef struct complex_vector {
    vec_t re;
    vec_t im;
} cvec_t;

// re[] and im[] and the roots' re[] and im[]
typedef struct transform {
    double *re;
    double *im;
    const double *root_re;
    const double *root_im;
    size_t points;
    double fix;
    uint64_t floor; // bits of the smallest magnitude that counts in the inverse transform
} transform_t;

// x where its magnitude reaches the floor, elsewhere zeros of its sign. Without comparing doubles, for which subnormal ones are slow, too.
INLINE vec_t without_small(vec_t x, uint64_t floor);

// The nearest integers, halves away from zero, of any magnitude; the sign of zeros is kept.
INLINE vec_t rounded(vec_t x);

// In each lane the larger one of `magnitudes` and of the bits of |x|; and the bits of the largest lane.
INLINE vec_t larger_magnitudes(vec_t magnitudes, vec_t x);
INLINE uint64_t largest_lane(vec_t magnitudes);

// The stages with gaps below 2 LANES on the points of *a and *b, 2 LANES * unit and following.
INLINE void inverse_unit(const transform_t *t, size_t unit, cvec_t *a, cvec_t *b);
INLINE void forward_unit(const transform_t *t, size_t unit, cvec_t *a, cvec_t *b);

INLINE cvec_t load(const double *re, const double *im, size_t at) { return (cvec_t){LOAD(re + at), LOAD(im + at)}; }

INLINE void store(const transform_t *t, size_t at, cvec_t x) {
    STORE(t->re + at, x.re);
    STORE(t->im + at, x.im);
}

// The first, the second of each pair of lanes of a, beside that of b; the lower, the upper half of a, then that of b.
INLINE cvec_t low_pairs(cvec_t a, cvec_t b) { return (cvec_t){LOW_PAIRS(a.re, b.re), LOW_PAIRS(a.im, b.im)}; }

INLINE cvec_t high_pairs(cvec_t a, cvec_t b) { return (cvec_t){HIGH_PAIRS(a.re, b.re), HIGH_PAIRS(a.im, b.im)}; }

INLINE cvec_t low_halves(cvec_t a, cvec_t b) { return (cvec_t){LOW_HALVES(a.re, b.re), LOW_HALVES(a.im, b.im)}; }

INLINE cvec_t high_halves(cvec_t a, cvec_t b) { return (cvec_t){HIGH_HALVES(a.re, b.re), HIGH_HALVES(a.im, b.im)}; }

// The root of a block, for all lanes.
INLINE cvec_t root(const transform_t *t, size_t gap, size_t block) {
    const size_t at = t->points / (2 * gap) + block;
    return (cvec_t){SPLAT(t->root_re[at]), SPLAT(t->root_im[at])};
}

INLINE void inverse_butterfly(cvec_t *x, cvec_t *y, cvec_t w) {
    const vec_t dr = x->re - y->re;
    const vec_t di = x->im - y->im;
    x->re = x->re + y->re;
    x->im = x->im + y->im;
    y->re = dr * w.re + di * w.im; // times the conjugate root
    y->im = di * w.re - dr * w.im;
}

INLINE void forward_butterfly(cvec_t *x, cvec_t *y, cvec_t w) {
    const vec_t vr = y->re * w.re - y->im * w.im;
    const vec_t vi = y->re * w.im + y->im * w.re;
    y->re = x->re - vr;
    y->im = x->im - vi;
    x->re = x->re + vr;
    x->im = x->im + vi;
}

// What happens to the results of a pass.
typedef enum finish { MORE_FOLLOWS, SCALED, ROUNDED } finish_t;

INLINE cvec_t finished(cvec_t x, finish_t how, double fix, cvec_t *largest) {
    if (how == MORE_FOLLOWS) return x;
    const cvec_t y = {(x.re + x.re) * SPLAT(fix), (x.im + x.im) * SPLAT(fix)};
    if (how == SCALED) return y;
    *largest = (cvec_t){larger_magnitudes(largest->re, y.re), larger_magnitudes(largest->im, y.im)};
    return (cvec_t){rounded(y.re), rounded(y.im)};
}

// Inverse stages with gaps g and 2g on `count` points from `start` on. Gives the largest magnitude before rounding, of ROUNDED.
INLINE uint64_t inverse_two_stages(const transform_t *t, size_t start, size_t count, size_t gap, finish_t how) {
    cvec_t largest = {SPLAT(0), SPLAT(0)};
    for (size_t p = start; p < start + count; p += 4 * gap) {
        const cvec_t w0 = root(t, gap, p / (2 * gap));
        const cvec_t w1 = root(t, gap, p / (2 * gap) + 1);
        const cvec_t w = root(t, 2 * gap, p / (4 * gap));
        for (size_t i = p; i < p + gap; i += LANES) {
            cvec_t x[4];
            for (size_t k = 0; k < 4; k++) x[k] = load(t->re, t->im, i + k * gap);
            inverse_butterfly(&x[0], &x[1], w0);
            inverse_butterfly(&x[2], &x[3], w1);
            inverse_butterfly(&x[0], &x[2], w);
            inverse_butterfly(&x[1], &x[3], w);
            for (size_t k = 0; k < 4; k++) store(t, i + k * gap, finished(x[k], how, t->fix, &largest));
        }
    }
    return how == ROUNDED ? largest_lane(larger_magnitudes(largest.re, largest.im)) : 0;
}

// Forward stages with gaps 2g and g.
INLINE void forward_two_stages(const transform_t *t, size_t start, size_t count, size_t gap) {
    for (size_t p = start; p < start + count; p += 4 * gap) {
        const cvec_t w0 = root(t, gap, p / (2 * gap));
        const cvec_t w1 = root(t, gap, p / (2 * gap) + 1);
        const cvec_t w = root(t, 2 * gap, p / (4 * gap));
        for (size_t i = p; i < p + gap; i += LANES) {
            cvec_t x[4];
            for (size_t k = 0; k < 4; k++) x[k] = load(t->re, t->im, i + k * gap);
            forward_butterfly(&x[0], &x[2], w);
            forward_butterfly(&x[1], &x[3], w);
            forward_butterfly(&x[0], &x[1], w0);
            forward_butterfly(&x[2], &x[3], w1);
            for (size_t k = 0; k < 4; k++) store(t, i + k * gap, x[k]);
        }
    }
}

// The stages with gaps below 2 LANES; `odd`: and the one with gap 2 LANES. The inverse ones are the first to see the values.
// real: im is 0 and not read.
INLINE void inverse_small_gaps(const transform_t *t, size_t start, size_t count, int odd, int real) {
    const size_t step = odd ? 4 * LANES : 2 * LANES;
    for (size_t p = start; p < start + count; p += step) {
        cvec_t x[4];
        for (size_t k = 0; k < step / LANES; k++) {
            const size_t at = p + k * LANES;
            x[k].re = without_small(LOAD(t->re + at), t->floor);
            x[k].im = real ? SPLAT(0) : without_small(LOAD(t->im + at), t->floor);
        }
        inverse_unit(t, p / (2 * LANES), &x[0], &x[1]);
        if (odd) {
            const cvec_t w = root(t, 2 * LANES, p / step);
            inverse_unit(t, p / (2 * LANES) + 1, &x[2], &x[3]);
            inverse_butterfly(&x[0], &x[2], w);
            inverse_butterfly(&x[1], &x[3], w);
        }
        for (size_t k = 0; k < step / LANES; k++) store(t, p + k * LANES, x[k]);
    }
}

INLINE void forward_small_gaps(const transform_t *t, size_t start, size_t count, int odd) {
    const size_t step = odd ? 4 * LANES : 2 * LANES;
    for (size_t p = start; p < start + count; p += step) {
        cvec_t x[4];
        for (size_t k = 0; k < step / LANES; k++) x[k] = load(t->re, t->im, p + k * LANES);
        if (odd) {
            const cvec_t w = root(t, 2 * LANES, p / step);
            forward_butterfly(&x[0], &x[2], w);
            forward_butterfly(&x[1], &x[3], w);
            forward_unit(t, p / (2 * LANES) + 1, &x[2], &x[3]);
        }
        forward_unit(t, p / (2 * LANES), &x[0], &x[1]);
        for (size_t k = 0; k < step / LANES; k++) store(t, p + k * LANES, x[k]);
    }
}

// How the stages are divided: those with small gaps, one more if their number would otherwise leave an odd rest, and pairs of stages.
// log2 of the block has the parity of log2 of the points, so that a block ends with a whole pair.
typedef struct plan {
    int odd;
    size_t first_gap; // the gap of the first pair
    size_t block; // points
} plan_t;

static plan_t make_plan(const rs_fft_t *fft) {
    const uint32_t log_points = fft->log_n - 1;
    const int odd = (log_points - LOG_LANES - 1) & 1;
    const uint32_t log_block = LOG_BLOCK_MAX - ((LOG_BLOCK_MAX - log_points) & 1);
    return (plan_t){odd, (size_t)(odd ? 4 : 2) * LANES, (size_t)1 << (log_points < log_block ? log_points : log_block)};
}

// real: im is 0 and not read. how: SCALED or ROUNDED, which gives the largest magnitude before.
TARGET static uint64_t inverse(const rs_fft_t *fft, double *re, double *im, int real, double fix, finish_t how) {
    const transform_t t = {re, im, fft->re, fft->im, (size_t)1 << (fft->log_n - 1), fix, rs_fft_floor(fix, fft->log_n)};
    const plan_t plan = make_plan(fft);
    size_t gap = plan.first_gap;
    for (size_t start = 0; start < t.points; start += plan.block) {
        if (plan.odd) {
            if (real) {
                inverse_small_gaps(&t, start, plan.block, 1, 1);
            } else {
                inverse_small_gaps(&t, start, plan.block, 1, 0);
            }
        } else if (real) {
            inverse_small_gaps(&t, start, plan.block, 0, 1);
        } else {
            inverse_small_gaps(&t, start, plan.block, 0, 0);
        }
        for (gap = plan.first_gap; 4 * gap <= plan.block && 4 * gap < t.points; gap *= 4) {
            inverse_two_stages(&t, start, plan.block, gap, MORE_FOLLOWS);
        }
    }
    for (; 4 * gap < t.points; gap *= 4) inverse_two_stages(&t, 0, t.points, gap, MORE_FOLLOWS);
    if (how == ROUNDED) return inverse_two_stages(&t, 0, t.points, gap, ROUNDED);
    return inverse_two_stages(&t, 0, t.points, gap, SCALED);
}

TARGET static void forward(const rs_fft_t *fft, double *re, double *im) {
    const transform_t t = {re, im, fft->re, fft->im, (size_t)1 << (fft->log_n - 1), 0, 0};
    const plan_t plan = make_plan(fft);
    size_t outer = t.points / 4;
    for (; 4 * outer > plan.block; outer /= 4) forward_two_stages(&t, 0, t.points, outer);
    for (size_t start = 0; start < t.points; start += plan.block) {
        for (size_t gap = outer; gap >= plan.first_gap; gap /= 4) forward_two_stages(&t, start, plan.block, gap);
        if (plan.odd) {
            forward_small_gaps(&t, start, plan.block, 1);
        } else {
            forward_small_gaps(&t, start, plan.block, 0);
        }
    }
}
