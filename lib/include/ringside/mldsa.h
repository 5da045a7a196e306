// SPDX-License-Identifier: Apache-2.0
// ML-DSA: the module-lattice signatures of FIPS 204 (13 August 2024), sets 44, 65 and 87, pure and pre-hashed. Section, algorithm and table
// numbers are those of FIPS 204.
//
// Each array comes with its length, outputs too: RS_ERR_BYTES if it is not exactly the one that is said here. Outputs must not overlap
// inputs; after an error they are as they were, or zeros. Messages, contexts and digests of no bytes may be NULL. Errors of all functions:
// RS_ERR_SET, RS_ERR_BYTES, RS_ERR_NULL, and RS_ERR_TOO_SMALL and RS_ERR_ALIGNMENT for the workspace; RS_ERR_BACKEND (backend.h).
// Workspace: 8-byte aligned, as many bytes as rs_mldsa_sizes(set) says or more, wiped before return; one per concurrent call.
// Constant time: no branch, index or division depends on xi, rnd, K, s1, s2, t0, y or the message representative of a secret message. Public, as
// FIPS 204 means it, are: rho, the public key, the accepted signature, and the number of rejected signatures with, for each, its challenge and
// which check refused it (section 3.3 of the round-3 submission of CRYSTALS-Dilithium gives the reason: they are independent of the key).
// ExpandS rejects half-bytes, and which ones is public as well: it tells nothing of the others. Nothing here resists power analysis or faults.
#ifndef RINGSIDE_MLDSA_H
#define RINGSIDE_MLDSA_H

#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

// Table 1. The numbers are those of the names.
typedef enum rs_mldsa_set {
    RS_MLDSA_44 = 44, // category 2
    RS_MLDSA_65 = 65, // category 3
    RS_MLDSA_87 = 87, // category 5
} rs_mldsa_set_t;

// Table 2, in bytes: public key, secret key (the standard's expanded one), signature. MAX: of set 87, the largest.
enum {
    RS_MLDSA_SEED_BYTES = 32, // xi, from which a key pair is made; it is the shortest form of the secret key
    RS_MLDSA_RANDOM_BYTES = 32, // rnd, by which a signature is hedged
    RS_MLDSA_MU_BYTES = 64, // mu, the message representative
    RS_MLDSA_CONTEXT_BYTES_MAX = 255,
    RS_MLDSA_44_PK_BYTES = 1312,
    RS_MLDSA_44_SK_BYTES = 2560,
    RS_MLDSA_44_SIGNATURE_BYTES = 2420,
    RS_MLDSA_65_PK_BYTES = 1952,
    RS_MLDSA_65_SK_BYTES = 4032,
    RS_MLDSA_65_SIGNATURE_BYTES = 3309,
    RS_MLDSA_87_PK_BYTES = 2592,
    RS_MLDSA_87_SK_BYTES = 4896,
    RS_MLDSA_87_SIGNATURE_BYTES = 4627,
    RS_MLDSA_PK_BYTES_MAX = 2592,
    RS_MLDSA_SK_BYTES_MAX = 4896,
    RS_MLDSA_SIGNATURE_BYTES_MAX = 4627,
    // never less than the workspaces of rs_mldsa_sizes, of any set and build
    RS_MLDSA_WORKSPACE_MAX = 61440,
    RS_MLDSA_VERIFY_WORKSPACE_MAX = 28672,
};

// Bytes of keys and signatures, and of workspaces: here of the freestanding core, whose Keccak permutes one state; builds with vectors need 13,480
// more. The matrix A is made anew, element by element, whenever it is needed.
typedef struct rs_mldsa_sizes {
    uint32_t pk, sk, signature;
    uint32_t workspace; // for any call: 27,920, 36,112, 46,352
    uint32_t verify_workspace; // enough to verify, and to make and check keys: 11,536, 12,560, 14,608
    uint32_t fast_workspace; // with so many or more, signing keeps A from round to round: the same signatures in less time
    // enough to sign, 8,208, 10,256, 12,304, and to verify, 7,184, 9,232, 11,280, of any build: the same results in more time
    uint32_t small_workspace;
    uint32_t small_verify_workspace;
} rs_mldsa_sizes_t;
// NULL for an unknown set.
RS_API const rs_mldsa_sizes_t *rs_mldsa_sizes(uint32_t set);

// ---- HashML-DSA --------------------------------------------------------------------------------------------------------
// Section 5.4: the caller hashes the message, by any of these functions, and what is signed names the function. A signature of one kind, pure or
// pre-hashed by some function, is none of any other. The numbers are the last arcs of the OIDs 2.16.840.1.101.3.4.2.x. For the set's strength
// take a digest of at least 256 bits (44), 384 (65), 512 (87): section 5.4's rule; shorter ones are not refused.
typedef enum rs_mldsa_prehash {
    RS_MLDSA_SHA2_256 = 1,
    RS_MLDSA_SHA2_384 = 2,
    RS_MLDSA_SHA2_512 = 3,
    RS_MLDSA_SHA2_224 = 4,
    RS_MLDSA_SHA2_512_224 = 5,
    RS_MLDSA_SHA2_512_256 = 6,
    RS_MLDSA_SHA3_224 = 7,
    RS_MLDSA_SHA3_256 = 8,
    RS_MLDSA_SHA3_384 = 9,
    RS_MLDSA_SHA3_512 = 10,
    RS_MLDSA_SHAKE128 = 11, // 32 bytes of output
    RS_MLDSA_SHAKE256 = 12, // 64 bytes of output
} rs_mldsa_prehash_t;

