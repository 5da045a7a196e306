// SPDX-License-Identifier: Apache-2.0
// The time of a program on one core.
#define WALK_TIME int64_t
#define WALK_WIDTH 1
#include "base/checks.h"
#include "machine/timing/walk.h"

// A chain of instructions: when what they hold is there at the earliest.
typedef struct chain {
    uint64_t held[RS_STEP_HELD];
    uint64_t here[RS_STEP_CONTEXTS];
    uint64_t users[RS_STEP_CONTEXTS];
} chain_t;

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t chain_step(chain_t *chain, const rs_step_t *step, uint64_t cycles) {
    uint64_t end = step->has_context ? chain->here[step->context] : 0;
    if (step->loads_context) end = later(end, chain->users[step->context]);
    for (unsigned r = 0; r < RS_STEP_HELD; r++) {
        if (step->held >> r & 1) end = later(end, chain->held[r]);
    }
    end += cycles;
    for (unsigned r = 0; r < RS_STEP_HELD; r++) {
        if (step->held >> r & 1) chain->held[r] = end;
    }
    if (step->has_context) chain->users[step->context] = later(end, chain->users[step->context]);
    if (step->loads_context) chain->here[step->context] = end;
    return end;
}

rs_status_t rs_program_time(const rs_timing_t *timing, const uint64_t *words, size_t length, rs_timed_t *timed, rs_span_t *spans) {
    if (!timing || !words || !timed) return RS_ERR_NULL;
    const rs_status_t status = rs_timing_check(timing);
    if (status) return status;
    rs_pace_t pace;
    rs_pace_init(&pace, timing, 0);
    walk_t walk;
    walk_begin(&walk);
    chain_t chain = {0};
    walk_design(&walk, 0, &pace);
    *timed = (rs_timed_t){0};
    for (size_t i = 0; i < length && RS_GET_FIELD(OP, words[i]) != RS_OP_END; i++) {
        rs_step_t step;
        rs_cost_t cost;
        timed->index = i;
        if (!rs_step_of(words[i], &step) || !rs_cost_of(&pace, words[i], &cost)) return RS_ERR_TIME;
        costs_t costs;
        put_cost(&costs, 0, &cost);
        times_t start, end;
        walk_step(&walk, &step, &costs, start, end);
        const uint64_t least = (uint64_t)rs_least_of(&pace, words[i], &cost, timed);
        timed->least[step.unit] += least;
        timed->chain = later(timed->chain, chain_step(&chain, &step, least));
        if (spans) spans[i] = (rs_span_t){(uint32_t)start[0], (uint32_t)end[0]};
    }
    timed->cycles = (uint64_t)walk_end(&walk, 0);
    for (unsigned unit = 0; unit < RS_UNIT_COUNT; unit++) timed->active[unit] = (uint64_t)walk.active[unit][0];
    return RS_OK;
}
