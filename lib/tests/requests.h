// SPDX-License-Identifier: Apache-2.0
// The usual requests of tests, by their arguments. Parameters of tests are too small to be secure.
#ifndef RS_TEST_REQUESTS_H
#define RS_TEST_REQUESTS_H

#include <ringside/golden.h>

static inline rs_status_t params_of_scheme(rs_params_t *params, uint32_t scheme, uint32_t n, const uint32_t *bits,
                                           uint32_t limb_count, uint64_t t) {
    return rs_params_init(params, RS_REQUEST(rs_params_request_t, .security = RS_SECURITY_UNCHECKED, .scheme = scheme, .n = n,
                                             .bits = bits, .limb_count = limb_count, .plain_modulus = t));
}

static inline rs_status_t params_of_bits(rs_params_t *params, uint32_t n, const uint32_t *bits, uint32_t limb_count) {
    return params_of_scheme(params, RS_SCHEME_CKKS, n, bits, limb_count, 0);
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

// ---- one frame after the other -------------------------------------------------------------------------------------------
static inline double *coefs(const rs_plaintext_t *plaintext) { return plaintext->message; }

static inline rs_layout_t reals_or_pairs(int is_complex) { return (rs_layout_t){.is_complex = (uint32_t)is_complex}; }

static inline rs_layout_t layout_of_fixed(const rs_fixed_layout_t *fixed) {
    return (rs_layout_t){
        .format = fixed->format + 1u, .is_complex = fixed->is_complex, .exponent = fixed->exponent, .bound = fixed->bound};
}

static inline rs_status_t encode_values(const rs_context_t *context, rs_plaintext_t *plaintext, const double *values, size_t count,
                                        int is_complex, double scale, uint32_t limbs) {
    const rs_layout_t layout = reals_or_pairs(is_complex);
    return rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .values = values, .count = (uint32_t)count,
                                .layout = &layout, .scale = scale, .limb_count = limbs, .plaintext = plaintext));
}

static inline rs_status_t encode_words(const rs_context_t *context, rs_plaintext_t *plaintext, const double *values, size_t count,
                                       int is_complex, double scale, uint32_t limbs) {
    const rs_layout_t layout = reals_or_pairs(is_complex);
    return rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .values = values, .count = (uint32_t)count, .words = 1,
                                .layout = &layout, .scale = scale, .limb_count = limbs, .plaintext = plaintext));
}

static inline rs_status_t encode_fixed(const rs_context_t *context, const rs_fixed_t *fixed, rs_plaintext_t *plaintext,
                                       const void *values, const rs_fixed_layout_t *how, double scale, uint32_t limbs) {
    const rs_layout_t layout = layout_of_fixed(how);
    return rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .fixed = fixed, .values = values, .count = how->count,
                                .layout = &layout, .scale = scale, .limb_count = limbs, .plaintext = plaintext));
}

static inline rs_status_t decode_public(const rs_context_t *context, rs_plaintext_t *plaintext, double *values, size_t count,
                                        int is_complex, const rs_publish_t *publish, rs_rng_t *rng, void *workspace, size_t bytes) {
    const rs_layout_t layout = reals_or_pairs(is_complex);
    return rs_decode(RS_REQUEST(rs_decode_request_t, .context = context, .plaintext = plaintext, .values = values,
                                .count = (uint32_t)count, .layout = &layout, .publish = publish, .rng = rng,
                                .workspace = {workspace, bytes}));
}

static inline rs_status_t decode_values(const rs_context_t *context, rs_plaintext_t *plaintext, double *values, size_t count,
                                        int is_complex, void *workspace, size_t bytes) {
    return decode_public(context, plaintext, values, count, is_complex, NULL, NULL, workspace, bytes);
}

static inline rs_status_t decode_fixed(const rs_context_t *context, const rs_fixed_t *fixed, rs_plaintext_t *plaintext,
                                       void *values, const rs_fixed_layout_t *how) {
    const rs_layout_t layout = layout_of_fixed(how);
    return rs_decode(RS_REQUEST(rs_decode_request_t, .context = context, .fixed = fixed, .plaintext = plaintext, .values = values,
                                .count = how->count, .layout = &layout));
}

// A ciphertext whose descriptor says beforehand whether it is seeded, and how.
static inline rs_status_t encrypt_secret(const rs_context_t *context, const rs_secret_key_t *key, const rs_plaintext_t *plaintext,
                                         rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t bytes) {
    rs_encrypt_item_t item = {.plaintext = plaintext, .ciphertext = ciphertext};
    return rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .seeded = ciphertext->seeded, .seed_type = ciphertext->seed_type,
                                 .context = context, .secret_key = key, .items = &item, .count = 1, .rng = rng,
                                 .workspace = {workspace, bytes}));
}

static inline rs_status_t encrypt_public(const rs_context_t *context, const rs_ciphertext_t *key, const rs_plaintext_t *plaintext,
                                         uint32_t kind, rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t bytes) {
    rs_encrypt_item_t item = {.plaintext = plaintext, .ciphertext = ciphertext};
    return rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .context = context, .public_key = key, .items = &item,
                                 .count = 1, .rng = rng, .workspace = {workspace, bytes}));
}

static inline rs_status_t decrypt_limbs(const rs_context_t *context, const rs_secret_key_t *key, const rs_ciphertext_t *ciphertext,
                                        uint32_t limbs, rs_plaintext_t *plaintext, void *workspace, size_t bytes) {
    rs_decrypt_item_t item = {.ciphertext = ciphertext, .plaintext = plaintext, .limb_count = limbs};
    return rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = context, .secret_key = key, .items = &item, .count = 1,
                                 .workspace = {workspace, bytes}));
}

// Bytes for an encryption of this kind, a decryption and a decoding without noise.
static inline size_t encrypt_bytes(const rs_context_t *context, uint32_t kind) {
    return rs_encrypt_workspace(RS_REQUEST(rs_encrypt_request_t, .context = context, .kind = kind));
}

static inline size_t decrypt_bytes(const rs_context_t *context) {
    return rs_decrypt_workspace(RS_REQUEST(rs_decrypt_request_t, .context = context));
}

#endif
