// SPDX-License-Identifier: Apache-2.0
// Parameters, context, keys, encryption and decryption for JavaScript (client.h).
#include "client.h"

#include <ringside/context.h>
#include <string.h>

#include "wasm/wasm.h"

// The engine's crypto.getRandomValues; 0 if it worked.
__attribute__((import_module("env"), import_name("random"))) int js_random(void *out, size_t bytes);

static rs_status_t fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    return js_random(out, bytes) ? RS_ERR_RNG : RS_OK;
}

// ---- the module --------------------------------------------------------------------------------------------------------
// 1 if this module computes rightly on this engine.
JS_EXPORT(js_usable) int js_usable(void) {
#ifdef RS_WASM_SIMD
    return rs_wasm_fused();
#else
    return 1;
#endif
}

JS_EXPORT(js_selftest) rs_status_t js_selftest(void) {
    const size_t bytes = rs_selftest_size();
    void *memory = js_alloc(bytes);
    if (!memory) return RS_ERR_NO_MEMORY;
    const rs_status_t status = rs_selftest(memory, bytes);
    js_free(memory);
    return status;
}

JS_EXPORT(js_status_name) const char *js_status_name(uint32_t status) { return rs_status_name((rs_status_t)status); }

JS_EXPORT(js_status_message) const char *js_status_message(uint32_t status) { return rs_status_message((rs_status_t)status); }

JS_EXPORT(js_version) const char *js_version(void) { return rs_version(); }

// ---- parameters --------------------------------------------------------------------------------------------------------
// JavaScript reads log_n, limb_count and moduli at these places.
_Static_assert(offsetof(rs_params_t, log_n) == 0 && offsetof(rs_params_t, limb_count) == 4 && offsetof(rs_params_t, moduli) == 8,
               "places that js/src/memory.js knows");

JS_EXPORT(js_params_new) rs_params_t *js_params_new(void) { return js_alloc(sizeof(rs_params_t)); }

// One of name, moduli, bits. plain: the plain modulus of BFV and BGV, or its bits, or 0.
JS_EXPORT(js_params_init)
rs_status_t js_params_init(rs_params_t *params, const char *name, uint32_t n, const uint64_t *moduli, const uint32_t *bits,
                           uint32_t count, uint32_t security, uint32_t scheme, uint64_t plain, uint32_t plain_bits) {
    return rs_params_init(params, RS_REQUEST(rs_params_request_t, .security = security, .n = n, .name = name, .moduli = moduli,
                                             .bits = bits, .limb_count = count, .scheme = scheme, .plain_modulus = plain,
                                             .plain_bits = plain_bits));
}

JS_EXPORT(js_params_security) uint32_t js_params_security(const rs_params_t *params) {
    return rs_params_security(params, RS_SECURITY_CHECKED);
}

JS_EXPORT(js_params_total_bits) uint32_t js_params_total_bits(const rs_params_t *params, uint32_t limbs) {
    return rs_params_total_bits(params, limbs);
}

// The name of a set, NULL behind the last one.
JS_EXPORT(js_set_name) const char *js_set_name(uint32_t index) {
    rs_set_info_t info;
    return rs_params_set_info(index, &info) == RS_OK ? info.name : NULL;
}

JS_EXPORT(js_set_scale_bits) uint32_t js_set_scale_bits(uint32_t index) {
    rs_set_info_t info;
    return rs_params_set_info(index, &info) == RS_OK ? info.default_scale_bits : 0;
}

// ---- context -----------------------------------------------------------------------------------------------------------
static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// Keys and encryption; a decryption has memory of its own.
static size_t workspace_of(const rs_context_t *context) {
    rs_encrypt_item_t values = {0};
    size_t bytes = 2 * sizeof(uint64_t) * rs_context_n(context); // the checks of keys
    bytes = larger(bytes, rs_keygen_workspace(RS_REQUEST(rs_keygen_request_t, .context = context)));
    return larger(bytes, rs_encrypt_workspace(RS_REQUEST(rs_encrypt_request_t, .kind = RS_ENCRYPT_PK, .context = context,
                                                         .items = &values, .count = 1)));
}

JS_EXPORT(js_context_free) void js_context_free(js_client_t *client) {
    if (!client) return;
    js_free(client->workspace.p);
    js_free(client->context_memory);
    js_free(client);
}

