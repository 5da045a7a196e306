// SPDX-License-Identifier: Apache-2.0
// Noise by formula: log2 of the root mean square of c f, or c f^2 after a product. g = expansion sqrt n is what a product of polynomials with
// independent coefficients of mean 0 gains.
#include <math.h>

#include "scheme/scheme.h"

static const double TERNARY = 2.0 / 3, FRACTION = 1.0 / 3; // variances: ternary; uniform in (-1, 1)
static const double SECRET = 8.0 / 3; // variance of 2 u + 1: 4 2/3, but for one coefficient

static double gain(const rs_ltv_t *ltv) { return ltv->expansion * sqrt((double)ltv->info.n); }

// 2 (g s + e f)
static double key_noise(const rs_ltv_t *ltv) { return 2 * gain(ltv) * sqrt(TERNARY * TERNARY + TERNARY * SECRET); }

double ltv_noise_sum(double a, double b) { return log2(exp2(2 * a) + exp2(2 * b)) / 2; }

// and the message, bits with mean square 1/2, times f
double ltv_noise_fresh(const rs_ltv_t *ltv) { return ltv_noise_sum(log2(key_noise(ltv)), log2(gain(ltv) * sqrt(SECRET / 2))); }

double ltv_noise_floor(const rs_ltv_t *ltv) { return log2(gain(ltv) * sqrt(FRACTION * SECRET)); }

// In the ring the two factors are products already: the expansion counts once less.
double ltv_noise_product(const rs_ltv_t *ltv, double a, double b, double terms) {
    return a + b + log2((double)ltv->info.n) / 2 - log2(ltv->expansion) + log2(terms) / 2;
}

double ltv_noise_relinearised(const rs_ltv_t *ltv, double product, uint32_t level) {
    if (ltv->params.special) return ltv_noise_sum(product, ltv_noise_floor(ltv));
    const double digit = log2(65536 / sqrt(12)), windows = ltv_window_count(&ltv->params, level);
    const double added = digit + log2(key_noise(ltv)) + log2((double)ltv->info.n) / 2 + log2(windows) / 2;
    return ltv_noise_sum(product, added);
}

double ltv_noise_switched(const rs_ltv_t *ltv, double noise) {
    return ltv_noise_sum(noise - ltv->params.prime_bits, ltv_noise_floor(ltv));
}

// What decryption measures is at most two primes long.
double ltv_noise_bound(const rs_ltv_t *ltv, uint32_t level) {
    return log2(ltv->mods[0].p) + (level > 1 ? log2(ltv->mods[1].p) : 0) - 1;
}
