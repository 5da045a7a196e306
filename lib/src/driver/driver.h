// SPDX-License-Identifier: Apache-2.0
// What the driver's files share. Sections are files; each calls those above it.
#ifndef RINGSIDE_DRIVER_H
#define RINGSIDE_DRIVER_H

#include <ringside/device.h>
#include <ringside/regs.h>

#include "base/checks.h"
#include "ckks/context_internal.h"
#include "device/design.h"

enum { RS_LINE_BYTES = 64 };

#define RS_REG_BIT(field) (1u << RS_REG_##field##_SHIFT)
#define RS_REG_PART(field, value) ((value) >> RS_REG_##field##_SHIFT & ((1u << RS_REG_##field##_BITS) - 1))

// ---- registers --------------------------------------------------------------------------------------------------------
static inline rs_status_t rs_driver_get(const rs_device_t *d, uint32_t offset, uint32_t *value) {
    return d->bus.read(d->bus.state, offset, value);
}

static inline rs_status_t rs_driver_set(const rs_device_t *d, uint32_t offset, uint32_t value) {
    return d->bus.write(d->bus.state, offset, value);
}

// ---- core.c -----------------------------------------------------------------------------------------------------------
// Wipes the core; a program that runs is aborted. RS_ERR_DEVICE_HUNG: it is wiped, but memory does not answer. RS_ERR_DEVICE_UNWIPED: its
// registers do not answer, or it does not become idle; the device remembers that, and the next call tries again.
RS_MUST_CHECK rs_status_t rs_driver_zeroize(rs_device_t *d);
// Whether one program serves both.
int rs_driver_same_job(const rs_job_t *a, const rs_job_t *b);

// The core keeps its program: a job equal to the last one needs no loading.
RS_MUST_CHECK rs_status_t rs_driver_load_program(rs_device_t *d, const rs_job_t *job);

RS_MUST_CHECK rs_status_t rs_driver_start_core(rs_device_t *d);

// Also if a poll has seen the end: what waits for interrupts shall see each of them.
RS_MUST_CHECK rs_status_t rs_driver_wait_for_core(rs_device_t *d);

// ---- memory.c ---------------------------------------------------------------------------------------------------------
// contexts | keys, in the order of their loading | input of a call | output of a call
static inline size_t rs_driver_poly_bytes(const rs_device_t *d) {
    return rs_design_poly_bytes(&d->design, d->context->params.log_n);
}

static inline size_t rs_driver_word_bytes(const rs_device_t *d) {
    return d->context->n * sizeof(uint64_t);
}

static inline size_t rs_driver_key_limbs(const rs_device_t *d) {
    return d->context->params.limb_count;
}

static inline uint8_t *rs_driver_poly_at(const rs_device_t *d, size_t offset, size_t index) {
    return d->bus.memory + offset + index * rs_driver_poly_bytes(d);
}

static inline size_t rs_driver_line_bytes(size_t bytes) {
    return (bytes + RS_LINE_BYTES - 1) / RS_LINE_BYTES * RS_LINE_BYTES;
}

// Whether it is in the bus's memory, behind all that stays, as the core sees it.
static inline int rs_driver_is_own(const rs_device_t *d, uint64_t address) {
    return address - d->bus.memory_address < d->bus.memory_bytes;
}

static inline void rs_driver_sync_for_device(const rs_device_t *d, const void *data, size_t bytes) {
    if (d->bus.sync_for_device && bytes) d->bus.sync_for_device(d->bus.state, data, bytes);
}

static inline void rs_driver_sync_for_cpu(const rs_device_t *d, const void *data, size_t bytes) {
    if (d->bus.sync_for_cpu && bytes) d->bus.sync_for_cpu(d->bus.state, data, bytes);
}

// Polynomials in whose place these bytes fit.
size_t rs_driver_polys_for(const rs_device_t *d, size_t bytes);

// Zeros in memory itself, not only in a cache.
void rs_driver_wipe(const rs_device_t *d, size_t offset, size_t bytes);

