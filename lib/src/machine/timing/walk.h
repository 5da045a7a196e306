// SPDX-License-Identifier: Apache-2.0
// The sequencer's scoreboard (hw/sequencer/README.md), walked instruction by instruction for several designs side by side: groups and slots are
// held by one instruction, contexts are shared, LOAD runs three instructions that end in their order, and a STREAM ends with the LIFT or
// MSUBS that takes it. Whoever includes this defines
//   WALK_TIME    a signed integer that holds every time
//   WALK_WIDTH   designs side by side
#include <string.h>

#include "machine/timing/cost.h"

#define EACH(w) for (unsigned w = 0; w < WALK_WIDTH; w++)

typedef WALK_TIME times_t[WALK_WIDTH];

// rs_cost_t of each design.
typedef struct costs {
    times_t work;
    times_t tail;
    times_t lead;
    times_t far;
    times_t rest;
    times_t bursts;
    times_t ahead;
} costs_t;

static void put_cost(costs_t *costs, unsigned w, const rs_cost_t *c) {
    costs->work[w] = (WALK_TIME)c->work;
    costs->tail[w] = (WALK_TIME)c->tail;
    costs->lead[w] = (WALK_TIME)c->lead;
    costs->far[w] = (WALK_TIME)c->far;
    costs->rest[w] = (WALK_TIME)c->rest;
    costs->bursts[w] = (WALK_TIME)c->bursts;
    costs->ahead[w] = (WALK_TIME)c->ahead;
}

typedef struct walk {
    // constants of the designs
    times_t latency;
    times_t outstanding;
    times_t is_shared; // all ones or zero: SAMPLE and EXPAND have the same cores
    times_t chunk_tail;
    times_t ahead;
    // when it is free; contexts: when they are there, and when their last user ends
    times_t free[RS_UNIT_COUNT];
    times_t until[RS_STEP_HELD];
    times_t here[RS_STEP_CONTEXTS];
    times_t users[RS_STEP_CONTEXTS];
    times_t pieces; // when the last context or piece of one is there
    times_t loads[RS_STEP_LOADS]; // ends of LOAD's instructions
    unsigned newest; // the last one
    times_t alone; // until then LOAD runs one instruction
    times_t asks; // LOAD's newest instruction begins to ask for its words, and takes another one
    times_t asked; // it has asked for all
    times_t bus;
    times_t round; // bursts of LOAD's last round trip
    times_t keccak;
    times_t digest; // the last STORED's, in memory
    // a STREAM that waits for who takes it
    int passes;
    int passes_signed;
    times_t passing_work;
    times_t passing_end;
    // when STORE began and ceased to read
    times_t stored_from;
    times_t stored_to;
    // LIFT's newest instruction that reads groups, LOAD's newest one: what they alone hold
    int has_reader;
    uint32_t reader_held;
    int reader_has_context;
    uint32_t reader_context;
    times_t reader_end;
    uint32_t latest_held;
    times_t latest_end;
    int key_here; // PIPE has a frame with this key behind it
    WALK_TIME drained; // what the end of the program waits for PIPE
    times_t issue;
    times_t last;
    times_t active[RS_UNIT_COUNT];
} walk_t;

static inline WALK_TIME larger_time(WALK_TIME a, WALK_TIME b) { return a > b ? a : b; }

static inline void wait_for(times_t wait, const times_t other) {
    EACH (w) wait[w] = larger_time(wait[w], other[w]);
}

static void walk_design(walk_t *s, unsigned w, const rs_pace_t *pace) {
    s->latency[w] = (WALK_TIME)pace->latency;
    s->outstanding[w] = pace->timing->build.outstanding ? pace->timing->build.outstanding : 1;
    s->is_shared[w] = pace->timing->build.keccak_shared ? -1 : 0;
    s->chunk_tail[w] = (WALK_TIME)pace->tail;
    s->ahead[w] = (WALK_TIME)pace->ahead;
}

static void walk_begin(walk_t *s) {
    memset(s, 0, sizeof *s);
    EACH (w) s->issue[w] = RS_TIME_START;
}

