// SPDX-License-Identifier: Apache-2.0
// ML-KEM, the key encapsulation of FIPS 203 (August 2024), in all three sets. It has nothing to do with CKKS: no parameters, no context.
//
// Who wants to receive a secret makes a pair: the encapsulation key ek is public, the decapsulation key dk is secret. Who has ek makes a
// ciphertext and a shared secret of 32 bytes; who has dk gets the same secret of the ciphertext. All are bytes as the standard lays them
// out, without header; their lengths are those of the set.
//
// Each array comes with its length, outputs too, which must be exactly that of the set: RS_ERR_BYTES. An unknown set is RS_ERR_SET, a
// NULL is RS_ERR_NULL. Outputs may not overlap inputs or each other. After an error they are as they were.
// Workspaces: 8-byte aligned, rs_mlkem_sizes(set)->workspace bytes or more, wiped before return; one per concurrent call. RS_ERR_TOO_SMALL,
// RS_ERR_ALIGNMENT; RS_ERR_BACKEND (backend.h).
// Constant time: no branch, no index and no division depends on d, z, m, the secret part of dk, or the shared secret. ek is public, and so is the
// copy of it in dk.
#ifndef RINGSIDE_MLKEM_H
#define RINGSIDE_MLKEM_H

#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

// FIPS 203, table 2: k = 2, 3, 4. The security categories are 1, 3, 5.
typedef enum rs_mlkem_set { RS_MLKEM_512 = 512, RS_MLKEM_768 = 768, RS_MLKEM_1024 = 1024 } rs_mlkem_set_t;

// Bytes: of the keys (table 3: 800, 1184, 1568 and 1632, 2400, 3168), of a ciphertext (768, 1088, 1568), and of a workspace.
typedef struct rs_mlkem_sizes {
    uint32_t ek, dk, ct;
    uint32_t workspace;
} rs_mlkem_sizes_t;
// NULL for an unknown set.
RS_API const rs_mlkem_sizes_t *rs_mlkem_sizes(uint32_t set);

enum {
    RS_MLKEM_SEED_BYTES = 64, // d || z: of a key pair
    RS_MLKEM_RANDOM_BYTES = 32, // m: of an encapsulation
    RS_MLKEM_SHARED_BYTES = 32,
    // sizes of the largest set
    RS_MLKEM_EK_BYTES_MAX = 1568,
    RS_MLKEM_DK_BYTES_MAX = 3168,
    RS_MLKEM_CT_BYTES_MAX = 1568,
    RS_MLKEM_WORKSPACE_MAX = 16384, // never less than the workspace of any set and build
};

// ---- requests ------------------------------------------------------------------------------------------------------------
// The same requests serve this processor (below) and a core (device_mlkem.h). Exactly one of rng and seed, or of rng and m, is given:
// RS_ERR_NULL without both, RS_ERR_OPTION with both.
typedef struct rs_mlkem_keygen_request {
    uint32_t size;
    uint32_t set; // rs_mlkem_set_t
    rs_bytes_t ek;
    rs_bytes_t dk RS_SECRET;
    rs_view_t seed RS_SECRET; // d || z, as random and as secret as dk: a key that is kept as its seed is expanded by it
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

// ---- calls -----------------------------------------------------------------------------------------------------------------
// ML-KEM.KeyGen (algorithm 19; 16 of a seed). RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_keygen(const rs_mlkem_keygen_request_t *request);

// ML-KEM.Encaps (algorithm 20; 17 of an m). RS_ERR_PUBLIC_KEY, before rng is asked; RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_encaps(const rs_mlkem_encaps_request_t *request);

// ML-KEM.Decaps (algorithms 21 and 18). RS_OK for every ciphertext of the right length: one that nobody made with this key gives a secret
// that only dk knows (implicit rejection), in the same time. RS_ERR_SECRET_KEY. RS_ERR_OPTION: a seed or an ek, which cores alone take.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_decaps(const rs_mlkem_decaps_request_t *request);

// The checks of sections 7.2 and 7.3, which encapsulation and decapsulation make in any case. One of the two may be {NULL, 0}.
// ek, which is public: every coefficient is below q = 3329, else RS_ERR_PUBLIC_KEY. dk: it has the hash of the ek inside it, else RS_ERR_SECRET_KEY.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_check(uint32_t set, rs_view_t ek, rs_view_t dk);

#ifdef __cplusplus
}
#endif

#endif
