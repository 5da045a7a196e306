// SPDX-License-Identifier: Apache-2.0
// Secret and public keys.
#include <ringside/rlwe.h>

#include "base/bytes.h"
#include "base/registers.h"
#include "rlwe/checks.h"

rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key) {
    if (key->limb_count != context->params.limb_count) return RS_ERR_MISMATCH;
    RS_TRY(rs_check_id(context, key->parms_id, key->limb_count));
    if (key->seeded) return RS_ERR_SEEDED;
    return key->poly_count == 2 ? RS_OK : RS_ERR_POLY_COUNT;
}

void rs_zero_limb(const rs_limb_t *l, uint64_t *c0, const uint64_t *a_ntt, const uint64_t *s_ntt, const int8_t *error) {
    rs_ring_forward(l, c0, error, a_ntt, s_ntt, 1);
}

rs_status_t rs_check_secret(const rs_context_t *context, const rs_secret_key_t *key) {
    if (!context || !key || !key->ntt) return RS_ERR_NULL;
    return rs_check_id(context, key->parms_id, context->params.limb_count);
}

rs_status_t rs_keygen_secret(const rs_context_t *context, rs_secret_key_t *key, rs_rng_t *rng) {
    if (!context || !key || !key->ntt || !rng || !rng->fill) return RS_ERR_NULL;
    rs_seed_t seed;
    RS_TRY(rs_fresh_seed(rng, &seed));
    const size_t n = context->n;
    const uint32_t limbs = context->params.limb_count;
    // The ternary coefficients wait as bytes at the start of the last limb, which is lifted last and from its end: word i overwrites
    // bytes 8i … 8i+7, and only bytes below i are still needed.
    uint64_t *last = key->ntt + (limbs - 1) * n;
    int8_t *ternary = (int8_t *)last;
    rs_sample_ternary(ternary, n, &seed, RS_DOMAIN_S);
    rs_zeroize(&seed, sizeof seed);
    for (uint32_t limb = 0; limb + 1 < limbs; limb++) rs_plan_lift(&context->limbs[limb], key->ntt + limb * n, ternary, 1);
    const uint64_t q = context->limbs[limbs - 1].modulus.q;
    for (size_t i = n; i-- > 0;) {
        const uint64_t x = (uint64_t)(int64_t)ternary[i];
        last[i] = x + (q & (0 - (x >> 63)));
    }
    for (uint32_t limb = 0; limb < limbs; limb++) rs_plan_forward(&context->limbs[limb], key->ntt + limb * n);
    rs_wipe_registers();
    memcpy(key->parms_id, context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    return RS_OK;
}

// 0 … 2 bound for the residues of -bound … bound; more for any other.
static uint64_t small_class(uint64_t x, uint64_t bound, uint64_t q) {
    return rs_csub(x + bound, q);
}

static uint64_t ternary_class(uint64_t x, uint64_t q) {
    return small_class(x, 1, q);
}

rs_status_t rs_secret_key_check(const rs_context_t *context, const rs_secret_key_t *key, void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_check_secret(context, key));
    const size_t n = context->n;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, 2 * n * sizeof(uint64_t)));
    uint64_t *first = workspace;
    uint64_t *other = first + n;
    uint64_t wrong = 0;
    uint64_t set = 0;
    memcpy(first, key->ntt, n * sizeof *first);
    rs_plan_inverse(&context->limbs[0], first);
    for (size_t i = 0; i < n; i++) {
        const uint64_t class = ternary_class(first[i], context->limbs[0].modulus.q);
        wrong |= (2 - class) >> 63;
        set |= class ^ 1;
    }
    wrong |= 1 ^ ((set | (0 - set)) >> 63); // with s = 0 every ciphertext shows its message
    for (uint32_t limb = 1; limb < context->params.limb_count; limb++) {
        memcpy(other, key->ntt + limb * n, n * sizeof *other);
        rs_plan_inverse(&context->limbs[limb], other);
        for (size_t i = 0; i < n; i++) {
            wrong |= ternary_class(first[i], context->limbs[0].modulus.q) ^ ternary_class(other[i], context->limbs[limb].modulus.q);
        }
    }
    rs_zeroize(workspace, 2 * n * sizeof(uint64_t));
    RS_DECLASSIFY(&wrong, sizeof wrong);
    return wrong ? RS_ERR_SECRET_KEY : RS_OK;
}

