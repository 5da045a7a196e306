// SPDX-License-Identifier: Apache-2.0
// Batches. The pool runs one call per thread. Each call has its own part of the workspace and takes frame after frame until none is left.
// So memory does not grow with the number of frames, and no thread waits for a slower one.
#include <ringside/batch.h>

#include "ckks/checks.h"

enum { ALIGNMENT = 64 }; // alignment of the parts of the workspace: cache lines and vectors

typedef struct job job_t;
struct job {
    // one frame; memory: part_bytes
    rs_status_t (*compute)(const job_t *job, size_t frame, void *memory);
    const rs_context_t *context;
    rs_batch_t *batch;
    const rs_secret_key_t *secret_key;
    const rs_ciphertext_t *public_key; // NULL: secret key
    rs_encryption_t kind;
    rs_seed_t *seeds; // seeds_of(kind) per frame, each wiped when it is used
    uint8_t *parts;
    size_t part_bytes;
    size_t next; // first frame that nobody has taken; atomic
};

// ---- workspace ---------------------------------------------------------------------------------------------------------
static size_t round_up(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t workers(size_t count, const rs_pool_t *pool) {
    const size_t threads = pool ? pool->threads : 1;
    return threads < count ? threads : count;
}

// What rs_encrypt_secret and rs_encrypt_public draw.
static unsigned seeds_of(rs_encryption_t kind) {
    return kind == RS_ENCRYPT_SK ? 2 : 1;
}

static size_t seed_bytes(rs_encryption_t kind, size_t count) {
    return count * seeds_of(kind) * sizeof(rs_seed_t);
}

// Coefficients, workspace of the encryption.
static size_t encrypt_part(const rs_context_t *context, rs_encryption_t kind) {
    return round_up(context->n * sizeof(double) + rs_encrypt_workspace(context, kind));
}

// Plaintext, workspace of decryption and then of decoding.
static size_t decrypt_part(const rs_context_t *context, uint32_t limb_count) {
    const size_t decrypt = rs_decrypt_workspace(context);
    const size_t decode = rs_decode_workspace(context);
    return round_up((size_t)limb_count * context->n * sizeof(uint64_t) + (decrypt > decode ? decrypt : decode));
}

size_t rs_encrypt_batch_workspace(const rs_context_t *context, rs_encryption_t kind, size_t count, const rs_pool_t *pool) {
    return ALIGNMENT + workers(count, pool) * encrypt_part(context, kind) + seed_bytes(kind, count);
}

size_t rs_decrypt_batch_workspace(const rs_context_t *context, uint32_t limb_count, size_t count, const rs_pool_t *pool) {
    return ALIGNMENT + workers(count, pool) * decrypt_part(context, limb_count);
}

static uint8_t *first_part(void *workspace) {
    return (uint8_t *)workspace + (0 - (uintptr_t)workspace) % ALIGNMENT;
}

// ---- threads -----------------------------------------------------------------------------------------------------------
static void work(void *argument, size_t worker) {
    job_t *job = argument;
    void *memory = job->parts + worker * job->part_bytes;
    while (1) {
        const size_t frame = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
        if (frame >= job->batch->count) break;
        job->batch->frames[frame].status = job->compute(job, frame, memory);
    }
    rs_zeroize(memory, job->part_bytes);
}

// The status of the batch.
static rs_status_t run(job_t *job, const rs_pool_t *pool) {
    rs_batch_t *batch = job->batch;
    const size_t count = batch->count;
    // stays if a pool does not run all calls
    for (size_t i = 0; i < count; i++) batch->frames[i].status = RS_ERR_THREADS;
    if (pool) {
        pool->run(pool->state, work, job, workers(count, pool));
    } else {
        work(job, 0);
    }
    for (size_t i = 0; i < count; i++) {
        if (batch->frames[i].status == RS_OK) continue;
        batch->failed = i;
        return batch->frames[i].status;
    }
    return RS_OK;
}

static rs_status_t check(const rs_context_t *context, rs_batch_t *batch, const rs_pool_t *pool) {
    if (!context || !batch) return RS_ERR_NULL;
    batch->failed = batch->count;
    if (batch->count && (!batch->frames || !batch->ciphertexts)) return RS_ERR_NULL;
    if (!pool) return RS_OK;
    if (!pool->run) return RS_ERR_NULL;
    return pool->threads ? RS_OK : RS_ERR_THREADS;
}

// ---- encrypt -----------------------------------------------------------------------------------------------------------
typedef struct hand_out {
    rs_seed_t *next;
    unsigned left;
} hand_out_t;

// rs_rng_t of one frame: the seeds that were drawn for it.
static rs_status_t hand_out(void *state, uint8_t *out, size_t bytes) {
    hand_out_t *seeds = state;
    if (!seeds->left || bytes != sizeof seeds->next->bytes) return RS_ERR_RNG;
    memcpy(out, seeds->next->bytes, bytes);
    rs_zeroize(seeds->next, sizeof *seeds->next);
    seeds->next++;
    seeds->left--;
    return RS_OK;
}

static rs_status_t encrypt_frame(const job_t *job, size_t index, void *memory) {
    const rs_context_t *context = job->context;
    const rs_frame_t *frame = &job->batch->frames[index];
    rs_ciphertext_t *ciphertext = &job->batch->ciphertexts[index];
    rs_plaintext_t plaintext = {.coef = memory};
    void *workspace = plaintext.coef + context->n;
    const size_t bytes = rs_encrypt_workspace(context, job->kind);
    const unsigned seeds = seeds_of(job->kind);
    hand_out_t state = {job->seeds + index * seeds, seeds};
    rs_rng_t rng = {hand_out, &state};
    RS_TRY(rs_encode(context, &plaintext, frame->values, frame->count, frame->is_complex, frame->scale, frame->limb_count));
    if (!job->public_key) return rs_encrypt_secret(context, job->secret_key, &plaintext, ciphertext, &rng, workspace, bytes);
    return rs_encrypt_public(context, job->public_key, &plaintext, job->kind, ciphertext, &rng, workspace, bytes);
}

// The parts first: they are aligned, and the seeds go anywhere.
static rs_status_t encrypt_batch(job_t *job, rs_rng_t *rng, const rs_pool_t *pool, void *workspace, size_t workspace_bytes) {
    const size_t count = job->batch->count;
    if (!count) return RS_OK;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_encrypt_batch_workspace(job->context, job->kind, count, pool)));
    job->compute = encrypt_frame;
    job->part_bytes = encrypt_part(job->context, job->kind);
    job->parts = first_part(workspace);
    job->seeds = (rs_seed_t *)(job->parts + workers(count, pool) * job->part_bytes);
    rs_status_t status = RS_OK;
    for (size_t i = 0; i < count * seeds_of(job->kind) && status == RS_OK; i++) status = rs_fresh_seed(rng, &job->seeds[i]);
    if (status == RS_OK) status = run(job, pool);
    rs_zeroize(job->seeds, seed_bytes(job->kind, count));
    return status;
}

