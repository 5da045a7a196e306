// SPDX-License-Identifier: Apache-2.0
// Golden: the programs and images of CKKS, BFV and BGV on a core (device_ckks.h).
//
// Programs reach memory by these pointers:
//   CONTEXTS  context of limb i at i. Encryption with special prime: that prime is limb `limbs`. Two limbs decoded: the constant of limb 1 is
//             the inverse of q_0
//   KEY       public key: polynomial j, limb i at j * key_limbs + i; secret key, times R: limb i at i
//   INPUT     row r, limb i at r * limbs + i
//   OUTPUT    row r, limb i at r * limbs + i: the ciphertext, the plaintext, or the transformed polynomials
//   SCRATCH   `target`: the other secret. ENCRYPT_PK with fewer than five groups: 2 * limbs + 2 polynomials, not secret. It may be where OUTPUT is. c1 that is expanded
//             in coefficient form passes through: limb i at limbs + i
// With encode or decode (RS_FEATURE_ENCODE):
//   ROOTS     those of fixed point, rs_design_roots_bytes(); `scales`: the constant of this context is the factor of rs_fixed_scale_t;
//             two limbs decoded: its factor is that of the second limb
//   MESSAGE   RS_MESSAGE_SLOTS, or `decodes`: numbers, in whole lines of 64 bytes; what is behind the last one is read, or becomes zero.
//             Each frame of a program has this pointer for itself, and seeds (register FRAME)
// With the streaming unit (RS_FEATURE_PIPE), RS_MESSAGE_FRAME:
//   INPUT     the key image: rs_design_stream_key_bytes() of each limb, one after the other
//   MESSAGE   of each frame: N signed words of 64 bits, or of slots the numbers in this place, then the ciphertext, which the core writes:
//             polynomial j, limb i at j * limbs + i, words of 8 bytes
#ifndef RINGSIDE_GOLDEN_PROGRAM_H
#define RINGSIDE_GOLDEN_PROGRAM_H

#include "../device_ckks.h"
#include "fixed.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- programs ----------------------------------------------------------------------------------------------------------
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
    // words at MESSAGE, magnitudes below each modulus, and the ciphertext behind them: the streaming unit encrypts,
    // with a public key (RS_FEATURE_PIPE, three slots; ENCRYPT_PK: five groups). numbers.count > 0: slots in place of words,
    // which the core encodes (RS_FEATURE_ENCODE; ENCRYPT_PK_DIRECT)
    RS_MESSAGE_FRAME,
    // BFV, BGV: slots modulo t in NTT form, N residues at INPUT (four groups, ENCRYPT_PK: six); behind the contexts is what
    // docs/core.md (Integers) lists
    RS_MESSAGE_INTEGERS,
} rs_job_message_t;

// Numbers in memory, and how they become fixed-point words of rs_fixed_load: number 2^shift; from words of
// rs_fixed_store likewise.
typedef struct rs_job_numbers {
    uint32_t format; // rs_fixed_format_t; what is decoded becomes integers only
    uint32_t is_complex;
    uint32_t count; // slots, at least 1
    int32_t shift; // from -65 (nothing is left) to 64 (all but zero is out of range)
} rs_job_numbers_t;

// What a decryption of BFV or BGV becomes.
typedef enum rs_job_phase {
    RS_PHASE_COEFFICIENTS = 1, // residues in coefficient form
    // the message modulo t, one polynomial, on five groups: the core has what docs/core.md (Integers) lists behind the
    // contexts
    RS_PHASE_ROUNDED = 2,
    RS_PHASE_SLOTS = 4, // that in NTT form
    RS_PHASE_SWITCHED = 8, // ROUNDED, of two polynomials in coefficient form: switched to the first modulus before
} rs_job_phase_t;