// Workspace of key generation: one limb and one error polynomial.
size_t rs_keygen_workspace(const rs_context_t *context) {
    return context->n * (sizeof(uint64_t) + sizeof(int8_t));
}

rs_status_t rs_keygen_public(const rs_context_t *context, const rs_secret_key_t *secret, rs_ciphertext_t *key, rs_rng_t *rng,
                             void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_check_secret(context, secret));
    if (!key || !key->data || !rng || !rng->fill) return RS_ERR_NULL;
    if (key->seed_type != RS_SEED_BLAKE2XB && key->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_keygen_workspace(context)));
    const size_t n = context->n;
    const uint32_t limbs = context->params.limb_count;
    rs_seed_t private_seed;
    rs_seed_t public_seed;
    RS_TRY(rs_fresh_seeds(rng, &private_seed, &public_seed));
    uint64_t *scratch = workspace;
    int8_t *error = (int8_t *)(scratch + n);
    rs_sample_cbd21(error, n, &private_seed, RS_DOMAIN_E0);
    rs_zeroize(&private_seed, sizeof private_seed);

    rs_uniform_t uniform;
    rs_status_t status = rs_uniform_init(&uniform, key->seed_type, &public_seed, context->params.log_n, limbs);
    for (uint32_t limb = 0; status == RS_OK && limb < limbs; limb++) {
        uint64_t *a = key->seeded ? scratch : key->data + (limbs + limb) * n;
        status = rs_uniform_next(&uniform, context->limbs[limb].modulus.q, a);
        if (status == RS_OK) rs_zero_limb(&context->limbs[limb], key->data + limb * n, a, secret->ntt + limb * n, error);
    }
    rs_zeroize(workspace, rs_keygen_workspace(context)); // the error, whatever the status
    RS_TRY(status);
    memcpy(key->parms_id, context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    key->poly_count = 2;
    key->limb_count = limbs;
    key->scale = 1.0;
    key->seed = public_seed;
    return RS_OK;
}

rs_status_t rs_key_pair_check(const rs_context_t *context, const rs_secret_key_t *secret, const rs_ciphertext_t *key,
                              void *workspace, size_t workspace_bytes) {
    const uint64_t bound = 21; // bound of the centred binomial distribution
    RS_TRY(rs_check_secret(context, secret));
    if (!key || !key->data) return RS_ERR_NULL;
    const size_t n = context->n;
    const uint32_t limbs = context->params.limb_count;
    RS_TRY(rs_check_id(context, key->parms_id, key->limb_count));
    if (key->limb_count != limbs) return RS_ERR_MISMATCH;
    if (key->poly_count != 2) return RS_ERR_POLY_COUNT;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, 2 * n * sizeof(uint64_t)));
    uint64_t *classes = workspace; // residue classes of the errors, modulo the first limb
    uint64_t *error = classes + n;
    rs_uniform_t uniform;
    rs_status_t status = RS_OK;
    if (key->seeded) status = rs_uniform_init(&uniform, key->seed_type, &key->seed, context->params.log_n, limbs);
    uint64_t wrong = 0;
    uint64_t set = 0;
    for (uint32_t limb = 0; status == RS_OK && limb < limbs; limb++) {
        const uint64_t q = context->limbs[limb].modulus.q;
        const uint64_t *a = key->seeded ? error : key->data + (size_t)(limbs + limb) * n;
        if (key->seeded) status = rs_uniform_next(&uniform, q, error);
        if (status != RS_OK) break;
        rs_plan_mul_add(&context->limbs[limb], error, a, secret->ntt + (size_t)limb * n, key->data + (size_t)limb * n);
        rs_plan_inverse(&context->limbs[limb], error);
        for (size_t i = 0; i < n; i++) {
            const uint64_t class = small_class(error[i], bound, q);
            if (limb == 0) {
                classes[i] = class;
                wrong |= (2 * bound - class) >> 63;
                set |= class ^ bound;
            }
            wrong |= classes[i] ^ class;
        }
    }
    wrong |= 1 ^ ((set | (0 - set)) >> 63); // without an error s would follow from b and a
    rs_zeroize(workspace, 2 * n * sizeof(uint64_t));
    RS_TRY(status);
    RS_DECLASSIFY(&wrong, sizeof wrong);
    return wrong ? RS_ERR_KEY_PAIR : RS_OK;
}
