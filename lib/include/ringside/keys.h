// SPDX-License-Identifier: Apache-2.0
// Keys and ciphertexts: what schemes over rings have in common.
//
// Objects are small descriptors; the caller owns the arrays behind them. Every object carries the parms_id of its parameters and
// level, and every function refuses objects of another context (RS_ERR_MISMATCH). Members named reserved are 0 (RS_ERR_STRUCT).
// Outputs are valid only after RS_OK, unless stated otherwise. A call that is refused leaves them alone. From the start of its work to its
// success the parms_id of an output is zero, and after an error its arrays hold no secrets.
// Workspaces: 8-byte aligned, of the size that the matching *_workspace() returns, wiped before return; one per concurrent call.
// Contexts, keys and ciphertexts are only read: share them between threads.
#ifndef RINGSIDE_KEYS_H
#define RINGSIDE_KEYS_H

#include "context.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

// Also a public key (all limbs, scale 1) and a row of a key-switching key.
typedef struct rs_ciphertext {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint32_t poly_count; // 2; up to RS_POLYS_MAX from a server that did not relinearise
    uint32_t limb_count;
    uint32_t seeded; // 1: data hold c0 only, c1 is the expansion of the seed
    uint32_t seed_type; // rs_seed_type_t
    rs_seed_t seed;
    double scale;
    uint64_t *data; // polynomial after polynomial, limb after limb: rs_ciphertext_words() words
    uint32_t
        form; // 0: NTT form; 1: coefficients, in BFV, and in BGV by SEAL 4.0 (RS_ERR_NOT_NTT). c1 of a seed is in that form, too
    uint32_t reserved_word;
    uint64_t correction_factor; // BFV: 1; BGV: what the message is multiplied by, modulo t; 0: CKKS has none
    uint64_t reserved[2];
} rs_ciphertext_t;

typedef struct rs_secret_key {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint64_t *ntt RS_SECRET; // all limbs, special prime included: limb_count * N residues of the ternary s, NTT form
    uint64_t reserved[2];
} rs_secret_key_t;

enum { RS_POLYS_MAX = 16 };

// How a ciphertext is made.
typedef enum rs_encryption {
    RS_ENCRYPT_SK = 0, // secret key, c1 from a seed: noise variance 10.5
    RS_ENCRYPT_PK = 1, // public key, rounded by the next prime of the chain as SEAL does: about (1 + 2N/3)/12
    RS_ENCRYPT_PK_DIRECT = 2, // public key without special prime: 10.5 (1 + 4N/3)
    RS_ENCRYPT_MAX = 0x7fffffff
} rs_encryption_t;

// ---- keys --------------------------------------------------------------------------------------------------------------
// Fills key->ntt (the caller has set it to limb_count * N words). Wipe it with rs_zeroize when done.
RS_API RS_MUST_CHECK rs_status_t rs_keygen_secret(const rs_context_t *context, rs_secret_key_t *key, rs_rng_t *rng);

typedef enum rs_key_kind {
    RS_KEY_PUBLIC = 0, // (b, a), b = -(a s + e), of BGV -(a s + t e), over all limbs; scale 1
    RS_KEY_SWITCH = 1, // row `index` of the key that switches from s' to s: a public key whose limb `index` of b carries + P s'
    RS_KEY_MAX = 0x7fffffff
} rs_key_kind_t;

typedef struct rs_keygen_request {
    uint32_t size;
    uint32_t kind; // rs_key_kind_t
    uint32_t element; // RS_KEY_SWITCH. 0: s' = s^2 (relinearisation); else s' = s(X^element) (Galois)
    uint32_t index; // RS_KEY_SWITCH: 0 … data limbs - 1
    uint32_t seeded; // 1: a stays a seed, and key->data hold only b; it comes from a seed in either case
    uint32_t seed_type; // rs_seed_type_t; 0: SHAKE256
    const rs_context_t *context;
    const rs_secret_key_t *secret_key;
    rs_ciphertext_t *key; // the caller has set its data
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_keygen_request_t;

RS_API size_t rs_keygen_workspace(const rs_keygen_request_t *request);
RS_API RS_MUST_CHECK rs_status_t rs_keygen(const rs_keygen_request_t *request);

// A row of any key for key switching, over rings of the caller's: other libraries have several special primes, of up to 61 bits, and several
// primes to a digit. (b, a) is an encryption of zero under `to`, b = -(a to + error_factor e), and in the rings first … first + count - 1
// b carries + factor * from. With a context's rings, `to` its secret key, one ring of `from` and the special prime as its factor it is what
// rs_keygen makes for RS_KEY_SWITCH; with count 0, a public key.
typedef struct rs_keygen_row_request {
    uint32_t size;
    uint32_t ring_count; // 1 … RS_LIMBS_MAX
    uint32_t first;
    uint32_t count;
    uint32_t seed_type; // rs_seed_type_t; 0: SHAKE256
    uint32_t reserved;
    uint64_t error_factor; // 0: 1; BGV: t
    const rs_plan_t *const *rings; // all with one N, RS_LOG_N_MIN … RS_LOG_N_MAX
    const uint64_t *to RS_SECRET; // ring_count * N residues of the secret that the key leads to, NTT form
    const uint64_t *from RS_SECRET; // count * N residues of the one that it leads from
    const uint64_t *factors; // count, each below its ring's modulus
    uint64_t *b; // ring_count * N words
    uint64_t *a; // the same; NULL: it stays a seed
    rs_seed_t *seed; // makes a; may be NULL if a is not
    rs_rng_t *rng;
    rs_memory_t workspace; // 9N bytes
} rs_keygen_row_request_t;

// RS_ERR_LIMB_COUNT, RS_ERR_DEGREE, RS_ERR_LEVEL (first, count), RS_ERR_RESIDUE (factors), RS_ERR_SEED_TYPE, RS_ERR_NULL, RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_keygen_row(const rs_keygen_row_request_t *request);

// public_key NULL: that a secret key from an outside source is ternary, not zero and the same on every limb; else RS_ERR_SECRET_KEY.
// Else that the public key belongs to it: b + a s is the same error polynomial over all limbs, of BGV t times one, its coefficients at most
// 21 in magnitude and not all 0; or RS_ERR_KEY_PAIR. To be called after rs_keygen where a fault of memory or arithmetic must not get out (the Python
// package does, lib/README.md has its cost), or with keys from elsewhere. workspace: 2N words.
RS_API RS_MUST_CHECK rs_status_t rs_key_check(const rs_context_t *context, const rs_secret_key_t *secret_key,
                                              const rs_ciphertext_t *public_key, rs_memory_t workspace);
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
