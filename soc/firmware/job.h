// SPDX-License-Identifier: Apache-2.0
// What the host hands to the firmware and gets back: one struct at a fixed place in memory, frames behind it, and arrays that both name.
// py/ringside/soc/job.py is its counterpart.
//
// It is read twice. QEMU runs the firmware with phase 0, which prepares what a device has long before it is asked: parameters, context or
// tables, and, if the host wants that, the core's tables and keys in memory. The memory that this leaves is what the simulated SoC starts
// with, and phase 1 is what is measured.
#ifndef RINGSIDE_SOC_JOB_H
#define RINGSIDE_SOC_JOB_H

#include <ringside/device_ckks.h>
#include <ringside/fixed.h>

#define JOB_ADDRESS 0x80200000ul
#define JOB ((job_t *)JOB_ADDRESS)
#define IN_QEMU (JOB->phase == PHASE_PREPARE) // on the SoC it is another one
#define JOB_MAGIC 0x37626f6a636f7372ull // "rsocjob7"

enum { FRAMES_MAX = 4096 };
enum { PHASE_PREPARE = 0, PHASE_RUN = 1, PHASE_DONE = 2 };
// CKKS has the library's numbers. Calls of schemes, with inputs and outputs in their order:
enum {
    OP_ENCRYPT_SK = RS_ENCRYPT_SK,
    OP_ENCRYPT_PK = RS_ENCRYPT_PK,
    OP_ENCRYPT_PK_DIRECT = RS_ENCRYPT_PK_DIRECT,
    OP_DECRYPT,
    OP_MLKEM_KEYGEN, // d || z; ek, dk
    OP_MLKEM_ENCAPS, // ek, m; ct, shared
    OP_MLKEM_DECAPS, // dk, ct; shared
    OP_MLDSA_KEYGEN, // xi; pk, sk
    OP_MLDSA_SIGN, // sk, message, rnd; signature
    OP_MLDSA_VERIFY, // pk, message, signature
    OP_NEWHOPE_BEGIN, // seeds of a and of noise; message, secret
    OP_NEWHOPE_CLIENT, // the server's message, seed of noise; message, shared
    OP_NEWHOPE_FINISH, // the client's message, secret; shared
    OP_NEWHOPE_SERVER, // both halves by software: as BEGIN, the client's message; message, secret, shared
    OP_BLISS_SIGN, // sk, message, seed; signature
    OP_BLISS_VERIFY, // pk, message, signature
    OP_KEY_ROW, // rows of switching keys, as frames
    OP_COUNT
};

// Where the time of a call goes. The software does everything in SOFTWARE; the other stages are the driver's.
typedef enum stage {
    STAGE_ENCODE,
    STAGE_SOFTWARE,
    STAGE_PROGRAM, // the program made and loaded where it is not there, or some words of it; of frames checks, too, and integers are encoded
    STAGE_SEED, // fresh seeds
    STAGE_IN, // what the core reads to its memory; of schemes checks, too; in designs without sampler also the sampling
    STAGE_REGISTERS, // before and after the core runs
    STAGE_CORE, // as the core counts
    STAGE_WAIT, // what doorbell to caller takes longer than the core
    STAGE_BETWEEN, // the processor's work between two programs
    STAGE_WIPE, // memory; of schemes the core
    STAGE_OUT, // results from the core's memory; of schemes memory wiped, too
    STAGE_DECODE,
    STAGE_COUNT
} stage_t;

typedef struct count {
    uint64_t cycles;
    uint64_t instructions; // without those that wait for the core
} count_t;

typedef struct array {
    uint64_t address; // a multiple of 8
    uint64_t bytes;
    uint64_t secret; // 1: wiped if the job fails
} array_t;

// What a message is, and a decrypted one becomes. FORM_NUMBERS: slots that the core itself encodes or decodes, as job->numbers says. FORM_INTEGERS: of BFV
// and BGV, which have no other. FORM_ROW: there is none.
enum { FORM_REAL, FORM_COMPLEX, FORM_COEFFICIENTS, FORM_RESIDUES, FORM_NUMBERS, FORM_INTEGERS, FORM_ROW };

enum { INPUTS = 3, OUTPUTS = 3, FRAME_ARRAYS = INPUTS + 1 + OUTPUTS };

