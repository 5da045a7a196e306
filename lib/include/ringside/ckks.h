// SPDX-License-Identifier: Apache-2.0
// CKKS client operations: encode, decode, encrypt, decrypt; keys.h has its keys (Cheon-Kim-Kim-Song 2017 in RNS form, as Microsoft SEAL does it).
//
// Objects are small descriptors; the caller owns the arrays behind them. Every object carries the parms_id of its parameters and
// level, and every function refuses objects of another context (RS_ERR_MISMATCH). Outputs are valid only after RS_OK,
// unless stated otherwise. After an error, output arrays may have been overwritten, but they hold no secrets.
// Workspaces: 8-byte aligned, of the size that the matching *_workspace() returns, wiped before return; one per concurrent call.
// Contexts, keys and ciphertexts are only read: share them between threads.
#ifndef RINGSIDE_CKKS_H
#define RINGSIDE_CKKS_H

#include "fixed.h"
#include "keys.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rs_form {
    RS_FORM_COEF = 0, // `coef`: N integer-valued doubles, natural order
    RS_FORM_NTT = 1, // `ntt`: limb_count * N residues, limb after limb, bit-reversed NTT order (SEAL's plaintext)
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
// How a word that rs_fixed_inverse gives becomes a coefficient in rs_encode_fixed. rs_fixed_times of it, unless factor is 0, times 2^shift,
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

// How rs_decode_fixed makes words of W bits of a plaintext, whose scale and limb_count are used. *limbs: how many of its one or two limbs
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

// ---- encrypt -----------------------------------------------------------------------------------------------------------
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
// The same without a context: the parameters are those of rs_params_check.
RS_API RS_MUST_CHECK rs_status_t rs_params_noise_variance(const rs_params_t *params, rs_encryption_t kind, uint32_t limb_count,
                                                          double *variance);
// Bits after the point that survive: -log2 of the root-mean-square error of a slot's real part, sqrt(variance N / 2) / scale.
RS_API double rs_precision_predicted(const rs_context_t *context, double variance, double scale);
// The measured precision: -log2 of the root-mean-square of got[i] - truth[i]. 64 if they are equal.
RS_API double rs_precision_measured(const double *got, const double *truth, size_t count);

#ifdef __cplusplus
}
#endif

#endif
