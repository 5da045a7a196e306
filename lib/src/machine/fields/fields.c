// SPDX-License-Identifier: Apache-2.0
// Programs and calls of schemes on a core with fields.
#include "machine/fields/fields.h"

#include "base/bytes.h"
#include "hash/sponges.h"
#include "machine/image.h"

enum { LOG_SIZE_MAX = 8, PLAN_WORDS = 4 << LOG_SIZE_MAX };

rs_status_t rs_fields_finish(rs_builder_t *b, size_t *length) {
    rs_builder_emit(b, OP(END));
    if (b->length > b->capacity) return RS_ERR_PROGRAM_LENGTH;
    *length = b->length;
    return RS_OK;
}

void rs_fields_seal(rs_builder_t *b, uint64_t ctx, uint32_t group, rs_pointer_t pointer, size_t at, uint32_t digest) {
    enum { POLYS = 6, LOG_N = 8, BITS = 20, COPIED = POLYS * BITS * (1 << LOG_N) / 8 }; // fields that every residue holds
    const rs_polys_t all = {group, LOG_N, 0, POLYS, RS_POLYS_COEFFICIENTS};
    rs_builder_emit(b, rs_word_loadf(all, ctx, RS_LOAD_PLAIN, BITS, pointer, at));
    rs_builder_emit(b, rs_word_storef(all, ctx, RS_STORE_PLAIN, BITS, RS_FIELDS_VAULT, 0));
    rs_builder_emit(b, OP(LOADD) | DST(digest) | rs_near(pointer, at + COPIED));
    for (size_t line = COPIED; line < RS_VAULT_PART_BYTES; line += RS_ISA_LINE_BYTES)
        rs_builder_emit(b, OP(STORED) | A(digest) | rs_near(RS_FIELDS_VAULT, line));
}

rs_status_t rs_fields_fill(rs_builder_t *b, const rs_design_t *design, size_t *length) {
    const size_t lines = RS_VAULT_PROGRAM * RS_ISA_LINE_BYTES / sizeof(uint64_t);
    const size_t words = lines < design->program_depth ? lines : design->program_depth;
    RS_TRY(rs_fields_finish(b, length));
    if (*length > words || words > b->capacity) return RS_ERR_PROGRAM_LENGTH;
    while (*length < words) b->words[(*length)++] = OP(END);
    return RS_OK;
}

static uint64_t bound(uint64_t word) {
    const uint32_t draw = RS_GET_FIELD(DRAW, word);
    const int mask = RS_GET_FIELD(OP, word) == RS_OP_DRAW && (draw == RS_DRAW_MASK18 || draw == RS_DRAW_MASK20);
    return mask ? word & ~RS_FIELD(NUMBER, (1 << RS_ISA_NUMBER_BITS) - 1) : word;
}

void rs_fields_bound_hash(uint8_t out[RS_DIGEST_BYTES], const uint8_t *image, const uint64_t *program, size_t words) {
    enum { LINES_WORDS = RS_VAULT_PROGRAM * RS_ISA_LINE_BYTES / 8 };
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
    rs_sponge_absorb(&sponge, image, RS_VAULT_PART_BYTES);
    for (size_t i = 0; i < LINES_WORDS; i++) {
        uint8_t word[8];
        rs_store64(word, i < words ? bound(program[i]) : 0);
        rs_sponge_absorb(&sponge, word, sizeof word);
    }
    rs_sponge_squeeze(&sponge, out, RS_DIGEST_BYTES);
}

rs_status_t rs_fields_put_key(rs_device_t *d, const uint8_t roots[RS_ROOT_BYTES], const uint8_t hash[RS_DIGEST_BYTES]) {
    RS_TRY(rs_machine_set(d, RS_REG_PROGRAM_INDEX, RS_KEY_INDEX));
    for (uint32_t lane = 0; lane < RS_KEY_LANES; lane++) {
        const uint32_t own = RS_ROOT_BYTES / 8;
        const uint8_t *at = lane < own ? roots + 8 * lane : hash + 8 * (lane - own);
        RS_TRY(rs_machine_set(d, RS_REG_PROGRAM_LO, rs_load32(at)));
        RS_TRY(rs_machine_set(d, RS_REG_PROGRAM_HI, rs_load32(at + 4)));
    }
    return RS_OK;
}

rs_status_t rs_fields_fit(const rs_design_t *design, uint32_t log_n, uint32_t slices, uint32_t groups) {
    if (!(design->features & RS_FEATURE_FIELDS) || rs_design_slices(design) < slices || design->groups < groups)
        return RS_ERR_DESIGN;
    return log_n < design->log_n_min || log_n > design->log_n_max ? RS_ERR_DESIGN_DEGREE : RS_OK;
}

rs_status_t rs_fields_put_context(rs_device_t *d, size_t offset, uint32_t log_size, uint64_t q, uint64_t psi) {
    uint64_t memory[PLAN_WORDS];
    const rs_plan_t *plan;
    RS_TRY(rs_plan_init(&plan, (rs_memory_t){memory, sizeof memory}, log_size, q, psi));
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
    if (status != RS_OK && status != RS_ERR_VALUE_RANGE) return rs_machine_end(d, status);
    for (uint32_t i = 0; i < call->buffer_count; i++) {
        if (call->buffers[i].written) rs_machine_sync_for_cpu(d, call->buffers[i].data, call->buffers[i].bytes);
    }
    d->under_way = 0;
    return status;
}
