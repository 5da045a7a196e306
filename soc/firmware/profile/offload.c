// SPDX-License-Identifier: Apache-2.0
// See offload.h. A transform is one program: context, words of 8 bytes in, NTT or INTT, words out. The core reads and writes the array of
// the caller: its port is coherent and sees all of RAM.
#include "offload.h"

#include <ringside/program.h>

#include "machine.h"
#include "machine/builder.h"

enum { MEMORY_BYTES = 4096, LOG_N_LARGEST = 10, PROGRAM_WORDS = 5 };
// Reads of STATUS, one after the other, that no transform takes.
enum { READS_MAX = 1000000 };
enum { POINTER_CONTEXT, POINTER_WORDS, POINTER_COUNT };

static struct {
    rs_device_t *device;
    const rs_plan_t *plan;
    uint64_t programs[2][PROGRAM_WORDS]; // forward, inverse
    _Alignas(64) uint8_t context[(8 << LOG_N_LARGEST) + RS_CONTEXT_HEADER_BYTES];
    _Alignas(64) uint8_t tables[(64 << LOG_N_LARGEST) + 4096];
    _Alignas(64) uint8_t state[RS_DEVICE_BYTES_MAX];
    _Alignas(4096) uint8_t memory[MEMORY_BYTES]; // the driver's own
} core;

static rs_status_t read_register(void *nothing, uint32_t offset, uint32_t *value) {
    (void)nothing;
    *value = *(volatile uint32_t *)(CORE_ADDRESS + offset);
    return RS_OK;
}

static rs_status_t write_register(void *nothing, uint32_t offset, uint32_t value) {
    (void)nothing;
    *(volatile uint32_t *)(CORE_ADDRESS + offset) = value;
    return RS_OK;
}

static void make_program(uint64_t *words, int inverse) {
    words[0] = OP(CONTEXT) | RS_FIELD(POINTER, POINTER_CONTEXT);
    words[1] = OP(LOAD) | RS_FIELD(POINTER, POINTER_WORDS) | FLAG(WIDE) | (inverse ? FLAG(NTT) : 0);
    words[2] = inverse ? OP(INTT) : OP(NTT);
    words[3] = OP(STORE) | RS_FIELD(POINTER, POINTER_WORDS) | FLAG(WIDE) | (inverse ? 0 : FLAG(NTT));
    words[4] = OP(END);
}

rs_status_t offload_open(uint32_t log_n, uint64_t q) {
    const rs_bus_t bus = {
        .read = read_register,
        .write = write_register,
        .time_limit = READS_MAX,
        .memory = core.memory,
        .memory_address = (uintptr_t)core.memory,
        .memory_bytes = sizeof core.memory,
    };
    RS_TRY(rs_device_open(&core.device, core.state, sizeof core.state, &bus));
    const rs_design_t *design = rs_device_design(core.device);
    if (log_n < design->log_n_min || log_n > design->log_n_max) return RS_ERR_DESIGN_DEGREE;
    if (rs_design_context_bytes(design, log_n) > sizeof core.context) return RS_ERR_MEMORY;
    RS_TRY(rs_plan_init(&core.plan, core.tables, sizeof core.tables, log_n, q));
    rs_image_context(design, core.plan, 1, 1, core.context);
    make_program(core.programs[0], 0);
    make_program(core.programs[1], 1);
    return RS_OK;
}

uint64_t offload_cycles(void) {
    return rs_device_report(core.device)->cycles;
}

static rs_status_t transform(const rs_plan_t *plan, uint64_t *poly, int inverse) {
    if (rs_plan_n(plan) != rs_plan_n(core.plan) || rs_plan_modulus(plan) != rs_plan_modulus(core.plan)) return RS_ERR_MISMATCH;
    if ((uintptr_t)poly % RS_ISA_LINE_BYTES) return RS_ERR_ALIGNMENT;
    const uint64_t pointers[POINTER_COUNT] = {[POINTER_CONTEXT] = (uintptr_t)core.context, [POINTER_WORDS] = (uintptr_t)poly};
    const rs_run_t run = {
        .words = core.programs[inverse],
        .length = PROGRAM_WORDS,
        .log_n = (uint32_t)__builtin_ctz(rs_plan_n(plan)),
        .pointers = pointers,
        .pointer_count = POINTER_COUNT,
    };
    return rs_device_run(core.device, &run);
}

rs_status_t core_rs_plan_forward(const rs_plan_t *plan, uint64_t *poly) {
    return transform(plan, poly, 0);
}

rs_status_t core_rs_plan_inverse(const rs_plan_t *plan, uint64_t *poly) {
    return transform(plan, poly, 1);
}
