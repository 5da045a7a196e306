// SPDX-License-Identifier: Apache-2.0
// What the files share that encrypt and decrypt on an accelerator core, by any scheme of client.h. Sections are files; each calls those above it.
#ifndef RINGSIDE_ON_CORE_H
#define RINGSIDE_ON_CORE_H

#include <ringside/golden/program.h>

#include "ckks/context.h"
#include "exact/context.h"
#include "machine/machine.h"

// Polynomials that N words of 64 bits take at most.
enum { RS_MESSAGE_POLYS = 2 };

// An array of the caller's that the core reads or writes itself; data NULL: a copy in memory.
typedef struct rs_own_array {
    const void *data;
    size_t bytes;
    uint64_t address; // as the core sees it
} rs_own_array_t;

// By what a context's constant divides, and with what sign it multiplies.
typedef struct rs_constants {
    uint32_t drop; // a limb; 0: that of limb 1 is divided by limb 0
    uint32_t negative; // 1 in BFV, t in BGV becomes negative
    uint32_t rounded; // 1: what phases of `drop` limbs are rounded with, instead
    uint32_t switched; // limbs from which ciphertexts are switched to the first one, `drop` 1; 0: they are not
    uint32_t batched; // limbs whose messages the core makes of slots, which needs constants besides; 0: it does not
    uint32_t coefficients; // `batched`: ciphertexts are in coefficient form
    uint64_t correction_factor; // `rounded`: of the ciphertext
    uint32_t target; // as in rs_job_t: what this limb's constant multiplies is the other secret
    uint32_t squared;
} rs_constants_t;

// Where things are behind the contexts of a set of BFV or BGV; offsets in memory.
typedef struct rs_behind {
    size_t times; // the error's factor as constant: 64 bytes of each limb
    size_t digits; // constants modulo t, modulo gamma of each limb
    size_t switches; // constants of digits, and of their shares modulo the first limb, by rs_switch_at
    size_t plain; // the context of t
    size_t halves[2]; // polynomials that sums modulo t and modulo gamma begin with; the first one also what is added to messages
    size_t factors; // what messages are multiplied by: 64 bytes of each limb
    size_t offsets; // polynomials that take off what was added: one of each limb
    size_t end;
} rs_behind_t;

// The constant that makes a limb's digit of c_j, or that of its share. Of the first limb, which has no digit, only shares: what c_0 begins with, and c_1's
// count of moduli.
static inline size_t rs_switch_at(const rs_behind_t *behind, uint32_t limb, uint32_t j, uint32_t share) {
    return behind->switches + (4 * limb + 2 * j + share) * (size_t)RS_CONTEXT_HEADER_BYTES;
}

// A part, the key, a phase, two sums; a message beside u, a product and an error, or, rounded, beside two products as well.
enum { RS_ROUNDED_GROUPS = 5, RS_BATCHED_GROUPS = 4, RS_BATCHED_ROUNDED_GROUPS = 6 };

// An operation between start and finish.
typedef struct rs_on_core_call {
    rs_job_t job; // frames 0: one item, without a frame's registers
    uint32_t first_limb; // whose context is number 0 of the program
    size_t key; // offset in memory
    size_t input; // offset, behind everything that stays
    size_t output;
    size_t end;
    size_t secret_bytes; // at input: wiped afterwards
    rs_own_array_t from, to; // polynomials or words that are read; polynomials that are written
    const rs_seed_t *private_seed; // while it starts, of each frame; NULL: not needed
    const rs_seed_t *public_seed;
    rs_encrypt_item_t *encrypts; // one of both, or neither
    rs_decrypt_item_t *decrypts;
    uint32_t seeded, seed_type; // RS_JOB_ENCRYPT_SK: what ciphertexts become
    uint32_t margin_bits; // a decryption's, of integers
    uint32_t galois; // element of the automorphism, in a switching key's row; 0: none
    uint64_t *integers; // while it starts: w of an encryption of integers (exact/context.h); NULL: of other messages
    rs_seed_t seeds[RS_FRAMES_ENCODE]; // from which c1 is made
    union { // by job.message and job.decodes; of polynomials and words there is no more
        struct {
            rs_own_array_t own; // one item's
            uint64_t at[RS_FRAMES_MAX]; // addresses of those of frames
        } slots; // RS_MESSAGE_SLOTS, decodes
        struct {
            size_t bytes; // a frame's message and ciphertext, at input
            uint64_t at[RS_FRAMES_MAX]; // addresses of messages
        } stream; // RS_MESSAGE_FRAME, of slots too
    } message;
} rs_on_core_call_t;

