// SPDX-License-Identifier: Apache-2.0
// Instruction words of the accelerator core: what hw/sequencer/isa.toml says about each operation, as a table.
#ifndef RINGSIDE_INSTRUCTION_H
#define RINGSIDE_INSTRUCTION_H

#include <ringside/isa.h>
#include <stddef.h>
#include <stdint.h>

typedef enum rs_operand { RS_OPERAND_NONE, RS_OPERAND_GROUP, RS_OPERAND_SLOT, RS_OPERAND_CONTEXT, RS_OPERAND_SLOTS } rs_operand_t;

// RS_OPERAND_SLOTS: the first of so many, which are read.
enum { RS_OPERAND_SLOTS_COUNT = 3 };

// Fields that an operation uses besides its operands.
enum {
    RS_USES_CTX = 1,
    RS_USES_MEMORY = 2, // base and imm
    RS_USES_WIDE = 4,
    RS_USES_NTT = 8,
    RS_USES_SECRET = 16,
    RS_USES_ADD = 32,
    RS_USES_ALT = 64,
    RS_USES_NUMBER = 128, // low 8 bits of imm
    RS_USES_NUMBERS = 256, // base and 28 bits of imm, which describe numbers (rs_numbers_t)
    RS_USES_ROOTS = 512, // ctx, which has the roots of fixed point
    RS_USES_ENCODE = 1024, // only with RS_FEATURE_ENCODE
    RS_USES_FRAME = 2048, // imm has a frame: rs_design_frames
    RS_USES_LIMBS = 4096, // low 12 bits of imm: limbs - 1; the address is pointer 7 of the frame
    RS_USES_PART = 8192, // of an INTT: rs_part_t
    RS_USES_TWIDDLES = 16384, // ctx, which has twiddles
};

typedef struct rs_op_info {
    const char *name; // NULL: no such operation
    rs_unit_t unit;   // RS_UNIT_COUNT for END
    rs_operand_t dst;
    rs_operand_t a;
    rs_operand_t b;
    int reads_dst;
    unsigned uses;
} rs_op_info_t;

// Parts of an INTT, in turn: its first stage, its second one, all others.
typedef enum rs_part { RS_PART_ALL, RS_PART_FIRST, RS_PART_SECOND, RS_PART_REST } rs_part_t;

// Numbers in memory, as the imm of LOADS and STORES describes them.
enum {
    RS_NUMBERS_FORMAT_BITS = 3, // rs_fixed_format_t, integers only
    RS_NUMBERS_COMPLEX_SHIFT = 3,
    RS_NUMBERS_SHIFT_SHIFT = 4, // 8 bits, two's complement
    RS_NUMBERS_COUNT_SHIFT = 12, // 16 bits: slots - 1
    RS_NUMBERS_BITS = RS_FRAME_SHIFT,
};

// 8 bits of two's complement.
static inline int32_t rs_shift_of(uint32_t bits) {
    return (int32_t)((bits & 255) ^ 128) - 128;
}

// The frame of an instruction, one of RS_FRAMES_MAX.
static inline uint32_t rs_frame_of(uint32_t imm) {
    return imm >> RS_FRAME_SHIFT;
}

// Entry of a word's operation, or NULL.
const rs_op_info_t *rs_op_info(uint64_t word);
// All bits that the operation may set.
uint64_t rs_op_bits(const rs_op_info_t *info);

#define RS_FIELD(name, value) ((uint64_t)(value) << RS_ISA_##name##_SHIFT)
#define RS_GET_FIELD(name, word) ((uint32_t)((word) >> RS_ISA_##name##_SHIFT & ((UINT64_C(1) << RS_ISA_##name##_BITS) - 1)))

#endif
