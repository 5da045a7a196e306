// SPDX-License-Identifier: Apache-2.0
// Batches. The pool runs one call per thread. Each call has its own part of the workspace and takes item after item until none is left.
// So memory does not grow with the number of items, and no thread waits for a slower one.
#include <ringside/batch.h>

#include "ckks/checks.h"

enum { ALIGNMENT = 64 }; // alignment of the parts of the workspace: cache lines and vectors

// One of the two requests.
typedef struct job {
    const rs_encrypt_request_t *encryption;
    const rs_decrypt_request_t *decryption;
    size_t count;
    rs_seed_t *seeds; // seeds_of() per item, each wiped when it is used
    uint8_t *parts;
    size_t part_bytes;
    size_t next; // first item that nobody has taken; atomic
} job_t;

static uint32_t *status_of(const job_t *job, size_t item) {
    return job->encryption ? &job->encryption->items[item].status : &job->decryption->items[item].status;
}

// ---- workspace ---------------------------------------------------------------------------------------------------------
static size_t round_up(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static size_t workers(size_t count, const rs_pool_t *pool) {
    const size_t threads = pool ? pool->threads : 1;
    return threads < count ? threads : count;
}

// What an item draws at most.
static unsigned seeds_of(const job_t *job) {
    if (job->encryption) return job->encryption->kind == RS_ENCRYPT_SK ? 2 : 1;
    return rs_floods(job->decryption->publish);
}

static size_t seed_bytes(const job_t *job) { return job->count * seeds_of(job) * sizeof(rs_seed_t); }

static job_t encryption_job(const rs_encrypt_request_t *request) {
    return (job_t){.encryption = request, .count = request->count, .part_bytes = round_up(rs_encrypt_workspace(request))};
}

static job_t decryption_job(const rs_decrypt_request_t *request) {
    return (job_t){.decryption = request, .count = request->count, .part_bytes = round_up(rs_decrypt_workspace(request))};
}

static size_t workspace_bytes(const job_t *job, const rs_pool_t *pool) {
    return ALIGNMENT + workers(job->count, pool) * job->part_bytes + seed_bytes(job);
}

size_t rs_encrypt_batch_workspace(const rs_encrypt_request_t *request, const rs_pool_t *pool) {
    const job_t job = encryption_job(request);
    return workspace_bytes(&job, pool);
}

size_t rs_decrypt_batch_workspace(const rs_decrypt_request_t *request, const rs_pool_t *pool) {
    const job_t job = decryption_job(request);
    return workspace_bytes(&job, pool);
}

// ---- seeds -------------------------------------------------------------------------------------------------------------
// All seeds, in the order in which items draw them one after the other: a decryption only for values.
static rs_status_t draw(const job_t *job, rs_rng_t *rng) {
    const unsigned each = seeds_of(job);
    for (size_t i = 0; i < job->count; i++) {
        if (job->decryption && !job->decryption->items[i].values) continue;
        for (unsigned k = 0; k < each; k++) RS_TRY(rs_fresh_seed(rng, &job->seeds[i * each + k]));
    }
    return RS_OK;
}

typedef struct hand_out {
    rs_seed_t *next;
    unsigned left;
} hand_out_t;

// rs_rng_t of one item: the seeds that were drawn for it.
static rs_status_t hand_out(void *state, uint8_t *out, size_t bytes) {
    hand_out_t *seeds = state;
    if (!seeds->left || bytes != sizeof seeds->next->bytes) return RS_ERR_RNG;
    memcpy(out, seeds->next->bytes, bytes);
    rs_zeroize(seeds->next, sizeof *seeds->next);
    seeds->next++;
    seeds->left--;
    return RS_OK;
}

// ---- threads -----------------------------------------------------------------------------------------------------------
static void work(void *argument, size_t worker) {
    job_t *job = argument;
    const unsigned each = seeds_of(job);
    void *memory = job->parts + worker * job->part_bytes;
    while (1) {
        const size_t i = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
        if (i >= job->count) break;
        hand_out_t state = {job->seeds + i * each, each};
        rs_rng_t rng = {hand_out, &state};
        *status_of(job, i) = job->encryption ? rs_encrypt_one(job->encryption, &job->encryption->items[i], &rng, memory)
                                             : rs_decrypt_one(job->decryption, &job->decryption->items[i], &rng, memory);
    }
    rs_zeroize(memory, job->part_bytes);
}

// The status of the batch.
static rs_status_t run(job_t *job, const rs_pool_t *pool) {
    for (size_t i = 0; i < job->count; i++) *status_of(job, i) = RS_ERR_THREADS; // stays if a pool does not run all calls
    if (pool) {
        pool->run(pool->state, work, job, workers(job->count, pool));
    } else {
        work(job, 0);
    }
    for (size_t i = 0; i < job->count; i++)
        if (*status_of(job, i) != RS_OK) return (rs_status_t)*status_of(job, i);
    return RS_OK;
}

static rs_status_t check_pool(const rs_pool_t *pool) {
    if (!pool) return RS_OK;
    if (!pool->run) return RS_ERR_NULL;
    return pool->threads ? RS_OK : RS_ERR_THREADS;
}

// The workspace: the parts first, which are aligned, and the seeds go anywhere. Seeds that nobody used are wiped.
static rs_status_t start(job_t *job, rs_rng_t *rng, rs_memory_t workspace, const rs_pool_t *pool) {
    RS_TRY(check_pool(pool));
    if (!job->count) return RS_OK;
    RS_TRY(rs_check_memory(workspace, workspace_bytes(job, pool)));
    job->parts = (uint8_t *)workspace.p + (0 - (uintptr_t)workspace.p) % ALIGNMENT;
    job->seeds = (rs_seed_t *)(job->parts + workers(job->count, pool) * job->part_bytes);
    const rs_status_t status = draw(job, rng);
    if (status != RS_OK) rs_zeroize(job->seeds, seed_bytes(job));
    return status;
}

static rs_status_t finish(job_t *job, const rs_pool_t *pool) {
    if (!job->count) return RS_OK;
    const rs_status_t status = run(job, pool);
    rs_zeroize(job->seeds, seed_bytes(job));
    return status;
}

rs_status_t rs_encrypt_batch(const rs_encrypt_request_t *request, const rs_pool_t *pool) {
    RS_TRY(RS_CHECK_REQUEST(request));
    job_t job = {0};
    rs_status_t status = rs_check_encrypt(request);
    if (status == RS_OK) job = encryption_job(request);
    if (status == RS_OK) status = start(&job, request->rng, request->workspace, pool);
    if (status != RS_OK) RS_REFUSE(request, status);
    return finish(&job, pool);
}

rs_status_t rs_decrypt_batch(const rs_decrypt_request_t *request, const rs_pool_t *pool) {
    RS_TRY(RS_CHECK_REQUEST(request));
    job_t job = {0};
    rs_status_t status = rs_check_decrypt(request);
    if (status == RS_OK) job = decryption_job(request);
    if (status == RS_OK) status = start(&job, request->rng, request->workspace, pool);
    if (status != RS_OK) RS_REFUSE(request, status);
    return finish(&job, pool);
}
