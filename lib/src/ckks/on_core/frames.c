// SPDX-License-Identifier: Apache-2.0
// Several frames in a call, as many per program as go.
#include "ckks/checks.h"
#include "ckks/on_core/on_core.h"

rs_status_t rs_device_encrypt_public(rs_device_t *device, const rs_plaintext_t *plaintext, rs_encryption_t kind,
                                     rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const rs_device_frame_t frame = {.ciphertext = ciphertext, .plaintext = plaintext};
    return rs_device_encrypt_public_frames(device, &frame, 1, kind, rng, workspace, workspace_bytes);
}

typedef struct batch {
    uint32_t most; // frames of a program
    rs_status_t (*start)(rs_device_t *device, const struct batch *batch, const rs_device_frame_t *frames, uint32_t count);
    const rs_fixed_layout_t *layout;
    double scale;
    uint32_t limbs;
    rs_encryption_t kind;
    rs_rng_t *rng;
    void *workspace;
    size_t workspace_bytes;
} batch_t;

static rs_encrypted_t source_of(const batch_t *batch, const rs_device_frame_t *frames, uint32_t count) {
    return (rs_encrypted_t){.values = frames->values,
                            .layout = batch->layout,
                            .scale = batch->scale,
                            .limbs = batch->limbs,
                            .frames = count > 1 ? frames : NULL,
                            .count = count};
}

static rs_status_t start_public_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames, uint32_t count) {
    const rs_encrypted_t source = source_of(batch, frames, count);
    return rs_on_core_start_public(device, &source, batch->kind, frames->ciphertext, batch->rng, batch->workspace,
                                   batch->workspace_bytes);
}

static rs_status_t start_secret_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames, uint32_t count) {
    const rs_encrypted_t source = source_of(batch, frames, count);
    for (uint32_t i = 0; i < count; i++) {
        const rs_ciphertext_t *one = frames[i].ciphertext;
        if (one->seeded != frames->ciphertext->seeded || one->seed_type != frames->ciphertext->seed_type) return RS_ERR_DESIGN;
    }
    return rs_on_core_start_secret(device, &source, frames->ciphertext, batch->rng, batch->workspace, batch->workspace_bytes);
}

static rs_status_t start_decoding_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames,
                                         uint32_t count) {
    const rs_target_t target = {.values = frames->values,
                                .layout = batch->layout,
                                .limbs = batch->limbs,
                                .frames = count > 1 ? frames : NULL,
                                .count = count};
    return rs_on_core_start_decryption(device, frames->ciphertext, &target, batch->workspace, batch->workspace_bytes);
}

static rs_status_t start_decryption_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames,
                                           uint32_t count) {
    const int alone = count == 1;
    const rs_target_t target = {
        .plaintext = alone ? frames->decrypted : NULL, .limbs = batch->limbs, .frames = alone ? NULL : frames, .count = count};
    return rs_on_core_start_decryption(device, frames->ciphertext, &target, batch->workspace, batch->workspace_bytes);
}

// What fewer frames may be spared.
static int is_too_much(rs_status_t status) {
    return status == RS_ERR_PROGRAM_LENGTH || status == RS_ERR_DESIGN || status == RS_ERR_DEVICE_MEMORY;
}

// As many at a time as go. What starts fewer of them has changed nothing but memory that no one else uses.
static rs_status_t run_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames, size_t count) {
    if (!device || (!frames && count)) return RS_ERR_NULL;
    for (size_t i = 0; i < count; i++) {
        const int aims = batch->layout ? frames[i].values != NULL : frames[i].decrypted && frames[i].decrypted->ntt;
        if (!aims || !frames[i].ciphertext || !frames[i].ciphertext->data) return RS_ERR_NULL;
    }
    while (count) {
        uint32_t some = count < batch->most ? (uint32_t)count : batch->most;
        rs_status_t status = batch->start(device, batch, frames, some);
        while (some > 1 && is_too_much(status)) {
            some >>= 1;
            status = batch->start(device, batch, frames, some);
        }
        RS_TRY(status);
        RS_TRY(rs_device_finish(device));
        frames += some;
        count -= some;
    }
    return RS_OK;
}

rs_status_t rs_device_encrypt_public_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                            rs_encryption_t kind, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!device || (!frames && count) || !rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(rs_on_core_ready(device));
    if (!rs_on_core(device)->public_key) return RS_ERR_DEVICE_EMPTY;
    if (kind != RS_ENCRYPT_PK && kind != RS_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(rs_on_core(device)->context)));
    for (size_t i = 0; i < count; i++) {
        if (!frames[i].plaintext || !frames[i].ciphertext || !frames[i].ciphertext->data) return RS_ERR_NULL;
        RS_TRY(rs_on_core_check_plaintext(rs_on_core(device)->context, frames[i].plaintext));
    }
    while (count) {
        uint32_t some = count < RS_FRAMES_MAX ? (uint32_t)count : RS_FRAMES_MAX;
        rs_status_t status = rs_on_core_start_stream(device, frames, some, kind, rng);
        while (some > 1 && is_too_much(status)) {
            some >>= 1;
            status = rs_on_core_start_stream(device, frames, some, kind, rng);
        }
        if (is_too_much(status)) {
            status = rs_device_encrypt_public_start(device, frames->plaintext, kind, frames->ciphertext, rng, workspace,
                                                    workspace_bytes);
        }
        RS_TRY(status);
        RS_TRY(rs_device_finish(device));
        frames += some;
        count -= some;
    }
    return RS_OK;
}

rs_status_t rs_device_encode_encrypt_public_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                   const rs_fixed_layout_t *layout, double scale, uint32_t limb_count,
                                                   rs_encryption_t kind, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const batch_t batch = {RS_FRAMES_ENCODE, start_public_frames, layout, scale, limb_count, kind, rng, workspace, workspace_bytes};
    if (!layout) return RS_ERR_NULL;
    return run_frames(device, &batch, frames, count);
}

rs_status_t rs_device_encode_encrypt_secret_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                   const rs_fixed_layout_t *layout, double scale, uint32_t limb_count,
                                                   rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const batch_t batch = {RS_FRAMES_ENCODE, start_secret_frames, layout, scale, limb_count, RS_ENCRYPT_SK, rng,
                           workspace,        workspace_bytes};
    if (!layout) return RS_ERR_NULL;
    return run_frames(device, &batch, frames, count);
}

rs_status_t rs_device_decrypt_decode_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count, uint32_t limb_count,
                                            const rs_fixed_layout_t *layout, void *workspace, size_t workspace_bytes) {
    const batch_t batch = {.most = RS_FRAMES_ENCODE,
                           .start = start_decoding_frames,
                           .layout = layout,
                           .limbs = limb_count,
                           .workspace = workspace,
                           .workspace_bytes = workspace_bytes};
    if (!layout) return RS_ERR_NULL;
    return run_frames(device, &batch, frames, count);
}

rs_status_t rs_device_decrypt_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count, uint32_t limb_count,
                                     void *workspace, size_t workspace_bytes) {
    const batch_t batch = {.most = RS_FRAMES_MAX,
                           .start = start_decryption_frames,
                           .limbs = limb_count,
                           .workspace = workspace,
                           .workspace_bytes = workspace_bytes};
    return run_frames(device, &batch, frames, count);
}
