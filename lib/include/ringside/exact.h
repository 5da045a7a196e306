// SPDX-License-Identifier: Apache-2.0
// What BFV and BGV have of their own. client.h has their operations: values are integers modulo t, in N slots of two rows of N/2 (t prime and
// 1 mod 2N) or in N coefficients, and a ciphertext that is decrypted in time gives them exactly.
#ifndef RINGSIDE_EXACT_H
#define RINGSIDE_EXACT_H

#include "client.h"

#ifdef __cplusplus
extern "C" {
#endif

// Decryption of BFV. A ciphertext of two polynomials in coefficient form, not seeded, is first switched to its first modulus q_0, without the key, where
// t sqrt(62 N) / q_0 and what fixed point adds to it are at most 2^-4: 2 transforms in place of 2 a limb, and the same message as from all moduli,
// unless some coefficient's noise is within that margin of its limit, which leaves less than 1 bit of budget (there the two may differ), or, with a
// chance of 2^-128 in 2^32 ciphertexts, what is rounded meets the key's signs. With margin_bits nothing is switched.

// How many bits the noise may grow before the message is lost: SEAL's invariant_noise_budget. It tells about the noise, and so about the
// secret key: who answers others must not show it, nor act on it (docs/threat-model.md). consent: "owner".
// RS_ERR_CONSENT; RS_ERR_SCHEME: of CKKS.
RS_API size_t rs_noise_budget_workspace(const rs_context_t *context, uint32_t limb_count);
RS_API RS_MUST_CHECK rs_status_t rs_noise_budget(const rs_context_t *context, const rs_secret_key_t *secret_key,
                                                 const rs_ciphertext_t *ciphertext, const char *consent, uint32_t *bits,
                                                 rs_memory_t workspace);

#ifdef __cplusplus
}
#endif

#endif
