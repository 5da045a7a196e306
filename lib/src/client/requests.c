// SPDX-License-Identifier: Apache-2.0
// The operations of client.h: checks of requests, item after item.
#include "client/scheme.h"

rs_status_t rs_encode(const rs_encode_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    if (!request->context || !request->plaintext || (!request->values && request->count)) return RS_ERR_NULL;
    return request->context->calls->encode(request);
}

size_t rs_decode_workspace(const rs_decode_request_t *request) {
    const rs_scheme_calls_t *calls = request->context ? request->context->calls : NULL;
    return calls && calls->decode_workspace ? calls->decode_workspace(request) : 0;
}

rs_status_t rs_decode(const rs_decode_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    if (!request->context || !request->plaintext || (!request->values && request->count)) return RS_ERR_NULL;
    return request->context->calls->decode(request);
}

rs_status_t rs_plaintext_limb(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb, uint64_t *out) {
    if (!context || !plaintext || !out) return RS_ERR_NULL;
    RS_TRY(rs_check_id(context, plaintext->parms_id, plaintext->limb_count));
    return limb < plaintext->limb_count ? context->calls->limb(context, plaintext, limb, out) : RS_ERR_LEVEL;
}

// ---- encrypt -----------------------------------------------------------------------------------------------------------
rs_status_t rs_check_encrypt(const rs_encrypt_request_t *r) {
    if (!r->context || !r->rng || !r->rng->fill || (!r->items && r->count)) return RS_ERR_NULL;
    if (r->kind > RS_ENCRYPT_PK_DIRECT || r->seeded > 1) return RS_ERR_OPTION;
    if (r->ntt > (r->context->params.scheme == RS_SCHEME_BFV)) return RS_ERR_OPTION;
    if (r->reserved) return RS_ERR_STRUCT;
    if (r->kind == RS_ENCRYPT_SK) {
        if (r->public_key) return RS_ERR_OPTION;
        if (r->seed_type && r->seed_type != RS_SEED_BLAKE2XB && r->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
        return rs_check_secret(r->context, r->secret_key);
    }
    if (r->secret_key || r->seeded || r->seed_type) return RS_ERR_OPTION;
    if (!r->public_key || !r->public_key->data) return RS_ERR_NULL;
    return rs_check_public_key(r->context, r->public_key);
}

size_t rs_encrypt_workspace(const rs_encrypt_request_t *request) {
    return request->context ? request->context->calls->encrypt_workspace(request) : 0;
}

rs_status_t rs_encrypt_one(const rs_encrypt_request_t *request, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    if (!item->ciphertext || !item->ciphertext->data) return RS_ERR_NULL;
    if (item->reserved[0] | item->reserved[1] | item->reserved[2]) return RS_ERR_STRUCT;
    if (item->plaintext && (item->values || item->layout || item->count || item->limb_count || item->scale != 0)) {
        return RS_ERR_OPTION;
    }
    return request->context->calls->encrypt(request, item, rng, workspace);
}

rs_status_t rs_encrypt(const rs_encrypt_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    rs_status_t status = rs_check_encrypt(request);
    const size_t bytes = status == RS_OK && request->count ? rs_encrypt_workspace(request) : 0;
    if (status == RS_OK) status = rs_check_memory(request->workspace, bytes);
    if (status != RS_OK) RS_REFUSE(request, status);
    for (size_t i = 0; i < request->count; i++) {
        rs_encrypt_item_t *item = &request->items[i];
        item->status = rs_encrypt_one(request, item, request->rng, request->workspace.p);
        if (status == RS_OK) status = (rs_status_t)item->status;
    }
    if (!bytes) return status;
    const rs_scheme_calls_t *calls = request->context->calls;
    const size_t wiped = calls->encrypt_wiped ? calls->encrypt_wiped(request) : 0;
    rs_zeroize((uint8_t *)request->workspace.p + wiped, bytes - wiped);
    return status;
}

// ---- decrypt -----------------------------------------------------------------------------------------------------------
rs_status_t rs_check_decrypt(const rs_decrypt_request_t *r) {
    if (!r->context || (!r->items && r->count)) return RS_ERR_NULL;
    RS_TRY(r->context->calls->check_decrypt(r));
    return rs_check_secret(r->context, r->secret_key);
}

size_t rs_decrypt_workspace(const rs_decrypt_request_t *request) {
    return request->context ? request->context->calls->decrypt_workspace(request) : 0;
}

rs_status_t rs_decrypt_one(const rs_decrypt_request_t *request, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    const rs_ciphertext_t *ciphertext = item->ciphertext;
    if (!ciphertext || !ciphertext->data) return RS_ERR_NULL;
    if (item->reserved[0] | item->reserved[1] | item->reserved[2]) return RS_ERR_STRUCT;
    if (!item->values && (item->count || item->layout)) return RS_ERR_OPTION;
    RS_TRY(rs_check_ciphertext(request->context, ciphertext));
    if (ciphertext->poly_count < 2 || ciphertext->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
    return request->context->calls->decrypt(request, item, rng, workspace);
}

rs_status_t rs_decrypt(const rs_decrypt_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    rs_status_t status = rs_check_decrypt(request);
    const size_t bytes = status == RS_OK && request->count ? rs_decrypt_workspace(request) : 0;
    if (status == RS_OK) status = rs_check_memory(request->workspace, bytes);
    if (status != RS_OK) RS_REFUSE(request, status);
    for (size_t i = 0; i < request->count; i++) {
        rs_decrypt_item_t *item = &request->items[i];
        item->status = rs_decrypt_one(request, item, request->rng, request->workspace.p);
        if (status == RS_OK) status = (rs_status_t)item->status;
    }
    if (!bytes) return status;
    const rs_scheme_calls_t *calls = request->context->calls;
    const size_t wiped = calls->decrypt_wiped ? calls->decrypt_wiped(request) : 0;
    rs_zeroize((uint8_t *)request->workspace.p + wiped, bytes - wiped);
    return status;
}
