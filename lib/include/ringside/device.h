// SPDX-License-Identifier: Apache-2.0
// Driver of the accelerator core (docs/core.md): the operations of ckks.h, computed by hardware. The same seeds give the same bits.
//
// A device computes with one context, one public key and one secret key at a time. They stay in memory that both sides reach (rs_bus_t)
// until others are loaded. Only one call at a time per device. Workspaces: 8-byte aligned, rs_device_workspace() bytes; what is written to
// them is wiped.
// If the core ends a program by a fault, the call returns the status for that fault, and device->report says cause and instruction. The
// core is then wiped and ready for the next call. Statuses of the bus's functions are passed on. Every wait has a time limit (rs_bus_t).
#ifndef RINGSIDE_DEVICE_H
#define RINGSIDE_DEVICE_H

#include "ckks.h"
#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

// How to reach a core.
typedef struct rs_bus {
    void *state;
    // Registers, by byte offset.
    rs_status_t (*read)(void *state, uint32_t offset, uint32_t *value);
    rs_status_t (*write)(void *state, uint32_t offset, uint32_t value);
    // Returns when the core has raised its interrupt, or earlier: it must not sleep for ever if the interrupt does not come, because the
    // driver's time limit counts only between its calls. NULL: the driver polls.
    rs_status_t (*wait)(void *state);
    // A clock for the driver's time limit, in ticks of any length, from any start; it may wrap. NULL: the driver counts instead.
    uint64_t (*now)(void *state);
    // How long a program may take by the driver's measure, before it gives up and wipes the core (RS_ERR_DEVICE_BUSY, or RS_ERR_DEVICE_HUNG; RS_ERR_DEVICE_UNWIPED if that failed).
    // With `now` in its ticks; without it in reads of STATUS, of which there is one for every return of wait(). 0: as many reads as the
    // core's watchdog has cycles (a read takes the core three), so that the watchdog comes first.
    uint64_t time_limit;
    // Memory that the core reaches too.
    uint8_t *memory;
    uint64_t memory_address; // of memory[0] as the core sees it, a multiple of 4096
    size_t memory_bytes;
    // Where the core and this side do not see memory coherently: called with every piece that this side has written before the core
    // reads it, and that the core will write (clean the caches); and that the core has written before this side reads it (invalidate
    // them). NULL: coherent.
    void (*sync_for_device)(void *state, const void *data, size_t bytes);
    void (*sync_for_cpu)(void *state, const void *data, size_t bytes);
    // Whether the core reaches these bytes of the caller's own memory (any array that a call was given) in one piece: returns 1 and their
    // address, or 0. If that is a multiple of 64, the core reads and writes the array itself, in words of 8 bytes. NULL: it never does.
    int (*reach)(void *state, const void *data, size_t bytes, uint64_t *address);
} rs_bus_t;

// How the last program went.
typedef struct rs_device_report {
    uint64_t cycles; // from start to interrupt
    uint32_t unit_cycles[RS_UNIT_COUNT]; // in which each unit ran an instruction
    rs_fault_t cause;
    uint32_t pc; // instruction that it ended at
    uint32_t instructions; // length of the program
} rs_device_report_t;

enum { RS_PROGRAM_WORDS_MAX = 2048, RS_DEVICE_PROGRAMS = 8 };

// Private: a program that was built, for the next job of its kind.
typedef struct rs_device_program {
    rs_job_t job;
    uint32_t first; // in rs_device_t.program
    uint32_t words;
} rs_device_program_t;

// Private: a wait that ends, by the clock of the bus if it has one, else by the number of reads.
typedef struct rs_patience {
    uint64_t start; // by the clock
    uint64_t ticks; // of it; 0: no limit by the clock
    uint64_t reads; // of STATUS that are left; not counted with a limit by the clock
} rs_patience_t;

