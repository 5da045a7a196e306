// SPDX-License-Identifier: Apache-2.0
// Frames on the SoC, encrypted or decrypted by software or by the core, measured stage by stage (job.h).
#include <string.h>

#include "firmware.h"
#include "stages.h"

static void *workspace;
static size_t workspace_bytes;

static uint64_t poly_bytes(void) { return JOB->log_n <= RS_LOG_N_MAX ? UINT64_C(8) << JOB->log_n : 0; }

// The bytes of a frame's array; its counts are not too large.
static uint64_t value_bytes(const frame_t *frame) {
    switch (frame->form) {
    case FORM_RESIDUES: return frame->limbs * poly_bytes();
    case FORM_COEFFICIENTS: return poly_bytes();
    case FORM_ROW: return 0;
    case FORM_NUMBERS: return frame->value_count * rs_fixed_format_bytes(JOB->numbers.format) << (JOB->numbers.is_complex ? 1 : 0);
    default: return frame->value_count * (frame->form == FORM_COMPLEX ? 16 : 8);
    }
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

static const rs_context_t *the_context(void) { return (const rs_context_t *)(uintptr_t)JOB->context; }

static int is_exact(void) { return JOB->scheme != RS_SCHEME_CKKS; }

// ---- random numbers: a board has a generator; here the host has drawn them, so that it can compute the same ciphertext ---
static const frame_t *drawing; // and those behind it
static size_t drawn, drawn_most;

static unsigned seeds_of_a_frame(void) { return JOB->op == OP_ENCRYPT_SK || JOB->op == OP_KEY_ROW ? 2 : 1; }

static void draw_for(const frame_t *frames, size_t count) {
    drawing = frames;
    drawn = 0;
    drawn_most = count * seeds_of_a_frame();
}

static rs_status_t draw(void *nothing, uint8_t *out, size_t bytes) {
    (void)nothing;
    stages_seed_begin();
    if (drawn == drawn_most || bytes != RS_SEED_BYTES) return RS_ERR_RNG;
    memcpy(out, drawing[drawn / seeds_of_a_frame()].entropy[drawn % seeds_of_a_frame()].bytes, bytes);
    drawn++;
    stages_seed_end();
    return RS_OK;
}

static rs_rng_t rng = {draw, NULL};

// ---- keys and device ---------------------------------------------------------------------------------------------------
static rs_ciphertext_t public_key;
static rs_secret_key_t secret_key;

static void describe(rs_ciphertext_t *object, uint64_t *words, uint32_t limbs, double scale) {
    memcpy(object->parms_id, rs_context_parms_id(the_context(), limbs), RS_PARMS_ID_BYTES);
    object->poly_count = 2;
    object->limb_count = limbs;
    object->scale = scale;
    object->data = words;
    object->correction_factor = is_exact() != 0;
}

static void describe_keys(void) {
    const job_t *job = JOB;
    const uint32_t limbs = (uint32_t)job->limb_count;
    describe(&public_key, given(&job->public_key, 2 * limbs * poly_bytes()), limbs, 1);
    memcpy(secret_key.parms_id, public_key.parms_id, RS_PARMS_ID_BYTES);
    secret_key.ntt = given(&job->secret_key, limbs * poly_bytes());
}

static void open_device(void) {
    given(&JOB->shared, 0);
    void *memory = take(rs_device_size());
    JOB->device_state = (uintptr_t)memory;
    device = opened(memory);
    require(rs_device_load(device, RS_REQUEST(rs_device_load_request_t, .context = the_context())), STEP_CONTEXT);
    rs_device_load_request_t keys = {.size = sizeof keys};
    if (JOB->op == OP_ENCRYPT_PK || JOB->op == OP_ENCRYPT_PK_DIRECT) {
        keys.public_key = &public_key;
    } else {
        keys.secret_key = &secret_key;
    }
    require(rs_device_load(device, &keys), STEP_KEYS);
    if (!JOB->in_core) return;
    const rs_fixed_t *roots;
    const uint32_t log_n = (uint32_t)JOB->log_n;
    const size_t bytes = rs_fixed_size(log_n);
    require(rs_fixed_init(&roots, take(bytes), bytes, log_n, JOB->design.word_bits), STEP_ROOTS);
    require(rs_device_load(device, RS_REQUEST(rs_device_load_request_t, .fixed = roots)), STEP_ROOTS);
}

// What was made in QEMU is in memory; the core itself is new.
static void find_device(void) {
    const rs_device_t *asked = opened(scratch_memory);
    device = given(&(array_t){JOB->device_state, rs_device_size(), 0}, 0);
    if (memcmp(rs_device_design(asked), rs_device_design(device), sizeof(rs_design_t)) != 0)
        require(RS_ERR_DEVICE_DESIGN, STEP_OPEN);
}

static void check_job(void) {
    const job_t *job = JOB;
    const int is_known = (job->op <= OP_DECRYPT || job->op == OP_KEY_ROW) && job->device <= 1 && job->opened <= job->device &&
                         job->in_core <= job->device;
    if (!is_known || (job->in_core && job->overlap > RS_FRAMES_ENCODE)) require(RS_ERR_FORM, STEP_JOB);
}

void job_prepare(void) {
    rs_params_t params;
    job_t *job = JOB;
    check_job();
    if (job->log_n > RS_LOG_N_MAX || job->limb_count > RS_LIMBS_MAX) require(RS_ERR_DEGREE, STEP_PARAMETERS);
    require(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .scheme = (uint32_t)job->scheme,
                                               .plain_modulus = job->plain_modulus, .n = 1u << job->log_n, .moduli = job->moduli,
                                               .limb_count = (uint32_t)job->limb_count, .security = RS_SECURITY_UNCHECKED)),
            STEP_PARAMETERS);
    const size_t bytes = rs_context_size(&params);
    const rs_context_t *context;
    require(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .security = RS_SECURITY_UNCHECKED,
                                                 .memory = {take(bytes), bytes})),
            STEP_CONTEXT);
    job->context = (uintptr_t)context;
    describe_keys();
    if (job->opened) open_device();
}

