// SPDX-License-Identifier: Apache-2.0
// CKKS client operations: encode, decode, keys, encrypt, decrypt (Cheon-Kim-Kim-Song 2017 in RNS form, as Microsoft SEAL does it).
//
// Objects are small descriptors; the caller owns the arrays behind them. Every object carries the parms_id of its parameters and
// level, and every function refuses objects of another context (RS_ERR_MISMATCH). Outputs are valid only after RS_OK,
// unless stated otherwise. After an error, output arrays may have been overwritten, but they hold no secrets.
// Workspaces: 8-byte aligned, of the size that the matching *_workspace() returns, wiped before return; one per concurrent call.
// Contexts, keys and ciphertexts are only read: share them between threads.
#ifndef RINGSIDE_CKKS_H
#define RINGSIDE_CKKS_H

#include "context.h"
#include "fixed.h"
#include "sample.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rs_form {
    RS_FORM_COEF = 0, // `coef`: N integer-valued doubles, natural order
    RS_FORM_NTT = 1,  // `ntt`: limb_count * N residues, limb after limb, bit-reversed NTT order (SEAL's plaintext)
    RS_FORM_WORDS = 2, // `coef` points to N words of 64 bits in its place (int64_t), natural order: for device.h only
} rs_form_t;

typedef struct rs_plaintext {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    rs_form_t form;
    uint32_t limb_count;
    double scale;
    double *coef;
    uint64_t *ntt;
} rs_plaintext_t;

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

// ---- encode and decode -------------------------------------------------------------------------------------------------
// Encodes `count` <= N/2 slot values, the rest zero: m = round(scale * canonical_embedding^-1(values)), half away from zero.
// values: count doubles if is_complex is 0, else count (re, im) pairs. Writes the N doubles of plaintext->coef, which the caller has
// set, and fills in the descriptor (form COEF). RS_ERR_NOT_FINITE, RS_ERR_OVERFLOW (SEAL's rule: bits of the largest coefficient
// + 1 must stay below the bits of the level's modulus), RS_ERR_SCALE (already the scale does not fit), RS_ERR_VALUE_COUNT,
// RS_ERR_LEVEL.
// No workspace: coef itself is used.
RS_API RS_MUST_CHECK rs_status_t rs_encode(const rs_context_t *context, rs_plaintext_t *plaintext, const double *values,
                                           size_t count, int is_complex, double scale, uint32_t limb_count);

// The same for an accelerator that reads integers (rs_device_reads_words): N words take the place of the doubles (form WORDS). Less work than
// rs_encode, most of all for real values. Form COEF nevertheless if a coefficient is 2^61 or more.
RS_API RS_MUST_CHECK rs_status_t rs_encode_words(const rs_context_t *context, rs_plaintext_t *plaintext, const double *values,
                                                 size_t count, int is_complex, double scale, uint32_t limb_count);

// One limb of a plaintext in NTT form, from either form (RS_ERR_FORM: from words): what SEAL's file holds. out: N words.
RS_API RS_MUST_CHECK rs_status_t rs_plaintext_limb(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb,
                                                   uint64_t *out);

// Decodes `count` <= N/2 slots into (re, im) pairs (is_complex 1) or real parts. The plaintext is composed exactly from all its
// limbs (balanced mixed radix), rounded once to double, divided by the scale, and then transformed.
// The NTT-form plaintext is overwritten (transformed in place). RS_ERR_DECODE_RANGE if a slot exceeds the range of a double.
RS_API size_t rs_decode_workspace(const rs_context_t *context);
RS_API RS_MUST_CHECK rs_status_t rs_decode(const rs_context_t *context, rs_plaintext_t *plaintext, double *values, size_t count,
                                           int is_complex, void *workspace, size_t workspace_bytes);

// The same in fixed point (fixed.h; docs/encoding.md, "In fixed point"): what gates compute, and what a processor without floating point
// should. Integers or doubles in, `layout` describes them; the plaintext is in NTT form, plaintext->ntt set by the caller to
// limb_count N words, which are the workspace too. Coefficient: word scale 2^(bound - (W - 1)), as rs_encode_fixed_scale says. The largest
// error, but for the rounding to an integer, is a few units of scale 2^(bound - (W - 1)).
// Errors of rs_fixed_load, rs_fixed_inverse, rs_encode_fixed_scale and rs_encode; RS_ERR_MISMATCH if `fixed` is for another N.
RS_API RS_MUST_CHECK rs_status_t rs_encode_fixed(const rs_context_t *context, const rs_fixed_t *fixed, rs_plaintext_t *plaintext,
                                                 const void *values, const rs_fixed_layout_t *layout, double scale,
                                                 uint32_t limb_count);
// Of rs_encode_fixed: how a word that rs_fixed_inverse gives becomes a coefficient. rs_fixed_times of it, unless factor is 0, times 2^shift,
// rounded half away from zero (rs_lift_fixed): factor 2^(shift - W), or 2^shift, is scale 2^(bound - (W - 1)), whose mantissa is rounded to W
// bits. There is no factor if that is a power of two. RS_ERR_FIXED_BITS, RS_ERR_FIXED_FORMAT (bound), RS_ERR_SCALE: not positive, or not a
// normal number.
RS_API RS_MUST_CHECK rs_status_t rs_encode_fixed_scale(uint32_t word_bits, double scale, int32_t bound, rs_fixed_scale_t *how);
// One or two limbs, whose modulus must hold the coefficients (rs_limbs_needed); any scale. The plaintext is used up and wiped.
// RS_ERR_FIXED_RANGE: a slot, or a coefficient, is out of range. It is not if slots, noise included, are at most (1 - 2^-10) 2^bound; with
// two limbs choose bound so that scale 2^bound is also at least 2^10 q_0, or one more than slots need. Of two limbs the first alone is read where
// rs_decode_fixed_scales says so: there it holds what is in range. RS_ERR_LEVEL: more than two limbs.
RS_API RS_MUST_CHECK rs_status_t rs_decode_fixed(const rs_context_t *context, const rs_fixed_t *fixed, rs_plaintext_t *plaintext,
                                                 void *values, const rs_fixed_layout_t *layout);