// The job that a program computes. With several frames INPUT and OUTPUT hold them one after the other, and need be no
// longer than each takes. INPUT rows, with RS_MESSAGE_WORDS and RS_MESSAGE_SLOTS behind the two polynomials, or `limbs`
// if these are more, at INPUT:
//   NTT, INTT   0: the polynomials, a limb each
//   encryption  0: residues of the message; without slots: of message plus error (e, e0)
//               1: secret key: c1, unless expanded; public key without slots: residues of u
//               2: public key without slots: residues of e1
//               u is times R, so that public keys need not be
//   ENCRYPT_PK with fewer than five groups, P being limb `limbs` of both rows: row r, limb i at r * (limbs + 1) + i
//               0: residues of P message + floor(P/2), whatever `message` says; 1: of floor(P/2)
//               RS_MESSAGE_WORDS: both rows are N words each instead, one after the other at INPUT
//   decryption  j: polynomial c_j of the ciphertext (row 1 is not read if c1 is expanded)
typedef struct rs_job {
    uint32_t kind; // rs_job_kind_t
    uint32_t log_n;
    uint32_t limbs; // that are computed
    uint32_t key_limbs; // limbs of the public key
    uint32_t input_limbs; // DECRYPT: of the ciphertext in memory, >= limbs: it takes the place of `limbs` in INPUT
    uint32_t poly_count; // DECRYPT: of the ciphertext
    uint32_t message; // rs_job_message_t
    uint32_t expansion; // limbs of the expansion (SHAKE256) from which the core makes c1; 0: c1 is in INPUT
    uint32_t store_expanded; // ENCRYPT_SK: 1 to write the expanded c1 to OUTPUT, row 1
    // 1: the polynomials of INPUT, of OUTPUT have words of 8 bytes, as the library's arrays, also where the design has
    // 4
    uint32_t wide_input;
    uint32_t wide_output;
    // DECRYPT of one limb, or of two on four groups: 1 to write slots to MESSAGE instead of residues to OUTPUT
    // (RS_FEATURE_ENCODE)
    uint32_t decodes;
    // How many such jobs the program does, each with seeds and a message of its own, overlapping as far as they can: at
    // most RS_FRAMES_MAX; 0 is 1. More need RS_MESSAGE_FRAME, RS_MESSAGE_SLOTS or `decodes`, and c1 that the core makes
    // (expansion) if they encrypt with the secret key. Or they are decryptions to residues, on three groups or more,
    // with c1 in INPUT: the secret key and the constants of a limb are loaded once for all frames, and a frame's limb i
    // is in OUTPUT where limb i of its c_0 is in INPUT, which may be the same memory.
    uint32_t frames;
    rs_job_numbers_t numbers; // numbers of RS_MESSAGE_SLOTS, of frames of slots, and of what is decoded
    int32_t shift; // rs_fixed_scale_t's, -65 to 64. RS_MESSAGE_SLOTS: coefficients have magnitudes below each modulus
    uint32_t scales; // RS_MESSAGE_SLOTS, `decodes`: 1 if rs_fixed_scale_t has a factor
    int32_t upper_shift; // `decodes` of two limbs: that of the second one, as shift is of the first
    // BFV, BGV. coefficients: ciphertexts are in coefficient form, c1 too, and products are transformed back. With the secret
    // key they are then what c1 times the key's image is, less error and message
    uint32_t coefficients;
    // ENCRYPT_*: what leaves is multiplied by a constant: that of its context; where errors are rounded before they are
    // used (five groups) by that of 64 bytes behind the contexts of key_limbs, those of limb i at 64 i
    uint32_t times;
    uint32_t phase; // DECRYPT: bits of rs_job_phase_t; 0: residues in NTT form
    // ENCRYPT_SK of zero in NTT form. 0, or 1 + the limb of a switching key's row that has the other secret: its image, times
    // R as the key's is, is at SCRATCH, or (squared) the key's square. What it is multiplied by is the constant of that
    // limb's context. `times`: the key is the opposite, and limb `target` is multiplied by what is behind the contexts
    uint32_t target;
    uint32_t squared;
} rs_job_t;

// Makes a program: at most `capacity` words, `length` of them used, END included. The order suits the design:
// transfers, samples and lifts stand before the transforms during which they shall run. RS_ERR_DESIGN_DEGREE,
// RS_ERR_DESIGN (the design cannot do this job at all), RS_ERR_PROGRAM_LENGTH (capacity or program_depth),
// RS_ERR_LEVEL, RS_ERR_POLY_COUNT, RS_ERR_LAYOUT, RS_ERR_VALUE_COUNT, RS_ERR_NULL.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_program_build(const rs_design_t *design, const rs_job_t *job, uint64_t *words,
                                                     size_t capacity, size_t *length);

// rs_plan_forward or rs_plan_inverse of N words by a device. The words must be below the modulus (RS_ERR_RESIDUE).
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_device_transform(rs_device_t *device, uint32_t limb, int inverse, uint64_t *poly);

// ---- memory formats ----------------------------------------------------------------------------------------------------
// Constants and twiddles of limb `limb`, rs_design_context_bytes(). LIFT and MSUBC multiply by the inverse of limb
// `drop`; if drop is equal to limb, by 1. drop 0: of limb 0 in limb 1 alone, as two limbs are decoded with.
RS_GOLDEN void rs_device_image_context(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                       uint8_t *image);
// The tables that streaming transforms modulo limb `limb` make their twiddles from (hw/stream/README.md),
// rs_design_stream_bytes().
RS_GOLDEN void rs_device_image_stream(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image);
// Limb `limb` of a key image for the streaming unit, rs_design_stream_key_bytes(): constants as of a context, tables,
// both polynomials of the public key, words of 8 bytes.
RS_GOLDEN void rs_device_image_stream_key(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                          uint8_t *image, const uint64_t *pk0, const uint64_t *pk1);
#ifdef __cplusplus
}
#endif

#endif