// What a device keeps: rs_device_t.state.
typedef struct rs_on_core {
    const rs_context_t *context; // NULL: none is loaded, and nothing else either
    size_t public_key; // where the keys are in memory; 0: not loaded
    size_t stream_key; // the public key's image for the streaming unit; 0: not there
    size_t secret_key; // twice in BFV and BGV: s, and what c1 is multiplied by when something is encrypted
    size_t secret_place; // room for a secret key, kept when one is forgotten; 0: none yet
    size_t roots; // roots of fixed point; 0: not loaded
    const void *loaded[3]; // what keys and roots were loaded from: only to be compared
    uint64_t factor; // the constant of their context
    uint64_t added_factor; // and its factor
    rs_constants_t constants; // what contexts have
    uint64_t gamma; // a modulus above those of the set, prime to them; 0: phases are not rounded in the core
    uint32_t has_plain; // the context of t is there
    rs_encrypt_item_t row; // the item of a switching key's row
    rs_on_core_call_t call;
} rs_on_core_t;

_Static_assert(sizeof(rs_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t), "what CKKS keeps has its place in a device");

extern const rs_tenant_t RS_CLIENT_ON_CORE;

// While the device is a scheme's of client.h, or nobody's: then all of it is zeros.
static inline const rs_on_core_t *rs_on_core(const rs_device_t *d) { return (const rs_on_core_t *)(const void *)d->state; }

static inline rs_on_core_t *rs_on_core_of(rs_device_t *d) { return (rs_on_core_t *)(void *)d->state; }

// RS_ERR_NULL, RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_NOT_LOADED: no context is loaded.
static inline rs_status_t rs_on_core_ready(const rs_device_t *d) {
    if (!d) return RS_ERR_NULL;
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    return d->tenant == &RS_CLIENT_ON_CORE && rs_on_core(d)->context ? RS_OK : RS_ERR_DEVICE_NOT_LOADED;
}

// Whether an encryption with special prime has the groups to round its errors before they are used (device_ckks.h).
static inline int rs_design_rounds(const rs_design_t *design) { return design->groups >= 5; }

// ---- rounding.c -------------------------------------------------------------------------------------------------------
rs_behind_t rs_on_core_behind(const rs_design_t *design, uint32_t log_n, uint32_t limb_count);
// Whether the core computes modulo t for such a set, if there is memory.
int rs_on_core_has_plain(const rs_design_t *design, const rs_params_t *params);
// What does not change: once a context is there.
void rs_on_core_load_rounding(rs_device_t *d);
// The constant of a limb's context; what is behind the contexts.
uint64_t rs_on_core_digit_factor(const rs_device_t *d, const rs_constants_t *of, uint32_t limb);
void rs_on_core_put_rounding(const rs_device_t *d, const rs_constants_t *of);
// What results are multiplied by where contexts have another constant.
void rs_on_core_put_times(const rs_device_t *d, int negative);
void rs_on_core_put_batching(const rs_device_t *d, const rs_constants_t *of);
// What a message is multiplied by before it is taken off.
uint64_t rs_on_core_message_factor(const rs_context_t *context, const rs_constants_t *of, uint32_t limb);

// ---- images.c ---------------------------------------------------------------------------------------------------------
// A context's two constants: of rs_device_image_context, but for the factor.
void rs_on_core_header(const rs_design_t *design, const rs_context_t *context, uint32_t limb, rs_constants_t of, uint8_t *image);
// What the image of another secret is multiplied by before a row of a switching key has it taken off.
uint64_t rs_on_core_target_factor(const rs_design_t *design, const rs_context_t *context, uint32_t limb, int squared);
// What the results of an encryption are multiplied by: the error's factor, or with negative that of a secret key's.
uint64_t rs_on_core_times(const rs_context_t *context, uint32_t limb, int negative);

// ---- memory.c ---------------------------------------------------------------------------------------------------------
// contexts | keys, in the order of their loading | input of a call | output of a call
static inline size_t rs_on_core_poly_bytes(const rs_device_t *d) {
    return rs_design_poly_bytes(&d->design, rs_on_core(d)->context->params.log_n);
}

static inline size_t rs_on_core_word_bytes(const rs_device_t *d) { return rs_on_core(d)->context->n * sizeof(uint64_t); }

static inline size_t rs_on_core_key_limbs(const rs_device_t *d) { return rs_on_core(d)->context->params.limb_count; }

static inline uint8_t *rs_on_core_poly_at(const rs_device_t *d, size_t offset, size_t index) {
    return d->bus.memory + offset + index * rs_on_core_poly_bytes(d);
}

// The secret key's image that encrypts.
static inline size_t rs_on_core_key_for_c1(const rs_device_t *d) {
    const rs_on_core_t *s = rs_on_core(d);
    const size_t skipped = s->context->params.scheme == RS_SCHEME_CKKS ? 0 : rs_on_core_key_limbs(d);
    return s->secret_key + skipped * rs_on_core_poly_bytes(d);
}

