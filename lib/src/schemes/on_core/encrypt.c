// SPDX-License-Identifier: Apache-2.0
// Encryptions: by the lanes, of one message or of slots of several, or frames of the streaming unit.
#include <ringside/golden/sample.h>
#include <string.h>

#include "machine/image.h"
#include "schemes/on_core/on_core.h"

// How the lanes make a ciphertext.
typedef struct how {
    int is_secret; // with the secret key
    int rounded; // by the special prime
    int divided; // that is done at the end, because groups are too few to round errors
    int expands; // the core makes c1
    int dividends; // residues of what is divided are made here
} how_t;

static rs_seed_type_t seed_type_of(const rs_encrypt_request_t *request) {
    return request->seed_type ? (rs_seed_type_t)request->seed_type : RS_SEED_SHAKE256;
}

// Frames that one program encodes and encrypts.
static int are_alike(const rs_encrypt_item_t *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].plaintext || items[i].count != items->count || items[i].scale != items->scale ||
            items[i].limb_count != items->limb_count || !rs_on_core_same_layout(items[i].layout, items->layout))
            return 0;
    }
    return 1;
}

// The message, in memory or where it is.
static rs_status_t put_source(rs_device_t *d, rs_on_core_call_t *call, const how_t *how) {
    const rs_plaintext_t *plaintext = call->encrypts->plaintext;
    if (plaintext || call->integers) {
        call->job.message = rs_on_core_message_form(d, call, plaintext, how->divided, !how->is_secret || how->expands);
        return RS_OK;
    }
    if (!rs_on_core_put_slots(d, call)) return RS_ERR_DEVICE_MEMORY;
    call->job.message = RS_MESSAGE_SLOTS;
    return RS_OK;
}

// Room for polynomials, and the program: what cannot be done is refused before a seed is drawn.
static rs_status_t prepare(rs_device_t *d, rs_on_core_call_t *call, const how_t *how) {
    const uint32_t limbs = call->job.limbs, frames = rs_on_core_frames_of(call);
    const uint32_t rows = how->is_secret && !call->job.store_expanded ? 1 : 2; // that the core writes
    uint32_t in = 3 * limbs;
    if (how->divided) {
        in = 2 * (limbs + 1);
    } else if (how->is_secret) {
        in = rs_on_core_row_polys(d, call) + (call->job.frames ? 0 : limbs);
    } else if (d->design.slots) {
        in = rs_on_core_row_polys(d, call);
    }
    if (rs_on_core_in_a_row(d, call, (size_t)rows * limbs))
        rs_on_core_aim_output(d, call, call->encrypts->ciphertext->data, frames * (size_t)rows * limbs);
    const size_t target = rs_on_core_target_bytes(d, call);
    RS_TRY(
        rs_on_core_prepare(d, call, in + (target != 0), (call->job.frames ? frames * rows : 2) * limbs + (how->divided ? 2 : 0)));
    call->input += target;
    return rs_on_core_load_program(d, &call->job);
}

static rs_status_t draw_seeds(rs_on_core_call_t *call, const how_t *how, rs_rng_t *rng, rs_seed_t *seeds) {
    for (uint32_t i = 0; i < rs_on_core_frames_of(call); i++) {
        const rs_status_t status = how->is_secret ? rs_fresh_seeds(rng, &seeds[i], &call->seeds[i]) : rs_fresh_seed(rng, &seeds[i]);
        if (status == RS_OK) continue;
        rs_zeroize(seeds, RS_FRAMES_ENCODE * sizeof *seeds);
        return status;
    }
    return RS_OK;
}

// What the core needs besides, and in designs without a sampler what is small.
static rs_status_t put_inputs(rs_device_t *d, rs_on_core_call_t *call, const how_t *how, const rs_seed_t *seeds, void *workspace) {
    const rs_context_t *context = rs_on_core(d)->context;
    const size_t n = context->n;
    uint64_t *residues = rs_workspace_residues(context, workspace);
    int8_t *error = NULL, *u = (int8_t *)(residues + n), *e1 = u + n;
    if (how->expands) {
        call->public_seed = call->seeds;
    } else if (how->is_secret) {
        uint64_t *c1 = call->seeded ? NULL : call->encrypts->ciphertext->data + call->job.limbs * n;
        RS_TRY(rs_on_core_put_expansion(d, call, call->job.limbs, rs_on_core_row_polys(d, call), (rs_seed_type_t)call->seed_type,
                                        call->seeds, c1, residues));
    }
    if (d->design.slots) {
        call->private_seed = seeds;
    } else {
        error = u + 2 * n;
        rs_sample_cbd21(error, n, seeds, RS_DOMAIN_E0);
    }
    if (error && !how->is_secret) {
        rs_sample_ternary(u, n, seeds, RS_DOMAIN_U);
        rs_sample_cbd21(e1, n, seeds, RS_DOMAIN_E1);
        rs_on_core_put_small(d, call, 1, u, 1, residues);
        rs_on_core_put_small(d, call, 2, e1, 0, residues);
    }
    if (how->dividends) {
        rs_on_core_put_dividends(d, call, residues);
    } else {
        rs_on_core_put_message(d, call, error, residues);
    }
    call->secret_bytes = rs_on_core_secret_bytes(d, call, how->dividends);
    return RS_OK;
}