// One of several frames that are encrypted, encoded and encrypted, decrypted, or decrypted and decoded, in one call.
typedef struct rs_device_frame {
    void *values; // slots; an encryption only reads them
    rs_ciphertext_t *ciphertext; // a decryption only reads it
    const rs_plaintext_t *plaintext; // rs_device_encrypt_public_frames, instead of slots
    rs_plaintext_t *decrypted; // rs_device_decrypt_frames, instead of slots
} rs_device_frame_t;

// Private: an operation between start and finish.
typedef struct rs_device_call {
    int under_way;
    rs_job_t job;
    uint32_t first_limb; // whose context is number 0 of the program
    size_t key; // offset in memory
    size_t input; // offset, behind everything that stays
    size_t output;
    size_t end;
    size_t secret_bytes; // at input: wiped afterwards
    const uint64_t *user_input; // the caller's array instead, which the core reads itself; NULL: none
    uint64_t *user_output;
    uint64_t input_address; // of them as the core sees them
    uint64_t output_address;
    size_t user_input_bytes;
    size_t user_output_bytes;
    const rs_seed_t *private_seed; // while it starts, of each frame; NULL: not needed
    const rs_seed_t *public_seed;
    const rs_device_frame_t *frames; // job.frames of them; NULL: there is one, which the members below say
    uint64_t messages[RS_FRAMES_MAX]; // of frames: the slots' addresses, or those of streamed messages
    size_t stream_bytes; // RS_MESSAGE_FRAME: of a frame's message and ciphertext, at input
    rs_seed_t seeds[RS_FRAMES_MAX]; // of seeded ciphertexts
    int private_set; // the core's register holds a private seed
    rs_patience_t patience;
    const void *user_message; // RS_MESSAGE_SLOTS, decodes: as user_input
    uint64_t message_address;
    size_t user_message_bytes;
    void *values; // where slots go
    rs_fixed_layout_t layout;
    rs_plaintext_t described; // of slots that are encrypted: their level and scale
    const rs_plaintext_t *message; // where the result goes, and what it says
    rs_ciphertext_t *ciphertext;
    rs_plaintext_t *plaintext;
    double scale;
} rs_device_call_t;

// The caller provides this struct. `design` and `report` may be read; the other members are private.
typedef struct rs_device {
    rs_design_t design;
    rs_device_report_t report;
    rs_bus_t bus;
    const rs_context_t *context;
    size_t public_key; // where the keys are in memory; 0: not loaded
    size_t stream_key; // the public key's image for the streaming unit; 0: not there
    size_t secret_key;
    size_t secret_place; // room for a secret key, kept when one is forgotten; 0: none yet
    size_t roots; // of fixed point; 0: not loaded
    uint64_t factor; // the constant of their context
    uint64_t added_factor; // and its factor
    size_t used; // bytes of memory in use, before the buffers of a call
    uint32_t drop; // limb by which the contexts' constants divide; 0: that of limb 1 by limb 0
    rs_job_t job; // the job of the program in the core's program memory
    size_t program_first; // where it is in `program`
    size_t program_words; // 0: there is no program
    uint32_t unwiped; // 1: a wipe failed, and the core may hold secrets; the next call wipes first
    rs_device_call_t call;
    uint32_t kept; // programs that were built
    rs_device_program_t programs[RS_DEVICE_PROGRAMS];
    uint64_t program[RS_PROGRAM_WORDS_MAX];
} rs_device_t;

