// SPDX-License-Identifier: Apache-2.0
// Encryption: the per-limb steps and the operations made of them.
#include <ringside/client.h>
#include <ringside/golden/ckks.h>
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "ckks/checks.h"
#include "ckks/message.h"

// ---- steps -------------------------------------------------------------------------------------------------------------
// d = centred(INTT(pk o u) + error); poly = INTT(pk o u) may be d.
static void remainder_of(rs_ckks_limb_t l, int64_t *d, uint64_t *poly, const uint64_t *pk_ntt, const uint64_t *u_ntt,
                         const int8_t *error) {
    rs_ring_inverse(l.limb, poly, u_ntt, pk_ntt);
    l.lifts->centre(l.limb, d, poly, error);
}

// c = NTT(P^-1 (e - d) + m) + pk o u.
static void pk_rounded(rs_ckks_limb_t l, uint64_t *c, const uint64_t *pk_ntt, const uint64_t *u_ntt, const int8_t *error,
                       const int64_t *d, uint64_t inverse, rs_message_t message) {
#if defined(RS_BACKENDS) || defined(__wasm__)
    if (l.lifts->fused_rounded && !message.wide) {
        l.lifts->fused_rounded(l.limb, c, message.coef, error, d, inverse, pk_ntt, u_ntt);
        return;
    }
#endif
    rs_message_lift_rounded(l, c, message, error, d, inverse);
    rs_ring_forward(l.limb, c, NULL, pk_ntt, u_ntt, 0);
}

// c = NTT(e + m) + pk o u.
static void pk_direct(rs_ckks_limb_t l, uint64_t *c, const uint64_t *pk_ntt, const uint64_t *u_ntt, const int8_t *error,
                      rs_message_t message) {
    rs_message_forward(l, c, message, error, pk_ntt, u_ntt, 0);
}

// ---- steps by name (golden/ckks.h) -----------------------------------------------------------------------------------------
uint64_t rs_drop_inverse(const rs_context_t *context, uint32_t drop, uint32_t limb) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    return rs_inverse_mod(rs_reduce(context->limbs[drop].modulus.q, m), m);
}

void rs_pk_remainder(const rs_context_t *context, uint32_t drop, int64_t *d, const uint64_t *pk_ntt, const int8_t *u,
                     const int8_t *error, uint64_t *scratch) {
    rs_plan_lift(&context->limbs[drop], scratch, u, 1);
    rs_plan_forward(&context->limbs[drop], scratch);
    remainder_of(rs_ckks_limb(context, drop), d, scratch, pk_ntt, scratch, error);
}

void rs_pk_limb(const rs_context_t *context, uint32_t drop, uint32_t limb, uint64_t *c, const uint64_t *pk_ntt,
                const uint64_t *u_ntt, const int8_t *error, const int64_t *d, const double *message) {
    const uint64_t inverse = rs_drop_inverse(context, drop, limb);
    pk_rounded(rs_ckks_limb(context, limb), c, pk_ntt, u_ntt, error, d, inverse, rs_message(context, message));
}

void rs_pk_direct_limb(const rs_context_t *context, uint32_t limb, uint64_t *c, const uint64_t *pk_ntt, const uint64_t *u_ntt,
                       const int8_t *error, const double *message) {
    pk_direct(rs_ckks_limb(context, limb), c, pk_ntt, u_ntt, error, rs_message(context, message));
}

// ---- operations ---------------------------------------------------------------------------------------------
rs_status_t rs_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext) {
    if (!plaintext) return RS_ERR_NULL;
    RS_TRY(rs_check_id(context, plaintext->parms_id, plaintext->limb_count));
    if (plaintext->limb_count > context->data_limbs) return RS_ERR_LEVEL;
    RS_TRY(rs_check_scale(context, plaintext->scale, plaintext->limb_count));
    if (plaintext->correction_factor | plaintext->reserved[0] | plaintext->reserved[1]) return RS_ERR_STRUCT;
    if (plaintext->form != RS_FORM_COEF && plaintext->form != RS_FORM_NTT) return RS_ERR_FORM;
    return (plaintext->form == RS_FORM_COEF ? plaintext->message : plaintext->ntt) ? RS_OK : RS_ERR_NULL;
}

// A message in coefficient form is fused into the NTT of the error; one in NTT form is added afterwards.
static rs_message_t fused_message(const rs_context_t *context, const rs_plaintext_t *plaintext) {
    return rs_message(context, plaintext->form == RS_FORM_COEF ? plaintext->message : NULL);
}