// ---- frames ------------------------------------------------------------------------------------------------------------
static rs_plaintext_t plaintexts[2]; // plaintexts of a frame and of the one after it
static rs_ciphertext_t ciphertexts[RS_FRAMES_ENCODE]; // likewise, or of the frames of a call

static void check_frame(const frame_t *frame) {
    const job_t *job = JOB;
    const uint64_t poly = poly_bytes();
    const uint64_t most = job->limb_count;
    if ((frame->form == FORM_ROW) != (job->op == OP_KEY_ROW)) require(RS_ERR_FORM, STEP_JOB);
    if (frame->form > FORM_ROW || (frame->form == FORM_NUMBERS) != (job->in_core == 1)) require(RS_ERR_FORM, STEP_JOB);
    if ((frame->form == FORM_INTEGERS) != is_exact()) require(RS_ERR_SCHEME, STEP_JOB);
    if (frame->limbs < 1 || frame->limbs > most || frame->ciphertext_limbs < frame->limbs || frame->ciphertext_limbs > most) {
        require(RS_ERR_LEVEL, STEP_JOB);
    }
    if (frame->seeded && (job->op == OP_ENCRYPT_PK || job->op == OP_ENCRYPT_PK_DIRECT)) require(RS_ERR_FORM, STEP_JOB);
    if (frame->polys < 2 || frame->polys > RS_POLYS_MAX) require(RS_ERR_POLY_COUNT, STEP_JOB);
    if (frame->value_count > UINT64_C(1) << job->log_n) require(RS_ERR_VALUE_COUNT, STEP_JOB);
    if (frame->form == FORM_NUMBERS && frame->value_count != job->numbers.count) require(RS_ERR_VALUE_COUNT, STEP_JOB);
    // what the core encodes in a call is of one level, scale and expansion
    if (frame->form == FORM_NUMBERS && frame->limbs != frame_at(0)->limbs) require(RS_ERR_LEVEL, STEP_JOB);
    const int encodes = frame->form == FORM_NUMBERS && job->op != OP_DECRYPT;
    if (encodes && frame->scale != frame_at(0)->scale) require(RS_ERR_SCALE, STEP_JOB);
    if (encodes && (frame->seeded != frame_at(0)->seeded || frame->seed_type != frame_at(0)->seed_type))
        require(RS_ERR_SEED_TYPE, STEP_JOB);
    if (frame->form == FORM_COEFFICIENTS && job->op == OP_DECRYPT) require(RS_ERR_FORM, STEP_JOB);
    given(&frame->values, value_bytes(frame));
    if (frame->form <= FORM_COMPLEX) given(&frame->plaintext, (job->op == OP_DECRYPT ? frame->limbs : 1) * poly);
    if (frame->kept.bytes) given(&frame->kept, frame->limbs * poly);
    given(&frame->ciphertext, (frame->seeded ? 1 : frame->polys) * frame->ciphertext_limbs * poly);
}

