// SPDX-License-Identifier: Apache-2.0
// See offload.h. Each function is one program. The core reads and writes arrays of the caller where it can: its port is coherent and sees all of RAM.
//
// A ring that is smaller than the design's is a slice of a group. A core with the units SPONGE and PACK takes residues as fields of 14 bits, a core
// without them words of 8 bytes.
#include "offload.h"

#include <ringside/program.h>
#include <string.h>

#include "arith/plan.h"
#include "machine.h"
#include "machine/fields/fields.h"
#include "machine/image.h"

enum { LOG_N_LARGEST = 10, FIELD_BITS = 14, BLISS_N = RS_BLISS_N };
// Reads of STATUS, one after the other, that no program takes.
enum { READS_MAX = 1000000 };
// Draws are masks of ML-DSA with gamma1 = 2^19: the core has 2^19 - x of 20 bits x, modulo ML-DSA's q.
enum { DRAW_Q = 8380417, DRAW_LOG_SIZE = 8, DRAW_BITS = 20, DRAW_POWER = 19, DRAWS_A_GROUP = 2, RING_CTX = 0, DRAW_CTX = 1 };
enum { POINTER_CONTEXT, POINTER_IN, POINTER_OUT, POINTER_KEY };

static struct {
    const rs_design_t *design;
    const rs_plan_t *plan;
    uint32_t log_n; // log2 of the size of groups
    uint32_t log_size; // log2 of the size of slices; 0: a group is one polynomial
    uint64_t words[PROGRAM_WORDS];
    size_t length;
    uint64_t pointers[PROGRAM_POINTERS];
    unsigned program; // the last one
    uint64_t cycles; // cycles of the program
    _Alignas(64) uint8_t context[(8 << LOG_N_LARGEST) + RS_CONTEXT_HEADER_BYTES];
    _Alignas(64) uint8_t draw_context[(8 << DRAW_LOG_SIZE) + RS_CONTEXT_HEADER_BYTES];
    _Alignas(64) uint8_t tables[(64 << LOG_N_LARGEST) + 4096];
    _Alignas(64) uint64_t residues[BLISS_N];
} core;

#define REGISTER(offset) (*(volatile uint32_t *)(CORE_ADDRESS + (offset)))

static int has_fields(void) { return (core.design->features & RS_FEATURE_FIELDS) != 0; }

// The constant of the ring's context is R or -R, by which commit makes up for the R that a product is divided by, and for the sign.
rs_status_t offload_open(uint32_t log_n, uint64_t q) {
    device = opened(scratch_memory);
    core.design = rs_device_design(device);
    const int is_whole = log_n >= core.design->log_n_min;
    if (log_n > core.design->log_n_max || (!is_whole && !(core.design->features >> RS_FEATURE_LOG_SLICES_SHIFT & 7)))
        return RS_ERR_DESIGN_DEGREE;
    core.log_n = is_whole ? log_n : core.design->log_n_min;
    core.log_size = is_whole ? 0 : log_n;
    if (rs_design_context_bytes(core.design, log_n) > sizeof core.context) return RS_ERR_TOO_SMALL;
    RS_TRY(rs_plan_init(&core.plan, (rs_memory_t){core.tables, sizeof core.tables}, log_n, q, 0));
    const uint64_t radix = rs_image_radix(core.design, &core.plan->modulus);
    rs_image_context(core.design, core.plan, has_fields() ? radix : q - radix, 1, core.context);
    return RS_OK;
}

rs_status_t offload_open_hashes(void) {
    static _Alignas(64) uint64_t tables[(64 << DRAW_LOG_SIZE) / 8 + 512];
    const rs_plan_t *plan;
    if (!has_fields() || core.design->contexts <= DRAW_CTX) return RS_ERR_DESIGN;
    RS_TRY(rs_plan_init(&plan, (rs_memory_t){tables, sizeof tables}, DRAW_LOG_SIZE, DRAW_Q, 0));
    rs_image_context(core.design, plan, 1, 1, core.draw_context);
    return RS_OK;
}

