// SPDX-License-Identifier: Apache-2.0
// Decryption.
#include <ringside/ckks.h>
#include <ringside/kernels.h>

#include "base/bytes.h"
#include "base/registers.h"
#include "ckks/checks.h"

void rs_decrypt_limb(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *const *c, uint32_t poly_count,
                     const uint64_t *s_ntt) {
    const uint64_t *sum = c[poly_count - 1];
    for (uint32_t j = poly_count - 1; j-- > 0; sum = out) rs_plan_mul_add(&context->limbs[limb], out, sum, s_ntt, c[j]);
    if (sum != out) memcpy(out, sum, context->n * sizeof *out);
}

// One limb of c1, for seeded ciphertexts.
size_t rs_decrypt_workspace(const rs_context_t *context) {
    return context->n * sizeof(uint64_t);
}

rs_status_t rs_decrypt(const rs_context_t *context, const rs_secret_key_t *key, const rs_ciphertext_t *ciphertext,
                       uint32_t limb_count, rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes) {
    if (!context || !key || !key->ntt || !ciphertext || !ciphertext->data || !plaintext || !plaintext->ntt) return RS_ERR_NULL;
    RS_TRY(rs_check_id(context, key->parms_id, context->params.limb_count));
    RS_TRY(rs_check_id(context, ciphertext->parms_id, ciphertext->limb_count));
    if (ciphertext->poly_count < 2 || ciphertext->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
    if (limb_count < 1 || limb_count > ciphertext->limb_count) return RS_ERR_LEVEL;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_decrypt_workspace(context)));
    const size_t n = context->n;
    const uint32_t limbs = ciphertext->limb_count;
    rs_uniform_t uniform;
    if (ciphertext->seeded) {
        RS_TRY(rs_uniform_init(&uniform, ciphertext->seed_type, &ciphertext->seed, context->params.log_n, limbs));
    }
    for (uint32_t limb = 0; limb < limb_count; limb++) {
        const uint64_t *polys[RS_POLYS_MAX];
        for (uint32_t j = 0; j < ciphertext->poly_count; j++) polys[j] = ciphertext->data + ((size_t)j * limbs + limb) * n;
        if (ciphertext->seeded) {
            RS_TRY(rs_uniform_next(&uniform, context->limbs[limb].modulus.q, workspace));
            polys[1] = workspace;
        }
        rs_decrypt_limb(context, limb, plaintext->ntt + limb * n, polys, ciphertext->poly_count, key->ntt + limb * n);
    }
    rs_wipe_registers();
    memcpy(plaintext->parms_id, context->ids[limb_count - 1], RS_PARMS_ID_BYTES);
    plaintext->form = RS_FORM_NTT;
    plaintext->limb_count = limb_count;
    plaintext->scale = ciphertext->scale;
    return RS_OK;
}