// ---- when an instruction may start -------------------------------------------------------------------------------------
static void find_start(const walk_t *s, const rs_step_t *step, times_t start) {
    times_t wait = {0};
    for (unsigned r = 0; r < RS_STEP_HELD; r++) {
        if (step->held >> r & 1) wait_for(wait, s->until[r]);
    }
    if (step->has_context && (step->loads_context || step->unit != RS_UNIT_LOAD)) wait_for(wait, s->here[step->context]);
    if (step->loads_context) {
        wait_for(wait, s->users[step->context]);
        wait_for(wait, s->pieces);
    }
    if (step->unit == RS_UNIT_LOAD) {
        wait_for(wait, s->alone);
        wait_for(wait, s->asks);
        wait_for(wait, s->loads[(s->newest + 1) % RS_STEP_LOADS]); // the third one before
        if (step->is_signed || step->op == RS_OP_LOADS) wait_for(wait, s->loads[s->newest]);
    } else {
        wait_for(wait, s->free[step->unit]);
    }
    // what STOREF wrote has to be in memory, and what STORED did
    if (step->op == RS_OP_HASH || step->op == RS_OP_LOADD) wait_for(wait, s->free[RS_UNIT_PACK]);
    if (step->op == RS_OP_LOADF || step->op == RS_OP_STOREF) wait_for(wait, s->digest);
    EACH (w) start[w] = larger_time(s->issue[w], wait[w] + RS_TIME_WAKE);
}

// ---- when it ends ------------------------------------------------------------------------------------------------------
static void run_load(walk_t *s, const rs_step_t *step, const costs_t *c, const times_t start, times_t end) {
    const times_t *before = &s->loads[s->newest];
    times_t work;
    EACH (w) {
        const WALK_TIME asks = larger_time(start[w], s->asked[w]);
        // bursts follow those that are under way
        const WALK_TIME bursts = c->rest[w] + (s->bus[w] >= asks + s->latency[w] ? s->round[w] : 0);
        const int over = bursts >= s->outstanding[w];
        work[w] = over ? c->far[w] : c->work[w];
        s->round[w] = bursts + 1 - (over ? s->outstanding[w] : 0);
        s->bus[w] = larger_time(asks + c->lead[w], s->bus[w]) + work[w];
        s->asks[w] = asks;
        s->asked[w] = larger_time(asks + c->bursts[w], s->bus[w] - c->ahead[w]);
        end[w] = larger_time(s->bus[w] + c->tail[w], (*before)[w] + 1);
        s->active[RS_UNIT_LOAD][w] += work[w];
    }
    if (step->op == RS_OP_STREAM) {
        s->passes = 1;
        s->passes_signed = step->is_signed;
        memcpy(s->passing_work, work, sizeof work);
        memcpy(s->passing_end, end, sizeof work);
    }
    if (step->is_signed || step->op == RS_OP_LOADS) memcpy(s->alone, end, sizeof work);
    s->newest = (s->newest + 1) % RS_STEP_LOADS;
    memcpy(s->loads[s->newest], end, sizeof work);
    memcpy(s->latest_end, end, sizeof work);
}

// The LIFT that reads waits for a STORE that began meanwhile.
static void delay_reader(walk_t *s, const times_t start, const times_t work) {
    if (!s->has_reader) return;
    EACH (w) s->reader_end[w] += start[w] < s->reader_end[w] ? work[w] : 0;
    for (unsigned r = 0; r < RS_STEP_HELD; r++) {
        if (s->reader_held >> r & 1) memcpy(s->until[r], s->reader_end, sizeof s->reader_end);
    }
    if (s->reader_has_context) wait_for(s->users[s->reader_context], s->reader_end);
    memcpy(s->free[RS_UNIT_LIFT], s->reader_end, sizeof s->reader_end);
    wait_for(s->last, s->reader_end);
}

static void run_store(walk_t *s, const costs_t *c, const times_t start, times_t end) {
    EACH (w) {
        end[w] = start[w] + c->work[w] + c->tail[w];
        s->stored_from[w] = start[w];
        s->stored_to[w] = start[w] + c->work[w];
    }
    delay_reader(s, start, c->work);
}

// The STREAM has been taken.
static void end_stream(walk_t *s, const times_t end) {
    memcpy(s->loads[s->newest], end, sizeof(times_t));
    memcpy(s->bus, end, sizeof(times_t));
    if (s->passes_signed) memcpy(s->alone, end, sizeof(times_t));
    s->passes = 0;
}

static void run_compute(walk_t *s, const rs_step_t *step, const costs_t *c, const times_t start, times_t end) {
    EACH (w) end[w] = start[w] + c->work[w] + c->tail[w];
    if (step->op != RS_OP_MSUBS || !s->passes) return;
    times_t taken;
    EACH (w) {
        end[w] = larger_time(end[w], s->passing_end[w] + RS_TIME_STREAM);
        taken[w] = larger_time(s->passing_end[w], end[w] - RS_TIME_STREAM);
    }
    end_stream(s, taken);
}