uint64_t offload_cycles(void) { return core.cycles; }

unsigned offload_program(void) { return core.program; }

void offload_copy(program_t *program) {
    program->log_n = core.log_n;
    program->length = core.length;
    memcpy(program->pointers, core.pointers, sizeof core.pointers);
    memcpy(program->words, core.words, sizeof core.words);
}

// ---- programs ----------------------------------------------------------------------------------------------------------
static void emit(uint64_t word) { core.words[core.length++] = word; }

static void set(uint32_t offset, uint32_t value) { REGISTER(offset) = value; }

// No more than what the core needs: the registers of a program that reads no seeds and leaves nothing secret, and then polling.
static rs_status_t run(unsigned program) {
    uint32_t status = 0;
    emit(OP(END));
    core.program = program;
    set(RS_REG_CONTROL, RS_REG_BIT(CONTROL_CLEAR_IRQ));
    set(RS_REG_PROGRAM_INDEX, 0);
    for (size_t i = 0; i < core.length; i++) {
        set(RS_REG_PROGRAM_LO, (uint32_t)core.words[i]);
        set(RS_REG_PROGRAM_HI, (uint32_t)(core.words[i] >> 32));
    }
    set(RS_REG_LOG_N, core.log_n);
    for (uint32_t i = 0; i < PROGRAM_POINTERS; i++) {
        set(RS_REG_POINTER + 8 * i, (uint32_t)core.pointers[i]);
        set(RS_REG_POINTER + 8 * i + 4, (uint32_t)(core.pointers[i] >> 32));
    }
    __asm__ volatile("fence" ::: "memory"); // what the core reads is written
    set(RS_REG_CONTROL, RS_REG_BIT(CONTROL_START));
    for (uint32_t reads = 0; reads < READS_MAX; reads++) {
        status = REGISTER(RS_REG_STATUS);
        if (!(status & RS_REG_BIT(STATUS_BUSY))) break;
    }
    __asm__ volatile("fence" ::: "memory");
    core.cycles = REGISTER(RS_REG_CYCLES);
    if (status & RS_REG_BIT(STATUS_BUSY)) return RS_ERR_DEVICE_BUSY;
    return RS_REG_PART(STATUS_CAUSE, status) ? RS_ERR_DEVICE_PROGRAM : RS_OK;
}

static rs_status_t point(unsigned pointer, const void *at) {
    if ((uintptr_t)at % RS_ISA_LINE_BYTES) return RS_ERR_ALIGNMENT;
    core.pointers[pointer] = (uintptr_t)at;
    return RS_OK;
}

static rs_status_t begin(const void *context, const void *in, const void *out) {
    core.length = 0;
    RS_TRY(point(POINTER_CONTEXT, context));
    RS_TRY(point(POINTER_IN, in));
    return point(POINTER_OUT, out);
}

// ---- transforms --------------------------------------------------------------------------------------------------------
static uint64_t sized(uint64_t word) { return word | RS_FIELD(LOG_SIZE, core.log_size); }

static uint64_t words_at(unsigned pointer) { return sized(RS_FIELD(POINTER, pointer) | FLAG(WIDE)); }

static int is_ring(const rs_plan_t *plan) {
    return rs_plan_n(plan) == rs_plan_n(core.plan) && rs_plan_modulus(plan) == rs_plan_modulus(core.plan);
}

static rs_status_t transform(const rs_plan_t *plan, uint64_t *poly, int inverse) {
    if (!is_ring(plan)) return RS_ERR_MISMATCH;
    RS_TRY(begin(core.context, poly, poly));
    emit(sized(OP(CONTEXT) | RS_FIELD(POINTER, POINTER_CONTEXT)));
    emit(OP(LOAD) | words_at(POINTER_IN) | (inverse ? FLAG(NTT) : 0));
    emit(sized(inverse ? OP(INTT) : OP(NTT)));
    emit(OP(STORE) | words_at(POINTER_OUT) | (inverse ? 0 : FLAG(NTT)));
    return run(inverse ? PROGRAM_INVERSE : PROGRAM_FORWARD);
}

