// SPDX-License-Identifier: Apache-2.0
// The ring of descriptors: the driver on the model of the core, with a ring in front of its registers as docs/core.md says.
#include "base/bytes.h"
#include "machine/builder.h"
#include "machine/image.h"
#include "model_core.h"
#include "rs_test.h"

enum {
    LOG_N = 10,
    N = 1 << LOG_N,
    Q = 12289,
    ARRAYS = 16,
    RING_AT = 3 << 16,
    MEMORY = 1 << 18,
    SIZE_LOG = 2,
    SIZE = 1 << SIZE_LOG
};

static const rs_design_t DESIGN = {.lanes = 2,
                                   .word_bits = 32,
                                   .log_n_min = 10,
                                   .log_n_max = 11,
                                   .groups = 3,
                                   .contexts = 1,
                                   .bus_bits = 64,
                                   .program_depth = 128};

// A model with a ring. own: the model's bus.
typedef struct ring_core {
    model_core_t core;
    rs_bus_t own, bus;
    uint64_t base;
    uint32_t size, tail, head, control;
    int absent; // 1: its registers answer with an error; 2: with zeros
    unsigned slow, looks; // a program at every so many looks at RING_HEAD or waits; 0: all at once
    int stuck; // nothing runs
    int broken; // number of a descriptor that memory answers with an error, or MODEL_NEVER
    int refused; // number of the descriptor that somebody else's start comes before
    unsigned waits;
} ring_core_t;

#define RING_BIT(name) (1u << RS_REG_RING_CONTROL_##name##_SHIFT)

// As the core sees it.
static const uint8_t *core_memory(const ring_core_t *c, uint64_t address) {
    const model_region_t *r = &c->core.regions[0];
    return (r->shadow ? r->shadow : r->host) + (address - r->address);
}

// 1: stopped. Nothing here fails but the test itself.
#define HOLDS(condition) \
    if (!CHECK(condition)) return 1

static int start(ring_core_t *c, const uint8_t *line) {
    uint32_t first = 0, status;
    for (uint32_t i = 0; i < RS_POINTERS; i++) {
        const uint64_t word = rs_load64(line + 8 * i);
        if (i >= 1 && i <= 3) first |= (word & 63) << 6 * (i - 1);
        HOLDS(c->own.write(&c->core, RS_REG_POINTER + 8 * i, (uint32_t)word & ~63u) == RS_OK);
        HOLDS(c->own.write(&c->core, RS_REG_POINTER + 8 * i + 4, (uint32_t)(word >> 32)) == RS_OK);
    }
    HOLDS(c->own.write(&c->core, RS_REG_LOG_N, (uint32_t)rs_load64(line) & 31) == RS_OK);
    if (c->refused == (int)c->head) c->core.registers[RS_REG_STATUS / 4] |= 1u << RS_REG_STATUS_BUSY_SHIFT;
    c->core.program += first;
    c->core.program_words -= first;
    const rs_status_t told = c->own.write(&c->core, RS_REG_CONTROL, 1u << RS_REG_CONTROL_START_SHIFT);
    c->core.program -= first;
    c->core.program_words += first;
    HOLDS(told == RS_OK && c->own.read(&c->core, RS_REG_STATUS, &status) == RS_OK);
    c->core.registers[RS_REG_STATUS / 4] &= ~(1u << RS_REG_STATUS_BUSY_SHIFT);
    return status >> RS_REG_STATUS_CAUSE_SHIFT & 15 || status >> RS_REG_STATUS_ERROR_SHIFT & 1;
}

static void run_some(ring_core_t *c) {
    uint32_t count = c->slow ? ++c->looks % c->slow == 0 : UINT32_MAX;
    while (count-- && !c->stuck && c->control & RING_BIT(ENABLE) && !(c->control & RING_BIT(ERROR)) && c->head != c->tail) {
        const uint64_t address = c->base + 64 * (uint64_t)(c->head & ((1u << c->size) - 1));
        if (c->broken == (int)c->head || start(c, core_memory(c, address)))
            c->control |= RING_BIT(ERROR) | RING_BIT(IRQ);
        else
            c->head = (c->head + 1) & 0xffff;
        if (c->head == c->tail) c->control |= RING_BIT(IRQ);
    }
}

