// SPDX-License-Identifier: Apache-2.0
// Pools run every task once, on as many threads as they say; batches compute the bits of one frame after the other, whatever the pool,
// and tell which frame failed.
#define _GNU_SOURCE // pthread_setattr_default_np
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"

enum { N = 2048, LIMBS = 3, DATA_LIMBS = 2, FRAMES = 7, POOLS = 5 };
#define SCALE 0x1p30

// ---- pools -------------------------------------------------------------------------------------------------------------
enum { CALLS_MAX = 1000 };

typedef struct calls {
    const rs_pool_t *pool;
    unsigned seen[CALLS_MAX]; // atomic
    unsigned present; // atomic: tasks under way
    unsigned wanted; // that each task waits for, so long as it takes
    unsigned missed; // atomic: tasks that waited in vain
} calls_t;

static void pause_ms(long milliseconds) {
    const struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

static void count_call(void *argument, size_t index) {
    calls_t *calls = argument;
    __atomic_fetch_add(&calls->seen[index], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&calls->present, 1, __ATOMIC_RELAXED);
    for (unsigned k = 0; __atomic_load_n(&calls->present, __ATOMIC_RELAXED) < calls->wanted; k++) {
        pause_ms(1);
        if (k < 10000) continue;
        __atomic_fetch_add(&calls->missed, 1, __ATOMIC_RELAXED);
        return;
    }
}

static void check_calls(const rs_pool_t *pool, size_t count, unsigned wanted) {
    calls_t calls = {.wanted = wanted};
    pool->run(pool->state, count_call, &calls, count);
    for (size_t i = 0; i < CALLS_MAX; i++) CHECK_EQ_U64(calls.seen[i], i < count);
    CHECK_EQ_U64(calls.missed, 0);
}

RS_TEST(every_task_once_on_all_threads) {
    for (uint32_t threads = 1; threads <= 8; threads++) {
        rs_pool_t pool;
        REQUIRE_OK(rs_pool_create(&pool, threads));
        CHECK_EQ_U64(pool.threads, threads);
        check_calls(&pool, threads, threads); // each task waits until all are there
        check_calls(&pool, 0, 0);
        check_calls(&pool, 1, 0);
        check_calls(&pool, CALLS_MAX, 0);
        rs_pool_destroy(&pool);
        CHECK(!pool.run && !pool.state && !pool.threads);
        rs_pool_destroy(&pool);
    }
    rs_pool_destroy(NULL);
}

RS_TEST(as_many_threads_as_the_process_may_use) {
    rs_pool_t pool;
    CHECK(rs_pool_threads() >= 1 && rs_pool_threads() <= RS_POOL_THREADS_MAX);
    REQUIRE_OK(rs_pool_create(&pool, 0));
    CHECK_EQ_U64(pool.threads, rs_pool_threads());
    check_calls(&pool, rs_pool_threads(), rs_pool_threads());
    rs_pool_destroy(&pool);
}

static void *run_often(void *pool) {
    for (unsigned repeat = 0; repeat < 200; repeat++) check_calls(pool, 1 + repeat % 20, 0);
    return NULL;
}

static void run_inside(void *argument, size_t index) { check_calls(((calls_t *)argument)->pool, index + 1, 0); }

RS_TEST(several_callers_and_tasks_that_call) {
    enum { CALLERS = 3 };
    pthread_t callers[CALLERS];
    rs_pool_t pool;
    REQUIRE_OK(rs_pool_create(&pool, 3));
    for (unsigned k = 0; k < CALLERS; k++) REQUIRE(pthread_create(&callers[k], NULL, run_often, &pool) == 0);
    for (unsigned k = 0; k < CALLERS; k++) pthread_join(callers[k], NULL);
    calls_t calls = {.pool = &pool};
    pool.run(pool.state, run_inside, &calls, 20);
    rs_pool_destroy(&pool);
}

static double cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

RS_TEST(idle_threads_sleep) {
    rs_pool_t pool;
    REQUIRE_OK(rs_pool_create(&pool, 8));
    check_calls(&pool, 8, 8);
    const double before = cpu_seconds();
    pause_ms(200);
    CHECK(cpu_seconds() - before < 0.05); // one that spins takes 0.2
    rs_pool_destroy(&pool);
}

static void hold(void *argument, size_t index) {
    (void)index;
    int *pipes = argument; // tell that a task has begun, wait until it may end
    char byte = 0;
    CHECK(write(pipes[1], &byte, 1) == 1);
    CHECK(read(pipes[2], &byte, 1) == 1);
}

typedef struct holder {
    rs_pool_t *pool;
    int pipes[4];
} holder_t;

static void *run_hold(void *argument) {
    holder_t *holder = argument;
    holder->pool->run(holder->pool->state, hold, holder->pipes, 1);
    return NULL;
}

// A child has the memory of a pool, not its threads, even if a run was under way when it was forked.
RS_TEST(pools_in_a_forked_child) {
    rs_pool_t pool;
    holder_t holder = {.pool = &pool};
    pthread_t thread;
    char byte = 0;
    int status = -1;
    REQUIRE_OK(rs_pool_create(&pool, 4));
    REQUIRE(pipe(holder.pipes) == 0 && pipe(holder.pipes + 2) == 0);
    REQUIRE(pthread_create(&thread, NULL, run_hold, &holder) == 0);
    REQUIRE(read(holder.pipes[0], &byte, 1) == 1);
    const pid_t child = fork();
    if (child == 0) {
        calls_t calls = {.pool = &pool};
        alarm(20); // instead of hanging
        pool.run(pool.state, count_call, &calls, CALLS_MAX);
        unsigned wrong = 0;
        for (unsigned i = 0; i < CALLS_MAX; i++) wrong += calls.seen[i] != 1;
        rs_pool_destroy(&pool);
        _exit(wrong || pool.state ? 1 : 0);
    }
    REQUIRE(child > 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(write(holder.pipes[3], &byte, 1) == 1);
    pthread_join(thread, NULL);
    check_calls(&pool, 4, 4); // the parent's threads are still there
    rs_pool_destroy(&pool);
    for (unsigned i = 0; i < 4; i++) close(holder.pipes[i]);
}

RS_TEST(threads_that_cannot_be_had) {
    rs_pool_t pool = {.threads = 77};
    CHECK_STATUS(rs_pool_create(NULL, 1), RS_ERR_NULL);
    CHECK_STATUS(rs_pool_create(&pool, RS_POOL_THREADS_MAX + 1), RS_ERR_THREADS);
    CHECK(!pool.run && !pool.state && !pool.threads);
    // stacks of 32 TiB: at most three fit a process, so some threads start and must be ended again
    pthread_attr_t usual;
    pthread_attr_t huge;
    pthread_getattr_default_np(&usual);
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, (size_t)1 << 45);
    REQUIRE(pthread_setattr_default_np(&huge) == 0);
    CHECK_STATUS(rs_pool_create(&pool, 8), RS_ERR_THREADS);
    CHECK(!pool.run && !pool.state && !pool.threads);
    pthread_setattr_default_np(&usual);
    CHECK_OK(rs_pool_create(&pool, 8));
    rs_pool_destroy(&pool);
}

// ---- frames ------------------------------------------------------------------------------------------------------------
typedef enum kind { SEEDED, WRITTEN, PUBLIC, DIRECT } kind_t;

typedef struct setting {
    fixture_t f;
    rs_pool_t pools[POOLS]; // the first one is for NULL
    double *values;
    uint64_t *data;
    size_t count; // frames in use
    rs_layout_t layouts[FRAMES];
    rs_ciphertext_t ciphertexts[FRAMES];
    rs_encrypt_item_t frames[FRAMES];
    rs_decrypt_item_t results[FRAMES];
} setting_t;

// Frames of different lengths, kinds, levels and scales.
static void setting_init(setting_t *s) {
    static const uint32_t THREADS[POOLS] = {0, 1, 2, 3, 8};
    const uint32_t bits[LIMBS] = {50, 40, 50};
    memset(s, 0, sizeof *s);
    fixture_init(&s->f, N, bits, LIMBS);
    for (unsigned p = 1; p < POOLS; p++) CHECK_OK(rs_pool_create(&s->pools[p], THREADS[p]));
    s->values = doubles(FRAMES * N);
    s->data = words(FRAMES * 2 * DATA_LIMBS * N);
    for (unsigned i = 0; i < FRAMES; i++) {
        double *values = s->values + i * N;
        const size_t count = i == 6 ? 0 : N / 2 - 3 * i;
        for (size_t k = 0; k < N; k++) values[k] = (double)((k * (i + 3)) % 101) / 101 - 0.5;
        s->layouts[i] = reals_or_pairs(i % 3 == 1);
        s->ciphertexts[i] = (rs_ciphertext_t){.data = s->data + i * 2 * DATA_LIMBS * N};
        s->frames[i] = (rs_encrypt_item_t){.values = values,
                                           .layout = &s->layouts[i],
                                           .ciphertext = &s->ciphertexts[i],
                                           .scale = i == 4 ? SCALE / 3 : SCALE,
                                           .count = (uint32_t)count,
                                           .limb_count = 2 - i % 2,
                                           .status = RS_ERR_IO};
        s->results[i] = (rs_decrypt_item_t){.ciphertext = &s->ciphertexts[i],
                                            .values = values,
                                            .layout = &s->layouts[i],
                                            .count = (uint32_t)count,
                                            .limb_count = 2 - i % 2,
                                            .status = RS_ERR_IO};
    }
    s->count = FRAMES;
}

static void setting_free(setting_t *s) {
    for (unsigned p = 1; p < POOLS; p++) rs_pool_destroy(&s->pools[p]);
}

// One that is freed at the end of its block.
#define SETTING(s)                                      \
    __attribute__((cleanup(setting_free))) setting_t s; \
    setting_init(&s)

static const rs_pool_t *pool_of(const setting_t *s, unsigned p) { return p ? &s->pools[p] : NULL; }

static rs_encrypt_request_t encryption(setting_t *s, kind_t kind) {
    const int secret = kind == SEEDED || kind == WRITTEN;
    return (rs_encrypt_request_t){.size = sizeof(rs_encrypt_request_t),
                                  .kind = secret           ? RS_ENCRYPT_SK
                                          : kind == PUBLIC ? RS_ENCRYPT_PK
                                                           : RS_ENCRYPT_PK_DIRECT,
                                  .seeded = kind == SEEDED,
                                  .seed_type = kind == SEEDED ? RS_SEED_BLAKE2XB : 0,
                                  .context = s->f.context,
                                  .secret_key = secret ? &s->f.secret : NULL,
                                  .public_key = secret ? NULL : &s->f.public_key,
                                  .items = s->frames,
                                  .count = s->count,
                                  .rng = &s->f.rng};
}

static rs_decrypt_request_t decryption(setting_t *s) {
    return (rs_decrypt_request_t){.size = sizeof(rs_decrypt_request_t),
                                  .context = s->f.context,
                                  .secret_key = &s->f.secret,
                                  .items = s->results,
                                  .count = s->count};
}

// The parts of the library that take one frame.
static void encrypt_one_by_one(setting_t *s, kind_t kind) {
    double coef[N];
    rs_plaintext_t plaintext = {.message = coef};
    fixture_t *f = &s->f;
    for (unsigned i = 0; i < FRAMES; i++) {
        const rs_encrypt_item_t *frame = &s->frames[i];
        rs_ciphertext_t *ciphertext = &s->ciphertexts[i];
        const rs_encrypt_request_t how = encryption(s, kind);
        CHECK_OK(encode_values(f->context, &plaintext, frame->values, frame->count, (int)frame->layout->is_complex, frame->scale,
                               frame->limb_count));
        ciphertext->seeded = how.seeded;
        ciphertext->seed_type = how.seed_type;
        CHECK_OK(fixture_encrypt(f, (rs_encryption_t)how.kind, &plaintext, ciphertext));
    }
}

static rs_memory_t zeroed(size_t bytes) { return (rs_memory_t){rs_test_own(calloc(1, bytes + 1)), bytes}; }

// In a workspace of exactly the bytes asked for, which must be wiped afterwards.
static rs_status_t encrypt_batch(setting_t *s, kind_t kind, const rs_pool_t *pool) {
    rs_encrypt_request_t request = encryption(s, kind);
    request.workspace = zeroed(rs_encrypt_batch_workspace(&request, pool));
    const rs_status_t status = rs_encrypt_batch(&request, pool);
    CHECK(is_zero(request.workspace.p, request.workspace.n));
    return status;
}

static rs_status_t decrypt_batch(setting_t *s, const rs_pool_t *pool) {
    rs_decrypt_request_t request = decryption(s);
    request.workspace = zeroed(rs_decrypt_batch_workspace(&request, pool));
    const rs_status_t status = rs_decrypt_batch(&request, pool);
    CHECK(is_zero(request.workspace.p, request.workspace.n));
    return status;
}

// The lowest frame that failed.
static size_t failed_of(const setting_t *s) {
    size_t i = 0;
    while (i < s->count && s->frames[i].status == RS_OK) i++;
    return i;
}

typedef struct digests {
    uint8_t of[FRAMES][32];
} digests_t;

// Digests of what a file holds; nothing of it is in memory afterwards.
static digests_t take_digests(setting_t *s) {
    digests_t digests = {0};
    for (unsigned i = 0; i < FRAMES; i++) {
        rs_ciphertext_t *c = &s->ciphertexts[i];
        const size_t count = rs_ciphertext_words(s->f.context, c->poly_count, c->limb_count, c->seeded);
        uint64_t *all = words(count + 13);
        memcpy(all, c->data, count * sizeof *all);
        memcpy(all + count, c->parms_id, RS_PARMS_ID_BYTES);
        memcpy(all + count + 4, &c->scale, sizeof c->scale);
        if (c->seeded) memcpy(all + count + 5, c->seed.bytes, RS_SEED_BYTES);
        rs_blake2b(digests.of[i], 32, (const uint8_t *)all, (count + 13) * sizeof *all, NULL, 0);
        memset(c->data, 0x55, count * sizeof *all);
        memset(c->parms_id, 0, sizeof c->parms_id);
        memset(&c->seed, 0, sizeof c->seed);
    }
    return digests;
}

// Every back end that the test is to try: the portable one and the best.
static int select_back_end(unsigned k) {
    const char *name = k ? NULL : "portable";
    return CHECK_OK(rs_backend_select(name));
}

RS_TEST(same_ciphertexts_whatever_the_pool) {
    digests_t want;
    for (kind_t kind = SEEDED; kind <= DIRECT; kind++) {
        for (unsigned k = 0; k < 2; k++) {
            REQUIRE(select_back_end(k));
            SETTING(s);
            if (k == 0) { // portable tells what all must compute
                fixture_seed(&s.f, 9);
                encrypt_one_by_one(&s, kind);
                want = take_digests(&s);
                for (unsigned i = 1; i < FRAMES; i++) CHECK(memcmp(want.of[i], want.of[0], 32) != 0);
            }
            for (unsigned p = 0; p < POOLS; p++) {
                for (unsigned repeat = 0; repeat < 2; repeat++) { // a pool serves more than once
                    fixture_seed(&s.f, 9);
                    CHECK_OK(encrypt_batch(&s, kind, pool_of(&s, p)));
                    CHECK_EQ_U64(failed_of(&s), FRAMES);
                    const digests_t got = take_digests(&s);
                    CHECK_EQ_MEM(&got, &want, sizeof got);
                }
            }
        }
    }
}

RS_TEST(same_values_whatever_the_pool) {
    for (unsigned k = 0; k < 2; k++) {
        REQUIRE(select_back_end(k));
        SETTING(s);
        encrypt_one_by_one(&s, SEEDED);
        double *want = doubles(FRAMES * N);
        uint64_t *workspace = words(N);
        for (unsigned fewest = 0; fewest < 2; fewest++) {
            for (unsigned i = 0; i < FRAMES; i++) {
                uint64_t ntt[DATA_LIMBS * N];
                rs_plaintext_t plaintext = {.ntt = ntt};
                rs_decrypt_item_t *frame = &s.results[i];
                const rs_ciphertext_t *ciphertext = &s.ciphertexts[i];
                frame->limb_count = 0;
                if (fewest) frame->limb_count = rs_limbs_needed(s.f.context, ciphertext->limb_count, ciphertext->scale, 1, 30);
                const uint32_t limbs = fewest ? frame->limb_count : ciphertext->limb_count;
                const int is_complex = (int)frame->layout->is_complex;
                double *values = want + i * N;
                REQUIRE(limbs >= 1);
                CHECK_OK(decrypt_limbs(s.f.context, &s.f.secret, ciphertext, limbs, &plaintext, workspace, N * 8));
                CHECK_OK(decode_values(s.f.context, &plaintext, values, frame->count, is_complex, workspace, N * 8));
                const size_t numbers = frame->count * (is_complex ? 2u : 1u);
                for (size_t v = 0; v < numbers; v++) CHECK_NEAR(want[i * N + v], s.values[i * N + v], 1e-4);
            }
            for (unsigned p = 0; p < POOLS; p++) {
                double *got = doubles(FRAMES * N);
                for (unsigned i = 0; i < FRAMES; i++) s.results[i].values = got + i * N;
                CHECK_OK(decrypt_batch(&s, pool_of(&s, p)));
                for (unsigned i = 0; i < FRAMES; i++) CHECK_OK((rs_status_t)s.results[i].status);
                CHECK_EQ_MEM(got, want, FRAMES * N * sizeof *got);
            }
        }
    }
}

// ---- faults ------------------------------------------------------------------------------------------------------------
RS_TEST(frames_that_cannot_be_encrypted) {
    for (kind_t kind = SEEDED; kind <= PUBLIC; kind++) {
        SETTING(s);
        fixture_seed(&s.f, 9);
        encrypt_one_by_one(&s, kind);
        const digests_t want = take_digests(&s);
        const rs_encrypt_item_t good[FRAMES] = {s.frames[0], s.frames[1], s.frames[2], s.frames[3],
                                                s.frames[4], s.frames[5], s.frames[6]};
        double *values = s.values + 2 * N;
        for (unsigned p = 0; p < POOLS; p++) {
            memcpy(s.frames, good, sizeof good);
            const double before = values[7];
            values[7] = NAN;
            s.frames[3].scale = 0x1p60; // above the one limb's modulus
            s.frames[5].limb_count = LIMBS; // the special prime is not for data
            s.frames[6].count = N / 2 + 1;
            fixture_seed(&s.f, 9);
            CHECK_STATUS(encrypt_batch(&s, kind, pool_of(&s, p)), RS_ERR_NOT_FINITE);
            CHECK_EQ_U64(failed_of(&s), 2);
            CHECK_STATUS((rs_status_t)s.frames[2].status, RS_ERR_NOT_FINITE);
            CHECK_STATUS((rs_status_t)s.frames[3].status, RS_ERR_SCALE);
            CHECK_STATUS((rs_status_t)s.frames[5].status, RS_ERR_LEVEL);
            CHECK_STATUS((rs_status_t)s.frames[6].status, RS_ERR_VALUE_COUNT);
            values[7] = before;
            const digests_t got = take_digests(&s);
            for (unsigned i = 0; i < FRAMES; i++) {
                const int failed = i == 2 || i == 3 || i >= 5;
                if (!failed) CHECK_OK((rs_status_t)s.frames[i].status);
                CHECK((memcmp(got.of[i], want.of[i], 32) == 0) == !failed);
            }
        }
        // a value that does not fit below the modulus
        memcpy(s.frames, good, sizeof good);
        values[7] = 0x1p70;
        CHECK_STATUS(encrypt_batch(&s, kind, &s.pools[3]), RS_ERR_OVERFLOW);
        CHECK_EQ_U64(failed_of(&s), 2);
    }
}

RS_TEST(ciphertexts_that_cannot_be_decrypted) {
    static const rs_status_t WANT[FRAMES] = {RS_OK,       RS_ERR_VALUE_RANGE, RS_OK,        RS_ERR_MISMATCH,
                                             RS_ERR_NULL, RS_ERR_LEVEL,       RS_ERR_OPTION};
    SETTING(s);
    encrypt_one_by_one(&s, WRITTEN);
    const rs_layout_t integers = {.format = RS_FIXED_INT8 + 1};
    s.ciphertexts[1].scale = 0x1p-1000; // decodes to infinity
    s.ciphertexts[3].parms_id[5] ^= 1;
    s.results[4].ciphertext = NULL;
    s.results[5].limb_count = UINT32_MAX;
    s.results[6].layout = &integers; // they want fixed point
    for (unsigned p = 0; p < POOLS; p++) {
        for (size_t k = 0; k < FRAMES * N; k++) s.values[k] = 7;
        CHECK_STATUS(decrypt_batch(&s, pool_of(&s, p)), RS_ERR_VALUE_RANGE);
        for (unsigned i = 0; i < FRAMES; i++) CHECK_STATUS((rs_status_t)s.results[i].status, WANT[i]);
        CHECK_NEAR(s.values[2 * N + 5], (5 * 5) % 101 / 101.0 - 0.5, 1e-4);
        CHECK(is_zero((const uint8_t *)(s.values + N), s.results[1].count * 2 * sizeof(double)));
        CHECK(s.values[3 * N] == 7);
    }
}

typedef struct dry_rng {
    rs_rng_t inner;
    unsigned left;
} dry_rng_t;

static rs_status_t dry_fill(void *state, uint8_t *out, size_t bytes) {
    dry_rng_t *dry = state;
    if (!dry->left) return RS_ERR_RNG;
    dry->left--;
    return dry->inner.fill(dry->inner.state, out, bytes);
}

RS_TEST(seeds_run_out_before_anything_is_computed) {
    for (kind_t kind = SEEDED; kind <= PUBLIC; kind++) {
        const unsigned needed = kind == PUBLIC ? FRAMES : 2 * FRAMES;
        SETTING(s);
        for (unsigned left = 0; left <= needed; left++) {
            dry_rng_t dry = {s.f.rng, left};
            const rs_rng_t before = s.f.rng;
            s.f.rng = (rs_rng_t){dry_fill, &dry};
            memset(s.data, 0, FRAMES * 2 * DATA_LIMBS * N * sizeof *s.data);
            CHECK_STATUS(encrypt_batch(&s, kind, &s.pools[2]), left < needed ? RS_ERR_RNG : RS_OK);
            CHECK_EQ_U64(dry.left, 0);
            CHECK_STATUS((rs_status_t)s.frames[FRAMES - 1].status, left < needed ? RS_ERR_RNG : RS_OK);
            const size_t bytes = FRAMES * 2 * DATA_LIMBS * N * sizeof *s.data;
            CHECK(is_zero((const uint8_t *)s.data, bytes) == (left < needed));
            s.f.rng = before;
        }
    }
}

static void do_nothing(void *state, rs_task_t task, void *argument, size_t count) {
    (void)state, (void)task, (void)argument, (void)count;
}

static void last_first(void *state, rs_task_t task, void *argument, size_t count) {
    CHECK_EQ_U64(count, *(const size_t *)state);
    while (count--) task(argument, count);
}

RS_TEST(pools_of_the_caller) {
    size_t calls = 5;
    rs_pool_t pool = {last_first, &calls, 5};
    SETTING(s);
    fixture_seed(&s.f, 9);
    encrypt_one_by_one(&s, PUBLIC);
    const digests_t want = take_digests(&s);
    fixture_seed(&s.f, 9);
    CHECK_OK(encrypt_batch(&s, PUBLIC, &pool));
    const digests_t got = take_digests(&s);
    CHECK_EQ_MEM(&got, &want, sizeof got);
    s.count = calls = 3; // more threads than frames
    CHECK_OK(encrypt_batch(&s, PUBLIC, &pool));
    CHECK_OK(decrypt_batch(&s, &pool));
    pool.run = do_nothing;
    CHECK_STATUS(encrypt_batch(&s, PUBLIC, &pool), RS_ERR_THREADS);
    CHECK_EQ_U64(failed_of(&s), 0);
    CHECK_STATUS(decrypt_batch(&s, &pool), RS_ERR_THREADS);
}

// An error of no single frame stands in all of them.
#define REFUSED(change, of_pool, error)                                        \
    do {                                                                       \
        rs_encrypt_request_t q = good;                                         \
        change;                                                                \
        CHECK_STATUS(rs_encrypt_batch(&q, of_pool), error);                    \
        for (unsigned i = 0; i < FRAMES; i++) {                                \
            if (q.items) CHECK_STATUS((rs_status_t)s.frames[i].status, error); \
            s.frames[i].status = RS_ERR_IO;                                    \
        }                                                                      \
    } while (0)
#define NOT_DECRYPTED(change, of_pool, error)                                        \
    do {                                                                             \
        rs_decrypt_request_t q = opened;                                             \
        change;                                                                      \
        CHECK_STATUS(rs_decrypt_batch(&q, of_pool), error);                          \
        if (q.items) CHECK_STATUS((rs_status_t)s.results[FRAMES - 1].status, error); \
    } while (0)

RS_TEST(bad_arguments) {
    SETTING(s);
    const rs_pool_t *pool = &s.pools[2];
    rs_pool_t idle = *pool;
    const rs_pool_t broken = {.threads = 2};
    idle.threads = 0;
    rs_secret_key_t other = s.f.secret;
    other.parms_id[0] ^= 1;
    rs_secret_key_t newer = s.f.secret;
    newer.reserved[1] = 1;
    rs_encrypt_request_t good = encryption(&s, SEEDED), public = encryption(&s, PUBLIC);
    rs_decrypt_request_t opened = decryption(&s);
    public.workspace = zeroed(rs_encrypt_batch_workspace(&public, pool));
    good.workspace = opened.workspace = public.workspace;
    const size_t secret = rs_encrypt_batch_workspace(&good, pool), decrypt = rs_decrypt_batch_workspace(&opened, pool);
    CHECK(decrypt <= public.workspace.n && secret < public.workspace.n);
    good.count = 1;
    CHECK(rs_encrypt_batch_workspace(&good, pool) < secret);
    good.count = FRAMES;

    REFUSED(q.context = NULL, pool, RS_ERR_NULL);
    REFUSED(q.secret_key = NULL, pool, RS_ERR_NULL);
    REFUSED(q.items = NULL, pool, RS_ERR_NULL);
    REFUSED(q.rng = NULL, pool, RS_ERR_NULL);
    REFUSED(q.workspace.p = NULL, pool, RS_ERR_NULL);
    REFUSED(q.workspace.n = secret - 1, pool, RS_ERR_TOO_SMALL);
    REFUSED(q.workspace.p = (uint8_t *)q.workspace.p + 4, pool, RS_ERR_ALIGNMENT);
    REFUSED((q.kind = RS_ENCRYPT_PK, q.seeded = q.seed_type = 0), pool, RS_ERR_OPTION); // with a secret key
    REFUSED(q.public_key = &s.f.public_key, pool, RS_ERR_OPTION);
    REFUSED(q.seeded = 2, pool, RS_ERR_OPTION);
    REFUSED(q.kind = 3, pool, RS_ERR_OPTION);
    REFUSED(q.seed_type = 3, pool, RS_ERR_SEED_TYPE);
    REFUSED(q.secret_key = &other, pool, RS_ERR_MISMATCH);
    REFUSED(q.secret_key = &newer, pool, RS_ERR_STRUCT);
    REFUSED((void)0, &idle, RS_ERR_THREADS);
    REFUSED((void)0, &broken, RS_ERR_NULL);
    good = public;
    REFUSED(q.public_key = NULL, pool, RS_ERR_NULL);
    REFUSED(q.seeded = 1, pool, RS_ERR_OPTION);
    REFUSED(q.workspace.n--, pool, RS_ERR_TOO_SMALL);
    good.size--;
    CHECK_STATUS(rs_encrypt_batch(&good, pool), RS_ERR_STRUCT);
    CHECK_STATUS(rs_encrypt_batch(NULL, pool), RS_ERR_NULL);

    const rs_publish_t noisy = {.bits = 8, .flood_bits = 20}, absurd = {.bits = 1000, .flood_bits = RS_FLOOD_NONE};
    NOT_DECRYPTED(q.secret_key = NULL, pool, RS_ERR_NULL);
    NOT_DECRYPTED(q.secret_key = &other, pool, RS_ERR_MISMATCH);
    NOT_DECRYPTED(q.items = NULL, pool, RS_ERR_NULL);
    NOT_DECRYPTED(q.workspace.n = decrypt - 1, pool, RS_ERR_TOO_SMALL);
    NOT_DECRYPTED(q.publish = &absurd, pool, RS_ERR_PUBLISH);
    NOT_DECRYPTED(q.publish = &noisy, pool, RS_ERR_NULL); // without rng
    NOT_DECRYPTED(q.margin_bits = 1, pool, RS_ERR_OPTION);
    NOT_DECRYPTED((void)0, &broken, RS_ERR_NULL);

    rs_encrypt_request_t nothing = encryption(&s, SEEDED);
    nothing.items = NULL;
    nothing.count = 0;
    CHECK_OK(rs_encrypt_batch(&nothing, pool));
    CHECK_OK(rs_encrypt_batch(&nothing, NULL));
    CHECK_OK(rs_encrypt(&nothing));
    opened.items = NULL;
    opened.count = 0;
    CHECK_OK(rs_decrypt_batch(&opened, pool));
    CHECK_OK(rs_decrypt(&opened));
}

// Every item's option, whoever computes it.
RS_TEST(items_that_contradict_themselves) {
    SETTING(s);
    encrypt_one_by_one(&s, WRITTEN);
    rs_plaintext_t plaintext = {.message = doubles(N)}, opened = {.ntt = words(DATA_LIMBS * N)}, closed = {0};
    CHECK_OK(encode_values(s.f.context, &plaintext, s.values, 5, 0, SCALE, 2));
    for (unsigned i = 0; i < FRAMES; i++)
        s.frames[i] = (rs_encrypt_item_t){.plaintext = &plaintext, .ciphertext = &s.ciphertexts[i]};
    s.frames[1].values = s.values;
    s.frames[2].scale = SCALE;
    s.frames[3].limb_count = 1;
    s.frames[4].reserved[2] = 1;
    s.frames[5].ciphertext = NULL;
    const rs_status_t want[FRAMES] = {RS_OK, RS_ERR_OPTION, RS_ERR_OPTION, RS_ERR_OPTION, RS_ERR_STRUCT, RS_ERR_NULL, RS_OK};
    for (unsigned p = 0; p < POOLS; p++) {
        CHECK_STATUS(encrypt_batch(&s, WRITTEN, pool_of(&s, p)), RS_ERR_OPTION);
        for (unsigned i = 0; i < FRAMES; i++) CHECK_STATUS((rs_status_t)s.frames[i].status, want[i]);
    }
    // to a plaintext and to values at once: the plaintext is not used up
    s.count = 2;
    s.results[0] = (rs_decrypt_item_t){.ciphertext = &s.ciphertexts[0], .plaintext = &opened, .values = s.values + N, .count = 5};
    s.results[1] = (rs_decrypt_item_t){.ciphertext = &s.ciphertexts[0], .plaintext = &closed};
    CHECK_STATUS(decrypt_batch(&s, &s.pools[2]), RS_ERR_NULL);
    CHECK_OK((rs_status_t)s.results[0].status);
    double *again = doubles(5);
    CHECK_OK(decode_values(s.f.context, &opened, again, 5, 0, s.f.workspace, s.f.workspace_bytes));
    CHECK_EQ_MEM(again, s.values + N, 5 * sizeof *again);
}

// Noise of published values comes from seeds that are drawn before, one for each frame with values.
RS_TEST(published_values_whatever_the_pool) {
    SETTING(s);
    encrypt_one_by_one(&s, WRITTEN);
    const rs_publish_t publish = {.bits = 40, .flood_bits = 12};
    double *want = doubles(FRAMES * N), *got = doubles(FRAMES * N);
    rs_plaintext_t opened = {.ntt = words(DATA_LIMBS * N)};
    s.results[2].values = NULL;
    s.results[2].layout = NULL;
    s.results[2].count = 0;
    s.results[2].plaintext = &opened;
    for (unsigned p = 0; p <= POOLS; p++) {
        double *to = p ? got : want;
        for (unsigned i = 0; i < FRAMES; i++)
            if (i != 2) s.results[i].values = to + i * N;
        fixture_seed(&s.f, 3);
        rs_decrypt_request_t request = decryption(&s);
        request.publish = &publish;
        request.rng = &s.f.rng;
        request.workspace = zeroed(p ? rs_decrypt_batch_workspace(&request, pool_of(&s, p - 1)) : rs_decrypt_workspace(&request));
        CHECK_OK(p ? rs_decrypt_batch(&request, pool_of(&s, p - 1)) : rs_decrypt(&request));
        CHECK(is_zero(request.workspace.p, request.workspace.n));
        CHECK_EQ_MEM(to, want, FRAMES * N * sizeof *want);
        memset(got, 0, FRAMES * N * sizeof *got);
    }
    CHECK(want[0] != 0 && want[3 * N] != want[0]);
}

// Two threads, one pool, each with its own batch.
static void *encrypt_often(void *argument) {
    setting_t *s = argument;
    fixture_seed(&s->f, 9);
    encrypt_one_by_one(s, PUBLIC);
    const digests_t want = take_digests(s);
    for (unsigned repeat = 0; repeat < 5; repeat++) {
        fixture_seed(&s->f, 9);
        CHECK_OK(encrypt_batch(s, PUBLIC, &s->pools[0]));
        const digests_t got = take_digests(s);
        CHECK_EQ_MEM(&got, &want, sizeof got);
    }
    return NULL;
}

RS_TEST(two_batches_on_one_pool) {
    static setting_t s[2];
    pthread_t threads[2];
    rs_pool_t pool;
    REQUIRE_OK(rs_pool_create(&pool, 3));
    for (unsigned t = 0; t < 2; t++) {
        setting_init(&s[t]);
        s[t].pools[0] = pool;
        REQUIRE(pthread_create(&threads[t], NULL, encrypt_often, &s[t]) == 0);
    }
    for (unsigned t = 0; t < 2; t++) {
        pthread_join(threads[t], NULL);
        setting_free(&s[t]);
    }
    rs_pool_destroy(&pool);
}
