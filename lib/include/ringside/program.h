// SPDX-License-Identifier: Apache-2.0
// Programs of the accelerator core (docs/core.md): the parameters of a core, its instructions, and what they read in memory. No scheme is
// known here: device_ckks.h has the programs of CKKS.
//
// A program is an array of 64-bit words that ends with END. It reaches memory by pointer registers, in polynomials of
// rs_design_poly_bytes() and contexts of rs_design_context_bytes().
#ifndef RINGSIDE_PROGRAM_H
#define RINGSIDE_PROGRAM_H

#include "base.h"
#include "isa.h"
#include "plan.h"

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

enum {
    RS_FEATURE_SAMPLER = 1,
    RS_FEATURE_EXPAND = 2,
    RS_FEATURE_ON_THE_FLY = 4,
    RS_FEATURE_REDUCE = 8,
    RS_FEATURE_STREAM_FACTOR = 16,
    RS_FEATURE_ENCODE = 32,
    RS_FEATURE_PIPE = 64, // with the words per cycle of its polynomials in eight bits from RS_FEATURE_STREAM_LANES_SHIFT on
    RS_FEATURE_STREAM_LANES_SHIFT = 8,
    RS_FEATURE_SEALED = 1
        << 8, // with RS_FEATURE_FIELDS, which has no PIPE: keys in slots, of which no program but theirs makes use
    RS_FEATURE_LOG_SLICES_SHIFT = 16, // three bits: log2 of the slices that an operand has at most; 0: none
    RS_FEATURE_FIELDS = 1 << 15 // SPONGE and PACK, and no PIPE: the highest one of its bits
};

// The parameters that a core is built with: its configuration registers.
typedef struct rs_design {
    uint32_t lanes;
    uint32_t word_bits;
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

// Bytes of a polynomial and of a context in memory, both multiples of 64; log_n must be one of the design's.
RS_API size_t rs_design_poly_bytes(const rs_design_t *design, uint32_t log_n);
RS_API size_t rs_design_context_bytes(const rs_design_t *design, uint32_t log_n);
// Bytes of a limb of a key image for the streaming unit: constants, tables, both polynomials of the public key, words of 8 bytes.
RS_API size_t rs_design_stream_key_bytes(const rs_design_t *design, uint32_t log_n);
// Bytes of the tables of streaming transforms; log_n is at least half of the design's log_n_max.
RS_API size_t rs_design_stream_bytes(const rs_design_t *design, uint32_t log_n);
RS_API size_t rs_design_roots_bytes(const rs_design_t *design, uint32_t log_n);

// One instruction as text, always terminated: "MAC g2 g0 g1 ctx1", "LOAD g1 ctx0 [p1 + 0x2000] ntt". Returns the length of
// the whole text; words that are no instruction become ".word 0x…".
RS_API size_t rs_instruction_text(uint64_t word, char *text, size_t capacity);

// ---- memory formats ----------------------------------------------------------------------------------------------------
// A context, rs_design_context_bytes(): the modulus of a ring, its twiddles, and two words that operations multiply by, both below the
// modulus: constant (SCALE, MSUBC) and factor (LIFT).
RS_API void rs_image_context(const rs_design_t *design, const rs_plan_t *plan, uint64_t constant, uint64_t factor, uint8_t *image);
// The polynomial of a plan in either form, rs_design_poly_bytes(): the array, in words of 4 or 8 bytes; and back.
// times_radix: 1 for the operand of a product that is to be a b, because those of the lanes are a b / R; else 0.
RS_API void rs_image_write(const rs_design_t *design, const rs_plan_t *plan, uint8_t *image, const uint64_t *poly, int times_radix);
RS_API void rs_image_read(const rs_design_t *design, const rs_plan_t *plan, uint64_t *poly, const uint8_t *image);

#ifdef __cplusplus
}
#endif

#endif
