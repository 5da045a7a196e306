// SPDX-License-Identifier: Apache-2.0
// Encryptions: one message, or frames of the streaming unit.
#include <ringside/kernels.h>

#include "ckks/checks.h"
#include "ckks/on_core/on_core.h"

// Whether there are seeds, if any are wanted.
static int draws(const rs_encrypted_t *source, const rs_rng_t *rng) {
    return source->only_program || (rng && rng->fill);
}

// The message is not left in memory.
static rs_status_t end_preparation(const rs_device_t *device, const rs_on_core_call_t *call, rs_status_t status) {
    rs_ignore(rs_on_core_drop_message(device, call, RS_ERR_DEVICE_ABORTED));
    return status;
}

rs_status_t rs_on_core_start_public(rs_device_t *device, const rs_encrypted_t *source, rs_encryption_t kind,
                                    rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!device || !ciphertext || !ciphertext->data || !draws(source, rng)) return RS_ERR_NULL;
    RS_TRY(rs_on_core_ready(device));
    const rs_context_t *context = rs_on_core(device)->context;
    if (!rs_on_core(device)->public_key) return RS_ERR_DEVICE_EMPTY;
    rs_on_core_call_t call = {.key = rs_on_core(device)->public_key, .ciphertext = ciphertext};
    RS_TRY(rs_on_core_check_source(device, &call, source));
    if (kind != RS_ENCRYPT_PK && kind != RS_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(context)));
    const size_t n = context->n;
    const int sampler = device->design.slots != 0;
    const int rounded = kind == RS_ENCRYPT_PK && context->params.limb_count > 1;
    const int divided = rounded && !rs_design_rounds(&device->design);
    const rs_plaintext_t *plaintext = call.message;
    call.job.kind = rounded ? RS_JOB_ENCRYPT_PK : RS_JOB_ENCRYPT_PK_DIRECT;
    call.job.limbs = plaintext->limb_count;
    call.job.key_limbs = context->params.limb_count;
    if (source->values) {
        call.job.message = RS_MESSAGE_SLOTS;
        const int put =
            source->frames ? rs_on_core_put_frames(device, &call, source) : rs_on_core_put_slots(device, &call, source->values);
        if (!put) return RS_ERR_DEVICE_MEMORY;
    } else {
        call.job.message = rs_on_core_message_form(device, &call, plaintext, divided, 1);
    }
    const int dividends = divided && call.job.message != RS_MESSAGE_WORDS; // made here, as residues
    const uint32_t limbs = call.job.limbs;
    const uint32_t in = divided ? 2 * (limbs + 1) : sampler ? rs_on_core_row_polys(device, &call) : 3 * limbs;
    if (rs_on_core_in_a_row(device, &call, 2 * (size_t)limbs))
        rs_on_core_aim_output(device, &call, ciphertext->data, rs_on_core_frames_of(&call) * 2 * (size_t)limbs);
    rs_status_t status = rs_on_core_prepare(device, &call, in, rs_on_core_frames_of(&call) * 2 * limbs + (divided ? 2 : 0));
    if (status == RS_OK)
        status = rs_on_core_load_program(device, &call.job); // what cannot be done is refused before a seed is drawn
    if (source->only_program) return end_preparation(device, &call, status);
    rs_seed_t seeds[RS_FRAMES_ENCODE];
    for (uint32_t i = 0; status == RS_OK && i < rs_on_core_frames_of(&call); i++) status = rs_fresh_seed(rng, &seeds[i]);
    if (status != RS_OK) rs_zeroize(seeds, sizeof seeds);
    if (status != RS_OK) return rs_on_core_drop_message(device, &call, status);
    rs_on_core_set_drop(device, rounded ? limbs : call.job.key_limbs);
    int8_t *error = NULL;
    if (sampler) {
        call.private_seed = seeds;
    } else {
        int8_t *u = (int8_t *)workspace + n * sizeof(uint64_t);
        int8_t *e1 = u + n;
        error = u + 2 * n;
        rs_sample_ternary(u, n, seeds, RS_DOMAIN_U);
        rs_sample_cbd21(error, n, seeds, RS_DOMAIN_E0);
        rs_sample_cbd21(e1, n, seeds, RS_DOMAIN_E1);
        rs_on_core_put_small(device, &call, 1, u, 1, workspace);
        rs_on_core_put_small(device, &call, 2, e1, 0, workspace);
    }
    if (dividends) {
        rs_on_core_put_dividends(device, &call, plaintext, workspace);
    } else {
        rs_on_core_put_message(device, &call, plaintext, error, workspace);
    }
    call.secret_bytes = rs_on_core_secret_bytes(device, &call, dividends);
    status = rs_on_core_begin(device, &call);
    rs_zeroize(seeds, sizeof seeds);
    rs_zeroize(workspace, dividends ? n * sizeof(uint64_t) : rs_on_core_workspace_used(device, &call));
    return status;
}

