// SPDX-License-Identifier: Apache-2.0
// Decryption.
#include <ringside/client.h>
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "base/registers.h"
#include "ckks/checks.h"

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
        rs_phase_limb(&context->limbs[limb], plaintext->ntt + limb * n, polys, ciphertext->poly_count, key->ntt + limb * n);
    }
    rs_wipe_registers();
    rs_describe_plaintext(context, plaintext, RS_FORM_NTT, limb_count, ciphertext->scale);
    return RS_OK;
}

// ---- requests ----------------------------------------------------------------------------------------------------------
rs_status_t rs_ckks_check_decrypt(const rs_decrypt_request_t *r) {
    return r->margin_bits ? RS_ERR_OPTION : rs_check_publish(r->publish, r->fixed, r->rng);
}

static uint32_t limbs_of(const rs_decrypt_item_t *item) {
    return item->limb_count || !item->ciphertext ? item->limb_count : item->ciphertext->limb_count;
}

// One limb of c1, which is public, and then the workspace of decode, which is no smaller and wipes what it uses.
size_t rs_ckks_decrypt_wiped(const rs_decrypt_request_t *r) {
    return rs_decode_polys(r->publish) * r->context->n * sizeof(uint64_t);
}

size_t rs_ckks_decrypt_workspace(const rs_decrypt_request_t *r) {
    const uint32_t all = r->context->params.limb_count;
    uint32_t decoded = 0; // limbs
    for (size_t i = 0; r->items && i < r->count; i++) {
        const uint32_t limbs = limbs_of(&r->items[i]);
        if (r->items[i].values && limbs > decoded) decoded = limbs < all ? limbs : all;
    }
    return rs_ckks_decrypt_wiped(r) + (size_t)decoded * r->context->n * sizeof(uint64_t);
}

rs_status_t rs_ckks_decrypt(const rs_decrypt_request_t *r, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    const rs_ciphertext_t *ciphertext = item->ciphertext;
    rs_plaintext_t *out = item->plaintext;
    const size_t scratch = rs_ckks_decrypt_wiped(r);
    const uint32_t limbs = limbs_of(item);
    rs_plaintext_t inner = {.ntt = (uint64_t *)(void *)((uint8_t *)workspace + scratch)};
    if (out ? !out->ntt : !item->values) return RS_ERR_NULL;
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
    const rs_status_t status = rs_decode(&how);
    if (limbs == 1 && ciphertext->seeded) rs_zeroize(workspace, scratch); // decode does without it
    return status;
}
