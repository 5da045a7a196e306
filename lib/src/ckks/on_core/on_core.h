// SPDX-License-Identifier: Apache-2.0
// What the files share that encrypt and decrypt on an accelerator core. Sections are files; each calls those above it.
#ifndef RINGSIDE_ON_CORE_H
#define RINGSIDE_ON_CORE_H

#include <ringside/ckks_device.h>

#include <string.h>

#include "ckks/context.h"
#include "machine/machine.h"

// Polynomials that N words of 64 bits take at most.
enum { RS_MESSAGE_POLYS = 2 };

// An operation between start and finish.
typedef struct rs_on_core_call {
    rs_job_t job;
    uint32_t first_limb; // whose context is number 0 of the program
    size_t key; // offset in memory
    size_t input; // offset, behind everything that stays
    size_t output;
    size_t end;
    size_t secret_bytes; // at input: wiped afterwards
    const uint64_t *user_input; // the caller's array instead, which the core reads itself; NULL: none
    uint64_t *user_output;
    uint64_t input_address; // address of both as the core sees them
    uint64_t output_address;
    size_t user_input_bytes;
    size_t user_output_bytes;
    const rs_seed_t *private_seed; // while it starts, of each frame; NULL: not needed
    const rs_seed_t *public_seed;
    const rs_device_frame_t *frames; // job.frames of them; NULL: there is one, which the members below say
    uint64_t messages[RS_FRAMES_MAX]; // addresses of messages by frame: the slots', or those of streamed messages
    size_t stream_bytes; // RS_MESSAGE_FRAME: of a frame's message and ciphertext, at input
    rs_seed_t seeds[RS_FRAMES_ENCODE]; // seeds of seeded ciphertexts
    const void *user_message; // RS_MESSAGE_SLOTS, decodes: as user_input
    uint64_t message_address;
    size_t user_message_bytes;
    void *values; // where slots go
    rs_fixed_layout_t layout;
    rs_plaintext_t described; // level and scale of slots that are encrypted
    const rs_plaintext_t *message; // where the result goes, and what it says
    rs_ciphertext_t *ciphertext;
    rs_plaintext_t *plaintext;
    double scale;
} rs_on_core_call_t;

// What a device keeps: rs_device_t.state.
typedef struct rs_on_core {
    const rs_context_t *context; // NULL: none is loaded, and nothing else either
    size_t public_key; // where the keys are in memory; 0: not loaded
    size_t stream_key; // the public key's image for the streaming unit; 0: not there
    size_t secret_key;
    size_t secret_place; // room for a secret key, kept when one is forgotten; 0: none yet
    size_t roots; // roots of fixed point; 0: not loaded
    uint64_t factor; // the constant of their context
    uint64_t added_factor; // and its factor
    uint32_t drop; // limb by which the contexts' constants divide; 0: that of limb 1 by limb 0
    rs_on_core_call_t call;
} rs_on_core_t;

_Static_assert(sizeof(rs_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t), "what CKKS keeps has its place in a device");

extern const rs_tenant_t RS_CKKS_ON_CORE;

// While the device is CKKS's, or nobody's: then all of it is zeros.
static inline const rs_on_core_t *rs_on_core(const rs_device_t *d) {
    return (const rs_on_core_t *)(const void *)d->state;
}

static inline rs_on_core_t *rs_on_core_of(rs_device_t *d) {
    return (rs_on_core_t *)(void *)d->state;
}

// The job of the program that is in the core: word 0 of its key is the scheme, the rest is the job, which has no padding.
static inline rs_job_t rs_on_core_job(const rs_device_t *d) {
    rs_job_t job;
    memcpy(&job, d->key.words + 1, sizeof job);
    return job;
}

// RS_ERR_NULL, RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_EMPTY: no context of CKKS is loaded.
static inline rs_status_t rs_on_core_ready(const rs_device_t *d) {
    if (!d) return RS_ERR_NULL;
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    return d->tenant == &RS_CKKS_ON_CORE && rs_on_core(d)->context ? RS_OK : RS_ERR_DEVICE_EMPTY;
}

// Whether an encryption with special prime has the groups to round its errors before they are used (ckks_device.h).
static inline int rs_design_rounds(const rs_design_t *design) {
    return design->groups >= 5;
}

// ---- images.c ---------------------------------------------------------------------------------------------------------
// A context's two constants: of rs_device_image_context.
void rs_on_core_header(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop, uint8_t *image);

// ---- memory.c ---------------------------------------------------------------------------------------------------------
// contexts | keys, in the order of their loading | input of a call | output of a call
static inline size_t rs_on_core_poly_bytes(const rs_device_t *d) {
    return rs_design_poly_bytes(&d->design, rs_on_core(d)->context->params.log_n);
}

