// SPDX-License-Identifier: Apache-2.0
// Noise of fresh ciphertexts and precision in bits.
#include <ringside/client.h>

#include "base/doubles.h"
#include "ckks/checks.h"

rs_status_t rs_params_noise_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count, double *variance) {
    if (!params || !variance) return RS_ERR_NULL;
    RS_TRY(rs_zero_variance(params, kind, limb_count, variance));
    *variance += 1.0 / 12; // the variance of encode's rounding
    return RS_OK;
}

// log2 of a positive normal double to about 1e-15: exponent and the series of ln around the mantissa m in [sqrt(1/2), sqrt 2),
// ln m = 2 artanh((m - 1)/(m + 1)).
static double log2_of(double x) {
    const uint64_t bits = rs_bits_of(x);
    int exponent = (int)(bits >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS;
    double m = rs_from_bits((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    if (m > 1.4142135623730951) {
        m /= 2;
        exponent++;
    }
    const double z = (m - 1) / (m + 1);
    double sum = 0;
    for (int k = 27; k >= 1; k -= 2) sum = sum * z * z + 1.0 / k;
    return exponent + 2 * z * sum / 0.69314718055994530942;
}

double rs_precision_predicted(const rs_context_t *context, double variance, double scale) {
    return log2_of(scale) - 0.5 * log2_of(variance * context->n / 2);
}

double rs_precision_published(const rs_context_t *context, const rs_publish_t *publish, double scale) {
    const double flood = rs_flood_deviation(publish->flood_bits);
    if (publish->bits < RS_PUBLISH_BITS_MIN || publish->bits > RS_PUBLISH_BITS_MAX || (rs_floods(publish) && flood == 0)) return 0;
    const double step = rs_power_of_two(-publish->bits);
    return -0.5 * log2_of(flood / scale * (flood / scale) * context->n / 2 + step * step / 12);
}

double rs_precision_measured(const double *got, const double *truth, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += (got[i] - truth[i]) * (got[i] - truth[i]);
    if (!count || sum == 0) return 64;
    return -0.5 * log2_of(sum / (double)count);
}