// The other secret of a switching key's row, in front of the input: of an automorphism.
static inline size_t rs_on_core_target_bytes(const rs_device_t *d, const rs_on_core_call_t *call) {
    return call->job.target && !call->job.squared ? rs_on_core_poly_bytes(d) : 0;
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

// The constants of every context and key image up to `drop`, the number of limbs if none is dropped.
void rs_on_core_set_constants(rs_device_t *d, rs_constants_t to);

// The constant and the factor of the roots' context: what words are multiplied by where a scale is no power of two, and those of a second
// limb. After roots were loaded.
void rs_on_core_set_factors(rs_device_t *d, uint64_t factor, uint64_t added);

// ---- numbers.c --------------------------------------------------------------------------------------------------------
static inline size_t rs_on_core_array_bytes(const rs_job_numbers_t *numbers) {
    return ((size_t)numbers->count << numbers->is_complex) * rs_fixed_format_bytes(numbers->format);
}

// What is beyond changes nothing more.
int32_t rs_on_core_limited(int32_t shift);

// Between the machine's order and little-endian memory.
void rs_on_core_copy_numbers(uint8_t *to, const uint8_t *from, const rs_job_numbers_t *numbers);

RS_MUST_CHECK rs_status_t rs_on_core_set_numbers(const rs_device_t *d, rs_on_core_call_t *call, const rs_layout_t *layout,
                                                 uint32_t count, int32_t shift);

// The core uses an item's array, if it can and that fills lines.
void rs_on_core_aim_message(const rs_device_t *d, rs_on_core_call_t *call, const void *values);

// Values of item i of the call.
const void *rs_on_core_values(const rs_on_core_call_t *call, uint32_t i);

// Where the slots of frames are: the callers' arrays, if the core reaches them and they fill lines, else room for them in memory from
// `offset` on. Bytes that they take there.
size_t rs_on_core_aim_frames(const rs_device_t *d, rs_on_core_call_t *call, size_t offset);

// ---- call.c -----------------------------------------------------------------------------------------------------------
static inline uint32_t rs_on_core_frames_of(const rs_on_core_call_t *call) { return call->job.frames ? call->job.frames : 1; }

// Starts a call: rs_machine_begin.
RS_MUST_CHECK rs_status_t rs_on_core_begin(rs_device_t *d, const rs_on_core_call_t *call);

// ---- integers.c -------------------------------------------------------------------------------------------------------
static inline int rs_on_core_is_exact(const rs_device_t *d) { return rs_on_core(d)->context->params.scheme != RS_SCHEME_CKKS; }

// Residues of w over the error's factor, or of its opposite where the secret key encrypts, plus an error; NULL: none.
void rs_on_core_lift_integers(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t limb, uint64_t *residues,
                              const int8_t *error);
// t^-1 modulo a limb, or its opposite.
uint64_t rs_on_core_plain_inverse(const rs_context_t *context, uint32_t limb, int negative);
// Bytes behind the phases that rs_on_core_round works in.
size_t rs_on_core_round_bytes(const rs_device_t *d);
// The answers of a decryption from its phases, of the job's first polynomials.
RS_MUST_CHECK rs_status_t rs_on_core_round(const rs_device_t *d, const rs_on_core_call_t *call);
// Where the image of a limb's key has pk_0.
static inline size_t rs_on_core_streamed_key(const rs_design_t *design, uint32_t log_n, uint32_t limb) {
    return limb * rs_design_stream_key_bytes(design, log_n) + RS_CONTEXT_HEADER_BYTES +
           rs_design_stream_tables_bytes(design, log_n);
}

// What BFV's row 0, BGV's row 1 are multiplied by before they stream, or what undoes it.
rs_factor_t rs_on_core_streamed_factor(const rs_context_t *context, uint32_t limb, int back);
// The message at `offset`, where w is. workspace: rs_device_workspace().
void rs_on_core_put_streamed_integers(const rs_device_t *d, const rs_on_core_call_t *call, size_t offset, const rs_seed_t *seed,
                                      uint64_t *workspace);

// ---- message.c --------------------------------------------------------------------------------------------------------
// Slots in whole lines.
void rs_on_core_put_numbers(uint8_t *to, const void *values, const rs_job_numbers_t *numbers);

// The slots of all items. 0: there is no room.
int rs_on_core_put_slots(const rs_device_t *d, rs_on_core_call_t *call);

// Words of a workspace before u, e0, e1, and the limb of residues among them.
static inline size_t rs_workspace_words(const rs_context_t *context) {
    return context->n * (context->params.scheme == RS_SCHEME_CKKS ? 1 : 2);
}

static inline uint64_t *rs_workspace_residues(const rs_context_t *context, void *workspace) {
    return (uint64_t *)workspace + rs_workspace_words(context) - context->n;
}

// As what the message comes in. Words are in place then; if the operation does not start, drop_message removes them.
rs_job_message_t rs_on_core_message_form(const rs_device_t *d, rs_on_core_call_t *call, const rs_plaintext_t *plaintext,
                                         int divided, int alone);

RS_MUST_CHECK rs_status_t rs_on_core_drop_message(const rs_device_t *d, const rs_on_core_call_t *call, rs_status_t status);

// Words are a form that only devices take.
RS_MUST_CHECK rs_status_t rs_on_core_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext);

