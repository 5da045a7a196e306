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
#include "base/bytes.h"
#include "encoding/encoding.h"

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

void rs_fft_portable_inverse(const rs_fft_t *fft, double *re, double *im, double fix) {
    const uint32_t points = (uint32_t)1 << (fft->log_n - 1);
    const uint64_t floor = rs_fft_floor(fix, fft->log_n);
    drop_small(re, points, floor);
    drop_small(im, points, floor);
    size_t gap = 1;
    for (uint32_t h = points / 2; h >= 1; h /= 2, gap *= 2) {
        for (uint32_t i = 0; i < h; i++) {
            const double wr = fft->re[h + i];
            const double wi = fft->im[h + i];
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

void rs_fft_portable_forward(const rs_fft_t *fft, double *re, double *im) {
    const uint32_t points = (uint32_t)1 << (fft->log_n - 1);
    size_t gap = points / 2;
    for (uint32_t h = 1; h < points; h *= 2, gap /= 2) {
        for (uint32_t i = 0; i < h; i++) {
            const double wr = fft->re[h + i];
            const double wi = fft->im[h + i];
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
