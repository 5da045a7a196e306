// SPDX-License-Identifier: Apache-2.0
// How long an instruction takes by itself, with the bus at its disposal.
#ifndef RINGSIDE_TIMING_COST_H
#define RINGSIDE_TIMING_COST_H

#include <ringside/timing.h>

#include "machine/instruction.h"
#include "machine/timing/table.h"

enum { RS_KECCAK_ROUNDS = 24, RS_KECCAK_SLICES = 64, RS_CBD_BYTES = 6 };
// The public stream is made of blocks of so many words, by so many permutations.
enum { RS_EXPAND_BLOCK = 512, RS_EXPAND_PERMUTATIONS = 31 };

static inline int64_t rs_max(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int64_t rs_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

// What times follow from, for polynomials of one size.
typedef struct rs_pace {
    const rs_timing_t *timing;
    int64_t n;
    int64_t lanes;
    int64_t bus; // bytes
    int64_t latency;
    int64_t chunk; // words that enter or leave the banks in a cycle
    int64_t chunks;
    int64_t word_bytes;
    int64_t beats;
    int64_t multiplier; // latencies
    int64_t lane;
    int64_t tail; // what rs_transpose and long bursts hold behind the last beat
    int64_t burst_bytes;
    int64_t ahead; // a STREAM of signed words: cycles that its queues hold
    uint32_t log_n;
    uint32_t log_lanes;
    uint32_t log_chunk;
    int has_fields; // a cycle more to memory, which LOAD and STORE share then
} rs_pace_t;

typedef struct rs_cost {
    int64_t work; // cycles in which the unit works
    int64_t tail; // from its work to its end
    int64_t lead; // LOAD: from the start to the first word; LOADF: to its lines
    int64_t
        far; // LOAD: work, if its bursts begin another round trip; PIPE: tail behind a frame with the same key; LOADF: time of the bus
    int64_t rest; // LOAD: bursts - 1, without whole rounds of those that may be under way
    int64_t beats; // LOAD, STORE, contexts
    int64_t bursts; // LOAD: cycles of its addresses
    int64_t ahead; // LOAD: how far addresses may be ahead of their words
} rs_cost_t;

// log_size: of polynomials, 0: those of the ring.
void rs_pace_init(rs_pace_t *pace, const rs_timing_t *timing, uint32_t log_size);
// RS_ERR_DEVICE_DESIGN, RS_ERR_DESIGN_DEGREE.
RS_MUST_CHECK rs_status_t rs_timing_check(const rs_timing_t *timing);
// pace: of this timing; its size becomes that of the word. 0: the instruction has no time.
int rs_cost_of(rs_pace_t *pace, uint64_t word, rs_cost_t *cost);
// LOADS, STORES: beats of their lines, and how many slots and imaginary parts these have.
typedef struct rs_slots_cost {
    int64_t beats;
    int64_t slots;
    int64_t imaginary;
} rs_slots_cost_t;
rs_slots_cost_t rs_slots_cost(const rs_pace_t *pace, uint64_t word);
// The cycles that its unit needs at least, for polynomials of this pace's size; what it does is added to the counts of *timed.
int64_t rs_least_of(const rs_pace_t *pace, uint64_t word, const rs_cost_t *cost, rs_timed_t *timed);

// What of a word the scoreboard looks at.
typedef struct rs_step {
    rs_unit_t unit;
    rs_rule_t rule;
    uint32_t op;
    uint32_t held; // groups, and slots from bit 16 on
    uint32_t context;
    int has_context;
    int loads_context;
    int is_signed; // a STREAM
    int adds; // a LIFT that takes a STREAM
    int reads; // a LIFT that reads groups by the port of STORE
} rs_step_t;

enum { RS_STEP_SLOTS_AT = 16, RS_STEP_HELD = 24, RS_STEP_CONTEXTS = 4, RS_STEP_LOADS = 3, RS_STEP_FRAME_SLOTS = 3 };

// 0: the word has no time.
int rs_step_of(uint64_t word, rs_step_t *step);

#endif