static rs_status_t ring_read(void *state, uint32_t offset, uint32_t *value) {
    ring_core_t *c = state;
    if (offset < RS_REG_RING_BASE_LO) return c->own.read(&c->core, offset, value);
    if (c->absent == 1) return RS_ERR_IO;
    if (offset == RS_REG_RING_HEAD) run_some(c);
    *value = offset == RS_REG_RING_HEAD ? c->head : offset == RS_REG_RING_SIZE ? c->size : c->control;
    if (c->absent) *value = 0;
    return RS_OK;
}

static rs_status_t ring_write(void *state, uint32_t offset, uint32_t value) {
    ring_core_t *c = state;
    if (offset < RS_REG_RING_BASE_LO) return c->own.write(&c->core, offset, value);
    if (c->absent == 1) return RS_ERR_IO;
    if (offset == RS_REG_RING_BASE_LO) c->base = (c->base & ~UINT64_C(0xffffffff)) | (value & ~63u);
    if (offset == RS_REG_RING_BASE_HI) c->base = (c->base & 0xffffffff) | (uint64_t)value << 32;
    if (offset == RS_REG_RING_SIZE) c->size = value & 15;
    if (offset == RS_REG_RING_TAIL) {
        c->tail = value & 0xffff;
        if (!c->slow) run_some(c);
    }
    if (offset == RS_REG_RING_CONTROL) {
        if (value & RING_BIT(ENABLE) && !(c->control & RING_BIT(ENABLE))) c->head = c->tail = 0;
        const uint32_t kept = c->control & (value & RING_BIT(IRQ) ? 0 : RING_BIT(IRQ));
        c->control = kept | (value & (RING_BIT(ENABLE) | RING_BIT(IRQ_ENABLE))) |
                     (value & RING_BIT(ENABLE) ? c->control & RING_BIT(ERROR) : 0);
    }
    return RS_OK;
}

// Returns when the interrupt is there, or early.
static rs_status_t ring_wait(void *state) {
    ring_core_t *c = state;
    c->waits++;
    if (!(c->control & RING_BIT(ENABLE))) return c->own.wait(&c->core);
    CHECK(c->control & RING_BIT(IRQ_ENABLE));
    run_some(c);
    return RS_OK;
}

// ---- what a test needs: two programs and arrays ------------------------------------------------------------------------------
typedef struct bench {
    ring_core_t c;
    rs_device_t device;
    rs_device_ring_t ring;
    uint8_t *memory;
    uint64_t address, words[64];
    uint32_t copy, length; // first instruction of the second program; of both
    size_t context, poly;
    const rs_plan_t *plan;
    uint64_t table[4 * N], sent[ARRAYS][N];
} bench_t;

static void build(bench_t *b, int twice) {
    rs_builder_t builder;
    size_t length;
    rs_builder_init(&builder, &DESIGN, LOG_N, b->words + b->length, 32);
    const uint64_t ctx = rs_builder_context(&builder, 0, OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS));
    const uint32_t x = rs_builder_take(&builder);
    rs_builder_emit(&builder, OP(LOAD) | DST(x) | ctx | rs_builder_at(&builder, RS_POINTER_INPUT, 0, 0));
    if (twice) rs_builder_emit(&builder, OP(ADD) | DST(x) | A(x) | ctx);
    rs_builder_emit(&builder, OP(STORE) | A(x) | rs_builder_at(&builder, RS_POINTER_OUTPUT, 0, 0));
    CHECK_OK(rs_builder_finish(&builder, &length));
    b->length += (uint32_t)length;
}