rs_status_t rs_encrypt_batch_secret(const rs_context_t *context, const rs_secret_key_t *key, rs_batch_t *batch, rs_rng_t *rng,
                                    const rs_pool_t *pool, void *workspace, size_t workspace_bytes) {
    RS_TRY(check(context, batch, pool));
    if (!key || !rng || !rng->fill) return RS_ERR_NULL;
    job_t job = {.context = context, .batch = batch, .secret_key = key, .kind = RS_ENCRYPT_SK};
    return encrypt_batch(&job, rng, pool, workspace, workspace_bytes);
}

rs_status_t rs_encrypt_batch_public(const rs_context_t *context, const rs_ciphertext_t *key, rs_encryption_t kind,
                                    rs_batch_t *batch, rs_rng_t *rng, const rs_pool_t *pool, void *workspace,
                                    size_t workspace_bytes) {
    RS_TRY(check(context, batch, pool));
    if (!key || !rng || !rng->fill) return RS_ERR_NULL;
    if (kind != RS_ENCRYPT_PK && kind != RS_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    job_t job = {.context = context, .batch = batch, .public_key = key, .kind = kind};
    return encrypt_batch(&job, rng, pool, workspace, workspace_bytes);
}

// ---- decrypt -----------------------------------------------------------------------------------------------------------
static rs_status_t decrypt_frame(const job_t *job, size_t index, void *memory) {
    const rs_context_t *context = job->context;
    const rs_frame_t *frame = &job->batch->frames[index];
    const rs_ciphertext_t *ciphertext = &job->batch->ciphertexts[index];
    if (frame->limb_count > context->params.limb_count) return RS_ERR_LEVEL;
    const size_t words = (size_t)frame->limb_count * context->n;
    rs_plaintext_t plaintext = {.ntt = memory};
    void *workspace = plaintext.ntt + words;
    const size_t bytes = job->part_bytes - words * sizeof(uint64_t);
    RS_TRY(rs_decrypt(context, job->secret_key, ciphertext, frame->limb_count, &plaintext, workspace, bytes));
    return rs_decode(context, &plaintext, frame->values, frame->count, frame->is_complex, workspace, bytes);
}

rs_status_t rs_decrypt_batch(const rs_context_t *context, const rs_secret_key_t *key, rs_batch_t *batch, const rs_pool_t *pool,
                             void *workspace, size_t workspace_bytes) {
    RS_TRY(check(context, batch, pool));
    if (!key) return RS_ERR_NULL;
    if (!batch->count) return RS_OK;
    uint32_t limbs = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->frames[i].limb_count > limbs) limbs = batch->frames[i].limb_count;
    }
    if (limbs > context->params.limb_count) limbs = context->params.limb_count; // decrypt_frame refuses those that ask for more
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_decrypt_batch_workspace(context, limbs, batch->count, pool)));
    job_t job = {.compute = decrypt_frame, .context = context, .batch = batch, .secret_key = key};
    job.parts = first_part(workspace);
    job.part_bytes = decrypt_part(context, limbs);
    return run(&job, pool);
}
