// SPDX-License-Identifier: Apache-2.0
// The table of operations, and instructions as text.
#include "machine/instruction.h"

#include <ringside/program.h>

// Halves of polynomials and words of 16 bits are for servers' cores: builds for small machines do not know them.
#ifdef RS_BACKENDS
#define SHORT(...) __VA_ARGS__
#else
#define SHORT(...)
#endif

// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
// clang-format off
// Fields beside the operands, as they stand in a program's text.
typedef enum field {
    FIELD_NONE, FIELD_POINTER, FIELD_CTX, FIELD_OFFSET, FIELD_FRAME, FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A,
        FIELD_SLICE_B, FIELD_SLICES, FIELD_A_XOR, FIELD_B_MAP, FIELD_WIDE, FIELD_NTT, FIELD_SECRET, FIELD_ERROR,
        SHORT(FIELD_HALF, FIELD_NARROW,) FIELD_SIGNED, FIELD_ODD, FIELD_ASIDE, FIELD_PART, FIELD_ADD, FIELD_FACTOR,
        FIELD_WHOLE, FIELD_TERNARY, FIELD_FIRST, FIELD_DOMAIN, FIELD_LIMBS, FIELD_LAST_LIMB, FIELD_SHIFT, FIELD_WORDS_SHIFT,
        FIELD_NUMBERS, FIELD_FORM, FIELD_NEAR, FIELD_HASH, FIELD_SKIP, FIELD_APPEND, FIELD_HALVES, FIELD_BYTES, FIELD_DRAW,
        FIELD_SEED_DIGEST, FIELD_LONG_SEED, FIELD_NUMBER_BYTES, FIELD_STEP_HIGH, FIELD_DRAWS, FIELD_NUMBER,
        FIELD_FIELD_WIDTH, FIELD_FIELD_WIDTH_OUT, FIELD_GROW, FIELD_SHRINK, FIELD_NORM, FIELD_POLYS, FIELD_POWER,
        FIELD_MARGIN
} field_t;

