// SPDX-License-Identifier: Apache-2.0
// Decryption.
#include <ringside/client.h>
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "base/registers.h"
#include "ckks/checks.h"

// c_0 + c_1 s + c_2 s^2 … (Horner), NTT domain; at least two polynomials.
static void decrypt_limb(const rs_limb_t *limb, uint64_t *out, const uint64_t *const *c, uint32_t poly_count,
                         const uint64_t *s_ntt) {
    const uint64_t *sum = c[poly_count - 1];
    for (uint32_t j = poly_count - 1; j-- > 0; sum = out) rs_plan_mul_add(limb, out, sum, s_ntt, c[j]);
}

// c1: N words, for seeded ciphertexts.
static rs_status_t decrypt(const rs_decrypt_request_t *r, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                           rs_plaintext_t *plaintext, uint64_t *c1) {
    const rs_context_t *context = r->context;
    const rs_secret_key_t *key = r->secret_key;
    const size_t n = context->n;
    const uint32_t limbs = ciphertext->limb_count;
    rs_uniform_t uniform;
    memset(plaintext->parms_id, 0, sizeof plaintext->parms_id);
    if (ciphertext->seeded) {
        RS_TRY(rs_uniform_init(&uniform, ciphertext->seed_type, &ciphertext->seed, context->params.log_n, limbs));
    }
    for (uint32_t limb = 0; limb < limb_count; limb++) {
        const uint64_t *polys[RS_POLYS_MAX];
        for (uint32_t j = 0; j < ciphertext->poly_count; j++) polys[j] = ciphertext->data + ((size_t)j * limbs + limb) * n;
        if (ciphertext->seeded) {
            RS_TRY(rs_uniform_next(&uniform, context->limbs[limb].modulus.q, c1));
            polys[1] = c1;
        }
        decrypt_limb(&context->limbs[limb], plaintext->ntt + limb * n, polys, ciphertext->poly_count, key->ntt + limb * n);
    }
    rs_wipe_registers();
    rs_describe_plaintext(context, plaintext, RS_FORM_NTT, limb_count, ciphertext->scale);
    return RS_OK;
}

// ---- requests ----------------------------------------------------------------------------------------------------------
rs_status_t rs_check_decrypt(const rs_decrypt_request_t *r) {
    if (r->reserved) return RS_ERR_STRUCT;
    if (!r->context || (!r->items && r->count)) return RS_ERR_NULL;
    RS_TRY(rs_check_publish(r->publish, r->fixed, r->rng));
    return rs_check_secret(r->context, r->secret_key);
}

static uint32_t limbs_of(const rs_decrypt_item_t *item) {
    return item->limb_count || !item->ciphertext ? item->limb_count : item->ciphertext->limb_count;
}

// One limb of c1, and then the workspace of decode, which is no smaller.
static size_t scratch_bytes(const rs_decrypt_request_t *r) {
    return rs_decode_polys(r->publish) * r->context->n * sizeof(uint64_t);
}

size_t rs_decrypt_workspace(const rs_decrypt_request_t *r) {
    if (!r->context) return 0;
    const uint32_t all = r->context->params.limb_count;
    uint32_t decoded = 0; // limbs
    for (size_t i = 0; r->items && i < r->count; i++) {
        const uint32_t limbs = limbs_of(&r->items[i]);
        if (r->items[i].values && limbs > decoded) decoded = limbs < all ? limbs : all;
    }
    return scratch_bytes(r) + (size_t)decoded * r->context->n * sizeof(uint64_t);
}

rs_status_t rs_decrypt_one(const rs_decrypt_request_t *r, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    const rs_ciphertext_t *ciphertext = item->ciphertext;
    rs_plaintext_t *out = item->plaintext;
    const size_t scratch = scratch_bytes(r);
    const uint32_t limbs = limbs_of(item);
    rs_plaintext_t inner = {.ntt = (uint64_t *)(void *)((uint8_t *)workspace + scratch)};
    if (!ciphertext || !ciphertext->data || (out ? !out->ntt : !item->values)) return RS_ERR_NULL;
    if (item->reserved[0] | item->reserved[1] | item->reserved[2]) return RS_ERR_STRUCT;
    if (!item->values && (item->count || item->layout)) return RS_ERR_OPTION;
    RS_TRY(rs_check_ciphertext(r->context, ciphertext));
    if (ciphertext->poly_count < 2 || ciphertext->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
    if (limbs < 1 || limbs > ciphertext->limb_count) return RS_ERR_LEVEL;
    RS_TRY(decrypt(r, ciphertext, limbs, item->values ? &inner : out, workspace));
    if (!item->values) return RS_OK;
    if (out) {
        memcpy(out->ntt, inner.ntt, limbs * r->context->n * sizeof *out->ntt); // decode uses up what it reads
        rs_describe_plaintext(r->context, out, RS_FORM_NTT, limbs, ciphertext->scale);
    }
    const rs_decode_request_t how = {.size = sizeof how,
                                     .count = item->count,
                                     .context = r->context,
                                     .fixed = r->fixed,
                                     .plaintext = &inner,
                                     .values = item->values,
                                     .layout = item->layout,
                                     .publish = r->publish,
                                     .rng = rng,
                                     .workspace = {workspace, scratch}};
    return rs_decode(&how);
}

rs_status_t rs_decrypt(const rs_decrypt_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    rs_status_t status = rs_check_decrypt(request);
    const size_t bytes = status == RS_OK && request->count ? rs_decrypt_workspace(request) : 0;
    if (status == RS_OK) status = rs_check_memory(request->workspace, bytes);
    if (status != RS_OK) RS_REFUSE(request, status);
    for (size_t i = 0; i < request->count; i++) {
        rs_decrypt_item_t *item = &request->items[i];
        item->status = rs_decrypt_one(request, item, request->rng, request->workspace.p);
        if (status == RS_OK) status = (rs_status_t)item->status;
    }
    if (!bytes) return status;
    const size_t scratch = scratch_bytes(request); // wiped by decode, and c1 is public
    rs_zeroize((uint8_t *)request->workspace.p + scratch, bytes - scratch); // decrypted messages
    return status;
}
