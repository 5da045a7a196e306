// SPDX-License-Identifier: Apache-2.0
// Encode, encrypt, decrypt and decode, of every scheme: a request says what, an executor says where. The same requests serve one call
// (rs_encrypt), a pool of threads (rs_encrypt_batch) and a core (rs_device_encrypt).
//
// Objects are small descriptors; the caller owns the arrays behind them. Every object carries the parms_id of its parameters and
// level, and every function refuses objects of another context (RS_ERR_MISMATCH).
#ifndef RINGSIDE_CLIENT_H
#define RINGSIDE_CLIENT_H

#include "ckks.h"
#include "publish.h"

#ifdef __cplusplus
extern "C" {
#endif

// How values lie in memory and in slots. Zero: real doubles in slots.
typedef struct rs_layout {
    uint32_t format; // 0: doubles; else rs_fixed_format_t + 1
    uint32_t is_complex; // 1: pairs (re, im); 0: real parts
    uint32_t packing; // 0: slots
    int32_t exponent; // for numbers in fixed point
    int32_t bound; // with `fixed`: magnitudes of slots are at most (1 - 2^-10) 2^bound
    uint32_t reserved[3];
} rs_layout_t;

// One frame to encrypt: values, which are encoded on the way, or a plaintext.
typedef struct rs_encrypt_item {
    const void *values RS_SECRET;
    const rs_layout_t *layout; // NULL: real doubles
    const rs_plaintext_t *plaintext;
    rs_ciphertext_t *ciphertext;
    double scale; // to encode with
    uint32_t count; // values, at most N/2
    uint32_t limb_count; // 0: all data limbs
    uint32_t status; // set: rs_status_t
    uint32_t reserved[3];
} rs_encrypt_item_t;

typedef struct rs_encrypt_request {
    uint32_t size;
    uint32_t kind; // rs_encryption_t
    uint32_t seeded; // 1: c1 stays a seed; for RS_ENCRYPT_SK
    uint32_t seed_type; // rs_seed_type_t; 0: SHAKE256
    const rs_context_t *context; // on a device NULL: the loaded one, and so the keys
    const rs_secret_key_t *secret_key;
    const rs_ciphertext_t *public_key;
    rs_encrypt_item_t *items;
    size_t count;
    const rs_fixed_t *fixed; // NULL: transforms in doubles
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_encrypt_request_t;

// One frame to decrypt: to values, to a plaintext, or to both.
typedef struct rs_decrypt_item {
    const rs_ciphertext_t *ciphertext;
    rs_plaintext_t *plaintext;
    void *values RS_SECRET;
    const rs_layout_t *layout; // NULL: real doubles
    uint32_t count; // values, at most N/2
    uint32_t limb_count; // 0: all
    uint32_t status; // set: rs_status_t
    uint32_t reserved[3];
} rs_decrypt_item_t;

typedef struct rs_decrypt_request {
    uint32_t size;
    uint32_t reserved;
    const rs_context_t *context;
    const rs_secret_key_t *secret_key;
    rs_decrypt_item_t *items;
    size_t count;
    const rs_fixed_t *fixed; // NULL: transforms in doubles
    const rs_publish_t *publish; // NULL: exact values, which only the key's owner may see (publish.h)
    rs_rng_t *rng; // for noise to publish with
    rs_memory_t workspace;
} rs_decrypt_request_t;

#ifdef __cplusplus
}
#endif

#endif
