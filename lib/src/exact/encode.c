// SPDX-License-Identifier: Apache-2.0
// Encode and decode: integers in slots or coefficients <-> polynomials modulo t (Smart, Vercauteren 2014; SEAL's BatchEncoder), and w.
#include "base/declassify.h"
#include "exact/context.h"

enum { SIGNED = 0, UNSIGNED = 1, SLOTS = 0, COEFFICIENTS = 1 };

uint64_t rs_exact_product(const rs_context_t *context, uint32_t limb_count) {
    const rs_modulus_t *t = &rs_exact(context)->plain;
    uint64_t product = 1;
    for (uint32_t i = 0; i < limb_count; i++) {
        product = rs_mul_mod(product, rs_reduce(context->params.moduli[i], t), t);
    }
    return product;
}

rs_status_t rs_exact_check_level(const rs_context_t *context, uint32_t limb_count) {
    const int is_there = limb_count >= rs_exact(context)->limbs_min && limb_count <= context->params.limb_count;
    return is_there ? RS_OK : RS_ERR_LEVEL;
}

rs_status_t rs_exact_check_fresh(const rs_context_t *context, uint32_t limb_count) {
    return limb_count > context->data_limbs ? RS_ERR_LEVEL : rs_exact_check_level(context, limb_count);
}

rs_status_t rs_exact_check_layout(const rs_context_t *context, const rs_layout_t *layout, uint32_t count) {
    static const rs_layout_t USUAL = {0};
    if (!layout) layout = &USUAL;
    if (layout->reserved[0] | layout->reserved[1] | layout->reserved[2]) return RS_ERR_STRUCT;
    if (layout->is_complex || layout->exponent || layout->bound || layout->packing > COEFFICIENTS) return RS_ERR_OPTION;
    if (layout->format > UNSIGNED) return RS_ERR_LAYOUT;
    if (layout->packing == SLOTS && !rs_exact(context)->batches) return RS_ERR_BATCHING;
    return count > context->n ? RS_ERR_VALUE_COUNT : RS_OK;
}

static int is_unsigned(const rs_layout_t *layout) { return layout && layout->format == UNSIGNED; }

static int in_slots(const rs_layout_t *layout) { return !layout || layout->packing == SLOTS; }

// The place of slot or coefficient i. n: N if they are slots, else 0.
static inline size_t place_of(const uint32_t *slots, size_t i, size_t n) {
    if (!n) return i;
    return i < n / 2 ? slots[i] : n - 1 - slots[i - n / 2];
}

rs_status_t rs_exact_scatter(const rs_context_t *context, uint64_t *words, const void *values, uint32_t count,
                             const rs_layout_t *layout) {
    const rs_exact_t *exact = rs_exact(context);
    const uint64_t t = exact->plain.q;
    const uint64_t *given = values;
    const size_t n = in_slots(layout) ? context->n : 0;
    // a signed value is in range if value + floor(t/2) is: t/2 of an even t would come back as -t/2
    const uint64_t offset = is_unsigned(layout) ? 0 : t / 2;
    uint64_t beyond = 0;
    memset(words, 0, context->n * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        const uint64_t moved = given[i] + offset;
        beyond |= (t - 1 - moved) | moved;
        words[place_of(exact->slots, i, n)] = given[i] + (t & (0 - (given[i] >> 63)));
    }
    beyond >>= 63;
    RS_DECLASSIFY(&beyond, sizeof beyond); // it becomes the status
    if (beyond) {
        rs_zeroize(words, context->n * sizeof *words);
        return RS_ERR_VALUE_RANGE;
    }
    return RS_OK;
}

rs_status_t rs_exact_pack(const rs_context_t *context, uint64_t *words, const void *values, uint32_t count,
                          const rs_layout_t *layout) {
    RS_TRY(rs_exact_scatter(context, words, values, count, layout));
    if (in_slots(layout)) rs_plan_inverse(&rs_exact(context)->ring, words);
    return RS_OK;
}

// x - t if x >= h
static inline uint64_t centred(uint64_t x, uint64_t half, uint64_t t) { return x - (t & (((x - half) >> 63) - 1)); }

void rs_exact_gather(const rs_context_t *context, void *values, uint32_t count, const rs_layout_t *layout, const uint64_t *words) {
    const rs_exact_t *exact = rs_exact(context);
    const size_t n = in_slots(layout) ? context->n : 0;
    const uint64_t t = is_unsigned(layout) ? 0 : exact->plain.q; // 0: nothing is taken off
    uint64_t *out = values;
    for (size_t i = 0; i < count; i++) out[i] = centred(words[place_of(exact->slots, i, n)], exact->half, t);
}

void rs_exact_unpack(const rs_context_t *context, void *values, uint32_t count, const rs_layout_t *layout, uint64_t *words) {
    if (in_slots(layout)) rs_plan_forward(&rs_exact(context)->ring, words);
    rs_exact_gather(context, values, count, layout, words);
}

void rs_exact_spread(const rs_context_t *context, uint64_t *words, uint32_t limb_count) {
    const rs_exact_t *exact = rs_exact(context);
    const uint64_t t = exact->plain.q;
    if (rs_is_bgv(context)) {
        for (size_t i = 0; i < context->n; i++) words[i] = centred(words[i], exact->half, t);
        return;
    }
    exact->integers->spread(&exact->plain, context->n, words, rs_factor(rs_exact_product(context, limb_count), t));
}

void rs_exact_describe(const rs_context_t *context, rs_plaintext_t *p, uint32_t limb_count) {
    *p = (rs_plaintext_t){.form = RS_FORM_WORDS,
                          .limb_count = limb_count,
                          .scale = 1.0,
                          .message = p->message,
                          .ntt = p->ntt,
                          .correction_factor = 1};
    memcpy(p->parms_id, context->ids[limb_count - 1], RS_PARMS_ID_BYTES);
}

rs_status_t rs_exact_encode(const rs_encode_request_t *r) {
    const uint32_t limbs = r->limb_count ? r->limb_count : r->context->data_limbs;
    if (r->scale != 0 || r->fixed || r->words) return RS_ERR_SCHEME;
    if (!r->plaintext->message) return RS_ERR_NULL;
    RS_TRY(rs_exact_check_fresh(r->context, limbs));
    RS_TRY(rs_exact_check_layout(r->context, r->layout, r->count));
    RS_TRY(rs_exact_pack(r->context, r->plaintext->message, r->values, r->count, r->layout));
    rs_exact_describe(r->context, r->plaintext, limbs);
    return RS_OK;
}

rs_status_t rs_exact_decode(const rs_decode_request_t *r) {
    const rs_plaintext_t *plaintext = r->plaintext;
    if (r->fixed || r->publish) return RS_ERR_SCHEME;
    if (plaintext->form != RS_FORM_WORDS) return RS_ERR_FORM;
    if (!plaintext->message) return RS_ERR_NULL;
    RS_TRY(rs_check_id(r->context, plaintext->parms_id, plaintext->limb_count));
    RS_TRY(rs_exact_check_layout(r->context, r->layout, r->count));
    rs_exact_unpack(r->context, r->values, r->count, r->layout, plaintext->message);
    return RS_OK;
}
