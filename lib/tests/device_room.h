// SPDX-License-Identifier: Apache-2.0
// What tests of CKKS on the model of a core share: designs, benches that close themselves, instructions, and programs of their own.
#ifndef RS_DEVICE_ROOM_H
#define RS_DEVICE_ROOM_H

#include "device_calls.h"
#include "fields_tests.h"
#include "fixture.h"
#include "machine/instruction.h"

#define DESIGN_OF(most, group_count, context_count, slot_count, bus, what) \
    {.lanes = 4,                                                           \
     .word_bits = 32,                                                      \
     .log_n_min = 10,                                                      \
     .log_n_max = most,                                                    \
     .groups = group_count,                                                \
     .contexts = context_count,                                            \
     .slots = slot_count,                                                  \
     .bus_bits = bus,                                                      \
     .features = what,                                                     \
     .program_depth = 512,                                                 \
     .keccak_cores = 2}
// With the streaming unit, for batches.
#define STREAM_DESIGN           \
    DESIGN_OF(12, 5, 1, 6, 512, \
              RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_REDUCE | RS_FEATURE_PIPE | 2 << RS_FEATURE_STREAM_LANES_SHIFT)

// A bench_t of the test's own, which bench_free() closes at the end of the block; and one whose device is open.
#define BENCH(b, ...)                               \
    __attribute__((cleanup(bench_free))) bench_t b; \
    bench_init(&b, __VA_ARGS__)
#define OPENED(b, ...)     \
    BENCH(b, __VA_ARGS__); \
    bench_open(&b)

// A bench's device on its core, with its context, its secret key and what else is given.
#define OPEN_DEVICE(b, ...)                                                                                 \
    do {                                                                                                    \
        model_core_bus(&(b)->core, &(b)->bus);                                                              \
        CHECK_OK(open_device(&(b)->device, &(b)->bus));                                                     \
        CHECK_OK(LOAD(&(b)->device, .context = (b)->f.context, .secret_key = &(b)->f.secret, __VA_ARGS__)); \
    } while (0)

// Whether a design encrypts with a special prime.
static inline int can_round(const rs_design_t *design) { return design->slots && (design->groups >= 5 || design->contexts >= 2); }

// The job of the program that is in the core: word 0 of its key is the scheme, the rest is the job, which has no padding.
static inline rs_job_t job_in_core(const rs_device_t *d) {
    rs_job_t job;
    memcpy(&job, d->key.words + 1, sizeof job);
    return job;
}

static inline rs_memory_t room_of(const rs_context_t *context) {
    const size_t bytes = rs_device_workspace(context);
    return (rs_memory_t){words(bytes / 8 + 1), bytes};
}

// ---- rows of switching keys ----------------------------------------------------------------------------------------------
typedef struct row {
    uint32_t element, index, seeded, seed_type;
} row_t;

static inline rs_status_t row_by_device(rs_device_t *device, row_t row, rs_ciphertext_t *key, rs_rng_t *rng, rs_memory_t workspace,
                                        rs_device_mode_t mode) {
    return rs_device_keygen_switch(device,
                                   RS_REQUEST(rs_keygen_request_t, .kind = RS_KEY_SWITCH, .element = row.element,
                                              .index = row.index, .seeded = row.seeded, .seed_type = row.seed_type, .key = key,
                                              .rng = rng, .workspace = workspace),
                                   mode);
}

// Both give the same row for the same seeds. The device has the fixture's secret key.
static inline void check_row(fixture_t *f, rs_device_t *device, rs_memory_t workspace, uint8_t seed, row_t row) {
    const uint32_t limbs = f->params.limb_count;
    const size_t count = (row.seeded ? 1 : 2) * limbs * (size_t)f->n;
    rs_ciphertext_t want = {.data = words(count), .seeded = row.seeded, .seed_type = row.seed_type}, got = {.data = words(count)};
    fixture_seed(f, seed);
    REQUIRE_OK(keygen_switch(f->context, &f->secret, row.element, row.index, &want, &f->rng, f->workspace, f->workspace_bytes));
    fixture_seed(f, seed);
    if (!CHECK_OK(row_by_device(device, row, &got, &f->rng, workspace, RS_DEVICE_RUN))) return;
    CHECK_EQ_MEM(got.data, want.data, count * sizeof *want.data);
    want.data = got.data;
    CHECK_EQ_MEM(&got, &want, sizeof got);
}

// ---- instructions and programs -------------------------------------------------------------------------------------------
#define I(name) RS_FIELD(OP, RS_OP_##name)
#define D(number) RS_FIELD(DST, number)
#define A(number) RS_FIELD(A, number)
#define B(number) RS_FIELD(B, number)
#define AT(bytes) RS_FIELD(OFFSET, (bytes) / RS_ISA_LINE_BYTES)
#define SET(name) RS_FIELD(name, 1)

typedef struct text_case {
    uint64_t word;
    const char *text;
} text_case_t;

static inline void check_texts(const text_case_t *cases, size_t count) {
    char text[80];
    for (size_t i = 0; i < count; i++) {
        CHECK_EQ_U64(rs_instruction_text(cases[i].word, text, sizeof text), strlen(cases[i].text));
        if (!CHECK(strcmp(text, cases[i].text) == 0)) printf("  %s instead of %s\n", text, cases[i].text);
    }
}

// Words behind those that every case begins with, and END behind them.
typedef struct fault_case {
    uint64_t words[14];
    rs_fault_t fault;
} fault_case_t;

static inline void check_fault(rs_device_t *device, const uint64_t *first, size_t count, const fault_case_t *at, size_t number) {
    uint64_t program[40];
    memcpy(program, first, count * sizeof *first);
    for (unsigned k = 0; at->words[k]; k++) program[count++] = at->words[k];
    program[count++] = I(END);
    if (!CHECK_EQ_U64(run_words(device, program, count), at->fault)) printf("  case %zu\n", number);
}

// The words of POINTER, and log N.
static inline void set_pointers(rs_device_t *device, const uint64_t *pointers, uint32_t count, uint32_t log_n) {
    for (uint32_t i = 0; i < 2 * count; i++) {
        CHECK_OK(rs_machine_set(device, RS_REG_POINTER + 4 * i, (uint32_t)(pointers[i / 2] >> 32 * (i & 1))));
    }
    CHECK_OK(rs_machine_set(device, RS_REG_LOG_N, log_n));
}

#endif
