// SPDX-License-Identifier: Apache-2.0
// What the host hands to the firmware and gets back: one struct at a fixed place in memory. py/ringside/soc/job.py is its counterpart.
//
// It is read twice. QEMU runs the firmware with phase 0, which prepares what a device has long before it encrypts: parameters,
// context, keys. The memory that this leaves is what the simulated SoC starts with, and phase 1 is what is measured.
#ifndef RINGSIDE_SOC_JOB_H
#define RINGSIDE_SOC_JOB_H

#include <ringside/device.h>

#define JOB_ADDRESS 0x80200000ul
#define JOB_MAGIC 0x31626f6a636f7372ull // "rsocjob1"

enum { PHASE_PREPARE = 0, PHASE_RUN = 1, PHASE_DONE = 2 };
enum { OP_ENCRYPT_SK = RS_ENCRYPT_SK, OP_ENCRYPT_PK = RS_ENCRYPT_PK, OP_ENCRYPT_PK_DIRECT = RS_ENCRYPT_PK_DIRECT, OP_DECRYPT };

// Where the time of a call goes. The software does everything in SOFTWARE; the other stages are the driver's.
typedef enum stage {
    STAGE_ENCODE,
    STAGE_SOFTWARE,
    STAGE_PROGRAM, // checks, and the program made and loaded where it is not there
    STAGE_SEED, // fresh seeds
    STAGE_IN, // message or ciphertext to the core's memory; in designs without sampler also the sampling
    STAGE_REGISTERS, // before and after the core runs
    STAGE_CORE, // as the core counts
    STAGE_INTERRUPT, // what doorbell to caller takes longer than the core
    STAGE_WIPE,
    STAGE_OUT, // ciphertext or plaintext from the core's memory
    STAGE_DECODE,
    STAGE_COUNT
} stage_t;

typedef struct count {
    uint64_t cycles;
    uint64_t instructions; // without those that wait for the core
} count_t;

typedef struct job {
    uint64_t magic;
    uint64_t bytes; // of this struct
    uint64_t phase;
    uint64_t op;
    uint64_t device; // 0: software, 1: the core
    uint64_t calls; // the last one is measured
    uint64_t log_n;
    uint64_t limb_count; // special prime included
    uint64_t limbs; // of the ciphertext
    uint64_t value_count;
    double scale;
    uint64_t moduli[RS_LIMBS_MAX];
    rs_seed_t entropy[2]; // what the random generator returns in each call
    // addresses
    uint64_t values; // value_count doubles
    uint64_t public_key; // 2 limb_count N words
    uint64_t secret_key; // limb_count N words
    uint64_t ciphertext; // of an encryption the result, of a decryption given: 2 limbs N words
    uint64_t plaintext; // result of a decryption, limbs N words; coefficients of a message before an encryption
    uint64_t decoded; // N / 2 doubles
    uint64_t arena;
    uint64_t arena_bytes;
    uint64_t shared; // with the core
    uint64_t shared_bytes;
    // kept from phase 0 to phase 1
    const rs_context_t *context;
    uint64_t used; // bytes of the arena
    // results
    uint64_t status; // rs_status_t of what failed first
    uint64_t step; // and where, firmware.c
    rs_seed_t seed; // of a seeded ciphertext
    count_t setup; // opening the core, loading context and keys
    count_t stages[STAGE_COUNT];
    uint64_t unit_cycles[RS_UNIT_COUNT];
    uint64_t program_words;
    uint64_t accesses; // to registers
} job_t;

#endif
