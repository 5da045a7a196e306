// SPDX-License-Identifier: Apache-2.0
// Programs of the accelerator core (docs/core.md): the parameters of a core, and the instructions that make it encrypt and decrypt.
//
// A program is an array of 64-bit words that ends with END. It reaches memory by four pointer registers, in polynomials of
// rs_design_poly_bytes() and contexts of rs_design_context_bytes():
//   CONTEXTS  context of limb i at i. Encryption with special prime: that prime is limb `limbs`. Two limbs decoded: the constant of limb 1 is
//             the inverse of q_0
//   KEY       public key: polynomial j, limb i at j * key_limbs + i; secret key, times R for WLM: limb i at i
//   INPUT     row r, limb i at r * limbs + i
//   OUTPUT    row r, limb i at r * limbs + i: the ciphertext, the plaintext, or the transformed polynomials
//   SCRATCH   ENCRYPT_PK with fewer than five groups: 2 * limbs + 2 polynomials, not secret. It may be where OUTPUT is.
// With encode or decode (RS_FEATURE_ENCODE):
//   ROOTS     those of fixed point, rs_design_roots_bytes(); `scales`: the constant of this context is the factor of rs_fixed_scale_t;
//             two limbs decoded: its factor is that of the second limb
//   MESSAGE   RS_MESSAGE_SLOTS, or `decodes`: numbers, in whole lines of 64 bytes; what is behind the last one is read, or becomes zero.
//             Each frame of a program has this pointer for itself, and seeds (register FRAME)
// With the streaming unit (RS_FEATURE_PIPE), RS_MESSAGE_FRAME:
//   INPUT     the key image: rs_design_stream_key_bytes() of each limb, one after the other
//   MESSAGE   of each frame: N signed words of 64 bits, then the ciphertext, which the core writes: polynomial j, limb i at j * limbs + i,
//             words of 8 bytes
#ifndef RINGSIDE_PROGRAM_H
#define RINGSIDE_PROGRAM_H

#include "isa.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rs_pointer {
    RS_POINTER_CONTEXTS = 0,
    RS_POINTER_KEY = 1,
    RS_POINTER_INPUT = 2,
    RS_POINTER_OUTPUT = 3,
    RS_POINTER_SCRATCH = 4,
    RS_POINTER_ROOTS = 5,
    RS_POINTER_MESSAGE = 7
} rs_pointer_t;

typedef enum rs_reduction { RS_REDUCTION_BARRETT = 0, RS_REDUCTION_WLM = 1 } rs_reduction_t;

enum {
    RS_FEATURE_SAMPLER = 1,
    RS_FEATURE_EXPAND = 2,
    RS_FEATURE_ON_THE_FLY = 4,
    RS_FEATURE_REDUCE = 8,
    RS_FEATURE_STREAM_FACTOR = 16,
    RS_FEATURE_ENCODE = 32,
    RS_FEATURE_PIPE = 64, // with the words per cycle of its polynomials in eight bits from RS_FEATURE_STREAM_LANES_SHIFT on
    RS_FEATURE_STREAM_LANES_SHIFT = 8
};

// The parameters that a core is built with: its configuration registers.
typedef struct rs_design {
    uint32_t lanes;
    uint32_t word_bits;
    rs_reduction_t reduction;
    uint32_t log_n_min;
    uint32_t log_n_max;
    uint32_t groups;
    uint32_t contexts;
    uint32_t slots;
    uint32_t bus_bits;
    uint32_t features; // RS_FEATURE_*
    uint32_t program_depth; // instructions
    uint32_t keccak_cores;
} rs_design_t;

typedef enum rs_job_kind {
    RS_JOB_NTT,
    RS_JOB_INTT,
    RS_JOB_ENCRYPT_SK,
    RS_JOB_ENCRYPT_PK, // rounded by the special prime P: a slot, and five groups or two contexts
    RS_JOB_ENCRYPT_PK_DIRECT,
    RS_JOB_DECRYPT,
} rs_job_kind_t;

// How the message of an encryption comes in, with slots.
typedef enum rs_job_message {
    RS_MESSAGE_NONE, // zero is encrypted
    RS_MESSAGE_RESIDUES, // row 0 of INPUT: an array of each limb
    RS_MESSAGE_WORDS, // N signed 64-bit words at INPUT, which the core reduces (RS_FEATURE_REDUCE)
    RS_MESSAGE_SLOTS, // numbers at MESSAGE, which the core encodes (RS_FEATURE_ENCODE; four groups, ENCRYPT_PK: six)
    // words at MESSAGE, magnitudes below each modulus, and the ciphertext behind them: the streaming unit encrypts, with a public key
    // (RS_FEATURE_PIPE, three slots; ENCRYPT_PK: five groups)
    RS_MESSAGE_FRAME,
} rs_job_message_t;

// Numbers in memory, and how they become fixed-point words of rs_fixed_load: number 2^shift; from words of rs_fixed_store likewise.
typedef struct rs_job_numbers {
    uint32_t format; // rs_fixed_format_t, integers only
    uint32_t is_complex;
    uint32_t count; // slots, at least 1
    int32_t shift; // from -65 (nothing is left) to 64 (all but zero is out of range)
} rs_job_numbers_t;