// Level and numbers of the first item.
RS_MUST_CHECK rs_status_t rs_on_core_check_source(rs_device_t *d, rs_on_core_call_t *call);

// Polynomials of the input before row 1.
uint32_t rs_on_core_row_polys(const rs_device_t *d, const rs_on_core_call_t *call);

// Bytes of the input that hold the message, what it is encrypted with, or both.
size_t rs_on_core_secret_bytes(const rs_device_t *d, const rs_on_core_call_t *call, int dividends);

// Bytes of the workspace that a start writes to.
size_t rs_on_core_workspace_used(const rs_device_t *d, const rs_on_core_call_t *call);

// Row 0 of the input: the message, in designs without slots plus an error. Without message and error nothing is needed.
void rs_on_core_put_message(const rs_device_t *d, const rs_on_core_call_t *call, const int8_t *error, uint64_t *residues);

// times_radix: for u, of which there are products.
void rs_on_core_put_small(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t row, const int8_t *small, int times_radix,
                          uint64_t *residues);

// Both rows of an encryption that is divided by P at the end: P message + floor(P/2), and floor(P/2).
void rs_on_core_put_dividends(const rs_device_t *d, const rs_on_core_call_t *call, uint64_t *residues);

// Row 1 of the input: c1 from its seed, where the core has no such unit. copy: NULL, or limbs * N words that are wanted too.
RS_MUST_CHECK rs_status_t rs_on_core_put_expansion(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t row_limbs,
                                                   uint32_t first, rs_seed_type_t type, const rs_seed_t *seed, uint64_t *copy,
                                                   uint64_t *residues);

int rs_on_core_expands(const rs_device_t *d, rs_seed_type_t type);

// Whether the ciphertexts of items, `polys` polynomials each, lie one behind another, as those of a program do. A single one does.
int rs_on_core_in_a_row(const rs_device_t *d, const rs_on_core_call_t *call, size_t polys);

// The core reads the caller's array, if it can.
void rs_on_core_aim_input(const rs_device_t *d, rs_on_core_call_t *call, const uint64_t *polys, size_t count);

// The core writes into the caller's array, if it can.
void rs_on_core_aim_output(const rs_device_t *d, rs_on_core_call_t *call, uint64_t *polys, size_t count);

// The message of a streamed frame at `offset`, all magnitudes below `bound`. 0: some are not, which is all that anybody learns.
int rs_on_core_put_streamed(const rs_device_t *d, size_t offset, const rs_plaintext_t *plaintext, uint64_t bound);

// ---- frames.c ---------------------------------------------------------------------------------------------------------
// What fewer items may be spared.
static inline int rs_on_core_is_too_much(rs_status_t status) {
    return status == RS_ERR_PROGRAM_LENGTH || status == RS_ERR_DESIGN || status == RS_ERR_DEVICE_MEMORY;
}

// Starts *some items of a request from the first one on, or fewer. Too many of them: RS_ERR_DESIGN, and nothing has changed but memory that no one
// else uses.
typedef rs_status_t (*rs_on_core_starts_t)(rs_device_t *d, const void *request, size_t first, uint32_t *some,
                                           rs_device_mode_t mode);
typedef struct rs_on_core_items {
    const void *request;
    rs_on_core_starts_t starts;
    size_t count;
    uint8_t *status; // the first item's
    size_t bytes; // an item's
} rs_on_core_items_t;
#define RS_ON_CORE_ITEMS(r, start) \
    (&(rs_on_core_items_t){r, start, (r)->count, (r)->count ? (uint8_t *)&(r)->items->status : NULL, sizeof *(r)->items})

// All items, as many at a time as go, or one that is started or prepared.
RS_MUST_CHECK rs_status_t rs_on_core_run(rs_device_t *d, rs_device_mode_t mode, const rs_on_core_items_t *items);

// RS_ERR_MISMATCH unless the members of a request are what is loaded, or NULL.
RS_MUST_CHECK rs_status_t rs_on_core_check_loaded(const rs_device_t *d, const rs_context_t *context, const void *public_key,
                                                  const void *secret_key, const void *fixed);

// Whether numbers of two items are laid out alike.
int rs_on_core_same_layout(const rs_layout_t *a, const rs_layout_t *b);

#endif
