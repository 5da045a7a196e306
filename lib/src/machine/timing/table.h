// SPDX-License-Identifier: Apache-2.0
// How long operations take: cost.c has the rules.
// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
#ifndef RINGSIDE_TIMING_TABLE_H
#define RINGSIDE_TIMING_TABLE_H

#ifdef __cplusplus
extern "C" {
#endif

#include <ringside/isa.h>
#include <stdint.h>

// clang-format off
// Cycles.
typedef enum rs_time {
    RS_TIME_START = 8, RS_TIME_ISSUE = 4, RS_TIME_WAKE = 3, RS_TIME_END = 4, RS_TIME_LINE = 15, RS_TIME_CONTEXT_TAIL = 3,
        RS_TIME_SIGNED = 45, RS_TIME_QUEUE = 19, RS_TIME_STREAM = 2, RS_TIME_READ_TRIP = 2, RS_TIME_WRITE_TRIP = 3,
        RS_TIME_TERNARY = 14, RS_TIME_CBD = 10, RS_TIME_FOLDED = 30, RS_TIME_FIRST_WORDS = 121, RS_TIME_AHEAD = 128,
        RS_TIME_TABLES = 3, RS_TIME_BUTTERFLY = 2, RS_TIME_PIPE_END = 3, RS_TIME_SKIP = 2, RS_TIME_LONG_SEED = 4,
        RS_TIME_STORE_WIDE = 1, RS_TIME_STORE_PART = 4
} rs_time_t;

// How the time of an operation follows.
typedef enum rs_rule {
    RS_RULE_NONE, RS_RULE_LOAD, RS_RULE_STORE, RS_RULE_CONTEXT, RS_RULE_STREAM, RS_RULE_TRANSFORM, RS_RULE_PASS,
        RS_RULE_SAMPLE, RS_RULE_LIFT, RS_RULE_ROUND, RS_RULE_EXPAND, RS_RULE_FIXED, RS_RULE_NUMBERS, RS_RULE_STORE_NUMBERS,
        RS_RULE_PIPE_KEY, RS_RULE_PIPE, RS_RULE_DRAIN, RS_RULE_HASH, RS_RULE_LOAD_DIGESTS, RS_RULE_STORE_DIGESTS,
        RS_RULE_DRAW, RS_RULE_LOAD_FIELDS, RS_RULE_STORE_FIELDS, RS_RULE_NORM
} rs_rule_t;
// clang-format on

// By log2 of the words of a chunk.
static const int16_t RS_TIME_TAILS[] = {-1, 13, 17, 19, 20};
static const int16_t RS_TIME_HELD[] = {19, 27, 38, 106, 104};

// DRAW: the first polynomial and each more, for one round a cycle and for two.
static const uint8_t RS_TIME_DRAWS[16][4] = {
    [0] = {113, 85, 86, 70}, [1] = {142, 120, 87, 71}, [8] = {97, 69, 85, 69},    [9] = {97, 71, 85, 71},
    [11] = {98, 77, 86, 72}, [12] = {103, 76, 91, 75}, [13] = {133, 120, 85, 72}, [14] = {141, 120, 88, 72},
};

// more: cycles beside its work; bits: what these follow from.
typedef struct rs_op_time {
    uint8_t rule;
    int8_t more;
    uint64_t bits;
} rs_op_time_t;

static const rs_op_time_t RS_OP_TIMES[RS_OP_COUNT] = {
    [RS_OP_LOAD] = {RS_RULE_LOAD, 1, UINT64_C(0xf10000ff)},
    [RS_OP_STORE] = {RS_RULE_STORE, 3, UINT64_C(0xf100007f)},
    [RS_OP_CONTEXT] = {RS_RULE_CONTEXT, 1, UINT64_C(0xf000003f)},
    [RS_OP_STREAM] = {RS_RULE_STREAM, 1, UINT64_C(0x900003f)},
    [RS_OP_NTT] = {RS_RULE_TRANSFORM, -4, UINT64_C(0xfc0000f000003f)},
    [RS_OP_INTT] = {RS_RULE_TRANSFORM, -4, UINT64_C(0xfc0000fc00003f)},
    [RS_OP_MUL] = {RS_RULE_PASS, 1, UINT64_C(0xfc0000f000003f)},
    [RS_OP_MAC] = {RS_RULE_PASS, 1, UINT64_C(0xfc0000f000003f)},
    [RS_OP_MSUB] = {RS_RULE_PASS, 1, UINT64_C(0xfc0000f000003f)},
    [RS_OP_ADD] = {RS_RULE_PASS, 1, UINT64_C(0xfc0000f000003f)},
    [RS_OP_SUB] = {RS_RULE_PASS, 1, UINT64_C(0xfc0000f000003f)},
    [RS_OP_SCALE] = {RS_RULE_PASS, 1, UINT64_C(0xfc0000f000003f)},
    [RS_OP_MSUBC] = {RS_RULE_PASS, 1, UINT64_C(0x3f)},
    [RS_OP_SAMPLE] = {RS_RULE_SAMPLE, 0, UINT64_C(0x100003f)},
    [RS_OP_LIFT] = {RS_RULE_LIFT, 5, UINT64_C(0x3f)},
    [RS_OP_ROUND] = {RS_RULE_ROUND, 4, UINT64_C(0x3f)},
    [RS_OP_EXPAND] = {RS_RULE_EXPAND, 25, UINT64_C(0x3f)},
    [RS_OP_MSUBS] = {RS_RULE_PASS, 1, UINT64_C(0x3f)},
    [RS_OP_IFFT] = {RS_RULE_FIXED, 3, UINT64_C(0x3f)},
    [RS_OP_FFT] = {RS_RULE_FIXED, 3, UINT64_C(0x3f)},
    [RS_OP_CENTRE] = {RS_RULE_LIFT, 8, UINT64_C(0x3f)},
    [RS_OP_LIFTW] = {RS_RULE_LIFT, 10, UINT64_C(0x3f)},
    [RS_OP_LOADS] = {RS_RULE_NUMBERS, 10, UINT64_C(0xfffffff0000003f)},
    [RS_OP_STORES] = {RS_RULE_STORE_NUMBERS, 12, UINT64_C(0x3f)},
    [RS_OP_ROOTS] = {RS_RULE_CONTEXT, 1, UINT64_C(0x3f)},
    [RS_OP_PIPEKEY] = {RS_RULE_PIPE_KEY, 2, UINT64_C(0x3f)},
    [RS_OP_PIPE] = {RS_RULE_PIPE, 11, UINT64_C(0xfff0000000003f)},
    [RS_OP_PIPED] = {RS_RULE_PIPE, 11, UINT64_C(0xfff0000000003f)},
    [RS_OP_DRAIN] = {RS_RULE_DRAIN, 20, UINT64_C(0x3f)},
    [RS_OP_CONSTANTS] = {RS_RULE_CONTEXT, 1, UINT64_C(0x3f)},
    [RS_OP_TWIDDLES] = {RS_RULE_CONTEXT, 1, UINT64_C(0xc00003f)},
    [RS_OP_SCALEW] = {RS_RULE_PASS, 1, UINT64_C(0x3f)},
    [RS_OP_MACW] = {RS_RULE_PASS, 5, UINT64_C(0x3f)},
    [RS_OP_HASH] = {RS_RULE_HASH, 8, UINT64_C(0xffff000ff300003f)},
    [RS_OP_LOADD] = {RS_RULE_LOAD_DIGESTS, 14, UINT64_C(0x3f)},
    [RS_OP_STORED] = {RS_RULE_STORE_DIGESTS, 10, UINT64_C(0x3f)},
    [RS_OP_DRAW] = {RS_RULE_DRAW, 2, UINT64_C(0xf000f100f03f)},
    [RS_OP_LOADF] = {RS_RULE_LOAD_FIELDS, 10, UINT64_C(0x78000f000f03f)},
    [RS_OP_STOREF] = {RS_RULE_STORE_FIELDS, 13, UINT64_C(0x78000f0000f3f)},
    [RS_OP_NORM] = {RS_RULE_NORM, 14, UINT64_C(0x78000f000003f)},
    [RS_OP_LIFTON] = {RS_RULE_LIFT, 7, UINT64_C(0x3f)},
    [RS_OP_PIPEM] = {RS_RULE_PIPE, 15, UINT64_C(0xfff0000000003f)},
};

#ifdef __cplusplus
}
#endif

#endif
