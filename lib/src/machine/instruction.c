// SPDX-License-Identifier: Apache-2.0
// The table of operations, and instructions as text.
#include "machine/instruction.h"

#include <ringside/program.h>

#define G RS_OPERAND_GROUP
#define S RS_OPERAND_SLOT
#define C RS_OPERAND_CONTEXT
#define S3 RS_OPERAND_SLOTS
#define NONE RS_OPERAND_NONE

static const rs_op_info_t INFO[RS_OP_COUNT] = {
    [RS_OP_END] = {"END", RS_UNIT_COUNT, NONE, NONE, NONE, 0, 0},
    [RS_OP_LOAD] = {"LOAD", RS_UNIT_LOAD, G, NONE, NONE, 0,
                    RS_USES_CTX | RS_USES_MEMORY | RS_USES_WIDE | RS_USES_NTT | RS_USES_SECRET | RS_USES_ALT},
    [RS_OP_STORE] = {"STORE", RS_UNIT_STORE, NONE, G, NONE, 0, RS_USES_MEMORY | RS_USES_WIDE | RS_USES_NTT},
    [RS_OP_CONTEXT] = {"CONTEXT", RS_UNIT_LOAD, C, NONE, NONE, 0, RS_USES_MEMORY | RS_USES_ADD | RS_USES_ALT},
    [RS_OP_STREAM] = {"STREAM", RS_UNIT_LOAD, NONE, NONE, NONE, 0,
                      RS_USES_CTX | RS_USES_MEMORY | RS_USES_WIDE | RS_USES_SECRET | RS_USES_ALT},
    [RS_OP_NTT] = {"NTT", RS_UNIT_COMPUTE, G, NONE, NONE, 1, RS_USES_CTX | RS_USES_TWIDDLES},
    [RS_OP_INTT] = {"INTT", RS_UNIT_COMPUTE, G, NONE, NONE, 1, RS_USES_CTX | RS_USES_TWIDDLES | RS_USES_PART},
    [RS_OP_MUL] = {"MUL", RS_UNIT_COMPUTE, G, G, G, 0, RS_USES_CTX},
    [RS_OP_MAC] = {"MAC", RS_UNIT_COMPUTE, G, G, G, 1, RS_USES_CTX},
    [RS_OP_MSUB] = {"MSUB", RS_UNIT_COMPUTE, G, G, G, 1, RS_USES_CTX},
    [RS_OP_ADD] = {"ADD", RS_UNIT_COMPUTE, G, G, NONE, 1, RS_USES_CTX},
    [RS_OP_SUB] = {"SUB", RS_UNIT_COMPUTE, G, G, NONE, 1, RS_USES_CTX},
    [RS_OP_SCALE] = {"SCALE", RS_UNIT_COMPUTE, G, G, NONE, 0, RS_USES_CTX},
    [RS_OP_MSUBC] = {"MSUBC", RS_UNIT_COMPUTE, G, G, NONE, 1, RS_USES_CTX},
    [RS_OP_SAMPLE] = {"SAMPLE", RS_UNIT_SAMPLE, S, NONE, NONE, 0, RS_USES_ALT | RS_USES_NUMBER | RS_USES_FRAME},
    [RS_OP_LIFT] = {"LIFT", RS_UNIT_LIFT, G, S, NONE, 0, RS_USES_CTX | RS_USES_ADD | RS_USES_ALT},
    [RS_OP_ROUND] = {"ROUND", RS_UNIT_LIFT, S, G, NONE, 1, RS_USES_CTX},
    [RS_OP_MSUBS] = {"MSUBS", RS_UNIT_COMPUTE, G, G, NONE, 1, RS_USES_CTX},
    [RS_OP_IFFT] = {"IFFT", RS_UNIT_COMPUTE, G, NONE, NONE, 1, RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE},
    [RS_OP_FFT] = {"FFT", RS_UNIT_COMPUTE, G, NONE, NONE, 1, RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE},
    [RS_OP_CENTRE] = {"CENTRE", RS_UNIT_LIFT, G, G, NONE, 0, RS_USES_CTX | RS_USES_ALT | RS_USES_NUMBER | RS_USES_ENCODE},
    [RS_OP_LIFTW] = {"LIFTW", RS_UNIT_LIFT, G, S, G, 0, RS_USES_CTX | RS_USES_NUMBER | RS_USES_ENCODE},
    [RS_OP_LOADS] = {"LOADS", RS_UNIT_LOAD, G, NONE, NONE, 0, RS_USES_NUMBERS | RS_USES_ENCODE | RS_USES_FRAME},
    [RS_OP_STORES] = {"STORES", RS_UNIT_STORE, NONE, G, NONE, 0, RS_USES_NUMBERS | RS_USES_ENCODE | RS_USES_FRAME},
    [RS_OP_ROOTS] = {"ROOTS", RS_UNIT_LOAD, C, NONE, NONE, 0, RS_USES_MEMORY | RS_USES_ENCODE},
    [RS_OP_EXPAND] = {"EXPAND", RS_UNIT_EXPAND, G, NONE, NONE, 0, RS_USES_CTX | RS_USES_ALT | RS_USES_NUMBER | RS_USES_FRAME},
    [RS_OP_PIPEKEY] = {"PIPEKEY", RS_UNIT_PIPE, NONE, NONE, NONE, 0, RS_USES_MEMORY},
    [RS_OP_PIPE] = {"PIPE", RS_UNIT_PIPE, S3, G, G, 0, RS_USES_LIMBS | RS_USES_FRAME},
    [RS_OP_PIPED] = {"PIPED", RS_UNIT_PIPE, S3, NONE, NONE, 0, RS_USES_LIMBS | RS_USES_FRAME},
    [RS_OP_DRAIN] = {"DRAIN", RS_UNIT_PIPE, NONE, NONE, NONE, 0, 0},
    [RS_OP_CONSTANTS] = {"CONSTANTS", RS_UNIT_LOAD, C, NONE, NONE, 0, RS_USES_MEMORY},
    [RS_OP_TWIDDLES] = {"TWIDDLES", RS_UNIT_LOAD, C, NONE, NONE, 0, RS_USES_MEMORY | RS_USES_PART | RS_USES_ENCODE},
    [RS_OP_SCALEW] = {"SCALEW", RS_UNIT_COMPUTE, G, G, NONE, 0, RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE},
    [RS_OP_MACW] = {"MACW", RS_UNIT_COMPUTE, G, G, NONE, 1, RS_USES_CTX | RS_USES_ROOTS | RS_USES_ENCODE},
};

