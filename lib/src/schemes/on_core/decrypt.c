// SPDX-License-Identifier: Apache-2.0
// Decryption, to a plaintext or to slots.
#include <ringside/golden/ckks.h>
#include <string.h>

#include "ckks/checks.h"
#include "machine/image.h"
#include "schemes/on_core/on_core.h"

static rs_status_t aim_values(rs_device_t *d, rs_on_core_call_t *call) {
    const rs_decrypt_item_t *item = call->decrypts;
    const rs_layout_t *layout = item->layout;
    const int32_t word_bits = (int32_t)d->design.word_bits;
    const rs_plaintext_t decrypted = {.scale = item->ciphertext->scale, .limb_count = call->job.limbs};
    rs_fixed_scale_t scales[2];
    RS_TRY(rs_on_core_set_numbers(d, call, layout, item->count, layout ? layout->bound - layout->exponent - (word_bits - 2) : 0));
    RS_TRY(
        rs_decode_fixed_scales(rs_on_core(d)->context, d->design.word_bits, &decrypted, layout->bound, scales, &call->job.limbs));
    call->job.decodes = 1;
    call->job.scales = scales[0].factor != 0;
    if (call->job.limbs > 1) {
        rs_on_core_set_factors(d, scales[0].factor, scales[1].factor);
        rs_on_core_set_constants(d, (rs_constants_t){0});
        call->job.upper_shift = rs_on_core_limited(scales[1].shift);
    } else if (scales[0].factor) {
        rs_on_core_set_factors(d, scales[0].factor, rs_on_core(d)->added_factor);
    }
    call->job.shift = rs_on_core_limited(scales[0].shift);
    if (!call->job.frames) rs_on_core_aim_message(d, call, item->values);
    return RS_OK;
}

static uint32_t limbs_of(const rs_decrypt_item_t *item) {
    return item->limb_count ? item->limb_count : item->ciphertext->limb_count;
}

// Frames that one program decrypts: what it does to the first one it does to all. Only slots have a scale in the program.
static int are_alike(const rs_decrypt_item_t *items, uint32_t count, int exact) {
    const rs_ciphertext_t *first = items->ciphertext;
    for (uint32_t i = 0; i < count; i++) {
        const rs_ciphertext_t *one = items[i].ciphertext;
        if (one->seeded || one->poly_count != first->poly_count || one->limb_count != first->limb_count ||
            memcmp(one->parms_id, first->parms_id, RS_PARMS_ID_BYTES) != 0 || limbs_of(&items[i]) != limbs_of(items) ||
            one->form != first->form || !items[i].values != !items->values)
            return 0;
        if (exact) continue;
        if (items->values && (one->scale != first->scale || items[i].count != items->count ||
                              !rs_on_core_same_layout(items[i].layout, items->layout)))
            return 0;
    }
    return 1;
}

// The limbs of all frames that the program takes, one frame's polynomials after the other's.
static void put_frames(const rs_device_t *d, const rs_on_core_call_t *call) {
    const size_t n = rs_on_core(d)->context->n;
    size_t at = 0;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        const rs_ciphertext_t *ciphertext = call->decrypts[i].ciphertext;
        for (uint32_t j = 0; j < call->job.poly_count; j++) {
            const uint64_t *poly = ciphertext->data + (size_t)j * ciphertext->limb_count * n;
            for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
                uint8_t *image = rs_on_core_poly_at(d, call->input, at++);
                rs_image_write(&d->design, &rs_on_core(d)->context->limbs[limb], image, poly + limb * n, 0);
            }
        }
    }
}