static bench_t *bench_new(int polls, int incoherent) {
    bench_t *b = calloc(1, sizeof *b);
    if (!b) abort();
    build(b, 1);
    b->copy = b->length;
    build(b, 0);
    model_core_init(&b->c.core, &DESIGN, MEMORY);
    b->c.core.incoherent = incoherent;
    b->c.broken = b->c.refused = MODEL_NEVER;
    model_core_bus(&b->c.core, &b->c.own);
    b->c.bus = b->c.own;
    b->c.bus.state = &b->c;
    b->c.bus.read = ring_read;
    b->c.bus.write = ring_write;
    b->c.bus.wait = polls ? NULL : ring_wait;
    CHECK_OK(open_device(&b->device, &b->c.bus));
    CHECK_OK(rs_plan_init(&b->plan, (rs_memory_t){b->table, sizeof b->table}, LOG_N, Q, 0));
    b->memory = rs_device_memory(&b->device, NULL, &b->address);
    b->context = rs_design_context_bytes(&DESIGN, LOG_N);
    b->poly = rs_design_poly_bytes(&DESIGN, LOG_N);
    rs_image_context(&DESIGN, b->plan, 1, 1, b->memory);
    for (unsigned i = 0; i < ARRAYS; i++) {
        for (unsigned k = 0; k < N; k++) b->sent[i][k] = (k * 2654435761u + i * 40503u) % Q;
        rs_image_write(&DESIGN, b->plan, b->memory + b->context + i * b->poly, b->sent[i], 0);
    }
    return b;
}

static void bench_free(bench_t *b) {
    CHECK_OK(rs_device_close(&b->device));
    CHECK_EQ_U64(b->c.core.misuse, 0);
    model_core_free(&b->c.core);
    free(b);
}

static uint64_t place(const bench_t *b, unsigned array) { return b->address + b->context + array * b->poly; }

// Program number i % 3 == 1 copies, the others double: array i to array i + ARRAYS.
static rs_descriptor_t descriptor(const bench_t *b, unsigned i) {
    const unsigned from = i % ARRAYS;
    rs_descriptor_t d = {.first = i % 3 == 1 ? b->copy : 0, .log_n = LOG_N};
    d.pointers[RS_POINTER_CONTEXTS] = b->address;
    d.pointers[RS_POINTER_INPUT] = place(b, from);
    d.pointers[RS_POINTER_OUTPUT] = place(b, from + ARRAYS);
    return d;
}

static void check_result(const bench_t *b, unsigned i) {
    uint64_t got[N], want[N];
    rs_image_read(&DESIGN, b->plan, got, b->memory + b->context + (i % ARRAYS + ARRAYS) * b->poly);
    for (unsigned k = 0; k < N; k++) want[k] = b->sent[i % ARRAYS][k] * (i % 3 == 1 ? 1 : 2) % Q;
    CHECK_EQ_MEM(got, want, sizeof got);
}

static rs_status_t open_ring(bench_t *b) {
    return rs_device_ring_open(&b->ring, &b->device, RING_AT, SIZE_LOG, b->words, b->length);
}

static uint32_t post(bench_t *b, unsigned first, uint32_t count) {
    rs_descriptor_t all[ARRAYS];
    uint32_t posted;
    for (uint32_t i = 0; i < count; i++) all[i] = descriptor(b, first + i);
    CHECK_OK(rs_device_ring_post(&b->ring, all, count, &posted));
    return posted;
}

