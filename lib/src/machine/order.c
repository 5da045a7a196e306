// SPDX-License-Identifier: Apache-2.0
// Greedy list scheduling. The core starts instructions in program order and waits where it must, so the order is the schedule. Each step
// takes, of the next few instructions that may be moved forward, the one that can start first; of several, one for the lanes.
#include "machine/order.h"

#include <ringside/golden/sample.h>

#include "machine/design.h"
#include "machine/instruction.h"
#include "machine/timing/table.h"

enum { WINDOW = 40, PIPELINE_CYCLES = 40, LIFT_PIPELINE_CYCLES = 10, KECCAK_ROUNDS = 24 };

// Memory answers after LATENCY, and groups are free DRAIN cycles after the last beat. LOAD takes an instruction AHEAD of the last beat
// of the one before: when 64 beats at most are still to be asked for, and an answer is LATENCY behind its address.
enum { LATENCY_CYCLES = 40, DRAIN_CYCLES = 32, AHEAD_CYCLES = LATENCY_CYCLES + 64, PASS_CYCLES = 2 * AHEAD_CYCLES };

// LOAD runs three instructions if all are of one kind, and no messages (docs/core.md, Scoreboard).
typedef enum load_kind { LOAD_NONE, LOAD_NARROW, LOAD_WIDE, LOAD_MESSAGE } load_kind_t;

// Resources as bits: 16 groups, 8 slots, 4 contexts, then what orders STREAM and its LIFT, the limbs of an expansion, what goes to memory
// and comes back from SCRATCH or goes there by PIPE, and contexts: the core lets errors mask in ascending order of moduli only.
enum { SLOTS_AT = 16, CONTEXTS_AT = 24, RESOURCES = 28, STREAM_BIT = 28, EXPANSION_BIT = 29, SCRATCH_BIT = 30, MODULUS_BIT = 31 };

// A STREAM and the LIFT after it are one item: if they were separated, the STREAM would block its unit without need.
typedef struct item {
    uint32_t reads;
    uint32_t writes;
    uint32_t units;
    size_t words;
    uint64_t cycles;
    uint64_t beats; // beats of LOAD
    load_kind_t kind;
    uint32_t frame; // its lowest bits
    int after_store; // it reads a group through STORE's port, where STORE goes first
} item_t;

static uint64_t max64(uint64_t a, uint64_t b) { return a > b ? a : b; }

// ---- durations ---------------------------------------------------------------------------------------------------------
static uint64_t chunks(const rs_design_t *design, uint64_t n) {
    const uint64_t bus_words = design->bus_bits / (design->word_bits > 32 ? 64 : 32);
    const uint64_t words = bus_words < 4 * design->lanes ? bus_words : 4 * design->lanes;
    return n / (words ? words : 1);
}

static uint64_t keccak_cycles(uint64_t bytes, uint32_t cores) {
    return bytes / RS_SHAKE256_RATE_BYTES * KECCAK_ROUNDS / (cores ? cores : 1);
}

// Cycles in which LOAD or STORE moves data.
static uint64_t transfer(const rs_design_t *design, uint32_t log_n, uint64_t word) {
    const uint64_t n = (uint64_t)1 << log_n;
    const uint32_t op = RS_GET_FIELD(OP, word);
    if (op == RS_OP_CONTEXT) return rs_design_context_bytes(design, log_n) * 8 / design->bus_bits;
    if (op == RS_OP_CONSTANTS) return RS_CONTEXT_HEADER_BYTES * 8 / design->bus_bits;
    if (op == RS_OP_TWIDDLES) return rs_design_part_bytes(design, log_n, RS_GET_FIELD(PART, word)) * 8 / design->bus_bits;
    if (op == RS_OP_ROOTS) return rs_design_roots_bytes(design, log_n) * 8 / design->bus_bits;
    if (op == RS_OP_LOADS || op == RS_OP_STORES) return n / 2; // a slot per cycle, whatever comes from memory
    const uint64_t bits = RS_GET_FIELD(WIDE, word) ? 64 : 32;
    return max64(chunks(design, n), n * bits / design->bus_bits);
}

static load_kind_t load_kind(const rs_design_t *design, uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    if (op == RS_OP_LOADS || (op == RS_OP_STREAM && RS_GET_FIELD(SIGNED, word))) return LOAD_MESSAGE;
    const int header = rs_op_info(word)->dst == RS_OPERAND_CONTEXT;
    return design->word_bits > 32 || (!header && RS_GET_FIELD(WIDE, word)) ? LOAD_WIDE : LOAD_NARROW;
}

// Stages of a part of an INTT.
static uint32_t stages(uint32_t log_n, rs_part_t part) {
    if (part == RS_PART_ALL) return log_n;
    return part == RS_PART_REST ? log_n - 2 : 1;
}

