// SPDX-License-Identifier: Apache-2.0
// Checks and descriptors of a plaintext and its scale, and one item of a request: shared by the operations.
#ifndef RINGSIDE_CKKS_CHECKS_H
#define RINGSIDE_CKKS_CHECKS_H

#include <ringside/ckks.h>

#include "ckks/context.h"
#include "client/scheme.h"

// encrypt.c: of a plaintext, at a data level; the descriptor of a fresh ciphertext.
rs_status_t rs_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);
void rs_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *ciphertext, const rs_plaintext_t *plaintext);

// encode.c: members of a layout that this library knows; without `fixed` it has doubles. Of NULL, too.
rs_status_t rs_check_layout(const rs_layout_t *layout, const rs_fixed_t *fixed);

// decode.c: what values are published with; in doubles only. Of NULL, too.
rs_status_t rs_check_publish(const rs_publish_t *publish, const rs_fixed_t *fixed, const rs_rng_t *rng);

// Whether noise is added.
static inline int rs_floods(const rs_publish_t *publish) { return publish && publish->flood_bits != RS_FLOOD_NONE; }

// Polynomials that decode in doubles works in.
static inline size_t rs_decode_polys(const rs_publish_t *publish) { return rs_floods(publish) ? 2 : 1; }

static inline uint32_t rs_is_complex(const rs_layout_t *layout) { return layout && layout->is_complex; }

// encode.c: makes the descriptor of a plaintext with these limbs, whose arrays stay.
void rs_describe_plaintext(const rs_context_t *context, rs_plaintext_t *p, rs_form_t form, uint32_t limbs, double scale);

// Positive, normal, and floor(log2 scale) + 1 below the bits of the level's modulus (SEAL's is_scale_within_bounds). Public.
rs_status_t rs_check_scale(const rs_context_t *context, double scale, uint32_t limb_count);

// ---- the table of client/scheme.h --------------------------------------------------------------------------------------
rs_status_t rs_ckks_encode(const rs_encode_request_t *request);
size_t rs_ckks_decode_workspace(const rs_decode_request_t *request);
rs_status_t rs_ckks_decode(const rs_decode_request_t *request);
rs_status_t rs_ckks_plaintext_limb(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb, uint64_t *out);
size_t rs_ckks_encrypt_workspace(const rs_encrypt_request_t *request);
size_t rs_ckks_encrypt_wiped(const rs_encrypt_request_t *request);
rs_status_t rs_ckks_encrypt(const rs_encrypt_request_t *request, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace);
rs_status_t rs_ckks_check_decrypt(const rs_decrypt_request_t *request);
size_t rs_ckks_decrypt_workspace(const rs_decrypt_request_t *request);
size_t rs_ckks_decrypt_wiped(const rs_decrypt_request_t *request);
rs_status_t rs_ckks_decrypt(const rs_decrypt_request_t *request, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace);

#endif
