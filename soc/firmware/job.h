// SPDX-License-Identifier: Apache-2.0
// What the host hands to the firmware and gets back: one struct at a fixed place in memory. py/ringside/soc/job.py is its counterpart.
//
// It is read twice. QEMU runs the firmware with phase 0, which prepares what a device has long before it encrypts: parameters, context,
// and, if the host wants that, the core's tables and keys in memory. The memory that this leaves is what the simulated SoC starts with, and
// phase 1 is what is measured.
#ifndef RINGSIDE_SOC_JOB_H
#define RINGSIDE_SOC_JOB_H

#include <ringside/device_ckks.h>
#include <ringside/fixed.h>

#define JOB_ADDRESS 0x80200000ul
#define JOB_MAGIC 0x34626f6a636f7372ull // "rsocjob4"

enum { FRAMES_MAX = 4096 };
enum { PHASE_PREPARE = 0, PHASE_RUN = 1, PHASE_DONE = 2 };
enum { OP_ENCRYPT_SK = RS_ENCRYPT_SK, OP_ENCRYPT_PK = RS_ENCRYPT_PK, OP_ENCRYPT_PK_DIRECT = RS_ENCRYPT_PK_DIRECT, OP_DECRYPT };

// Where the time of a call goes. The software does everything in SOFTWARE; the other stages are the driver's.
typedef enum stage {
    STAGE_ENCODE,
    STAGE_SOFTWARE,
    STAGE_PROGRAM, // checks, and the program made and loaded where it is not there: of frames that share one, and of another level
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

// What a message is, and a decrypted one becomes. FORM_NUMBERS: slots that the core itself encodes or decodes, as job->numbers says.
enum { FORM_REAL, FORM_COMPLEX, FORM_COEFFICIENTS, FORM_RESIDUES, FORM_NUMBERS };

typedef struct frame {
    uint64_t form;
    uint64_t
        values; // address of value_count doubles or pairs of them, of N doubles, of limbs N words, of numbers; results are pairs, words or numbers
    uint64_t value_count;
    double scale;
    uint64_t limbs; // limbs of the plaintext
    uint64_t plaintext; // N doubles of an encryption that encodes, limbs N words of a decryption that decodes
    uint64_t kept; // address of limbs N words: a copy of the decrypted residues; 0: none is wanted
    uint64_t ciphertext; // address of the words
    uint64_t ciphertext_limbs;
    uint64_t polys;
    uint64_t seeded;
    uint64_t seed_type;
    rs_seed_t seed; // seed of a seeded ciphertext: the result of an encryption, given to a decryption
    rs_seed_t entropy[2]; // what the random generator returns
} frame_t;

typedef struct job {
    uint64_t magic;
    uint64_t bytes; // bytes of this struct
    uint64_t phase;
    uint64_t op;
    uint64_t device; // 0: software, 1: the core
    uint64_t opened; // 1: the core's tables and keys are made in phase 0, from `design`
    uint64_t in_core; // 1: the core encodes and decodes; frames have FORM_NUMBERS
    uint64_t overlap; // 1: a frame is encoded while the core encrypts the one before; in_core: frames of a program, at most
    uint64_t singles; // in_core: so many frames come before those, one by one
    uint64_t wait_cycles; // that firmware waits for an interrupt at a time, at most 2^22; then it looks at STATUS
    uint64_t time_limit; // limit of a program in cycles; 0: the core's watchdog
    rs_design_t design;
    rs_fixed_layout_t numbers; // layout of FORM_NUMBERS, for every frame
    uint64_t log_n;
    uint64_t limb_count; // special prime included
    uint64_t moduli[RS_LIMBS_MAX];
    // addresses
    uint64_t public_key; // 2 limb_count N words
    uint64_t secret_key; // limb_count N words
    uint64_t frames; // descriptions of frame_count frames: the last one is measured
    uint64_t frame_count;
    uint64_t arena;
    uint64_t arena_bytes;
    uint64_t shared; // with the core
    uint64_t shared_bytes;
    uint64_t end; // the end of memory
    // kept from phase 0 to phase 1
    uint64_t context;
    uint64_t device_state;
    uint64_t used; // bytes of the arena
    uint64_t prepared; // bytes of these that phase 0 has taken: no secrets
    // results
    uint64_t status; // rs_status_t of what failed first
    uint64_t step; // and where, firmware.c
    uint64_t done; // frames
    uint64_t current; // frame that was worked on last: done, or the one after it where they overlap
    count_t setup; // opening the core, loading context and keys, the program of the first frame
    count_t stages[STAGE_COUNT]; // stages of the last frame, unless they overlap; in_core: of the last call
    uint64_t single_cycles; // in_core: of the last of the singles
    uint64_t program_frames; // in_core: of the last program
    uint64_t first_cycles; // from the start to the end of the first frame
    uint64_t before_last_cycles; // to the end of the frame before the last
    uint64_t all_cycles; // to the end of the last one
    uint64_t unit_cycles[RS_UNIT_COUNT];
    uint64_t core_cycles; // cycles of the last frame
    uint64_t program_words;
    uint64_t accesses; // to registers
} job_t;

#endif