// ---- the device --------------------------------------------------------------------------------------------------------
// Finds the core, reads its design and wipes it. RS_ERR_DEVICE_ABSENT, RS_ERR_DEVICE_VERSION, RS_ERR_DEVICE_DESIGN,
// RS_ERR_DEVICE_ADDRESS, RS_ERR_DEVICE_UNWIPED, RS_ERR_DEVICE_HUNG.
RS_API RS_MUST_CHECK rs_status_t rs_device_open(rs_device_t *device, const rs_bus_t *bus);
// Wipes the core, and everything secret in the bus's memory. RS_ERR_DEVICE_UNWIPED: not the core; the device stays open, to be closed again
// when the core answers, or has been reset.
RS_API RS_MUST_CHECK rs_status_t rs_device_close(rs_device_t *device);
// After RS_ERR_DEVICE_HUNG, of rs_device_open too: resets the core's side of the memory bus. Only while the interconnect between core and
// memory is in reset, or has been since the error: what it still owes the core, or the core owes it, is lost. Contexts and keys stay loaded.
// RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_UNWIPED.
RS_API RS_MUST_CHECK rs_status_t rs_device_reset_bus(rs_device_t *device);
// Power-on test: compares every kind of encryption and decryption that the design supports, with encode and decode if it has them, at its
// smallest N with two limbs, with the library's result. It forgets what was loaded. memory: 8-byte aligned, rs_device_self_test_size() bytes. RS_ERR_DEVICE_SELFTEST.
RS_API size_t rs_device_self_test_size(const rs_design_t *design);
RS_API RS_MUST_CHECK rs_status_t rs_device_self_test(rs_device_t *device, void *memory, size_t memory_bytes);

// Whether a design can compute with these parameters: RS_ERR_DESIGN_DEGREE, RS_ERR_DESIGN_WIDTH, RS_ERR_DESIGN_REDUCTION.
RS_API RS_MUST_CHECK rs_status_t rs_design_fits(const rs_design_t *design, const rs_params_t *params);
// Bytes of bus memory with which every call works: contexts, both keys, and the buffers of a call on poly_count polynomials (2 unless
// longer ciphertexts are decrypted).
RS_API size_t rs_device_memory_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count);

// ---- what stays in memory ----------------------------------------------------------------------------------------------
// The context must outlive its use here; keys are copied. A new context forgets the keys.
// RS_ERR_DEVICE_MEMORY, and the statuses of rs_design_fits. Keys: RS_ERR_MISMATCH, RS_ERR_SEEDED, RS_ERR_DEVICE_EMPTY (no context yet).
RS_API RS_MUST_CHECK rs_status_t rs_device_load_context(rs_device_t *device, const rs_context_t *context);
RS_API RS_MUST_CHECK rs_status_t rs_device_load_public_key(rs_device_t *device, const rs_ciphertext_t *key);
// The secret key stays in the bus's memory, in NTT form, until it is replaced or forgotten, or the device is closed.
RS_API RS_MUST_CHECK rs_status_t rs_device_load_secret_key(rs_device_t *device, const rs_secret_key_t *key);
// Wipes the secret key from the bus's memory, and the core, whose groups may hold it. Everything else stays loaded. RS_OK also without
// a key. If the bus returns an error, the image is wiped nevertheless.
RS_API RS_MUST_CHECK rs_status_t rs_device_forget_secret_key(rs_device_t *device);

// The roots of fixed point, with which the core encodes and decodes; tables are copied. RS_ERR_DESIGN: it cannot (RS_FEATURE_ENCODE);
// RS_ERR_MISMATCH: they are for another N or another word; RS_ERR_DEVICE_EMPTY, RS_ERR_DEVICE_MEMORY.
RS_API RS_MUST_CHECK rs_status_t rs_device_load_roots(rs_device_t *device, const rs_fixed_t *fixed);

