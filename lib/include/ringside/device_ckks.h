// SPDX-License-Identifier: Apache-2.0
// The operations of client.h by an accelerator core (device.h). The same seeds give the same bits.
//
// A device computes with one context, one public key and one secret key at a time. They stay in memory that both sides
// reach (rs_bus_t) until others are loaded. Workspaces: 8-byte aligned, rs_device_workspace() bytes; what is written to
// them is wiped.
//
// Programs of CKKS reach memory by these pointers:
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
#ifndef RINGSIDE_DEVICE_CKKS_H
#define RINGSIDE_DEVICE_CKKS_H

#include "client.h"
#include "device.h"

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
    // with a public key (RS_FEATURE_PIPE, three slots; ENCRYPT_PK: five groups)
    RS_MESSAGE_FRAME,
} rs_job_message_t;

// Numbers in memory, and how they become fixed-point words of rs_fixed_load: number 2^shift; from words of
// rs_fixed_store likewise.
typedef struct rs_job_numbers {
    uint32_t format; // rs_fixed_format_t, integers only
    uint32_t is_complex;
    uint32_t count; // slots, at least 1
    int32_t shift; // from -65 (nothing is left) to 64 (all but zero is out of range)
} rs_job_numbers_t;

// The job that a program computes. With several frames INPUT and OUTPUT hold them one after the other, and need be no
// longer than each takes. INPUT rows, with RS_MESSAGE_WORDS and RS_MESSAGE_SLOTS behind the two polynomials, or `limbs`
// if these are more, at INPUT:
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
    rs_job_numbers_t numbers; // numbers of RS_MESSAGE_SLOTS, and of what is decoded
    int32_t shift; // rs_fixed_scale_t's, -65 to 64. RS_MESSAGE_SLOTS: coefficients have magnitudes below each modulus
    uint32_t scales; // RS_MESSAGE_SLOTS, `decodes`: 1 if rs_fixed_scale_t has a factor
    int32_t upper_shift; // `decodes` of two limbs: that of the second one, as shift is of the first
} rs_job_t;

// Makes a program: at most `capacity` words, `length` of them used, END included. The order suits the design:
// transfers, samples and lifts stand before the transforms during which they shall run. RS_ERR_DESIGN_DEGREE,
// RS_ERR_DESIGN (the design cannot do this job at all), RS_ERR_PROGRAM_LENGTH (capacity or program_depth),
// RS_ERR_LEVEL, RS_ERR_POLY_COUNT, RS_ERR_LAYOUT, RS_ERR_VALUE_COUNT, RS_ERR_NULL.
RS_API RS_MUST_CHECK rs_status_t rs_program_build(const rs_design_t *design, const rs_job_t *job, uint64_t *words, size_t capacity,
                                                  size_t *length);

// Power-on test: compares every kind of encryption and decryption that the design supports, with encode and decode if
// it has them, at its smallest N with two limbs, with the library's result. It forgets what was loaded. memory: 8-byte
// aligned, rs_device_self_test_size() bytes. RS_ERR_DEVICE_SELFTEST.
RS_API size_t rs_device_self_test_size(const rs_design_t *design);
RS_API RS_MUST_CHECK rs_status_t rs_device_self_test(rs_device_t *device, void *memory, size_t memory_bytes);

// Whether a design can compute with these parameters: RS_ERR_DESIGN_DEGREE, RS_ERR_DESIGN_MODULUS,
// RS_ERR_DESIGN_MODULUS.
RS_API RS_MUST_CHECK rs_status_t rs_design_fits(const rs_design_t *design, const rs_params_t *params);
// Bytes of bus memory with which every call works: contexts, both keys, and the buffers of a call on poly_count
// polynomials (2 unless longer ciphertexts are decrypted). frames: 1, or more, then as many items at a time work as a
// program can have.
RS_API size_t rs_device_memory_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count, uint32_t frames);

// ---- what stays in memory ----------------------------------------------------------------------------------------------
typedef struct rs_device_load_request {
    uint32_t size;
    uint32_t reserved;
    const rs_context_t *context; // NULL, here and below: stays as it is
    const rs_ciphertext_t *public_key;
    const rs_secret_key_t *secret_key;
    const rs_fixed_t *fixed; // roots of fixed point, with which the core encodes and decodes
} rs_device_load_request_t;

// Loads what is given, in the order context, roots, public key, secret key. The context must outlive its use here; keys
// and tables are copied. A context forgets keys and roots. The secret key stays in the bus's memory, in NTT form, until
// it is replaced or forgotten, or the device is closed. RS_ERR_DEVICE_NOT_LOADED (no context yet), RS_ERR_DEVICE_MEMORY, the
// statuses of rs_design_fits, RS_ERR_MISMATCH (other parameters, N or words), RS_ERR_SEEDED; for roots RS_ERR_DESIGN
// (no RS_FEATURE_ENCODE).
RS_API RS_MUST_CHECK rs_status_t rs_device_load(rs_device_t *device, const rs_device_load_request_t *request);
// Wipes the secret key from the bus's memory, and the core, whose groups may hold it. Everything else stays loaded.
// RS_OK also without a key. If the bus returns an error, the image is wiped nevertheless.
RS_API RS_MUST_CHECK rs_status_t rs_device_forget(rs_device_t *device);

