// SPDX-License-Identifier: Apache-2.0
// A scheme at its smallest beside CKKS: sums of products in a ring, programs by machine/builder.h for every kind of core, on the model of the
// core. tests/scheme runs such a program on simulated hardware.
#include "machine/builder.h"
#include "machine/image.h"
#include "model_core.h"
#include "rs_test.h"

enum { LOG_N = 10, N = 1 << LOG_N, TERMS = 3, Q = 12289 };

// OUTPUT = sum of INPUT[2 i] INPUT[2 i + 1], all in coefficient form.
static rs_status_t build(const rs_design_t *design, uint64_t *words, size_t capacity, size_t *length) {
    rs_builder_t b;
    rs_builder_init(&b, design, LOG_N, words, capacity);
    const int wide = rs_design_residue_bytes(design) == 8;
    const uint64_t ctx = rs_builder_context(&b, 0, OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS));
    uint32_t sum = RS_BUILDER_NOTHING;
    for (uint32_t i = 0; i < TERMS; i++) {
        uint32_t x[2];
        for (uint32_t k = 0; k < 2; k++) {
            x[k] = rs_builder_take(&b);
            rs_builder_emit(&b, OP(LOAD) | DST(x[k]) | ctx | rs_builder_at(&b, RS_POINTER_INPUT, 2 * i + k, wide));
            rs_builder_emit(&b, OP(NTT) | DST(x[k]) | ctx);
        }
        if (i) {
            rs_builder_emit(&b, OP(MAC) | DST(sum) | A(x[0]) | B(x[1]) | ctx);
            rs_builder_release(&b, x[0]);
        } else {
            sum = x[0];
            rs_builder_emit(&b, OP(MUL) | DST(sum) | A(x[0]) | B(x[1]) | ctx);
        }
        rs_builder_release(&b, x[1]);
    }
    rs_builder_emit(&b, OP(INTT) | DST(sum) | ctx);
    rs_builder_emit(&b, OP(STORE) | A(sum) | rs_builder_at(&b, RS_POINTER_OUTPUT, 0, wide));
    return rs_builder_finish(&b, length);
}

static void check_design(const rs_design_t *design) {
    static uint64_t table[4 * N], a[2 * TERMS][N], want[N], got[N], words[64];
    const rs_plan_t *plan;
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    uint64_t address;
    size_t length, left;
    REQUIRE(rs_plan_size(LOG_N) <= sizeof table);
    REQUIRE_OK(rs_plan_init(&plan, (rs_memory_t){table, sizeof table}, LOG_N, Q, 0));
    model_core_init(&core, design, 1 << 20);
    model_core_bus(&core, &bus);
    REQUIRE_OK(open_device(&device, &bus));
    uint8_t *memory = rs_device_memory(&device, &left, &address);
    CHECK(left == core.memory_bytes && address == bus.memory_address && memory == bus.memory);
    const size_t context = rs_design_context_bytes(design, LOG_N), poly = rs_design_poly_bytes(design, LOG_N);
    rs_image_context(design, plan, 1, 1, memory);
    for (unsigned i = 0; i < 2 * TERMS; i++) {
        for (unsigned k = 0; k < N; k++) a[i][k] = (k * 2654435761u + i * 40503u) % Q;
        rs_image_write(design, plan, memory + context + i * poly, a[i], i & 1);
        rs_plan_forward(plan, a[i]);
    }
    memset(want, 0, sizeof want);
    for (unsigned i = 0; i < TERMS; i++) rs_plan_mul_add(plan, want, a[2 * i], a[2 * i + 1], want);
    rs_plan_inverse(plan, want);
    REQUIRE_OK(build(design, words, 64, &length));
    const uint64_t pointers[] = {address, address, address + context, address + context + 2 * TERMS * poly};
    rs_run_t run = {.words = words, .length = (uint32_t)length, .log_n = LOG_N, .pointers = pointers, .pointer_count = 4};
    REQUIRE_OK(rs_device_run(&device, &run));
    rs_image_read(design, plan, got, memory + context + 2 * TERMS * poly);
    CHECK_EQ_MEM(got, want, sizeof got);
    // what is refused: no word is written, nothing starts
    const unsigned written = core.words_written;
    run.log_n = design->log_n_max + 1;
    CHECK_STATUS(rs_device_run(&device, &run), RS_ERR_DESIGN_DEGREE);
    run.log_n = LOG_N;
    run.pointer_count = RS_POINTERS + 1;
    CHECK_STATUS(rs_device_run(&device, &run), RS_ERR_DESIGN);
    run.pointer_count = 4;
    run.length = design->program_depth + 1;
    CHECK_STATUS(rs_device_run(&device, &run), RS_ERR_PROGRAM_LENGTH);
    CHECK_STATUS(rs_device_run(&device, NULL), RS_ERR_NULL);
    CHECK_EQ_U64(core.words_written, written);
    run.length = (uint32_t)length - 1; // no END
    CHECK_STATUS(rs_device_run(&device, &run), RS_ERR_DEVICE_PROGRAM);
    CHECK_OK(rs_device_close(&device));
    CHECK_EQ_U64(core.misuse, 0);
    model_core_free(&core);
}

RS_TEST(a_second_scheme_runs_on_every_kind_of_core) {
    const rs_design_t plain = {.lanes = 2,
                               .word_bits = 32,
                               .log_n_min = 10,
                               .log_n_max = 11,
                               .groups = 3,
                               .contexts = 1,
                               .bus_bits = 64,
                               .program_depth = 128};
    check_design(&plain);
    rs_design_t other = plain;
    other.word_bits = 54;
    other.groups = 6;
    other.features = RS_FEATURE_ON_THE_FLY;
    check_design(&other);
}