// The other secret of a switching key's row, from the image of this one.
static void put_target(const rs_device_t *d, const rs_on_core_call_t *call) {
    const size_t image = call->key + (call->job.target - 1) * rs_on_core_poly_bytes(d);
    uint8_t *target = d->bus.memory + call->input - rs_on_core_target_bytes(d, call);
    rs_image_galois(&d->design, call->job.log_n, target, d->bus.memory + image, call->galois);
}

// One item's w, or its slots in NTT form, and its limbs; NULL: other messages.
typedef struct integers {
    uint64_t *words;
    uint32_t limbs;
    int slots;
} integers_t;

// Whether the core makes the message of slots: of values. A plaintext is one that the processor has made.
static int batches(const rs_device_t *d, const rs_encrypt_request_t *request, const rs_encrypt_item_t *item) {
    const int rounded = request->kind == RS_ENCRYPT_PK && rs_on_core(d)->context->params.limb_count > 1;
    const uint32_t groups = rounded ? RS_BATCHED_ROUNDED_GROUPS : RS_BATCHED_GROUPS;
    const int in_slots = item->values && !(item->layout && item->layout->packing);
    return in_slots && rs_on_core(d)->has_plain && d->design.slots && d->design.groups >= groups;
}

// The job of a call, but for its message.
static void describe_job(const rs_device_t *d, const rs_encrypt_request_t *request, rs_on_core_call_t *call, how_t *how) {
    const rs_context_t *context = rs_on_core(d)->context;
    const uint32_t limb_count = context->params.limb_count;
    const int coefficients = context->params.scheme == RS_SCHEME_BFV && !request->ntt;
    how->rounded = request->kind == RS_ENCRYPT_PK && limb_count > 1;
    how->divided = how->rounded && !rs_design_rounds(&d->design);
    how->expands = how->is_secret && rs_on_core_expands(d, seed_type_of(request));
    call->job.kind = how->is_secret ? RS_JOB_ENCRYPT_SK : how->rounded ? RS_JOB_ENCRYPT_PK : RS_JOB_ENCRYPT_PK_DIRECT;
    call->job.key_limbs = how->is_secret && !rs_on_core_is_exact(d) ? 0 : limb_count;
    call->job.expansion = how->expands ? call->job.limbs : 0;
    call->job.store_expanded = how->expands && !call->seeded;
    call->job.coefficients = (uint32_t)coefficients;
    // what is divided at the end is so times the factor; BFV's sign is in the subtraction of its coefficients
    const int has_factor = context->params.scheme == RS_SCHEME_BGV || (how->is_secret && !coefficients);
    call->job.times = rs_on_core_is_exact(d) && has_factor && !how->divided;
}

// A call whose message is there. Constants: but for messages and secrets, as the call has them.
static rs_status_t start_call(rs_device_t *d, const rs_encrypt_request_t *request, rs_on_core_call_t *call, const how_t *how,
                              rs_constants_t constants, rs_device_mode_t mode) {
    void *workspace = request->workspace.p;
    rs_status_t status = prepare(d, call, how);
    rs_seed_t seeds[RS_FRAMES_ENCODE];
    if (status == RS_OK && mode == RS_DEVICE_PREPARE) { // the message is not left in memory
        rs_ignore(rs_on_core_drop_message(d, call, RS_ERR_DEVICE_ABORTED));
        return RS_OK;
    }
    if (status == RS_OK) status = draw_seeds(call, how, request->rng, seeds);
    if (status != RS_OK) return rs_on_core_drop_message(d, call, status);
    constants.drop = how->rounded ? call->job.limbs : (uint32_t)rs_on_core_key_limbs(d);
    if (!how->is_secret || call->integers || constants.target) rs_on_core_set_constants(d, constants);
    status = put_inputs(d, call, how, seeds, workspace);
    if (status == RS_OK && call->galois) put_target(d, call);
    if (status == RS_OK) status = rs_on_core_begin(d, call);
    rs_zeroize(seeds, sizeof seeds);
    rs_zeroize(workspace, how->dividends && !call->integers ? rs_on_core_word_bytes(d) : rs_on_core_workspace_used(d, call));
    return rs_on_core_drop_message(d, call, status);
}

