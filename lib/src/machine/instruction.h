// SPDX-License-Identifier: Apache-2.0
// Instruction words of the accelerator core: what hw/sequencer/isa.toml says about each operation, as a table.
#ifndef RINGSIDE_INSTRUCTION_H
#define RINGSIDE_INSTRUCTION_H

#include <ringside/isa.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rs_operand {
    RS_OPERAND_NONE,
    RS_OPERAND_GROUP,
    RS_OPERAND_SLOT,
    RS_OPERAND_CONTEXT,
    RS_OPERAND_SLOTS,
    RS_OPERAND_DIGEST
} rs_operand_t;

// RS_OPERAND_SLOTS: the first of so many, which are read.
enum { RS_OPERAND_SLOTS_COUNT = 3 };

// What an operation has besides its operands.
enum {
    RS_USES_CTX = 1,
    RS_USES_MEMORY = 2, // pointer and offset
    RS_USES_WIDE = 4,
    RS_USES_NUMBERS = 8, // pointer and numbers (rs_numbers_t)
    RS_USES_ROOTS = 16, // ctx, which has the roots of fixed point
    RS_USES_ENCODE = 32, // only with RS_FEATURE_ENCODE
    RS_USES_FRAME = 64, // number of a frame
    RS_USES_LIMBS = 128, // last_limb; the address is pointer 7 of the frame
    RS_USES_PART = 256, // part of an INTT: rs_part_t
    RS_USES_TWIDDLES = 512, // ctx, which has twiddles
    RS_USES_LOG_SIZE = 1024, // log2 of the size of a slice
    RS_USES_SLICES = 2048, // how many, and where those of its operands begin
    RS_USES_NEAR = 4096, // pointer and near
    RS_USES_FIELDS = 8192, // only with RS_FEATURE_FIELDS
};

enum { RS_OP_FIELDS_MAX = 12 };

// How a field stands in a program's text: "ctx1", "[p1 + 0x40]", or "p1" without offset, a number, "wide", "frame1" unless it is 0.
typedef enum rs_text_style {
    RS_TEXT_CTX,
    RS_TEXT_POINTER,
    RS_TEXT_OFFSET,
    RS_TEXT_NUMBER,
    RS_TEXT_HEX,
    RS_TEXT_FLAG,
    RS_TEXT_NAMED
} rs_text_style_t;

typedef struct rs_text_field {
    const char *name;
    rs_text_style_t style;
    uint8_t shift;
    uint8_t bits;
} rs_text_field_t;

typedef struct rs_op_info {
    const char *name; // NULL: no such operation
    rs_unit_t unit;   // RS_UNIT_COUNT for END
    rs_operand_t dst;
    rs_operand_t a;
    rs_operand_t b;
    int reads_dst;
    unsigned uses;
    uint64_t bits; // all that it may set
    uint8_t fields[RS_OP_FIELDS_MAX]; // besides the operands, in the order of the text
} rs_op_info_t;

// Parts of an INTT, in turn: its first stage, its second one, all others.
typedef enum rs_part { RS_PART_ALL, RS_PART_FIRST, RS_PART_SECOND, RS_PART_REST } rs_part_t;

// Numbers in memory, as the field of LOADS and STORES describes them.
enum {
    RS_NUMBERS_FORMAT_BITS = 3, // rs_fixed_format_t
    RS_NUMBERS_COMPLEX_SHIFT = 3,
    RS_NUMBERS_SHIFT_SHIFT = 4, // 8 bits, two's complement
    RS_NUMBERS_COUNT_SHIFT = 12, // 16 bits: slots - 1
};

// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
// Bits of a field of LOADF and STOREF by their place.
static const uint8_t RS_FIELD_WIDTHS[] = {1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20};

// Values of fields.
// clang-format off
typedef enum rs_b_map { RS_B_MAP_SAME = 0, RS_B_MAP_ONE = 1, RS_B_MAP_PAIR = 2 } rs_b_map_t;
typedef enum rs_hash_kind { RS_HASH_SHAKE128 = 0, RS_HASH_SHAKE256 = 1, RS_HASH_SHA3_256 = 2, RS_HASH_SHA3_384 = 3,
    RS_HASH_SHA3_512 = 4 } rs_hash_kind_t;
typedef enum rs_draw { RS_DRAW_PARSE_12 = 0, RS_DRAW_PARSE_23 = 1, RS_DRAW_PARSE_14 = 2, RS_DRAW_PARSE_16 = 3,
    RS_DRAW_PARSE_16_BIG = 4, RS_DRAW_CBD2 = 8, RS_DRAW_CBD3 = 9, RS_DRAW_PSI16 = 10, RS_DRAW_ETA2 = 11, RS_DRAW_ETA4 = 12,
    RS_DRAW_MASK18 = 13, RS_DRAW_MASK20 = 14 } rs_draw_t;
typedef enum rs_grow { RS_LOAD_PLAIN = 0, RS_LOAD_MINUS = 1, RS_LOAD_GROW = 2 } rs_grow_t;
typedef enum rs_shrink { RS_STORE_PLAIN = 0, RS_STORE_MINUS = 1, RS_STORE_SHRINK = 2, RS_STORE_UPPER = 3, RS_STORE_LOWER = 4,
    RS_STORE_HIGH = 5 } rs_shrink_t;
typedef enum rs_norm { RS_NORM_CENTRED = 0, RS_NORM_LOW_88 = 1, RS_NORM_LOW_32 = 2, RS_NORM_CENTRED_88 = 3,
    RS_NORM_CENTRED_32 = 4 } rs_norm_t;
// clang-format on
// ---- end of what is made

// Entry of a word's operation, or NULL.
const rs_op_info_t *rs_op_info(uint64_t word);

#define RS_FIELD(name, value) ((uint64_t)(value) << RS_ISA_##name##_SHIFT)
#define RS_GET_FIELD(name, word) ((uint32_t)((word) >> RS_ISA_##name##_SHIFT & ((UINT64_C(1) << RS_ISA_##name##_BITS) - 1)))

#endif