// Of rs_decode_fixed: how a plaintext, whose scale and limb_count are used, becomes words of W bits. *limbs: how many of its one or two limbs
// are read. One: the centred residue d_0. Two: r_0 from 0 to q_0 - 1, and the centred d_1 = (r_1 - r_0) / q_0 modulo q_1. Each is a word by scales[0]
// or scales[1], digit radix 2^(W - 2 - bound) / scale, radix 1 or q_0, and the two are added. A shift alone does it for the first one if the
// scale is a power of two. Of two limbs one is read where scale 2^bound is at most q_0 and no word holds q_0: coefficients up to half of that, as bound
// is one more than slots need, are in the first limb.
// RS_ERR_FIXED_BITS, RS_ERR_FIXED_FORMAT (bound), RS_ERR_LEVEL: no limb, or more than two; RS_ERR_SCALE.
RS_API RS_MUST_CHECK rs_status_t rs_decode_fixed_scales(const rs_context_t *context, uint32_t word_bits,
                                                        const rs_plaintext_t *plaintext, int32_t bound, rs_fixed_scale_t scales[2],
                                                        uint32_t *limbs);

// Fewest limbs from which values of magnitude up to max_abs at this scale decode exactly, noise of up to noise_bits bits included:
// 2 (scale * max_abs + 2^noise_bits) < q_0 … q_{limbs-1}. 0 if even limb_count limbs do not suffice, or the left side reaches 2^1000.
RS_API uint32_t rs_limbs_needed(const rs_context_t *context, uint32_t limb_count, double scale, double max_abs,
                                uint32_t noise_bits);

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

// ---- encrypt -----------------------------------------------------------------------------------------------------------
// Words of ciphertext->data for these counts: (seeded ? 1 : poly_count) * limb_count * N.
RS_API size_t rs_ciphertext_words(const rs_context_t *context, uint32_t poly_count, uint32_t limb_count, uint32_t seeded);
RS_API size_t rs_encrypt_workspace(const rs_context_t *context, rs_encryption_t kind);
// Encrypts a plaintext (either form) at its own level and scale. ciphertext->data is set by the caller to rs_ciphertext_words().
// Secret key: if ciphertext->seeded is set on entry, c1 stays a seed of type ciphertext->seed_type. Otherwise c1 is written too; it
// is expanded from a seed in both cases, so seed_type must be set.
RS_API RS_MUST_CHECK rs_status_t rs_encrypt_secret(const rs_context_t *context, const rs_secret_key_t *key,
                                                   const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                                   void *workspace, size_t workspace_bytes);
// Public key (expanded, see rs_expand). kind RS_ENCRYPT_PK: the fused form, bit-identical to SEAL's arithmetic for the same u, e0, e1:
// rounded by the prime that follows the plaintext's last limb. If the set has a single limb, it falls back to direct, as SEAL does.
RS_API RS_MUST_CHECK rs_status_t rs_encrypt_public(const rs_context_t *context, const rs_ciphertext_t *key,
                                                   const rs_plaintext_t *plaintext, rs_encryption_t kind,
                                                   rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                                   size_t workspace_bytes);
// Writes c1 of a seeded ciphertext or key behind c0 (data must have room for 2 * limb_count * N words) and clears `seeded`.
RS_API RS_MUST_CHECK rs_status_t rs_expand(const rs_context_t *context, rs_ciphertext_t *ciphertext);

// ---- decrypt -----------------------------------------------------------------------------------------------------------
// Decrypts the first limb_count <= ciphertext->limb_count limbs into plaintext->ntt (set by the caller to limb_count * N words).
// Fewer limbs than the ciphertext has give the exact result if rs_limbs_needed() says so. Seeded ciphertexts are accepted.
// workspace: rs_decrypt_workspace() bytes.
RS_API size_t rs_decrypt_workspace(const rs_context_t *context);
RS_API RS_MUST_CHECK rs_status_t rs_decrypt(const rs_context_t *context, const rs_secret_key_t *key,
                                            const rs_ciphertext_t *ciphertext, uint32_t limb_count, rs_plaintext_t *plaintext,
                                            void *workspace, size_t workspace_bytes);

// ---- precision ---------------------------------------------------------------------------------------------------------
// Variance of a fresh ciphertext's noise per coefficient; encode rounding (1/12) included.
RS_API RS_MUST_CHECK rs_status_t rs_noise_variance(const rs_context_t *context, rs_encryption_t kind, uint32_t limb_count,
                                                   double *variance);
// Bits after the point that survive: -log2 of the root-mean-square error of a slot's real part, sqrt(variance N / 2) / scale.
RS_API double rs_precision_predicted(const rs_context_t *context, double variance, double scale);
// The measured precision: -log2 of the root-mean-square of got[i] - truth[i]. 64 if they are equal.
RS_API double rs_precision_measured(const double *got, const double *truth, size_t count);

#ifdef __cplusplus
}
#endif

#endif