static void add_ntt_message(const rs_context_t *context, uint32_t limb, uint64_t *c0, const rs_plaintext_t *plaintext) {
    if (plaintext->form == RS_FORM_NTT) {
        rs_plan_add(&context->limbs[limb], c0, c0, plaintext->ntt + (size_t)limb * context->n);
    }
}

void rs_describe_ciphertext(const rs_context_t *context, rs_ciphertext_t *c, const rs_plaintext_t *plaintext) {
    *c = (rs_ciphertext_t){.poly_count = 2,
                           .limb_count = plaintext->limb_count,
                           .seeded = c->seeded,
                           .seed_type = c->seed_type,
                           .seed = c->seed,
                           .scale = plaintext->scale,
                           .data = c->data};
    memcpy(c->parms_id, context->ids[plaintext->limb_count - 1], RS_PARMS_ID_BYTES);
}

// Secret key: one limb of a and the error. Public key: a limb of u, and u, e0, e1; with a dropped prime also both remainders.
static size_t workspace_bytes(const rs_context_t *context, uint32_t kind) {
    const size_t n = context->n;
    switch (kind) {
    case RS_ENCRYPT_SK: return n * (sizeof(uint64_t) + 1);
    case RS_ENCRYPT_PK: return n * (sizeof(uint64_t) + 2 * sizeof(int64_t) + 3);
    case RS_ENCRYPT_PK_DIRECT: return n * (sizeof(uint64_t) + 3);
    }
    return 0;
}

static rs_status_t encrypt_secret(const rs_encrypt_request_t *r, const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext,
                                  rs_rng_t *rng, void *workspace) {
    const rs_context_t *context = r->context;
    const rs_secret_key_t *key = r->secret_key;
    const uint32_t seed_type = r->seed_type ? r->seed_type : RS_SEED_SHAKE256;
    const size_t n = context->n;
    const uint32_t limbs = plaintext->limb_count;
    rs_seed_t private_seed;
    rs_seed_t public_seed;
    RS_TRY(rs_fresh_seeds(rng, &private_seed, &public_seed));
    uint64_t *a = workspace;
    int8_t *error = (int8_t *)(a + n);
    rs_sample_cbd21(error, n, &private_seed, RS_DOMAIN_E0);
    rs_zeroize(&private_seed, sizeof private_seed);
    rs_uniform_t uniform;
    rs_status_t status = rs_uniform_init(&uniform, seed_type, &public_seed, context->params.log_n, limbs);
    const rs_message_t message = fused_message(context, plaintext);
    for (uint32_t limb = 0; status == RS_OK && limb < limbs; limb++) {
        uint64_t *c0 = ciphertext->data + limb * n;
        uint64_t *c1 = r->seeded ? a : ciphertext->data + (limbs + limb) * n;
        status = rs_uniform_next(&uniform, context->limbs[limb].modulus.q, c1);
        if (status != RS_OK) break;
        rs_message_forward(rs_ckks_limb(context, limb), c0, message, error, c1, key->ntt + limb * n, 1);
        add_ntt_message(context, limb, c0, plaintext);
    }
    rs_zeroize(workspace, workspace_bytes(context, RS_ENCRYPT_SK)); // the error, whatever the status
    RS_TRY(status);
    rs_describe_ciphertext(context, ciphertext, plaintext);
    ciphertext->seeded = r->seeded;
    ciphertext->seed_type = seed_type;
    ciphertext->seed = public_seed;
    return RS_OK;
}