static rs_status_t start_message(rs_device_t *d, const rs_encrypt_request_t *request, rs_encrypt_item_t *items, uint32_t count,
                                 rs_device_mode_t mode, integers_t message) {
    const rs_on_core_t *s = rs_on_core(d);
    how_t how = {.is_secret = request->kind == RS_ENCRYPT_SK};
    rs_on_core_call_t call = {.key = how.is_secret ? rs_on_core_key_for_c1(d) : s->public_key,
                              .encrypts = items,
                              .seeded = request->seeded,
                              .seed_type = seed_type_of(request),
                              .integers = message.words,
                              .job.message = message.slots ? RS_MESSAGE_INTEGERS : RS_MESSAGE_NONE,
                              .job.limbs = message.limbs};
    if (count > 1) call.job.frames = count;
    if (!call.integers) RS_TRY(rs_on_core_check_source(d, &call));
    describe_job(d, request, &call, &how);
    if (!message.slots) RS_TRY(put_source(d, &call, &how));
    how.dividends = how.divided && call.job.message != RS_MESSAGE_WORDS;
    return start_call(d, request, &call, &how,
                      (rs_constants_t){.negative = call.integers && how.is_secret,
                                       .batched = message.slots ? message.limbs : 0,
                                       .coefficients = call.job.coefficients},
                      mode);
}

static rs_status_t start_lanes(rs_device_t *d, const rs_encrypt_request_t *request, rs_encrypt_item_t *items, uint32_t count,
                               rs_device_mode_t mode) {
    const rs_context_t *context = rs_on_core(d)->context;
    uint64_t *w = request->workspace.p;
    uint32_t limbs = 0;
    if (count > 1 && !are_alike(items, count)) return RS_ERR_DESIGN; // not at once
    if (!rs_on_core_is_exact(d)) return start_message(d, request, items, count, mode, (integers_t){NULL, 0, 0});
    const int slots = batches(d, request, items);
    rs_status_t status = rs_exact_take(context, items, w, &limbs, slots);
    if (status == RS_OK) status = start_message(d, request, items, count, mode, (integers_t){w, limbs, slots});
    rs_zeroize(w, rs_on_core_word_bytes(d));
    return status;
}

// A frame's message, or its slots, of integers w. RS_ERR_DESIGN: it is not streamed, or not beside the others.
static rs_status_t put_frame(const rs_device_t *d, const rs_encrypt_item_t *item, size_t offset, const rs_job_t *job,
                             uint64_t bound, uint64_t *w) {
    const rs_plaintext_t *plaintext = item->plaintext;
    const uint32_t limbs = job->limbs;
    if (job->numbers.count) {
        rs_on_core_put_numbers(d->bus.memory + offset, item->values, &job->numbers);
        return RS_OK;
    }
    if (!rs_on_core_is_exact(d)) {
        const int fits = plaintext && plaintext->limb_count == limbs && rs_on_core_put_streamed(d, offset, plaintext, bound);
        return fits ? RS_OK : RS_ERR_DESIGN;
    }
    enum { MOST = 24 }; // multiples of t: w is one at most, an error has up to 21
    uint32_t own = 0;
    if (rs_on_core(d)->context->params.plain_modulus > bound / MOST) return RS_ERR_DESIGN;
    RS_TRY(rs_exact_take(rs_on_core(d)->context, item, w, &own, 0));
    rs_image_put(d->bus.memory + offset, w, rs_on_core(d)->context->n, 1);
    return own == limbs ? RS_OK : RS_ERR_DESIGN;
}