// ---- operations: as their namesakes in ckks.h --------------------------------------------------------------------------
RS_API size_t rs_device_workspace(const rs_context_t *context);
// 1 if messages in words are less work than in doubles: the core reduces them, and where it reaches them it reads the array itself (not for
// RS_ENCRYPT_PK with fewer than five groups: there it gets P times them). They are taken in any case.
RS_API int rs_device_reads_words(const rs_device_t *device, rs_encryption_t kind);
// A message may also be in words (rs_encode_words).
// kind RS_ENCRYPT_PK needs a design with a slot, and five groups or two contexts (RS_ERR_DESIGN).
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt_public(rs_device_t *device, const rs_plaintext_t *plaintext,
                                                          rs_encryption_t kind, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                                          void *workspace, size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt_secret(rs_device_t *device, const rs_plaintext_t *plaintext,
                                                          rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                                          size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                                                   rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes);

// ---- slots in, ciphertext out, and back: after rs_device_load_roots ----------------------------------------------------
// rs_encode_fixed with the design's words, and an encryption: the same bits. Integers only (RS_ERR_FIXED_FORMAT), at least one slot, and
// scale 2^bound at most 2^(bits of the level - 2) (RS_ERR_OVERFLOW) and 2^(bits of the smallest modulus - 1) (RS_ERR_DESIGN). A scale with a
// factor (rs_encode_fixed_scale), which is most that are no powers of two, costs a pass of the lanes more, N / lanes cycles.
// RS_ERR_FIXED_RANGE: a value does not fit. RS_ERR_DESIGN also for fewer than four groups, RS_ENCRYPT_PK: six. Where the core reaches the
// array, and it fills whole lines of 64 bytes, nothing is copied.
RS_API RS_MUST_CHECK rs_status_t rs_device_encode_encrypt_public(rs_device_t *device, const void *values,
                                                                 const rs_fixed_layout_t *layout, double scale, uint32_t limb_count,
                                                                 rs_encryption_t kind, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                                                 void *workspace, size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_encode_encrypt_secret(rs_device_t *device, const void *values,
                                                                 const rs_fixed_layout_t *layout, double scale, uint32_t limb_count,
                                                                 rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                                                 size_t workspace_bytes);
// rs_decrypt of the first limb or of the first two, and rs_decode_fixed: the same bits. limb_count is 1 or 2, at most the ciphertext's
// (RS_ERR_LEVEL): as many as the message needs (rs_limbs_needed), since every limb costs time. RS_ERR_FIXED_RANGE: a slot or a coefficient is out
// of range; values hold zeros. A scale that is no power of two costs a pass of the lanes more, N / lanes cycles. Two limbs need four groups
// (RS_ERR_DESIGN).
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt_decode(rs_device_t *device, const rs_ciphertext_t *ciphertext,
                                                          uint32_t limb_count, void *values, const rs_fixed_layout_t *layout,
                                                          void *workspace, size_t workspace_bytes);

// rs_device_encrypt_public of each plaintext, in this order: the same bits and seeds. Where the core has the streaming unit (RS_FEATURE_PIPE), as
// many at a time as RS_FRAMES_MAX, program memory and the bus's memory allow: the lanes prepare one frame while another one is streamed. That takes
// plaintexts of one level after the other, whose coefficients' magnitudes are below each of its moduli; others go one by one. If one fails,
// ciphertexts of it and of those after it are undefined. count may be 0. Memory for all at a time is rs_device_frames_bytes.
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt_public_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                                 rs_encryption_t kind, rs_rng_t *rng, void *workspace,
                                                                 size_t workspace_bytes);

// rs_device_decrypt of each ciphertext into its `decrypted`: the same residues. As many at a time as RS_FRAMES_MAX, program memory and the
// bus's memory allow: the secret key comes from memory once for each limb of all of them, and one is loaded while another one is stored. That
// takes ciphertexts of one level and number of polynomials one after the other, not seeded, and three groups; others go one by one. If one
// fails, plaintexts of it and of those after it are undefined. count may be 0. Memory for all at a time is rs_device_frames_bytes of a design with the streaming unit.
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                          uint32_t limb_count, void *workspace, size_t workspace_bytes);

// Encode and encrypt, or decrypt and decode, for several frames of one layout, level and scale, as many at a time as RS_FRAMES_ENCODE, program memory and the bus's memory allow: they
// overlap in the core. Ciphertexts of one kind, or of two polynomials and one level, scale and form that are not seeded; others go one after
// the other, as all do where a design cannot do more. Bits and seeds are those of as many single calls. If one fails, ciphertexts or values
// of it and of those after it are undefined, but secrets are wiped. count may be 0. Memory for all at a time is rs_device_frames_bytes. Where the core reaches
// the arrays of ciphertexts, and they lie one behind another, nothing of them is copied.
RS_API RS_MUST_CHECK rs_status_t rs_device_encode_encrypt_public_frames(rs_device_t *device, const rs_device_frame_t *frames,
                                                                        size_t count, const rs_fixed_layout_t *layout, double scale,
                                                                        uint32_t limb_count, rs_encryption_t kind, rs_rng_t *rng,
                                                                        void *workspace, size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_encode_encrypt_secret_frames(rs_device_t *device, const rs_device_frame_t *frames,
                                                                        size_t count, const rs_fixed_layout_t *layout, double scale,
                                                                        uint32_t limb_count, rs_rng_t *rng, void *workspace,
                                                                        size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt_decode_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                                 uint32_t limb_count, const rs_fixed_layout_t *layout,
                                                                 void *workspace, size_t workspace_bytes);
// Bytes of bus memory with which as many frames at a time work as a program can have; as rs_device_memory_bytes for designs that have neither encode nor
// the streaming unit.
RS_API size_t rs_device_frames_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count);

