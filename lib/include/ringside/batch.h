// SPDX-License-Identifier: Apache-2.0
// Batches: the requests of client.h on the threads of a pool. Not part of the freestanding core.
//
// The results are those of rs_encrypt and rs_decrypt, item after item, for any pool: the calling thread draws all seeds, in the order of
// the items, before any work begins. Seeds are also drawn for an item that fails. pool NULL: computed by the calling thread.
// Workspaces: for all threads together; wiped before return.
#ifndef RINGSIDE_BATCH_H
#define RINGSIDE_BATCH_H

#include "client.h"
#include "pool.h"

#ifdef __cplusplus
extern "C" {
#endif

RS_API size_t rs_encrypt_batch_workspace(const rs_encrypt_request_t *request, const rs_pool_t *pool);
RS_API size_t rs_decrypt_batch_workspace(const rs_decrypt_request_t *request, const rs_pool_t *pool);

// RS_ERR_THREADS: a pool of 0 threads; in an item: the pool left it out.
RS_API RS_MUST_CHECK rs_status_t rs_encrypt_batch(const rs_encrypt_request_t *request, const rs_pool_t *pool);
RS_API RS_MUST_CHECK rs_status_t rs_decrypt_batch(const rs_decrypt_request_t *request, const rs_pool_t *pool);

#ifdef __cplusplus
}
#endif

#endif
