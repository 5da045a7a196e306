// SPDX-License-Identifier: Apache-2.0
// Relinearisation of either kind, and modulus switching.
#include "scheme/scheme.h"

rs_ltv_status_t rs_ltv_relinearise(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count) {
    if (!ltv || !set) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    for (uint32_t digit = 0; digit < ltv->info.digits; digit++) {
        if (!ltv->is_loaded[digit]) return RS_LTV_ERR_KEY;
    }
    return ltv->params.special ? ltv_hybrid(ltv, set, level, count) : ltv_windows(ltv, set, level, count);
}

typedef struct switch_run {
    rs_ltv_t *ltv;
    uint32_t *set;
    uint32_t level, count;
} switch_run_t;

static void switch_task(void *argument, size_t index) {
    const switch_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    if (ltv_halted(ltv)) return;
    int32_t *even = ltv_take(ltv, ltv->info.n * sizeof *even);
    if (!even) return;
    uint32_t *first = run->set + ltv_row(ltv, 0, run->count, (uint32_t)index);
    ltv_drop(ltv, first, (size_t)run->count * ltv->info.n, run->level - 1, run->level, even);
    ltv_give(ltv, even);
}

rs_ltv_status_t rs_ltv_switch(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count) {
    if (!ltv || !set) return RS_LTV_ERR_NULL;
    if (level < 2 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    switch_run_t run = {ltv, set, level, count};
    return ltv_run(ltv, switch_task, &run, count);
}
