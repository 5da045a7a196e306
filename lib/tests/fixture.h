// SPDX-License-Identifier: Apache-2.0
// A context with keys and buffers for tests of the operations; all of it goes when the test ends.
#ifndef RS_FIXTURE_H
#define RS_FIXTURE_H

#include <ringside/exact.h>

#include "requests.h"
#include "rs_test.h"

typedef struct fixture {
    rs_params_t params;
    const rs_context_t *context;
    uint32_t n;
    uint32_t data_limbs;
    rs_rng_t rng;
    rs_rng_deterministic_t rng_state;
    size_t workspace_bytes;
    void *workspace;
    rs_secret_key_t secret;
    rs_ciphertext_t public_key;
} fixture_t;

static inline uint64_t *words(size_t count) { return rs_test_own(calloc(count, sizeof(uint64_t))); }

static inline double *doubles(size_t count) { return rs_test_own(calloc(count, sizeof(double))); }

// The context of the back end in use. NULL: the check has failed.
static inline const rs_context_t *context_with(rs_params_t *params, uint32_t n, const uint32_t *bits, uint32_t limb_count) {
    const rs_context_t *context = NULL;
    if (!CHECK_OK(params_of_bits(params, n, bits, limb_count))) return NULL;
    const size_t size = rs_context_size(params);
    CHECK_OK(context_in(&context, words(size / 8 + 1), size, params));
    return context;
}

static inline int is_zero(const void *memory, size_t bytes) {
    const uint8_t *p = memory;
    for (size_t i = 0; i < bytes; i++) {
        if (p[i]) return 0;
    }
    return 1;
}

static inline void fixture_seed(fixture_t *f, uint8_t number) {
    rs_seed_t seed = {{number}};
    CHECK_OK(rs_rng_deterministic(&f->rng, &f->rng_state, &seed, "insecure-deterministic"));
}

static inline void fixture_of(fixture_t *f, const rs_params_t *params) {
    const size_t size = rs_context_size(params), n = (size_t)1 << params->log_n;
    const uint32_t limb_count = params->limb_count;
    memset(f, 0, sizeof *f);
    f->params = *params;
    CHECK_OK(context_in(&f->context, words(size / 8 + 1), size, params));
    f->n = (uint32_t)n;
    f->data_limbs = rs_params_data_limbs(&f->params);
    fixture_seed(f, 1);
    const size_t budget = params->scheme == RS_SCHEME_CKKS ? 0 : rs_noise_budget_workspace(f->context, f->data_limbs);
    f->workspace_bytes = encrypt_bytes(f->context, RS_ENCRYPT_PK); // the largest of CKKS
    if (budget > f->workspace_bytes) f->workspace_bytes = budget;
    f->workspace = words(f->workspace_bytes / 8 + 1);
    f->secret.ntt = words((size_t)limb_count * n);
    CHECK_OK(rs_keygen_secret(f->context, &f->secret, &f->rng));
    f->public_key = (rs_ciphertext_t){.data = words(2 * (size_t)limb_count * n), .seed_type = RS_SEED_SHAKE256};
    CHECK_OK(keygen_public(f->context, &f->secret, &f->public_key, &f->rng, f->workspace, f->workspace_bytes));
}

static inline rs_memory_t fixture_room(const fixture_t *f) { return (rs_memory_t){f->workspace, f->workspace_bytes}; }

static inline void fixture_init(fixture_t *f, uint32_t n, const uint32_t *bits, uint32_t limb_count) {
    rs_params_t params;
    memset(f, 0, sizeof *f);
    if (CHECK_OK(params_of_bits(&params, n, bits, limb_count))) fixture_of(f, &params);
}

static inline rs_status_t fixture_encrypt(fixture_t *f, rs_encryption_t kind, const rs_plaintext_t *message, rs_ciphertext_t *out) {
    if (kind == RS_ENCRYPT_SK)
        return encrypt_secret(f->context, &f->secret, message, out, &f->rng, f->workspace, f->workspace_bytes);
    return encrypt_public(f->context, &f->public_key, message, kind, out, &f->rng, f->workspace, f->workspace_bytes);
}

static inline rs_status_t fixture_decrypt(const fixture_t *f, const rs_ciphertext_t *ct, uint32_t limbs, rs_plaintext_t *out) {
    return decrypt_limbs(f->context, &f->secret, ct, limbs, out, f->workspace, f->workspace_bytes);
}

// One item, with the key that its kind takes; what else a request says: by its members.
#define FIXTURE_ENCRYPT(f, item, ...) fixture_encrypt_item(f, item, (rs_encrypt_request_t){__VA_ARGS__})
#define FIXTURE_DECRYPT(f, item, ...) fixture_decrypt_item(f, item, (rs_decrypt_request_t){__VA_ARGS__})

static inline rs_status_t fixture_encrypt_item(fixture_t *f, rs_encrypt_item_t item, rs_encrypt_request_t request) {
    request.size = sizeof request;
    request.context = f->context;
    if (request.kind == RS_ENCRYPT_SK) request.secret_key = &f->secret;
    if (request.kind != RS_ENCRYPT_SK) request.public_key = &f->public_key;
    request.items = &item;
    request.count = 1;
    request.rng = &f->rng;
    request.workspace = fixture_room(f);
    return rs_encrypt(&request);
}

static inline rs_status_t fixture_decrypt_item(const fixture_t *f, rs_decrypt_item_t item, rs_decrypt_request_t request) {
    request.size = sizeof request;
    request.context = f->context;
    request.secret_key = &f->secret;
    request.items = &item;
    request.count = 1;
    request.workspace = fixture_room(f);
    return rs_decrypt(&request);
}

#endif
