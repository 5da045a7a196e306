// SPDX-License-Identifier: Apache-2.0
// Groups, contexts and slots of a program, and its instructions; order.c then moves them.
#include "machine/builder.h"

#include "machine/order.h"

static void cache_init(rs_cache_t *cache, uint32_t size) {
    cache->size = size;
    for (uint32_t i = 0; i < size; i++) {
        cache->place[i] = (uint8_t)i;
        cache->holds[i] = RS_BUILDER_NOTHING;
    }
}

uint32_t rs_cache_use(rs_cache_t *cache, uint32_t what, int *missing) {
    uint32_t i = 0;
    while (i < cache->size && cache->holds[i] != what) i++;
    *missing = i == cache->size;
    if (*missing) i = 0;
    const uint8_t place = cache->place[i];
    for (; i + 1 < cache->size; i++) {
        cache->place[i] = cache->place[i + 1];
        cache->holds[i] = cache->holds[i + 1];
    }
    cache->place[i] = place;
    cache->holds[i] = (uint16_t)what;
    return place;
}

int rs_cache_holds(const rs_cache_t *cache, uint32_t what) {
    for (uint32_t i = 0; i < cache->size; i++) {
        if (cache->holds[i] == what) return 1;
    }
    return 0;
}

void rs_cache_forget(rs_cache_t *cache, uint32_t but) {
    for (uint32_t i = 0; i < RS_BUILDER_CACHE; i++) {
        if (cache->holds[i] != but) cache->holds[i] = RS_BUILDER_NOTHING;
    }
}

uint32_t rs_builder_take(rs_builder_t *b) {
    const uint32_t group = b->free_groups[0];
    b->free_count--;
    for (uint32_t i = 0; i < b->free_count; i++) b->free_groups[i] = b->free_groups[i + 1];
    return group;
}

void rs_builder_release(rs_builder_t *b, uint32_t group) { b->free_groups[b->free_count++] = (uint8_t)group; }

void rs_builder_emit(rs_builder_t *b, uint64_t word) {
    if (b->length < b->capacity) b->words[b->length] = word | rs_order_frame(b->frames_mix ? 0 : b->frame);
    b->length++;
}

uint64_t rs_builder_context(rs_builder_t *b, uint32_t what, uint64_t load) {
    int missing;
    const uint32_t place = rs_cache_use(&b->contexts, what, &missing);
    if (missing) rs_builder_emit(b, load | DST(place));
    return RS_FIELD(CTX, place);
}

uint64_t rs_builder_at(const rs_builder_t *b, rs_pointer_t pointer, uint32_t index, int wide) {
    return RS_FIELD(POINTER, pointer) | OFFSET((size_t)index * (wide ? 8 : 4) << b->log_n) | RS_FIELD(WIDE, wide);
}

void rs_builder_init(rs_builder_t *b, const rs_design_t *design, uint32_t log_n, uint64_t *words, size_t capacity) {
    *b = (rs_builder_t){.design = design, .log_n = log_n, .words = words};
    b->capacity = capacity < design->program_depth ? capacity : design->program_depth;
    for (uint32_t group = 0; group < design->groups; group++) rs_builder_release(b, group);
    cache_init(&b->contexts, design->contexts);
    cache_init(&b->slots, design->slots);
}

rs_status_t rs_builder_finish(rs_builder_t *b, size_t *length) {
    const size_t instructions = b->length;
    b->frame = 0;
    rs_builder_emit(b, OP(END));
    if (b->length > b->capacity) return RS_ERR_PROGRAM_LENGTH;
    rs_program_order(b->design, b->log_n, b->words, instructions);
    *length = b->length;
    return RS_OK;
}
