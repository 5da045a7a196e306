// SPDX-License-Identifier: Apache-2.0
// Operations of schemes by software, or with kernels on the core, and what their kernels take. py/ringside/cycles/profile.py is the counterpart: it writes the
// struct to JOB_ADDRESS of an image, and reads it after the simulation.
#ifndef RINGSIDE_SOC_PROFILE_H
#define RINGSIDE_SOC_PROFILE_H

#include "job.h"

#define PROFILE_MAGIC 0x31666f72706f7372ull // "rsoprof1"

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
enum { SCHEME_MLKEM, SCHEME_MLDSA, SCHEME_NEWHOPE, SCHEME_BLISS, SCHEME_COUNT };
// ML-KEM: key generation, encapsulation, decapsulation; ML-DSA: key generation, signature, verification; NewHope: both halves of the
// server, client; BLISS: signature, verification.
enum { STEP_FIRST, STEP_SECOND, STEP_THIRD, STEP_COUNT_OF_SCHEME };

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

typedef struct profile {
    uint64_t magic;
    uint64_t bytes; // bytes of this struct
    uint64_t phase; // as job_t's
    uint64_t scheme;
    uint64_t set; // parameter set of ML-KEM and ML-DSA
    uint64_t operation;
    uint64_t runs; // each with its own seeds
    uint64_t offload; // kernels that the core does, bit KERNEL_…: of KERNEL_TRANSFORM, KERNEL_KECCAK
    rs_seed_t seed; // run i's seeds are SHAKE256(seed || LE64(i))
    // results
    uint64_t status;
    uint64_t done; // runs
    count_t total; // counts of all runs, of the operation alone
    kernel_count_t kernels[KERNEL_COUNT];
    program_t programs[PROGRAM_COUNT];
    uint64_t core_runs; // programs
    uint8_t digest[32]; // SHA3-256 of the outputs of all runs
} profile_t;

#endif