static uint64_t duration(const rs_design_t *design, uint32_t log_n, uint64_t word) {
    const uint64_t n = (uint64_t)1 << log_n;
    const uint64_t pass = chunks(design, n);
    const uint32_t lanes = rs_design_stream_lanes(design);
    switch (RS_GET_FIELD(OP, word)) {
    case RS_OP_LOAD:
    case RS_OP_STORE:
    case RS_OP_STREAM:
    case RS_OP_CONTEXT:
    case RS_OP_LOADS:
    case RS_OP_STORES:
    case RS_OP_ROOTS:
    case RS_OP_CONSTANTS:
    case RS_OP_TWIDDLES: return transfer(design, log_n, word) + LATENCY_CYCLES + DRAIN_CYCLES;
    case RS_OP_NTT:
    case RS_OP_INTT: return n / 2 / design->lanes * stages(log_n, RS_GET_FIELD(PART, word)) + PIPELINE_CYCLES;
    case RS_OP_IFFT: // N/4 butterflies of complex numbers per stage: four products each, in two lanes or one
    case RS_OP_FFT: return n / design->lanes * (log_n - 1) + PIPELINE_CYCLES;
    case RS_OP_SAMPLE:
        return max64(pass, keccak_cycles(RS_GET_FIELD(TERNARY, word) ? rs_sample_ternary_bytes(n) : 6 * n, design->keccak_cores)) +
               PIPELINE_CYCLES;
    case RS_OP_LIFT:
    case RS_OP_LIFTON:
    case RS_OP_LIFTW:
    case RS_OP_CENTRE: return pass + LIFT_PIPELINE_CYCLES;
    case RS_OP_ROUND: return 2 * pass + LIFT_PIPELINE_CYCLES;
    case RS_OP_PIPE:
    case RS_OP_PIPED:
    case RS_OP_PIPEM: // until its slots and groups are free
        return n / (lanes ? lanes : 1) * (RS_GET_FIELD(LAST_LIMB, word) + 1) + PIPELINE_CYCLES;
    case RS_OP_PIPEKEY: return 0;
    case RS_OP_DRAIN: // the last limb
        return 2 * (n / (lanes ? lanes : 1)) + PIPELINE_CYCLES;
    case RS_OP_EXPAND:
        return keccak_cycles((word & RS_ORDER_LATE ? 8 + 6 : 8) * n,
                             design->keccak_cores); // if a word comes from every core; else too short, which only costs time
    default: return n / design->lanes + PIPELINE_CYCLES;
    }
}

// ---- items -------------------------------------------------------------------------------------------------------------
static uint32_t operand(rs_operand_t kind, uint32_t number) {
    switch (kind) {
    case RS_OPERAND_GROUP: return 1u << number;
    case RS_OPERAND_SLOT: return 1u << (SLOTS_AT + (number & 7));
    case RS_OPERAND_SLOTS: // what they hold is spent afterwards
        return 7u << (SLOTS_AT + (number < 6 ? number : 5));
    case RS_OPERAND_CONTEXT: return 1u << (CONTEXTS_AT + (number & 3));
    case RS_OPERAND_DIGEST: // no program with digests is reordered
    case RS_OPERAND_NONE: break;
    }
    return 0;
}

static item_t item_at(const rs_design_t *design, uint32_t log_n, const uint64_t *words, size_t left) {
    item_t item = {.frame = (uint32_t)(words[0] >> RS_ORDER_FRAME_SHIFT) & RS_ORDER_FRAME_MASK};
    uint32_t op;
    do {
        const uint64_t word = words[item.words++];
        const rs_op_info_t *info = rs_op_info(word);
        const uint32_t dst = operand(info->dst, RS_GET_FIELD(DST, word));
        op = RS_GET_FIELD(OP, word);
        item.writes |= dst;
        if (info->reads_dst) item.reads |= dst;
        item.reads |= operand(info->a, RS_GET_FIELD(A, word)) | operand(info->b, RS_GET_FIELD(B, word));
        if (info->uses & RS_USES_CTX) item.reads |= operand(RS_OPERAND_CONTEXT, RS_GET_FIELD(CTX, word));
        if (op == RS_OP_STREAM) item.writes |= 1u << STREAM_BIT;
        if (info->unit == RS_UNIT_PIPE) item.writes |= 1u << SCRATCH_BIT;
        if (op == RS_OP_CONTEXT) item.writes |= 1u << MODULUS_BIT;
        // with the first sample of a frame its moduli begin anew; the first two frames have begun with the program
        if (op == RS_OP_SAMPLE && RS_GET_FIELD(FRAME, word) > 1) item.writes |= 1u << MODULUS_BIT;
        if (op == RS_OP_EXPAND) item.writes |= 1u << EXPANSION_BIT;
        if (op == RS_OP_SAMPLE && word & RS_ORDER_LATE) item.writes |= 1u << SCRATCH_BIT;
        if (info->uses & RS_USES_MEMORY && RS_GET_FIELD(POINTER, word) == RS_POINTER_SCRATCH) item.writes |= 1u << SCRATCH_BIT;
        item.units |= 1u << info->unit;
        item.cycles = max64(item.cycles, duration(design, log_n, word));
        if (op == RS_OP_LIFTW || op == RS_OP_LIFTON || op == RS_OP_CENTRE) item.after_store = 1;
        if (info->unit == RS_UNIT_LOAD) {
            item.beats = transfer(design, log_n, word);
            item.kind = load_kind(design, word);
        }
    } while (op == RS_OP_STREAM && item.words < left);
    return item;
}