// Items that the streaming unit encrypts at once. RS_ERR_DESIGN: not these, or not so many; then nothing is left of them.
static rs_status_t start_stream(rs_device_t *d, const rs_encrypt_request_t *request, rs_encrypt_item_t *items, uint32_t count) {
    const rs_context_t *context = rs_on_core(d)->context;
    const int rounded = request->kind == RS_ENCRYPT_PK && context->params.limb_count > 1;
    const uint32_t level = items->limb_count ? items->limb_count : context->data_limbs;
    uint64_t *workspace = request->workspace.p;
    rs_on_core_call_t call = {.key = rs_on_core(d)->public_key, .encrypts = items};
    call.job.limbs = items->plaintext ? items->plaintext->limb_count : level;
    if (!items->plaintext && !rs_on_core_is_exact(d)) { // slots
        if (!are_alike(items, count)) return RS_ERR_DESIGN;
        RS_TRY(rs_on_core_check_source(d, &call));
    }
    const uint32_t limbs = call.job.limbs;
    const size_t bytes = call.message.stream.bytes = rs_on_core_stream_frame_bytes(context->params.log_n, limbs);
    call.job.kind = rounded ? RS_JOB_ENCRYPT_PK : RS_JOB_ENCRYPT_PK_DIRECT;
    call.job.message = RS_MESSAGE_FRAME;
    call.job.key_limbs = context->params.limb_count;
    call.job.frames = count;
    call.job.times = rounded && rs_on_core_is_exact(d);
    RS_TRY(rs_on_core_prepare(d, &call, rs_on_core_polys_for(d, count * bytes), 0));
    RS_TRY(rs_on_core_load_program(d, &call.job));
    call.output = call.input; // the core writes there
    uint64_t bound = UINT64_MAX >> 1;
    for (uint32_t i = 0; i < limbs; i++) {
        if (context->limbs[i].modulus.q < bound) bound = context->limbs[i].modulus.q;
    }
    rs_seed_t seeds[RS_FRAMES_MAX];
    rs_status_t status = RS_OK;
    for (uint32_t i = 0; i < count && status == RS_OK; i++) {
        const size_t offset = call.input + i * bytes;
        call.message.stream.at[i] = d->bus.memory_address + offset;
        status = put_frame(d, &items[i], offset, &call.job, bound, workspace);
        if (status != RS_OK && count > 1) status = RS_ERR_DESIGN; // alone it says what is wrong
    }
    for (uint32_t i = 0; i < count && status == RS_OK; i++) status = rs_fresh_seed(request->rng, &seeds[i]);
    if (status == RS_OK) {
        rs_on_core_set_constants(d, (rs_constants_t){.drop = rounded ? limbs : call.job.key_limbs});
        call.private_seed = seeds;
        for (uint32_t i = 0; i < count && rs_on_core_is_exact(d); i++)
            rs_on_core_put_streamed_integers(d, &call, call.input + i * bytes, &seeds[i], workspace);
        status = rs_on_core_begin(d, &call);
    } else {
        rs_machine_wipe(d, call.input, count * bytes);
    }
    rs_zeroize(seeds, sizeof seeds);
    if (rs_on_core_is_exact(d)) rs_zeroize(workspace, rs_device_workspace(context));
    return status;
}

// Integers in coefficient form need inverse transforms behind the products, which are the lanes'. The lanes encode slots.
static int streams(const rs_device_t *d, const rs_encrypt_request_t *request, const rs_encrypt_item_t *item) {
    const rs_on_core_t *s = rs_on_core(d);
    if (!s->stream_key || request->kind == RS_ENCRYPT_SK) return 0;
    if (rs_on_core_is_exact(d)) return rs_is_bgv(s->context) || request->ntt;
    const int rounded = request->kind == RS_ENCRYPT_PK && s->context->params.limb_count > 1; // slots stream without special prime
    return item->plaintext || (!rounded && s->roots && rs_design_encodes(&d->design));
}

static rs_status_t start(rs_device_t *d, const void *request, size_t first, uint32_t *some, rs_device_mode_t mode) {
    const rs_encrypt_request_t *r = request;
    rs_encrypt_item_t *items = r->items + first;
    if (mode == RS_DEVICE_RUN && streams(d, r, items)) {
        const rs_status_t status = start_stream(d, r, items, *some);
        if (*some > 1 || !rs_on_core_is_too_much(status)) return status;
    }
    if (rs_on_core_is_exact(d)) *some = 1;
    if (*some > RS_FRAMES_ENCODE) *some = RS_FRAMES_ENCODE;
    return start_lanes(d, r, items, *some, mode);
}