rs_status_t core_rs_plan_forward(const rs_plan_t *plan, uint64_t *poly) { return transform(plan, poly, 0); }

rs_status_t core_rs_plan_inverse(const rs_plan_t *plan, uint64_t *poly) { return transform(plan, poly, 1); }

// ---- BLISS -------------------------------------------------------------------------------------------------------------
// Polynomials of 256 fields follow each other faster than one of 512 comes: the even coefficients, and then the odd ones. Fields of x are
// 2^12 + x, of 13 bits, from which the core makes -x; blocks of 64 of them, and of 32 of 14 bits, are whole words.
enum {
    HALF = BLISS_N / 2,
    X_BITS = 13,
    X_POWER = 12,
    X_BLOCK = 64,
    X_WORDS = X_BITS,
    BLOCK = 32,
    BLOCK_WORDS = BLOCK * FIELD_BITS / 64
};

static void pack(uint64_t *words, const int16_t *small) {
    for (size_t at = 0; at < BLISS_N; at += X_BLOCK, words += X_WORDS) {
        const int16_t *from = small + 2 * (at % HALF) + at / HALF;
        uint64_t made[X_WORDS] = {0};
#pragma GCC unroll 64
        for (unsigned i = 0; i < X_BLOCK; i++) {
            const uint64_t field = (uint64_t)((1 << X_POWER) + from[2 * i]);
            const unsigned word = i * X_BITS / 64, shift = i * X_BITS % 64;
            made[word] |= field << shift;
            if (shift > 64 - X_BITS) made[word + 1] |= field >> (64 - shift);
        }
        for (unsigned i = 0; i < X_WORDS; i++) words[i] = made[i];
    }
}

// The even one of x and x + q.
static uint64_t even(uint64_t x) { return x + (RS_BLISS_Q & (0 - (x & 1))); }

static void unpack_even(uint64_t *out, const uint64_t *words) {
    for (size_t at = 0; at < BLISS_N; at += BLOCK, words += BLOCK_WORDS) {
        uint64_t *to = out + 2 * (at % HALF) + at / HALF;
#pragma GCC unroll 32
        for (unsigned i = 0; i < BLOCK; i++) {
            const unsigned word = i * FIELD_BITS / 64, shift = i * FIELD_BITS % 64;
            uint64_t x = words[word] >> shift;
            if (shift > 64 - FIELD_BITS) x |= words[word + 1] << (64 - shift);
            to[2 * i] = even(x & ((1 << FIELD_BITS) - 1));
        }
    }
}

// -a x.
rs_status_t core_rs_bliss_commit(const rs_bliss_t *scheme, uint64_t *out, const uint64_t *a_ntt, const int16_t *small) {
    const int fields = has_fields();
    const rs_polys_t x = {0, RS_BLISS_LOG_N - 1, 0, 2, RS_POLYS_COEFFICIENTS};
    if (!is_ring(scheme->plan)) return RS_ERR_MISMATCH;
    uint64_t *words = fields ? core.residues : out;
    RS_TRY(begin(core.context, words, words));
    RS_TRY(point(POINTER_KEY, a_ntt));
    if (fields) {
        pack(words, small);
    } else {
        rs_bliss_lift(words, small);
    }
    emit(sized(OP(CONTEXT) | RS_FIELD(POINTER, POINTER_CONTEXT)));
    if (fields) {
        emit(rs_word_loadf(x, 0, RS_LOAD_MINUS, X_BITS, (rs_pointer_t)POINTER_IN, 0) | RS_FIELD(POWER, X_POWER));
    } else {
        emit(OP(LOAD) | words_at(POINTER_IN));
    }
    emit(OP(LOAD) | DST(1) | words_at(POINTER_KEY) | FLAG(NTT));
    emit(sized(OP(NTT)));
    emit(sized(OP(SCALE) | DST(1) | A(1)));
    emit(sized(OP(MUL) | A(0) | B(1)));
    emit(sized(OP(INTT)));
    if (fields) {
        emit(rs_word_storef(x, 0, RS_STORE_PLAIN, FIELD_BITS, (rs_pointer_t)POINTER_OUT, 0));
    } else {
        emit(OP(STORE) | words_at(POINTER_OUT));
    }
    RS_TRY(run(PROGRAM_COMMIT));
    if (fields) {
        unpack_even(out, words);
    } else {
        for (size_t i = 0; i < BLISS_N; i++) out[i] = even(out[i]);
    }
    return RS_OK;
}

