// SPDX-License-Identifier: Apache-2.0
// A call from its first register to its results: start, poll, finish.
#include <string.h>

#include <ringside/kernels.h>

#include "base/bytes.h"
#include "ckks/checks.h"
#include "device/image.h"
#include "driver/driver.h"

static rs_status_t set_pointer(const rs_device_t *d, rs_pointer_t pointer, uint64_t address) {
    RS_TRY(rs_driver_set(d, RS_REG_POINTER + 8 * (uint32_t)pointer, (uint32_t)address));
    return rs_driver_set(d, RS_REG_POINTER + 8 * (uint32_t)pointer + 4, (uint32_t)(address >> 32));
}

static rs_status_t set_seed(const rs_device_t *d, uint32_t offset, const rs_seed_t *seed) {
    for (uint32_t i = 0; i < RS_SEED_BYTES; i += 4) RS_TRY(rs_driver_set(d, offset + i, rs_load32(seed->bytes + i)));
    return RS_OK;
}

// Whether frames have slots in memory, which is what `messages` says then.
static int has_slots(const rs_device_call_t *call) {
    return call->frames && call->job.numbers.count;
}

// Those of frames above 0; what is written next is frame 0's.
static rs_status_t write_frames(const rs_device_t *d, const rs_device_call_t *call) {
    if (!has_slots(call) && !call->stream_bytes) return RS_OK;
    for (uint32_t frame = rs_driver_frames_of(call); frame-- > 1;) {
        RS_TRY(rs_driver_set(d, RS_REG_FRAME, frame));
        RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->messages[frame]));
        if (call->private_seed) RS_TRY(set_seed(d, RS_REG_SEED, &call->private_seed[frame]));
        if (call->public_seed) RS_TRY(set_seed(d, RS_REG_PUBLIC_SEED, &call->public_seed[frame]));
    }
    return rs_driver_set(d, RS_REG_FRAME, 0);
}

static rs_status_t wipe_seeds(const rs_device_t *d, const rs_device_call_t *call) {
    static const rs_seed_t NO_SEED;
    for (uint32_t frame = rs_driver_frames_of(call); frame-- > 0;) {
        if (call->frames) RS_TRY(rs_driver_set(d, RS_REG_FRAME, frame));
        RS_TRY(set_seed(d, RS_REG_SEED, &NO_SEED));
    }
    return RS_OK;
}

static rs_status_t write_inputs(rs_device_t *d, const rs_device_call_t *call) {
    RS_TRY(rs_driver_load_program(d, &call->job));
    RS_TRY(rs_driver_set(d, RS_REG_LOG_N, call->job.log_n));
    RS_TRY(write_frames(d, call));
    const uint64_t memory = d->bus.memory_address;
    const size_t contexts = call->first_limb * rs_design_context_bytes(&d->design, call->job.log_n);
    RS_TRY(set_pointer(d, RS_POINTER_CONTEXTS, memory + contexts));
    RS_TRY(set_pointer(d, RS_POINTER_KEY, memory + call->key));
    RS_TRY(set_pointer(d, RS_POINTER_INPUT, call->user_input ? call->input_address : memory + call->input));
    RS_TRY(set_pointer(d, RS_POINTER_OUTPUT, call->user_output ? call->output_address : memory + call->output));
    RS_TRY(set_pointer(d, RS_POINTER_SCRATCH, memory + call->output));
    if (call->stream_bytes) {
        RS_TRY(set_pointer(d, RS_POINTER_INPUT, memory + d->stream_key));
        RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->messages[0]));
    }
    if (call->job.numbers.count) {
        RS_TRY(set_pointer(d, RS_POINTER_ROOTS, memory + d->roots));
        const size_t message = call->job.decodes ? call->output : call->input;
        const uint64_t alone = call->user_message ? call->message_address : memory + message;
        RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->frames ? call->messages[0] : alone));
    }
    if (call->private_seed) RS_TRY(set_seed(d, RS_REG_SEED, call->private_seed));
    if (call->public_seed) RS_TRY(set_seed(d, RS_REG_PUBLIC_SEED, call->public_seed));
    return RS_OK;
}

// After a failure everything secret that the core holds is wiped. The first error is the one that is reported, unless the wipe failed, or
// memory is why: then only the caller can help.
static rs_status_t failed(rs_device_t *d, rs_status_t status) {
    d->program_words = 0;
    RS_TRY(rs_driver_zeroize(d));
    if (rs_design_encodes(&d->design))
        rs_ignore(rs_driver_set(d, RS_REG_FRAME, 0)); // as every call finds it, which writes it first
    return status;
}

