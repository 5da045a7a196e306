// SPDX-License-Identifier: Apache-2.0
// The time of a program on many cores: the walk of machine/timing, for sixteen of them side by side.
#define WALK_TIME int32_t
#define WALK_WIDTH 16
#include <ringside/timing.h>
#include <stdlib.h>

#include "base/checks.h"
#include "machine/timing/walk.h"

enum { STEP_CYCLES_MAX = 64 }; // all constants of a step together

// Instructions that are alike for time have one cost: a CKKS program has 10 to 25.
typedef struct program {
    rs_step_t *steps;
    uint32_t *kinds; // each step's
    uint64_t *words; // each kind's
    uint32_t *counts; // each kind's
    size_t length;
    size_t kind_count;
} program_t;

static void release(program_t *p) {
    free(p->steps);
    free(p->kinds);
    free(p->words);
    free(p->counts);
}

static uint32_t kind_of(program_t *p, uint64_t word) {
    const uint64_t kind = word & RS_OP_TIMES[RS_GET_FIELD(OP, word)].bits;
    for (size_t k = 0; k < p->kind_count; k++) {
        if (p->words[k] == kind) return (uint32_t)k;
    }
    p->words[p->kind_count] = kind;
    return (uint32_t)p->kind_count++;
}

static rs_status_t compile(program_t *p, const uint64_t *words, size_t length) {
    while (p->length < length && RS_GET_FIELD(OP, words[p->length]) != RS_OP_END) p->length++;
    p->steps = calloc(p->length + 1, sizeof *p->steps);
    p->kinds = calloc(p->length + 1, sizeof *p->kinds);
    p->words = calloc(p->length + 1, sizeof *p->words);
    p->counts = calloc(p->length + 1, sizeof *p->counts);
    if (!p->steps || !p->kinds || !p->words || !p->counts) return RS_ERR_NO_MEMORY;
    for (size_t i = 0; i < p->length; i++) {
        if (!rs_step_of(words[i], &p->steps[i])) return RS_ERR_TIME;
        p->kinds[i] = kind_of(p, words[i]);
        p->counts[p->kinds[i]]++;
    }
    return RS_OK;
}

// The costs of one design. *fits: whether all times fit their integers.
static rs_status_t put_costs(const program_t *p, const rs_timing_t *timing, unsigned w, walk_t *walk, costs_t *costs, int *fits) {
    const rs_status_t status = rs_timing_check(timing);
    if (status) return status;
    rs_pace_t pace;
    rs_pace_init(&pace, timing, 0);
    walk_design(walk, w, &pace);
    int64_t most = 0;
    for (size_t k = 0; k < p->kind_count; k++) {
        rs_cost_t cost;
        if (!rs_cost_of(&pace, p->words[k], &cost)) return RS_ERR_TIME;
        most += p->counts[k] *
                (2 * (cost.work + cost.tail + cost.lead + cost.far + cost.bursts + cost.ahead) + cost.rest + STEP_CYCLES_MAX);
        if (most > INT32_MAX) break;
        costs[k].work[w] = (int32_t)cost.work;
        costs[k].tail[w] = (int32_t)cost.tail;
        costs[k].lead[w] = (int32_t)cost.lead;
        costs[k].far[w] = (int32_t)cost.far;
        costs[k].rest[w] = (int32_t)cost.rest;
        costs[k].bursts[w] = (int32_t)cost.bursts;
        costs[k].ahead[w] = (int32_t)cost.ahead;
    }
    *fits = most <= INT32_MAX;
    for (size_t k = 0; !*fits && k < p->kind_count; k++) {
        costs[k].work[w] = costs[k].tail[w] = costs[k].lead[w] = costs[k].far[w] = costs[k].rest[w] = costs[k].bursts[w] =
            costs[k].ahead[w] = 0;
    }
    return RS_OK;
}

typedef struct batch {
    const rs_timing_t *timings;
    size_t count;
    const uint64_t *words;
    size_t length;
    uint64_t *cycles;
    uint32_t *active;
} batch_t;

static void put_result(const batch_t *b, size_t at, uint64_t cycles, const uint64_t *active) {
    b->cycles[at] = cycles;
    for (unsigned unit = 0; b->active && unit < RS_UNIT_COUNT; unit++) b->active[unit * b->count + at] = (uint32_t)active[unit];
}

// Designs from `first` on; the places beyond the last one are walked with costs that nobody looks at.
static rs_status_t run_group(const batch_t *b, const program_t *p, size_t first, costs_t *costs) {
    int fits[WALK_WIDTH] = {0};
    walk_t walk;
    walk_begin(&walk);
    for (unsigned w = 0; w < WALK_WIDTH && first + w < b->count; w++) {
        const rs_status_t status = put_costs(p, &b->timings[first + w], w, &walk, costs, &fits[w]);
        if (status) return status;
    }
    for (size_t i = 0; i < p->length; i++) {
        times_t start, end;
        walk_step(&walk, &p->steps[i], &costs[p->kinds[i]], start, end);
    }
    for (unsigned w = 0; w < WALK_WIDTH && first + w < b->count; w++) {
        uint64_t active[RS_UNIT_COUNT];
        for (unsigned unit = 0; unit < RS_UNIT_COUNT; unit++) active[unit] = (uint64_t)walk.active[unit][w];
        put_result(b, first + w, (uint64_t)walk_end(&walk, w), active);
        if (fits[w]) continue;
        rs_timed_t timed;
        const rs_status_t status = rs_program_time(&b->timings[first + w], b->words, b->length, &timed, NULL);
        if (status) return status;
        put_result(b, first + w, timed.cycles, timed.active);
    }
    return RS_OK;
}

rs_status_t rs_program_times(const rs_timing_t *timings, size_t count, const uint64_t *words, size_t length, uint64_t *cycles,
                             uint32_t *active) {
    if (!timings || !words || !cycles) return RS_ERR_NULL;
    const batch_t batch = {timings, count, words, length, cycles, active};
    program_t program = {0};
    rs_status_t status = compile(&program, words, length);
    costs_t *costs = calloc(program.kind_count + 1, sizeof *costs);
    if (!status && !costs) status = RS_ERR_NO_MEMORY;
    for (size_t first = 0; !status && first < count; first += WALK_WIDTH) status = run_group(&batch, &program, first, costs);
    free(costs);
    release(&program);
    return status;
}
