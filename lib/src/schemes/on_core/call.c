// SPDX-License-Identifier: Apache-2.0
// A call as the machine takes it, and what becomes of its results.
#include <string.h>

#include "base/bytes.h"
#include "ckks/checks.h"
#include "machine/image.h"
#include "schemes/on_core/on_core.h"

// ---- the end -----------------------------------------------------------------------------------------------------------
// From the first one on.
static void get_polys(const rs_device_t *d, const rs_on_core_call_t *call, uint64_t *polys, size_t first, size_t count) {
    if (call->to.data) return;
    for (size_t i = 0; i < count; i++) {
        rs_image_read(&d->design, &rs_on_core(d)->context->limbs[0], polys + i * rs_on_core(d)->context->n,
                      rs_on_core_poly_at(d, call->output, first + i));
    }
}

// What becomes of an item's ciphertext. A message in NTT form is added to c0 here.
static void describe(const rs_device_t *d, const rs_encrypt_item_t *item) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const rs_plaintext_t *plaintext = item->plaintext;
    const rs_plaintext_t like = {.limb_count = call->job.limbs, .scale = plaintext ? plaintext->scale : item->scale};
    uint64_t *c0 = item->ciphertext->data;
    if (rs_on_core_is_exact(d)) {
        rs_exact_describe_ciphertext(context, item->ciphertext, call->job.limbs, call->seeded, !call->job.coefficients);
        item->ciphertext->seed_type = call->job.kind == RS_JOB_ENCRYPT_SK ? call->seed_type : item->ciphertext->seed_type;
        return;
    }
    for (uint32_t limb = 0; plaintext && plaintext->form == RS_FORM_NTT && limb < plaintext->limb_count; limb++) {
        const size_t at = (size_t)limb * context->n;
        rs_plan_add(rs_context_plan(context, limb), c0 + at, c0 + at, plaintext->ntt + at);
    }
    rs_describe_ciphertext(context, item->ciphertext, &like);
    item->ciphertext->seeded = call->seeded;
    if (call->job.kind == RS_JOB_ENCRYPT_SK) item->ciphertext->seed_type = call->seed_type;
}

static void end_encryption(const rs_device_t *d) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const uint32_t rows = call->job.kind == RS_JOB_ENCRYPT_SK && !call->job.store_expanded ? 1 : 2; // that the core writes
    const size_t polys = (size_t)rows * call->job.limbs;
    for (uint32_t i = 0; i < rs_on_core_frames_of(call); i++) {
        rs_ciphertext_t *ciphertext = call->encrypts[i].ciphertext;
        get_polys(d, call, ciphertext->data, i * polys, polys);
        describe(d, &call->encrypts[i]);
        if (call->job.kind == RS_JOB_ENCRYPT_SK) ciphertext->seed = call->seeds[i];
    }
}

static void scale_streamed(const rs_device_t *d, const rs_on_core_call_t *call, uint64_t *data) {
    const rs_context_t *context = rs_on_core(d)->context;
    const size_t n = context->n;
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        const rs_factor_t factor = rs_on_core_streamed_factor(context, limb, 1);
        const uint64_t q = context->limbs[limb].modulus.q;
        uint64_t *poly = data + ((size_t)rs_is_bgv(context) * call->job.limbs + limb) * n;
        for (size_t i = 0; i < n; i++) poly[i] = rs_mul_factor(poly[i], factor, q);
    }
}

// Messages go, and after a failure all that the core has written.
static void end_stream(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const size_t words = 2 * (size_t)call->job.limbs * rs_on_core(d)->context->n, bytes = call->message.stream.bytes;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        const size_t message = call->input + i * bytes;
        if (status == RS_OK) {
            rs_image_get(call->encrypts[i].ciphertext->data, d->bus.memory + message + rs_on_core_word_bytes(d), words, 1);
            if (rs_on_core_is_exact(d)) scale_streamed(d, call, call->encrypts[i].ciphertext->data);
            describe(d, &call->encrypts[i]);
        }
        rs_machine_wipe(d, message, status == RS_OK ? rs_on_core_word_bytes(d) : bytes);
    }
}

// Plaintexts of frames are where the first polynomials of the ciphertexts were.
static rs_status_t end_decryption(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const uint32_t limbs = call->job.limbs;
    if (status == RS_OK && call->job.phase) status = rs_on_core_round(d, call);
    for (uint32_t i = 0; status == RS_OK && !call->job.phase && i < rs_on_core_frames_of(call); i++) {
        rs_plaintext_t *plaintext = call->decrypts[i].plaintext;
        get_polys(d, call, plaintext->ntt, (size_t)i * call->job.poly_count * limbs, limbs);
        memcpy(plaintext->parms_id, rs_on_core(d)->context->ids[limbs - 1], RS_PARMS_ID_BYTES);
        plaintext->form = RS_FORM_NTT;
        plaintext->limb_count = limbs;
        plaintext->scale = call->decrypts[i].ciphertext->scale;
    }
    if (call->to.data) {
        if (status != RS_OK) rs_zeroize((void *)(uintptr_t)call->to.data, call->to.bytes);
    } else {
        rs_machine_wipe(d, call->output, call->end - call->output);
    }
    return status;
}