static void run_lift(walk_t *s, const rs_step_t *step, const costs_t *c, const times_t start, times_t end) {
    times_t first; // a STORE that runs goes before it
    EACH (w) first[w] = step->reads && s->stored_from[w] <= start[w] ? larger_time(s->stored_to[w], start[w]) : start[w];
    EACH (w) end[w] = first[w] + c->work[w] + c->tail[w];
    s->has_reader = step->reads;
    if (step->reads) {
        memcpy(s->reader_end, end, sizeof(times_t));
        s->reader_has_context = step->has_context;
        s->reader_context = step->context;
    }
    if (!step->adds || !s->passes) return;
    times_t taken;
    EACH (w) { // what came before waits in a short queue, so the rest takes its time from here on
        const WALK_TIME queue = s->passes_signed ? s->ahead[w] : RS_TIME_QUEUE;
        end[w] = larger_time(larger_time(end[w], first[w] + s->passing_work[w] - queue), s->passing_end[w] + RS_TIME_STREAM);
        taken[w] = end[w] - RS_TIME_STREAM;
    }
    end_stream(s, taken);
}

static void run_keccak(walk_t *s, const costs_t *c, const times_t start, times_t end) {
    EACH (w) {
        end[w] = larger_time(start[w], s->keccak[w] & s->is_shared[w]) + c->work[w] + c->tail[w];
        s->keccak[w] = end[w];
    }
}

static void run_pipe(walk_t *s, const rs_step_t *step, const costs_t *c, const times_t start, times_t end) {
    const times_t *tail = step->rule == RS_RULE_PIPE && s->key_here ? &c->far : &c->tail;
    EACH (w) end[w] = start[w] + c->work[w] + (*tail)[w];
    if (step->rule == RS_RULE_DRAIN)
        s->drained = RS_TIME_PIPE_END;
    else
        s->key_here = step->rule == RS_RULE_PIPE;
}

// Memory answers in order: a LOAD that still has lines to ask waits for those of a LOADF that began meanwhile, and so does the next one.
static void share_bus(walk_t *s, const costs_t *c, const times_t start) {
    times_t first;
    EACH (w) {
        first[w] = start[w] + c->lead[w];
        s->latest_end[w] += s->latest_end[w] > first[w] + s->chunk_tail[w] ? c->far[w] : 0;
        s->bus[w] = larger_time(s->bus[w], first[w] + c->far[w]);
    }
    for (unsigned r = 0; r < RS_STEP_HELD; r++) {
        if (s->latest_held >> r & 1) memcpy(s->until[r], s->latest_end, sizeof first);
    }
    memcpy(s->loads[s->newest], s->latest_end, sizeof first);
    wait_for(s->last, s->latest_end);
}

static void run_fields(walk_t *s, const rs_step_t *step, const costs_t *c, const times_t start, times_t end) {
    EACH (w) end[w] = start[w] + c->work[w] + c->tail[w];
    if (step->op == RS_OP_STORED) memcpy(s->digest, end, sizeof(times_t));
    if (step->op == RS_OP_LOADF) share_bus(s, c, start);
}

// ---- who holds what then -----------------------------------------------------------------------------------------------
static void hold(walk_t *s, const rs_step_t *step, const times_t end) {
    for (unsigned r = 0; r < RS_STEP_HELD; r++) {
        if (step->held >> r & 1) memcpy(s->until[r], end, sizeof(times_t));
    }
    s->reader_held = step->reads ? step->held : s->reader_held & ~step->held;
    s->latest_held = step->unit == RS_UNIT_LOAD ? step->held : s->latest_held & ~step->held;
    if (step->loads_context) {
        memcpy(s->here[step->context], end, sizeof(times_t));
        wait_for(s->pieces, end);
    } else if (step->has_context) {
        wait_for(s->users[step->context], end);
    }
    memcpy(s->free[step->unit], end, sizeof(times_t));
}

static void walk_step(walk_t *s, const rs_step_t *step, const costs_t *c, times_t start, times_t end) {
    find_start(s, step, start);
    switch (step->unit) {
    case RS_UNIT_LOAD: run_load(s, step, c, start, end); break;
    case RS_UNIT_STORE: run_store(s, c, start, end); break;
    case RS_UNIT_COMPUTE: run_compute(s, step, c, start, end); break;
    case RS_UNIT_LIFT: run_lift(s, step, c, start, end); break;
    case RS_UNIT_PIPE: run_pipe(s, step, c, start, end); break;
    case RS_UNIT_SPONGE:
    case RS_UNIT_PACK: run_fields(s, step, c, start, end); break;
    default: run_keccak(s, c, start, end);
    }
    hold(s, step, end);
    if (step->unit != RS_UNIT_LOAD) {
        EACH (w) s->active[step->unit][w] += c->work[w];
    }
    wait_for(s->last, end);
    EACH (w) s->issue[w] = start[w] + RS_TIME_ISSUE;
}

static WALK_TIME walk_end(const walk_t *s, unsigned w) { return larger_time(s->last[w], s->issue[w]) + RS_TIME_END + s->drained; }