// ---- programs that follow each other ------------------------------------------------------------------------------------------
static void go_round(int polls, unsigned slow) {
    bench_t *b = bench_new(polls, 0);
    uint32_t sent = 0, done = 0, before = 0;
    CHECK_OK(open_ring(b));
    b->c.slow = slow;
    while (sent < ARRAYS) {
        sent += post(b, sent, ARRAYS - sent < 3 ? ARRAYS - sent : 3);
        CHECK_OK(rs_device_ring_poll(&b->ring, &done));
        CHECK(done >= before && done <= sent && sent - done <= SIZE);
        before = done;
    }
    CHECK_OK(rs_device_ring_wait(&b->ring));
    CHECK_OK(rs_device_ring_poll(&b->ring, &done));
    CHECK_EQ_U64(done, ARRAYS);
    CHECK_EQ_U64(b->c.core.programs, ARRAYS);
    CHECK_EQ_U64(rs_device_report(&b->device)->cause, RS_FAULT_NONE);
    CHECK(rs_device_report(&b->device)->cycles > 0);
    for (unsigned i = 0; i < ARRAYS; i++) check_result(b, i);
    CHECK_OK(rs_device_ring_wait(&b->ring)); // nothing is left
    CHECK_OK(rs_device_ring_close(&b->ring));
    CHECK_STATUS(rs_device_ring_close(&b->ring), RS_ERR_DEVICE_NOT_LOADED);
    CHECK(polls ? b->c.waits == 0 : !slow || b->c.waits > 0);
    bench_free(b);
}

RS_TEST(a_ring_of_four_goes_round_four_times) {
    go_round(1, 0);
    go_round(1, 1);
    go_round(0, 0);
    go_round(0, 1);
    go_round(0, 2);
}

RS_TEST(no_more_is_posted_than_has_room) {
    bench_t *b = bench_new(1, 0);
    CHECK_OK(open_ring(b));
    b->c.stuck = 1;
    CHECK_EQ_U64(post(b, 0, 6), SIZE);
    CHECK_EQ_U64(post(b, SIZE, 1), 0);
    b->c.stuck = 0;
    b->c.slow = 1;
    CHECK_EQ_U64(post(b, SIZE, 2), 1); // the look at the head lets one run
    CHECK_OK(rs_device_ring_wait(&b->ring));
    CHECK_EQ_U64(b->c.core.programs, SIZE + 1);
    for (unsigned i = 0; i <= SIZE; i++) check_result(b, i);
    CHECK_OK(rs_device_ring_close(&b->ring));
    bench_free(b);
}

RS_TEST(counts_of_sixteen_bits_wrap) {
    bench_t *b = bench_new(1, 0);
    CHECK_OK(open_ring(b));
    b->ring.posted = b->ring.done = 0x1fffe;
    b->c.head = b->c.tail = 0xfffe;
    for (unsigned i = 0; i < 4; i++) CHECK_EQ_U64(post(b, 0x1fffe + i, 1), 1);
    CHECK_OK(rs_device_ring_wait(&b->ring));
    CHECK_EQ_U64(b->ring.done, 0x20002);
    for (unsigned i = 0; i < 4; i++) check_result(b, 0x1fffe + i);
    CHECK_OK(rs_device_ring_close(&b->ring));
    bench_free(b);
}

// Only descriptors: data are the caller's to hand over.
RS_TEST(descriptors_are_handed_over) {
    bench_t *b = bench_new(1, 1);
    b->c.bus.sync_for_device(&b->c, b->memory, RING_AT);
    CHECK_OK(open_ring(b));
    CHECK_EQ_U64(post(b, 0, 3), 3);
    CHECK_OK(rs_device_ring_wait(&b->ring));
    b->c.bus.sync_for_cpu(&b->c, b->memory, RING_AT);
    for (unsigned i = 0; i < 3; i++) check_result(b, i);
    CHECK_OK(rs_device_ring_close(&b->ring));
    bench_free(b);
}

// ---- errors ----------------------------------------------------------------------------------------------------------------------
static void works_again(bench_t *b) {
    CHECK_STATUS(rs_device_ring_poll(&b->ring, NULL), RS_ERR_DEVICE_NOT_LOADED);
    CHECK(!(b->c.control & (RING_BIT(ENABLE) | RING_BIT(ERROR) | RING_BIT(IRQ))));
    b->c.broken = b->c.refused = MODEL_NEVER;
    b->c.stuck = 0;
    const rs_descriptor_t d = descriptor(b, 0);
    const rs_run_t run = {.words = b->words, .length = b->copy, .log_n = LOG_N, .pointers = d.pointers, .pointer_count = 4};
    CHECK_OK(rs_device_run(&b->device, &run));
    check_result(b, 0);
    CHECK_OK(open_ring(b));
    CHECK_EQ_U64(post(b, 1, 2), 2);
    CHECK_OK(rs_device_ring_wait(&b->ring));
    check_result(b, 1);
    check_result(b, 2);
    CHECK_OK(rs_device_ring_close(&b->ring));
    bench_free(b);
}