// Several items. Slots go behind all polynomials; plaintexts take the place of first ones. Ciphertexts of slots that lie one behind another the core
// reads itself.
static rs_status_t prepare_frames(rs_device_t *d, rs_on_core_call_t *call) {
    const size_t polys = call->job.frames * (size_t)call->job.poly_count * call->job.limbs;
    const rs_ciphertext_t *first = call->decrypts->ciphertext;
    const size_t each = (size_t)call->job.poly_count * first->limb_count;
    size_t bytes = call->job.phase ? rs_on_core_round_bytes(d) : 0;
    if (call->job.decodes) {
        bytes = rs_on_core_aim_frames(d, call, d->used + polys * rs_on_core_poly_bytes(d));
        if (rs_on_core_in_a_row(d, call, each)) rs_on_core_aim_input(d, call, first->data, call->job.frames * each);
    }
    if (!call->from.data) call->job.input_limbs = call->job.limbs; // a copy has no others
    RS_TRY(rs_on_core_prepare(d, call, polys, rs_on_core_polys_for(d, bytes)));
    if (!call->job.decodes) call->output = call->input;
    RS_TRY(rs_on_core_load_program(d, &call->job));
    if (!call->from.data) put_frames(d, call);
    return RS_OK;
}

// A single message is rounded in the core, if that can; how near phases are to a half only the processor looks at.
static void aim_phase(const rs_device_t *d, rs_on_core_call_t *call) {
    const rs_decrypt_item_t *item = call->decrypts;
    const int slots = !item->plaintext && (!item->layout || !item->layout->packing);
    call->job.phase = RS_PHASE_COEFFICIENTS;
    call->job.key_limbs = (uint32_t)rs_on_core_key_limbs(d);
    if (rs_on_core(d)->gamma && !call->job.frames && !call->margin_bits)
        call->job.phase = RS_PHASE_ROUNDED | (slots ? RS_PHASE_SLOTS : 0);
    if (call->job.phase != RS_PHASE_COEFFICIENTS && rs_exact_switches(rs_on_core(d)->context, item->ciphertext, 0))
        call->job.phase |= RS_PHASE_SWITCHED;
}

// The polynomials of one ciphertext that the core does not read itself.
static rs_status_t put_ciphertext(rs_device_t *d, const rs_on_core_call_t *call, uint32_t given, int makes_c1, void *workspace) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_ciphertext_t *ciphertext = call->decrypts->ciphertext;
    const uint32_t limbs = ciphertext->limb_count;
    for (uint32_t j = 0; !call->from.data && j < given; j++) {
        for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
            const size_t i = (size_t)j * limbs + limb;
            rs_image_write(&d->design, &context->limbs[limb], rs_on_core_poly_at(d, call->input, i),
                           ciphertext->data + i * context->n, 0);
        }
    }
    if (!makes_c1) return RS_OK;
    return rs_on_core_put_expansion(d, call, limbs, limbs, ciphertext->seed_type, &ciphertext->seed, NULL, workspace);
}

