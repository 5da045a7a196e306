// SPDX-License-Identifier: Apache-2.0
// The roots of unity of the FFT (docs/encoding.md): cos and sin of rounded angles, correctly rounded, without a mathematics library.
//
// Angles theta_j = 2 pi j / 2N of the first octant, j <= N/4, are sums of a coarse and a fine one: about 2 sqrt(N/4) Taylor series, and
// one complex product for each root. No contraction into fused multiply-adds, as in fft.c.
#include <string.h>

#include "base/bytes.h"
#include "encoding/encoding.h"

#ifdef __FAST_MATH__
#error "the encoding is specified in IEEE arithmetic: build without -ffast-math"
#endif

// ---- twice the precision -----------------------------------------------------------------------------------------------
// Unevaluated sums hi + lo of doubles (Dekker 1971): about 104 bits, enough to round correctly.
typedef struct dd {
    double hi;
    double lo;
} dd_t;

static dd_t two_sum(double a, double b) {
    const double s = a + b;
    const double t = s - a;
    return (dd_t){s, (a - (s - t)) + (b - t)};
}

static dd_t two_product(double a, double b) {
    const double split = 134217729.0; // 2^27 + 1
    const double ca = split * a;
    const double cb = split * b;
    const double ah = ca - (ca - a);
    const double bh = cb - (cb - b);
    const double al = a - ah;
    const double bl = b - bh;
    const double p = a * b;
    return (dd_t){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static dd_t dd_add(dd_t a, dd_t b) {
    const dd_t s = two_sum(a.hi, b.hi);
    return two_sum(s.hi, s.lo + (a.lo + b.lo));
}

static dd_t dd_negative(dd_t a) { return (dd_t){-a.hi, -a.lo}; }

static dd_t dd_mul(dd_t a, dd_t b) {
    const dd_t p = two_product(a.hi, b.hi);
    return two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static dd_t dd_div(dd_t a, double b) {
    const double q = a.hi / b;
    const dd_t p = two_product(q, b);
    return two_sum(q, ((a.hi - p.hi) - p.lo + a.lo) / b);
}

static dd_t dd_one_minus(dd_t a) {
    const dd_t s = two_sum(1.0, -a.hi);
    return two_sum(s.hi, s.lo - a.lo);
}

// 1 - x^2/(first (first+1)) (1 - x^2/((first+2)(first+3)) (…)), up to the factor of index < 30: with x <= pi/4 the rest is < 2^-104.
static dd_t alternating_series(dd_t square, unsigned first) {
    dd_t r = {1.0, 0.0};
    for (unsigned k = first + 26; k + 2 > first; k -= 2) {
        r = dd_one_minus(dd_div(dd_mul(square, r), (double)(k * (k + 1))));
        if (k == first) break;
    }
    return r;
}

// ---- cos and sin -------------------------------------------------------------------------------------------------------
typedef struct point {
    dd_t cosine;
    dd_t sine;
} point_t;

static const dd_t TWO_PI = {6.283185307179586476925286766559, 2.4492935982947063545e-16};

// At theta_index itself.
static point_t exact_point(uint32_t log_n, uint32_t index) {
    const double unit = 1.0 / (double)((uint64_t)2 << log_n);
    const dd_t turns = {index * unit, 0.0};
    const dd_t x = dd_mul(TWO_PI, turns);
    const dd_t square = dd_mul(x, x);
    return (point_t){alternating_series(square, 1), dd_mul(x, alternating_series(square, 2))};
}

static point_t sum_of_angles(const point_t *a, const point_t *b) {
    const dd_t cc = dd_mul(a->cosine, b->cosine);
    const dd_t ss = dd_mul(a->sine, b->sine);
    return (point_t){dd_add(cc, dd_negative(ss)), dd_add(dd_mul(a->sine, b->cosine), dd_mul(a->cosine, b->sine))};
}

// From theta_index to the nearby double that SEAL takes for it, 2 pi index rounded and then divided: to the first order in the
// difference d, since d^2 is below 2^-108.
static point_t at_rounded_angle(point_t p, uint32_t log_n, uint32_t index) {
    const dd_t exact = two_product(TWO_PI.hi, (double)index);
    const double d = -(exact.lo + TWO_PI.lo * index) / (double)((uint64_t)2 << log_n);
    return (point_t){dd_add(p.cosine, two_product(-d, p.sine.hi)), dd_add(p.sine, two_product(d, p.cosine.hi))};
}

static double move_ulps(double x, int ulps) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += ulps;
    memcpy(&x, &bits, sizeof x);
    return x;
}

typedef struct root_exception {
    uint16_t index;
    int8_t cos_ulps;
    int8_t sin_ulps;
} root_exception_t;

// libm's roots differ from correctly rounded ones here (see the generator), in units of 2 pi / 2^(RS_FFT_LOG_N_MAX + 1).
static const root_exception_t EXCEPTIONS[] = {
#include "encoding/fft_root_exceptions.inc"
};

// Where SEAL's libm is one unit off, so are we.
static void apply_exceptions(uint32_t log_n, uint32_t index, double *cosine, double *sine) {
    const uint32_t key = index << (RS_FFT_LOG_N_MAX - log_n);
    uint32_t low = 0;
    uint32_t high = sizeof EXCEPTIONS / sizeof EXCEPTIONS[0];
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (EXCEPTIONS[middle].index < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < sizeof EXCEPTIONS / sizeof EXCEPTIONS[0] && EXCEPTIONS[low].index == key) {
        *cosine = move_ulps(*cosine, EXCEPTIONS[low].cos_ulps);
        *sine = move_ulps(*sine, EXCEPTIONS[low].sin_ulps);
    }
}

// ---- the tables --------------------------------------------------------------------------------------------------------
// zeta^exponent for 0 < exponent < N is the octant's point `folded` mirrored (as SEAL's ComplexRoots::get_root), and in the place of
// the stage with h blocks, block i has exponent N/(4h) (4 brv(i) + 1), brv over log2 h bits.
static void put_root(double *re, double *im, uint32_t log_n, uint32_t exponent, double x, double y) {
    const uint32_t twos = (uint32_t)__builtin_ctz(exponent);
    if ((exponent >> twos & 3) != 1) return; // its mirror image is the one in the table
    const uint32_t log_h = log_n - 2 - twos;
    const uint32_t block = exponent >> (twos + 2);
    const uint32_t at = ((uint32_t)1 << log_h) + (log_h ? rs_bit_reverse(block, log_h) : 0);
    re[at] = x;
    im[at] = y;
}

void rs_fft_roots(double *re, double *im, uint32_t log_n, void *scratch) {
    const uint32_t n = (uint32_t)1 << log_n;
    const uint32_t steps = (uint32_t)1 << (log_n - 2) / 2;
    point_t *fine = scratch;
    for (uint32_t k = 0; k < steps; k++) fine[k] = exact_point(log_n, k);
    re[0] = 1.0;
    im[0] = 0.0;
    for (uint32_t first = 0; first <= n / 4; first += steps) {
        const point_t coarse = exact_point(log_n, first);
        for (uint32_t k = 0; k < steps && first + k <= n / 4; k++) {
            const uint32_t index = first + k;
            if (index == 0) continue;
            const point_t p = at_rounded_angle(sum_of_angles(&coarse, &fine[k]), log_n, index);
            double x = p.cosine.hi;
            double y = p.sine.hi;
            apply_exceptions(log_n, index, &x, &y);
            put_root(re, im, log_n, index, x, y);
            put_root(re, im, log_n, n - index, -x, y);
            if (index == n / 4) break; // the diagonal is its own image
            put_root(re, im, log_n, n / 2 - index, y, x);
            put_root(re, im, log_n, n / 2 + index, -y, x);
        }
    }
}