static rs_status_t fill_context(js_client_t *client, const rs_params_t *params) {
    const size_t bytes = rs_context_size(params);
    client->context_memory = js_alloc(bytes);
    if (!client->context_memory) return RS_ERR_NO_MEMORY;
    JS_TRY(rs_context_init(&client->context, RS_REQUEST(rs_context_request_t, .security = RS_SECURITY_UNCHECKED, .params = params,
                                                        .memory = {client->context_memory, bytes})));
    client->workspace.n = workspace_of(client->context);
    client->workspace.p = js_alloc(client->workspace.n);
    client->rng.fill = fill;
    return client->workspace.p ? RS_OK : RS_ERR_NO_MEMORY;
}

// For parameters whose security was checked, or waived, when they were made.
JS_EXPORT(js_context_new) rs_status_t js_context_new(const rs_params_t *params, js_client_t **out) {
    *out = NULL;
    js_client_t *client = js_alloc(sizeof *client);
    if (!client) return RS_ERR_NO_MEMORY;
    const rs_status_t status = fill_context(client, params);
    if (status == RS_OK) {
        *out = client;
    } else {
        js_context_free(client);
    }
    return status;
}

// 32 bytes in the module's memory; NULL if there is no such level.
JS_EXPORT(js_parms_id) const uint8_t *js_parms_id(const js_client_t *client, uint32_t limbs) {
    return rs_context_parms_id(client->context, limbs);
}

// ---- keys --------------------------------------------------------------------------------------------------------------
// Descriptors begin their block, words follow at a multiple of 64 bytes.
enum { DESCRIPTOR = 256 };
_Static_assert(sizeof(rs_ciphertext_t) <= DESCRIPTOR && sizeof(rs_secret_key_t) <= DESCRIPTOR, "room for descriptors");

static size_t words_of(const js_client_t *client, uint32_t polys, uint32_t limbs) {
    return (size_t)polys * limbs * rs_context_n(client->context);
}

rs_secret_key_t *js_secret_block(const js_client_t *client) {
    const uint32_t limbs = rs_context_params(client->context)->limb_count;
    rs_secret_key_t *key = js_alloc(DESCRIPTOR + sizeof(uint64_t) * words_of(client, 1, limbs));
    if (key) key->ntt = (uint64_t *)(void *)((uint8_t *)key + DESCRIPTOR);
    return key;
}

rs_ciphertext_t *js_ciphertext_block(const js_client_t *client, uint32_t polys, uint32_t limbs) {
    rs_ciphertext_t *ciphertext = js_alloc(DESCRIPTOR + sizeof(uint64_t) * words_of(client, polys, limbs));
    if (!ciphertext) return NULL;
    ciphertext->data = (uint64_t *)(void *)((uint8_t *)ciphertext + DESCRIPTOR);
    return ciphertext;
}

JS_EXPORT(js_secret_new) rs_status_t js_secret_new(js_client_t *client, rs_secret_key_t **out) {
    *out = NULL;
    rs_secret_key_t *key = js_secret_block(client);
    if (!key) return RS_ERR_NO_MEMORY;
    const rs_status_t status = rs_keygen_secret(client->context, key, &client->rng);
    return JS_GIVE(status, key, out);
}

// The pair is checked, so that a fault of memory or of the engine does not get out.
static rs_status_t make_public(js_client_t *client, const rs_secret_key_t *secret, rs_ciphertext_t *key) {
    JS_TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .context = client->context, .secret_key = secret, .key = key,
                                .rng = &client->rng, .workspace = client->workspace)));
    return rs_key_check(client->context, secret, key, client->workspace);
}

JS_EXPORT(js_public_new) rs_status_t js_public_new(js_client_t *client, const rs_secret_key_t *secret, rs_ciphertext_t **out) {
    *out = NULL;
    rs_ciphertext_t *key = js_ciphertext_block(client, 2, rs_context_params(client->context)->limb_count);
    if (!key) return RS_ERR_NO_MEMORY;
    const rs_status_t status = make_public(client, secret, key);
    return JS_GIVE(status, key, out);
}

JS_EXPORT(js_pair_check) rs_status_t js_pair_check(js_client_t *client, const rs_secret_key_t *secret, const rs_ciphertext_t *key) {
    return rs_key_check(client->context, secret, key, client->workspace);
}