// A frame's message before it is encoded. 1: the core takes it in words.
static int describe_message(uint64_t index) {
    const frame_t *frame = work_on(index);
    if (frame->form >= FORM_INTEGERS) return 0; // values as they are
    rs_plaintext_t *plaintext = &plaintexts[index & 1];
    const int words = JOB->device && rs_device_reads_words(device, (rs_encryption_t)JOB->op);
    plaintext->limb_count = (uint32_t)frame->limbs;
    plaintext->scale = frame->scale;
    memcpy(plaintext->parms_id, rs_context_parms_id(the_context(), plaintext->limb_count), RS_PARMS_ID_BYTES);
    if (frame->form >= FORM_COEFFICIENTS) {
        plaintext->form = frame->form == FORM_RESIDUES ? RS_FORM_NTT : RS_FORM_COEF;
        plaintext->message = (void *)(uintptr_t)frame->values.address;
        plaintext->ntt = (uint64_t *)(uintptr_t)frame->values.address;
        return 0;
    }
    plaintext->form = words ? RS_FORM_WORDS : RS_FORM_COEF;
    plaintext->message = (void *)(uintptr_t)frame->plaintext.address;
    return words;
}

static void encode(uint64_t index) {
    const int words = describe_message(index);
    const frame_t *frame = frame_at(index);
    if (frame->form >= FORM_COEFFICIENTS) return;
    const instant_t began = machine_now();
    const rs_layout_t layout = {.is_complex = frame->form == FORM_COMPLEX};
    require(rs_encode(RS_REQUEST(rs_encode_request_t, .count = (uint32_t)frame->value_count, .limb_count = (uint32_t)frame->limbs,
                                 .words = (uint32_t)words, .context = the_context(),
                                 .values = (const void *)(uintptr_t)frame->values.address, .layout = &layout, .scale = frame->scale,
                                 .plaintext = &plaintexts[index & 1])),
            STEP_ENCODE);
    JOB->stages[STAGE_ENCODE] = since(began);
}

static void decode(uint64_t index) {
    const frame_t *frame = work_on(index);
    rs_plaintext_t *plaintext = &plaintexts[index & 1];
    if (frame->form == FORM_INTEGERS) return;
    if (frame->kept.bytes) memcpy((void *)(uintptr_t)frame->kept.address, plaintext->ntt, (size_t)(frame->limbs * poly_bytes()));
    if (frame->form == FORM_RESIDUES) return;
    const instant_t began = machine_now();
    const rs_layout_t layout = {.is_complex = frame->form == FORM_COMPLEX};
    require(rs_decode(RS_REQUEST(rs_decode_request_t, .count = (uint32_t)frame->value_count, .context = the_context(),
                                 .plaintext = plaintext, .values = (void *)(uintptr_t)frame->values.address, .layout = &layout,
                                 .workspace = {workspace, workspace_bytes})),
            STEP_DECODE);
    JOB->stages[STAGE_DECODE] = since(began);
}

static void describe_ciphertext(rs_ciphertext_t *ciphertext, const frame_t *frame) {
    describe(ciphertext, (uint64_t *)(uintptr_t)frame->ciphertext.address, (uint32_t)frame->ciphertext_limbs, frame->scale);
    ciphertext->poly_count = (uint32_t)frame->polys;
    ciphertext->seeded = frame->seeded != 0;
    ciphertext->seed_type = (uint32_t)frame->seed_type;
    ciphertext->seed = frame->seed;
    ciphertext->form = JOB->scheme == RS_SCHEME_BFV && !frame->ntt ? RS_FORM_COEF : RS_FORM_NTT;
    if (JOB->op == OP_DECRYPT) ciphertext->correction_factor = frame->correction_factor;
}

static uint64_t *result_of(const frame_t *frame) {
    return (uint64_t *)(uintptr_t)(frame->form == FORM_RESIDUES ? frame->values.address : frame->plaintext.address);
}

// ---- requests to the core ------------------------------------------------------------------------------------------------
static rs_encrypt_item_t encrypts[RS_FRAMES_ENCODE]; // items of ciphertexts[i], of one of both kinds
static rs_decrypt_item_t decrypts[RS_FRAMES_ENCODE];
static rs_layout_t layouts[RS_FRAMES_ENCODE]; // how values lie that are not in plaintexts

