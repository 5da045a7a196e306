// SPDX-License-Identifier: Apache-2.0
// What BFV and BGV have of their own. client.h has their operations: values are integers modulo t, in N slots of two rows of N/2 (t prime and
// 1 mod 2N) or in N coefficients, and a ciphertext that is decrypted in time gives them exactly.
#ifndef RINGSIDE_EXACT_H
#define RINGSIDE_EXACT_H

#include "client.h"

#ifdef __cplusplus
extern "C" {
#endif

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