static uint64_t near(unsigned pointer, size_t bytes) { return rs_near((rs_pointer_t)pointer, bytes); }

// Two draws a group: the next ones are made while these are stored.
rs_status_t core_rs_bliss_draw(uint8_t *out, const uint8_t *seed, unsigned first, unsigned count) {
    const uint64_t ctx = RS_FIELD(CTX, DRAW_CTX);
    rs_polys_t stored = {0};
    size_t at = 0;
    RS_TRY(begin(core.draw_context, seed, out));
    emit(OP(CONSTANTS) | DST(DRAW_CTX) | RS_FIELD(POINTER, POINTER_CONTEXT));
    emit(OP(LOADD) | near(POINTER_IN, 0));
    for (unsigned done = 0, group = 0; done < count || stored.count; group++) {
        const unsigned taken = count - done < DRAWS_A_GROUP ? count - done : DRAWS_A_GROUP;
        const rs_polys_t drawn = {group, DRAW_LOG_SIZE, 0, taken, RS_POLYS_COEFFICIENTS};
        if (taken) emit(rs_word_draw(drawn, ctx, RS_DRAW_MASK20, 0, 2, first + done) | FLAG(LONG_SEED));
        if (stored.count) {
            emit(rs_word_storef(stored, ctx, RS_STORE_MINUS, DRAW_BITS, (rs_pointer_t)POINTER_OUT, at) |
                 RS_FIELD(POWER, DRAW_POWER));
            at += stored.count * RS_BLISS_DRAW_BYTES;
        }
        stored = drawn;
        done += taken;
    }
    return run(PROGRAM_DRAW + count - 1);
}

// The message goes where the core reads lines.
rs_status_t core_rs_shake256(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
    static _Alignas(64) uint8_t text[4 * RS_ISA_LINE_BYTES], digests[RS_ISA_LINE_BYTES];
    if (in_bytes > sizeof text || out_bytes > sizeof digests) return RS_ERR_LENGTH;
    memcpy(text, in, in_bytes);
    RS_TRY(begin(core.draw_context, text, digests));
    emit(rs_word_hash(0, RS_HASH_SHAKE256, sizeof digests / RS_DIGEST_BYTES, (rs_pointer_t)POINTER_IN, 0, in_bytes));
    emit(OP(STORED) | A(0) | near(POINTER_OUT, 0));
    RS_TRY(run(PROGRAM_SHAKE));
    memcpy(out, digests, out_bytes);
    return RS_OK;
}

rs_status_t core_rs_bliss_hash(uint8_t *out, const uint8_t *text, size_t part) {
    enum { HALVES = RS_BLISS_HASH_BYTES / RS_DIGEST_BYTES };
    if (part) return RS_ERR_RNG; // the first part has 64 words: 23 different ones are among them but for 2^-90
    RS_TRY(begin(core.draw_context, text, out));
    emit(rs_word_hash(0, RS_HASH_SHAKE256, HALVES, (rs_pointer_t)POINTER_IN, 0, RS_BLISS_TEXT_BYTES));
    for (unsigned digest = 0; digest < HALVES; digest += 2)
        emit(OP(STORED) | A(digest) | near(POINTER_OUT, digest * RS_DIGEST_BYTES));
    return run(PROGRAM_HASH);
}
