// SPDX-License-Identifier: Apache-2.0
// What BFV (Fan, Vercauteren 2012) and BGV (Brakerski, Gentry, Vaikuntanathan 2012) add to a context, in RNS form as Microsoft SEAL has them.
//
// A message m has N coefficients modulo t. A ciphertext's phase is c_0 + c_1 s = mu w + error_factor e, with w small integers:
//   BFV  mu = t^-1 mod q_i, w = h - [q m + h]_t with h = floor((t + 1) / 2): mu w is round(q m / t), as q is 0;  error_factor 1
//   BGV  mu = 1, w = m centred: from -floor(t / 2) to floor(t / 2);                                              error_factor t
#ifndef RINGSIDE_EXACT_CONTEXT_H
#define RINGSIDE_EXACT_CONTEXT_H

#include <ringside/exact.h>

#include "client/scheme.h"

typedef struct rs_exact {
    rs_modulus_t plain; // t
    uint64_t half; // h
    uint32_t limbs_min; // moduli of a ciphertext at least: their product is above t
    uint32_t turn_bits; // bits of the fractions by which BFV switches to one modulus (decrypt.c); 0: it does not
    uint32_t batches; // 1: there are slots
    rs_limb_t ring; // modulo t, if there are slots
    // [N/2]: where slot i, the value at psi^(3^i), is in NTT form. Slot N/2 + i, at psi^(-3^i), is at N - 1 - that
    const uint32_t *slots;
    const rs_lifts_t *lifts[RS_LIMBS_MAX];
    const rs_integers_t *integers;
    uint32_t
        in_doubles; // 1: BGV's w and its multiples by errors are doubles, too, and all of lifts have what CKKS's messages go through
    rs_factor_t mu[RS_LIMBS_MAX];
    rs_factor_t moduli_inverse[RS_LIMBS_MAX]; // q_i^-1 mod t
} rs_exact_t;

static inline const rs_exact_t *rs_exact(const rs_context_t *context) { return context->scheme; }

static inline int rs_is_bgv(const rs_context_t *context) { return context->params.scheme == RS_SCHEME_BGV; }

// The parameters were checked; memory has rs_exact_context_size() bytes.
size_t rs_exact_context_size(const rs_params_t *params);
RS_MUST_CHECK rs_status_t rs_exact_context_init(const rs_context_t **context, const rs_params_t *params, void *memory);

// ---- encode.c ----------------------------------------------------------------------------------------------------------
// q modulo t, q the product of the first moduli.
uint64_t rs_exact_product(const rs_context_t *context, uint32_t limb_count);
// A level that fresh ciphertexts can have; one that any can have.
rs_status_t rs_exact_check_fresh(const rs_context_t *context, uint32_t limb_count);
rs_status_t rs_exact_check_level(const rs_context_t *context, uint32_t limb_count);
// Values to coefficients modulo t and back; the words are used up. RS_ERR_VALUE_RANGE: a value is out of range.
rs_status_t rs_exact_check_layout(const rs_context_t *context, const rs_layout_t *layout, uint32_t count);
rs_status_t rs_exact_pack(const rs_context_t *context, uint64_t *words, const void *values, uint32_t count,
                          const rs_layout_t *layout);
// scatter, gather: words are in NTT form where values are slots.
rs_status_t rs_exact_scatter(const rs_context_t *context, uint64_t *words, const void *values, uint32_t count,
                             const rs_layout_t *layout);
void rs_exact_gather(const rs_context_t *context, void *values, uint32_t count, const rs_layout_t *layout, const uint64_t *words);
void rs_exact_unpack(const rs_context_t *context, void *values, uint32_t count, const rs_layout_t *layout, uint64_t *words);
// Coefficients modulo t to w, in place, for a ciphertext at that level.
void rs_exact_spread(const rs_context_t *context, uint64_t *words, uint32_t limb_count);
void rs_exact_describe(const rs_context_t *context, rs_plaintext_t *plaintext, uint32_t limb_count);

// ---- encrypt.c ---------------------------------------------------------------------------------------------------------
rs_status_t rs_exact_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);
// w of an item's plaintext or values, in N words, and for how many limbs. slots: of values these instead, in NTT form.
rs_status_t rs_exact_take(const rs_context_t *context, const rs_encrypt_item_t *item, uint64_t *words, uint32_t *limbs, int slots);
// The descriptor of a fresh ciphertext, whose data, seed and seed_type stay.
void rs_exact_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *ciphertext, uint32_t limbs, uint32_t seeded,
                                  int ntt);

// ---- decrypt.c ---------------------------------------------------------------------------------------------------------
// What becomes of a phase: two polynomials of N words, which add_phase begins with limb 0.
typedef struct rs_exact_sums {
    const rs_context_t *context;
    uint64_t *fractions; // sums of y_i / q_i
    uint64_t *inverses; // the same modulo t
} rs_exact_sums_t;

// Whether a ciphertext is decrypted modulo its first modulus alone, c / q being rounded to a multiple of 1 / q_0 before.
int rs_exact_switches(const rs_context_t *context, const rs_ciphertext_t *ciphertext, uint32_t margin_bits);
// limbs: that an item is decrypted from.
rs_status_t rs_exact_check_item(const rs_context_t *context, const rs_decrypt_item_t *item, uint32_t *limbs);
// x: the phase modulo this limb.
void rs_exact_add_phase(const rs_exact_sums_t *sums, uint32_t limbs, uint32_t limb, const uint64_t *x);
// The item's plaintext and values, of a message that is used up; in_ntt: it is in NTT form, and the item has no plaintext.
void rs_exact_put(const rs_context_t *context, const rs_decrypt_item_t *item, uint32_t limbs, uint64_t *message, int in_ntt);
// The same of sums over all limbs. RS_ERR_NOISE: see margin_bits.
rs_status_t rs_exact_answer(const rs_exact_sums_t *sums, const rs_decrypt_item_t *item, uint32_t limbs, uint32_t margin_bits);

// ---- the table of client/scheme.h --------------------------------------------------------------------------------------
rs_status_t rs_exact_encode(const rs_encode_request_t *request);
rs_status_t rs_exact_decode(const rs_decode_request_t *request);
size_t rs_exact_encrypt_workspace(const rs_encrypt_request_t *request);
rs_status_t rs_exact_encrypt(const rs_encrypt_request_t *request, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace);
rs_status_t rs_exact_check_decrypt(const rs_decrypt_request_t *request);
size_t rs_exact_decrypt_workspace(const rs_decrypt_request_t *request);
rs_status_t rs_exact_decrypt(const rs_decrypt_request_t *request, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace);

#endif