// Whether the core can reach an array of words itself, which are little-endian for it.
int rs_driver_reaches(const rs_device_t *d, const void *words, size_t bytes, uint64_t *address);

// A message and a ciphertext for the streaming unit.
size_t rs_driver_stream_frame_bytes(uint32_t log_n, uint32_t limbs);

// Room for a key; a key of this kind that was there is overwritten.
RS_MUST_CHECK rs_status_t rs_driver_place(rs_device_t *d, size_t *key, size_t polys);

// Room for a call's polynomials.
RS_MUST_CHECK rs_status_t rs_driver_prepare(rs_device_t *d, rs_device_call_t *call, size_t in, size_t out);

// The constants of every context and key image up to `drop`, the number of limbs if none is dropped; 0: those of two limbs that are decoded.
void rs_driver_set_drop(rs_device_t *d, uint32_t drop);

// The constant and the factor of the roots' context: what words are multiplied by where a scale is no power of two, and those of a second
// limb. After rs_device_load_roots.
void rs_driver_set_factors(rs_device_t *d, uint64_t factor, uint64_t added);

// ---- numbers.c --------------------------------------------------------------------------------------------------------
static inline size_t rs_driver_array_bytes(const rs_job_numbers_t *numbers) {
    return ((size_t)numbers->count << numbers->is_complex) * rs_fixed_format_bytes((rs_fixed_format_t)numbers->format);
}

// What is beyond changes nothing more.
int32_t rs_driver_limited(int32_t shift);

// Between the machine's order and little-endian memory.
void rs_driver_copy_numbers(uint8_t *to, const uint8_t *from, const rs_job_numbers_t *numbers);

RS_MUST_CHECK rs_status_t rs_driver_set_numbers(const rs_device_t *d, rs_device_call_t *call, const rs_fixed_layout_t *layout,
                                                int32_t shift);

// The core uses the caller's array, if it can and that fills lines.
void rs_driver_aim_message(const rs_device_t *d, rs_device_call_t *call, const void *values);

// Where the slots of frames are: the callers' arrays, if the core reaches them and they fill lines, else room for them in memory from
// `offset` on. Bytes that they take there.
size_t rs_driver_aim_frames(const rs_device_t *d, rs_device_call_t *call, const rs_device_frame_t *frames, uint32_t count,
                            size_t offset);

// ---- call.c -----------------------------------------------------------------------------------------------------------
static inline uint32_t rs_driver_frames_of(const rs_device_call_t *call) {
    return call->frames ? call->job.frames : 1;
}

// started: how the start went. Nothing is under way afterwards, and nothing secret is left.
RS_MUST_CHECK rs_status_t rs_driver_end(rs_device_t *d, rs_status_t started);

RS_MUST_CHECK rs_status_t rs_driver_begin(rs_device_t *d, const rs_device_call_t *call);

// ---- load.c -----------------------------------------------------------------------------------------------------------
// Wipes the secret key and forgets all that was loaded.
void rs_device_forget(rs_device_t *device);

// ---- message.c --------------------------------------------------------------------------------------------------------
// What a call encrypts: a plaintext, or slots that the core encodes.
typedef struct rs_driver_source {
    const rs_plaintext_t *plaintext;
    const void *values; // NULL: a plaintext
    const rs_fixed_layout_t *layout;
    double scale;
    uint32_t limbs;
    const rs_device_frame_t *frames; // slots of several frames, more than one, and where they go; NULL: one
    uint32_t count;
} rs_driver_source_t;

// 0: there is no room.
int rs_driver_put_slots(const rs_device_t *d, rs_device_call_t *call, const void *values);

// The slots of all frames. 0: there is no room.
int rs_driver_put_frames(const rs_device_t *d, rs_device_call_t *call, const rs_driver_source_t *source);

// As what the message comes in. Words are in place then; if the operation does not start, drop_message removes them.
rs_job_message_t rs_driver_message_form(const rs_device_t *d, rs_device_call_t *call, const rs_plaintext_t *plaintext, int divided,
                                        int alone);

