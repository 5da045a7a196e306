// SPDX-License-Identifier: Apache-2.0
// Decryption, to a plaintext or to slots.
#include <ringside/kernels.h>
#include <string.h>

#include "ckks/checks.h"
#include "ckks/on_core/on_core.h"
#include "machine/image.h"

static rs_status_t aim_values(rs_device_t *d, rs_on_core_call_t *call, const rs_target_t *target) {
    if (!target->values || !target->layout) return RS_ERR_NULL;
    const int32_t word_bits = (int32_t)d->design.word_bits;
    const rs_plaintext_t decrypted = {.scale = call->scale, .limb_count = target->limbs};
    rs_fixed_scale_t scales[2];
    RS_TRY(rs_on_core_set_numbers(d, call, target->layout, target->layout->bound - target->layout->exponent - (word_bits - 2)));
    RS_TRY(rs_decode_fixed_scales(rs_on_core(d)->context, d->design.word_bits, &decrypted, target->layout->bound, scales,
                                  &call->job.limbs));
    call->job.decodes = 1;
    call->job.scales = scales[0].factor != 0;
    if (call->job.limbs > 1) {
        rs_on_core_set_factors(d, scales[0].factor, scales[1].factor);
        rs_on_core_set_drop(d, 0);
        call->job.upper_shift = rs_on_core_limited(scales[1].shift);
    } else if (scales[0].factor) {
        rs_on_core_set_factors(d, scales[0].factor, rs_on_core(d)->added_factor);
    }
    call->job.shift = rs_on_core_limited(scales[0].shift);
    call->values = target->values;
    if (!target->frames) rs_on_core_aim_message(d, call, target->values);
    return RS_OK;
}

// Frames that one program decrypts: what it does to the first one it does to all. Only slots have a scale in the program.
static int are_alike(const rs_device_frame_t *frames, uint32_t count, int decodes) {
    const rs_ciphertext_t *first = frames[0].ciphertext;
    for (uint32_t i = 0; i < count; i++) {
        const rs_ciphertext_t *one = frames[i].ciphertext;
        if (one->seeded || one->poly_count != first->poly_count || one->limb_count != first->limb_count ||
            (decodes && one->scale != first->scale) || memcmp(one->parms_id, first->parms_id, RS_PARMS_ID_BYTES) != 0)
            return 0;
    }
    return 1;
}

// The limbs of all frames that the program takes, one frame's polynomials after the other's.
static void put_frames(const rs_device_t *d, const rs_on_core_call_t *call, const rs_target_t *target) {
    const size_t n = rs_on_core(d)->context->n;
    size_t at = 0;
    for (uint32_t i = 0; i < target->count; i++) {
        const rs_ciphertext_t *ciphertext = target->frames[i].ciphertext;
        for (uint32_t j = 0; j < call->job.poly_count; j++) {
            const uint64_t *poly = ciphertext->data + (size_t)j * ciphertext->limb_count * n;
            for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
                uint8_t *image = rs_on_core_poly_at(d, call->input, at++);
                rs_device_image_write(&d->design, rs_on_core(d)->context, limb, image, poly + limb * n, 0);
            }
        }
    }
}

// Slots go behind all these. Ciphertexts that lie one behind another the core reads itself.
static rs_status_t prepare_slots(rs_device_t *d, rs_on_core_call_t *call, const rs_target_t *target) {
    const uint32_t polys = call->job.poly_count;
    const uint32_t limbs = call->job.limbs;
    const size_t output = d->used + (size_t)target->count * polys * limbs * rs_on_core_poly_bytes(d);
    const rs_ciphertext_t *first = target->frames->ciphertext;
    const size_t each = (size_t)polys * first->limb_count;
    const size_t bytes = rs_on_core_aim_frames(d, call, target->frames, target->count, output);
    if (rs_on_core_in_a_row(d, call, each)) rs_on_core_aim_input(d, call, first->data, target->count * each);
    if (!call->user_input) call->job.input_limbs = limbs; // a copy has no others
    RS_TRY(rs_on_core_prepare(d, call, (size_t)target->count * polys * limbs, rs_on_core_polys_for(d, bytes)));
    RS_TRY(rs_on_core_load_program(d, &call->job));
    if (!call->user_input) put_frames(d, call, target);
    return RS_OK;
}

// Plaintexts take the place of first polynomials.
static rs_status_t prepare_plaintexts(rs_device_t *d, rs_on_core_call_t *call, const rs_target_t *target) {
    call->frames = target->frames;
    call->job.frames = target->count;
    call->job.input_limbs = call->job.limbs;
    RS_TRY(rs_on_core_prepare(d, call, (size_t)target->count * call->job.poly_count * call->job.limbs, 0));
    call->output = call->input;
    RS_TRY(rs_on_core_load_program(d, &call->job));
    put_frames(d, call, target);
    return RS_OK;
}

