// SPDX-License-Identifier: Apache-2.0
// A call as the machine takes it, and what becomes of its results.
#include <ringside/kernels.h>

#include "base/bytes.h"
#include "ckks/checks.h"
#include "ckks/on_core/on_core.h"
#include "machine/image.h"

// ---- the end -----------------------------------------------------------------------------------------------------------
// From the first one on.
static void get_polys(const rs_device_t *d, const rs_on_core_call_t *call, uint64_t *polys, size_t first, size_t count) {
    if (call->user_output) return;
    for (size_t i = 0; i < count; i++) {
        rs_device_image_read(&d->design, rs_on_core(d)->context, polys + i * rs_on_core(d)->context->n,
                             rs_on_core_poly_at(d, call->output, first + i));
    }
}

// A message in NTT form is added to c0 here.
static void add_ntt_message(const rs_device_t *d, const rs_plaintext_t *plaintext, uint64_t *c0) {
    if (plaintext->form != RS_FORM_NTT) return;
    for (uint32_t limb = 0; limb < plaintext->limb_count; limb++) {
        const size_t at = (size_t)limb * rs_on_core(d)->context->n;
        rs_poly_add(rs_on_core(d)->context, limb, c0 + at, c0 + at, plaintext->ntt + at);
    }
}

static void end_encryption(const rs_device_t *d) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const uint32_t rows = call->job.kind == RS_JOB_ENCRYPT_SK && !call->job.store_expanded ? 1 : 2; // that the core writes
    const size_t polys = (size_t)rows * call->job.limbs;
    for (uint32_t frame = 0; frame < rs_on_core_frames_of(call); frame++) {
        rs_ciphertext_t *ciphertext = call->frames ? call->frames[frame].ciphertext : call->ciphertext;
        get_polys(d, call, ciphertext->data, frame * polys, polys);
        add_ntt_message(d, call->message, ciphertext->data);
        rs_describe_ciphertext(rs_on_core(d)->context, ciphertext, call->message);
        if (call->job.kind == RS_JOB_ENCRYPT_SK) {
            ciphertext->seed = call->seeds[frame];
        } else {
            ciphertext->seeded = 0;
        }
    }
}

// Messages go, and after a failure all that the core has written.
static void end_stream(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const size_t words = 2 * (size_t)call->job.limbs * rs_on_core(d)->context->n;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        const rs_device_frame_t *frame = &call->frames[i];
        const size_t message = call->input + i * call->stream_bytes;
        if (status == RS_OK) {
            rs_image_get(frame->ciphertext->data, d->bus.memory + message + rs_on_core_word_bytes(d), words, 1);
            add_ntt_message(d, frame->plaintext, frame->ciphertext->data);
            rs_describe_ciphertext(rs_on_core(d)->context, frame->ciphertext, frame->plaintext);
            frame->ciphertext->seeded = 0;
        }
        rs_machine_wipe(d, message, status == RS_OK ? rs_on_core_word_bytes(d) : call->stream_bytes);
    }
}