// ---- the same in two halves: the processor does something else while the core computes ---------------------------------
// start: everything up to the start of the core. If it returns RS_OK, the operation is under way until rs_device_finish returns, and the
// device takes nothing else but rs_device_poll and rs_device_close (RS_ERR_DEVICE_BUSY). Meanwhile ciphertext and plaintext structs and
// their arrays stay where they are. Of a message in doubles (form COEF) only the struct does: its array may be overwritten, as may the workspace.
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt_public_start(rs_device_t *device, const rs_plaintext_t *plaintext,
                                                                rs_encryption_t kind, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                                                void *workspace, size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_encrypt_secret_start(rs_device_t *device, const rs_plaintext_t *plaintext,
                                                                rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace,
                                                                size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_device_decrypt_start(rs_device_t *device, const rs_ciphertext_t *ciphertext,
                                                         uint32_t limb_count, rs_plaintext_t *plaintext, void *workspace,
                                                         size_t workspace_bytes);
// *done: 1 if rs_device_finish will not wait. RS_ERR_DEVICE_EMPTY: nothing is under way.
RS_API RS_MUST_CHECK rs_status_t rs_device_poll(rs_device_t *device, int *done);
// Waits for the core and completes the operation. In any case nothing is under way afterwards. The statuses of the operation;
// RS_ERR_DEVICE_EMPTY: nothing is under way.
RS_API RS_MUST_CHECK rs_status_t rs_device_finish(rs_device_t *device);

// rs_ntt_forward or rs_ntt_inverse of N words. The words must be below the modulus (RS_ERR_RESIDUE).
RS_API RS_MUST_CHECK rs_status_t rs_device_transform(rs_device_t *device, uint32_t limb, int inverse, uint64_t *poly);

// ---- memory formats ----------------------------------------------------------------------------------------------------
// A polynomial in either form, rs_design_poly_bytes(): the array, in words of 4 or 8 bytes. factor: 1 for a secret key, which WLM wants
// times R.
RS_API void rs_device_image_write(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image,
                                  const uint64_t *poly, int factor);
RS_API void rs_device_image_read(const rs_design_t *design, const rs_context_t *context, uint64_t *poly, const uint8_t *image);
// Constants and twiddles of limb `limb`, rs_design_context_bytes(). LIFT and MSUBC multiply by the inverse of limb `drop`; if drop is
// equal to limb, by 1. drop 0: of limb 0 in limb 1 alone, as two limbs are decoded with.
RS_API void rs_device_image_context(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                    uint8_t *image);
// The tables that streaming transforms modulo limb `limb` make their twiddles from (hw/stream/README.md), rs_design_stream_bytes().
RS_API void rs_device_image_stream(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image);
// Limb `limb` of a key image for the streaming unit, rs_design_stream_key_bytes(): constants as of a context, tables, both polynomials of the
// public key, words of 8 bytes.
RS_API void rs_device_image_stream_key(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                       uint8_t *image, const uint64_t *pk0, const uint64_t *pk1);
// The roots of fixed point, rs_design_roots_bytes().
RS_API void rs_device_image_roots(const rs_design_t *design, const rs_fixed_t *fixed, uint8_t *image);

#ifdef __cplusplus
}
#endif

#endif
