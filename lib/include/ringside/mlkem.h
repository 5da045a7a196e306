// SPDX-License-Identifier: Apache-2.0
// ML-KEM, the key encapsulation of FIPS 203 (August 2024), in all three sets. It has nothing to do with CKKS: no parameters, no context.
//
// Who wants to receive a secret makes a pair: the encapsulation key ek is public, the decapsulation key dk is secret. Who has ek makes a
// ciphertext and a shared secret of 32 bytes; who has dk gets the same secret of the ciphertext. All are bytes as the standard lays them
// out, without header; their lengths are those of the set.
//
// Every length is an argument, of outputs too, and must be exactly that of the set: RS_ERR_MLKEM_BYTES. An unknown set is
// RS_ERR_MLKEM_SET, a NULL is RS_ERR_NULL. Outputs are valid only after RS_OK; after an error they hold nothing secret. They may not overlap
// inputs or each other.
// Workspaces: 8-byte aligned, rs_mlkem_workspace_size(set) bytes or more, wiped before return; one per concurrent call. Keys and ciphertexts are
// only read. RS_ERR_MEMORY, RS_ERR_ALIGNMENT; RS_ERR_BACKEND (backend.h).
// Constant time: no branch, no index and no division depends on d, z, m, the secret part of dk, or the shared secret. ek is public, and so is the
// copy of it in dk.
#ifndef RINGSIDE_MLKEM_H
#define RINGSIDE_MLKEM_H

#include "sample.h"

#ifdef __cplusplus
extern "C" {
#endif

// FIPS 203, table 2: k = 2, 3, 4. The security categories are 1, 3, 5.
typedef enum rs_mlkem_set { RS_MLKEM_512 = 512, RS_MLKEM_768 = 768, RS_MLKEM_1024 = 1024 } rs_mlkem_set_t;

enum {
    RS_MLKEM_SEED_BYTES = 64, // d || z: of a key pair
    RS_MLKEM_RANDOM_BYTES = 32, // m: of an encapsulation
    RS_MLKEM_SHARED_BYTES = 32,
    // sizes of the largest set
    RS_MLKEM_EK_BYTES_MAX = 1568,
    RS_MLKEM_DK_BYTES_MAX = 3168,
    RS_MLKEM_CT_BYTES_MAX = 1568,
    RS_MLKEM_WORKSPACE_MAX = 16384, // never less than rs_mlkem_workspace_size of any set and build
};

// ---- requests ------------------------------------------------------------------------------------------------------------
// The same requests serve this processor (below) and a core (device_mlkem.h). Exactly one of rng and seed, or of rng and m, is given.
typedef struct rs_mlkem_keygen_request {
    uint32_t size;
    uint32_t set; // rs_mlkem_set_t
    rs_bytes_t ek;
    rs_bytes_t dk RS_SECRET;
    rs_view_t seed RS_SECRET; // d || z
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_mlkem_keygen_request_t;

typedef struct rs_mlkem_encaps_request {
    uint32_t size;
    uint32_t set;
    rs_view_t ek;
    rs_bytes_t ct;
    rs_bytes_t shared RS_SECRET;
    rs_view_t m RS_SECRET; // uniform, used once: for tests, and for protocols that say where it comes from
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_mlkem_encaps_request_t;

typedef struct rs_mlkem_decaps_request {
    uint32_t size;
    uint32_t set;
    rs_view_t dk RS_SECRET;
    rs_view_t ct;
    rs_bytes_t shared RS_SECRET;
    rs_view_t seed RS_SECRET; // on a core in place of dk, with its ek; without both: the sealed key
    rs_view_t ek;
    rs_memory_t workspace;
} rs_mlkem_decaps_request_t;

// Bytes of the keys (table 3: 800, 1184, 1568 and 1632, 2400, 3168), of a ciphertext (768, 1088, 1568), and of the workspace of every
// function below that takes one. 0 for an unknown set.
RS_API size_t rs_mlkem_ek_bytes(rs_mlkem_set_t set);
RS_API size_t rs_mlkem_dk_bytes(rs_mlkem_set_t set);
RS_API size_t rs_mlkem_ct_bytes(rs_mlkem_set_t set);
RS_API size_t rs_mlkem_workspace_size(rs_mlkem_set_t set);

// ---- key pairs -----------------------------------------------------------------------------------------------------------
// ML-KEM.KeyGen (algorithm 19): d || z are 64 fresh bytes of rng. RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_keygen(rs_mlkem_set_t set, uint8_t *ek, size_t ek_bytes, uint8_t *dk, size_t dk_bytes,
                                                 rs_rng_t *rng, void *workspace, size_t workspace_bytes);

// ML-KEM.KeyGen_internal (algorithm 16). seed: d || z, RS_MLKEM_SEED_BYTES bytes, as random and as secret as dk itself. A key that is kept
// as its seed is expanded by this.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_keygen_seed(rs_mlkem_set_t set, uint8_t *ek, size_t ek_bytes, uint8_t *dk,
                                                      size_t dk_bytes, const uint8_t *seed, size_t seed_bytes, void *workspace,
                                                      size_t workspace_bytes);

// The checks of sections 7.2 and 7.3, without a workspace; rs_mlkem_encaps and rs_mlkem_decaps do them in any case.
// ek: every coefficient is below q = 3329, else RS_ERR_MLKEM_EK. ek is public.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_check_ek(rs_mlkem_set_t set, const uint8_t *ek, size_t ek_bytes);
// dk: it has the hash of the ek inside it, else RS_ERR_MLKEM_DK.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_check_dk(rs_mlkem_set_t set, const uint8_t *dk, size_t dk_bytes);

// ---- encapsulation and decapsulation ---------------------------------------------------------------------------------------
// ML-KEM.Encaps (algorithm 20): m is 32 fresh bytes of rng. shared: RS_MLKEM_SHARED_BYTES bytes. RS_ERR_MLKEM_EK before rng is asked;
// RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_encaps(rs_mlkem_set_t set, uint8_t *ct, size_t ct_bytes, uint8_t *shared,
                                                 size_t shared_bytes, const uint8_t *ek, size_t ek_bytes, rs_rng_t *rng,
                                                 void *workspace, size_t workspace_bytes);

// ML-KEM.Encaps_internal (algorithm 17), with the check of ek. m: RS_MLKEM_RANDOM_BYTES bytes. For tests, and for protocols that say where m
// comes from: it must be uniform, secret, and used once.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_encaps_derand(rs_mlkem_set_t set, uint8_t *ct, size_t ct_bytes, uint8_t *shared,
                                                        size_t shared_bytes, const uint8_t *ek, size_t ek_bytes, const uint8_t *m,
                                                        size_t m_bytes, void *workspace, size_t workspace_bytes);

// ML-KEM.Decaps (algorithms 21 and 18). RS_OK for every ciphertext of the right length: one that nobody made with this key gives a secret
// that only dk knows (implicit rejection), in the same time. RS_ERR_MLKEM_DK.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_decaps(rs_mlkem_set_t set, uint8_t *shared, size_t shared_bytes, const uint8_t *dk,
                                                 size_t dk_bytes, const uint8_t *ct, size_t ct_bytes, void *workspace,
                                                 size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif
