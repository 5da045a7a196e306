// SPDX-License-Identifier: Apache-2.0
// What is CKKS's own (Cheon-Kim-Kim-Song 2017 in RNS form, as Microsoft SEAL does it): limbs that values need, noise, precision, and values
// for others to see. client.h has its operations.
#ifndef RINGSIDE_CKKS_H
#define RINGSIDE_CKKS_H

#include "client.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fewest limbs from which values of magnitude up to max_abs at this scale decode exactly, noise of up to noise_bits bits included:
// 2 (scale * max_abs + 2^noise_bits) < q_0 … q_{limbs-1}. 0 if even limb_count limbs do not suffice, or the left side reaches 2^1000.
RS_API uint32_t rs_limbs_needed(const rs_context_t *context, uint32_t limb_count, double scale, double max_abs,
                                uint32_t noise_bits);

// ---- precision ---------------------------------------------------------------------------------------------------------
// Variance of a fresh ciphertext's noise per coefficient; encode rounding (1/12) included.
// The parameters are those of rs_params_check.
RS_API RS_MUST_CHECK rs_status_t rs_params_noise_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count,
                                                          double *variance);
// Bits after the point that survive: -log2 of the root-mean-square error of a slot's real part, sqrt(variance N / 2) / scale.
RS_API double rs_precision_predicted(const rs_context_t *context, double variance, double scale);
// The measured precision: -log2 of the root-mean-square of got[i] - truth[i]. 64 if they are equal.
RS_API double rs_precision_measured(const double *got, const double *truth, size_t count);

// ---- publishing --------------------------------------------------------------------------------------------------------
// Exact decryptions carry the ciphertext's noise, and who sees both the ciphertext and them can compute the secret key (Li, Micciancio
// 2021). Two remedies, which docs/threat-model.md compares: rounding to few bits hides most of the noise but proves nothing; Gaussian noise
// added before it (noise flooding; Li, Micciancio, Schultz, Sorrell 2022) has a proof if it is wide enough for the ciphertext's noise.
// Rounds each value to the nearest multiple of 2^-bits, ties away from zero; a result of zero is +0. Exact for every finite double, the
// same bits everywhere, in a time that does not depend on the values. Values that are not finite stay. RS_ERR_PUBLISH: bits out of range.
RS_API RS_MUST_CHECK rs_status_t rs_publish_round(double *values, size_t count, int32_t bits);

// Standard deviation of the noise added to each coefficient: 2^flood_bits. 0 out of range.
RS_API double rs_flood_deviation(uint32_t flood_bits);

// Bits after the point that publishing leaves: -log2 of the root-mean-square error that rounding (2^-bits / sqrt 12) and flooding
// (deviation sqrt(N/2) / scale) add to a slot's real part. The ciphertext's own noise comes on top. 0 if `publish` is out of range.
RS_API double rs_precision_published(const rs_context_t *context, const rs_publish_t *publish, double scale);

#ifdef __cplusplus
}
#endif

#endif