static void describe_item(size_t i, const frame_t *frame, rs_plaintext_t *plaintext) {
    const job_t *job = JOB;
    const int whole = job->in_core || is_exact(); // values go in and come out
    void *const values = whole ? (void *)(uintptr_t)frame->values.address : NULL;
    const rs_layout_t *layout = whole ? &layouts[i] : NULL;
    const uint32_t count = whole ? (uint32_t)frame->value_count : 0;
    const uint32_t limbs = whole || job->op == OP_DECRYPT ? (uint32_t)frame->limbs : 0; // else the plaintext's
    describe_ciphertext(&ciphertexts[i], frame);
    if (whole) plaintext = NULL;
    layouts[i] = (rs_layout_t){.format = job->numbers.format + 1,
                               .is_complex = job->numbers.is_complex,
                               .exponent = job->numbers.exponent,
                               .bound = job->numbers.bound};
    if (is_exact()) layouts[i] = (rs_layout_t){.format = frame->is_unsigned != 0, .packing = (uint32_t)frame->packing};
    if (job->op == OP_DECRYPT) {
        if (plaintext) plaintext->ntt = result_of(frame);
        decrypts[i] = (rs_decrypt_item_t){&ciphertexts[i], plaintext, values, layout, count, limbs, 0, {0}};
    } else {
        encrypts[i] =
            (rs_encrypt_item_t){values, layout, plaintext, &ciphertexts[i], job->in_core ? frame->scale : 0, count, limbs, 0, {0}};
    }
}

// By the core, or by software, which is told what the core has been given.
static rs_status_t decrypt_items(size_t first, size_t count, int by_core, rs_device_mode_t mode) {
    const rs_decrypt_request_t request = {.size = sizeof request,
                                          .margin_bits = (uint32_t)JOB->margin_bits,
                                          .context = by_core ? NULL : the_context(),
                                          .secret_key = by_core ? NULL : &secret_key,
                                          .items = decrypts + first,
                                          .count = count,
                                          .workspace = {workspace, workspace_bytes}};
    return by_core ? rs_device_decrypt(device, &request, mode) : rs_decrypt(&request);
}

static rs_status_t encrypt_items(size_t first, size_t count, int by_core, rs_device_mode_t mode) {
    const int secret = JOB->op == OP_ENCRYPT_SK;
    const rs_ciphertext_t *like = &ciphertexts[first];
    const rs_encrypt_request_t request = {.size = sizeof request,
                                          .kind = (uint32_t)JOB->op,
                                          .seeded = like->seeded,
                                          .seed_type = secret ? like->seed_type : 0,
                                          .ntt = JOB->scheme == RS_SCHEME_BFV && like->form == RS_FORM_NTT,
                                          .context = by_core ? NULL : the_context(),
                                          .secret_key = secret && !by_core ? &secret_key : NULL,
                                          .public_key = secret || by_core ? NULL : &public_key,
                                          .items = encrypts + first,
                                          .count = count,
                                          .rng = &rng,
                                          .workspace = {workspace, workspace_bytes}};
    return by_core ? rs_device_encrypt(device, &request, mode) : rs_encrypt(&request);
}

// One row.
static rs_status_t make_rows(size_t first, size_t count, int by_core, rs_device_mode_t mode) {
    (void)count;
    const frame_t *frame = frame_at(JOB->current);
    const rs_keygen_request_t request = {.size = sizeof request,
                                         .kind = RS_KEY_SWITCH,
                                         .element = (uint32_t)frame->element,
                                         .index = (uint32_t)frame->index,
                                         .seeded = frame->seeded != 0,
                                         .seed_type = (uint32_t)frame->seed_type,
                                         .context = by_core ? NULL : the_context(),
                                         .secret_key = by_core ? NULL : &secret_key,
                                         .key = &ciphertexts[first],
                                         .rng = &rng,
                                         .workspace = {workspace, workspace_bytes}};
    return by_core ? rs_device_keygen_switch(device, &request, mode) : rs_keygen(&request);
}

static rs_status_t call_items(size_t first, size_t count, int by_core, rs_device_mode_t mode) {
    if (JOB->op == OP_KEY_ROW) return make_rows(first, count, by_core, mode);
    return (JOB->op == OP_DECRYPT ? decrypt_items : encrypt_items)(first, count, by_core, mode);
}

// The program of the first frame, made and loaded. Frames that share one make theirs later: only a try tells how many fit.
static rs_status_t prepare_program(void) {
    if (JOB->op != OP_DECRYPT && !JOB->in_core) describe_message(0);
    describe_item(0, frame_at(0), &plaintexts[0]);
    return call_items(0, 1, 1, RS_DEVICE_PREPARE);
}

