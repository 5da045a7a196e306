// SPDX-License-Identifier: Apache-2.0
// What the programs that measure time share: memory that is there, calls that succeed, or the end of the program; the best of many runs.
#ifndef RS_TIME_COMMON_H
#define RS_TIME_COMMON_H

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "requests.h"

static inline void *allocate(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!p) exit(1);
    memset(p, 0, bytes);
    return p;
}

static inline void require(rs_status_t status) {
    if (status == RS_OK) return;
    fprintf(stderr, "%s\n", rs_status_message(status));
    exit(1);
}

// The context of a named set, in memory of its own that is to be freed.
static inline rs_context_t *context_of(rs_params_t *params, const char *set) {
    require(rs_params_init(params, RS_REQUEST(rs_params_request_t, .name = set, .security = RS_SECURITY_UNCHECKED)));
    const size_t bytes = rs_context_size(params);
    void *memory = allocate(bytes);
    const rs_context_t *context;
    require(context_in(&context, memory, bytes, params));
    return memory;
}

// Microseconds of a clock.
static inline double time_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline double now(void) {
    return time_of(CLOCK_MONOTONIC);
}

static inline void keep_best(double *best, double taken) {
    if (taken < *best) *best = taken;
}

// For each back end that this machine has: for (unsigned k = 0; (name = next_back_end(&k));)
static inline const char *next_back_end(unsigned *k) {
    static const char *const NAMES[] = {"portable", "avx2", "avx512"};
    while (*k < sizeof NAMES / sizeof *NAMES) {
        const char *name = NAMES[(*k)++];
        if (rs_backend_select(name) == RS_OK) return name;
    }
    return NULL;
}

#endif