static void fault(int polls) {
    bench_t *b = bench_new(polls, 0);
    rs_descriptor_t all[4];
    uint32_t posted, done;
    for (unsigned i = 0; i < 4; i++) all[i] = descriptor(b, i);
    all[2].pointers[RS_POINTER_INPUT] = b->address + MEMORY; // nothing is there
    CHECK_OK(open_ring(b));
    b->c.slow = 1;
    const unsigned wiped = b->c.core.zeroizes;
    CHECK_OK(rs_device_ring_post(&b->ring, all, 4, &posted));
    CHECK_EQ_U64(posted, 4);
    CHECK_STATUS(rs_device_ring_wait(&b->ring), RS_ERR_DEVICE_BUS);
    CHECK_EQ_U64(b->ring.done, 2);
    CHECK_STATUS(rs_device_ring_post(&b->ring, all, 1, &posted), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_STATUS(rs_device_ring_poll(&b->ring, &done), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_EQ_U64(rs_device_report(&b->device)->cause, RS_FAULT_BUS_READ);
    CHECK_EQ_U64(rs_device_report(&b->device)->pc, 1);
    CHECK_EQ_U64(b->c.core.zeroizes, wiped + 1);
    check_result(b, 1);
    works_again(b);
}

RS_TEST(a_fault_ends_the_ring) {
    fault(1);
    fault(0);
}

RS_TEST(memory_or_core_refuse_a_descriptor) {
    uint32_t done;
    bench_t *b = bench_new(1, 0);
    CHECK_OK(open_ring(b));
    b->c.broken = 1;
    CHECK_EQ_U64(post(b, 0, 3), 3);
    CHECK_STATUS(rs_device_ring_poll(&b->ring, &done), RS_ERR_DEVICE_BUS);
    CHECK_EQ_U64(done, 1);
    works_again(b);
    b = bench_new(1, 0);
    CHECK_OK(open_ring(b));
    b->c.refused = 0;
    CHECK_EQ_U64(post(b, 0, 1), 1);
    CHECK_STATUS(rs_device_ring_poll(&b->ring, &done), RS_ERR_DEVICE_BUSY);
    CHECK_EQ_U64(done, 0);
    works_again(b);
}

RS_TEST(a_wait_ends) {
    for (int polls = 0; polls <= 1; polls++) {
        bench_t *b = bench_new(polls, 0);
        b->device.bus.time_limit = 10;
        CHECK_OK(open_ring(b));
        b->c.stuck = 1;
        CHECK_EQ_U64(post(b, 0, 3), 3);
        CHECK_STATUS(rs_device_ring_wait(&b->ring), RS_ERR_DEVICE_BUSY);
        if (!polls) CHECK_EQ_U64(b->c.waits, 10);
        b->device.bus.time_limit = 0;
        works_again(b);
    }
    // a limit is for each program: four take longer than it
    bench_t *b = bench_new(1, 0);
    b->device.bus.time_limit = 2;
    CHECK_OK(open_ring(b));
    b->c.slow = 2;
    CHECK_EQ_U64(post(b, 0, 4), 4);
    CHECK_OK(rs_device_ring_wait(&b->ring));
    CHECK_OK(rs_device_ring_close(&b->ring));
    bench_free(b);
}

RS_TEST(a_core_without_ring_is_refused) {
    for (int absent = 1; absent <= 2; absent++) {
        bench_t *b = bench_new(1, 0);
        b->c.absent = absent;
        const unsigned written = b->c.core.words_written;
        CHECK_STATUS(open_ring(b), RS_ERR_DESIGN);
        CHECK_EQ_U64(b->c.core.words_written, written);
        CHECK_STATUS(rs_device_ring_open(&b->ring, &b->device, RING_AT, 0, b->words, b->length), RS_ERR_DESIGN);
        b->c.core.bus_error_after = 0; // the bus itself
        CHECK_STATUS(open_ring(b), absent == 1 ? RS_ERR_IO : RS_ERR_DESIGN);
        b->c.core.bus_error_after = MODEL_NEVER;
        b->c.absent = 0;
        CHECK_OK(open_ring(b));
        CHECK_OK(rs_device_ring_close(&b->ring));
        bench_free(b);
    }
}

RS_TEST(wrong_arguments_are_refused) {
    bench_t *b = bench_new(1, 0);
    uint32_t posted = 9;
    rs_device_ring_t *ring = &b->ring;
    rs_descriptor_t d = descriptor(b, 0);
    CHECK_STATUS(rs_device_ring_open(NULL, &b->device, RING_AT, SIZE_LOG, b->words, b->length), RS_ERR_NULL);
    CHECK_STATUS(rs_device_ring_open(ring, NULL, RING_AT, SIZE_LOG, b->words, b->length), RS_ERR_NULL);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, RING_AT, SIZE_LOG, NULL, b->length), RS_ERR_NULL);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, RING_AT, SIZE_LOG, b->words, 0), RS_ERR_PROGRAM_LENGTH);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, RING_AT, SIZE_LOG, b->words, DESIGN.program_depth + 1),
                 RS_ERR_PROGRAM_LENGTH);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, RING_AT, RS_RING_LOG_MAX + 1, b->words, b->length), RS_ERR_DESIGN);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, RING_AT + 8, SIZE_LOG, b->words, b->length), RS_ERR_ALIGNMENT);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, MEMORY - 192, SIZE_LOG, b->words, b->length), RS_ERR_DEVICE_MEMORY);
    CHECK_STATUS(rs_device_ring_open(ring, &b->device, MEMORY + 64, 0, b->words, b->length), RS_ERR_DEVICE_MEMORY);
    CHECK_STATUS(rs_device_ring_post(ring, &d, 1, &posted), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_STATUS(rs_device_ring_wait(ring), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_OK(rs_device_ring_open(ring, &b->device, MEMORY - 256, SIZE_LOG, b->words, b->length));
    CHECK_STATUS(open_ring(b), RS_ERR_DEVICE_BUSY);
    const rs_run_t run = {.words = b->words, .length = b->copy, .log_n = LOG_N, .pointers = d.pointers, .pointer_count = 4};
    CHECK_STATUS(rs_device_run(&b->device, &run), RS_ERR_DEVICE_BUSY);
    CHECK_STATUS(rs_device_ring_post(ring, NULL, 1, &posted), RS_ERR_NULL);
    CHECK_STATUS(rs_device_ring_post(ring, &d, 1, NULL), RS_ERR_NULL);
    d.log_n = DESIGN.log_n_max + 1;
    CHECK_STATUS(rs_device_ring_post(ring, &d, 1, &posted), RS_ERR_DESIGN_DEGREE);
    d.log_n = LOG_N;
    d.first = DESIGN.program_depth;
    CHECK_STATUS(rs_device_ring_post(ring, &d, 1, &posted), RS_ERR_PROGRAM_LENGTH);
    d.first = 0;
    d.pointers[7] = 32;
    CHECK_STATUS(rs_device_ring_post(ring, &d, 1, &posted), RS_ERR_ALIGNMENT);
    CHECK_EQ_U64(posted, 0);
    CHECK_EQ_U64(b->c.core.programs, 0);
    CHECK_STATUS(rs_device_ring_poll(NULL, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_device_ring_close(NULL), RS_ERR_NULL);
    CHECK_OK(rs_device_ring_close(ring));
    bench_free(b);
}
