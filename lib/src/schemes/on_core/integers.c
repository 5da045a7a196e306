// SPDX-License-Identifier: Apache-2.0
// Messages of BFV and BGV, divided by the error's factor until they leave the lanes, and phases that have come from there.
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "machine/image.h"
#include "params/plain.h"
#include "schemes/on_core/on_core.h"

enum { ROUND_POLYS = 3 }; // a phase, and both sums, in words

uint64_t rs_on_core_plain_inverse(const rs_context_t *context, uint32_t limb, int negative) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const uint64_t inverse = rs_plain_inverse(context->params.plain_modulus, m->q);
    return negative ? m->q - inverse : inverse;
}

// Both schemes have t^-1 w beside an error: BFV's mu is that, BGV's 1.
void rs_on_core_lift_integers(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t limb, uint64_t *residues,
                              const int8_t *error) {
    const rs_context_t *context = rs_on_core(d)->context;
    const uint64_t q = context->limbs[limb].modulus.q;
    const uint64_t mu = rs_on_core_plain_inverse(context, limb, call->job.kind == RS_JOB_ENCRYPT_SK);
    const rs_integer_lift_t lift = {.w = (const int64_t *)call->integers,
                                    .mu = rs_factor(mu, q),
                                    .error = error,
                                    .factor = rs_factor(1, q),
                                    .bits = rs_exact(context)->plain.bits};
    rs_exact(context)->integers->lift(&context->limbs[limb], residues, &lift);
}

size_t rs_on_core_round_bytes(const rs_device_t *d) { return ROUND_POLYS * rs_on_core_word_bytes(d); }

static rs_status_t round_item(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t i, uint64_t *words) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_decrypt_item_t *item = &call->decrypts[i];
    const uint32_t limbs = call->job.limbs;
    if (call->job.phase & RS_PHASE_ROUNDED) {
        rs_image_read(&d->design, &rs_exact(context)->ring, words, rs_on_core_poly_at(d, call->output, 0));
        rs_exact_put(context, item, limbs, words, call->job.phase & RS_PHASE_SLOTS);
        return RS_OK;
    }
    const size_t first = (size_t)i * call->job.poly_count * call->job.input_limbs; // a single one's is 0
    const rs_exact_sums_t sums = {context, words + context->n, words + 2 * context->n};
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_image_read(&d->design, &context->limbs[limb], words, rs_on_core_poly_at(d, call->output, first + limb));
        rs_exact_add_phase(&sums, limbs, limb, words);
    }
    return rs_exact_answer(&sums, item, limbs, call->margin_bits);
}

rs_status_t rs_on_core_round(const rs_device_t *d, const rs_on_core_call_t *call) {
    uint64_t *words = (uint64_t *)(void *)(d->bus.memory + call->end - rs_on_core_round_bytes(d));
    rs_status_t status = RS_OK;
    for (uint32_t i = 0; i < rs_on_core_frames_of(call) && status == RS_OK; i++) status = round_item(d, call, i, words);
    for (uint32_t i = 0; i < rs_on_core_frames_of(call) && status != RS_OK; i++) {
        const rs_decrypt_item_t *item = &call->decrypts[i];
        if (item->values) rs_zeroize(item->values, item->count * sizeof(uint64_t));
        if (item->plaintext) rs_zeroize(item->plaintext->message, rs_on_core_word_bytes(d));
    }
    return status;
}

// ---- the streaming unit ------------------------------------------------------------------------------------------------
// It multiplies neither a message nor an error. With an image of t k_0 and k_1, k_j the key's polynomials over the error's factor f, it makes
// row 0 times t, and row 1, of a ciphertext over f:
//   c_0 t / f = t k_0 u / P + t (e_0 - d_0) / P + w,  d_j being what is left of k_j u + e_j modulo P (exact/encrypt.c)
// The lanes round row 0's product t k_0 u: of t (e_0 - d_0) / P they and the unit make (e_0 - d) / P, d being what is left of it and e_0. The rest
// is an integer, which the message brings. Without P: P = 1, d = 0.
// BGV's row 0 and BFV's row 1 are a ciphertext's as they come.
rs_factor_t rs_on_core_streamed_factor(const rs_context_t *context, uint32_t limb, int back) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const int inverse = rs_is_bgv(context) != (back != 0);
    return rs_factor(inverse ? rs_on_core_plain_inverse(context, limb, 0) : rs_reduce(context->params.plain_modulus, m), m->q);
}

static void add(uint8_t *word, uint64_t x) { rs_store64(word, rs_load64(word) + x); }

// d_0.
static void put_remainder(const rs_device_t *d, uint32_t drop, const rs_seed_t *seed, uint64_t *v, uint64_t *key, int8_t *u,
                          const int8_t *error) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_limb_t *limb = &context->limbs[drop];
    rs_sample_ternary(u, context->n, seed, RS_DOMAIN_U);
    rs_ring_small(limb, v, u, rs_on_core_plain_inverse(context, drop, 0)); // the image has t k_0
    const size_t at = rs_on_core_streamed_key(&d->design, context->params.log_n, drop);
    rs_image_get(key, d->bus.memory + rs_on_core(d)->stream_key + at, context->n, 1);
    rs_plan_mul(limb, v, v, key);
    rs_plan_inverse(limb, v);
    rs_exact(context)->lifts[drop]->centre(limb, (int64_t *)v, v, error);
}

void rs_on_core_put_streamed_integers(const rs_device_t *d, const rs_on_core_call_t *call, size_t offset, const rs_seed_t *seed,
                                      uint64_t *workspace) {
    const rs_context_t *context = rs_on_core(d)->context;
    const size_t n = context->n;
    const uint32_t drop = call->job.limbs;
    const int rounded = call->job.kind == RS_JOB_ENCRYPT_PK;
    const uint64_t t = context->params.plain_modulus, p = rounded ? context->limbs[drop].modulus.q : 1;
    const rs_factor_t times = rounded ? rs_factor(rs_reduce(t, &context->limbs[drop].modulus), p) : (rs_factor_t){0, 0};
    uint64_t inverse = 1; // p^-1 modulo 2^64
    for (unsigned i = 0; i < 6; i++) inverse *= 2 - p * inverse;
    uint64_t *v = workspace + n;
    int8_t *u = (int8_t *)(v + n), *error = u + n;
    uint8_t *words = d->bus.memory + offset;
    rs_sample_cbd21(error, n, seed, RS_DOMAIN_E0);
    memset(v, 0, n * sizeof *v);
    if (rounded) put_remainder(d, drop, seed, v, workspace, u, error);
    for (size_t i = 0; i < n; i++) {
        const uint64_t e = (uint64_t)(int64_t)error[i], x = v[i] - e;
        add(words + i * sizeof x, ((t - 1) * e - t * v[i]) * inverse);
        v[i] = rs_mul_factor(x + (p & (0 - (x >> 63))), times, p); // t k_0 u
    }
    if (!rounded) return;
    rs_exact(context)->lifts[drop]->centre(&context->limbs[drop], (int64_t *)v, v, error);
    for (size_t i = 0; i < n; i++) add(words + i * sizeof *v, v[i] * inverse);
}