RS_MUST_CHECK rs_status_t rs_driver_drop_message(const rs_device_t *d, const rs_device_call_t *call, rs_status_t status);

// Words are a form that only devices take.
RS_MUST_CHECK rs_status_t rs_driver_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);

RS_MUST_CHECK rs_status_t rs_driver_check_source(rs_device_t *d, rs_device_call_t *call, const rs_driver_source_t *source);

// Polynomials of the input before row 1.
uint32_t rs_driver_row_polys(const rs_device_t *d, const rs_device_call_t *call);

// Bytes of the input that hold the message, what it is encrypted with, or both.
size_t rs_driver_secret_bytes(const rs_device_t *d, const rs_device_call_t *call, int dividends);

// Bytes of the workspace that a start writes to.
size_t rs_driver_workspace_used(const rs_device_t *d, const rs_device_call_t *call);

// Row 0 of the input: the message, in designs without slots plus an error. Without message and error nothing is needed.
void rs_driver_put_message(const rs_device_t *d, const rs_device_call_t *call, const rs_plaintext_t *plaintext, const int8_t *error,
                           uint64_t *residues);

// times_radix: for u, of which there are products.
void rs_driver_put_small(const rs_device_t *d, const rs_device_call_t *call, uint32_t row, const int8_t *small, int times_radix,
                         uint64_t *residues);

// Both rows of an encryption that is divided by P at the end: P message + floor(P/2), and floor(P/2).
void rs_driver_put_dividends(const rs_device_t *d, const rs_device_call_t *call, const rs_plaintext_t *plaintext,
                             uint64_t *residues);

// Row 1 of the input: c1 from its seed, where the core has no such unit. copy: NULL, or limbs * N words that are wanted too.
RS_MUST_CHECK rs_status_t rs_driver_put_expansion(const rs_device_t *d, const rs_device_call_t *call, uint32_t row_limbs,
                                                  uint32_t first, rs_seed_type_t type, const rs_seed_t *seed, uint64_t *copy,
                                                  uint64_t *residues);

int rs_driver_expands(const rs_device_t *d, rs_seed_type_t type);

// Whether the ciphertexts of frames, `polys` polynomials each, lie one behind another, as those of a program do. A single one does.
int rs_driver_in_a_row(const rs_device_t *d, const rs_device_call_t *call, size_t polys);

// The core reads the caller's array, if it can.
void rs_driver_aim_input(const rs_device_t *d, rs_device_call_t *call, const uint64_t *polys, size_t count);

// The core writes into the caller's array, if it can.
void rs_driver_aim_output(const rs_device_t *d, rs_device_call_t *call, uint64_t *polys, size_t count);

// The message of a streamed frame at `offset`, all magnitudes below `bound`. 0: some are not, which is all that anybody learns.
int rs_driver_put_streamed(const rs_device_t *d, size_t offset, const rs_plaintext_t *plaintext, uint64_t bound);

// ---- encrypt.c --------------------------------------------------------------------------------------------------------
RS_MUST_CHECK rs_status_t rs_driver_start_public(rs_device_t *device, const rs_driver_source_t *source, rs_encryption_t kind,
                                                 rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                                 size_t workspace_bytes);

// Plaintexts that the streaming unit encrypts at once. RS_ERR_DESIGN: not these, or not so many; then nothing is left of them.
RS_MUST_CHECK rs_status_t rs_driver_start_stream(rs_device_t *d, const rs_device_frame_t *frames, uint32_t count,
                                                 rs_encryption_t kind, rs_rng_t *rng);

RS_MUST_CHECK rs_status_t rs_driver_start_secret(rs_device_t *device, const rs_driver_source_t *source, rs_ciphertext_t *ciphertext,
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
} rs_target_t;

RS_MUST_CHECK rs_status_t rs_driver_start_decryption(rs_device_t *device, const rs_ciphertext_t *ciphertext,
                                                     const rs_target_t *target, void *workspace, size_t workspace_bytes);

#endif
