// SPDX-License-Identifier: Apache-2.0
// The usual requests of tests, by their arguments. Parameters of tests are too small to be secure.
#ifndef RS_TEST_REQUESTS_H
#define RS_TEST_REQUESTS_H

#include <ringside/ringside.h>

static inline rs_status_t params_of_bits(rs_params_t *params, uint32_t n, const uint32_t *bits, uint32_t limb_count) {
    return rs_params_init(
        params, RS_REQUEST(rs_params_request_t, .security = RS_SECURITY_UNCHECKED, .n = n, .bits = bits, .limb_count = limb_count));
}

static inline rs_status_t params_of_moduli(rs_params_t *params, uint32_t n, const uint64_t *moduli, uint32_t limb_count) {
    return rs_params_init(params, RS_REQUEST(rs_params_request_t, .security = RS_SECURITY_UNCHECKED, .n = n, .moduli = moduli,
                                             .limb_count = limb_count));
}

static inline rs_status_t context_in(const rs_context_t **context, void *memory, size_t bytes, const rs_params_t *params) {
    return rs_context_init(
        context, RS_REQUEST(rs_context_request_t, .security = RS_SECURITY_UNCHECKED, .params = params, .memory = {memory, bytes}));
}

// A key whose descriptor says beforehand whether it is seeded, and how.
static inline rs_status_t keygen_of(uint32_t kind, const rs_context_t *context, const rs_secret_key_t *secret, uint32_t element,
                                    uint32_t index, rs_ciphertext_t *key, rs_rng_t *rng, rs_memory_t workspace) {
    return rs_keygen(RS_REQUEST(rs_keygen_request_t, .kind = kind, .element = element, .index = index, .seeded = key->seeded,
                                .seed_type = key->seed_type, .context = context, .secret_key = secret, .key = key, .rng = rng,
                                .workspace = workspace));
}

static inline rs_status_t keygen_public(const rs_context_t *context, const rs_secret_key_t *secret, rs_ciphertext_t *key,
                                        rs_rng_t *rng, void *workspace, size_t bytes) {
    return keygen_of(RS_KEY_PUBLIC, context, secret, 0, 0, key, rng, (rs_memory_t){workspace, bytes});
}

static inline rs_status_t keygen_switch(const rs_context_t *context, const rs_secret_key_t *secret, uint32_t element,
                                        uint32_t index, rs_ciphertext_t *key, rs_rng_t *rng, void *workspace, size_t bytes) {
    return keygen_of(RS_KEY_SWITCH, context, secret, element, index, key, rng, (rs_memory_t){workspace, bytes});
}

#endif
