// SPDX-License-Identifier: Apache-2.0
// Batches: encode and encrypt, or decrypt and decode, many frames on the threads of a pool. Not part of the freestanding core.
//
// The results are those of rs_encode and rs_encrypt_*, or of rs_decrypt and rs_decode, frame after frame, for any pool: the calling
// thread draws all seeds, in the order of the frames, before any work begins. Seeds are also drawn for a frame that fails. It does not
// disturb the others: they are computed in any case.
// Workspaces: as in ckks.h, for all threads together; wiped before return.
#ifndef RINGSIDE_BATCH_H
#define RINGSIDE_BATCH_H

#include "ckks.h"
#include "pool.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rs_frame {
    double *values; // count doubles if is_complex is 0, else count (re, im) pairs; encryption only reads them
    size_t count; // at most N/2
    int is_complex;
    uint32_t limb_count; // encrypt: of the ciphertext. decrypt: to use, at most the ciphertext's (rs_limbs_needed: the fewest)
    double scale; // encrypt: to encode with. decrypt: not used
    rs_status_t status; // set: the result of this frame
} rs_frame_t;

typedef struct rs_batch {
    rs_frame_t *frames;
    rs_ciphertext_t *ciphertexts; // prepared as for the function that takes one; decryption only reads them
    size_t count; // elements of both; 0 is allowed
    size_t failed; // set: lowest frame whose status is not RS_OK; count if there is none
} rs_batch_t;

// Bytes of workspace. pool NULL: none. limb_count: the largest one of the frames.
RS_API size_t rs_encrypt_batch_workspace(const rs_context_t *context, rs_encryption_t kind, size_t count, const rs_pool_t *pool);
RS_API size_t rs_decrypt_batch_workspace(const rs_context_t *context, uint32_t limb_count, size_t count, const rs_pool_t *pool);

// pool NULL: computed by the calling thread. Returns the status of the lowest frame that failed. Frames whose status is RS_OK are
// valid; of the others the arrays may have been overwritten but hold no secrets, and the descriptors are as they were.
// Errors that belong to no single frame (batch->failed is count): RS_ERR_NULL, RS_ERR_MEMORY and RS_ERR_ALIGNMENT of the workspace,
// RS_ERR_THREADS (a pool of 0 threads), RS_ERR_RNG. Then nothing was computed, and statuses mean nothing.
RS_API RS_MUST_CHECK rs_status_t rs_encrypt_batch_secret(const rs_context_t *context, const rs_secret_key_t *key, rs_batch_t *batch,
                                                         rs_rng_t *rng, const rs_pool_t *pool, void *workspace,
                                                         size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_encrypt_batch_public(const rs_context_t *context, const rs_ciphertext_t *key,
                                                         rs_encryption_t kind, rs_batch_t *batch, rs_rng_t *rng,
                                                         const rs_pool_t *pool, void *workspace, size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_decrypt_batch(const rs_context_t *context, const rs_secret_key_t *key, rs_batch_t *batch,
                                                  const rs_pool_t *pool, void *workspace, size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif
