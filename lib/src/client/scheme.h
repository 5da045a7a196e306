// SPDX-License-Identifier: Apache-2.0
// What a scheme does with the requests of client.h, and the steps that one call and a pool of threads share.
#ifndef RINGSIDE_CLIENT_SCHEME_H
#define RINGSIDE_CLIENT_SCHEME_H

#include <ringside/client.h>

#include "rlwe/checks.h"

// Requests and items are those of the functions below, of a context of this scheme.
typedef struct rs_scheme_calls {
    rs_status_t (*encode)(const rs_encode_request_t *request);
    size_t (*decode_workspace)(const rs_decode_request_t *request);
    rs_status_t (*decode)(const rs_decode_request_t *request);
    // as rs_plaintext_limb, of a plaintext and a limb that belong to the context
    rs_status_t (*limb)(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb, uint64_t *out);
    size_t (*encrypt_workspace)(const rs_encrypt_request_t *request);
    rs_status_t (*encrypt)(const rs_encrypt_request_t *request, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace);
    rs_status_t (*check_decrypt)(const rs_decrypt_request_t *request); // what is the scheme's own
    size_t (*decrypt_workspace)(const rs_decrypt_request_t *request);
    rs_status_t (*decrypt)(const rs_decrypt_request_t *request, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace);
    // bytes at the beginning of a workspace that are clean after each item; NULL, as of decode_workspace: none
    size_t (*encrypt_wiped)(const rs_encrypt_request_t *request);
    size_t (*decrypt_wiped)(const rs_decrypt_request_t *request);
} rs_scheme_calls_t;

// All of a request but its items and its workspace.
rs_status_t rs_check_encrypt(const rs_encrypt_request_t *request);
rs_status_t rs_check_decrypt(const rs_decrypt_request_t *request);
// One item, with seeds of rng, in the request's workspace or another of its size, which holds secrets afterwards.
rs_status_t rs_encrypt_one(const rs_encrypt_request_t *request, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace);
rs_status_t rs_decrypt_one(const rs_decrypt_request_t *request, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace);
// An error of no single item.
#define RS_REFUSE(request, error)                                                                             \
    do {                                                                                                      \
        for (size_t i = 0; (request)->items && i < (request)->count; i++) (request)->items[i].status = error; \
        return error;                                                                                         \
    } while (0)

#endif
