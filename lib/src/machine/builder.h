// SPDX-License-Identifier: Apache-2.0
// Programs under construction: groups handed out in rotation, what contexts and slots hold, instructions in the order of the mathematics.
#ifndef RINGSIDE_BUILDER_H
#define RINGSIDE_BUILDER_H

#include "base/checks.h"
#include "machine/design.h"
#include "machine/instruction.h"

enum { RS_BUILDER_GROUPS = 16, RS_BUILDER_CACHE = 8, RS_BUILDER_NOTHING = 0xffff };

// What contexts or slots hold, the least recently used first: numbers that the caller chooses, below RS_BUILDER_NOTHING.
typedef struct rs_cache {
    uint32_t size;
    uint8_t place[RS_BUILDER_CACHE];
    uint16_t holds[RS_BUILDER_CACHE];
} rs_cache_t;

typedef struct rs_builder {
    const rs_design_t *design;
    uint32_t log_n;
    uint64_t *words;
    size_t capacity;
    size_t length;
    uint8_t
        free_groups[RS_BUILDER_GROUPS]; // the group that has been free longest comes first: its last user has most likely finished
    uint32_t free_count;
    rs_cache_t contexts;
    rs_cache_t slots;
    uint32_t frame; // that instructions are emitted for
    int frames_mix; // 1: frames have no errors of their own, so nothing but groups orders their instructions
} rs_builder_t;

// All groups are free, and nothing is in contexts and slots.
void rs_builder_init(rs_builder_t *b, const rs_design_t *design, uint32_t log_n, uint64_t *words, size_t capacity);
// Ends the program and puts it in an order that suits the design. RS_ERR_PROGRAM_LENGTH.
RS_MUST_CHECK rs_status_t rs_builder_finish(rs_builder_t *b, size_t *length);

void rs_builder_emit(rs_builder_t *b, uint64_t word);

uint32_t rs_builder_take(rs_builder_t *b);
void rs_builder_release(rs_builder_t *b, uint32_t group);

// The place that holds `what`. If none does, *missing is set, and the least recently used place holds it from now on.
uint32_t rs_cache_use(rs_cache_t *cache, uint32_t what, int *missing);
int rs_cache_holds(const rs_cache_t *cache, uint32_t what);
// What it holds is another frame's, but for `but`.
void rs_cache_forget(rs_cache_t *cache, uint32_t but);

// The field of the context that holds `what`. If none does, `load` loads it: an instruction whose DST is left out.
uint64_t rs_builder_context(rs_builder_t *b, uint32_t what, uint64_t load);

// Polynomial `index` behind a pointer, in words of 8 bytes (wide) or of 4.
uint64_t rs_builder_at(const rs_builder_t *b, rs_pointer_t pointer, uint32_t index, int wide);

#define OP(name) RS_FIELD(OP, RS_OP_##name)
#define DST(number) RS_FIELD(DST, number)
#define A(number) RS_FIELD(A, number)
#define B(number) RS_FIELD(B, number)
#define FLAG(name) RS_FIELD(name, 1)
#define OFFSET(bytes) RS_FIELD(OFFSET, (bytes) / RS_ISA_LINE_BYTES)

#endif
