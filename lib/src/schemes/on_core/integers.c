// SPDX-License-Identifier: Apache-2.0
// Messages of BFV and BGV, divided by the error's factor until they leave the lanes, and phases that have come from there.
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

size_t rs_on_core_round_bytes(const rs_device_t *d) {
    return ROUND_POLYS * rs_on_core_word_bytes(d);
}

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