static const rs_text_field_t FIELDS[] = {
    [FIELD_POINTER] = {"pointer", RS_TEXT_POINTER, 16, 4},
    [FIELD_CTX] = {"ctx", RS_TEXT_CTX, 20, 4},
    [FIELD_OFFSET] = {"offset", RS_TEXT_OFFSET, 38, 26},
    [FIELD_FRAME] = {"frame", RS_TEXT_NAMED, 60, 4},
    [FIELD_LOG_SIZE] = {"log_size", RS_TEXT_NAMED, 28, 4},
    [FIELD_SLICE_DST] = {"slice_dst", RS_TEXT_NAMED, 32, 6},
    [FIELD_SLICE_A] = {"slice_a", RS_TEXT_NAMED, 38, 6},
    [FIELD_SLICE_B] = {"slice_b", RS_TEXT_NAMED, 44, 6},
    [FIELD_SLICES] = {"slices", RS_TEXT_NAMED, 50, 6},
    [FIELD_A_XOR] = {"a_xor", RS_TEXT_FLAG, 56, 1},
    [FIELD_B_MAP] = {"b_map", RS_TEXT_NAMED, 57, 2},
    [FIELD_WIDE] = {"wide", RS_TEXT_FLAG, 24, 1},
    [FIELD_NTT] = {"ntt", RS_TEXT_FLAG, 25, 1},
    [FIELD_SECRET] = {"secret", RS_TEXT_FLAG, 26, 1},
    [FIELD_ERROR] = {"error", RS_TEXT_FLAG, 27, 1},
    SHORT([FIELD_HALF] = {"half", RS_TEXT_FLAG, 6, 1},)
    SHORT([FIELD_NARROW] = {"narrow", RS_TEXT_FLAG, 7, 1},)
    [FIELD_SIGNED] = {"signed", RS_TEXT_FLAG, 27, 1},
    [FIELD_ODD] = {"odd", RS_TEXT_FLAG, 25, 1},
    [FIELD_ASIDE] = {"aside", RS_TEXT_FLAG, 24, 1},
    [FIELD_PART] = {"part", RS_TEXT_NAMED, 26, 2},
    [FIELD_ADD] = {"add", RS_TEXT_FLAG, 24, 1},
    [FIELD_FACTOR] = {"factor", RS_TEXT_FLAG, 25, 1},
    [FIELD_WHOLE] = {"whole", RS_TEXT_FLAG, 25, 1},
    [FIELD_TERNARY] = {"ternary", RS_TEXT_FLAG, 24, 1},
    [FIELD_FIRST] = {"first", RS_TEXT_FLAG, 24, 1},
    [FIELD_DOMAIN] = {"domain", RS_TEXT_NUMBER, 44, 8},
    [FIELD_LIMBS] = {"limbs", RS_TEXT_NUMBER, 44, 8},
    [FIELD_LAST_LIMB] = {"last_limb", RS_TEXT_NUMBER, 44, 12},
    [FIELD_SHIFT] = {"shift", RS_TEXT_NUMBER, 56, 8},
    [FIELD_WORDS_SHIFT] = {"words_shift", RS_TEXT_NUMBER, 32, 8},
    [FIELD_NUMBERS] = {"numbers", RS_TEXT_HEX, 32, 28},
    [FIELD_FORM] = {"form", RS_TEXT_NAMED, 6, 2},
    [FIELD_NEAR] = {"near", RS_TEXT_OFFSET, 38, 9},
    [FIELD_HASH] = {"hash", RS_TEXT_NAMED, 28, 4},
    [FIELD_SKIP] = {"skip", RS_TEXT_FLAG, 24, 1},
    [FIELD_APPEND] = {"append", RS_TEXT_FLAG, 25, 1},
    [FIELD_HALVES] = {"halves", RS_TEXT_NAMED, 32, 4},
    [FIELD_BYTES] = {"bytes", RS_TEXT_NAMED, 48, 16},
    [FIELD_DRAW] = {"draw", RS_TEXT_NAMED, 12, 4},
    [FIELD_SEED_DIGEST] = {"seed_digest", RS_TEXT_NAMED, 16, 4},
    [FIELD_LONG_SEED] = {"long_seed", RS_TEXT_FLAG, 24, 1},
    [FIELD_NUMBER_BYTES] = {"number_bytes", RS_TEXT_NAMED, 25, 2},
    [FIELD_STEP_HIGH] = {"step_high", RS_TEXT_FLAG, 27, 1},
    [FIELD_DRAWS] = {"draws", RS_TEXT_NAMED, 44, 4},
    [FIELD_NUMBER] = {"number", RS_TEXT_NAMED, 48, 16},
    [FIELD_FIELD_WIDTH] = {"field_width", RS_TEXT_NAMED, 12, 4},
    [FIELD_FIELD_WIDTH_OUT] = {"field_width_out", RS_TEXT_NAMED, 8, 4},
    [FIELD_GROW] = {"grow", RS_TEXT_NAMED, 24, 2},
    [FIELD_SHRINK] = {"shrink", RS_TEXT_NAMED, 24, 3},
    [FIELD_NORM] = {"norm", RS_TEXT_NAMED, 24, 3},
    [FIELD_POLYS] = {"polys", RS_TEXT_NAMED, 47, 4},
    [FIELD_POWER] = {"power", RS_TEXT_NAMED, 51, 5},
    [FIELD_MARGIN] = {"margin", RS_TEXT_NAMED, 56, 8},
};