static rs_status_t check(const rs_device_t *d, const rs_encrypt_request_t *r, rs_device_mode_t mode) {
    if (!d) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_REQUEST(r));
    RS_TRY(rs_on_core_ready(d));
    const rs_on_core_t *s = rs_on_core(d);
    const int is_secret = r->kind == RS_ENCRYPT_SK;
    if (!(is_secret ? s->secret_key : s->public_key)) return RS_ERR_DEVICE_NOT_LOADED;
    if (!is_secret && r->kind != RS_ENCRYPT_PK && r->kind != RS_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    if ((!is_secret && r->seeded) || r->ntt > (s->context->params.scheme == RS_SCHEME_BFV)) return RS_ERR_OPTION;
    if ((uint32_t)mode > RS_DEVICE_PREPARE || (mode != RS_DEVICE_RUN && r->count != 1)) return RS_ERR_OPTION;
    if (r->seed_type && r->seed_type != RS_SEED_BLAKE2XB && r->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    if (!r->items && r->count) return RS_ERR_NULL;
    if (mode != RS_DEVICE_PREPARE && (!r->rng || !r->rng->fill)) return RS_ERR_NULL;
    RS_TRY(rs_on_core_check_loaded(d, r->context, r->public_key, r->secret_key, r->fixed));
    RS_TRY(rs_check_memory(r->workspace, rs_device_workspace(s->context)));
    for (size_t i = 0; i < r->count; i++) {
        const rs_encrypt_item_t *item = &r->items[i];
        if (!item->ciphertext || !item->ciphertext->data || !(item->values || item->plaintext)) return RS_ERR_NULL;
        if (item->values && item->plaintext) return RS_ERR_OPTION;
        if (item->plaintext) RS_TRY(rs_on_core_check_plaintext(s->context, item->plaintext));
    }
    return RS_OK;
}

rs_status_t rs_device_encrypt(rs_device_t *device, const rs_encrypt_request_t *request, rs_device_mode_t mode) {
    RS_TRY(check(device, request, mode));
    return rs_on_core_run(device, mode, RS_ON_CORE_ITEMS(request, start));
}

// ---- switching keys ----------------------------------------------------------------------------------------------------
// What rs_keygen refuses, too, and what devices do.
static rs_status_t check_row(const rs_device_t *d, const rs_keygen_request_t *r, rs_device_mode_t mode) {
    RS_TRY(RS_CHECK_REQUEST(r));
    RS_TRY(rs_on_core_ready(d));
    const rs_context_t *context = rs_on_core(d)->context;
    if (!rs_on_core(d)->secret_key) return RS_ERR_DEVICE_NOT_LOADED;
    if ((uint32_t)mode > RS_DEVICE_PREPARE || r->kind != RS_KEY_SWITCH || r->seeded > 1) return RS_ERR_OPTION;
    if (r->seed_type && r->seed_type != RS_SEED_BLAKE2XB && r->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    if (!r->key || !r->key->data || (mode != RS_DEVICE_PREPARE && (!r->rng || !r->rng->fill))) return RS_ERR_NULL;
    if (context->params.limb_count < 2) return RS_ERR_NO_SPECIAL;
    if (r->index >= context->params.limb_count - 1) return RS_ERR_LEVEL;
    if (r->element && (!(r->element & 1) || r->element >= 2 * context->n)) return RS_ERR_GALOIS;
    RS_TRY(rs_on_core_check_loaded(d, r->context, NULL, r->secret_key, NULL));
    return rs_check_memory(r->workspace, rs_device_workspace(context));
}

rs_status_t rs_device_keygen_switch(rs_device_t *device, const rs_keygen_request_t *request, rs_device_mode_t mode) {
    if (!device) return RS_ERR_NULL;
    RS_TRY(check_row(device, request, mode));
    rs_on_core_t *s = rs_on_core_of(device);
    const int bgv = rs_is_bgv(s->context);
    const rs_encrypt_request_t zero = {
        .kind = RS_ENCRYPT_SK, .ntt = 1, .seed_type = request->seed_type, .rng = request->rng, .workspace = request->workspace};
    how_t how = {.is_secret = 1};
    rs_on_core_call_t call = {.key = bgv ? rs_on_core_key_for_c1(device) : s->secret_key,
                              .encrypts = &s->row,
                              .seeded = request->seeded,
                              .seed_type = seed_type_of(&zero),
                              .galois = request->element,
                              .job.limbs = s->context->params.limb_count,
                              .job.target = request->index + 1,
                              .job.squared = !request->element};
    describe_job(device, &zero, &call, &how);
    call.job.times = (uint32_t)bgv;
    s->row = (rs_encrypt_item_t){.ciphertext = request->key, .scale = 1};
    const rs_constants_t constants = {.target = call.job.target, .squared = call.job.squared};
    RS_TRY(start_call(device, &zero, &call, &how, constants, mode));
    if (mode != RS_DEVICE_PREPARE) memset(request->key->parms_id, 0, sizeof request->key->parms_id);
    return mode == RS_DEVICE_RUN ? rs_device_finish(device) : RS_OK;
}