// The arrays of frames that the core reaches itself.
static void sync_values(const rs_device_t *d, const rs_device_call_t *call,
                        void (*sync)(const rs_device_t *, const void *, size_t)) {
    for (uint32_t frame = 0; has_slots(call) && frame < rs_driver_frames_of(call); frame++) {
        if (!rs_driver_is_own(d, call->messages[frame]))
            sync(d, call->frames[frame].values, rs_driver_array_bytes(&call->job.numbers));
    }
}

// Starts the program of a call. The device's copy of the call is what runs; it holds no pointers to seeds.
static rs_status_t start(rs_device_t *d, const rs_device_call_t *call) {
    rs_status_t status = write_inputs(d, call);
    // what the core reads, and what it writes: nothing of that may leave a cache later
    rs_driver_sync_for_device(d, d->bus.memory + call->input, call->end - call->input);
    rs_driver_sync_for_device(d, call->user_input, call->user_input_bytes);
    rs_driver_sync_for_device(d, call->user_output, call->user_output_bytes);
    rs_driver_sync_for_device(d, call->user_message, call->user_message_bytes);
    sync_values(d, call, rs_driver_sync_for_device);
    d->call = *call;
    if (call->message == &call->described) d->call.message = &d->call.described;
    d->call.private_set = call->private_seed != NULL;
    d->call.private_seed = d->call.public_seed = NULL;
    d->call.under_way = 1;
    if (status == RS_OK) status = rs_driver_start_core(d);
    return status;
}

// Waits for it. In any case the private seed is wiped afterwards.
static rs_status_t finish(rs_device_t *d, rs_status_t started) {
    const rs_device_call_t *call = &d->call;
    rs_status_t status = started;
    if (status == RS_OK) status = rs_driver_wait_for_core(d);
    rs_driver_sync_for_cpu(d, d->bus.memory + call->output, call->end - call->output);
    rs_driver_sync_for_cpu(d, call->user_output, call->user_output_bytes);
    if (call->values) rs_driver_sync_for_cpu(d, call->user_message, call->user_message_bytes);
    if (call->job.decodes) sync_values(d, call, rs_driver_sync_for_cpu);
    if (status == RS_OK && call->private_set) status = wipe_seeds(d, call);
    d->call.under_way = 0;
    return status == RS_OK ? RS_OK : failed(d, status);
}

// From the first one on.
static void get_polys(const rs_device_t *d, const rs_device_call_t *call, uint64_t *polys, size_t first, size_t count) {
    if (call->user_output) return;
    for (size_t i = 0; i < count; i++) {
        rs_device_image_read(&d->design, d->context, polys + i * d->context->n, rs_driver_poly_at(d, call->output, first + i));
    }
}

// A message in NTT form is added to c0 here.
static void add_ntt_message(const rs_device_t *d, const rs_plaintext_t *plaintext, uint64_t *c0) {
    if (plaintext->form != RS_FORM_NTT) return;
    for (uint32_t limb = 0; limb < plaintext->limb_count; limb++) {
        const size_t at = (size_t)limb * d->context->n;
        rs_poly_add(d->context, limb, c0 + at, c0 + at, plaintext->ntt + at);
    }
}

static void end_encryption(const rs_device_t *d) {
    const rs_device_call_t *call = &d->call;
    const uint32_t rows = call->job.kind == RS_JOB_ENCRYPT_SK && !call->job.store_expanded ? 1 : 2; // that the core writes
    const size_t polys = (size_t)rows * call->job.limbs;
    for (uint32_t frame = 0; frame < rs_driver_frames_of(call); frame++) {
        rs_ciphertext_t *ciphertext = call->frames ? call->frames[frame].ciphertext : call->ciphertext;
        get_polys(d, call, ciphertext->data, frame * polys, polys);
        add_ntt_message(d, call->message, ciphertext->data);
        rs_describe_ciphertext(d->context, ciphertext, call->message);
        if (call->job.kind == RS_JOB_ENCRYPT_SK) {
            ciphertext->seed = call->seeds[frame];
        } else {
            ciphertext->seeded = 0;
        }
    }
}

// Messages go, and after a failure all that the core has written.
static void end_stream(const rs_device_t *d, rs_status_t status) {
    const rs_device_call_t *call = &d->call;
    const size_t words = 2 * (size_t)call->job.limbs * d->context->n;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        const rs_device_frame_t *frame = &call->frames[i];
        const size_t message = call->input + i * call->stream_bytes;
        if (status == RS_OK) {
            rs_device_image_get(frame->ciphertext->data, d->bus.memory + message + rs_driver_word_bytes(d), words, 1);
            add_ntt_message(d, frame->plaintext, frame->ciphertext->data);
            rs_describe_ciphertext(d->context, frame->ciphertext, frame->plaintext);
            frame->ciphertext->seeded = 0;
        }
        rs_driver_wipe(d, message, status == RS_OK ? rs_driver_word_bytes(d) : call->stream_bytes);
    }
}

