// SPDX-License-Identifier: Apache-2.0
// Pools of threads, which compute batches (batch.h): the library's own, or any other that can call a function `count` times.
// Not part of the freestanding core.
#ifndef RINGSIDE_POOL_H
#define RINGSIDE_POOL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*rs_task_t)(void *argument, size_t index);

typedef struct rs_pool {
    // Calls task(argument, index) once for each index < count, in any order and from any threads, with or without this one. Returns
    // when all calls have returned; their writes are visible then.
    void (*run)(void *state, rs_task_t task, void *argument, size_t count);
    void *state;
    uint32_t threads; // that work on one run, at least 1: a batch makes at most this many calls, each with its own memory
} rs_pool_t;

enum { RS_POOL_THREADS_MAX = 256 };

// Threads that run at the same time on the processors this process may use (sched_getaffinity), from 1 to RS_POOL_THREADS_MAX.
RS_API uint32_t rs_pool_threads(void);

// The library's pool (POSIX threads). A run is computed by the thread that calls it and threads - 1 of the pool's, which sleep while
// there is nothing to do and let the process's other threads handle its signals. threads 0: rs_pool_threads().
// Several threads can use a pool at the same time, and so can tasks: every caller computes its own run, helped by those who are free.
// RS_ERR_THREADS: more than RS_POOL_THREADS_MAX, or the system refuses to start them; RS_ERR_NO_MEMORY. *pool is all zero then.
RS_API RS_MUST_CHECK rs_status_t rs_pool_create(rs_pool_t *pool, uint32_t threads);
// Ends the threads. No run may be in progress. A pool that is all zero is left alone; afterwards every pool is all zero.
// Threads do not follow a process into a child that it forks: there a run is computed by the calling thread alone, and this frees the memory.
RS_API void rs_pool_destroy(rs_pool_t *pool);

#ifdef __cplusplus
}
#endif

#endif