static const rs_op_info_t OPERATIONS[RS_OP_COUNT] = {
    [RS_OP_END] = {"END", RS_UNIT_COUNT, RS_OPERAND_NONE, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        0, UINT64_C(0x3f), {FIELD_NONE}},
    [RS_OP_LOAD] = {"LOAD", RS_UNIT_LOAD, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_WIDE | RS_USES_LOG_SIZE | RS_USES_MEMORY, UINT64_C(0xffffffffffff0f3f) SHORT(| UINT64_C(0xc0)),
            {FIELD_CTX, FIELD_POINTER, FIELD_OFFSET, FIELD_WIDE, FIELD_NTT, FIELD_SECRET, FIELD_ERROR, SHORT(FIELD_HALF,
            FIELD_NARROW,) FIELD_LOG_SIZE, FIELD_SLICE_DST}},
    [RS_OP_STORE] = {"STORE", RS_UNIT_STORE, RS_OPERAND_NONE, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_WIDE | RS_USES_LOG_SIZE | RS_USES_MEMORY, UINT64_C(0xfffffffff30ff03f) SHORT(| UINT64_C(0x40)),
            {FIELD_POINTER, FIELD_OFFSET, FIELD_WIDE, FIELD_NTT, SHORT(FIELD_HALF,) FIELD_LOG_SIZE, FIELD_SLICE_DST}},
    [RS_OP_CONTEXT] = {"CONTEXT", RS_UNIT_LOAD, RS_OPERAND_CONTEXT, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_LOG_SIZE | RS_USES_MEMORY, UINT64_C(0xffffffc0f30f0f3f), {FIELD_POINTER, FIELD_OFFSET, FIELD_ODD,
            FIELD_ASIDE, FIELD_LOG_SIZE}},
    [RS_OP_STREAM] = {"STREAM", RS_UNIT_LOAD, RS_OPERAND_NONE, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_WIDE | RS_USES_MEMORY, UINT64_C(0xffffffc00dff003f), {FIELD_CTX, FIELD_POINTER, FIELD_OFFSET,
            FIELD_WIDE, FIELD_SECRET, FIELD_SIGNED}},
    [RS_OP_NTT] = {"NTT", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_TWIDDLES | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0xfc003ff0f00f3f), {FIELD_CTX,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICES}},
    [RS_OP_INTT] = {"INTT", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_TWIDDLES | RS_USES_LOG_SIZE | RS_USES_SLICES | RS_USES_PART, UINT64_C(0xfc003ffcf00f3f),
            {FIELD_CTX, FIELD_PART, FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICES}},
    [RS_OP_MUL] = {"MUL", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_GROUP, 0,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0x7fffffff0ffff3f), {FIELD_CTX, FIELD_A_XOR,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A, FIELD_SLICE_B, FIELD_SLICES, FIELD_B_MAP}},
    [RS_OP_MAC] = {"MAC", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_GROUP, 1,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0x7fffffff0ffff3f), {FIELD_CTX, FIELD_A_XOR,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A, FIELD_SLICE_B, FIELD_SLICES, FIELD_B_MAP}},
    [RS_OP_MSUB] = {"MSUB", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_GROUP, 1,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0x7fffffff0ffff3f), {FIELD_CTX, FIELD_A_XOR,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A, FIELD_SLICE_B, FIELD_SLICES, FIELD_B_MAP}},
    [RS_OP_ADD] = {"ADD", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0x1fc0ffff0f0ff3f), {FIELD_CTX, FIELD_A_XOR,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A, FIELD_SLICES}},
    [RS_OP_SUB] = {"SUB", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0x1fc0ffff0f0ff3f), {FIELD_CTX, FIELD_A_XOR,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A, FIELD_SLICES}},
    [RS_OP_SCALE] = {"SCALE", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_SLICES, UINT64_C(0x1fc0ffff0f0ff3f), {FIELD_CTX, FIELD_A_XOR,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_SLICE_A, FIELD_SLICES}},
    [RS_OP_MSUBC] = {"MSUBC", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 1,
        RS_USES_CTX, UINT64_C(0xf0ff3f), {FIELD_CTX}},
    [RS_OP_SAMPLE] = {"SAMPLE", RS_UNIT_SAMPLE, RS_OPERAND_SLOT, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_FRAME, UINT64_C(0xf00ff00001000f3f), {FIELD_DOMAIN, FIELD_TERNARY, FIELD_FRAME}},
    [RS_OP_LIFT] = {"LIFT", RS_UNIT_LIFT, RS_OPERAND_GROUP, RS_OPERAND_SLOT, RS_OPERAND_NONE, 0,
        RS_USES_CTX, UINT64_C(0x3f0ff3f), {FIELD_CTX, FIELD_ADD, FIELD_FACTOR}},
    [RS_OP_ROUND] = {"ROUND", RS_UNIT_LIFT, RS_OPERAND_SLOT, RS_OPERAND_GROUP, RS_OPERAND_NONE, 1,
        RS_USES_CTX, UINT64_C(0xf0ff3f), {FIELD_CTX}},
    [RS_OP_EXPAND] = {"EXPAND", RS_UNIT_EXPAND, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_FRAME, UINT64_C(0xf00ff00001f00f3f), {FIELD_CTX, FIELD_LIMBS, FIELD_FIRST, FIELD_FRAME}},
    [RS_OP_MSUBS] = {"MSUBS", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 1,
        RS_USES_CTX, UINT64_C(0xf0ff3f), {FIELD_CTX}},
    [RS_OP_IFFT] = {"IFFT", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE, UINT64_C(0xf00f3f), {FIELD_CTX}},
    [RS_OP_FFT] = {"FFT", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE, UINT64_C(0xf00f3f), {FIELD_CTX}},
    [RS_OP_CENTRE] = {"CENTRE", RS_UNIT_LIFT, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_ENCODE, UINT64_C(0xff00000002f0ff3f), {FIELD_CTX, FIELD_SHIFT, FIELD_WHOLE}},
    [RS_OP_LIFTW] = {"LIFTW", RS_UNIT_LIFT, RS_OPERAND_GROUP, RS_OPERAND_SLOT, RS_OPERAND_GROUP, 0,
        RS_USES_CTX | RS_USES_ENCODE, UINT64_C(0xff00000000ffff3f), {FIELD_CTX, FIELD_SHIFT}},
    [RS_OP_LOADS] = {"LOADS", RS_UNIT_LOAD, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_NUMBERS | RS_USES_ENCODE | RS_USES_FRAME, UINT64_C(0xffffffff000f0f3f), {FIELD_POINTER, FIELD_NUMBERS,
            FIELD_FRAME}},
    [RS_OP_STORES] = {"STORES", RS_UNIT_STORE, RS_OPERAND_NONE, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_NUMBERS | RS_USES_ENCODE | RS_USES_FRAME, UINT64_C(0xffffffff000ff03f), {FIELD_POINTER, FIELD_NUMBERS,
            FIELD_FRAME}},
    [RS_OP_ROOTS] = {"ROOTS", RS_UNIT_LOAD, RS_OPERAND_CONTEXT, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_ENCODE | RS_USES_MEMORY, UINT64_C(0xffffffc0000f0f3f), {FIELD_POINTER, FIELD_OFFSET}},
    [RS_OP_PIPEKEY] = {"PIPEKEY", RS_UNIT_PIPE, RS_OPERAND_NONE, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_MEMORY, UINT64_C(0xffffffc0000f003f), {FIELD_POINTER, FIELD_OFFSET}},
    [RS_OP_PIPE] = {"PIPE", RS_UNIT_PIPE, RS_OPERAND_SLOTS, RS_OPERAND_GROUP, RS_OPERAND_GROUP, 0,
        RS_USES_FRAME | RS_USES_LIMBS, UINT64_C(0xf0fff000000fff3f), {FIELD_LAST_LIMB, FIELD_FRAME}},
    [RS_OP_PIPED] = {"PIPED", RS_UNIT_PIPE, RS_OPERAND_SLOTS, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_FRAME | RS_USES_LIMBS, UINT64_C(0xf0fff00000000f3f), {FIELD_LAST_LIMB, FIELD_FRAME}},
    [RS_OP_DRAIN] = {"DRAIN", RS_UNIT_PIPE, RS_OPERAND_NONE, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        0, UINT64_C(0x3f), {FIELD_NONE}},
    [RS_OP_CONSTANTS] = {"CONSTANTS", RS_UNIT_LOAD, RS_OPERAND_CONTEXT, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_MEMORY, UINT64_C(0xffffffc0000f0f3f), {FIELD_POINTER, FIELD_OFFSET}},
    [RS_OP_TWIDDLES] = {"TWIDDLES", RS_UNIT_LOAD, RS_OPERAND_CONTEXT, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_ENCODE | RS_USES_PART | RS_USES_MEMORY, UINT64_C(0xffffffc00c0f0f3f), {FIELD_POINTER, FIELD_OFFSET,
            FIELD_PART}},
    [RS_OP_SCALEW] = {"SCALEW", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE, UINT64_C(0xf0ff3f), {FIELD_CTX}},
    [RS_OP_MACW] = {"MACW", RS_UNIT_COMPUTE, RS_OPERAND_GROUP, RS_OPERAND_GROUP, RS_OPERAND_NONE, 1,
        RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE, UINT64_C(0xf0ff3f), {FIELD_CTX}},
    [RS_OP_HASH] = {"HASH", RS_UNIT_SPONGE, RS_OPERAND_DIGEST, RS_OPERAND_DIGEST, RS_OPERAND_NONE, 0,
        RS_USES_NEAR | RS_USES_FIELDS, UINT64_C(0xffff7fcff30fff3f), {FIELD_POINTER, FIELD_NEAR, FIELD_SKIP, FIELD_APPEND,
            FIELD_HASH, FIELD_HALVES, FIELD_BYTES}},
    [RS_OP_LOADD] = {"LOADD", RS_UNIT_SPONGE, RS_OPERAND_DIGEST, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_NEAR | RS_USES_FIELDS, UINT64_C(0x7fc0000f0f3f), {FIELD_POINTER, FIELD_NEAR}},
    [RS_OP_STORED] = {"STORED", RS_UNIT_SPONGE, RS_OPERAND_NONE, RS_OPERAND_DIGEST, RS_OPERAND_NONE, 0,
        RS_USES_NEAR | RS_USES_FIELDS, UINT64_C(0x7fc0000ff03f), {FIELD_POINTER, FIELD_NEAR}},
    [RS_OP_DRAW] = {"DRAW", RS_UNIT_SPONGE, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_FIELDS, UINT64_C(0xfffff03fffffffff), {FIELD_CTX, FIELD_LONG_SEED,
            FIELD_STEP_HIGH, FIELD_FORM, FIELD_DRAW, FIELD_SEED_DIGEST, FIELD_NUMBER_BYTES, FIELD_LOG_SIZE, FIELD_SLICE_DST,
            FIELD_DRAWS, FIELD_NUMBER}},
    [RS_OP_LOADF] = {"LOADF", RS_UNIT_PACK, RS_OPERAND_GROUP, RS_OPERAND_NONE, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_NEAR | RS_USES_FIELDS, UINT64_C(0xfffffffff7ffffff), {FIELD_CTX,
            FIELD_POINTER, FIELD_NEAR, FIELD_SECRET, FIELD_FORM, FIELD_FIELD_WIDTH, FIELD_GROW, FIELD_LOG_SIZE,
            FIELD_SLICE_DST, FIELD_POLYS, FIELD_POWER, FIELD_MARGIN}},
    [RS_OP_STOREF] = {"STOREF", RS_UNIT_PACK, RS_OPERAND_NONE, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_NEAR | RS_USES_FIELDS, UINT64_C(0xfffffff7ffffff), {FIELD_CTX,
            FIELD_POINTER, FIELD_NEAR, FIELD_FORM, FIELD_FIELD_WIDTH_OUT, FIELD_SHRINK, FIELD_LOG_SIZE, FIELD_SLICE_DST,
            FIELD_POLYS, FIELD_POWER}},
    [RS_OP_NORM] = {"NORM", RS_UNIT_PACK, RS_OPERAND_NONE, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_CTX | RS_USES_LOG_SIZE | RS_USES_FIELDS, UINT64_C(0xffff803ff7f0f03f), {FIELD_CTX, FIELD_NORM,
            FIELD_LOG_SIZE, FIELD_SLICE_DST, FIELD_POLYS, FIELD_POWER, FIELD_MARGIN}},
    [RS_OP_LIFTON] = {"LIFTON", RS_UNIT_LIFT, RS_OPERAND_GROUP, RS_OPERAND_SLOT, RS_OPERAND_GROUP, 0,
        RS_USES_CTX, UINT64_C(0x1ffff3f), {FIELD_CTX, FIELD_ADD}},
    [RS_OP_PIPEM] = {"PIPEM", RS_UNIT_PIPE, RS_OPERAND_SLOTS, RS_OPERAND_GROUP, RS_OPERAND_NONE, 0,
        RS_USES_ENCODE | RS_USES_FRAME | RS_USES_LIMBS, UINT64_C(0xf0fff0ff0000ff3f), {FIELD_LAST_LIMB, FIELD_WORDS_SHIFT,
            FIELD_FRAME}},
};
// clang-format on

