// SPDX-License-Identifier: Apache-2.0
// Calls of ML-KEM, ML-DSA and NewHope, by the core or by software, and what they take. py/ringside/soc/schemes.py is the counterpart: it writes the struct to
// JOB_ADDRESS of an image, with what it names behind it, and reads both after the simulation.
#ifndef RINGSIDE_SOC_SCHEMES_H
#define RINGSIDE_SOC_SCHEMES_H

#include "job.h"

#define SCHEMES_MAGIC 0x31686373636f7372ull // "rsocsch1"

enum { CALLS_MAX = 4096 };

// Inputs and outputs, in their order:
enum {
    CALL_MLKEM_KEYGEN, // d || z; ek, dk
    CALL_MLKEM_ENCAPS, // ek, m; ct, shared
    CALL_MLKEM_DECAPS, // dk, ct; shared
    CALL_MLDSA_KEYGEN, // xi; pk, sk
    CALL_MLDSA_SIGN, // sk, message, rnd; signature
    CALL_MLDSA_VERIFY, // pk, message, signature
    CALL_NEWHOPE_SERVER, // seeds of a and of noise; message, secret
    CALL_NEWHOPE_CLIENT, // the server's message, seed of noise; message, shared
    CALL_NEWHOPE_SHARED, // the client's message, secret; shared
    CALL_COUNT
};

// Where the time of a call goes.
enum {
    PART_IN, // checks, and what the core reads, to its memory
    PART_PROGRAM, // a program into the core, or some words of it, if another one is there
    PART_REGISTERS, // before the start, and the report after the end
    PART_CORE, // as the core counts, all programs
    PART_POLL, // what takes longer from start to end as the driver sees it
    PART_BETWEEN, // the processor's work between two programs
    PART_OUT, // results to the caller, of NewHope reconciliation too, and memory wiped
    PART_WIPE, // the core wiped
    PART_SOFTWARE, // without a core: all of it
    PART_COUNT
};

typedef struct array {
    uint64_t address;
    uint64_t bytes;
} array_t;

typedef struct schemes {
    uint64_t magic;
    uint64_t bytes; // bytes of this struct
    uint64_t phase; // as job_t's
    uint64_t call;
    uint64_t set; // parameter set of ML-KEM or ML-DSA; NewHope: the rule of Parse
    uint64_t device; // 0: software, 1: the core
    uint64_t calls; // the same one so many times; the last one is measured
    uint64_t reads_max; // reads of STATUS, until a program of the core is taken for hung
    array_t inputs[3];
    array_t outputs[2];
    uint64_t form, hash; // kind of the message: rs_mldsa_form_t, rs_mldsa_prehash_t
    array_t context; // the context of the message
    array_t shared; // memory of the driver and the core, from a multiple of 4096 on
    array_t workspace; // the workspace of software
    uint64_t end; // the end of memory
    // results
    uint64_t status; // rs_status_t of the set-up
    uint64_t answer; // the answer of the last call
    uint64_t rounds; // rounds of a signature by the core
    uint64_t done; // calls
    count_t setup; // opening the core, constants, and the programs of the set
    count_t first; // the first call
    count_t total; // the last one: the sum of its parts
    count_t parts[PART_COUNT];
    uint64_t programs; // programs of the last call, that the core has run
    uint64_t core_cycles;
    uint64_t accesses; // to registers
} schemes_t;

#endif