static rs_status_t start_some(rs_device_t *d, const rs_decrypt_request_t *request, rs_decrypt_item_t *items, uint32_t count,
                              rs_device_mode_t mode) {
    const rs_ciphertext_t *ciphertext = items->ciphertext;
    const uint32_t limbs = ciphertext->limb_count, polys = ciphertext->poly_count;
    const int exact = rs_on_core_is_exact(d), coefficients = exact && ciphertext->form == RS_FORM_COEF;
    RS_TRY(rs_check_id(rs_on_core(d)->context, ciphertext->parms_id, limbs));
    if (polys < 2 || polys > RS_POLYS_MAX || (ciphertext->seeded && polys != 2)) return RS_ERR_POLY_COUNT;
    if (limbs_of(items) > limbs) return RS_ERR_LEVEL;
    for (uint32_t i = 0; exact && i < count; i++) {
        uint32_t needed;
        RS_TRY(rs_check_ciphertext(rs_on_core(d)->context, items[i].ciphertext));
        RS_TRY(rs_exact_check_item(rs_on_core(d)->context, &items[i], &needed));
    }
    if (count > 1 && !are_alike(items, count, exact)) return RS_ERR_DESIGN; // not at once
    const int expand = ciphertext->seeded && rs_on_core_expands(d, ciphertext->seed_type);
    rs_on_core_call_t call = {.key = rs_on_core(d)->secret_key, .decrypts = items, .margin_bits = request->margin_bits};
    call.job.kind = RS_JOB_DECRYPT;
    call.job.limbs = limbs_of(items);
    call.job.input_limbs = limbs;
    call.job.poly_count = polys;
    call.job.expansion = expand ? limbs : 0;
    call.job.frames = count > 1 ? count : 0;
    call.job.coefficients = (uint32_t)coefficients;
    if (exact) aim_phase(d, &call);
    if (expand) call.public_seed = &ciphertext->seed;
    if (count > 1) {
        if (items->values && !exact) RS_TRY(aim_values(d, &call));
        RS_TRY(prepare_frames(d, &call));
        return rs_on_core_begin(d, &call);
    }
    const uint32_t given = ciphertext->seeded ? 1 : polys; // polynomials in ciphertext->data
    const int makes_c1 = ciphertext->seeded && !expand;
    if (!makes_c1) rs_on_core_aim_input(d, &call, ciphertext->data, (size_t)given * limbs);
    size_t out = call.job.limbs * (coefficients && expand ? 2 : 1);
    if (exact) {
        out += rs_on_core_polys_for(d, rs_on_core_round_bytes(d));
    } else if (items->values) {
        RS_TRY(aim_values(d, &call));
        out = RS_MESSAGE_POLYS;
    } else {
        rs_on_core_aim_output(d, &call, items->plaintext->ntt, call.job.limbs);
    }
    RS_TRY(rs_on_core_prepare(d, &call, (size_t)polys * limbs, out));
    RS_TRY(rs_on_core_load_program(d, &call.job));
    if (mode == RS_DEVICE_PREPARE) return RS_OK;
    RS_TRY(put_ciphertext(d, &call, given, makes_c1, request->workspace.p));
    if (call.job.phase & RS_PHASE_ROUNDED) {
        const uint32_t switched = call.job.phase & RS_PHASE_SWITCHED ? limbs : 0;
        const rs_constants_t constants = {
            .drop = switched ? 1 : limbs, .rounded = 1, .switched = switched, .correction_factor = ciphertext->correction_factor};
        rs_on_core_set_constants(d, constants);
    }
    return rs_on_core_begin(d, &call);
}

static rs_status_t start(rs_device_t *d, const void *request, size_t first, uint32_t *some, rs_device_mode_t mode) {
    const rs_decrypt_request_t *r = request;
    if (rs_on_core(d)->gamma && !r->margin_bits) *some = 1;
    if (!rs_on_core_is_exact(d) && r->items[first].values && *some > RS_FRAMES_ENCODE) *some = RS_FRAMES_ENCODE;
    return start_some(d, r, r->items + first, *some, mode);
}

static rs_status_t check(const rs_device_t *d, const rs_decrypt_request_t *r, rs_device_mode_t mode) {
    if (!d) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_REQUEST(r));
    RS_TRY(rs_on_core_ready(d));
    const rs_on_core_t *s = rs_on_core(d);
    if (!s->secret_key) return RS_ERR_DEVICE_NOT_LOADED;
    if ((uint32_t)mode > RS_DEVICE_PREPARE || (mode != RS_DEVICE_RUN && r->count != 1)) return RS_ERR_OPTION;
    if (r->publish || r->rng) return RS_ERR_OPTION; // the core publishes nothing
    RS_TRY(s->context->calls->check_decrypt(r));
    if (!r->items && r->count) return RS_ERR_NULL;
    RS_TRY(rs_on_core_check_loaded(d, r->context, NULL, r->secret_key, r->fixed));
    RS_TRY(rs_check_memory(r->workspace, rs_device_workspace(s->context)));
    for (size_t i = 0; i < r->count; i++) {
        const rs_decrypt_item_t *item = &r->items[i];
        if (!item->ciphertext || !item->ciphertext->data || !(item->values || item->plaintext)) return RS_ERR_NULL;
        if (item->values && item->plaintext && !rs_on_core_is_exact(d)) return RS_ERR_OPTION;
        if (item->plaintext && !rs_on_core_is_exact(d) && !item->plaintext->ntt) return RS_ERR_NULL;
    }
    return RS_OK;
}

rs_status_t rs_device_decrypt(rs_device_t *device, const rs_decrypt_request_t *request, rs_device_mode_t mode) {
    RS_TRY(check(device, request, mode));
    return rs_on_core_run(device, mode, RS_ON_CORE_ITEMS(request, start));
}
