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
    rs_encrypt_item_t *frames;
    rs_decrypt_item_t *results;
    rs_ciphertext_t *ciphertexts;
    size_t count;
    uint32_t limbs;
    rs_memory_t workspace;
    rs_rng_t rng;
} setting_t;

static rs_encrypt_request_t encryption(setting_t *s, uint32_t kind) {
    return (rs_encrypt_request_t){.size = sizeof(rs_encrypt_request_t),
                                  .kind = kind,
                                  .seeded = kind == RS_ENCRYPT_SK,
                                  .context = s->context,
                                  .secret_key = kind == RS_ENCRYPT_SK ? &s->secret : NULL,
                                  .public_key = kind == RS_ENCRYPT_SK ? NULL : &s->public_key,
                                  .items = s->frames,
                                  .count = s->count,
                                  .rng = &s->rng,
                                  .workspace = s->workspace};
}

static rs_decrypt_request_t decryption(setting_t *s, uint32_t limbs) {
    for (size_t i = 0; i < s->count; i++) s->results[i].limb_count = limbs;
    return (rs_decrypt_request_t){.size = sizeof(rs_decrypt_request_t),
                                  .context = s->context,
                                  .secret_key = &s->secret,
                                  .items = s->results,
                                  .count = s->count,
                                  .workspace = s->workspace};
}

static void setting_init(setting_t *s, const char *set, size_t frames, const rs_pool_t *pool) {
    rs_params_t params;
    const rs_context_t *context = context_of(&params, set);
    *s = (setting_t){.set = set, .context = context, .limbs = rs_params_data_limbs(&params), .count = frames};
    rs_rng_os(&s->rng);
    const size_t n = rs_context_n(s->context);
    s->frames = allocate(frames * sizeof *s->frames);
    s->results = allocate(frames * sizeof *s->results);
    s->ciphertexts = allocate(frames * sizeof *s->ciphertexts);
    for (size_t i = 0; i < frames; i++) {
        double *values = allocate(n / 2 * sizeof *values);
        for (size_t k = 0; k < n / 2; k++) values[k] = (double)(k % 97) / 97;
        s->ciphertexts[i] = (rs_ciphertext_t){.data = allocate(2 * s->limbs * n * 8)};
        s->frames[i] =
            (rs_encrypt_item_t){.values = values, .count = (uint32_t)n / 2, .scale = 0x1p30, .ciphertext = &s->ciphertexts[i]};
        s->results[i] = (rs_decrypt_item_t){.ciphertext = &s->ciphertexts[i], .values = values, .count = (uint32_t)n / 2};
    }
    const rs_encrypt_request_t in = encryption(s, RS_ENCRYPT_PK);
    const rs_decrypt_request_t out = decryption(s, s->limbs);
    const size_t encrypt = rs_encrypt_batch_workspace(&in, pool), decrypt = rs_decrypt_batch_workspace(&out, pool);
    s->workspace.n = encrypt > decrypt ? encrypt : decrypt;
    s->workspace.p = allocate(s->workspace.n);
    s->secret.ntt = allocate(params.limb_count * n * 8);
    s->public_key = (rs_ciphertext_t){.data = allocate(2 * params.limb_count * n * 8)};
    require(rs_keygen_secret(s->context, &s->secret, &s->rng));
    require(keygen_public(s->context, &s->secret, &s->public_key, &s->rng, s->workspace.p, s->workspace.n));
}

static void setting_free(setting_t *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->results[i].values);
        free(s->ciphertexts[i].data);
    }
    free(s->frames);
    free(s->results);
    free(s->ciphertexts);
    free(s->public_key.data);
    free(s->secret.ntt);
    free(s->workspace.p);
    free((void *)s->context);
}

// Decryption takes what was encrypted last.
static void compute(setting_t *s, unsigned operation, const rs_pool_t *pool) {
    if (operation <= 2) {
        const rs_encrypt_request_t in = encryption(s, operation == 0   ? RS_ENCRYPT_SK
                                                      : operation == 1 ? RS_ENCRYPT_PK_DIRECT
                                                                       : RS_ENCRYPT_PK);
        require(rs_encrypt_batch(&in, pool));
    } else {
        const rs_decrypt_request_t out = decryption(s, operation == 3 ? s->limbs : 1);
        require(rs_decrypt_batch(&out, pool));
    }
}

static double milliseconds(setting_t *s, unsigned operation, const rs_pool_t *pool) {
    const double from = now();
    compute(s, operation, pool);
    return (now() - from) / 1000 / (double)s->count;
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