rs_status_t rs_on_core_start_stream(rs_device_t *d, const rs_device_frame_t *frames, uint32_t count, rs_encryption_t kind,
                                    rs_rng_t *rng) {
    const rs_context_t *context = rs_on_core(d)->context;
    const int rounded = kind == RS_ENCRYPT_PK && context->params.limb_count > 1;
    const uint32_t limbs = frames->plaintext->limb_count;
    if (!rs_on_core(d)->stream_key) return RS_ERR_DESIGN;
    rs_on_core_call_t call = {.key = rs_on_core(d)->public_key,
                              .frames = frames,
                              .stream_bytes = rs_on_core_stream_frame_bytes(context->params.log_n, limbs)};
    call.job.kind = rounded ? RS_JOB_ENCRYPT_PK : RS_JOB_ENCRYPT_PK_DIRECT;
    call.job.message = RS_MESSAGE_FRAME;
    call.job.limbs = limbs;
    call.job.key_limbs = context->params.limb_count;
    call.job.frames = count;
    RS_TRY(rs_on_core_prepare(d, &call, rs_on_core_polys_for(d, count * call.stream_bytes), 0));
    RS_TRY(rs_on_core_load_program(d, &call.job));
    call.output = call.input; // the core writes there
    uint64_t bound = UINT64_MAX >> 1;
    for (uint32_t i = 0; i < limbs; i++) {
        if (context->limbs[i].modulus.q < bound) bound = context->limbs[i].modulus.q;
    }
    rs_seed_t seeds[RS_FRAMES_MAX];
    rs_status_t status = RS_OK;
    for (uint32_t i = 0; i < count && status == RS_OK; i++) {
        const size_t offset = call.input + i * call.stream_bytes;
        call.messages[i] = d->bus.memory_address + offset;
        if (frames[i].plaintext->limb_count != limbs || !rs_on_core_put_streamed(d, offset, frames[i].plaintext, bound))
            status = RS_ERR_DESIGN;
    }
    for (uint32_t i = 0; i < count && status == RS_OK; i++) status = rs_fresh_seed(rng, &seeds[i]);
    if (status == RS_OK) {
        rs_on_core_set_drop(d, rounded ? limbs : call.job.key_limbs);
        call.private_seed = seeds;
        status = rs_on_core_begin(d, &call);
    } else {
        rs_machine_wipe(d, call.input, count * call.stream_bytes);
    }
    rs_zeroize(seeds, sizeof seeds);
    return status;
}

rs_status_t rs_device_encrypt_public_start(rs_device_t *device, const rs_plaintext_t *plaintext, rs_encryption_t kind,
                                           rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const rs_encrypted_t source = {.plaintext = plaintext};
    if (!plaintext) return RS_ERR_NULL;
    return rs_on_core_start_public(device, &source, kind, ciphertext, rng, workspace, workspace_bytes);
}

rs_status_t rs_device_encode_encrypt_public(rs_device_t *device, const void *values, const rs_fixed_layout_t *layout, double scale,
                                            uint32_t limb_count, rs_encryption_t kind, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                            void *workspace, size_t workspace_bytes) {
    const rs_encrypted_t source = {.values = values, .layout = layout, .scale = scale, .limbs = limb_count};
    RS_TRY(rs_on_core_start_public(device, &source, kind, ciphertext, rng, workspace, workspace_bytes));
    return rs_device_finish(device);
}

