// SPDX-License-Identifier: Apache-2.0
// Tasks on the pool, memory for them, and progress.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "scheme/scheme.h"

void *ltv_allocate(size_t bytes) {
    return aligned_alloc(LTV_ALIGNMENT, (bytes + LTV_ALIGNMENT - 1) / LTV_ALIGNMENT * LTV_ALIGNMENT);
}

void *ltv_take(rs_ltv_t *ltv, size_t bytes) {
    pthread_mutex_lock(&ltv->mutex);
    ltv_scratch_t *chosen = NULL;
    for (size_t i = 0; i < LTV_SCRATCH_MAX; i++) { // the largest one that is free
        ltv_scratch_t *one = &ltv->scratch[i];
        if (!one->busy && (!chosen || one->bytes > chosen->bytes)) chosen = one;
    }
    if (chosen->bytes < bytes) {
        if (chosen->memory) rs_zeroize(chosen->memory, chosen->bytes);
        free(chosen->memory);
        chosen->memory = ltv_allocate(bytes);
        chosen->bytes = chosen->memory ? bytes : 0;
    }
    if (chosen->memory)
        chosen->busy = 1;
    else
        atomic_store(&ltv->failed, 1);
    pthread_mutex_unlock(&ltv->mutex);
    return chosen->memory;
}

void ltv_give(rs_ltv_t *ltv, void *memory) {
    pthread_mutex_lock(&ltv->mutex);
    for (size_t i = 0; i < LTV_SCRATCH_MAX; i++) {
        if (ltv->scratch[i].memory == memory) ltv->scratch[i].busy = 0;
    }
    pthread_mutex_unlock(&ltv->mutex);
}

int ltv_halted(rs_ltv_t *ltv) { return atomic_load(&ltv->stop) || atomic_load(&ltv->failed); }

rs_ltv_status_t ltv_run(rs_ltv_t *ltv, rs_task_t task, void *argument, size_t count) {
    ltv->pool.run(ltv->pool.state, task, argument, count);
    if (atomic_exchange(&ltv->failed, 0)) return RS_LTV_ERR_MEMORY;
    return atomic_load(&ltv->stop) ? RS_LTV_ERR_STOPPED : RS_LTV_OK;
}

uint64_t rs_ltv_progress(const rs_ltv_t *ltv, uint64_t *cost) {
    if (cost) *cost = atomic_load(&ltv->cost);
    return atomic_load(&ltv->done);
}

void rs_ltv_stop(rs_ltv_t *ltv) { atomic_store(&ltv->stop, 1); }
