// SPDX-License-Identifier: Apache-2.0
// Milliseconds per frame of batches on one thread and on several, best of many runs, and how many times faster that is. Not a test.
//
//     time_batch [threads [frames [runs]]]      (2, 16, 20)
#include "time_common.h"

enum { OPERATIONS = 5 };

typedef struct setting {
    const char *set;
    const rs_context_t *context;
    rs_secret_key_t secret;
    rs_ciphertext_t public_key;
    rs_batch_t batch;
    uint32_t limbs;
    void *workspace;
    size_t workspace_bytes;
    rs_rng_t rng;
} setting_t;

static void setting_init(setting_t *s, const char *set, size_t frames, const rs_pool_t *pool) {
    rs_params_t params;
    const rs_context_t *context = context_of(&params, set);
    *s = (setting_t){.set = set, .context = context, .limbs = rs_params_data_limbs(&params)};
    rs_rng_os(&s->rng);
    const size_t n = rs_context_n(s->context);
    const size_t encrypt = rs_encrypt_batch_workspace(s->context, RS_ENCRYPT_PK, frames, pool);
    const size_t decrypt = rs_decrypt_batch_workspace(s->context, s->limbs, frames, pool);
    s->workspace_bytes = encrypt > decrypt ? encrypt : decrypt;
    s->workspace = allocate(s->workspace_bytes);
    s->secret.ntt = allocate(params.limb_count * n * 8);
    s->public_key = (rs_ciphertext_t){.data = allocate(2 * params.limb_count * n * 8), .seed_type = RS_SEED_SHAKE256};
    require(rs_keygen_secret(s->context, &s->secret, &s->rng));
    require(keygen_public(s->context, &s->secret, &s->public_key, &s->rng, s->workspace, s->workspace_bytes));
    s->batch = (rs_batch_t){allocate(frames * sizeof(rs_frame_t)), allocate(frames * sizeof(rs_ciphertext_t)), frames, 0};
    for (size_t i = 0; i < frames; i++) {
        double *values = allocate(n / 2 * sizeof *values);
        for (size_t k = 0; k < n / 2; k++) values[k] = (double)(k % 97) / 97;
        s->batch.frames[i] = (rs_frame_t){values, n / 2, 0, s->limbs, 0x1p30, RS_OK};
        s->batch.ciphertexts[i] = (rs_ciphertext_t){.data = allocate(2 * s->limbs * n * 8), .seed_type = RS_SEED_SHAKE256};
    }
}

static void setting_free(setting_t *s) {
    for (size_t i = 0; i < s->batch.count; i++) {
        free(s->batch.frames[i].values);
        free(s->batch.ciphertexts[i].data);
    }
    free(s->batch.frames);
    free(s->batch.ciphertexts);
    free(s->public_key.data);
    free(s->secret.ntt);
    free(s->workspace);
    free((void *)s->context);
}

// Decryption takes what was encrypted last.
static void compute(setting_t *s, unsigned operation, const rs_pool_t *pool) {
    const size_t bytes = s->workspace_bytes;
    if (operation == 0) {
        for (size_t i = 0; i < s->batch.count; i++) s->batch.ciphertexts[i].seeded = 1;
        require(rs_encrypt_batch_secret(s->context, &s->secret, &s->batch, &s->rng, pool, s->workspace, bytes));
    } else if (operation <= 2) {
        const rs_encryption_t kind = operation == 1 ? RS_ENCRYPT_PK_DIRECT : RS_ENCRYPT_PK;
        require(rs_encrypt_batch_public(s->context, &s->public_key, kind, &s->batch, &s->rng, pool, s->workspace, bytes));
    } else {
        const uint32_t limbs = operation == 3 ? s->limbs : 1;
        for (size_t i = 0; i < s->batch.count; i++) s->batch.frames[i].limb_count = limbs;
        require(rs_decrypt_batch(s->context, &s->secret, &s->batch, pool, s->workspace, bytes));
        for (size_t i = 0; i < s->batch.count; i++) s->batch.frames[i].limb_count = s->limbs;
    }
}

static double milliseconds(setting_t *s, unsigned operation, const rs_pool_t *pool) {
    const double from = now();
    compute(s, operation, pool);
    return (now() - from) / 1000 / (double)s->batch.count;
}

int main(int argc, char **argv) {
    static const char *const SETS[] = {"lee-12", "lee-14", "lee-15"};
    static const char *const NAMES[OPERATIONS] = {"encrypt, secret key, seeded", "encrypt, without special prime",
                                                  "encrypt, public key", "decrypt, all limbs", "decrypt, one limb"};
    const int threads = argc > 1 ? atoi(argv[1]) : 2;
    const int frames = argc > 2 ? atoi(argv[2]) : 16;
    const int runs = argc > 3 ? atoi(argv[3]) : 20;
    rs_pool_t pool;
    if (threads < 1 || frames < 1 || runs < 1) return 2;
    require(rs_pool_create(&pool, (uint32_t)threads));
    printf("%s, batches of %d frames, ms per frame: 1 thread, %d threads\n", rs_backend_name(), frames, threads);
    for (unsigned k = 0; k < sizeof SETS / sizeof *SETS; k++) {
        setting_t s;
        setting_init(&s, SETS[k], (size_t)frames, &pool);
        for (unsigned operation = 0; operation < OPERATIONS; operation++) {
            double best[2] = {1e30, 1e30};
            for (int run = 0; run < runs; run++) {
                for (unsigned p = 0; p < 2; p++) keep_best(&best[p], milliseconds(&s, operation, p ? &pool : NULL));
            }
            printf("%-8s %-32s %9.3f %9.3f  %.2fx\n", s.set, NAMES[operation], best[0], best[1], best[0] / best[1]);
        }
        setting_free(&s);
    }
    rs_pool_destroy(&pool);
    return 0;
}