rs_status_t rs_on_core_start_secret(rs_device_t *device, const rs_encrypted_t *source, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                    void *workspace, size_t workspace_bytes) {
    if (!device || !ciphertext || !ciphertext->data || !draws(source, rng)) return RS_ERR_NULL;
    RS_TRY(rs_on_core_ready(device));
    const rs_context_t *context = rs_on_core(device)->context;
    if (!rs_on_core(device)->secret_key) return RS_ERR_DEVICE_EMPTY;
    rs_on_core_call_t call = {.key = rs_on_core(device)->secret_key, .ciphertext = ciphertext};
    RS_TRY(rs_on_core_check_source(device, &call, source));
    if (ciphertext->seed_type != RS_SEED_BLAKE2XB && ciphertext->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(context)));
    const size_t n = context->n;
    const int sampler = device->design.slots != 0;
    const int expand = rs_on_core_expands(device, ciphertext->seed_type);
    const rs_plaintext_t *plaintext = call.message;
    call.job.kind = RS_JOB_ENCRYPT_SK;
    call.job.limbs = plaintext->limb_count;
    if (source->values) {
        call.job.message = RS_MESSAGE_SLOTS;
        const int put =
            source->frames ? rs_on_core_put_frames(device, &call, source) : rs_on_core_put_slots(device, &call, source->values);
        if (!put) return RS_ERR_DEVICE_MEMORY;
    } else {
        call.job.message = rs_on_core_message_form(device, &call, plaintext, 0, expand);
    }
    call.job.expansion = expand ? call.job.limbs : 0;
    call.job.store_expanded = expand && !ciphertext->seeded;
    const uint32_t rows = call.job.store_expanded ? 2 : 1; // that the core writes
    if (rs_on_core_in_a_row(device, &call, (size_t)rows * call.job.limbs))
        rs_on_core_aim_output(device, &call, ciphertext->data, rs_on_core_frames_of(&call) * (size_t)rows * call.job.limbs);
    const uint32_t in = rs_on_core_row_polys(device, &call) + (call.frames ? 0 : call.job.limbs);
    rs_status_t status = rs_on_core_prepare(device, &call, in, (call.frames ? source->count * rows : 2) * call.job.limbs);
    if (status == RS_OK) status = rs_on_core_load_program(device, &call.job);
    if (source->only_program) return end_preparation(device, &call, status);
    rs_seed_t seeds[RS_FRAMES_ENCODE];
    for (uint32_t i = 0; status == RS_OK && i < rs_on_core_frames_of(&call); i++)
        status = rs_fresh_seeds(rng, &seeds[i], &call.seeds[i]);
    if (status != RS_OK) rs_zeroize(seeds, sizeof seeds);
    if (status != RS_OK) return rs_on_core_drop_message(device, &call, status);
    uint64_t *c1 = ciphertext->seeded ? NULL : ciphertext->data + call.job.limbs * n;
    if (expand) {
        call.public_seed = call.seeds;
    } else {
        status = rs_on_core_put_expansion(device, &call, call.job.limbs, rs_on_core_row_polys(device, &call), ciphertext->seed_type,
                                          call.seeds, c1, workspace);
    }
    int8_t *error = NULL;
    if (sampler) {
        call.private_seed = seeds;
    } else {
        error = (int8_t *)workspace + n * sizeof(uint64_t);
        rs_sample_cbd21(error, n, seeds, RS_DOMAIN_E0);
    }
    call.secret_bytes = rs_on_core_secret_bytes(device, &call, 0);
    if (status == RS_OK) {
        rs_on_core_put_message(device, &call, plaintext, error, workspace);
        status = rs_on_core_begin(device, &call);
    }
    rs_zeroize(seeds, sizeof seeds);
    rs_zeroize(workspace, rs_on_core_workspace_used(device, &call));
    return rs_on_core_drop_message(device, &call, status);
}

rs_status_t rs_device_encrypt_secret_start(rs_device_t *device, const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext,
                                           rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const rs_encrypted_t source = {.plaintext = plaintext};
    if (!plaintext) return RS_ERR_NULL;
    return rs_on_core_start_secret(device, &source, ciphertext, rng, workspace, workspace_bytes);
}

rs_status_t rs_device_encode_encrypt_secret(rs_device_t *device, const void *values, const rs_fixed_layout_t *layout, double scale,
                                            uint32_t limb_count, rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                            size_t workspace_bytes) {
    const rs_encrypted_t source = {.values = values, .layout = layout, .scale = scale, .limbs = limb_count};
    RS_TRY(rs_on_core_start_secret(device, &source, ciphertext, rng, workspace, workspace_bytes));
    return rs_device_finish(device);
}

rs_status_t rs_device_encrypt_secret(rs_device_t *device, const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext,
                                     rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_device_encrypt_secret_start(device, plaintext, ciphertext, rng, workspace, workspace_bytes));
    return rs_device_finish(device);
}

// ---- the program alone -------------------------------------------------------------------------------------------------
static rs_status_t prepare(rs_device_t *device, const rs_encrypted_t *source, rs_encryption_t kind,
                           const rs_ciphertext_t *ciphertext, void *workspace, size_t workspace_bytes) {
    if (!ciphertext) return RS_ERR_NULL;
    rs_ciphertext_t like = *ciphertext;
    if (kind == RS_ENCRYPT_SK) return rs_on_core_start_secret(device, source, &like, NULL, workspace, workspace_bytes);
    return rs_on_core_start_public(device, source, kind, &like, NULL, workspace, workspace_bytes);
}

rs_status_t rs_device_prepare_encrypt(rs_device_t *device, const rs_plaintext_t *plaintext, rs_encryption_t kind,
                                      const rs_ciphertext_t *ciphertext, void *workspace, size_t workspace_bytes) {
    const rs_encrypted_t source = {.plaintext = plaintext, .only_program = 1};
    if (!plaintext) return RS_ERR_NULL;
    return prepare(device, &source, kind, ciphertext, workspace, workspace_bytes);
}

rs_status_t rs_device_prepare_encode_encrypt(rs_device_t *device, const void *values, const rs_fixed_layout_t *layout, double scale,
                                             uint32_t limb_count, rs_encryption_t kind, const rs_ciphertext_t *ciphertext,
                                             void *workspace, size_t workspace_bytes) {
    const rs_encrypted_t source = {.values = values, .layout = layout, .scale = scale, .limbs = limb_count, .only_program = 1};
    return prepare(device, &source, kind, ciphertext, workspace, workspace_bytes);
}
