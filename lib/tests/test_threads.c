// SPDX-License-Identifier: Apache-2.0
// Contexts and keys are only read: eight threads that share them get the same bits as one.
#include <pthread.h>

#include "fixture.h"

enum { N = 2048, THREADS = 8, JOBS = 6, LIMBS = 3 };

typedef struct job {
    fixture_t *f;
    uint8_t digest[JOBS][32];
    rs_status_t status;
} job_t;

static rs_status_t run_job(fixture_t *f, unsigned number, uint8_t *digest) {
    rs_rng_t rng;
    rs_rng_deterministic_t state;
    const rs_seed_t seed = {{(uint8_t)number}};
    const uint32_t data = LIMBS - 1;
    double *coef = doubles(2 * N), *values = coef + N;
    uint64_t *ciphertext = words(2 * data * N + N), *plain = words((size_t)data * N), *workspace = words(4 * N);
    rs_plaintext_t p = {.message = coef}, out = {.ntt = plain};
    rs_ciphertext_t ct = {.data = ciphertext, .seed_type = RS_SEED_SHAKE256};
    for (unsigned i = 0; i < N / 2; i++) values[i] = (i + number) % 17 / 17.0;
    rs_status_t status = rs_rng_deterministic(&rng, &state, &seed, "insecure-deterministic");
    if (status == RS_OK) status = encode_values(f->context, &p, values, N / 2, 0, 0x1p30, data);
    if (status == RS_OK && number % 3 == 0) {
        status = encrypt_secret(f->context, &f->secret, &p, &ct, &rng, workspace, 4 * N * 8);
    } else if (status == RS_OK) {
        status = encrypt_public(f->context, &f->public_key, &p, (rs_encryption_t)(number % 3), &ct, &rng, workspace, 4 * N * 8);
    }
    if (status == RS_OK) status = decrypt_limbs(f->context, &f->secret, &ct, data, &out, workspace, 4 * N * 8);
    if (status == RS_OK) status = decode_values(f->context, &out, values, N / 2, 0, workspace, 4 * N * 8);
    memcpy(ciphertext + 2 * data * N, values, N / 2 * sizeof *values);
    rs_blake2b(digest, 32, (const uint8_t *)ciphertext, (2 * data * N + N) * 8, NULL, 0);
    return status;
}

static void *run_jobs(void *argument) {
    job_t *job = argument;
    for (unsigned k = 0; k < JOBS && job->status == RS_OK; k++) job->status = run_job(job->f, k, job->digest[k]);
    return NULL;
}

RS_TEST(eight_threads_give_the_same_bits) {
    fixture_t f;
    const uint32_t bits[] = {50, 40, 50};
    fixture_init(&f, N, bits, LIMBS);
    job_t alone = {.f = &f}, shared[THREADS];
    pthread_t threads[THREADS];
    run_jobs(&alone);
    REQUIRE_OK(alone.status);
    for (unsigned k = 1; k < JOBS; k++) CHECK(memcmp(alone.digest[k], alone.digest[0], 32) != 0);
    for (unsigned t = 0; t < THREADS; t++) {
        shared[t] = (job_t){.f = &f};
        REQUIRE(pthread_create(&threads[t], NULL, run_jobs, &shared[t]) == 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        CHECK_OK(shared[t].status);
        CHECK_EQ_MEM(shared[t].digest, alone.digest, sizeof alone.digest);
    }
}