static inline size_t rs_on_core_word_bytes(const rs_device_t *d) {
    return rs_on_core(d)->context->n * sizeof(uint64_t);
}

static inline size_t rs_on_core_key_limbs(const rs_device_t *d) {
    return rs_on_core(d)->context->params.limb_count;
}

static inline uint8_t *rs_on_core_poly_at(const rs_device_t *d, size_t offset, size_t index) {
    return d->bus.memory + offset + index * rs_on_core_poly_bytes(d);
}

// Polynomials in whose place these bytes fit.
size_t rs_on_core_polys_for(const rs_device_t *d, size_t bytes);

// A message and a ciphertext for the streaming unit.
size_t rs_on_core_stream_frame_bytes(uint32_t log_n, uint32_t limbs);

// Room for a key; a key of this kind that was there is overwritten.
RS_MUST_CHECK rs_status_t rs_on_core_place(rs_device_t *d, size_t *key, size_t polys);

rs_program_key_t rs_on_core_key(const rs_job_t *job);
// The program of a job, in the core from now on.
RS_MUST_CHECK rs_status_t rs_on_core_load_program(rs_device_t *d, const rs_job_t *job);

// Room for a call's polynomials.
RS_MUST_CHECK rs_status_t rs_on_core_prepare(rs_device_t *d, rs_on_core_call_t *call, size_t in, size_t out);

// The constants of every context and key image up to `drop`, the number of limbs if none is dropped; 0: those of two limbs that are decoded.
void rs_on_core_set_drop(rs_device_t *d, uint32_t drop);

// The constant and the factor of the roots' context: what words are multiplied by where a scale is no power of two, and those of a second
// limb. After rs_device_load_roots.
void rs_on_core_set_factors(rs_device_t *d, uint64_t factor, uint64_t added);

// ---- numbers.c --------------------------------------------------------------------------------------------------------
static inline size_t rs_on_core_array_bytes(const rs_job_numbers_t *numbers) {
    return ((size_t)numbers->count << numbers->is_complex) * rs_fixed_format_bytes((rs_fixed_format_t)numbers->format);
}

// What is beyond changes nothing more.
int32_t rs_on_core_limited(int32_t shift);

// Between the machine's order and little-endian memory.
void rs_on_core_copy_numbers(uint8_t *to, const uint8_t *from, const rs_job_numbers_t *numbers);

RS_MUST_CHECK rs_status_t rs_on_core_set_numbers(const rs_device_t *d, rs_on_core_call_t *call, const rs_fixed_layout_t *layout,
                                                 int32_t shift);

// The core uses the caller's array, if it can and that fills lines.
void rs_on_core_aim_message(const rs_device_t *d, rs_on_core_call_t *call, const void *values);

// Where the slots of frames are: the callers' arrays, if the core reaches them and they fill lines, else room for them in memory from
// `offset` on. Bytes that they take there.
size_t rs_on_core_aim_frames(const rs_device_t *d, rs_on_core_call_t *call, const rs_device_frame_t *frames, uint32_t count,
                             size_t offset);

// ---- call.c -----------------------------------------------------------------------------------------------------------
static inline uint32_t rs_on_core_frames_of(const rs_on_core_call_t *call) {
    return call->frames ? call->job.frames : 1;
}

// Starts a call: rs_machine_begin.
RS_MUST_CHECK rs_status_t rs_on_core_begin(rs_device_t *d, const rs_on_core_call_t *call);

// ---- message.c --------------------------------------------------------------------------------------------------------
// What a call encrypts: a plaintext, or slots that the core encodes.
typedef struct rs_encrypted {
    const rs_plaintext_t *plaintext;
    const void *values; // NULL: a plaintext
    const rs_fixed_layout_t *layout;
    double scale;
    uint32_t limbs;
    const rs_device_frame_t *frames; // slots of several frames, more than one, and where they go; NULL: one
    uint32_t count;
    int only_program; // 1: the program is made and loaded, and nothing starts
} rs_encrypted_t;

// 0: there is no room.
int rs_on_core_put_slots(const rs_device_t *d, rs_on_core_call_t *call, const void *values);

// The slots of all frames. 0: there is no room.
int rs_on_core_put_frames(const rs_device_t *d, rs_on_core_call_t *call, const rs_encrypted_t *source);

// As what the message comes in. Words are in place then; if the operation does not start, drop_message removes them.
rs_job_message_t rs_on_core_message_form(const rs_device_t *d, rs_on_core_call_t *call, const rs_plaintext_t *plaintext,
                                         int divided, int alone);