const rs_op_info_t *rs_op_info(uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    return op < RS_OP_COUNT && INFO[op].name ? &INFO[op] : NULL;
}

uint64_t rs_op_bits(const rs_op_info_t *info) {
    uint64_t bits = RS_FIELD(OP, 0x3f);
    if (info->dst) bits |= RS_FIELD(DST, 15);
    if (info->a) bits |= RS_FIELD(A, 15);
    if (info->b) bits |= RS_FIELD(B, 15);
    if (info->uses & RS_USES_CTX) bits |= RS_FIELD(CTX, 3);
    if (info->uses & RS_USES_MEMORY) bits |= RS_FIELD(BASE, 7) | RS_FIELD(IMM, UINT32_MAX);
    if (info->uses & RS_USES_PART) bits |= RS_FIELD(PART, 3);
    if (info->uses & RS_USES_WIDE) bits |= RS_FIELD(WIDE, 1);
    if (info->uses & RS_USES_NTT) bits |= RS_FIELD(NTT, 1);
    if (info->uses & RS_USES_SECRET) bits |= RS_FIELD(SECRET, 1);
    if (info->uses & RS_USES_ADD) bits |= RS_FIELD(ADD, 1);
    if (info->uses & RS_USES_ALT) bits |= RS_FIELD(ALT, 1);
    if (info->uses & RS_USES_NUMBER) bits |= RS_FIELD(IMM, 255);
    if (info->uses & RS_USES_LIMBS) bits |= RS_FIELD(IMM, 0xfff);
    if (info->uses & RS_USES_NUMBERS) bits |= RS_FIELD(BASE, 7) | RS_FIELD(IMM, ((uint64_t)1 << RS_NUMBERS_BITS) - 1);
    if (info->uses & RS_USES_FRAME) bits |= RS_FIELD(IMM, (uint64_t)(RS_FRAMES_MAX - 1) << RS_FRAME_SHIFT);
    return bits;
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
    static const char *const PREFIX[] = {"", " g", " s", " ctx", " s"};
    if (kind == RS_OPERAND_NONE) return;
    put(t, PREFIX[kind]);
    put_number(t, number, 10);
}

size_t rs_instruction_text(uint64_t word, char *text, size_t capacity) {
    text_t t = {text, text ? capacity : 0, 0};
    const rs_op_info_t *info = rs_op_info(word);
    if (!info || (word & ~rs_op_bits(info))) {
        put(&t, ".word ");
        put_number(&t, word, 16);
    } else {
        put(&t, info->name);
        put_operand(&t, info->dst, RS_GET_FIELD(DST, word));
        put_operand(&t, info->a, RS_GET_FIELD(A, word));
        put_operand(&t, info->b, RS_GET_FIELD(B, word));
        if (info->uses & RS_USES_CTX) put_operand(&t, RS_OPERAND_CONTEXT, RS_GET_FIELD(CTX, word));
        if (info->uses & RS_USES_MEMORY) {
            put(&t, " [p");
            put_number(&t, RS_GET_FIELD(BASE, word), 10);
            put(&t, " + ");
            put_number(&t, RS_GET_FIELD(IMM, word), 16);
            put(&t, "]");
        }
        if (info->uses & RS_USES_NUMBERS) {
            put(&t, " p");
            put_number(&t, RS_GET_FIELD(BASE, word), 10);
        }
        if (info->uses & (RS_USES_NUMBER | RS_USES_NUMBERS | RS_USES_LIMBS)) {
            put(&t, " ");
            const uint32_t number = RS_GET_FIELD(IMM, word) & ((1u << RS_NUMBERS_BITS) - 1);
            put_number(&t, number, info->uses & RS_USES_NUMBERS ? 16 : 10);
        }
        if (RS_GET_FIELD(WIDE, word)) put(&t, " wide");
        if (RS_GET_FIELD(NTT, word)) put(&t, " ntt");
        if (RS_GET_FIELD(SECRET, word)) put(&t, " secret");
        if (RS_GET_FIELD(ADD, word)) put(&t, " add");
        if (RS_GET_FIELD(ALT, word)) put(&t, " alt");
        if (RS_GET_FIELD(PART, word)) {
            put(&t, " part");
            put_number(&t, RS_GET_FIELD(PART, word), 10);
        }
        if (info->uses & RS_USES_FRAME && rs_frame_of(RS_GET_FIELD(IMM, word))) {
            put(&t, " frame");
            put_number(&t, rs_frame_of(RS_GET_FIELD(IMM, word)), 10);
        }
    }
    if (t.capacity) text[t.length < t.capacity ? t.length : t.capacity - 1] = 0;
    return t.length;
}