// A frame that is encrypted or decrypted, or a call of a scheme.
typedef struct frame {
    uint64_t form; // likewise a text's that is signed: rs_mldsa_form_t
    uint64_t hash; // a text's: rs_mldsa_prehash_t
    uint64_t value_count;
    double scale;
    uint64_t limbs; // limbs of the plaintext
    uint64_t ciphertext_limbs;
    uint64_t polys;
    uint64_t seeded;
    uint64_t seed_type;
    uint64_t answer; // result: rs_status_t of a call
    uint64_t is_unsigned; // FORM_INTEGERS, and here below
    uint64_t packing;
    uint64_t ntt; // form of a ciphertext of BFV
    uint64_t correction_factor; // a decryption's
    uint64_t element; // FORM_ROW, and index: of rs_keygen_request_t; the row is in `ciphertext`
    uint64_t index;
    union {
        array_t arrays[FRAME_ARRAYS];
        struct {
            array_t values; // value_count doubles or pairs, N doubles, limbs N words, numbers; results are pairs, words or numbers
            array_t plaintext; // N doubles of an encryption that encodes, limbs N words of a decryption that decodes
            array_t kept; // limbs N words: a copy of the decrypted residues; no bytes: none is wanted
            array_t ciphertext;
        };
        struct {
            array_t in[INPUTS];
            array_t context; // a text's
            array_t out[OUTPUTS];
        };
    };
    rs_seed_t seed; // seed of a seeded ciphertext: the result of an encryption, given to a decryption
    rs_seed_t entropy[2]; // what the random generator returns
} frame_t;

enum { JOB_ARRAYS = 5 };

typedef struct job {
    uint64_t magic;
    uint64_t bytes; // bytes of this struct
    uint64_t phase;
    uint64_t op;
    uint64_t device; // 0: software, 1: the core
    uint64_t opened; // 1: the core's tables and keys are made in phase 0, from `design`
    uint64_t in_core; // 1: the core encodes and decodes; frames have FORM_NUMBERS
    uint64_t overlap; // 1: a frame is encoded while the core encrypts the one before; in_core: frames of a program, at most
    uint64_t singles; // in_core: so many frames come before those, one by one; of calls: so many are not counted by kernel
    uint64_t set; // a scheme's; NewHope: rs_newhope_parse_t
    uint64_t stream; // NewHope: rs_newhope_stream_t
    uint64_t offload; // kernels that the core does, bit KERNEL_… (profile.h)
    uint64_t wait_cycles; // that firmware waits for an interrupt at a time, at most 2^22; then it looks at STATUS. 0: it polls
    uint64_t time_limit; // limit of a program in cycles, in reads of STATUS if it polls; 0: the core's watchdog
    rs_design_t design;
    rs_fixed_layout_t numbers; // layout of FORM_NUMBERS, for every frame
    uint64_t scheme; // rs_scheme_t
    uint64_t plain_modulus;
    uint64_t margin_bits; // decryptions of integers
    uint64_t log_n;
    uint64_t limb_count; // special prime included
    uint64_t moduli[RS_LIMBS_MAX];
    uint64_t frames; // address of frame_count frames: the last one is measured
    uint64_t frame_count;
    uint64_t end; // the end of memory
    union {
        array_t arrays[JOB_ARRAYS];
        struct {
            array_t public_key; // 2 limb_count N words
            array_t secret_key; // limb_count N words
            array_t arena;
            array_t shared; // with the core
            array_t kernels; // a profile's counts (profile.h)
        };
    };
    // kept from phase 0 to phase 1
    uint64_t context; // or tables of a scheme
    uint64_t device_state;
    uint64_t used; // bytes of the arena
    uint64_t prepared; // bytes of these that phase 0 has taken: no secrets
    // results
    uint64_t status; // rs_status_t of what failed first
    uint64_t step; // and where, firmware.h
    uint64_t done; // frames
    uint64_t current; // frame that was worked on last: done, or the one after it where they overlap
    count_t setup; // opening the core, loading context and keys or constants, programs
    count_t first; // the first call
    count_t stages[STAGE_COUNT]; // stages of the last frame, unless they overlap; in_core: of the last call
    uint64_t single_cycles; // in_core: of the last of the singles
    uint64_t program_frames; // in_core: of the last program
    uint64_t first_cycles; // from the start to the end of the first frame
    uint64_t before_last_cycles; // to the end of the frame before the last
    uint64_t all_cycles; // to the end of the last one
    uint64_t unit_cycles[RS_UNIT_COUNT];
    uint64_t core_cycles; // sum of all programs of the last frame
    uint64_t programs;
    uint64_t rounds; // what a signature took by the core
    uint64_t program_words;
    uint64_t accesses; // to registers
} job_t;

#endif