RS_MUST_CHECK rs_status_t rs_on_core_drop_message(const rs_device_t *d, const rs_on_core_call_t *call, rs_status_t status);

// Words are a form that only devices take.
RS_MUST_CHECK rs_status_t rs_on_core_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);

RS_MUST_CHECK rs_status_t rs_on_core_check_source(rs_device_t *d, rs_on_core_call_t *call, const rs_encrypted_t *source);

// Polynomials of the input before row 1.
uint32_t rs_on_core_row_polys(const rs_device_t *d, const rs_on_core_call_t *call);

// Bytes of the input that hold the message, what it is encrypted with, or both.
size_t rs_on_core_secret_bytes(const rs_device_t *d, const rs_on_core_call_t *call, int dividends);

// Bytes of the workspace that a start writes to.
size_t rs_on_core_workspace_used(const rs_device_t *d, const rs_on_core_call_t *call);

// Row 0 of the input: the message, in designs without slots plus an error. Without message and error nothing is needed.
void rs_on_core_put_message(const rs_device_t *d, const rs_on_core_call_t *call, const rs_plaintext_t *plaintext,
                            const int8_t *error, uint64_t *residues);

// times_radix: for u, of which there are products.
void rs_on_core_put_small(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t row, const int8_t *small, int times_radix,
                          uint64_t *residues);

// Both rows of an encryption that is divided by P at the end: P message + floor(P/2), and floor(P/2).
void rs_on_core_put_dividends(const rs_device_t *d, const rs_on_core_call_t *call, const rs_plaintext_t *plaintext,
                              uint64_t *residues);

// Row 1 of the input: c1 from its seed, where the core has no such unit. copy: NULL, or limbs * N words that are wanted too.
RS_MUST_CHECK rs_status_t rs_on_core_put_expansion(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t row_limbs,
                                                   uint32_t first, rs_seed_type_t type, const rs_seed_t *seed, uint64_t *copy,
                                                   uint64_t *residues);

int rs_on_core_expands(const rs_device_t *d, rs_seed_type_t type);

// Whether the ciphertexts of frames, `polys` polynomials each, lie one behind another, as those of a program do. A single one does.
int rs_on_core_in_a_row(const rs_device_t *d, const rs_on_core_call_t *call, size_t polys);

// The core reads the caller's array, if it can.
void rs_on_core_aim_input(const rs_device_t *d, rs_on_core_call_t *call, const uint64_t *polys, size_t count);

// The core writes into the caller's array, if it can.
void rs_on_core_aim_output(const rs_device_t *d, rs_on_core_call_t *call, uint64_t *polys, size_t count);

// The message of a streamed frame at `offset`, all magnitudes below `bound`. 0: some are not, which is all that anybody learns.
int rs_on_core_put_streamed(const rs_device_t *d, size_t offset, const rs_plaintext_t *plaintext, uint64_t bound);

// ---- encrypt.c --------------------------------------------------------------------------------------------------------
RS_MUST_CHECK rs_status_t rs_on_core_start_public(rs_device_t *device, const rs_encrypted_t *source, rs_encryption_t kind,
                                                  rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                                  size_t workspace_bytes);

// Plaintexts that the streaming unit encrypts at once. RS_ERR_DESIGN: not these, or not so many; then nothing is left of them.
RS_MUST_CHECK rs_status_t rs_on_core_start_stream(rs_device_t *d, const rs_device_frame_t *frames, uint32_t count,
                                                  rs_encryption_t kind, rs_rng_t *rng);

RS_MUST_CHECK rs_status_t rs_on_core_start_secret(rs_device_t *device, const rs_encrypted_t *source, rs_ciphertext_t *ciphertext,
                                                  rs_rng_t *rng, void *workspace, size_t workspace_bytes);

// ---- decrypt.c --------------------------------------------------------------------------------------------------------
// Where a decryption goes: a plaintext, or slots.
typedef struct rs_target {
    rs_plaintext_t *plaintext;
    void *values; // NULL: a plaintext
    const rs_fixed_layout_t *layout;
    uint32_t limbs;
    const rs_device_frame_t *frames; // several frames, more than one; NULL: one
    uint32_t count;
    int only_program; // 1: of one frame the program is made and loaded, and nothing starts
} rs_target_t;

RS_MUST_CHECK rs_status_t rs_on_core_start_decryption(rs_device_t *device, const rs_ciphertext_t *ciphertext,
                                                      const rs_target_t *target, void *workspace, size_t workspace_bytes);

#endif