// From the polynomial `first` of the output on.
static void get_plaintext(const rs_device_t *d, rs_plaintext_t *plaintext, size_t first, double scale) {
    const uint32_t limbs = d->call.job.limbs;
    get_polys(d, &d->call, plaintext->ntt, first, limbs);
    memcpy(plaintext->parms_id, d->context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    plaintext->form = RS_FORM_NTT;
    plaintext->limb_count = limbs;
    plaintext->scale = scale;
}

static void end_decryption(const rs_device_t *d, rs_status_t status) {
    const rs_device_call_t *call = &d->call;
    if (status == RS_OK) {
        get_plaintext(d, call->plaintext, 0, call->scale);
    } else if (call->user_output) {
        rs_zeroize(call->user_output, call->user_output_bytes);
    }
    if (!call->user_output) rs_driver_wipe(d, call->output, call->end - call->output);
}

// Plaintexts are where the first polynomials of the ciphertexts were.
static void end_decryptions(const rs_device_t *d, rs_status_t status) {
    const rs_device_call_t *call = &d->call;
    const size_t polys = (size_t)call->job.poly_count * call->job.limbs;
    for (uint32_t i = 0; status == RS_OK && i < call->job.frames; i++) {
        get_plaintext(d, call->frames[i].decrypted, i * polys, call->frames[i].ciphertext->scale);
    }
    rs_driver_wipe(d, call->output, call->end - call->output);
}

static void end_decoding(const rs_device_t *d, rs_status_t status) {
    const rs_device_call_t *call = &d->call;
    for (uint32_t frame = 0; frame < rs_driver_frames_of(call); frame++) {
        void *values = call->frames ? call->frames[frame].values : call->values;
        const int own = call->frames ? rs_driver_is_own(d, call->messages[frame]) : !call->user_message;
        const uint64_t offset = call->frames ? call->messages[frame] - d->bus.memory_address : call->output;
        if (status != RS_OK) {
            rs_zeroize(values, rs_driver_array_bytes(&call->job.numbers));
        } else if (own) {
            rs_driver_copy_numbers(values, d->bus.memory + offset, &call->job.numbers);
        }
    }
    if (call->frames || !call->user_message) rs_driver_wipe(d, call->output, call->end - call->output);
}

rs_status_t rs_driver_end(rs_device_t *d, rs_status_t started) {
    const rs_status_t status = finish(d, started);
    const rs_device_call_t *call = &d->call;
    if (call->secret_bytes) rs_driver_wipe(d, call->input, call->secret_bytes);
    if (call->plaintext) end_decryption(d, status);
    if (call->values) end_decoding(d, status);
    if (call->ciphertext && status == RS_OK) end_encryption(d);
    if (call->stream_bytes) end_stream(d, status);
    if (call->frames && call->job.kind == RS_JOB_DECRYPT && !call->job.decodes) end_decryptions(d, status);
    return status;
}

rs_status_t rs_driver_begin(rs_device_t *d, const rs_device_call_t *call) {
    const rs_status_t status = start(d, call);
    return status == RS_OK ? RS_OK : rs_driver_end(d, status);
}

rs_status_t rs_device_poll(rs_device_t *device, int *done) {
    uint32_t status;
    if (!device || !done) return RS_ERR_NULL;
    if (!device->call.under_way) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(rs_driver_get(device, RS_REG_STATUS, &status));
    *done = (status & (RS_REG_BIT(STATUS_DONE) | RS_REG_BIT(STATUS_ERROR))) != 0;
    return RS_OK;
}

rs_status_t rs_device_finish(rs_device_t *device) {
    if (!device) return RS_ERR_NULL;
    return device->call.under_way ? rs_driver_end(device, RS_OK) : RS_ERR_DEVICE_EMPTY;
}

rs_status_t rs_device_transform(rs_device_t *device, uint32_t limb, int inverse, uint64_t *poly) {
    if (!device || !poly) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    if (limb >= device->context->params.limb_count) return RS_ERR_LEVEL;
    for (uint32_t i = 0; i < device->context->n; i++) {
        if (poly[i] >= device->context->limbs[limb].modulus.q) return RS_ERR_RESIDUE;
    }
    rs_device_call_t call = {.first_limb = limb};
    call.job.kind = inverse ? RS_JOB_INTT : RS_JOB_NTT;
    call.job.limbs = 1;
    RS_TRY(rs_driver_prepare(device, &call, 1, 1));
    rs_device_image_write(&device->design, device->context, limb, rs_driver_poly_at(device, call.input, 0), poly, 0);
    call.secret_bytes = call.end - call.input;
    RS_TRY(rs_driver_begin(device, &call));
    const rs_status_t status = finish(device, RS_OK);
    if (status == RS_OK) get_polys(device, &call, poly, 0, 1);
    rs_driver_wipe(device, call.input, call.secret_bytes);
    return status;
}
