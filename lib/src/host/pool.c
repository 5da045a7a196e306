// SPDX-License-Identifier: Apache-2.0
// The library's pool. Everything in it is guarded by one mutex; tasks take at least tens of microseconds, so it is rarely contended.
#define _GNU_SOURCE // sched_getaffinity
#include <ringside/pool.h>

#include <stdlib.h>
#ifndef _WIN32
#include <signal.h>
#endif

#include "host/threads.h"

// A run in progress. It lives on the stack of the thread that called it.
typedef struct run {
    rs_task_t task;
    void *argument;
    size_t count;
    size_t next; // first index that nobody has taken
    size_t running; // indices taken by others whose calls have not returned
    struct run *after;
} run_t;

typedef struct pool {
    mutex_t mutex;
    condition_t work; // runs has become longer, or ending is set
    condition_t done; // some run's last call of others has returned
    run_t *runs; // those with indices left, oldest first
    int ending;
    int owner; // the process whose threads the helpers are: a forked child has none of them, and maybe a locked mutex
    uint32_t helpers;
    thread_t threads[];
} pool_t;

// Takes the next index of a run, which has one. With the last one the run leaves the list.
static size_t take(pool_t *pool, run_t *run) {
    const size_t index = run->next++;
    if (run->next == run->count) {
        run_t **link = &pool->runs;
        while (*link != run) link = &(*link)->after;
        *link = run->after;
    }
    return index;
}

static THREAD_RESULT help(void *argument) {
    pool_t *pool = argument;
    mutex_lock(&pool->mutex);
    while (1) {
        run_t *run = pool->runs;
        if (run) {
            const size_t index = take(pool, run);
            run->running++;
            mutex_unlock(&pool->mutex);
            run->task(run->argument, index);
            mutex_lock(&pool->mutex);
            if (--run->running == 0) condition_broadcast(&pool->done);
        } else if (pool->ending) {
            break;
        } else {
            condition_wait(&pool->work, &pool->mutex);
        }
    }
    mutex_unlock(&pool->mutex);
    return 0;
}

// Whether this process is a child forked after the pool was made. Then only the memory of the pool is there.
static int is_forked(const pool_t *pool) { return pool->owner != process_number(); }

static void pool_run(void *state, rs_task_t task, void *argument, size_t count) {
    if (!count) return;
    pool_t *pool = state;
    if (is_forked(pool)) {
        for (size_t i = 0; i < count; i++) task(argument, i);
        return;
    }
    run_t run = {.task = task, .argument = argument, .count = count};
    mutex_lock(&pool->mutex);
    run_t **link = &pool->runs;
    while (*link) link = &(*link)->after;
    *link = &run;
    condition_broadcast(&pool->work);
    while (run.next < count) {
        const size_t index = take(pool, &run);
        mutex_unlock(&pool->mutex);
        task(argument, index);
        mutex_lock(&pool->mutex);
    }
    while (run.running) condition_wait(&pool->done, &pool->mutex);
    mutex_unlock(&pool->mutex);
}

uint32_t rs_pool_threads(void) {
    const uint32_t count = usable_processors();
    if (!count) return 1;
    return count < RS_POOL_THREADS_MAX ? count : RS_POOL_THREADS_MAX;
}

// Ends the helpers that there are and frees the pool.
static void end(pool_t *pool) {
    if (is_forked(pool)) {
        free(pool);
        return;
    }
    mutex_lock(&pool->mutex);
    pool->ending = 1;
    condition_broadcast(&pool->work);
    mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->helpers; i++) thread_join(pool->threads[i]);
    condition_destroy(&pool->done);
    condition_destroy(&pool->work);
    mutex_destroy(&pool->mutex);
    free(pool);
}

static void start_some(pool_t *pool, uint32_t helpers) {
    while (pool->helpers < helpers && thread_start(&pool->threads[pool->helpers], help, pool)) pool->helpers++;
}

// Signals stay with the threads that the application made itself: new threads inherit the mask.
static int start_helpers(pool_t *pool, uint32_t helpers) {
#ifdef _WIN32
    start_some(pool, helpers);
#else
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    start_some(pool, helpers);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
    return pool->helpers == helpers;
}

rs_status_t rs_pool_create(rs_pool_t *out, uint32_t threads) {
    if (!out) return RS_ERR_NULL;
    *out = (rs_pool_t){0};
    if (threads == 0) threads = rs_pool_threads();
    if (threads > RS_POOL_THREADS_MAX) return RS_ERR_THREADS;
    pool_t *pool = calloc(1, sizeof *pool + (threads - 1) * sizeof *pool->threads);
    if (!pool) return RS_ERR_NO_MEMORY;
    pool->owner = process_number();
    mutex_init(&pool->mutex);
    condition_init(&pool->work);
    condition_init(&pool->done);
    if (!start_helpers(pool, threads - 1)) {
        end(pool);
        return RS_ERR_THREADS;
    }
    *out = (rs_pool_t){pool_run, pool, threads};
    return RS_OK;
}

void rs_pool_destroy(rs_pool_t *pool) {
    if (!pool || !pool->state) return;
    end(pool->state);
    *pool = (rs_pool_t){0};
}
