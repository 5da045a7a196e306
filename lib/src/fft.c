// SPDX-License-Identifier: Apache-2.0
// The transform between slots and coefficients, and its roots of unity.
//
// SEAL runs an N-point complex transform whose input is conjugate-symmetric: word N-1-i is the conjugate of word i. Every stage keeps a
// symmetry of that kind (in a stage with m blocks, block m-1-i is the mirrored conjugate of block i, because their roots satisfy
// r_(m-1-i) = -conj(r_i), exactly so in the table), hence half of the blocks determine the rest, and IEEE arithmetic commutes with
// conjugation. Computing just that half, in the same order, gives the same bits with N/2 points. What remains of SEAL's stage with
// m = 2h blocks is h blocks of N/(2h) points; its single-block stage pairs coefficient j with j + N/2 as real and imaginary part.
//
// No contraction into fused multiply-adds: this file must be compiled with -ffp-contract=off (lib/CMakeLists.txt).
#include <ringside/kernels.h>
#include <string.h>

#include "bytes.h"
#include "context_internal.h"

#ifdef __FAST_MATH__
#error "the encoding is specified in IEEE arithmetic: build without -ffast-math"
#endif

// ---- transforms --------------------------------------------------------------------------------------------------------
void rs_fft_inverse(const rs_context_t *context, double *re, double *im, double fix) {
    const uint32_t points = context->n / 2;
    size_t gap = 1;
    for (uint32_t h = points / 2; h >= 1; h /= 2, gap *= 2) {
        for (uint32_t i = 0; i < h; i++) {
            const double wr = context->fft_re[h + i];
            const double wi = context->fft_im[h + i];
            double *restrict xr = re + 2 * gap * i;
            double *restrict xi = im + 2 * gap * i;
            double *restrict yr = xr + gap;
            double *restrict yi = xi + gap;
            for (size_t j = 0; j < gap; j++) {
                const double dr = xr[j] - yr[j];
                const double di = xi[j] - yi[j];
                xr[j] = xr[j] + yr[j];
                xi[j] = xi[j] + yi[j];
                yr[j] = dr * wr + di * wi; // times the conjugate root
                yi[j] = di * wr - dr * wi;
            }
        }
    }
    for (uint32_t j = 0; j < points; j++) {
        re[j] = (re[j] + re[j]) * fix;
        im[j] = (im[j] + im[j]) * fix;
    }
}

void rs_fft_forward(const rs_context_t *context, double *re, double *im) {
    const uint32_t points = context->n / 2;
    size_t gap = points / 2;
    for (uint32_t h = 1; h < points; h *= 2, gap /= 2) {
        for (uint32_t i = 0; i < h; i++) {
            const double wr = context->fft_re[h + i];
            const double wi = context->fft_im[h + i];
            double *restrict xr = re + 2 * gap * i;
            double *restrict xi = im + 2 * gap * i;
            double *restrict yr = xr + gap;
            double *restrict yi = xi + gap;
            for (size_t j = 0; j < gap; j++) {
                const double vr = yr[j] * wr - yi[j] * wi;
                const double vi = yr[j] * wi + yi[j] * wr;
                yr[j] = xr[j] - vr;
                yi[j] = xi[j] - vi;
                xr[j] = xr[j] + vr;
                xi[j] = xi[j] + vi;
            }
        }
    }
}

// Slot i belongs to the root zeta^(3^i), index (3^i - 1) / 2 of the N odd powers, at its bit-reversed position. Positions in the upper
// half are those of the conjugate, N - 1 - position.
uint32_t rs_slot_position(const rs_context_t *context, uint32_t slot, uint32_t *conjugated) {
    const uint32_t n = context->n;
    uint32_t power = 1;
    uint32_t base = 3;
    for (uint32_t e = slot; e; e >>= 1) {
        if (e & 1) power *= base;
        base *= base;
    }
    const uint32_t position = rs_bit_reverse((power & (2 * n - 1)) >> 1, context->params.log_n);
    *conjugated = position >= n / 2;
    return *conjugated ? n - 1 - position : position;
}

// ---- roots -------------------------------------------------------------------------------------------------------------
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

// libm's roots differ from correctly rounded ones here (see the generator), in units of 2 pi / 2^(RS_LOG_N_MAX + 1).
static const root_exception_t EXCEPTIONS[] = {
#include "fft_root_exceptions.inc"
};

// cos and sin of the double nearest to 2 pi index / 2^(log_n + 1), index up to an eighth of the circle.
static void first_octant(uint32_t log_n, uint32_t index, double *cosine, double *sine) {
    const double two_pi = 6.283185307179586476925286766559;
    const double theta = two_pi * index / (double)((uint64_t)2 << log_n);
    const dd_t x = {theta, 0.0};
    const dd_t square = two_product(theta, theta);
    *cosine = alternating_series(square, 1).hi;
    *sine = dd_mul(x, alternating_series(square, 2)).hi;
    const uint32_t key = index << (RS_LOG_N_MAX - log_n);
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

// zeta^exponent for 0 <= exponent < N, zeta = exp(i pi / N): the first octant mirrored (as SEAL's ComplexRoots::get_root).
static void root(uint32_t log_n, uint32_t exponent, double *re, double *im) {
    const uint32_t quarter = (uint32_t)1 << (log_n - 1); // N/2: a quarter of the circle of 2N
    const uint32_t folded = exponent <= quarter ? exponent : 2 * quarter - exponent;
    if (folded <= quarter / 2) {
        first_octant(log_n, folded, re, im);
    } else {
        first_octant(log_n, quarter - folded, im, re);
    }
    if (exponent > quarter) *re = -*re;
}

// Stage with h blocks: block i has the root zeta^(N/(4h) (4 brv(i) + 1)), brv over log2 h bits, at h + i.
void rs_fft_roots(double *re, double *im, uint32_t log_n) {
    const uint32_t n = (uint32_t)1 << log_n;
    re[0] = 1.0;
    im[0] = 0.0;
    for (uint32_t log_h = 0; log_h + 1 < log_n; log_h++) {
        const uint32_t h = (uint32_t)1 << log_h;
        for (uint32_t i = 0; i < h; i++) {
            const uint32_t reversed = log_h ? rs_bit_reverse(i, log_h) : 0;
            root(log_n, (n >> (log_h + 2)) * (4 * reversed + 1), &re[h + i], &im[h + i]);
        }
    }
}
