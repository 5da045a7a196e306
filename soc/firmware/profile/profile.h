// SPDX-License-Identifier: Apache-2.0
// What kernels take in calls of schemes by software, or with some of them on the core: the array `kernels` of a job.
// py/ringside/cycles/profile.py is the counterpart.
#ifndef RINGSIDE_SOC_PROFILE_H
#define RINGSIDE_SOC_PROFILE_H

#include "job.h"

// In the order of py/ringside/cycles/profile.py.
enum {
    KERNEL_REST,
    KERNEL_TRANSFORM,
    KERNEL_PRODUCT,
    KERNEL_KECCAK,
    KERNEL_CHACHA20,
    KERNEL_SAMPLER,
    KERNEL_GAUSSIAN,
    KERNEL_CODING,
    KERNEL_COUNT
};
typedef struct kernel_count {
    uint64_t calls;
    count_t work; // without kernels that it calls
    uint64_t core_cycles; // cycles of its programs on the core: from a start to its interrupt, as the core counts
} kernel_count_t;

// A program of the core, as it ran last; the host can run it again on a core alone. Draws of another number of polynomials are other programs.
enum { PROGRAM_WORDS = 24, PROGRAM_POINTERS = 4, PROGRAM_DRAWS = 8 };
enum {
    PROGRAM_FORWARD,
    PROGRAM_INVERSE,
    PROGRAM_COMMIT,
    PROGRAM_SHAKE,
    PROGRAM_HASH,
    PROGRAM_DRAW,
    PROGRAM_COUNT = PROGRAM_DRAW + PROGRAM_DRAWS
};
typedef struct program {
    uint64_t runs; // that are counted
    uint64_t kernel;
    uint64_t log_n;
    uint64_t length;
    uint64_t pointers[PROGRAM_POINTERS];
    uint64_t words[PROGRAM_WORDS];
} program_t;

// What the calls behind the job's singles take.
typedef struct profile {
    count_t total;
    kernel_count_t kernels[KERNEL_COUNT];
    program_t programs[PROGRAM_COUNT];
    uint64_t core_runs; // programs
} profile_t;

#endif