// ---- time --------------------------------------------------------------------------------------------------------------
typedef struct timing {
    uint64_t now;
    uint64_t end;
    uint64_t unit_free[RS_UNIT_COUNT];
    uint64_t ready[RESOURCES]; // written
    uint64_t idle[RESOURCES]; // nobody uses it
    uint64_t read; // LOAD's last beat
    uint64_t load_end[2]; // end of its last instruction, and of the one before
    load_kind_t kind; // and what that was
} timing_t;

// Groups and slots belong to one instruction at a time; contexts are shared by their readers.
static uint64_t start_of(const timing_t *t, const item_t *item) {
    uint64_t start = t->now;
    for (unsigned u = 0; u < RS_UNIT_COUNT; u++) {
        if (item->units >> u & 1) start = max64(start, t->unit_free[u]);
    }
    if (item->kind != LOAD_NONE && (item->kind != t->kind || item->kind == LOAD_MESSAGE)) start = max64(start, t->load_end[0]);
    for (unsigned r = 0; r < RESOURCES; r++) {
        const int shared = r >= CONTEXTS_AT && !(item->writes >> r & 1);
        // what LOAD compares with comes in time by itself
        if (shared && item->units == 1u << RS_UNIT_LOAD) continue;
        if ((item->reads | item->writes) >> r & 1) start = max64(start, shared ? t->ready[r] : t->idle[r]);
    }
    return start;
}

static void run(timing_t *t, const item_t *item) {
    const uint64_t start = start_of(t, item);
    const int loads = item->kind != LOAD_NONE;
    if (loads) t->read = max64(start + LATENCY_CYCLES, t->read) + item->beats;
    const uint64_t first = item->after_store ? max64(start, t->unit_free[RS_UNIT_STORE]) : start;
    const uint64_t end = max64(first + item->cycles, loads ? t->read + DRAIN_CYCLES : 0);
    for (unsigned u = 0; u < RS_UNIT_COUNT; u++) {
        if (item->units >> u & 1) t->unit_free[u] = end;
    }
    if (loads) { // the next one, when this one's addresses are out and the second one before has ended
        t->unit_free[RS_UNIT_LOAD] = max64(t->load_end[1], t->read > start + AHEAD_CYCLES ? t->read - AHEAD_CYCLES : start);
        t->load_end[1] = t->load_end[0];
        t->load_end[0] = end;
        t->kind = item->kind;
    }
    for (unsigned r = 0; r < RESOURCES; r++) {
        if (item->writes >> r & 1) t->ready[r] = end;
        if ((item->reads | item->writes) >> r & 1) t->idle[r] = max64(t->idle[r], end);
    }
    t->now = start + RS_TIME_ISSUE * item->words;
    t->end = max64(t->end, end);
}

void rs_program_order(const rs_design_t *design, uint32_t log_n, uint64_t *words, size_t length) {
    timing_t timing = {0};
    for (size_t done = 0; done < length;) {
        item_t best = {0};
        uint64_t best_start = UINT64_MAX;
        size_t best_at = done;
        uint32_t reads = 0; // reads by the items passed over
        uint32_t writes = 0;
        uint32_t frames = 0;
        for (size_t k = done; k < length && k < done + WINDOW;) {
            const item_t item = item_at(design, log_n, words + k, length - k);
            // the core tells the errors of two frames apart that follow each other: an instruction waits for all of older ones
            const uint32_t older = 3u << ((item.frame + 1) & RS_ORDER_FRAME_MASK);
            const int may_pass = !(item.writes & (reads | writes)) && !(item.reads & writes) && !(frames & (older | older >> 4));
            uint64_t start = start_of(&timing, &item);
            // a context can be long: for a few cycles it does not pass a polynomial that somebody waits for
            if (k > done && item.writes >> MODULUS_BIT & 1) start += PASS_CYCLES;
            // a STORE beside a transform, say: whoever comes second starts an instruction's issue later, and lanes are dearer
            const int first_of_equals =
                start == best_start && item.units >> RS_UNIT_COMPUTE & 1 && !(best.units >> RS_UNIT_COMPUTE & 1);
            if (may_pass && (start < best_start || first_of_equals)) {
                best = item;
                best_start = start;
                best_at = k;
            }
            reads |= item.reads;
            writes |= item.writes;
            frames |= 1u << item.frame;
            k += item.words;
        }
        for (size_t i = 0; i < best.words; i++) { // move it to its place; the instructions before it move back
            uint64_t word = words[best_at + i];
            if (rs_op_info(word)->unit == RS_UNIT_SAMPLE || rs_op_info(word)->unit == RS_UNIT_EXPAND) word &= ~RS_ORDER_LATE;
            for (size_t k = best_at + i; k > done + i; k--) words[k] = words[k - 1];
            words[done + i] = word & ~rs_order_frame(RS_ORDER_FRAME_MASK);
        }
        run(&timing, &best);
        done += best.words;
    }
}
