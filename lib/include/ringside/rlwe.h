// SPDX-License-Identifier: Apache-2.0
// What schemes over rings have in common: keys and ciphertexts.
//
// Objects are small descriptors; the caller owns the arrays behind them. Every object carries the parms_id of its parameters and
// level, and every function refuses objects of another context (RS_ERR_MISMATCH). Outputs are valid only after RS_OK,
// unless stated otherwise. After an error, output arrays may have been overwritten, but they hold no secrets.
// Workspaces: 8-byte aligned, of the size that the matching *_workspace() returns, wiped before return; one per concurrent call.
// Contexts, keys and ciphertexts are only read: share them between threads.
#ifndef RINGSIDE_RLWE_H
#define RINGSIDE_RLWE_H

#include "context.h"
#include "sample.h"

#ifdef __cplusplus
extern "C" {
#endif

// Also a public key (all limbs, scale 1) and one component of a key-switching key.
typedef struct rs_ciphertext {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint32_t poly_count; // 2; up to RS_POLYS_MAX from a server that did not relinearise
    uint32_t limb_count;
    uint32_t seeded;     // 1: data hold c0 only, c1 is the expansion of the seed
    rs_seed_type_t seed_type;
    rs_seed_t seed;
    double scale;
    uint64_t *data;      // polynomial after polynomial, limb after limb, NTT form: rs_ciphertext_words() words
} rs_ciphertext_t;

typedef struct rs_secret_key {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint64_t *ntt;       // all limbs, special prime included: limb_count * N residues of the ternary s, NTT form
} rs_secret_key_t;

enum { RS_POLYS_MAX = 16 };

// How a ciphertext is made.
typedef enum rs_encryption {
    RS_ENCRYPT_SK = 0,        // secret key, c1 from a seed: noise variance 10.5
    RS_ENCRYPT_PK = 1,        // public key, rounded by the next prime of the chain as SEAL does: about (1 + 2N/3)/12
    RS_ENCRYPT_PK_DIRECT = 2, // public key without special prime: 10.5 (1 + 4N/3)
} rs_encryption_t;

// ---- keys --------------------------------------------------------------------------------------------------------------
// Fills key->ntt (the caller has set it to limb_count * N words). Wipe it with rs_zeroize when done.
RS_API RS_MUST_CHECK rs_status_t rs_keygen_secret(const rs_context_t *context, rs_secret_key_t *key, rs_rng_t *rng);
// Checks that a key from an outside source is ternary, not zero and the same on every limb. workspace: 2N words.
RS_API RS_MUST_CHECK rs_status_t rs_secret_key_check(const rs_context_t *context, const rs_secret_key_t *key, void *workspace,
                                                     size_t workspace_bytes);
// Public key (b, a), b = -(a s + e), over all limbs; scale 1. If key->seeded is set on entry, a stays a seed of type
// key->seed_type and data hold only b; otherwise data hold both. a is expanded from a seed in both cases: seed_type must be set.
// Workspace: rs_keygen_workspace().
RS_API size_t rs_keygen_workspace(const rs_context_t *context);
RS_API RS_MUST_CHECK rs_status_t rs_keygen_public(const rs_context_t *context, const rs_secret_key_t *secret, rs_ciphertext_t *key,
                                                  rs_rng_t *rng, void *workspace, size_t workspace_bytes);
// Whether a public key belongs to a secret key: b + a s is the same error polynomial over all limbs, its coefficients at most 21 in
// magnitude and not all 0; else RS_ERR_KEY_PAIR. To be called after rs_keygen_public where a fault of memory or arithmetic must not get
// out (the Python package does, lib/README.md has its cost), or with keys from elsewhere. workspace: 2N words.
RS_API RS_MUST_CHECK rs_status_t rs_key_pair_check(const rs_context_t *context, const rs_secret_key_t *secret,
                                                   const rs_ciphertext_t *key, void *workspace, size_t workspace_bytes);
// Component `index` (0 … data limbs - 1) of the key that switches from s' to s: a public key whose limb `index` of b carries + P s'.
// element 0: s' = s^2 (relinearisation); otherwise s' = s(X^element) (Galois). key as for rs_keygen_public.
RS_API RS_MUST_CHECK rs_status_t rs_keygen_switch(const rs_context_t *context, const rs_secret_key_t *secret, uint32_t element,
                                                  uint32_t index, rs_ciphertext_t *key, rs_rng_t *rng, void *workspace,
                                                  size_t workspace_bytes);
// Galois element of a rotation by `steps` slots to the left (negative: right), |steps| < N/2: 3^steps mod 2N; 0 steps: complex
// conjugation, 2N - 1 (SEAL's rule). RS_ERR_GALOIS outside.
RS_API RS_MUST_CHECK rs_status_t rs_galois_element(const rs_context_t *context, int32_t steps, uint32_t *element);
// SEAL's default set: conjugation and all rotations by +-2^i. Writes at most capacity elements, returns how many there are.
RS_API uint32_t rs_galois_powers_of_two(const rs_context_t *context, uint32_t *elements, uint32_t capacity);

// ---- ciphertexts -------------------------------------------------------------------------------------------------------
// Words of ciphertext->data for these counts: (seeded ? 1 : poly_count) * limb_count * N.
RS_API size_t rs_ciphertext_words(const rs_context_t *context, uint32_t poly_count, uint32_t limb_count, uint32_t seeded);
// Writes c1 of a seeded ciphertext or key behind c0 (data must have room for 2 * limb_count * N words) and clears `seeded`.
RS_API RS_MUST_CHECK rs_status_t rs_expand(const rs_context_t *context, rs_ciphertext_t *ciphertext);

#ifdef __cplusplus
}
#endif

#endif