JS_EXPORT(js_galois_element) rs_status_t js_galois_element(const js_client_t *client, int32_t steps, uint32_t *element) {
    return rs_galois_element(client->context, steps, element);
}

// ---- encrypt and decrypt -----------------------------------------------------------------------------------------------
// One of secret and key. Of a secret key's ciphertext one half stays a seed. `values` is the caller's block, which it wipes: doubles, or words of
// 64 bits for BFV and BGV, which have scale 0 and a packing.
JS_EXPORT(js_encrypt)
rs_status_t js_encrypt(js_client_t *client, const rs_secret_key_t *secret, const rs_ciphertext_t *key, const void *values,
                       size_t count, int is_complex, double scale, uint32_t limbs, uint32_t packing, rs_ciphertext_t **out) {
    *out = NULL;
    if (!secret == !key) return RS_ERR_NULL;
    if (!limbs || limbs > rs_params_data_limbs(rs_context_params(client->context))) return RS_ERR_LEVEL;
    rs_ciphertext_t *made = js_ciphertext_block(client, secret ? 1 : 2, limbs);
    if (!made) return RS_ERR_NO_MEMORY;
    const rs_layout_t layout = {.is_complex = (uint32_t)is_complex, .packing = packing};
    rs_encrypt_item_t item = {
        .values = values, .layout = &layout, .ciphertext = made, .scale = scale, .count = (uint32_t)count, .limb_count = limbs};
    const rs_status_t status = rs_encrypt(RS_REQUEST(
        rs_encrypt_request_t, .kind = secret ? RS_ENCRYPT_SK : RS_ENCRYPT_PK, .seeded = secret != NULL, .context = client->context,
        .secret_key = secret, .public_key = key, .items = &item, .count = 1, .rng = &client->rng, .workspace = client->workspace));
    return JS_GIVE(status, made, out);
}

// limbs: how many of the ciphertext's limbs are read. publish_bits: INT32_MIN for exact values, else they are for others to see.
JS_EXPORT(js_decrypt)
rs_status_t js_decrypt(js_client_t *client, const rs_secret_key_t *secret, const rs_ciphertext_t *ciphertext, uint32_t limbs,
                       void *values, size_t count, int is_complex, int32_t publish_bits, uint32_t flood_bits, uint32_t packing) {
    if (!limbs || limbs > ciphertext->limb_count) return RS_ERR_LEVEL;
    const rs_publish_t publish = {publish_bits, flood_bits ? flood_bits : RS_FLOOD_NONE};
    const rs_layout_t layout = {.is_complex = (uint32_t)is_complex, .packing = packing};
    rs_decrypt_item_t item = {
        .ciphertext = ciphertext, .values = values, .layout = &layout, .count = (uint32_t)count, .limb_count = limbs};
    rs_decrypt_request_t request = {.size = sizeof request,
                                    .context = client->context,
                                    .secret_key = secret,
                                    .items = &item,
                                    .count = 1,
                                    .publish = publish_bits == INT32_MIN ? NULL : &publish,
                                    .rng = &client->rng};
    request.workspace.n = rs_decrypt_workspace(&request);
    request.workspace.p = js_alloc(request.workspace.n);
    if (!request.workspace.p) return RS_ERR_NO_MEMORY;
    const rs_status_t status = rs_decrypt(&request);
    js_free(request.workspace.p);
    return status;
}

JS_EXPORT(js_limbs_needed)
uint32_t js_limbs_needed(const js_client_t *client, uint32_t limbs, double scale, double max_abs, uint32_t noise_bits) {
    return rs_limbs_needed(client->context, limbs, scale, max_abs, noise_bits);
}

// ---- members -----------------------------------------------------------------------------------------------------------
#define MEMBER(type, object, member) \
    JS_EXPORT(js_##object##_##member) type js_##object##_##member(const rs_##object##_t *object) { return object->member; }

MEMBER(uint32_t, params, scheme)
MEMBER(uint64_t, params, plain_modulus)
MEMBER(uint32_t, ciphertext, limb_count)
MEMBER(uint32_t, ciphertext, poly_count)
MEMBER(uint32_t, ciphertext, seeded)
MEMBER(double, ciphertext, scale)