static void end_decoding(const rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    const uint64_t *at = call->job.frames ? call->message.slots.at : NULL;
    for (uint32_t i = 0; i < rs_on_core_frames_of(call); i++) {
        const int own = at ? rs_machine_is_own(d, at[i]) : !call->message.slots.own.data;
        const uint64_t offset = at ? at[i] - d->bus.memory_address : call->output;
        if (status != RS_OK) {
            rs_zeroize(call->decrypts[i].values, rs_on_core_array_bytes(&call->job.numbers));
        } else if (own) {
            rs_on_core_copy_numbers(call->decrypts[i].values, d->bus.memory + offset, &call->job.numbers);
        }
    }
    if (at || !call->message.slots.own.data) rs_machine_wipe(d, call->output, call->end - call->output);
}

static rs_status_t finish(rs_device_t *d, rs_status_t status) {
    const rs_on_core_call_t *call = &rs_on_core(d)->call;
    if (call->job.decodes) {
        end_decoding(d, status);
    } else if (call->decrypts) {
        status = end_decryption(d, status);
    } else if (call->job.message == RS_MESSAGE_FRAME) {
        end_stream(d, status);
    } else if (status == RS_OK) {
        end_encryption(d);
    }
    for (uint32_t i = 0; i < rs_on_core_frames_of(call); i++)
        *(call->encrypts ? &call->encrypts[i].status : &call->decrypts[i].status) = status;
    return status;
}

// ---- the start ---------------------------------------------------------------------------------------------------------
// Addresses of each frame's own message, NULL: there are none.
static const uint64_t *messages_of(const rs_on_core_call_t *call) {
    if (!call->job.frames) return NULL;
    if (call->job.message == RS_MESSAGE_FRAME) return call->message.stream.at;
    return call->job.numbers.count ? call->message.slots.at : NULL;
}

static void set_pointers(const rs_device_t *d, const rs_on_core_call_t *call, rs_call_t *m) {
    const uint64_t memory = d->bus.memory_address, *messages = messages_of(call);
    const size_t contexts = call->first_limb * rs_design_context_bytes(&d->design, call->job.log_n);
    const int streams = call->job.message == RS_MESSAGE_FRAME;
    const uint64_t own_input = memory + (streams ? rs_on_core(d)->stream_key : call->input);
    m->pointers[RS_POINTER_CONTEXTS] = memory + contexts;
    m->pointers[RS_POINTER_KEY] = memory + call->key;
    m->pointers[RS_POINTER_INPUT] = call->from.data ? call->from.address : own_input;
    m->pointers[RS_POINTER_OUTPUT] = call->to.data ? call->to.address : memory + call->output;
    m->pointers[RS_POINTER_SCRATCH] = memory + (call->job.target ? call->input - rs_on_core_target_bytes(d, call) : call->output);
    m->pointers[RS_POINTER_ROOTS] = memory + rs_on_core(d)->roots;
    m->pointer_count = call->job.numbers.count ? RS_POINTER_ROOTS + 1 : RS_POINTER_ROOTS;
    if (messages) {
        m->frames = call->job.frames;
        memcpy(m->messages, messages, m->frames * sizeof *m->messages);
    } else if (call->job.numbers.count) {
        const rs_own_array_t *own = &call->message.slots.own;
        m->messages[0] = own->data ? own->address : memory + (call->job.decodes ? call->output : call->input);
    }
}

static void reaches(rs_call_t *m, const rs_own_array_t *own, int written) { rs_call_reaches(m, own->data, own->bytes, written); }

// Input and output, in memory and in the caller's arrays.
static void set_buffers(const rs_device_t *d, const rs_on_core_call_t *call, rs_call_t *m) {
    const size_t target = rs_on_core_target_bytes(d, call);
    rs_call_reaches(m, d->bus.memory + call->input - target, call->output - call->input + target, 0);
    rs_call_reaches(m, d->bus.memory + call->output, call->end - call->output, 1);
    reaches(m, &call->from, 0);
    reaches(m, &call->to, 1);
    if (!call->job.numbers.count || call->job.message == RS_MESSAGE_FRAME) return;
    reaches(m, &call->message.slots.own, call->job.decodes != 0);
    for (uint32_t i = 0; i < m->frames; i++) {
        if (!rs_machine_is_own(d, m->messages[i]))
            rs_call_reaches(m, rs_on_core_values(call, i), rs_on_core_array_bytes(&call->job.numbers), call->job.decodes != 0);
    }
}

// What the machine has to know of a call.
static void set_call(rs_device_t *d, const rs_on_core_call_t *call) {
    rs_call_t *m = &d->call;
    *m = (rs_call_t){.log_n = call->job.log_n,
                     .private_seeds = call->private_seed,
                     .public_seeds = call->public_seed,
                     .secret = call->input - rs_on_core_target_bytes(d, call),
                     .secret_bytes = rs_on_core_target_bytes(d, call) + call->secret_bytes};
    set_pointers(d, call, m);
    set_buffers(d, call, m);
}

rs_status_t rs_on_core_begin(rs_device_t *d, const rs_on_core_call_t *call) {
    rs_on_core_t *s = rs_on_core_of(d);
    s->call = *call;
    set_call(d, &s->call);
    d->call.finish = finish;
    // the callers' own, which end with the start
    s->call.private_seed = s->call.public_seed = NULL;
    s->call.integers = NULL;
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