rs_status_t rs_on_core_start_decryption(rs_device_t *device, const rs_ciphertext_t *ciphertext, const rs_target_t *target,
                                        void *workspace, size_t workspace_bytes) {
    if (!device || !ciphertext || !ciphertext->data) return RS_ERR_NULL;
    rs_plaintext_t *plaintext = target->plaintext;
    const uint32_t limb_count = target->limbs;
    RS_TRY(rs_on_core_ready(device));
    const rs_context_t *context = rs_on_core(device)->context;
    if (!rs_on_core(device)->secret_key) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(rs_check_id(context, ciphertext->parms_id, ciphertext->limb_count));
    const uint32_t polys = ciphertext->poly_count;
    if (polys < 2 || polys > RS_POLYS_MAX || (ciphertext->seeded && polys != 2)) return RS_ERR_POLY_COUNT;
    if (limb_count < 1 || limb_count > ciphertext->limb_count) return RS_ERR_LEVEL;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(context)));
    const size_t n = context->n;
    const uint32_t limbs = ciphertext->limb_count;
    const int expand = ciphertext->seeded && rs_on_core_expands(device, ciphertext->seed_type);
    rs_on_core_call_t call = {.key = rs_on_core(device)->secret_key, .plaintext = plaintext, .scale = ciphertext->scale};
    call.job.kind = RS_JOB_DECRYPT;
    call.job.limbs = limb_count;
    call.job.input_limbs = limbs;
    call.job.poly_count = polys;
    call.job.expansion = expand ? limbs : 0;
    if (target->frames) {
        const int decodes = target->values != NULL;
        if (!are_alike(target->frames, target->count, decodes)) return RS_ERR_DESIGN; // not at once
        if (decodes) {
            RS_TRY(aim_values(device, &call, target));
            RS_TRY(prepare_slots(device, &call, target));
        } else {
            RS_TRY(prepare_plaintexts(device, &call, target));
        }
        return rs_on_core_begin(device, &call);
    }
    if (expand) call.public_seed = &ciphertext->seed;
    const uint32_t given = ciphertext->seeded ? 1 : polys; // polynomials in ciphertext->data
    const int mixed = ciphertext->seeded && !expand; // c1 is made here
    if (!mixed) rs_on_core_aim_input(device, &call, ciphertext->data, (size_t)given * limbs);
    if (plaintext) {
        rs_on_core_aim_output(device, &call, plaintext->ntt, limb_count);
    } else {
        RS_TRY(aim_values(device, &call, target));
    }
    RS_TRY(rs_on_core_prepare(device, &call, (size_t)polys * limbs, plaintext ? limb_count : RS_MESSAGE_POLYS));
    RS_TRY(rs_on_core_load_program(device, &call.job));
    if (target->only_program) return RS_OK;
    for (uint32_t j = 0; !call.user_input && j < given; j++) {
        for (uint32_t limb = 0; limb < call.job.limbs; limb++) {
            const size_t i = (size_t)j * limbs + limb;
            rs_device_image_write(&device->design, context, limb, rs_on_core_poly_at(device, call.input, i),
                                  ciphertext->data + i * n, 0);
        }
    }
    if (mixed) {
        RS_TRY(rs_on_core_put_expansion(device, &call, limbs, limbs, ciphertext->seed_type, &ciphertext->seed, NULL, workspace));
    }
    return rs_on_core_begin(device, &call);
}

rs_status_t rs_device_decrypt_start(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                                    rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes) {
    const rs_target_t target = {.plaintext = plaintext, .limbs = limb_count};
    if (!plaintext || !plaintext->ntt) return RS_ERR_NULL;
    return rs_on_core_start_decryption(device, ciphertext, &target, workspace, workspace_bytes);
}

rs_status_t rs_device_decrypt_decode(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count, void *values,
                                     const rs_fixed_layout_t *layout, void *workspace, size_t workspace_bytes) {
    const rs_target_t target = {.values = values, .layout = layout, .limbs = limb_count};
    RS_TRY(rs_on_core_start_decryption(device, ciphertext, &target, workspace, workspace_bytes));
    return rs_device_finish(device);
}

rs_status_t rs_device_prepare_decrypt(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                                      rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes) {
    const rs_target_t target = {.plaintext = plaintext, .limbs = limb_count, .only_program = 1};
    if (!plaintext || !plaintext->ntt) return RS_ERR_NULL;
    return rs_on_core_start_decryption(device, ciphertext, &target, workspace, workspace_bytes);
}

rs_status_t rs_device_prepare_decrypt_decode(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                                             void *values, const rs_fixed_layout_t *layout, void *workspace,
                                             size_t workspace_bytes) {
    const rs_target_t target = {.values = values, .layout = layout, .limbs = limb_count, .only_program = 1};
    return rs_on_core_start_decryption(device, ciphertext, &target, workspace, workspace_bytes);
}

rs_status_t rs_device_decrypt(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                              rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_device_decrypt_start(device, ciphertext, limb_count, plaintext, workspace, workspace_bytes));
    return rs_device_finish(device);
}
