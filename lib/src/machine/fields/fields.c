// SPDX-License-Identifier: Apache-2.0
// Programs and calls of schemes on a core with fields.
#include "machine/fields/fields.h"

#include "machine/image.h"

enum { LOG_SIZE_MAX = 8, PLAN_WORDS = 4 << LOG_SIZE_MAX };

rs_status_t rs_fields_finish(rs_builder_t *b, size_t *length) {
    rs_builder_emit(b, OP(END));
    if (b->length > b->capacity) return RS_ERR_PROGRAM_LENGTH;
    *length = b->length;
    return RS_OK;
}

rs_status_t rs_fields_fit(const rs_design_t *design, uint32_t log_n, uint32_t slices, uint32_t groups) {
    if (!(design->features & RS_FEATURE_FIELDS) || rs_design_slices(design) < slices || design->groups < groups)
        return RS_ERR_DESIGN;
    if (design->reduction != RS_REDUCTION_WLM) return RS_ERR_DESIGN;
    return log_n < design->log_n_min || log_n > design->log_n_max ? RS_ERR_DESIGN_DEGREE : RS_OK;
}

rs_status_t rs_fields_put_context(rs_device_t *d, size_t offset, uint32_t log_size, uint64_t q, uint64_t psi) {
    uint64_t memory[PLAN_WORDS];
    const rs_plan_t *plan;
    RS_TRY(rs_plan_init_root(&plan, memory, sizeof memory, log_size, q, psi));
    const uint64_t radix = rs_image_radix(&d->design, &plan->modulus);
    rs_image_context(&d->design, plan, radix, 1, d->bus.memory + offset);
    rs_machine_sync_for_device(d, d->bus.memory + offset, rs_design_context_bytes(&d->design, log_size));
    return RS_OK;
}

uint32_t rs_fields_find(const rs_device_t *d, uint32_t op) {
    const uint64_t *words = d->program + d->program_first;
    uint32_t index = 0;
    while (RS_GET_FIELD(OP, words[index]) != op) index++;
    return index;
}

// A write at instruction 0 would begin a new program (hw/sequencer/rtl/rs_fetch.sv).
rs_status_t rs_fields_patch(rs_device_t *d, uint32_t index, uint64_t word) {
    uint64_t *words = d->program + d->program_first;
    if (words[index] == word) return RS_OK;
    words[index] = word;
    rs_status_t status = rs_machine_set(d, RS_REG_PROGRAM_INDEX, index);
    if (status == RS_OK) status = rs_machine_set(d, RS_REG_PROGRAM_LO, (uint32_t)word);
    if (status == RS_OK) status = rs_machine_set(d, RS_REG_PROGRAM_HI, (uint32_t)(word >> 32));
    if (status != RS_OK) d->program_words = 0;
    return status;
}

rs_status_t rs_fields_overlay(rs_device_t *d, uint32_t index, const uint64_t *words, uint32_t count) {
    rs_status_t status = rs_machine_set(d, RS_REG_PROGRAM_INDEX, index);
    for (uint32_t i = 0; i < count && status == RS_OK; i++) {
        status = rs_machine_set(d, RS_REG_PROGRAM_LO, (uint32_t)words[i]);
        if (status == RS_OK) status = rs_machine_set(d, RS_REG_PROGRAM_HI, (uint32_t)(words[i] >> 32));
    }
    if (status != RS_OK) d->program_words = 0;
    return status;
}

rs_status_t rs_fields_ask(rs_device_t *d) {
    RS_TRY(rs_machine_begin(d));
    return rs_fields_wait(d);
}

rs_status_t rs_fields_wait(rs_device_t *d) {
    const rs_call_t *call = &d->call;
    const rs_status_t status = rs_machine_wait_for_core(d);
    if (status != RS_OK && status != RS_ERR_FIXED_RANGE) return rs_machine_end(d, status);
    for (uint32_t i = 0; i < call->buffer_count; i++) {
        if (call->buffers[i].written) rs_machine_sync_for_cpu(d, call->buffers[i].data, call->buffers[i].bytes);
    }
    d->under_way = 0;
    return status;
}
