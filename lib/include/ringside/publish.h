// SPDX-License-Identifier: Apache-2.0
// Decrypted values for others to see.
//
// Exact decryptions carry the ciphertext's noise, and who sees both the ciphertext and them can compute the secret key (Li, Micciancio
// 2021). Two remedies, which docs/threat-model.md compares: rounding to few bits hides most of the noise but proves nothing; Gaussian noise
// added before it (noise flooding; Li, Micciancio, Schultz, Sorrell 2022) has a proof if it is wide enough for the ciphertext's noise.
#ifndef RINGSIDE_PUBLISH_H
#define RINGSIDE_PUBLISH_H

#include "ckks.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RS_PUBLISH_BITS_MIN = -256, RS_PUBLISH_BITS_MAX = 256, RS_FLOOD_BITS_MIN = 4, RS_FLOOD_BITS_MAX = 57 };

typedef struct rs_publish {
    int32_t bits; // values become multiples of 2^-bits
    uint32_t flood_bits; // 0: no noise is added; else 4 to 57: its deviation per coefficient is rs_flood_deviation(flood_bits)
} rs_publish_t;

// Rounds each value to the nearest multiple of 2^-bits, ties away from zero; a result of zero is +0. Exact for every finite double, the
// same bits everywhere, in a time that does not depend on the values. Values that are not finite stay. RS_ERR_PUBLISH: bits out of range.
RS_API RS_MUST_CHECK rs_status_t rs_publish_round(double *values, size_t count, int32_t bits);

// Decodes as rs_decode does, for publishing: with flood_bits, discrete Gaussian noise is first added to each of the plaintext's N integer
// coefficients (exactly, before any rounding of doubles), from one fresh seed of rng; then every value is rounded to publish->bits.
// rng may be NULL without flood_bits. The plaintext is overwritten. RS_ERR_PUBLISH: bits or flood_bits out of range. RS_ERR_OVERFLOW:
// the noise needs more modulus than the plaintext's limbs have (2^(flood_bits + 8)). On an error, values hold nothing secret.
RS_API size_t rs_decode_public_workspace(const rs_context_t *context);
RS_API RS_MUST_CHECK rs_status_t rs_decode_public(const rs_context_t *context, rs_plaintext_t *plaintext, double *values,
                                                  size_t count, int is_complex, const rs_publish_t *publish, rs_rng_t *rng,
                                                  void *workspace, size_t workspace_bytes);

// Standard deviation of the noise added to each coefficient: at least 2^flood_bits, at most 1.42 times that. 0 out of range.
RS_API double rs_flood_deviation(uint32_t flood_bits);

// Bits after the point that publishing leaves: -log2 of the root-mean-square error that rounding (2^-bits / sqrt 12) and flooding
// (deviation sqrt(N/2) / scale) add to a slot's real part. The ciphertext's own noise comes on top. 0 if `publish` is out of range.
RS_API double rs_precision_published(const rs_context_t *context, const rs_publish_t *publish, double scale);

#ifdef __cplusplus
}
#endif

#endif
