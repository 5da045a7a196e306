// SPDX-License-Identifier: Apache-2.0
// A context with keys and buffers for tests of the operations.
#ifndef RS_FIXTURE_H
#define RS_FIXTURE_H

#include <ringside/ringside.h>

#include "rs_test.h"

typedef struct fixture {
    rs_params_t params;
    void *memory;
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

static inline uint64_t *words(size_t count) {
    uint64_t *p = calloc(count, sizeof *p);
    if (!p) abort();
    return p;
}

static inline void fixture_seed(fixture_t *f, uint8_t number) {
    rs_seed_t seed = {{number}};
    CHECK_OK(rs_rng_deterministic(&f->rng, &f->rng_state, &seed, "insecure-deterministic"));
}

static inline void fixture_init(fixture_t *f, uint32_t n, const uint32_t *bits, uint32_t limb_count) {
    memset(f, 0, sizeof *f);
    CHECK_OK(rs_params_from_bits(&f->params, n, bits, limb_count, 0));
    const size_t size = rs_context_size(&f->params);
    f->memory = words(size / 8 + 1);
    CHECK_OK(rs_context_init(&f->context, f->memory, size, &f->params, 0));
    f->n = n;
    f->data_limbs = rs_params_data_limbs(&f->params);
    fixture_seed(f, 1);
    f->workspace_bytes = rs_encrypt_workspace(f->context, RS_ENCRYPT_PK); // the largest
    f->workspace = words(f->workspace_bytes / 8 + 1);
    f->secret.ntt = words((size_t)limb_count * n);
    CHECK_OK(rs_keygen_secret(f->context, &f->secret, &f->rng));
    f->public_key = (rs_ciphertext_t){.data = words(2 * (size_t)limb_count * n), .seed_type = RS_SEED_SHAKE256};
    CHECK_OK(rs_keygen_public(f->context, &f->secret, &f->public_key, &f->rng, f->workspace, f->workspace_bytes));
}

static inline void fixture_free(fixture_t *f) {
    free(f->memory);
    free(f->workspace);
    free(f->secret.ntt);
    free(f->public_key.data);
}

#endif