// The job that a program computes. With several frames INPUT and OUTPUT hold them one after the other, and need be no longer than each takes. INPUT rows, with RS_MESSAGE_WORDS and RS_MESSAGE_SLOTS behind the two polynomials, or `limbs` if these are more, at INPUT:
//   NTT, INTT   0: the polynomials, a limb each
//   encryption  0: residues of the message; without slots: of message plus error (e, e0)
//               1: secret key: c1, unless expanded; public key without slots: residues of u
//               2: public key without slots: residues of e1
//               u is times R for WLM, so that public keys need not be
//   ENCRYPT_PK with fewer than five groups, P being limb `limbs` of both rows: row r, limb i at r * (limbs + 1) + i
//               0: residues of P message + floor(P/2), whatever `message` says; 1: of floor(P/2)
//               RS_MESSAGE_WORDS: both rows are N words each instead, one after the other at INPUT
//   decryption  j: polynomial c_j of the ciphertext (row 1 is not read if c1 is expanded)
typedef struct rs_job {
    rs_job_kind_t kind;
    uint32_t log_n;
    uint32_t limbs; // that are computed
    uint32_t key_limbs; // of the public key
    uint32_t input_limbs; // DECRYPT: of the ciphertext in memory, >= limbs: it takes the place of `limbs` in INPUT
    uint32_t poly_count; // DECRYPT: of the ciphertext
    uint32_t message; // rs_job_message_t
    uint32_t expansion; // limbs of the expansion (SHAKE256) from which the core makes c1; 0: c1 is in INPUT
    uint32_t store_expanded; // ENCRYPT_SK: 1 to write the expanded c1 to OUTPUT, row 1
    // 1: the polynomials of INPUT, of OUTPUT have words of 8 bytes, as the library's arrays, also where the design has 4
    uint32_t wide_input;
    uint32_t wide_output;
    // DECRYPT of one limb, or of two on four groups: 1 to write slots to MESSAGE instead of residues to OUTPUT (RS_FEATURE_ENCODE)
    uint32_t decodes;
    // How many such jobs the program does, each with seeds and a message of its own, overlapping as far as they can: at most RS_FRAMES_MAX;
    // 0 is 1. More need RS_MESSAGE_FRAME, RS_MESSAGE_SLOTS or `decodes`, and c1 that the core makes (expansion) if they encrypt with the secret key.
    // Or they are decryptions to residues, on three groups or more, with c1 in INPUT: the secret key and the constants of a limb are loaded once
    // for all frames, and a frame's limb i is in OUTPUT where limb i of its c_0 is in INPUT, which may be the same memory.
    uint32_t frames;
    rs_job_numbers_t numbers; // of RS_MESSAGE_SLOTS, and of what is decoded
    int32_t shift; // of rs_fixed_scale_t, -65 to 64. RS_MESSAGE_SLOTS: coefficients then have magnitudes below each modulus
    uint32_t scales; // RS_MESSAGE_SLOTS, `decodes`: 1 if rs_fixed_scale_t has a factor
    int32_t upper_shift; // `decodes` of two limbs: that of the second one, as shift is of the first
} rs_job_t;

// Bytes of a polynomial and of a context in memory, both multiples of 64; log_n must be one of the design's.
RS_API size_t rs_design_poly_bytes(const rs_design_t *design, uint32_t log_n);
RS_API size_t rs_design_context_bytes(const rs_design_t *design, uint32_t log_n);
// Of a limb of a key image for the streaming unit: constants, tables, both polynomials of the public key, words of 8 bytes.
RS_API size_t rs_design_stream_key_bytes(const rs_design_t *design, uint32_t log_n);
// Of the tables of streaming transforms; log_n is at least half of the design's log_n_max.
RS_API size_t rs_design_stream_bytes(const rs_design_t *design, uint32_t log_n);
RS_API size_t rs_design_roots_bytes(const rs_design_t *design, uint32_t log_n);

// Makes a program: at most `capacity` words, `length` of them used, END included. The order suits the design: transfers, samples
// and lifts stand before the transforms during which they shall run.
// RS_ERR_DESIGN_DEGREE, RS_ERR_DESIGN (the design cannot do this job at all), RS_ERR_PROGRAM_LENGTH (capacity or program_depth),
// RS_ERR_LEVEL, RS_ERR_POLY_COUNT, RS_ERR_FIXED_FORMAT, RS_ERR_VALUE_COUNT, RS_ERR_NULL.
RS_API RS_MUST_CHECK rs_status_t rs_program_build(const rs_design_t *design, const rs_job_t *job, uint64_t *words, size_t capacity,
                                                  size_t *length);

// The cycles of the program if memory answers at once and no unit is slower than docs/core.md suggests. The order of instructions is
// chosen by this estimate; it is not a promise.
RS_API uint64_t rs_program_estimate(const rs_design_t *design, uint32_t log_n, const uint64_t *words, size_t length);

// One instruction as text, always terminated: "MAC g2 g0 g1 ctx1", "LOAD g1 ctx0 [p1 + 0x2000] ntt". Returns the length of
// the whole text; words that are no instruction become ".word 0x…".
RS_API size_t rs_instruction_text(uint64_t word, char *text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