// ---- encrypt and decrypt -----------------------------------------------------------------------------------------------
RS_API size_t rs_device_workspace(const rs_context_t *context);
// 1 if messages in words are less work than in doubles: the core reduces them, and where it reaches them it reads the
// array itself (not for RS_ENCRYPT_PK with fewer than five groups: there it gets P times them). They are taken in any
// case.
RS_API int rs_device_reads_words(const rs_device_t *device, rs_encryption_t kind);

// As rs_encrypt and rs_decrypt. Context, keys and fixed are NULL, or what is loaded (RS_ERR_MISMATCH). Bits and seeds
// are those of one item after the other; items that the core can do together go together, as many as program and memory
// allow. The status of the first item that fails; it stands in the items of its program and in all behind, whose
// results are undefined, but secrets are wiped.
//
// A plaintext: its message may also be in words (rs_encode_words). RS_ENCRYPT_PK needs a design with a slot, and five
// groups or two contexts (RS_ERR_DESIGN). Several with a public key go together where the core has the streaming unit
// (RS_FEATURE_PIPE), up to RS_FRAMES_MAX: plaintexts of one level whose coefficients' magnitudes are below each of its
// moduli.
//
// Values: the core encodes them, as rs_encode_fixed does with the design's words. Integers only
// (RS_ERR_LAYOUT), at least one slot, scale 2^bound at most 2^(bits of the level - 2) (RS_ERR_OVERFLOW) and
// 2^(bits of the smallest modulus - 1) (RS_ERR_DESIGN). A scale with a factor (rs_encode_fixed_scale), which is most
// that are no powers of two, costs a pass of the lanes more, N / lanes cycles. RS_ERR_VALUE_RANGE: a value does not
// fit. RS_ERR_DESIGN also for fewer than four groups, RS_ENCRYPT_PK: six. Up to RS_FRAMES_ENCODE items of one layout,
// level and scale go together. Where the core reaches an array, and it fills whole lines of 64 bytes, nothing is
// copied; likewise ciphertexts that lie one behind another.
//
// RS_DEVICE_START and RS_DEVICE_PREPARE take one item, and encrypt by the lanes. PREPARE: an array of the same
// alignment and place as that of the call to come (the core reaches it or not). A program takes some 100,000 cycles of
// a small processor; it stays until the device has made eight others, or the core runs another one, and is loaded again
// then. After START a message in doubles and the workspace may be overwritten.
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt(rs_device_t *device, const rs_encrypt_request_t *request, rs_device_mode_t mode);

// Ciphertexts of one level and number of polynomials, not seeded, go together, on three groups: the secret key comes
// from memory once for each limb of all of them, and one is loaded while another one is stored. Values: of one or two
// limbs, at most the ciphertext's (RS_ERR_LEVEL), as many as the message needs (rs_limbs_needed), since every limb
// costs time; two need four groups (RS_ERR_DESIGN). RS_ERR_VALUE_RANGE: a slot or a coefficient is out of range; values
// hold zeros. RS_ERR_OPTION: to publish is the processor's.
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt(rs_device_t *device, const rs_decrypt_request_t *request, rs_device_mode_t mode);

// rs_ntt_forward or rs_ntt_inverse of N words. The words must be below the modulus (RS_ERR_RESIDUE).
RS_API RS_MUST_CHECK rs_status_t rs_device_transform(rs_device_t *device, uint32_t limb, int inverse, uint64_t *poly);

// ---- memory formats ----------------------------------------------------------------------------------------------------
// A polynomial in either form, rs_design_poly_bytes(): the array, in words of 4 or 8 bytes. factor: 1 for a secret key, which WLM wants
// times R.
RS_API void rs_device_image_write(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image,
                                  const uint64_t *poly, int factor);
RS_API void rs_device_image_read(const rs_design_t *design, const rs_context_t *context, uint64_t *poly, const uint8_t *image);
// Constants and twiddles of limb `limb`, rs_design_context_bytes(). LIFT and MSUBC multiply by the inverse of limb
// `drop`; if drop is equal to limb, by 1. drop 0: of limb 0 in limb 1 alone, as two limbs are decoded with.
RS_API void rs_device_image_context(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                    uint8_t *image);
// The tables that streaming transforms modulo limb `limb` make their twiddles from (hw/stream/README.md),
// rs_design_stream_bytes().
RS_API void rs_device_image_stream(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image);
// Limb `limb` of a key image for the streaming unit, rs_design_stream_key_bytes(): constants as of a context, tables,
// both polynomials of the public key, words of 8 bytes.
RS_API void rs_device_image_stream_key(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                       uint8_t *image, const uint64_t *pk0, const uint64_t *pk1);
// The roots of fixed point, rs_design_roots_bytes().
RS_API void rs_device_image_roots(const rs_design_t *design, const rs_fixed_t *fixed, uint8_t *image);

#ifdef __cplusplus
}
#endif

#endif
