// SPDX-License-Identifier: Apache-2.0
// The time of a program on many cores: the walk of machine/timing, for sixteen of them side by side.
#define WALK_TIME int32_t
#define WALK_WIDTH 16
#include <ringside/timing.h>
#include <stdlib.h>

#include "base/checks.h"
#include "machine/timing/walk.h"

enum { STEP_CYCLES_MAX = 64 }; // all constants of a step together

typedef struct instruction {
    rs_step_t step;
    uint32_t kind; // instructions that are alike for time have one cost: a CKKS program has 10 to 25
} instruction_t;

typedef struct kind {
    uint64_t word;
    int64_t count;
} kind_t;

typedef struct program {
    instruction_t *steps;
    kind_t *kinds;
    size_t length;
    size_t kind_count;
} program_t;

static rs_status_t compile(program_t *p, const uint64_t *words) {
    for (size_t i = 0; i < p->length; i++) {
        const uint64_t word = words[i] & RS_OP_TIMES[RS_GET_FIELD(OP, words[i])].bits;
        uint32_t k = 0;
        if (!rs_step_of(words[i], &p->steps[i].step)) return RS_ERR_TIME;
        while (k < p->kind_count && p->kinds[k].word != word) k++;
        if (k == p->kind_count) p->kinds[p->kind_count++] = (kind_t){word, 0};
        p->kinds[k].count++;
        p->steps[i].kind = k;
    }
    return RS_OK;
}

// The costs of one design. *fits: whether all times fit their integers; else they are zeros.
static rs_status_t put_costs(const program_t *p, const rs_timing_t *timing, unsigned w, walk_t *walk, costs_t *costs, int *fits) {
    const rs_status_t status = rs_timing_check(timing);
    if (status) return status;
    rs_pace_t pace;
    rs_pace_init(&pace, timing, 0);
    walk_design(walk, w, &pace);
    int64_t most = 0;
    for (size_t k = 0; k < p->kind_count; k++) {
        rs_cost_t c;
        if (!rs_cost_of(&pace, p->kinds[k].word, &c)) return RS_ERR_TIME;
        most += p->kinds[k].count * (2 * (c.work + c.tail + c.lead + c.far + c.bursts + c.ahead) + c.rest + STEP_CYCLES_MAX);
        if (most > INT32_MAX) break;
        put_cost(&costs[k], w, &c);
    }
    *fits = most <= INT32_MAX;
    for (size_t k = 0; !*fits && k < p->kind_count; k++) put_cost(&costs[k], w, &(rs_cost_t){0});
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
        walk_step(&walk, &p->steps[i].step, &costs[p->steps[i].kind], start, end);
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
    program_t program = {0};
    while (program.length < length && RS_GET_FIELD(OP, words[program.length]) != RS_OP_END) program.length++;
    program.steps = calloc(program.length + 1, sizeof *program.steps);
    program.kinds = calloc(program.length + 1, sizeof *program.kinds);
    costs_t *costs = calloc(program.length + 1, sizeof *costs);
    rs_status_t status = program.steps && program.kinds && costs ? compile(&program, words) : RS_ERR_NO_MEMORY;
    const batch_t batch = {timings, count, words, length, cycles, active};
    for (size_t first = 0; !status && first < count; first += WALK_WIDTH) status = run_group(&batch, &program, first, costs);
    free(program.steps);
    free(program.kinds);
    free(costs);
    return status;
}
