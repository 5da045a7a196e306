// SPDX-License-Identifier: Apache-2.0
// Wide discrete Gaussians as integer combinations of narrow ones (Micciancio, Walter 2017, "Gaussian Sampling over the Integers").
//
// If x1 and x2 are discrete Gaussians of variance v, x1 + k x2 is one of variance v (1 + k^2) up to a relative error of about epsilon,
// provided that 2 pi v >= eta^2 (1 + k^2) with eta^2 = ln(2 + 2/epsilon) / pi (the smoothing parameter of the integers). Here epsilon is
// 2^-80, eta^2 < 17.88, and 2 pi / 17.88 > 0.35. The narrow Gaussian has a deviation of 9 and comes from a table of its distribution
// function with 126 bits: 2^-120 per value are lost.
#include "sampling/gaussian.h"

#include "base/bytes.h"
#include "sampling/samplers.h"

enum { DRAW_BYTES = 16, DRAWS_MAX = 1 << RS_GAUSSIAN_LEVELS_MAX, CHUNK_VALUES = 4 };

typedef struct row {
    uint64_t high;
    uint64_t low;
} row_t;

static const row_t TABLE[] = {
#include "sampling/gaussian_table.inc"
};

// Largest k with 1 + k^2 <= limit; limit below 2^80.
static int64_t largest_factor(double limit) {
    int64_t k = 0;
    for (int64_t bit = (int64_t)1 << 40; bit; bit /= 2) {
        const double next = (double)(k + bit);
        if (1 + next * next <= limit) k += bit;
    }
    return k;
}

rs_gaussian_t rs_gaussian(uint32_t bits) {
    const double wanted = (double)((uint64_t)1 << bits) * (double)((uint64_t)1 << bits);
    rs_gaussian_t g = {.variance = 81};
    while (g.variance < wanted && g.levels < RS_GAUSSIAN_LEVELS_MAX) {
        const int64_t smooth = largest_factor(0.35 * g.variance);
        const int64_t enough = largest_factor(wanted / g.variance) + 1;
        const int64_t k = smooth < enough ? smooth : enough;
        g.factor[g.levels++] = k;
        g.variance *= 1 + (double)k * (double)k;
    }
    return g;
}

// A value of the narrow Gaussian from 16 bytes: a sign, and how many rows of the table are not above 126 bits.
static int64_t narrow(const uint8_t *bytes) {
    const uint64_t first = rs_load64(bytes);
    const uint64_t high = first & (UINT64_MAX >> 1);
    const uint64_t low = rs_load64(bytes + 8) >> 1;
    const uint64_t sign = rs_opaque(0 - (first >> 63));
    uint64_t magnitude = 0;
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        const uint64_t borrow = (low - TABLE[i].low) >> 63; // all words are below 2^63
        magnitude += 1 ^ ((high - TABLE[i].high - borrow) >> 63);
    }
    return (int64_t)((magnitude ^ sign) - sign);
}

void rs_draw_gaussian(const rs_hash_t *hash, int64_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain,
                      const rs_gaussian_t *gaussian) {
    const size_t draws = (size_t)1 << gaussian->levels;
    uint8_t bytes[CHUNK_VALUES * DRAWS_MAX * DRAW_BYTES];
    int64_t x[DRAWS_MAX];
    const size_t chunk = sizeof bytes / DRAW_BYTES >> gaussian->levels; // a shift: no code divides (tests/bare)
    for (size_t done = 0; done < n; done += chunk) {
        const size_t take = n - done < chunk ? n - done : chunk;
        rs_draw_stream(hash, bytes, take * draws * DRAW_BYTES, seed, domain, (uint64_t)done * draws * DRAW_BYTES);
        for (size_t i = 0; i < take; i++) {
            for (size_t k = 0; k < draws; k++) x[k] = narrow(bytes + (i * draws + k) * DRAW_BYTES);
            for (uint32_t level = 0; level < gaussian->levels; level++) {
                for (size_t k = 0; k < draws >> (level + 1); k++) x[k] = x[2 * k] + gaussian->factor[level] * x[2 * k + 1];
            }
            out[done + i] = x[0];
        }
    }
    rs_zeroize(bytes, sizeof bytes);
    rs_zeroize(x, sizeof x);
}