enum { RS_MLDSA_DIGEST_BYTES_MAX = 64 };
// Bytes of the function's digest; 0 for an unknown function.
RS_API size_t rs_mldsa_digest_bytes(uint32_t hash);

// ---- requests ------------------------------------------------------------------------------------------------------------
// The same requests serve this processor (below) and a core (device_mldsa.h).
typedef enum rs_mldsa_form {
    RS_MLDSA_PURE = 0, // bytes are the message: M' = 0 || |context| || context || message
    RS_MLDSA_DIGEST = 1, // bytes are its digest by `hash`: M' = 1 || |context| || context || OID || digest
    RS_MLDSA_MU = 2, // bytes are mu, 64 of them: `context` is in it and must be empty
    RS_MLDSA_INTERNAL = 3, // bytes are M', for the vectors of algorithms 7 and 8 (section 6): `context` must be empty
    RS_MLDSA_FORM_MAX = 0x7fffffff
} rs_mldsa_form_t;

// RS_ERR_CONTEXT_STRING; RS_ERR_PREHASH: unknown hash function, or the digest is not of its length; RS_ERR_OPTION: unknown form, or a member
// that the form does not have.
typedef struct rs_mldsa_message {
    uint32_t form; // rs_mldsa_form_t
    uint32_t hash; // rs_mldsa_prehash_t, for form DIGEST alone
    rs_view_t bytes RS_SECRET;
    rs_view_t context; // at most 255 bytes
} rs_mldsa_message_t;

typedef enum rs_mldsa_mode {
    RS_MLDSA_HEDGED = 0, // rnd is 32 bytes of rng
    RS_MLDSA_GIVEN = 1, // rnd is the caller's
    RS_MLDSA_DETERMINISTIC = 2, // rnd is zero; section 3.4: not where faults or power analysis are feared
    RS_MLDSA_MODE_MAX = 0x7fffffff
} rs_mldsa_mode_t;

typedef struct rs_mldsa_keygen_request {
    uint32_t size;
    uint32_t set; // rs_mldsa_set_t
    rs_bytes_t pk;
    rs_bytes_t sk RS_SECRET;
    rs_view_t seed RS_SECRET; // xi: whoever keeps seeds in place of secret keys makes the pair again
    rs_rng_t *rng; // or this, in place of a seed: RS_ERR_NULL without both, RS_ERR_OPTION with both
    rs_memory_t workspace;
} rs_mldsa_keygen_request_t;

typedef struct rs_mldsa_sign_request {
    uint32_t size;
    uint32_t set;
    uint32_t mode; // rs_mldsa_mode_t
    uint32_t reserved; // 0, or RS_ERR_STRUCT
    rs_view_t sk RS_SECRET; // on a core empty: the sealed key
    rs_mldsa_message_t message;
    rs_bytes_t signature;
    rs_view_t rnd RS_SECRET; // exactly what the mode has: RS_ERR_NULL, RS_ERR_OPTION
    rs_rng_t *rng;
    uint32_t *rounds; // the number of attempts, unless NULL; 0 after an error
    rs_memory_t workspace;
} rs_mldsa_sign_request_t;

typedef struct rs_mldsa_verify_request {
    uint32_t size;
    uint32_t set;
    rs_view_t pk;
    rs_mldsa_message_t message;
    rs_view_t signature;
    rs_memory_t workspace;
} rs_mldsa_verify_request_t;

// ---- calls -----------------------------------------------------------------------------------------------------------------
// Algorithm 1, or 6 of a seed. RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_keygen(const rs_mldsa_keygen_request_t *request);
// The public key of a secret key, for secret keys from outside: t1 and t0 are computed from rho, s1 and s2. RS_ERR_SECRET_KEY unless the
// entries of s1 and s2 are in -eta to eta, t0 is that of the key, and tr is the hash of the public key: what key generation writes, it accepts.
// pk {NULL, 0}: the check alone. Every string of the right length is a public key.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_public_key(uint32_t set, rs_bytes_t pk, rs_view_t sk, rs_memory_t workspace);

// Algorithms 2, 4 and 7. RS_ERR_SECRET_KEY: an entry of s1 or s2 is not in -eta to eta; RS_ERR_RNG; RS_ERR_ROUNDS: no signature after 814
// rounds (Appendix C), which a damaged key can cause and no other will.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_sign(const rs_mldsa_sign_request_t *request);
// Algorithms 3, 5 and 8. RS_OK: the signature is valid. RS_ERR_SIGNATURE: it is not, whatever is the matter with it, its encoding included.
// RS_ERR_BYTES: it is not, because of its length.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_verify(const rs_mldsa_verify_request_t *request);

// mu = SHAKE256(tr || M', 64 bytes), tr = SHAKE256(pk, 64 bytes): line 6 of algorithm 7.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_mu(uint32_t set, rs_bytes_t mu, rs_view_t pk, const rs_mldsa_message_t *message);
// The same for who has a message of form PURE in pieces, or far from the key, by xof.h: after this call the sponge takes the message in pieces of any
// length, and its first RS_MLDSA_MU_BYTES are mu.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_mu_start(uint32_t set, rs_sponge_t *sponge, rs_view_t pk, rs_view_t context);

#ifdef __cplusplus
}
#endif

#endif