static rs_status_t encrypt_public(const rs_encrypt_request_t *r, const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext,
                                  rs_rng_t *rng, void *workspace) {
    const rs_context_t *context = r->context;
    const rs_ciphertext_t *key = r->public_key;
    const uint32_t key_limbs = context->params.limb_count;
    const uint32_t kind = key_limbs == 1 ? RS_ENCRYPT_PK_DIRECT : r->kind;
    const size_t n = context->n;
    const uint32_t limbs = plaintext->limb_count;
    const uint32_t drop = limbs; // the prime that follows the plaintext's last limb
    uint64_t *u_ntt = workspace;
    int64_t *remainders = (int64_t *)(u_ntt + n);
    rs_small_t small;
    RS_TRY(rs_sample_small(context, &small, (int8_t *)(kind == RS_ENCRYPT_PK ? remainders + 2 * n : remainders), rng));

    const rs_message_t message = fused_message(context, plaintext);
    const rs_message_t nothing = {0};
    if (kind == RS_ENCRYPT_PK) {
        const rs_ckks_limb_t l = rs_ckks_limb(context, drop);
        rs_ring_small(l.limb, u_ntt, small.u, 1);
        for (uint32_t j = 0; j < 2; j++) {
            const uint64_t *pk = key->data + ((size_t)j * key_limbs + drop) * n;
            int64_t *d = remainders + j * n;
            remainder_of(l, d, (uint64_t *)d, pk, u_ntt, small.errors[j]);
        }
    }
    for (uint32_t limb = 0; limb < limbs; limb++) {
        const rs_ckks_limb_t l = rs_ckks_limb(context, limb);
        const uint64_t inverse = kind == RS_ENCRYPT_PK ? rs_drop_inverse(context, drop, limb) : 1;
#ifdef RS_BACKENDS
        if (l.lifts->sweep && !message.wide) {
            uint64_t *c = ciphertext->data + (size_t)limb * n;
            const uint64_t *pk = key->data + (size_t)limb * n;
            const int64_t *d[2] = {remainders, remainders + n};
            const int rounded = kind == RS_ENCRYPT_PK;
            const rs_sweep_t sweep = {.c = {c, c + (size_t)limbs * n},
                                      .pk = {pk, pk + (size_t)key_limbs * n},
                                      .errors = {small.errors[0], small.errors[1]},
                                      .d = {rounded ? d[0] : NULL, rounded ? d[1] : NULL},
                                      .message = message.coef,
                                      .u = small.u,
                                      .inverse = inverse,
                                      .factor = inverse,
                                      .scratch = u_ntt};
            l.lifts->sweep(l.limb, &sweep);
            add_ntt_message(context, limb, c, plaintext);
            continue;
        }
#endif
        rs_ring_small(l.limb, u_ntt, small.u, inverse);
        for (uint32_t j = 0; j < 2; j++) {
            const uint64_t *pk = key->data + ((size_t)j * key_limbs + limb) * n;
            uint64_t *c = ciphertext->data + ((size_t)j * limbs + limb) * n;
            if (kind == RS_ENCRYPT_PK) {
                pk_rounded(l, c, pk, u_ntt, small.errors[j], remainders + j * n, inverse, j ? nothing : message);
            } else {
                pk_direct(l, c, pk, u_ntt, small.errors[j], j ? nothing : message);
            }
        }
        add_ntt_message(context, limb, ciphertext->data + limb * n, plaintext);
    }
    rs_zeroize(workspace, workspace_bytes(context, kind));
    rs_describe_ciphertext(context, ciphertext, plaintext);
    ciphertext->seeded = 0;
    return RS_OK;
}

// ---- requests ----------------------------------------------------------------------------------------------------------
// What encode writes, behind the workspace of the encryption.
static size_t message_bytes(const rs_encrypt_request_t *r, const rs_encrypt_item_t *item) {
    const uint32_t all = r->context->data_limbs;
    const uint32_t limbs = item->limb_count && item->limb_count < all ? item->limb_count : all;
    return item->plaintext ? 0 : (r->fixed ? limbs : 1) * r->context->n * sizeof(uint64_t);
}

size_t rs_ckks_encrypt_workspace(const rs_encrypt_request_t *r) {
    size_t message = 0;
    for (size_t i = 0; r->items && i < r->count; i++) {
        const size_t bytes = message_bytes(r, &r->items[i]);
        if (bytes > message) message = bytes;
    }
    return workspace_bytes(r->context, r->kind) + message;
}

size_t rs_ckks_encrypt_wiped(const rs_encrypt_request_t *r) { return workspace_bytes(r->context, r->kind); }

rs_status_t rs_ckks_encrypt(const rs_encrypt_request_t *r, const rs_encrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    uint64_t *behind = (uint64_t *)(void *)((uint8_t *)workspace + workspace_bytes(r->context, r->kind));
    rs_plaintext_t encoded = {.message = behind, .ntt = behind};
    const rs_plaintext_t *plaintext = item->plaintext ? item->plaintext : &encoded;
    if (!item->plaintext) {
        const rs_encode_request_t how = {.size = sizeof how,
                                         .count = item->count,
                                         .limb_count = item->limb_count,
                                         .context = r->context,
                                         .fixed = r->fixed,
                                         .values = item->values,
                                         .layout = item->layout,
                                         .scale = item->scale,
                                         .plaintext = &encoded};
        RS_TRY(rs_encode(&how));
    }
    RS_TRY(rs_check_plaintext(r->context, plaintext));
    return (r->kind == RS_ENCRYPT_SK ? encrypt_secret : encrypt_public)(r, plaintext, item->ciphertext, rng, workspace);
}