// From the polynomial `first` of the output on.
static void get_plaintext(const rs_device_t *d, rs_plaintext_t *plaintext, size_t first, double scale) {
    const uint32_t limbs = rs_on_core(d)->call.job.limbs;
    get_polys(d, &rs_on_core(d)->call, plaintext->ntt, first, limbs);
    memcpy(plaintext->parms_id, rs_on_core(d)->context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    plaintext->form = RS_FORM_NTT;
    plaintext->limb_count = limbs;
    plaintext->scale = scale;
}

static void end_decryption(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    if (status == RS_OK) {
        get_plaintext(d, call->plaintext, 0, call->scale);
    } else if (call->user_output) {
        rs_zeroize(call->user_output, call->user_output_bytes);
    }
    if (!call->user_output) rs_machine_wipe(d, call->output, call->end - call->output);
}

// Plaintexts are where the first polynomials of the ciphertexts were.
static void end_decryptions(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const size_t polys = (size_t)call->job.poly_count * call->job.limbs;
    for (uint32_t i = 0; status == RS_OK && i < call->job.frames; i++) {
        get_plaintext(d, call->frames[i].decrypted, i * polys, call->frames[i].ciphertext->scale);
    }
    rs_machine_wipe(d, call->output, call->end - call->output);
}

static void end_decoding(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    for (uint32_t frame = 0; frame < rs_on_core_frames_of(call); frame++) {
        void *values = call->frames ? call->frames[frame].values : call->values;
        const int own = call->frames ? rs_machine_is_own(d, call->messages[frame]) : !call->user_message;
        const uint64_t offset = call->frames ? call->messages[frame] - d->bus.memory_address : call->output;
        if (status != RS_OK) {
            rs_zeroize(values, rs_on_core_array_bytes(&call->job.numbers));
        } else if (own) {
            rs_on_core_copy_numbers(values, d->bus.memory + offset, &call->job.numbers);
        }
    }
    if (call->frames || !call->user_message) rs_machine_wipe(d, call->output, call->end - call->output);
}

static rs_status_t finish(rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    if (call->plaintext) end_decryption(d, status);
    if (call->values) end_decoding(d, status);
    if (call->ciphertext && status == RS_OK) end_encryption(d);
    if (call->stream_bytes) end_stream(d, status);
    if (call->frames && call->job.kind == RS_JOB_DECRYPT && !call->job.decodes) end_decryptions(d, status);
    return status;
}

// ---- the start ---------------------------------------------------------------------------------------------------------
// Whether each frame has seeds and a message of its own.
static int has_frames(const rs_on_core_call_t *call) {
    return call->frames && (call->job.numbers.count || call->stream_bytes);
}

static void set_pointers(const rs_device_t *d, const rs_on_core_call_t *call, rs_call_t *m) {
    const uint64_t memory = d->bus.memory_address;
    const size_t contexts = call->first_limb * rs_design_context_bytes(&d->design, call->job.log_n);
    const uint64_t own_input = memory + (call->stream_bytes ? rs_on_core(d)->stream_key : call->input);
    m->pointers[RS_POINTER_CONTEXTS] = memory + contexts;
    m->pointers[RS_POINTER_KEY] = memory + call->key;
    m->pointers[RS_POINTER_INPUT] = call->user_input ? call->input_address : own_input;
    m->pointers[RS_POINTER_OUTPUT] = call->user_output ? call->output_address : memory + call->output;
    m->pointers[RS_POINTER_SCRATCH] = memory + call->output;
    m->pointers[RS_POINTER_ROOTS] = memory + rs_on_core(d)->roots;
    m->pointer_count = call->job.numbers.count ? RS_POINTER_ROOTS + 1 : RS_POINTER_ROOTS;
    if (has_frames(call)) {
        m->frames = call->job.frames;
        memcpy(m->messages, call->messages, m->frames * sizeof *m->messages);
    } else if (call->job.numbers.count) {
        const size_t message = call->job.decodes ? call->output : call->input;
        m->messages[0] = call->user_message ? call->message_address : memory + message;
    }
}

// Input and output, in memory and in the caller's arrays.
static void set_buffers(const rs_device_t *d, const rs_on_core_call_t *call, rs_call_t *m) {
    rs_call_reaches(m, d->bus.memory + call->input, call->output - call->input, 0);
    rs_call_reaches(m, d->bus.memory + call->output, call->end - call->output, 1);
    rs_call_reaches(m, call->user_input, call->user_input_bytes, 0);
    rs_call_reaches(m, call->user_output, call->user_output_bytes, 1);
    rs_call_reaches(m, call->user_message, call->user_message_bytes, call->values != NULL);
    for (uint32_t i = 0; has_frames(call) && call->job.numbers.count && i < m->frames; i++) {
        if (!rs_machine_is_own(d, call->messages[i]))
            rs_call_reaches(m, call->frames[i].values, rs_on_core_array_bytes(&call->job.numbers), call->job.decodes != 0);
    }
}

// What the machine has to know of a call.
static void set_call(rs_device_t *d, const rs_on_core_call_t *call) {
    rs_call_t *m = &d->call;
    *m = (rs_call_t){.log_n = call->job.log_n,
                     .private_seeds = call->private_seed,
                     .public_seeds = call->public_seed,
                     .secret = call->input,
                     .secret_bytes = call->secret_bytes};
    set_pointers(d, call, m);
    set_buffers(d, call, m);
}

rs_status_t rs_on_core_begin(rs_device_t *d, const rs_on_core_call_t *call) {
    rs_on_core_t *s = rs_on_core_of(d);
    set_call(d, call);
    d->call.finish = finish;
    s->call = *call;
    if (call->message == &call->described) s->call.message = &s->call.described;
    s->call.private_seed = s->call.public_seed = NULL;
    return rs_machine_begin(d);
}

rs_status_t rs_device_transform(rs_device_t *device, uint32_t limb, int inverse, uint64_t *poly) {
    if (!poly) return RS_ERR_NULL;
    RS_TRY(rs_on_core_ready(device));
    const rs_context_t *context = rs_on_core(device)->context;
    if (limb >= context->params.limb_count) return RS_ERR_LEVEL;
    for (uint32_t i = 0; i < context->n; i++) {
        if (poly[i] >= context->limbs[limb].modulus.q) return RS_ERR_RESIDUE;
    }
    rs_on_core_call_t call = {.first_limb = limb};
    call.job.kind = inverse ? RS_JOB_INTT : RS_JOB_NTT;
    call.job.limbs = 1;
    RS_TRY(rs_on_core_prepare(device, &call, 1, 1));
    rs_image_write(&device->design, &context->limbs[limb], rs_on_core_poly_at(device, call.input, 0), poly, 0);
    const size_t bytes = call.end - call.input;
    rs_status_t status = rs_on_core_load_program(device, &call.job);
    set_call(device, &call);
    if (status == RS_OK) status = rs_machine_begin(device);
    if (status == RS_OK) status = rs_device_finish(device);
    if (status == RS_OK) rs_image_read(&device->design, &context->limbs[limb], poly, rs_on_core_poly_at(device, call.output, 0));
    rs_machine_wipe(device, call.input, bytes);
    return status;
}