static void start_frame(uint64_t index) {
    const frame_t *frame = work_on(index);
    rs_plaintext_t *plaintext = &plaintexts[index & 1];
    draw_for(frame, 1);
    describe_item(index & 1, frame, plaintext);
    if (!JOB->device) {
        const instant_t began = machine_now();
        require(call_items(index & 1, 1, 0, RS_DEVICE_RUN), STEP_CALL);
        JOB->stages[STAGE_SOFTWARE] = since(began);
        return;
    }
    stages_begin();
    require(call_items(index & 1, 1, 1, RS_DEVICE_START), STEP_CALL);
}

static void finish_frame(uint64_t index) {
    frame_t *frame = work_on(index);
    if (JOB->device) {
        require(rs_device_finish(device), STEP_CALL);
        stages_end(machine_now());
    }
    if (seeds_of_a_frame() == 2) frame->seed = ciphertexts[index & 1].seed;
}

static uint64_t began_at; // the first frame

static void frames_are_done(uint64_t count) {
    job_t *job = JOB;
    job->done = count;
    job->all_cycles = machine_now().cycles - began_at;
    if (count == 1) job->first_cycles = job->all_cycles;
    if (count + 1 == job->frame_count) job->before_last_cycles = job->all_cycles;
}

// The processor encodes and decodes, where it may while the core works on the frame before or after.
static void run_by_processor(void) {
    const job_t *job = JOB;
    const int decrypts = job->op == OP_DECRYPT;
    const int overlaps = job->overlap && job->device;
    for (uint64_t i = 0; i < job->frame_count; i++) {
        const int last = i + 1 == job->frame_count;
        if (!decrypts && (i == 0 || !overlaps)) encode(i);
        if (!decrypts || i == 0 || !overlaps) start_frame(i);
        if (!decrypts && overlaps && !last) encode(i + 1);
        if (!decrypts || i == 0 || !overlaps) finish_frame(i);
        if (decrypts && overlaps && !last) start_frame(i + 1);
        if (decrypts) decode(i);
        if (decrypts && overlaps && !last) finish_frame(i + 1);
        frames_are_done(i + 1);
    }
}

// ---- all of it on the core: slots in, ciphertexts out, and back. The processor waits ---------------------------------------
static rs_status_t call_core(const frame_t *frames, size_t count) {
    for (size_t i = 0; i < count; i++) describe_item(i, &frames[i], NULL);
    draw_for(frames, count);
    return call_items(0, count, 1, RS_DEVICE_RUN);
}

static void run_in_core(void) {
    job_t *job = JOB;
    uint64_t most = job->overlap ? job->overlap : 1, count;
    for (uint64_t i = 0; i < job->frame_count; i += count) {
        const int single = i < job->singles;
        const uint64_t left = job->frame_count - i;
        frame_t *frames = work_on(i);
        count = single ? 1 : left < most ? left : most;
        const instant_t began = machine_now();
        stages_begin();
        require(call_core(frames, (size_t)count), STEP_CALL);
        const count_t took = since(began);
        stages_end(machine_now());
        if (single) job->single_cycles = took.cycles;
        for (uint64_t k = 0; job->op == OP_ENCRYPT_SK && k < count; k++) frames[k].seed = ciphertexts[k].seed;
        // The driver has tried how many fit into a program. Later calls are one program each: it need not try again, and stages belong to one.
        job->program_frames = rs_device_report(device)->frames;
        if (job->program_frames < count) most = job->program_frames;
        frames_are_done(i + count);
    }
}

void job_run(void) {
    job_t *job = JOB;
    const rs_context_t *context = the_context();
    const int decrypts = job->op == OP_DECRYPT;
    check_job();
    for (uint64_t i = 0; i < job->frame_count; i++) check_frame(work_on(i));
    job->current = 0;
    describe_keys();
    const rs_keygen_request_t row = {.size = sizeof row, .context = context};
    const size_t software =
        job->op == OP_KEY_ROW ? rs_keygen_workspace(&row)
        : decrypts ? rs_decrypt_workspace(RS_REQUEST(rs_decrypt_request_t, .context = context))
                   : rs_encrypt_workspace(RS_REQUEST(rs_encrypt_request_t, .context = context, .kind = (uint32_t)job->op));
    workspace_bytes = largest(software, rs_device_workspace(context));
    workspace = take(workspace_bytes);
    if (job->device) {
        const instant_t began = machine_now();
        if (job->opened) {
            find_device();
        } else {
            open_device();
        }
        require(prepare_program(), STEP_OPEN);
        job->setup = since(began);
    }
    began_at = machine_now().cycles;
    if (job->in_core) {
        run_in_core();
    } else {
        run_by_processor();
    }
}
