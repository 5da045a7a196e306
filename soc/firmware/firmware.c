// SPDX-License-Identifier: Apache-2.0
// One operation on the SoC, by software or by the core, measured stage by stage (job.h).
#include <string.h>

#include "bus.h"

#define JOB ((job_t *)JOB_ADDRESS)

void firmware_main(void);

// Where something failed; py/ringside/soc/job.py names them.
enum { STEP_NONE, STEP_JOB, STEP_MEMORY, STEP_PARAMETERS, STEP_CONTEXT, STEP_OPEN, STEP_KEYS, STEP_ENCODE, STEP_CALL, STEP_DECODE };

static void check(rs_status_t status, unsigned step) {
    if (status == RS_OK) return;
    JOB->status = (uint64_t)status;
    JOB->step = step;
    machine_print(rs_status_name(status));
    machine_print("\n");
    machine_end(END_FAILED);
}

static void *take(size_t bytes) {
    enum { LINE = 64 };
    const uint64_t at = JOB->used;
    if (bytes > JOB->arena_bytes || at > JOB->arena_bytes - bytes) check(RS_ERR_MEMORY, STEP_MEMORY);
    JOB->used = (at + bytes + LINE - 1) / LINE * LINE;
    return (void *)(JOB->arena + at);
}

// ---- random numbers: a board has a generator; here the host has drawn them, so that it can compute the same ciphertext ---
static unsigned drawn;

static rs_status_t draw(void *nothing, uint8_t *out, size_t bytes) {
    (void)nothing;
    bus_seed_begin();
    if (drawn == 2 || bytes != RS_SEED_BYTES) return RS_ERR_RNG;
    memcpy(out, JOB->entropy[drawn++].bytes, bytes);
    bus_seed_end();
    return RS_OK;
}

// ---- measuring ---------------------------------------------------------------------------------------------------------
static instant_t began;

static void begin(void) {
    began = machine_now();
}

static count_t end(void) {
    const instant_t now = machine_now();
    return (count_t){now.cycles - began.cycles, now.instructions - began.instructions};
}

// ---- the operation -----------------------------------------------------------------------------------------------------
static rs_plaintext_t plaintext;
static rs_ciphertext_t public_key, ciphertext;
static rs_secret_key_t secret_key;
static rs_device_t device;
static rs_rng_t rng = {draw, NULL};
static void *workspace;
static size_t workspace_bytes;

static void describe(rs_ciphertext_t *object, uint64_t words, uint32_t limbs, double scale) {
    memcpy(object->parms_id, rs_context_parms_id(JOB->context, limbs), RS_PARMS_ID_BYTES);
    object->poly_count = 2;
    object->limb_count = limbs;
    object->scale = scale;
    object->data = (uint64_t *)words;
}

static size_t largest(size_t a, size_t b) {
    return a > b ? a : b;
}

static void prepare(void) {
    rs_params_t params;
    const job_t *job = JOB;
    if (job->log_n > RS_LOG_N_MAX || job->limb_count > RS_LIMBS_MAX) check(RS_ERR_DEGREE, STEP_PARAMETERS);
    check(rs_params_from_moduli(&params, 1u << job->log_n, job->moduli, (uint32_t)job->limb_count, 0), STEP_PARAMETERS);
    const size_t bytes = rs_context_size(&params);
    check(rs_context_init(&JOB->context, take(bytes), bytes, &params, 0), STEP_CONTEXT);
}

static void open_device(void) {
    rs_bus_t bus;
    bus_open(&bus, JOB);
    begin();
    check(rs_device_open(&device, &bus), STEP_OPEN);
    check(rs_device_load_context(&device, JOB->context), STEP_CONTEXT);
    const int public = JOB->op == OP_ENCRYPT_PK || JOB->op == OP_ENCRYPT_PK_DIRECT;
    check(public ? rs_device_load_public_key(&device, &public_key) : rs_device_load_secret_key(&device, &secret_key), STEP_KEYS);
    JOB->setup = end();
}