const rs_op_info_t *rs_op_info(uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    return op < RS_OP_COUNT && OPERATIONS[op].name ? &OPERATIONS[op] : NULL;
}

// ---- text --------------------------------------------------------------------------------------------------------------
typedef struct text {
    char *out;
    size_t capacity;
    size_t length;
} text_t;

static void put(text_t *t, const char *s) {
    for (; *s; s++, t->length++) {
        if (t->length + 1 < t->capacity) t->out[t->length] = *s;
    }
}

static void put_number(text_t *t, uint64_t x, unsigned base) {
    char digits[24];
    char *p = digits + sizeof digits;
    *--p = 0;
    do {
        *--p = "0123456789abcdef"[x % base];
        x /= base;
    } while (x);
    put(t, base == 16 ? "0x" : "");
    put(t, p);
}

static void put_operand(text_t *t, rs_operand_t kind, uint32_t number) {
    static const char *const PREFIX[] = {"", " g", " s", " ctx", " s", " d"};
    if (kind == RS_OPERAND_NONE) return;
    put(t, PREFIX[kind]);
    put_number(t, number, 10);
}

static void put_field(text_t *t, const rs_text_field_t *field, uint64_t value, int has_offset) {
    switch (field->style) {
    case RS_TEXT_CTX: put_operand(t, RS_OPERAND_CONTEXT, (uint32_t)value); break;
    case RS_TEXT_POINTER:
        put(t, has_offset ? " [p" : " p");
        put_number(t, value, 10);
        break;
    case RS_TEXT_OFFSET:
        put(t, " + ");
        put_number(t, value * RS_ISA_LINE_BYTES, 16);
        put(t, "]");
        break;
    case RS_TEXT_NUMBER:
    case RS_TEXT_HEX:
        put(t, " ");
        put_number(t, value, field->style == RS_TEXT_HEX ? 16 : 10);
        break;
    case RS_TEXT_FLAG:
    case RS_TEXT_NAMED:
        if (!value) break;
        put(t, " ");
        put(t, field->name);
        if (field->style == RS_TEXT_NAMED) put_number(t, value, 10);
    }
}

size_t rs_instruction_text(uint64_t word, char *text, size_t capacity) {
    text_t t = {text, text ? capacity : 0, 0};
    const rs_op_info_t *info = rs_op_info(word);
    if (!info || (word & ~info->bits)) {
        put(&t, ".word ");
        put_number(&t, word, 16);
    } else {
        put(&t, info->name);
        put_operand(&t, info->dst, RS_GET_FIELD(DST, word));
        put_operand(&t, info->a, RS_GET_FIELD(A, word));
        put_operand(&t, info->b, RS_GET_FIELD(B, word));
        for (unsigned i = 0; i < RS_OP_FIELDS_MAX && info->fields[i] != FIELD_NONE; i++) {
            const rs_text_field_t *field = &FIELDS[info->fields[i]];
            const uint64_t value = word >> field->shift & ((UINT64_C(1) << field->bits) - 1);
            put_field(&t, field, value, !!(info->uses & (RS_USES_MEMORY | RS_USES_NEAR)));
        }
    }
    if (t.capacity) text[t.length < t.capacity ? t.length : t.capacity - 1] = 0;
    return t.length;
}
