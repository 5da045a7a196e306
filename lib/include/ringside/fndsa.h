// SPDX-License-Identifier: Apache-2.0
// PROVISIONAL: verification of FN-DSA, by the only text that there is of it: Falcon as submitted to round 3 of NIST's competition ("Falcon:
// Fast-Fourier Lattice-based Compact Signatures over NTRU", specification v1.2, 1 October 2020). FIPS 206 is not published. It will change what is
// hashed, so that its signatures will not be valid here, nor these there; this header will follow it. Algorithm and section numbers are those of v1.2.
//
// Keys and signatures are bytes as v1.2 lays them out, headers included. Signing is not here: it needs floating point in constant time.
// Everything is public, but perhaps the message, of which only the time of HashToPoint tells something: how many of its hash's words are rejected.
#ifndef RINGSIDE_FNDSA_H
#define RINGSIDE_FNDSA_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// The degree n. q = 12289 in both.
typedef enum rs_fndsa_set {
    RS_FNDSA_512 = 512, // category 1
    RS_FNDSA_1024 = 1024, // category 5
} rs_fndsa_set_t;

// How a signature is encoded (section 3.11.3).
typedef enum rs_fndsa_form {
    RS_FNDSA_PADDED = 0, // always as many bytes as rs_fndsa_sizes says; what is behind the compressed s2 is zero
    RS_FNDSA_COMPRESSED = 1, // as long as the compressed s2 is, up to the last bit that is used; zeros to the end of that byte
} rs_fndsa_form_t;

enum {
    RS_FNDSA_512_PK_BYTES = 897,
    RS_FNDSA_512_SIGNATURE_BYTES = 666, // padded
    RS_FNDSA_1024_PK_BYTES = 1793,
    RS_FNDSA_1024_SIGNATURE_BYTES = 1280,
    RS_FNDSA_NONCE_BYTES = 40, // after the first byte of a signature
    RS_FNDSA_PK_BYTES_MAX = 1793,
    RS_FNDSA_SIGNATURE_BYTES_MAX = 1280, // padded
};

// Bytes: of a public key, of a padded signature, of the memory of a key, of a verification's workspace.
typedef struct rs_fndsa_sizes {
    uint32_t pk, signature;
    uint32_t key, workspace;
} rs_fndsa_sizes_t;
// NULL for an unknown set.
RS_API const rs_fndsa_sizes_t *rs_fndsa_sizes(uint32_t set);

// A public key, ready to verify: decoded and transformed, with the tables of its ring. Any number of threads share it.
typedef struct rs_fndsa_key rs_fndsa_key_t;

// Makes a key of its bytes in caller-provided, 8-byte aligned memory. It lives there: keep the memory, and do not move it. There is nothing to free.
// RS_ERR_SET; RS_ERR_BYTES: pk has another length than the set's; RS_ERR_PUBLIC_KEY: the first byte is not log2 n, or a word of 14 bits is
// not below q; RS_ERR_NULL, RS_ERR_TOO_SMALL, RS_ERR_ALIGNMENT; RS_ERR_BACKEND (backend.h).
RS_API RS_MUST_CHECK rs_status_t rs_fndsa_key_init(const rs_fndsa_key_t **key, rs_memory_t memory, uint32_t set, rs_view_t pk);

// Algorithm 16, of an rs_fndsa_form_t. RS_OK: the signature is valid. RS_ERR_SIGNATURE: it is not: of another set or form, not encoded as algorithm 17
// does it, a coefficient of s2 is 2048 or more (which no signer makes, and the submission's program refuses too), or s1 and s2 are too long. A message
// of no bytes may be NULL. Workspace: 8-byte aligned, wiped before return. RS_ERR_BYTES: of form PADDED, a length that is not the set's;
// RS_ERR_NULL, RS_ERR_TOO_SMALL, RS_ERR_ALIGNMENT.
RS_API RS_MUST_CHECK rs_status_t rs_fndsa_verify(const rs_fndsa_key_t *key, uint32_t form, rs_view_t message, rs_view_t signature,
                                                 rs_memory_t workspace);

#ifdef __cplusplus
}
#endif

#endif