static rs_status_t call_software(void) {
    const rs_context_t *context = JOB->context;
    switch (JOB->op) {
    case OP_ENCRYPT_SK:
        return rs_encrypt_secret(context, &secret_key, &plaintext, &ciphertext, &rng, workspace, workspace_bytes);
    case OP_DECRYPT:
        return rs_decrypt(context, &secret_key, &ciphertext, (uint32_t)JOB->limbs, &plaintext, workspace, workspace_bytes);
    default:
        return rs_encrypt_public(context, &public_key, &plaintext, (rs_encryption_t)JOB->op, &ciphertext, &rng, workspace,
                                 workspace_bytes);
    }
}

static rs_status_t call_device(void) {
    switch (JOB->op) {
    case OP_ENCRYPT_SK:
        return rs_device_encrypt_secret(&device, &plaintext, &ciphertext, &rng, workspace, workspace_bytes);
    case OP_DECRYPT:
        return rs_device_decrypt(&device, &ciphertext, (uint32_t)JOB->limbs, &plaintext, workspace, workspace_bytes);
    default:
        return rs_device_encrypt_public(&device, &plaintext, (rs_encryption_t)JOB->op, &ciphertext, &rng, workspace,
                                        workspace_bytes);
    }
}

static void call(void) {
    drawn = 0;
    if (JOB->op == OP_ENCRYPT_SK) {
        ciphertext.seeded = 1;
        ciphertext.seed_type = RS_SEED_SHAKE256;
    }
    if (JOB->device) {
        bus_begin();
        check(call_device(), STEP_CALL);
        bus_end(JOB, &device);
    } else {
        begin();
        check(call_software(), STEP_CALL);
        JOB->stages[STAGE_SOFTWARE] = end();
    }
}

static void run(void) {
    job_t *job = JOB;
    const rs_context_t *context = job->context;
    const uint32_t limbs = (uint32_t)job->limbs;
    const int decrypts = job->op == OP_DECRYPT;
    const size_t software = decrypts ? rs_decrypt_workspace(context) : rs_encrypt_workspace(context, (rs_encryption_t)job->op);
    workspace_bytes = largest(largest(software, rs_device_workspace(context)), rs_decode_workspace(context));
    workspace = take(workspace_bytes);
    describe(&public_key, job->public_key, (uint32_t)job->limb_count, 1);
    memcpy(secret_key.parms_id, public_key.parms_id, RS_PARMS_ID_BYTES);
    secret_key.ntt = (uint64_t *)job->secret_key;
    describe(&ciphertext, job->ciphertext, limbs, job->scale);
    if (job->device) open_device();

    plaintext.coef = (double *)job->plaintext;
    plaintext.ntt = (uint64_t *)job->plaintext;
    for (uint64_t i = 0; i < job->calls; i++) {
        if (!decrypts) {
            begin();
            check(rs_encode(context, &plaintext, (const double *)job->values, job->value_count, 0, job->scale, limbs), STEP_ENCODE);
            job->stages[STAGE_ENCODE] = end();
        }
        call();
    }
    if (decrypts) { // which overwrites the plaintext: the host compares a copy
        const size_t bytes = (size_t)limbs << (job->log_n + 3);
        plaintext.ntt = take(bytes);
        memcpy(plaintext.ntt, (const void *)job->plaintext, bytes);
        begin();
        check(rs_decode(context, &plaintext, (double *)job->decoded, job->value_count, 0, workspace, workspace_bytes), STEP_DECODE);
        job->stages[STAGE_DECODE] = end();
    }
    job->seed = ciphertext.seed;
}

void firmware_main(void) {
    if (JOB->magic != JOB_MAGIC || JOB->bytes != sizeof(job_t)) check(RS_ERR_MAGIC, STEP_JOB);
    if (JOB->phase == PHASE_PREPARE) {
        prepare();
    } else {
        run();
        JOB->phase = PHASE_DONE;
    }
    machine_end(END_OK);
}
